# SPDX-License-Identifier: MIT
"""Scenes with pymunk's names: Space, its bodies, shapes, joints and collision handlers, and its states.

Bodies, shapes and joints are Chipmunk objects in memory of their own or in a Space's. Using one that a restore
removed raises forkmunk.Error."""

from __future__ import annotations

import copy
import functools
import json
import operator
import struct
import types
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Callable, Hashable, Iterator, Optional, Protocol, Sequence, TypeVar, Union

import numpy as np

from . import _forkmunk as _core
from . import _fields, api_version, geometry
from ._fields import (
    ArbiterFields, BodyFields, CircleFields, ConstraintFields, PolyFields, SegmentFields, ShapeFields, SpaceFields, read,
)
from .checks import checked_bytes, checked_type, refuse_type
from .drawing_options import draw_space
from .geometry import (
    BB,
    ContactPointSet,
    Transform,
    Vec2d,
    Vector,
    _contacts,
)

if TYPE_CHECKING:
    from ._joints import DampedRotarySpring, DampedSpring

__all__ = ["Arbiter", "Body", "Circle", "CollisionHandler", "Constraint", "Poly", "Segment", "Shape", "Space", "empty_callback"]

_Own = TypeVar("_Own", bound="Object")
_OwnSpace = TypeVar("_OwnSpace", bound="Space")
_Function = Callable[..., Any]
_AnyFunction = TypeVar("_AnyFunction", bound=_Function)
_JointFunction = Optional[Callable[["Constraint", "Space"], None]]
_VELOCITY, _POSITION, _PRE_SOLVE, _POST_SOLVE, _FORCE = range(5)


def _slots_of(cls: Any) -> dict[str, Any]:
    """Returns a class's descriptors of __slots__ by their full names."""
    classes = [base.__dict__ for base in reversed(cls.__mro__) if "__slots__" in base.__dict__]  # compiled classes have none
    return {name: slot for own in classes for name, slot in own.items() if isinstance(slot, types.MemberDescriptorType)}


slots_of: Callable[[Any], dict[str, Any]] = functools.lru_cache(maxsize=1024)(_slots_of)


def slot_values(thing: Any) -> dict[str, Any]:
    found = {}
    for name, slot in slots_of(type(thing)).items():
        try:
            found[name] = slot.__get__(thing)
        except AttributeError:
            pass
    return found


def set_slots(thing: Any, values: dict[str, Any]) -> None:
    """Sets these slots and empties the others."""
    for name, slot in slots_of(type(thing)).items():
        if name in values:
            slot.__set__(thing, values[name])
        else:
            try:
                slot.__delete__(thing)
            except AttributeError:
                pass


def attributes_of(thing: Any) -> dict[str, Any]:
    """Returns a new dict of the object's __dict__ and then its __slots__."""
    return {**thing.__dict__, **slot_values(thing)}


def set_attributes(thing: Any, attributes: dict[str, Any]) -> None:
    own, slots = thing.__dict__, slots_of(type(thing))
    own.clear()
    own.update((name, value) for name, value in attributes.items() if name not in slots)
    set_slots(thing, attributes)


def _value(thing: Any, memo: dict[int, Any]) -> Any:
    """Returns a container or an array as save() keeps it: copied once for each memo."""
    if (found := memo.get(id(thing))) is not None:
        return found[1]
    if type(thing) is tuple:
        made: Any = tuple([_value(item, memo) if type(item) in _CONTAINERS else item for item in thing])
        return memo.setdefault(id(thing), (thing, made))[1]
    made = thing.copy()
    memo[id(thing)] = thing, made  # keeping the thing keeps its id
    for key, value in made.items() if type(thing) is dict else enumerate(made) if type(thing) is list else ():
        if type(value) in _CONTAINERS:
            made[key] = _value(value, memo)
    return made


_CONTAINERS = frozenset((list, dict, tuple, set, bytearray, np.ndarray))


def _set_state(thing: Any, attributes: Any) -> None:
    """Gives a copy the attributes or state of its class's __getstate__."""
    if getattr(type(thing).__setstate__, "__module__", __name__) != __name__:  # a program's own
        thing.__setstate__(attributes)
    elif isinstance(attributes, tuple) and len(attributes) == 2:  # as object.__getstate__ returns them
        set_attributes(thing, {**(attributes[0] or {}), **(attributes[1] or {})})
    else:
        set_attributes(thing, attributes or {})  # pyright: ignore[reportArgumentType]


def _packed(value: Any) -> bytes:
    """Returns user data for all languages: a byte 0 and a float64, a byte 1 and ASCII JSON, or a byte 3 and bytes."""
    if type(value) is float:
        return b"\0" + struct.pack("<d", value)
    if isinstance(value, (bytes, bytearray)):
        return b"\3" + value
    try:
        return b"\1" + json.dumps(value, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise _core.Error(f"Space.to_bytes(): found user_data {value!r}, expected what JSON holds: {error}") from None


def _unpacked(packed: bytes) -> Any:
    if packed[:1] == b"\3":
        return packed[1:]
    try:
        return struct.unpack("<d", packed[1:])[0] if packed[:1] == b"\0" else json.loads(packed[1:])
    except (struct.error, ValueError, RecursionError):
        raise _core.Error("Space.from_bytes(): found damaged user data") from None


def _made(cls: Any) -> Any:
    return cls.__new__(cls)


def _set_object(thing: Any, state: Any) -> None:
    if not isinstance(thing, (Object, Space)):
        raise _core.Error(f"found {thing!r} in a pickle, expected an object of forkmunk's: the pickle is damaged")
    try:
        thing._set_pickled(state)
    except _core.Error:
        raise
    except (TypeError, ValueError, AttributeError) as error:
        raise _core.Error(f"{type(thing).__name__}: its pickle is damaged") from error


def _refuse_pymunks(thing: Any, state: Any) -> None:
    if isinstance(state, dict) and {"init", "general"} <= state.keys():
        raise _core.Error(f"{type(thing).__name__}: found a pickle that pymunk made, expected one that forkmunk made; make the "
                          "objects again from their values")


class Uncopied:
    """The base of classes that cannot be copied or pickled, because they are memory of this process."""

    _remedy = "keep it outside of what is copied"

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise _core.Error(f"{type(self).__name__}: it cannot be copied or pickled; {self._remedy}")


class OrderedSet(set):  # type: ignore[type-arg]
    """A set that iterates by age; by address, forks would differ."""

    def __iter__(self) -> Iterator[Any]:
        return iter(sorted(super().__iter__(), key=operator.attrgetter("_id")))


_no_space: Any = weakref.ref(set())  # dead


class Links:
    """Counts changes of attachments, which a Checkpoint must undo."""

    changes = 0


class FunctionField(Protocol[_AnyFunction]):
    """The type of a function that a program may set; None sets the default."""

    def __get__(self, owner: object, type_: Any = None) -> _AnyFunction: ...
    def __set__(self, owner: object, value: Optional[_AnyFunction]) -> None: ...


def _function(event: int, default: Any, doc: str) -> Any:
    """Returns a property that is a function which Chipmunk calls, kept as an attribute, so that forks and pickles
    have it."""

    default = getattr(default, "__func__", default)  # of a static method

    def get(self: Any) -> Any:
        return self.__dict__.get(self._events[event], default)

    def set_(self: Any, function: Any) -> None:
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


def inner(name: str, doc: str) -> Any:
    """Returns a property that is an attribute of the compiled part, `_core`."""
    return property(operator.attrgetter(f"_core.{name}"), doc=doc)


def _with_loose_shapes(objects: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Yields each body that has a shape in no space, with all its shapes."""
    core_of = operator.attrgetter("_core")
    for thing in objects:
        shapes = thing._shapes
        if shapes and None in map(core_of, shapes):
            yield thing, list(shapes)


class Object(_core.ObjectCore):
    """The common members of bodies, shapes and joints."""

    _rank = 0  # the order in which Space.add() adds
    _kind = ""
    _events: dict[int, str] = {}  # event: the attribute with its function

    space: Optional[Space] = read(
        _core.owner_of, "The Space that the object is in, or None.\n\nSpace.add() and Space.remove() change it. The object does "
        "not keep its space alive: keep a reference to the Space.")

    @property
    def _space(self) -> Any:
        """The space under pymunk's name: a weak reference, or in version 6 the Space."""
        space = self.space
        if api_version.major < 7:
            return space
        return _no_space if space is None else weakref.ref(space)

    def _bodies(self) -> tuple[Any, ...]:
        if self._first is None:
            if not self._rank or self._core is None or (owner := self._core.owner) is None:
                return ()
            self._first, self._second = (*map(owner._wrap, _core.bodies_of(self)), None)[:2]
        return (self._first,) if self._second is None else (self._first, self._second)

    def _attach(self) -> None:
        """Adds the object to its bodies' shapes or joints."""

    def __repr__(self) -> str:
        try:
            bodies = " and ".join(map(repr, self._bodies()))
        except _core.Error:  # it is in no state
            bodies = ""
        return f"<forkmunk.{self._kind} of {bodies}>" if bodies else f"<forkmunk.{self._kind}>"

    def copy(self: _Own) -> _Own:
        """Returns a copy in no space, with the same attributes and functions.

        A shape or joint is copied with its bodies, a body alone. Space.fork() copies a whole scene."""
        return copy.deepcopy(self, {"forkmunk.alone": self})  # type: ignore[dict-item]

    def __copy__(self: _Own) -> _Own:
        """Returns a copy in no space, with the same bodies."""
        twin = type(self).__new__(type(self))
        _core.copy_object(twin, self)
        twin._take(self._bodies(), attributes_of(self))
        return twin

    def __deepcopy__(self: _Own, memo: dict[Any, Any]) -> _Own:
        """Returns the object's twin in a copy of its space, or outside of spaces a copy with its bodies."""
        home = None if "forkmunk.alone" in memo else _core.home_of(self)
        if home is not None:
            is_first = id(home) not in memo
            home = copy.deepcopy(home, memo)
            if id(self) in memo:
                twin: _Own = memo[id(self)]
                if is_first:
                    twin._home = home  # perhaps nothing else keeps it
                return twin
        memo[id(self)] = twin = type(self).__new__(type(self))
        _core.copy_object(twin, self)
        bodies = tuple(copy.deepcopy(body, memo) for body in self._bodies())
        twin._take(bodies, copy.deepcopy(self.__getstate__(), memo))
        for _, shapes in _with_loose_shapes([] if "forkmunk.alone" in memo else [self]):
            twin._keep_order(copy.deepcopy(shapes, memo))
        return twin

    def _keep_order(self: Any, shapes: Any) -> None:
        """Brings a body's shapes into this order."""
        for shape in shapes:
            attached = self._members(1)
            attached[shape] = attached.pop(shape, None)

    def _take(self, bodies: Any, attributes: Any) -> None:
        self._first, self._second = (*bodies, None, None)[:2]
        self._attach()
        _set_state(self, attributes)
        for event, key in self._events.items():
            _core.set_function(self, event, key in self.__dict__)

    def __getstate__(self) -> Any:
        return attributes_of(self)

    def __setstate__(self, state: Any) -> None:
        _refuse_pymunks(self, state)
        _set_state(self, state)

    def __reduce_ex__(self, protocol: Any) -> Any:
        home = _core.home_of(self)
        if home is not None:
            state: tuple[Any, ...] = (self.__getstate__(), home)
        else:
            shapes = [shape for _, shapes in _with_loose_shapes([self]) for shape in shapes]
            state = (self.__getstate__(), None, *_core.object_bytes(self), self._bodies(), *shapes)
        return _made, (type(self),), state, None, None, _set_object

    def _set_pickled(self, state: Any) -> None:
        attributes, owner, *own = state
        if own:
            kind, data, bodies, *shapes = own
            _core.object_from(self, kind, data)
            self._take(bodies, attributes)
            self._keep_order(shapes)
        else:
            self._home = owner  # perhaps nothing else keeps it
            _set_state(self, attributes)


class Body(BodyFields, Object):
    """Body(mass=0, moment=0, body_type=Body.DYNAMIC)

    A rigid body: a position, an angle and velocities. Shapes give it a form; forces, impulses and contacts move it.

    DYNAMIC bodies fall, collide and are pushed. Before the first step they need a mass and a moment above 0: pass
    both, or give their shapes a mass or density. KINEMATIC bodies, such as lifts and doors, move by the velocity
    that you set, and nothing pushes them. STATIC bodies do not move. Every space has one, Space.static_body.

        body = forkmunk.Body(1, forkmunk.moment_for_circle(1, 0, 10))
        body.position = (50, 100)
        space.add(body, forkmunk.Circle(body, 10))

    Numbers that are not finite raise forkmunk.Error."""

    DYNAMIC, KINEMATIC, STATIC = 0, 1, 2
    _events = {_VELOCITY: "_velocity_func", _POSITION: "_position_func"}

    def __init__(self, mass: float = 0, moment: float = 0, body_type: int = 0) -> None:
        _core.make(self, {"kind": "Body", "mass": mass, "moment": moment, "body_type": body_type})
        self._shapes = {}

    @staticmethod
    def update_velocity(body: Body, gravity: Vector, damping: float, dt: float) -> None:
        """Updates the velocity as a step does without a velocity_func, and resets force and torque to 0.

        Call it in your own velocity_func, for example with another gravity. damping is space.damping ** dt."""
        _core.update_velocity(body, gravity, damping, dt)

    @staticmethod
    def update_position(body: Body, dt: float) -> None:
        """Updates the position and angle as a step does without a position_func.

        Call it in your own position_func, for example before clamping the position."""
        _core.update_position(body, dt)

    velocity_func: FunctionField[_Function] = _function(
        _VELOCITY, update_velocity,
        "The function func(body, gravity, damping, dt) that a step calls instead of Body.update_velocity().\n\nUse the function "
        "for a gravity of the body's own, or to limit its speed. None restores the default. A Python function for each body\n"
        "and step costs more time than the step itself.")
    position_func: FunctionField[_Function] = _function(
        _POSITION, update_position,
        "The function func(body, dt) that a step calls instead of Body.update_position().\n\nUse the function to keep the body on "
        "a path. None restores the default.")

    @property
    def id(self) -> int:
        """The number of the body, unique in its space and equal for its twins in forks."""
        return self._id

    @property
    def body_type(self) -> int:
        """The type of the body: Body.DYNAMIC, Body.KINEMATIC or Body.STATIC.

        A body that becomes dynamic takes its shapes' mass, or needs a mass and moment before the next step. A body
        with a joint to one that is not dynamic must stay dynamic; with install(version=6) such a joint has no
        effect, and a body that becomes dynamic stops, with those joined to it. Do not set the type in callbacks."""
        return self._body_type

    @body_type.setter
    def body_type(self, body_type: int) -> None:
        joints = [joint for joint in self._members(2) if joint.space is self.space] if body_type != Body.DYNAMIC else []
        if joints and api_version.major > 6:
            others = [body for joint in joints for body in joint._bodies() if body is not self]
            if self.body_type != Body.DYNAMIC or any(b.body_type != Body.DYNAMIC for b in others):
                raise _core.Error("Body.body_type: found a joint to a body that nothing moves, or moved this one no more; expected "
                                  "a dynamic body with joints to dynamic bodies")
        _core.set_type(self, body_type, api_version.major < 7)

    def __repr__(self) -> str:
        try:
            kind = ("DYNAMIC", "KINEMATIC", "STATIC")[self.body_type]
            return f"Body({self.mass}, {self.moment}, Body.DYNAMIC)" if kind == "DYNAMIC" else f"Body(Body.{kind})"
        except _core.Error:
            return "<forkmunk.Body that is in no state>"

    @property
    def _constraints(self) -> Any:
        joints = self._members(2)
        return joints if api_version.major > 6 else set(joints)

    def _members(self, rank: int) -> Any:
        """Returns the body's dict of shapes (1) or joints (2)."""
        attached = self._shapes if rank == 1 else self._joints
        if attached is None:
            attached = {} if rank == 1 else weakref.WeakKeyDictionary()
            if (owner := self._core and self._core.owner) is not None and (rank == 1 or _core.home_of(self) is not None):
                attached.update((owner._wrap(id_), None) for id_ in sorted(self._core.attached_to(self._id, rank)))
            setattr(self, "_shapes" if rank == 1 else "_joints", attached)
        return attached

    def each_arbiter(self, func: Callable[..., None], *args: Any, **kwargs: Any) -> None:
        """Calls func(arbiter, ...) for each contact that the body had in the last step.

        The Arbiter is valid during the call only. func must not step the space; add() and remove() take effect after
        the last call."""
        if (space := self.space) is None:
            return
        try:
            _core.each_arbiter(self, lambda arbiter: func(arbiter, *args, **kwargs))
        finally:
            if (space._later or space._post_step) and not space._core.in_call():
                space._catch_up()


class Shape(ShapeFields, Object):
    """A piece of a body that collides. Make a Circle, Segment or Poly.

    A shape belongs to one body, in the same space; a body may have several. Circles are fastest, then segments, then
    polygons."""

    _rank = 1

    def _make(self, body: Optional[Body], **geometry: Any) -> None:
        self._first = checked_type(body, (Body, type(None)), f"{self._kind}(body)", "a Body or None")
        _core.make(self, {"kind": self._kind, **geometry})
        self._attach()

    def _attach(self) -> None:
        Links.changes += 1
        if self._first is not None:
            self._first._members(1)[self] = None

    @property
    def _body(self) -> Any:
        """The body under pymunk's name: a weak reference, or in version 6 the Body."""
        body = self.body
        return body if api_version.major < 7 else _no_space if body is None else weakref.ref(body)

    @property
    def body(self) -> Union[Body, Any]:  # or None
        """The Body that the shape is attached to, or None.

        Change it while the shape is in no space. Unlike in pymunk 7, the shape keeps its body alive."""
        return self._first or next(iter(self._bodies()), None)

    @body.setter
    def body(self, body: Optional[Body]) -> None:
        if self.space is not None:
            raise _core.Error("Shape.body: found a shape in a space, expected it to be removed before it changes its body")
        checked_type(body, (Body, type(None)), "Shape.body", "a Body or None")
        if self._first is not None:
            self._first._members(1).pop(self, None)
        self._first = body
        _core.renew_id(self)  # it is the body's last, in copies too
        self._attach()


class Circle(CircleFields, Shape):
    """Circle(body, radius, offset=(0, 0))

    A disc, the fastest and most stable shape. radius is 0 or more; offset is the centre in the body's coordinates."""

    def __init__(self, body: Optional[Body], radius: float, offset: Vector = (0, 0)) -> None:
        self._make(body, radius=radius, offset=offset)


class Segment(SegmentFields, Shape):
    """Segment(body, a, b, radius)

    A line from a to b with rounded ends, in the body's coordinates, twice as thick as the radius.

    Use segments for the ground and walls, mostly on Space.static_body. A radius above 0 is harder to pass through."""

    def __init__(self, body: Optional[Body], a: Vector, b: Vector, radius: float) -> None:
        self._make(body, a=a, b=b, radius=radius)


class Poly(PolyFields, Shape):
    """Poly(body, vertices, transform=None, radius=0)

    A convex polygon: the convex hull of the vertices, in the body's coordinates, after the transform.

    For a concave form, put the polygons of forkmunk.pymunk.autogeometry.convex_decomposition() on one body.
    Space.add() refuses a polygon without an area."""

    def __init__(self, body: Optional[Body], vertices: Sequence[Vector], transform: Optional[Transform] = None,
                 radius: float = 0) -> None:
        self._make(body, vertices=vertices, transform=transform, radius=radius)

    def get_vertices(self) -> list[Vec2d]:
        """Returns the hull's vertices in the body's coordinates, counter-clockwise.

        body.local_to_world(vertex) converts them to world coordinates."""
        return self._vertices

    @staticmethod
    def create_box(body: Optional[Body], size: Vector = (10, 10), radius: float = 0) -> Poly:
        """Makes a box (width, height) around the body's origin, larger by the radius on each side."""
        box = Poly.__new__(Poly)
        box._make(body, size=size, radius=radius)
        return box

    @staticmethod
    def create_box_bb(body: Optional[Body], bb: BB, radius: float = 0) -> Poly:
        """Makes a box from a BB in the body's coordinates."""
        box = Poly.__new__(Poly)
        box._make(body, bb=bb, radius=radius)
        return box


class Constraint(ConstraintFields, Object):
    """A joint between two bodies. Make one of the ten joints, such as a PivotJoint.

    At least one body must be dynamic; Space.static_body stands for the world. Joints correct errors over several
    steps, so heavy loads stretch them; more Space.iterations or a smaller time step make them stiffer."""

    _rank = 2
    _events = {_PRE_SOLVE: "_pre_solve", _POST_SOLVE: "_post_solve"}

    def _make(self, a: Body, b: Body, **own: Any) -> None:
        for body in (a, b):
            if not isinstance(body, Body):
                refuse_type(body, self._kind, "two bodies")
        if api_version.major > 6 and a.body_type != Body.DYNAMIC and b.body_type != Body.DYNAMIC:
            raise _core.Error(f"{self._kind}: found two bodies that nothing moves, expected at least one dynamic body")
        self._first, self._second = a, b
        _core.make(self, {"kind": self._kind, **own})
        self._attach()

    pre_solve: _JointFunction = _function(
        _PRE_SOLVE, None,
        "The function func(constraint, space) that a step calls before it solves the joint, or None.\n\nUse the function to "
        "change the joint in each step, such as the rate of a motor.")
    post_solve: _JointFunction = _function(
        _POST_SOLVE, None,
        "The function func(constraint, space) that a step calls after it has solved the joint, or None.\n\nUse the function to "
        "read the impulse of this step, for example to remove a joint that breaks.")

    def _two_bodies(self) -> Any:
        bodies = self._bodies()
        if not bodies:
            raise _core.Error(f"{self._kind}: found one without bodies, as its space is gone; make a new one")
        return bodies

    def _attach(self) -> None:
        Links.changes += 1
        for body in self._two_bodies():
            body._members(2)[self] = None

    def activate_bodies(self) -> None:
        """Wakes both bodies of the joint."""
        for body in self._bodies():
            body.activate()


class _Pivot(Constraint):
    def _make(self, a: Body, b: Body, **anchors: Any) -> None:
        if anchors["anchor_b"] is None:
            pivot = anchors["anchor_a"]
            for name, body in (("anchor_a", a), ("anchor_b", b)):
                anchors[name] = checked_type(body, Body, self._kind, "two bodies").world_to_local(pivot)
        super()._make(a, b, **anchors)


class _Spring(Constraint):
    _events = {**Constraint._events, _FORCE: "_force_func"}

    @staticmethod
    def spring_force(spring: DampedSpring, dist: float) -> float:
        """Returns Chipmunk's force at a distance of the anchors: (rest_length - dist) * stiffness.

        A positive force pushes the anchors apart."""
        return _core.default_force(spring, dist)

    force_func: FunctionField[Callable[[DampedSpring, float], float]] = _function(
        _FORCE, spring_force,
        "The function func(spring, dist) -> force that a step calls instead of DampedSpring.spring_force().\n\nA positive force "
        "pushes the anchors apart. Damping is added by Chipmunk. None restores the default.")


class _RotarySpring(Constraint):
    _events = {**Constraint._events, _FORCE: "_torque_func"}

    @staticmethod
    def spring_torque(spring: DampedRotarySpring, relative_angle: float) -> float:
        """Returns Chipmunk's torque at an angle of a relative to b: (relative_angle - rest_angle) * stiffness."""
        return _core.default_force(spring, relative_angle)

    torque_func: FunctionField[Callable[[DampedRotarySpring, float], float]] = _function(
        _FORCE, spring_torque,
        "The function func(spring, relative_angle) -> torque that a step calls instead of DampedRotarySpring.spring_torque().\n\n"
        "relative_angle is the angle of a minus the angle of b. Damping is added by Chipmunk. None restores the default.")


_DEFAULTS = (_core.update_velocity, _core.update_position, lambda joint, space: None, lambda joint, space: None, _core.default_force)
_CLASSES: dict[str, type] = {"Body": Body, "Circle": Circle, "Segment": Segment, "Poly": Poly}  # _joints.py adds the joints
_EVENTS = ("begin", "pre_solve", "post_solve", "separate")
_ALL, _ONE, _PAIR, _NEW_ALL, _NEW_ONE, _NEW_PAIR = range(6)


class Arbiter(ArbiterFields, _core.ArbiterCore):
    """A collision of two shapes, which collision handlers and Body.each_arbiter() receive.

    It is valid during that call only: keep its values instead."""

    @property
    def shapes(self) -> tuple[Shape, Shape]:
        """The two shapes that collide, in the order of the handler's collision types."""
        a, b = self._shape_ids
        return self._space._wrap(a), self._space._wrap(b)

    @property
    def bodies(self) -> tuple[Body, Body]:
        """The bodies of the two shapes, in the order of the shapes."""
        a, b = self.shapes
        return a.body, b.body

    @property
    def contact_point_set(self) -> ContactPointSet:
        """The one or two points where the shapes touch.

        pre_solve may set the same number of points. Unlike in pymunk, each of two points keeps its own values."""
        return _contacts(*self._contact_points)

    @contact_point_set.setter
    def contact_point_set(self, point_set: ContactPointSet) -> None:
        points = [(point.point_a, point.point_b, point.distance) for point in point_set.points]
        _core.set_contact_points(self, point_set.normal, points)


_core.show_arbiters_as(Arbiter)


_Begin = Optional[Callable[[Arbiter, "Space", Any], Any]]
_Event = Optional[Callable[[Arbiter, "Space", Any], None]]


def _event(event: int, doc: str) -> Any:
    def get(self: Any) -> Any:
        return self._space._callables.get((*self._key, event))

    def set_(self: Any, function: Any) -> None:
        if function is not None and not callable(function):
            refuse_type(function, f"{_EVENTS[event]} of a collision", "a callable or None")
        space, (kind, a, b) = self._space, self._asked_key
        kind, a, b = _core.listen(space, kind, a, b, event, function is not None)
        if function is None:
            space._callables.pop((kind, a, b, event), None)
        else:
            space._callables[kind, a, b, event] = function

    return property(get, set_, doc=doc)


class CollisionHandler:
    """The functions that a space calls when shapes meet, for add_collision_handler() and its like.

    begin and pre_solve are called as (arbiter, space, data) -> bool, post_solve and separate as (arbiter, space,
    data). The functions belong to the Space's state: save(), restore() and fork() keep them. In these functions,
    add() and remove() take effect after the step, and step(), save() and restore() are refused."""

    def __init__(self, space: Space, key: tuple[int, int, int]) -> None:
        self._space, self._asked_key = space, key

    @property
    def _key(self) -> tuple[int, int, int]:
        """The kind and the two types, in the order of the space's state."""
        key: tuple[int, int, int] = _core.handler_key(self._space, *self._asked_key)
        return key

    @property
    def data(self) -> dict[Any, Any]:
        """The dict that the functions receive as their third argument.

        A fork has a copy. restore() restores its values."""
        return self._space._handler_data.setdefault(self._key, {})

    begin: _Begin = _event(0, "The function that is called in the first step in which two shapes touch, or None.\n\nIt returns False "
                           "to ignore the collision until the shapes part.")
    pre_solve: _Begin = _event(1, "The function that is called in each step before the contact is solved, or None.\n\nIt returns False "
                               "to ignore the collision in this step.")
    post_solve: _Event = _event(2, "The function that is called in each step after the contact is solved, or None.\n\nImpulses are "
                                "known then.")
    separate: _Event = _event(3, "The function that is called when two shapes part or one of them is removed, or None.")


def empty_callback(*args: Any, **kwargs: Any) -> None:
    """Does nothing. As an argument of Space.on_collision() it removes the function of that event."""


def _kept_data(handler_data: Any, memo: dict[int, Any]) -> Any:
    """Returns handlers' data as save() keeps it; on_collision()'s stays the same objects."""
    return {key: dict(data) if key[0] > _PAIR else _value(data, memo) for key, data in handler_data.items()}


def _can_be_copied(thing: Any) -> bool:
    if hasattr(type(thing), "__deepcopy__"):
        return True
    try:
        thing.__reduce_ex__(4)
    except TypeError:
        return False
    return True


def shared_by_copies(things: Any) -> dict[int, Any]:
    """Returns those things of pygame that Python cannot copy, by their ids."""
    return {id(thing): thing for thing in things if type(thing).__module__.startswith("pygame.") and not _can_be_copied(thing)}


def bytes_outside(thing: Any) -> Any:
    """Returns an object's own bytes, or None if a restore has forgotten the object."""
    try:
        return _core.object_bytes(thing)
    except _core.Error:
        return None


class Snapshot(Uncopied):
    """A state of a Space, which Space.save() returned and Space.restore() accepts.

    A snapshot never changes. Every Space of this process can restore it any number of times. It cannot be pickled:
    pickle the Space."""

    _remedy = "it is memory of this process: pickle the Space, or a fork that was restored to it"

    def __init__(self, core: Any, space: Any, of_batch: bool = False) -> None:
        self._of_batch = of_batch  # it has no attributes and callbacks: a Space keeps its own
        self._core, self._callables, self._has_functions = core, dict(space._callables), space._has_functions
        self._origin, self._kept = space._core, space._kept
        memo: dict[int, Any] = {}  # what two objects share stays shared
        self._attributes = _core.attributes_by_id(space._kept.values(), memo)
        self._data = _kept_data(space._handler_data, memo)

    size_bytes: int = inner("size_bytes", "The number of bytes that were copied.")

    def __copy__(self) -> Snapshot:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Snapshot:
        memo[id(self)] = twin = Snapshot.__new__(Snapshot)
        twin.__dict__.update(self.__dict__)
        origin = self._origin.owner
        if origin is not None:
            twin._origin = copy.deepcopy(origin, memo)._core
            twin._kept = {id_: copy.deepcopy(thing, memo) for id_, thing in self._kept.items()
                          if _core.home_of(thing) is not None or bytes_outside(thing) is not None}
        inside = (self._callables, self._data, self._attributes)
        twin._callables, twin._data, twin._attributes = copy.deepcopy(inside, memo)
        return twin


class _NeverMade:
    """Stands for attributes before Space.__init__, and raises Error."""

    def __get__(self, space: Any, cls: Any) -> Any:
        if space is None:
            return self
        raise _core.Error(f"{cls.__name__}: found a Space that was never made: its __init__ calls no super().__init__()")


class Space(SpaceFields):
    """Space()

    The world of a simulation: bodies, shapes and joints that are stepped together.

        space = forkmunk.Space()
        space.gravity = (0, -900)
        body = forkmunk.Body(1, forkmunk.moment_for_circle(1, 0, 10))
        space.add(body, forkmunk.Circle(body, 10))
        saved = space.save()
        for _ in range(60):
            space.step(1 / 60)
        space.restore(saved)

    A Space is used as pymunk's, and can be saved, restored and forked. The same steps give the same bits on every
    machine. Units of length and mass and the direction of y are your choice; times are seconds in the documentation.
    A Space belongs to one thread at a time: during a step, a call from another thread raises forkmunk.Error, but
    while a callback runs it may read and set properties and ask queries. threaded has no effect.

    checked=True, also as an attribute, makes step() report the first body, joint or contact that became non-finite:
    forkmunk.Error is raised, its `object` is the body, the joint or a shape of the contact, and the space is as before
    the step."""

    checked: bool = False
    threaded: bool = False
    _threads = 1
    _core: Any = _NeverMade()
    _lists: Any = _NeverMade()
    _later: Any = _NeverMade()
    _default_defects = "none"  # forkmunk.pymunk's spaces have "pymunk"

    def __init__(self, threaded: bool = False, *, defects: Optional[str] = None, checked: bool = False) -> None:
        """Makes an empty space.

        `defects` chooses defects of Chipmunk 7.0.3: "none", those of "pymunk", or all of "stock" Chipmunk
        (docs/reference/defects.md), in this space and its forks."""
        self._begin(_core.SpaceCore())
        self._core.defects = self._default_defects if defects is None else str(defects)
        self._lists[:] = {}, {}, {}
        self.threaded, self.checked = bool(threaded), bool(checked)

    # pymunk's private names, which some programs read.

    _bodies: Any = property(lambda self: types.MappingProxyType(self._members(0)))
    _constraints: Any = property(lambda self: types.MappingProxyType(self._members(2)))

    @property
    def _shapes(self) -> Any:
        return types.MappingProxyType(self._members(1) if api_version.major > 6 else {shape._id: shape for shape in self._members(1)})

    def _begin(self, core: Any) -> None:
        self._core = core
        core.belong(weakref.ref(self))
        self._kept: dict[int, Any] = {}  # objects by id; shared with snapshots until it changes
        self._is_shared = False
        self._removed: Any = {}  # weakly, by id
        self._lists = [None, None, None]  # bodies, shapes, constraints, after their first use
        self._callables: dict[tuple[int, int, int, int], _Function] = {}  # by kind, types and event
        self._handlers: dict[tuple[int, int, int], CollisionHandler] = {}
        self._handler_data: dict[tuple[int, int, int], dict[Any, Any]] = {}
        self._later = []  # calls of add() and remove() in callbacks: (whether to add, objects)
        self._deferred: dict[int, Any] = {}  # their objects, by id(), until all is done
        self._post_step: dict[Any, Any] = {}
        self._has_functions = False  # False: no body or joint has a function
        self._recorder: Any = None  # a weak reference to the newest Recorder

    defects: str = inner("defects", 'The chosen set of defects of Chipmunk 7.0.3: "none", "pymunk" or "stock".')

    @property
    def threads(self) -> int:
        """The number of threads of pymunk's threaded Space, 1 or 2. A step uses one thread.

        SpaceBatch steps many spaces on several threads."""
        return self._threads

    @threads.setter
    def threads(self, n: int) -> None:
        if self.threaded:
            self._threads = min(max(int(n), 1), 2)

    def _members(self, rank: int) -> Any:
        """Returns the space's dict of bodies (0), shapes (1) or joints (2)."""
        found = self._lists[rank]
        if found is None:
            found = self._lists[rank] = dict.fromkeys(_core.objects_of(self, rank))
        return found

    def _wrap(self, id_: Any) -> Any:
        """Returns an id's object, or a new one, as after a fork."""
        return _core.wrapped(self, id_)

    def twin_of(self, thing: _Own) -> _Own:
        """Returns this space's object for a body, shape or joint of a related space: one of both was forked or restored
        from the other.

        If this space's state does not have the object, forkmunk.Error is raised.

            twin = space.fork()
            twin.twin_of(ball).velocity = (0, 100)"""
        checked_type(thing, Object, "Space.twin_of()", "a body, shape or constraint")
        if thing._core is None or not self._core.contains(thing._id):
            raise _core.Error(f"Space.twin_of(): found {thing!r}, which is not in this space's state")
        twin: _Own = self._wrap(thing._id)
        return twin

    def add(self, *objects: Object) -> None:
        """Adds bodies, shapes and joints in any order, each at most once. In a callback, it takes effect after the
        step.

        The body of a shape must be in the space or added with it. If an object is in a space already, forkmunk.Error
        is raised and nothing is added."""
        _core.add(self, objects)

    def remove(self, *objects: Object) -> None:
        """Removes bodies, shapes and joints, which may be added again anywhere. In a callback, it takes effect after
        the step.

        Remove a body's shapes and joints with it: otherwise they stay, and act on a body that is not stepped.
        separate is called for touching shapes."""
        _core.remove(self, objects)
        self._removed = self._removed or weakref.WeakValueDictionary()
        for thing in objects:
            self._removed[thing._id] = thing

    def step(self, dt: float) -> None:
        """Advances the simulation by dt seconds.

        Use the same small dt in each step, such as 1 / 60 or 1 / 120: large or varying steps make stacks unstable,
        and let fast bodies pass through walls. Prefer several small steps for each drawn frame.

        An exception in a callback is raised here after the step. If a dynamic body has no mass or moment, or a
        number is not finite, forkmunk.Error is raised and nothing is stepped."""
        try:
            self._core.step(dt, self if self._callables or self._has_functions else None, self.checked)
        finally:
            if (self._later or self._post_step) and not self._core.in_call():
                self._catch_up()

    @property
    def _locked(self) -> bool:
        return bool(self._core.in_call())

    def _defer(self, adds: Any, objects: Any) -> None:
        for thing in objects:
            if id(thing) not in self._deferred and thing.space is not (None if adds else self):
                raise _core.Error(f"Space.{'add' if adds else 'remove'}(): found {thing!r}, expected an object "
                                  + ("that is in no space" if adds else "of this space"))
        self._later.append((adds, objects))  # which keeps them, and so their ids
        self._deferred.update((id(thing), thing) for thing in objects)

    def _deferred_work(self) -> Any:
        """Returns the deferred work in pymunk's order: additions, then removals, the last one first. If an object is
        both added and removed, the order is that of the calls."""
        added = [thing for adds, objects in self._later if adds for thing in objects]
        removed = [thing for adds, objects in self._later if not adds for thing in objects]
        if {id(thing) for thing in added}.isdisjoint(map(id, removed)):
            calls = [(True, added), (False, tuple(reversed(dict.fromkeys(removed))))]
        else:
            calls = self._later
        work: list[Any] = [(self._change, call, {}) for call in calls]
        return work + [(function, (self, key, *args), kwargs) for key, (function, args, kwargs) in self._post_step.items()]

    def _change(self, adds: Any, objects: Any) -> None:
        """Makes the deferred calls, each once, as in pymunk."""
        things = [thing for thing in dict.fromkeys(objects) if adds != (thing.space is self)]
        if things:
            (self.add if adds else self.remove)(*things)

    def _catch_up(self, errors: Any = ()) -> None:
        """Does all deferred work, then raises the first error or interruption."""
        errors, (function, args, kwargs) = list(errors), (None, (), {})
        work = self._deferred_work()
        work.reverse()
        self._later, self._post_step = [], {}
        while work:
            try:
                while work:
                    function, args, kwargs = work.pop()
                    function(*args, **kwargs)
            except BaseException as error:  # the rest is done, too, and an addition or removal that was interrupted
                errors.append(error)
                if function == self._change and not isinstance(error, Exception):
                    work.append((function, args, kwargs))
        self._deferred = {}
        if errors:
            raise next((error for error in errors if not isinstance(error, Exception)), errors[0])

    def add_post_step_callback(self, callback_function: Callable[..., Any], key: Hashable, *args: Any,
                               **kwargs: Any) -> bool:
        """Calls callback_function(space, key, ...) once after the current step, and returns True. Between steps it
        is called at once, where pymunk waits for the next step.

        If the key has a function already, as for another contact in this step, nothing is registered and False is
        returned."""
        if not self._core.in_call():
            callback_function(self, key, *args, **kwargs)
            return True
        if key in self._post_step:
            return False
        self._post_step[key] = (callback_function, args, kwargs)
        return True

    def debug_draw(self, options: Any) -> None:
        """Draws the space by SpaceDebugDrawOptions, such as forkmunk.pymunk.pygame_util.DrawOptions, which get a
        call for each shape, joint and contact."""
        draw_space(self, options)

    def __repr__(self) -> str:
        return f"<forkmunk.Space: {len(self._members(0))} bodies, {len(self._members(1))} shapes, {len(self._members(2))} constraints>"

    def _handler(self, kind: int, a: Any = 0, b: Any = 0) -> CollisionHandler:
        key = _core.make_handler(self, kind, a, b)
        return self._handlers.setdefault(key, CollisionHandler(self, key))

    def add_collision_handler(self, collision_type_a: int, collision_type_b: int) -> CollisionHandler:
        """Returns the CollisionHandler of two collision types, in either order, whose functions can be set.

        This is pymunk 6's interface, and on_collision() pymunk 7's; both versions have both."""
        return self._handler(_PAIR, collision_type_a, collision_type_b)

    def add_wildcard_collision_handler(self, collision_type_a: int) -> CollisionHandler:
        """Returns the CollisionHandler of a collision type with any other type."""
        return self._handler(_ONE, collision_type_a)

    def add_default_collision_handler(self) -> CollisionHandler:
        """Returns the CollisionHandler of all pairs without another handler.

        It is called for each touching pair, which makes steps slow: prefer a handler of two types."""
        return self._handler(_ALL)

    def on_collision(self, collision_type_a: Optional[int] = None, collision_type_b: Optional[int] = None, begin: _Event = None,
                     pre_solve: _Event = None, post_solve: _Event = None, separate: _Event = None, data: Any = None) -> None:
        """Sets functions that are called when shapes of two collision types meet; None stands for any type.

        begin is called in the first step in which two shapes touch, pre_solve and post_solve in each step before and
        after the contact is solved, and separate when the shapes part or one is removed: function(arbiter, space,
        data).

            def hit(arbiter, space, data):
                data.append(arbiter.total_impulse.length)

            space.on_collision(1, 2, post_solve=hit, data=[])

        The shapes collide unless begin or pre_solve sets arbiter.process_collision to False. All functions that fit
        are called, those of two types first, those of any type last. None leaves the event's function;
        forkmunk.pymunk.empty_callback removes it. Pairs without a function cost nothing, but a function for any two
        types is called for each touching pair. Forks and restore() share data: use copy.deepcopy() or
        forkmunk.Checkpoint where its content counts."""
        a, b = collision_type_a, collision_type_b
        if a is None and b is not None:
            raise _core.Error("Space.on_collision(): found collision_type_b without collision_type_a, expected them swapped")
        kind = _NEW_ALL if a is None else _NEW_ONE if b is None else _NEW_PAIR
        handler = CollisionHandler(self, (kind, a or 0, b or 0))
        for event, function in enumerate((begin, pre_solve, post_solve, separate)):
            if function is not None:
                setattr(handler, _EVENTS[event], None if function is empty_callback else function)
                handler.data[_EVENTS[event]] = data

    def _accepts(self, function: Any, event: Any, result: Any) -> Any:
        """Returns whether shapes collide if a CollisionHandler's function returned no bool."""
        if api_version.major < 7:
            warnings.warn(f"{getattr(function, '__name__', function)} returned {result!r} as {_EVENTS[event]}; expected a bool, "
                          "whether the shapes collide: they do", stacklevel=2)
            return True
        return result is None or bool(result)

    def _function_of(self, event: int, id_: int) -> Any:
        """Returns a body or joint and its function, or the default if a restore removed it."""
        thing = self._wrap(id_)
        return thing, thing.__dict__.get(thing._events[event], _DEFAULTS[event])

    def save(self) -> Snapshot:
        """Returns the state of the whole space as a Snapshot: objects, contacts, settings, and collision handlers.

        save() costs one memcpy. The program's attributes of bodies, shapes and joints, but not of the Space, are
        kept: lists, dicts, sets, tuples and NumPy arrays as copies, others as they are. It cannot be called in a
        callback."""
        snapshot = Snapshot(self._core.save(), self)
        self._is_shared = True
        return snapshot

    def restore(self, snapshot: Snapshot) -> None:
        """Restores the state that save() returned, so that the space steps on with the same bits.

        Python objects stay the same. Using an object that was added since raises forkmunk.Error; one that was
        removed since is in the space again."""
        if not isinstance(snapshot, Snapshot):
            refuse_type(snapshot, "Space.restore()", "what Space.save() gave")
        family = self._core.static_body
        is_own = snapshot._origin is self._core
        changes = self._core.restore(snapshot._core, is_own)
        keeps_own = snapshot._of_batch and self._core.static_body == family
        if not keeps_own:
            self._callables, self._has_functions = dict(snapshot._callables), snapshot._has_functions
        if changes is not None:
            if self._recorder is not None and (recorder := self._recorder()) is not None:
                went = [id_ for id_ in (changes[0] if changes else self._kept) if not self._core.contains(id_)]
                recorder._keep([self._kept[id_] for id_ in went if id_ in self._kept])
            if not is_own:
                self._take_classes(snapshot._kept)
            self._rebind(snapshot._kept if is_own else self._kept, *changes)
        if keeps_own:
            return
        for data in self._handler_data.values():
            data.clear()
        memo: dict[int, Any] = {}
        _core.set_attributes_by_id(self, self._kept.values(), snapshot._attributes, memo)
        for key, values in _kept_data(snapshot._data, memo).items():
            self._handler_data.setdefault(key, {}).update(values)

    def _rebind(self, kept: Any, went: Any = None, came: Any = (), touched: Any = ()) -> None:
        """Binds Python's objects, `kept`, to another state's: all, or those that restore() names."""
        before, self._is_shared, touched = self._kept, False, {*touched}
        if went is not None:
            found = {id_: kept[id_] for id_ in came if id_ in kept}
            self._kept = dict(before)
            for id_ in went:
                self._kept.pop(id_, None)
            if kept is not before and not (kept.items() <= {**self._kept, **found}.items()
                                           and all(before.get(id_, thing) is thing for id_, thing in found.items())):
                went = None  # another object stands in for one
        if went is None:
            self._kept, came = {}, self._core.ids(3)
        for id_ in came:
            wanted = kept.get(id_, self._removed.get(id_))  # it may have another id since its body was changed
            thing = _core.object_at(self, id_, wanted)
            if thing is None:
                continue
            self._kept[id_] = thing
            for body in (thing._first, thing._second):
                if body is not None:  # perhaps changed since
                    touched.add(body._id)
                    ((body._shapes if thing._rank == 1 else body._joints) or {}).pop(thing, None)
            thing._first = thing._second = None
        for body in [*map(self._kept.get, self._kept if went is None else touched)]:
            if body is None or body._rank != 0:
                continue
            attached = (*(body._shapes or ()), *(body._joints or ()))
            body._shapes = body._joints = None
            for thing in attached:  # what is in no space stays attached
                if thing._core is None:
                    body._members(thing._rank)[thing] = None
        for rank, known in enumerate(self._lists):  # views of them are live
            if known is None:
                continue
            if went is None or came:
                known.clear()
                known.update(dict.fromkeys(_core.objects_of(self, rank)))
            else:
                for id_ in went:
                    known.pop(before.get(id_), None)

    def _take_classes(self, kept: dict[int, Any]) -> None:
        """Makes the twins of a related space's objects whose classes are the program's own."""
        own = {*map(type, kept.values())}.difference(_CLASSES.values())
        if own:
            self._kept = dict(self._kept)  # snapshots may share it
            for id_, thing in kept.items():
                if type(thing) in own and id_ not in self._kept and self._core.contains(id_):
                    _core.wrap_as(self, type(thing), id_)

    def _repr_html_(self) -> str:
        from .recorder import still

        return still(self)._repr_html_()

    def fork(self: _OwnSpace) -> _OwnSpace:
        """Returns an independent twin of the space with exactly the same future.

        twin.twin_of(body) is the twin's object for this space's body. The twin shares attributes and callbacks,
        which receive the twin. copy.deepcopy(space) copies them, and is slower."""
        twin = self._forked()
        twin._take_classes(self._kept)
        _core.set_attributes_by_id(twin, (), _core.attributes_by_id(self._kept.values(), None), None)
        twin._receive(Space.__getstate__(self))
        return twin

    def _forked(self: _OwnSpace) -> _OwnSpace:
        twin = type(self).__new__(type(self))
        twin._begin(self._core.fork())
        twin.threaded, twin.checked, twin._threads = self.threaded, self.checked, self._threads
        twin._callables, twin._has_functions = dict(self._callables), self._has_functions
        twin._handler_data = {key: dict(data) for key, data in self._handler_data.items()}
        return twin

    def _receive(self, own: Any) -> None:
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
        others = [_core.wrap_as(twin, type(thing), id_) for id_, thing in self._kept.items()]
        memo.update(zip(map(id, self._kept.values()), others))
        for thing, other in zip((self, *self._kept.values()), (twin, *others)):
            for reference in weakref.getweakrefs(thing):
                if type(reference) is weakref.ref and reference.__callback__ is None:
                    memo[id(reference)] = weakref.ref(other)
        for thing in _core.attributed(self._kept.values()):
            _set_state(memo[id(thing)], copy.deepcopy(thing.__getstate__(), memo))
        for thing, shapes in _with_loose_shapes(self._kept.values()):
            memo[id(thing)]._keep_order(copy.deepcopy(shapes, memo))
        twin.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        twin._callables = copy.deepcopy(self._callables, memo)
        data = [value for each in self._handler_data.values() for value in each.values()]
        data += [value for each in data if isinstance(each, dict) for value in each.values()]
        memo.update(shared_by_copies(data))
        twin._handler_data = copy.deepcopy(self._handler_data, memo)
        return twin

    def __reduce_ex__(self, protocol: Any) -> Any:
        own = self.__getstate__()
        state = (self._core.write(), list(self._kept.items()), self._callables, self._handler_data, self._has_functions, own,
                 *_with_loose_shapes(self._kept.values()))
        return _made, (type(self),), state, None, None, _set_object

    def __getstate__(self) -> Any:
        """Returns the program's attributes, for copies and pickles."""
        return {name: value for name, value in attributes_of(self).items() if name not in self._inside}

    def __setstate__(self, state: Any) -> None:
        _refuse_pymunks(self, state)
        self._receive(dict(state))

    def _set_pickled(self, state: Any) -> None:
        written, kept, callables, data, has_functions, own, *loose = state
        self._begin(_core.SpaceCore.read(written))
        self._rebind(dict(kept))  # a joint outside of the space may have come before its bodies
        for body, shapes in loose:
            body._keep_order(shapes)
        self._callables, self._handler_data, self._has_functions = callables, data, bool(has_functions)
        self.__setstate__(own)

    def copy(self: _OwnSpace) -> _OwnSpace:
        """Returns copy.deepcopy() of the space, under pymunk's name.

        Unlike pymunk's copies, it keeps resting contacts and joint impulses, and so exactly the same future."""
        return copy.deepcopy(self)

    def to_bytes(self) -> bytes:
        """Returns the state of the space for another process, machine, language or version of the package.

        Space.from_bytes() reads it, as Snapshot::read() in C++ and Space.fromBytes() in JavaScript do. The attribute
        user_data of the space and its objects travels: None, bool, int, float, str, bytes, and lists and dicts of
        all but bytes. A bytearray arrives as bytes, a tuple as a list, a dict's key as a str. Pickle a space to keep
        other attributes and callbacks. C++ and JavaScript hash user data, Python does not; otherwise hash() is the
        same in all languages.

            data = space.to_bytes()
            twin = forkmunk.Space.from_bytes(data)"""
        things = [(0, self), *((thing._id, thing) for thing in _core.attributed(self._kept.values()))]
        data = {id_: attributes_of(thing).get("user_data") for id_, thing in things}
        packed: bytes = self._core.to_bytes({id_: _packed(value) for id_, value in data.items() if value is not None})
        return packed

    @classmethod
    def from_bytes(cls: type[_OwnSpace], data: bytes) -> _OwnSpace:
        """Returns a new space with the state that to_bytes() returned. Set callbacks again.

        The bytes may come from anyone: anything but a whole state raises forkmunk.Error. Objects keep their order."""
        space = cls.__new__(cls)
        core, found = _core.SpaceCore.from_bytes(data if isinstance(data, bytes) else checked_bytes(data, "Space.from_bytes()"))
        space._begin(core)
        for id_, packed in found.items():
            setattr(space if id_ == 0 else space._wrap(id_), "user_data", _unpacked(packed))
        return space

    _inside: frozenset[str]  # the names of the package's own attributes


Space._inside = frozenset(Space().__dict__) - {"threaded", "checked", "_threads"}

for _module in (_fields, geometry):  # for typing.get_type_hints()
    vars(_module).update(Body=Body, Constraint=Constraint, Shape=Shape)

_VIEWS = [(cls, rank, name, getattr(cls, name)) for cls, name, rank in (
    (Space, "bodies", 0), (Space, "shapes", 1), (Space, "constraints", 2), (Body, "shapes", 1), (Body, "constraints", 2))]


def _use_version(major: int) -> None:
    """Makes the collections live views, or version 6's lists and sets, so that accesses need not ask."""
    for cls, rank, name, view in _VIEWS:
        listed = _core.list_getter(rank)
        getter = listed if cls is Space else lambda body, listed=listed: OrderedSet(listed(body))
        setattr(cls, name, view if major > 6 else property(getter, doc=view.__doc__))


api_version.follow = _use_version
