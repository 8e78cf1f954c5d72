"""Space, by pymunk's module name."""

from ..space import Space as Space

__all__ = ["Space"]
