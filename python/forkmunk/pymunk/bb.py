"""BB, by pymunk's module name."""

from ..geometry import BB as BB

__all__ = ["BB"]
