"""Small values with pymunk's names: Vec2d, BB, ShapeFilter; moments and areas."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

from . import _forkmunk as _core

inf = math.inf
Vector = Sequence[float]  # a pair


def _pair(other: Any) -> Any:
    if len(other) != 2:
        raise TypeError(f"Vec2d: found {other!r}, expected a pair of numbers")
    return other


def _number(other: Any) -> Any:
    if isinstance(other, (tuple, list)):
        raise TypeError(f"Vec2d: found {other!r}, expected a number; dot() and cross() multiply vectors")
    return other


class Vec2d(NamedTuple):
    """A pair of numbers, as a tuple with arithmetic."""

    x: float
    y: float

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
        return Vec2d(self.x / divisor, self.y / divisor)

    def __neg__(self) -> Vec2d:
        return Vec2d(-self.x, -self.y)

    def __abs__(self) -> float:
        return self.length

    @property
    def length(self) -> float:
        return math.sqrt(self.x * self.x + self.y * self.y)

    @property
    def angle(self) -> float:
        """Radians from the x axis, counter-clockwise."""
        return math.atan2(self.y, self.x)

    def dot(self, other: Vector) -> float:
        return self.x * other[0] + self.y * other[1]

    def cross(self, other: Vector) -> float:
        return self.x * other[1] - self.y * other[0]

    def normalized(self) -> Vec2d:
        """Of length 1; of a zero vector itself."""
        length = self.length
        return self / length if length else self

    def perpendicular(self) -> Vec2d:
        return Vec2d(-self.y, self.x)

    def rotated(self, angle: float) -> Vec2d:
        cos, sin = math.cos(angle), math.sin(angle)
        return Vec2d(self.x * cos - self.y * sin, self.x * sin + self.y * cos)

    def turned(self, turn: Vector) -> Vec2d:
        """By a rotation vector (cos, sin)."""
        return Vec2d(self.x * turn[0] - self.y * turn[1], self.x * turn[1] + self.y * turn[0])

    def get_distance(self, other: Vector) -> float:
        return (self - other).length

    @staticmethod
    def zero() -> Vec2d:
        return Vec2d(0.0, 0.0)


class BB(NamedTuple):
    """An axis-aligned box."""

    left: float = 0
    bottom: float = 0
    right: float = 0
    top: float = 0

    def center(self) -> Vec2d:
        return Vec2d((self.left + self.right) / 2, (self.bottom + self.top) / 2)

    def contains_vect(self, point: Vector) -> bool:
        return self.left <= point[0] <= self.right and self.bottom <= point[1] <= self.top

    def intersects(self, other: BB) -> bool:
        return (self.left <= other[2] and other[0] <= self.right) and (self.bottom <= other[3] and other[1] <= self.top)


class ShapeFilter(NamedTuple):
    """Which shapes meet: not those of one group above 0, nor those whose categories the other's mask leaves out."""

    group: int = 0
    categories: int = 0xFFFFFFFF
    mask: int = 0xFFFFFFFF

    @staticmethod
    def ALL_CATEGORIES() -> int:
        return 0xFFFFFFFF

    @staticmethod
    def ALL_MASKS() -> int:
        return 0xFFFFFFFF


_core.use_vector_type(Vec2d)

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
    return _core.moment_for_poly(mass, list(vertices), offset, radius)


def area_for_circle(inner_radius: float, outer_radius: float) -> float:
    """Of a ring."""
    return math.pi * abs(inner_radius * inner_radius - outer_radius * outer_radius)


def area_for_segment(a: Vector, b: Vector, radius: float) -> float:
    """Of a line with rounded ends."""
    return radius * (math.pi * radius + 2 * math.hypot(a[0] - b[0], a[1] - b[1]))


def area_for_poly(vertices: Sequence[Vector], radius: float = 0) -> float:
    """Of a polygon, rounded by radius; negative for vertices in clockwise order."""
    return _core.area_for_poly(list(vertices), radius)
