# SPDX-License-Identifier: MIT

import forkmunk as pymunk

DT = 1 / 60


def pile(count=30):
    space = pymunk.Space()
    space.gravity = (0, -900)
    floor = pymunk.Segment(space.static_body, (-300, 0), (300, 0), 2)
    floor.friction = 1
    space.add(floor)
    for i in range(count):
        body = pymunk.Body(1, pymunk.moment_for_box(1, (20, 20)))
        body.position = (i % 6 * 22 - 60, 30 + i // 6 * 22)
        shape = pymunk.Poly.create_box(body, (20, 20)) if i % 2 else pymunk.Circle(body, 10)
        shape.friction, shape.elasticity = 0.6, 0.2
        space.add(body, shape)
    return space


def run(space, steps):
    for _ in range(steps):
        space.step(DT)
    return space.hash()


def machine():
    """Returns a space with all ten kinds of joints."""
    space = pymunk.Space()
    space.gravity = (0, -100)
    ground, bodies = space.static_body, []
    for i in range(11):
        body = pymunk.Body(1, 10)
        body.position = (i * 30, 100)
        bodies.append(body)
        space.add(body, pymunk.Circle(body, 5))
    a = bodies
    joints = [pymunk.PinJoint(ground, a[0], (0, 200), (0, 0)), pymunk.SlideJoint(a[0], a[1], (0, 0), (0, 0), 10, 40),
              pymunk.PivotJoint(a[1], a[2], (45, 100)), pymunk.GrooveJoint(a[2], a[3], (-10, 0), (40, 0), (0, 0)),
              pymunk.DampedSpring(a[3], a[4], (0, 0), (0, 0), 25, 50, 1), pymunk.DampedRotarySpring(a[4], a[5], 0.5, 80, 2),
              pymunk.RotaryLimitJoint(a[5], a[6], -0.5, 0.5), pymunk.RatchetJoint(a[6], a[7], 0, 0.3),
              pymunk.GearJoint(a[7], a[8], 0, 2), pymunk.SimpleMotor(a[8], a[9], 3)]
    space.add(*joints)
    return space
