#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures resident memory, which must not grow, before and after many forks, pickles and spaces with callbacks that
refer to them.

    python3 leaks.py [FORKS] [SPACES]     # 100000 10000"""

import copy
import gc
import pickle
import sys
from pathlib import Path

import forkmunk


class Environment:
    def __init__(self):
        self.space = space = forkmunk.Space()
        space.gravity = (0, -100)
        for i in range(3):
            body = forkmunk.Body(1, 1)
            body.position, body.owner, body.velocity_func = (i, 0), self, self.fall
            circle = forkmunk.Circle(body, 2)
            circle.tags = ["a", body]
            space.add(body, circle)
        self.joint = forkmunk.PinJoint(*list(space.bodies)[:2])
        self.joint.pre_solve = lambda joint, space: self.count()
        space.add(self.joint)
        space.on_collision(begin=self.touch, data=self)
        space.add_collision_handler(0, 0).separate = self.touch
        self.calls = 0

    def count(self):
        self.calls += 1

    def fall(self, body, gravity, damping, dt):
        forkmunk.Body.update_velocity(body, gravity, damping, dt)

    def touch(self, arbiter, space, data):
        self.calls += 1


class Plain(Environment):
    def __init__(self):
        super().__init__()
        self.joint.pre_solve = None  # a lambda cannot be pickled


def resident_mb():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def grown(name, count, work):
    for _ in range(max(count // 10, 20)):
        work()
    before = resident_mb()
    for _ in range(count):
        work()
    after = resident_mb()
    print(f"{name}: {count} times, {before:.1f} MB before, {after:.1f} MB after", flush=True)
    return after - before > 8


def main():
    forks, spaces = (int(given) for given in (sys.argv[1:] + ["100000", "10000"][len(sys.argv) - 1:]))
    env, plain = Environment(), Plain()
    checkpoint = forkmunk.Checkpoint(env)
    saved = env.space.save()

    def use():
        made = Environment()
        made.space.step(0.01)
        made.space.remove(made.joint, *made.space.shapes)

    failed = [
        grown("Space.fork() and a step", forks, lambda: env.space.fork().step(0.01)),
        grown("copy.deepcopy(env)", forks // 10, lambda: copy.deepcopy(env).space.step(0.01)),
        grown("pickle", forks // 50, lambda: pickle.loads(pickle.dumps(plain))),
        grown("Checkpoint.restore()", forks // 10, lambda: (env.space.step(0.01), checkpoint.restore())),
        grown("Space.save(), restore()", forks, lambda: (env.space.save(), env.space.restore(saved))),
        grown("spaces with callbacks that refer to them", spaces, use),
    ]
    sys.exit(any(failed))


main()
