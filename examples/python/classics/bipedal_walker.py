#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gymnasium's BipedalWalker-v3 on pymunk's API: the same observations, actions and rewards, and states that fork.

    python3 bipedal_walker.py --plan cem --seeds 10    walk from the state alone, by planning in forks
    python3 bipedal_walker.py --random --seeds 10      random actions
    python3 bipedal_walker.py --speed                  steps a second; microseconds of a copy, a checkpoint and its restore
    python3 bipedal_walker.py --engine pymunk --speed  the same on pymunk
"""

import math

import gymnasium
import numpy as np
from common import DT, GROUND, HEIGHT, WIDTH, Classic, Pilot, main  # before pymunk: it chooses the engine
from gymnasium.utils import EzPickle

import pymunk

HULL = [(-1.0, 0.3), (0.2, 0.3), (34 / 30, 1 / 30), (34 / 30, -8 / 30), (-1.0, -8 / 30)]
LEG_DOWN, LEG_WIDTH, LEG_HEIGHT = 8 / 30, 8 / 30, 34 / 30
# Box2D's thighs and shanks of 0.30 and 0.24 kg need its 180 iterations, legs of twice the mass 10 of Chipmunk's. The whole
# walker has Box2D's mass.
HULL_MASS, LEG_MASSES, LEG_MOMENTS = 4.33, (0.604, 0.484), (0.205, 0.161)
TORQUE, SPEEDS = 80.0, (4.0, 6.0)
LIMITS = (-0.8, 1.1), (-1.6, -0.1)
STEP, LENGTH, PAD, GRASS = 14 / 30, 200, 20, 10  # a step of the terrain in m; the others count steps
GROUND_Y = HEIGHT / 4
RAYS, RANGE = 10, 160 / 30


class BipedalWalker(Classic):
    """A hull on two legs, with a motor in each hip and each knee.

    observation  the hull's angle, angular velocity and velocity; for each leg the angle and speed of hip and knee, and
                 whether its foot touches the ground; ten distances of a lidar. All are scaled as Gymnasium's.
    action       for each hip and knee, in turn, how much of its torque turns it, -1 to 1
    reward       the way forward and a level hull, minus torque; at the end -100 for a fall

    An episode ends when the hull touches the ground or reaches an end of the terrain, which is Gymnasium's normal one."""

    def __init__(self, render_mode=None):
        EzPickle.__init__(self, render_mode)
        self.render_mode = render_mode
        high = np.array([math.pi, 5, 5, 5, *[math.pi, 5, math.pi, 5, 5] * 2, *[1] * RAYS], np.float32)
        low = -high
        low[[8, 13]], low[14:] = 0, -1
        self.observation_space = gymnasium.spaces.Box(low, high)
        self.action_space = gymnasium.spaces.Box(-1, 1, (4,), np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.space = pymunk.Space()
        self.space.gravity = 0, -10
        self.space.collision_slop, self.space.iterations = 0.005, 10
        self.add_ground(self._ground(), 2.5)
        x, y = STEP * PAD / 2, GROUND_Y + 2 * LEG_HEIGHT + LEG_DOWN
        self.hull = self.add_body(HULL_MASS, None, HULL, 0.1, (x, y))
        self.motors, self.feet, self.bodies = [], [], [self.hull]
        for bend in (-0.05, 0.05):
            self._leg(bend)
        self.hull.velocity = self.np_random.uniform(-5, 5) * DT / HULL_MASS, 0
        self.shaping = None
        return self._advance((0, 0, 0, 0))[0], {}

    def _ground(self):
        random, y, slope = self.np_random, GROUND_Y, 0.0
        for i in range(LENGTH):
            slope = 0.8 * slope + 0.01 * np.sign(GROUND_Y - y)
            if i > PAD:
                slope += random.uniform(-1, 1) / 30
            y += slope
            yield i * STEP, float(y)

    def _leg(self, bend):
        above, anchor = self.hull, (0, -LEG_DOWN)
        for part, (mass, moment, limits) in enumerate(zip(LEG_MASSES, LEG_MOMENTS, LIMITS)):
            w, h = LEG_WIDTH * (1, 0.8)[part] / 2, LEG_HEIGHT / 2
            angle = (bend + 0.1, bend - 0.1)[part]
            position = above.local_to_world(anchor) - pymunk.Vec2d(0, h).rotated(angle)
            vertices = [(-w, -h), (w, -h), (w, h), (-w, h)]
            body = self.add_body(mass, moment, vertices, 0.283, position, angle)  # Box2D's 0.2 and 2.5 mix to 0.7
            self.motors.append(self.add_joint(above, body, anchor, (0, h), limits, 0, 0))
            self.bodies.append(body)
            above, anchor = body, (0, -h)
        self.feet.append(above)

    def step(self, action):
        return (*self._advance([float(a) for a in action]), False, {})

    def _advance(self, action):
        hull, torque = self.hull, 0.0
        for i, power in enumerate(action):
            motor, size = self.motors[i], min(abs(power), 1.0)
            motor.rate = math.copysign(SPEEDS[i % 2], -power)
            motor.max_force = TORQUE * size
            torque += size
        self.space.step(DT)
        touching = [self.touches(foot) for foot in self.feet]

        (x, y), (vx, vy), angle = hull.position, hull.velocity, hull.angle
        state = [angle, 2 * DT * hull.angular_velocity, 0.3 * vx * WIDTH * DT, 0.3 * vy * HEIGHT * DT]
        for i, body in enumerate(self.bodies[1:]):
            knee = i % 2
            above = self.bodies[i] if knee else hull
            state += (body.angle - above.angle + knee, (body.angular_velocity - above.angular_velocity) / SPEEDS[knee])
            if knee:
                state.append(float(touching[i // 2]))
        first = self.space.segment_query_first
        for dx, dy in _RAYS:
            hit = first((x, y), (x + dx, y + dy), 0, _ONLY_GROUND)
            state.append(1.0 if hit is None else hit.alpha)
        shaping = 130 / 30 * x - 5 * abs(angle)
        reward = (0.0 if self.shaping is None else shaping - self.shaping) - 0.00035 * TORQUE * torque
        self.shaping = shaping
        fallen = self.touches(hull) or x < 0
        if fallen:
            reward = -100.0
        return np.array(state, np.float32), reward, fallen or x > (LENGTH - GRASS) * STEP


_RAYS = [(math.sin(1.5 * i / RAYS) * RANGE, -math.cos(1.5 * i / RAYS) * RANGE) for i in range(RAYS)]
_ONLY_GROUND = pymunk.ShapeFilter(mask=GROUND)


class WalkersPilot(Pilot):
    """Plans cost torque, a hull that leans, sinks or spins, and much for a fall, minus the way forward. The walker moves
    exactly like its fork, so a plan serves for two actions."""

    plans, taken = 64, 2
    upright, fallen = 1.7, 0.75  # heights of the hull, in metres

    def controls(self, env):
        return [("motor_rate", motor) for motor in env.motors] + [("motor_max_force", motor) for motor in env.motors]

    def numbers(self, actions):
        """Returns rates and greatest torques, (..., 8), for actions (..., 4)."""
        return np.concatenate([np.copysign(SPEEDS * 2, -actions), TORQUE * np.abs(actions)], -1)

    def cost(self, rollout, numbers):
        x, y, _, vy, angle, spin = np.moveaxis(rollout.states, -1, 0)
        lean, spin, height = np.abs(angle), np.abs(spin), y - np.interp(x, *self.ground)
        sunk, down = np.maximum(self.upright - height, 0), height < self.fallen
        way = np.minimum(x[:, -1] - x[:, 0], 4 * DT * self.horizon)  # at most 4 m/s
        cost = -130 / 30 * way + 0.00035 * numbers[..., 4:].sum((1, 2)) + (40 * lean + 60 * sunk + spin).mean(1)
        cost += 10 * lean[:, -1] + 20 * sunk[:, -1] + 3 * spin[:, -1] + 3 * np.maximum(-vy[:, -1], 0)
        return cost + down.any(1) * (200 + 5 * (self.horizon - down.argmax(1)))


if __name__ == "__main__":
    main(__doc__, lambda planned: BipedalWalker(), WalkersPilot, solved=250, steps=1600)
