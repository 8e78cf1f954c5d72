# SPDX-License-Identifier: MIT

import copy
import pickle
import subprocess
import sys
from collections import OrderedDict

import numpy as np
import pytest

import forkmunk
from forkmunk import madcars
from forkmunk.madcars import Batch, Bot, Env, Error, Evaluator, Planner, VectorEnv, World

HAS_REFEREE = True
try:
    World("PillMap", "Buggy", arithmetic="referee")
except Error:
    HAS_REFEREE = False  # built by clang
ENGINES = [{"engine": "flat"}, {"engine": "chipmunk"}] + ([{"arithmetic": "referee"}] if HAS_REFEREE else [])
COPIES = [copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))]


def drive(world, ticks, seed=0):
    for first, second in np.random.default_rng(seed).integers(-1, 2, (ticks, 2)).tolist():
        world.step(first, second)
    return world.hash()


def played(options):
    world = World("PillMap", "Buggy", **options)
    drive(world, 50)
    world.begin_match("IslandHoleMap", "Bus")
    drive(world, 40, 1)
    return world


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("options", ENGINES, ids=str)
def test_worlds(options, copied):
    world = played(options)
    twin = copied(world)
    assert (twin.engine, twin.arithmetic, twin.map, twin.tick) == (world.engine, world.arithmetic, world.map, world.tick)
    assert drive(world, 200, 2) == drive(twin, 200, 2)
    assert drive(copied(twin.fork()), 20) == drive(twin, 20)


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("options", ENGINES, ids=str)
def test_snapshots(options, copied):
    world = played(options)
    snapshot = world.snapshot()
    twin = copied(snapshot)
    drive(world, 30)
    world.snapshot(into=snapshot)  # the twin's snapshot must not change
    after = drive(world, 30)
    world.restore(snapshot)
    assert drive(world, 30) == after
    other = World("IslandHoleMap", "Bus", **options)
    other.restore(twin)
    assert other.tick == 40
    again = played(options)
    assert drive(other, 60, 3) == drive(again, 60, 3)


class Named(World):
    def __init__(self, name):
        super().__init__("PillMap", "Buggy")
        self.name, self.log = name, []


@pytest.mark.parametrize("copied", [*COPIES, Named.fork])
def test_subclasses_keep_their_attributes(copied):
    world = Named("a")
    drive(world, 20)
    world.log.append(1)
    twin = copied(world)
    assert type(twin) is Named and twin.name == "a" and twin.log == [1] and twin.hash() == world.hash()
    assert (twin.log is world.log) == (copied in (copy.copy, Named.fork))


def test_deepcopy_keeps_what_belongs_together():
    world = Named("a")
    world.me = world
    twin = copy.deepcopy([world, world])
    assert twin[0] is twin[1] and twin[0].me is twin[0] is not world


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("options", [*ENGINES, {"threads": 2, "reset_when_over": True},
                                     {"engine": "chipmunk", "reset_when_over": True}], ids=str)
def test_batches(options, copied):
    batch = Batch([("PillMap", "Buggy"), ("IslandMap", "Bus"), ("PillMap", "Buggy")], seed=4, **options)
    ticks = 60 if "engine" in options or "arithmetic" in options else 300
    for tick in range(ticks):
        if tick == 20:
            batch.reset(np.array([0, 1, 0], bool))
        if tick == 30:
            batch.fork(0, 2)
        batch.step(batch.random_commands(hold=9))
    twin = copied(batch)
    assert twin.threads == batch.threads
    for _ in range(100):
        batch.step(batch.random_commands(hold=9))
        assert twin.step(twin.random_commands(hold=9)).tobytes() == batch.observations.tobytes()
    assert [twin.hash(i) for i in range(3)] == [batch.hash(i) for i in range(3)]
    assert pickle.loads(pickle.dumps(batch.world(1))).hash() == batch.hash(1)
    assert pickle.loads(pickle.dumps(batch.snapshot(2))).size_bytes > 0
    batch.reset()
    twin.reset()
    assert [twin.hash(i) for i in range(3)] == [batch.hash(i) for i in range(3)]


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("name", madcars.planners)
def test_planners(name, copied):
    world, planner = World("PillMap", "Buggy"), Planner(name, seed=3, weights={}, horizon=40)
    assert copied(planner).name == name
    for _ in range(12):
        world.step(planner.decide(world, 0, "left", ticks=400).command, "left")
    twin, its_world = copied(planner), world.fork()
    for _ in range(12):
        ours, theirs = planner.decide(world, 0, "left", ticks=400), twin.decide(its_world, 0, "left", ticks=400)
        assert (ours.plan, ours.score, ours.reply) == (theirs.plan, theirs.score, theirs.reply)
        world.step(ours.command, "left")
        its_world.step(theirs.command, "left")


@pytest.mark.parametrize("copied", COPIES)
def test_evaluators(copied):
    world, evaluator = played({}), Evaluator("combined", weights={"combined": {}})
    assert copied(evaluator).terms(world, 1) == evaluator.terms(world, 1) == copied(evaluator).terms(world, 1)


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("spec", ["builtin:hold", "builtin:random", "builtin:runs", "builtin:level", "builtin:genetic:ticks=60"])
def test_bots(spec, copied):
    bot = Bot(spec, seed=5)
    copied(bot)
    for setup in (("PillMap", "Buggy"), ("IslandMap", "Buggy")):
        world = World(*setup)
        bot.begin_match(world, 1)
        for _ in range(15):
            world.step("left", bot.command(world))
    twin, its_world = copied(bot), world.fork()
    for _ in range(30):
        ours, theirs = bot.command(world), twin.command(its_world)
        assert ours == theirs
        world.step("left", ours)
        its_world.step("left", theirs)


def test_games_recordings_and_decisions():
    game = madcars.play(lambda world, player: 0, "builtin:chase", ["PillMap,Buggy"])
    decision = Planner("straight").decide(World("PillMap", "Buggy"), ticks=200)
    twin, its_decision = pickle.loads(pickle.dumps((game, decision)))
    for name in ("winner", "lives", "ticks", "verdict", "matches", "players"):
        assert getattr(game, name) == getattr(twin, name)
    for ours, theirs in zip(game.recording.matches, twin.recording.matches):
        assert ours["states"].tobytes() == theirs["states"].tobytes() and ours["setup"] == theirs["setup"]
    assert twin.recording.player_ids == game.recording.player_ids
    for name in ("command", "plan", "reply", "score", "ticks"):
        assert getattr(decision, name) == getattr(its_decision, name)


def things():
    batch = Batch("PillMap", "Buggy", n=2)
    bot, planner = Bot("builtin:straight:ticks=30"), Planner("stretched")
    bot.begin_match(batch.world(0), 0)
    planner.decide(batch.world(0), ticks=60)
    return [World("PillMap", "Buggy"), World("PillMap", "Buggy", engine="chipmunk"), batch.snapshot(0), batch, bot, planner,
            Evaluator()]


@pytest.mark.parametrize("thing", things(), ids=lambda thing: type(thing).__name__)
def test_damaged_pickles_are_refused(thing):
    """Leaves out each part of a state, or replaces it by another."""
    restored, (type_, state), *_ = thing.__reduce__()

    def spoilt(value):
        if isinstance(value, tuple):
            for i, part in enumerate(value):
                yield value[:i] + value[i + 1:]
                yield from (value[:i] + (other,) + value[i + 1:] for other in spoilt(part))
        elif isinstance(value, bytes):
            yield from (value[:-1], value + b"\xff", value[:len(value) // 2] + b"\xff" + value[len(value) // 2 + 1:])
        else:
            yield from (None, -1, "other", 2**70, b"")

    refused = 0
    for other in spoilt(state):
        try:
            twin = restored(type_, other)
            repr(twin)
        except (Error, TypeError, ValueError, RuntimeError, MemoryError):
            refused += 1
    assert refused > 0


def toward(world, player):
    return 1 - 2 * player


@pytest.mark.parametrize("make", [lambda: Env(["PillMap", "IslandMap"], opponent=Planner("straight"), planner_ticks=60),
                                  lambda: Env(opponent="builtin:best:ticks=60"), lambda: Env(opponent=toward),
                                  lambda: madcars.parallel_env("IslandMap")])
@pytest.mark.parametrize("copied", COPIES[1:])
def test_environments(make, copied):
    env = make()
    copied(env).reset(seed=1)
    env.reset(seed=3)
    both = hasattr(env, "possible_agents")

    def act(env, action):
        return env.step({agent: action for agent in env.agents} if both else action)

    for tick in range(20):
        act(env, tick % 3)
    twin = copied(env)
    for tick in range(25):
        act(env, tick % 3)
        act(twin, tick % 3)
    assert env.world.hash() == twin.world.hash() and env.world is not twin.world


@pytest.mark.parametrize("opponent", ["runs", "level", "builtin:straight:ticks=30", Planner("straight")], ids=str)
@pytest.mark.parametrize("copied", COPIES[1:])
def test_vector_environments(opponent, copied):
    env = VectorEnv(3, ["PillMap", "IslandMap"], opponent=opponent, planner_ticks=30)
    env.reset(seed=5)
    for tick in range(20):
        env.step(np.full(3, tick % 3))
    twin = copied(env)
    for tick in range(60):
        ours, theirs = env.step(np.full(3, tick % 3)), twin.step(np.full(3, tick % 3))
        assert all(a.tobytes() == b.tobytes() for a, b in zip(ours[:4], theirs[:4]))


def test_pickles_load_in_another_process(tmp_path):
    worlds = [played(options) for options in ENGINES]
    (tmp_path / "worlds").write_bytes(pickle.dumps([*worlds, Batch("PillMap", "Buggy", n=2)]))
    code = "import pickle, sys; print(*[w.hash() for w in pickle.load(open(sys.argv[1], 'rb'))[:-1]])"
    done = subprocess.run([sys.executable, "-B", "-c", code, tmp_path / "worlds"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(world.hash()) for world in worlds]


def test_a_body_that_only_a_joint_holds_is_in_every_state():
    space, mouse, ball = forkmunk.Space(), forkmunk.Body(body_type=forkmunk.Body.KINEMATIC), forkmunk.Body(1, 1)
    joint = forkmunk.PivotJoint(mouse, ball, (0, 0), (0, 0))
    space.add(ball, joint)
    for twin in (copy.deepcopy([space, mouse, joint]), pickle.loads(pickle.dumps([space, mouse, joint]))):
        assert twin[2].a is twin[1]
        twin[1].position = (3, 4)
        assert twin[2].a.position == (3, 4) and mouse.position == (0, 0)
    saved = space.save()
    space.add(forkmunk.Body(1, 1))
    space.restore(saved)
    assert joint.a is mouse
    space.remove(joint)
    assert mouse.position == (0, 0)


def test_a_checkpoint_of_an_ordered_dict_and_of_sampled_plans():
    env = {"cache": OrderedDict(a=1, b=2)}
    root = forkmunk.Checkpoint(env)
    env["cache"]["c"] = 3
    env["cache"].move_to_end("a")
    root.restore()
    assert list(env["cache"].items()) == [("a", 1), ("b", 2)] and env["cache"].popitem(last=False) == ("a", 1)
    planner = forkmunk.plan.CEM(lambda plans: plans.sum(axis=(1, 2)), [0], [1], 4)
    with pytest.raises(Error, match="SampledPlannerCore"):
        forkmunk.Checkpoint({"planner": planner})
