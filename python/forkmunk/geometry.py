"""Small values with pymunk's names: Vec2d, BB, ShapeFilter; moments and areas."""

from __future__ import annotations

import math
from typing import NamedTuple

from . import _forkmunk as _core

inf = math.inf


def _pair(other):
    if len(other) != 2:
        raise TypeError(f"Vec2d: found {other!r}, expected a pair of numbers")
    return other


def _number(other):
    if isinstance(other, (tuple, list)):
        raise TypeError(f"Vec2d: found {other!r}, expected a number; dot() and cross() multiply vectors")
    return other


class Vec2d(NamedTuple):
    """A pair of numbers, as a tuple with arithmetic."""

    x: float
    y: float

    def __add__(self, other):  # type: ignore[override]
        x, y = _pair(other)
        return Vec2d(self.x + x, self.y + y)

    __radd__ = __add__

    def __sub__(self, other):
        x, y = _pair(other)
        return Vec2d(self.x - x, self.y - y)

    def __rsub__(self, other):
        x, y = _pair(other)
        return Vec2d(x - self.x, y - self.y)

    def __mul__(self, factor):  # type: ignore[override]
        factor = _number(factor)
        return Vec2d(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor):
        return Vec2d(self.x / divisor, self.y / divisor)

    def __neg__(self):
        return Vec2d(-self.x, -self.y)

    def __abs__(self):
        return self.length

    @property
    def length(self) -> float:
        return math.sqrt(self.x * self.x + self.y * self.y)

    @property
    def angle(self) -> float:
        """Radians from the x axis, counter-clockwise."""
        return math.atan2(self.y, self.x)

    def dot(self, other) -> float:
        return self.x * other[0] + self.y * other[1]

    def cross(self, other) -> float:
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

    def turned(self, turn) -> Vec2d:
        """By a rotation vector (cos, sin)."""
        return Vec2d(self.x * turn[0] - self.y * turn[1], self.x * turn[1] + self.y * turn[0])

    def get_distance(self, other) -> float:
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

    def contains_vect(self, point) -> bool:
        return self.left <= point[0] <= self.right and self.bottom <= point[1] <= self.top

    def intersects(self, other) -> bool:
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


def moment_for_circle(mass, inner_radius, outer_radius, offset=(0, 0)) -> float:
    """Of a ring (a disc: inner_radius 0) of that mass."""
    return _core.moment_for_circle(mass, inner_radius, outer_radius, offset)


def moment_for_segment(mass, a, b, radius) -> float:
    """Of a line from a to b with rounded ends."""
    return _core.moment_for_segment(mass, a, b, radius)


def moment_for_box(mass, size) -> float:
    """Of a box (width, height)."""
    return _core.moment_for_box(mass, size)


def moment_for_poly(mass, vertices, offset=(0, 0), radius=0) -> float:
    """Of a convex polygon."""
    return _core.moment_for_poly(mass, list(vertices), offset, radius)


def area_for_circle(inner_radius, outer_radius) -> float:
    """Of a ring."""
    return math.pi * abs(inner_radius * inner_radius - outer_radius * outer_radius)


def area_for_segment(a, b, radius) -> float:
    """Of a line with rounded ends."""
    return radius * (math.pi * radius + 2 * math.hypot(a[0] - b[0], a[1] - b[1]))


def area_for_poly(vertices, radius=0) -> float:
    """Of a polygon, rounded by radius; negative for vertices in clockwise order."""
    return _core.area_for_poly(list(vertices), radius)
