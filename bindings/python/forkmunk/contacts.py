"""Where shapes touch, and what queries return, with pymunk's names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Sequence

from . import api_version
from .vec2d import Vec2d


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
