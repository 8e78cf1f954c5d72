"""ContactPoint and ContactPointSet, by pymunk's module name."""

from ..contacts import ContactPoint as ContactPoint
from ..contacts import ContactPointSet as ContactPointSet
from ..geometry import Vec2d as Vec2d

__all__ = ["ContactPoint", "ContactPointSet"]
