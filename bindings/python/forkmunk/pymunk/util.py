# SPDX-License-Identifier: MIT
"""Functions for polygons as lists of points, with pymunk.util's names. autogeometry does more, and faster."""

import functools
import math
from typing import Any, Optional, Sequence

from ..geometry import OperandError, Vec2d, Vector

_Points = Sequence[Vector]


def _cross(origin: Vector, a: Vector, b: Vector) -> float:
    return (a[0] - origin[0]) * (b[1] - origin[1]) - (b[0] - origin[0]) * (a[1] - origin[1])


def _sides(points: _Points) -> Any:
    return zip(points, [*points[1:], *points[:1]])


def _at_least(count: int, points: _Points, function: str) -> None:
    if len(points) < count:
        raise OperandError(f"{function}(): found {len(points)} points, expected {count} or more")


def sign(x: float) -> int:
    """Returns -1 for a number below 0, and else 1."""
    return -1 if x < 0 else 1


def is_left(p0: Vector, p1: Vector, p2: Vector) -> int:
    """Returns 1 if p2 is left of the line from p0 through p1, -1 if right, and 0 if on it."""
    turn = _cross(p0, p1, p2)
    return (turn > 0) - (turn < 0)


def is_clockwise(points: _Points) -> bool:
    """Returns whether the polygon is clockwise, if y points up, or has no area."""
    return bool(sum(a[0] * b[1] - a[1] * b[0] for a, b in _sides(points)) <= 0)


def is_convex(points: _Points) -> bool:
    """Returns whether a polygon of 3 points or more is convex: it turns to one side at each point, and once round."""
    _at_least(3, points, "is_convex")
    points = list(points)
    turns, flips = set(), [0, 0]
    for a, b, c in zip(points, points[1:] + points[:1], points[2:] + points[:2]):
        turns.add(is_left(a, b, c))
        for axis in (0, 1):
            flips[axis] += sign(b[axis] - a[axis]) != sign(c[axis] - b[axis])
    return len(turns) == 1 and max(flips) <= 2


def reduce_poly(points: _Points, tolerance: float = 0.5) -> list[Any]:
    """Returns the points without those whose squared distance to the last point kept is `tolerance` or less."""
    _at_least(1, points, "reduce_poly")
    kept = [points[0]]
    for point in points[1:]:
        if (kept[-1][0] - point[0]) ** 2 + (kept[-1][1] - point[1]) ** 2 > tolerance:
            kept.append(point)
    return kept


def convex_hull(points: _Points) -> list[Any]:
    """Returns the convex hull of 3 points or more, counter-clockwise from the rightmost of the lowest points.

    Points within its sides may stay. Unlike pymunk's, it does not sort the given list."""
    _at_least(3, points, "convex_hull")
    first = min(points, key=lambda point: (point[1], -point[0]))
    others = list(points)
    others.remove(first)
    others = sorted(others, key=functools.cmp_to_key(functools.partial(is_left, first)))[::-1]
    hull = [first, others[0]]
    for point in others[1:]:
        while len(hull) > 2 and is_left(hull[-2], hull[-1], point) <= 0:
            hull.pop()
        hull.append(point)
    return hull


def calc_area(points: _Points) -> float:
    """Returns the area of a polygon: negative if it is clockwise, and 0 for fewer than 3 points."""
    if len(points) < 3:
        return 0
    return 0.5 * float(sum(a[0] * b[1] - b[0] * a[1] for a, b in _sides(points)))


def calc_center(points: _Points) -> tuple[float, float]:
    """Returns a polygon's centroid. Without an area, it raises ZeroDivisionError."""
    _at_least(1, points, "calc_center")
    x = y = 0.0
    for a, b in _sides(points):
        weight = a[0] * b[1] - b[0] * a[1]
        x += (a[0] + b[0]) * weight
        y += (a[1] + b[1]) * weight
    part = 1 / (6.0 * calc_area(points))
    return part * x, part * y


def calc_perimeter(points: _Points) -> float:
    """Returns the length of a polygon's border, 0 for fewer than 2 points."""
    if len(points) < 2:
        return 0
    return sum(math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) for a, b in _sides(points))


def poly_vectors_around_center(pointlist: _Points, points_as_Vec2d: bool = True) -> list[Any]:  # noqa: N803
    """Returns the vectors from the centroid to the points: as Vec2d, or as tuples whose y points down."""
    x, y = calc_center(pointlist)
    if points_as_Vec2d:
        return [Vec2d(point[0] - x, point[1] - y) for point in pointlist]
    return [(point[0] - x, y - point[1]) for point in pointlist]


def _in_triangle(point: Vector, a: Vector, b: Vector, c: Vector) -> bool:
    parts = sum(abs(calc_area(part)) for part in ([a, b, point], [b, c, point], [c, a, point]))
    return parts < abs(calc_area([a, b, c])) + 1e-7


def _find_ear(polygon: _Points) -> Optional[int]:
    """Returns the index of a corner whose triangle has no other point in it, so that it can be cut off."""
    count = len(polygon)
    for i in range(count):
        before, after = (i - 1) % count, (i + 1) % count
        corner = polygon[before], polygon[i], polygon[after]
        if not is_clockwise(corner) and not any(
                _in_triangle(polygon[j], *corner) for j in range(count) if j not in (before, i, after)):
            return i
    return None


def triangulate(poly: _Points) -> list[list[Any]]:
    """Returns triangles that make a counter-clockwise polygon that does not cross itself.

    For others, triangles can be missing."""
    triangles, rest = [], list(poly)
    while len(rest) > 2:
        rest = rest[1:] + rest[:1]  # starting at the same point each time would give fans
        if len(rest) == 3:
            triangles.append(rest)
            break
        ear = _find_ear(rest)
        if ear is None:
            break
        triangles.append([rest[ear - 1], rest[ear], rest[(ear + 1) % len(rest)]])
        del rest[ear]
    return triangles


def _joined(a: list[Any], b: list[Any]) -> Optional[list[Any]]:
    """Returns two polygons that share a side as one, or None if that is not convex."""
    shared = [point for point in a if point in b]
    if len(shared) != 2:
        return None
    first, second = a.index(shared[1]), b.index(shared[0])
    joined = (a[first:] + a[:first])[1:] + (b[second:] + b[:second])[1:]
    return joined if is_convex(joined) else None


def convexise(triangles: Sequence[list[Any]]) -> list[list[Any]]:
    """Joins triangles to convex polygons, perhaps not to the fewest."""
    polygons = list(triangles)
    i = 0
    while i < len(polygons):
        for j in range(i + 1, len(polygons)):
            joined = _joined(polygons[i], polygons[j])
            if joined is not None:
                polygons = [joined, *polygons[:i], *polygons[i + 1:j], *polygons[j + 1:]]
                i = -1
                break
        i += 1
    return polygons


__all__ = [
    "calc_area", "calc_center", "calc_perimeter", "convex_hull", "convexise", "is_clockwise", "is_convex",
    "poly_vectors_around_center", "reduce_poly", "triangulate",
]
