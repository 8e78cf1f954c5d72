# SPDX-License-Identifier: MIT
"""push_recording.py PAGE: records 300 steps of a pymunk program; PAGE.json has what debug_draw() draws after step 150."""

import json
import sys

import forkmunk
from forkmunk import pymunk

space = pymunk.Space()
space.damping = 0.1
corners = [(5, 5), (506, 5), (506, 506), (5, 506)]
for a, b in zip(corners, corners[1:] + corners[:1]):
    space.add(pymunk.Segment(space.static_body, a, b, 2))
tee = pymunk.Body(1, 2 * pymunk.moment_for_box(1, (120, 30)))
tee.position, tee.angle = (250, 250), 0.3
boards = [pymunk.Poly(tee, [(-60, 30), (60, 30), (60, 0), (-60, 0)]), pymunk.Poly(tee, [(-15, 30), (-15, 120), (15, 120), (15, 30)])]
tee.center_of_gravity = (boards[0].center_of_gravity + boards[1].center_of_gravity) / 2
puck = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
puck.position = 150, 150
touched = []
disc = pymunk.Circle(puck, 15)
disc.color = (65, 105, 225, 255)
space.add(tee, *boards, puck, disc)
space.on_collision(0, 0, post_solve=lambda arbiter, space, data: touched.append(arbiter.total_impulse))

for board in boards:
    board.color = (119, 136, 153, 255)


class Drawn(pymunk.SpaceDebugDrawOptions):
    shapes = []

    def draw_circle(self, pos, angle, radius, outline_color, fill_color):
        self.shapes.append({"points": [pos], "radius": radius, "color": fill_color})

    def draw_fat_segment(self, a, b, radius, outline_color, fill_color):
        self.shapes.append({"points": [a, b], "radius": radius, "color": fill_color})

    def draw_polygon(self, verts, radius, outline_color, fill_color):
        self.shapes.append({"points": verts, "radius": radius, "color": fill_color})


recorder = forkmunk.Recorder(space)
for i in range(300):
    if i == 150:
        options = Drawn()
        options.flags = options.DRAW_SHAPES
        space.debug_draw(options)
        json.dump(options.shapes, open(sys.argv[1] + ".json", "w"))
    puck.velocity = 100 * ((400, 300)[0] - puck.position.x) * 0.01 + 20, 60
    space.step(0.01)
recorder.save(sys.argv[1])
assert all(verdict.exact for verdict in recorder.verify())
