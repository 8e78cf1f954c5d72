# SPDX-License-Identifier: MIT

import copy
import math
import pickle
import sys
import threading

import pytest

import forkmunk as pymunk
from forkmunk import Error
from scenes import DT, machine, pile, run


BAD_OBJECTS = {
    "negative mass": lambda: pymunk.Body(-1, 1),
    "nan mass": lambda: pymunk.Body(math.nan, 1),
    "infinite mass": lambda: pymunk.Body(math.inf, 1),
    "text for mass": lambda: pymunk.Body("1", 1),
    "body type": lambda: pymunk.Body(1, 1, 7),
    "position": lambda: setattr(pymunk.Body(1, 1), "position", (1, 2, 3)),
    "nan position": lambda: setattr(pymunk.Body(1, 1), "position", (math.nan, 0)),
    "number for position": lambda: setattr(pymunk.Body(1, 1), "position", 3),
    "velocity function": lambda: setattr(pymunk.Body(1, 1), "velocity_func", 3),
    "shape of a word": lambda: pymunk.Circle("body", 1),
    "friction before": lambda: setattr(pymunk.Circle(None, 1), "friction", -1),
    "asleep nowhere": lambda: pymunk.Body(1, 1).sleep(),
    "joint of one": lambda: (lambda b: pymunk.PinJoint(b, b))(pymunk.Body(1, 1)),
    "joint of words": lambda: pymunk.PinJoint("a", "b"),
    "pivot": lambda: pymunk.PivotJoint(pymunk.Body(1, 1), pymunk.Body(1, 1)),
    "never made": lambda: pymunk._forkmunk.SpaceCore.__new__(pymunk._forkmunk.SpaceCore).save(),
    "body never made": lambda: pymunk.Body.__new__(pymunk.Body).position,
    "moment": lambda: pymunk.moment_for_circle(math.nan, 0, 1),
    "moment of a point": lambda: pymunk.moment_for_poly(1, [(0, 0)]),
    "empty poly": lambda: pymunk.Poly(None, []),
    "wide collision type": lambda: setattr(pymunk.Circle(None, 1), "collision_type", 2**64),
    "product of vectors": lambda: pymunk.Vec2d(1, 2) * (3, 4),
    "sum with a triple": lambda: pymunk.Vec2d(1, 2) + (1, 2, 3),
}

BAD_USES = {
    "joint's function": lambda s: setattr(list(s.constraints)[0], "pre_solve", 3),
    "radius": lambda s: s.add(pymunk.Circle(s.static_body, math.nan)),
    "shape without a body": lambda s: s.add(pymunk.Circle(None, 1)),
    "shape of another space": lambda s: s.add(pymunk.Circle(pymunk.Body(1, 1), 1)),
    "poly of one point": lambda s: s.add(pymunk.Poly(s.static_body, [(1, 1), (1, 1), (1, 1)])),
    "flat poly with a mass": lambda s: (lambda shape: (setattr(shape, "mass", 1), s.add(shape.body, shape)))(
        pymunk.Poly(pymunk.Body(1, 1), [(0, 0), (1, 1), (2, 2)])),
    "friction": lambda s: setattr(list(s.shapes)[0], "friction", -1),
    "filter": lambda s: setattr(list(s.shapes)[0], "filter", (1, 2)),
    "wide filter": lambda s: setattr(list(s.shapes)[0], "filter", (1, 2**40, 1)),
    "collision type": lambda s: setattr(list(s.shapes)[0], "collision_type", -1),
    "sensor": lambda s: setattr(list(s.shapes)[0], "sensor", "False"),
    "collide_bodies": lambda s: setattr(list(s.constraints)[0], "collide_bodies", None),
    "no mass": lambda s: setattr(list(s.bodies)[0], "mass", 0),
    "mass of the ground": lambda s: setattr(s.static_body, "mass", 1),
    "time of sleep": lambda s: setattr(s, "sleep_time_threshold", math.nan),
    "asleep where nothing sleeps": lambda s: list(s.bodies)[0].sleep(),
    "added twice": lambda s: s.add(list(s.bodies)[0]),
    "added twice at once": lambda s: (lambda b: s.add(b, b))(pymunk.Body(1, 1)),
    "added to two": lambda s: pymunk.Space().add(list(s.bodies)[0]),
    "no object": lambda s: s.add(3),
    "removed from nowhere": lambda s: s.remove(pymunk.Circle(list(s.bodies)[0], 1)),
    "removed ground": lambda s: s.remove(s.static_body),
    "joint of the ground": lambda s: s.add(pymunk.PinJoint(s.static_body, pymunk.Body(body_type=pymunk.Body.STATIC))),
    "joint of another space": lambda s: pymunk.Space().add(pymunk.PinJoint(list(s.bodies)[0], pymunk.Body(1, 1))),
    "slide": lambda s: s.add(pymunk.SlideJoint(*list(s.bodies)[:2], (0, 0), (0, 0), 5, 1)),
    "groove": lambda s: s.add(pymunk.GrooveJoint(*list(s.bodies)[:2], (1, 1), (1, 1), (0, 0))),
    "force": lambda s: setattr(list(s.constraints)[0], "max_force", -1),
    "iterations": lambda s: setattr(s, "iterations", 0),
    "many iterations": lambda s: setattr(s, "iterations", 10**12),
    "gravity": lambda s: setattr(s, "gravity", (0, math.inf)),
    "damping": lambda s: setattr(s, "damping", -1),
    "dt": lambda s: s.step(math.nan),
    "text for dt": lambda s: s.step("1"),
    "snapshot": lambda s: s.restore(b""),
    "query": lambda s: s.point_query((math.nan, 0), 1),
    "query distance": lambda s: s.point_query((0, 0), math.nan),
    "query box": lambda s: s.bb_query((0, 0, math.nan, 0)),
    "handler": lambda s: s.add_collision_handler(-1, 2),
    "no callable": lambda s: setattr(s.add_collision_handler(1, 2), "begin", 3),
    "twin of a number": lambda s: s.twin_of(5),
    "twin of an outsider": lambda s: s.twin_of(pymunk.Body(1, 1)),
    "reindexed number": lambda s: s.reindex_shape(5),
    "reindexed body as a shape": lambda s: s.reindex_shape(s.static_body),
    "reindexed shapes of a foreign body": lambda s: s.reindex_shapes_for_body(pymunk.Space().static_body),
    "queried number": lambda s: s.shape_query(5),
}


@pytest.mark.parametrize("name", BAD_OBJECTS)
def test_wrong_arguments_raise(name):
    with pytest.raises((Error, TypeError)) as raised:
        BAD_OBJECTS[name]()
    assert str(raised.value)


@pytest.mark.parametrize("name", BAD_USES)
def test_wrong_uses_of_a_space_change_nothing(name):
    space = machine()
    space.add_collision_handler(1, 2)
    run(space, 3)
    before = space.hash()
    with pytest.raises((Error, TypeError)) as raised:
        BAD_USES[name](space)
    assert str(raised.value) and space.hash() == before


def test_what_cannot_be_stepped_or_removed():
    for body in (pymunk.Body(), pymunk.Body(1)):
        space = pymunk.Space()
        space.add(body)
        with pytest.raises(Error):
            space.step(DT)
    space = pile(1)
    shape = list(space.shapes)[0]
    space.remove(list(space.bodies)[0], shape)
    with pytest.raises(Error):
        space.remove(shape)
    space.sleep_time_threshold = 1
    with pytest.raises(Error, match="sleep"):
        space.step(DT)


def test_a_failed_add_leaves_nothing():
    space, before = pymunk.Space(), pymunk.Space().hash()
    good = pymunk.Body(1, 1)
    with pytest.raises(Error, match="Circle"):
        space.add(good, pymunk.Circle(good, 1), pymunk.Poly(good, [(1, 1)]))
    assert list(space.bodies) == [] == list(space.shapes) and good.space is None and good.mass == 1
    space.add(good)
    assert before != space.hash()


def test_a_body_without_mass_is_not_stepped():
    space = pymunk.Space()
    body = pymunk.Body()
    circle = pymunk.Circle(body, 5)
    circle.mass = 3
    space.add(body, circle)
    run(space, 3)
    assert body.mass == 3
    circle.mass = 0
    with pytest.raises(Error, match="mass"):
        space.step(DT)


def test_what_leaves_the_finite_numbers_is_not_stepped():
    space = pymunk.Space()
    body = pymunk.Body(1, 1)
    body.velocity = (1e300, 0)
    space.add(body, pymunk.Circle(body, 1))
    with pytest.raises(Error, match="finite"):
        for _ in range(100):
            space.step(1e10)


def test_twice_in_a_step_is_once():
    space, bullet, splinter = pymunk.Space(), pymunk.Body(1, 1), pymunk.Body(1, 1)
    shape, calls = pymunk.Circle(bullet, 5), []
    shape.collision_type = 1
    for x in (-4, 4):
        box = pymunk.Body(1, 1)
        box.position = (x, 0)
        space.add(box, pymunk.Circle(box, 5))
    space.add(bullet, shape)

    def hit(arbiter, space, data):
        space.remove(shape, bullet)
        space.add(splinter)
        space.add_post_step_callback(lambda space, key: calls.append(key), len(calls))
        return True

    handler = space.add_collision_handler(1, 0)
    handler.begin = hit
    handler.separate = lambda arbiter, space, data: space.remove(shape, bullet)
    space.step(DT)
    assert bullet.space is None and shape.space is None and splinter.space is space and calls
    space.step(DT)


@pytest.mark.parametrize("name", ["velocity_func", "position_func", "pre_solve", "post_solve", "force_func", "torque_func"])
def test_an_error_in_a_function_comes_out_of_step(name):
    """The step is completed with the function's default."""
    def build():
        space, a, b = pymunk.Space(), pymunk.Body(1, 1), pymunk.Body(1, 1)
        space.gravity, b.position = (0, -10), (5, 0)
        joint = (pymunk.DampedRotarySpring(a, b, 1, 2, 0.1) if name == "torque_func"
                 else pymunk.DampedSpring(a, b, (0, 0), (0, 0), 1, 2, 0.1))
        space.add(a, b, joint)
        return space, a, joint

    space, body, joint = build()
    holder, calls = body if name in ("velocity_func", "position_func") else joint, []
    default = getattr(holder, name)

    def fail(*arguments):
        calls.append(arguments)
        raise KeyError(len(calls))

    setattr(holder, name, fail)
    for count in (1, 2):
        with pytest.raises(KeyError, match=str(count)):
            space.step(0.1)
    assert len(calls) == 2 and calls[0][0] is holder
    twin = space.fork()
    with pytest.raises(KeyError, match="3"):
        twin.step(0.1)
    setattr(holder, name, default)
    space.add(pymunk.Body(1, 1))
    space.step(0.1)
    assert len(calls) == 3 and len(space.bodies) == 3 and math.isfinite(body.position.y)


def test_an_error_in_deferred_work_does_not_lose_the_rest():
    space, calls = pile(2), []
    body = list(space.bodies)[0]

    def hit(arbiter, space, data):
        space.remove(space.static_body)
        space.add_post_step_callback(lambda space, key: calls.append(key), 1)
        return True

    space.add_collision_handler(0, 0).pre_solve = hit
    list(space.bodies)[1].position = body.position
    with pytest.raises(Error, match="static"):
        space.step(DT)
    assert calls == [1]


def test_another_thread_in_a_callback_gets_an_error():
    space, raised, read = pile(2), [], []
    list(space.bodies)[1].position = list(space.bodies)[0].position

    def other(call):
        try:
            call()
        except Error as error:
            raised.append(str(error))

    def hit(arbiter, space, data):
        for call in (lambda: space.add(pymunk.Body(1, 1)), lambda: space.remove(list(space.shapes)[0]), lambda: space.step(DT),
                     lambda: read.append((space.gravity, list(space.bodies)[0].position, len(space.bb_query((-500, 0, 500, 500)))))):
            thread = threading.Thread(target=other, args=(call,))
            thread.start()
            thread.join()
        return True

    space.add_collision_handler(0, 0).begin = hit
    space.step(DT)
    assert len(raised) == 3 and all("thread" in text for text in raised) and len(space.bodies) == 2
    assert read and read[0][0] == (0, -900) and read[0][2] == 3  # other threads may read


def test_a_callback_does_not_write_its_space():
    space, texts = pile(2), []
    calls = {"Space.to_bytes()": space.to_bytes, "Space.save()": space.save, "Space.fork()": space.fork, "pickle.dumps()": lambda: pickle.dumps(space),
             "pickle.dumps() or StateStore.append()": lambda: pymunk.StateStore(space)}

    def hit(arbiter, space, data):
        for name, call in calls.items():
            with pytest.raises(Error, match="was called in a callback") as raised:
                call()
            texts.append(str(raised.value).startswith(name))
        return True

    space.add_collision_handler(0, 0).post_solve = hit
    run(space, 60)
    assert texts and all(texts)


def test_a_ratchet_keeps_its_angle_when_removed():
    space = machine()
    ratchet = next(c for c in space.constraints if isinstance(c, pymunk.RatchetJoint))
    run(space, 5)
    ratchet.angle = 0.25
    space.remove(ratchet)
    assert ratchet.angle == 0.25
    space.add(ratchet)
    assert ratchet.angle == 0.25


def test_a_copy_has_its_own_data():
    body = pymunk.Body(1, 2)
    twin = copy.copy(body)
    twin.position = (7, 7)
    assert body.position == (0, 0) and twin.moment == 2
    space = pile(1)
    inside = list(space.bodies)[0]
    twin = copy.copy(inside)
    assert twin.space is None and twin.position == inside.position and inside.space is space


def test_a_restore_across_spaces_brings_the_handlers_data():
    def hit(arbiter, space, data):
        seen.append(data["name"])
        return True

    spaces, seen = [], []
    for name in "AB":
        space = pile(2)
        list(space.bodies)[1].position = list(space.bodies)[0].position
        handler = space.add_collision_handler(0, 0)
        handler.data["name"], handler.begin = name, hit
        spaces.append(space)
    a, b = spaces
    a.restore(b.save())
    a.step(DT)
    assert seen and set(seen) == {"B"}


def test_an_object_that_is_removed_and_added_again_is_the_same():
    space = pile(3)
    run(space, 10)
    body, shape, saved = list(space.bodies)[1], list(space.shapes)[2], space.save()
    after = run(space, 20)
    space.restore(saved)
    space.remove(shape, body)
    space.add(body, shape)
    assert list(space.bodies)[-1] is body and list(space.shapes)[-1] is shape
    run(space, 3)
    space.restore(saved)
    assert list(space.bodies)[1] is body and list(space.shapes)[2] is shape and shape.body is body
    assert run(space, 20) == after
    other = space.fork()
    space.remove(shape, body)
    other.add(body, shape)  # a twin has that id in the other space
    assert len(other.bodies) == 4 and list(other.bodies)[-1] is body and list(other.bodies)[1] is not body


class Ball(pymunk.Body):
    pass


class Scene(pymunk.Space):
    def __init__(self):
        super().__init__()
        self.ball, self.score = Ball(1, 1), [0]
        self.ball.owner = self
        circle = pymunk.Circle(self.ball, 5)
        circle.color = "red"
        self.add(self.ball, circle)


def test_twins_keep_classes_and_attributes():
    scene = Scene()
    twin, deep = scene.fork(), copy.deepcopy(scene)
    for other in (twin, deep):
        assert type(other) is Scene and type(list(other.bodies)[0]) is Ball and list(other.shapes)[0].color == "red"
        assert type(other.twin_of(scene.ball)) is Ball and other.hash() == scene.hash()
    assert twin.score is scene.score and deep.score == [0] and deep.score is not scene.score
    assert deep.ball is list(deep.bodies)[0] and deep.ball.owner is deep and twin.ball is scene.ball


class Environment:
    def __init__(self):
        self.space, self.hits = pile(2), 0
        self.ball, self.shape = list(self.space.bodies)[0], list(self.space.shapes)[1]
        self.spare = pymunk.Circle(pymunk.Body(1, 1), 3)
        list(self.space.bodies)[1].position = self.ball.position
        self.space.add_collision_handler(0, 0).begin = self.hit
        self.start = self.space.save()

    def hit(self, arbiter, space, data):
        assert space is self.space
        self.hits += 1
        return True


def test_deepcopy_of_an_environment_is_complete():
    env = Environment()
    first, twin = copy.deepcopy([env.ball, env])
    assert first is twin.ball is list(twin.space.bodies)[0] and twin.shape.body is twin.ball and twin.shape in twin.ball.shapes
    assert twin.spare.body is not env.spare.body and twin.spare.radius == 3
    assert run(twin.space, 5) and twin.hits > 0 and env.hits == 0
    assert run(env.space, 5) == twin.space.hash() and env.hits == twin.hits
    twin.space.restore(twin.start)
    before = env.hits
    assert run(twin.space, 5) == env.space.hash() and env.hits == before and twin.hits == 2 * before


def test_what_a_body_has():
    space = machine()
    for body in [space.static_body, *space.bodies]:
        assert body.shapes == {s for s in space.shapes if s.body is body}
        assert body.constraints == {c for c in space.constraints if body in (c.a, c.b)}
    assert pymunk.Body(1, 1).shapes == set()


def test_texts_for_people():
    assert repr(pymunk.Body(1, 2)) == "Body(1.0, 2.0, Body.DYNAMIC)"
    for thing in (*machine().constraints, *pile(2).shapes, pymunk.Body.__new__(pymunk.Body)):
        assert " object at 0x" not in repr(thing)


def test_what_separate_raises_leaves_the_space_whole():
    space = pile(3)
    run(space, 60)
    space.on_collision(separate=lambda *_: 1 / 0)
    shape, other = list(space.shapes)[1], list(space.shapes)[2]
    with pytest.raises(ZeroDivisionError):
        space.remove(shape, other)
    assert shape.space is None and other.space is None and shape not in space.shapes and other not in space.shapes
    assert copy.deepcopy(space).hash() == space.hash()
    space.restore(space.save())
    run(space, 5)


def test_a_joint_that_is_refused_leaves_its_bodies():
    first, second, a, b = pymunk.Space(), pymunk.Space(), pymunk.Body(1, 1), pymunk.Body(1, 1)
    second.add(b)
    with pytest.raises(Error, match="another space"):
        first.add(pymunk.PinJoint(a, b))
    second.add(a)
    assert a.space is second


class Interrupts:
    """Raises KeyboardInterrupt at the n-th bytecode of scene.py, as Ctrl-C may."""

    def __init__(self, n):
        self.left = n

    def __call__(self, frame, event, argument):
        if frame.f_code.co_filename.endswith("scene.py"):
            frame.f_trace_opcodes = True
            if event == "opcode":
                self.left -= 1
                if self.left == 0:
                    sys.settrace(None)
                    raise KeyboardInterrupt
        return self

    def during(self, call):
        sys._getframe().f_trace_opcodes = True  # Python 3.12 needs it before settrace()
        sys.settrace(self)
        try:
            call()
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(None)
        return self.left > 0


def interrupted(call):
    """Yields a space for each bytecode at which a call was interrupted."""
    for n in range(1, 10**6):
        space, work = call()
        finished = Interrupts(n).during(work)
        yield space
        if finished:
            return


def lists_are_right(space):
    twin = pickle.loads(pickle.dumps(space))
    return all([thing._id for thing in mine] == [thing._id for thing in its] and all(thing.space is space for thing in mine)
               for mine, its in ((space.bodies, twin.bodies), (space.shapes, twin.shapes), (space.constraints, twin.constraints)))


def adding():
    space = machine()
    len(space.bodies), len(space.shapes), len(space.constraints)
    body = pymunk.Body(1, 1)
    return space, lambda: space.add(pymunk.PinJoint(body, space.static_body), pymunk.Circle(body, 3), body)


def removing():
    space, _ = adding()
    body = list(space.bodies)[3]
    return space, lambda: space.remove(*body.shapes, body, *body.constraints)


@pytest.mark.parametrize("call", [adding, removing])
def test_ctrl_c_leaves_add_and_remove_whole(call):
    counts = set()
    for space in interrupted(call):
        assert lists_are_right(space)
        counts.add((len(space.bodies), len(space.shapes), len(space.constraints)))
        space.step(DT)
        space.add(pymunk.Body(1, 1))
    assert len(counts) == 2  # everything or nothing was done


def test_what_callbacks_deferred_is_done_when_one_is_interrupted():
    space, calls = pile(3), []

    def later(space, key):
        calls.append(key)
        if key == 1:
            raise KeyboardInterrupt

    def hit(arbiter, space, data):
        for key in range(4):
            space.add_post_step_callback(later, key)
        return True

    space.add_default_collision_handler().begin = hit
    with pytest.raises(KeyboardInterrupt):
        run(space, 60)
    assert calls[:4] == [0, 1, 2, 3]


class Falsy:
    """A callable that is false, as an object with __len__ may be."""

    def __init__(self):
        self.calls = 0

    def __bool__(self):
        return False

    def __call__(self, *arguments):
        self.calls += 1
        return 0.0


@pytest.mark.parametrize("name", ["velocity_func", "position_func", "pre_solve", "post_solve", "force_func", "torque_func"])
def test_a_function_that_is_false_is_called(name):
    space, a, b = pymunk.Space(), pymunk.Body(1, 1), pymunk.Body(1, 1)
    b.position = (9, 0)
    joint = (pymunk.DampedRotarySpring(a, b, 1, 2, 0.1) if name == "torque_func"
             else pymunk.DampedSpring(a, b, (0, 0), (0, 0), 1, 2, 0.1))
    space.add(a, b, joint)
    function, holder = Falsy(), a if name in ("velocity_func", "position_func") else joint
    setattr(holder, name, function)
    space.step(DT)
    assert function.calls == 1 and getattr(holder, name) is function


@pytest.mark.parametrize("defects", ["none", "pymunk"])
def test_a_shape_may_cover_any_number_of_cells(defects):
    def end_of(cell_first):
        """A ball falls onto a floor in 4e14 cells."""
        space, ball, planet = pymunk.Space(defects=defects), pymunk.Body(1, 1), pymunk.Body(1, 1)
        if cell_first:
            space.use_spatial_hash(cell_first, 1000)
        space.gravity = (0, -100)
        ball.position, planet.position = (0, 3), (3e9, 0)
        circle = pymunk.Circle(ball, 1)
        space.add(ball, circle, pymunk.Poly.create_box_bb(space.static_body, pymunk.BB(-1e7, -1e7, 1e7, 0)))
        space.add(planet, pymunk.Circle(planet, 1))
        space.use_spatial_hash(1, 1000)
        run(space, 60)
        circle.unsafe_set_radius(1e6)
        space.reindex_shapes_for_body(ball)
        run(space, 1)
        return tuple(ball.position)

    x, y = end_of(None)
    assert x == 0 and y > 0.8 and end_of(2) == (x, y)


PYMUNK_ENDS = {"line": (0.0, 0.8249580587909514), "radius": (0.0, -21.750841436458085), "slop": (0.0, 0.947405221241792)}


def ending(radius=3, points=((-5, -2), (5, -2)), **settings):
    space, body = pymunk.Space(), pymunk.Body(1, 10)
    space.gravity = (0, -100)
    for name, value in settings.items():
        setattr(space, name, value)
    body.position, body.angle = (0, 20), 0.3
    space.add(body, pymunk.Poly(body, points, radius=max(radius, 0)), pymunk.Circle(body, radius))
    space.add(pymunk.Segment(space.static_body, (-50, -5), (50, -5), 1))
    for _ in range(60):
        space.step(1 / 60)
    return body.position


def test_what_pymunk_accepts():
    """The numbers are pymunk 7.3's."""
    assert ending(points=((-5, -2), (0, -2), (5, -2))) == ending() == PYMUNK_ENDS["line"]
    assert ending(radius=-1) == PYMUNK_ENDS["radius"]
    assert ending(collision_slop=-1) == PYMUNK_ENDS["slop"]
    assert ending(sleep_time_threshold=0) == (0, 20) == ending(sleep_time_threshold=-1)
    space, body = pymunk.Space(defects="pymunk"), pymunk.Body(1, 1)
    space.gravity, body.velocity = (0, -100), (3, 0)
    space.add(body)
    space.step(-0.1)
    space.step(-0.1)
    assert body.position == (-0.6000000000000001, -1.0) and body.velocity == (3, 20)
    for kind in (pymunk.Body.KINEMATIC, pymunk.Body.STATIC):
        pushed = pymunk.Body(body_type=kind)
        space.add(pushed)
        pushed.apply_impulse_at_local_point((1, 0), (0, 1))
        pushed.apply_force_at_local_point((1, 0), (0, 1))
        assert pushed.force == (1, 0) and pushed.velocity == (0, 0) and pushed.angular_velocity == 0
        space.step(0.1)
        assert pushed.position == (0, 0) and pushed.velocity == (0, 0)


def test_an_arbiter_that_is_kept_has_its_last_values():
    space, kept, seen = pile(3), [], []

    def hit(arbiter, space, data):
        kept.append(arbiter)
        seen.append((arbiter.normal, arbiter.total_impulse, arbiter.contact_point_set, arbiter.shapes, arbiter.friction))

    space.on_collision(post_solve=hit)
    run(space, 40)
    assert len(kept) > 20 and len(set(map(str, seen))) > 10
    assert [(a.normal, a.total_impulse, a.contact_point_set, a.shapes, a.friction) for a in kept] == seen
    for call in (lambda: setattr(kept[0], "friction", 1), kept[0].ignore):
        with pytest.raises(Error, match="over"):
            call()
