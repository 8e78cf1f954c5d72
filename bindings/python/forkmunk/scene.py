# SPDX-License-Identifier: MIT
"""Scenes with pymunk's names: Space, its bodies, shapes, joints and collision handlers, and its states.

Each body, shape and joint is a Chipmunk object from the start, in memory of its own or in a Space's. An object that is gone,
because a restore went back to before it was added, raises forkmunk.Error."""

from __future__ import annotations

import copy
import functools
import types
import warnings
import weakref
from collections.abc import KeysView
from typing import Any, Callable, Hashable, Iterator, Optional, Sequence, TypeVar

import numpy as np

from . import _forkmunk as _core
from . import api_version
from .drawing_options import draw_space
from .geometry import (
    BB,
    ContactPointSet,
    FilterField,
    PointQueryInfo,
    SegmentQueryInfo,
    ShapeFilter,
    ShapeQueryInfo,
    Transform,
    Vec2d,
    Vector,
    VectorField,
    _contacts,
)

_Own = TypeVar("_Own", bound="Object")
_OwnSpace = TypeVar("_OwnSpace", bound="Space")
_Function = Callable[..., Any]
_JointFunction = Optional[Callable[["Constraint", "Space"], None]]
_VELOCITY, _POSITION, _PRE_SOLVE, _POST_SOLVE, _FORCE = range(5)


# What a program has given an object: its __dict__ and the __slots__ of its classes, as one dict by name.


@functools.lru_cache(maxsize=1024)
def slots_of(cls: type) -> dict[str, Any]:
    """Returns the descriptors of a class's __slots__ by name, those with a private name by their full name."""
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
    """Returns the values of the slots that have one."""
    found = {}
    for name, slot in slots_of(type(thing)).items():
        try:
            found[name] = slot.__get__(thing)
        except AttributeError:
            pass
    return found


def set_slots(thing: Any, values: dict[str, Any]) -> None:
    """Gives the slots these values, and empties the others."""
    for name, slot in slots_of(type(thing)).items():
        if name in values:
            slot.__set__(thing, values[name])
        else:
            try:
                slot.__delete__(thing)
            except AttributeError:
                pass


def attributes_of(thing: Any) -> dict[str, Any]:
    """Returns a new dict of all attributes; those in slots come last."""
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


def _value(thing: Any, memo: dict[int, Any]) -> Any:
    """Returns an attribute as save() keeps it: containers and arrays are copied, each once, all else is the same object."""
    kind = type(thing)
    if kind not in _CONTAINERS:
        return thing
    if (found := memo.get(id(thing))) is not None:
        return found[1]
    if kind is list:
        made: Any = []
        memo[id(thing)] = thing, made  # the thing, too, so that its id is not another's
        made.extend(_value(item, memo) for item in thing)
    elif kind is dict:
        made = {}
        memo[id(thing)] = thing, made
        made.update((key, _value(value, memo)) for key, value in thing.items())
    else:
        made = tuple([_value(item, memo) for item in thing]) if kind is tuple else thing.copy()
        memo.setdefault(id(thing), (thing, made))
    return made


def _values(thing: Any, memo: dict[int, Any]) -> dict[str, Any]:
    return {name: _value(value, memo) for name, value in thing.items()}


_CONTAINERS = frozenset((list, dict, tuple, set, bytearray, np.ndarray))


def _overrides(cls: type, name: str) -> bool:
    """Returns whether a class that is derived from the package's has its own method of that name."""
    return getattr(getattr(cls, name), "__module__", __name__) != __name__


def _set_state(thing: Any, attributes: Any) -> None:
    """Gives a copy the attributes, or what the __getstate__ of its class returned, by its __setstate__."""
    if _overrides(type(thing), "__setstate__"):
        thing.__setstate__(attributes)
    elif isinstance(attributes, tuple) and len(attributes) == 2:  # as object.__getstate__ returns them
        set_attributes(thing, {**(attributes[0] or {}), **(attributes[1] or {})})
    else:
        set_attributes(thing, attributes or {})


def _made(cls: type) -> Any:
    """Makes an object without its __init__: what pickle starts from."""
    return cls.__new__(cls)


def _set_object(thing: Any, state: Any) -> None:
    """Completes an object of a pickle. A subclass may have its own __setstate__, which is for what its __getstate__ gave."""
    if not isinstance(thing, (Object, Space)):
        raise _core.Error(f"found {thing!r} in a pickle, expected an object of forkmunk's: the pickle is damaged")
    thing._set_pickled(state)


def _refuse_pymunks(thing: Any, state: Any) -> None:
    if isinstance(state, dict) and {"init", "general"} <= state.keys():
        raise _core.Error(f"{type(thing).__name__}: found a pickle that pymunk made, expected one that forkmunk made; make the "
                          "objects again from their values")


class OrderedSet(set):  # type: ignore[type-arg]
    """A set that is iterated over by the age of its objects: by addresses, as a set is, forks would differ from their originals."""

    def __iter__(self) -> Iterator[Any]:
        return iter(sorted(super().__iter__(), key=lambda thing: thing._id))


class View(KeysView):  # type: ignore[type-arg]
    """A live view of what a Space or a body has. Its copy is the same view of its owner's copy."""

    __slots__ = ("_owner", "_get")

    def __init__(self, owner: Any, get: Callable[[Any], Any]) -> None:
        self._owner, self._get = owner, get

    @property
    def _mapping(self) -> Any:  # type: ignore[override]
        return self._get(self._owner)

    def __len__(self) -> int:
        return len(self._get(self._owner))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._get(self._owner))

    def __contains__(self, thing: object) -> bool:
        return thing in self._get(self._owner)

    def __reduce__(self) -> Any:
        return View, (self._owner, self._get)

    def __repr__(self) -> str:
        return f"View({list(self)!r})"


# A View is pickled with its function: by name.


def _all_bodies(space: Any) -> Any:
    return space._lists[0] or space._all(0)


def _all_shapes(space: Any) -> Any:
    return space._lists[1] or space._all(1)


def _all_constraints(space: Any) -> Any:
    return space._lists[2] or space._all(2)


class _Nothing:
    pass


_no_space = weakref.ref(_Nothing())  # dead


class Links:
    """Counts the changes of what is attached to what. A Checkpoint re-attaches objects only after a change."""

    changes = 0


def _field(doc: str, shown: Any = None) -> Any:
    """Returns a property that Chipmunk's object has; `shown` makes of its value what Python is given."""
    return _core.Field(doc, shown)


def _function(event: int, default: Any, doc: str) -> Any:
    """Returns a property that is a function which Chipmunk calls.

    The function is an attribute of the object, so that it goes with forks and pickles."""

    default = getattr(default, "__func__", default)  # of a static method

    def get(self):
        return self.__dict__.get(self._events[event], default)

    def set_(self, function):
        key = self._events[event]
        if function is not None and not callable(function):
            raise _core.Error(f"{self._kind}.{key[1:]}: found {function!r}, expected a function")
        on = function is not None and function is not default
        _core.change_function(self, event, on)
        if on:
            self.__dict__[key] = function
            if (space := self.space) is not None:
                space._has_functions = True
        else:
            self.__dict__.pop(key, None)

    return property(get, set_, doc=doc)


class Object(_core.ObjectCore):
    """The members that bodies, shapes and constraints have in common."""

    _rank = 0  # the order in which Space.add() adds
    _kind = ""
    _events: dict[int, str] = {}  # the functions that it may have

    @property
    def space(self) -> Optional[Space]:
        """The Space that the object is in, or None."""
        space: Optional[Space] = _core.owner_of(self)
        return space

    @property
    def _space(self) -> Any:
        """The space, by pymunk's name: a weak reference, or the Space itself by version 6."""
        space = self.space
        if api_version.major < 7:
            return space
        return _no_space if space is None else weakref.ref(space)

    def _bodies(self) -> tuple[Any, ...]:
        """Returns the bodies that the object is attached to."""
        return ()

    def _attach(self):
        """Enters the object with its bodies."""

    def _functions(self):
        return [event for event, key in self._events.items() if key in self.__dict__]

    def copy(self: _Own) -> _Own:
        """Returns a copy that is in no space. A shape or joint is copied with its bodies."""
        return copy.deepcopy(self, {"forkmunk.alone": self})  # type: ignore[dict-item]

    def __copy__(self: _Own) -> _Own:
        """Returns a copy that is in no space. A shape or joint is on the same bodies."""
        twin = type(self).__new__(type(self))
        _core.copy_object(twin, self)
        twin._take(self._bodies(), attributes_of(self))
        return twin

    def __deepcopy__(self: _Own, memo: dict[Any, Any]) -> _Own:
        """Returns the twin of an object in a copy of its space; of an object in no space a copy on copies of its bodies."""
        if self._core is not None and "forkmunk.alone" not in memo and (owner := self._core.owner) is not None:
            if _core.is_in(self, self._core):
                is_first = id(owner) not in memo
                home = copy.deepcopy(owner, memo)
                if id(self) in memo:
                    twin: _Own = memo[id(self)]
                    if is_first:
                        twin._home = home  # perhaps nothing else keeps it
                    return twin
        memo[id(self)] = twin = type(self).__new__(type(self))
        _core.copy_object(twin, self)
        bodies = tuple(copy.deepcopy(body, memo) for body in self._bodies())
        twin._take(bodies, copy.deepcopy(self.__getstate__(), memo))
        return twin

    def _take(self, bodies, attributes):
        """Completes a copy."""
        for name, body in zip(("_first", "_second"), bodies):
            setattr(self, name, body)
        self._attach()
        _set_state(self, attributes)
        for event, key in self._events.items():
            _core.set_function(self, event, key in self.__dict__)

    def __getstate__(self) -> Any:
        """Returns what copies and pickles have of the object's attributes."""
        return attributes_of(self)

    def __setstate__(self, state: Any) -> None:
        _refuse_pymunks(self, state)
        _set_state(self, state)

    def __reduce_ex__(self, protocol: Any) -> Any:
        owner = None if self._core is None else self._core.owner
        if owner is not None and _core.is_in(self, self._core):
            state: tuple[Any, ...] = (self.__getstate__(), owner)
        elif not _core.is_made(self):
            state = ({}, None)
        else:
            state = (self.__getstate__(), None, *_core.object_bytes(self), self._bodies())
        return _made, (type(self),), state, None, None, _set_object

    def _set_pickled(self, state):
        try:
            attributes, owner, *own = state
            if own:
                kind, data, bodies = own
                _core.object_from(self, kind, data)
                self._take(bodies, attributes)
            else:
                self._home = owner  # perhaps nothing else keeps it
                _set_state(self, attributes)
        except (TypeError, ValueError) as error:
            raise error if isinstance(error, _core.Error) else _core.Error(f"{type(self).__name__}: its pickle is damaged")


class Body(Object):
    """Body(mass=0, moment=0, body_type=Body.DYNAMIC)

    A rigid body. Its shapes give it a form, and forces, impulses and contacts move it.

    A dynamic body needs a mass and a moment above 0 before the space is stepped: set both, or give its shapes a mass or
    density. KINEMATIC bodies move by their velocity alone; STATIC ones stay where they are."""

    DYNAMIC, KINEMATIC, STATIC = 0, 1, 2
    _kind = "Body"
    _events = {_VELOCITY: "_velocity_func", _POSITION: "_position_func"}

    def __init__(self, mass: float = 0, moment: float = 0, body_type: int = 0) -> None:
        _core.make(self, {"kind": "Body", "mass": mass, "moment": moment, "body_type": body_type})
        self._shapes = {}

    mass: float = _field("The mass of a dynamic body: above 0 when the space is stepped.")
    moment: float = _field("The moment of inertia of a dynamic body: above 0 when the space is stepped.\n\nAn infinite moment keeps "
                           "the body from turning. moment_for_circle() and its like compute moments.")
    center_of_gravity: VectorField = _field("The centre of gravity, in the body's own coordinates.")
    angle: float = _field("The angle in radians, counter-clockwise. The body turns about its centre of gravity.")
    position: VectorField = _field("The position of the body's origin.\n\nA body that is moved to where it overlaps another one is "
                                   "pushed out in the next steps. After moving a static body call Space.reindex_static().")
    velocity: VectorField = _field("The velocity of the centre of gravity, per second.")
    angular_velocity: float = _field("The angular velocity in radians per second.")
    force: VectorField = _field("The force on the centre of gravity in the next step, which resets it.")
    torque: float = _field("The torque in the next step, which resets it.")
    rotation_vector: Vec2d = _field("The vector (cos, sin) of the angle.")
    is_sleeping: bool = _field("Whether the body sleeps.")
    kinetic_energy: float = _field("The mass times the squared speed, plus the same of the rotation. (Chipmunk does not halve it.)")

    @staticmethod
    def update_velocity(body: Body, gravity: Vector, damping: float, dt: float) -> None:
        """Changes the velocity as a step does where the body has no velocity_func."""
        _core.update_velocity(body, gravity, damping, dt)

    @staticmethod
    def update_position(body: Body, dt: float) -> None:
        """Changes the position as a step does where the body has no position_func."""
        _core.update_position(body, dt)

    velocity_func: _Function = _function(
        _VELOCITY, update_velocity, "func(body, gravity, damping, dt), which a step calls instead of Body.update_velocity().")
    position_func: _Function = _function(
        _POSITION, update_position, "func(body, dt), which a step calls instead of Body.update_position().")

    @property
    def id(self) -> int:
        """A number that no other body has. A copy of the body has another id; its twin in a fork of the space has the same."""
        return self._id

    @property
    def body_type(self) -> int:
        """DYNAMIC, KINEMATIC or STATIC. A body that becomes dynamic has the mass of its shapes. Not to be set in callbacks."""
        return self._body_type

    _body_type: int = _field("")

    @body_type.setter
    def body_type(self, body_type: int) -> None:
        if body_type != Body.DYNAMIC and len(joints := [joint for joint in self._attached_joints() if joint.space is self.space]):
            others = [body for joint in joints for body in joint._bodies() if body is not self]
            if (self.body_type != Body.DYNAMIC and api_version.major > 6) or any(b.body_type != Body.DYNAMIC for b in others):
                raise _core.Error("Body.body_type: found a joint to a body that nothing moves, or moved this one no more; expected "
                                  "a dynamic body with joints to dynamic bodies")
        _core.set_type(self, body_type)

    def __repr__(self) -> str:
        try:
            kind = ("DYNAMIC", "KINEMATIC", "STATIC")[self.body_type]
            return f"Body({self.mass}, {self.moment}, Body.DYNAMIC)" if kind == "DYNAMIC" else f"Body(Body.{kind})"
        except _core.Error:
            return "<forkmunk.Body that is in no state>"

    def _attach(self):
        if self._shapes is None and self._core is None:
            self._shapes = {}

    @property
    def _constraints(self) -> Any:
        joints = self._attached_joints()
        return joints if api_version.major > 6 else set(joints)

    def _attached_shapes(self):
        if self._shapes is None:
            owner = self._core and self._core.owner
            self._shapes = {} if owner is None else {owner._wrap(id_): None for id_ in sorted(self._core.shapes_of(self._id))}
        return self._shapes

    def _attached_joints(self):
        if self._joints is None:
            self._joints = weakref.WeakKeyDictionary()
            if (owner := self._core and self._core.owner) is not None and _core.is_in(self, self._core):
                for id_ in sorted(self._core.constraints_of(self._id)):
                    self._joints[owner._wrap(id_)] = None
        return self._joints

    @property
    def shapes(self) -> KeysView[Shape]:
        """The shapes that are attached to the body, in a space or not: a live view. (Version 6: a set.)"""
        return View(self, Body._attached_shapes)

    @property
    def constraints(self) -> KeysView[Constraint]:
        """The joints that are attached to the body, in a space or not: a live view. (Version 6: a set.)

        The body does not keep a joint alive that is in no space."""
        return View(self, Body._attached_joints)

    def local_to_world(self, v: Vector) -> Vec2d:
        """Returns the world coordinates of a point in the body's own coordinates."""
        return _core.local_to_world(self, v)

    def world_to_local(self, v: Vector) -> Vec2d:
        """Returns the body's own coordinates of a point in world coordinates."""
        return _core.world_to_local(self, v)

    def velocity_at_world_point(self, point: Vector) -> Vec2d:
        """Returns the velocity of the body at a point in world coordinates."""
        return _core.velocity_at_world_point(self, point)

    def velocity_at_local_point(self, point: Vector) -> Vec2d:
        """Returns the velocity of the body at a point in its own coordinates."""
        return _core.velocity_at_local_point(self, point)

    def apply_force_at_world_point(self, force: Vector, point: Vector) -> None:
        """Adds a force at a point, both in world coordinates, for the next step."""
        _core.push(self, False, False, force, point)

    def apply_force_at_local_point(self, force: Vector, point: Vector = (0, 0)) -> None:
        """Adds a force at a point, both in the body's own coordinates, for the next step."""
        _core.push(self, False, True, force, point)

    def apply_impulse_at_world_point(self, impulse: Vector, point: Vector) -> None:
        """Changes the velocity at once by an impulse at a point, both in world coordinates."""
        _core.push(self, True, False, impulse, point)

    def apply_impulse_at_local_point(self, impulse: Vector, point: Vector = (0, 0)) -> None:
        """Changes the velocity at once by an impulse at a point, both in the body's own coordinates."""
        _core.push(self, True, True, impulse, point)

    def activate(self) -> None:
        """Wakes a sleeping body and what it touches."""
        _core.activate(self)

    def sleep(self) -> None:
        """Puts the body to sleep at once. The space must have a sleep_time_threshold."""
        _core.sleep(self, None)

    def sleep_with_group(self, body: Body) -> None:
        """Puts the body to sleep together with a body that sleeps: both wake at once."""
        _core.sleep(self, body)

    def each_arbiter(self, func: Callable[..., None], *args: Any, **kwargs: Any) -> None:
        """Calls func(arbiter, ...) for each contact of the body."""
        space = self.space
        if space is not None:
            space._each_arbiter(self, lambda arbiter: func(arbiter, *args, **kwargs))


class Shape(Object):
    """A piece of a body that collides. The classes to make shapes of are Circle, Segment and Poly."""

    _rank = 1
    _kind = "Shape"

    def _make(self, body: Optional[Body], **geometry: Any) -> None:
        if body is not None and not isinstance(body, Body):
            raise TypeError(f"{self._kind}(body): found {body!r}, expected a Body or None")
        self._first = body
        _core.make(self, {"kind": self._kind, **geometry})
        self._attach()

    friction: float = _field("The coefficient of friction, 0 or more. Chipmunk multiplies those of both shapes.")
    elasticity: float = _field("The elasticity, 0 or more; 1 bounces fully. Chipmunk multiplies those of both shapes.")
    sensor: bool = _field("Whether the shape only calls collision handlers, and does not push.")
    collision_type: int = _field("A whole number that collision handlers select shapes by.")
    surface_velocity: VectorField = _field("The velocity of the surface, as of a conveyor belt.")
    filter: FilterField = _field("The ShapeFilter that decides which shapes the shape meets.", lambda value: ShapeFilter(*value))
    mass: float = _field("The mass of the shape. The mass of the body is the sum of its shapes' masses, unless all are 0.")
    density: float = _field("The mass divided by the area. Setting it sets the mass.")
    area: float = _field("The area.")
    moment: float = _field("The moment of inertia of a shape with a mass.")
    center_of_gravity: Vec2d = _field("The centre of gravity, in the body's coordinates.")
    bb: BB = _field("The box around the shape, as of the last step, cache_bb() or update().", lambda value: BB(*value))

    def _bodies(self):
        if self._first is None and self._core is not None and (owner := self._core.owner) is not None:
            self._first = owner._wrap(*_core.bodies_of(self))
        return () if self._first is None else (self._first,)

    def _attach(self):
        Links.changes += 1
        if self._first is not None:
            self._first._attached_shapes()[self] = None

    @property
    def _body(self) -> Any:
        """The body, by pymunk's name: a weak reference, or the Body itself by version 6."""
        body = self.body
        return body if api_version.major < 7 else _no_space if body is None else weakref.ref(body)

    @property
    def body(self) -> Any:
        """The Body that the shape is attached to, or None. It can be set while the shape is in no space."""
        return self._first or next(iter(self._bodies()), None)

    @body.setter
    def body(self, body: Optional[Body]) -> None:
        if self.space is not None:
            raise _core.Error("Shape.body: found a shape in a space, expected it to be removed before it changes its body")
        if body is not None and not isinstance(body, Body):
            raise TypeError(f"Shape.body: found {body!r}, expected a Body or None")
        if self._first is not None:
            self._first._attached_shapes().pop(self, None)
        self._first = body
        _core.renew_id(self)  # it is the body's last, in copies too
        self._attach()

    def cache_bb(self) -> BB:
        """Moves the shape to where its body is, and returns the box around it."""
        return BB(*_core.cache_bb(self))

    def update(self, transform: Transform) -> BB:
        """Moves a shape, such as one without a body, and returns the box around it."""
        return BB(*_core.update_bb(self, transform))

    def point_query(self, p: Vector) -> PointQueryInfo:
        """Returns the nearest point of the shape. A negative distance is inside."""
        return PointQueryInfo(self, *_core.shape_point_query(self, p))

    def segment_query(self, start: Vector, end: Vector, radius: float = 0) -> Optional[SegmentQueryInfo]:
        """Returns where a thick line meets the shape, or None. (Version 6: an info without a shape.)"""
        met, *info = _core.shape_segment_query(self, start, end, radius)
        return SegmentQueryInfo(self if met else None, *info) if met or api_version.major < 7 else None

    def shapes_collide(self, b: Shape) -> ContactPointSet:
        """Returns where the shape overlaps another one."""
        return _contacts(*_core.shapes_collide(self, b))

    def __repr__(self) -> str:
        return f"<forkmunk.{self._kind} of {self._first!r}>"


class Circle(Shape):
    """Circle(body, radius, offset=(0, 0))"""

    _kind = "Circle"

    def __init__(self, body: Optional[Body], radius: float, offset: Vector = (0, 0)) -> None:
        self._make(body, radius=radius, offset=offset)

    radius: float = _field("The radius.")
    offset: Vec2d = _field("The centre, in the body's coordinates.")

    def unsafe_set_radius(self, r: float) -> None:
        """Sets the radius. The surface moves without a velocity, so that others may overlap it."""
        _core.set_radius(self, r)

    def unsafe_set_offset(self, o: Vector) -> None:
        """Sets the offset. The surface moves without a velocity, so that others may overlap it."""
        _core.set_offset(self, o)


class Segment(Shape):
    """Segment(body, a, b, radius): a line with rounded ends."""

    _kind = "Segment"

    def __init__(self, body: Optional[Body], a: Vector, b: Vector, radius: float) -> None:
        self._make(body, a=a, b=b, radius=radius)

    a: Vec2d = _field("The first end, in the body's coordinates.")
    b: Vec2d = _field("The second end, in the body's coordinates.")
    radius: float = _field("Half of the line's thickness.")
    normal: Vec2d = _field("The normal of the line, in the body's coordinates.")

    def unsafe_set_endpoints(self, a: Vector, b: Vector) -> None:
        """Sets both ends. The surface moves without a velocity, so that others may overlap it."""
        _core.set_endpoints(self, a, b)

    def unsafe_set_radius(self, r: float) -> None:
        """Sets the radius. The surface moves without a velocity, so that others may overlap it."""
        _core.set_radius(self, r)

    def set_neighbors(self, prev: Vector, next: Vector) -> None:  # noqa: A002
        """Sets the ends of the segments before and behind this one, so that nothing catches on the joints between them."""
        _core.set_neighbors(self, prev, next)


class Poly(Shape):
    """Poly(body, vertices, transform=None, radius=0): the convex hull of the vertices."""

    _kind = "Poly"

    def __init__(self, body: Optional[Body], vertices: Sequence[Vector], transform: Optional[Transform] = None,
                 radius: float = 0) -> None:
        self._make(body, vertices=vertices, transform=transform, radius=radius)

    radius: float = _field("The radius of the rounded corners.")
    _vertices: list[Vec2d] = _field("")

    def get_vertices(self) -> list[Vec2d]:
        """Returns the vertices in the body's coordinates."""
        return self._vertices

    def unsafe_set_vertices(self, vertices: Sequence[Vector], transform: Optional[Transform] = None) -> None:
        """Sets the vertices, counter-clockwise; with a transform, their hull.

        The surface moves without a velocity, so that others may overlap it."""
        _core.set_vertices(self, vertices, transform)

    def unsafe_set_radius(self, radius: float) -> None:
        """Sets the radius. The surface moves without a velocity, so that others may overlap it."""
        _core.set_radius(self, radius)

    @staticmethod
    def create_box(body: Optional[Body], size: Vector = (10, 10), radius: float = 0) -> Poly:
        """Makes a box (width, height) around the body's origin."""
        box = Poly.__new__(Poly)
        box._make(body, size=size, radius=radius)
        return box

    @staticmethod
    def create_box_bb(body: Optional[Body], bb: BB, radius: float = 0) -> Poly:
        """Makes a box in the body's coordinates."""
        box = Poly.__new__(Poly)
        box._make(body, bb=bb, radius=radius)
        return box


class Constraint(Object):
    """A joint between two bodies. The classes to make joints of are the ten below."""

    _rank = 2
    _kind = "Constraint"
    _events = {_PRE_SOLVE: "_pre_solve", _POST_SOLVE: "_post_solve"}

    def _make(self, a: Body, b: Body, **own: Any) -> None:
        for body in (a, b):
            if not isinstance(body, Body):
                raise TypeError(f"{self._kind}: found {body!r}, expected two bodies")
        if a.body_type != Body.DYNAMIC and b.body_type != Body.DYNAMIC:
            raise _core.Error(f"{self._kind}: found two bodies that nothing moves, expected at least one dynamic body")
        self._first, self._second = a, b
        _core.make(self, {"kind": self._kind, **own})
        self._attach()

    max_force: float = _field("The largest force that the joint applies, 0 or more. Infinity, the default, sets no limit.")
    error_bias: float = _field("The fraction of the joint error that remains after one second.\n\n0 corrects errors at once; the "
                               "default, 0.9^60, corrects most of the error in one second.")
    max_bias: float = _field("The largest speed at which the joint corrects errors. Infinity, the default, sets no limit.")
    collide_bodies: bool = _field("Whether the two bodies collide with each other.")
    impulse: float = _field("The impulse that the joint applied in the last step. Divided by the time step it is the force.")
    pre_solve: _JointFunction = _function(
        _PRE_SOLVE, None, "func(constraint, space), which a step calls before it solves the joint; None: no function.")
    post_solve: _JointFunction = _function(
        _POST_SOLVE, None, "func(constraint, space), which a step calls after it has solved the joint; None: no function.")

    def _bodies(self):
        if self._first is None and self._core is not None and (owner := self._core.owner) is not None:
            self._first, self._second = map(owner._wrap, _core.bodies_of(self))
        return () if self._first is None else (self._first, self._second)

    def _two_bodies(self):
        bodies = self._bodies()
        if not bodies:
            raise _core.Error(f"{self._kind}: found one without bodies, as its space is gone; make a new one")
        return bodies

    def _attach(self):
        Links.changes += 1
        for body in self._two_bodies():
            body._attached_joints()[self] = None

    @property
    def a(self) -> Body:
        """The first body."""
        body: Body = self._two_bodies()[0]
        return body

    @property
    def b(self) -> Body:
        """The second body."""
        body: Body = self._two_bodies()[1]
        return body

    def __repr__(self) -> str:
        bodies = f" of {self._first!r} and {self._second!r}" if self._first is not None else ""
        return f"<forkmunk.{self._kind}{bodies}>"

    def activate_bodies(self) -> None:
        """Wakes both bodies."""
        for body in self._bodies():
            body.activate()


class PinJoint(Constraint):
    """PinJoint(a, b, anchor_a=(0, 0), anchor_b=(0, 0)): keeps the anchors as far apart as they are when it is made."""

    _kind = "PinJoint"

    def __init__(self, a: Body, b: Body, anchor_a: Vector = (0, 0), anchor_b: Vector = (0, 0)) -> None:
        self._make(a, b, anchor_a=anchor_a, anchor_b=anchor_b)

    anchor_a: VectorField = _field("The anchor on body a, in a's coordinates.")
    anchor_b: VectorField = _field("The anchor on body b, in b's coordinates.")
    distance: float = _field("The distance that the joint keeps: at first that of the anchors when the joint is made.")


class SlideJoint(Constraint):
    """SlideJoint(a, b, anchor_a, anchor_b, min, max): keeps the distance of the anchors between min and max."""

    _kind = "SlideJoint"

    def __init__(self, a: Body, b: Body, anchor_a: Vector, anchor_b: Vector, min: float, max: float) -> None:  # noqa: A002
        self._make(a, b, anchor_a=anchor_a, anchor_b=anchor_b, min=min, max=max)

    anchor_a: VectorField = _field("The anchor on body a, in a's coordinates.")
    anchor_b: VectorField = _field("The anchor on body b, in b's coordinates.")
    min: float = _field("The smallest distance, 0 or more.")
    max: float = _field("The largest distance, at least min.")


class PivotJoint(Constraint):
    """PivotJoint(a, b, pivot), in world coordinates, or PivotJoint(a, b, anchor_a, anchor_b): the bodies turn about a point."""

    _kind = "PivotJoint"

    def __init__(self, a: Body, b: Body, *args: Vector) -> None:
        if len(args) not in (1, 2):
            raise TypeError(f"PivotJoint: found {len(args)} points, expected a pivot or two anchors")
        if len(args) == 1:
            if not (isinstance(a, Body) and isinstance(b, Body)):
                raise TypeError("PivotJoint: found no two bodies, expected two")
            args = (a.world_to_local(args[0]), b.world_to_local(args[0]))
        self._make(a, b, anchor_a=args[0], anchor_b=args[1])

    anchor_a: VectorField = _field("The anchor on body a, in a's coordinates.")
    anchor_b: VectorField = _field("The anchor on body b, in b's coordinates.")


class GrooveJoint(Constraint):
    """GrooveJoint(a, b, groove_a, groove_b, anchor_b): keeps an anchor of b on a line of a."""

    _kind = "GrooveJoint"

    def __init__(self, a: Body, b: Body, groove_a: Vector, groove_b: Vector, anchor_b: Vector) -> None:
        self._make(a, b, groove_a=groove_a, groove_b=groove_b, anchor_b=anchor_b)

    groove_a: VectorField = _field("The first end of the line, in a's coordinates.")
    groove_b: VectorField = _field("The second end of the line, in a's coordinates.")
    anchor_b: VectorField = _field("The anchor on body b, in b's coordinates.")


class DampedSpring(Constraint):
    """DampedSpring(a, b, anchor_a, anchor_b, rest_length, stiffness, damping): a spring between two anchors."""

    _kind = "DampedSpring"
    _events = {**Constraint._events, _FORCE: "_force_func"}

    def __init__(self, a: Body, b: Body, anchor_a: Vector, anchor_b: Vector, rest_length: float, stiffness: float,
                 damping: float) -> None:
        self._make(a, b, anchor_a=anchor_a, anchor_b=anchor_b, rest_length=rest_length, stiffness=stiffness,
                   damping=damping)

    anchor_a: VectorField = _field("The anchor on body a, in a's coordinates.")
    anchor_b: VectorField = _field("The anchor on body b, in b's coordinates.")
    rest_length: float = _field("The length at which the spring applies no force.")
    stiffness: float = _field("The force divided by the change of length.")
    damping: float = _field("The force divided by the speed at which the length changes.")

    @staticmethod
    def spring_force(spring: DampedSpring, dist: float) -> float:
        """Returns Chipmunk's force at a distance of the anchors."""
        return _core.default_force(spring, dist)

    force_func: Callable[[DampedSpring, float], float] = _function(
        _FORCE, spring_force, "func(spring, dist) -> force, which a step calls instead of DampedSpring.spring_force().")


class DampedRotarySpring(Constraint):
    """DampedRotarySpring(a, b, rest_angle, stiffness, damping): a spring that turns."""

    _kind = "DampedRotarySpring"
    _events = {**Constraint._events, _FORCE: "_torque_func"}

    def __init__(self, a: Body, b: Body, rest_angle: float, stiffness: float, damping: float) -> None:
        self._make(a, b, rest_angle=rest_angle, stiffness=stiffness, damping=damping)

    rest_angle: float = _field("The angle of a relative to b, in radians, at which the spring applies no torque.")
    stiffness: float = _field("The torque per radian.")
    damping: float = _field("The torque per radian per second.")

    @staticmethod
    def spring_torque(spring: DampedRotarySpring, relative_angle: float) -> float:
        """Returns Chipmunk's torque at an angle of a relative to b."""
        return _core.default_force(spring, relative_angle)

    torque_func: Callable[[DampedRotarySpring, float], float] = _function(
        _FORCE, spring_torque,
        "func(spring, relative_angle) -> torque, which a step calls instead of DampedRotarySpring.spring_torque().")


class RotaryLimitJoint(Constraint):
    """RotaryLimitJoint(a, b, min, max): keeps the angle of b relative to a between min and max."""

    _kind = "RotaryLimitJoint"

    def __init__(self, a: Body, b: Body, min: float, max: float) -> None:  # noqa: A002
        self._make(a, b, min=min, max=max)

    min: float = _field("The smallest angle, in radians.")
    max: float = _field("The largest angle, in radians.")


class RatchetJoint(Constraint):
    """RatchetJoint(a, b, phase, ratchet): lets the bodies turn one way only, click by click."""

    _kind = "RatchetJoint"

    def __init__(self, a: Body, b: Body, phase: float, ratchet: float) -> None:
        self._make(a, b, phase=phase, ratchet=ratchet)

    phase: float = _field("The angle of the first click, in radians.")
    ratchet: float = _field("The angle between two clicks, in radians.")
    angle: float = _field("The angle of the ratchet now, in radians.")


class GearJoint(Constraint):
    """GearJoint(a, b, phase, ratio): keeps the ratio of the angles of two bodies."""

    _kind = "GearJoint"

    def __init__(self, a: Body, b: Body, phase: float, ratio: float) -> None:
        self._make(a, b, phase=phase, ratio=ratio)

    phase: float = _field("The angle by which b is ahead, in radians.")
    ratio: float = _field("The angle of b divided by that of a.")


class SimpleMotor(Constraint):
    """SimpleMotor(a, b, rate): keeps the difference of two angular velocities."""

    _kind = "SimpleMotor"

    def __init__(self, a: Body, b: Body, rate: float) -> None:
        self._make(a, b, rate=rate)

    rate: float = _field("The difference of the angular velocities, in radians per second.")


_CLASSES: dict[str, type] = {cls._kind: cls for cls in (
    Body, Circle, Segment, Poly, PinJoint, SlideJoint, PivotJoint, GrooveJoint, DampedSpring, DampedRotarySpring,
    RotaryLimitJoint, RatchetJoint, GearJoint, SimpleMotor)}


_EVENTS = ("begin", "pre_solve", "post_solve", "separate")
_ALL, _ONE, _PAIR, _NEW_ALL, _NEW_ONE, _NEW_PAIR = range(6)


def _part(name: str, doc: str) -> Any:
    return property(lambda self: getattr(self._core, name), lambda self, value: setattr(self._core, name, value), doc=doc)


class Arbiter:
    """A collision of two shapes: the first argument of collision handlers, which must not keep it after the call."""

    def __init__(self, core: Any, space: Space) -> None:
        self._core, self._space = core, space

    @property
    def shapes(self) -> tuple[Shape, Shape]:
        """The two shapes, in the order of the handler's collision types."""
        a, b = self._core.shape_ids
        return self._space._wrap(a), self._space._wrap(b)

    @property
    def bodies(self) -> tuple[Body, Body]:
        """The bodies of the two shapes."""
        a, b = self.shapes
        return a.body, b.body

    @property
    def contact_point_set(self) -> ContactPointSet:
        """The points where the shapes touch. It may be set in pre_solve, to as many points."""
        return _contacts(*self._core.contact_points)

    @contact_point_set.setter
    def contact_point_set(self, point_set: ContactPointSet) -> None:
        points = [(point.point_a, point.point_b, point.distance) for point in point_set.points]
        self._core.set_contact_points(point_set.normal, points)

    process_collision: bool = _part("process_collision", "Whether the shapes push each other until they part. Handlers of "
                                    "on_collision() may set it in begin and pre_solve.")
    restitution: float = _part("restitution", "The product of both elasticities. It may be set in pre_solve.")
    friction: float = _part("friction", "The product of both frictions. It may be set in pre_solve.")
    surface_velocity: VectorField = _part("surface_velocity", "The velocity of b's surface against a's. It may be set in pre_solve.")

    @property
    def total_impulse(self) -> Vec2d:
        """The impulse of the contact in this step, with friction. Read it in post_solve."""
        return self._core.total_impulse

    @property
    def total_ke(self) -> float:
        """The kinetic energy that the contact took. Read it in post_solve."""
        return self._core.total_ke

    @property
    def normal(self) -> Vec2d:
        """The direction from the first shape to the second."""
        return self._core.normal

    @property
    def is_first_contact(self) -> bool:
        """Whether the shapes did not touch in the last step."""
        return self._core.is_first_contact

    @property
    def is_removal(self) -> bool:
        """Whether separate is called because a shape is being removed."""
        return self._core.is_removal

    def ignore(self) -> bool:
        """Lets the two shapes pass through each other until they part. Returns False, for begin and pre_solve to return."""
        return self._core.ignore()


_Begin = Optional[Callable[[Arbiter, "Space", Any], Any]]
_Event = Optional[Callable[[Arbiter, "Space", Any], None]]


def _event(event: int) -> Any:
    def get(self):
        return self._space._callables.get((self._current_id(), event))

    def set_(self, function):
        if function is not None and not callable(function):
            raise TypeError(f"CollisionHandler.{_EVENTS[event]}: found {function!r}, expected a callable or None")
        space = self._space
        self._id = space._core.handler(*self._key, self._id)  # a restore may have forgotten it
        if space._callables_are_shared:  # snapshots and forks keep the old ones
            space._callables, space._callables_are_shared = dict(space._callables), False
        if function is None:
            space._callables.pop((self._id, event), None)
        else:
            space._callables[self._id, event] = function
        space._core.listen(*self._key, event, function is not None)

    return property(get, set_)


class CollisionHandler:
    """The functions that are called when shapes meet: begin and pre_solve (arbiter, space, data) -> bool, post_solve and
    separate (arbiter, space, data) -> None. They are part of the Space's state: save() keeps them, fork() copies them."""

    def __init__(self, space: Space, key: tuple[int, int, int], id_: int) -> None:
        self._space, self._key, self._id = space, key, id_

    @property
    def data(self) -> dict[Any, Any]:
        """A dict that the functions are given. (By on_collision(): by the event's name.) A fork has a copy of the dict, and restore()
        brings its values back as it does those of attributes."""
        return self._space._handler_data.setdefault(self._current_id(), {})

    def _current_id(self):
        """Returns the id that the handler has in the space's state, or had, if a restore has forgotten it."""
        self._id = self._space._core.handler_id(*self._key) or self._id
        return self._id

    begin: _Begin = _event(0)
    pre_solve: _Begin = _event(1)
    post_solve: _Event = _event(2)
    separate: _Event = _event(3)


def empty_callback(*args: Any, **kwargs: Any) -> None:
    """Does nothing. As an argument of on_collision() it removes a function."""


def _handlers_for(space, handlers):
    return {name: CollisionHandler(space, handler._key, handler._id) for name, handler in handlers.items()}


def _attributed(space: Any) -> Any:
    """Returns the space's objects that have attributes, or a class with __slots__."""
    return _core.attributed(space._kept.values(), Object.__basicsize__)


class Snapshot:
    """The state of a Space, by Space.save(). It is good for the Space, its forks, and every other Space of this process."""

    def __init__(self, core: Any, space: Any, of_batch: bool = False) -> None:
        self._of_batch = of_batch  # it has no attributes and callbacks: a Space keeps its own
        self._core, self._callables, self._has_functions = core, space._callables, space._has_functions
        space._callables_are_shared = True
        self._lineage, self._handler_data, self._handlers = space._lineage, space._handler_data, space._handlers
        self._origin, self._kept = space._core, space._kept
        memo: dict[int, Any] = {}  # what two objects share stays shared
        self._attributes = {thing._id: _values(attributes_of(thing), memo) for thing in _attributed(space)}
        self._data = {id_: _values(data, memo) for id_, data in space._handler_data.items()} if space._handler_data else {}

    @property
    def size_bytes(self) -> int:
        """The size of the copied memory."""
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


def _setting(name: str, doc: str) -> Any:
    return property(lambda self: self._core.get_space(name), lambda self, value: self._core.set_space(name, value), doc=doc)


class Space:
    """Space(): bodies, shapes and joints that are stepped together.

    A Space is pymunk's, and can be saved, restored and forked. The same steps give the same bits on every machine. A Space
    belongs to one thread at a time."""

    def __init__(self, threaded: bool = False) -> None:
        self._begin(_core.SpaceCore())
        self._lists = [{}, {}, {}]
        self._threads = 1
        self.threaded = bool(threaded)

    def __getattr__(self, name: str) -> Any:
        if name in ("_core", "_lists", "_later"):
            raise _core.Error(f"{type(self).__name__}: found a Space that was never made: its __init__ calls no super().__init__()")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # By pymunk's names, for programs that read them.

    @property
    def _bodies(self) -> Any:
        return types.MappingProxyType(self._all(0))

    @property
    def _shapes(self) -> Any:
        return types.MappingProxyType(self._all(1) if api_version.major > 6 else {shape._id: shape for shape in self._all(1)})

    @property
    def _constraints(self) -> Any:
        return types.MappingProxyType(self._all(2))

    def _begin(self, core):
        self._core = core
        core.belong(weakref.ref(self))
        self._kept: dict = {}  # objects that it has, by id; shared with snapshots until it changes
        self._is_shared = False
        self._lists: list = [None, None, None]  # bodies, shapes, constraints, once they were asked for
        self._callables: dict = {}
        self._callables_are_shared = False
        self._handlers: dict = {}
        self._handler_data: dict = {}
        self._later: list = []  # what add() and remove() were given in callbacks: (whether to add, objects)
        self._deferred: dict = {}  # these objects, by id(), until all is done
        self._post_step: dict = {}
        self._lineage = object()  # shared with forks: handlers' ids mean the same there
        self._has_functions = False  # bodies' or joints', perhaps

    iterations: int = _setting("iterations", "The number of iterations of the solver, 1 or more; 10 at first. More iterations make "
                               "stacks and joints stiffer, and cost time.")
    gravity: VectorField = _setting("gravity", "The acceleration of all dynamic bodies; (0, 0) at first.")
    damping: float = _setting("damping", "The fraction of its velocity that a body keeps each second; 1 at first.")
    idle_speed_threshold: float = _setting("idle_speed_threshold", "The speed below which a body is idle. 0, the default, lets "
                                           "Chipmunk derive it from gravity.")
    sleep_time_threshold: float = _setting("sleep_time_threshold", "The time in seconds after which a group of idle bodies falls "
                                           "asleep. Infinity, the default, disables sleeping.")
    collision_slop: float = _setting("collision_slop", "The distance by which shapes may overlap. A small overlap keeps contacts from "
                                     "flickering; 0.1 at first.")
    collision_bias: float = _setting("collision_bias", "The fraction of an overlap that remains after one second; 0.9^60 at first.")
    collision_persistence: int = _setting("collision_persistence", "The number of steps for which contacts are remembered; 3 at first.")

    @property
    def current_time_step(self) -> float:
        """The dt of the last step."""
        return self._core.get_space("current_time_step")

    @property
    def threads(self) -> int:
        """The number of threads of a threaded pymunk.Space. It has no effect: a step uses one thread."""
        return self._threads

    @threads.setter
    def threads(self, n: int) -> None:
        if self.threaded:
            self._threads = min(max(int(n), 1), 2)

    @property
    def static_body(self) -> Body:
        """A static body that every space has. Attach shapes to it that never move, such as the ground."""
        body: Body = self._wrap(self._core.static_body)
        return body

    @property
    def bodies(self) -> KeysView[Body]:
        """All bodies of the space, in the order of adding: a live view. (Version 6: a list.)"""
        return View(self, _all_bodies)

    @property
    def shapes(self) -> KeysView[Shape]:
        """All shapes of the space, in the order of adding: a live view. (Version 6: a list.)"""
        return View(self, _all_shapes)

    @property
    def constraints(self) -> KeysView[Constraint]:
        """All constraints of the space, in the order of adding: a live view. (Version 6: a list.)"""
        return View(self, _all_constraints)

    def _all(self, rank):
        found = self._lists[rank]
        if found is None:
            found = self._lists[rank] = {self._wrap(id_): None for id_ in self._core.ids(rank)}
        return found

    def _wrap(self, id_):
        """Returns the object of an id: a new one if there is none, as after a fork."""
        found = self._kept.get(id_)
        if found is None or found._id != id_ or found._core is not self._core:
            found = self._wrap_as(_CLASSES[self._core.kind(id_)], id_)
        return found

    def _wrap_as(self, cls, id_):
        made = cls.__new__(cls)
        self._core.bind(made, id_)
        self._kept[id_] = made
        return made

    def twin_of(self, thing: _Own) -> _Own:
        """Returns the object that a body, shape or joint of a relative is here: of a Space that this one was forked or restored
        from."""
        if not isinstance(thing, Object):
            raise TypeError(f"Space.twin_of(): found {thing!r}, expected a body, shape or constraint")
        if thing._core is None or not self._core.contains(thing._id):
            raise _core.Error(f"Space.twin_of(): found {thing!r}, which is not in this space's state")
        twin: _Own = self._wrap(thing._id)
        return twin

    # Adding, removing and stepping.

    def add(self, *objects: Object) -> None:
        """Adds bodies, shapes and constraints. In a callback they are added after the step."""
        for thing in objects:
            if not isinstance(thing, (Body, Shape, Constraint)):
                raise TypeError(f"Space.add(): found {thing!r}, expected bodies, shapes and constraints")
        if self._core.in_call():
            self._defer(True, objects)
            return
        if len(objects) > 1 and len(set(map(id, objects))) < len(objects):
            raise _core.Error("Space.add(): one of the objects is given twice; add each once")
        for thing in objects:
            self._check_new(thing, objects)
        self._core.add(self, objects)

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

    def remove(self, *objects: Object) -> None:
        """Removes objects, which are in no space then. In a callback they are removed after the step."""
        for thing in objects:
            if not isinstance(thing, (Body, Shape, Constraint)):
                raise _core.Error(f"Space.remove(): found {thing!r}, expected an object of this space")
        if self._core.in_call():
            self._defer(False, objects)
            return
        errors = self._core.remove(self, objects, self._called() is not None)
        if errors or self._later or self._post_step:
            self._catch_up(errors)

    def step(self, dt: float) -> None:
        """Computes a time step of dt seconds. An exception in a callback is raised here, after the step.

        Use the same small dt in each step, such as 1 / 60: simulations with varying steps are less stable."""
        try:
            self._core.step(dt, self._called())
        finally:
            if (self._later or self._post_step) and not self._core.in_call():
                self._catch_up()

    def _called(self):
        return self if self._callables or self._has_functions else None

    @property
    def _locked(self) -> bool:
        return self._core.in_call()

    def _require_rest(self, function):
        if self._core.in_call():
            raise _core.Error(f"{function} was called in a callback; call it between steps")

    def _defer(self, adds, objects):
        for thing in objects:
            if id(thing) not in self._deferred and thing.space is not (None if adds else self):
                raise _core.Error(f"Space.{'add' if adds else 'remove'}(): found {thing!r}, expected an object "
                                  + ("that is in no space" if adds else "of this space"))
        self._later.append((adds, objects))  # which keeps them, and so their ids
        self._deferred.update((id(thing), thing) for thing in objects)

    def _deferred_work(self):
        """Returns what callbacks deferred, in pymunk's order: what is to be added, and then what is to be removed, the last first.

        Objects that are to be added and removed make that the order of the calls."""
        added = [thing for adds, objects in self._later if adds for thing in objects]
        removed = [thing for adds, objects in self._later if not adds for thing in objects]
        if {id(thing) for thing in added}.isdisjoint(map(id, removed)):
            calls = [(True, added)] if added else []
            calls += [(False, (thing,)) for thing in reversed(dict.fromkeys(removed))]
        else:
            calls = self._later
        work = [(self._change, call, {}) for call in calls]
        return work + [(function, (self, key, *args), kwargs) for key, (function, args, kwargs) in self._post_step.items()]

    def _change(self, adds, objects):
        """Does what was deferred. What was deferred twice is done once, as in pymunk."""
        things = [thing for thing in dict.fromkeys(objects) if adds != (thing.space is self)]
        if things:
            (self.add if adds else self.remove)(*things)

    def _catch_up(self, errors=()):
        """Does all that callbacks deferred, then raises the first error, or what interrupted it."""
        errors = list(errors)
        work = self._deferred_work()
        work.reverse()
        self._later, self._post_step = [], {}
        while work:
            try:
                while work:
                    function, args, kwargs = work.pop()
                    function(*args, **kwargs)
            except BaseException as error:  # the rest is done, too
                errors.append(error)
        self._deferred = {}
        if errors:
            raise next((error for error in errors if not isinstance(error, Exception)), errors[0])

    def add_post_step_callback(self, callback_function: Callable[..., Any], key: Hashable, *args: Any,
                               **kwargs: Any) -> bool:
        """Calls callback_function(space, key, ...) once after this step; between steps, at once. Returns False, and calls
        nothing, if the key has a function already."""
        if not self._core.in_call():
            callback_function(self, key, *args, **kwargs)
            return True
        if key in self._post_step:
            return False
        self._post_step[key] = (callback_function, args, kwargs)
        return True

    def use_spatial_hash(self, dim: float, count: int) -> None:
        """Finds collisions by a spatial hash, for thousands of shapes of about one size.

        dim is the size of a cell, about that of a shape; count is the number of cells, about ten times that of shapes."""
        self._core.use_spatial_hash(dim, int(count))

    def debug_draw(self, options: Any) -> None:
        """Draws the space by SpaceDebugDrawOptions, such as forkmunk.pymunk.pygame_util.DrawOptions."""
        draw_space(self, options)

    def __repr__(self) -> str:
        return f"<forkmunk.Space: {len(self._all(0))} bodies, {len(self._all(1))} shapes, {len(self._all(2))} constraints>"

    # Collision handlers.

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
        """Returns the handler of two collision types, which is pymunk 6's; see on_collision(). The same pair has one handler."""
        return self._handler(_PAIR, frozenset((collision_type_a, collision_type_b)), collision_type_a, collision_type_b)

    def add_wildcard_collision_handler(self, collision_type_a: int) -> CollisionHandler:
        """Returns the handler of a collision type with any other."""
        return self._handler(_ONE, collision_type_a, collision_type_a)

    def add_default_collision_handler(self) -> CollisionHandler:
        """Returns the handler of all pairs that have no other."""
        return self._handler(_ALL, None)

    def on_collision(self, collision_type_a: Optional[int] = None, collision_type_b: Optional[int] = None, begin: _Event = None,
                     pre_solve: _Event = None, post_solve: _Event = None, separate: _Event = None, data: Any = None) -> None:
        """Sets functions (arbiter, space, data) that are called when shapes of two types meet; None is any type.

        All functions that fit are called: those of both types first, those of any last. begin and pre_solve decide by
        arbiter.process_collision. An argument that is None leaves the function as it was; pymunk.empty_callback removes it.
        `data` stays the same object in forks and after restore(): use copy.deepcopy() or forkmunk.Checkpoint where its content counts.
        Collisions of pairs without a function cost nothing, but a function for all, on_collision(None, None), is asked for each."""
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

    def _each_arbiter(self, body, function):
        try:
            _core.each_arbiter(body, lambda arbiter: function(Arbiter(arbiter, self)))  # add() and remove() wait
        finally:
            if (self._later or self._post_step) and not self._core.in_call():
                self._catch_up()

    # Called by the core, in a step. In a world of SpaceBatch(callbacks="drop") the functions are missing: the usual ones.

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

    # Queries.

    def point_query(self, point: Vector, max_distance: float, shape_filter: ShapeFilter = ShapeFilter()) -> list[PointQueryInfo]:
        """Returns the shapes within max_distance of a point. Negative distances are inside; infinity finds all shapes."""
        return [self._point(info) for info in self._core.point_query(point, max_distance, shape_filter)]

    def point_query_nearest(self, point: Vector, max_distance: float,
                            shape_filter: ShapeFilter = ShapeFilter()) -> Optional[PointQueryInfo]:
        """Returns the nearest shape within max_distance of a point, or None. (Version 6 leaves sensors out.)"""
        info = self._core.point_query_nearest(point, max_distance, shape_filter, api_version.major > 6)
        return None if info is None else self._point(info)

    def _point(self, info):
        return PointQueryInfo(self._wrap(info[0]), *info[1:])

    def segment_query(self, start: Vector, end: Vector, radius: float = 0,
                      shape_filter: ShapeFilter = ShapeFilter()) -> list[SegmentQueryInfo]:
        """Returns the shapes that a thick line meets, with the fraction alpha of the line, 0 (start) to 1 (end), where it does."""
        return [self._segment(info) for info in self._core.segment_query(start, end, radius, shape_filter)]

    def segment_query_first(self, start: Vector, end: Vector, radius: float = 0,
                            shape_filter: ShapeFilter = ShapeFilter()) -> Optional[SegmentQueryInfo]:
        """Returns the first shape that a thick line meets, or None. (Version 6 leaves sensors out.)"""
        info = self._core.segment_query_first(start, end, radius, shape_filter, api_version.major > 6)
        return None if info is None else self._segment(info)

    def _segment(self, info):
        return SegmentQueryInfo(self._wrap(info[0]), *info[1:])

    def bb_query(self, bb: BB, shape_filter: ShapeFilter = ShapeFilter()) -> list[Shape]:
        """Returns the shapes whose boxes meet a box."""
        return [self._wrap(id_) for id_ in self._core.bb_query(bb, shape_filter)]

    def shape_query(self, shape: Shape) -> list[ShapeQueryInfo]:
        """Returns the shapes that overlap a shape, which may be in this space or in none."""
        if not isinstance(shape, Shape):
            raise TypeError(f"Space.shape_query(): found {shape!r}, expected a Shape")
        return [ShapeQueryInfo(self._wrap(id_), _contacts(*contacts)) for id_, contacts in self._core.shape_query(shape)]

    def reindex_shape(self, shape: Shape) -> None:
        """Updates where queries and collisions find a shape, after its static body was moved."""
        self._reindex(shape, Shape)

    def reindex_shapes_for_body(self, body: Body) -> None:
        """Updates where queries and collisions find the shapes of a body, after the body was moved between steps."""
        self._reindex(body, Body)

    def _reindex(self, thing, expected):
        if not isinstance(thing, expected) or thing.space is not self:
            raise _core.Error(f"Space.reindex_...(): found {thing!r}, expected a {expected.__name__} of this space")
        self._core.reindex(thing)

    def reindex_static(self) -> None:
        """Updates where queries and collisions find static shapes, after static bodies were moved."""
        self._core.reindex()

    # States.

    def save(self) -> Snapshot:
        """Returns the whole state, collision handlers included. It costs one memcpy, and cannot be called in a callback.

        Attributes of the bodies, shapes and constraints are kept as values: lists, dicts, sets, tuples and NumPy arrays
        are copied, other objects are not."""
        snapshot = Snapshot(self._core.save(), self)
        self._is_shared = True
        return snapshot

    def restore(self, snapshot: Snapshot) -> None:
        """Puts the space into a state: it steps on from there, bit for bit, as the space did that was saved.

        Objects that were not there then raise forkmunk.Error when they are used. Objects that were removed since are back."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"Space.restore(): found {snapshot!r}, expected what Space.save() gave")
        self._require_rest("Space.restore()")
        others = self._core.restore(snapshot._core)
        keeps_own = snapshot._of_batch and self._lineage is snapshot._lineage
        if not keeps_own:
            self._callables, self._has_functions = snapshot._callables, snapshot._has_functions
            self._callables_are_shared = True
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
        memo: dict[int, Any] = {}
        for id_, attributes in snapshot._attributes.items():
            set_attributes(self._wrap(id_), _values(attributes, memo))
        for handler in self._handlers.values():  # on_collision() was given its data, which stay the same objects
            if handler._key[0] <= _PAIR and handler._id in snapshot._data:
                data = self._handler_data.setdefault(handler._id, {})
                data.clear()
                data.update(_values(snapshot._data[handler._id], memo))

    def _rebind(self, kept):
        """Gives the Python objects of `kept` their objects in a state that has other objects than the one before."""
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
                    (body._attached_shapes() if thing._rank == 1 else body._attached_joints())[thing] = None
        for rank, known in enumerate(self._lists):  # views of them are live
            if known is not None:
                known.clear()
                known.update((self._wrap(id_), None) for id_ in self._core.ids(rank))

    def fork(self: _OwnSpace) -> _OwnSpace:
        """Returns an independent twin. twin.twin_of(body) is the twin's object for a body of this one.

        The twin has the attributes of the Space and of its objects, and classes derived from the package's. copy.deepcopy() also
        copies attributes and callbacks."""
        twin = self._forked()
        for id_, thing in self._kept.items():
            if type(thing).__module__ != __name__:
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
        twin._callables_are_shared = self._callables_are_shared = True
        twin._handler_data = {id_: dict(data) for id_, data in self._handler_data.items()}
        twin._handlers = _handlers_for(twin, self._handlers)
        return twin

    def _adopt(self, twin, memo=None):
        """Gives a twin the attributes that are not the package's; copies of them, with a memo of copy.deepcopy()."""
        if memo is None:
            twin._receive({name: value for name, value in attributes_of(self).items() if name not in twin.__dict__})
        else:
            twin.__setstate__(copy.deepcopy(self.__getstate__(), memo))

    def _receive(self, own):
        for name, slot in slots_of(type(self)).items():
            if name in own:
                slot.__set__(self, own.pop(name))
        self.__dict__.update(own)

    def __copy__(self: _OwnSpace) -> _OwnSpace:
        return self.fork()

    def __deepcopy__(self: _OwnSpace, memo: dict[Any, Any]) -> _OwnSpace:
        alone = memo.get("forkmunk.alone")
        if alone is not None and alone._core is self._core:
            raise _core.Error(f"{alone!r}.copy(): found that it refers to its own space, by a function or attribute; "
                              "copy.deepcopy() copies it with its space")
        memo[id(self)] = twin = self._forked()
        pairs = [(thing, twin._wrap_as(type(thing), id_)) for id_, thing in self._kept.items()]
        memo.update((id(thing), other) for thing, other in pairs)
        for thing, other in ((self, twin), *pairs):
            for reference in weakref.getweakrefs(thing):
                if type(reference) is weakref.ref and reference.__callback__ is None:
                    memo[id(reference)] = weakref.ref(other)
        for thing in _attributed(self):
            other = memo[id(thing)]
            _set_state(other, copy.deepcopy(thing.__getstate__(), memo))
        self._adopt(twin, memo)
        twin._callables, twin._callables_are_shared = copy.deepcopy(self._callables, memo), False
        twin._handler_data = copy.deepcopy(self._handler_data, memo)
        return twin

    def __reduce_ex__(self, protocol: Any) -> Any:
        own = self.__getstate__()
        keys = {name: (handler._key, handler._id) for name, handler in self._handlers.items()}
        state = (self._core.write(), list(self._kept.items()), self._callables, self._handler_data, keys, self._has_functions, own)
        return _made, (type(self),), state, None, None, _set_object

    def __getstate__(self) -> Any:
        """Returns what copies and pickles have of the attributes that a program gave the space."""
        return {name: value for name, value in attributes_of(self).items() if name not in self._inside}

    def __setstate__(self, state: Any) -> None:
        _refuse_pymunks(self, state)
        self._receive(dict(state))

    def _set_pickled(self, state):
        try:
            written, kept, callables, data, keys, has_functions, own = state
            self._begin(_core.SpaceCore.read(written))
            for id_, thing in kept:
                self._core.bind(thing, id_)
                self._kept[id_] = thing
            _core.reserve_ids(max(data, default=0))
            self._callables, self._handler_data, self._has_functions = callables, data, bool(has_functions)
            self._handlers = {name: CollisionHandler(self, key, id_) for name, (key, id_) in keys.items()}
            self.__setstate__(own)
        except (TypeError, ValueError, AttributeError) as error:
            raise error if isinstance(error, _core.Error) else _core.Error("Space: its pickle is damaged") from error

    def copy(self: _OwnSpace) -> _OwnSpace:
        """Returns copy.deepcopy() of the space, by pymunk's name. fork() is faster: it copies no callbacks and attributes."""
        return copy.deepcopy(self)

    def hash(self) -> int:
        """Returns 64 bits over all that decides the future. They are equal in forks and after the same steps."""
        return self._core.hash()

    def compact(self) -> None:
        """Packs the memory, so that a space that had more objects once has small states again. States and hash() stay the same.

        compact() takes as long as several forks, and cannot be called in a callback. Earlier snapshots remain valid."""
        self._core.compact()

    @property
    def live_bytes(self) -> int:
        """The number of bytes that save() copies now."""
        return self._core.live_bytes()

    _inside: frozenset[str]  # the names of the package's own attributes


Space._inside = frozenset(Space().__dict__) - {"threaded", "_threads"}

_VIEWS = [(cls, name, getattr(cls, name)) for cls, names in ((Space, ("bodies", "shapes", "constraints")), (Body, ("shapes", "constraints")))
          for name in names]


def _use_version(major: int) -> None:
    """Makes the collections live views, or the lists and sets of version 6: one version reads no setting in each access."""
    for cls, name, view in _VIEWS:
        kind = list if cls is Space else OrderedSet
        setattr(cls, name, view if major > 6 else property(lambda self, kind=kind, get=view.fget: kind(get(self)), doc=view.__doc__))


api_version.follow(_use_version)
