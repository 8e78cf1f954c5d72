"""Vec2d, by pymunk's module name."""

from ..vec2d import Vec2d as Vec2d

__all__ = ["Vec2d"]
