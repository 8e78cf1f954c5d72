"""Vec2d: a pair of numbers with arithmetic, with all of pymunk's names."""

from __future__ import annotations

import math
import numbers
import warnings
from typing import Any, NamedTuple, Sequence

from . import _forkmunk as _core
from . import api_version

Vector = Sequence[float]  # a pair


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
