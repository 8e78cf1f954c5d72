# SPDX-License-Identifier: MIT
"""Misused objects, wrong texts, and values that run Python code while they are read raise, and never crash."""

import copy
import inspect
import pickle
import random

import numpy as np
import pytest

import forkmunk
from forkmunk import Error, _forkmunk, madcars, plan
from forkmunk.pymunk import autogeometry
from scenes import machine, pile, run

TYPES = [value for value in vars(_forkmunk).values() if inspect.isclass(value) and not issubclass(value, Exception)
         and value is not _forkmunk.View]  # whose __new__() refuses to make one without its owner


@pytest.mark.parametrize("type_", TYPES, ids=lambda t: t.__name__)
def test_what_was_never_made(type_):
    thing = type_.__new__(type_)
    for name in [n for n in dir(type_) if n in vars(type_) and not n.startswith("__")] + ["__len__", "__repr__"]:
        if name not in vars(type_):
            continue
        if isinstance(vars(type_)[name], property):
            with pytest.raises((Error, TypeError)):
                getattr(thing, name)
        else:
            for count in range(6):
                with pytest.raises((Error, TypeError)):
                    getattr(thing, name)(*[0] * count)


class SpaceOfMine(forkmunk.Space):
    def __init__(self):
        pass


def reset(env):
    env.reset(seed=1)
    return env


def emptied_batch(body):
    space = forkmunk.Space()
    empty = space.save()
    space.add(body)
    batch = forkmunk.SpaceBatch(space, 1)
    batch.restore(empty)
    return batch


CALLS = {
    "Body.body_type: found str 'static', expected Body.DYNAMIC, Body.KINEMATIC or Body.STATIC":
        lambda body: forkmunk.Body(body_type="static"),
    "Body.body_type: found float 2.0, expected": lambda body: setattr(body, "body_type", 2.0),
    "Body.body_type: found int 3, expected": lambda body: setattr(body, "body_type", 3),
    "Poly.vertices: found NoneType None, expected a list of pairs of numbers": lambda body: forkmunk.Poly(body, None),
    "Poly.vertices[1][0]: found str 'a', expected a number": lambda body: forkmunk.Poly(body, [(0, 1), ("a", 1)]),
    "Poly.size: found int 5, expected a pair of numbers": lambda body: forkmunk.Poly.create_box(body, 5),
    "Poly.bb: found int 5, expected a BB: four numbers": lambda body: forkmunk.Poly.create_box_bb(body, 5),
    "bb_query(bb)[2]: found str 'a', expected a number": lambda body: forkmunk.Space().bb_query((0, 0, "a", 1)),
    "bb_query(bb): found tuple (0, 0, 1), expected a BB": lambda body: forkmunk.Space().bb_query((0, 0, 1)),
    "bb[1]: found NoneType None, expected a number":
        lambda body: autogeometry.march_soft((0, None, 1, 1), 4, 4, 0.5, lambda point: 0),
    "sample_func: found int 3, expected a function": lambda body: autogeometry.march_soft(forkmunk.BB(0, 0, 1, 1), 4, 4, 0.5, 3),
    "Space.use_spatial_hash(count): found str 'b', expected a whole number": lambda body: forkmunk.Space().use_spatial_hash(1, "b"),
    "Space(defects=...): found '5', expected": lambda body: forkmunk.Space(defects=5),
    "Vec2d: found 5, expected a pair of numbers": lambda body: forkmunk.Vec2d(1, 2) + 5,
    "SpaceBatch: world: found 'a', expected a whole number": lambda body: forkmunk.SpaceBatch(forkmunk.Space(), 1)["a"],
    "StateStore: row: found 1.5, expected a whole number, a list of them or a slice":
        lambda body: forkmunk.StateStore(forkmunk.Space())[1.5],
    "StateStore: row: found b'ab', expected a whole number, a list of them or a slice":
        lambda body: forkmunk.StateStore(forkmunk.Space())[b"ab"],
    "StateStore: row: found array([0, 1]), expected a whole number":
        lambda body: forkmunk.StateStore(forkmunk.Space())[np.array([[0, 1]])],
    "StateStore(level=): found array([0, 1]), expected a whole number from 0 to 9":
        lambda body: forkmunk.StateStore(forkmunk.Space(), level=np.array([0, 1])),
    "SpaceBatch.restore(mask): found 0, expected a list":
        lambda body: forkmunk.SpaceBatch(forkmunk.Space(), 1).restore([forkmunk.Space().save()], 0),
    "SpaceBatch(n): found an array of int64 (2,), expected a whole number":
        lambda body: forkmunk.SpaceBatch(forkmunk.Space(), np.array([1, 1])),
    "Body.position: found ndarray array(1.), expected a pair of numbers": lambda body: setattr(body, "position", np.array(1.0)),
    "bb_query(bb): found ndarray array(1.), expected a BB": lambda body: forkmunk.Space().bb_query(np.array(1.0)),
    "SpaceBatch.rollout(observe): found int 5, expected a list":
        lambda body: forkmunk.SpaceBatch(forkmunk.Space(), 1).rollout(forkmunk.Space().save(), [[[]]], [], dt=0.1, observe=5),
    "SpaceBatch.rollout(actions): found an array of bool (1, 2, 0), expected an array of numbers": lambda body: forkmunk.SpaceBatch(
        forkmunk.Space(), 1).rollout(forkmunk.Space().save(), np.ones((1, 2, 0), bool), [], dt=1),
    "Batch: found a list without setups, expected one or more": lambda body: madcars.Batch([]),
    "Batch.restore(): found list [0], expected a world's number, a NumPy array of bool, or None":
        lambda body: madcars.Batch("PillMap", "Buggy").restore([0], b""),
    "actions: found int8 (1,), expected whole numbers (2,)": lambda body: reset(madcars.VectorEnv(2)).step(np.ones(1, np.int8)),
    "vectorize(make_env), its environment: found None, expected an object with reset() and step()":
        lambda body: forkmunk.vectorize(lambda: None, 2),
    "step(actions): found 5, expected 2 actions": lambda body: reset(forkmunk.vectorize(madcars.Env, 2)).step(5),
    "step(actions): found array(5), expected 2 actions":
        lambda body: reset(forkmunk.vectorize(madcars.Env, 2)).step(np.array(5)),
    "SpaceBatch.read(): found Body": lambda body: forkmunk.SpaceBatch(forkmunk.Space(), 1).read("position", body),
    "SpaceBatch.read(): found the field 'Body(1.0, 1.0, Body.DYNAMIC)', expected position":
        lambda body: forkmunk.SpaceBatch(forkmunk.Space(), 1).read(body, "position"),
    "SpaceBatch.read(): found Body Body(1.0, 1.0, Body.DYNAMIC), expected an object of the Space that the batch was made of":
        lambda body: forkmunk.SpaceBatch(forkmunk.Space(), 1).read("position", [body]),
    "SpaceBatch.write(), world 0: body 0 is not there": lambda body: emptied_batch(body).write("position", [body], [[[1, 2]]]),
    "RollbackSession.drop(): only the host": lambda body: forkmunk.rollback.RollbackSession(
        forkmunk.Space(), players=2, local=1, advance=print, send=print).drop(0),
    "SpaceBatch.rollout(controls): found Body Body(1.0, 1.0, Body.DYNAMIC), expected a SimpleMotor": lambda body: forkmunk.SpaceBatch(
        forkmunk.Space(), 1).rollout(forkmunk.Space().save(), [[[1]]], [("motor_rate", body)], dt=1),
    "Space.add(): found list [Body(1.0, 1.0, Body.DYNAMIC)], expected bodies, shapes and constraints, each on its own":
        lambda body: forkmunk.Space().add([body]),
    "Body.apply_force_...(force): found int 5, expected a pair": lambda body: body.apply_force_at_local_point(5),
    "moment_for_circle(outer_radius): found int -1, expected": lambda body: forkmunk.moment_for_circle(1, 0, -1),
    "CEM(horizon=): found str '4', expected a whole number": lambda body: plan.CEM(len, [0], [1], "4"),
    "Space.debug_draw(): found None, expected DrawOptions": lambda body: forkmunk.Space().debug_draw(None),
    "Recorder.path(): found <forkmunk.Circle of Body(": lambda body: forkmunk.Recorder(recorded := forkmunk.Space()).path(
        recorded.add(body, circle := forkmunk.Circle(body, 1)) or circle),
    f"Space.restore(): found {bytes(999)!r:.200}, expected what": lambda body: forkmunk.Space().restore(bytes(999)),
    "SpaceOfMine: found a Space that was never made": lambda body: SpaceOfMine().step(1),
    "Checkpoint(): found <random.SystemRandom": lambda body: forkmunk.Checkpoint(random.SystemRandom()),
    "Body: found a pickle that pymunk made":
        lambda body: body.__setstate__({"init": [("mass", 1)], "general": [], "custom": [], "special": []}),
    "play(matches=): found int 5, expected a list of": lambda body: madcars.play("builtin:hold", "builtin:hold", 5),
    "play(seed=): found int -1, expected 0 or more": lambda body: madcars.play("builtin:hold", "builtin:hold", seed=-1),
    "Planner(name): found int 5, expected one of madcars.planners": lambda body: madcars.Planner(5),
    "Planner(evaluator=): found int 5, expected one of madcars.evaluators": lambda body: madcars.Planner(evaluator=5),
    "Planner(seed=): found int -1, expected 0 or more": lambda body: madcars.Planner(seed=-1),
    "Planner(hold=): found float 1.5, expected a whole number, or None": lambda body: madcars.Planner(hold=1.5),
    "Planner(discount=): found str 'a', expected a number, or None": lambda body: madcars.Planner(discount="a"),
    "Planner.decide(ticks=): found float nan, expected a whole number, or None":
        lambda body: madcars.Planner().decide(madcars.World("PillMap", "Buggy"), ticks=float("nan")),
    "Planner.decide(time_ms=): found str 'a', expected 0 to 1e9, or None":
        lambda body: madcars.Planner().decide(madcars.World("PillMap", "Buggy"), time_ms="a"),
    "Planner.decide(time_ms=): found float -1e-09, expected 0 to 1e9":
        lambda body: madcars.Planner().decide(madcars.World("PillMap", "Buggy"), time_ms=-1e-9),
    "Space.step(): found a dynamic body with mass 0 and moment 0, expected both above 0":
        lambda body: (space := forkmunk.Space()).add(forkmunk.Body()) or space.step(0.1),
    "a planner's rounds: expected 1 or more": lambda body: plan.CEM(len, [0], [1], 4, rounds=0),
    "a planner's horizon, plans: expected less than 2^28 numbers": lambda body: plan.CEM(len, [0], [1], 4, plans=2**60),
    "StateStore.load(path): found 5, expected a path (str or os.PathLike)": lambda body: forkmunk.StateStore.load(5),
    "StateStore.save(path): found 5, expected a path": lambda body: forkmunk.StateStore(forkmunk.Space()).save(5),
    "Recorder.save(path): found 5, expected a path": lambda body: forkmunk.Recorder(forkmunk.Space()).save(5),
    "view(path): found 5, expected a path": lambda body: forkmunk.view(forkmunk.Space(), 5),
    "load(): found int 5, expected a path": lambda body: madcars.load(5),
    "verify(): found int 5, expected a path": lambda body: madcars.verify(5),
    "Space.from_bytes(): found 'abc', expected bytes": lambda body: forkmunk.Space.from_bytes("abc"),
    "SpaceBatch.restore(): found 5, expected what Space.save() gave": lambda body: forkmunk.SpaceBatch(forkmunk.Space(), 1).restore(5),
    "SpaceBatch.rollout(observe): found str 'p', expected pairs":
        lambda body: forkmunk.SpaceBatch(forkmunk.Space(), 1).rollout(forkmunk.Space().save(), [[[]]], [], dt=0.1, observe="position"),
    "rollouts(): found 5 and 3, expected a SpaceBatch and a function": lambda body: plan.rollouts(5, [], 3, dt=0.1),
    "environment(): found 5, expected an environment with step()": lambda body: plan.environment(5),
    "Space.step(dt): found -1e-09, expected": lambda body: forkmunk.Space().step(-1e-9),
    "SpaceBatch.step(dt): found -1e-09, expected": lambda body: forkmunk.SpaceBatch(forkmunk.Space(), 1).step(-1e-9),
    "view(thing): found 5, expected a forkmunk.Space": lambda body: forkmunk.view(5),
    "preview(space): found 5, expected a forkmunk.Space": lambda body: forkmunk.preview(5, [body], 3),
    "preview(bodies): found Body(": lambda body: forkmunk.preview(forkmunk.Space(), body, 3),
    "differences(): found 5, expected a forkmunk.Space": lambda body: forkmunk.differences(forkmunk.Space(), 5),
    "a map and a car: found int 5": lambda body: madcars.Env(5),
    "planner_ticks: found 'a', expected a whole number": lambda body: madcars.Env(planner_ticks="a"),
    "planner_ticks: found -3, expected a whole number": lambda body: madcars.VectorEnv(2, planner_ticks=-3),
    "save_replay(): no match has begun": lambda body: madcars.Env().save_replay(),
    "reset(seed): found 1.5, expected a whole number, or a list of 2": lambda body: madcars.VectorEnv(2).reset(seed=1.5),
    "reset(seed): found 0.5, expected a whole number": lambda body: forkmunk.vectorize(madcars.Env, 2).reset(seed=[0.5, 1]),
    "reset(seed): found 1 seeds, expected 2": lambda body: forkmunk.vectorize(madcars.Env, 2).reset(seed=[1]),
    "Bot(spec): found int 3, expected": lambda body: madcars.Bot(3),
    "Bot(seed=): found int -1, expected 0 or more": lambda body: madcars.Bot("builtin:chase", -1),
    "a command: found an array of int64 (2,), expected": lambda body: madcars.World("PillMap", "Buggy").step(np.array([1, 0]), 0),
    "a bot: found an empty text, expected a command line or builtin:NAME": lambda body: madcars.play("", "builtin:hold"),
    "across(map_): found 3, expected a function": lambda body: plan.across(3, len, 2),
    "across(score): found 3, expected a function": lambda body: plan.across(map, 3, 2),
    "across(parts): found 'x', expected a whole number, 1 or more": lambda body: plan.across(map, len, "x"),
    "across(parts): found 2.5, expected a whole number": lambda body: plan.across(map, len, 2.5),
}


@pytest.mark.parametrize("text", CALLS)
def test_wrong_arguments(text):
    with pytest.raises((Error, TypeError)) as raised:
        CALLS[text](forkmunk.Body(1, 1))
    assert str(raised.value).startswith(text)


VALUES = {
    "a text of letters of two bytes": lambda: forkmunk.Body("\u00e9" * 80, 1),
    "the same, cut at another byte": lambda: forkmunk.Body("x" + "\u00e9" * 80, 1),
    "a text with half a letter": lambda: forkmunk.Body("\udc80", 1),
    "the type's name": lambda: forkmunk.Body(type("\u00e9", (), {})(), 1),
    "a map": lambda: madcars.World("\udc80", "Buggy"),
    "a car": lambda: madcars.World("PillMap", "\udc80"),
    "a command": lambda: madcars.World("PillMap", "Buggy").step("\udc80", 0),
    "a player": lambda: madcars.World("PillMap", "Buggy").car("\udc80"),
    "matches": lambda: madcars.play("builtin:hold", "builtin:hold", "\udc80"),
    "a bot": lambda: madcars.play("builtin:\udc80", "builtin:hold"),
    "spread": lambda: plan.CEM(len, [0], [1], 3, spread="x"),
    "elites": lambda: plan.CEM(len, [0], [1], 3, elites=None),
    "no sample": lambda: autogeometry.march_soft((0, 0, 1, 1), 4, 4, 0.5, lambda point: None),
    "a text as a sample": lambda: autogeometry.march_hard((0, 0, 1, 1), 4, 4, 0.5, lambda point: "1"),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_that_cannot_be_read(name):
    with pytest.raises((Error, TypeError), match="expected "):
        VALUES[name]()


def test_a_joint_whose_space_is_gone():
    joint = list(machine().fork().constraints)[0]
    forkmunk.Checkpoint([joint]).restore()
    for use in (forkmunk.Space().add, copy.copy, copy.deepcopy, lambda it: it.a, lambda it: it.b,
                lambda it: pickle.loads(pickle.dumps(it))):
        with pytest.raises(Error, match="without bodies"):
            use(joint)


class Removes:
    """A number or pair that removes a body and adds others while it is read."""

    def __init__(self, space, body):
        self.space, self.body = space, body

    def __float__(self):
        if self.body.space is not None:
            self.space.remove(*self.body.shapes, self.body)
            for _ in range(50):
                self.space.add(forkmunk.Body(1, 1))
        return 2.0

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return float(self)


@pytest.mark.parametrize("name", ["angle", "angular_velocity", "torque", "mass", "moment", "position", "velocity", "force",
                                  "center_of_gravity"])
def test_an_object_that_goes_while_a_value_is_read(name):
    space = pile(3)
    body = list(space.bodies)[1]
    setattr(body, name, Removes(space, body))
    assert body.space is None and getattr(body, name) in (2.0, (2.0, 2.0))
    assert all(getattr(other, name) != 2.0 and other.angle != 2.0 for other in space.bodies)


@pytest.mark.parametrize("name", ["apply_impulse_at_local_point", "apply_impulse_at_world_point",
                                  "apply_force_at_local_point", "apply_force_at_world_point"])
def test_a_body_that_goes_while_a_push_is_read(name):
    space = pile(3)
    body = list(space.bodies)[1]
    getattr(body, name)(Removes(space, body), (0, 0))
    getattr(list(space.bodies)[1], name)((1, 1), Removes(space, list(space.bodies)[1]))
    assert body.space is None and (body.velocity != (0, 0) or body.force != (0, 0))
    assert all(other.velocity == (0, 0) and other.force == (0, 0) for other in space.bodies)


@pytest.mark.parametrize("name", ["friction", "elasticity", "mass", "density", "surface_velocity"])
def test_a_shape_that_goes_while_a_value_is_read(name):
    space = pile(3)
    shape = list(space.shapes)[1]
    setattr(shape, name, Removes(space, shape.body))
    assert shape.space is None and getattr(shape, name) in (2.0, (2.0, 2.0))


def test_a_result_without_a_truth_value():
    space = pile(3)
    handler = space.add_default_collision_handler()
    handler.post_solve = lambda *_: np.zeros(2)  # this result is ignored
    run(space, 60)
    handler.pre_solve = lambda *_: np.zeros(2)
    with pytest.raises(ValueError, match="truth value"):
        run(space, 60)


JOINTS = {
    "PinJoint": lambda a, b, read: forkmunk.PinJoint(a, b, read, (0, 0)),
    "SlideJoint": lambda a, b, read: forkmunk.SlideJoint(a, b, (0, 0), (0, 0), 1, read),
    "PivotJoint": lambda a, b, read: forkmunk.PivotJoint(a, b, read, (0, 0)),
    "GrooveJoint": lambda a, b, read: forkmunk.GrooveJoint(a, b, (0, 0), (1, 0), read),
    "DampedSpring": lambda a, b, read: forkmunk.DampedSpring(a, b, (0, 0), (0, 0), 1, 2, read),
    "DampedRotarySpring": lambda a, b, read: forkmunk.DampedRotarySpring(a, b, 1, 2, read),
    "RotaryLimitJoint": lambda a, b, read: forkmunk.RotaryLimitJoint(a, b, 0, read),
    "RatchetJoint": lambda a, b, read: forkmunk.RatchetJoint(a, b, 0, read),
    "GearJoint": lambda a, b, read: forkmunk.GearJoint(a, b, 0, read),
    "SimpleMotor": lambda a, b, read: forkmunk.SimpleMotor(a, b, read),
    "Poly": lambda a, b, read: forkmunk.Poly(a, [(0, 0), (3, 0), read]),
}


class Adds:
    """A number or pair that adds two bodies while it is read, which moves bodies in memory."""

    def __init__(self, *bodies):
        self.bodies, self.space = bodies, None

    def __float__(self):
        if self.space is None:
            self.space = forkmunk.Space()
            self.space.add(*self.bodies)
            [forkmunk.Body(9, 9) for _ in range(50)]
        return 2.0

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return float(self)


@pytest.mark.parametrize("name", JOINTS)
def test_bodies_that_move_in_memory_while_a_value_is_read(name):
    def build(read):
        a, b = forkmunk.Body(1, 1), forkmunk.Body(1, 1)
        a.position, b.position, b.angle = (3, 4), (30, 40), 5
        made = JOINTS[name](a, b, read or Adds(a, b))
        if a.space is None:
            forkmunk.Space().add(a, b)
        space = a.space or forkmunk.Space()
        space.add(*{a, b} - set(space.bodies), made)
        values = [str(getattr(made, field, None)) for field in ("distance", "angle", "phase", "area", "anchor_a", "anchor_b")]
        for _ in range(5):
            space.step(1 / 60)
        return values, a.position, b.angle, a.velocity

    assert build(None) == build((2, 2) if name in ("PinJoint", "PivotJoint", "GrooveJoint", "Poly") else 2)
