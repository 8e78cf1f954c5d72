# SPDX-License-Identifier: MIT

import math
from types import TracebackType
from typing import Any, Callable, ClassVar, NamedTuple, Optional, Sequence

from . import _forkmunk as _core
from .checks import refuse_type
from .geometry import Transform, Vec2d, document_fields


class SpaceDebugColor(NamedTuple):
    """A colour as four numbers from 0 to 255: red, green, blue and opacity."""

    r: float
    g: float
    b: float
    a: float

    def as_int(self) -> tuple[int, int, int, int]:
        """Returns the four rounded to whole numbers."""
        return round(self.r), round(self.g), round(self.b), round(self.a)

    def as_float(self) -> tuple[float, float, float, float]:
        """Returns the four numbers divided by 255."""
        return self.r / 255.0, self.g / 255.0, self.b / 255.0, self.a / 255.0


document_fields(SpaceDebugColor, r="The red part, from 0 to 255.", g="The green part, from 0 to 255.",
                b="The blue part, from 0 to 255.", a="The opacity: 0 is invisible and 255 opaque.")


def _converted(name: str, convert: Callable[[Any], Any], doc: str) -> Any:
    """Returns a property that converts values that are set."""

    def set_(self: Any, value: Any) -> None:
        self.__dict__[name] = convert(value)

    return property(lambda self: self.__dict__[name], set_, doc=doc)


def _color(name: str, what: str) -> Any:
    return _converted(name, lambda color: SpaceDebugColor(*map(float, color)), f"The colour of {what}: four numbers from 0 to 255.")


class SpaceDebugDrawOptions:
    """The settings of Space.debug_draw(), and the functions that draw, which derived classes implement.

    DRAW_SHAPES, DRAW_CONSTRAINTS and DRAW_COLLISION_POINTS are the bits of flags. shape_dynamic_color,
    shape_static_color, shape_kinematic_color and shape_sleeping_color fill shapes by their body's type, unless the
    shape has an attribute `color`, four numbers from 0 to 255. This class prints; pymunk.pygame_util, pyglet_util
    and matplotlib_util have classes that draw."""

    DRAW_SHAPES: ClassVar[int] = 1
    DRAW_CONSTRAINTS: ClassVar[int] = 2
    DRAW_COLLISION_POINTS: ClassVar[int] = 4

    shape_dynamic_color: SpaceDebugColor = SpaceDebugColor(52, 152, 219, 255)
    shape_static_color: SpaceDebugColor = SpaceDebugColor(149, 165, 166, 255)
    shape_kinematic_color: SpaceDebugColor = SpaceDebugColor(39, 174, 96, 255)
    shape_sleeping_color: SpaceDebugColor = SpaceDebugColor(114, 148, 168, 255)

    _use_chipmunk_debug_draw = True  # False: only draw_shape() is called, for each shape

    def __init__(self) -> None:
        self.shape_outline_color = (44, 62, 80, 255)
        self.constraint_color = (142, 68, 173, 255)
        self.collision_point_color = (231, 76, 60, 255)
        self.flags = self.DRAW_SHAPES | self.DRAW_CONSTRAINTS | self.DRAW_COLLISION_POINTS
        self.transform = Transform()

    shape_outline_color: Any = _color("shape_outline_color", "outlines of shapes")
    constraint_color: Any = _color("constraint_color", "joints")
    collision_point_color: Any = _color("collision_point_color", "contacts")
    flags: int = _converted(
        "flags", int, "The kinds of objects that are drawn: DRAW_SHAPES, DRAW_CONSTRAINTS and DRAW_COLLISION_POINTS, combined by `|`.\n\n"
        "The default draws all three kinds.")
    transform: Transform = _converted(
        "transform", lambda transform: Transform(*map(float, transform)),
        "The Transform that is applied to everything that is drawn: a translation, a rotation and a scaling by one factor.")

    def __enter__(self) -> None:
        """Prepares drawing; Space.debug_draw() calls it first."""

    def __exit__(self, type: Optional[type[BaseException]], value: Optional[BaseException],  # noqa: A002
                 traceback: Optional[TracebackType]) -> None:
        """Finishes drawing; Space.debug_draw() calls it last."""

    def draw_circle(self, pos: Vec2d, angle: float, radius: float, outline_color: SpaceDebugColor,
                    fill_color: SpaceDebugColor) -> None:
        """Draws a circle, with a line from the centre at an angle in radians."""
        print("draw_circle", (pos, angle, radius, outline_color, fill_color))

    def draw_segment(self, a: Vec2d, b: Vec2d, color: SpaceDebugColor) -> None:
        """Draws a thin line from a to b."""
        print("draw_segment", (a, b, color))

    def draw_fat_segment(self, a: Vec2d, b: Vec2d, radius: float, outline_color: SpaceDebugColor,
                         fill_color: SpaceDebugColor) -> None:
        """Draws a line with rounded ends, twice as thick as the radius."""
        print("draw_fat_segment", (a, b, radius, outline_color, fill_color))

    def draw_polygon(self, verts: Sequence[Vec2d], radius: float, outline_color: SpaceDebugColor,
                     fill_color: SpaceDebugColor) -> None:
        """Draws a convex polygon enlarged by the radius."""
        print("draw_polygon", (verts, radius, outline_color, fill_color))

    def draw_dot(self, size: float, pos: Vec2d, color: SpaceDebugColor) -> None:
        """Draws a dot, as for a joint's anchor."""
        print("draw_dot", (size, pos, color))

    def draw_shape(self, shape: Any) -> None:
        """Draws a whole shape, in classes that do not draw its parts."""
        print("draw_shape", shape)

    def color_for_shape(self, shape: Any) -> SpaceDebugColor:
        """Returns the colour of a shape: its attribute `color`, or its body type's."""
        if hasattr(shape, "color"):
            return SpaceDebugColor(*shape.color)
        body = shape.body
        if body is None or (body.body_type == body.DYNAMIC and not body.is_sleeping):
            return self.shape_dynamic_color
        if body.body_type == body.STATIC:
            return self.shape_static_color
        return self.shape_kinematic_color if body.body_type == body.KINEMATIC else self.shape_sleeping_color


def draw_space(space: Any, options: SpaceDebugDrawOptions) -> None:
    if not hasattr(options, "_use_chipmunk_debug_draw"):
        refuse_type(options, "Space.debug_draw()", "DrawOptions, such as pygame_util.DrawOptions(screen)")
    if not options._use_chipmunk_debug_draw:
        for shape in space.shapes:
            options.draw_shape(shape)
        return
    with options:
        _draw(space, options)


def _draw(space: Any, options: Any) -> None:
    transform, outline = options.transform, options.shape_outline_color
    scale = math.hypot(transform.a, transform.b)
    turn = math.atan2(transform.b, transform.a)
    fill = outline
    for kind, *given in _core.drawn(space, options.flags, transform, scale, turn):
        if kind == "shape":
            fill = SpaceDebugColor(*map(float, options.color_for_shape(space._wrap(*given))))
        elif kind == "contact":
            options.draw_segment(*given, options.collision_point_color)
        elif kind in ("draw_dot", "draw_segment"):
            getattr(options, kind)(*given, options.constraint_color)
        else:
            getattr(options, kind)(*given, outline, fill)
