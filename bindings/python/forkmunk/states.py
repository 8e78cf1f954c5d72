"""The states of a Space: saved, restored, forked, copied and pickled."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from . import _forkmunk as _core
from .attributes import attributes_of, set_attributes, slots_of
from .collisions import CollisionHandler
from .objects import Object, _made

if TYPE_CHECKING:
    from .space import Space

_Own = TypeVar("_Own", bound="SpaceStates")
_OURS = frozenset(f"forkmunk.{module}" for module in ("objects", "shapes", "constraints"))


def _value(thing: Any) -> Any:
    """An attribute as save() keeps it: containers and arrays are copied, all else is the same object."""
    kind = type(thing)
    if kind is list or kind is set or kind is tuple:
        return kind(map(_value, thing))
    if kind is dict:
        return {key: _value(value) for key, value in thing.items()}
    return thing.copy() if kind is np.ndarray or kind is bytearray else thing


def _attributed(space: Any) -> Any:
    """Its objects that have attributes, or a class with __slots__."""
    return _core.attributed(space._kept.values(), Object.__basicsize__)


class Snapshot:
    """A Space's state: Space.save(). Good for the Space, its forks, and every other Space of this process."""

    def __init__(self, core: Any, space: Any, of_batch: bool = False) -> None:
        self._of_batch = of_batch  # it has no attributes and callbacks: a Space keeps its own
        self._core, self._callables, self._has_functions = core, space._callables, space._has_functions
        self._lineage, self._handler_data, self._handlers = space._lineage, space._handler_data, space._handlers
        self._origin, self._kept = space._core, space._kept
        self._attributes = {thing._id: _value(attributes_of(thing)) for thing in _attributed(space)}

    @property
    def size_bytes(self) -> int:
        """Of the copied memory."""
        return self._core.size_bytes

    def __copy__(self) -> Snapshot:
        return self  # it never changes

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise _core.Error("Snapshot: it cannot be pickled, as it is memory of this process; pickle the Space, or a fork that "
                          "was restored to it")

    def __deepcopy__(self, memo: dict[int, Any]) -> Snapshot:
        memo[id(self)] = twin = Snapshot.__new__(Snapshot)
        twin.__dict__.update(self.__dict__)
        origin = self._origin.owner
        if origin is not None:
            twin._origin, twin._kept = copy.deepcopy(origin, memo)._core, {}
            for id_, thing in self._kept.items():
                if _core.is_in(thing, self._origin) and id(thing) in memo:
                    twin._kept[id_] = memo[id(thing)]
        inside = (self._callables, self._handler_data, self._attributes)
        twin._callables, twin._handler_data, twin._attributes = copy.deepcopy(inside, memo)
        return twin


def _handlers_for(space, handlers):
    return {name: CollisionHandler(space, handler._key, handler._id) for name, handler in handlers.items()}


class SpaceStates:
    """The states of Space."""

    _core: Any
    _wrap: Any
    _wrap_as: Any
    _begin: Any
    _inside: frozenset[str]
    _require_rest: Any

    def save(self) -> Snapshot:
        """The whole state, collision handlers included. Cost: one memcpy. Not in a callback.

        Attributes of its bodies, shapes and constraints are kept as values: lists, dicts, sets, tuples and NumPy arrays
        are copied, other objects are not."""
        snapshot = Snapshot(self._core.save(), self)
        self._is_shared = True
        return snapshot

    def restore(self, snapshot: Snapshot) -> None:
        """Puts the space into a state: it steps on from there, bit for bit, as the space did that was saved. Objects that
        were not there then raise forkmunk.Error when they are used; those that were removed since are there again."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"Space.restore(): found {snapshot!r}, expected what Space.save() gave")
        self._require_rest("Space.restore()")
        others = self._core.restore(snapshot._core)
        keeps_own = snapshot._of_batch and self._lineage is snapshot._lineage
        if not keeps_own:
            self._callables, self._has_functions = snapshot._callables, snapshot._has_functions
        if self._lineage is not snapshot._lineage:  # another scene's handlers: their data, too
            self._handler_data = {id_: dict(data) for id_, data in snapshot._handler_data.items()}
            self._lineage, self._handlers = snapshot._lineage, _handlers_for(self, snapshot._handlers)
        elif self._handler_data is not snapshot._handler_data:  # a relative's: its handlers since the fork have data, too
            for id_, data in snapshot._handler_data.items():
                self._handler_data.setdefault(id_, dict(data))
        if others:
            self._rebind(snapshot._kept if snapshot._origin is self._core else self._kept)
        if keeps_own:
            return
        for thing in _attributed(self):
            if thing._id not in snapshot._attributes:
                set_attributes(thing, {})
        for id_, attributes in snapshot._attributes.items():
            set_attributes(self._wrap(id_), _value(attributes))

    def _rebind(self, kept):
        """The Python objects of a state that has other objects than the one before."""
        self._kept, self._is_shared = {}, False
        bodies = []
        for id_, thing in kept.items():
            if not self._core.contains(id_) or not (thing._core is None or thing._core is self._core):
                continue  # gone, or in another space
            if thing._core is None or (thing._id != id_ and not self._core.contains(thing._id)):
                self._core.bind(thing, id_)  # it has another id since its body was changed
            elif thing._id != id_:
                continue
            self._kept[id_] = thing
            thing._first = thing._second = None
            if thing._rank == 0:
                bodies.append((thing, list(thing._shapes or ()), list(thing._joints or ())))
        for body, shapes, joints in bodies:  # what is in no space stays attached
            body._shapes = body._joints = None
            for thing in (*shapes, *joints):
                if thing._core is None:
                    (body._attached_shapes() if thing._rank == 1 else body._attached_joints())._mapping[thing] = None
        for rank, known in enumerate(self._lists):  # views of them are live
            if known is not None:
                known._mapping.clear()
                known._mapping.update((self._wrap(id_), None) for id_ in self._core.ids(rank))

    def fork(self: _Own) -> _Own:
        """An independent twin. twin.twin_of(body) is what a body of this one is there. Attributes of the Space and of its
        objects, and classes derived from ours, are taken along; copy.deepcopy() also copies attributes and callbacks."""
        twin = self._forked()
        for id_, thing in self._kept.items():
            if type(thing).__module__ not in _OURS:
                twin._wrap_as(type(thing), id_)
        for thing in _attributed(self):
            set_attributes(twin._wrap(thing._id), attributes_of(thing))
        self._adopt(twin)
        return twin

    def _forked(self):
        twin = type(self).__new__(type(self))
        twin._begin(self._core.fork())
        twin.threaded, twin._threads = self.threaded, self._threads
        twin._callables, twin._lineage, twin._has_functions = self._callables, self._lineage, self._has_functions
        twin._handler_data = {id_: dict(data) for id_, data in self._handler_data.items()}
        twin._handlers = _handlers_for(twin, self._handlers)
        return twin

    def _adopt(self, twin, memo=None):
        """Gives a twin the attributes that are not the package's; copies of them, with a memo of copy.deepcopy()."""
        own = {name: value for name, value in attributes_of(self).items() if name not in twin.__dict__}
        twin._receive(own if memo is None else copy.deepcopy(own, memo))

    def _receive(self, own):
        for name, slot in slots_of(type(self)).items():
            if name in own:
                slot.__set__(self, own.pop(name))
        self.__dict__.update(own)

    def __copy__(self: _Own) -> _Own:
        return self.fork()

    def __deepcopy__(self: _Own, memo: dict[Any, Any]) -> _Own:
        alone = memo.get("forkmunk.alone")
        if alone is not None and alone._core is self._core:
            raise _core.Error(f"{alone!r}.copy(): found that it refers to its own space, by a function or attribute; "
                              "copy.deepcopy() copies it with its space")
        memo[id(self)] = twin = self._forked()
        pairs = [(thing, twin._wrap_as(type(thing), id_)) for id_, thing in self._kept.items()]
        memo.update((id(thing), other) for thing, other in pairs)
        for thing in _attributed(self):
            set_attributes(memo[id(thing)], copy.deepcopy(attributes_of(thing), memo))
        self._adopt(twin, memo)
        twin._callables = copy.deepcopy(self._callables, memo)
        twin._handler_data = copy.deepcopy(self._handler_data, memo)
        return twin

    def __reduce_ex__(self, protocol: Any) -> Any:
        own = {name: value for name, value in attributes_of(self).items() if name not in self._inside}
        keys = {name: (handler._key, handler._id) for name, handler in self._handlers.items()}
        state = (self._core.write(), list(self._kept.items()), self._callables, self._handler_data, keys, self._has_functions, own)
        return _made, (type(self),), state

    def __setstate__(self, state: Any) -> None:
        try:
            written, kept, callables, data, keys, has_functions, own = state
            self._begin(_core.SpaceCore.read(written))
            for id_, thing in kept:
                self._core.bind(thing, id_)
                self._kept[id_] = thing
            _core.reserve_ids(max(data, default=0))
            self._callables, self._handler_data, self._has_functions = callables, data, bool(has_functions)
            self._handlers = {name: CollisionHandler(self, key, id_) for name, (key, id_) in keys.items()}
            self._receive(own)
        except (TypeError, ValueError, AttributeError) as error:
            raise error if isinstance(error, _core.Error) else _core.Error("Space: its pickle is damaged") from error

    def copy(self: _Own) -> _Own:
        """pymunk's name: copy.deepcopy(). fork() is faster: what callbacks and attributes refer to is not copied."""
        return copy.deepcopy(self)

    def hash(self) -> int:
        """64 bits over all that decides the future; equal in forks and after the same steps."""
        return self._core.hash()

    @property
    def live_bytes(self) -> int:
        """Bytes that save() copies now."""
        return self._core.live_bytes()
