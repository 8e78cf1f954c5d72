# SPDX-License-Identifier: MIT

import importlib.util
import json
import os
import subprocess
import sys

import numpy as np
from conftest import ROOT

import forkmunk


def run(example, *arguments, folder):
    path = ROOT / "examples/python" / example
    return subprocess.run([sys.executable, str(path), *arguments], cwd=folder, capture_output=True, text=True, timeout=600,
                          env={**os.environ})


def test_tree_search_plays(tmp_path):
    done = run("tree_search.py", "PillMap", "Buggy", "40", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("won")
    assert len((ROOT / "examples/python/tree_search.py").read_text().splitlines()) <= 90


def test_learning_learns(tmp_path):
    done = run("learn.py", "--seconds", "8", "--population", "12", "--games", "4", "--out", "learned", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    words = done.stdout[done.stdout.index("on new openings:"):].split()
    wins, losses, draws = int(words[3]), int(words[5]), int(words[7])
    assert wins + losses + draws == 72 and wins > losses
    assert (tmp_path / "learned/curve.csv").exists() and (tmp_path / "learned/game.visio.gz").exists()


class PushScene:
    """A scene with gym-pusht's protocol, whose coverage counts points of a grid on the goal."""

    goal_pose = np.array([256, 256, np.pi / 4])

    def __init__(self, pusht):
        self.tee, self.at_pose = pusht.TEE, pusht.at_pose
        self.unwrapped = self

    def reset(self, seed):
        self.space = forkmunk.Space()
        self.space.damping = 0
        self.agent = forkmunk.Body(body_type=forkmunk.Body.KINEMATIC)
        bar, stem = self.tee[[0, 1, 2, 7]].tolist(), self.tee[[6, 3, 4, 5]].tolist()
        self.block = forkmunk.Body(1, 2 * forkmunk.moment_for_poly(1, bar))
        self.block.center_of_gravity = 0, 45
        self.space.add(self.agent, forkmunk.Circle(self.agent, 15), self.block, *(forkmunk.Poly(self.block, p) for p in (bar, stem)))
        self.agent.position, self.block.position, self.block.angle = (150, 150), (240, 230), 0.6 + 0.1 * seed
        self.contacts = 0
        self.collision_handeler = self.space.add_collision_handler(0, 0)
        self.collision_handeler.post_solve = self._handle_collision
        self.space.step(0.01)

    def _handle_collision(self, arbiter, space, data):
        self.contacts += 1

    def step(self, action):
        for _ in range(10):
            push = 100 * (action - self.agent.position) + 20 * (0 - np.array(self.agent.velocity))
            self.agent.velocity = tuple(self.agent.velocity + push * 0.01)
            self.space.step(0.01)
        grid = np.array([(x, y) for x in range(-57, 60, 6) for y in range(3, 120, 6) if y < 30 or abs(x) < 15], float)
        goal = self.at_pose(grid, *self.goal_pose)
        covered = np.mean([bool(self.space.point_query(tuple(point), 0, forkmunk.ShapeFilter())) for point in goal])
        return None, covered, covered > 0.95, False, {"coverage": covered}


def test_cem_solves_pusht(tmp_path):
    """Copies in a loop must give what forks on threads give."""
    spec = importlib.util.spec_from_file_location("pusht", ROOT / "examples/python/pusht.py")
    pusht = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pusht)
    options = pusht.parser().parse_args(["--plans", "48", "--rounds", "2", "--horizon", "10", "--steps", "60"])
    env, frames = PushScene(pusht), []
    found = pusht.episode(env, options, 1, frames)
    assert found["coverage"] > 0.9 and found["mispredicted"] == 0 and env.contacts > 0
    pusht.picture(tmp_path / "plans.svg", frames, 3)
    assert (tmp_path / "plans.svg").read_text().count("<circle") == 3
    assert json.loads(json.dumps(pusht.result_of([found], options)))["coverage_90"] == 1
    targets = np.random.default_rng(1).uniform(100, 400, (3, 4, 2))
    here, contacts = env.space.hash(), env.contacts
    states = pusht.Forks(env, 2).play(targets)
    assert (states == pusht.Copies(env, 1).play(targets)).all()
    assert env.space.hash() == here and env.contacts == contacts
