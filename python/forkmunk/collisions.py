"""Collision handlers, and the arbiters that they get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional

from .contacts import ContactPointSet, _contacts
from .geometry import Vec2d, VectorField

if TYPE_CHECKING:
    from .objects import Body
    from .shapes import Shape
    from .space import Space

_EVENTS = ("begin", "pre_solve", "post_solve", "separate")


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
        """Where the shapes touch."""
        return _contacts(*self._core.contact_points)

    def _part(name: str, doc: str) -> Any:  # type: ignore[misc]  # noqa: N805
        return property(lambda self: getattr(self._core, name), lambda self, v: setattr(self._core, name, v), doc=doc)

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


class CollisionHandler:
    """What is called when shapes meet: begin and pre_solve (arbiter, space, data) -> bool, post_solve and separate
    -> None. What is set here is part of the Space's state: save() keeps it, fork() takes it along."""

    def __init__(self, space: Space, key: tuple[int, int, int], id_: int) -> None:
        self._space, self._key, self._id = space, key, id_

    @property
    def data(self) -> dict[Any, Any]:
        """The handler's own, given to its functions; of the Space, not of its state."""
        return self._space._handler_data.setdefault(self._id, {})

    def _event(event: int) -> Any:  # type: ignore[misc]  # noqa: N805
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

    begin: Optional[Callable[[Arbiter, Space, dict[Any, Any]], Any]] = _event(0)
    pre_solve: Optional[Callable[[Arbiter, Space, dict[Any, Any]], Any]] = _event(1)
    post_solve: Optional[Callable[[Arbiter, Space, dict[Any, Any]], None]] = _event(2)
    separate: Optional[Callable[[Arbiter, Space, dict[Any, Any]], None]] = _event(3)
    del _event
