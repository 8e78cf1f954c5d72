# SPDX-License-Identifier: MIT

import copy
import gc
import json
import subprocess
from random import Random

import numpy as np
import pytest

import forkmunk
from conftest import ROOT
from forkmunk.drawing_options import SpaceDebugDrawOptions
from forkmunk import Body, Circle, DampedSpring, PinJoint, Recorder, Segment, SimpleMotor, Space


def scene(count=10):
    space = Space()
    space.gravity = (0, -100)
    ground = Segment(space.static_body, (-100, 0), (100, 0), 1)
    ground.friction = 1
    space.add(ground)
    balls = []
    for i in range(count):
        ball = Body(1, forkmunk.moment_for_circle(1, 0, 4))
        ball.position = (3 * (i % 3), 5 + 9 * i)
        shape = Circle(ball, 4)
        shape.friction = 0.5
        shape.collision_type = 1
        space.add(ball, shape)
        balls.append(ball)
    return space, balls


def test_every_step_is_a_space_again():
    space, balls = scene()
    recorder = Recorder(space, keyframe_steps=16)
    hashes = []
    for i in range(50):
        if i % 6 == 2:
            balls[0].velocity = (i, 30)
        hashes.append(space.hash())
        space.step(1 / 60)
    assert (recorder.first, recorder.last) == (0, 50)
    assert [recorder.at(step).hash() for step in range(50)] == hashes
    assert recorder.at(50).hash() == space.hash()
    assert all(verdict.exact for verdict in recorder.verify())
    twin = recorder.at(20)
    assert twin.twin_of(balls[0]).position == tuple(recorder.at(20).twin_of(balls[0]).position)
    assert recorder.path(balls[3])[50].tolist() == [np.float32(balls[3].position.x), np.float32(balls[3].position.y), np.float32(balls[3].angle)]


def test_objects_and_callbacks_come_and_go():
    space, balls = scene()
    calls = []

    def begin(arbiter, space, data):
        calls.append(space)
        arbiter.shapes[0].body.apply_impulse_at_local_point((3, 0))

    space.on_collision(1, 1, begin=begin)
    recorder = Recorder(space, keyframe_steps=16)
    hashes = []
    for i in range(60):
        if i == 20:
            extra = Body(1, 1)
            extra.position = (50, 50)
            space.add(extra, Circle(extra, 2))
        if i == 40:
            space.remove(*balls[1].shapes, balls[1])
        hashes.append(space.hash())
        space.step(1 / 60)
    assert [step for step, what in recorder.interventions] == [20, 40]
    assert set(calls) == {space}
    for step in (5, 19, 20, 21, 39, 45):
        twin = recorder.at(step)
        assert twin.hash() == hashes[step]
        assert len(twin.bodies) == 10 + (step >= 20) - (step >= 40)
    assert any(each is not space for each in calls)
    assert all(verdict.exact for verdict in recorder.verify())
    assert np.isnan(recorder.path(extra)[10]).all() and not np.isnan(recorder.path(extra)[30]).any()


def test_a_callback_that_raises_in_a_replay_is_a_verdict():
    space, balls = scene(2)
    for ball in balls:
        for shape in ball.shapes:
            shape.number = 7
    space.on_collision(1, 0, begin=lambda arbiter, space, data: arbiter.shapes[0].number)
    recorder = Recorder(space, keyframe_steps=50)
    for _ in range(100):
        space.step(1 / 60)
    assert [verdict.kind for verdict in recorder.verify()] == ["exact"] * 2
    for shape in balls[1].shapes:
        del shape.number
    space.step(1 / 60)
    first, *_ = recorder.verify()
    assert first.kind == "differs" and "the step raised AttributeError: 'Circle' object has no attribute 'number'" in first.reason
    with pytest.raises(AttributeError, match="number"):
        recorder.at(first.step)


def test_removed_objects_have_their_attributes_in_a_replay():
    class Coin(Circle):
        worth = 0

    space, balls = scene(2)
    coins = [Coin(space.static_body, 3, (x, 8)) for x in (0, 3)]
    for coin, worth in zip(coins, (5, 7)):
        coin.sensor, coin.collision_type, coin.worth = True, 2, worth
    space.add(*coins)
    taken = []

    def take(arbiter, space, data):
        coin = arbiter.shapes[1]
        taken.append((type(coin), coin.worth))
        space.remove(coin)

    space.on_collision(1, 2, begin=take)
    recorder = Recorder(space, keyframe_steps=8, steps=400)
    for _ in range(60):
        space.step(1 / 60)
    assert set(taken) == {(Coin, 5), (Coin, 7)} and not any(coin in space.shapes for coin in coins)
    played = list(taken)
    del taken[:]
    assert {verdict.kind for verdict in recorder.verify()} == {"exact"}
    assert taken == played
    for _ in range(2000):
        space.step(1 / 60)
    space.remove(*balls[0].shapes, balls[0])  # no step in the ring has the coins
    assert [cls for _, _, cls, _ in recorder._removed] == [Circle, Body]
    assert copy.deepcopy(space)._recorder is None


@pytest.mark.parametrize("has_body_outside", [False, True])
def test_what_a_restore_removed_has_its_attributes_in_a_replay(has_body_outside):
    space, (one, other) = scene(2)
    if has_body_outside:
        space.add(PinJoint(one, Body(1, 1)))
    saved, recorder = space.save(), Recorder(space)
    space.step(1 / 60)
    spring, ghost = DampedSpring(one, other, (0, 0), (0, 0), 9, 40, 1), Body(1, 1)
    spring.force_func = lambda spring, distance: 5 * distance
    ghost.velocity_func = lambda body, gravity, damping, dt: setattr(body, "velocity", (3, 0))
    space.add(spring, ghost)
    hashes = {}
    for step in range(1, 9):
        hashes[step] = space.hash()
        space.step(1 / 60)
    space.restore(saved)
    space.step(1 / 60)
    assert {step: recorder.at(step).hash() for step in hashes} == hashes
    assert {verdict.kind for verdict in recorder.verify()} == {"exact"}


def test_verify_has_the_functions_of_objects_that_came_later():
    space, _ = scene(2)
    recorder = Recorder(space)
    space.step(1 / 60)
    ghost = Body(1, 1)
    ghost.velocity_func = lambda body, gravity, damping, dt: setattr(body, "velocity", (3, 0))
    space.add(ghost)
    space.step(1 / 60)
    assert [verdict.kind for verdict in recorder.verify()] == ["exact", "exact"]


def test_a_recorder_keeps_no_joint_that_was_removed():
    space, (one, other) = scene(2)
    recorder = Recorder(space)
    space.add(PinJoint(one, other))
    space.step(1 / 60)
    space.remove(*space.constraints)
    gc.collect()
    space.step(1 / 60)
    assert len(one.constraints) == len(recorder.at(2).twin_of(one).constraints) == 0


@pytest.mark.parametrize("add", [lambda space: space.add_collision_handler(0, 1), lambda space: space.add_default_collision_handler(),
                                 lambda space: space.add_wildcard_collision_handler(1)])
def test_a_handler_that_comes_later_is_replayed(add):
    space, balls = scene(2)
    recorder, heights = Recorder(space), [None]
    for i in range(12):
        if i == 3:
            add(space).post_solve = lambda arbiter, space, data: None
        if i == 6:
            add(space).pre_solve = lambda arbiter, space, data: False
        space.step(1 / 60)
        heights.append(balls[0].position.y)
    assert [verdict.kind for verdict in recorder.verify()] == ["exact"] * 3
    assert recorder.interventions == [(i, "a collision handler was added or changed") for i in (3, 6)]
    assert recorder.at(9).twin_of(balls[0]).position.y == heights[9]


def test_what_is_outside_of_the_space_is_noticed():
    space, balls = scene()
    pushes = iter(range(1000))

    def velocity(body, gravity, damping, dt):
        Body.update_velocity(body, gravity, damping, dt)
        body.velocity += (next(pushes), 0)

    balls[9].velocity_func = velocity
    recorder = Recorder(space, keyframe_steps=20)
    for _ in range(30):
        space.step(1 / 60)
    first, second = recorder.verify()
    assert (first.kind, first.step) == ("differs", 1)
    assert "state 1 differs" in first.reason


def test_marks_values_and_names():
    space, balls = scene()
    recorder = Recorder(space)
    recorder.name(balls[0], "player")
    space.step(0.01)
    recorder.mark("hit")
    recorder.log("score", 3)
    recorder.log("phase", "push")
    recorder.input("keys", ["left", np.int8(1)])
    with pytest.raises(TypeError, match=r"Recorder.input\(value\): found <object"):
        recorder.input("keys", {"left": object()})
    assert recorder.events == [(1, "mark", "hit", None), (1, "log", "score", 3.0), (1, "log", "phase", "push"), (1, "input", "keys", ["left", 1])]
    assert recorder.contacts(1).shape[1] == 4
    with pytest.raises(forkmunk.Error):
        recorder.name(Body(1, 1), "not in the space")
    with pytest.raises(forkmunk.Error):
        recorder.at(2)
    with pytest.raises(forkmunk.Error):
        Recorder(space)
    with pytest.raises(TypeError):
        Recorder(3)


def test_the_ring_is_limited():
    space, _ = scene()
    recorder = Recorder(space, memory_bytes=1 << 20, keyframe_steps=10)
    for _ in range(2000):
        space.step(0.01)
        assert recorder.memory_bytes <= 1 << 20
    assert 0 < recorder.first < recorder.last == 2000
    assert all(verdict.exact for verdict in recorder.verify())


def test_a_step_that_raises_is_put_back():
    space, balls = scene()
    raises = []

    def begin(arbiter, space, data):
        if raises:
            raise RuntimeError("from the program")

    space.on_collision(1, 1, begin=begin)
    recorder = Recorder(space)
    for _ in range(10):
        space.step(1 / 60)
    assert recorder.recover() is None
    before = space.hash()
    raises.append(1)
    with pytest.raises(RuntimeError):
        for i in range(200):
            balls[2].velocity = (i, 1)
            before = space.hash()
            space.step(1 / 60)
    raises.clear()
    failure = recorder.recover()
    assert failure.step >= 10
    assert space.hash() == before
    space.step(1 / 60)


def test_a_body_that_leaves_the_finite_numbers_is_named():
    space, balls = scene()
    recorder = Recorder(space)
    recorder.name(balls[4], "rocket")
    for _ in range(10):
        space.step(1 / 60)
    balls[4].force = (1e308, 1e308)
    before = space.hash()
    space.step(60)
    failure = recorder.recover()
    assert failure.step == 10
    assert "(rocket)" in failure.culprit
    assert space.hash() == before


@pytest.mark.parametrize("effect", [0, 3])
def test_recordings_with_callbacks_are_compared(tmp_path, program, effect):
    """The program has none of these functions: a recording equals itself, and a difference is found."""
    files = []
    for change in (0, 1e-9):
        space, balls = scene(2)
        space.on_collision(1, 0, post_solve=lambda arbiter, space, data: arbiter.shapes[0].body.apply_impulse_at_local_point((effect, 0)))
        balls[0].velocity_func = lambda body, gravity, damping, dt: Body.update_velocity(body, gravity, damping, dt)
        recorder = Recorder(space, keyframe_steps=30)
        for i in range(100):
            if i == 50:
                balls[1].velocity += (change, 0)
            space.step(1 / 60)
        files.append(recorder.save(tmp_path / f"run{change}.fmrec"))

    def diff(*files):
        done = subprocess.run([program, "diff", *files, "--json"], capture_output=True, text=True)
        return done.returncode, json.loads(done.stdout)

    assert diff(files[0], files[0]) == (0, {"equal": True, "step": None, "differences": []})
    code, report = diff(*files)
    assert (code, report["step"], report["differences"][0]["object"]) == (1, 50, "body 1")
    assert ("differs from its replay" in report.get("reason", "")) == (effect != 0)


def random_changes(random, space):
    """Returns functions, each of which changes something in a way of its own."""
    bodies, moving = list(space.bodies), [body for body in space.bodies if body.body_type == Body.DYNAMIC]
    body, other = random.choice(moving), random.choice(moving)
    joint = random.choice(list(space.constraints))
    shape = random.choice([shape for each in moving for shape in each.shapes])
    any_shape, number = random.choice(list(space.shapes)), random.uniform(0.2, 2)

    def remove():
        if not body.constraints and len(moving) > 4:
            space.remove(*body.shapes, body)

    def sleep_and_wake():
        if not body.is_sleeping and not body.constraints:
            try:
                body.sleep()
            except forkmunk.Error:  # it touches one that is awake
                return
            body.activate()

    def set_type():
        if not bodies[-1].constraints and len(moving) > 4:
            bodies[-1].body_type = random.choice([Body.KINEMATIC, Body.STATIC])

    def move():
        body.position += (3 * number, 20)
        space.reindex_shapes_for_body(body)

    return [
        remove, sleep_and_wake, set_type, move, space.reindex_static, body.activate,
        lambda: setattr(body, "velocity", (20 * number, 50)),
        lambda: setattr(body, "angle", number),
        lambda: setattr(body, "torque", 100 * number),
        lambda: setattr(body, "mass", number),
        lambda: setattr(body, "center_of_gravity", (number, 0)),
        lambda: body.apply_impulse_at_local_point((0, 30), (number, 0)),
        lambda: setattr(joint, "max_force", 900 * number),
        lambda: setattr(joint, "collide_bodies", not joint.collide_bodies),
        lambda: space.add(SimpleMotor(body, bodies[0], number)) if body is not bodies[0] else None,
        lambda: setattr(any_shape, "friction", number),
        lambda: setattr(any_shape, "elasticity", number / 2),
        lambda: setattr(any_shape, "surface_velocity", (30 * number, 0)),
        lambda: setattr(shape, "sensor", not shape.sensor),
        lambda: setattr(any_shape, "filter", forkmunk.ShapeFilter(group=random.randrange(3))),
        lambda: setattr(shape, "collision_type", random.randrange(3)),
        lambda: shape.unsafe_set_radius(3 + number),
        lambda: setattr(space, "gravity", (number, -100)),
        lambda: setattr(space, "damping", 1 / (1 + number)),
        lambda: setattr(space.static_body, "position", (number, 0)),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_random_programs_are_recorded_exactly(seed):
    random = Random(seed)
    space, balls = scene()
    if seed % 2:
        space.sleep_time_threshold = 0.3
    space.add(SimpleMotor(balls[0], balls[1], 1), forkmunk.DampedSpring(balls[2], balls[3], (0, 0), (0, 0), 9, 20, 1))

    def lift(arbiter, space, data):
        for shape in arbiter.shapes:
            if shape.body.body_type == Body.DYNAMIC and not shape.body.is_sleeping:
                shape.friction = (shape.friction + 0.1) % 1

    def drop(arbiter, space, data):
        loose = [body for body in space.bodies if not body.constraints and body.body_type == Body.DYNAMIC]
        if len(loose) > 5:
            space.add_post_step_callback(lambda space, body: space.remove(*body.shapes, body), loose[0])

    if seed % 3 == 0:
        space.on_collision(1, 1, post_solve=lift, begin=drop)
    recorder = Recorder(space, keyframe_steps=random.choice([5, 20, 120]))
    hashes = []
    for _ in range(60):
        if random.random() < 0.3:
            random.choice(random_changes(random, space))()
        hashes.append(space.hash())
        space.step(1 / 60)
    assert [step for step in random.sample(range(60), 60) if recorder.at(step).hash() != hashes[step]] == []
    assert [verdict for verdict in recorder.verify() if not verdict.exact] == []


def test_motors_are_replayed():
    space, balls = scene()
    motor = SimpleMotor(balls[0], balls[1], 0)
    space.add(motor)
    recorder = Recorder(space)
    for i in range(30):
        motor.rate = i
        space.step(1 / 60)
    assert recorder.interventions == []
    assert [verdict.kind for verdict in recorder.verify()] == ["exact"]


def test_a_bit_of_a_velocity_is_found(tmp_path, program):
    files, spaces = [], []
    for bit in (0, 1):
        space, balls = scene()
        recorder = Recorder(space, keyframe_steps=40)
        recorder.name(balls[7], "rocket")
        for i in range(130):
            if i == 100:
                velocity = np.array(balls[7].velocity)
                balls[7].velocity = tuple((velocity.view(np.uint64) ^ np.array([bit, 0], np.uint64)).view(float))
                spaces.append(space.fork())
            space.step(1 / 60)
        files.append(recorder.save(tmp_path / f"run{bit}.fmrec"))
    assert any(each.object.startswith("body") for each in forkmunk.differences(*spaces))
    assert forkmunk.differences(spaces[0], spaces[0].fork()) == []

    def diff(*files):
        done = subprocess.run([program, "diff", *files, "--json"], capture_output=True, text=True)
        return done.returncode, json.loads(done.stdout)

    code, report = diff(*files)
    assert (code, report["step"]) == (1, 100)
    (found,) = report["differences"]
    assert (found["name"], found["field"]) == ("rocket", "v.y" if "." in found["field"] else found["field"])
    assert found["one"] != found["other"]
    assert diff(files[0], files[0])[0] == 0


def test_a_page_has_the_recording(tmp_path):
    space, _ = scene()
    recorder = Recorder(space)
    for _ in range(20):
        space.step(1 / 60)
    page = recorder.save(tmp_path / "run.html").read_text()
    assert page.startswith("<!doctype html>") and "Content-Security-Policy" in page
    assert "<iframe" in recorder._repr_html_()
    with pytest.raises(forkmunk.Error):
        recorder.save(tmp_path / "missing" / "run.html")


@pytest.mark.parametrize("color", ["red", None, 5, (1, 2), (1, "a", 2), (float("nan"),) * 4, (float("inf"), 0, 0)])
def test_a_color_that_is_no_colour_is_the_programs_own(color, tmp_path):
    space, balls = scene(2)
    recorder = Recorder(space)
    space.step(1 / 60)
    plain = recorder.save(tmp_path / "plain.fmrec").read_bytes()
    next(iter(balls[0].shapes)).color = color
    assert recorder.save(tmp_path / "other.fmrec").read_bytes() == plain
    next(iter(balls[0].shapes)).color = (1, 2.4, 300)
    assert recorder.save(tmp_path / "other.fmrec").read_bytes() != plain


def test_a_preview_changes_nothing():
    space, balls = scene()
    before = space.hash()
    seen = forkmunk.preview(space, [balls[0], balls[9]], 40, control=lambda twin, step: None)
    assert space.hash() == before

    def touching(body):
        found = []
        body.each_arbiter(lambda arbiter: found.append(arbiter.shapes))
        return found

    before, began = [touching(balls[0]), touching(balls[9])], []
    for step in range(1, 41):
        space.step(1 / 60)
        for i, ball in enumerate((balls[0], balls[9])):
            now = touching(ball)
            began += [(step, ball, *pair) for pair in now if pair not in before[i]]
            before[i] = now
    assert len(began) > 1 and sorted(seen.contacts, key=str) == sorted(began, key=str) and seen.first_contact == seen.contacts[0]
    assert seen.paths[1, 40].tolist() == [*balls[9].position, balls[9].angle]


def test_a_preview_is_drawn_as_ghosts():
    space = Space()
    space.gravity = (0, -100)
    ground = forkmunk.Segment(space.static_body, (-90, 0), (90, 0), 1)
    body = forkmunk.Body(1, 10)
    body.position, body.velocity, body.angular_velocity = (0, 15), (20, 0), 1
    box, ball = forkmunk.Poly(body, [(-3, -2), (3, -2), (3, 2), (-3, 2)]), forkmunk.Circle(body, 2, (4, 0))
    bar = forkmunk.Segment(body, (0, 0), (0, 5), 1)
    space.add(ground, body, box, ball, bar)
    seen = forkmunk.preview(space, [body], 60)
    assert seen.bodies == [body] and 0 < seen.first_contact.step < 60
    lines, dots = [], []
    options = SpaceDebugDrawOptions()
    options.transform = forkmunk.Transform.scaling(2)
    options.draw_segment = lambda *line: lines.append(line)
    options.draw_dot = lambda *dot: dots.append(dot)
    seen.debug_draw(options, (1, 2, 3, 100), ghosts=4)

    path, of_path = seen.paths[0], lines[:60]
    assert [list(b) for _, b, _ in of_path] == (2 * path[1:, :2]).tolist() and {color.a for *_, color in of_path} == {100}
    ghosts = lines[60:]
    each = 4 + 13 + 26  # lines of three shapes
    assert len(ghosts) == 5 * each
    twin = space.fork()
    poses = {}
    for step in range(1, 61):
        twin.step(1 / 60)
        poses[step] = [twin.twin_of(body).local_to_world(vertex) for vertex in box.get_vertices()]
        if step == seen.first_contact.step:
            position = twin.twin_of(body).position
    expected = [(60, 25), (45, 50), (30, 75), (15, 100)]  # the last is the strongest
    for i, (step, alpha) in enumerate(expected):
        ghost = ghosts[i * each:(i + 1) * each]
        assert {color for *_, color in ghost} == {(1, 2, 3, alpha)}
        for (a, _, _), vertex in zip(ghost, poses[step]):
            assert abs(a - 2 * vertex) < 1e-9
    marked = ghosts[4 * each:]
    assert {color for *_, color in marked} == {options.collision_point_color}
    assert abs(marked[1][0] - 2 * poses[seen.first_contact.step][1]) < 1e-9
    assert len(dots) == 1 and abs(dots[0][1] - 2 * position) < 1e-9 and dots[0][2] == options.collision_point_color

    lines.clear()
    seen.debug_draw(options, ghosts=0)
    assert len(lines) == 60 + each
    few = forkmunk.preview(space, [body], 2)
    lines.clear()
    few.debug_draw(options)
    assert few.first_contact is None and len(lines) == 2 + 2 * each


def test_the_notebook_runs():
    notebook = json.loads((ROOT / "examples" / "python" / "time_travel.ipynb").read_text())
    names = {}
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) == 5
    for cell in cells:
        exec(cell, names)
    assert all(verdict.exact for verdict in names["recorder"].verify())
    assert "<iframe" in names["space"]._repr_html_()
    page = forkmunk.recorder.still(names["space"])
    assert (page.first, page.last) == (0, 1)


@pytest.mark.parametrize("wrong", [-1, 10**30, True, 1.5, "1"], ids=str)
def test_counts_and_steps_that_are_none(wrong):
    space, balls = scene(2)
    recorder = Recorder(space)
    space.step(1 / 60)
    error = TypeError if isinstance(wrong, (bool, float, str)) else forkmunk.Error
    for name, call in {
        r"Recorder\(steps=\)": lambda: Recorder(Space(), steps=wrong),
        r"Recorder\(memory_bytes=\)": lambda: Recorder(Space(), memory_bytes=wrong),
        r"Recorder\(keyframe_steps=\)": lambda: Recorder(Space(), keyframe_steps=wrong),
        r"Recorder\.at\(step\)": lambda: recorder.at(wrong),
        r"Recorder\.contacts\(step\)": lambda: recorder.contacts(wrong),
        r"preview\(steps\)": lambda: forkmunk.preview(space, balls, wrong),
    }.items():
        with pytest.raises(error, match=f"^{name}: found .*, expected"):
            call()
    assert recorder.last == 1


@pytest.mark.parametrize("steps", [10**12, 2**63 - 1])
def test_a_preview_without_room_in_memory(steps):
    space, balls = scene(2)
    with pytest.raises(forkmunk.Error, match=f"found {steps} steps.*ask for fewer"):
        forkmunk.preview(space, balls, steps)
