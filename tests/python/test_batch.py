# SPDX-License-Identifier: MIT

import copy
import gc
import sys
import threading

import numpy as np
import pytest

from forkmunk import madcars
from forkmunk.madcars import Batch, Error, World


@pytest.mark.parametrize("threads", [1, 3])
def test_a_million_ticks_equal_single_worlds(threads):
    setups = [(m, c) for m in madcars.maps for c in madcars.cars]
    count, ticks = 180, 2780  # 10^6 ticks in both runs
    batch = Batch([setups[i % len(setups)] for i in range(count)], threads=threads, seed=7)
    worlds = [World(*setups[i % len(setups)]) for i in range(count)]
    for tick in range(ticks):
        commands = batch.random_commands(hold=20)
        over = batch.over.copy()
        batch.step(commands)
        for world, (first, second) in zip(worlds, commands.tolist()):
            world.step(first, second)
        if tick % 139 == 0:
            for i, world in enumerate(worlds):
                assert batch.observations[i].tobytes() == world.observe().tobytes()
                assert batch.states[i].tobytes() == world.observe(velocities=True).tobytes()
                assert batch.hash(i) == world.hash()
                assert tuple(batch.dead[i]) == world.dead and batch.over[i] == world.match_over
        if over.any():
            batch.reset(over)
            for i in np.flatnonzero(over):
                worlds[i] = World(*setups[i % len(setups)])


def test_views_are_the_batchs_memory():
    batch = Batch("PillMap", "Buggy", n=5)
    seen, dead, over = batch.observations, batch.dead, batch.over
    assert seen.shape == (5, 19) and seen.dtype == np.float64 and dead.shape == (5, 2) and dead.dtype == bool
    assert over.shape == (5,) and over.dtype == bool and batch.states.shape == (5, 37)
    before = seen.copy()
    for _ in range(3):  # a command shows after two ticks
        returned = batch.step(np.ones((5, 2), np.int8))
    assert (seen != before).any()
    for view in (seen, returned, batch.observe(), batch.observations):
        assert view.__array_interface__["data"][0] == seen.__array_interface__["data"][0]
        assert not view.flags.writeable and not view.flags.owndata
    with pytest.raises(ValueError):
        seen[0, 0] = 1
    del batch
    gc.collect()
    assert np.isfinite(seen).all()


def test_states_is_a_live_view():
    batch = Batch("PillMap", "Buggy", n=4, threads=2, seed=3)
    states, start = batch.states, batch.save(0)

    def check():
        for i in range(4):
            assert states[i].tobytes() == batch.world(i).observe(velocities=True).tobytes()

    changes = [lambda: batch.step(batch.random_commands()), lambda: batch.step(batch.random_commands()),
               lambda: batch.step(batch.random_commands()), lambda: batch.fork(0, 1), lambda: batch.restore(2, start),
               lambda: batch.reset(np.array([1, 0, 0, 1], bool)), lambda: batch.restore(None, start)]
    for change in changes:
        before = states.copy()
        change()
        assert (states != before).any()
        check()


@pytest.mark.parametrize("options", [{}, {"engine": "chipmunk"}, {"threads": 2, "reset_when_over": True}])
def test_copies_are_independent_twins(options):
    batch = Batch([("PillMap", "Buggy"), ("IslandMap", "Bus"), ("PillMap", "Buggy")], seed=4, **options)
    for _ in range(30):
        batch.step(batch.random_commands(hold=9))
    twin, kept = copy.deepcopy(batch), copy.copy(batch)
    for _ in range(200):
        batch.step(batch.random_commands(hold=9))
        assert twin.step(twin.random_commands(hold=9)).tobytes() == batch.observations.tobytes()
        assert [twin.hash(i) for i in range(3)] == [batch.hash(i) for i in range(3)]
    batch.reset()
    twin.reset()
    assert [twin.hash(i) for i in range(3)] == [batch.hash(i) for i in range(3)] != [kept.hash(i) for i in range(3)]
    assert kept.world(0).tick == 30


def test_resets_saves_restores_and_forks():
    batch = Batch("PillMap", "Buggy", n=4, seed=3)
    start = batch.hash(0)
    for _ in range(30):
        batch.step(batch.random_commands())
    saved = batch.save(1)
    mask = np.array([True, False, False, True])
    batch.reset(mask)
    assert [batch.hash(i) == start for i in range(4)] == [True, False, False, True]
    batch.restore(0, saved)
    batch.restore(mask, saved)
    assert batch.hash(0) == batch.hash(1) == batch.hash(3) != batch.hash(2)
    world = World("PillMap", "Buggy")
    world.restore(saved)
    assert world.hash() == batch.hash(1) == batch.world(1).hash()
    batch.fork(2, 0)
    batch.fork(2, np.array([False, True, False, False]))
    assert batch.hash(0) == batch.hash(1) == batch.hash(2)
    batch.restore(None, batch.snapshot(3))
    assert len({batch.hash(i) for i in range(4)}) == 1
    batch.reset()
    assert batch.hash(2) == start


@pytest.mark.parametrize("engine", ["flat", "chipmunk"])
def test_worlds_begin_other_matches(engine):
    batch = Batch("PillMap", "Buggy", n=3, engine=engine)
    for setup in (("IslandMap", "Bus"), ("PillMap", "Bus"), ("PillMap", "Buggy"), ("IslandMap", "Bus")):
        for _ in range(10):
            batch.step(batch.random_commands())
        batch.begin_match(1, *setup)
        world = World(*setup, engine=engine)
        for _ in range(20):
            commands = batch.random_commands(hold=5)
            batch.step(commands)
            world.step(*commands[1].tolist())
        assert batch.hash(1) == world.hash() and batch.observations[1].tobytes() == world.observe().tobytes()
    twin = copy.deepcopy(batch)
    for one in (batch, twin):
        one.reset(np.array([False, True, False]))
    assert batch.hash(1) == twin.hash(1) == World("IslandMap", "Bus", engine=engine).hash() and batch.hash(0) == twin.hash(0)
    assert batch.world(0).map == "PillMap" and batch.world(0).tick == 120


def test_rollouts_go_on_from_a_match_that_began_later():
    batch = Batch("PillMap", "Buggy", n=2)
    batch.begin_match(0, "IslandMap", "Bus")
    plans = np.ones((2, 3, 2), np.int8)
    states, _ = batch.rollout(batch.save(0), plans)
    world = World("IslandMap", "Bus")
    for _ in range(3):
        world.step(1, 1)
    assert np.array_equal(states[1, 2], world.observe(velocities=True))
    with pytest.raises(Error, match="flat engine"):
        chipmunk = Batch("PillMap", "Buggy", n=2, engine="chipmunk")
        chipmunk.rollout(chipmunk.snapshot(0), plans)


def test_a_planner_begins_again_where_the_engine_is_another():
    planner = madcars.Planner("stretched")
    planner.decide(World("PillMap", "Buggy"), ticks=300)
    world = World("PillMap", "Buggy", engine="chipmunk")
    for _ in range(5):
        world.step(1, 1)
    assert planner.decide(world, ticks=300).score is not None


def test_rollouts_are_what_worlds_do():
    batch = Batch("IslandHoleMap", "Buggy", n=2, threads=2)
    world = World("IslandHoleMap", "Buggy")
    for _ in range(40):
        world.step("right", "left")
    plans = np.random.default_rng(1).integers(-1, 2, (12, 1, 2)).repeat(150, 1).astype(np.int8)
    before = batch.hash(0)
    states, deaths = batch.rollout(world.save(), plans)
    ends, same_deaths = batch.rollout(world.snapshot(), plans, final=True)
    assert states.shape == (12, 150, 37) and deaths.shape == (12, 2) and ends.shape == (12, 37)
    assert states[:, -1].tobytes() == ends.tobytes() and (deaths == same_deaths).all() and batch.hash(0) == before
    assert deaths.any()
    for plan in range(12):
        twin = world.fork()
        died = [0, 0]
        for tick in range(150):
            twin.step(*plans[plan, tick])
            assert twin.observe(velocities=True).tobytes() == states[plan, tick].tobytes()
            died = [d or (tick + 1 if dead else 0) for d, dead in zip(died, twin.dead)]
        assert died == deaths[plan].tolist()


def test_random_commands_come_from_the_seed():
    draws = [[Batch("PillMap", "Bus", n=9, threads=t, seed=s).random_commands(5)] for t, s in ((1, 4), (2, 4), (1, 5))]
    assert (draws[0][0] == draws[1][0]).all() and (draws[0][0] != draws[2][0]).any()
    assert draws[0][0].dtype == np.int8 and set(np.unique(draws[0][0])) <= {-1, 0, 1}


def zeros(*shape, dtype=np.int8):
    return np.zeros(shape, dtype)


BAD_CALLS = {
    "shape": (lambda b: b.step(zeros(3, 2)), Error, "int8 (3, 2), expected a C-contiguous NumPy array of int8 (4, 2)"),
    "one side": (lambda b: b.step(zeros(4)), Error, "int8 (4,)"),
    "type": (lambda b: b.step(zeros(4, 2, dtype=np.int64)), Error, "int64 (4, 2)"),
    "unsigned": (lambda b: b.step(zeros(4, 2, dtype=np.uint8)), Error, "uint8"),
    "floats": (lambda b: b.step(zeros(4, 2, dtype=float)), Error, "float64"),
    "nan": (lambda b: b.step(np.full((4, 2), np.nan)), Error, "float64"),
    "fortran": (lambda b: b.step(np.asfortranarray(zeros(4, 2))), Error, "not C-contiguous"),
    "slice": (lambda b: b.step(zeros(8, 2)[::2]), Error, "not C-contiguous"),
    "value": (lambda b: b.step(np.array([[0, 0], [0, 5], [0, 0], [0, 0]], np.int8)), Error, "5 as command 1 of row 1"),
    "-128": (lambda b: b.step(np.full((4, 2), -128, np.int8)), Error, "-128"),
    "list": (lambda b: b.step([[0, 0]] * 4), TypeError, "list"),
    "mask's shape": (lambda b: b.reset(zeros(3, dtype=bool)), Error, "expected a C-contiguous NumPy array of bool (4,)"),
    "mask's type": (lambda b: b.reset(zeros(4, dtype=float)), Error, "float64"),
    "mask of names": (lambda b: b.reset("all"), TypeError, "str"),
    "index": (lambda b: b.save(4), Error, "world 4, expected one below 4"),
    "negative index": (lambda b: b.save(-1), Error, "expected 0 or more"),
    "huge index": (lambda b: b.save(10**30), Error, ""),
    "float index": (lambda b: b.save(1.0), TypeError, "expected a whole number"),
    "another snapshot": (lambda b: b.restore(0, World("IslandMap", "Bus").save()), Error, "another match"),
    "another snapshot for all": (lambda b: b.restore(None, World("IslandMap", "Bus").save()), Error, "another match"),
    "plans": (lambda b: b.rollout(b.save(0), zeros(4, 2)), Error, "expected a C-contiguous NumPy array of int8 (any, any, 2)"),
    "no plans": (lambda b: b.rollout(b.save(0), zeros(0, 5, 2)), Error, "at least one plan"),
    "no ticks": (lambda b: b.rollout(b.save(0), zeros(5, 0, 2)), Error, "at least one plan"),
    "plans of another": (lambda b: b.rollout(World("IslandMap", "Bus").save(), zeros(1, 1, 2)), Error, "snapshot"),
    "no world": (lambda b: Batch("PillMap", "Buggy", n=0), Error, "expected 1 to"),
    "too many": (lambda b: Batch("PillMap", "Buggy", n=10**9), Error, "expected 1 to"),
    "negative": (lambda b: Batch("PillMap", "Buggy", n=-1), Error, "expected 0 or more"),
    "threads": (lambda b: Batch("PillMap", "Buggy", n=1, threads=-1), Error, "expected 0 or more"),
    "many threads": (lambda b: Batch("PillMap", "Buggy", n=1, threads=10**6), Error, "expected at most"),
    "empty list": (lambda b: Batch([]), Error, "without setups"),
    "list and n": (lambda b: Batch([("PillMap", "Buggy")], n=2), Error, "of the list"),
    "no such world": (lambda b: b.begin_match(9, "PillMap", "Bus"), Error, "expected one below 4"),
    "no such map": (lambda b: b.begin_match(0, "NoMap", "Bus"), Error, "NoMap"),
    "hold": (lambda b: b.random_commands(0), Error, "expected 1 to"),
    "negative seed": (lambda b: Batch("PillMap", "Buggy", seed=-1), Error, "seed"),
    "never made": (lambda b: Batch.__new__(Batch).step(zeros(1, 2)), (Error, TypeError), ""),
    "never made, observed": (lambda b: Batch.__new__(Batch).observations, (Error, TypeError), ""),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_wrong_arguments_raise_and_change_nothing(name):
    batch = Batch("PillMap", "Buggy", n=4)
    before = batch.hash(0)
    call, error, words = BAD_CALLS[name]
    with pytest.raises(error) as raised:
        call(batch)
    assert words in str(raised.value)
    assert batch.hash(0) == before


def test_threads_step_their_own_and_are_refused_anothers():
    shared = Batch("PillMap", "Buggy", n=64, threads=2)
    commands = np.ones((64, 2), np.int8)
    refused, wrong = [], []

    def own(seed):
        batch = Batch("PillMap", "Buggy", n=16, threads=2, seed=seed)
        for _ in range(200):
            batch.step(batch.random_commands())
        again = Batch("PillMap", "Buggy", n=16, threads=1, seed=seed)
        for _ in range(200):
            again.step(again.random_commands())
        if any(batch.hash(i) != again.hash(i) for i in range(16)):
            wrong.append(seed)

    def others():
        for _ in range(300):
            try:
                shared.step(commands)
                shared.observations.sum()
                shared.save(0)
            except Error as error:
                assert "another thread" in str(error)
                refused.append(1)

    threads = [threading.Thread(target=own, args=(s,)) for s in range(4)]
    threads += [threading.Thread(target=others) for _ in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert not wrong and refused


@pytest.mark.parametrize("engine", ["flat", "chipmunk"])
def test_a_mask_of_which_one_world_does_not_fit_changes_none(engine):
    batch = Batch([("PillMap", "Buggy"), ("PillMap", "Bus")], engine=engine)
    saved = batch.snapshot(0)
    batch.step(np.ones((2, 2), np.int8))
    before = [batch.hash(i) for i in range(2)]
    for call in (lambda: batch.restore(None, saved), lambda: batch.fork(0, np.array([False, True]))):
        with pytest.raises(Error):
            call()
        assert [batch.hash(i) for i in range(2)] == before
