# SPDX-License-Identifier: MIT
"""Planners for continuous controls, which draw plans, have them scored, and draw the next plans around the best.

    batch = forkmunk.SpaceBatch(space, 1, threads=2)
    score = plan.rollouts(batch, [("velocity", body)], cost, dt=0.01, substeps=10, observe=[("position", body)])
    planner = plan.CEM(score, low=[-100, -100], high=[100, 100], horizon=8)
    action = planner.act(space.save())

A score is a function (state, actions) -> costs. state is the argument of act() or plan(), actions float64 (k, t,
width): k plans of t actions. costs is (k,): lower is better, and NaN worst. Equal seeds and costs give equal plans
on every machine."""

from __future__ import annotations

import pickle
from typing import Any, Callable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _forkmunk as _core
from .checks import checked_function, checked_whole, refuse_type
from .scene import Uncopied, inner
from .space_batch import Rollout, SpaceBatch

Floats = NDArray[np.float64]
Score = Callable[[Any, Floats], ArrayLike]


def rollouts(batch: SpaceBatch, controls: Sequence[tuple[Any, ...]], cost: Callable[[Rollout, Floats], ArrayLike],
             **options: Any) -> Score:
    """Returns a score that plays the plans by SpaceBatch.rollout(), with its keywords as options.

    The state is a Snapshot of a Space or a batch's world. cost receives the Rollout and the actions, float64 (k, t,
    width), and returns k numbers."""

    if not (isinstance(batch, SpaceBatch) and callable(cost)):
        raise TypeError(f"rollouts(): found {batch!r} and {cost!r}, expected a SpaceBatch and a function (rollout, actions) -> costs")

    def score(state: Any, actions: Floats) -> ArrayLike:
        return cost(batch.rollout(state, actions, controls, **options), actions)

    return score


def environment(env: Any) -> Score:
    """Returns a score that plays the plans one by one in an environment with Gymnasium's step().

    The state is a forkmunk.Checkpoint(env), which is restored afterwards. A plan's cost is minus its rewards until
    the plan or the episode ends. For a Space alone, rollouts() is much faster."""

    if not callable(getattr(env, "step", None)):
        refuse_type(env, "environment()", "an environment with step()")

    def score(checkpoint: Any, actions: Floats) -> Floats:
        costs = np.zeros(len(actions))
        try:
            for k, plan in enumerate(actions):
                checkpoint.restore()
                for action in plan:
                    _, reward, terminated, truncated, _ = env.step(action)
                    costs[k] -= reward
                    if terminated or truncated:
                        break
        finally:
            checkpoint.restore()
        return costs

    return score


def across(map_: Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]], score: Score, parts: int) -> Score:
    """Returns a score that divides the plans into parts and scores them in other processes or on other machines.

    map_(function, items) is an executor's map(): of concurrent.futures, multiprocessing.Pool, mpi4py.futures or
    ray.util.multiprocessing.Pool; for joblib `lambda f, items: Parallel(2)(delayed(f)(item) for item in items)`, for
    Dask `lambda f, items: client.gather(client.map(f, items))`. The state travels as a pickle: give act() a Space, a
    tuple of a Space and its bodies, or an environment. score is a module's function, which scores each plan by
    itself. The costs then do not depend on parts or workers, bit for bit.

        def score(state: Any, actions: Floats) -> ArrayLike:
            space, body = state
            batch = forkmunk.SpaceBatch(space, 1)
            return plan.rollouts(batch, [("velocity", body)], cost, dt=0.01)(space.save(), actions)

        with concurrent.futures.ProcessPoolExecutor(4) as executor:
            planner = plan.CEM(plan.across(executor.map, score, parts=4), low=[-100, -100], high=[100, 100], horizon=8)
            action = planner.act((space, body))"""
    checked_function(map_, "across(map_)")
    checked_function(score, "across(score)")
    checked_whole(parts, "across(parts)", 1)

    def divided(state: Any, actions: Floats) -> Floats:
        data = pickle.dumps(state)
        items = [(score, data, part) for part in np.array_split(actions, parts) if len(part)]
        return np.concatenate(list(map_(_score_part, items)))

    return divided


def _score_part(item: tuple[Score, bytes, Floats]) -> Floats:
    score, data, actions = item
    return np.asarray(score(pickle.loads(data), actions), float)


class Planner(Uncopied):
    """The common members of CEM, MPPI and Stretched. Make one of those three.

    score is a function (state, actions) -> costs, such as rollouts() returns. low and high are an action's bounds, a
    number for each component. horizon is the number of actions in a plan, plans the number of plans in a round, and
    rounds the number of rounds in a search; more of both find better plans in proportionally more time. hold is the
    number of equal actions in a row, which suits slow systems. spread is the first standard deviation as a fraction
    of high - low. Equal seeds draw equal plans."""

    _own: tuple[str, ...] = ()
    _remedy = "make another with the same arguments; the same seed draws the same plans"

    def __init__(self, score: Score, low: ArrayLike, high: ArrayLike, horizon: int, *, plans: int = 256, rounds: int = 3,
                 hold: int = 1, spread: float = 0.25, seed: int = 0, **own: float) -> None:
        checked_function(score, f"{type(self).__name__}(score)", "a function (state, actions) -> costs")
        unknown = own.keys() - set(self._own)
        if unknown:
            raise TypeError(f"{type(self).__name__}: found {sorted(unknown)[0]}=, which it does not have")
        limits = [np.asarray(limit, float).ravel().tolist() for limit in (low, high)]
        self._score = score
        method = next(cls.__name__ for cls in type(self).__mro__ if cls.__module__ == __name__)
        self._core = _core.SampledPlannerCore(method, {
            "low": limits[0], "high": limits[1], "horizon": horizon, "plans": plans, "rounds": rounds, "hold": hold,
            "spread": spread, "seed": seed, **own})

    def plan(self, state: Any) -> Floats:
        """Searches for a plan from a state and returns it, float64 (horizon, width).

        The search starts from the last plan: call advance() for actions taken since, or reset() for an unrelated
        state."""
        found: Floats = self._core.plan(lambda actions: self._score(state, actions))
        return found

    def act(self, state: Any) -> Floats:
        """Returns the first action of plan(state), float64 (width,), and advances the plan by it.

        Call act() once for each control step."""
        action: Floats = self.plan(state)[0]
        self._core.advance(1)
        return action

    def advance(self, actions: int = 1) -> None:
        """Drops the plan's first actions, which were taken."""
        self._core.advance(actions)

    def reset(self) -> None:
        """Forgets the plan, as for a new episode."""
        self._core.reset()

    best: Floats = inner("best", "The plan that the last search found, float64 (horizon, width).")
    cost: float = inner(
        "cost", "The lowest cost that the last search found.\n\nThe cost is infinite before the first search, after an action was "
        "taken, and if no plan's cost was a number.")


class CEM(Planner):
    """CEM(score, low, high, horizon, *, plans=256, rounds=3, hold=1, spread=0.25, elites=0.1, seed=0)

    The cross-entropy method: the planner to try first. help(Planner) explains the arguments.

    Each round draws plans from normal distributions, and fits these to the best plans, the fraction elites, above 0
    and at most 1. Few elites converge quickly, perhaps to a poor plan."""

    _own = ("elites",)


class MPPI(Planner):
    """MPPI(score, low, high, horizon, *, plans=256, rounds=3, hold=1, spread=0.25, temperature=1, seed=0)

    Model predictive path integral control, which suits smooth costs. help(Planner) explains the arguments.

    Each round replaces the plan by the weighted mean of plans around it. A plan that costs temperature more than the
    best weighs 1/e as much: choose about the difference between good plans' costs."""

    _own = ("temperature",)


class Stretched(Planner):
    """Stretched(score, low, high, horizon, *, plans=256, rounds=3, hold=1, spread=0.25, seed=0)

    Hill climbing, which suits costs with jumps, such as contacts. help(Planner) explains the arguments.

    Each child of the best plan has one stretch, of hold actions or more, replaced by another action."""
