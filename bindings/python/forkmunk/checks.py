# SPDX-License-Identifier: MIT
"""Checks of arguments, like those of the compiled part: each returns the value, or raises TypeError or
forkmunk.Error: "what: found ..., expected ..."."""

import operator
import os
from typing import Any, NoReturn, Optional

from . import _forkmunk as _core


def refuse_type(value: Any, what: str, expected: str) -> NoReturn:
    raise TypeError(f"{what}: found {value!r:.200}, expected {expected}")


def checked_type(value: Any, kinds: Any, what: str, expected: str) -> Any:
    if not isinstance(value, kinds):
        refuse_type(value, what, expected)
    return value


def checked_function(value: Any, what: str, expected: str = "a function") -> Any:
    if not callable(value):
        refuse_type(value, what, expected)
    return value


def _whole(value: Any, what: str, expected: str) -> int:
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    refuse_type(value, what, expected)


def checked_whole(value: Any, what: str, least: int = 0, most: Optional[int] = None, expected: Optional[str] = None) -> int:
    """Returns a whole number from `least` to `most`, both included. Bools are refused."""
    if expected is None:
        expected = f"a whole number, {least} or more" if most is None else f"a whole number from {least} to {most}"
    number = _whole(value, what, expected)
    if number < least or (most is not None and number > most):
        raise _core.Error(f"{what}: found {value!r}, expected {expected}")
    return number


def checked_index(value: Any, count: int, what: str) -> int:
    """Returns the index of one of `count` elements, also for negative indices. Bools, as in a mask, are refused."""
    if type(value).__name__ in ("bool", "bool_"):
        refuse_type(value, what, "a whole number; numpy.flatnonzero() turns a mask into numbers")
    number = _whole(value, what, "a whole number")
    if not -count <= number < count:
        raise IndexError(f"{what}: found {number}, expected one of {count}")
    return number % count


def is_list(value: Any) -> bool:
    """Returns whether a value can be a list of numbers."""
    return hasattr(value, "__iter__") and not isinstance(value, (str, bytes, bytearray)) and getattr(value, "shape", None) != ()


def checked_bytes(value: Any, what: str) -> bytes:
    """Returns the bytes of an object with the buffer protocol."""
    try:
        return bytes(memoryview(value))
    except TypeError:
        raise TypeError(f"{what}: found {value!r:.60}, expected bytes") from None


def checked_path(value: Any, what: str) -> str:
    """Returns a path as text. open() would take a number for a file descriptor."""
    try:
        return os.fsdecode(value)
    except TypeError:
        refuse_type(value, what, "a path (str or os.PathLike)")
