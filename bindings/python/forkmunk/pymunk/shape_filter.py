"""ShapeFilter, by pymunk's module name."""

from ..geometry import ShapeFilter as ShapeFilter

__all__ = ["ShapeFilter"]
