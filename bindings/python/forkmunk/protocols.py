# SPDX-License-Identifier: MIT
"""Gymnasium's and PettingZoo's classes, or stand-ins with the same protocols where they are not installed."""

# mypy: ignore-errors
# pyright: reportAssignmentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
# Each name has two definitions, one of them in a package that may be absent.

import numpy as np

from ._forkmunk import Error

__all__ = [
    "Box", "ClosedEnvironmentError", "DISABLED", "Discrete", "GymEnv", "GymVectorEnv", "HAS_GYMNASIUM", "HAS_PETTINGZOO",
    "MultiDiscrete", "NEXT_STEP", "ParallelEnv", "SAME_STEP", "batch_space", "concatenate", "create_empty_array", "iterate",
]

try:
    from gymnasium import Env as GymEnv
    from gymnasium.spaces import Box, Discrete, MultiDiscrete
    from gymnasium.vector import VectorEnv as GymVectorEnv
    from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate

    try:
        from gymnasium.vector import AutoresetMode

        NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED
    except ImportError:  # before 1.1
        NEXT_STEP, SAME_STEP, DISABLED = "NextStep", "SameStep", "Disabled"
    from gymnasium.error import ClosedEnvironmentError as GymClosedEnvironmentError

    HAS_GYMNASIUM = True
except ImportError:
    HAS_GYMNASIUM = False
    NEXT_STEP, SAME_STEP, DISABLED = "NextStep", "SameStep", "Disabled"

    class GymClosedEnvironmentError(Exception):
        """gymnasium.error.ClosedEnvironmentError's stand-in."""

    class _SpaceOfValues:
        def __init__(self, shape, dtype, seed=None):
            self.shape, self.dtype = shape, np.dtype(dtype)
            self.np_random = np.random.default_rng(seed)

        def seed(self, seed=None):
            self.np_random = np.random.default_rng(seed)
            return seed

        def __contains__(self, value):
            return self.contains(value)

    class Box(_SpaceOfValues):
        """Arrays of floats between two bounds."""

        def __init__(self, low, high, shape, dtype=np.float64, seed=None):
            super().__init__(tuple(shape), dtype, seed)
            self.low, self.high = (np.broadcast_to(np.asarray(bound, dtype), shape) for bound in (low, high))

        def sample(self):
            unbounded = np.isinf(self.low) | np.isinf(self.high)
            low, high = np.where(unbounded, 0, self.low), np.where(unbounded, 0, self.high)
            values = np.where(unbounded, self.np_random.standard_normal(self.shape), self.np_random.uniform(low, high))
            return np.clip(values, self.low, self.high).astype(self.dtype)

        def contains(self, value):
            return (isinstance(value, np.ndarray) and value.shape == self.shape and np.can_cast(value.dtype, self.dtype)
                    and bool(np.all(value >= self.low) and np.all(value <= self.high)))

        def __eq__(self, other):
            return isinstance(other, Box) and self.shape == other.shape and self.dtype == other.dtype

    class Discrete(_SpaceOfValues):
        """The whole numbers from 0 to n - 1."""

        def __init__(self, n, seed=None):
            super().__init__((), np.int64, seed)
            self.n = n

        def sample(self):
            return np.int64(self.np_random.integers(self.n))

        def contains(self, value):
            return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and 0 <= int(value) < self.n

        def __eq__(self, other):
            return isinstance(other, Discrete) and self.n == other.n

    class MultiDiscrete(_SpaceOfValues):
        """Arrays of whole numbers, each from 0 to below its own bound."""

        def __init__(self, nvec, seed=None):
            self.nvec = np.asarray(nvec, np.int64)
            super().__init__(self.nvec.shape, np.int64, seed)

        def sample(self):
            return self.np_random.integers(self.nvec)

        def contains(self, value):
            return (isinstance(value, np.ndarray) and value.shape == self.shape and np.issubdtype(value.dtype, np.integer)
                    and bool(np.all(value >= 0) and np.all(value < self.nvec)))

        def __eq__(self, other):
            return isinstance(other, MultiDiscrete) and np.array_equal(self.nvec, other.nvec)

    class GymEnv:
        """gymnasium.Env's protocol."""

        metadata: dict = {"render_modes": []}
        render_mode = None
        spec = None
        _np_random = None

        @property
        def unwrapped(self):
            return self

        @property
        def np_random(self):
            if self._np_random is None:
                self._np_random = np.random.default_rng()
            return self._np_random

        def reset(self, *, seed=None, options=None):
            if seed is not None:
                self._np_random = np.random.default_rng(seed)

        def close(self):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.close()
            return False

    class GymVectorEnv(GymEnv):
        """gymnasium.vector.VectorEnv's protocol."""

        closed = False

        def close(self, **_):
            self.closed = True

        def _add_info(self, infos, info, index):
            for key, value in info.items():
                if isinstance(value, dict):
                    array = self._add_info(infos.get(key, {}), value, index)
                else:
                    array = infos.get(key)
                    if array is None:
                        array = self._info_array(key, value)
                    array[index] = value
                mask = infos.get(f"_{key}", np.zeros(self.num_envs, bool))
                mask[index] = True
                infos[key], infos[f"_{key}"] = array, mask
            return infos

        def _info_array(self, key, value):
            if key != "final_obs" and isinstance(value, np.ndarray):
                return np.zeros((self.num_envs, *value.shape), value.dtype)
            if type(value) in (int, float, bool) or isinstance(value, np.number):
                return np.zeros(self.num_envs, type(value))
            return np.full(self.num_envs, None, object)

    def batch_space(space, n=1):
        """The space of n values; None for one that is not of this module."""
        if isinstance(space, Discrete):
            return MultiDiscrete([space.n] * n)
        if not isinstance(space, Box):
            return None
        return Box(*(np.broadcast_to(bound, (n, *space.shape)) for bound in (space.low, space.high)), (n, *space.shape), space.dtype)

    def create_empty_array(space, n=1, fn=np.zeros):
        return None

    def concatenate(space, items, out):
        """Returns the values of n environments as one value: arrays, or dicts and tuples of arrays."""
        first = items[0]
        if isinstance(first, dict):
            return {key: concatenate(None, [item[key] for item in items], None) for key in first}
        if isinstance(first, tuple):
            return tuple(concatenate(None, list(parts), None) for parts in zip(*items))
        return np.array(items, getattr(space, "dtype", None))

    def iterate(space, items):
        return iter(items)


try:
    from pettingzoo import ParallelEnv

    HAS_PETTINGZOO = True
except ImportError:
    HAS_PETTINGZOO = False

    class ParallelEnv:
        """pettingzoo.ParallelEnv's protocol."""

        metadata: dict = {}
        agents: list = []
        possible_agents: list = []

        @property
        def num_agents(self):
            return len(self.agents)

        @property
        def max_num_agents(self):
            return len(self.possible_agents)

        @property
        def unwrapped(self):
            return self

        def close(self):
            pass


class ClosedEnvironmentError(Error, GymClosedEnvironmentError):
    """The error of reset() and step() after close()."""
