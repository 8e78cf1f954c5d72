#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gym-pusht, unmodified, solved by the cross-entropy method in forks of its Space. Planning takes less than a control step of
0.1 s.

    python3 examples/python/pusht.py --starts 10 --picture plans.svg
    python3 examples/python/pusht.py --starts 10 --copies             the same planner on copies of pymunk

Needs gym-pusht and what it imports: Gymnasium, pygame, OpenCV, Shapely. --path: folders with them. Exits with 1 if fewer than
four of five starts reach a coverage of 0.9 within 300 control steps.
"""

import argparse
import copy
import json
import os
import sys
import time
import warnings
from typing import Any

import numpy as np

import forkmunk
from forkmunk import plan

SUBSTEPS, STIFFNESS, DAMPING, DT = 10, 100, 20, 0.01  # the servo that moves the agent in a control step
# From here the agent reaches all sides of the block.
FAR = 110
# The most that an action moves the servo's target in x and y.
STRIDE = 40
TEE = np.array([(-60, 0), (60, 0), (60, 30), (15, 30), (15, 120), (-15, 120), (-15, 30), (-60, 30)], float)
CENTRE = (0, 45)


def at_pose(points, x, y, angle):
    """Returns points in the world, (..., points, 2), for poses (...)."""
    x, y, c, s = (np.asarray(number)[..., None] for number in (x, y, np.cos(angle), np.sin(angle)))
    return np.stack([x + c * points[:, 0] - s * points[:, 1], y + s * points[:, 0] + c * points[:, 1]], -1)


class Forks:
    """Rollouts on threads, in forks of the environment's Space."""

    def __init__(self, env, threads):
        # The callbacks only count contacts.
        self.env, self.batch = env, forkmunk.SpaceBatch(env.space, 1, threads, callbacks="drop")

    def play(self, targets):
        """Returns states (plans, t, 5): agent x, y, block x, y, angle."""
        env = self.env
        return self.batch.rollout(env.space.save(), targets, [("position", env.agent, STIFFNESS, DAMPING)], dt=DT,
                                  substeps=SUBSTEPS, every=1,
                                  observe=[("position", [env.agent, env.block]), ("angle", env.block)]).states


class Copies:
    """Plays plans in deep copies, as with pymunk."""

    def __init__(self, env, _):
        self.env = env

    def play(self, targets):
        env, states = self.env, np.empty((*targets.shape[:2], 5))
        # Bound to the environment, it would be copied, too.
        env.collision_handeler.post_solve = lambda *_: None
        for k, actions in enumerate(targets):
            space, agent, block = copy.deepcopy((env.space, env.agent, env.block))
            if block.position != env.block.position:  # pymunk sets the centre of gravity later, which moves the block
                block.position = env.block.position
            for t, target in enumerate(actions):
                for _ in range(SUBSTEPS):
                    push = STIFFNESS * (target - agent.position) + DAMPING * (0 - np.array(agent.velocity))
                    agent.velocity = tuple(agent.velocity + push * DT)
                    space.step(DT)
                states[k, t] = *agent.position, *block.position, block.angle
        env.collision_handeler.post_solve = env._handle_collision
        return states


class Pusher:
    """Plans moves of the servo's target."""

    def __init__(self, env, model, options, seed):
        self.env, self.model = env, model
        self.goal = at_pose(TEE, *env.goal_pose)
        self.planner = getattr(plan, options.method)(
            self.score, [-STRIDE] * 2, [STRIDE] * 2, options.horizon, plans=options.plans, rounds=options.rounds, hold=2,
            spread=0.5, seed=seed)
        self.shown: list[Any] = []

    def miss(self, states):
        """Returns the mean distance of the block's corners from the goal's."""
        return np.linalg.norm(at_pose(TEE, *np.moveaxis(states[..., 2:], -1, 0)) - self.goal, axis=-1).mean(-1)

    def cost(self, states):
        """Adds the miss on the way and at the end, and the way to the block."""
        centre = at_pose(np.array([CENTRE]), *np.moveaxis(states[..., 2:], -1, 0))[..., 0, :]
        away = np.maximum(np.linalg.norm(states[..., :2] - centre, axis=-1) - FAR, 0)
        miss = self.miss(states)
        return miss.mean(1) + 3 * miss[:, -1] + 0.2 * away.mean(1)

    def score(self, agent, moves):
        targets = np.clip(agent + np.cumsum(moves, axis=1), 20, 492)
        states = self.model.play(targets)
        costs = self.cost(states)
        best = np.argmin(costs)
        if costs[best] <= self.best[0]:
            self.best = costs[best], targets[best], states[best]
        self.round = states, costs
        return costs

    def act(self):
        self.best: Any = np.inf, None, None
        self.planner.act(np.array(self.env.agent.position))
        return self.best[1][0]


def state_of(env):
    return np.array([*env.agent.position, *env.block.position, env.block.angle])


def episode(env, options, seed, frames=None):
    """Plays one start. `frames` takes what the pictures show."""
    env.reset(seed=seed)
    inside = env.unwrapped
    pusher = Pusher(inside, (Copies if options.copies else Forks)(inside, options.threads), options, seed)
    found = {"seed": seed, "coverage": 0.0, "steps": 0, "mispredicted": 0, "seconds": [], "cpu_seconds": []}
    over = False
    while not over and found["steps"] < options.steps:
        start, cpu = time.perf_counter(), time.process_time()
        action = pusher.act()
        found["seconds"].append(time.perf_counter() - start)
        found["cpu_seconds"].append(time.process_time() - cpu)
        if frames is not None:
            frames.append((state_of(inside), pusher))
            pusher.shown.append((*pusher.round, pusher.best[2]))
        _, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
        found["steps"] += 1
        found["coverage"] = max(found["coverage"], float(info["coverage"]))
        found["mispredicted"] += not np.array_equal(state_of(inside), pusher.best[2][0])
    return found


def points(path):
    return " ".join(f"{x:.0f},{512 - y:.0f}" for x, y in path)


def picture(path, frames, count=6):
    """Writes SVG pictures: the block, its goal, and where plans move the agent and the block."""
    chosen = [round(i * (len(frames) - 1) / (count - 1)) for i in range(count)]
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {count * 520} 560" font-family="sans-serif" font-size="30">']
    for column, index in enumerate(chosen):
        state, pusher = frames[index]
        states, costs, best = pusher.shown[index]
        lines.append(f'<g transform="translate({column * 520})"><rect width="512" height="512" fill="#fff" stroke="#999"/>')
        lines.append(f'<polygon points="{points(pusher.goal)}" fill="#9e9"/>')
        lines.append(f'<polygon points="{points(at_pose(TEE, *state[2:]))}" fill="#789"/>')
        for k in np.argsort(costs)[:40][::-1]:
            lines.append(f'<polyline points="{points([state[:2], *states[k, :, :2]])}" fill="none" stroke="#c60" '
                         'stroke-opacity=".25" stroke-width="2"/>')
        lines.append(f'<polygon points="{points(at_pose(TEE, *best[-1, 2:]))}" fill="none" stroke="#c00" stroke-width="3"/>')
        lines.append(f'<polyline points="{points([state[:2], *best[:, :2]])}" fill="none" stroke="#c00" stroke-width="4"/>')
        lines.append(f'<circle cx="{state[0]:.0f}" cy="{512 - state[1]:.0f}" r="15" fill="#46c"/>')
        lines.append(f'<text x="4" y="545">{index / 10:.1f} s</text></g>')
    with open(path, "w") as file:
        file.write("\n".join([*lines, "</svg>\n"]))


def result_of(episodes, options):
    seconds = np.concatenate([one["seconds"] for one in episodes])
    cpu = np.concatenate([one["cpu_seconds"] for one in episodes])
    coverage = np.array([one["coverage"] for one in episodes])
    plans = options.plans * options.rounds
    return {
        "engine": f"pymunk {sys.modules['pymunk'].version}, copies" if options.copies else "forkmunk, forks",
        "method": options.method, "plans": plans, "horizon": options.horizon, "threads": options.threads,
        "starts": len(episodes), "coverage_90": float((coverage >= 0.9).mean()), "coverage_95": float((coverage > 0.95).mean()),
        "mean_steps": float(np.mean([one["steps"] for one in episodes])), "steps": len(seconds),
        "mispredicted_steps": int(sum(one["mispredicted"] for one in episodes)),
        "plans_per_second": plans / float(np.median(seconds)), "plans_per_cpu_second": plans / float(np.median(cpu)),
        "decision_ms": {"median": 1e3 * float(np.median(seconds)), "p95": 1e3 * float(np.percentile(seconds, 95))},
        "decision_cpu_ms": {"median": 1e3 * float(np.median(cpu)), "p95": 1e3 * float(np.percentile(cpu, 95))},
    }


def make_env(options):
    sys.path[:0] = options.path
    if not options.copies:
        import forkmunk.pymunk

        forkmunk.pymunk.install(version=6)
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    warnings.simplefilter("ignore")
    try:
        import gym_pusht  # noqa: F401  (registers it)
        import gymnasium
    except ImportError as error:
        raise SystemExit(f"pusht.py: {error}; install gym-pusht, or pass --path FOLDER")
    return gymnasium.make("gym_pusht/PushT-v0")


def parser():
    found = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default, what in (("starts", 10, "random starts"), ("seed", 0, "of the first start; the others follow"),
                                ("steps", 300, "control steps of a start, at most"), ("threads", 2, "of the rollouts"),
                                ("plans", 96, "in a round"), ("rounds", 3, "of a decision"),
                                ("horizon", 16, "control steps of a plan")):
        found.add_argument(f"--{name}", type=int, default=default, help=f"{what} (default: %(default)s)")
    found.add_argument("--method", choices=("CEM", "MPPI", "Stretched"), default="CEM")
    found.add_argument("--copies", action="store_true", help="play plans in copies of pymunk's Space, one by one")
    found.add_argument("--path", action="append", default=[], help="a folder to import from; may be repeated")
    found.add_argument("--picture", metavar="FILE.svg", help="write a strip of pictures of the first start's plans")
    found.add_argument("--json", action="store_true", help="print the result as JSON")
    return found


def main():
    options = parser().parse_args()
    env, episodes = make_env(options), []
    for seed in range(options.seed, options.seed + options.starts):
        frames = [] if options.picture and not episodes else None
        one = episode(env, options, seed, frames)
        episodes.append(one)
        print(f"start {seed}: coverage {one['coverage']:.3f} in {one['steps']} steps, "
              f"{1e3 * np.median(one['seconds']):.0f} ms a decision", file=sys.stderr, flush=True)
        if frames:
            picture(options.picture, frames)
    result = result_of(episodes, options)
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        print(f"{result['engine']}: {result['coverage_90']:.0%} of {len(episodes)} starts reached a coverage of 0.9, "
              f"{result['coverage_95']:.0%} one of 0.95; {result['plans_per_second']:,.0f} plans a second, "
              f"{result['mispredicted_steps']} of {result['steps']} steps mispredicted")
    return 0 if result["coverage_90"] >= 0.8 else 1


if __name__ == "__main__":
    sys.exit(main())
