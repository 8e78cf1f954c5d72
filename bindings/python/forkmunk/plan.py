"""Planners for continuous controls: they draw plans, have them scored, and draw the next ones around the best.

    batch = forkmunk.SpaceBatch(space, 1, threads=2)
    score = plan.rollouts(batch, [("velocity", body)], cost, dt=0.01, substeps=10, observe=[("position", body)])
    planner = plan.CEM(score, low=[-100, -100], high=[100, 100], horizon=8)
    action = planner.act(space.save())

A score is a function (state, actions float64 (k, t, width)) -> costs (k,): lower is better, NaN worst. `state` is what
act() and plan() were called with. The same seed and costs give the same plans on every machine."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _forkmunk as _core
from .space_batch import Rollout, SpaceBatch

Floats = NDArray[np.float64]
Score = Callable[[Any, Floats], ArrayLike]


def rollouts(batch: SpaceBatch, controls: Sequence[tuple[Any, ...]], cost: Callable[[Rollout, Floats], ArrayLike],
             **options: Any) -> Score:
    """A score by SpaceBatch.rollout(), from a Space's or a world's save(). cost(rollout, actions) -> costs (k,); the options
    are rollout()'s."""

    def score(state, actions):
        return cost(batch.rollout(state, actions, controls, **options), actions)

    return score


def environment(env: Any) -> Score:
    """A score by playing the plans in an environment with Gymnasium's step(), one after the other. The state is a
    forkmunk.Checkpoint(env), where the environment is again afterwards; the cost is minus the sum of the rewards until the
    plan or the episode ends."""

    def score(checkpoint, actions):
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


class Planner:
    """What the planners have in common. Not made itself."""

    _own: tuple[str, ...] = ()

    def __init__(self, score: Score, low: ArrayLike, high: ArrayLike, horizon: int, *, plans: int = 256, rounds: int = 3,
                 hold: int = 1, spread: float = 0.25, seed: int = 0, **own: float) -> None:
        if not callable(score):
            raise TypeError(f"{type(self).__name__}(score): found {score!r}, expected a function (state, actions) -> costs")
        unknown = own.keys() - set(self._own)
        if unknown:
            raise TypeError(f"{type(self).__name__}: found {sorted(unknown)[0]}=, which it does not have")
        limits = [np.asarray(limit, float).ravel().tolist() for limit in (low, high)]
        self._score = score
        self._core = _core.SampledPlannerCore(self._method(), {
            "low": limits[0], "high": limits[1], "horizon": horizon, "plans": plans, "rounds": rounds, "hold": hold,
            "spread": spread, "seed": seed, **own})

    def _method(self):
        return next(cls.__name__ for cls in type(self).__mro__ if cls.__module__ == __name__)

    def plan(self, state: Any) -> Floats:
        """Searches from a state, on from the plan found last. Returns the plan, (horizon, width)."""
        return self._core.plan(lambda actions: self._score(state, actions))

    def act(self, state: Any) -> Floats:
        """plan(), and its first action, (width,), which counts as taken: the next search starts from the rest."""
        action = self.plan(state)[0]
        self._core.advance(1)
        return action

    def advance(self, actions: int = 1) -> None:
        """The plan's first actions were taken."""
        self._core.advance(actions)

    def reset(self) -> None:
        """Forgets the plan."""
        self._core.reset()

    @property
    def best(self) -> Floats:
        """The plan found last: (horizon, width)."""
        return self._core.best

    @property
    def cost(self) -> float:
        """The lowest cost of the last plan(); infinite before, after an action was taken, and if no plan's cost was a number."""
        return self._core.cost


class CEM(Planner):
    """CEM(score, low, high, horizon, *, plans=256, rounds=3, hold=1, spread=0.25, elites=0.1, seed=0)

    The cross-entropy method: in each round `plans` plans are drawn from normal distributions, which are then fitted to
    the best ones, `elites` of them. The first deviation is `spread` * (high - low). `hold` actions in a row are
    drawn equal."""

    _own = ("elites",)


class MPPI(Planner):
    """MPPI(score, low, high, horizon, *, plans=256, rounds=3, hold=1, spread=0.25, temperature=1, seed=0)

    Model predictive path integral control: the plan becomes the mean of the plans drawn around it; one that costs
    `temperature` more than the best weighs 1/e as much."""

    _own = ("temperature",)


class Stretched(Planner):
    """Stretched(score, low, high, horizon, *, plans=256, rounds=3, hold=1, spread=0.25, seed=0)

    Hill climbing: the best plan's children have one stretch of it, of `hold` actions or more, replaced by another
    action."""
