# SPDX-License-Identifier: MIT
"""Prints a line for each of many random scenes: the bits of all its bodies after some steps, hashed.

    pymunk_bits.py COUNT [FIRST_SEED] [--forkmunk 6|7] [--hash]

scripts/compare_with_pymunk compares the lines of pymunk and forkmunk.pymunk. --hash: with spatial hashes.
"""

import argparse
import hashlib
import math
import random
import struct


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("first", type=int, nargs="?", default=1)
    parser.add_argument("--forkmunk", type=int)
    parser.add_argument("--hash", action="store_true")
    return parser.parse_args()


def add_shape(pymunk, space, body, rnd):
    radius = rnd.choice([0, 0, 1, 2.5])
    kind = rnd.randrange(4)
    if kind == 0:
        shape = pymunk.Circle(body, rnd.uniform(3, 12), (rnd.uniform(-2, 2), 0))
    elif kind == 1:
        shape = pymunk.Segment(body, (-rnd.uniform(2, 14), rnd.uniform(-3, 3)), (rnd.uniform(2, 14), 0), rnd.uniform(1, 4))
    elif kind == 2:
        shape = pymunk.Poly.create_box(body, (rnd.uniform(6, 25), rnd.uniform(6, 25)), radius)
    else:
        count, size = rnd.randint(3, 8), rnd.uniform(5, 14)
        corners = [(size * math.cos(math.tau * i / count), size * math.sin(math.tau * i / count)) for i in range(count)]
        shape = pymunk.Poly(body, corners, radius=radius)
    shape.friction, shape.elasticity = rnd.choice([0, 0.5, 1]), rnd.choice([0, 0, 0.4, 0.9])
    if rnd.random() < 0.1:
        shape.surface_velocity = (rnd.uniform(-20, 20), 0)
    if rnd.random() < 0.05:
        shape.sensor = True
    if rnd.random() < 0.15:
        shape.filter = pymunk.ShapeFilter(group=rnd.randint(1, 3))
    if rnd.random() < 0.1:
        shape.filter = pymunk.ShapeFilter(categories=rnd.randint(1, 7), mask=rnd.randint(1, 7))
    space.add(shape)


def add_joint(pymunk, space, a, b, rnd):
    p = (rnd.uniform(-5, 5), rnd.uniform(-5, 5))
    q = (rnd.uniform(-5, 5), rnd.uniform(-5, 5))
    joint = rnd.choice([
        lambda: pymunk.PinJoint(a, b, p, q),
        lambda: pymunk.SlideJoint(a, b, p, q, 5, 30),
        lambda: pymunk.PivotJoint(a, b, p, q),
        lambda: pymunk.GrooveJoint(a, b, (-10, 0), (10, 3), q),
        lambda: pymunk.DampedSpring(a, b, p, q, rnd.uniform(0, 30), rnd.uniform(5, 300), rnd.uniform(0, 20)),
        lambda: pymunk.DampedRotarySpring(a, b, rnd.uniform(-1, 1), rnd.uniform(100, 5000), rnd.uniform(0, 300)),
        lambda: pymunk.RotaryLimitJoint(a, b, -0.5, 0.7),
        lambda: pymunk.RatchetJoint(a, b, 0.1, 0.5),
        lambda: pymunk.GearJoint(a, b, 0.2, 1.5),
        lambda: pymunk.SimpleMotor(a, b, rnd.uniform(-4, 4)),
    ])()
    if rnd.random() < 0.3:
        joint.max_force = rnd.choice([50.0, 1000.0, 20000.0])
    if rnd.random() < 0.2:
        joint.collide_bodies = False
    space.add(joint)


def slowed(pymunk):
    def velocity(body, gravity, damping, dt):
        pymunk.Body.update_velocity(body, (gravity[0] * 0.5, gravity[1]), damping * 0.99, dt)

    return velocity


def build(pymunk, seed, uses_hash):
    rnd = random.Random(seed)
    space = pymunk.Space()
    space.gravity = (rnd.uniform(-30, 30), rnd.choice([-300, -100, 0]))
    space.iterations = rnd.choice([4, 10, 20])
    space.damping = rnd.choice([1, 0.9])
    if rnd.random() < 0.4:
        space.sleep_time_threshold = 0.3
    if uses_hash:
        space.use_spatial_hash(rnd.choice([8.0, 20.0]), rnd.choice([50, 1000]))
    for a, b in [((-150, -10), (150, 0)), ((-150, 0), (-160, 200)), ((150, 0), (140, 200))]:
        wall = pymunk.Segment(space.static_body, a, b, rnd.choice([0, 2]))
        wall.friction = 0.7
        space.add(wall)
    bodies = []
    for _ in range(rnd.randint(3, 30)):
        mass = rnd.uniform(0.5, 5)
        kinematic = rnd.random() < 0.06
        body = pymunk.Body(body_type=pymunk.Body.KINEMATIC) if kinematic else pymunk.Body(mass, mass * rnd.uniform(20, 150))
        body.position = (rnd.uniform(-120, 120), rnd.uniform(10, 200))
        body.angle = rnd.choice([0, math.pi / 2, rnd.uniform(-3, 3)])
        body.velocity = (rnd.uniform(-40, 40), rnd.uniform(-40, 40))
        body.angular_velocity = rnd.uniform(-3, 3)
        space.add(body)
        for _ in range(rnd.choice([1, 1, 1, 2])):
            add_shape(pymunk, space, body, rnd)
        if not kinematic and rnd.random() < 0.1:
            body.velocity_func = slowed(pymunk)
        bodies.append(body)
    for _ in range(rnd.randint(0, 8)):
        a, b = rnd.sample(bodies, 2) if rnd.random() < 0.8 else (space.static_body, rnd.choice(bodies))
        if a.body_type != pymunk.Body.DYNAMIC and b.body_type != pymunk.Body.DYNAMIC:
            continue
        add_joint(pymunk, space, a, b, rnd)
    return space, bodies, rnd


def bits(digest, *numbers):
    # A NaN is one, and -0 is 0.
    digest.update(struct.pack(f"{len(numbers)}d", *(math.nan if x != x else x + 0.0 for x in numbers)))


def run(pymunk, seed, uses_hash):
    space, bodies, rnd = build(pymunk, seed, uses_hash)
    digest = hashlib.sha256()
    for step in range(120):
        space.step(1 / 60)
        if step % 20 == 10:
            body = rnd.choice([body for body in bodies if body.body_type == pymunk.Body.DYNAMIC] or [space.static_body])
            if body is not space.static_body:
                body.apply_impulse_at_local_point((rnd.uniform(-200, 200), 100), (1, 1))
        for body in bodies:
            bits(digest, *body.position, body.angle, *body.velocity, body.angular_velocity)
        if step % 30 == 5:
            a = (rnd.uniform(-150, 150), rnd.uniform(0, 150))
            b = (rnd.uniform(-150, 150), rnd.uniform(0, 150))
            for hit in sorted(space.segment_query(a, b, rnd.choice([0, 3]), pymunk.ShapeFilter()), key=lambda h: (h.alpha, h.point)):
                bits(digest, *hit.point, *hit.normal, hit.alpha)
            for hit in sorted(space.point_query(a, 30, pymunk.ShapeFilter()), key=lambda h: (h.distance, h.point)):
                bits(digest, *hit.point, *hit.gradient, hit.distance)
    for joint in space.constraints:
        bits(digest, joint.impulse)
    return digest.hexdigest()[:16]


def main():
    chosen = options()
    if chosen.forkmunk:
        import forkmunk.pymunk

        forkmunk.pymunk.install(version=chosen.forkmunk)
    import pymunk

    for seed in range(chosen.first, chosen.first + chosen.count):
        try:
            print(seed, run(pymunk, seed, chosen.hash), flush=True)
        except Exception as error:  # real pymunk raises for other scenes than forkmunk
            print(seed, type(error).__name__, str(error)[:80].replace("\n", " "), flush=True)


if __name__ == "__main__":
    main()
