"""Collision handlers, and the arbiters that they get."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import _forkmunk as _core
from . import api_version
from .contacts import ContactPointSet, _contacts
from .geometry import Vec2d, VectorField

if TYPE_CHECKING:
    from .objects import Body
    from .shapes import Shape
    from .space import Space

_EVENTS = ("begin", "pre_solve", "post_solve", "separate")
_ALL, _ONE, _PAIR, _NEW_ALL, _NEW_ONE, _NEW_PAIR = range(6)


class Arbiter:
    """What two shapes have to do with each other: what collision handlers are given, for the time of the call."""

    def __init__(self, core: Any, space: Space) -> None:
        self._core, self._space = core, space

    @property
    def shapes(self) -> tuple[Shape, Shape]:
        """The two shapes, in the order of the handler's collision types."""
        a, b = self._core.shape_ids
        return self._space._wrap(a), self._space._wrap(b)

    @property
    def bodies(self) -> tuple[Body, Body]:
        """Of the two shapes."""
        a, b = self.shapes
        return a.body, b.body

    @property
    def contact_point_set(self) -> ContactPointSet:
        """Where the shapes touch. May be set in pre_solve, to as many points."""
        return _contacts(*self._core.contact_points)

    @contact_point_set.setter
    def contact_point_set(self, point_set: ContactPointSet) -> None:
        points = [(point.point_a, point.point_b, point.distance) for point in point_set.points]
        self._core.set_contact_points(point_set.normal, points)

    def _part(name: str, doc: str) -> Any:  # type: ignore[misc]  # noqa: N805
        return property(lambda self: getattr(self._core, name), lambda self, v: setattr(self._core, name, v), doc=doc)

    process_collision: bool = _part("process_collision", "Whether the shapes push each other, until they part: set in begin and "
                                    "pre_solve by on_collision().")
    restitution: float = _part("restitution", "The product of both elasticities; may be set in pre_solve.")
    friction: float = _part("friction", "The product of both frictions; may be set in pre_solve.")
    surface_velocity: VectorField = _part("surface_velocity", "Of b against a; may be set in pre_solve.")
    del _part

    @property
    def total_impulse(self) -> Vec2d:
        """That the contact had in this step, with friction: in post_solve."""
        return self._core.total_impulse

    @property
    def total_ke(self) -> float:
        """The kinetic energy that the contact took: in post_solve."""
        return self._core.total_ke

    @property
    def normal(self) -> Vec2d:
        """From the first shape to the second."""
        return self._core.normal

    @property
    def is_first_contact(self) -> bool:
        """Whether the shapes did not touch in the last step."""
        return self._core.is_first_contact

    @property
    def is_removal(self) -> bool:
        """In separate: whether a shape is being removed."""
        return self._core.is_removal

    def ignore(self) -> bool:
        """The pair does not collide until it has separated."""
        return self._core.ignore()


_Begin = Optional[Callable[[Arbiter, "Space", Any], Any]]
_Event = Optional[Callable[[Arbiter, "Space", Any], None]]


class CollisionHandler:
    """What is called when shapes meet: begin and pre_solve (arbiter, space, data) -> bool, post_solve and separate
    -> None. What is set here is part of the Space's state: save() keeps it, fork() takes it along."""

    def __init__(self, space: Space, key: tuple[int, int, int], id_: int) -> None:
        self._space, self._key, self._id = space, key, id_

    @property
    def data(self) -> dict[Any, Any]:
        """Given to the functions; by on_collision(): by the event's name. A fork has a copy of the dict."""
        return self._space._handler_data.setdefault(self._current_id(), {})

    def _current_id(self):
        """Its id in the space's state; as it was last, if a restore has forgotten it."""
        self._id = self._space._core.handler_id(*self._key) or self._id
        return self._id

    def _event(event: int) -> Any:  # type: ignore[misc]  # noqa: N805
        def get(self):
            return self._space._callables.get((self._current_id(), event))

        def set_(self, function):
            if function is not None and not callable(function):
                raise TypeError(f"CollisionHandler.{_EVENTS[event]}: found {function!r}, expected a callable or None")
            space = self._space
            self._id = space._core.handler(*self._key, self._id)  # a restore may have forgotten it
            callables = dict(space._callables)  # snapshots keep the old one
            callables.pop((self._id, event), None)
            if function is not None:
                callables[self._id, event] = function
            space._callables = callables
            space._core.listen(self._id, event, function is not None)

        return property(get, set_)

    begin: _Begin = _event(0)
    pre_solve: _Begin = _event(1)
    post_solve: _Event = _event(2)
    separate: _Event = _event(3)
    del _event


def empty_callback(*args: Any, **kwargs: Any) -> None:
    """Does nothing: resets a collision callback."""


class SpaceCollisions:
    """The collision handlers of Space."""

    _core: Any
    _handlers: dict[Any, CollisionHandler]
    _handler_data: dict[int, dict[Any, Any]]
    _callables: dict[tuple[int, int], Any]

    def _handler(self, kind, name, a=0, b=0):
        found = self._handlers.get((kind, name))
        a, b = _core.check_type(a), _core.check_type(b)
        id_ = self._core.handler(kind, a, b, found._id if found else 0)
        self._handler_data.setdefault(id_, {})
        if found is None:
            found = self._handlers[kind, name] = CollisionHandler(self, (kind, a, b), id_)
        found._id = id_
        return found

    def add_collision_handler(self, collision_type_a: int, collision_type_b: int) -> CollisionHandler:
        """The handler of two collision types: of the same pair always the same. Pymunk 6's name; see on_collision()."""
        return self._handler(_PAIR, frozenset((collision_type_a, collision_type_b)), collision_type_a, collision_type_b)

    def add_wildcard_collision_handler(self, collision_type_a: int) -> CollisionHandler:
        """The handler of a collision type with any other."""
        return self._handler(_ONE, collision_type_a, collision_type_a)

    def add_default_collision_handler(self) -> CollisionHandler:
        """The handler of all pairs that have no other."""
        return self._handler(_ALL, None)

    def on_collision(self, collision_type_a: Optional[int] = None, collision_type_b: Optional[int] = None, begin: _Event = None,
                     pre_solve: _Event = None, post_solve: _Event = None, separate: _Event = None, data: Any = None) -> None:
        """Sets functions (arbiter, space, data) that are called when shapes of two types meet; None: any type.

        All that fit are called: those of both types first, those of any last. begin and pre_solve decide by
        arbiter.process_collision. A function that is None stays as it was; pymunk.empty_callback removes it."""
        a, b = collision_type_a, collision_type_b
        if a is None and b is not None:
            raise _core.Error("Space.on_collision(): found collision_type_b without collision_type_a, expected them swapped")
        kind = _NEW_ALL if a is None else _NEW_ONE if b is None else _NEW_PAIR
        handler = self._handler(kind, (a, b), a or 0, b or 0)
        for name, function in zip(_EVENTS, (begin, pre_solve, post_solve, separate)):
            if function is not None:
                if not callable(function):
                    raise TypeError(f"Space.on_collision({name}=): found {function!r}, expected a callable or None")
                setattr(handler, name, None if function is empty_callback else function)
                handler.data[name] = data

    # Called by the core, in a step.

    def _collide(self, handler, event, arbiter):
        function = self._callables.get((handler, event))
        if function is None:
            return True
        result = function(Arbiter(arbiter, self), self, self._handler_data.setdefault(handler, {}))
        if event < 2 and api_version.major < 7 and not isinstance(result, bool):
            warnings.warn(f"{getattr(function, '__name__', function)} returned {result!r} as {_EVENTS[event]}; expected a bool, "
                          "whether the shapes collide: they do", stacklevel=2)
            return True
        return result

    def _collide_new(self, handler, event, arbiter):
        function = self._callables.get((handler, event))
        if function is not None:
            function(Arbiter(arbiter, self), self, self._handler_data[handler].get(_EVENTS[event]))
