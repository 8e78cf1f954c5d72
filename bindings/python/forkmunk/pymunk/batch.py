# SPDX-License-Identifier: MIT
"""The numbers of all bodies or contacts of a space as arrays, with the names of pymunk.batch.

    data = Buffer()
    get_space_bodies(space, BodyFields.BODY_ID | BodyFields.POSITION, data)
    positions = numpy.frombuffer(data.float_buf()).reshape(-1, 2)"""

from enum import Flag
from typing import Any

import numpy as np

from .. import _forkmunk as _core
from ..scene import Space


class BodyFields(Flag):
    """The fields of each body that get_space_bodies() reads, in this order. Combine fields by `|`.

    BODY_ID is read into int_buf, and all others into float_buf. POSITION, VELOCITY and FORCE are two numbers; ANGLE,
    ANGULAR_VELOCITY and TORQUE are one. ALL combines all."""

    BODY_ID = 1
    POSITION = 2
    ANGLE = 4
    VELOCITY = 8
    ANGULAR_VELOCITY = 16
    FORCE = 32
    TORQUE = 64
    ALL = 0xFFFF


class ArbiterFields(Flag):
    """The fields of each pair of shapes in contact that get_space_arbiters() reads, in this order. Combine fields by
    `|`.

    TOTAL_IMPULSE, NORMAL, POINT_A_1, POINT_B_1, POINT_A_2 and POINT_B_2 are two numbers; TOTAL_KE, DISTANCE_1 and
    DISTANCE_2 are one. BODY_A_ID, BODY_B_ID, IS_FIRST_CONTACT and CONTACT_COUNT are read into int_buf, all others
    into float_buf. ALL combines all. A missing second point's fields are 0. Pairs that parted a few steps ago are
    read, too."""

    BODY_A_ID = 1
    BODY_B_ID = 2
    TOTAL_IMPULSE = 4
    TOTAL_KE = 8
    IS_FIRST_CONTACT = 16
    NORMAL = 32
    CONTACT_COUNT = 64
    POINT_A_1 = 128
    POINT_B_1 = 256
    DISTANCE_1 = 512
    POINT_A_2 = 1024
    POINT_B_2 = 2048
    DISTANCE_2 = 4096
    ALL = 0xFFFF


class Buffer:
    """A store to which reading appends: whole numbers as uint64, others as float64."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Empties the buffer. Memory that float_buf() and int_buf() returned stays as it is."""
        self._integers: Any = np.empty(0, np.uint64)
        self._numbers: Any = np.empty(0, np.float64)

    def float_buf(self) -> memoryview:
        """Returns the float64 numbers as a memoryview of bytes without copying, for numpy.frombuffer().

        Unlike pymunk's, it stays valid when the buffer grows."""
        return memoryview(self._numbers).cast("B")

    def set_float_buf(self, buffer: Any) -> None:
        """Sets the numbers to those of a buffer of float64, such as a NumPy array, without copying."""
        self._numbers = np.frombuffer(buffer, np.float64)

    def int_buf(self) -> memoryview:
        """Returns the uint64 whole numbers as a memoryview of bytes without copying."""
        return memoryview(self._integers).cast("B")

    def set_int_buf(self, buffer: Any) -> None:
        """Sets the whole numbers to those of a buffer of uint64, without copying."""
        self._integers = np.frombuffer(buffer, np.uint64)

    def _append(self, integers: Any, numbers: Any) -> None:
        self._integers = np.concatenate((self._integers, integers)) if len(self._integers) else integers
        self._numbers = np.concatenate((self._numbers, numbers)) if len(self._numbers) else numbers


def get_space_bodies(space: Space, fields: BodyFields, buffers: Buffer) -> None:
    """Reads fields of all bodies but the space's static body into the buffer, body by body."""
    buffers._append(*_core.get_bodies(space, fields.value))


def set_space_bodies(space: Space, fields: BodyFields, buffers: Buffer) -> None:
    """Sets fields of all bodies, except BODY_ID, from the buffer's numbers in the order of get_space_bodies().

    If numbers are missing or not finite, or in a callback, forkmunk.Error is raised and nothing changes."""
    _core.set_bodies(space, fields.value, buffers._numbers)


def get_space_arbiters(space: Space, fields: ArbiterFields, buffers: Buffer) -> None:
    """Reads fields of all pairs of shapes that touch into the buffer, pair by pair."""
    buffers._append(*_core.get_arbiters(space, fields.value))


__all__ = ["ArbiterFields", "BodyFields", "Buffer", "get_space_arbiters", "get_space_bodies", "set_space_bodies"]
