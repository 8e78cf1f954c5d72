# SPDX-License-Identifier: MIT

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _forkmunk as _core
from .checks import checked_function, checked_index, checked_type, checked_whole, is_list, refuse_type
from .forking import fork
from .protocols import (
    DISABLED, NEXT_STEP, SAME_STEP, ClosedEnvironmentError, GymVectorEnv, batch_space, concatenate, create_empty_array, iterate,
)

Bools = NDArray[np.bool_]


def _checked_mask(mask: Any, count: int, what: str) -> Bools:
    """Returns the mask of `count` environments; None selects all."""
    if mask is None:
        return np.ones(count, bool)
    found: Bools = np.asarray(mask, order="C")
    if found.shape != (count,) or found.dtype != bool:
        raise _core.Error(f"{what}: found {found.dtype} {found.shape}, expected bool ({count},)")
    return found


def _checked_seeds(seeds: Any, count: int) -> Any:
    if not is_list(seeds):
        refuse_type(seeds, "reset(seed)", f"a whole number, or a list of {count} of them")
    found = [None if seed is None else checked_whole(seed, "reset(seed)") for seed in seeds]
    if len(found) != count:
        raise _core.Error(f"reset(seed): found {len(found)} seeds, expected {count}")
    return found


def _checked_autoreset_mode(mode: Any, what: str) -> Any:
    """Returns Gymnasium's AutoresetMode of a mode or its value, or without Gymnasium the value."""
    for known in (NEXT_STEP, SAME_STEP, DISABLED):
        if mode == known or mode == getattr(known, "value", known):
            return known
    raise _core.Error(f"{what}: found {mode!r}, expected 'NextStep', 'SameStep' or 'Disabled'")


def _check_open(env: Any, what: str) -> None:
    """Refuses a closed environment, as Gymnasium's AsyncVectorEnv does."""
    if getattr(env, "closed", False) or getattr(env, "_closed", False):
        raise ClosedEnvironmentError(f"{what}: found a {type(env).__name__} that is closed; make another")


def _check_reset(env: Any, options: Any) -> None:
    _check_open(env, "reset()")
    checked_type(options, (Mapping, type(None)), "reset(options)", "a dict or None")


class _VectorEpisodes(GymVectorEnv):
    """The base of vector environments: which episodes have begun and ended."""

    def __init__(self, num_envs: int, autoreset_mode: Any, metadata: Any) -> None:
        self.num_envs, self._mode = num_envs, autoreset_mode
        self.metadata = {**metadata, "autoreset_mode": autoreset_mode}
        self._over, self._begun = np.zeros(num_envs, bool), False

    def _reset_mask(self, options: Any) -> Bools:
        """Returns the mask of the environments to reset."""
        _check_reset(self, options)
        mask = _checked_mask((options or {}).get("reset_mask"), self.num_envs, "reset(reset_mask)")
        if not (self._begun or mask.all()):
            raise _core.Error("reset(): no episode has begun; call reset() without a reset_mask before")
        return mask

    def _check_step(self) -> None:
        _check_open(self, "step()")
        if not self._begun:
            raise _core.Error("step(): no episode has begun; call reset() before")
        if self._mode == DISABLED and self._over.any():
            raise _core.Error(f"step(): the episode of environment {int(self._over.argmax())} is over; call "
                              "reset(options={'reset_mask': ...}) before")


class VectorizedEnv(_VectorEpisodes):
    """The vector environment that vectorize() returns, by the rules of Gymnasium's VectorEnv.

    envs is the list of the single environments, whose episodes are those that they have alone with their seeds and
    actions."""

    def __init__(self, envs: Sequence[Any], autoreset_mode: Any) -> None:
        self.envs = list(envs)
        first = self.envs[0]
        super().__init__(len(envs), autoreset_mode, getattr(first, "metadata", {}))
        self.render_mode = getattr(first, "render_mode", None)
        self.single_observation_space: Any = getattr(first, "observation_space", None)
        self.single_action_space: Any = getattr(first, "action_space", None)
        self.observation_space: Any
        self.action_space: Any
        self.observation_space, self.action_space = (
            None if space is None else batch_space(space, self.num_envs)
            for space in (self.single_observation_space, self.single_action_space))
        self._last: list[Any] = [None] * self.num_envs

    def reset(self, *, seed: Union[int, Sequence[Optional[int]], None] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode in every environment, and returns (observations, infos).

        seed is a list with a seed for each environment, or the first of consecutive seeds. options may have
        "reset_mask", bool (n,), which selects environments; other options are passed to each reset()."""
        mask = self._reset_mask(options)
        if seed is None or isinstance(seed, (int, np.integer)):
            seed = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        seeds: Sequence[Optional[int]] = _checked_seeds(seed, self.num_envs)
        if options is not None:
            options = {name: value for name, value in options.items() if name != "reset_mask"}
        infos: dict[str, Any] = {}
        for i in map(int, np.flatnonzero(mask)):
            self._last[i], info = self.envs[i].reset(seed=seeds[i], options=options)
            infos = self._add_info(infos, info, i)
        self._over[mask], self._begun = False, True
        return self._observations(), infos

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Steps every environment with its action, and returns (observations, rewards, terminations, truncations,
        infos).

        Rewards are float64 (n,), terminations and truncations bool (n,)."""
        self._check_step()
        if not is_list(actions):
            refuse_type(actions, "step(actions)", f"{self.num_envs} actions")
        actions = list(actions if self.action_space is None else iterate(self.action_space, actions))
        if len(actions) != self.num_envs:
            raise _core.Error(f"step(actions): found {len(actions)} actions, expected {self.num_envs}")
        infos: dict[str, Any] = {}
        rewards = np.zeros(self.num_envs)
        terminations, truncations = np.zeros(self.num_envs, bool), np.zeros(self.num_envs, bool)
        for i, (env, action) in enumerate(zip(self.envs, actions)):
            if self._over[i]:
                self._last[i], info = env.reset()
            else:
                self._last[i], rewards[i], terminations[i], truncations[i], info = env.step(action)
                if self._mode == SAME_STEP and (terminations[i] or truncations[i]):
                    infos = self._add_info(infos, {"final_obs": self._last[i], "final_info": info}, i)
                    self._last[i], info = env.reset()
            infos = self._add_info(infos, info, i)
        if self._mode != SAME_STEP:
            self._over = terminations | truncations
        return self._observations(), rewards, terminations, truncations, infos

    def fork(self, from_: int, to: Optional[Bools] = None) -> None:
        """Makes all other environments, or those of a mask, bool (n,), forks of environment `from_`."""
        mask = _checked_mask(to, self.num_envs, "fork(to)")
        from_ = checked_index(from_, self.num_envs, "fork(): environment")
        for i in np.flatnonzero(mask):
            if i != from_:
                self.envs[i], self._last[i] = fork((self.envs[from_], self._last[from_]))
                self._over[i] = self._over[from_]

    def render(self) -> tuple[Any, ...]:
        """Returns the pictures of all environments as a tuple."""
        return tuple(env.render() for env in self.envs)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Returns each environment's result of a method, or value of an attribute, as a tuple."""
        found = [env.get_wrapper_attr(name) if hasattr(env, "get_wrapper_attr") else getattr(env, name) for env in self.envs]
        return tuple(value(*args, **kwargs) if callable(value) else value for value in found)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Returns each environment's value of an attribute as a tuple."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Sets an attribute of each environment: to one value, or from a list or tuple of n."""
        listed = values if isinstance(values, (list, tuple)) else [values] * self.num_envs
        if len(listed) != self.num_envs:
            raise _core.Error(f"set_attr(values): found {len(listed)} values, expected {self.num_envs}")
        for env, value in zip(self.envs, listed):
            (env.set_wrapper_attr if hasattr(env, "set_wrapper_attr") else env.__setattr__)(name, value)

    def close(self, **_: Any) -> None:
        """Closes every environment that has a close() function."""
        for env in self.envs:
            getattr(env, "close", lambda: None)()
        self.closed = True

    def _observations(self) -> Any:
        if self.single_observation_space is None:
            return np.array(self._last)
        out: Any = create_empty_array(self.single_observation_space, self.num_envs)
        return concatenate(self.single_observation_space, self._last, out)


def vectorize(make_env: Callable[[], Any], n: int, *, autoreset_mode: Any = NEXT_STEP) -> VectorizedEnv:
    """Returns one vector environment of n environments, each made by make_env(), by the rules of Gymnasium's
    SyncVectorEnv.

    Observations, rewards and ends have a row for each environment. Gymnasium need not be installed. autoreset_mode
    "NextStep" begins an environment's next episode in the next step(), which ignores its action. "SameStep" begins
    it at once, with final_obs and final_info in the infos. "Disabled" begins none: call reset() with a reset_mask.
    Each make_env() must return a new environment. fork() of the result copies one environment into others, at any
    step."""
    checked_function(make_env, "vectorize(make_env)", "a function that makes an environment")
    checked_whole(n, "vectorize(n)", 1)
    autoreset_mode = _checked_autoreset_mode(autoreset_mode, "vectorize(autoreset_mode)")
    envs = [make_env() for _ in range(n)]
    for env in envs:
        if not (hasattr(env, "reset") and hasattr(env, "step")):
            refuse_type(env, "vectorize(make_env), its environment", "an object with reset() and step()")
    if len({id(env) for env in envs}) < n:
        raise _core.Error("vectorize(make_env): it made the same environment twice; make a new one in each call")
    return VectorizedEnv(envs, autoreset_mode)
