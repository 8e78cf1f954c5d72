"""Forks and checkpoints of whole environments: any Python objects that hold Spaces, bodies, shapes, joints, callbacks."""

from __future__ import annotations

import copy
import functools
import types
from collections import deque
from typing import Any, Callable, TypeVar

import numpy as np

from . import _forkmunk as _core
from .objects import Body, Object, View
from .space import Space

_Env = TypeVar("_Env")
_Restore = Callable[[], None]

_PLAIN = frozenset((type(None), bool, int, float, complex, str, bytes, type(Ellipsis), type(NotImplemented), range, type,
                    types.ModuleType, types.BuiltinFunctionType, np.dtype, np.ufunc))
_UNKEPT = (types.GeneratorType, types.CoroutineType, _core.Batch, _core.SpaceBatchCore)
_FUNCTIONS = (types.FunctionType, types.MethodType)


def fork(env: _Env) -> _Env:
    """An independent copy of an environment and all that it refers to: copy.deepcopy(). Its spaces have exactly the same
    future, and its callbacks are those of the copy; a function's closure is shared, as by copy.deepcopy()."""
    return copy.deepcopy(env)


class Checkpoint:
    """Checkpoint(env): a moment of an environment, to which restore() takes it back, any number of times.

    All that env refers to is kept: spaces by save(), attributes, lists, dicts, sets, deques, arrays, random generators,
    closures, Worlds. Objects stay the same objects, so nothing that refers to them needs to change. What is not kept: what
    only compiled code sees (windows, files, sockets, iterators). Generators and batches are refused with an Error."""

    def __init__(self, env: Any) -> None:
        self._kept: list[Any] = [env]  # objects whose ids are in _seen must live
        self._seen: set[int] = set()
        self._spaces: list[_Restore] = []  # first: what a snapshot copied of attributes becomes the objects they were
        self._restores: list[_Restore] = []
        waiting = [env]
        while waiting:
            thing = waiting.pop()
            if type(thing) not in _PLAIN and id(thing) not in self._seen:
                self._seen.add(id(thing))
                self._kept.append(thing)
                waiting.extend(self._visit(thing))

    def restore(self) -> None:
        """Takes the environment back. Objects that were made since are left alone."""
        for restore in (*self._spaces, *self._restores):
            restore()

    def _visit(self, thing: Any) -> list[Any]:
        """Keeps the state of one object; what it refers to."""
        if isinstance(thing, Space):
            return self._visit_space(thing)
        if isinstance(thing, type):
            return []
        if isinstance(thing, functools.partial):
            return [thing.func, *thing.args, *thing.keywords.values()]
        if isinstance(thing, _FUNCTIONS):
            return self._visit_function(thing)
        found: list[Any] = []
        if isinstance(thing, (list, deque, dict, set, bytearray)):
            found += self._visit_container(thing)
        elif isinstance(thing, (tuple, frozenset)):
            found += thing
        elif isinstance(thing, np.ndarray):
            if thing.flags.writeable:
                saved = thing.copy()
                self._restores.append(lambda: np.copyto(thing, saved, casting="no"))
            found += thing.ravel().tolist() if thing.dtype == object else []
        elif hasattr(thing, "getstate") and hasattr(thing, "setstate"):  # random.Random
            state = thing.getstate()
            self._restores.append(lambda: thing.setstate(state))
        elif isinstance(thing, np.random.BitGenerator):
            numbers = copy.deepcopy(thing.state)
            self._restores.append(lambda: setattr(thing, "state", copy.deepcopy(numbers)))
        elif isinstance(thing, _core.World):
            world = thing.save()
            self._restores.append(lambda: thing.restore(world))
        elif isinstance(thing, _UNKEPT):
            raise _core.Error(f"Checkpoint(): found {thing!r}, whose state cannot be read; make it again from what is kept")
        elif isinstance(thing, np.random.Generator):
            found.append(thing.bit_generator)
        elif isinstance(thing, np.random.RandomState):
            words = thing.get_state()
            self._restores.append(lambda: thing.set_state(words))
        return found + self._visit_attributes(thing)

    def _visit_space(self, space: Space) -> list[Any]:
        snapshot = space.save()
        own = {name: value for name, value in space.__dict__.items() if name not in space._inside}
        data = {id_: dict(values) for id_, values in space._handler_data.items()}

        def restore() -> None:
            space.restore(snapshot)
            space._handler_data.clear()
            space._handler_data.update((id_, dict(values)) for id_, values in data.items())
            for name in [name for name in space.__dict__ if name not in space._inside]:
                del space.__dict__[name]
            space.__dict__.update(own)

        self._spaces.append(restore)
        return [*own.values(), *space._kept.values(), *space._callables.values(), *data.values()]

    def _visit_function(self, function: Any) -> list[Any]:
        if isinstance(function, types.MethodType):
            return [function.__self__]
        found: list[Any] = list(function.__defaults__ or ())
        for cell in function.__closure__ or ():
            try:
                value = cell.cell_contents
            except ValueError:  # empty
                continue
            found.append(value)
            self._restores.append(lambda cell=cell, value=value: setattr(cell, "cell_contents", value))  # type: ignore[misc]
        return found

    def _visit_container(self, thing: Any) -> list[Any]:
        if isinstance(thing, dict):
            pairs = dict(thing)

            def restore() -> None:
                dict.clear(thing)
                dict.update(thing, pairs)

            self._restores.append(restore)
            return [*pairs, *pairs.values()]
        if isinstance(thing, set):
            members = set(thing)
            self._restores.append(lambda: (thing.clear(), thing.update(members))[0])
            return list(members)
        if isinstance(thing, deque):
            items = list(thing)
            self._restores.append(lambda: (thing.clear(), thing.extend(items))[0])
            return items
        saved = thing[:]
        self._restores.append(lambda: thing.__setitem__(slice(None), saved))
        return list(saved) if isinstance(thing, list) else []

    def _visit_attributes(self, thing: Any) -> list[Any]:
        found: list[Any] = []
        own = getattr(thing, "__dict__", None)
        if isinstance(own, dict):
            saved = dict(own)

            def restore() -> None:
                own = thing.__dict__
                own.clear()
                own.update(saved)

            self._restores.append(restore)
            found += saved.values()
        for cls in type(thing).__mro__:
            names = cls.__dict__.get("__slots__", ())
            for name in (names,) if isinstance(names, str) else names:
                if name.startswith("__") and not name.endswith("__"):
                    name = f"_{cls.__name__.lstrip('_')}{name}"
                if name not in ("__dict__", "__weakref__") and hasattr(thing, name):
                    value = getattr(thing, name)
                    found.append(value)
                    self._restores.append(lambda name=name, value=value: object.__setattr__(thing, name, value))  # type: ignore[misc]
        if isinstance(thing, Object):
            found += self._visit_object(thing)
        return found

    def _visit_object(self, thing: Object) -> list[Any]:
        shapes = list(thing._attached_shapes()) if isinstance(thing, Body) else []
        bodies = thing._bodies()
        if thing.space is not None:
            return [thing.space, *bodies, *shapes]
        if thing._core is None and _core.is_made(thing):
            kind, data = _core.object_bytes(thing)

            def restore() -> None:
                _core.object_from(thing, kind, data)
                if isinstance(thing, Body):
                    thing._shapes = View(dict.fromkeys(shapes))
                thing._take(bodies, {})

            self._restores.append(restore)
        return [*bodies, *shapes]
