"""Matches as environments: Gymnasium's Env for one side, PettingZoo's parallel_env for both. VectorEnv: vector_environment.py.

An observation is float64 (19,): one's own car (x, y, angle of the body, the rear and the front wheel), the enemy's car in
the same order, deadline_y. An action is 0 left, 1 stop, 2 right. The reward comes at the end: 1 if the enemy died and
oneself did not, -1 for the reverse, else 0. A match that is not over when the deadline begins to rise, after 600 ticks,
is truncated.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _forkmunk as _core
from .drawing import HEIGHT, WIDTH, draw
from .protocols import Box, Discrete, GymEnv, ParallelEnv

Name = Union[str, "dict[str, Any]"]
Names = Union[Name, Sequence[Name]]
Opponent = Union[str, _core.Planner, "Callable[[_core.World, int], _core.Command]"]

OBSERVATION_SIZE = 19
_SWAPPED = np.r_[9:18, 0:9, 18]  # the second player's own car first
_ANGLE_MAX = 10_000.0  # radians; a wheel's reached 1,312 in 5,488 matches of random commands
_RENDER_MODES = ("rgb_array", None)
_SCRIPTS = ("hold", "random", "runs", "chase", "flee", "level")


def _bot_name(opponent):
    if opponent not in _SCRIPTS and not opponent.startswith("builtin:"):
        raise _core.Error(f'opponent: found "{opponent}", expected one of {", ".join(_SCRIPTS)}, or "builtin:NAME"')
    return f"builtin:{opponent}" if opponent in _SCRIPTS else opponent


def _check_render_mode(mode):
    if mode not in _RENDER_MODES:
        raise _core.Error(f'render_mode: found {mode!r}, expected "rgb_array" or None')
    return mode


def _checked_player(player):
    if isinstance(player, bool) or player not in (0, 1):
        raise _core.Error(f"player: found {player!r}, expected 0 or 1")
    return int(player)


def _view(row, player):
    return row if player == 0 else row[..., _SWAPPED]


def _command(action):
    if isinstance(action, (bool, np.bool_)) or not isinstance(action, (int, np.integer, np.ndarray)) or np.ndim(action):
        raise _core.Error(f"an action: found {action!r}, expected 0 (left), 1 (stop) or 2 (right)")
    if int(action) not in (0, 1, 2):
        raise _core.Error(f"an action: found {int(action)}, expected 0 (left), 1 (stop) or 2 (right)")
    return int(action) - 1


def _finish(world):
    """Steps through the rest, in which the survivor may still die. Returns who is dead then."""
    while not world.match_over and world.is_finite:
        world.step(0, 0)
    return world.dead


def _listed(given):
    """A map or car, or several of them, as a list; no car (None) is one."""
    listed = [given] if isinstance(given, (str, dict)) or given is None else list(given)
    if not listed:
        raise _core.Error("maps and cars: the list is empty; expected at least one of each")
    return listed


def _rewards(dead):
    return float(dead[1]) - float(dead[0]), float(dead[0]) - float(dead[1])


class _Opponent:
    """What plays the other side: a script's name or "builtin:NAME", a Planner, or a callable(world, player) -> command,
    whose world is a twin."""

    def __init__(self, given, planner_ticks):
        self._given, self._ticks = given, planner_ticks
        if isinstance(given, str):
            self._make(0)  # complains now if there is none
        elif not (isinstance(given, _core.Planner) or callable(given)):
            raise TypeError(f"opponent: found {given!r}, expected a name, a Planner or a callable(world, player)")

    def _make(self, seed):
        return _core.Bot(_bot_name(self._given), seed)

    def begin(self, world, player, seed):
        self._player, self._seed = player, seed
        if isinstance(self._given, str):
            self._bot = self._make(seed)
            self._bot.begin_match(world, player)

    def command(self, world, enemy_last):
        if isinstance(self._given, str):
            return self._bot.command(world)
        if isinstance(self._given, _core.Planner):
            return self._given.decide(world, self._player, enemy_last, ticks=self._ticks).command
        return self._given(world.fork(), self._player)  # which it may step


class _Match:
    """A match that is being played, and what was commanded in it."""

    def __init__(self, map_, car, truncate):
        self._maps, self._cars = _listed(map_), _listed(car)
        for m in self._maps:
            for c in self._cars:
                _core.World(m, c)  # complains now if there is none
        self._truncate = truncate
        self.world, self.commands, self.over = None, [], True

    def begin(self, random):
        map_ = self._maps[int(random.integers(len(self._maps)))]
        car = self._cars[int(random.integers(len(self._cars)))]
        self.setup, self.world, self.commands, self.over = (map_, car), _core.World(map_, car), [], False

    def step(self, first, second):
        """Returns (terminated, truncated, rewards)."""
        if self.over:
            raise _core.Error("step(): found a match that is over or was never begun, expected reset() before")
        self.commands.append((first, second))
        self.world.step(first, second)
        if any(self.world.dead):
            self.over = True
            return True, False, _rewards(_finish(self.world.fork()))
        truncated = not self.world.is_finite or (self._truncate and self.world.ticks_to_deadline == 0)
        self.over = truncated
        return False, truncated, (0.0, 0.0)

    def save_replay(self, path):
        commands = self.commands

        def playback(world, player):
            return commands[world.tick][player] if world.tick < len(commands) else 0

        return _core.view(_core.play(playback, playback, [self.setup]), path)

    def info(self):
        return {"tick": self.world.tick, "cause_of_death": self.world.cause_of_death}


def _observation_space(maps, count=None):
    """On the contest's maps bounds that no match comes near; angles are not wrapped. On others there are none."""
    high = np.full(OBSERVATION_SIZE, np.inf)
    if all(isinstance(name, str) for name in maps):
        high[:] = _ANGLE_MAX
        high[[0, 3, 6, 9, 12, 15]], high[[1, 4, 7, 10, 13, 16, 18]] = 2 * WIDTH, 2 * HEIGHT
    low = -high
    low[18] = 0
    if count is not None:
        low, high = np.tile(low, (count, 1)), np.tile(high, (count, 1))
    return Box(low, high, low.shape, np.float64)


class _Shown:
    """One match that can be rendered: for classes with a render_mode, a world and a _match."""

    render_mode: Optional[str]
    _match: Any

    @property
    def world(self) -> Any:
        """The World of the match; None before reset()."""
        return self._match.world

    def render(self) -> Optional[NDArray[np.uint8]]:
        """uint8 (400, 600, 3), if render_mode is "rgb_array"."""
        if self.render_mode is None or self.world is None:
            return None
        return draw(self.world)

    def save_replay(self, path: Union[str, os.PathLike[str]] = "game.html") -> str:
        """Writes the match so far as a page for any browser; returns the path."""
        return self._match.save_replay(path)


class Env(_Shown, GymEnv):
    """Env(map="PillMap", car="Buggy", *, opponent="chase", player=0, render_mode=None, truncate=True, planner_ticks=1200)

    A match from one side, after Gymnasium's rules. map and car may be lists: each match draws from them by the seed of
    reset(). copy.deepcopy() and pickle give independent twins. opponent: a script's name, "builtin:NAME", a Planner
    (planner_ticks a decision; reset(seed=) does not seed it again), or a callable(world, player) -> command, whose world is
    a twin. options of reset(): {"player": 0 or 1}."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 62}

    def __init__(self, map: Names = "PillMap", car: Names = "Buggy", *, opponent: Opponent = "chase", player: int = 0,  # noqa: A002
                 render_mode: Optional[str] = None, truncate: bool = True, planner_ticks: int = 1200) -> None:
        self.render_mode = _check_render_mode(render_mode)
        self.player = _checked_player(player)
        self._match, self._opponent = _Match(map, car, truncate), _Opponent(opponent, planner_ticks)
        self.observation_space, self.action_space = _observation_space(_listed(map)), Discrete(3)

    def __repr__(self) -> str:
        return f"<forkmunk.Env: {self.world if self.world is not None else 'before reset()'}>"

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[NDArray[np.float64], dict[str, Any]]:
        super().reset(seed=seed)
        if options and "player" in options:
            self.player = _checked_player(options["player"])
        self._match.begin(self.np_random)
        self._opponent.begin(self.world, 1 - self.player, int(self.np_random.integers(2**31)))
        self._last = 0
        return _view(self.world.observe(), self.player), self._match.info()

    def step(self, action: Any) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        mine = _command(action)
        if self._match.over:
            raise _core.Error("step(): found a match that is over or was never begun, expected reset() before")
        other = self._opponent.command(self.world, self._last)
        self._last = mine
        terminated, truncated, rewards = self._match.step(*((mine, other) if self.player == 0 else (other, mine)))
        observation = _view(self.world.observe(), self.player)
        return observation, rewards[self.player], terminated, truncated, self._match.info()


class parallel_env(_Shown, ParallelEnv):  # noqa: N801  (PettingZoo's name)
    """parallel_env(map="PillMap", car="Buggy", *, render_mode=None, truncate=True)

    A match with both sides, after PettingZoo's rules of parallel environments: agents "first" and "second". Observations,
    actions and rewards as of Env, each from the agent's own side."""

    metadata = {"name": "forkmunk_v0", "render_modes": ["rgb_array"], "render_fps": 62, "is_parallelizable": True}

    def __init__(self, map: Names = "PillMap", car: Names = "Buggy", *, render_mode: Optional[str] = None,  # noqa: A002
                 truncate: bool = True) -> None:
        self.render_mode = _check_render_mode(render_mode)
        self.possible_agents, self.agents = ["first", "second"], []
        self._match, self._random = _Match(map, car, truncate), np.random.default_rng()
        self.observation_spaces = {agent: _observation_space(_listed(map)) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(3) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[dict[str, NDArray[np.float64]], dict[str, dict[str, Any]]]:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._match.begin(self._random)
        self.agents = list(self.possible_agents)
        return self._observations(self.agents), {agent: self._match.info() for agent in self.agents}

    def _observations(self, agents):
        row = self.world.observe()
        return {agent: _view(row, self.possible_agents.index(agent)).copy() for agent in agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, NDArray[np.float64]], dict[str, float], dict[str, bool],
                                                     dict[str, bool], dict[str, dict[str, Any]]]:
        agents = self.agents
        if not agents:
            raise _core.Error("step(): found a match that is over or was never begun, expected reset() before")
        if not isinstance(actions, dict) or set(actions) != set(agents):
            raise _core.Error(f"actions: found {actions!r:.60}, expected a dict with an action of each of {agents}")
        terminated, truncated, rewards = self._match.step(*(_command(actions[agent]) for agent in self.possible_agents))
        if terminated or truncated:
            self.agents = []
        return (self._observations(agents), dict(zip(agents, rewards)), dict.fromkeys(agents, terminated),
                dict.fromkeys(agents, truncated), {agent: self._match.info() for agent in agents})

    def state(self) -> NDArray[np.float64]:
        """float64 (37,): all of the world, velocities too."""
        return self.world.observe(velocities=True)
