# SPDX-License-Identifier: MIT
"""Environments against the rules of Gymnasium's Env and VectorEnv and of PettingZoo's parallel API."""

import copy
import pickle
import re

import numpy as np
import pytest

import forkmunk
from forkmunk import madcars, protocols
from forkmunk.madcars import Env, Error, VectorEnv, parallel_env

OPPONENTS = ["hold", "random", "runs", "chase", "flee", "level", "builtin:straight:ticks=60", lambda world, player: "left"]


def play(env, actions, seed=None):
    observation, _ = env.reset(seed=seed)
    total, rows = 0.0, [observation]
    for action in actions:
        observation, reward, terminated, truncated, _ = env.step(action)
        rows.append(observation)
        total += reward
        if terminated or truncated:
            break
    return np.array(rows), total, terminated, truncated


@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("player", [0, 1])
def test_env_keeps_gymnasiums_rules(opponent, player):
    env = Env("IslandHoleMap", "Buggy", opponent=opponent, player=player, render_mode="rgb_array")
    assert isinstance(env, protocols.GymEnv) and env.unwrapped is env and env.render_mode in env.metadata["render_modes"]
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation) and isinstance(info, dict)
    env.action_space.seed(5)
    for _ in range(60):
        action = env.action_space.sample()
        assert env.action_space.contains(action)
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation) and type(reward) is float
        assert type(terminated) is bool and type(truncated) is bool and isinstance(info, dict)
        if terminated or truncated:
            env.reset()
    picture = env.render()
    assert picture.shape == (400, 600, 3) and picture.dtype == np.uint8 and len(np.unique(picture.reshape(-1, 3), axis=0)) > 4
    env.close()


@pytest.mark.parametrize("name", madcars.maps)
def test_the_reward_is_that_of_the_matchs_end(name):
    env = Env(name, "SquareWheelsBuggy", opponent="runs", truncate=False)
    env.action_space.seed(7)
    reward, terminated, truncated = play(env, (env.action_space.sample() for _ in range(5000)), seed=7)[1:]
    assert terminated and not truncated
    end = env.world.fork()
    while not end.match_over:
        end.step(0, 0)
    assert reward == end.dead[1] - end.dead[0]


MADE = {
    "Env": (Env, 1), "parallel_env": (madcars.parallel_env, {"first": 1, "second": 1}), "VectorEnv": (lambda: VectorEnv(2), [1, 1]),
    "VectorizedEnv": (lambda: forkmunk.vectorize(Env, 2), [1, 1]),
}


@pytest.mark.parametrize("name", MADE)
def test_a_closed_environment_is_refused(name):
    make, actions = MADE[name]
    env = make()
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    env.close()
    env.close()
    for call in (lambda: env.step(actions), env.reset):
        with pytest.raises(protocols.ClosedEnvironmentError, match=rf"(step|reset)\(\): found a {name} that is closed; make another"):
            call()
    twin.step(actions)
    assert issubclass(protocols.ClosedEnvironmentError, Error)
    if protocols.HAS_GYMNASIUM:
        from gymnasium.error import ClosedEnvironmentError

        assert issubclass(protocols.ClosedEnvironmentError, ClosedEnvironmentError)


@pytest.mark.parametrize("name", MADE)
def test_options_that_are_no_dict_are_refused(name):
    env = MADE[name][0]()
    for options in (3, [1], "player"):
        with pytest.raises(TypeError, match=rf"^reset\(options\): found {re.escape(repr(options))}, expected a dict or None$"):
            env.reset(options=options)
    env.reset(options={})


def test_observations_have_bounds_where_they_can():
    for env, rows in ((Env(list(madcars.maps)), ()), (VectorEnv(4, list(madcars.maps)), (4,))):
        space = env.observation_space
        finite = np.isfinite(space.low) & np.isfinite(space.high)
        assert space.shape == (*rows, 19) and finite.all()
        assert space.contains(space.sample()) and space.contains(env.reset(seed=1)[0])
    setup = madcars.World("PillMap", "Bus").setup
    space = Env(setup["proto_map"], setup["proto_car"]).observation_space
    assert not np.isfinite(space.high).any() and all(space.contains(space.sample()) for _ in range(20))


def test_the_same_seed_plays_the_same_match():
    actions = np.random.default_rng(0).integers(0, 3, 700)
    maps = list(madcars.maps)
    runs = [play(Env(maps, list(madcars.cars), opponent="random"), actions, seed) for seed in (1, 1, 2)]
    assert runs[0][0].tobytes() == runs[1][0].tobytes() and runs[0][1:] == runs[1][1:]
    assert runs[0][0].tobytes() != runs[2][0].tobytes()


def test_env_is_the_world_from_its_side():
    for player in (0, 1):
        env = Env("PillMap", "Bus", opponent="hold", player=player)
        observation, _ = env.reset(seed=0)
        world = madcars.World("PillMap", "Bus")
        for _ in range(30):
            observation, *_ = env.step(2)
            world.step(*((1, 0) if player == 0 else (0, 1)))
            row = world.observe()
            assert observation.tobytes() == (row if player == 0 else np.r_[row[9:18], row[:9], row[18]]).tobytes()


def test_matches_end_by_death_or_are_cut_at_the_deadline():
    _, total, terminated, truncated = play(Env("IslandMap", "Buggy", opponent="hold"), [1] * 700)
    assert (total, terminated, truncated) == (0, False, True)
    rows, total, terminated, truncated = play(Env("IslandMap", "Buggy", opponent="hold", truncate=False), [1] * 3000)
    assert terminated and not truncated and len(rows) > 601
    totals = {play(Env("IslandMap", "Buggy", opponent="hold", player=p), [2 if p == 0 else 0] * 700)[1] for p in (0, 1)}
    assert totals <= {-1.0, 0.0, 1.0}


def test_reset_is_needed_and_actions_are_checked(tmp_path):
    env = Env()
    with pytest.raises(Error, match="reset"):
        env.step(1)
    env.reset(seed=0)
    for bad in (3, -1, 1.5, "left", None, True, np.array([1, 2])):
        with pytest.raises(Error, match="action"):
            env.step(bad)
    assert env.world.tick == 0
    for make in (lambda: Env(opponent="unknown"), lambda: Env(opponent=3), lambda: Env("NoMap"), lambda: Env([]),
                 lambda: Env(render_mode="human"), lambda: Env(player=2), lambda: VectorEnv(0), lambda: VectorEnv(2, opponent=3),
                 lambda: VectorEnv(2, opponent="unknown"), lambda: parallel_env("NoMap")):
        with pytest.raises((Error, TypeError)):
            make()


@pytest.mark.parametrize("opponent", ["hold", "random", "runs", "chase", "flee", "level", lambda rows: np.ones(len(rows), int)])
def test_vector_env_keeps_gymnasiums_rules(opponent):
    n = 8
    env = VectorEnv(n, ["IslandHoleMap", "PillMap"], "Buggy", opponent=opponent, threads=2)
    assert env.num_envs == n and env.observation_space.shape == (n, 19) and env.action_space.shape == (n,)
    assert env.metadata["autoreset_mode"] is protocols.NEXT_STEP
    observations, infos = env.reset(seed=1)
    starts = observations.copy()
    assert env.observation_space.contains(observations) and isinstance(infos, dict)
    ended, endings = np.zeros(n, bool), 0
    for tick in range(700):
        observations, rewards, terminations, truncations, infos = env.step(env.action_space.sample())
        assert env.observation_space.contains(observations) and rewards.shape == terminations.shape == truncations.shape == (n,)
        assert rewards.dtype == np.float64 and terminations.dtype == bool and truncations.dtype == bool
        assert (observations[ended] == starts[ended]).all() and not rewards[ended].any() and not terminations[ended].any()
        assert not (terminations & truncations).any()
        ended = terminations | truncations
        endings += ended.sum()
    assert endings >= n


def test_planners_are_opponents():
    """In a VectorEnv each decision is the first of a match."""
    env = VectorEnv(2, "PillMap", "Buggy", opponent=madcars.Planner("stretched"), planner_ticks=60)
    single = Env("PillMap", "Buggy", opponent=madcars.Planner("stretched"), planner_ticks=60)
    planners, last, seen = [madcars.Planner("stretched") for _ in range(2)], 0, set()
    env.reset(seed=0)
    single.reset(seed=0)
    worlds, alone = [env.batch.world(i) for i in range(2)], single.world.fork()
    for _ in range(20):
        for world, mine in zip(worlds, (1, -1)):
            planners[0].begin_match(world, 1)
            command = planners[0].decide(world, 1, ticks=60).command
            world.step(mine, command)
            seen.add(command)
        alone.step(1, planners[1].decide(alone, 1, last, ticks=60).command)
        observations, last = env.step([2, 0])[0], 1
        assert observations.tobytes() == np.array([world.observe() for world in worlds]).tobytes()
        assert single.step(2)[0].tobytes() == alone.observe().tobytes()
    assert seen == {-1, 0, 1}


def test_vector_env_plays_what_env_plays():
    actions = np.random.default_rng(4).integers(0, 3, (650, 3))
    vector = VectorEnv(3, "IslandHoleMap", "Buggy", opponent="chase", player=1)
    vector.reset(seed=0)
    singles = [Env("IslandHoleMap", "Buggy", opponent="chase", player=1) for _ in range(3)]
    over, died = np.zeros(3, bool), 0
    for env in singles:
        env.reset(seed=0)
    for row in actions:
        observations, rewards, terminations, truncations, infos = vector.step(row)
        for i, env in enumerate(singles):
            if over[i]:
                assert observations[i].tobytes() == env.reset()[0].tobytes()
                over[i] = False
                continue
            observation, reward, terminated, truncated, info = env.step(row[i])
            assert observations[i].tobytes() == observation.tobytes() and rewards[i] == reward
            assert (terminations[i], truncations[i]) == (terminated, truncated)
            assert infos["tick"][i] == info["tick"]
            if terminated:
                assert infos["_cause_of_death"][i] and infos["cause_of_death"][i] == info["cause_of_death"]
                died += 1
            over[i] = terminated or truncated
    assert died > 3


@pytest.mark.parametrize("player", [0, 1])
def test_autoreset_modes_play_the_same_matches(player):
    """The mode next step has one more step, which only begins a match."""
    actions = np.random.default_rng(5).integers(0, 3, 1500)
    played = {}
    for mode in ("NextStep", protocols.SAME_STEP, "Disabled"):
        env = VectorEnv(1, ["IslandHoleMap", "PillMap"], "Buggy", player=player, autoreset_mode=mode)
        first, _ = env.reset(seed=3)
        rows, starts, place, waiting = [], [first[0].tobytes()], 0, False
        while len(rows) < 1400:
            if waiting:
                starts.append((env.step([1]) if mode == "NextStep" else env.reset(options={"reset_mask": np.ones(1, bool)}))[0][0].tobytes())
                waiting = False
                continue
            observations, rewards, terminations, truncations, infos = env.step(actions[[place]])
            place += 1
            over = bool(terminations[0] or truncations[0])
            last = observations[0]
            if over and mode == protocols.SAME_STEP:
                assert infos["_final_obs"][0] and infos["_final_info"][0] and infos["final_info"]["tick"][0] > infos["tick"][0] == 0
                assert "cause_of_death" not in infos
                assert truncations[0] or infos["final_info"]["cause_of_death"][0] != ("none", "none")
                starts.append(last.tobytes())
                last = infos["final_obs"][0]
            else:
                assert "final_obs" not in infos
                waiting = over
            if waiting and mode == "Disabled":
                with pytest.raises(Error, match="over"):
                    env.step([1])
            rows.append((last.tobytes(), rewards[0], terminations[0], truncations[0]))
        played[mode] = rows, starts
    assert len(starts) > 3 and played["NextStep"] == played[protocols.SAME_STEP] == played["Disabled"]
    with pytest.raises(Error, match="autoreset_mode"):
        VectorEnv(1, autoreset_mode="Never")


def test_actions_of_policies():
    rows = []
    for right in (2, 2.0, np.int64(2), np.array(2), np.array([2]), np.float32(2)):
        env = Env("PillMap", "Buggy")
        env.reset(seed=1)
        rows.append(b"".join(env.step(right)[0].tobytes() for _ in range(30)))
        for bad in (True, 1.5, 3, np.array([1, 1]), "1", None):
            with pytest.raises(Error, match="action"):
                env.step(bad)
    assert len(set(rows)) == 1
    rows = []
    for kind in (np.int64, np.uint8, np.float32):
        many = VectorEnv(3, "PillMap", "Buggy", opponent="hold")
        many.reset(seed=1)
        rows.append(b"".join(many.step(np.array([0, 1, 2], kind))[0].tobytes() for _ in range(30)))
    assert len(set(rows)) == 1


def test_vector_env_checks_actions():
    maps = VectorEnv(4, ["PillMap", "IslandMap"], ["Buggy", "Bus"])
    maps.reset(seed=[5, 5, 5, 5])
    assert len({maps.batch.world(i).map for i in range(4)}) == 1
    seeded = [maps.reset(seed=[5, None, 6, 5]) and maps.batch.world(0).map for _ in range(20)]
    assert len(set(seeded)) == 1
    with pytest.raises(Error, match="found 2 seeds, expected 4"):
        maps.reset(seed=[5, 5])
    env = VectorEnv(3)
    with pytest.raises(Error, match="reset"):
        env.step(np.ones(3, int))
    env.reset()
    for bad in (np.ones(2, int), np.array([0, 1.5, 2]), np.array([0, 1, np.nan]), np.array([0, 1, 3]), np.ones((3, 1), int), [None] * 3):
        with pytest.raises(Error, match="action"):
            env.step(bad)


def test_parallel_env_keeps_pettingzoos_rules():
    env = parallel_env(list(madcars.maps), "Buggy", render_mode="rgb_array")
    assert env.possible_agents == ["first", "second"] and env.metadata["name"] and env.max_num_agents == 2
    for cycle in range(4):
        observations, infos = env.reset(seed=cycle)
        assert env.agents == env.possible_agents and set(observations) == set(infos) == set(env.agents)
        assert env.render().shape == (400, 600, 3) and env.state().shape == (37,)
        lasts = {}
        for _ in range(700):
            agents = list(env.agents)
            actions = {agent: env.action_space(agent).sample() for agent in agents}
            results = env.step(actions)
            for part in results:
                assert isinstance(part, dict) and set(part) == set(agents)
            observations, rewards, terminations, truncations, infos = results
            for agent in agents:
                assert env.observation_space(agent).contains(observations[agent])
                assert env.observation_space(agent) is env.observation_space(agent)
            lasts = {agent: terminations[agent] or truncations[agent] for agent in agents}
            assert set(env.agents) == {agent for agent, over in lasts.items() if not over}
            if not env.agents:
                break
        assert lasts and all(lasts.values()) and sum(rewards.values()) == 0
        with pytest.raises(Error, match="reset"):
            env.step({})
    env.reset(seed=1)
    for bad in ({"first": 1}, {"first": 1, "second": 5}, [1, 1], {"first": 1, "second": 1, "third": 1}):
        with pytest.raises(Error):
            env.step(bad)


def test_both_sides_see_the_same_match():
    env = parallel_env("PillMap", "Buggy")
    observations, _ = env.reset()
    for _ in range(40):
        observations, *_ = env.step({"first": 2, "second": 0})
        first, second = observations["first"], observations["second"]
        assert (first[:9] == second[9:18]).all() and (first[9:18] == second[:9]).all() and first[18] == second[18]


@pytest.mark.skipif(not protocols.HAS_GYMNASIUM, reason="gymnasium is not installed")
def test_gymnasiums_own_checker():
    from gymnasium.utils.env_checker import check_env

    check_env(Env(render_mode="rgb_array"), skip_render_check=True)


@pytest.mark.skipif(not protocols.HAS_GYMNASIUM, reason="gymnasium is not installed")
def test_gymnasium_makes_them_by_name():
    import gymnasium

    env = gymnasium.make("forkmunk/MadCars-v0", map="IslandMap", opponent="hold", render_mode="rgb_array")
    env.reset(seed=1)
    env.step(env.action_space.sample())
    assert isinstance(env.unwrapped, Env) and env.unwrapped.world.map == "IslandMap"
    many = gymnasium.make_vec("forkmunk/MadCars-v0", num_envs=3, vectorization_mode="vector_entry_point", map="PillMap")
    assert isinstance(many.unwrapped, VectorEnv) and many.reset(seed=1)[0].shape == (3, 19)
    for mode in gymnasium.vector.AutoresetMode:
        many = gymnasium.make_vec("forkmunk/MadCars-v0", num_envs=2, autoreset_mode=mode)
        assert isinstance(many.unwrapped, VectorEnv) and many.metadata["autoreset_mode"] is mode


@pytest.mark.skipif(not protocols.HAS_PETTINGZOO, reason="pettingzoo is not installed")
def test_pettingzoos_own_checker():
    from pettingzoo.test import parallel_api_test

    parallel_api_test(parallel_env(), num_cycles=1000)


def test_an_opponent_steps_a_twin():
    def opponent(world, player):
        world.step(0, 0)
        world.begin_match("IslandMap", "Bus")
        return "stop"

    env = Env("PillMap", "Buggy", opponent=opponent)
    env.reset(seed=1)
    for tick in range(5):
        info = env.step(1)[4]
        assert info["tick"] == tick + 1 and env.world.map == "PillMap"


def test_texts_for_people():
    env = Env("PillMap", "Buggy")
    assert "before reset" in repr(env)
    env.reset(seed=1)
    assert "PillMap,Buggy" in repr(env)
    for count in (None, 0, -1, 1.5, "3"):
        with pytest.raises((Error, TypeError), match="num_envs"):
            VectorEnv(count)
    game = madcars.play(lambda world, player: 0, "builtin:chase", ["PillMap,Buggy"])
    for thing in (VectorEnv(2).batch, madcars.Planner(), game, game.recording):
        assert " object at 0x" not in repr(thing)


def toward(world, player):
    return 1 - 2 * player


@pytest.mark.parametrize("opponent", ["chase", "random", "runs", "builtin:bot:ticks=60", toward])
@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_twins(opponent, twin_of):
    env = Env(["PillMap", "IslandMap"], "Buggy", opponent=opponent, player=1)
    twin_of(env).reset(seed=1)
    env.reset(seed=3)
    for tick in range(20):
        env.step(tick % 3)
    twin, original = twin_of(env), twin_of(env)
    for _ in range(3):
        twin.step(0)
    assert env.world.hash() == original.world.hash() != twin.world.hash()
    for tick in range(60):
        ours, theirs = env.step(tick % 3), original.step(tick % 3)
        assert ours[0].tobytes() == theirs[0].tobytes() and ours[1:] == theirs[1:]
        if ours[2]:
            break
    assert env.world.hash() == original.world.hash()
    assert env.reset()[0].tobytes() == original.reset()[0].tobytes()


def maps_of(env, matches):
    seen = [[env.batch.world(i).map] for i in range(env.num_envs)]
    over = np.zeros(env.num_envs, bool)
    while min(map(len, seen)) < matches:
        _, _, terminations, truncations, _ = env.step(np.full(env.num_envs, 2))
        for i in np.flatnonzero(over):
            seen[i].append(env.batch.world(i).map)
        over = terminations | truncations
    return [maps[:matches] for maps in seen]


def test_vector_env_draws_each_match_by_the_seed():
    env = VectorEnv(2, list(madcars.maps[:3]), ["Buggy", "Bus"], opponent="chase")
    env.reset(seed=1)
    drawn = maps_of(env, 12)
    assert all(set(maps) == set(madcars.maps[:3]) for maps in drawn) and drawn[0] != drawn[1]
    env.reset(seed=1)
    assert maps_of(env, 12) == drawn
    env.reset(seed=[1, 2])
    assert maps_of(env, 12) != drawn


def test_vector_env_counts_ticks_and_resets_some():
    env = VectorEnv(3, "PillMap")
    with pytest.raises(Error, match="reset"):
        env.reset(options={"reset_mask": np.array([True, False, False])})
    first, info = env.reset(seed=1)
    assert info["tick"].tolist() == [0, 0, 0] and info["_tick"].all()
    for _ in range(5):
        info = env.step(np.array([0, 1, 2]))[4]
    observations, info = env.reset(options={"reset_mask": np.array([True, True, False, False, True])[::2]})
    assert info["tick"].tolist() == [0, 5, 0]
    assert (observations[[0, 2]] == first[[0, 2]]).all() and (observations[1] != first[1]).any()


@pytest.mark.parametrize("opponent", ["hold", "random", "runs", "chase", lambda seen: np.zeros(3, int)])
def test_twins_of_many(opponent):
    env = VectorEnv(3, ["PillMap", "IslandMap"], opponent=opponent)
    env.reset(seed=5)
    for tick in range(20):
        env.step(np.full(3, tick % 3))
    twin = copy.deepcopy(env)
    for tick in range(80):
        ours, theirs = env.step(np.full(3, tick % 3)), twin.step(np.full(3, tick % 3))
        assert all(a.tobytes() == b.tobytes() for a, b in zip(ours[:4], theirs[:4]))


@pytest.mark.parametrize("mask", [np.array([0, 0, 1], np.uint8), np.array([2]), np.array([True]), [[True, False, True]]])
def test_vector_env_refuses_masks_of_another_type(mask):
    env = VectorEnv(3, ["PillMap", "IslandMap"])
    env.reset(seed=1)
    info = env.step(np.array([0, 1, 2]))[4]
    with pytest.raises(Error, match=r"expected bool \(3,\)"):
        env.reset(options={"reset_mask": mask})
    assert info["tick"].tolist() == [1, 1, 1]


@pytest.mark.parametrize("opponent", ["runs", "random", "level", madcars.Planner("straight")])
def test_a_checkpoint_takes_the_opponent_back(opponent):
    env = Env("PillMap", "Buggy", opponent=opponent)
    env.reset(seed=1)
    env.step(1)
    checkpoint = forkmunk.Checkpoint(env)
    first = [env.step(1)[0].tobytes() for _ in range(30)]
    checkpoint.restore()
    assert [env.step(1)[0].tobytes() for _ in range(30)] == first
