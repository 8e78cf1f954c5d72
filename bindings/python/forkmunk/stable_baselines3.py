# SPDX-License-Identifier: MIT
"""VecEnv: a vector environment for Stable-Baselines3's algorithms. Importing this module imports Stable-Baselines3."""

from __future__ import annotations

from typing import Any, Iterable, Optional, Sequence

import numpy as np
from stable_baselines3.common import vec_env  # type: ignore[import, unused-ignore]

from . import _forkmunk as _core
from .protocols import SAME_STEP


class VecEnv(vec_env.VecEnv):  # type: ignore[misc, unused-ignore]
    """VecEnv(env)

    The vector environment `env` by the rules of Stable-Baselines3's VecEnv.

        envs = forkmunk.vectorize(madcars.Env, 8, autoreset_mode="SameStep")
        model = stable_baselines3.PPO("MlpPolicy", forkmunk.stable_baselines3.VecEnv(envs))
        model.learn(10_000)

    env follows the rules of Gymnasium's VectorEnv, with autoreset_mode "SameStep", because Stable-Baselines3 expects
    the next episode's first observation where one ends. A forkmunk.Checkpoint of a VecEnv of vectorize() keeps all
    episodes, at any step."""

    def __init__(self, env: Any) -> None:
        mode = getattr(env, "metadata", {}).get("autoreset_mode")
        if mode != SAME_STEP:
            raise _core.Error(f"VecEnv(env): found autoreset_mode {getattr(mode, 'value', mode)!r}, expected 'SameStep'; make the "
                              "environment with autoreset_mode='SameStep'")
        self.env = env
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> Any:
        """Begins an episode in every environment, with the seeds of seed(), and returns the observations."""
        seeded = any(seed is not None for seed in self._seeds)
        options = next((each for each in self._options if each), None)
        observations, infos = self.env.reset(seed=self._seeds if seeded else None, options=options)
        self.reset_infos = self._listed(infos)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: Any) -> None:
        """Keeps the actions for step_wait()."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Steps every environment, and returns (observations, rewards, dones, infos). Where an episode ended, the
        infos have "terminal_observation", its last, and "TimeLimit.truncated", whether it was only cut."""
        observations, rewards, terminations, truncations, found = self.env.step(self._actions)
        infos = self._listed(found)
        dones = terminations | truncations
        for i in np.flatnonzero(dones):
            last = infos[i].pop("final_obs")
            ended = infos[i].pop("final_info", {})
            self.reset_infos[i] = infos[i]
            infos[i] = {**ended, "terminal_observation": last}
        for info, truncated, terminated in zip(infos, truncations, terminations):
            info["TimeLimit.truncated"] = bool(truncated and not terminated)
        return observations, rewards.astype(np.float32), dones, infos

    def _listed(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        """Returns Gymnasium's arrays of infos, with masks, as a dict for each environment."""
        listed: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for key, values in infos.items():
            if key.startswith("_") and key[1:] in infos:
                continue
            parts = self._listed(values) if isinstance(values, dict) else values
            for i in np.flatnonzero(infos.get(f"_{key}", np.ones(self.num_envs, bool))):
                listed[i][key] = parts[i]
        return listed

    def close(self) -> None:
        """Closes the environments."""
        self.env.close()

    def get_images(self) -> Sequence[Any]:
        """Returns the pictures of all environments."""
        return list(self.env.render() or [])

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns an attribute of the environments, or else of `env`."""
        values = self.env.get_attr(attr_name) if hasattr(self.env, "get_attr") else [getattr(self.env, attr_name)] * self.num_envs
        return [values[i] for i in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute of the environments."""
        for env in self._single(indices):
            setattr(env, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Calls a method of the environments, and returns the results."""
        return [getattr(env, method_name)(*args, **kwargs) for env in self._single(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Optional[Any] = None) -> list[bool]:
        """Returns for each environment whether it has a wrapper of this class."""
        from stable_baselines3.common.env_util import is_wrapped  # type: ignore[import, unused-ignore]

        if not hasattr(self.env, "envs"):
            return [False for _ in self._get_indices(indices)]
        return [is_wrapped(env, wrapper_class) for env in self._single(indices)]

    def _single(self, indices: Any) -> Iterable[Any]:
        if not hasattr(self.env, "envs"):
            raise _core.Error(f"VecEnv: found {type(self.env).__name__}, which has no single environments; use forkmunk.vectorize()")
        return [self.env.envs[i] for i in self._get_indices(indices)]
