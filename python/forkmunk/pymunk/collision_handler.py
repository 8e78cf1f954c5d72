"""CollisionHandler, by the module name of pymunk 6."""

from ..collisions import CollisionHandler as CollisionHandler

__all__ = ["CollisionHandler"]
