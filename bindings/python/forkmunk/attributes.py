"""What Python code has given an object: its __dict__ and the __slots__ of its classes, as one dict by name."""

from __future__ import annotations

import functools
import types
from typing import Any


@functools.lru_cache(maxsize=1024)
def slots_of(cls: type) -> dict[str, Any]:
    """The descriptors of a class's __slots__ by name, those with a private name by their full name."""
    found: dict[str, Any] = {}
    for base in cls.__mro__:
        names = base.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name.startswith("__") and not name.endswith("__"):
                name = f"_{base.__name__.lstrip('_')}{name}"
            slot = base.__dict__.get(name)
            if isinstance(slot, types.MemberDescriptorType):
                found.setdefault(name, slot)
    return found


def slot_values(thing: Any) -> dict[str, Any]:
    """The slots that have a value."""
    found = {}
    for name, slot in slots_of(type(thing)).items():
        try:
            found[name] = slot.__get__(thing)
        except AttributeError:
            pass
    return found


def set_slots(thing: Any, values: dict[str, Any]) -> None:
    """Gives the slots these values, and the others none."""
    for name, slot in slots_of(type(thing)).items():
        if name in values:
            slot.__set__(thing, values[name])
        else:
            try:
                slot.__delete__(thing)
            except AttributeError:
                pass


def attributes_of(thing: Any) -> dict[str, Any]:
    """A new dict of all attributes; those in slots come last."""
    return {**thing.__dict__, **slot_values(thing)}


def set_attributes(thing: Any, attributes: dict[str, Any]) -> None:
    """Replaces all attributes by these."""
    own, slots = thing.__dict__, slots_of(type(thing))
    own.clear()
    if not slots:
        own.update(attributes)
        return
    own.update((name, value) for name, value in attributes.items() if name not in slots)
    set_slots(thing, attributes)
