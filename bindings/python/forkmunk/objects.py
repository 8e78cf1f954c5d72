"""Bodies with pymunk's names, and what they share with shapes and joints. Each is a Chipmunk object from the start, in memory
of its own or in a Space's; one that is gone, because a restore went back to before it was added, raises forkmunk.Error."""

from __future__ import annotations

import copy
import weakref
from collections.abc import KeysView, Set
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional, TypeVar, Union

from . import _forkmunk as _core
from . import api_version
from .attributes import attributes_of, set_attributes
from .geometry import Vec2d, Vector, VectorField

if TYPE_CHECKING:
    from .collisions import Arbiter
    from .constraints import Constraint
    from .shapes import Shape
    from .space import Space

_Own = TypeVar("_Own", bound="Object")
_Item = TypeVar("_Item")
_Function = Callable[..., Any]
_VELOCITY, _POSITION, _PRE_SOLVE, _POST_SOLVE, _FORCE = range(5)


class View(_core.ViewCore, Set[_Item]):
    """A live view of a collection, in order of adding. As pymunk's, a KeysView; and it can be indexed and compared with a
    list, too."""

    __slots__ = ()

    @classmethod
    def _from_iterable(cls, found: Iterable[Any]) -> set[Any]:  # type: ignore[override]
        return set(found)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _made, (type(self),), (None, {"_mapping": self._mapping})

    def __getitem__(self, index: Any) -> Any:
        return list(self)[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (list, tuple)):
            return list(self) == list(other)
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Iterable[Any]) -> list[Any]:
        return [*self, *other]

    def __radd__(self, other: Iterable[Any]) -> list[Any]:
        return [*other, *self]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self)})"


KeysView.register(View)


class OrderedSet(set):  # type: ignore[type-arg]
    """A set that is iterated over by age of its objects: by addresses, as a set is, forks would differ from their originals."""

    def __iter__(self) -> Iterator[Any]:
        return iter(sorted(super().__iter__(), key=lambda thing: thing._id))


def _function(event: int, name: str, default: Callable[[Any], Any], doc: str) -> Any:
    """A property that is a function which Chipmunk calls; kept as an attribute, so that it goes with forks and pickles."""
    key = "_" + name

    def get(self):
        return self.__dict__.get(key) or default(type(self))

    def set_(self, function):
        usual = default(type(self))
        if function is not None and not callable(function):
            raise _core.Error(f"{self._kind()}.{name}: found {function!r}, expected a function")
        on = function is not None and function is not usual
        _core.set_function(self, event, on)
        if on:
            self.__dict__[key] = function
            if (space := self.space) is not None:
                space._has_functions = True
        else:
            self.__dict__.pop(key, None)

    return property(get, set_, doc=doc)


def _made(cls: type) -> Any:
    """An object without its __init__: what pickle starts from."""
    return cls.__new__(cls)


class Links:
    """Counts the changes of what is attached to what: without one a Checkpoint has nothing to attach."""

    changes = 0


class Object(_core.ObjectCore):
    """What bodies, shapes and constraints have in common."""

    _rank = 0  # in which order Space.add() adds
    _events: dict[int, str] = {}  # the functions that it may have

    @property
    def space(self) -> Optional[Space]:
        """The Space that it is in, or None."""
        space: Optional[Space] = _core.owner_of(self)
        return space

    def _kind(self):
        return type(self).__name__

    def _bodies(self) -> tuple[Any, ...]:
        """Those that it is attached to."""
        return ()

    def _attach(self):
        """Enters itself with its bodies."""

    def _functions(self):
        return [event for event, key in self._events.items() if key in self.__dict__]

    def copy(self: _Own) -> _Own:
        """A copy in no space; of a shape or joint: on copies of its bodies."""
        return copy.deepcopy(self, {"forkmunk.alone": self})  # type: ignore[dict-item]

    def __copy__(self: _Own) -> _Own:
        """A copy in no space. Of a shape or joint: on the same bodies."""
        twin = type(self).__new__(type(self))
        _core.copy_object(twin, self)
        twin._take(self._bodies(), attributes_of(self))
        return twin

    def __deepcopy__(self: _Own, memo: dict[Any, Any]) -> _Own:
        """Of an object in a space: its twin in a copy of the space. Else: a copy on copies of its bodies."""
        if self._core is not None and "forkmunk.alone" not in memo and (owner := self._core.owner) is not None:
            if _core.is_in(self, self._core):
                copy.deepcopy(owner, memo)
                if id(self) in memo:
                    twin: _Own = memo[id(self)]
                    return twin
        memo[id(self)] = twin = type(self).__new__(type(self))
        _core.copy_object(twin, self)
        twin._take(tuple(copy.deepcopy(body, memo) for body in self._bodies()), copy.deepcopy(attributes_of(self), memo))
        return twin

    def _take(self, bodies, attributes):
        """Completes a copy."""
        for name, body in zip(("_first", "_second"), bodies):
            setattr(self, name, body)
        self._attach()
        set_attributes(self, attributes)
        for event, key in self._events.items():
            _core.set_function(self, event, key in self.__dict__)

    def __reduce_ex__(self, protocol: Any) -> Any:
        owner = None if self._core is None else self._core.owner
        if owner is not None and _core.is_in(self, self._core):
            return _made, (type(self),), (attributes_of(self), owner)
        if not _core.is_made(self):
            return _made, (type(self),), ({}, None)
        return _made, (type(self),), (attributes_of(self), None, *_core.object_bytes(self), self._bodies())

    def __setstate__(self, state: Any) -> None:
        try:
            attributes, owner, *own = state
            set_attributes(self, attributes)
            if own:
                kind, data, bodies = own
                _core.object_from(self, kind, data)
                self._take(bodies, attributes)
        except (TypeError, ValueError) as error:
            raise error if isinstance(error, _core.Error) else _core.Error(f"{type(self).__name__}: its pickle is damaged")


def _field(kind: str, name: str, doc: str, shown: Any = None) -> Any:
    return _core.field(kind, name, doc, shown)


class Body(Object):
    """Body(mass=0, moment=0, body_type=Body.DYNAMIC)

    A rigid body. Position and angle are those of its origin; velocities those of its centre of gravity."""

    DYNAMIC, KINEMATIC, STATIC = 0, 1, 2
    _events = {_VELOCITY: "_velocity_func", _POSITION: "_position_func"}

    def __init__(self, mass: float = 0, moment: float = 0, body_type: int = 0) -> None:
        if body_type not in (0, 1, 2):
            raise _core.Error(f"Body(body_type=): found {body_type!r}, expected Body.DYNAMIC, KINEMATIC or STATIC")
        _core.make(self, {"kind": "Body", "mass": mass, "moment": moment, "body_type": int(body_type)})
        self._shapes = View({})

    mass: float = _field("Body", "mass", "Of a dynamic body; above 0 when the space is stepped.")
    moment: float = _field("Body", "moment", "Moment of inertia, above 0 when the space is stepped; infinity: it never turns.")
    center_of_gravity: VectorField = _field("Body", "center_of_gravity", "In the body's own coordinates.")
    angle: float = _field("Body", "angle", "Radians, counter-clockwise, about the centre of gravity.")
    position: VectorField = _field("Body", "position", "Of the origin.")
    velocity: VectorField = _field("Body", "velocity", "Of the centre of gravity, per second.")
    angular_velocity: float = _field("Body", "angular_velocity", "Radians per second.")
    force: VectorField = _field("Body", "force", "For the next step.")
    torque: float = _field("Body", "torque", "For the next step.")
    rotation_vector: Vec2d = _field("Body", "rotation_vector", "(cos, sin) of the angle.")
    is_sleeping: bool = _field("Body", "is_sleeping", "Whether it sleeps.")
    kinetic_energy: float = _field("Body", "kinetic_energy", "Mass times speed squared, and the same of the rotation; not halved.")

    @staticmethod
    def update_velocity(body: Body, gravity: Vector, damping: float, dt: float) -> None:
        """What Chipmunk does to the velocity in a step, if there is no velocity_func."""
        _core.update_velocity(body, gravity, damping, dt)

    @staticmethod
    def update_position(body: Body, dt: float) -> None:
        """What Chipmunk does to the position in a step, if there is no position_func."""
        _core.update_position(body, dt)

    velocity_func: _Function = _function(
        _VELOCITY, "velocity_func", lambda cls: Body.update_velocity,
        "func(body, gravity, damping, dt), called in each step instead of Body.update_velocity().")
    position_func: _Function = _function(
        _POSITION, "position_func", lambda cls: Body.update_position,
        "func(body, dt), called in each step instead of Body.update_position().")

    @property
    def id(self) -> int:
        """A number that no other body has; of a copy another, but in the fork of a space the same."""
        return self._id

    @property
    def body_type(self) -> int:
        """DYNAMIC, KINEMATIC or STATIC. A body that becomes dynamic has the mass of its shapes. Not in callbacks."""
        return self._body_type

    _body_type: int = _field("Body", "body_type", "")

    @body_type.setter
    def body_type(self, body_type: int) -> None:
        if body_type != Body.DYNAMIC and len(joints := self._attached_joints()):
            others = [body for joint in joints for body in joint._bodies() if body is not self]
            if (self.body_type != Body.DYNAMIC and api_version.major > 6) or any(b.body_type != Body.DYNAMIC for b in others):
                raise _core.Error("Body.body_type: found a joint to a body that nothing moves, or moved this one no more; expected "
                                  "a dynamic body with joints to dynamic bodies")
        _core.set_type(self, body_type)

    def _kind(self):
        return "Body"

    def __repr__(self) -> str:
        try:
            kind = ("DYNAMIC", "KINEMATIC", "STATIC")[self.body_type]
            return f"Body({self.mass}, {self.moment}, Body.DYNAMIC)" if kind == "DYNAMIC" else f"Body(Body.{kind})"
        except _core.Error:
            return "<forkmunk.Body that is in no state>"

    def _attach(self):
        if self._shapes is None and self._core is None:
            self._shapes = View({})

    def _attached_shapes(self):
        if self._shapes is None and (owner := self._core and self._core.owner) is not None:
            self._shapes = View({owner._wrap(id_): None for id_ in sorted(self._core.shapes_of(self._id))})
        return View({}) if self._shapes is None else self._shapes

    def _attached_joints(self):
        if self._joints is None:
            self._joints = WeakKeysView(weakref.WeakKeyDictionary())
            if (owner := self._core and self._core.owner) is not None and _core.is_in(self, self._core):
                for id_ in sorted(self._core.constraints_of(self._id)):
                    self._joints._mapping[owner._wrap(id_)] = None
        return self._joints

    @property
    def shapes(self) -> View[Shape]:
        """Those that are attached to it, in a space or not. (Version 6: a set.)"""
        view = self._shapes or self._attached_shapes()
        return view if api_version.major > 6 else OrderedSet(view)

    @property
    def constraints(self) -> View[Constraint]:
        """The joints that are attached to it, in a space or not, as long as they are in use. (Version 6: a set.)"""
        view = self._attached_joints()
        return view if api_version.major > 6 else OrderedSet(view)  # type: ignore[return-value]

    def local_to_world(self, v: Vector) -> Vec2d:
        """World coordinates of a point in the body's own."""
        return _core.local_to_world(self, v)

    def world_to_local(self, v: Vector) -> Vec2d:
        """The reverse."""
        return _core.world_to_local(self, v)

    def velocity_at_world_point(self, point: Vector) -> Vec2d:
        return _core.velocity_at_world_point(self, point)

    def velocity_at_local_point(self, point: Vector) -> Vec2d:
        return _core.velocity_at_local_point(self, point)

    def apply_force_at_world_point(self, force: Vector, point: Vector) -> None:
        """For the next step."""
        _core.push(self, False, False, force, point)

    def apply_force_at_local_point(self, force: Vector, point: Vector = (0, 0)) -> None:
        """For the next step; force and point in the body's own coordinates."""
        _core.push(self, False, True, force, point)

    def apply_impulse_at_world_point(self, impulse: Vector, point: Vector) -> None:
        """At once."""
        _core.push(self, True, False, impulse, point)

    def apply_impulse_at_local_point(self, impulse: Vector, point: Vector = (0, 0)) -> None:
        """At once; impulse and point in the body's own coordinates."""
        _core.push(self, True, True, impulse, point)

    def activate(self) -> None:
        """Wakes a sleeping body and what it touches."""
        _core.activate(self)

    def sleep(self) -> None:
        """Puts the body to sleep at once. The space must have a sleep_time_threshold."""
        _core.sleep(self, None)

    def sleep_with_group(self, body: Body) -> None:
        """Puts it to sleep together with a body that sleeps: both wake at once."""
        _core.sleep(self, body)

    def each_arbiter(self, func: Callable[..., None], *args: Any, **kwargs: Any) -> None:
        """Calls func(arbiter, ...) for each of its contacts."""
        space = self.space
        if space is not None:
            space._each_arbiter(self, lambda arbiter: func(arbiter, *args, **kwargs))


class WeakKeysView(View[_Item]):
    """A live view of what others hold; a body's joints."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _made, (type(self),), list(self)

    def __setstate__(self, keys: list[Any]) -> None:
        self._mapping = weakref.WeakKeyDictionary(dict.fromkeys(keys))
