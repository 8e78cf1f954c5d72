"""ContactPoint and ContactPointSet, by pymunk's module name."""

from ..contacts import ContactPoint as ContactPoint
from ..contacts import ContactPointSet as ContactPointSet

__all__ = ["ContactPoint", "ContactPointSet"]
