"""Transform, by pymunk's module name."""

from ..geometry import Transform as Transform

__all__ = ["Transform"]
