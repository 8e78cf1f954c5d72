"""Body, by pymunk's module name."""

from ..geometry import Vec2d as Vec2d
from ..objects import Body as Body

__all__ = ["Body"]
