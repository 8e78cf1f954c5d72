#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs programs that were written for pymunk, unmodified, on forkmunk.pymunk; and forks PushT at random steps.

    pymunk_programs.py episodes pusht --count 1000 --render-every 5
    pymunk_programs.py episodes pistonball --count 1000
    pymunk_programs.py examples FOLDER [NAME...]           pymunk's examples: 120 frames each, no display; --trace FOLDER writes the
                                                           state after each step, for comparison with a run with --pymunk (under
                                                           LD_PRELOAD=.../preload.so of scripts/compare_with_pymunk)
    pymunk_programs.py forks --count 1000                  by deepcopy, pickle into another process, Checkpoint and fork()

--sources: a folder with gymnasium/, pettingzoo/ and pymunk_programs/gym-pusht/ (../shared). --pymunk FOLDER: uses
the pymunk there instead. Needs pygame, OpenCV, Shapely (Debian: python3-pygame python3-opencv python3-shapely)."""

import argparse
import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np

PROJECT = Path(__file__).resolve().parents[3]
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("MPLBACKEND", "agg")


def prepare(sources, pymunk, version):
    """Makes `import pymunk` and the programs work."""
    warnings.simplefilter("ignore")
    folders = [sources / "gymnasium", sources / "pettingzoo", sources / "pymunk_programs" / "gym-pusht"]
    sys.path[:0] = [str(folder) for folder in folders] + ([str(pymunk)] if pymunk else [])
    if not pymunk:
        import forkmunk.pymunk

        forkmunk.pymunk.install(version)


def make_pusht(render_mode=None):
    import gym_pusht  # noqa: F401  (registers it)
    import gymnasium

    return gymnasium.make("gym_pusht/PushT-v0", render_mode=render_mode)


def play_pusht(episode, render_every, steps_max):
    env = make_pusht("rgb_array")
    env.reset(seed=episode)
    env.action_space.seed(episode)
    steps, done, contacts = 0, False, 0
    while not done and steps < steps_max:
        _, _, terminated, truncated, info = env.step(push(env, env.action_space.np_random))
        contacts += info["n_contacts"]
        done = terminated or truncated
        if render_every and steps % render_every == 0:
            assert env.render().shape == (680, 680, 3)
        steps += 1
    return steps, contacts


def push(env, random):
    """An action towards the block, or anywhere."""
    if random.random() < 0.3:
        return random.uniform(0, 512, 2).astype(np.float32)
    return np.clip(np.array(env.unwrapped.block.position) + random.normal(0, 40, 2), 0, 512).astype(np.float32)


def play_pistonball(episode, render_every, steps_max):
    from pettingzoo.butterfly import pistonball_v6

    env = pistonball_v6.parallel_env(render_mode="rgb_array" if render_every else None)
    env.reset(seed=episode)
    for agent in env.agents:
        env.action_space(agent).seed(episode)
    steps, moved = 0, 0.0
    while env.agents and steps < steps_max:
        _, rewards, _, _, _ = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        moved += sum(rewards.values())
        if render_every and steps % render_every == 0:
            env.render()
        steps += 1
    env.close()
    return steps, moved


def episodes(arguments):
    prepare(arguments.sources, arguments.pymunk, 6 if arguments.program == "pusht" else 7)
    play = {"pusht": play_pusht, "pistonball": play_pistonball}[arguments.program]
    begin, steps, total = time.process_time(), 0, 0.0
    for episode in range(arguments.count):
        more, value = play(episode, arguments.render_every, arguments.steps_max)
        steps, total = steps + more, total + value
        if (episode + 1) % 100 == 0:
            print(f"{episode + 1} episodes", flush=True)
    seconds = time.process_time() - begin
    what = "contacts" if arguments.program == "pusht" else "reward"
    print(f"{arguments.program}: {arguments.count} episodes, {steps} steps, {what} {total:.6g}, {1e3 * seconds / steps:.2f} ms a step")


EXAMPLE = """
import runpy, sys
version, frames, path, trace = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
if version:
    import forkmunk.pymunk
    forkmunk.pymunk.install(version)
try:
    import pygame
    left = [frames]
    def counted(show):
        def shown(*arguments):
            show(*arguments)
            left[0], idle[0] = left[0] - 1, 0
            if left[0] <= 0: sys.exit(0)
            if left[0] % 10 == 5:  # a click, a drag, and keys that examples use
                at = (100 + 3 * left[0], 150 + 2 * left[0])
                pygame.mouse.set_pos(at)
                for kind, more in ((pygame.MOUSEBUTTONDOWN, {"button": 1, "pos": at}),
                                   (pygame.MOUSEMOTION, {"pos": at, "rel": (3, 2), "buttons": (1, 0, 0)}),
                                   (pygame.MOUSEBUTTONUP, {"button": 1, "pos": (at[0] + 30, at[1])})):
                    pygame.event.post(pygame.event.Event(kind, more))
                for key in (pygame.K_SPACE, pygame.K_LEFT, pygame.K_UP):
                    for kind in (pygame.KEYDOWN, pygame.KEYUP):
                        pygame.event.post(pygame.event.Event(kind, {"key": key, "mod": 0, "unicode": ""}))
        return shown
    get, idle = pygame.event.get, [0]
    def events(*arguments):  # one that draws once and waits for a key is done
        idle[0] += 1
        return sys.exit(0) if idle[0] > 20 else get(*arguments)
    pygame.event.get = events
    pygame.display.flip, pygame.display.update = counted(pygame.display.flip), counted(pygame.display.update)
except ImportError:
    pass
if trace:
    import pymunk, random
    random.seed(7)
    class Clock:  # a program's own time does not count
        def tick(self, *arguments): return 16
        get_time = get_rawtime = get_fps = tick_busy_loop = tick
    pygame.time.Clock, pygame.time.get_ticks = Clock, lambda: 16 * (frames - left[0])
    pygame.mouse.get_pos = lambda: (100 + 3 * left[0], 150 + 2 * left[0])
    step, states = pymunk.Space.step, open(trace, "w")
    def traced(space, dt):
        step(space, dt)
        bodies = [(*body.position, body.angle, *body.velocity, body.angular_velocity) for body in space.bodies]
        print(dt, bodies, [joint.impulse for joint in space.constraints], len(space.shapes), file=states)
    pymunk.Space.step = traced
sys.argv = [path]
folder, module = path.rsplit("/", 1)
sys.path.append(folder.rsplit("/", 1)[0])
runpy.run_module(folder.rsplit("/", 1)[1] + "." + module[:-3], run_name="__main__", alter_sys=True)
"""


def examples(arguments):
    search = [str(arguments.pymunk)] if arguments.pymunk else []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*search, os.environ.get("PYTHONPATH", "")])}
    version = 0 if arguments.pymunk else 6 if arguments.folder.parent.parent.name.startswith("6") else 7
    failed = 0
    names = arguments.names or sorted(path.stem for path in arguments.folder.glob("*.py") if path.stem[0] != "_")
    for name in names:
        command = [sys.executable, "-B", "-W", "ignore", "-c", EXAMPLE, str(version), str(arguments.frames), f"{arguments.folder}/{name}.py",
                   str(arguments.trace.resolve() / f"{name}.txt") if arguments.trace else ""]
        try:
            done = subprocess.run(command, env=environment, cwd=arguments.folder, capture_output=True, text=True, timeout=120)
            lines = done.stderr.strip().splitlines() or [""]
            result = "runs" if done.returncode == 0 else f"exit code {done.returncode}: {lines[-1]}"
        except subprocess.TimeoutExpired:
            result = "runs for more than 120 s"
        failed += result != "runs"
        print(f"{name:32} {result}", flush=True)
    print(f"{len(names) - failed} of {len(names)} run")
    return failed


def trace(env, actions):
    """All that can be seen of an environment over some steps, and of its space, as bytes."""
    rows = []
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        base = env.unwrapped
        seen = [observation, [reward, terminated, truncated, base.n_contact_points], *map(np.ravel, info.values())]
        for body in (base.agent, base.block):
            seen.append([*body.position, body.angle, *body.velocity, body.angular_velocity])
        rows.append(np.concatenate(seen).astype(float).tobytes() + base.space.hash().to_bytes(8, "little"))
    return rows


def trace_pickle(pickled, actions):
    return trace(pickle.loads(pickled), actions)


def by_deepcopy(env, actions, pool):
    return trace(copy.deepcopy(env), actions), trace(env, actions)


def by_fork(env, actions, pool):
    import forkmunk

    return trace(forkmunk.fork(env), actions), trace(env, actions)


def by_pickle(env, actions, pool):
    result = pool.apply_async(trace_pickle, (pickle.dumps(env), actions))
    original = trace(env, actions)
    return result.get(600), original


def by_checkpoint(env, actions, pool):
    import forkmunk

    checkpoint = forkmunk.Checkpoint(env)
    original = trace(env, actions)
    checkpoint.restore()
    return trace(env, actions), original


WAYS = by_deepcopy, by_pickle, by_checkpoint, by_fork
STEPS = 100


def forks(arguments):
    prepare(arguments.sources, None, 6)
    random = np.random.default_rng(1)
    counts, differing = [0] * len(WAYS), [0] * len(WAYS)
    contacts = 0
    env = make_pusht()
    env.reset(seed=0)
    initializer = (arguments.sources, None, 6)
    with multiprocessing.get_context("spawn").Pool(1, prepare, initializer) as pool:
        for number in range(arguments.count):
            if number % 20 == 0:
                env.reset(seed=number)
            for _ in range(int(random.integers(1, 30))):
                env.step(push(env, random))
            actions = [push(env, random) for _ in range(STEPS)]
            way = number % len(WAYS)
            forked, original = WAYS[way](env, actions, pool)
            assert len(forked) == len(original) == STEPS
            contacts += env.unwrapped.n_contact_points
            counts[way] += 1
            differing[way] += forked != original
            if forked != original:
                first = next(i for i, pair in enumerate(zip(forked, original)) if pair[0] != pair[1])
                print(f"fork {number} {WAYS[way].__name__}: differs from step {first} on", flush=True)
    for way, count, differ in zip(WAYS, counts, differing):
        print(f"{way.__name__:16} {count} forks, {differ} differ over {STEPS} steps")
    print(f"contacts of last steps: {contacts}")
    return sum(differing)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, default=PROJECT.parent / "shared")
    parser.add_argument("--pymunk", type=Path)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("episodes")
    command.add_argument("program", choices=("pusht", "pistonball"))
    command.add_argument("--count", type=int, default=1000)
    command.add_argument("--render-every", type=int, default=0, help="render at each so many steps; 0: never")
    command.add_argument("--steps-max", type=int, default=1000, help="of an episode; PushT ends after 300, pistonball after 125")
    command = commands.add_parser("examples")
    command.add_argument("folder", type=lambda text: Path(text).resolve())
    command.add_argument("names", nargs="*")
    command.add_argument("--frames", type=int, default=120)
    command.add_argument("--trace", type=Path)
    command = commands.add_parser("forks")
    command.add_argument("--count", type=int, default=1000)
    arguments = parser.parse_args()
    sys.exit(bool({"episodes": episodes, "examples": examples, "forks": forks}[arguments.command](arguments)))


if __name__ == "__main__":
    main()
