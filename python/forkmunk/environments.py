"""Matches as environments: Gymnasium's Env and VectorEnv for one side, PettingZoo's parallel_env for both.

An observation is float64 (19,): one's own car (x, y, angle of the body, the rear and the front wheel), the enemy's car in
the same order, deadline_y. An action is 0 left, 1 stop, 2 right. The reward comes at the end: 1 if the enemy died and
oneself did not, -1 for the reverse, else 0. A match that is not over when the deadline begins to rise, after 600 ticks,
is truncated.
"""

from __future__ import annotations

import numpy as np

from . import _forkmunk as _core
from .drawing import draw
from .protocols import NEXT_STEP, Box, Discrete, GymEnv, GymVectorEnv, MultiDiscrete, ParallelEnv

OBSERVATION_SIZE = 19
_SWAPPED = np.r_[9:18, 0:9, 18]  # the second player's own car first
_RENDER_MODES = ("rgb_array", None)
_SCRIPTS = ("hold", "random", "runs", "chase", "flee", "level")


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
        return _core.Bot(f"builtin:{self._given}" if self._given in _SCRIPTS else self._given, seed)

    def __getstate__(self):
        if isinstance(self._given, _core.Planner):
            raise TypeError('an environment with a Planner for opponent cannot be copied; name it: opponent="builtin:..."')
        return {name: value for name, value in vars(self).items() if name != "_bot"}

    def resume(self, match):
        """After a copy: a bot of its own, which is asked for the match so far again."""
        if isinstance(self._given, str) and match.world is not None:
            world = _core.World(*match.setup)
            self.begin(world, self._player, self._seed)
            for commands in match.commands:
                self._bot.command(world)
                world.step(*commands)

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
        self._maps = [map_] if isinstance(map_, (str, dict)) else list(map_)
        self._cars = [car] if isinstance(car, (str, dict)) or car is None else list(car)
        if not self._maps or not self._cars:
            raise _core.Error("maps and cars: found an empty list, expected at least one of each")
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


def _observation_space(count=None):
    return Box(-np.inf, np.inf, (OBSERVATION_SIZE,) if count is None else (count, OBSERVATION_SIZE), np.float64)


class _Shown:
    """One match that can be looked at: the render_mode, world and _match of whoever mixes it in."""

    def render(self):
        """uint8 (400, 600, 3), if render_mode is "rgb_array"."""
        if self.render_mode is None or self.world is None:
            return None
        return draw(self.world)

    def save_replay(self, path="game.html"):
        """Writes the match so far as a page for any browser; returns the path."""
        return self._match.save_replay(path)


class Env(_Shown, GymEnv):
    """Env(map="PillMap", car="Buggy", *, opponent="chase", player=0, render_mode=None, truncate=True, planner_ticks=1200)

    A match from one side, after Gymnasium's rules. map and car may be lists: each match draws from them by the seed of
    reset(). copy.deepcopy() and pickle give independent twins. opponent: a script's name, "builtin:NAME", a Planner (planner_ticks a decision), or a
    callable(world, player) -> command, whose world is a twin. options of reset(): {"player": 0 or 1}."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 62}

    def __init__(self, map="PillMap", car="Buggy", *, opponent="chase", player=0, render_mode=None, truncate=True,  # noqa: A002
                 planner_ticks=1200):
        self.render_mode = _check_render_mode(render_mode)
        self.player = _checked_player(player)
        self._match, self._opponent = _Match(map, car, truncate), _Opponent(opponent, planner_ticks)
        self.observation_space, self.action_space = _observation_space(), Discrete(3)

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._opponent.resume(self._match)

    def __repr__(self):
        return f"<forkmunk.Env: {self.world if self.world is not None else 'before reset()'}>"

    @property
    def world(self):
        """The World of the match; None before reset()."""
        return self._match.world

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if options and "player" in options:
            self.player = _checked_player(options["player"])
        self._match.begin(self.np_random)
        self._opponent.begin(self.world, 1 - self.player, int(self.np_random.integers(2**31)))
        self._last = 0
        return _view(self.world.observe(), self.player), self._match.info()

    def step(self, action):
        mine = _command(action)
        if self._match.over:
            raise _core.Error("step(): found a match that is over or was never begun, expected reset() before")
        other = self._opponent.command(self.world, self._last)
        self._last = mine
        terminated, truncated, rewards = self._match.step(*((mine, other) if self.player == 0 else (other, mine)))
        observation = _view(self.world.observe(), self.player)
        return observation, rewards[self.player], terminated, truncated, self._match.info()


class VectorEnv(GymVectorEnv):
    """VectorEnv(num_envs, map="PillMap", car="Buggy", *, opponent="chase", player=0, threads=1, render_mode=None,
    truncate=True, planner_ticks=1200)

    num_envs matches on a Batch, after the rules of Gymnasium's VectorEnv. A match that ended begins anew in the next
    step(), which ignores its action (NEXT_STEP). opponent: "hold", "random", "runs", "chase" or "flee", computed for all
    at once; another script or "builtin:NAME", one by one; a Planner, one by one and anew each tick; or a
    callable(observations (n, 19) from its side) -> (n,) commands -1, 0, 1."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 62, "autoreset_mode": NEXT_STEP}

    def __init__(self, num_envs, map="PillMap", car="Buggy", *, opponent="chase", player=0, threads=1,  # noqa: A002
                 render_mode=None, truncate=True, planner_ticks=1200):
        self.render_mode = _check_render_mode(render_mode)
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
            raise _core.Error(f"VectorEnv(num_envs): found {num_envs!r}, expected a whole number, 1 or more")
        self.player, self.num_envs, self._truncate = _checked_player(player), num_envs, truncate
        self._planner_ticks = planner_ticks
        maps, cars = ([v] if isinstance(v, (str, dict)) else list(v) for v in (map, car))
        if not maps or not cars:
            raise _core.Error("maps and cars: found an empty list, expected at least one of each")
        pairs = [(m, c) for m in maps for c in cars]
        if len(pairs) == 1:
            self.batch = _core.Batch(*pairs[0], n=num_envs, threads=threads)
        else:
            self.batch = _core.Batch([pairs[i % len(pairs)] for i in range(num_envs)], threads=threads)
        if not (callable(opponent) or isinstance(opponent, (str, _core.Planner))):
            raise TypeError(f"opponent: found {opponent!r}, expected a name, a Planner or a callable(observations)")
        self._opponent, self._bots = opponent, None
        if isinstance(opponent, str) and opponent not in ("hold", "random", "runs", "chase", "flee"):
            self._bot_name = f"builtin:{opponent}" if opponent in _SCRIPTS else opponent
            _core.Bot(self._bot_name)
        self.single_observation_space, self.single_action_space = _observation_space(), Discrete(3)
        self.observation_space, self.action_space = _observation_space(num_envs), MultiDiscrete([3] * num_envs)
        self._over, self._begun = np.zeros(num_envs, bool), False

    def reset(self, *, seed=None, options=None):
        GymEnv.reset(self, seed=seed)
        self.batch.reset()
        self._ticks = np.zeros(self.num_envs, int)
        self._over[:], self._begun = False, True
        self._held = np.zeros((2, self.num_envs), np.int8)  # of "runs": the command, and for how many ticks more
        self._bots = None
        return self._observations(), {}

    def _observations(self):
        return _view(self.batch.observations, self.player).copy()

    def _enemy_commands(self):
        seen, name = _view(self.batch.observations, 1 - self.player), self._opponent
        if callable(name):
            commands = np.asarray(name(seen.copy()))
            if commands.shape != (self.num_envs,) or not np.isin(commands, (-1, 0, 1)).all():
                raise _core.Error(f"opponent: found {commands!r:.60}, expected ({self.num_envs},) commands -1, 0 or 1")
            return commands.astype(np.int8)
        if name == "hold":
            return np.zeros(self.num_envs, np.int8)
        if name == "random":
            return self.np_random.integers(-1, 2, self.num_envs, dtype=np.int8)
        if name == "runs":
            ended = self._held[1] <= 0
            self._held[0, ended] = self.np_random.integers(-1, 2, ended.sum(), dtype=np.int8)
            self._held[1, ended] = self.np_random.integers(5, 41, ended.sum(), dtype=np.int8)
            self._held[1] -= 1
            return self._held[0].copy()
        if name in ("chase", "flee"):
            towards = np.where(seen[:, 9] > seen[:, 0], 1, -1).astype(np.int8)
            return towards if name == "chase" else -towards
        return self._planned_commands() if isinstance(name, _core.Planner) else self._bots_commands()

    def _planned_commands(self):
        commands = np.zeros(self.num_envs, np.int8)
        for i in range(self.num_envs):
            world = self.batch.world(i)
            self._opponent.begin_match(world, 1 - self.player)  # it knows one match at a time
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

    def step(self, actions):
        actions = np.asarray(actions)
        if not self._begun:
            raise _core.Error("step(): found no match, expected reset() before")
        if actions.shape != (self.num_envs,) or not np.issubdtype(actions.dtype, np.integer):
            raise _core.Error(f"actions: found {actions.dtype} {actions.shape}, expected whole numbers ({self.num_envs},)")
        if not ((actions >= 0) & (actions <= 2)).all():
            raise _core.Error("actions: found one outside 0 to 2, expected 0 (left), 1 (stop) or 2 (right)")
        begin = self._over.copy()
        commands = np.empty((self.num_envs, 2), np.int8)
        commands[:, self.player] = actions - 1
        commands[:, 1 - self.player] = self._enemy_commands()
        self.batch.step(commands)
        self._ticks += 1
        if begin.any():
            self.batch.reset(begin)
            self._ticks[begin] = 0
        terminations = self.batch.dead.any(1)
        truncations = np.zeros(self.num_envs, bool)
        if self._truncate:
            truncations = (self._ticks >= 600) & ~terminations
        truncations |= ~np.isfinite(self.batch.observations[:, 0]) & ~terminations
        rewards = np.zeros(self.num_envs)
        for i in np.flatnonzero(terminations):
            rewards[i] = _rewards(_finish(self.batch.world(i)))[self.player]
        self._over = terminations | truncations
        return self._observations(), rewards, terminations, truncations, {}

    def render(self):
        """A tuple of num_envs pictures, if render_mode is "rgb_array"."""
        if self.render_mode is None:
            return None
        return tuple(draw(self.batch.world(i)) for i in range(self.num_envs))


class parallel_env(_Shown, ParallelEnv):  # noqa: N801  (PettingZoo's name)
    """parallel_env(map="PillMap", car="Buggy", *, render_mode=None, truncate=True)

    A match with both sides, after PettingZoo's rules of parallel environments: agents "first" and "second". Observations,
    actions and rewards as of Env, each from the agent's own side."""

    metadata = {"name": "forkmunk_v0", "render_modes": ["rgb_array"], "render_fps": 62, "is_parallelizable": True}

    def __init__(self, map="PillMap", car="Buggy", *, render_mode=None, truncate=True):  # noqa: A002
        self.render_mode = _check_render_mode(render_mode)
        self.possible_agents, self.agents = ["first", "second"], []
        self._match, self._random = _Match(map, car, truncate), np.random.default_rng()
        self.observation_spaces = {agent: _observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(3) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    @property
    def world(self):
        return self._match.world

    def reset(self, seed=None, options=None):
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._match.begin(self._random)
        self.agents = list(self.possible_agents)
        return self._observations(self.agents), {agent: self._match.info() for agent in self.agents}

    def _observations(self, agents):
        row = self.world.observe()
        return {agent: _view(row, self.possible_agents.index(agent)).copy() for agent in agents}

    def step(self, actions):
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

    def state(self):
        """float64 (37,): all of the world, velocities too."""
        return self.world.observe(velocities=True)
