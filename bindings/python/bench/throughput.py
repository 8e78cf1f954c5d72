#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the contest's calls from Python, and save and restore of a Space. `forkmunk bench --batch` steps batches in C++.

    PYTHONPATH=build/release/python python3 bindings/python/bench/throughput.py [--json]
"""

import argparse
import copy
import json
import statistics
import time

import numpy as np

import forkmunk
from forkmunk import madcars


def batch_rate(n, threads, rounds=15):
    """Ticks per second of Batch.step(): the fastest of rounds."""
    batch = madcars.Batch("PillMap", "Buggy", n=n, threads=threads, seed=1, reset_when_over=True)
    ticks = max(20, 40_000 // n)
    commands = np.stack([batch.random_commands(20) for _ in range(ticks)])
    times = []
    for _ in range(rounds):
        batch.reset()
        start = time.perf_counter()
        for row in commands:
            batch.step(row)
        times.append(time.perf_counter() - start)
    return n * ticks / min(times)


def rest_ticks():
    """The ticks of a match after a death."""
    world = madcars.World("PillMap", "Buggy")
    while not any(world.dead):
        world.step(1, -1)
    died = world.tick
    while not world.match_over:
        world.step(0, 0)
    return world.tick - died


def vector_env_parts(map_, n=64, rounds=7, ticks=400):
    """A VectorEnv's part of a Batch's ticks per second, alone and with the rests that it plays for the rewards, and
    the steps of a match: medians of rounds in turns, of the thread's processor time."""
    env = madcars.VectorEnv(n, map_, "Buggy")
    batch = madcars.Batch(map_, "Buggy", n=n, seed=1, reset_when_over=True)
    actions = np.random.default_rng(1).integers(0, 3, (ticks // 20, n)).repeat(20, 0)
    commands = [batch.random_commands(20) for _ in range(ticks)]
    env.reset(seed=1)
    alone, with_rests, lengths, rest = [], [], [], rest_ticks()
    for _ in range(rounds):
        deaths, start = 0, time.thread_time()
        for row in actions:
            deaths += int(env.step(row)[2].sum())
        middle = time.thread_time()
        for row in commands:
            batch.step(row)
        alone.append((time.thread_time() - middle) / (middle - start))
        lengths.append(n * ticks / max(deaths, 1))
        with_rests.append(alone[-1] * (1 + rest / lengths[-1]))
    return statistics.median(alone), statistics.median(with_rests), statistics.median(lengths)


def step_time(rounds=60, ticks=100):
    """Nanoseconds of a call of World.step(): the median of rounds of the same steps."""
    world = madcars.World("PillMap", "Buggy")
    start, times = world.snapshot(), []
    for _ in range(rounds):
        world.restore(start)
        step, begin = world.step, time.perf_counter()
        for _ in range(ticks):
            step(1, -1)
        times.append((time.perf_counter() - begin) / ticks * 1e9)
    return statistics.median(times)


def boxes(count=200):
    space = forkmunk.Space()
    space.gravity = (0, -900)
    floor = forkmunk.Segment(space.static_body, (-500, 0), (500, 0), 2)
    space.add(floor)
    for i in range(count):
        body = forkmunk.Body(1, forkmunk.moment_for_box(1, (20, 20)))
        body.position = (i % 20 * 24 - 230, 20 + i // 20 * 24)
        shape = forkmunk.Poly.create_box(body, (20, 20))
        shape.friction = 0.6
        space.add(body, shape)
    for _ in range(60):
        space.step(1 / 60)
    return space


def plain(space):
    """All that a rebuild in Python needs, as dicts and numbers; contacts and their impulses are not in it."""
    bodies = [{name: getattr(body, name) for name in ("mass", "moment", "position", "angle", "velocity", "angular_velocity",
                                                      "force", "torque")} for body in space.bodies]
    index = {body: i for i, body in enumerate(space.bodies)}
    shapes = [{"body": index.get(shape.body), "friction": shape.friction, "elasticity": shape.elasticity,
               "vertices": [tuple(v) for v in shape.get_vertices()] if isinstance(shape, forkmunk.Poly) else None}
              for shape in space.shapes]
    return {"bodies": [{k: tuple(v) if isinstance(v, tuple) else v for k, v in b.items()} for b in bodies], "shapes": shapes}


def space_copies(rounds=300):
    """Returns the microseconds of save plus restore, of copy.deepcopy of the plain data, and of a rebuild."""
    space = boxes()
    data = plain(space)

    def microseconds(work, count):
        times = []
        for _ in range(count):
            start = time.perf_counter()
            work()
            times.append((time.perf_counter() - start) * 1e6)
        return statistics.median(times)

    saving = microseconds(lambda: space.restore(space.save()), rounds)
    return saving, microseconds(lambda: copy.deepcopy(data), 20), microseconds(lambda: (copy.deepcopy(plain(space)), boxes_of(data)), 5)


def boxes_of(data):
    space = forkmunk.Space()
    bodies = []
    for values in data["bodies"]:
        body = forkmunk.Body(values["mass"], values["moment"])
        for name in ("position", "angle", "velocity", "angular_velocity"):
            setattr(body, name, values[name])
        bodies.append(body)
        space.add(body)
    for values in data["shapes"]:
        if values["vertices"]:
            shape = forkmunk.Poly(bodies[values["body"]], values["vertices"])
            shape.friction = values["friction"]
            space.add(shape)
    return space


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--json", action="store_true")
    options = options.parse_args()
    report = {"batch": []}
    for n in (256, 1024, 4096):
        for threads in (1, 2):
            report["batch"].append({"n": n, "threads": threads, "ticks_per_second": batch_rate(n, threads)})
    report["vector_env"] = []
    for map_ in ("PillMap", "IslandHoleMap"):
        alone, with_rests, length = vector_env_parts(map_)
        report["vector_env"].append({"map": map_, "part_of_batch": alone, "with_rests": with_rests, "steps_of_a_match": length})
    report["step_ns"] = step_time()
    saving, deepcopy, rebuild = space_copies()
    report["space_of_200_boxes"] = {"save_restore_us": saving, "deepcopy_us": deepcopy, "copy_and_rebuild_us": rebuild,
                                    "times_faster_than_deepcopy": deepcopy / saving,
                                    "times_faster_than_copy_and_rebuild": rebuild / saving}
    if options.json:
        print(json.dumps(report))
        return
    for row in report["batch"]:
        print(f"Batch of {row['n']:4}, {row['threads']} threads: {row['ticks_per_second']:9,.0f} ticks/s")
    for row in report["vector_env"]:
        print(f"VectorEnv of 64 on {row['map']}: {row['part_of_batch']:.2f} of Batch's ticks/s, {row['with_rests']:.2f} with the rests; "
              f"{row['steps_of_a_match']:.0f} steps a match, {rest_ticks()} ticks a rest")
    print(f"World.step: {report['step_ns']:.0f} ns")
    print(f"Space of 200 boxes: save + restore {saving:.1f} us; copy.deepcopy of its plain data {deepcopy:,.0f} us "
          f"({deepcopy / saving:.0f} times); with reading and rebuilding {rebuild:,.0f} us ({rebuild / saving:.0f} times)")


if __name__ == "__main__":
    main()
