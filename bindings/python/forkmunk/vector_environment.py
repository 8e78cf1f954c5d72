"""Many matches as one environment: Gymnasium's VectorEnv on a Batch. Observations, actions and rewards as in Env."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _forkmunk as _core
from .drawing import draw
from .environments import _SWAPPED, Names, _bot_name, _check_render_mode, _checked_player, _listed, _observation_space
from .protocols import NEXT_STEP, Discrete, GymVectorEnv, MultiDiscrete
from .vectorized import _checked_mask

VectorOpponent = Union[str, _core.Planner, Callable[[NDArray[np.float64]], Any]]


class VectorEnv(GymVectorEnv):
    """VectorEnv(num_envs, map="PillMap", car="Buggy", *, opponent="chase", player=0, threads=1, render_mode=None,
    truncate=True, planner_ticks=1200)

    num_envs matches on a Batch (`batch`), after the rules of Gymnasium's VectorEnv. A match that ended is followed by
    the next one in the next step(), which ignores its action (NEXT_STEP). map and car may be lists: each match draws
    from them. opponent: "hold", "random", "runs", "chase" or "flee", computed for all at once; another script or
    "builtin:NAME", one by one; a Planner, one by one and without what it carries from tick to tick; or a
    callable(observations (n, 19) from its side) -> (n,) commands -1, 0, 1. options of reset(): {"reset_mask": bool (n,)}."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 62, "autoreset_mode": NEXT_STEP}

    def __init__(self, num_envs: int, map: Names = "PillMap", car: Names = "Buggy", *,  # noqa: A002
                 opponent: VectorOpponent = "chase", player: int = 0, threads: int = 1, render_mode: Optional[str] = None,
                 truncate: bool = True, planner_ticks: int = 1200) -> None:
        self.render_mode = _check_render_mode(render_mode)
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
            raise _core.Error(f"VectorEnv(num_envs): {num_envs!r} is not a whole number, 1 or more")
        self.player, self.num_envs, self._truncate = _checked_player(player), num_envs, truncate
        self._planner_ticks = planner_ticks
        self._setups = [(m, c) for m in _listed(map) for c in _listed(car)]
        _core.Batch(self._setups)  # complains now if there is none
        self.batch = _core.Batch(*self._setups[0], n=num_envs, threads=threads)
        if not (callable(opponent) or isinstance(opponent, (str, _core.Planner))):
            raise TypeError(f"opponent: {opponent!r} is not a name, a Planner or a callable(observations)")
        self._opponent, self._bots = opponent, None
        if isinstance(opponent, str) and opponent not in ("hold", "random", "runs", "chase", "flee"):
            self._bot_name = _bot_name(opponent)
            _core.Bot(self._bot_name)
        self.single_observation_space, self.single_action_space = _observation_space(_listed(map)), Discrete(3)
        self.observation_space, self.action_space = _observation_space(_listed(map), num_envs), MultiDiscrete([3] * num_envs)
        self._over, self._begun = np.zeros(num_envs, bool), False
        self._own_random: Optional[list[np.random.Generator]] = None  # by environment, if they were seeded so
        self._ticks = np.zeros(num_envs, int)

    def reset(self, *, seed: Union[int, Sequence[int], None] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[NDArray[np.float64], dict[str, Any]]:
        given = (options or {}).get("reset_mask")
        mask = _checked_mask(given, self.num_envs, "reset(reset_mask)")
        if seed is not None:
            is_one = isinstance(seed, (int, np.integer))
            if not is_one and len(seed) != self.num_envs:
                raise _core.Error(f"reset(seed=): found {len(seed)} seeds, expected {self.num_envs}")
            self._np_random = np.random.default_rng(seed)
            self._own_random = None if is_one else [np.random.default_rng(each) for each in seed]
        if given is None:
            self._held = np.zeros((2, self.num_envs), np.int8)  # of "runs": the command, and for how many ticks more
            self._bots, self._begun = None, True
        elif not self._begun:
            raise _core.Error("reset(): no match has begun; call reset() without a reset_mask before")
        self._begin(mask)
        self._over[mask] = False
        return self._observations(), self._info()

    def _begin(self, mask):
        """Begins matches."""
        if len(self._setups) == 1:
            self.batch.reset(mask)
        else:
            indices = np.flatnonzero(mask)
            if self._own_random is None:
                drawn = self.np_random.integers(len(self._setups), size=len(indices))
            else:
                drawn = [self._own_random[i].integers(len(self._setups)) for i in indices]
            for i, setup in zip(indices, drawn):
                self.batch.begin_match(i, *self._setups[setup])
        self._ticks[mask] = 0

    def _info(self):
        return {"tick": self._ticks.copy(), "_tick": np.ones(self.num_envs, bool)}

    def _observations(self):
        rows = self.batch.observations
        return rows.copy() if self.player == 0 else rows[:, _SWAPPED]

    def _enemy_commands(self):
        rows, name = self.batch.observations, self._opponent
        if callable(name):
            commands = np.asarray(name(rows[:, _SWAPPED] if self.player == 0 else rows.copy()))
            if commands.shape != (self.num_envs,) or not np.isin(commands, (-1, 0, 1)).all():
                raise _core.Error(f"opponent: {commands!r:.60} are not ({self.num_envs},) commands -1, 0 or 1")
            return commands.astype(np.int8)
        if name == "hold":
            return 0
        if name == "random":
            return self.np_random.integers(-1, 2, self.num_envs, dtype=np.int8)
        if name == "runs":
            ended = self._held[1] <= 0
            self._held[0, ended] = self.np_random.integers(-1, 2, ended.sum(), dtype=np.int8)
            self._held[1, ended] = self.np_random.integers(5, 41, ended.sum(), dtype=np.int8)
            self._held[1] -= 1
            return self._held[0].copy()
        if name in ("chase", "flee"):
            mine, theirs = (rows[:, 0], rows[:, 9]) if self.player == 0 else (rows[:, 9], rows[:, 0])
            rightwards = mine > theirs if name == "chase" else mine <= theirs
            return rightwards.view(np.int8) * 2 - 1
        return self._planned_commands() if isinstance(name, _core.Planner) else self._bots_commands()

    def _planned_commands(self):
        commands = np.zeros(self.num_envs, np.int8)
        for i in range(self.num_envs):
            world = self.batch.world(i)
            self._opponent.begin_match(world, 1 - self.player)  # one planner for many matches
            commands[i] = self._opponent.decide(world, 1 - self.player, ticks=self._planner_ticks).command
        return commands

    def _bots_commands(self):
        if self._bots is None:
            self._bots = [None] * self.num_envs
        commands = np.zeros(self.num_envs, np.int8)
        for i in range(self.num_envs):
            world = self.batch.world(i)
            if self._bots[i] is None or world.tick == 0:
                self._bots[i] = _core.Bot(self._bot_name, int(self.np_random.integers(2**31)))
                self._bots[i].begin_match(world, 1 - self.player)
            commands[i] = self._bots[i].command(world)
        return commands

    def _checked(self, actions):
        actions = np.asarray(actions)
        if not self._begun:
            raise _core.Error("step(): no match has begun; call reset() before")
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise _core.Error(f"actions: {actions.dtype} {actions.shape} are not whole numbers ({self.num_envs},)")
        if actions.view(f"u{actions.itemsize}").max() > 2:  # negative ones are large then
            raise _core.Error("actions: one is outside 0 to 2; expected 0 (left), 1 (stop) or 2 (right)")
        return actions

    def step(self, actions: Any) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_],
                                          dict[str, Any]]:
        commands = np.empty((self.num_envs, 2), np.int8)
        np.subtract(self._checked(actions), 1, out=commands[:, self.player], casting="unsafe")
        commands[:, 1 - self.player] = self._enemy_commands()
        rows, dead = self.batch.step(commands), self.batch.dead
        self._ticks += 1
        if self._over.any():
            self._begin(self._over)
        terminations = dead[:, 0] | dead[:, 1]
        truncations = ~np.isfinite(rows[:, 0])
        if self._truncate:
            truncations |= self._ticks >= 600
        truncations &= ~terminations
        rewards = np.zeros(self.num_envs)
        if terminations.any():
            after_rest = self.batch._deaths_after_rest(terminations)
            rewards[terminations] = after_rest[:, 1 - self.player].astype(float) - after_rest[:, self.player]
        self._over = terminations | truncations
        return self._observations(), rewards, terminations, truncations, self._info()

    def render(self) -> Optional[tuple[NDArray[np.uint8], ...]]:
        """A tuple of num_envs pictures, if render_mode is "rgb_array"."""
        if self.render_mode is None:
            return None
        return tuple(draw(self.batch.world(i)) for i in range(self.num_envs))
