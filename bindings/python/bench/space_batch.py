# SPDX-License-Identifier: MIT
"""Copies of gym-pusht's scene: control steps a second in a SpaceBatch, and in a loop over pymunk's Spaces if it is there.

PYTHONPATH=build/release/python python3 bindings/python/bench/space_batch.py [--worlds 256] [--threads 2] [--repetitions 5]"""

import argparse
import statistics
import time

import numpy as np

import forkmunk

STEP, SUBSTEPS, ACTIONS, LOOPED = 0.01, 10, 20, 8  # seconds, steps of an action, actions, Spaces of pymunk's


def scene(library):
    """Four walls, a T that can be pushed, and the agent."""
    space = library.Space()
    space.damping = 0
    corners = [(5, 5), (506, 5), (506, 506), (5, 506)]
    space.add(*(library.Segment(space.static_body, a, b, 2) for a, b in zip(corners, corners[1:] + corners[:1])))
    agent = library.Body(body_type=library.Body.KINEMATIC)
    agent.position = 256, 400
    bar, stem = [(-60, 30), (60, 30), (60, 0), (-60, 0)], [(-15, 30), (-15, 120), (15, 120), (15, 30)]
    tee = library.Body(1, 2 * library.moment_for_poly(1, bar))
    shapes = [library.Poly(tee, bar), library.Poly(tee, stem)]
    tee.center_of_gravity = (shapes[0].center_of_gravity + shapes[1].center_of_gravity) / 2
    tee.position = 256, 300
    space.add(agent, library.Circle(agent, 15), tee, *shapes)
    return space, agent, tee


def control(action, position, velocity):
    return velocity + (100 * (action - position) + 20 * (0 - velocity)) * STEP


def loop(library, targets):
    """A function that plays all targets, each in a Space of its own."""
    worlds = [scene(library)[:2] for _ in targets]

    def play():
        for (space, agent), actions in zip(worlds, targets):
            for action in actions:
                for _ in range(SUBSTEPS):
                    agent.velocity = tuple(control(action, np.array(agent.position), np.array(agent.velocity)))
                    space.step(STEP)

    return play


def rate(function, steps):
    start = time.perf_counter()
    function()
    return steps / (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("--worlds", 256), ("--threads", 2), ("--repetitions", 5)):
        parser.add_argument(name, type=int, default=default)
    given = parser.parse_args()
    space, agent, tee = scene(forkmunk)
    start = space.save()
    batch = forkmunk.SpaceBatch(space, given.worlds, given.threads)
    drawn = np.random.default_rng(0).uniform(200, 312, size=(given.worlds, ACTIONS // 4, 2))
    targets = np.repeat(drawn, 4, axis=1)

    def rollout():
        return batch.rollout(start, targets, [("position", agent, 100, 20)], dt=STEP, substeps=SUBSTEPS, every=1,
                             observe=[("position", [agent, tee]), ("angle", tee)])

    def steps():
        batch.restore(start)
        for t in range(ACTIONS):
            for _ in range(SUBSTEPS):
                faster = control(targets[:, t, None], batch.read("position", [agent]), batch.read("velocity", [agent]))
                batch.write("velocity", [agent], faster)
                batch.step(STEP)

    rows = {"SpaceBatch.rollout()": (rollout, given.worlds * ACTIONS), "SpaceBatch.step()": (steps, given.worlds * ACTIONS),
            "SpaceBatch.restore(), in copies": (lambda: batch.restore(start), given.worlds),
            "a loop over forkmunk.Space": (loop(forkmunk, targets[:LOOPED]), LOOPED * ACTIONS)}
    try:
        import pymunk
        rows[f"a loop over pymunk {pymunk.version}"] = loop(pymunk, targets[:LOOPED]), LOOPED * ACTIONS
    except ImportError:
        print("found no pymunk")
    rates = {name: [] for name in rows}
    for i in range(given.repetitions + 1):  # interleaved, after one to warm up
        for name, (function, count) in rows.items():
            found = rate(function, count)
            if i > 0:
                rates[name].append(found)
    for name, found in rates.items():
        print(f"{name:>34}: {statistics.median(found):>10,.0f} control steps a second")


if __name__ == "__main__":
    main()
