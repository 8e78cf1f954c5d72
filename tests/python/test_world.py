# SPDX-License-Identifier: MIT

import copy
import json
import math
import multiprocessing
import pickle
import resource

import numpy as np
import pytest

from forkmunk import madcars
from forkmunk.madcars import Error, World


def drive(world, ticks, seed=0):
    generator = np.random.default_rng(seed)
    for first, second in generator.integers(-1, 2, (ticks, 2)):
        world.step(first, second)


@pytest.mark.parametrize("engine", ["flat", "chipmunk"])
@pytest.mark.parametrize("map_name", madcars.maps)
@pytest.mark.parametrize("car", madcars.cars)
def test_saves_restores_and_forks(engine, map_name, car):
    world = World(map_name, car, engine=engine)
    drive(world, 40)
    saved = world.snapshot()
    twin = world.fork()
    drive(world, 60, 1)
    drive(twin, 60, 1)
    after = world.hash()
    assert twin.hash() == after
    world.restore(saved)
    assert world.tick == 40
    drive(world, 60, 1)
    assert world.hash() == after


def test_both_engines_agree():
    one, other = World("PillMap", "Bus", engine="flat"), World("PillMap", "Bus", engine="chipmunk")
    for _ in range(5):
        drive(one, 50)
        drive(other, 50)
        assert one.hash() == other.hash()
        assert one.observe(velocities=True).tobytes() == other.observe(velocities=True).tobytes()


def test_commands_are_words_or_numbers():
    worlds = [World("IslandMap", "Buggy") for _ in range(5)]
    for _ in range(30):
        worlds[0].step("right", "left")
        worlds[1].step(1, -1)
        worlds[2].step(np.int8(1), np.int64(-1))
        worlds[3].step(second=-1, first=1)
        worlds[4].step(1, second=-1)
    assert len({world.hash() for world in worlds}) == 1


def test_copies_are_forks():
    world = World("PillMap", "Buggy")
    drive(world, 20)
    for twin in (copy.copy(world), copy.deepcopy(world), pickle.loads(pickle.dumps(world))):
        assert twin.hash() == world.hash()
        twin.step("left", "left")
        assert twin.tick == 21 and world.tick == 20


def hash_after(snapshot):
    world = World("PillMap", "Buggy")
    world.restore(snapshot)
    drive(world, 30, 5)
    return world.hash()


def test_snapshots_are_bytes_that_travel(tmp_path):
    world = World("PillMap", "Buggy")
    drive(world, 25)
    saved = world.save()
    assert isinstance(saved, bytes)
    (tmp_path / "state").write_bytes(saved)
    assert hash_after((tmp_path / "state").read_bytes()) == hash_after(pickle.loads(pickle.dumps(saved)))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(hash_after, (saved,)) == hash_after(saved)


def test_setups_come_from_messages():
    setup = World("PillHubbleMap", "Bus").setup
    assert World(setup).hash() == World("PillHubbleMap", "Bus").hash()
    assert World(setup["proto_map"], setup["proto_car"]).hash() == World("PillHubbleMap", "Bus").hash()
    message = {"type": "new_match", "params": {"my_lives": 5, "enemy_lives": 5, **setup}}
    assert World(json.loads(json.dumps(message))).map == "PillHubbleMap"
    heavy = dict(setup["proto_car"], car_body_mass=setup["proto_car"]["car_body_mass"] * 2)
    other = World("PillHubbleMap", heavy)
    assert other.map == "PillHubbleMap" and other.car_name.startswith("other")
    assert pickle.loads(pickle.dumps(other)).setup == other.setup
    car = setup["proto_car"]
    arrays = dict(car, car_body_poly=np.array(car["car_body_poly"]), car_body_mass=np.float64(car["car_body_mass"]))
    assert World("PillHubbleMap", arrays).hash() == World("PillHubbleMap", "Bus").hash()
    with pytest.raises(TypeError, match="found .*, expected numbers, texts, lists and dicts"):
        World("PillHubbleMap", dict(car, car_body_mass={1}))


def test_properties_describe_the_match():
    world = World("IslandHoleMap", "Buggy")
    assert world.tick == 0 and world.dead == (False, False) and world.cause_of_death == ("none", "none")
    assert world.deadline_y == 10 and world.ticks_to_deadline == 600 and world.takes_commands
    assert not world.match_over and world.is_finite and world.engine == "flat" and world.arithmetic == "strict"
    while not world.match_over:
        world.step("right", "left")
    assert any(world.dead) and not world.takes_commands
    assert {cause for cause, dead in zip(world.cause_of_death, world.dead) if dead} <= {"map", "box", "deadline", "enemy"}
    row = world.observe()
    assert row.shape == (19,) and row.dtype == np.float64
    assert row[18] == world.deadline_y and tuple(row[:2]) == world.car(0)["position"]
    assert world.observe(velocities=True)[:19].tobytes() == row.tobytes()


BAD_CALLS = {
    "word": (lambda w: w.step("up", "left"), Error, 'str \'up\', expected "left"'),
    "number": (lambda w: w.step(2, 0), Error, "int 2, expected -1, 0 or 1"),
    "large number": (lambda w: w.step(10**30, 0), Error, "expected -1, 0 or 1"),
    "float": (lambda w: w.step(0.5, 0), TypeError, "float 0.5"),
    "nan": (lambda w: w.step(math.nan, 0), TypeError, "float nan"),
    "bool": (lambda w: w.step(True, 0), TypeError, "bool True"),
    "none": (lambda w: w.step(None, 0), TypeError, "NoneType"),
    "too few": (lambda w: w.step(1), TypeError, "expected 2"),
    "too many": (lambda w: w.step(1, 1, 1), TypeError, "expected 2"),
    "by a wrong name": (lambda w: w.step(1, third=1), TypeError, "expected 2"),
    "twice": (lambda w: w.step(1, first=1), TypeError, "expected 2"),
    "no snapshot": (lambda w: w.restore(b""), Error, "header"),
    "cut snapshot": (lambda w: w.restore(w.save()[:-1]), Error, "truncated"),
    "long snapshot": (lambda w: w.restore(w.save() + b"x"), Error, "behind its end"),
    "edited snapshot": (lambda w: w.restore(w.save()[:-8] + b"edited!!"), Error, ""),
    "text for a snapshot": (lambda w: w.restore("abc"), TypeError, "expected bytes"),
    "another match's": (lambda w: w.restore(World("PillMap", "Bus").save()), Error, "another match"),
    "another engine's": (lambda w: w.restore(World("PillMap", "Buggy", engine="chipmunk").snapshot()), Error, "same map"),
    "player": (lambda w: w.car(2), Error, "expected 0, 1"),
    "player's type": (lambda w: w.car(1.0), TypeError, "expected 0, 1"),
    "map": (lambda w: World("NoMap", "Buggy"), Error, 'no map "NoMap", expected one of PillMap'),
    "car": (lambda w: World("PillMap", "Tank"), Error, "expected one of Buggy"),
    "no car": (lambda w: World("PillMap"), TypeError, "expected names"),
    "number for a map": (lambda w: World(3, "Buggy"), TypeError, "int 3"),
    "empty message": (lambda w: World({}), Error, "expected both"),
    "nan in a message": (
        lambda w: World("PillMap", dict(w.setup["proto_car"], car_body_mass=math.nan)), Error, "car_body_mass"),
    "negative mass": (
        lambda w: World("PillMap", dict(w.setup["proto_car"], car_body_mass=-1)), Error, "car_body_mass"),
    "arithmetic": (lambda w: World("PillMap", "Buggy", arithmetic="loose"), Error, "strict"),
    "engine": (lambda w: World("PillMap", "Buggy", engine="box2d"), Error, "flat"),
    "arithmetic by position": (lambda w: World("PillMap", "Buggy", "strict"), TypeError, 'incompatible'),
    "unknown option": (lambda w: World("PillMap", "Buggy", speed=2), TypeError, "speed=2"),
    "no arguments": (lambda w: World(), TypeError, "incompatible"),
    "no snapshot to reuse": (lambda w: w.snapshot(3), TypeError, "not a Snapshot"),
    "impossible pair": (lambda w: World("PillMap", "Buggy", arithmetic="referee", engine="flat"), Error, ""),
    "bytes of chipmunk": (lambda w: World("PillMap", "Buggy", engine="chipmunk").save(), Error, "flat engine"),
    "never made": (lambda w: World.__new__(World).step(0, 0), (Error, TypeError), "never made"),
    "never made, observed": (lambda w: World.__new__(World).observe(), (Error, TypeError), ""),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_wrong_arguments_raise_and_change_nothing(name):
    world = World("PillMap", "Buggy")
    drive(world, 10)
    before = world.hash()
    call, error, words = BAD_CALLS[name]
    with pytest.raises(error) as raised:
        call(world)
    assert words in str(raised.value)
    assert world.hash() == before


def test_forks_and_drops_leave_memory_flat():
    world = World("PillMap", "Buggy")
    drive(world, 30)

    def churn(count):
        for _ in range(count):
            twin = world.fork()
            twin.restore(world.save())
            twin.step(1, -1)

    churn(1000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    churn(100_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096  # KB
