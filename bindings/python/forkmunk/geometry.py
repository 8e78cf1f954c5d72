"""Small values with pymunk's names: BB, Transform, ShapeFilter; moments and areas. Vec2d: vec2d.py."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence, Union, overload

from . import _forkmunk as _core
from .vec2d import OperandError, Vec2d, Vector, _pair

inf = math.inf


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
        return BB(min(self.left, left), min(self.bottom, bottom), max(self.right, right), max(self.top, top))

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
    return _core.moment_for_poly(mass, list(vertices), offset, radius)


def area_for_circle(inner_radius: float, outer_radius: float) -> float:
    """Of a ring."""
    return math.pi * abs(inner_radius * inner_radius - outer_radius * outer_radius)


def area_for_segment(a: Vector, b: Vector, radius: float) -> float:
    """Of a line with rounded ends."""
    return radius * (math.pi * radius + 2 * math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2))


def area_for_poly(vertices: Sequence[Vector], radius: float = 0) -> float:
    """Of a polygon, rounded by radius; negative for vertices in clockwise order."""
    return _core.area_for_poly(list(vertices), radius)
