"""Arbiter, by pymunk's module name."""

from ..collisions import Arbiter as Arbiter
from ..contacts import ContactPointSet as ContactPointSet
from ..geometry import Vec2d as Vec2d
from ..shapes import Shape as Shape

__all__ = ["Arbiter"]
