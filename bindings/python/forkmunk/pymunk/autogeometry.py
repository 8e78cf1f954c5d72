# SPDX-License-Identifier: MIT
"""Geometry from images and outlines: contours by marching squares, simpler polylines, convex parts, with the names
of pymunk.autogeometry.

A polyline is a list of points, and is closed if its last point equals its first."""

from typing import Any, Callable, Sequence, Union, overload

from .. import _forkmunk as _core
from .._functions import area_for_poly, simplify_curves, simplify_vertexes, to_convex_hull
from ..geometry import BB, OperandError, Vec2d, Vector

_Polyline = Sequence[Vector]
_SampleFunc = Callable[[tuple[float, float]], float]


def is_closed(polyline: _Polyline) -> bool:
    """Returns whether a polyline of two points or more ends where it begins."""
    return len(polyline) > 1 and tuple(polyline[0]) == tuple(polyline[-1])


def convex_decomposition(polyline: _Polyline, tolerance: float) -> list[list[Vec2d]]:
    """Returns closed convex polylines that together cover a polygon, to within `tolerance`, a length.

    The polyline must be closed and counter-clockwise, or OperandError, an AssertionError, is raised. If it crosses
    itself, parts can be missing. Make a Poly of each part. A larger tolerance makes fewer parts."""
    if not is_closed(polyline):
        raise OperandError("convex_decomposition(): found an open polyline, expected the last point to equal the first")
    if area_for_poly(polyline) < 0:
        raise OperandError("convex_decomposition(): found a clockwise polyline, expected a counter-clockwise one; reverse it")
    return _core.convex_decomposition(polyline, tolerance)


class PolylineSet(Sequence[list[Vec2d]]):
    """A sequence of polylines that grow from segments, which march_soft() and march_hard() return."""

    def __init__(self) -> None:
        self._lines: list[list[Vec2d]] = []

    def collect_segment(self, v0: Vector, v1: Vector) -> None:
        """Adds a segment to the polyline that ends at v0 or begins at v1, or as a new polyline.

        It joins two polylines that it lies between, and closes a polyline between whose ends it lies."""
        first, last = Vec2d(*map(float, v0)), Vec2d(*map(float, v1))
        lines = self._lines
        before = next((i for i, line in enumerate(lines) if line[-1] == first), None)
        after = next((i for i, line in enumerate(lines) if line[0] == last), None)
        if before is not None and after is not None and before != after:
            lines[before] += lines[after]
            lines[after] = lines[-1]
            lines.pop()
        elif before is not None:
            lines[before].append(last)
        elif after is not None:
            lines[after].insert(0, first)
        else:
            lines.append([first, last])

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> list[Vec2d]: ...

    @overload
    def __getitem__(self, index: slice) -> list[list[Vec2d]]: ...

    def __getitem__(self, index: Union[int, slice]) -> Any:
        """Returns a copy of one or several polylines."""
        found: Any = self._lines[index]
        return [line.copy() for line in found] if isinstance(index, slice) else found.copy()


def _march(soft: bool, bb: BB, x_samples: int, y_samples: int, threshold: float, sample_func: _SampleFunc) -> PolylineSet:
    found = PolylineSet()
    for first, last in _core.march(soft, bb, x_samples, y_samples, threshold, sample_func):
        found.collect_segment(first, last)
    return found


def march_soft(bb: BB, x_samples: int, y_samples: int, threshold: float, sample_func: _SampleFunc) -> PolylineSet:
    """Returns the contours at which sample_func(point) crosses the threshold, interpolated between the samples.

    sample_func is called at x_samples * y_samples points of the box, at least 2 each, and returns a number. More
    samples follow the contour more closely. This suits terrain from soft-edged images."""
    return _march(True, bb, x_samples, y_samples, threshold, sample_func)


def march_hard(bb: BB, x_samples: int, y_samples: int, threshold: float, sample_func: _SampleFunc) -> PolylineSet:
    """Returns the contours at which sample_func(point) crosses the threshold, halfway between the samples.

    The arguments are those of march_soft(). This suits grids of tiles."""
    return _march(False, bb, x_samples, y_samples, threshold, sample_func)


__all__ = [
    "PolylineSet", "convex_decomposition", "is_closed", "march_hard", "march_soft", "simplify_curves", "simplify_vertexes",
    "to_convex_hull",
]
