"""Body, by pymunk's module name."""

from ..objects import Body as Body

__all__ = ["Body"]
