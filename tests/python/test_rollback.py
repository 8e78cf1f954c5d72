# SPDX-License-Identifier: MIT

import gc
import math
import random
import weakref

import pytest

import forkmunk
from forkmunk import Error, RollbackSession, SyncTest
from scenes import DT, pile


def push(space, inputs, frame):
    bodies = list(space.bodies)
    for i, x in enumerate(inputs):
        bodies[i * (len(bodies) - 1) % len(bodies)].apply_impulse_at_local_point((40 * x, 60 * abs(x)), (2, 1))
    space.step(DT)


class Game:
    """Sessions of one process on lines that delay, lose and reorder messages."""

    def __init__(self, count, make=lambda: pile(8), delay=3, loss=0.1, **options):
        self.random = random.Random(1)
        self.delay, self.loss, self.now = delay, loss, 0
        self.queues, self.sessions, self.spaces, self.notices = [], [], [], []
        self.options = {"players": count, "advance": push, "check_every": 10, "prediction": 16, **options}
        for local in range(count):
            self.add(make(), local=local)

    def add(self, space, **options):
        own = len(self.sessions)
        self.queues.append([])
        self.notices.append([])
        self.spaces.append(space)
        self.sessions.append(RollbackSession(space, **{
            **self.options, "send": lambda message: self.send(own, message), "on_notice": self.notices[own].append, **options}))

    def send(self, own, message):
        assert isinstance(message, bytes)
        for to, queue in enumerate(self.queues):
            if to != own and self.random.random() >= self.loss:
                queue.append((self.now + 1 + self.random.randrange(self.delay + 1), message))

    def run(self, ticks, inputs=lambda i, tick: tick // (7 + i) % 3 - 1, skip=()):
        for _ in range(ticks):
            self.now += 1
            for i, session in enumerate(self.sessions):
                due = [message for at, message in self.queues[i] if at <= self.now]
                self.queues[i][:] = [each for each in self.queues[i] if each[0] > self.now]
                if i in skip:
                    continue
                for message in due:
                    session.receive(message)
                session.tick(inputs(i, self.now))


def test_takes_an_input_that_is_not_json_for_the_standard_input():
    values = {b"0": 0, b"1": 1, b"{": -1, b"NaN": -1, b"\xff": -1, b"9007199254740993": 2, b"-0": 3}
    as_in_javascript = {str(2**53): 2, "-0.0": 3}
    game = Game(1, loss=0, players=2, input=-1,
                advance=lambda space, inputs, frame: push(space, [as_in_javascript.get(str(each), each) for each in inputs], frame))
    game.add(pile(8), local=1, input=b"-1", advance=lambda space, inputs, frame: push(space, [values.get(each, -1) for each in inputs], frame))
    game.run(200, lambda i, tick: tick % 2 if i == 0 else list(values)[tick // 5 % len(values)])
    assert game.sessions[0].frame > 180 and game.sessions[0].stats.checksums > 10
    assert [session.desync for session in game.sessions] == [None, None]


@pytest.mark.parametrize("value, text", [(0.0, b"0"), ({"x": -1.0, "y": [0.5, -0.0], "s": "0.0"}, b'{"x":-1,"y":[0.5,0],"s":"0.0"}')])
def test_plays_with_programs_that_write_whole_numbers_without_a_point(value, text):
    game = Game(1, players=2, input=value, advance=lambda space, inputs, frame: space.step(DT))
    game.add(pile(8), local=1, input=text)
    game.run(60, lambda i, tick: [value, text][i])
    assert min(session.confirmed_frame for session in game.sessions) > 40 and game.notices == [[], []]


def test_plays_a_space_without_a_desync():
    game = Game(2)
    game.run(400)
    for session, notices in zip(game.sessions, game.notices):
        assert session.frame > 350 and session.confirmed_frame > 340
        assert session.stats.rollbacks >= 10 and session.stats.checksums > 25
        assert session.desync is None and notices == []
        assert session.is_playing
    assert [session.is_host for session in game.sessions] == [True, False]


def test_gives_advance_what_was_sent():
    seen = [{}, {}]
    shared = {"stick": [0, 0], "name": "ä"}

    def advance_of(local):
        def advance(space, inputs, frame):
            seen[local][frame] = inputs
            space.step(DT)
        return advance

    game = Game(0, players=2, input={"stick": [0, 0], "name": ""})
    for local in (0, 1):
        game.add(pile(2), local=local, advance=advance_of(local))

    def inputs(i, tick):
        shared["stick"][0] = -0.0 if tick % 3 == 0 else tick + i  # both players share one object
        return shared

    game.run(100, inputs)
    end = min(session.confirmed_frame for session in game.sessions)
    assert end > 80
    for frame in range(end):
        assert repr(seen[0][frame]) == repr(seen[1][frame])
        for each in seen[0][frame]:
            assert math.copysign(1, each["stick"][0]) == 1
    session = game.sessions[0]
    frame = session.frame
    for wrong in (math.nan, math.inf, {1: 2}, {"x": [math.nan]}, 2**60, object(), "x" * 100):
        with pytest.raises((Error, TypeError)):
            session.tick(wrong)
    assert session.frame == frame


def test_is_as_before_where_advance_raises():
    fails = set()

    def advance(space, inputs, frame):
        push(space, inputs, frame)
        if frame in fails:
            raise KeyError("mine")

    space = pile(4)
    session = RollbackSession(space, players=2, local=0, advance=advance, send=lambda message: None)
    for _ in range(4):
        session.tick(1)
    before = space.hash()
    fails.add(4)
    with pytest.raises(KeyError, match="mine"):
        session.tick(1)
    assert session.frame == 4 and space.hash() == before
    fails.clear()
    assert session.tick(1) and session.frame == 5


def test_reports_a_desync_with_the_field():
    game = Game(2, loss=0)
    game.run(50)
    list(game.spaces[1].bodies)[3].velocity = (1, 2)
    game.run(60)
    for i, session in enumerate(game.sessions):
        assert session.desync is not None and session.desync.player == 1 - i
        assert "differs" in session.desync.difference
        assert [notice.kind for notice in game.notices[i]] == ["desync"]


def test_a_player_comes_late_and_one_watches():
    present = {}

    def advance(space, inputs, frame):
        present[frame] = inputs.present
        push(space, inputs, frame)

    game = Game(2, seats=[0, 1], players=3, silence=60, advance=advance)
    game.run(150)
    game.add(pile(8), local=2)
    game.add(pile(8), local=None, delay=5)
    game.run(250)
    late, watching = game.sessions[2:]
    assert late.is_playing and not watching.is_playing
    assert late.frame > 300 and watching.frame > 300 and late.stats.checksums > 5
    assert ["joined"] == [notice.kind for notice in game.notices[0]]
    assert all(session.desync is None for session in game.sessions)
    game.run(200, skip=(2,))
    assert [notice.kind for notice in game.notices[1]] == ["joined", "left"]
    assert game.sessions[0].frame > 450
    by_frame = [present[frame] for frame in sorted(present)]
    assert by_frame[0] == by_frame[-1] == (True, True, False) and by_frame[300] == (True, True, True)
    assert sum(one != other for one, other in zip(by_frame, by_frame[1:])) == 2  # joined, left


class Counter:
    def __init__(self):
        self.number = 0

    def save(self):
        return self.number

    def restore(self, number):
        self.number = number

    def hash(self):
        return self.number

    def to_bytes(self, number):
        return number.to_bytes(8, "little")

    def from_bytes(self, data):
        return int.from_bytes(data, "little")

    def differences(self, one, other):
        return f"{one} is not {other}"


def test_a_late_player_is_told_without_a_traceback_why_a_state_does_not_come():
    class Stuck(Counter):
        def to_bytes(self, number):
            raise RuntimeError("the level is secret")

    game = Game(0, loss=0, players=2, seats=[0], advance=lambda own, inputs, frame: None)
    game.add(Stuck(), local=0)
    game.run(20)
    game.add(Stuck(), local=1)
    game.run(10)
    assert game.sessions[0].frame == 30
    assert [notice.text for notice in game.notices[1] if notice.kind == "refused"] == ["RuntimeError: the level is secret"]


def test_plays_any_state_with_bytes_and_events():
    game = Game(0, players=2, input=b"")

    def add(local, instance=None):
        counter = Counter()

        def advance(own, inputs, frame):
            own.number = (own.number * 31 + sum(map(len, inputs))) % 2**64
            if own.number % 4 == 0:
                session().event(7, str(own.number).encode())

        game.add(counter, local=local, advance=advance, instance=instance)
        session = weakref.ref(game.sessions[-1])
        return counter

    add(0), add(1)
    game.run(300, lambda i, tick: b"x" * (tick // (9 + i) % 5))
    events = [[(n.frame, n.event, n.data) for n in notices if n.kind == "confirmed"] for notices in game.notices]
    common = min(map(len, events))
    assert common > 40 and events[0][:common] == events[1][:common]
    assert any(n.kind == "undone" for n in game.notices[0])
    assert all(n.event == 7 and n.data == str(int(n.data)).encode() for n in game.notices[0])
    with pytest.raises(Error, match="advance"):
        game.sessions[0].event(1)
    with pytest.raises(TypeError, match=r"event\(\): kind: found 'goal', expected a whole number"):
        game.sessions[0].event("goal")
    game.spaces[1].number ^= 1
    game.run(60, lambda i, tick: b"")
    assert "is not" in game.sessions[0].desync.difference
    with pytest.raises(TypeError, match="bytes"):
        game.sessions[0].tick("text")


@pytest.mark.parametrize("hash_of", [lambda number: -1 - number, lambda number: number << 70 | number])
def test_takes_any_whole_number_for_a_hash(hash_of):
    class Other(Counter):
        def hash(self):
            return hash_of(self.number)

    def advance(own, inputs, frame):
        own.number += 1

    game = Game(2, Other, advance=advance)
    game.run(100)
    game.spaces[1].number ^= 64
    game.run(60)
    assert game.sessions[0].stats.checksums > 3 and game.sessions[0].desync.ours < 2**64


def test_names_what_is_wrong():
    space = pile(2)
    make = lambda **options: RollbackSession(space, **{**dict(players=2, local=0, advance=push, send=print), **options})
    for wrong in ({"players": 17}, {"players": "x"}, {"local": 2}, {"delay": -1}, {"prediction": 0}, {"check_every": 0}, {"input": math.nan},
                  {"input_bytes_max": 9999}, {"instance": -1}, {"local": -1}, {"state_bytes_max": 0}, {"seats": [2]}, {"seats": [-1]}):
        with pytest.raises(Error):
            make(**wrong)
    for wrong in ({"advance": 1}, {"send": None}, {"on_desync": 3}, {"local": "0"}, {"seats": 3}, {"seats": ["0"]}, {"seats": [0.5]}):
        with pytest.raises(TypeError):
            make(**wrong)
    game = Game(0, players=2)
    game.add(space, local=0)
    game.add(pile(2), local=1, check_every=20)
    game.run(30)
    assert [(n.kind, n.player, n.text) for n in game.notices[0]] == [
        ("settings_differ", 1, "check_every is 10 here and 20 there")]
    session = game.sessions[0]
    assert session.wait == "inputs" and session.waiting_for == (1,)
    assert not session.receive(b"garbage") and session.stats.bad_messages == 1
    for wrong in (5, "text", None, [1, 2]):
        for read in (session.receive, RollbackSession.sender_of):
            with pytest.raises(TypeError):
                read(wrong)
    session.delay = 5
    assert session.delay == 5
    with pytest.raises(Error):
        session.delay = 100
    with pytest.raises(Error):
        session.drop(9)
    for wrong, text in {
        lambda: session.drop("a"): "RollbackSession.drop(): found 'a', expected a seat",
        lambda: setattr(session, "delay", "a"): "RollbackSession.delay: found 'a', expected a whole number from 0 to 64",
        lambda: session.history.at("a"): "History.at(): found 'a', expected a number of frames",
        lambda: session.receive(5): "RollbackSession.receive(): found 5, expected bytes",
        lambda: session.tick("x" * 63): "RollbackSession: found an input of 65 bytes, expected at most 64",
        lambda: RollbackSession(5, players=2, local=0, advance=push, send=print): "RollbackSession(space): found 5, expected a Space",
        lambda: SyncTest(space, advance=push, distance="4"): "SyncTest: distance: found '4', expected a whole number from 1 to 64",
    }.items():
        with pytest.raises((Error, TypeError)) as raised:
            wrong()
        assert str(raised.value).startswith(text)


def test_refuses_to_drop_players_in_its_callbacks_and_leaves():
    calls = [lambda: session.drop(1)]
    session = forkmunk.RollbackSession(forkmunk.Space(), players=2, local=0, advance=lambda *_: calls[0](), send=lambda _: calls[0]())
    with pytest.raises(forkmunk.Error, match="own callbacks"):
        session.tick(0)
    assert session.frame == 0
    calls[0] = lambda: (setattr(session, "delay", 5), session.leave())
    assert session.tick(0)
    assert session.delay == 5
    assert not session.tick(0)
    assert session.wait == "joining"


def test_a_player_without_an_input_gives_none():
    seen = []
    session = RollbackSession(pile(2), players=2, local=0, advance=lambda space, inputs, frame: seen.append(inputs), send=print, delay=0)
    assert session.tick() and session.tick(1)
    assert seen == [(None, 0), (1, 0)]
    with pytest.raises(TypeError, match="found None, expected bytes"):
        RollbackSession(pile(2), players=2, local=0, advance=push, send=print, input=b"").tick()


def test_is_collected_with_its_cycles():
    space = pile(2)
    session = RollbackSession(space, players=2, local=0, advance=push, send=lambda message: session.frame)
    session.tick(0)
    test = SyncTest(space, advance=lambda space, inputs, frame: push(space, inputs, test.frame))
    test.tick([0, 0])
    gone = weakref.ref(session), weakref.ref(test)
    del session, test
    gc.collect()
    assert [each() for each in gone] == [None, None]


def test_sync_test_finds_what_is_kept_outside_of_the_space():
    good = SyncTest(pile(6), advance=push)
    for i in range(30):
        good.tick([i % 3 - 1, 1])
    assert good.frame == 30
    calls = []

    def careless(space, inputs, frame):
        calls.append(frame)
        push(space, [1 if len(calls) % 7 == 0 else 0, inputs[1]], frame)

    bad = SyncTest(pile(6), advance=careless)
    with pytest.raises(Error, match="differs"):
        for _ in range(30):
            bad.tick([0, 1])


def test_sync_test_takes_bytes_if_its_input_is_bytes():
    seen = []
    test = SyncTest(pile(2), advance=lambda space, inputs, frame: seen.append(inputs), input=b"")
    test.tick([b"\1", bytearray(2)])
    assert seen[0] == (b"\1", b"\0\0")
    with pytest.raises(TypeError, match="expected bytes"):
        test.tick([0, 0])


def test_sync_test_is_as_before_where_the_game_raises():
    space, calls = pile(6), []

    def failing(space, inputs, frame):
        push(space, inputs, frame)
        calls.append(frame)
        if len(calls) == 32:  # in the second simulation
            raise KeyError("mine")

    test = SyncTest(space, advance=failing)
    states = []
    with pytest.raises(KeyError):
        while True:
            states.append(space.hash())
            test.tick([0, 1])
    assert calls[-1] < test.frame == len(states) - 1 and space.hash() == states[-1]
    for _ in range(10):
        test.tick([0, 1])


def test_refuses_a_prediction_that_is_too_long():
    session = RollbackSession(pile(2), players=2, local=0, advance=push, send=lambda message: None,
                              predict=lambda last, player, frame: 0 if frame == 0 else "x" * 100)
    session.tick(0)
    with pytest.raises(Error, match="found an input of 102 bytes, expected at most 64"):
        session.tick(0)
    assert session.frame == 1


def test_asks_the_world_as_it_was():
    space = forkmunk.Space()
    ball = forkmunk.Body(1, math.inf)
    shape = forkmunk.Circle(ball, 0.25)
    space.add(ball, shape)
    ball.velocity = (120, 0)
    session = RollbackSession(space, players=2, local=0, advance=lambda space, *_: space.step(1 / 60), send=lambda message: None,
                              prediction=12, history=40)
    hashes = [space.hash()]
    for _ in range(12):
        assert session.tick(0)
        hashes.append(space.hash())
    history = session.history
    assert history.first == 0
    for frame in range(13):
        past = history.at(frame)
        assert past.hash() == hashes[frame]
        hit = past.segment_query_first((2 * frame, -9), (2 * frame, 9), 0, forkmunk.ShapeFilter())
        assert hit.shape is past.twin_of(shape) and space.twin_of(hit.shape) is shape
    past = history.at(11.75)
    assert past.twin_of(ball).position.x == pytest.approx(23.5)
    assert past.segment_query_first((23.5, -9), (23.5, 9), 0, forkmunk.ShapeFilter()) is not None
    assert past.segment_query_first((22, -9), (22, 9), 0, forkmunk.ShapeFilter()) is None
    assert space.hash() == hashes[12]
    for wrong in (-1, 13, 12.5, math.nan, math.inf, 1e300, 2**40, 10**400):
        with pytest.raises(Error, match="0 to 12"):
            history.at(wrong)


def test_asks_for_the_state_before_a_frame_in_the_frame():
    space = forkmunk.Space()
    ball = forkmunk.Body(1, math.inf)
    space.add(ball, forkmunk.Circle(ball, 0.25))
    ball.velocity = (120, 0)
    asked = []

    def advance(own, _, frame):
        before = own.hash()
        own.step(1 / 60)
        asked.append(session.history.at(frame).hash() == before and session.history.first == max(0, frame - 1))

    session = RollbackSession(space, players=2, local=0, advance=advance, send=lambda message: None, history=1)
    for _ in range(6):
        session.tick(0)
    assert asked == [True] * 6


def test_reports_all_fields_that_differ():
    game = Game(2, loss=0)
    game.run(50)
    bodies = list(game.spaces[1].bodies)
    bodies[3].velocity, bodies[5].angular_velocity = (1, 2), 3
    game.run(60)
    lines = game.sessions[0].desync.difference.splitlines()
    assert [(line.split(": ")[0], line.split(", ")[1]) for line in lines] == [("body 3", "1"), ("body 3", "2"), ("body 5", "3")]


def test_objects_stay_the_same_when_a_state_comes():
    touched, spaces = [], []

    def make():
        space = pile(4)
        bodies = list(space.bodies)
        bodies[0].name = object()
        bodies[1].user_data = {"hp": len(spaces)}
        space.on_collision(None, None, begin=lambda arbiter, of, data: touched.append(of))
        spaces.append((space, bodies, bodies[0].name))
        return space

    def advance(space, inputs, frame):
        bodies = next(bodies for each, bodies, _ in spaces if each is space)
        if frame == 20:
            space.remove(*bodies[2].shapes, bodies[2])
            new = forkmunk.Body(1, 1)
            space.add(new, forkmunk.Circle(new, 3))
        bodies[3].apply_impulse_at_local_point((inputs[0], 5))
        space.step(DT)

    forkmunk.Body(1, 1)
    game = Game(1, make, players=2, seats=[0], advance=advance)
    game.run(100)
    game.add(make(), local=1)
    game.run(150)
    assert game.sessions[1].is_playing and game.sessions[1].stats.checksums > 3 and game.sessions[1].desync is None
    (space, bodies, _), (late, late_bodies, name) = spaces
    assert [body in list(late.bodies) for body in late_bodies] == [True, True, False, True]
    assert late_bodies[0].name is name and late_bodies[1].user_data == {"hp": 0}
    assert [body.position for body in late.bodies] == [body.position for body in space.bodies] or late.hash() != space.hash()
    assert any(of is late for of in touched)


def test_a_state_of_an_earlier_frame_has_its_objects_and_user_data():
    seen = [], []

    def make(local):
        space = pile(4)
        ship, hit, lost, *_ = space.bodies
        ship.name, ship.velocity_func = local, lambda body, *given: forkmunk.Body.update_velocity(body, *given)
        ship.user_data, lost.user_data = "ship", "lost"

        def advance(space, inputs, frame):
            seen[local].append((frame, [getattr(body, "user_data", None) for body in space.bodies], space.hash()))
            if frame < 20:
                ship.apply_impulse_at_local_point((inputs[0], 5))
                assert ship.name == local
            if frame == 20:
                space.remove(*ship.shapes, ship)
                hit.user_data = "hit"
                del lost.user_data
            space.step(DT)

        return {"space": space, "advance": advance}

    game = Game(0, players=2, loss=0)
    game.add(local=0, **make(0))
    game.add(local=1, **make(1))
    game.run(5)
    past = game.sessions[0].history.at(3)
    before = past.hash()
    game.add(pile(4), local=None)  # the host sends this state again
    game.run(25)
    game.sessions[0].drop(1)
    game.run(100)
    assert next(notice for notice in game.notices[1] if notice.kind == "loaded").frame < 20
    assert game.sessions[1].is_playing and game.sessions[1].stats.checksums > 5
    assert game.sessions[1].desync is None and past.hash() == before
    right, last = ({frame: values for frame, *values in each} for each in seen)  # not those of predictions
    end = min(session.confirmed_frame for session in game.sessions[:2])
    assert end > 100 and [last[frame] for frame in range(end)] == [right[frame] for frame in range(end)]


def test_sender_of():
    sent = []
    session = RollbackSession(forkmunk.Space(), players=2, local=0, advance=lambda *_: None, send=lambda message, to: sent.append((message, to)), instance=77)
    session.tick(0)
    assert RollbackSession.sender_of(sent[0][0]) == 77 and sent[0][1] == 0


def test_a_checkpoint_refuses_sessions():
    space = pile(2)
    session = RollbackSession(space, players=2, local=0, advance=push, send=lambda message: None, seats=[0])
    for each in (session, SyncTest(space, advance=push)):
        with pytest.raises(Error, match="state cannot be read or set"):
            forkmunk.Checkpoint([space, each])
