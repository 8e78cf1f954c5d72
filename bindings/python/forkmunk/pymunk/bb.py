"""BB, by pymunk's module name."""

from ..geometry import BB as BB
from ..geometry import Vec2d as Vec2d

__all__ = ["BB"]
