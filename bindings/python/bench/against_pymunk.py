#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the speed of forkmunk's spaces with pymunk's, from Python: ratios above 1 are in favour of forkmunk.

    python3 against_pymunk.py FOLDER ...     # each with a built package `pymunk` in it: pip install --target FOLDER pymunk

The same program runs in two processes that take turns: thread CPU time, the median of the ratios of ROUNDS pairs."""

import json
import statistics
import subprocess
import sys
import time

ROUNDS = 9


def pile(pymunk, count):
    space = pymunk.Space()
    space.gravity = (0, -900)
    floor = pymunk.Segment(space.static_body, (-2000, 0), (2000, 0), 5)
    floor.friction = 0.8
    space.add(floor)
    for i in range(count):
        body = pymunk.Body(1, pymunk.moment_for_box(1, (20, 20)))
        body.position = (-200 + 42 * (i % 10), 16 + 22 * (i // 10))
        box = pymunk.Poly.create_box(body, (20, 20))
        box.friction = 0.6
        space.add(body, box)
    for _ in range(30):
        space.step(1 / 60)
    return space


def measured(work, count):
    """Returns the time of one call, or what a work with preparations returns."""
    start = time.thread_time()
    own = [work() for _ in range(count)]
    return (sum(own) if isinstance(own[0], float) else time.thread_time() - start) / count


version = 7  # of pymunk's interface


def listen(space, a, b, **functions):
    if version > 6:
        space.on_collision(a, b, **functions)
    else:
        handler = space.add_collision_handler(a, b)
        for name, function in functions.items():
            setattr(handler, name, function)


def with_callbacks(pymunk):
    space, calls = pile(pymunk, 50), []

    def post_solve(arbiter, space, data):
        calls.append(arbiter.total_impulse)

    listen(space, 0, 0, post_solve=post_solve)
    for body in space.bodies:
        body.velocity_func = lambda body, gravity, damping, dt: pymunk.Body.update_velocity(body, gravity, damping, dt)
    return space


def tasks(pymunk):
    def create():
        space = pymunk.Space()
        for i in range(1000):
            body = pymunk.Body(1, 1)
            body.position = (i, 0)
            space.add(body, pymunk.Circle(body, 0.4))

    def make_handlers():
        space = pymunk.Space()
        for i in range(300):
            listen(space, i, i + 1, post_solve=lambda arbiter, space, data: None)

    def remove_in_callbacks():
        space = pymunk.Space()
        for i in range(1000):
            for kind in (1, 2):
                body = pymunk.Body(1, 1)
                body.position = (4 * i, 0)
                shape = pymunk.Circle(body, 1)
                shape.collision_type = kind
                space.add(body, shape)

        def begin(arbiter, space, data):
            shape = arbiter.shapes[0]
            space.remove(shape, shape.body)
            return True

        listen(space, 1, 2, begin=begin)
        start = time.thread_time()
        space.step(1 / 60)
        return time.thread_time() - start

    found = {}
    for count, steps in ((10, 300), (50, 100), (200, 25)):
        space = pile(pymunk, count)
        found[f"step of {count} boxes"] = (lambda space=space: space.step(1 / 60), steps)
        found[f"positions of {count} bodies"] = (lambda space=space: [body.position for body in space.bodies], 4 * steps)
    found["list of 200 bodies"] = (lambda space=space: list(space.bodies), 1000)
    found["shapes of 200 bodies"] = (lambda space=space: [list(body.shapes) for body in space.bodies], 20)
    found["setting 200 velocities"] = (lambda space=space: [setattr(body, "velocity", (0, 0)) for body in space.bodies], 20)
    found["creating 1,000 bodies"] = (create, 1)
    called = with_callbacks(pymunk)
    found["step of 50 boxes, with callbacks"] = (lambda: called.step(1 / 60), 20)
    asked = pile(pymunk, 50)
    listen(asked, 0, 0, pre_solve=lambda arbiter, space, data: True)
    found["step of 50 boxes, with pre_solve"] = (lambda: asked.step(1 / 60), 20)
    found["making 300 handlers"] = (make_handlers, 2)
    found["removing 1,000 balls in begin"] = (remove_in_callbacks, 1)
    small = pile(pymunk, 50)
    found["copy() of 50 boxes"] = (lambda: small.copy(), 1)
    return found


def serve():
    if sys.argv[2] == "forkmunk":
        import forkmunk.pymunk

        forkmunk.pymunk.install(version=int(sys.argv[3]))
    else:
        sys.path.insert(0, sys.argv[2])
    import pymunk

    global version
    version = int(pymunk.version.split(".")[0])
    found = tasks(pymunk)
    print(json.dumps([pymunk.version, list(found)]), flush=True)
    for line in sys.stdin:
        work, count = found[line.strip()]
        print(json.dumps(measured(work, count)), flush=True)


def started(*arguments):
    process = subprocess.Popen([sys.executable, __file__, "--serve", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True)
    return process, json.loads(process.stdout.readline())


def ask(process, name):
    process.stdin.write(name + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def compare(folder):
    theirs, (version, names) = started(folder)
    ours, _ = started("forkmunk", version.split(".")[0])
    print(f"\npymunk {version}, the median of {ROUNDS} pairs\n\n| | forkmunk, us | pymunk, us | ratio |\n|---|---|---|---|")
    worst = float("inf")
    for name in names:
        for process in (ours, theirs):
            ask(process, name)
        pairs = [(ask(ours, name), ask(theirs, name)) for _ in range(ROUNDS)]
        ratio = statistics.median(b / a for a, b in pairs)
        worst = min(worst, ratio)
        a, b = (statistics.median(column) * 1e6 for column in zip(*pairs))
        print(f"| {name} | {a:.1f} | {b:.1f} | {ratio:.2f} |", flush=True)
    for process in (ours, theirs):
        process.stdin.close()
        process.wait()
    return worst


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve()
    elif len(sys.argv) < 2:
        sys.exit(__doc__)
    else:
        sys.exit(0 if min([compare(folder) for folder in sys.argv[1:]]) >= 0.95 else 1)
