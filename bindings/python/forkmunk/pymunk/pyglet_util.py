# SPDX-License-Identifier: MIT
"""Drawing of a Space by debug_draw() with pyglet 2 or 1.5, with the names of pymunk.pyglet_util."""

from types import TracebackType
from typing import Any, Optional, Sequence

import pyglet  # type: ignore[import, unused-ignore]

from ..geometry import Vec2d
from ..drawing_options import SpaceDebugColor, SpaceDebugDrawOptions

_version = tuple(int(part) for part in pyglet.version.split(".")[:2] if part.isdigit())
_is_old = _version < (2,)
_Group = getattr(pyglet.graphics, "OrderedGroup" if _is_old else "Group")
_width = "thickness" if _version >= (2, 1) else "width"


class DrawOptions(SpaceDebugDrawOptions):
    """DrawOptions(batch=None)

    Options for Space.debug_draw() that collect shapes in a batch of pyglet.

    You draw a batch that you pass. Otherwise the options make one, and draw it at once."""

    def __init__(self, **kwargs: Any) -> None:
        self.new_batch = "batch" not in kwargs
        self.batch = kwargs.get("batch")
        self.draw_shapes: list[Any] = []  # a batch does not keep its shapes
        super().__init__()

    def __enter__(self) -> None:
        self.draw_shapes = []
        if self.new_batch:
            self.batch = pyglet.graphics.Batch()

    def __exit__(self, type: Optional[type[BaseException]], value: Optional[BaseException],  # noqa: A002
                 traceback: Optional[TracebackType]) -> None:
        if self.new_batch and self.batch is not None:
            self.batch.draw()

    def _add(self, kind: Any, *arguments: Any, color: SpaceDebugColor, **named: Any) -> None:
        rgba = color.as_int()
        shape = kind(*arguments, color=rgba[:3] if _is_old else rgba, batch=self.batch, **named)
        if _is_old:
            shape.opacity = rgba[3]
        self.draw_shapes.append(shape)

    def _line(self, a: Vec2d, b: Vec2d, color: SpaceDebugColor, **named: Any) -> None:
        self._add(pyglet.shapes.Line, a.x, a.y, b.x, b.y, color=color, **{_width: 1}, **named)

    def draw_circle(self, pos: Vec2d, angle: float, radius: float, outline_color: SpaceDebugColor,
                    fill_color: SpaceDebugColor) -> None:
        self._add(pyglet.shapes.Circle, pos.x, pos.y, radius, color=fill_color, group=_Group(0))
        self._line(pos, pos + Vec2d.from_polar(radius, angle), outline_color, group=_Group(1))

    def draw_segment(self, a: Vec2d, b: Vec2d, color: SpaceDebugColor) -> None:
        self._line(a, b, color)

    def draw_fat_segment(self, a: Vec2d, b: Vec2d, radius: float, outline_color: SpaceDebugColor,
                         fill_color: SpaceDebugColor) -> None:
        radius = max(radius, 1)
        side = (b - a).perpendicular_normal() * radius
        corners = (a + side, a - side, b - side, b + side)
        self._add(pyglet.shapes.Polygon, *[tuple(corner) for corner in corners], color=fill_color)
        self.draw_circle(a, 0, radius, fill_color, fill_color)
        self.draw_circle(b, 0, radius, fill_color, fill_color)

    def draw_polygon(self, verts: Sequence[Vec2d], radius: float, outline_color: SpaceDebugColor,
                     fill_color: SpaceDebugColor) -> None:
        self._add(pyglet.shapes.Polygon, *[tuple(vertex) for vertex in verts], color=fill_color)
        if radius > 0:
            for a, b in zip(verts, [*verts[1:], verts[0]]):
                self.draw_fat_segment(a, b, radius, outline_color, outline_color)

    def draw_dot(self, size: float, pos: Vec2d, color: SpaceDebugColor) -> None:
        self._add(pyglet.shapes.Circle, pos.x, pos.y, size, color=color)


__all__ = ["DrawOptions"]
