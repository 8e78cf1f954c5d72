#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gymnasium's LunarLander-v3 on pymunk's API: the same observations, actions and rewards, and states that fork.

    python3 lunar_lander.py --plan cem --seeds 10      land from the state alone, by planning in forks
    python3 lunar_lander.py --random --seeds 10        random actions
    python3 lunar_lander.py --speed                    steps a second; microseconds of a copy, a checkpoint and its restore
    python3 lunar_lander.py --engine pymunk --speed    the same on pymunk
"""

import math

import gymnasium
import numpy as np
from common import DT, HEIGHT, WIDTH, Classic, Pilot, main  # before pymunk: it chooses the engine
from gymnasium.utils import EzPickle

import pymunk

PAD_Y = HEIGHT / 4
CHUNKS = 11
HULL = [(-14 / 30, 17 / 30), (-17 / 30, 0), (-17 / 30, -1 / 3), (17 / 30, -1 / 3), (17 / 30, 0), (14 / 30, 17 / 30)]
LEG = (4 / 30, 16 / 30)
LEG_X, LEG_Y = 20 / 30, 18 / 30  # from a leg's centre to the hull's origin
LEG_TORQUE, LEG_SPEED, LEG_LIMITS = 40.0, 0.3, (0.4, 0.9)
# Box2D's legs of 0.07 kg need its 180 iterations, heavier ones 10 of Chipmunk's. The whole lander has Box2D's mass and moment.
MASS, LEG_MASS, LEG_MOMENT, HULL_MOMENT = 4.96, 0.3, 0.1, 0.22
MAIN_FORCE, SIDE_FORCE = 13 * 4 / 30 / DT, 0.6 * 12 / 30 / DT
MAIN_POINT, SIDE_POINT = (0.0, -4 / 30), (0.0, 14 / 30)


def throttles(main, side):
    """Returns the powers for continuous actions: 0 or 0.5 to 1, and -1 to -0.5, 0 or 0.5 to 1. Takes numbers or arrays."""
    return (np.where(main > 0, 0.5 + 0.5 * np.clip(main, 0, 1), 0),
            np.where(np.abs(side) > 0.5, np.sign(side) * np.clip(np.abs(side), 0.5, 1), 0))


class LunarLander(Classic):
    """A lander with a main engine below, two side engines and two legs.

    observation  x, y (0, 0 is the landing pad), their velocities, angle, angular velocity, and whether each leg touches
                 the ground, scaled as Gymnasium's
    action       0 nothing, 1 left engine, 2 main engine, 3 right engine; or, continuous, (main, side) of -1 to 1
    reward       the progress towards a lander that rests upright on the pad with both legs, minus fuel; at the end +100
                 for a lander at rest, or -100 for a crash and for leaving the picture

    Engines apply forces, with Gymnasium's impulse in a step, so that a fork predicts the same states without noise.
    `noise` scales the scatter of the engines; 1 is Gymnasium's."""

    def __init__(self, render_mode=None, continuous=False, gravity=-10.0, enable_wind=False, wind_power=15.0,
                 turbulence_power=1.5, noise=1.0):
        EzPickle.__init__(self, render_mode, continuous, gravity, enable_wind, wind_power, turbulence_power, noise)
        if not -12 < gravity < 0:
            raise ValueError(f"LunarLander(gravity): found {gravity}, expected a number between -12 and 0")
        self.render_mode, self.continuous, self.gravity, self.noise = render_mode, continuous, gravity, noise
        self.enable_wind, self.wind_power, self.turbulence_power = enable_wind, wind_power, turbulence_power
        high = np.array([2.5, 2.5, 10, 10, 2 * math.pi, 10, 1, 1], np.float32)
        low = -high
        low[6:] = 0
        self.observation_space = gymnasium.spaces.Box(low, high)
        self.action_space = (gymnasium.spaces.Box(-1, 1, (2,), np.float32) if continuous else gymnasium.spaces.Discrete(4))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        random = self.np_random
        self.space = space = pymunk.Space()
        space.gravity = 0, self.gravity
        space.collision_slop = 0.005
        space.sleep_time_threshold = 0.5
        space.idle_speed_threshold = 0.05
        self.add_ground(self._ground(random.uniform(0, HEIGHT / 2, CHUNKS + 1)), 0.1)
        self.hull = self.add_body(MASS - 2 * LEG_MASS, HULL_MOMENT, HULL, 0.1, (WIDTH / 2, HEIGHT))
        self.bodies = [*(self._leg(side) for side in (1, -1)), self.hull]
        push = random.uniform(-1000, 1000, 2) * DT / MASS
        for body in self.bodies:
            body.velocity = float(push[0]), float(push[1])
        self.wind_time, self.turbulence_time = (int(n) for n in random.integers(-9999, 9999, 2))
        self.shaping, self.touching = None, [False, False, False]
        observation, *_ = self._advance(0.0, 0.0)
        return observation, {}

    def _ground(self, heights):
        """Returns the points of the ground, whose middle is the pad."""
        middle = CHUNKS // 2
        heights[middle - 2:middle + 3] = PAD_Y
        smooth = [(heights[i - 1] + heights[i] + heights[i + 1 if i < CHUNKS else 0]) / 3 for i in range(CHUNKS)]
        return [(WIDTH / (CHUNKS - 1) * i, float(y)) for i, y in enumerate(smooth)]

    def _leg(self, side):
        """Makes a leg, on which the hull stands because its motor pushes towards the lower limit."""
        w, h, angle = LEG[0] / 2, LEG[1] / 2, side * LEG_LIMITS[0]
        position = self.hull.local_to_world(pymunk.Vec2d(side * LEG_X, -LEG_Y).rotated(angle))
        leg = self.add_body(LEG_MASS, LEG_MOMENT, [(-w, -h), (w, -h), (w, h), (-w, h)], 0.1, position, angle)
        self.add_joint(self.hull, leg, (0, 0), (-side * LEG_X, LEG_Y), sorted(side * limit for limit in LEG_LIMITS),
                       side * LEG_SPEED, LEG_TORQUE)
        return leg

    def step(self, action):
        if self.continuous:
            main, side = throttles(*action)
        else:
            main, side = _DISCRETE[int(action)]
        observation, reward, terminated = self._advance(float(main), float(side))
        return observation, reward, terminated, False, {}

    def _advance(self, main, side):
        hull = self.hull
        if self.enable_wind and not (self.touching[0] or self.touching[1]):
            self._blow()
        if main or side:
            along, across = (self.noise * self.np_random.uniform(-1, 1, 2)).tolist() if self.noise else (0.0, 0.0)
            if main:
                push = MAIN_FORCE * main
                hull.apply_force_at_local_point((push * 0.25 * across, push * (1 + 0.5 * along)), MAIN_POINT)
            if side:
                push = SIDE_FORCE * side
                hull.apply_force_at_local_point((push * (1 + 0.25 * across), abs(push) * along / 12), SIDE_POINT)
        self.space.step(DT)
        self.touching = touching = [self.touches(body) for body in self.bodies]

        (x, y), (vx, vy), angle = hull.position, hull.velocity, hull.angle
        x, y = (x - WIDTH / 2) / (WIDTH / 2), (y - PAD_Y - LEG_Y) / (HEIGHT / 2)
        vx, vy = vx * (WIDTH / 2) * DT, vy * (HEIGHT / 2) * DT
        first, second, crashed = touching
        shaping = -100 * (math.hypot(x, y) + math.hypot(vx, vy) + abs(angle)) + 10 * (first + second)
        reward = 0.0 if self.shaping is None else shaping - self.shaping - 0.3 * main - 0.03 * abs(side)
        self.shaping = shaping
        terminated = True
        if crashed or abs(x) >= 1:
            reward = -100.0
        elif hull.is_sleeping:
            reward = 100.0
        else:
            terminated = False
        return np.array((x, y, vx, vy, angle, 20 * DT * hull.angular_velocity, first, second), np.float32), reward, terminated

    def _blow(self):
        wind, turbulence = (math.tanh(math.sin(0.02 * t) + math.sin(math.pi * 0.01 * t))
                            for t in (self.wind_time, self.turbulence_time))
        self.wind_time, self.turbulence_time = self.wind_time + 1, self.turbulence_time + 1
        self.hull.force += wind * self.wind_power, 0
        self.hull.torque += turbulence * self.turbulence_power


_DISCRETE = (0, 0), (0, -1), (1, 0), (0, 1)  # powers of the main and the side engines


class LandersPilot(Pilot):
    """Plays plans without scatter. They cost their distance from a glide to the pad, fuel, and much if the hull touches the
    ground."""

    horizon, hold, spread = 36, 4, 0.35

    def controls(self, env):
        return [("local_force", env.hull, MAIN_POINT), ("local_force", env.hull, SIDE_POINT)]

    def numbers(self, actions):
        """Returns forces, (..., 4), for actions (..., 2)."""
        main, side = throttles(actions[..., 0], actions[..., 1])
        found = np.zeros((*actions.shape[:-1], 4))
        found[..., 1], found[..., 2] = MAIN_FORCE * main, SIDE_FORCE * side
        return found

    def cost(self, rollout, forces):
        x, y, vx, vy, angle, spin = np.moveaxis(rollout.states, -1, 0)
        away, height = x - WIDTH / 2, y - PAD_Y - LEG_Y + 0.1
        landed = height < 0.15
        glide_x = np.where(landed, 0, np.clip(-0.7 * away, -2.5, 2.5))
        glide_y = np.where(landed, -0.1, -np.clip(0.2 + 0.8 * height, 0, 4))
        miss = np.abs(vx - glide_x) + np.abs(vy - glide_y) + 3 * np.abs(angle) + 0.3 * np.abs(spin)
        fuel = (0.6 / MAIN_FORCE * forces[..., 1] + 0.06 / SIDE_FORCE * np.abs(forces[..., 2])).mean(1)
        c, s = np.cos(angle), np.sin(angle)
        corners = [(y + k * s - c / 3) - np.interp(x + k * c + s / 3, *self.ground) for k in (-17 / 30, 17 / 30)]
        crashed = (np.minimum(*corners) <= 0.02).any(1)
        return miss.mean(1) + miss[:, -1] + fuel + 100 * crashed


if __name__ == "__main__":
    main(__doc__, lambda continuous: LunarLander(continuous=continuous), LandersPilot, solved=200, steps=1000)
