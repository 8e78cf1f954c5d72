# SPDX-License-Identifier: MIT
"""The player of peer.cpp in Python."""

import json
import random
import resource
import sys

from forkmunk import Body, Circle, PinJoint, Poly, RollbackSession, Segment, Space, moment_for_box

DT, FIRST_BALL, BALLS_MAX = 1 / 60, 100, 12
KINDS = ("predicted", "undone", "confirmed", "joined", "left", "desync", "settings_differ", "seat_taken", "refused", "loaded",
         "dropped", "bad_message")


def add_box(space, mass, width, height, at):
    body = Body(mass, moment_for_box(mass, (width, height)))
    body.position = at
    shape = Poly.create_box(body, (width, height))
    shape.friction = 0.7
    space.add(body, shape)
    return shape


def build(count):
    space = Space()
    space.gravity = (0, -300)
    space.sleep_time_threshold = 0.5
    corners = [(-300, 300), (-300, 0), (300, 0), (300, 300)]
    for start, end in zip(corners, corners[1:]):
        wall = Segment(space.static_body, start, end, 4)
        wall.friction = 0.9
        space.add(wall)
    players = []
    for i in range(count):
        shape = add_box(space, 2, 30, 20, (-225 + 150 * (i % 4), 20 + 60 * (i // 4)))
        shape.collision_type = i + 1
        players.append(shape.body)
    for i in range(12):
        add_box(space, 1, 16, 16, (-150 + 150 * (i % 3), 20 + 18 * (i // 3)))
    bob = Body(1, 40)
    bob.position = (60, 150)
    space.add(bob, Circle(bob, 9))
    space.add(PinJoint(space.static_body, bob, (0, 240), (0, 0)))
    return space, players


JSON_INPUTS = (lambda v: v, str, lambda v: (v, None, True), lambda v: {"v": v, "n": [None, -0.5]}, lambda v: v + 0.5, lambda v: None)
BYTE_INPUTS = (lambda v: bytes([v]), lambda v: bytearray([v, 1]), lambda v: memoryview(bytes([v, 7, 8])),
               lambda v: memoryview(bytes([9, v, 9]))[1:2], lambda v: bytes([v]) * 8, lambda v: memoryview(bytearray([v, 0, v, 0]))[::2])


def value_of(given):
    if isinstance(given, bytes):
        return given[0] if given else 0
    if isinstance(given, list):
        return given[0]
    if isinstance(given, dict):
        return given["v"]
    return int(float(given or 0))


class Player:
    def __init__(self, local, seats, instance, count, delay, prediction, check_every, silence, history, is_json, throws):
        self.space, self.players = build(count)
        self.hashes, self.confirmed, self.sent, self.notices, self.problem = {}, {}, [], [], ""
        self.is_json, self.is_spectator, self.throws = is_json != 0, local < 0, throws
        self.session = RollbackSession(
            self.space, players=count, local=None if local < 0 else local, delay=delay, prediction=prediction,
            check_every=check_every, silence=silence, history=history, seats=[i for i in range(count) if seats >> i & 1],
            input=0 if is_json else b"\0", session=63, instance=instance, advance=self.advance,
            send=lambda message: self.sent.append(message.hex()), on_notice=self.tell)

    def maybe_raise(self):
        if random.random() * 1000 < self.throws:
            raise RuntimeError("mine")

    def advance(self, space, inputs, frame):
        self.maybe_raise()
        for i, body in enumerate(self.players):
            value = value_of(inputs[i])
            push = 20 * ((value & 1) - (value >> 1 & 1))
            if push != 0:
                body.apply_impulse_at_local_point((push, 0), (0, 2))
            if value & 4 and frame % 8 == 0:
                body.apply_impulse_at_world_point((0, 200), body.position)
            if value & 8 and frame % 16 == 4 * i % 16:
                ball = Body(0.5, 10)
                ball.position = body.position.x, body.position.y + 40
                shape = Circle(ball, 6)
                shape.elasticity = 0.5
                shape.collision_type = FIRST_BALL + 16 * frame + i
                space.add(ball, shape)
                self.session.event(i, {"f": frame} if self.is_json else str(frame).encode())
        balls = [shape for shape in space.shapes if shape.collision_type >= FIRST_BALL]
        if len(balls) > BALLS_MAX:
            oldest = min(balls, key=lambda shape: shape.collision_type)
            space.remove(oldest, oldest.body)
        space.step(DT)
        self.maybe_raise()
        self.hashes[frame] = space.hash()

    def tell(self, notice):
        if notice.kind == "loaded":
            self.hashes.clear()
            self.confirmed.clear()
        if notice.kind == "desync":
            self.problem = "desync " + notice.text
        kind, data = KINDS.index(notice.kind), b""
        if kind < 3:
            data = json.dumps(notice.data, separators=(",", ":")).encode() if self.is_json else notice.data
        self.notices.append(f"{kind}/{notice.frame}/{notice.event}/{data.hex()}")

    def probe(self):
        history = self.session.history
        frame = random.randint(history.first, self.session.frame)
        expected = self.hashes.get(frame - 1, self.confirmed.get(frame - 1))
        if expected is not None and history.at(frame).hash() != expected:
            self.problem = "History differs"
        if frame > history.first:
            history.at(frame - 0.5)
        copy = Space.from_bytes(self.space.to_bytes())
        if copy.hash() != self.space.hash():
            self.problem = "a saved game differs"

    def do(self, command, words):
        session = self.session
        if command == "leave":
            session.leave()
        elif command == "drop":
            session.drop(int(words[0]))
        elif command == "delay":
            session.delay = int(words[0])
        elif command == "probe":
            self.probe()
        else:
            for message in words[2:]:
                session.receive(bytes.fromhex(message))
            try:
                session.tick(None if self.is_spectator else (JSON_INPUTS if self.is_json else BYTE_INPUTS)[int(words[1])](int(words[0])))
            except RuntimeError as error:
                if str(error) != "mine":
                    raise
            self.answer()

    def answer(self):
        session, confirmed = self.session, self.session.confirmed_frame
        final = sorted(frame for frame in self.hashes if frame < confirmed)
        self.confirmed.update((frame, self.hashes.pop(frame)) for frame in final)
        shown = "".join(f" {frame}:{self.confirmed[frame]}" for frame in final)
        for frame in [frame for frame in self.confirmed if frame < confirmed - 200]:
            del self.confirmed[frame]
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        notices = "".join(f" {each}" for each in self.notices)
        print(f"{session.frame} {confirmed} {int(session.is_playing)} {int(session.is_host)} {session.stats.rollbacks} {used} "
              f"{self.problem.encode().hex() or '-'}{shown}{notices} | " + " ".join(self.sent), flush=True)
        self.sent.clear()
        self.notices.clear()


player = None
for line in sys.stdin:
    command, *words = line.split()
    if command == "start":
        player = Player(*map(int, words))
    else:
        player.do(command, words)
