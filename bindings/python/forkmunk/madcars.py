# SPDX-License-Identifier: MIT
"""The Mad Cars contest: its worlds, batches of worlds, environments, bots, planners, games and recordings.

    from forkmunk import madcars
    world = madcars.World("PillMap", "Buggy")
    world.step("right", "left")

Commands are "left", "stop", "right" or -1, 0, 1. Players are 0 and 1. Lengths are in map units, angles in radians,
and a tick is TICK_SECONDS, 0.016 s.

An environment's observation is float64 (19,): x, y and angle of the agent's body, rear wheel and front wheel, the
enemy's likewise, and deadline_y. An action is 0 left, 1 stop, 2 right. The reward comes at the end: 1 if only the enemy
died, -1 if only the agent died, else 0. A match that lasts until the deadline begins to rise, 600 ticks, is truncated.

The tuples maps, cars, planners, evaluators and opponents have the names of maps, cars, planners, evaluators and
models of the opponent."""

from __future__ import annotations

import functools
import os
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import checks
from ._forkmunk import (
    TICK_SECONDS,
    Batch,
    Bot,
    Error,
    Evaluator,
    Planner,
    Recording,
    Snapshot,
    World,
    cars,
    evaluators,
    infer_commands,
    load,
    maps,
    opponents,
    planners,
    play,
    verify,
    view,
)
from .protocols import NEXT_STEP, SAME_STEP, Box, Discrete, GymEnv, MultiDiscrete, ParallelEnv
from .results import Decision, Game
from .vectorized import _VectorEpisodes, _check_open, _check_reset, _checked_autoreset_mode, _checked_seeds

__all__ = [
    "Batch", "Bot", "Decision", "Env", "Error", "Evaluator", "Game", "Planner", "Recording", "Snapshot", "TICK_SECONDS",
    "VectorEnv", "World", "cars", "evaluators", "infer_commands", "load", "maps", "opponents", "parallel_env", "planners",
    "play", "verify", "view",
]

for _type in (Batch, Bot, Decision, Evaluator, Game, Planner, Recording, Snapshot, World):
    _type.__module__ = __name__
del _type


def _found_by_name(function: Any) -> Any:
    """Returns a compiled function as one that can be pickled."""
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    call.__module__, call.__qualname__ = __name__, function.__name__
    return call


for _name in ("infer_commands", "load", "play", "verify", "view"):
    globals()[_name] = _found_by_name(globals()[_name])
del _name


def _restored(type_: Any, state: Any) -> Any:
    return type_._from_state(type_, state)


WIDTH, HEIGHT = 1200, 800  # the size of the contest's maps, map units
_BACKGROUND, _MAP, _DEADLINE, _BUTTON = (247, 247, 244), (70, 74, 80), (226, 120, 100), (230, 190, 40)
_CARS = ((52, 110, 190), (200, 80, 60))


class Picture:
    """Draws RGB pixels, `scale` for a map unit. y goes up."""

    def __init__(self, scale: Any) -> None:
        self.scale = scale
        self.pixels = np.empty((round(HEIGHT * scale), round(WIDTH * scale), 3), np.uint8)
        self.pixels[:] = _BACKGROUND

    def _window(self, low: Any, high: Any) -> Any:
        """Returns a box's pixels, and the map coordinates of their centres."""
        rows, columns = self.pixels.shape[:2]
        first = np.clip(np.floor(np.asarray(low) * self.scale).astype(int) - 1, 0, (columns, rows))
        last = np.clip(np.ceil(np.asarray(high) * self.scale).astype(int) + 1, 0, (columns, rows))
        x = (np.arange(first[0], last[0]) + 0.5) / self.scale
        y = (np.arange(first[1], last[1]) + 0.5) / self.scale
        view = self.pixels[::-1][first[1]:last[1], first[0]:last[0]]
        return view, x[None, :], y[:, None]

    def polygon(self, points: Any, colour: Any) -> None:
        """Draws a convex polygon."""
        points = np.asarray(points, float)
        view, x, y = self._window(points.min(0), points.max(0))
        sides = [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for a, b in zip(points, np.roll(points, -1, 0))]
        inside = np.all([s >= 0 for s in sides], 0) | np.all([s <= 0 for s in sides], 0)
        view[inside] = colour

    def line(self, a: Any, b: Any, radius: Any, colour: Any) -> None:
        """Draws the points within `radius` of a line."""
        a, b, radius = np.asarray(a, float), np.asarray(b, float), max(radius, 0.7 / self.scale)
        view, x, y = self._window(np.minimum(a, b) - radius, np.maximum(a, b) + radius)
        along, length = b - a, max(float((b - a) @ (b - a)), 1e-12)
        part = np.clip(((x - a[0]) * along[0] + (y - a[1]) * along[1]) / length, 0, 1)
        view[(x - a[0] - part * along[0]) ** 2 + (y - a[1] - part * along[1]) ** 2 <= radius * radius] = colour

    def circle(self, centre: Any, radius: Any, colour: Any) -> None:
        self.line(centre, centre, radius, colour)


def _turned(points: Any, angle: Any, position: Any) -> Any:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(points, float) @ np.array([[cos, sin], [-sin, cos]]) + position


def draw(world: World, scale: float = 0.5) -> NDArray[np.uint8]:
    """Returns a picture, uint8 (height, width, 3), of the map, the deadline and both cars with their buttons. The
    first car is blue."""
    picture = Picture(scale)
    if not world.is_finite:
        return picture.pixels
    setup, row = world.setup, world.observe()
    picture.polygon([(0, 0), (WIDTH, 0), (WIDTH, row[18]), (0, row[18])], _DEADLINE)
    for (a, b, radius) in setup["proto_map"]["segments"]:
        picture.line(a, b, radius, _MAP)
    car = setup["proto_car"]
    for side, (mirror, colour) in enumerate(zip((1, -1), _CARS)):
        x, y, angle, *wheels = row[9 * side:9 * side + 9]
        flip = np.array([mirror, 1.0])
        picture.polygon(_turned(np.asarray(car["car_body_poly"]) * flip, angle, (x, y)), colour)
        picture.polygon(_turned(np.asarray(car["button_poly"]) * flip, angle, (x, y)), _BUTTON)
        for name, (wheel_x, wheel_y, wheel_angle) in (("rear", wheels[:3]), ("front", wheels[3:])):
            radius = car[f"{name}_wheel_radius"]
            if car.get("squared_wheels"):
                corners = [(radius, radius), (-radius, radius), (-radius, -radius), (radius, -radius)]
                picture.polygon(_turned(corners, wheel_angle, (wheel_x, wheel_y)), _MAP)
            else:
                picture.circle((wheel_x, wheel_y), radius, _MAP)
                picture.circle((wheel_x, wheel_y), radius * 0.5, colour)
    return picture.pixels


Name = Union[str, "dict[str, Any]"]
Names = Union[Name, Sequence[Name]]
Opponent = Union[str, Planner, Callable[[World, int], Union[str, int, "np.integer[Any]"]]]

OBSERVATION_SIZE = 19
_SWAPPED = np.r_[9:18, 0:9, 18]  # the second player's car first
_ANGLE_MAX = 10_000.0  # radians; wheels reached 1,312 in matches of random commands
_SCRIPTS = ("hold", "random", "runs", "chase", "flee", "level")


def _bot_name(opponent: Any) -> Any:
    if opponent not in _SCRIPTS and not opponent.startswith("builtin:"):
        raise Error(f'opponent: found "{opponent}", expected one of {", ".join(_SCRIPTS)}, or "builtin:NAME"')
    return f"builtin:{opponent}" if opponent in _SCRIPTS else opponent


def _check_render_mode(mode: Any) -> Any:
    if mode not in ("rgb_array", None):
        raise Error(f'render_mode: found {mode!r}, expected "rgb_array" or None')
    return mode


def _checked_player(player: Any) -> Any:
    if isinstance(player, bool) or player not in (0, 1):
        raise Error(f"player: found {player!r}, expected 0 or 1")
    return int(player)


def _view(row: Any, player: Any) -> Any:
    return row if player == 0 else row[..., _SWAPPED]


def _command(action: Any) -> Any:
    if type(action) is not int:  # a policy may return 2.0 or array([2])
        array = np.asarray(action)
        if array.size != 1 or array.dtype.kind not in "iuf":
            raise Error(f"an action: found {action!r}, expected 0 (left), 1 (stop) or 2 (right)")
        action = array.item()
    if action not in (0, 1, 2):
        raise Error(f"an action: found {action}, expected 0 (left), 1 (stop) or 2 (right)")
    return int(action) - 1


def _listed(given: Any) -> Any:
    """Returns one or several maps or cars as a list; None is one car."""
    listed = [given] if isinstance(given, (str, dict)) or not hasattr(given, "__iter__") else list(given)
    if not listed:
        raise Error("maps and cars: the list is empty; expected at least one of each")
    return listed


class _Opponent:
    """The other side's player, as Env takes it."""

    def __init__(self, given: Any, planner_ticks: Any) -> None:
        self._given, self._ticks = given, checks.checked_whole(planner_ticks, "planner_ticks")
        if isinstance(given, str):
            self._make(0)  # raises for an unknown bot
        elif not (isinstance(given, Planner) or callable(given)):
            checks.refuse_type(given, "opponent", "a name, a Planner or a callable(world, player)")

    def _make(self, seed: Any) -> Any:
        return Bot(_bot_name(self._given), seed)

    def begin(self, world: Any, player: Any, seed: Any) -> None:
        self._player, self._seed = player, seed
        if isinstance(self._given, str):
            self._bot = self._make(seed)
            self._bot.begin_match(world, player)

    def command(self, world: Any, enemy_last: Any) -> Any:
        if isinstance(self._given, str):
            return self._bot.command(world)
        if isinstance(self._given, Planner):
            return self._given.decide(world, self._player, enemy_last, ticks=self._ticks).command
        return self._given(world.fork(), self._player)  # the function may step the fork


class _Match:
    """A match and its players' commands."""

    def __init__(self, map_: Any, car: Any, truncate: Any) -> None:
        self._maps, self._cars = _listed(map_), _listed(car)
        for m in self._maps:
            for c in self._cars:
                World(m, c)  # raises for an unknown map or car
        self._truncate = truncate
        self.world: Any = None
        self.commands: list[tuple[int, int]] = []
        self.over = True

    def begin(self, random: Any) -> None:
        map_ = self._maps[int(random.integers(len(self._maps)))]
        car = self._cars[int(random.integers(len(self._cars)))]
        self.setup, self.world, self.commands, self.over = (map_, car), World(map_, car), [], False

    def check_running(self) -> None:
        if self.over:
            raise Error("step(): found a match that is over or was never begun, expected reset() before")

    def step(self, first: Any, second: Any) -> Any:
        """Returns (terminated, truncated, rewards)."""
        self.check_running()
        self.commands.append((first, second))
        self.world.step(first, second)
        first_died, second_died = map(float, self.world.dead)
        if first_died or second_died:  # nobody dies in the rest that follows
            self.over = True
            return True, False, (second_died - first_died, first_died - second_died)
        truncated = not self.world.is_finite or (self._truncate and self.world.ticks_to_deadline == 0)
        self.over = truncated
        return False, truncated, (0.0, 0.0)

    def save_replay(self, path: Any) -> Any:
        if self.world is None:
            raise Error("save_replay(): no match has begun; call reset() before")
        commands = self.commands

        def playback(world: Any, player: Any) -> Any:
            return commands[world.tick][player] if world.tick < len(commands) else 0

        return view(play(playback, playback, [self.setup]), path)

    def info(self) -> Any:
        return {"tick": self.world.tick, "cause_of_death": self.world.cause_of_death}


def _observation_space(maps: Any, count: Any = None) -> Any:
    """Returns the space of observations. The contest's maps have bounds that no match nears, others none. Angles are
    not wrapped."""
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
    """The common members of classes that show one match."""

    render_mode: Optional[str]
    _closed = False
    _match: Any

    def close(self) -> None:
        """Ends the use of the environment: reset() and step() then raise."""
        self._closed = True

    @property
    def world(self) -> Union[World, Any]:
        """The World of the match, or None before reset()."""
        return self._match.world

    def render(self) -> Optional[NDArray[np.uint8]]:
        """Returns a picture of the match, uint8 (400, 600, 3), or None unless render_mode is "rgb_array"."""
        if self.render_mode is None or self.world is None:
            return None
        return draw(self.world)

    def save_replay(self, path: Union[str, os.PathLike[str]] = "game.html") -> str:
        """Writes the match so far as a page for any browser, and returns the path."""
        return str(self._match.save_replay(path))


class Env(_Shown, GymEnv):
    """Env(map="PillMap", car="Buggy", *, opponent="chase", player=0, render_mode=None, truncate=True,
    planner_ticks=1200)

    A match from one side, by the rules of gymnasium.Env, also where Gymnasium is not installed.

    map and car may be lists, from which reset()'s seed draws each match. opponent is a script ("hold", "random",
    "runs", "chase", "flee", "level"), "builtin:NAME", a Planner, or a callable(world, player) -> command with a twin
    of the world. A Planner simulates planner_ticks per decision, and keeps its seed in reset(). truncate=False lets
    a match go on when the deadline rises. copy.deepcopy() and pickle give independent twins."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 62}

    def __init__(self, map: Names = "PillMap", car: Names = "Buggy", *, opponent: Opponent = "chase", player: int = 0,  # noqa: A002
                 render_mode: Optional[str] = None, truncate: bool = True, planner_ticks: int = 1200) -> None:
        self.render_mode = _check_render_mode(render_mode)
        self.player = _checked_player(player)
        self._match, self._opponent = _Match(map, car, truncate), _Opponent(opponent, planner_ticks)
        self.observation_space, self.action_space = _observation_space(_listed(map)), Discrete(3)

    def __repr__(self) -> str:
        return f"<madcars.Env: {self.world if self.world is not None else 'before reset()'}>"

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begins a match and returns (observation, info).

        The observation is float64 (19,), from the agent's side. options may have "player": 0 or 1."""
        _check_reset(self, options)
        super().reset(seed=seed)
        if options and "player" in options:
            self.player = _checked_player(options["player"])
        self._match.begin(self.np_random)
        self._opponent.begin(self.world, 1 - self.player, int(self.np_random.integers(2**31)))
        self._last = 0
        return _view(self.world.observe(), self.player), self._match.info()

    def step(self, action: Any) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Plays one tick and returns (observation, reward, terminated, truncated, info).

        The action is 0 left, 1 stop or 2 right. info has "tick" and "cause_of_death", a pair."""
        _check_open(self, "step()")
        mine = _command(action)
        self._match.check_running()
        other = self._opponent.command(self.world, self._last)
        self._last = mine
        terminated, truncated, rewards = self._match.step(*((mine, other) if self.player == 0 else (other, mine)))
        observation = _view(self.world.observe(), self.player)
        return observation, rewards[self.player], terminated, truncated, self._match.info()


class parallel_env(_Shown, ParallelEnv):  # type: ignore[misc, unused-ignore]  # noqa: N801  (PettingZoo's name)
    """parallel_env(map="PillMap", car="Buggy", *, render_mode=None, truncate=True)

    A match with both sides, by the rules of pettingzoo.ParallelEnv, also where PettingZoo is not installed.

    The agents are "first" and "second", with Env's observations, actions and rewards from their own sides."""

    metadata = {"name": "forkmunk_v0", "render_modes": ["rgb_array"], "render_fps": 62, "is_parallelizable": True}

    def __init__(self, map: Names = "PillMap", car: Names = "Buggy", *, render_mode: Optional[str] = None,  # noqa: A002
                 truncate: bool = True) -> None:
        self.render_mode = _check_render_mode(render_mode)
        self.possible_agents = ["first", "second"]
        self.agents: list[str] = []
        self._match, self._random = _Match(map, car, truncate), np.random.default_rng()
        self.observation_spaces = {agent: _observation_space(_listed(map)) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(3) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Returns an agent's space of observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Returns an agent's space of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[dict[str, NDArray[np.float64]], dict[str, dict[str, Any]]]:
        """Begins a match and returns (observations, infos), each a dict by agent."""
        _check_reset(self, options)
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._match.begin(self._random)
        self.agents = list(self.possible_agents)
        return self._observations(self.agents), {agent: self._match.info() for agent in self.agents}

    def _observations(self, agents: Any) -> Any:
        row = self.world.observe()
        return {agent: _view(row, self.possible_agents.index(agent)).copy() for agent in agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, NDArray[np.float64]], dict[str, float], dict[str, bool],
                                                     dict[str, bool], dict[str, dict[str, Any]]]:
        """Plays one tick and returns (observations, rewards, terminations, truncations, infos), each a dict by
        agent.

        actions has 0, 1 or 2 for each agent."""
        _check_open(self, "step()")
        self._match.check_running()
        agents = self.agents
        if not isinstance(actions, dict) or set(actions) != set(agents):
            raise Error(f"actions: found {actions!r:.60}, expected a dict with an action of each of {agents}")
        terminated, truncated, rewards = self._match.step(*(_command(actions[agent]) for agent in self.possible_agents))
        if terminated or truncated:
            self.agents = []
        return (self._observations(agents), dict(zip(agents, rewards)), dict.fromkeys(agents, bool(terminated)),
                dict.fromkeys(agents, bool(truncated)), {agent: self._match.info() for agent in agents})

    def state(self) -> NDArray[np.float64]:
        """Returns the world's whole state, float64 (37,), velocities included."""
        state: NDArray[np.float64] = self.world.observe(velocities=True)
        return state


VectorOpponent = Union[str, Planner, Callable[[NDArray[np.float64]], Any]]


class VectorEnv(_VectorEpisodes):
    """VectorEnv(num_envs, map="PillMap", car="Buggy", *, opponent="chase", player=0, threads=1, render_mode=None,
    truncate=True, planner_ticks=1200, autoreset_mode="NextStep")

    A set of num_envs matches on a Batch, `batch`, by the rules of gymnasium.vector.VectorEnv.

    autoreset_mode is "NextStep", "SameStep" or "Disabled", as for forkmunk.vectorize(). map and car may be lists,
    from which each match is drawn. opponent "hold", "random", "runs", "chase" or "flee" is computed for all matches
    at once; other scripts, "builtin:NAME" or a Planner match by match. A Planner carries nothing from tick to tick
    here. A callable(observations (n, 19) from its side) returns (n,) commands -1, 0, 1."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 62, "autoreset_mode": NEXT_STEP}

    def __init__(self, num_envs: int, map: Names = "PillMap", car: Names = "Buggy", *,  # noqa: A002
                 opponent: VectorOpponent = "chase", player: int = 0, threads: int = 1, render_mode: Optional[str] = None,
                 truncate: bool = True, planner_ticks: int = 1200, autoreset_mode: Any = NEXT_STEP) -> None:
        self.render_mode = _check_render_mode(render_mode)
        mode = _checked_autoreset_mode(autoreset_mode, "VectorEnv(autoreset_mode)")
        super().__init__(checks.checked_whole(num_envs, "VectorEnv(num_envs)", 1), mode, self.metadata)
        self.player, self._truncate = _checked_player(player), truncate
        self._planner_ticks = checks.checked_whole(planner_ticks, "planner_ticks")
        self._setups = [(m, c) for m in _listed(map) for c in _listed(car)]
        Batch(self._setups)  # raises for an unknown map or car
        self.batch = Batch(*self._setups[0], n=num_envs, threads=threads)
        if not (callable(opponent) or isinstance(opponent, (str, Planner))):
            checks.refuse_type(opponent, "opponent", "a name, a Planner or a callable(observations)")
        self._opponent: Any = opponent
        self._bots: Optional[list[Any]] = None
        if isinstance(opponent, str) and opponent not in ("hold", "random", "runs", "chase", "flee"):
            self._bot_name = _bot_name(opponent)
            Bot(self._bot_name)
        self.single_observation_space, self.single_action_space = _observation_space(_listed(map)), Discrete(3)
        self.observation_space, self.action_space = _observation_space(_listed(map), num_envs), MultiDiscrete([3] * num_envs)
        self._own_random: Optional[list[np.random.Generator]] = None  # by environment, if seeded individually
        self._ticks = np.zeros(num_envs, int)

    def reset(self, *, seed: Union[int, Sequence[int], None] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begins matches and returns (observations, info).

        Observations are float64 (num_envs, 19). seed is a number, or a list of one for each match. options may have
        "reset_mask", bool (n,), to select matches."""
        mask = self._reset_mask(options)
        if seed is not None:
            each_seed = None if isinstance(seed, (int, np.integer)) else _checked_seeds(seed, self.num_envs)
            self._np_random = np.random.default_rng(None if each_seed is not None and None in each_seed else seed)
            self._own_random = None if each_seed is None else [np.random.default_rng(each) for each in each_seed]
        if not self._begun or (options or {}).get("reset_mask") is None:
            self._held = np.zeros((2, self.num_envs), np.int8)  # "runs": the command, and its remaining ticks
            self._bots, self._begun = None, True
        self._begin(mask)
        self._over[mask] = False
        return self._observations(), self._info()

    def _begin(self, mask: Any) -> None:
        if len(self._setups) == 1:
            self.batch.reset(mask)
        else:
            indices = np.flatnonzero(mask)
            if self._own_random is None:
                drawn: Any = self.np_random.integers(len(self._setups), size=len(indices))
            else:
                drawn = [self._own_random[i].integers(len(self._setups)) for i in indices]
            for i, setup in zip(indices, drawn):
                self.batch.begin_match(int(i), *self._setups[setup])
        self._ticks[mask] = 0

    def _info(self, died: Any = np.False_) -> Any:
        info = {"tick": self._ticks.copy(), "_tick": np.ones(self.num_envs, bool)}
        if died.any():
            info["cause_of_death"], info["_cause_of_death"] = np.full(self.num_envs, None, object), died
            for i in np.flatnonzero(died):
                info["cause_of_death"][i] = self.batch.world(int(i)).cause_of_death
        return info

    def _observations(self) -> Any:
        rows = self.batch.observations
        return rows.copy() if self.player == 0 else rows[:, _SWAPPED]

    def _enemy_commands(self) -> Any:
        rows, name = self.batch.observations, self._opponent
        if callable(name):
            commands = np.asarray(name(rows[:, _SWAPPED] if self.player == 0 else rows.copy()))
            if commands.shape != (self.num_envs,) or not np.isin(commands, (-1, 0, 1)).all():
                raise Error(f"opponent: {commands!r:.60} are not ({self.num_envs},) commands -1, 0 or 1")
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
        return self._planned_commands() if isinstance(name, Planner) else self._bots_commands()

    def _planned_commands(self) -> Any:
        commands = np.zeros(self.num_envs, np.int8)
        for i in range(self.num_envs):
            world = self.batch.world(i)
            self._opponent.begin_match(world, 1 - self.player)  # one planner serves many matches
            commands[i] = self._opponent.decide(world, 1 - self.player, ticks=self._planner_ticks).command
        return commands

    def _bots_commands(self) -> Any:
        if self._bots is None:
            self._bots = [None] * self.num_envs
        commands = np.zeros(self.num_envs, np.int8)
        for i in range(self.num_envs):
            world = self.batch.world(i)
            if self._bots[i] is None or world.tick == 0:
                self._bots[i] = Bot(self._bot_name, int(self.np_random.integers(2**31)))
                self._bots[i].begin_match(world, 1 - self.player)
            commands[i] = self._bots[i].command(world)
        return commands

    def _checked(self, actions: Any) -> Any:
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iuf":  # a policy may return floats
            raise Error(f"actions: found {actions.dtype} {actions.shape}, expected whole numbers ({self.num_envs},)")
        if not ((actions == 0) | (actions == 1) | (actions == 2)).all():
            raise Error("actions: one is outside 0 to 2; expected 0 (left), 1 (stop) or 2 (right)")
        return actions

    def step(self, actions: Any) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_],
                                          dict[str, Any]]:
        """Plays one tick in each match and returns (observations, rewards, terminations, truncations, info).

        actions is (num_envs,) of 0 left, 1 stop, 2 right. info has "tick", and "cause_of_death" of matches in which a
        player died, with masks."""
        self._check_step()
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
        rewards = dead[:, 1 - self.player].astype(float) - dead[:, self.player]
        over = terminations | truncations
        if self._mode != SAME_STEP:
            self._over = over
        if self._mode != SAME_STEP or not over.any():
            return self._observations(), rewards, terminations, truncations, self._info(terminations)
        last, final_info = self._observations(), self._info(terminations)
        final_info.update(tick=np.where(over, self._ticks, 0), _tick=over)
        self._begin(over)
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(over):
            final[i] = last[i]
        infos = {**self._info(), "final_obs": final, "_final_obs": over, "final_info": final_info, "_final_info": over}
        return self._observations(), rewards, terminations, truncations, infos

    def render(self) -> Optional[tuple[NDArray[np.uint8], ...]]:
        """Returns a tuple with a picture of each match, or None unless render_mode is "rgb_array"."""
        if self.render_mode is None:
            return None
        return tuple(draw(self.batch.world(i)) for i in range(self.num_envs))
