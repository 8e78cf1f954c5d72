"""What happens between shapes: what queries find, what collision handlers are given."""

from __future__ import annotations

from typing import Any, NamedTuple

from .geometry import Vec2d

_EVENTS = ("begin", "pre_solve", "post_solve", "separate")


class PointQueryInfo(NamedTuple):
    """What a point query found: the shape, its point nearest, the distance (negative: inside), its gradient."""

    shape: Any
    point: Vec2d
    distance: float
    gradient: Vec2d


class SegmentQueryInfo(NamedTuple):
    """What a segment query found: the shape, where the line enters it, the surface's normal, how far on the way."""

    shape: Any
    point: Vec2d
    normal: Vec2d
    alpha: float


class ContactPoint(NamedTuple):
    """A point on each shape's surface, and their distance: negative where they overlap."""

    point_a: Vec2d
    point_b: Vec2d
    distance: float


class ContactPointSet(NamedTuple):
    """How two shapes touch."""

    normal: Vec2d
    points: list


class ShapeQueryInfo(NamedTuple):
    """A shape that overlaps, and how."""

    shape: Any
    contact_point_set: ContactPointSet


def _contacts(normal, points):
    return ContactPointSet(Vec2d(*normal), [ContactPoint(Vec2d(*a), Vec2d(*b), d) for a, b, d in points])


class Arbiter:
    """What two shapes have to do with each other: what collision handlers are given, for the time of the call."""

    def __init__(self, core, space):
        self._core, self._space = core, space

    @property
    def shapes(self) -> tuple:
        """The two shapes, in the order of the handler's collision types."""
        return tuple(self._space._wrap(id_) for id_ in self._core.shape_ids)

    @property
    def bodies(self) -> tuple:
        return tuple(shape.body for shape in self.shapes)

    @property
    def contact_point_set(self) -> ContactPointSet:
        return _contacts(*self._core.contact_points)

    def _part(name, shown=lambda value: value, doc=""):  # noqa: N805
        return property(lambda self: shown(getattr(self._core, name)), lambda self, v: setattr(self._core, name, v), doc=doc)

    restitution = _part("restitution")
    friction = _part("friction")
    surface_velocity = _part("surface_velocity", lambda v: Vec2d(*v))
    total_impulse = _part("total_impulse", lambda v: Vec2d(*v))
    total_ke = _part("total_ke")
    normal = _part("normal", lambda v: Vec2d(*v))
    is_first_contact = _part("is_first_contact")
    is_removal = _part("is_removal")
    del _part

    def ignore(self) -> bool:
        """The pair does not collide until it has separated."""
        return self._core.ignore()


class CollisionHandler:
    """What is called when shapes meet: begin and pre_solve (arbiter, space, data) -> bool, post_solve and separate
    -> None. What is set here is part of the Space's state: save() keeps it, fork() takes it along."""

    def __init__(self, space, key, id_):
        self._space, self._key, self._id = space, key, id_

    @property
    def data(self) -> dict:
        """The handler's own, given to its functions; of the Space, not of its state."""
        return self._space._handler_data.setdefault(self._id, {})

    def _event(event):  # noqa: N805
        def get(self):
            return self._space._callables.get((self._id, event))

        def set_(self, function):
            if function is not None and not callable(function):
                raise TypeError(f"CollisionHandler.{_EVENTS[event]}: found {function!r}, expected a callable or None")
            self._id = self._space._core.handler(*self._key, self._id)  # a restore may have forgotten it
            self._space._core.listen(*self._key, _EVENTS[event], function is not None)
            callables = dict(self._space._callables)  # snapshots keep the old one
            callables.pop((self._id, event), None)
            if function is not None:
                callables[self._id, event] = function
            self._space._callables = callables

        return property(get, set_)

    begin, pre_solve, post_solve, separate = _event(0), _event(1), _event(2), _event(3)
    del _event
