# SPDX-License-Identifier: MIT
"""The environments of examples/python/classics; FORKMUNK_FORKS is the number of copies of each kind."""

import copy
import json
import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from conftest import ROOT

import forkmunk
import forkmunk.pymunk

pytest.importorskip("gymnasium")
FOLDER = ROOT / "examples/python/classics"
FORKS = int(os.environ.get("FORKMUNK_FORKS", "12"))


@pytest.fixture(scope="module")
def classics():
    """Returns the modules, with forkmunk for pymunk."""
    before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "pymunk"}
    for name in before:
        del sys.modules[name]
    forkmunk.pymunk.install()
    sys.path.insert(0, str(FOLDER))
    import bipedal_walker
    import lunar_lander

    return {"lander": lunar_lander, "walker": bipedal_walker}


def made(classics, name):
    module = classics[name.partition("_")[0]]
    return module.BipedalWalker() if name == "walker" else module.LunarLander(
        continuous="continuous" in name, enable_wind="wind" in name)


NAMES = ("lander", "lander_continuous", "lander_continuous_wind", "walker")


@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_checker_is_content(classics, name):
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(classics, name), skip_render_check=True)


def by_checkpoint(env):
    twin = copy.deepcopy(env)
    checkpoint = forkmunk.Checkpoint(env)
    for _ in range(20):
        env.step(env.action_space.sample())
    env.reset()
    checkpoint.restore()
    return twin


COPIES = {"checkpoint": by_checkpoint, "deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env)),
          "fork": forkmunk.fork}


@pytest.mark.parametrize("name", NAMES[1:])
@pytest.mark.parametrize("kind", COPIES)
def test_copies_have_the_same_future(classics, name, kind):
    env, touched, ended = made(classics, name), 0, 0
    env.action_space.seed(7)
    env.reset(seed=7)
    for _ in range(FORKS):
        for _ in range(37):  # most copies are made in the middle of an episode
            if env.step(env.action_space.sample())[2]:
                env.reset()
        twin = COPIES[kind](env)
        for _ in range(200):
            action = env.action_space.sample()
            (here, *rest), (there, *others) = env.step(action), twin.step(action)
            assert here.tobytes() == there.tobytes() and rest == others
            touched += any(env.touching) if name != "walker" else here[8] or here[13]
            if rest[1]:
                ended += 1
                assert env.reset()[0].tobytes() == twin.reset()[0].tobytes()
        assert env.space.hash() == twin.space.hash()
    assert touched and ended, "the test is weak"


def test_fork_copies_an_environment_with_ezpickle(classics, monkeypatch):
    """deepcopy() would make an environment that was never reset."""
    import common
    from gymnasium.utils import EzPickle

    for name in ("__deepcopy__", "__getstate__", "__setstate__"):
        monkeypatch.delattr(common.Classic, name)
    env = classics["lander"].LunarLander()
    assert type(env).__getstate__ is EzPickle.__getstate__
    env.reset(seed=1)
    for action in (2, 1, 2, 0, 3):
        env.step(action)
    assert copy.deepcopy(env).space is None
    twin = forkmunk.fork(env)
    for action in (0, 2, 3, 1) * 50:
        assert env.step(action)[0].tobytes() == twin.step(action)[0].tobytes()


def test_a_planner_predicts_the_lander_without_noise(classics):
    module = classics["lander"]
    env = module.LunarLander(continuous=True, noise=0)
    env.reset(seed=3)
    actions = np.random.default_rng(3).uniform(-1, 1, (1, 40, 2)).astype(np.float32)
    batch = forkmunk.SpaceBatch(env.space, 1)
    found = batch.rollout(env.space.save(), module.LandersPilot.numbers(None, actions.astype(float)),
                          [("local_force", env.hull, module.MAIN_POINT), ("local_force", env.hull, module.SIDE_POINT)],
                          dt=module.DT, every=1, observe=[("position", env.hull), ("angle", env.hull)])
    for t, action in enumerate(actions[0].astype(float)):
        env.step(action)
        assert found.states[0, t].tolist() == [*env.hull.position, env.hull.angle]


def test_cem_lands(classics):
    from common import episode

    module = classics["lander"]
    assert episode(module.LunarLander(continuous=True), 0, module.LandersPilot, 1000)[0] >= 200


def test_cem_walks(classics):
    from common import episode

    module = classics["walker"]
    env = module.BipedalWalker()
    total, steps, _ = episode(env, 0, module.WalkersPilot, 120)
    assert steps == 120 and env.hull.position.x > 8 and total > 8


@pytest.mark.parametrize("script", ("lunar_lander.py", "bipedal_walker.py"))
def test_pymunk_gives_the_same_returns(script):
    def run(engine):
        done = subprocess.run([sys.executable, str(FOLDER / script), "--random", "--seeds", "8", "--engine", engine, "--json"],
                              capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    found = run("forkmunk")
    assert found["seeds"] == 8 and -200 < found["mean_return"] < -90
    done = subprocess.run([sys.executable, "-c", "import pymunk; assert int(pymunk.version.split('.')[0]) >= 7"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip("pymunk 7 is not installed")
    stock = run("pymunk")
    assert abs(stock["mean_return"] - found["mean_return"]) < 3 and abs(stock["mean_steps"] - found["mean_steps"]) < 3


def test_a_search_by_several_processes_is_that_of_one():
    done = subprocess.run([sys.executable, str(ROOT / "examples/python/across.py"), "--plans", "24", "--steps", "2"],
                          capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and "processes: " in done.stdout and done.stdout.count("equal") == 2, done.stdout + done.stderr
