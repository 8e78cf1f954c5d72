# SPDX-License-Identifier: MIT
"""Drawing of a Space by debug_draw() with pygame or pygame-ce, with the names of pymunk.pygame_util.

positive_y_is_up, a setting of the module, is False by default: y grows downwards, as in pygame."""

import math
from typing import Sequence

import pygame  # type: ignore[import, unused-ignore]

from ..geometry import Vec2d, Vector
from ..drawing_options import SpaceDebugColor, SpaceDebugDrawOptions

positive_y_is_up: bool = False


class DrawOptions(SpaceDebugDrawOptions):
    """DrawOptions(surface)

    Options for Space.debug_draw() that draw on a surface of pygame.

    A shape's attribute `color` is its colour. Fill the surface before each drawing."""

    def __init__(self, surface: pygame.Surface) -> None:
        self.surface = surface
        super().__init__()

    def draw_circle(self, pos: Vec2d, angle: float, radius: float, outline_color: SpaceDebugColor,
                    fill_color: SpaceDebugColor) -> None:
        centre = to_pygame(pos, self.surface)
        edge = to_pygame(pos + Vec2d.from_polar(radius, angle), self.surface)
        pygame.draw.circle(self.surface, fill_color.as_int(), centre, round(radius))
        pygame.draw.lines(self.surface, outline_color.as_int(), False, [centre, edge], 2 if radius > 20 else 1)

    def draw_segment(self, a: Vec2d, b: Vec2d, color: SpaceDebugColor) -> None:
        ends = [to_pygame(a, self.surface), to_pygame(b, self.surface)]
        if color.a >= 255:
            pygame.draw.aalines(self.surface, color.as_int(), False, ends)
            return
        # pygame draws only opaque lines: a transparent line is drawn apart and blended.
        left, top = min(x for x, _ in ends), min(y for _, y in ends)
        box = pygame.Rect(left, top, abs(ends[0][0] - ends[1][0]) + 1, abs(ends[0][1] - ends[1][1]) + 1)
        seen = box.clip(self.surface.get_rect())
        if seen.size != (0, 0):
            layer = pygame.Surface(seen.size, pygame.SRCALPHA)
            start, end = [(x - seen.left, y - seen.top) for x, y in ends]
            pygame.draw.line(layer, color.as_int(), start, end)
            self.surface.blit(layer, seen.topleft)

    def draw_fat_segment(self, a: Vector, b: Vector, radius: float, outline_color: SpaceDebugColor,
                         fill_color: SpaceDebugColor) -> None:
        color = fill_color.as_int()
        first, last = to_pygame(a, self.surface), to_pygame(b, self.surface)
        width = round(max(1, 2 * radius))
        pygame.draw.lines(self.surface, color, False, [first, last], width)
        across, along = abs(last[1] - first[1]), abs(last[0] - first[0])
        if width <= 2 or not (across or along):
            return
        scale = radius / math.sqrt(across * across + along * along)
        x, y = round(across * scale), round(along * scale)
        pygame.draw.polygon(self.surface, color, [(first[0] - x, first[1] - y), (first[0] + x, first[1] + y),
                                                  (last[0] + x, last[1] + y), (last[0] - x, last[1] - y)])
        for end in (first, last):
            pygame.draw.circle(self.surface, color, end, round(radius))

    def draw_polygon(self, verts: Sequence[Vector], radius: float, outline_color: SpaceDebugColor,
                     fill_color: SpaceDebugColor) -> None:
        points = [to_pygame(vertex, self.surface) for vertex in verts]
        pygame.draw.polygon(self.surface, fill_color.as_int(), [*points, points[0]])
        if radius > 0:
            for a, b in zip(verts, [*verts[1:], verts[0]]):
                self.draw_fat_segment(a, b, radius, outline_color, outline_color)

    def draw_dot(self, size: float, pos: Vector, color: SpaceDebugColor) -> None:
        pygame.draw.circle(self.surface, color.as_int(), to_pygame(pos, self.surface), round(size))


def to_pygame(p: Vector, surface: pygame.Surface) -> tuple[int, int]:
    """Returns the pixel of a point of the space, which positive_y_is_up decides."""
    x, y = round(p[0]), round(p[1])
    return (x, surface.get_height() - y) if positive_y_is_up else (x, y)


def from_pygame(p: Vector, surface: pygame.Surface) -> tuple[int, int]:
    """Returns the point of the space at a pixel."""
    return to_pygame(p, surface)


def get_mouse_pos(surface: pygame.Surface) -> tuple[int, int]:
    """Returns the point of the space at the mouse pointer."""
    return from_pygame(pygame.mouse.get_pos(), surface)


__all__ = ["DrawOptions", "from_pygame", "get_mouse_pos", "positive_y_is_up", "to_pygame"]
