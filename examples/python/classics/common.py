# SPDX-License-Identifier: MIT
"""The common part of the classic environments, which run on forkmunk unless the last argument is pymunk."""

import argparse
import copy
import json
import sys
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import EzPickle

if Path(sys.argv[0]).resolve().parent == Path(__file__).resolve().parent and not any(a.endswith("pymunk") for a in sys.argv[1:]):
    import forkmunk.pymunk

    forkmunk.pymunk.install()  # from here on `import pymunk` imports forkmunk

import pymunk
from pymunk.constraints import Constraint, PivotJoint, RotaryLimitJoint, SimpleMotor

# Metres, seconds and kilograms. Gymnasium's picture has 30 pixels a metre.
DT = 1 / 50
WIDTH, HEIGHT = 20.0, 40 / 3
GROUND, VEHICLE = 0b1, 0b10  # categories of shapes

_PLAIN = frozenset((bool, int, float, str, type(None)))
_OBJECTS = (pymunk.Body, pymunk.Shape, Constraint)


class Classic(gymnasium.Env, EzPickle):
    """An environment on pymunk, whose state copy.deepcopy() and pickle keep; EzPickle alone keeps the constructor's arguments.

    Copies are exact on forkmunk. pymunk's lose the impulses of contacts and joints, so their future differs. A subclass
    has `space`, `ground` (points) and `hull` (a body); other attributes are numbers, bodies, joints, and lists of these."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 50}
    _shared = frozenset(("observation_space", "action_space", "spec", "metadata", "_ezpickle_args", "_ezpickle_kwargs",
                         "ground"))
    space: Any = None

    def __getstate__(self):
        return self.__dict__.copy()

    def __setstate__(self, state):
        self.__dict__.update(state)

    def __deepcopy__(self, memo):
        twin = memo[id(self)] = type(self).__new__(type(self))
        own, rest = twin.__dict__, []
        for name, value in self.__dict__.items():
            own[name] = value
            if type(value) not in _PLAIN and name not in self._shared:
                rest.append((name, value))
        if hasattr(self.space, "fork"):  # forkmunk: one memcpy, and objects that are used
            space = memo[id(self.space)] = self.space.fork()
            for _, value in rest:
                for thing in value if type(value) is list else (value,):
                    if isinstance(thing, _OBJECTS):
                        memo[id(thing)] = space.twin_of(thing)
        for name, value in rest:
            own[name] = _generator(value) if name == "_np_random" else copy.deepcopy(value, memo)
        return twin

    def add_ground(self, points, friction):
        """Adds segments between the points, and keeps these."""
        self.ground = tuple(points)
        for a, b in zip(self.ground, self.ground[1:]):
            segment = pymunk.Segment(self.space.static_body, a, b, 0)
            segment.friction, segment.filter = friction, pymunk.ShapeFilter(categories=GROUND)
            self.space.add(segment)

    def add_body(self, mass, moment, vertices, friction, position, angle=0):
        """Adds a polygon that touches the ground only, with its own moment for None."""
        shape = pymunk.Poly(None, vertices)
        centre = shape.center_of_gravity
        body = shape.body = pymunk.Body(mass, moment or pymunk.moment_for_poly(mass, vertices, -centre))
        body.center_of_gravity = centre  # before the position
        body.position, body.angle = position, angle
        shape.friction, shape.filter = friction, pymunk.ShapeFilter(categories=VEHICLE, mask=GROUND)
        self.space.add(body, shape)
        return body

    def add_joint(self, a, b, anchor_a, anchor_b, limits, speed, torque):
        """Joins two bodies by a pivot whose angle has limits, and returns its motor."""
        motor = SimpleMotor(a, b, speed)
        motor.max_force = torque
        self.space.add(PivotJoint(a, b, anchor_a, anchor_b), RotaryLimitJoint(a, b, *limits), motor)
        return motor

    def touches(self, body):
        found = []
        body.each_arbiter(found.append)
        return bool(found)

    def render(self):
        """Returns a picture, uint8 (400, 600, 3). Needs pygame."""
        import pygame
        from pymunk import pygame_util

        surface = pygame.Surface((600, 400))
        surface.fill((255, 255, 255))
        options = pygame_util.DrawOptions(surface)
        options.flags = options.DRAW_SHAPES
        options.transform = pymunk.Transform(30, 0, 0, -30, 0, 400)
        self.space.debug_draw(options)
        return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


class Pilot:
    """Plans by the cross-entropy method in forks of the environment's Space.

    A subclass has controls(env) for SpaceBatch.rollout(), numbers(actions) of the controls for actions of -1 to 1,
    cost(rollout, numbers), and the arguments of forkmunk.plan.CEM. A search gives the next `taken` actions."""

    controls: Any
    numbers: Any
    cost: Any
    horizon, plans, rounds, hold, spread, taken = 48, 48, 3, 6, 0.4, 1

    def __init__(self, env, seed):
        import forkmunk
        from forkmunk import plan

        self.space, hull, self.ground = env.space, env.hull, np.array(env.ground).T
        played = plan.rollouts(
            forkmunk.SpaceBatch(env.space, 1), self.controls(env), self.cost, dt=DT, every=1,
            observe=[("position", hull), ("velocity", hull), ("angle", hull), ("angular_velocity", hull)])
        width = env.action_space.shape[0]
        self.score = lambda state, actions: played(state, self.numbers(actions))
        self.planner = plan.CEM(self.score, [-1] * width, [1] * width, self.horizon, plans=self.plans, rounds=self.rounds,
                                hold=self.hold, spread=self.spread, elites=0.15, seed=seed)
        self.actions = []

    def __call__(self, observation):
        if not self.actions:
            self.actions = list(self.planner.plan(self.space.save())[:self.taken])
            self.planner.advance(self.taken)
        return self.actions.pop(0)


def _generator(random):
    """Copies a generator in half the time of copy.deepcopy()."""
    bits = random.bit_generator
    seeds = bits.seed_seq if hasattr(bits, "seed_seq") else bits._seed_seq  # its name before NumPy 1.25
    twin = type(bits)(seeds)
    twin.state = bits.state
    return np.random.Generator(twin)


def episode(env, seed, policy, steps):
    """Returns the sum of the rewards, the number of steps, and the seconds of CPU that each action took."""
    observation, _ = env.reset(seed=seed)
    act = policy(env, seed)
    total, cpu, over = 0.0, [], False
    while not over and len(cpu) < steps:
        start = time.process_time()
        action = act(observation)
        cpu.append(time.process_time() - start)
        observation, reward, over, *_ = env.step(action)
        total += reward
    return total, len(cpu), cpu


def random_policy(env, seed):
    env.action_space.seed(seed)
    return lambda observation: env.action_space.sample()


def measure(env, steps):
    """Returns steps a second of CPU, and the microseconds of a copy, a checkpoint and its restore."""
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(steps)]
    env.reset(seed=0)
    start, resets = time.process_time(), 0.0
    for action in actions:
        if env.step(action)[2]:
            resets -= time.process_time()
            env.reset()
            resets += time.process_time()
    found = {"steps_per_second": round(steps / (time.process_time() - start - resets))}
    env.reset(seed=0)
    env.step(actions[0])

    def microseconds(call, count=200):
        start = time.process_time()
        for _ in range(count):
            call()
        return round(1e6 * (time.process_time() - start) / count, 1)

    found["deepcopy_us"] = microseconds(lambda: copy.deepcopy(env))
    if hasattr(env.space, "fork"):
        import forkmunk

        checkpoint = forkmunk.Checkpoint(env)
        found["checkpoint_us"] = microseconds(lambda: forkmunk.Checkpoint(env))
        found["restore_us"] = microseconds(checkpoint.restore)
    return found


def main(doc, make_env, pilot, solved, steps):
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plan", choices=("cem",), help="plan with the cross-entropy method in forks; needs forkmunk")
    parser.add_argument("--random", action="store_true", help="take random actions")
    parser.add_argument("--speed", action="store_true", help="measure steps, copies, checkpoints and restores")
    parser.add_argument("--seeds", type=int, default=10, help="the number of episodes (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first episode; the others follow (default: 0)")
    parser.add_argument("--engine", choices=("forkmunk", "pymunk"), default="forkmunk", help="default: forkmunk")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    options = parser.parse_args()
    if not (options.plan or options.random or options.speed):
        parser.error("found nothing to do; expected --plan cem, --random or --speed")
    if options.plan and options.engine == "pymunk":
        parser.error("--plan needs forks; expected --engine forkmunk")
    result = {"engine": options.engine, "version": pymunk.version}
    if options.speed:
        result.update(measure(make_env(False), 20000))
    if options.plan or options.random:
        env, policy = make_env(bool(options.plan)), pilot if options.plan else random_policy
        returns, lengths, cpu = [], [], []
        for seed in range(options.first, options.first + options.seeds):
            total, length, seconds = episode(env, seed, policy, steps)
            returns.append(total)
            lengths.append(length)
            cpu += seconds
            print(f"seed {seed}: return {total:.1f} in {length} steps, {1e3 * np.mean(seconds):.1f} ms of CPU a step",
                  file=sys.stderr, flush=True)
        result.update(
            policy=options.plan or "random", seeds=len(returns), mean_return=round(float(np.mean(returns)), 1),
            solved=float(np.mean(np.array(returns) >= solved)), solved_at=solved, mean_steps=float(np.mean(lengths)),
            cpu_ms_per_step={"mean": round(1e3 * float(np.mean(cpu)), 2), "p95": round(1e3 * float(np.percentile(cpu, 95)), 2)},
            step_ms=20)
    print(json.dumps(result, indent=1) if options.json else "\n".join(f"{name:18} {value}" for name, value in result.items()))
