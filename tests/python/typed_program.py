# SPDX-License-Identifier: MIT
"""A program that mypy --strict accepts."""

import copy
from typing import Any, Dict, List, Optional

import numpy as np

import forkmunk
from forkmunk import Arbiter, Space, Vec2d, madcars


class Ball(forkmunk.Body):
    def __init__(self, owner: str) -> None:
        super().__init__(1, forkmunk.moment_for_circle(1, 0, 5))
        self.owner = owner


class Scene(Space):
    def __init__(self) -> None:
        super().__init__()
        self.gravity = (0, -900)
        self.hits = 0


def scene() -> Scene:
    space = Scene()
    floor = forkmunk.Segment(space.static_body, (-100, 0), (100, 0), 1)
    ball = Ball("first")
    ball.position = (0, 30)
    circle = forkmunk.Circle(ball, 5)
    circle.friction, circle.filter = 0.5, (0, 1, 0xFFFFFFFF)
    joint = forkmunk.DampedSpring(space.static_body, ball, (0, 50), (0, 0), 20, 10, 0.1)
    space.add(floor, ball, circle, joint)
    ball.velocity_func = joint.force_func = None

    def begin(arbiter: Arbiter, its_space: Space, data: Dict[Any, Any]) -> bool:
        normal: Vec2d = arbiter.normal
        data["normal"] = normal.x + arbiter.contact_point_set.points[0].distance
        return True

    space.add_collision_handler(0, 0).begin = begin
    return space


def main() -> None:
    space = scene()
    saved, twin = space.save(), space.fork()
    for _ in range(30):
        twin.step(1 / 60)
    twin.restore(saved)
    hit = twin.segment_query_first((0, 100), (0, -100), 1)
    where: Optional[Vec2d] = None if hit is None else hit.shape.body.position + hit.point
    positions: List[float] = [body.position.y + body.mass for body in twin.bodies]
    speed: float = list(twin.bodies)[0].velocity_at_local_point((1, 0)).length
    list(twin.bodies)[0].apply_impulse_at_local_point((1, 2))
    owners = [body.owner for body in twin.bodies if isinstance(body, Ball)]
    print(where, positions, speed, owners, twin.hits, [shape.bb.center() for shape in twin.shapes])

    world = madcars.World("PillMap", "Buggy")
    command = 1 if world.observe()[0] < world.observe()[9] else -1
    world.step(command, "left")
    world.step(np.int8(1), 0)
    planner = madcars.Planner("straight", seed=1)
    decision = planner.decide(copy.deepcopy(world), 0, "stop", ticks=60)
    print(decision.command, decision.score, madcars.Evaluator().terms(world.fork()))
    batch = madcars.Batch([("PillMap", "Buggy"), ("IslandMap", "Bus")], threads=1)
    observations = batch.step(batch.random_commands(hold=3))
    print(observations.mean(), batch.dead.any())

    def bot(its_world: madcars.World, player: int) -> int:
        return 1 if player == 0 else -1

    env = madcars.Env(["PillMap"], "Buggy", opponent=bot)
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    many = madcars.VectorEnv(2, opponent="chase")
    many.reset(seed=1)
    rows, rewards, ended, cut, infos = many.step(np.ones(2, int))
    game = madcars.play(bot, "builtin:chase", ["PillMap,Buggy"], seed=1)
    print(observation.sum(), reward, terminated or truncated, rewards.sum(), game.winner, len(game.recording))


if __name__ == "__main__":
    main()
