"""Shapes, by pymunk's module name."""

from ..shapes import Circle as Circle
from ..shapes import Poly as Poly
from ..shapes import Segment as Segment
from ..shapes import Shape as Shape

__all__ = ["Circle", "Poly", "Segment", "Shape"]
