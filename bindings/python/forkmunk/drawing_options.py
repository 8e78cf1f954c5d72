# SPDX-License-Identifier: MIT
"""How Space.debug_draw() draws: pymunk's SpaceDebugDrawOptions, to derive from for other ways of drawing."""

from __future__ import annotations

import math
from types import TracebackType
from typing import Any, ClassVar, NamedTuple, Optional, Sequence

from . import _forkmunk as _core
from .geometry import Transform, Vec2d


class SpaceDebugColor(NamedTuple):
    """Red, green, blue, opacity: 0 to 255."""

    r: float
    g: float
    b: float
    a: float

    def as_int(self) -> tuple[int, int, int, int]:
        """Rounded."""
        return round(self.r), round(self.g), round(self.b), round(self.a)

    def as_float(self) -> tuple[float, float, float, float]:
        """0 to 1."""
        return self.r / 255.0, self.g / 255.0, self.b / 255.0, self.a / 255.0


def _color(name: str, doc: str) -> Any:
    """A property that takes any four numbers."""

    def get(self: Any) -> SpaceDebugColor:
        return self.__dict__[name]

    def set_(self: Any, color: Any) -> None:
        self.__dict__[name] = SpaceDebugColor(*map(float, color))

    return property(get, set_, doc=doc)


class SpaceDebugDrawOptions:
    """What Space.debug_draw() draws, in which colours, and how: derived classes implement the draw_...() functions;
    these print. pymunk.pygame_util, pyglet_util and matplotlib_util have such classes."""

    DRAW_SHAPES: ClassVar[int] = 1
    DRAW_CONSTRAINTS: ClassVar[int] = 2
    DRAW_COLLISION_POINTS: ClassVar[int] = 4

    shape_dynamic_color: SpaceDebugColor = SpaceDebugColor(52, 152, 219, 255)
    shape_static_color: SpaceDebugColor = SpaceDebugColor(149, 165, 166, 255)
    shape_kinematic_color: SpaceDebugColor = SpaceDebugColor(39, 174, 96, 255)
    shape_sleeping_color: SpaceDebugColor = SpaceDebugColor(114, 148, 168, 255)

    _use_chipmunk_debug_draw = True  # False: draw_shape() for each shape, and nothing else

    def __init__(self) -> None:
        self.shape_outline_color = (44, 62, 80, 255)
        self.constraint_color = (142, 68, 173, 255)
        self.collision_point_color = (231, 76, 60, 255)
        self.flags = self.DRAW_SHAPES | self.DRAW_CONSTRAINTS | self.DRAW_COLLISION_POINTS
        self.transform = Transform()

    shape_outline_color: Any = _color("shape_outline_color", "A SpaceDebugColor; takes any four numbers, 0 to 255.")
    constraint_color: Any = _color("constraint_color", "A SpaceDebugColor; takes any four numbers, 0 to 255.")
    collision_point_color: Any = _color("collision_point_color", "A SpaceDebugColor; takes any four numbers, 0 to 255.")

    @property
    def flags(self) -> int:
        """DRAW_SHAPES, DRAW_CONSTRAINTS and DRAW_COLLISION_POINTS, or-ed; all of them at first."""
        return self._flags

    @flags.setter
    def flags(self, flags: int) -> None:
        self._flags = int(flags)

    @property
    def transform(self) -> Transform:
        """Applied to what is drawn: translation, and scaling by the same factor each way."""
        return self._transform

    @transform.setter
    def transform(self, transform: Sequence[float]) -> None:
        self._transform = Transform(*map(float, transform))

    def __enter__(self) -> None:
        """Called before drawing."""

    def __exit__(self, type: Optional[type[BaseException]], value: Optional[BaseException],  # noqa: A002
                 traceback: Optional[TracebackType]) -> None:
        """Called after drawing."""

    def draw_circle(self, pos: Vec2d, angle: float, radius: float, outline_color: SpaceDebugColor,
                    fill_color: SpaceDebugColor) -> None:
        print("draw_circle", (pos, angle, radius, outline_color, fill_color))

    def draw_segment(self, a: Vec2d, b: Vec2d, color: SpaceDebugColor) -> None:
        print("draw_segment", (a, b, color))

    def draw_fat_segment(self, a: Vec2d, b: Vec2d, radius: float, outline_color: SpaceDebugColor,
                         fill_color: SpaceDebugColor) -> None:
        print("draw_fat_segment", (a, b, radius, outline_color, fill_color))

    def draw_polygon(self, verts: Sequence[Vec2d], radius: float, outline_color: SpaceDebugColor,
                     fill_color: SpaceDebugColor) -> None:
        print("draw_polygon", (verts, radius, outline_color, fill_color))

    def draw_dot(self, size: float, pos: Vec2d, color: SpaceDebugColor) -> None:
        print("draw_dot", (size, pos, color))

    def draw_shape(self, shape: Any) -> None:
        print("draw_shape", shape)

    def color_for_shape(self, shape: Any) -> SpaceDebugColor:
        """The fill colour: shape.color if it has that attribute, else by the kind of its body."""
        if hasattr(shape, "color"):
            return SpaceDebugColor(*shape.color)
        body = shape.body
        if body is None or (body.body_type == body.DYNAMIC and not body.is_sleeping):
            return self.shape_dynamic_color
        if body.body_type == body.STATIC:
            return self.shape_static_color
        return self.shape_kinematic_color if body.body_type == body.KINEMATIC else self.shape_sleeping_color


def draw_space(space: Any, options: SpaceDebugDrawOptions) -> None:
    """Space.debug_draw()."""
    if not options._use_chipmunk_debug_draw:
        for shape in space.shapes:
            options.draw_shape(shape)
        return
    with options:  # type: ignore[attr-defined]
        _draw(space, options)


def _draw(space: Any, options: SpaceDebugDrawOptions) -> None:
    transform, outline = options.transform, options.shape_outline_color
    scale = math.hypot(transform.a, transform.b)
    turn = math.atan2(transform.b, transform.a)
    fill = outline
    for kind, *numbers in _core.drawn(space, options.flags):
        if kind == "shape":
            fill = SpaceDebugColor(*map(float, options.color_for_shape(space._wrap(numbers[0]))))
        elif kind == "circle":
            position, angle, radius = numbers
            options.draw_circle(transform @ position, angle + turn, radius * scale, outline, fill)
        elif kind == "fat_segment":
            a, b, radius = numbers
            options.draw_fat_segment(transform @ a, transform @ b, radius * scale, outline, fill)
        elif kind == "polygon":
            points, radius = numbers
            options.draw_polygon([transform @ point for point in points], radius * scale, outline, fill)
        elif kind == "dot":
            size, position = numbers
            options.draw_dot(size, transform @ position, options.constraint_color)
        elif not any(math.isnan(number) for point in numbers for number in point):  # a spring of no length has no direction
            color = options.constraint_color if kind == "segment" else options.collision_point_color
            options.draw_segment(transform @ numbers[0], transform @ numbers[1], color)
