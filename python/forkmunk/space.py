"""forkmunk.Space: any Chipmunk scene, with pymunk's names, that is saved, restored and forked as a whole."""

from __future__ import annotations

import copy
import operator
import threading
import weakref
from typing import Any, Callable, Hashable, Optional, TypeVar

from . import _forkmunk as _core
from . import constraints as _constraints
from .collisions import Arbiter, CollisionHandler
from .constraints import Constraint
from .geometry import VectorField
from .objects import Body, Object
from .queries import SpaceQueries
from .shapes import Circle, Poly, Segment, Shape

_Own = TypeVar("_Own", bound="Space")
_Twin = TypeVar("_Twin", bound=Object)
_CLASSES: dict[str, type] = {"Body": Body, "Circle": Circle, "Segment": Segment, "Poly": Poly, **_constraints.KINDS}
_PLAIN = frozenset(_CLASSES.values())


class Snapshot:
    """A Space's state: Space.save(). Good for the Space, its forks, and every other Space of this process. It holds no
    Python attributes of its objects."""

    def __init__(self, core: Any, space: Space) -> None:
        self._core, self._callables = core, space._callables
        self._lineage, self._handler_data = space._lineage, space._handler_data

    @property
    def size_bytes(self) -> int:
        """Of the copied memory."""
        return self._core.size_bytes

    def __copy__(self) -> Snapshot:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Snapshot:
        memo[id(self)] = twin = Snapshot.__new__(Snapshot)
        twin._core, twin._lineage = self._core, self._lineage
        twin._callables, twin._handler_data = copy.deepcopy((self._callables, self._handler_data), memo)
        return twin


def _setting(name: str, doc: str) -> Any:
    return property(lambda self: self._core.get_space(name), lambda self, value: self._core.set_space(name, value), doc=doc)


_by_rank = operator.attrgetter("_rank")


class Space(SpaceQueries):
    """Space(): bodies, shapes and joints that are stepped together; pymunk's, but that it can be saved, restored and
    forked. The same steps give the same bits on every machine. A Space belongs to one thread at a time."""

    def __init__(self) -> None:
        self._begin(_core.SpaceCore())

    def _begin(self, core):
        self._core = core
        self._wrappers: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
        self._kept: dict = {}  # objects that were added, so that they stay the same objects
        self._lists: dict = {}  # bodies, shapes, constraints, as long as they stay the same
        self._callables: dict = {}
        self._handler_data: dict = {}
        self._later: list = []
        self._post_step: dict = {}
        self._stepping = 0  # the thread that is in step() or remove()
        self._lineage = object()  # shared with forks: handlers' ids mean the same there

    iterations: int = _setting("iterations", "Of the solver, 1 or more; 10.")
    gravity: VectorField = _setting("gravity", "Per second squared.")
    damping: float = _setting("damping", "The part of its velocity that a body keeps in a second; 1.")
    idle_speed_threshold: float = _setting("idle_speed_threshold", "Below it a body is idle; 0: guessed from gravity.")
    sleep_time_threshold: float = _setting("sleep_time_threshold", "Seconds until what is idle sleeps; infinity: never.")
    collision_slop: float = _setting("collision_slop", "How far shapes may overlap.")
    collision_bias: float = _setting("collision_bias", "How fast overlap is undone.")
    collision_persistence: int = _setting("collision_persistence", "Steps for which contacts are remembered.")

    @property
    def current_time_step(self) -> float:
        """dt of the last step."""
        return self._core.get_space("current_time_step")

    @property
    def static_body(self) -> Body:
        """A static body that is always there."""
        body: Body = self._wrap(self._core.static_body)
        return body

    @property
    def bodies(self) -> list[Body]:
        """All bodies that were added, in that order."""
        return self._all(0)

    @property
    def shapes(self) -> list[Shape]:
        """All shapes that were added, in that order."""
        return self._all(1)

    @property
    def constraints(self) -> list[Constraint]:
        """All constraints that were added, in that order."""
        return self._all(2)

    def _all(self, kind):
        found = self._lists.get(kind)
        if found is None:
            found = self._lists[kind] = [self._wrap(id_) for id_ in self._core.ids(kind)]
        return found.copy()

    def _wrap(self, id_):
        """The object of that id; a new one if there is none, as after a fork."""
        found = self._kept.get(id_) or self._wrappers.get(id_)
        if found is None or found._id != id_ or found._space is not self:  # it may have been removed and added elsewhere
            found = self._wrap_as(_CLASSES[self._core.kind(id_)], id_)
        return found

    def _wrap_as(self, cls, id_):
        made = cls.__new__(cls)
        if cls._rank == 1:
            made._body = None
        elif cls._rank == 2:
            made._a = made._b = None
        made._entered(self, id_)
        self._wrappers[id_] = self._kept[id_] = made
        return made

    def twin_of(self, thing: _Twin) -> _Twin:
        """What an object of the Space that this one was forked or restored from is here."""
        if not isinstance(thing, Object):
            raise TypeError(f"Space.twin_of(): found {thing!r}, expected a body, shape or constraint")
        if not thing._id or not self._core.contains(thing._id):
            raise _core.Error(f"Space.twin_of(): found {thing!r}, which is not in this space's state")
        twin: _Twin = self._wrap(thing._id)
        return twin

    def add(self, *objects: Object) -> None:
        """Adds bodies, shapes and constraints. In a callback they are added after the step."""
        for thing in objects:
            if not isinstance(thing, (Body, Shape, Constraint)):
                raise TypeError(f"Space.add(): found {thing!r}, expected bodies, shapes and constraints")
        if self._in_step():
            self._check_deferred("add", objects, True)
            self._later.append((self.add, objects))
            return
        arriving = {id(thing) for thing in objects}
        if len(arriving) < len(objects):
            raise _core.Error("Space.add(): one of the objects is given twice; add each once")
        for thing in objects:
            if thing._space is not None and thing._is_in_space():
                raise _core.Error(f"Space.add(): {thing!r} is in a space already; remove it there first")
            if not thing._data:
                raise _core.Error(f"Space.add(): {thing!r} is gone: a restore went back to before it was added; make a new one")
            needed = () if thing._rank == 0 else (thing.body,) if thing._rank == 1 else (thing._a, thing._b)
            for body in needed:
                if body is None or not (id(body) in arriving or body.space is self):
                    raise _core.Error(f"Space.add(): {thing!r} is on a body that is not in the space; add the body before it or "
                                      "with it")
        done: list = []
        try:
            for thing in objects if len(objects) == 1 else sorted(objects, key=_by_rank):
                data = thing._data
                self._add(thing)
                done.append((thing, data))
            self._check_masses(done)
        except BaseException:
            for thing, data in reversed(done):  # nothing of it stays
                self._core.remove(thing._id, None)
                self._kept.pop(thing._id, None)
                thing._space, thing._data = None, data
            raise
        finally:
            self._lists.clear()

    @staticmethod
    def _check_masses(added):
        by_shapes = any(thing._rank == 1 and (data["mass"] or data["density"]) for thing, data in added)
        for body, data in added:
            if body._rank == 0 and data["body_type"] == Body.DYNAMIC and (by_shapes or not (data["mass"] and data["moment"])):
                if not (body.mass > 0 and body.moment > 0):
                    raise _core.Error(f"Space.add(): the body has mass {body.mass} and moment {body.moment}; give it both, or "
                                      "shapes with mass or density that are added with it")

    def _add(self, thing):
        core, data = self._core, thing._data
        if thing._rank == 0:
            id_ = core.add_body(data["body_type"], *((data["mass"], data["moment"]) if data["body_type"] == 0 else (0, 0)), thing._id)
        elif thing._rank == 1:
            id_ = core.add_shape(thing._body._id, thing._description(), thing._id)
        else:
            id_ = core.add_constraint(thing._a._id, thing._b._id, thing._description(), thing._id)
            for name in thing._late:
                if data.get(name) is not None:
                    core.set(id_, name, data[name])
        for name, default in thing._defaults.items():
            if data[name] != default:
                core.set(id_, name, data[name])
        thing._entered(self, id_)
        self._wrappers[id_] = self._kept[id_] = thing

    def remove(self, *objects: Object) -> None:
        """Removes objects: they are plain data again. In a callback they are removed after the step."""
        in_step = self._in_step()
        for thing in objects:
            if not isinstance(thing, (Body, Shape, Constraint)) or not (thing.space is self or in_step):
                raise _core.Error(f"Space.remove(): found {thing!r}, expected an object of this space")
        if in_step:
            self._check_deferred("remove", objects, False)
            self._later.append((self.remove, objects))
            return
        self._stepping = threading.get_ident()  # separate() may be called
        try:
            for thing in sorted(set(objects), key=lambda t: (t._rank == 0, t._id)):
                data = thing._take_back()
                self._core.remove(thing._id, self._dispatcher())
                self._kept.pop(thing._id, None)
                thing._data = data
        finally:
            self._stepping = 0
            self._lists.clear()
        self._catch_up()

    def step(self, dt: float) -> None:
        """Computes a time step of dt seconds. What a callback raises is raised here, after the step."""
        if self._in_step():
            raise _core.Error("Space.step() was called in a callback; call it between steps")
        self._stepping = threading.get_ident()
        try:
            self._core.step(dt, self._dispatcher())
        finally:
            self._stepping = 0
            self._catch_up()

    def _in_step(self):
        """Whether this is called in a callback; an Error if another thread is in the step."""
        if self._stepping not in (0, threading.get_ident()):
            raise _core.Error("Space: found one that another thread is using, expected one thread at a time; fork it for "
                              "another thread")
        return self._stepping != 0

    def _check_deferred(self, what, objects, adds):
        for thing in objects:
            others = [function == self.add for function, queued in self._later if any(t is thing for t in queued)]
            if not others and thing._is_in_space() == adds and not (thing._space is self and not adds):
                raise _core.Error(f"Space.{what}(): found {thing!r}, expected an object "
                                  + ("that is in no space" if adds else "of this space"))

    def _dispatcher(self):
        return self._dispatch if self._callables else None

    def _dispatch(self, handler, event, arbiter):
        function = self._callables.get((handler, event))
        if function is None:
            return True
        return function(Arbiter(arbiter, self), self, self._handler_data.setdefault(handler, {}))

    def _catch_up(self):
        """Does what callbacks deferred: all of it, then raises what went wrong first. Twice is once, as in pymunk."""
        errors = []

        def attempt(function, *args, **kwargs):
            try:
                function(*args, **kwargs)
            except Exception as error:
                errors.append(error)

        later, self._later = self._later, []
        for function, objects in later:
            adds = function == self.add
            attempt(function, *[t for t in dict.fromkeys(objects) if adds != (t.space is self)])
        post_step, self._post_step = self._post_step, {}
        for key, (function, args, kwargs) in post_step.items():
            attempt(function, self, key, *args, **kwargs)
        if errors:
            raise errors[0]

    def add_post_step_callback(self, callback: Callable[..., Any], key: Hashable, *args: Any, **kwargs: Any) -> bool:
        """Calls callback(space, key, ...) once after this step (at once between steps); False if the key has one."""
        if not self._in_step():
            callback(self, key, *args, **kwargs)
            return True
        if key in self._post_step:
            return False
        self._post_step[key] = (callback, args, kwargs)
        return True

    def _handler(self, kind, a=0, b=0):
        a, b = (_core.check_field("Circle", "collision_type", value) for value in (a, b))
        free = 1 + max([id_ for id_, _ in self._callables] + list(self._handler_data), default=0)
        id_ = self._core.handler(kind, a, b, free)
        self._handler_data.setdefault(id_, {})
        return CollisionHandler(self, (kind, a, b), id_)

    def add_collision_handler(self, collision_type_a: int, collision_type_b: int) -> CollisionHandler:
        """The handler of two collision types: of the same pair always the same."""
        return self._handler(2, collision_type_a, collision_type_b)

    def add_wildcard_collision_handler(self, collision_type_a: int) -> CollisionHandler:
        """The handler of a collision type with any other."""
        return self._handler(1, collision_type_a)

    def add_default_collision_handler(self) -> CollisionHandler:
        """The handler of all pairs that have no other."""
        return self._handler(0)

    def save(self) -> Snapshot:
        """The whole state, collision handlers included. Cost: one memcpy. Not in a callback."""
        return Snapshot(self._core.save(), self)

    def restore(self, snapshot: Snapshot) -> None:
        """Puts the space into a state: it steps on from there, bit for bit, as the space did that was saved. Objects that
        were not there then raise forkmunk.Error when they are used; those that were removed since are there again."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"Space.restore(): found {snapshot!r}, expected what Space.save() gave")
        if self._core.restore(snapshot._core):  # other objects than before
            self._lists.clear()
            self._kept = {id_: thing for id_, thing in self._kept.items() if self._core.contains(id_)}
        self._callables = snapshot._callables
        if self._lineage is not snapshot._lineage:  # another scene's handlers: their data, too
            self._handler_data = {id_: dict(data) for id_, data in snapshot._handler_data.items()}
            self._lineage = snapshot._lineage

    def fork(self: _Own) -> _Own:
        """An independent twin. twin.twin_of(body) is what a body of this one is there. Attributes of the Space and of its
        objects, and classes derived from ours, are taken along; copy.deepcopy() also copies attributes and callbacks."""
        twin = self._forked()
        for id_, thing in self._kept.items():
            if len(thing.__dict__) > thing._own_count or type(thing) not in _PLAIN:
                self._adopt(thing, twin._wrap_as(type(thing), id_))
        self._adopt(self, twin)
        return twin

    def _forked(self):
        twin = type(self).__new__(type(self))
        twin._begin(self._core.fork())
        twin._callables, twin._lineage = self._callables, self._lineage
        twin._handler_data = {id_: dict(data) for id_, data in self._handler_data.items()}
        return twin

    @staticmethod
    def _adopt(thing, twin, memo=None):
        """Gives a twin the attributes that are not the package's; copies of them, with a memo of copy.deepcopy()."""
        if len(thing.__dict__) > len(twin.__dict__):
            own = {name: value for name, value in thing.__dict__.items() if name not in twin.__dict__}
            twin.__dict__.update(own if memo is None else copy.deepcopy(own, memo))

    def __copy__(self: _Own) -> _Own:
        return self.fork()

    def __deepcopy__(self: _Own, memo: dict[int, Any]) -> _Own:
        memo[id(self)] = twin = self._forked()
        pairs = [(thing, twin._wrap_as(type(thing), id_)) for id_, thing in self._kept.items()]
        memo.update((id(thing), other) for thing, other in pairs)
        for thing, other in (*pairs, (self, twin)):
            self._adopt(thing, other, memo)
        twin._callables = copy.deepcopy(self._callables, memo)
        twin._handler_data = copy.deepcopy(self._handler_data, memo)
        return twin

    def copy(self: _Own) -> _Own:
        """pymunk's name for fork()."""
        return self.fork()

    def hash(self) -> int:
        """64 bits over all that decides the future; equal in forks and after the same steps."""
        return self._core.hash()

    @property
    def live_bytes(self) -> int:
        """Bytes that save() copies now."""
        return self._core.live_bytes()

    def __repr__(self) -> str:
        return f"<forkmunk.Space: {len(self.bodies)} bodies, {len(self.shapes)} shapes, {len(self.constraints)} constraints>"
