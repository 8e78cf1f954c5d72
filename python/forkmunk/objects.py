"""Bodies with pymunk's names, and what they share with shapes and joints: objects are plain data until Space.add(), then
views of the space. One that is gone, because a restore went back to before it was added, raises forkmunk.Error."""

from __future__ import annotations

import copy
import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Optional, TypeVar

from . import _forkmunk as _core
from .geometry import Vec2d, Vector, VectorField

if TYPE_CHECKING:
    from .constraints import Constraint
    from .shapes import Shape
    from .space import Space

_Own = TypeVar("_Own", bound="Object")


def _field(name: str, doc: str, shown: Any = None) -> Any:
    """A property that is in the space, or in the plain data. Vectors are Vec2d in both."""

    def get(self):
        if self._data or self._space is None:
            value = self._get(name)
        else:
            value = self._space._core.get(self._id, name)
        return value if shown is None else shown(value)

    def set_(self, value):
        self._set(name, value)

    return property(get, set_, doc=doc)


def _unsupported(name: str) -> Any:
    """A property of pymunk's that would be ignored here: reading it is an AttributeError, setting it an Error."""

    def get(self):
        raise AttributeError(f"{self._kind()}.{name} is not supported")

    def set_(self, value):
        raise _core.Error(f"{self._kind()}.{name} is not supported: it would be ignored")

    return property(get, set_)


class Object:
    """What bodies, shapes and constraints have in common."""

    _space: Any = None
    _id = 0
    _rank = 0  # in which order Space.add() adds
    _own_count = 3  # attributes that are the package's
    _fields: tuple[str, ...] = ()
    _defaults: dict[str, Any] = {}  # of the fields, in a new object of Chipmunk's
    _data: Any = MappingProxyType({})  # until __init__ runs

    def __init__(self) -> None:
        self._space, self._id, self._data = None, 0, {}

    @property
    def space(self) -> Optional[Space]:
        """The Space that it is in, or None."""
        return self._space if self._is_in_space() else None

    def _kind(self):
        return type(self).__name__

    def _is_in_space(self):
        return self._space is not None and self._space._core.contains(self._id)

    def _core(self):
        """The space's core if the object is in it; None if it is plain data."""
        if self._space is None:
            return None
        core = self._space._core
        if not self._data or core.contains(self._id):
            return core  # which raises if the object is gone
        return None

    def _get(self, name):
        core = self._core()
        if core is not None:
            return core.get(self._id, name)
        self._check_made()
        return self._data[name]

    def _check_made(self):
        if not self._data:
            raise _core.Error(f"{self._kind()}: found an object that was never made: its __init__ did not run")

    def _set(self, name, value):
        core = self._core()
        if core is None:
            self._check_made()
            self._data[name] = _core.check_field(self._kind(), name, value)
        else:
            core.set(self._id, name, value)

    def _entered(self, space, id_):
        self._space, self._id, self._data = space, id_, {}

    def __copy__(self: _Own) -> _Own:
        """Plain data of its own; in no space. Of a shape or joint: on the same bodies."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._data = dict(self._data) if self._core() is None else self._take_back()
        twin._space, twin._id = None, 0
        return twin

    def __deepcopy__(self: _Own, memo: dict[int, Any]) -> _Own:
        """Of an object in a space: its twin in a copy of the space. Else plain data, on copies of its bodies."""
        if self._is_in_space():
            copy.deepcopy(self._space, memo)
            twin: _Own = memo[id(self)]
            return twin
        memo[id(self)] = twin = type(self).__new__(type(self))
        own = {name: value for name, value in self.__dict__.items() if name not in ("_space", "_id")}
        twin.__dict__.update(copy.deepcopy(own, memo), _space=None, _id=0)
        return twin

    def _take_back(self):
        """Reads everything out of the space, which is about to forget it."""
        data = {name: self._space._core.get(self._id, name) for name in self._fields}
        return data


class Body(Object):
    """Body(mass=0, moment=0, body_type=Body.DYNAMIC)

    A rigid body. Position and angle are those of its origin; velocities those of its centre of gravity."""

    DYNAMIC, KINEMATIC, STATIC = 0, 1, 2
    _zero = Vec2d(0.0, 0.0)
    _defaults = {"center_of_gravity": _zero, "angle": 0.0, "position": _zero, "velocity": _zero, "angular_velocity": 0.0,
                 "force": _zero, "torque": 0.0}
    _fields = tuple(_defaults)

    def __init__(self, mass: float = 0, moment: float = 0, body_type: int = 0) -> None:
        super().__init__()
        if body_type not in (0, 1, 2):
            raise _core.Error(f"Body(body_type=): found {body_type!r}, expected Body.DYNAMIC, KINEMATIC or STATIC")
        self._data = {"body_type": int(body_type), "mass": 0.0, "moment": 0.0, **self._defaults}
        if body_type == Body.DYNAMIC:
            if mass:
                self._data["mass"] = _core.check_field("Body", "mass", mass)
            if moment:
                self._data["moment"] = _core.check_field("Body", "moment", moment)
        else:
            self._data["mass"] = self._data["moment"] = math.inf

    mass: float = _field("mass", "Above 0; of a dynamic body.")
    moment: float = _field("moment", "Moment of inertia, above 0; infinity: it never turns.")
    center_of_gravity: VectorField = _field("center_of_gravity", "In the body's own coordinates.")
    angle: float = _field("angle", "Radians, counter-clockwise.")
    position: VectorField = _field("position", "Of the origin.")
    velocity: VectorField = _field("velocity", "Of the centre of gravity, per second.")
    angular_velocity: float = _field("angular_velocity", "Radians per second.")
    force: VectorField = _field("force", "For the next step.")
    torque: float = _field("torque", "For the next step.")

    velocity_func = _unsupported("velocity_func")
    position_func = _unsupported("position_func")

    @property
    def body_type(self) -> int:
        """DYNAMIC, KINEMATIC or STATIC; fixed at construction."""
        return self._get("body_type")

    def _kind(self):
        return "Body"

    def __repr__(self) -> str:
        try:
            return f"Body({self.mass}, {self.moment}, Body.{('DYNAMIC', 'KINEMATIC', 'STATIC')[self.body_type]})"
        except _core.Error:
            return "<forkmunk.Body that is in no state>"

    @property
    def is_sleeping(self) -> bool:
        return self._get("is_sleeping") if self._core() else False

    @property
    def kinetic_energy(self) -> float:
        if self._core():
            return self._get("kinetic_energy")
        speed, spin = self.velocity.dot(self.velocity), self.angular_velocity**2
        return (self.mass * speed if speed else 0.0) + (self.moment * spin if spin else 0.0)

    @property
    def rotation_vector(self) -> Vec2d:
        return self._get("rotation_vector") if self._core() else Vec2d(math.cos(self.angle), math.sin(self.angle))

    @property
    def shapes(self) -> set[Shape]:
        """Those in the space that are attached to it."""
        return self._attached("shapes_of")

    @property
    def constraints(self) -> set[Constraint]:
        """The joints in the space that are attached to it."""
        return self._attached("constraints_of")

    def _attached(self, function):
        space = self.space
        return {space._wrap(id_) for id_ in getattr(space._core, function)(self._id)} if space else set()

    def local_to_world(self, point: Vector) -> Vec2d:
        return self.position + Vec2d(*point).turned(self.rotation_vector)

    def world_to_local(self, point: Vector) -> Vec2d:
        turn = self.rotation_vector
        return (Vec2d(*point) - self.position).turned(Vec2d(turn.x, -turn.y))

    def velocity_at_world_point(self, point: Vector) -> Vec2d:
        arm = Vec2d(*point) - self.local_to_world(self.center_of_gravity)
        return self.velocity + arm.perpendicular() * self.angular_velocity

    def velocity_at_local_point(self, point: Vector) -> Vec2d:
        return self.velocity_at_world_point(self.local_to_world(point))

    def _push(self, impulse, local, what, where):
        core = self._core()
        if core:
            core.push(self._id, impulse, local, what, where)
            return
        what = Vec2d(*_core.check_field("Body", "force", what))
        point = Vec2d(*_core.check_field("Body", "position", where))
        if local:
            what, point = what.turned(self.rotation_vector), self.local_to_world(point)
        arm = point - self.local_to_world(self.center_of_gravity)
        if impulse:
            if not (self.mass > 0 and self.moment > 0):
                raise _core.Error("Body: found no mass or no moment, expected both before an impulse")
            self.velocity = self.velocity + what / self.mass
            self.angular_velocity += arm.cross(what) / self.moment
        else:
            self.force = self.force + what
            self.torque += arm.cross(what)

    def apply_force_at_world_point(self, force: Vector, point: Vector) -> None:
        self._push(False, False, force, point)

    def apply_force_at_local_point(self, force: Vector, point: Vector = (0, 0)) -> None:
        self._push(False, True, force, point)

    def apply_impulse_at_world_point(self, impulse: Vector, point: Vector) -> None:
        self._push(True, False, impulse, point)

    def apply_impulse_at_local_point(self, impulse: Vector, point: Vector = (0, 0)) -> None:
        self._push(True, True, impulse, point)

    def activate(self) -> None:
        """Wakes a sleeping body and what it touches."""
        if self._core():
            self._core().activate(self._id)

    def sleep(self) -> None:
        """Puts the body to sleep at once. The space must have a sleep_time_threshold."""
        if not self._core():
            raise _core.Error("Body.sleep(): found a body in no space, expected one in a space")
        self._core().sleep(self._id)

    def _take_back(self):
        core = self._space._core
        data = {name: core.get(self._id, name) for name in (*self._fields, "body_type", "mass", "moment")}
        return data
