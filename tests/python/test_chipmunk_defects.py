# SPDX-License-Identifier: MIT
"""Programs that would end or hang a process with Chipmunk 7.0.3, each in a process of its own."""

import math
import os
import pickle
import subprocess
import sys

import pytest

import forkmunk as pymunk
import forkmunk.pymunk as forkmunk_pymunk
from forkmunk.pymunk import autogeometry, util

SCENE = """
import copy
import signal
import threading
import forkmunk as fm
signal.setitimer(signal.ITIMER_PROF, 20)  # seconds of CPU: an endless loop ends the program

def two():
    space = fm.Space()
    space.sleep_time_threshold = 0.5
    bodies = [fm.Body(1, 1), fm.Body(1, 1)]
    bodies[1].position = (5, 0)
    for body in bodies:
        space.add(body, fm.Circle(body, 5))
    return space, *bodies

def asleep(count=6, defects="none"):
    space = fm.Space(defects=defects)
    space.gravity, space.sleep_time_threshold = (0, -100), 0.2
    space.add(fm.Segment(space.static_body, (-100, 0), (100, 0), 1))
    for i in range(count):
        body = fm.Body(1, 10)
        body.position = (i * 9.5 - 25, 6)
        shape = fm.Circle(body, 5)
        shape.friction = 1
        space.add(body, shape)
    for _ in range(300):
        space.step(1 / 60)
    assert all(body.is_sleeping for body in space.bodies)
    falling = fm.Body(1, 10)
    falling.position, falling.velocity = (0, 25), (0, -50)
    space.add(falling, fm.Circle(falling, 5))
    return space

def other_space(call):
    space, body = fm.Space(), fm.Body(1, 1)
    body.velocity_func = lambda *_: call()
    space.add(body)
    space.step(0.1)
"""

PROGRAMS = {
    "a body that touches an awake one is put to sleep": """
space, a, b = two()
space.step(0.01)
try:
    a.sleep()
except fm.Error as error:
    assert "touches" in str(error)
for _ in range(5):
    space.step(0.01)
""",
    "bodies are put to sleep before a step": """
space, a, b = two()
a.sleep()
b.sleep()
for _ in range(5):
    space.step(0.01)
""",
    **{f"a default handler is added while shapes touch, then {then}": f"""
for add in (lambda s: s.add_default_collision_handler(), lambda s: s.add_wildcard_collision_handler(0)):
    space, a, b = two()
    space.step(0.01)
    handler = add(space)
    {then}
    for _ in range(10):
        space.step(0.01)
""" for then in ("space.remove(*a.shapes)", "b.position = (50, 0)", "handler.separate = lambda *_: None; b.position = (50, 0)",
                 "space.restore(space.save()); space.fork().step(0.01); space.remove(*b.shapes, b)")},
    **{f"{event} wakes sleeping bodies by {name}": f"""
for defects in ("none", "pymunk", "stock"):
    space, woken = asleep(defects=defects), []
    sleepers = list(space.bodies)[:-1]
    def wake(arbiter, space, data):
        for body in sleepers:
            {call}
        woken.append(not any(body.is_sleeping for body in sleepers))
        return True
    space.add_collision_handler(0, 0).{event} = wake
    for _ in range(60):
        space.step(1 / 60)
    space.fork().step(1 / 60)
    fm.Space.from_bytes(space.to_bytes()).step(1 / 60)
    assert all(woken) and (woken or "{event}" == "separate")
""" for event in ("begin", "pre_solve", "post_solve", "separate")
       for name, call in {"velocity": "body.velocity = (0, 20)", "activate": "body.activate()",
                          "an impulse": "body.apply_impulse_at_local_point((0, 20))",
                          "friction": "list(body.shapes)[0].friction = 0.3", "gravity": "space.gravity = (0, -90)"}.items()},
    **{f"a sleeping body becomes {kind}": f"""
space = asleep()
body = list(space.bodies)[0]
body.body_type = fm.Body.{kind}
assert not body.is_sleeping
for _ in range(60):
    space.step(1 / 60)
space.fork().step(1 / 60)
""" for kind in ("STATIC", "KINEMATIC")},
    "one of two sleepers becomes kinematic, and the other wakes": """
space = asleep()
sleepers = [body for body in space.bodies if body.is_sleeping]
sleepers[1].body_type = fm.Body.KINEMATIC
sleepers[0].velocity = (0, 20)
for _ in range(60):
    space.step(1 / 60)
""",
    "the floor of sleepers becomes kinematic": """
space = fm.Space()
space.gravity, space.sleep_time_threshold = (0, -100), 0.2
floor = fm.Body(body_type=fm.Body.STATIC)
box = fm.Body(1, 100)
box.position = (0, 6)
space.add(floor, fm.Segment(floor, (-100, 0), (100, 0), 1), box, fm.Poly.create_box(box, (10, 10)))
for _ in range(400):
    space.step(1 / 60)
assert box.is_sleeping
floor.body_type = fm.Body.KINEMATIC
assert not box.is_sleeping
floor.velocity = (0, -10)
for _ in range(60):
    space.step(1 / 60)
assert box.position.y < 0
""",
    "a state is put back in each_arbiter()": """
space, a, b = two()
space.step(0.01)
start, refused = space.save(), []
def restore(arbiter):
    try:
        space.restore(start)
    except fm.Error as error:
        refused.append(error)
a.each_arbiter(restore)
assert refused
space.step(0.01)
""",
    **{f"{event}: {name} is used while bodies sleep": f"""
space = asleep()
a, b, *_ = space.bodies
kept = fm.DampedSpring(a, b, (0, 0), (0, 0), 9.5, 1, 0)
kept.force_func = lambda spring, distance: 0.0
torsion = fm.DampedRotarySpring(a, b, 0, 1, 0)
torsion.torque_func = lambda spring, angle: 0.0
def use(*_):
    {call}
    return True
if "{event}" == "position_func":
    list(space.bodies)[-1].position_func = lambda body, dt: (fm.Body.update_position(body, dt), use())
else:
    space.add_default_collision_handler().{event} = use
for _ in range(60):
    space.step(1 / 60)
""" for event in ("begin", "pre_solve", "position_func")
       for name, call in {"a spring's function": "kept.force_func = len", "a torsion spring's": "torsion.torque_func = len",
                          "a copy": "copy.copy(kept), kept.copy()",
                          "another thread": "t = threading.Thread(target=a.activate); t.start(); t.join()",
                          "another space": "other_space(lambda: a.activate())"}.items()},
    **{f"{event} wakes a sleeper of another space": f"""
space, other = asleep(), asleep()
body = list(other.bodies)[0]
def wake(*_):
    body.activate()
    return True
space.add_default_collision_handler().{event} = wake
for _ in range(60):
    space.step(1 / 60)
assert not body.is_sleeping
""" for event in ("begin", "pre_solve")},
    "callbacks wake bodies after the step": """
space = asleep()
def wake(arbiter, space, data):
    space.add_post_step_callback(lambda space, key: [setattr(body, "velocity", (0, 20)) for body in space.bodies], 1)
    return True
space.add_collision_handler(0, 0).begin = wake
for _ in range(60):
    space.step(1 / 60)
assert not any(body.is_sleeping for body in space.bodies)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_ends(name):
    done = subprocess.run([sys.executable, "-B", "-c", SCENE + PROGRAMS[name]], capture_output=True, text=True, env=os.environ, timeout=600)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("defects", ["none", "pymunk", "stock"])
def test_a_segment_without_a_body_is_where_it_was_updated(defects):
    space, loose = pymunk.Space(defects=defects), pymunk.Segment(None, (0, 0), (5, 0), 1)
    box = pymunk.Poly(space.static_body, [(3, -1), (6, -1), (6, 1), (3, 1)])
    space.add(box)
    assert space.shape_query(loose) == []
    loose.update(pymunk.Transform.identity())
    [hit] = space.shape_query(loose)
    assert hit.shape is box
    assert {round(point.distance, 9) for point in hit.contact_point_set.points} == {-2}
    assert len(loose.shapes_collide(box).points) == 2


def test_a_space_has_the_defects_that_it_was_made_with():
    def impulse(space):
        body = pymunk.Body(1, 1)
        body.position = (10, 0)
        spring = pymunk.DampedSpring(space.static_body, body, (0, 0), (0, 0), 0, 100, 0)
        spring.max_force = 10
        space.add(body, spring)
        space.step(0.1)
        return round(body.velocity.x, 9)

    assert pymunk.Space().defects == "none"
    assert forkmunk_pymunk.Space().defects == "pymunk"
    assert impulse(pymunk.Space()) == impulse(forkmunk_pymunk.Space()) == -1
    stock = pymunk.Space(defects="stock")
    assert impulse(stock) == -100
    assert [twin.defects for twin in (stock.fork(), stock.copy(), pickle.loads(pickle.dumps(stock)))] == ["stock"] * 3
    for wrong in ("", "Stock", "chipmunk"):
        with pytest.raises(pymunk.Error, match="defects"):
            pymunk.Space(defects=wrong)


def test_a_body_outside_keeps_its_type_while_a_shape_is_inside():
    space, body = pymunk.Space(), pymunk.Body(1, 1)
    circle = pymunk.Circle(body, 5)
    space.add(body, circle)
    space.remove(body)
    with pytest.raises(pymunk.Error, match="a shape of it is"):
        body.body_type = pymunk.Body.STATIC
    space.remove(circle)
    body.body_type = pymunk.Body.STATIC


def test_a_cut_to_the_first_vertex_of_a_polygon():
    """Chipmunk reads one vertex past the end."""
    for points in range(3, 12):
        star = [pymunk.Vec2d(math.cos(i), math.sin(i)) * (1 + k % 2) for k in range(2 * points) for i in [math.pi * k / points]]
        for first in range(2 * points):
            turned = star[first:] + star[:first]
            parts = autogeometry.convex_decomposition([*turned, turned[0]], 0)
            assert sum(util.calc_area(part[:-1]) for part in parts) == pytest.approx(util.calc_area(star))
