"""What Space can be asked: which shapes are at a point, on a line, in a box, or overlap another shape."""

from __future__ import annotations

from typing import Any, Optional

from . import _forkmunk as _core
from . import api_version
from .contacts import PointQueryInfo, SegmentQueryInfo, ShapeQueryInfo, _contacts
from .geometry import BB, ShapeFilter, Vector
from .objects import Body
from .shapes import Shape


class SpaceQueries:
    """The queries of Space."""

    _core: Any
    _wrap: Any

    def point_query(self, point: Vector, max_distance: float, shape_filter: ShapeFilter = ShapeFilter()) -> list[PointQueryInfo]:
        """PointQueryInfo of all shapes within max_distance of a point; negative distances are inside, infinity is all."""
        return [self._point(info) for info in self._core.point_query(point, max_distance, shape_filter)]

    def point_query_nearest(self, point: Vector, max_distance: float,
                            shape_filter: ShapeFilter = ShapeFilter()) -> Optional[PointQueryInfo]:
        """PointQueryInfo of the nearest shape, or None. (Version 6: sensors are left out.)"""
        info = self._core.point_query_nearest(point, max_distance, shape_filter, api_version.major > 6)
        return None if info is None else self._point(info)

    def _point(self, info):
        return PointQueryInfo(self._wrap(info[0]), *info[1:])

    def segment_query(self, start: Vector, end: Vector, radius: float = 0,
                      shape_filter: ShapeFilter = ShapeFilter()) -> list[SegmentQueryInfo]:
        """SegmentQueryInfo of all shapes that a thick line meets; alpha from 0 (start) to 1 (end)."""
        return [self._segment(info) for info in self._core.segment_query(start, end, radius, shape_filter)]

    def segment_query_first(self, start: Vector, end: Vector, radius: float = 0,
                            shape_filter: ShapeFilter = ShapeFilter()) -> Optional[SegmentQueryInfo]:
        """SegmentQueryInfo of the first shape on the way, or None. (Version 6: sensors are left out.)"""
        info = self._core.segment_query_first(start, end, radius, shape_filter, api_version.major > 6)
        return None if info is None else self._segment(info)

    def _segment(self, info):
        return SegmentQueryInfo(self._wrap(info[0]), *info[1:])

    def bb_query(self, bb: BB, shape_filter: ShapeFilter = ShapeFilter()) -> list[Shape]:
        """The shapes whose boxes meet a box."""
        left, bottom, right, top = bb
        return [self._wrap(id_) for id_ in self._core.bb_query(left, bottom, right, top, shape_filter)]

    def shape_query(self, shape: Shape) -> list[ShapeQueryInfo]:
        """ShapeQueryInfo of the shapes that overlap a shape, which may be in this space or in none."""
        if not isinstance(shape, Shape):
            raise TypeError(f"Space.shape_query(): found {shape!r}, expected a Shape")
        return [ShapeQueryInfo(self._wrap(id_), _contacts(*contacts)) for id_, contacts in self._core.shape_query(shape)]

    def reindex_shape(self, shape: Shape) -> None:
        """After a static shape's body was moved."""
        self._reindex(shape, Shape)

    def reindex_shapes_for_body(self, body: Body) -> None:
        """After the body was moved between steps, for queries."""
        self._reindex(body, Body)

    def _reindex(self, thing, expected):
        if not isinstance(thing, expected) or thing.space is not self:
            raise _core.Error(f"Space.reindex_...(): found {thing!r}, expected a {expected.__name__} of this space")
        self._core.reindex(thing)

    def reindex_static(self) -> None:
        """After static bodies were moved."""
        self._core.reindex()
