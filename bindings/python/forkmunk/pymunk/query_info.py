"""Results of queries, by pymunk's module name."""

from ..contacts import PointQueryInfo as PointQueryInfo
from ..contacts import SegmentQueryInfo as SegmentQueryInfo
from ..contacts import ShapeQueryInfo as ShapeQueryInfo

__all__ = ["PointQueryInfo", "SegmentQueryInfo", "ShapeQueryInfo"]
