# SPDX-License-Identifier: MIT

import threading

import numpy as np
import pytest
from scenes import DT, machine, pile, run

import forkmunk
from forkmunk import plan


def arena():
    """Returns an agent with a servo, a block and a wall, as in PushT."""
    space = forkmunk.Space()
    space.damping = 0
    wall = forkmunk.Segment(space.static_body, (0, 0), (500, 0), 2)
    agent = forkmunk.Body(body_type=forkmunk.Body.KINEMATIC)
    agent.position = (100, 100)
    block = forkmunk.Body(1, forkmunk.moment_for_box(1, (60, 60)))
    block.position = (200, 100)
    shapes = forkmunk.Circle(agent, 15), forkmunk.Poly.create_box(block, (60, 60))
    space.add(wall, agent, block, *shapes)
    space.step(0.01)
    return space, agent, block, shapes, wall


@pytest.mark.parametrize("threads", (1, 2, 3, 8))
@pytest.mark.parametrize("scene", (pile, machine))
def test_each_world_is_as_a_space_alone(scene, threads):
    space = scene()
    batch = forkmunk.SpaceBatch(space, 6, threads)
    bodies = list(space.bodies)
    velocities = np.arange(6 * len(bodies) * 2, dtype=float).reshape(6, len(bodies), 2) % 50
    batch.write("velocity", bodies, velocities)
    batch.step(DT, count=70)
    batch.step(DT)
    hashes = []
    for row in velocities:
        alone = space.fork()
        for body, velocity in zip(bodies, row):
            alone.twin_of(body).velocity = tuple(velocity)
        hashes.append(run(alone, 71))
    assert batch.hashes().tolist() == hashes
    assert (len(batch), batch.threads) == (6, threads)
    assert [world.hash() for world in batch] == hashes
    positions = batch.read("position", bodies)
    assert positions.shape == (6, len(bodies), 2) and positions.dtype == np.float64
    assert tuple(positions[-1, 3]) == tuple(batch[-1].twin_of(bodies[3]).position)


def test_fields():
    space = machine()
    batch = forkmunk.SpaceBatch(space, 3)
    for field in ("position", "velocity", "force"):
        values = np.random.default_rng(1).normal(size=(3, 2, 2))
        batch.write(field, list(space.bodies)[:2], values)
        assert np.array_equal(batch.read(field, list(space.bodies)[:2]), values)
    for field, things in (("angle", space.bodies), ("angular_velocity", space.bodies), ("torque", space.bodies),
                          ("motor_rate", list(space.constraints)[-1:])):
        values = np.random.default_rng(1).normal(size=(3, len(things)))
        batch.write(field, things, values)
        assert np.array_equal(batch.read(field, things), values)
    assert list(batch[2].constraints)[-1].rate == values[2, 0] != list(space.constraints)[-1].rate
    batch.write("motor_max_force", list(space.constraints)[-1:], [[3], [0], [4]])
    assert list(batch[2].constraints)[-1].max_force == 4


def test_states_go_in_and_out():
    space = pile()
    batch = forkmunk.SpaceBatch(space, 4, 2)
    start = space.save()
    batch.step(DT, 5)
    later = batch.hashes()[0]
    batch.restore(start, np.array([True, False, False, True]))
    assert (batch.hashes() == later).tolist() == [False, True, True, False]
    batch.fork(1, np.array([True, False, False, False]))
    batch[3] = batch[1]
    assert set(batch.hashes()) == {later}
    batch.restore(start)
    assert set(batch.hashes()) == {space.hash()}
    run(space, 9)
    batch.restore(space.save())
    space.restore(batch.save(2))
    assert run(space, 3) == run(batch[0], 3)
    copy = batch[1]
    list(copy.bodies)[0].position = (7, 7)
    assert list(batch[1].bodies)[0].position != (7, 7), "batch[i] is a copy"


def test_objects_that_a_world_lacks():
    space = pile()
    body = list(space.bodies)[4]
    batch = forkmunk.SpaceBatch(space, 3)
    other = space.fork()
    gone = other.twin_of(body)
    other.remove(*gone.shapes, gone)
    added = forkmunk.Body(1, 1)
    other.add(added)
    before = batch.hashes()
    with pytest.raises(forkmunk.Error):
        batch.read("position", [added])
    assert (batch.hashes() == before).all()
    batch[1] = other
    with pytest.raises(forkmunk.Error, match="world 1"):
        batch.write("position", space.bodies, np.zeros((3, 30, 2)))
    assert len(batch[1].bodies) == 30 and list(batch[1].bodies)[-1].mass == 1
    assert batch.read("position", list(space.bodies)[:4]).shape == (3, 4, 2)


@pytest.mark.parametrize("call", [
    lambda b, s: forkmunk.SpaceBatch(s, 0),
    lambda b, s: forkmunk.SpaceBatch(s, 10**9),
    lambda b, s: forkmunk.SpaceBatch(s, 1, threads=10**6),
    lambda b, s: forkmunk.SpaceBatch(None, 1),
    lambda b, s: forkmunk.SpaceBatch(s, 1, callbacks="keep"),
    lambda b, s: b.step(float("nan")),
    lambda b, s: b.step(-DT, 10**18),
    lambda b, s: b.step(DT, -1),
    lambda b, s: b.read("positions", s.bodies),
    lambda b, s: b.read("motor_rate", s.bodies),
    lambda b, s: b.read("position", pile().bodies),
    lambda b, s: b.read("position", [1]),
    lambda b, s: b.read("position", [forkmunk.Body(1, 1)]),
    lambda b, s: b.write("angle", list(s.bodies)[:2], np.zeros((3, 3))),
    lambda b, s: b.write("position", list(s.bodies)[:2], np.zeros((3, 2))),
    lambda b, s: b.write("angle", list(s.bodies)[:2], np.full((3, 2), np.inf)),
    lambda b, s: b.write("angle", list(s.bodies)[:2], np.array([["a", "b"]] * 3)),
    lambda b, s: b.restore(None),
    lambda b, s: b.restore(s.save(), np.array([True])),
    lambda b, s: b.fork(0, np.array([True])),
    lambda b, s: b.rollout(s.save(), np.zeros((1, 1, 3)), [("position", list(s.bodies)[0])], dt=DT),
    lambda b, s: b.rollout(s.save(), np.zeros((1, 0, 2)), [("position", list(s.bodies)[0])], dt=DT),
    lambda b, s: b.rollout(s.save(), np.zeros((1, 1, 2)), [("position", list(s.bodies)[0], 1)], dt=DT),
    lambda b, s: b.rollout(s.save(), np.zeros((1, 1, 2)), [("velocity", list(s.bodies)[0], 1, 1)], dt=DT),
    lambda b, s: b.rollout(s.save(), np.zeros((1, 1, 0)), [], dt=DT, contacts=[(list(s.bodies)[0], list(s.bodies)[1])]),
    lambda b, s: b.rollout(s.save(), np.zeros((1, 1, 0)), [], dt=DT, substeps=0),
    lambda b, s: b.rollout(s.save(), np.zeros((1, 1, 2)), [("local_force", list(s.bodies)[0], 1)], dt=DT),
    lambda b, s: b.rollout(s.save(), np.zeros((1, 1, 2)), [("local_force", list(s.bodies)[0], (1, np.inf))], dt=DT),
])
def test_bad_use_changes_nothing(call):
    space = pile()
    batch = forkmunk.SpaceBatch(space, 3)
    before = batch.hashes()
    with pytest.raises((forkmunk.Error, TypeError)):
        call(batch, space)
    assert (batch.hashes() == before).all()
    with pytest.raises(IndexError):
        batch[3]


def test_a_world_that_fails_does_not_stop_the_others():
    space, body = pile(), forkmunk.Body(1, 1)
    space.add(body)
    batch = forkmunk.SpaceBatch(space, 3, 2)
    for field in ("position", "velocity"):  # the position of world 1 overflows after some steps
        batch.write(field, [body], np.array([[[0, 0]], [[1e308, 0]], [[0, 0]]]))
    with pytest.raises(forkmunk.Error, match="world 1"):
        batch.step(DT, 100)
    assert batch.hashes()[::2].tolist() == [run(space, 100)] * 2


def test_python_callbacks_are_refused_or_dropped():
    space = pile()
    called = []
    quiet = space.fork()
    space.add_collision_handler(0, 0).post_solve = lambda *arguments: called.append(1)
    with pytest.raises(forkmunk.Error, match="callbacks"):
        forkmunk.SpaceBatch(space, 2)
    batch = forkmunk.SpaceBatch(space, 2, 2, callbacks="drop")
    batch.step(DT, 40)
    assert not called
    run(quiet, 40)
    assert list(batch[0].bodies)[3].position == list(quiet.bodies)[3].position
    batch.restore(space.save())
    with pytest.raises(forkmunk.Error, match="callbacks"):
        forkmunk.SpaceBatch(quiet, 2).restore(space.save())
    batch[1].step(DT)
    assert not called
    run(space, 40)
    assert called


def test_a_rollout_is_a_loop():
    space, agent, block, (circle, box), _ = arena()
    plans = np.random.default_rng(3).uniform(50, 300, size=(7, 6, 2))
    batch = forkmunk.SpaceBatch(space, 1, 2)
    found = batch.rollout(
        space.save(), plans, [("position", agent, 100, 20)], dt=0.01, substeps=10, every=2,
        observe=[("position", [agent, block]), ("angle", block)], contacts=[(circle, box)],
        events=[(circle, box), (block, forkmunk.BB(0, 0, 210, 300))])
    for k, plan in enumerate(plans):
        alone = space.fork()
        a, b, c, d = (alone.twin_of(thing) for thing in (agent, block, circle, box))
        steps, first, states = 0, [0, 0], []
        for t, target in enumerate(plan):
            touched = False
            for _ in range(10):
                push = 100 * (target - a.position) + 20 * (0 - np.array(a.velocity))
                a.velocity = tuple(a.velocity + push * 0.01)
                alone.step(0.01)
                steps += 1
                now = any(hit.shape is d for hit in alone.shape_query(c))
                touched |= now
                if now and not first[0]:
                    first[0] = steps
                if b.position.x > 210 and not first[1]:
                    first[1] = steps
            states.append([*a.position, *b.position, b.angle])
            assert found.contacts[k, t, 0] == touched
        assert found.final[k].tolist() == states[-1]
        assert found.states[k].tolist() == states[1::2]
        assert found.events[k].tolist() == first
    assert found.steps.tolist() == [60] * 7
    assert found.events.any() and not found.events.all()


def test_a_thruster_applies_a_local_force():
    space = machine()
    body = list(space.bodies)[0]
    body.angle = 0.5
    plans = np.random.default_rng(4).normal(size=(3, 5, 4)) * 100
    found = forkmunk.SpaceBatch(space, 1).rollout(
        space.save(), plans, [("local_force", body, (0, -2)), ("local_force", body, (1, 3))], dt=DT,
        observe=[("position", body), ("angle", body)])
    for k, plan in enumerate(plans):
        alone = space.fork()
        twin = alone.twin_of(body)
        for action in plan:
            twin.apply_force_at_local_point(tuple(action[:2]), (0, -2))
            twin.apply_force_at_local_point(tuple(action[2:]), (1, 3))
            alone.step(DT)
        assert found.final[k].tolist() == [*twin.position, twin.angle]
    assert len(set(found.final[:, 0])) == 3


def test_the_gil_is_released():
    batch = forkmunk.SpaceBatch(pile(60), 64, 2)
    refused = []

    def work(call):  # until one of two threads finds the batch in use
        while not refused:
            try:
                call()
            except forkmunk.Error as error:
                refused.append(str(error))

    worker = threading.Thread(target=work, args=(batch.hashes,))
    worker.start()
    work(lambda: batch.step(DT, 10))
    worker.join()
    assert "thread" in refused[0]


def pushed(result, _):
    """Returns the costs: the block should be at (260, 100), and the agent beside it."""
    agent, block = result.final[:, :2], result.final[:, 2:4]
    return np.hypot(*(block - (260, 100)).T) + 0.1 * np.hypot(*(agent - block + (50, 0)).T)


@pytest.mark.parametrize("method", ("CEM", "MPPI", "Stretched"))
def test_planners_push_the_block(method):
    plans = []
    for threads in (1, 2):
        space, agent, block, _, _ = arena()
        batch = forkmunk.SpaceBatch(space, 1, threads)
        controls = [("position", agent, 100, 20)]
        score = plan.rollouts(batch, controls, pushed, dt=0.01, substeps=10, observe=[("position", [agent, block])])
        planner = getattr(plan, method)(score, [0, 0], [300, 200], 8, plans=48, rounds=2, hold=2, seed=3)
        actions = []
        for _ in range(12):
            action = planner.act(space.save())
            found = batch.rollout(space.save(), action[None, None], controls, dt=0.01, substeps=10)
            assert found.steps.tolist() == [10]
            for _ in range(10):
                push = 100 * (action - agent.position) + 20 * (0 - np.array(agent.velocity))
                agent.velocity = tuple(agent.velocity + push * 0.01)
                space.step(0.01)
            actions.append(action.tolist())
        assert abs(block.position.x - 260) < 25
        plans.append(actions)
    assert plans[0] == plans[1]


@pytest.mark.parametrize("call", [
    lambda: plan.CEM(None, [0], [1], 3),
    lambda: plan.CEM(lambda s, a: 0, [0], [1], 3, temperature=1),
    lambda: plan.MPPI(lambda s, a: 0, [0], [1], 3, temperature=0),
    lambda: plan.CEM(lambda s, a: 0, [1], [1], 3),
    lambda: plan.CEM(lambda s, a: 0, [1], [2], -3),
    lambda: plan.CEM(lambda s, a: 0, [1], [2], 3, spread=np.nan),
    lambda: plan.CEM(lambda s, a: a, [0], [1], 3).plan(None),
    lambda: plan.CEM(lambda s, a: np.array(["x"] * len(a)), [0], [1], 3).plan(None),
    lambda: plan.CEM(lambda s, a: 1 / 0, [0], [1], 3).plan(None),
])
def test_planners_refuse(call):
    with pytest.raises((ValueError, TypeError, ZeroDivisionError)):
        call()


class Push:
    """A Gymnasium environment in which a servo pushes the block of arena() to (260, 100)."""

    def __init__(self):
        self.space, self.agent, self.block, _, _ = arena()
        self.count = 0

    def step(self, action):
        self.count += 1
        for _ in range(10):
            push = 100 * (action - self.agent.position) + 20 * (0 - np.array(self.agent.velocity))
            self.agent.velocity = tuple(self.agent.velocity + push * 0.01)
            self.space.step(0.01)
        miss = self.block.position.get_distance((260, 100))
        return None, -miss, miss < 3, False, {}


def score_in_a_worker(state, actions):
    space, agent, block = state
    batch = forkmunk.SpaceBatch(space, 1)
    return plan.rollouts(batch, [("position", agent, 100, 20)], lambda result, _: np.hypot(*(result.final - (260, 100)).T),
                         dt=0.01, substeps=10, observe=[("position", block)])(space.save(), actions)


def test_plans_across_processes_are_those_of_one():
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    space, agent, block, *_ = arena()

    def decisions(map_, parts):
        score = score_in_a_worker if map_ is None else plan.across(map_, score_in_a_worker, parts)
        planner = plan.CEM(score, [0, 0], [300, 200], 6, plans=13, rounds=2, hold=2, seed=3)
        return [planner.act((space, agent, block)).tolist() for _ in range(2)] + [planner.best.tolist()]

    alone = decisions(None, 1)
    assert decisions(map, 5) == decisions(map, 40) == alone
    for workers in (1, 2):
        with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as executor:
            assert decisions(executor.map, 3) == alone
    with pytest.raises(forkmunk.Error, match="a planner's plans: expected 3 or more"):
        plan.CEM(score_in_a_worker, [0, 0], [300, 200], 6, plans=1)
    with pytest.raises(forkmunk.Error, match="parts"):
        plan.across(map, score_in_a_worker, 0)


def test_planners_in_an_environment():
    env = Push()
    planner = plan.CEM(plan.environment(env), [0, 0], [300, 200], 8, plans=24, rounds=2, hold=2, seed=1)
    for taken in range(8):
        before = env.space.hash()
        action = planner.act(forkmunk.Checkpoint(env))
        assert env.space.hash() == before and env.count == taken
        env.step(action)
    assert abs(env.block.position.x - 260) < 30

    def broken(_):
        env.count += 1
        raise RuntimeError("broken")

    here, env.step = env.count, broken
    with pytest.raises(RuntimeError):
        planner.act(forkmunk.Checkpoint(env))
    assert env.count == here


def test_a_worlds_state_leaves_attributes_and_callbacks():
    space, agent, block, *_ = arena()
    agent.name, called = "agent", []

    def slow(body, gravity, damping, dt):
        called.append(body)
        forkmunk.Body.update_velocity(body, gravity, 0.5, dt)

    block.velocity_func = slow
    batch = forkmunk.SpaceBatch(space, 2, callbacks="drop")
    batch.step(DT)
    space.restore(batch.save(0))
    assert agent.name == "agent"
    space.step(DT)
    assert called == [block]
    world, heard = batch[0], []
    assert world.threads == space.threads
    world.on_collision(post_solve=lambda *_: heard.append(1))
    world.step(DT)  # the world's own bodies have no functions
    assert called == [block]


def test_restores_another_state_in_each_world():
    space = pile(5)
    states, hashes = [], []
    for _ in range(3):
        states.append(space.save())
        hashes.append(space.hash())
        space.step(1 / 60)
    batch = forkmunk.SpaceBatch(space, 4)
    end = space.hash()
    batch.restore([states[2], states[0]], [3, 1])
    assert list(batch.hashes()) == [end, hashes[0], end, hashes[2]]
    with pytest.raises(forkmunk.Error):
        batch.restore([states[0]], [1, 2])
    with pytest.raises(forkmunk.Error):
        batch.restore(states[:2], [1, 1])
    with pytest.raises(IndexError):
        batch.restore(states[:1], [4])
    assert list(batch.hashes()) == [end, hashes[0], end, hashes[2]]
