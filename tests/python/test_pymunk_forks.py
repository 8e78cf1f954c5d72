# SPDX-License-Identifier: MIT
"""Forks of an environment written for pymunk have the same future and share nothing."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import forkmunk
import forkmunk.pymunk as pymunk
from forkmunk import api_version

pymunk.install(version=6)

from push_program import PushEnv, Tee, trace  # noqa: E402


@pytest.fixture(autouse=True)
def version_6(version_7):
    api_version.use(6)


WAYS = {"deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env)), "fork": forkmunk.fork}


def envs(count, seed):
    """Yields environments at random steps, mostly in contact."""
    contacts = 0
    for number in range(count):
        env = PushEnv(seed + number)
        trace(env, 3 + 5 * (number % 7))
        yield env
        contacts += env.contacts
    assert contacts > 20 * count


@pytest.mark.parametrize("way", WAYS)
def test_a_fork_is_complete_and_shares_nothing(way):
    for env in envs(8, 1):
        twin = WAYS[way](env)
        before = [(body.position, body.angle, body.velocity) for body in env.space.bodies], env.contacts, len(env.tee.trail)
        trace(twin, 30)
        assert twin.space is not env.space and twin.tee is not env.tee and twin.handler.data["env"] is twin
        assert type(twin.tee) is Tee and twin.tee in twin.space.bodies and set(twin.tee.boards) == set(twin.tee.shapes)
        assert twin.tee.boards[0].color == (1, 2, 3, 255) and twin.walls[0].body is twin.space.static_body
        after = [(body.position, body.angle, body.velocity) for body in env.space.bodies], env.contacts, len(env.tee.trail)
        assert before == after


@pytest.mark.parametrize("way", WAYS)
def test_a_fork_and_its_original_go_the_same_way(way):
    for env in envs(8, 100):
        twin = WAYS[way](env)
        assert trace(twin, 30) == trace(env, 30)
        assert twin.space.hash() == env.space.hash()


@pytest.mark.parametrize("version", [6, 7])
@pytest.mark.parametrize("way", WAYS)
def test_collections_have_the_same_order_in_a_fork(way, version):
    """A sum over body.shapes depends on the order in its last bit."""
    api_version.use(version)
    space, body, other = pymunk.Space(), pymunk.Body(1, 1), pymunk.Body(1, 1)
    shapes = [pymunk.Circle(body, 1 + i) for i in range(20)]
    space.add(body, other, *shapes[::-1], *(pymunk.PinJoint(body, other, (i, 0)) for i in range(20)))
    twins = WAYS[way]([space, body])
    seen = [([shape.radius for shape in it.shapes], [joint.anchor_a.x for joint in it.constraints]) for it in (body, twins[1])]
    assert seen[0] == seen[1] == ([shape.radius for shape in shapes], list(range(20)))


def test_a_checkpoint_brings_the_whole_environment_back():
    for env in envs(8, 200):
        checkpoint = forkmunk.Checkpoint(env)
        tee, boards = env.tee, env.tee.boards
        future = trace(env, 30)
        for _ in range(2):
            checkpoint.restore()
            assert env.tee is tee and env.tee.boards == boards and trace(env, 30) == future


def test_a_pickle_goes_on_in_another_process():
    program = """if True:
        import pickle, sys
        import forkmunk.pymunk
        forkmunk.pymunk.install(version=6)
        sys.path.insert(0, sys.argv[1])
        from push_program import trace
        for env in pickle.load(sys.stdin.buffer):
            print(repr(trace(env, 30)))
    """
    several = list(envs(4, 300))
    folder = str(Path(__file__).parent)
    done = subprocess.run([sys.executable, "-B", "-c", program, folder], input=pickle.dumps(several), capture_output=True, timeout=600)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().splitlines() == [repr(trace(env, 30)) for env in several]
