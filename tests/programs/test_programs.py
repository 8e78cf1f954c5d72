# SPDX-License-Identifier: MIT
"""Unmodified programs and packages from PyPI on Forkmunk; scripts/test_pypi installs them."""

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import forkmunk
from forkmunk import madcars

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/python"
QUIET = {"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1", "ARCADE_HEADLESS": "True", "RAY_AUTH_MODE": "disabled"}


def run(*arguments, program=None, code=0):
    done = subprocess.run([sys.executable, *(str(each) for each in arguments)], capture_output=True, text=True, timeout=1200, input=program,
                          env={**os.environ, **QUIET})
    assert done.returncode == code, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def needs(*packages):
    versions = []
    for package in packages:
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            pytest.skip(f"{package} is not installed")
    print(", ".join(versions))


def on_both(program, version=6):
    """Returns a program's output, which must be the same on pymunk."""
    found = run("-m", "forkmunk.pymunk", f"--version={version}", program)
    assert found == run(program)
    return found


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_gymnasium_makes_vector_environments(mode):
    needs("gymnasium")
    import gymnasium

    env = gymnasium.make_vec("forkmunk/MadCars-v0", num_envs=2, autoreset_mode=gymnasium.vector.AutoresetMode(mode))
    assert env.metadata["autoreset_mode"].value == mode
    observations, _ = env.reset(seed=1)
    single = gymnasium.make("forkmunk/MadCars-v0")
    assert observations[0].tobytes() == single.reset(seed=1)[0].tobytes()
    for action in (0, 2, 2, 1):
        there = env.step(np.array([action, 1]))[0][0]
        assert single.step(action)[0].tobytes() == there.tobytes()


def test_checkers():
    needs("gymnasium", "pettingzoo", "stable-baselines3")
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import parallel_api_test
    from stable_baselines3.common.env_checker import check_env as check_for_sb3

    check_env(madcars.Env(render_mode="rgb_array"), skip_render_check=True)
    check_for_sb3(madcars.Env())
    parallel_api_test(madcars.parallel_env(), num_cycles=100)


def played(vec, observations, model, steps):
    rows = []
    for _ in range(steps):
        observations, rewards, dones, infos = vec.step(model.predict(observations, deterministic=True)[0])
        ends = [(info["terminal_observation"].tobytes(), info["TimeLimit.truncated"], info["tick"]) for info in infos
                if "terminal_observation" in info]
        rows.append((observations.tobytes(), rewards.tobytes(), dones.tobytes(), ends))
    return rows


def test_stable_baselines3_learns_and_goes_on_from_a_checkpoint():
    """A VecEnv plays what DummyVecEnv plays."""
    needs("stable-baselines3", "torch")
    import stable_baselines3
    import torch
    from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

    from forkmunk.stable_baselines3 import VecEnv

    torch.set_num_threads(1)
    vec = VecEnv(forkmunk.vectorize(lambda: madcars.Env(opponent="hold"), 4, autoreset_mode="SameStep"))
    model = stable_baselines3.PPO("MlpPolicy", VecMonitor(vec), n_steps=128, batch_size=128, n_epochs=2, seed=0, device="cpu")
    model.learn(4096)
    model.learn(512, reset_num_timesteps=False)
    assert model.num_timesteps == 4096 + 512
    dummy = DummyVecEnv([lambda: madcars.Env(opponent="hold")] * 4)
    for each in (vec, dummy):
        each.seed(3)
    first, other = vec.reset(), dummy.reset()
    assert first.tobytes() == other.tobytes()
    checkpoint = forkmunk.Checkpoint(vec)
    there = played(dummy, other, model, 700)
    assert any(ends for *_, ends in there), "the test is weak"
    assert played(vec, first, model, 700) == there
    checkpoint.restore()
    assert played(vec, first, model, 700) == there
    model.learn(512, reset_num_timesteps=False)


def test_stable_baselines3_takes_batches_and_refuses_other_autoreset_modes():
    needs("stable-baselines3")
    import stable_baselines3

    from forkmunk.stable_baselines3 import VecEnv

    batch = VecEnv(madcars.VectorEnv(4, opponent="hold", autoreset_mode="SameStep"))
    assert batch.env_is_wrapped(object) == [False] * 4 and batch.get_attr("num_envs", [1]) == [4]
    model = stable_baselines3.PPO("MlpPolicy", batch, n_steps=64, batch_size=64, n_epochs=1, seed=0, device="cpu").learn(512)
    assert model.num_timesteps == 512
    with pytest.raises(forkmunk.Error, match="SameStep"):
        VecEnv(madcars.VectorEnv(4))


@pytest.mark.parametrize("executor, packages", [("processes", []), ("joblib", ["joblib"]), ("ray", ["ray"])])
def test_searches_by_several_workers(executor, packages):
    """The example exits with 1 if an action differs."""
    needs("gymnasium", *packages)
    out = run(EXAMPLES / "across.py", "--executors", f"one,{executor}", "--plans", 24, "--steps", 2)
    assert out.count("equal") == 2
    print(out)


def test_pusht_is_solved_in_forks():
    needs("gym-pusht", "pymunk")
    found = json.loads(run(EXAMPLES / "pusht.py", "--starts", 1, "--json"))
    print(found)
    assert found["mispredicted_steps"] == 0


ARCADE = """
import arcade

Engine = arcade.PymunkPhysicsEngine
engine = Engine(gravity=(0, -900), damping=0.9)
engine.add_sprite(arcade.SpriteSolidColor(400, 20, center_x=200, center_y=10), body_type=Engine.STATIC, collision_type="wall")
boxes = [arcade.SpriteSolidColor(20, 20, center_x=100 + 13 * i, center_y=60 + 25 * i) for i in range(8)]
for i, box in enumerate(boxes):
    engine.add_sprite(box, mass=1 + i % 3, friction=0.6, elasticity=0.2, collision_type="box")
hits = []
engine.add_collision_handler("box", "wall", post_handler=lambda box, wall, arbiter, space, data: hits.append(box))
for _ in range(240):
    engine.step(1 / 60)
print([(round(box.center_x, 6), round(box.center_y, 6), round(box.angle, 6)) for box in boxes], len(hits))
"""

PYGAME = """
import hashlib
import pygame
import pymunk
import pymunk.pygame_util

space = pymunk.Space()
space.gravity = 0, 900
space.add(pymunk.Segment(space.static_body, (0, 290), (400, 270), 3))
for i in range(9):
    body = pymunk.Body(1 + i % 2, 400)
    body.position = 60 + 30 * i, 40 + 20 * (i % 4)
    space.add(body, pymunk.Circle(body, 12) if i % 2 else pymunk.Poly.create_box(body, (20, 24)))
surface = pygame.Surface((400, 300))
for _ in range(90):
    space.step(1 / 60)
surface.fill((255, 255, 255))
space.debug_draw(pymunk.pygame_util.DrawOptions(surface))
pixels = pygame.image.tobytes(surface, "RGB")
print(hashlib.sha256(pixels).hexdigest(), len(set(zip(pixels[::3], pixels[1::3], pixels[2::3]))))
"""


@pytest.mark.parametrize("package, program", [("arcade", ARCADE), ("pygame", PYGAME)])
def test_games_are_the_same_on_pymunk(package, program, tmp_path):
    needs(package, "pymunk")
    path = tmp_path / f"{package}_program.py"
    path.write_text(program)
    print(on_both(path))
