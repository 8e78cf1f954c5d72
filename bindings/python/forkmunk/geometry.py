# SPDX-License-Identifier: MIT
"""Values with pymunk's names: vectors, boxes, transforms, filters, moments, areas, and results of queries."""

from __future__ import annotations

import math
import numbers
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence, Union, overload

from . import _forkmunk as _core
from . import api_version

if TYPE_CHECKING:
    from .scene import Shape

__all__ = [
    "BB", "ContactPoint", "ContactPointSet", "PointQueryInfo", "SegmentQueryInfo", "ShapeFilter", "ShapeQueryInfo", "Transform",
    "Vec2d", "area_for_circle", "area_for_segment",
]

Vector = Sequence[float]  # a pair
inf = math.inf


class OperandError(TypeError, AssertionError):
    """A wrong operand of a vector or matrix: a TypeError, and pymunk's AssertionError."""


def _pair(other: Any) -> tuple[float, float]:
    try:
        count = len(other)
    except TypeError:
        raise TypeError(f"Vec2d: found {other!r}, expected a pair of numbers") from None
    if count != 2:
        raise OperandError(f"Vec2d: found {other!r}, expected a pair of numbers")
    return other  # type: ignore[no-any-return]


def document_fields(cls: type, **docs: str) -> None:
    for name, doc in docs.items():
        getattr(cls, name).__doc__ = doc


def _number(other: Any) -> Any:
    if type(other) is not float and not isinstance(other, numbers.Real):
        raise OperandError(f"Vec2d: found {other!r}, expected a number; dot() and cross() multiply vectors")
    return other


def _deprecated(old: str, new: str) -> None:
    if api_version.major > 6:
        warnings.warn(f"Vec2d.{old}() is deprecated; use {new}", DeprecationWarning, stacklevel=3)


class Vec2d(NamedTuple):
    """Vec2d(x, y)

    A vector of two numbers: a tuple with arithmetic, which never changes.

    Wherever the package expects a vector, any pair of numbers will do. `*` and `/` take numbers; dot() and cross()
    multiply vectors. Angles are radians, counter-clockwise if y points up.

        Vec2d(3, 4) + (1, 1)            # Vec2d(4, 5)
        Vec2d(3, 4) * 2                 # Vec2d(6, 8)
        Vec2d(3, 4).length              # 5.0"""

    x: float
    y: float

    def __repr__(self) -> str:
        return f"Vec2d({self.x}, {self.y})"

    def __add__(self, other: Vector) -> Vec2d:  # type: ignore[override]
        x, y = other if other.__class__ is Vec2d else _pair(other)
        return Vec2d(self.x + x, self.y + y)

    def __radd__(self, other: Vector) -> Vec2d:
        return self + other

    def __sub__(self, other: Vector) -> Vec2d:
        x, y = other if other.__class__ is Vec2d else _pair(other)
        return Vec2d(self.x - x, self.y - y)

    def __rsub__(self, other: Vector) -> Vec2d:
        x, y = _pair(other)
        return Vec2d(x - self.x, y - self.y)

    def __mul__(self, factor: float) -> Vec2d:  # type: ignore[override]
        factor = _number(factor)
        return Vec2d(self.x * factor, self.y * factor)

    def __rmul__(self, factor: float) -> Vec2d:  # type: ignore[override]
        return self * factor

    def __truediv__(self, divisor: float) -> Vec2d:
        divisor = _number(divisor)
        return Vec2d(self.x / divisor, self.y / divisor)

    def __floordiv__(self, divisor: float) -> Vec2d:
        divisor = _number(divisor)
        return Vec2d(self.x // divisor, self.y // divisor)

    def __neg__(self) -> Vec2d:
        return Vec2d(-self.x, -self.y)

    def __pos__(self) -> Vec2d:
        return Vec2d(+self.x, +self.y)

    def __abs__(self) -> float:
        return self.length

    def __bool__(self) -> bool:
        """Returns whether the vector is not zero. With install(version=6) each vector is true."""
        return api_version.major < 7 or self.x != 0 or self.y != 0

    @property
    def length(self) -> float:
        """The vector's length. scale_to_length() returns a vector of another length."""
        return math.sqrt(self.x * self.x + self.y * self.y)

    @property
    def length_squared(self) -> float:
        """The square of the length, which is faster and suits comparisons."""
        return self.x * self.x + self.y * self.y

    def get_length_sqrd(self) -> float:
        """Returns length_squared; deprecated in version 7."""
        _deprecated("get_length_sqrd", "length_squared")
        return self.length_squared

    def scale_to_length(self, length: float) -> Vec2d:
        """Returns a vector of another length in the same direction. The zero vector raises ZeroDivisionError."""
        old_length = self.length
        return Vec2d(self.x * length / old_length, self.y * length / old_length)

    @property
    def angle(self) -> float:
        """The angle from the x axis in radians, -pi to pi."""
        return math.atan2(self.y, self.x) if api_version.major > 6 or self.x or self.y else 0

    @property
    def angle_degrees(self) -> float:
        """The angle from the x axis in degrees, -180 to 180."""
        return math.degrees(self.angle)

    def get_angle_between(self, other: Vector) -> float:
        """Returns the angle in radians, -pi to pi, from this vector to another."""
        return math.atan2(self.cross(other), self.dot(other))

    def get_angle_degrees_between(self, other: Vector) -> float:
        """Returns the angle in degrees, -180 to 180, from this vector to another."""
        return math.degrees(self.get_angle_between(other))

    def rotated(self, angle_radians: float) -> Vec2d:
        """Returns the vector turned counter-clockwise by an angle in radians."""
        cos, sin = math.cos(angle_radians), math.sin(angle_radians)
        return Vec2d(self.x * cos - self.y * sin, self.x * sin + self.y * cos)

    def rotated_degrees(self, angle_degrees: float) -> Vec2d:
        """Returns the vector turned counter-clockwise by an angle in degrees."""
        return self.rotated(math.radians(angle_degrees))

    def cpvrotate(self, other: Vector) -> Vec2d:
        """Returns the vector turned and scaled by another, as complex numbers are multiplied.

        body.rotation_vector turns by the body's angle."""
        x, y = _pair(other)
        return Vec2d(self.x * x - self.y * y, self.x * y + self.y * x)

    def cpvunrotate(self, other: Vector) -> Vec2d:
        """Returns the vector turned back by another: cpvrotate()'s inverse for lengths of 1."""
        x, y = _pair(other)
        return Vec2d(self.x * x + self.y * y, self.y * x - self.x * y)

    def normalized(self) -> Vec2d:
        """Returns the vector with length 1, or the zero vector itself."""
        return self.normalized_and_length()[0]

    def normalized_and_length(self) -> tuple[Vec2d, float]:
        """Returns normalized() and the vector's length."""
        length = self.length
        return (self / length, length) if length else (Vec2d.zero(), 0.0)

    def perpendicular(self) -> Vec2d:
        """Returns the vector after a quarter turn counter-clockwise."""
        return Vec2d(-self.y, self.x)

    def perpendicular_normal(self) -> Vec2d:
        """Returns perpendicular() with length 1, or the zero vector itself."""
        length = self.length
        return Vec2d(-self.y / length, self.x / length) if length else self

    def dot(self, other: Vector) -> float:
        """Returns the dot product: positive for vectors to one side, 0 for perpendicular ones."""
        x, y = other if other.__class__ is Vec2d else _pair(other)
        return float(self.x * x + self.y * y)

    def cross(self, other: Vector) -> float:
        """Returns the z component of the cross product, positive if the other vector is counter-clockwise from this
        one."""
        x, y = other if other.__class__ is Vec2d else _pair(other)
        return self.x * y - self.y * x

    def get_distance(self, other: Vector) -> float:
        """Returns the distance to another point."""
        return math.sqrt(self.get_distance_squared(other))

    def get_distance_squared(self, other: Vector) -> float:
        """Returns the square of the distance, which is faster and suits comparisons."""
        x, y = other if other.__class__ is Vec2d else _pair(other)
        x, y = self.x - x, self.y - y
        return x * x + y * y  # a power may have other bits on another machine

    def get_dist_sqrd(self, other: Vector) -> float:
        """Returns get_distance_squared(); deprecated in version 7."""
        _deprecated("get_dist_sqrd", "get_distance_squared()")
        return self.get_distance_squared(other)

    def projection(self, other: Vector) -> Vec2d:
        """Returns the vector's part in another's direction, zero for the zero vector."""
        x, y = _pair(other)
        squared = x * x + y * y
        if squared == 0:
            return Vec2d.zero()
        part = self.dot(other) / squared
        return Vec2d(x * part, y * part)

    def interpolate_to(self, other: Vector, range: float) -> Vec2d:  # noqa: A002
        """Returns the point on the way to another point: this point at range 0, the other at 1.

        Other ranges continue the line."""
        x, y = _pair(other)
        return Vec2d(self.x + (x - self.x) * range, self.y + (y - self.y) * range)

    def convert_to_basis(self, x_vector: Vector, y_vector: Vector) -> Vec2d:
        """Returns the vector's coordinates along two perpendicular vectors."""
        return Vec2d(self.dot(x_vector) / Vec2d(*_pair(x_vector)).length_squared,
                     self.dot(y_vector) / Vec2d(*_pair(y_vector)).length_squared)

    @property
    def int_tuple(self) -> tuple[int, int]:
        """The coordinates rounded to whole numbers, halves to even."""
        return round(self.x), round(self.y)

    @property
    def polar_tuple(self) -> tuple[float, float]:
        """The length and the angle in radians, for from_polar()."""
        return self.length, self.angle

    @staticmethod
    def from_polar(length: float, angle: float) -> Vec2d:
        """Returns the vector of a length and an angle in radians."""
        return Vec2d(math.cos(angle) * length, math.sin(angle) * length)

    @staticmethod
    def zero() -> Vec2d:
        """Returns the vector (0, 0)."""
        return Vec2d(0.0, 0.0) if api_version.major > 6 else Vec2d(0, 0)

    @staticmethod
    def unit() -> Vec2d:
        """Returns the vector (0, 1)."""
        return Vec2d(0.0, 1.0) if api_version.major > 6 else Vec2d(0, 1)

    @staticmethod
    def ones() -> Vec2d:
        """Returns the vector (1, 1)."""
        return Vec2d(1.0, 1.0) if api_version.major > 6 else Vec2d(1, 1)


document_fields(Vec2d, x="The first coordinate of the vector.", y="The second coordinate of the vector.")
_core.use_vector_type(Vec2d)


class BB(NamedTuple):
    """BB(left=0, bottom=0, right=0, top=0)

    A box parallel to the axes. left is at most right, and bottom at most top, also where y points down."""

    left: float = 0
    bottom: float = 0
    right: float = 0
    top: float = 0

    @staticmethod
    def newForCircle(p: Vector, r: float) -> BB:  # noqa: N802
        """Returns the box around a circle."""
        x, y = _pair(p)
        return BB(*map(float, (x - r, y - r, x + r, y + r)))

    def intersects(self, other: BB) -> bool:
        """Returns whether two boxes have a point in common."""
        left, bottom, right, top = other
        return bool(self.left <= right and left <= self.right and self.bottom <= top and bottom <= self.top)

    def intersects_segment(self, a: Vector, b: Vector) -> bool:
        """Returns whether a line has a point in the box."""
        return self.segment_query(a, b) != inf

    def contains(self, other: BB) -> bool:
        """Returns whether the whole of another box is inside."""
        left, bottom, right, top = other
        return bool(self.left <= left and right <= self.right and self.bottom <= bottom and top <= self.top)

    def contains_vect(self, v: Vector) -> bool:
        """Returns whether a point is inside or on the border."""
        x, y = _pair(v)
        return bool(self.left <= x <= self.right and self.bottom <= y <= self.top)

    def merge(self, other: BB) -> BB:
        """Returns the smallest box around both."""
        left, bottom, right, top = other
        return BB(*map(float, (min(left, self.left), min(bottom, self.bottom), max(right, self.right), max(top, self.top))))

    def expand(self, v: Vector) -> BB:
        """Returns the smallest box around the box and a point."""
        x, y = _pair(v)
        return self.merge(BB(x, y, x, y))

    def center(self) -> Vec2d:
        """Returns the centre of the box."""
        return Vec2d(float(self.left + self.right) / 2, float(self.bottom + self.top) / 2)

    def area(self) -> float:
        """Returns the area of the box."""
        return float((self.right - self.left) * (self.top - self.bottom))

    def merged_area(self, other: BB) -> float:
        """Returns the area of merge() with another box."""
        return self.merge(other).area()

    def segment_query(self, a: Vector, b: Vector) -> float:
        """Returns the fraction of the way from a to b, 0 to 1, at which the line enters the box, or infinity."""
        enter, leave = 0.0, inf
        for start, end, low, high in zip(_pair(a), _pair(b), self[:2], self[2:]):
            if start == end:
                if not low <= start <= high:
                    return inf
                continue
            first, last = sorted(((low - start) / (end - start), (high - start) / (end - start)))
            enter, leave = max(enter, first), min(leave, last)
        return float(enter) if enter <= leave and enter <= 1 else inf

    def clamp_vect(self, v: Vector) -> Vec2d:
        """Returns the box's nearest point to a point."""
        x, y = _pair(v)
        return Vec2d(float(min(self.right, max(self.left, x))), float(min(self.top, max(self.bottom, y))))


document_fields(BB, left="The smallest x of the box.", bottom="The smallest y of the box.",
                right="The largest x of the box.", top="The largest y of the box.")


class Transform(NamedTuple):
    """Transform(a=1, b=0, c=0, d=1, tx=0, ty=0)

    An affine map of the plane: (x, y) becomes (a x + c y + tx, b x + d y + ty).

    `transform @ point` maps a point. `first @ second` applies second, then first."""

    a: float = 1
    b: float = 0
    c: float = 0
    d: float = 1
    tx: float = 0
    ty: float = 0

    @overload
    def __matmul__(self, other: tuple[float, float]) -> Vec2d: ...

    @overload
    def __matmul__(self, other: tuple[float, float, float, float, float, float]) -> Transform: ...

    def __matmul__(self, other: Any) -> Union[Vec2d, Transform]:
        """Returns the point that a point is mapped to, or the map that applies another map first."""
        a, b, c, d, tx, ty = self
        if len(other) == 2:
            x, y = other
            return Vec2d(a * x + c * y + tx, b * x + d * y + ty)
        if len(other) != 6:
            raise OperandError(f"Transform: found {other!r}, expected a pair of numbers or a Transform")
        a2, b2, c2, d2, tx2, ty2 = other
        zero_x, zero_y = tx * 0, ty * 0  # as in pymunk, of which they decide the types and the signs of zeros
        return Transform(a * a2 + c * b2 + zero_x, b * a2 + d * b2 + zero_y, a * c2 + c * d2 + zero_x, b * c2 + d * d2 + zero_y,
                         a * tx2 + c * ty2 + tx, b * tx2 + d * ty2 + ty)

    def translated(self, x: float, y: float) -> Transform:
        """Returns the map that first translates by (x, y) and then applies this map."""
        return self @ Transform.translation(x, y)

    def scaled(self, s: float) -> Transform:
        """Returns the map that first scales by s and then applies this map."""
        return self @ Transform.scaling(s)

    def rotated(self, t: float) -> Transform:
        """Returns the map that first turns by t radians and then applies this map."""
        return self @ Transform.rotation(t)

    def inverted(self) -> Transform:
        """Returns the inverse map. Without one, as for a scaling by 0, ValueError is raised."""
        a, b, c, d, tx, ty = self
        determinant = a * d - b * c
        if determinant == 0:
            raise ValueError(f"Transform.inverted(): found {self!r}, expected a determinant other than 0")
        return Transform(d / determinant, -b / determinant, -c / determinant, a / determinant,
                         (c * ty - d * tx) / determinant, (b * tx - a * ty) / determinant)

    @staticmethod
    def identity() -> Transform:
        """Returns the map that changes nothing."""
        return Transform()

    @staticmethod
    def translation(x: float, y: float) -> Transform:
        """Returns the map that moves points by (x, y)."""
        return Transform(tx=x, ty=y)

    @staticmethod
    def scaling(s: float) -> Transform:
        """Returns the map that multiplies coordinates by s."""
        return Transform(a=s, d=s)

    @staticmethod
    def rotation(t: float) -> Transform:
        """Returns the map that turns each point about (0, 0) by t radians, counter-clockwise."""
        cos, sin = math.cos(t), math.sin(t)
        return Transform(cos, sin, -sin, cos)


document_fields(
    Transform, a="The factor from x to the new x.", b="The factor from x to the new y.", c="The factor from y to the new x.",
    d="The factor from y to the new y.", tx="The number that is added to x.", ty="The number that is added to y.")


class ShapeFilter(NamedTuple):
    """ShapeFilter(group=0, categories=0xFFFFFFFF, mask=0xFFFFFFFF)

    A rule for which shapes collide, as three numbers of 32 bits.

    Shapes of one group other than 0, such as a ragdoll's parts, do not collide. categories has a bit for each kind
    of the shape, and mask for each kind that it collides with. Two shapes collide if each mask has a bit of the
    other's categories.

        player = ShapeFilter(categories=0b01)
        ghost = ShapeFilter(categories=0b10, mask=ShapeFilter.ALL_MASKS() ^ 0b01)   # passes through players

    Filters are faster than collision handlers that return False."""

    group: int = 0
    categories: int = 0xFFFFFFFF
    mask: int = 0xFFFFFFFF

    @staticmethod
    def ALL_CATEGORIES() -> int:  # noqa: N802
        """Returns categories with all 32 bits set."""
        return 0xFFFFFFFF

    @staticmethod
    def ALL_MASKS() -> int:  # noqa: N802
        """Returns a mask with all 32 bits set."""
        return 0xFFFFFFFF

    def rejects_collision(self, other: ShapeFilter) -> bool:
        """Returns whether shapes with both filters do not collide."""
        group, categories, mask = other
        same_group = self.group != 0 and self.group == group
        return same_group or self.categories & mask == 0 or categories & self.mask == 0


document_fields(
    ShapeFilter, group="The group of the shape. Shapes with the same group do not collide; 0 is no group.",
    categories="The bits of the kinds that the shape belongs to, all of them by default.",
    mask="The bits of the kinds that the shape collides with, all of them by default.")


if TYPE_CHECKING:

    class VectorField:
        """A property that is a Vec2d, and takes any pair."""

        def __get__(self, owner: object, type_: Any = None) -> Vec2d: ...
        def __set__(self, owner: object, value: Vector) -> None: ...

    class FilterField:
        """A property that is a ShapeFilter, and takes (group, categories, mask)."""

        def __get__(self, owner: object, type_: Any = None) -> ShapeFilter: ...
        def __set__(self, owner: object, value: tuple[int, int, int]) -> None: ...

else:
    VectorField = FilterField = Any


def area_for_circle(inner_radius: float, outer_radius: float) -> float:
    """Returns the area of a ring, or with inner_radius 0 a disc."""
    return math.pi * abs(float(inner_radius * inner_radius - outer_radius * outer_radius))


def area_for_segment(a: Vector, b: Vector, radius: float) -> float:
    """Returns the area of a line with rounded ends."""
    return float(radius * (math.pi * radius + 2 * Vec2d(*a).get_distance(b)))


class PointQueryInfo(NamedTuple):
    """The result of a point query for one shape."""

    shape: Shape
    point: Vec2d
    distance: float
    gradient: Vec2d


class SegmentQueryInfo(NamedTuple):
    """The result of a segment query for one shape."""

    shape: Shape
    point: Vec2d
    normal: Vec2d
    alpha: float


_SHAPE = "The shape that was found."
document_fields(
    PointQueryInfo, shape=_SHAPE, point="The point of the shape's surface that is nearest, in world coordinates.",
    distance="The distance from the point that was asked for; negative if that point is inside the shape.",
    gradient="The direction in which the distance grows fastest, of length 1.")
document_fields(
    SegmentQueryInfo, shape=_SHAPE, point="The point where the line enters the shape, in world coordinates.",
    normal="The normal of the shape's surface at the point, of length 1.",
    alpha="The fraction of the line at which it enters the shape, from 0 at the start to 1 at the end.")


@dataclass
class ContactPoint:
    """ContactPoint(point_a, point_b, distance)

    A point where two shapes touch: point_a and point_b on the first and second shape's surfaces, in world
    coordinates. distance is negative where the shapes overlap."""

    point_a: Vec2d
    point_b: Vec2d
    distance: float


@dataclass
class ContactPointSet:
    """ContactPointSet(normal, points)

    The one or two points where two shapes touch. normal has length 1 and points from the first shape to the second.

    points is a tuple of ContactPoints; with install(version=6) it is a list."""

    normal: Vec2d
    points: Sequence[ContactPoint]  # a tuple; a list for version 6


class ShapeQueryInfo(NamedTuple):
    """The result of a shape query for one shape."""

    shape: Shape
    contact_point_set: ContactPointSet


document_fields(ShapeQueryInfo, shape=_SHAPE, contact_point_set="The ContactPointSet of the overlap.")


def _contacts(normal: Any, points: Any) -> ContactPointSet:
    kind = tuple if api_version.major > 6 else list
    return ContactPointSet(normal, kind([ContactPoint(*point) for point in points]))
