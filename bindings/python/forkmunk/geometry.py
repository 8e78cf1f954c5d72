# SPDX-License-Identifier: MIT
"""Values with pymunk's names: Vec2d, BB, Transform, ShapeFilter, moments and areas, results of queries, contact points."""

from __future__ import annotations

import math
import numbers
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence, Union, overload

from . import _forkmunk as _core
from . import api_version

Vector = Sequence[float]  # a pair
inf = math.inf


class OperandError(TypeError, AssertionError):
    """A wrong operand of a vector or matrix: forkmunk raises TypeError for it, pymunk AssertionError."""


def _pair(other: Any) -> Any:
    if len(other) != 2:
        raise OperandError(f"Vec2d: found {other!r}, expected a pair of numbers")
    return other


def _number(other: Any) -> Any:
    if type(other) is not float and not isinstance(other, numbers.Real):
        raise OperandError(f"Vec2d: found {other!r}, expected a number; dot() and cross() multiply vectors")
    return other


def _deprecated(old: str, new: str) -> None:
    if api_version.major > 6:
        warnings.warn(f"Vec2d.{old}() is deprecated; use {new}", DeprecationWarning, stacklevel=3)


class Vec2d(NamedTuple):
    """A pair of numbers, as a tuple with arithmetic. Angles are radians, counter-clockwise."""

    x: float
    y: float

    def __repr__(self) -> str:
        return f"Vec2d({self.x}, {self.y})"

    def __add__(self, other: Vector) -> Vec2d:  # type: ignore[override]
        x, y = _pair(other)
        return Vec2d(self.x + x, self.y + y)

    def __radd__(self, other: Vector) -> Vec2d:
        return self + other

    def __sub__(self, other: Vector) -> Vec2d:
        x, y = _pair(other)
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
        """Whether it is not the zero vector; by version 6 always."""
        return api_version.major < 7 or self.x != 0 or self.y != 0

    @property
    def length(self) -> float:
        return math.sqrt(self.x * self.x + self.y * self.y)

    @property
    def length_squared(self) -> float:
        return self.x * self.x + self.y * self.y

    def get_length_sqrd(self) -> float:
        """length_squared by its name of version 6."""
        _deprecated("get_length_sqrd", "length_squared")
        return self.length_squared

    def scale_to_length(self, length: float) -> Vec2d:
        """Of the same direction. Raises ZeroDivisionError for the zero vector."""
        old_length = self.length
        return Vec2d(self.x * length / old_length, self.y * length / old_length)

    @property
    def angle(self) -> float:
        """From the x axis."""
        return math.atan2(self.y, self.x)

    @property
    def angle_degrees(self) -> float:
        return math.degrees(self.angle)

    def get_angle_between(self, other: Vector) -> float:
        """By which this vector is turned to have the direction of the other."""
        return math.atan2(self.cross(other), self.dot(other))

    def get_angle_degrees_between(self, other: Vector) -> float:
        return math.degrees(self.get_angle_between(other))

    def rotated(self, angle_radians: float) -> Vec2d:
        cos, sin = math.cos(angle_radians), math.sin(angle_radians)
        return Vec2d(self.x * cos - self.y * sin, self.x * sin + self.y * cos)

    def rotated_degrees(self, angle_degrees: float) -> Vec2d:
        return self.rotated(math.radians(angle_degrees))

    def cpvrotate(self, other: Vector) -> Vec2d:
        """Turned and scaled by a vector, as complex numbers are multiplied."""
        x, y = _pair(other)
        return Vec2d(self.x * x - self.y * y, self.x * y + self.y * x)

    turned = cpvrotate

    def cpvunrotate(self, other: Vector) -> Vec2d:
        """The reverse of cpvrotate() by a vector of length 1."""
        x, y = _pair(other)
        return Vec2d(self.x * x + self.y * y, self.y * x - self.x * y)

    def normalized(self) -> Vec2d:
        """Of length 1; the zero vector if it is one."""
        return self.normalized_and_length()[0]

    def normalized_and_length(self) -> tuple[Vec2d, float]:
        """Of length 1, and the length that it had."""
        length = self.length
        return (self / length, length) if length else (Vec2d(0.0, 0.0), 0.0)

    def perpendicular(self) -> Vec2d:
        """Turned by a quarter, counter-clockwise."""
        return Vec2d(-self.y, self.x)

    def perpendicular_normal(self) -> Vec2d:
        """perpendicular(), of length 1; the zero vector if it is one."""
        length = self.length
        return Vec2d(-self.y / length, self.x / length) if length else self

    def dot(self, other: Vector) -> float:
        x, y = _pair(other)
        return float(self.x * x + self.y * y)

    def cross(self, other: Vector) -> float:
        x, y = _pair(other)
        return self.x * y - self.y * x

    def get_distance(self, other: Vector) -> float:
        x, y = _pair(other)
        return math.sqrt((self.x - x) ** 2 + (self.y - y) ** 2)

    def get_distance_squared(self, other: Vector) -> float:
        x, y = _pair(other)
        return (self.x - x) ** 2 + (self.y - y) ** 2

    def get_dist_sqrd(self, other: Vector) -> float:
        """get_distance_squared() by its name of version 6."""
        _deprecated("get_dist_sqrd", "get_distance_squared()")
        return self.get_distance_squared(other)

    def projection(self, other: Vector) -> Vec2d:
        """Onto the direction of another vector; zero if that is the zero vector."""
        x, y = _pair(other)
        squared = x * x + y * y
        if squared == 0:
            return Vec2d(0.0, 0.0)
        part = self.dot(other) / squared
        return Vec2d(x * part, y * part)

    def interpolate_to(self, other: Vector, range: float) -> Vec2d:  # noqa: A002
        """From this vector (range 0) to the other (range 1)."""
        x, y = _pair(other)
        return Vec2d(self.x + (x - self.x) * range, self.y + (y - self.y) * range)

    def convert_to_basis(self, x_vector: Vector, y_vector: Vector) -> Vec2d:
        """Its coordinates along two vectors that are perpendicular."""
        return Vec2d(self.dot(x_vector) / Vec2d(*_pair(x_vector)).length_squared,
                     self.dot(y_vector) / Vec2d(*_pair(y_vector)).length_squared)

    @property
    def int_tuple(self) -> tuple[int, int]:
        """Rounded to the nearest integers."""
        return round(self.x), round(self.y)

    @property
    def polar_tuple(self) -> tuple[float, float]:
        """(length, angle): the reverse of from_polar()."""
        return self.length, self.angle

    @staticmethod
    def from_polar(length: float, angle: float) -> Vec2d:
        return Vec2d(math.cos(angle) * length, math.sin(angle) * length)

    @staticmethod
    def zero() -> Vec2d:
        return Vec2d(0.0, 0.0)

    @staticmethod
    def unit() -> Vec2d:
        """(0, 1)"""
        return Vec2d(0.0, 1.0)

    @staticmethod
    def ones() -> Vec2d:
        """(1, 1)"""
        return Vec2d(1.0, 1.0)


_core.use_vector_type(Vec2d)


class BB(NamedTuple):
    """An axis-aligned box."""

    left: float = 0
    bottom: float = 0
    right: float = 0
    top: float = 0

    @staticmethod
    def newForCircle(p: Vector, r: float) -> BB:  # noqa: N802
        """Around a circle."""
        x, y = _pair(p)
        return BB(x - r, y - r, x + r, y + r)

    def intersects(self, other: BB) -> bool:
        return (self.left <= other[2] and other[0] <= self.right) and (self.bottom <= other[3] and other[1] <= self.top)

    def intersects_segment(self, a: Vector, b: Vector) -> bool:
        """Whether the line from a to b has a point in the box."""
        return self.segment_query(a, b) != inf

    def contains(self, other: BB) -> bool:
        """Whether all of the other box is inside."""
        left, bottom, right, top = other
        return self.left <= left and right <= self.right and self.bottom <= bottom and top <= self.top

    def contains_vect(self, v: Vector) -> bool:
        x, y = _pair(v)
        return self.left <= x <= self.right and self.bottom <= y <= self.top

    def merge(self, other: BB) -> BB:
        """The smallest box around both."""
        left, bottom, right, top = other
        return BB(*map(float, (min(self.left, left), min(self.bottom, bottom), max(self.right, right), max(self.top, top))))

    def expand(self, v: Vector) -> BB:
        """The smallest box around this one and a point."""
        x, y = _pair(v)
        return self.merge(BB(x, y, x, y))

    def center(self) -> Vec2d:
        return Vec2d((self.left + self.right) / 2, (self.bottom + self.top) / 2)

    def area(self) -> float:
        return (self.right - self.left) * (self.top - self.bottom)

    def merged_area(self, other: BB) -> float:
        """Of merge()."""
        return self.merge(other).area()

    def segment_query(self, a: Vector, b: Vector) -> float:
        """The part of the way from a to b at which the line enters the box, 0 to 1; infinity if it does not."""
        enter, leave = 0.0, inf
        for start, end, low, high in zip(_pair(a), _pair(b), self[:2], self[2:]):
            if start == end:
                if not low <= start <= high:
                    return inf
                continue
            first, last = sorted(((low - start) / (end - start), (high - start) / (end - start)))
            enter, leave = max(enter, first), min(leave, last)
        return enter if enter <= leave and enter <= 1 else inf

    def clamp_vect(self, v: Vector) -> Vec2d:
        """The point of the box that is nearest to v."""
        x, y = _pair(v)
        return Vec2d(min(max(x, self.left), self.right), min(max(y, self.bottom), self.top))


class Transform(NamedTuple):
    """An affine map of the plane: (x, y) -> (a x + c y + tx, b x + d y + ty). `@` applies it to points and to maps."""

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
        """Applied to a point, or after another map."""
        a, b, c, d, tx, ty = self
        if len(other) == 2:
            x, y = other
            return Vec2d(a * x + c * y + tx, b * x + d * y + ty)
        if len(other) != 6:
            raise OperandError(f"Transform: found {other!r}, expected a pair of numbers or a Transform")
        a2, b2, c2, d2, tx2, ty2 = other
        return Transform(a * a2 + c * b2, b * a2 + d * b2, a * c2 + c * d2, b * c2 + d * d2,
                         a * tx2 + c * ty2 + tx, b * tx2 + d * ty2 + ty)

    def translated(self, x: float, y: float) -> Transform:
        """This map after a translation."""
        return self @ Transform.translation(x, y)

    def scaled(self, s: float) -> Transform:
        """This map after a scaling."""
        return self @ Transform.scaling(s)

    def rotated(self, t: float) -> Transform:
        """This map after a rotation."""
        return self @ Transform.rotation(t)

    def inverted(self) -> Transform:
        """The reverse map. Raises ValueError if there is none."""
        a, b, c, d, tx, ty = self
        determinant = a * d - b * c
        if determinant == 0:
            raise ValueError(f"Transform.inverted(): found {self!r}, expected a determinant other than 0")
        return Transform(d / determinant, -b / determinant, -c / determinant, a / determinant,
                         (c * ty - d * tx) / determinant, (b * tx - a * ty) / determinant)

    @staticmethod
    def identity() -> Transform:
        return Transform()

    @staticmethod
    def translation(x: float, y: float) -> Transform:
        return Transform(tx=x, ty=y)

    @staticmethod
    def scaling(s: float) -> Transform:
        return Transform(a=s, d=s)

    @staticmethod
    def rotation(t: float) -> Transform:
        """By t radians, counter-clockwise."""
        cos, sin = math.cos(t), math.sin(t)
        return Transform(cos, sin, -sin, cos)


class ShapeFilter(NamedTuple):
    """Which shapes meet: not those of one group above 0, nor those whose categories the other's mask leaves out."""

    group: int = 0
    categories: int = 0xFFFFFFFF
    mask: int = 0xFFFFFFFF

    @staticmethod
    def ALL_CATEGORIES() -> int:  # noqa: N802
        return 0xFFFFFFFF

    @staticmethod
    def ALL_MASKS() -> int:  # noqa: N802
        return 0xFFFFFFFF

    def rejects_collision(self, other: ShapeFilter) -> bool:
        """Whether shapes with these two filters do not meet."""
        group, categories, mask = other
        same_group = self.group != 0 and self.group == group
        return same_group or self.categories & mask == 0 or categories & self.mask == 0


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


def moment_for_circle(mass: float, inner_radius: float, outer_radius: float, offset: Vector = (0, 0)) -> float:
    """Of a ring (a disc: inner_radius 0) of that mass."""
    return _core.moment_for_circle(mass, inner_radius, outer_radius, offset)


def moment_for_segment(mass: float, a: Vector, b: Vector, radius: float) -> float:
    """Of a line from a to b with rounded ends."""
    return _core.moment_for_segment(mass, a, b, radius)


def moment_for_box(mass: float, size: Vector) -> float:
    """Of a box (width, height)."""
    return _core.moment_for_box(mass, size)


def moment_for_poly(mass: float, vertices: Sequence[Vector], offset: Vector = (0, 0), radius: float = 0) -> float:
    """Of a convex polygon."""
    return _core.moment_for_poly(mass, vertices, offset, radius)


def area_for_circle(inner_radius: float, outer_radius: float) -> float:
    """Of a ring."""
    return math.pi * abs(inner_radius * inner_radius - outer_radius * outer_radius)


def area_for_segment(a: Vector, b: Vector, radius: float) -> float:
    """Of a line with rounded ends."""
    return radius * (math.pi * radius + 2 * math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2))


def area_for_poly(vertices: Sequence[Vector], radius: float = 0) -> float:
    """Of a polygon, rounded by radius; negative for vertices in clockwise order."""
    return _core.area_for_poly(vertices, radius)


class PointQueryInfo(NamedTuple):
    """Result of a point query: the shape, its nearest point, the distance (negative: inside), and its gradient."""

    shape: Any
    point: Vec2d
    distance: float
    gradient: Vec2d


class SegmentQueryInfo(NamedTuple):
    """Result of a segment query: the shape, the point where the line enters it, the surface's normal, the part of the way."""

    shape: Any
    point: Vec2d
    normal: Vec2d
    alpha: float


@dataclass
class ContactPoint:
    """A point on each shape's surface, and their distance: negative where they overlap."""

    point_a: Vec2d
    point_b: Vec2d
    distance: float


@dataclass
class ContactPointSet:
    """One or two points where two shapes touch, and the normal from the first shape to the second."""

    normal: Vec2d
    points: Sequence[ContactPoint]  # a tuple; by version 6 a list


class ShapeQueryInfo(NamedTuple):
    """Result of a shape query: a shape that overlaps, and where."""

    shape: Any
    contact_point_set: ContactPointSet


def _contacts(normal, points):
    kind = tuple if api_version.major > 6 else list
    return ContactPointSet(normal, kind([ContactPoint(*point) for point in points]))
