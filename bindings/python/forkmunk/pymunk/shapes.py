"""Shapes, by pymunk's module name."""

from ..contacts import ContactPointSet as ContactPointSet
from ..contacts import PointQueryInfo as PointQueryInfo
from ..contacts import SegmentQueryInfo as SegmentQueryInfo
from ..geometry import BB as BB
from ..geometry import ShapeFilter as ShapeFilter
from ..geometry import Transform as Transform
from ..geometry import Vec2d as Vec2d
from ..objects import Body as Body
from ..shapes import Circle as Circle
from ..shapes import Poly as Poly
from ..shapes import Segment as Segment
from ..shapes import Shape as Shape

__all__ = ["Circle", "Poly", "Segment", "Shape"]
