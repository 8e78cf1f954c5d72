"""The numbers of all bodies or contacts of a space at once, as arrays: pymunk's module of that name.

    data = Buffer()
    get_space_bodies(space, BodyFields.BODY_ID | BodyFields.POSITION, data)
    positions = numpy.frombuffer(data.float_buf()).reshape(-1, 2)
"""

from __future__ import annotations

from enum import Flag
from typing import Any

import numpy as np

from .. import _forkmunk as _core
from ..scene import Space


class BodyFields(Flag):
    """What get_space_bodies() reads of each body, in this order."""

    BODY_ID = 1  # into int_buf; all others into float_buf
    POSITION = 2
    ANGLE = 4
    VELOCITY = 8
    ANGULAR_VELOCITY = 16
    FORCE = 32
    TORQUE = 64
    ALL = 0xFFFF


class ArbiterFields(Flag):
    """What get_space_arbiters() reads of each pair of shapes that touch, or touched a few steps ago, in this order."""

    BODY_A_ID = 1  # into int_buf, as BODY_B_ID, IS_FIRST_CONTACT and CONTACT_COUNT; all others into float_buf
    BODY_B_ID = 2
    TOTAL_IMPULSE = 4
    TOTAL_KE = 8
    IS_FIRST_CONTACT = 16
    NORMAL = 32
    CONTACT_COUNT = 64
    POINT_A_1 = 128
    POINT_B_1 = 256
    DISTANCE_1 = 512
    POINT_A_2 = 1024  # 0 if there is one contact only, as POINT_B_2 and DISTANCE_2
    POINT_B_2 = 2048
    DISTANCE_2 = 4096
    ALL = 0xFFFF


class Buffer:
    """Holds what was read: integers as uint64, numbers as float64. Reading appends."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Empties it. What float_buf() and int_buf() returned before stays as it is."""
        self._integers, self._numbers = np.empty(0, np.uint64), np.empty(0, np.float64)

    def float_buf(self) -> memoryview:
        """The numbers as bytes, not copied: for numpy.frombuffer() and the like."""
        return memoryview(self._numbers).cast("B")

    def set_float_buf(self, buffer: Any) -> None:
        """Takes the numbers of a buffer (a NumPy array, bytes, an array.array) without copying them."""
        self._numbers = np.frombuffer(buffer, np.float64)

    def int_buf(self) -> memoryview:
        """The integers as bytes, not copied."""
        return memoryview(self._integers).cast("B")

    def set_int_buf(self, buffer: Any) -> None:
        """Takes the integers of a buffer without copying them."""
        self._integers = np.frombuffer(buffer, np.uint64)

    def _append(self, integers: Any, numbers: Any) -> None:
        self._integers = np.concatenate((self._integers, integers)) if len(self._integers) else integers
        self._numbers = np.concatenate((self._numbers, numbers)) if len(self._numbers) else numbers


def get_space_bodies(space: Space, fields: BodyFields, buffers: Buffer) -> None:
    """Reads fields of all bodies of the space, body by body."""
    buffers._append(*_core.get_bodies(space, fields.value))


def set_space_bodies(space: Space, fields: BodyFields, buffers: Buffer) -> None:
    """Sets fields of all bodies from the numbers, which must be in the order of get_space_bodies(); BODY_ID is left out.

    Raises forkmunk.Error, with nothing changed, if there are too few numbers or one is not finite, and in a callback."""
    _core.set_bodies(space, fields.value, buffers._numbers)


def get_space_arbiters(space: Space, fields: ArbiterFields, buffers: Buffer) -> None:
    """Reads fields of all pairs of shapes that touch, pair by pair."""
    buffers._append(*_core.get_arbiters(space, fields.value))


__all__ = ["ArbiterFields", "BodyFields", "Buffer", "get_space_arbiters", "get_space_bodies", "set_space_bodies"]
