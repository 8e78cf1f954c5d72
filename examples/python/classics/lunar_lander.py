#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gymnasium's LunarLander-v3 on pymunk's API: the same observations, actions and rewards, and states that fork.

    python3 lunar_lander.py --plan cem --seeds 10      land from the state alone, by planning in forks
    python3 lunar_lander.py --random --seeds 10        random actions
    python3 lunar_lander.py --speed                    steps a second; microseconds of a copy, a checkpoint and its restore
    python3 lunar_lander.py --engine pymunk --speed    the same on pymunk
"""

import math
import sys

if __name__ == "__main__" and not any(argument.endswith("pymunk") for argument in sys.argv[1:]):
    import forkmunk.pymunk

    forkmunk.pymunk.install()  # from here on `import pymunk` imports forkmunk

import gymnasium
import numpy as np
from common import Classic, main
from gymnasium.utils import EzPickle

import pymunk

# Metres, seconds and kilograms. Gymnasium's picture has 30 pixels a metre.
DT = 1 / 50
WIDTH, HEIGHT = 20.0, 40 / 3
PAD_Y = HEIGHT / 4
CHUNKS = 11
HULL = [(-14 / 30, 17 / 30), (-17 / 30, 0), (-17 / 30, -1 / 3), (17 / 30, -1 / 3), (17 / 30, 0), (14 / 30, 17 / 30)]
LEG = (4 / 30, 16 / 30)
LEG_X, LEG_Y = 20 / 30, 18 / 30  # from a leg's centre to the hull's origin
LEG_TORQUE, LEG_SPEED, LEG_LIMITS = 40.0, 0.3, (0.4, 0.9)
# Box2D's legs have 0.07 kg, which 180 iterations of its solver carry. Heavier legs need 10 iterations of Chipmunk's. The mass
# and the moment of the whole lander are Box2D's.
MASS, LEG_MASS, LEG_MOMENT, HULL_MOMENT = 4.96, 0.3, 0.1, 0.22
MAIN_FORCE, SIDE_FORCE = 13 * 4 / 30 / DT, 0.6 * 12 / 30 / DT
MAIN_POINT, SIDE_POINT = (0.0, -4 / 30), (0.0, 14 / 30)
GROUND, LANDER = 0b1, 0b10


def throttles(main, side):
    """The powers of the main engine, 0 or 0.5 to 1, and of the side engines, -1 to -0.5, 0 or 0.5 to 1, for an action of the
    continuous environment. Takes numbers or arrays."""
    return (np.where(main > 0, 0.5 + 0.5 * np.clip(main, 0, 1), 0),
            np.where(np.abs(side) > 0.5, np.sign(side) * np.clip(np.abs(side), 0.5, 1), 0))


class LunarLander(Classic):
    """A lander with a main engine below, two side engines and two legs.

    observation  x, y (0, 0 is the landing pad), their velocities, angle, angular velocity, and whether each leg touches
                 the ground, scaled as Gymnasium's
    action       0 nothing, 1 left engine, 2 main engine, 3 right engine; or, continuous, (main, side) of -1 to 1
    reward       the progress towards a lander that rests upright on the pad with both legs, minus fuel; at the end +100
                 for a lander at rest, or -100 for a crash and for leaving the picture

    An engine's force is what Gymnasium's impulse gives in a step. A force changes the velocity before the contacts are
    solved, so a planner that applies the same forces in a fork predicts the same states, bit for bit, without noise.
    noise scales the random scatter of the engines; 1 is Gymnasium's."""

    view = (600, 400, 30, 0)

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
        self.ground = self._ground(random.uniform(0, HEIGHT / 2, CHUNKS + 1))
        self.hull = self._body(MASS - 2 * LEG_MASS, HULL_MOMENT, HULL, (WIDTH / 2, HEIGHT))
        self.bodies = [*(self._leg(side) for side in (1, -1)), self.hull]
        push = random.uniform(-1000, 1000, 2) * DT / MASS
        for body in self.bodies:
            body.velocity = float(push[0]), float(push[1])
        self.wind_time, self.turbulence_time = (int(n) for n in random.integers(-9999, 9999, 2))
        self.shaping, self.touching = None, [False, False, False]
        observation, *_ = self._advance(0.0, 0.0)
        return observation, {}

    def _ground(self, heights):
        middle = CHUNKS // 2
        heights[middle - 2:middle + 3] = PAD_Y
        smooth = [(heights[i - 1] + heights[i] + heights[i + 1 if i < CHUNKS else 0]) / 3 for i in range(CHUNKS)]
        points = [(WIDTH / (CHUNKS - 1) * i, float(y)) for i, y in enumerate(smooth)]
        for a, b in zip(points, points[1:]):
            segment = pymunk.Segment(self.space.static_body, a, b, 0)
            segment.friction, segment.filter = 0.1, pymunk.ShapeFilter(categories=GROUND)
            self.space.add(segment)
        return tuple(points)

    def _body(self, mass, moment, vertices, position, angle=0):
        shape = pymunk.Poly(None, vertices)
        body = shape.body = pymunk.Body(mass, moment)
        body.center_of_gravity = shape.center_of_gravity  # before the position, which is the origin of the vertices
        body.position, body.angle = position, angle
        shape.friction, shape.filter = 0.1, pymunk.ShapeFilter(categories=LANDER, mask=GROUND)
        self.space.add(body, shape)
        return body

    def _leg(self, side):
        """Makes a leg, whose motor pushes it towards its lower limit, so that the hull stands on it."""
        w, h, angle = LEG[0] / 2, LEG[1] / 2, side * LEG_LIMITS[0]
        position = self.hull.local_to_world(pymunk.Vec2d(side * LEG_X, -LEG_Y).rotated(angle))
        leg = self._body(LEG_MASS, LEG_MOMENT, [(-w, -h), (w, -h), (w, h), (-w, h)], position, angle)
        motor = pymunk.SimpleMotor(self.hull, leg, side * LEG_SPEED)
        motor.max_force = LEG_TORQUE
        self.space.add(pymunk.PivotJoint(self.hull, leg, (0, 0), (-side * LEG_X, LEG_Y)),
                       pymunk.RotaryLimitJoint(self.hull, leg, *sorted(side * limit for limit in LEG_LIMITS)), motor)
        return leg

    def step(self, action):
        if self.continuous:
            main, side = throttles(*action)
        else:
            main, side = _DISCRETE[int(action)]
        observation, reward, terminated = self._advance(float(main), float(side))
        return observation, reward, terminated, False, {}

    def _advance(self, main, side):
        hull, touching = self.hull, [False, False, False]
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
        for index, body in enumerate(self.bodies):
            body.each_arbiter(self._touch, touching, index)
        self.touching = touching

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

    def _touch(self, arbiter, touching, index):
        touching[index] = True

    def _blow(self):
        """Pushes and turns the hull, at its centre of gravity."""
        wind, turbulence = (math.tanh(math.sin(0.02 * t) + math.sin(math.pi * 0.01 * t))
                            for t in (self.wind_time, self.turbulence_time))
        self.wind_time, self.turbulence_time = self.wind_time + 1, self.turbulence_time + 1
        self.hull.force += wind * self.wind_power, 0
        self.hull.torque += turbulence * self.turbulence_power


_DISCRETE = (0, 0), (0, -1), (1, 0), (0, 1)  # the powers of the main engine and of the side engines


class Pilot:
    """Lands by the cross-entropy method: every plan is played in a fork of the lander's Space, without the engines' scatter.

    A plan costs what its velocities differ from a glide to the pad, fuel, and much if the hull touches the ground."""

    horizon, plans, rounds, hold = 36, 48, 3, 4

    def __init__(self, env, seed):
        import forkmunk
        from forkmunk import plan

        self.space, hull = env.space, env.hull
        self.ground = np.array(env.ground).T
        score = plan.rollouts(
            forkmunk.SpaceBatch(env.space, 1), [("local_force", hull, MAIN_POINT), ("local_force", hull, SIDE_POINT)], self.cost,
            dt=DT, every=1,
            observe=[("position", hull), ("velocity", hull), ("angle", hull), ("angular_velocity", hull)])
        self.score = lambda state, actions: score(state, forces(actions))
        self.planner = plan.CEM(self.score, [-1, -1], [1, 1], self.horizon,
                                plans=self.plans, rounds=self.rounds, hold=self.hold, spread=0.35, elites=0.15, seed=seed)

    def __call__(self, observation):
        return self.planner.act(self.space.save())

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


def forces(actions):
    """Returns the forces of the main engine and of the side engines, (..., 4), for actions (..., 2)."""
    main, side = throttles(actions[..., 0], actions[..., 1])
    found = np.zeros((*actions.shape[:-1], 4))
    found[..., 1], found[..., 2] = MAIN_FORCE * main, SIDE_FORCE * side
    return found


if __name__ == "__main__":
    main(__doc__, lambda continuous: LunarLander(continuous=continuous), Pilot, solved=200, steps=1000)
