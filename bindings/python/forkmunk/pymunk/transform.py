"""Transform, by pymunk's module name."""

from ..geometry import Transform as Transform
from ..geometry import Vec2d as Vec2d

__all__ = ["Transform"]
