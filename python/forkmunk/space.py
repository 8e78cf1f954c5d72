"""forkmunk.Space: any Chipmunk scene, with pymunk's names, that is saved, restored and forked as a whole."""

from __future__ import annotations

import operator
import threading
import weakref
from typing import Any, Callable, Hashable, Optional, TypeVar

from . import _forkmunk as _core
from . import api_version
from . import constraints as _constraints
from .collisions import Arbiter, SpaceCollisions
from .constraints import Constraint
from .geometry import VectorField
from .objects import _FORCE, Body, Object, View
from .queries import SpaceQueries
from .shapes import Circle, Poly, Segment, Shape
from .states import SpaceStates

_Twin = TypeVar("_Twin", bound=Object)
_CLASSES: dict[str, type] = {"Body": Body, "Circle": Circle, "Segment": Segment, "Poly": Poly, **_constraints.KINDS}


def _setting(name: str, doc: str) -> Any:
    return property(lambda self: self._core.get_space(name), lambda self, value: self._core.set_space(name, value), doc=doc)


_by_rank = operator.attrgetter("_rank")


class Space(SpaceCollisions, SpaceStates, SpaceQueries):
    """Space(): bodies, shapes and joints that are stepped together; pymunk's, but that it can be saved, restored and
    forked. The same steps give the same bits on every machine. A Space belongs to one thread at a time."""

    #: The defects of Chipmunk 7.0.3 that new spaces have; forkmunk.pymunk's have those of pymunk.
    _default_defects = "none"

    def __init__(self, threaded: bool = False, *, defects: Optional[str] = None) -> None:
        """Makes an empty space.

        `defects` chooses which defects of Chipmunk 7.0.3 it has: "none", those of "pymunk", or all those of "stock"
        Chipmunk (docs/reference/defects.md). The choice is saved, forked and hashed with the space."""
        self._begin(_core.SpaceCore())
        self._core.defects = self._default_defects if defects is None else defects
        self._lists = [View({}) for _ in range(3)]
        self._threads = 1
        self.threaded = bool(threaded)

    def _begin(self, core):
        self._core = core
        core.belong(weakref.ref(self))
        self._kept: dict = {}  # objects that it has, by id; shared with snapshots until it changes
        self._is_shared = False
        self._lists: list = [None, None, None]  # bodies, shapes, constraints, once they were asked for
        self._callables: dict = {}
        self._handlers: dict = {}
        self._handler_data: dict = {}
        self._later: list = []
        self._post_step: dict = {}
        self._stepping = 0  # the thread that is in step() or remove()
        self._lineage = object()  # shared with forks: handlers' ids mean the same there
        self._has_functions = False  # bodies' or joints', perhaps

    @property
    def defects(self) -> str:
        """The choice of defects: "none", "pymunk" or "stock"."""
        return self._core.defects

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
    def threads(self) -> int:
        """Kept for pymunk's sake if the space is threaded, else 1: a step uses one thread, whatever it is."""
        return self._threads

    @threads.setter
    def threads(self, n: int) -> None:
        if self.threaded:
            self._threads = min(max(int(n), 1), 2)

    @property
    def static_body(self) -> Body:
        """A static body that is always there."""
        body: Body = self._wrap(self._core.static_body)
        return body

    @property
    def bodies(self) -> View[Body]:
        """All bodies that were added, in that order: a live view. (Version 6: a list.)"""
        view = self._lists[0] or self._all(0)
        return view if api_version.major > 6 else list(view)  # type: ignore[return-value]

    @property
    def shapes(self) -> View[Shape]:
        """All shapes that were added, in that order: a live view. (Version 6: a list.)"""
        view = self._lists[1] or self._all(1)
        return view if api_version.major > 6 else list(view)  # type: ignore[return-value]

    @property
    def constraints(self) -> View[Constraint]:
        """All constraints that were added, in that order: a live view. (Version 6: a list.)"""
        view = self._lists[2] or self._all(2)
        return view if api_version.major > 6 else list(view)  # type: ignore[return-value]

    def _all(self, rank):
        found = self._lists[rank]
        if found is None:
            found = self._lists[rank] = View({self._wrap(id_): None for id_ in self._core.ids(rank)})
        return found

    def _wrap(self, id_):
        """The object of that id; a new one if there is none, as after a fork."""
        found = self._kept.get(id_)
        if found is None or found._id != id_ or found._core is not self._core:
            found = self._wrap_as(_CLASSES[self._core.kind(id_)], id_)
        return found

    def _wrap_as(self, cls, id_):
        made = cls.__new__(cls)
        self._core.bind(made, id_)
        self._kept[id_] = made
        return made

    def twin_of(self, thing: _Twin) -> _Twin:
        """What an object of the Space that this one was forked or restored from is here."""
        if not isinstance(thing, Object):
            raise TypeError(f"Space.twin_of(): found {thing!r}, expected a body, shape or constraint")
        if thing._core is None or not self._core.contains(thing._id):
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
        if len(objects) > 1 and len(set(map(id, objects))) < len(objects):
            raise _core.Error("Space.add(): one of the objects is given twice; add each once")
        for thing in objects:
            self._check_new(thing, objects)
        done: list = []
        self._own_kept()
        try:
            for thing in objects if len(objects) == 1 else sorted(objects, key=_by_rank):
                self._core.add(thing)
                done.append(thing)
                self._kept[thing._id] = thing
                if thing._rank == 2:
                    self._kept.update((body._id, body) for body in thing._bodies())  # which may be in no space
                if (known := self._lists[thing._rank]) is not None:
                    known._mapping[thing] = None
                if thing.__dict__ and thing._functions():
                    self._has_functions = True
        except BaseException:
            for thing in reversed(done):  # nothing of it stays
                self._forget(thing, None)
            raise

    def _check_new(self, thing, arriving):
        if thing._core is not None:
            if thing.space is not None:
                raise _core.Error(f"Space.add(): {thing!r} is in a space already; remove it there first")
            if thing._core.owner is not None and not _core.is_in(thing, thing._core):
                raise _core.Error(f"Space.add(): {thing!r} is gone: a restore went back to before it was added; make a new one")
        if thing._rank == 1:
            body = thing.body
            if body is None or not (body.space is self or any(other is body for other in arriving)):
                raise _core.Error(f"Space.add(): {thing!r} is on a body that is not in the space; add the body before it or with it")

    def _own_kept(self):
        if self._is_shared:
            self._kept, self._is_shared = dict(self._kept), False

    def _forget(self, thing, callbacks):
        thing._bodies()  # so that it keeps them
        if thing._rank == 0:
            thing._attached_shapes(), thing._attached_joints()
        id_ = thing._id
        try:
            self._core.remove(thing, callbacks)
        finally:  # separate() may have raised
            if thing.space is None:
                self._drop(thing, id_)

    def _drop(self, thing, id_):
        if thing._core is None:  # not a body with a joint or shape that stays
            self._kept.pop(id_, None)
        for body in thing._bodies():
            if body._core is None:
                self._kept.pop(body._id, None)
        if (known := self._lists[thing._rank]) is not None:
            known._mapping.pop(thing, None)

    def remove(self, *objects: Object) -> None:
        """Removes objects: they are in no space then. In a callback they are removed after the step."""
        in_step = self._in_step()
        for thing in objects:
            if not isinstance(thing, (Body, Shape, Constraint)) or not (in_step or thing.space is self):
                raise _core.Error(f"Space.remove(): found {thing!r}, expected an object of this space")
        if in_step:
            self._check_deferred("remove", objects, False)
            self._later.append((self.remove, objects))
            return
        self._stepping = threading.get_ident()  # separate() may be called
        self._own_kept()
        errors: list = []
        try:
            for thing in sorted(set(objects), key=lambda t: (t._rank == 0, t._id)):
                try:
                    self._forget(thing, self._called())
                except Exception as error:
                    errors.append(error)
        finally:
            self._stepping = 0
        self._catch_up(errors)

    def step(self, dt: float) -> None:
        """Computes a time step of dt seconds. What a callback raises is raised here, after the step."""
        self._require_rest("Space.step()")
        self._stepping = threading.get_ident()
        try:
            self._core.step(dt, self._called())
        finally:
            self._stepping = 0
            if self._later or self._post_step:
                self._catch_up()

    def _called(self):
        return self if self._callables or self._has_functions else None

    @property
    def _locked(self) -> bool:
        return self._stepping != 0

    def _require_rest(self, function):
        if self._in_step():
            raise _core.Error(f"{function} was called in a callback; call it between steps")

    def _in_step(self):
        """Whether this is called in a callback; an Error if another thread is in the step."""
        if self._stepping not in (0, threading.get_ident()):
            raise _core.Error("Space: found one that another thread is using, expected one thread at a time; fork it for "
                              "another thread")
        return self._stepping != 0

    def _check_deferred(self, what, objects, adds):
        for thing in objects:
            if any(other is thing for _, queued in self._later for other in queued):
                continue
            space = thing.space
            if space is not (None if adds else self):
                raise _core.Error(f"Space.{what}(): found {thing!r}, expected an object "
                                  + ("that is in no space" if adds else "of this space"))

    def _catch_up(self, errors=()):
        """Does what callbacks deferred: all of it, then raises what went wrong first. Twice is once, as in pymunk."""
        errors = list(errors)

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

    def add_post_step_callback(self, callback_function: Callable[..., Any], key: Hashable, *args: Any,
                               **kwargs: Any) -> bool:
        """Calls callback_function(space, key, ...) once after this step (at once between steps); False if the key has one."""
        if not self._in_step():
            callback_function(self, key, *args, **kwargs)
            return True
        if key in self._post_step:
            return False
        self._post_step[key] = (callback_function, args, kwargs)
        return True

    def _each_arbiter(self, body, function):
        before, self._stepping = self._stepping, threading.get_ident()  # add() and remove() wait
        try:
            _core.each_arbiter(body, lambda arbiter: function(Arbiter(arbiter, self)))
        finally:
            self._stepping = before
            if not before:
                self._catch_up()

    # Called by the core, in a step. In a world of SpaceBatch(callbacks="drop") the functions are missing: the usual ones.

    def _update_velocity(self, id_, gravity, damping, dt):
        body = self._wrap(id_)
        body.velocity_func(body, gravity, damping, dt)

    def _update_position(self, id_, dt):
        body = self._wrap(id_)
        body.position_func(body, dt)

    def _before_joint(self, id_):
        joint = self._wrap(id_)
        if (function := joint.pre_solve) is not None:
            function(joint, self)

    def _after_joint(self, id_):
        joint = self._wrap(id_)
        if (function := joint.post_solve) is not None:
            function(joint, self)

    def _force(self, id_, value):
        spring = self._wrap(id_)
        return spring.__dict__.get(spring._events[_FORCE], _core.default_force)(spring, value)

    def use_spatial_hash(self, dim: float, count: int) -> None:
        """For thousands of shapes of about one size: the size of a cell, and ten times as many cells as shapes."""
        self._core.use_spatial_hash(dim, int(count))

    def debug_draw(self, options: Any) -> None:
        """Draws the space by SpaceDebugDrawOptions, such as forkmunk.pymunk.pygame_util.DrawOptions."""
        from .pymunk.space_debug_draw_options import draw_space

        draw_space(self, options)

    def __repr__(self) -> str:
        return f"<forkmunk.Space: {len(self._all(0))} bodies, {len(self._all(1))} shapes, {len(self._all(2))} constraints>"


Space._inside = frozenset(Space().__dict__) - {"threaded", "_threads"}
