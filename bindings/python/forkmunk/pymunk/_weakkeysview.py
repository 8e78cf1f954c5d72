"""What Body.constraints returns, by the name that pymunk's tests use."""

from ..objects import WeakKeysView as WeakKeysView
