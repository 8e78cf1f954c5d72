# SPDX-License-Identifier: MIT
"""Arrays against values read one by one; a misunderstood NumPy once gave the right shape with one number in all places."""

import gc

import numpy as np
import pytest
from scenes import DT, machine, pile

import forkmunk
from forkmunk import Error, SpaceBatch, madcars, plan
from forkmunk.madcars import Batch, Env, VectorEnv, World
from forkmunk.pymunk import batch as pymunk_batch

KEYS = "position", "angle"
SPEEDS = "velocity", "angular_velocity"


def values_of(world, keys, players=(0, 1)):
    numbers = []
    for player in players:
        car = world.car(player)
        for part in (car, car["rear_wheel"], car["front_wheel"]):
            for key in keys:
                numbers += part[key] if isinstance(part[key], tuple) else [part[key]]
    return numbers


def row_of(world, velocities=False, players=(0, 1)):
    return [*values_of(world, KEYS, players), world.deadline_y, *(values_of(world, SPEEDS, players) if velocities else [])]


def check(array, expected, dtype):
    assert type(array) is np.ndarray and array.dtype == np.dtype(dtype) and array.dtype.isnative
    assert array.shape == np.shape(expected) and array.flags.c_contiguous and array.flags.aligned
    assert array.tolist() == np.array(expected, dtype).tolist()
    assert array.size < 2 or len(np.unique(array)) > 1 or array.dtype.kind in "bi"


@pytest.mark.parametrize("engine", ["flat", "chipmunk"])
def test_a_world(engine):
    world = World("PillMap", "Bus", engine=engine)
    for _ in range(70):
        world.step(1, 0)
        check(world.observe(), row_of(world), float)
        check(world.observe(velocities=True), row_of(world, True), float)
    mine = world.observe()
    mine[3] = 7
    assert mine[3] == 7 and mine.flags.writeable and world.observe()[3] != 7


@pytest.mark.parametrize("player", [0, 1])
def test_environments(player):
    players = (player, 1 - player)
    env = Env("PillMap", "Buggy", player=player)
    observation, _ = env.reset(seed=1)
    for action in (2, 2, 0, 1) * 10:
        check(observation, row_of(env.world, players=players), float)
        observation, *_ = env.step(action)
    many = VectorEnv(3, "PillMap", "Buggy", player=player)
    observations, _ = many.reset(seed=1)
    for action in (2, 2, 0, 1) * 10:
        check(np.ascontiguousarray(observations), [row_of(many.batch.world(i), players=players) for i in range(3)], float)
        observations, *_ = many.step(np.array([action, 2, 0]))
    together = madcars.parallel_env("PillMap", "Buggy")
    observations, _ = together.reset(seed=1)
    for _ in range(30):
        observations, *_ = together.step({"first": 2, "second": 0})
    check(observations["first"], row_of(together.world), float)
    check(np.ascontiguousarray(observations["second"]), row_of(together.world, players=(1, 0)), float)


def test_a_batch():
    batch = Batch([("PillMap", "Buggy"), ("IslandMap", "Bus"), ("IslandHoleMap", "SquareWheelsBuggy")], seed=2)
    commands = batch.random_commands(7)
    assert commands.dtype == np.int8 and commands.shape == (3, 2)
    twins = [batch.world(i) for i in range(3)]
    for _ in range(1500):
        commands = batch.random_commands(20)
        returned = batch.step(commands)
        for world, pair in zip(twins, commands.tolist()):
            world.step(*pair)
        check(returned, [row_of(world) for world in twins], float)
        check(batch.states, [row_of(world, True) for world in twins], float)
        check(batch.dead, [world.dead for world in twins], bool)
        check(batch.over, [world.match_over for world in twins], bool)
        if batch.over.any():
            break
    assert 0 < batch.over.sum() < 3
    mask = batch.over.copy()
    batch.reset(mask)
    fresh = [World(*setup) for setup in (("PillMap", "Buggy"), ("IslandMap", "Bus"), ("IslandHoleMap", "SquareWheelsBuggy"))]
    check(batch.observations, [row_of(fresh[i] if mask[i] else twins[i]) for i in range(3)], float)
    batch = Batch("PillMap", "Buggy", n=3)
    batch.step(np.array([[1, 1], [0, 0], [-1, 1]], np.int8))
    batch.fork(2, np.array([True, False, False]))
    assert batch.hash(0) == batch.hash(2) != batch.hash(1)


def test_rollouts_of_a_batch():
    world, batch = World("PillMap", "Buggy"), Batch("PillMap", "Buggy", n=1)
    plans = np.random.default_rng(3).integers(-1, 2, (4, 9, 2), dtype=np.int8).repeat(40, axis=1)
    start, expected, died = world.snapshot(), [], []
    for commands in plans.tolist():
        world.restore(start)
        rows, ticks = [], [0, 0]
        for tick, pair in enumerate(commands, 1):
            world.step(*pair)
            rows.append(row_of(world, True))
            ticks = [before or tick * dead for before, dead in zip(ticks, world.dead)]
        expected.append(rows)
        died.append(ticks)
    states, deaths = batch.rollout(start, plans)
    check(states, expected, float)
    check(deaths, died, np.int32)
    check(batch.rollout(start, plans, final=True)[0], [rows[-1] for rows in expected], float)


def test_a_space_batch():
    space = machine()
    batch = SpaceBatch(space, 3)
    batch.write("velocity", space.bodies, np.arange(6.0 * len(space.bodies)).reshape(3, -1, 2))
    batch.step(DT, 30)
    batch.write("force", space.bodies, np.arange(6.0 * len(space.bodies)).reshape(3, -1, 2))
    batch.write("torque", space.bodies, np.arange(3.0 * len(space.bodies)).reshape(3, -1))
    twins = [[world.twin_of(body) for body in space.bodies] for world in batch]
    for field in ("position", "velocity", "force"):
        check(batch.read(field, space.bodies), [[tuple(getattr(body, field)) for body in bodies] for bodies in twins], float)
    for field in ("angle", "angular_velocity", "torque"):
        check(batch.read(field, space.bodies), [[getattr(body, field) for body in bodies] for bodies in twins], float)
    check(batch.hashes(), [world.hash() for world in batch], np.uint64)
    batch.restore(space.save(), np.array([False, True, False]))
    assert [world.hash() == space.hash() for world in batch] == [False, True, False]


def test_rollouts_of_a_space_batch():
    space = pile()
    body, start = list(space.bodies)[-1], space.save()
    actions = np.random.default_rng(4).normal(size=(3, 5, 2)) * 50
    result = SpaceBatch(space, 1).rollout(start, actions, [("velocity", body)], dt=DT, observe=[("position", body)], every=1)
    expected = []
    for plan_ in actions.tolist():
        twin, rows = space.fork(), []
        moved = twin.twin_of(body)
        for action in plan_:
            moved.velocity = tuple(action)
            twin.step(DT)
            rows.append(tuple(moved.position))
        expected.append(rows)
    check(result.states, expected, float)
    check(result.final, [rows[-1] for rows in expected], float)


def test_planners():
    seen = []
    planner = plan.CEM(lambda state, plans: costs_of(plans), [-1, -2], [1, 2], horizon=4, plans=8, seed=5)

    def costs_of(plans):
        seen.append(plans.copy())
        return [sum(value * (i + 1) for i, value in enumerate(each)) for each in plans.reshape(len(plans), -1).tolist()]

    best = planner.plan(None)
    assert all(plans.shape == (8, 4, 2) and len(np.unique(plans)) > 20 for plans in seen)
    assert min(min(costs_of(plans)) for plans in list(seen)) == pytest.approx(planner.cost)
    check(best, planner.best.tolist(), float)


def test_bodies_of_pymunk():
    space = machine()
    space.step(DT)
    buffers, fields = pymunk_batch.Buffer(), pymunk_batch.BodyFields
    pymunk_batch.get_space_bodies(space, fields.BODY_ID | fields.POSITION | fields.ANGLE, buffers)
    ids, rows = np.frombuffer(buffers.int_buf(), np.uint64), np.frombuffer(buffers.float_buf()).reshape(-1, 3)
    expected = {body.id: [*body.position, body.angle] for body in space.bodies}
    assert dict(zip(ids.tolist(), rows.tolist())) == expected and len(expected) == 11
    buffers.set_float_buf(np.arange(22.0))
    pymunk_batch.set_space_bodies(space, fields.VELOCITY, buffers)
    by_id = {body.id: tuple(body.velocity) for body in space.bodies}
    assert [by_id[i] for i in ids.tolist()] == [(2 * i, 2 * i + 1) for i in range(11)]


def test_recordings(recordings):
    recording = madcars.load(recordings[0])
    match = recording.matches[0]
    assert len(np.unique(match["states"])) > 100
    check(match["tick_num"], sorted(set(match["tick_num"].tolist())), np.int64)
    found = madcars.infer_commands(recording)[0]
    assert found["fitting"].dtype == np.uint16 and len(found["fitting"]) == len(found["commands"])
    for commands, known, recorded in zip(found["commands"].tolist(), found["known"].tolist(), match["commands"].tolist()):
        assert all(a == b or not k for a, b, k in zip(commands, recorded, known))


LAYOUTS = {
    "as it is": lambda array: array,
    "single precision": lambda array: array.astype(np.float32),
    "half precision": lambda array: array.astype(np.float16),
    "extended precision": lambda array: array.astype(np.longdouble),
    "integers": lambda array: array.astype(np.int16),
    "unsigned integers": lambda array: array.astype(np.uint64),
    "big-endian": lambda array: array.astype(">f8"),
    "big-endian integers": lambda array: array.astype(">i4"),
    "columns first": np.asfortranarray,
    "every other": lambda array: array.repeat(2, axis=1)[:, ::2],
    "backwards": lambda array: array[::-1].copy()[::-1],
    "read-only": lambda array: np.frombuffer(array.tobytes()).reshape(array.shape),
    "not aligned": lambda array: np.frombuffer(b"." + array.tobytes(), float, offset=1).reshape(array.shape),
    "of a structure": lambda array: np.rec.fromarrays([array, array])["f1"],
    "a matrix's kind": lambda array: array.view(type("Mine", (np.ndarray,), {})),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_numbers_however_they_lie(name):
    space = pile()
    batch = SpaceBatch(space, 2)
    values = np.arange(2.0 * len(space.bodies)).reshape(2, -1)
    batch.write("angle", space.bodies, LAYOUTS[name](values))
    check(batch.read("angle", space.bodies), values, float)


@pytest.mark.parametrize("dtype", [bool, np.uint8])
def test_masks(dtype):
    batch = Batch("PillMap", "Buggy", n=2)
    start = batch.hash(0)
    batch.step(np.ones((2, 2), np.int8))
    batch.reset(np.array([0, 1], dtype))
    assert [batch.hash(i) == start for i in range(2)] == [False, True]


REFUSED = [np.ones((2, 2)), np.ones((2, 2), ">i2"), np.ones((2, 2), bool), np.ones((2, 2), np.uint8), np.ones((2, 2), "M8[s]"),
           np.ones((2, 2), object), np.ones((2, 2), "S1"), np.ones((2, 2), "i1,i1"), np.ones(4, np.int8), np.ones((2, 4), np.int8)[:, ::2],
           np.asfortranarray(np.ones((2, 2), np.int8)), np.array(1, np.int8)]


@pytest.mark.parametrize("commands", REFUSED, ids=lambda array: f"{array.dtype} {array.shape}")
def test_other_commands_are_refused(commands):
    batch = Batch("PillMap", "Buggy", n=2)
    before = batch.observations.tolist()
    with pytest.raises(Error, match="expected a C-contiguous NumPy array of int8") as error:
        batch.step(commands)
    assert f"found {commands.dtype} (" in str(error.value)
    assert batch.observations.tolist() == before


def test_an_array_is_no_player():
    with pytest.raises(TypeError, match="a player: found an array of int64"):
        World("PillMap", "Buggy").car(np.array([0, 1]))


@pytest.mark.parametrize("dtype", [bool, complex, object, "M8[s]", "S1"])
def test_other_numbers_are_refused(dtype):
    space = pile()
    bodies = list(space.bodies)
    with pytest.raises(TypeError, match="expected an array of numbers"):
        SpaceBatch(space, 1)._core.write("angle", bodies, np.ones((1, len(bodies)), dtype))


def test_arrays_keep_their_memory():
    batch = Batch("PillMap", "Buggy", n=2)
    views = [batch.observations, batch.states, batch.dead, batch.over]
    values = [view.tolist() for view in views]
    space = pile()
    positions = SpaceBatch(space, 2).read("position", space.bodies)
    expected = positions.tolist()
    del batch, space
    gc.collect()
    others = [Batch("IslandMap", "Bus", n=2).step(np.ones((2, 2), np.int8)) for _ in range(20)]
    assert [view.tolist() for view in views] == values and positions.tolist() == expected and len(others) == 20
    for view in views:
        with pytest.raises(ValueError):
            view[0] = 1
        with pytest.raises(ValueError):
            view.setflags(write=True)
