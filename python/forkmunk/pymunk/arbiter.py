"""Arbiter, by pymunk's module name."""

from ..collisions import Arbiter as Arbiter

__all__ = ["Arbiter"]
