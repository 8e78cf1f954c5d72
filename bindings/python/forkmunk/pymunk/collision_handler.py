"""CollisionHandler, by the module name of pymunk 6."""

from ..collisions import Arbiter as Arbiter
from ..collisions import CollisionHandler as CollisionHandler

__all__ = ["CollisionHandler"]
