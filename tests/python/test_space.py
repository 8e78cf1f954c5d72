# SPDX-License-Identifier: MIT

import copy
import gc
import math
import pickle
import random as randoms
import resource
import threading
import time
import weakref

import pytest

import forkmunk as pymunk
from forkmunk import Error
from scenes import DT, machine, pile, run

@pytest.mark.parametrize("build", [pile, machine])
def test_saves_restores_and_forks_bit_for_bit(build):
    space = build()
    run(space, 20)
    saved, twin = space.save(), space.fork()
    assert twin.hash() == space.hash()
    after = run(space, 100)
    assert run(twin, 100) == after
    space.restore(saved)
    assert run(space, 100) == after
    fresh = build()
    run(fresh, 20)
    fresh.restore(saved)
    assert run(fresh, 100) == after
    assert run(build(), 120) == after
    assert copy.deepcopy(space).hash() == copy.copy(space).hash() == space.copy().hash() == after


def test_large_collision_types_and_groups_count():
    def built(collision_type, group):
        space = pile(3)
        list(space.shapes)[0].collision_type = collision_type
        list(space.shapes)[0].filter = pymunk.ShapeFilter(group=group)
        return space.hash()

    assert built(100_000, 70_000) == built(100_000, 70_000)
    assert len({built(100_000, 70_000), built(200_000, 70_000), built(100_000, 80_000)}) == 3


def test_twins_are_independent():
    space = pile(4)
    body = list(space.bodies)[0]
    twin = space.fork()
    other = twin.twin_of(body)
    assert other is not body and other is twin.twin_of(body) and other.space is twin
    other.position = (5, 500)
    assert body.position != other.position
    other.apply_impulse_at_local_point((100, 0))
    assert other.velocity.x == 100 and body.velocity.x == 0


def test_what_is_gone_raises_and_what_comes_back_is_there():
    space = pile(2)
    saved = space.save()
    late = pymunk.Body(1, 1)
    circle = pymunk.Circle(late, 3)
    space.add(late, circle)
    with_late = space.save()
    space.restore(saved)
    for use in (lambda: late.position, lambda: late.activate(), lambda: circle.friction,
                lambda: setattr(late, "velocity", (1, 1)), lambda: space.remove(late), lambda: space.add(late)):
        with pytest.raises(Error):
            use()
    assert late.space is None and late not in space.bodies
    space.restore(with_late)
    assert late in space.bodies and late.space is space and circle.body is late
    space.remove(circle, late)
    assert late.space is None and late.mass == 1 and circle.radius == 3 and circle.body is late
    space.restore(with_late)
    assert late.space is space
    space.remove(late, circle)
    space.add(late, circle)
    assert len(space.bodies) == 3
    space.restore(saved)
    assert len(space.bodies) == 2


def test_handlers_travel_with_forks_and_restores():
    space, calls = pile(6), []
    before = space.save()

    def begin(arbiter, at, data):
        calls.append((at, arbiter.shapes, arbiter.contact_point_set.normal, arbiter.is_first_contact))
        data["count"] = data.get("count", 0) + 1
        return True

    handler = space.add_collision_handler(0, 0)
    assert space.add_collision_handler(0, 0) is handler
    handler.begin = begin
    twin = space.fork()
    run(space, 60)
    count = len(calls)
    assert count > 5 and {call[0] for call in calls} == {space} and calls[0][3] and handler.data["count"] == count
    assert run(twin, 60) == space.hash()
    assert len(calls) == 2 * count and {call[0] for call in calls[count:]} == {twin}
    assert all(shape.space is twin for call in calls[count:] for shape in call[1])
    with_handler = space.save()
    handler.begin = None
    space.restore(before)
    run(space, 60)
    assert len(calls) == 2 * count  # the restored state had no handler
    space.restore(with_handler)
    assert handler.begin is begin
    list(space.bodies)[0].position = (0, 300)
    run(space, 90)
    assert len(calls) > 2 * count


def test_a_handler_that_a_restore_forgot_can_be_set_again():
    space, calls = pile(6), []
    before = space.save()
    handler = space.add_collision_handler(0, 0)
    handler.begin = lambda *_: calls.append(1) or True
    space.restore(before)
    assert handler.begin is None
    handler.begin = lambda *_: calls.append(2) or True
    run(space, 30)
    assert set(calls) == {2}


def test_a_fork_that_is_restored_to_a_later_state_has_its_classes():
    class Ship(pymunk.Body):
        pass

    space = pile(2)
    twins = [space.fork(), space.fork()]
    assert len(twins[1].bodies) == 2  # so that the twin has a list of them
    ship = Ship(1, 1)
    space.add(ship)
    later = space.save()
    for twin in twins:
        twin.restore(later)
        assert [type(body) for body in twin.bodies] == [pymunk.Body, pymunk.Body, Ship] and type(twin.twin_of(ship)) is Ship


def test_a_fork_that_is_restored_to_a_later_state_has_its_handlers_data():
    space, heard = pile(2), []
    list(space.bodies)[1].position = list(space.bodies)[0].position
    twin = space.fork()
    own = twin.add_collision_handler(0, 0)
    own.data["name"] = "twin"
    before, handler = twin.save(), space.add_collision_handler(0, 0)
    handler.data["name"], handler.post_solve = "old", lambda arbiter, at, data: heard.append((at, data["name"]))
    space.on_collision(0, 0, post_solve=lambda arbiter, at, data: heard.append((at, data)), data="new")
    twin.restore(space.save())
    assert own.post_solve is handler.post_solve and own.data == handler.data and own.data is not handler.data
    twin.step(DT)
    assert set(heard) == {(twin, "old"), (twin, "new")}
    twin.restore(before)
    assert own.post_solve is None and own.data == {"name": "twin"}


def test_what_moved_to_another_space_comes_back_as_another():
    one, other = pile(1), pymunk.Space()
    saved, body, shape = one.save(), list(one.bodies)[0], list(one.shapes)[1]
    one.remove(body, shape)
    other.add(body, shape)
    one.restore(saved)
    assert body.space is other and list(one.bodies)[0] is not body and list(one.bodies)[0].space is one
    assert list(one.shapes)[1].body is list(one.bodies)[0] and one.bodies == one.bodies


def test_handlers_decide_and_see():
    space = pile(0)
    list(space.shapes)[0].collision_type = 2
    ball = pymunk.Body(1, 10)
    ball.position = (0, 50)
    circle = pymunk.Circle(ball, 5)
    circle.collision_type = 1
    space.add(ball, circle)
    events = []
    handler = space.add_collision_handler(1, 2)
    handler.pre_solve = lambda arbiter, _, __: events.append("pre") or False
    handler.separate = lambda arbiter, _, __: events.append("separate")
    run(space, 60)
    assert ball.position.y < -50 and "pre" in events and events[-1] == "separate"
    handler.pre_solve = handler.separate = None
    wild, total = space.add_wildcard_collision_handler(1), []
    wild.post_solve = lambda arbiter, _, __: total.append(arbiter.total_impulse.length)
    ball.position, ball.velocity = (0, 20), (0, 0)
    run(space, 60)
    assert ball.position.y > 0 and sum(total) > 0


def meeting(*types):
    """Returns a space with two overlapping circles of these collision types."""
    space = pymunk.Space()
    for collision_type in types:
        body = pymunk.Body(1, 1)
        circle = pymunk.Circle(body, 5)
        circle.collision_type = collision_type
        space.add(body, circle)
    return space


def types_of(arbiter):
    return tuple(shape.collision_type for shape in arbiter.shapes)


@pytest.mark.parametrize("types", [(1, 2), (2, 1)])
def test_all_functions_of_on_collision_are_called_in_order(types):
    space, calls = meeting(*types), []
    for key in ((), (2,), (1,), (3,), (2, 1), (1, 2), (1, 3), (1, 1)):
        space.on_collision(*key, **{event: lambda arbiter, at, data, event=event: calls.append((event, data, types_of(arbiter)))
                                    for event in ("begin", "pre_solve", "post_solve", "separate")}, data=key)
    twin = pickle.loads(pickle.dumps(meeting(*types)))
    space.step(DT)
    twin.step(DT)
    assert [body.position for body in space.bodies] == [body.position for body in twin.bodies]
    a, b = types
    levels = [((a, b), (a, b)), ((b, a), (b, a)), ((a,), (a, b)), ((b,), (b, a)), ((), (a, b))]
    expected = [(event, *level) for event in ("begin", "pre_solve", "post_solve") for level in levels]
    assert calls == expected or calls == [(event, *level) for event in ("begin", "pre_solve", "post_solve")
                                          for level in [levels[1], levels[0], levels[3], levels[2], ((), (b, a))]]
    calls.clear()
    space.remove(next(iter(space.shapes)))
    assert [call[:2] for call in calls] and {call[0] for call in calls} == {"separate"} and len(calls) == 5


@pytest.mark.parametrize("with_functions, without, expected", [
    ("pair all one two", "", [("pair", (2, 1))]), ("all one two", "", [("all", None)]), ("one two", "", [("one", (1, 2)), ("two", (2, 1))]),
    ("two", "all", [("two", (2, 1))]), ("all one two", "pair", [("one", (1, 2)), ("two", (2, 1))])])
def test_one_function_of_version_6_decides(with_functions, without, expected):
    """The function for the pair decides, then the default handler, then those of both types."""
    make = {"pair": lambda at: at.add_collision_handler(2, 1), "all": lambda at: at.add_default_collision_handler(),
            "one": lambda at: at.add_wildcard_collision_handler(1), "two": lambda at: at.add_wildcard_collision_handler(2)}
    for accepts in (True, False):
        space, calls = meeting(1, 2), []
        for name in without.split():
            make[name](space)
        for name in with_functions.split():
            make[name](space).begin = lambda arbiter, at, data, name=name: calls.append(
                (name, None if name == "all" else types_of(arbiter))) or accepts
        run(space, 2)
        assert sorted(calls) == expected
        assert all((body.position == (0, 0)) != accepts for body in space.bodies)


def test_a_type_hears_of_each_collision_once():
    space, calls = meeting(1, 1), []
    space.on_collision(1, begin=lambda arbiter, at, data: calls.append("new"))
    space.add_wildcard_collision_handler(1).begin = lambda arbiter, at, data: calls.append("old") or True
    space.step(DT)
    assert calls == ["old", "old", "new", "new"]  # once for each shape


def test_functions_that_are_added_in_a_callback():
    space, calls = meeting(1, 2), []

    def begin(arbiter, at, data):
        at.on_collision(1, 2, pre_solve=lambda *_: calls.append("pair"))
        at.on_collision(2, pre_solve=lambda *_: calls.append("two"))

    space.on_collision(1, begin=begin)
    twin = space.fork()
    for at in (space, twin):
        calls.clear()
        at.step(DT)
        at.step(DT)
        assert calls[-2:] == ["pair", "two"]
    assert space.hash() == twin.hash()


def test_a_rejected_collision_stays_rejected_until_the_shapes_part():
    space, calls = meeting(1, 2), []

    def begin(arbiter, at, data):
        arbiter.process_collision = False
        calls.append("begin")

    space.on_collision(1, 2, begin=begin, separate=lambda *_: calls.append("separate"))
    run(space, 5)
    assert calls == ["begin"] and all(body.position == (0, 0) for body in space.bodies)
    body = next(iter(space.bodies))
    body.position = (100, 0)
    run(space, 5)
    space.on_collision(1, 2, begin=lambda *_: calls.append("again"))
    body.position = (1, 0)
    run(space, 5)
    assert calls == ["begin", "separate", "again"] and body.position.x != 1


def test_callbacks_may_raise_add_and_remove():
    space, arbiters = pile(3), []
    handler = space.add_default_collision_handler()

    def meets(arbiter, at, data):
        arbiters.append(arbiter)
        shape = next(s for s in arbiter.shapes if s.body is not at.static_body)
        at.add(pymunk.Body(1, 1))
        at.remove(shape, *([shape.body] if len(shape.body.shapes) == 1 else []))
        for call in (at.save, at.fork, lambda: at.step(DT)):
            with pytest.raises(Error):
                call()
        raise RuntimeError("seen")

    handler.begin = meets
    with pytest.raises(RuntimeError, match="seen"):
        run(space, 60)
    assert len(space.shapes) == 3 and len(space.bodies) == 3
    assert abs(arbiters[0].normal.length - 1) < 1e-12
    with pytest.raises(Error, match="over"):
        arbiters[0].ignore()
    handler.begin = None
    later = []
    assert space.add_post_step_callback(lambda s, key, word: later.append((key, word)), 1, "now")
    assert later == [(1, "now")]
    run(space, 5)


def test_plain_data_until_added():
    body = pymunk.Body(2, 30)
    body.position, body.angle = (10, 20), math.pi / 2
    assert body.local_to_world((1, 0)) == pytest.approx((10, 21)) and body.world_to_local((10, 21)) == pytest.approx((1, 0))
    body.apply_impulse_at_local_point((4, 0), (0, 1))
    plain = (body.velocity, body.angular_velocity)
    space = pymunk.Space()
    other = pymunk.Body(2, 30)
    other.position, other.angle = (10, 20), math.pi / 2
    space.add(other)
    other.apply_impulse_at_local_point((4, 0), (0, 1))
    assert plain == (pytest.approx(other.velocity), pytest.approx(other.angular_velocity))
    assert body.space is None and not body.is_sleeping and body.shapes == set()
    shape = pymunk.Poly(body, [(0, 0), (4, 0), (4, 4), (0, 4), (2, 2)])
    assert len(shape.get_vertices()) == 4
    shape.filter = pymunk.ShapeFilter(group=3)
    space.add(shape, body)
    assert shape.filter.group == 3 and body.shapes == {shape} and shape.area == 16 and body.kinetic_energy > 0


@pytest.mark.parametrize("has_hash", [False, True])
def test_queries_of_a_space_find_what_those_of_its_shapes_find(has_hash):
    random, space = randoms.Random(5), pymunk.Space()
    if has_hash:
        space.use_spatial_hash(20, 1000)
    for _ in range(60):
        body = pymunk.Body(1, 1)
        body.position = random.uniform(-100, 100), random.uniform(-100, 100)
        space.add(body, pymunk.Poly.create_box(body, (random.uniform(1, 20), 5), random.choice([0, 2])))
    space.step(DT)
    for _ in range(100):
        a, b, radius = (random.uniform(-120, 120), 0), (random.uniform(-120, 120), random.uniform(-120, 120)), random.choice([0, 3, 8])
        lines = {shape: shape.segment_query(a, b, radius) for shape in space.shapes}
        lines = {shape: info for shape, info in lines.items() if info}
        assert {info.shape: info for info in space.segment_query(a, b, radius)} == lines
        first = space.segment_query_first(a, b, radius)
        assert (first and first.alpha) == min((info.alpha for info in lines.values()), default=None)
        near = {shape for shape in space.shapes if shape.point_query(b).distance < radius}
        assert {info.shape for info in space.point_query(b, radius)} == near


def test_queries():
    space = pymunk.Space()
    body = pymunk.Body(1, 1)
    body.position = (100, 0)
    circle = pymunk.Circle(body, 10)
    space.add(body, circle)
    assert space.point_query_nearest((100, 15), 10).distance == pytest.approx(5)
    assert space.point_query_nearest((100, 50), 10) is None
    assert [info.shape for info in space.point_query((95, 0), 0)] == [circle]
    first = space.segment_query_first((0, 0), (200, 0))
    assert first.shape is circle and first.point == pytest.approx((90, 0)) and first.alpha == pytest.approx(0.45)
    assert len(space.segment_query((0, 0), (200, 0), 1)) == 1
    assert space.bb_query(pymunk.BB(80, -20, 120, 20)) == [circle]
    assert space.bb_query(pymunk.BB(80, -20, 120, 20), pymunk.ShapeFilter(mask=0)) == []
    probe = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    probe.position = (115, 0)
    assert [info.shape for info in space.shape_query(pymunk.Circle(probe, 10))] == [circle]


def test_bodies_sleep():
    space = pile(1)
    space.sleep_time_threshold = 0.3
    run(space, 200)
    body = list(space.bodies)[0]
    assert body.is_sleeping
    assert run(space.fork(), 10) == run(space, 10)
    body.activate()
    assert not body.is_sleeping


def test_forks_and_drops_leave_memory_flat():
    space = pile(6)
    space.add_collision_handler(0, 0).begin = lambda *_: True
    run(space, 30)

    def churn(count):
        for _ in range(count):
            twin = space.fork()
            twin.restore(space.save())
            twin.step(DT)

    churn(300)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    churn(100_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8192  # KB


def test_spaces_are_collected():
    space = pile(2)
    space.add_collision_handler(0, 0).begin = lambda *_: space is not None  # a reference cycle
    gone = weakref.ref(space)
    del space
    gc.collect()
    assert gone() is None


def test_threads_have_their_own():
    expected, hashes = run(pile(), 60), []
    threads = [threading.Thread(target=lambda: hashes.append(run(pile(), 60))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hashes == [expected] * 4


@pytest.mark.parametrize("seed", range(6))
def test_random_use_keeps_twins_equal(seed):
    random = randoms.Random(seed)
    space, calls = pile(3), []
    space.sleep_time_threshold = 0.5
    snapshots, everything = [space.save()], [*space.bodies, *space.shapes]

    def body_of(at):
        return random.choice(list(at.bodies)) if at.bodies else at.static_body

    def add(at):
        body = pymunk.Body(random.uniform(0.1, 5), random.uniform(1, 50))
        body.position = (random.uniform(-200, 200), random.uniform(10, 200))
        other = body_of(at)
        shape = random.choice([lambda: pymunk.Circle(body, random.uniform(0, 9)), lambda: pymunk.Poly.create_box(body, (9, 9), 1),
                               lambda: pymunk.Segment(body, (-9, 0), (9, 0), 2)])()
        shape.collision_type = random.randrange(3)
        joint = random.choice([lambda: pymunk.PinJoint(body, other), lambda: pymunk.SimpleMotor(body, other, 3),
                               lambda: pymunk.DampedSpring(body, other, (0, 0), (1, 1), 20, 30, 1),
                               lambda: pymunk.PivotJoint(body, other, (0, 0))])
        things = [body, shape, *([joint()] if random.random() < 0.4 else [])]
        random.shuffle(things)
        at.add(*things)
        everything.extend(things)

    def remove(at):
        body = body_of(at)
        if body is not at.static_body:
            at.remove(body, *(thing for thing in (*body.shapes, *body.constraints) if thing.space is at))

    def listen(at):
        handler = at.add_collision_handler(random.randrange(3), random.randrange(3))
        event = random.choice(["begin", "pre_solve", "post_solve", "separate"])
        setattr(handler, event, random.choice([None, lambda *_: calls.append(1) or True, lambda *_: False]))

    def use_anything(at):
        thing = random.choice(everything)
        try:
            getattr(thing, random.choice(["space", "friction", "position", "body", "max_force", "shapes", "is_sleeping"]))
            if isinstance(thing, pymunk.Body):
                thing.velocity = (random.uniform(-50, 50), 0)
                thing.apply_impulse_at_local_point((0, 5), (1, 0))
        except (Error, AttributeError):
            pass

    for _ in range(400):
        step = random.randrange(9)
        if step == 0:
            add(space)
        elif step == 1:
            remove(space)
        elif step == 2:
            listen(space)
        elif step == 3:
            snapshots.append(space.save())
        elif step == 4:
            space.restore(random.choice(snapshots))
        elif step == 5:
            use_anything(space)
        elif step == 6 and random.random() < 0.3:
            space = space.fork()
        else:
            twin = space.fork()
            assert run(twin, 3) == run(space, 3)


def test_a_bodys_shapes_take_time_by_their_number():
    def seconds(count):  # for each body
        space = pymunk.Space()
        for i in range(count):
            body = pymunk.Body(1, 1)
            space.add(body, pymunk.Circle(body, 1))
        bodies = list(space.bodies)[:50]

        def once():
            begin = time.thread_time()
            for body in bodies:
                assert len(body.shapes) == 1 and not body.constraints
            return time.thread_time() - begin

        return min(once() for _ in range(20))

    assert seconds(2000) < 8 * seconds(50)  # a search through the space took 40 times


def chain(remove):
    """Returns the velocities of a chain after a removal; the order of the joints decides them."""
    space, bodies, joints = pymunk.Space(), [], []
    space.gravity = (0, -100)
    for i in range(8):
        body = pymunk.Body(1, 10)
        body.position = (i * 10, i % 3)
        bodies.append(body)
        space.add(body, pymunk.Circle(body, 6))
    for a, b in zip(bodies, bodies[1:]):
        joints.append(pymunk.SlideJoint(a, b, (1, 0), (0, 1), 2, 9))
        joints.append(pymunk.PinJoint(a, b, (0, 1), (1, 0)))
    space.add(*joints, pymunk.PinJoint(bodies[1], bodies[3], (0, 0), (0, 3)), pymunk.PinJoint(bodies[2], bodies[4], (0, 3), (0, 0)))
    remove(space, bodies, joints)
    for _ in range(30):
        space.step(DT)
    return bodies[4].velocity, bodies[2].velocity


def in_callback(space, work):
    calls = []

    def hit(arbiter, space, data):
        if not calls:
            calls.append(1)
            work()
        return True

    space.on_collision(begin=hit)


ORDERS = {
    "as they were made": lambda space, bodies, joints: space.remove(joints[1], joints[3]),
    "the other way round": lambda space, bodies, joints: space.remove(joints[3], joints[1]),
    "a body before its shape": lambda space, bodies, joints: space.remove(bodies[7], joints[13], joints[12], *bodies[7].shapes),
    "in a callback": lambda space, bodies, joints: in_callback(space, lambda: space.remove(joints[1], joints[3])),
    "in a callback, with another": lambda space, bodies, joints: in_callback(
        space, lambda: (space.remove(joints[1]), space.add(pymunk.PivotJoint(bodies[1], bodies[2], (15, 1))), space.remove(joints[5]))),
}


ENDS = {
    "as they were made": ((33.50088175055612, -82.91279335730279), (80.75112289740349, -5.873083621804142)),
    "the other way round": ((44.47075691125201, -54.94073578703339), (22.961794338765127, -39.61745119090729)),
    "a body before its shape": ((29.721197347106145, -28.96015768518916), (2.369788722301016, -29.84865358067343)),
    "in a callback": ((51.04701790431242, -70.13428165000008), (25.276685619008525, -27.69908229976833)),
    "in a callback, with another": ((41.28432425795783, -42.689846273166545), (43.996687543160824, -58.64360631022748)),
}


@pytest.mark.parametrize("name", ORDERS)
def test_the_order_of_removing_is_pymunks(name):
    """The numbers are pymunk 7.3's."""
    assert [tuple(velocity) for velocity in chain(ORDERS[name])] == [pytest.approx(end, rel=1e-9) for end in ENDS[name]]


def test_compact_packs_a_space_and_changes_nothing():
    space = machine()
    ball = next(body for body in space.bodies if body.shapes)
    kept = space.save()
    crowd = [pymunk.Body(1, 1) for _ in range(2000)]
    space.add(*crowd, *(pymunk.Circle(body, 1, (3 * i, 1000)) for i, body in enumerate(crowd)))
    space.remove(*(shape for body in crowd for shape in body.shapes), *crowd)
    run(space, 20)
    twin, full, before = space.fork(), space.save(), space.live_bytes
    space.compact()
    assert space.live_bytes < before / 4 and space.save().size_bytes < full.size_bytes / 4
    assert space.hash() == twin.hash() and ball.position == twin.twin_of(ball).position and ball.space is space
    ball.velocity = twin.twin_of(ball).velocity = (3, 40)
    after = run(space, 50)
    assert after == run(twin, 50)
    space.restore(full)
    ball.velocity = (3, 40)
    assert run(space, 50) == after
    space.restore(kept)
    assert space.hash() == machine().hash() and len(space.bodies) == len(machine().bodies)
    refused, space = [], pile(3)
    space.on_collision(pre_solve=lambda arbiter, at, data: refused.append(pytest.raises(Error, at.compact)))
    run(space, 50)
    assert refused


def test_a_checked_step_names_what_became_non_finite_and_restores_the_state():
    space = pymunk.Space(checked=True)
    calm, wild = pymunk.Body(1, 1), pymunk.Body(1, 1)
    wild.position = (30, 0)
    space.add(calm, wild, pymunk.Circle(wild, 1))
    wild.velocity = (1e140, 0)
    space.step(1)
    for copied in (space, space.fork(), copy.deepcopy(space), pickle.loads(pickle.dumps(space))):
        its_wild = copied.twin_of(wild) if copied is not space else wild
        its_wild.velocity, its_wild.force = (1e308, 0), (1e308, 0)
        before = copied.hash()
        with pytest.raises(Error, match="non-finite") as raised:
            copied.step(1)
        assert raised.value.object is its_wild and copied.hash() == before and its_wild.velocity.x == 1e308
        its_wild.velocity = its_wild.force = (0, 0)
        copied.step(1)
    unchecked = pymunk.Space()
    assert not unchecked.checked and not pymunk.fork(unchecked).checked
    a, b = pymunk.Body(1, 1), pymunk.Body(1, 1)
    joint = pymunk.DampedSpring(a, b, (0, 0), (0, 0), 0, 1, 0)
    unchecked.add(a, b, joint)
    unchecked.checked = True
    joint.force_func = lambda spring, distance: 1e308
    a.position, b.velocity = (5, 0), (0, 1e300)
    with pytest.raises(Error, match="non-finite") as raised:
        for _ in range(3):
            unchecked.step(1e4)
    assert raised.value.object in (a, b, joint)
