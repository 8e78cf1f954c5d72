# SPDX-License-Identifier: MIT
"""Forks and checkpoints of environments: any Python objects that hold Spaces, bodies, shapes, joints, callbacks."""

from __future__ import annotations

import array
import copy
import functools
import gc
import io
import itertools
import random
import types
import warnings
from collections import OrderedDict, deque
from typing import Any, TypeVar

import numpy as np

from . import _forkmunk as _core
from .geometry import Vec2d
from .scene import (
    Body, Links, Object, Snapshot, Space, Uncopied, _made, attributes_of, bytes_outside, set_slots,
    shared_by_copies, slot_values, slots_of,
)

_Env = TypeVar("_Env")

_PLAIN = frozenset((type(None), bool, int, float, complex, str, bytes, type(Ellipsis), type(NotImplemented), range, type,
                    types.ModuleType, np.dtype, np.ufunc))
_UNKEPT = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, np.random.SeedSequence, _core.Batch,
           _core.SpaceBatchCore, _core.SampledPlannerCore, _core.SessionCore, _core.SyncTestCore)
_BOUND = (types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType)
_ITERATORS: tuple[type, ...] = (itertools.count, itertools.repeat, type(iter(range(0))), type(iter([])), type(iter(())), type(iter("")))
_OF_ITERATORS = ("builtins", "itertools", "_collections", "array", "numpy")  # compiled iterators' modules
_MEMORY_FILES = (io.StringIO, io.BytesIO)


def fork(env: _Env) -> _Env:
    """Returns an independent copy of an environment and of everything that it refers to, by copy.deepcopy().

    The copy's spaces have exactly the same future, and callbacks that are methods belong to the copy. Other
    functions are shared: write callbacks as methods. A tree search is faster with a Checkpoint.

    Weak references to spaces and their objects lead to the copies, except in a WeakKeyDictionary. An environment
    with Gymnasium's EzPickle, or another object whose __getstate__ leaves its Space out, is copied with all its
    attributes; copy.deepcopy() and pickle make it anew, without the state. A Recorder, RollbackSession or SpaceBatch
    raises forkmunk.Error: keep it outside. pygame's clocks, fonts and sounds, which Python cannot copy, are shared."""
    reachable = list(_reachable(env, skipped=_copies_its_space))
    memo = shared_by_copies(reachable)
    bypassed = list(_that_leave_spaces_out(reachable))
    for thing in bypassed:
        memo[id(thing)] = _made(type(thing))
    for thing in bypassed:
        twin = memo[id(thing)]
        if hasattr(thing, "__dict__"):
            twin.__dict__.update(copy.deepcopy(thing.__dict__, memo))
        set_slots(twin, copy.deepcopy(slot_values(thing), memo))
    return copy.deepcopy(env, memo)


_STATES = (Space, Object, _core.World, _core.Bot)
_ALONE = (*_PLAIN, types.FunctionType, types.BuiltinFunctionType, types.FrameType, types.CodeType)


def _reachable(start: Any, without: Any = None, skipped: Any = lambda thing: False) -> Any:
    """Yields what something refers to, but not through classes, modules, functions and skipped objects."""
    seen, level, kept = {id(without)}, [start], [without]
    kinds: dict[type, Any] = {}
    while level:
        found: dict[Any, list[Any]] = {Space: [], Object: [], object: []}
        for thing in level:
            cls = type(thing)
            if cls not in kinds:
                kinds[cls] = next(kind for kind in (_ALONE, *found) if issubclass(cls, kind))
            kind = kinds[cls]
            if kind is not _ALONE and id(thing) not in seen and not skipped(thing):
                seen.add(id(thing))
                found[kind].append(thing)
        for things in found.values():
            yield from things
            kept += things  # keeps their ids from being reused
        level = gc.get_referents(*found[object])
        for thing in found[object]:
            if isinstance(thing, dict):  # from Python 3.13 on, an object keeps the values of its __dict__
                level += dict.values(thing)
        for space in found[Space]:
            level += (Space.__getstate__(space), space._callables, space._handler_data, *_core.attributed(space._kept.values()))
        level += _held_by(found[Object])


def _held_by(objects: list[Object]) -> Any:
    """Yields what bodies, shapes and joints refer to: their space, attributes, and outside of spaces each other."""
    owners = {core: None if core is None else core.owner for core in {thing._core for thing in objects}}
    yield from owners.values()
    yield from map(attributes_of, _core.attributed(objects))
    yield from gc.get_referents(*[thing for thing in objects if owners[thing._core] is None])


def _copies_its_space(thing: Any) -> bool:
    """Returns whether a thing has a Space and its class a __deepcopy__()."""
    return (isinstance(getattr(type(thing), "__deepcopy__", None), types.FunctionType) and not isinstance(thing, (Space, Object))
            and any(isinstance(value, Space) for value in getattr(thing, "__dict__", {}).values()))


def _that_leave_spaces_out(things: list[Any]) -> Any:
    """Yields objects whose __getstate__ leaves out their Space."""
    own: dict[type, bool] = {}  # True for a class with a __getstate__ that deepcopy() would call
    for thing in things:
        cls: Any = type(thing)
        if cls not in own:
            own[cls] = (isinstance(getattr(cls, "__getstate__", None), types.FunctionType) and not issubclass(cls, (Space, Object))
                        and not hasattr(cls, "__deepcopy__") and cls.__reduce_ex__ is object.__reduce_ex__
                        and cls.__reduce__ is object.__reduce__)
        if not own[cls] or not _has_state([getattr(thing, "__dict__", None), slot_values(thing)]):
            continue
        state = thing.__getstate__()
        if isinstance(state, dict) and "_ezpickle_args" in state or not _has_state(state, thing):
            yield thing


def _has_state(start: Any, without: Any = None) -> bool:
    return any(isinstance(thing, _STATES) for thing in _reachable(start, without))


# Functions that restore things without methods of derived classes.


def _set_dict(thing: Any, saved: Any) -> None:
    own = thing.__dict__
    own.clear()
    own.update(saved)


def _set_pairs(thing: Any, pairs: Any) -> None:
    if isinstance(thing, OrderedDict):  # dict's methods would not change its own list of keys
        OrderedDict.clear(thing)
        for key, value in pairs.items():
            OrderedDict.__setitem__(thing, key, value)
    else:
        dict.clear(thing)
        dict.update(thing, pairs)


def _set_items(thing: Any, items: Any) -> None:
    deque.clear(thing)
    deque.extend(thing, items)


# A set's order depends on the size of its table, and so on the items that it once had.


def _fill(thing: Any, items: Any, padding: Any) -> None:
    pads = range(-2 - padding, -2)  # numbers have the same hashes in each process
    set.clear(thing)
    set.update(thing, pads)
    set.difference_update(thing, pads)
    set.update(thing, items)


def _padding_for(items: Any) -> Any:
    """Returns how many more items a set must have had to have this order, or None."""
    for padding in (0, 5, 20, 80, 320, 1300, 5200, 21000):
        probe: set[Any] = set()
        _fill(probe, items, padding)
        if list(probe) == items:
            return padding
        if padding > 8 * len(items):
            break
    return None


def _set_set(thing: Any, items: Any, padding: Any) -> None:
    if list(thing) != items:
        _fill(thing, items, padding)


def _set_slice(thing: Any, items: Any) -> None:
    kind: Any = next(kind for kind in (list, bytearray, array.array) if isinstance(thing, kind))
    kind.__setitem__(thing, slice(None), items)


def _set_array(thing: Any, saved: Any) -> None:
    if thing.shape != saved.shape:
        if thing.size != saved.size:
            raise _core.Error(f"Checkpoint.restore(): found an array that was resized to {thing.shape}, expected {saved.shape}")
        thing.shape = saved.shape
    np.copyto(thing, saved, casting="no")


def _set_generator(thing: Any, state: Any) -> None:
    thing.state = copy.deepcopy(state)


def _set_space(space: Any, snapshot: Any, own: Any, data: Any) -> None:
    space.restore(snapshot)
    space._handler_data.clear()
    space._handler_data.update(data)  # the dicts' items are restored like those of every dict
    for name in [name for name in space.__dict__ if name not in space._inside]:
        del space.__dict__[name]
    space.__dict__.update(own)


class _Function:
    """A function's closure and attributes, which copies of a checkpoint share."""

    def __init__(self, function: types.FunctionType) -> None:
        self.function, self.attributes, self.pairs = function, dict(function.__dict__), []
        for cell in function.__closure__ or ():
            try:
                self.pairs.append((cell, cell.cell_contents))
            except ValueError:  # empty
                pass

    def __deepcopy__(self, memo: Any) -> _Function:
        return self

    def restore(self) -> None:
        _set_dict(self.function, self.attributes)
        for cell, value in self.pairs:
            cell.cell_contents = value


class _Kept:
    """A body's, shape's or joint's space, or its bytes outside of spaces, and its attachments."""

    __slots__ = ("thing", "id", "home", "data", "is_bare", "bodies", "shapes", "joints")

    def __init__(self, thing: Object) -> None:
        owner = None if thing._core is None else thing._core.owner
        self.thing, self.id = thing, thing._id
        self.home: Any = _core.home_of(thing)
        self.data = bytes_outside(thing) if owner is None else None
        self.is_bare = self.home is not None and not thing.__dict__
        is_gone = owner is not None and self.home is None
        self.bodies = tuple(body for body in (thing._first, thing._second) if body is not None) if is_gone else thing._bodies()
        self.shapes: tuple[Any, ...] = ()
        self.joints: tuple[Any, ...] = ()
        if isinstance(thing, Body) and not is_gone:
            self.shapes, self.joints = (*thing._members(1),), (*thing._members(2),)

    def has_moved(self) -> bool:
        """Returns whether the object may be elsewhere or have other attachments."""
        thing = self.thing
        if self.home is None or thing._core is not self.home._core or thing._id != self.id:
            return True
        return not thing._rank and ((*(thing._shapes or ()),) != self.shapes or (*(thing._joints or ()),) != self.joints)

    def is_away(self) -> bool:
        """Returns whether the object is in other memory than before."""
        core = self.thing._core
        return core is not None and (self.home is None or core is not self.home._core)

    def detach(self) -> None:
        for body in {self.thing._first, self.thing._second} - {None}:
            ((body._shapes if self.thing._rank == 1 else body._joints) or {}).pop(self.thing, None)

    def restore(self) -> None:
        if self.is_bare:
            self.thing.__dict__.clear()
        if self.data is not None:
            _core.object_from(self.thing, *self.data)
            for event, key in self.thing._events.items():
                _core.set_function(self.thing, event, key in self.thing.__dict__)
        self.thing._first, self.thing._second = (*self.bodies, None, None)[:2]

    def attach(self) -> None:
        if isinstance(self.thing, Body) and (self.home is not None or self.data is not None):
            for view, things in ((self.thing._members(1), self.shapes), (self.thing._members(2), self.joints)):
                view.clear()
                view.update(dict.fromkeys(things))


class Checkpoint(Uncopied):
    """Checkpoint(env)

    A moment of an environment, to which restore() takes the environment back, any number of times.

        checkpoint = forkmunk.Checkpoint(env)
        env.step(action)
        checkpoint.restore()

    Everything that env refers to is kept: spaces by save(), bodies, shapes and joints in them and outside,
    attributes, lists, dicts, sets, deques, arrays, random generators, closures, Worlds, Bots, Planners and StringIO.
    Objects stay the same objects, and those that moved to another space come back.

    Attributes of classes and modules are not kept, nor is what only compiled code sees: windows, files and sockets.
    Generators, iterators, seed sequences, batches and rollback sessions, whose state cannot be set, raise
    forkmunk.Error. A Checkpoint copied with its environment belongs to the copy; it cannot be pickled."""

    _remedy = "pickle the environment, which is a copy of that moment"

    def __init__(self, env: Any) -> None:
        self._spaces: list[tuple[Any, ...]] = []  # restored first: snapshots replace attributes by copies
        self._restores: list[tuple[Any, ...]] = []
        self._objects: list[_Kept] = []
        self._iterators: list[tuple[Any, Any]] = []
        seen: dict[int, Any] = {}  # keeps the objects alive
        if type(env) in _PLAIN:
            raise TypeError(f"Checkpoint(env): found {env!r}, which never changes; expected an environment")
        waiting = [env]
        while waiting:
            thing = waiting.pop()
            if type(thing) not in _PLAIN and id(thing) not in seen:
                seen[id(thing)] = thing
                waiting.extend(self._visit(thing))
        self._objects.sort(key=lambda kept: kept.thing._rank)  # bodies before what is attached to them
        self._outside = [kept for kept in self._objects if kept.home is None]
        self._links = Links.changes

    def restore(self) -> None:
        """Restores the environment. Newer objects are left alone."""
        has_moved = self._has_moved()
        moved = [kept for kept in self._objects if kept.has_moved()] if has_moved else []
        if moved:
            self._fetch(moved)
        for kept in moved:
            kept.detach()
        for function, arguments in self._spaces:
            function(*arguments)
        for _, (space, snapshot, *_) in self._spaces:
            if any(kept.home is space and kept.thing._core is not space._core for kept in moved):
                space._rebind(snapshot._kept)
        for function, arguments in self._restores:
            function(*arguments)
        for kept in moved or self._outside:
            kept.restore()
        if has_moved:
            for kept in self._objects:
                if kept.has_moved():
                    kept.attach()
            self._links = Links.changes
        if self._iterators:
            self._renew_iterators()

    def _has_moved(self) -> Any:
        """Returns whether an object's space or attachments may have changed."""
        return (self._links != Links.changes or any(kept.is_away() for kept in self._outside)
                or not all(space._core.has_objects_of(snapshot._core) for _, (space, snapshot, *_) in self._spaces))

    def _fetch(self, moved: list[_Kept]) -> None:
        """Takes objects out of other spaces; a restored space forgets them itself."""
        spaces = {id(space) for _, (space, *_) in self._spaces}
        away = [kept.thing for kept in moved if kept.is_away()]
        for thing in sorted(away, key=lambda thing: thing._rank == 0):
            space = thing.space  # a body may have left with its last shape
            if space is not None and id(space) not in spaces and thing._core is not None and thing._core.owner is space:
                space.remove(thing)
        for thing in away:
            home = _core.home_of(thing)
            if home is not None and id(home) not in spaces:
                raise _core.Error(f"Checkpoint.restore(): found {thing!r} with a shape or joint in a space that is not the "
                                  "environment's; remove that first")
            _core.release(thing)

    def __copy__(self) -> Checkpoint:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Checkpoint:
        memo[id(self)] = twin = Checkpoint.__new__(Checkpoint)
        twin.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return twin

    def _keep(self, function: Any, *arguments: Any) -> None:
        self._restores.append((function, arguments))

    @staticmethod
    def _without_iterators(*things: Any) -> Any:
        """Returns things that nothing can replace later. Iterators among them raise Error."""
        for thing in things:
            if type(thing) in _ITERATORS:
                raise _core.Error(f"Checkpoint(): found {thing!r}, whose state cannot be read or set there; hold it in a list")
        return things

    def _visit_iterator(self, iterator: Any) -> list[Any]:
        """Keeps a copy of an iterator, whose state cannot be set: restore() replaces it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            parts = iterator.__reduce__()
            self._iterators.append((iterator, copy.copy(iterator)))
        return [*parts[1]]

    def _renew_iterators(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            made = {id(iterator): copy.copy(kept) for iterator, kept in self._iterators}

        def renewed(value: Any) -> Any:
            return made.get(id(value), value)

        for _, (space, _, own, _) in self._spaces:
            space.__dict__.update((name, renewed(value)) for name, value in own.items())
        for function, (thing, *saved) in self._restores:
            if function in (_set_dict, _set_pairs, set_slots) and any(id(value) in made for value in saved[0].values()):
                function(thing, {key: renewed(value) for key, value in saved[0].items()})
            elif function in (_set_slice, _set_items) and isinstance(saved[0], list) and any(id(v) in made for v in saved[0]):
                function(thing, [renewed(value) for value in saved[0]])
            elif function is _Function.restore:
                _set_dict(thing.function, {name: renewed(value) for name, value in thing.attributes.items()})
                for cell, value in thing.pairs:
                    cell.cell_contents = renewed(value)

    def _visit(self, thing: Any) -> Any:
        """Keeps an object's state, and returns what it refers to."""
        cls: Any = type(thing)
        if cls is tuple or cls is Vec2d:
            return self._without_iterators(*thing)
        if isinstance(thing, Object):
            return self._visit_attributes(thing)
        if isinstance(thing, (Checkpoint, Snapshot, type)):
            return []
        if type(thing) in _ITERATORS:
            return self._visit_iterator(thing)
        if isinstance(thing, Space):
            return self._visit_space(thing)
        if isinstance(thing, functools.partial):
            given = self._without_iterators(*thing.args, *thing.keywords.values())
            return [thing.func, *given, *self._visit_attributes(thing)]
        if isinstance(thing, _BOUND):
            return self._without_iterators(thing.__self__)
        if isinstance(thing, types.FunctionType):
            return self._visit_function(thing)
        if isinstance(thing, _UNKEPT) or (hasattr(type(thing), "__next__") and type(thing).__module__ in _OF_ITERATORS):
            raise _core.Error(f"Checkpoint(): found {thing!r}, whose state cannot be read or set; make it again from what is kept")
        found: list[Any] = []
        if isinstance(thing, (list, deque, dict, set, bytearray, array.array)):
            found += self._visit_container(thing)
        elif isinstance(thing, (tuple, frozenset)):
            found += self._without_iterators(*thing)
        elif isinstance(thing, np.ndarray):
            if thing.flags.writeable:
                self._keep(_set_array, thing, thing.copy())
            found += self._without_iterators(*thing.ravel().tolist()) if thing.dtype.hasobject else ()
        elif isinstance(thing, random.SystemRandom):
            raise _core.Error(f"Checkpoint(): found {thing!r}, whose numbers come from the system; use a random.Random")
        elif hasattr(type(thing), "getstate") and hasattr(type(thing), "setstate"):  # random.Random
            self._keep(type(thing).setstate, thing, thing.getstate())
        elif isinstance(thing, np.random.BitGenerator):
            self._keep(_set_generator, thing, copy.deepcopy(thing.state))
        elif isinstance(thing, np.random.Generator):
            found.append(thing.bit_generator)
        elif isinstance(thing, np.random.RandomState):
            self._keep(np.random.RandomState.set_state, thing, thing.get_state())
        elif isinstance(thing, _core.World):
            self._keep(_core.World.restore, thing, thing.snapshot())
        elif isinstance(thing, (_core.Bot, _core.Planner)):
            self._keep(cls._become, thing, copy.copy(thing))
        elif isinstance(thing, memoryview):
            found.append(thing.obj)
        elif isinstance(thing, _MEMORY_FILES) and not thing.closed:
            self._keep(cls.__setstate__, thing, cls.__getstate__(thing))
        return found + self._visit_attributes(thing)

    def _visit_space(self, space: Space) -> list[Any]:
        own = {name: value for name, value in space.__dict__.items() if name not in space._inside}
        data = dict(space._handler_data)
        known = [thing for thing in space._kept.values() if _core.home_of(thing) is space]
        self._spaces.append((_set_space, (space, space.save(), own, data)))
        slots = slot_values(space)
        self._keep(set_slots, space, slots)
        return [*own.values(), *slots.values(), *known, *space._callables.values(), *data.values()]

    def _visit_function(self, function: Any) -> list[Any]:
        kept = _Function(function)
        self._keep(_Function.restore, kept)
        defaults = self._without_iterators(*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        return [*defaults, *kept.attributes.values(), *(value for _, value in kept.pairs)]

    def _visit_container(self, thing: Any) -> Any:
        if isinstance(thing, dict):
            pairs = dict(thing)
            self._keep(_set_pairs, thing, pairs)
            return [*self._without_iterators(*pairs), *pairs.values()]
        if isinstance(thing, set):
            items = list(thing)
            padding = _padding_for(items)
            if padding is None:  # the set gets the order now that a restore gives it
                _fill(thing, items, 0)
            self._keep(_set_set, thing, items, padding or 0)
            return self._without_iterators(*items)
        if isinstance(thing, deque):
            items = list(thing)
            self._keep(_set_items, thing, items)
            return items
        saved = thing[:]
        self._keep(_set_slice, thing, saved)
        return list(saved) if isinstance(thing, list) else []

    def _visit_attributes(self, thing: Any) -> list[Any]:
        try:
            own = object.__getattribute__(thing, "__dict__")  # not by its __getattr__
        except AttributeError:
            own = None
        if not isinstance(own, dict):
            own = None
        slots = slot_values(thing)
        if slots_of(type(thing)):
            self._keep(set_slots, thing, slots)
        found = [*(own or {}).values(), *slots.values()]
        if isinstance(thing, Object):
            kept = _Kept(thing)
            self._objects.append(kept)
            found += [kept.home, *kept.bodies, *kept.shapes, *kept.joints]
            if kept.is_bare:  # its Space's restore() removes later attributes
                return found
        if own is not None:
            self._keep(_set_dict, thing, dict(own))
        return found
