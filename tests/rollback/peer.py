# SPDX-License-Identifier: MIT
"""A player of languages_test.mjs (see peer.cpp)."""

import resource
import sys

from forkmunk import Body, Circle, PinJoint, Poly, RollbackSession, Segment, Space, moment_for_box

DT, FIRST_BALL, PLAYERS, BALLS_MAX = 1 / 60, 100, 4, 12


def add_box(space, mass, width, height, at):
    body = Body(mass, moment_for_box(mass, (width, height)))
    body.position = at
    shape = Poly.create_box(body, (width, height))
    shape.friction = 0.7
    space.add(body, shape)
    return shape


def build():
    space = Space()
    space.gravity = (0, -300)
    space.sleep_time_threshold = 0.5
    corners = [(-300, 300), (-300, 0), (300, 0), (300, 300)]
    for start, end in zip(corners, corners[1:]):
        wall = Segment(space.static_body, start, end, 4)
        wall.friction = 0.9
        space.add(wall)
    players = []
    for i in range(PLAYERS):
        shape = add_box(space, 2, 30, 20, (-225 + 150 * i, 20))
        shape.collision_type = i + 1
        players.append(shape.body)
    for i in range(12):
        add_box(space, 1, 16, 16, (-150 + 150 * (i % 3), 20 + 18 * (i // 3)))
    bob = Body(1, 40)
    bob.position = (60, 150)
    space.add(bob, Circle(bob, 9))
    space.add(PinJoint(space.static_body, bob, (0, 240), (0, 0)))
    return space, players


def main(local, seats, instance):
    space, players = build()
    hashes, sent, desync = {}, [], ["-"]

    def advance(space, inputs, frame):
        for i, body in enumerate(players):  # objects stay the same when a state is loaded
            value = inputs[i][0]
            push = 20 * ((value & 1) - (value >> 1 & 1))
            if push != 0:
                body.apply_impulse_at_local_point((push, 0), (0, 2))
            if value & 4 and frame % 8 == 0:
                body.apply_impulse_at_world_point((0, 200), body.position)
            if value & 8 and frame % 16 == 4 * i:
                ball = Body(0.5, 10)
                ball.position = body.position.x, body.position.y + 40
                shape = Circle(ball, 6)
                shape.elasticity = 0.5
                shape.collision_type = FIRST_BALL + frame
                space.add(ball, shape)
        balls = [shape for shape in space.shapes if shape.collision_type >= FIRST_BALL]
        if len(balls) > BALLS_MAX:
            oldest = min(balls, key=lambda shape: shape.collision_type)
            space.remove(oldest, oldest.body)
        space.step(DT)
        hashes[frame] = space.hash()

    def tell(notice):
        if notice.kind == "loaded":
            hashes.clear()
        if notice.kind == "desync":
            desync[0] = notice.text.encode().hex() or "00"

    session = RollbackSession(
        space, players=PLAYERS, local=local, prediction=30, seats=[i for i in range(PLAYERS) if seats >> i & 1], input=b"\0",
        session=63, instance=instance, advance=advance, send=lambda message: sent.append(message.hex()), on_notice=tell)
    for line in sys.stdin:
        command, *words = line.split()
        if command == "leave":
            session.leave()
            continue
        for message in words[1:]:
            session.receive(bytes.fromhex(message))
        session.tick(bytes([int(words[0])]))
        confirmed = session.confirmed_frame
        final = sorted(frame for frame in hashes if frame < confirmed)
        shown = "".join(f" {frame}:{hashes.pop(frame)}" for frame in final)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(f"{session.frame} {confirmed} {int(session.is_playing)} {session.stats.rollbacks} {used} {desync[0]}{shown} | "
              + " ".join(sent), flush=True)
        sent.clear()


main(*map(int, sys.argv[1:]))
