# SPDX-License-Identifier: MIT
"""An environment as programs for pymunk 6 write them; it knows nothing of forks."""

import math

import numpy as np
import pymunk
from pymunk.vec2d import Vec2d


class Tee(pymunk.Body):
    def __init__(self, name):
        super().__init__(1, 2 * pymunk.moment_for_box(1, (120, 30)))
        self.name, self.trail = name, []
        boards = [(-60, 30), (60, 30), (60, 0), (-60, 0)], [(-15, 30), (-15, 120), (15, 120), (15, 30)]
        self.boards = [pymunk.Poly(self, board) for board in boards]
        for board in self.boards:
            board.color = (1, 2, 3, 255)
        self.center_of_gravity = sum((board.center_of_gravity for board in self.boards), Vec2d.zero()) / 2


class PushEnv:
    """An environment whose step() steers the puck towards a target; the puck pushes the tee."""

    def __init__(self, seed):
        self.random, self.contacts, self.begun, self.last = np.random.default_rng(seed), 0, 0, None
        self.space = pymunk.Space()
        self.space.damping = 0.1
        corners = [(5, 5), (506, 5), (506, 506), (5, 506)]
        self.walls = [pymunk.Segment(self.space.static_body, a, b, 2) for a, b in zip(corners, corners[1:] + corners[:1])]
        self.tee = Tee("tee")
        self.tee.angle, self.tee.position = 0.3, (250, 250)
        self.puck = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
        self.puck.position = 150, 150
        disc = pymunk.Circle(self.puck, 15)
        disc.collision_type = 7
        self.trailer = pymunk.Body(0.3, 30)
        self.trailer.position = 250, 180
        spring = pymunk.DampedSpring(self.tee, self.trailer, (0, 0), (0, 0), 60, 20, 0.5)
        self.space.add(*self.walls, self.tee, *self.tee.boards, self.puck, disc, self.trailer, pymunk.Circle(self.trailer, 8), spring)
        self.handler = self.space.add_collision_handler(7, 0)
        self.handler.data["env"] = self
        self.handler.begin, self.handler.post_solve = self.begin, self.count

    def begin(self, arbiter, space, data):
        assert data["env"] is self and space is self.space
        self.begun += 1
        return True

    def count(self, arbiter, space, data):
        self.contacts += len(arbiter.contact_point_set.points)
        self.last = arbiter.shapes[1]

    def step(self, target):
        for _ in range(10):
            self.puck.velocity += 0.01 * (100 * (Vec2d(*target) - self.puck.position) - 20 * self.puck.velocity)
            self.space.step(0.01)
        self.tee.trail.append(tuple(self.tee.position))
        assert self.last is None or self.last in self.space.shapes
        return self.seen()

    def act(self):
        if self.random.random() < 0.3:
            return tuple(self.random.uniform(30, 480, 2))
        return tuple(np.array(self.tee.position) + self.random.normal(0, 30, 2))

    def seen(self):
        bodies = [(*body.position, body.angle, *body.velocity, body.angular_velocity) for body in self.space.bodies]
        assert math.isfinite(sum(map(sum, bodies)))
        return repr((bodies, self.contacts, self.begun, self.tee.name, len(self.tee.trail), self.random.random()))


def trace(env, steps):
    return [env.step(env.act()) for _ in range(steps)]
