"""Bodies and shapes with pymunk's names. They are plain data until Space.add(); from then on they show what is in the
space. One that is gone, because a restore went back to before it was added, raises forkmunk.Error when it is used."""

from __future__ import annotations

import math
from types import MappingProxyType

from . import _forkmunk as _core
from .geometry import BB, ShapeFilter, Vec2d


def _field(name, doc, shown=lambda value: value):
    """A property that is in the space, or in the plain data."""

    def get(self):
        return shown(self._get(name))

    def set_(self, value):
        self._set(name, value)

    return property(get, set_, doc=doc)


def _shown(name, doc, shown=lambda value: value):
    return property(lambda self: shown(self._get(name)), doc=doc)


def _vector(value):
    return Vec2d(*value)


class Object:
    """What bodies, shapes and constraints have in common."""

    _space = None
    _id = 0
    _fields: tuple = ()
    _data = MappingProxyType({})  # until __init__ runs

    def __init__(self):
        self._data = {}

    @property
    def space(self):
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
            return core  # which says so if the object is gone
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

    def __copy__(self):
        """Plain data of its own; in no space. Of a shape or joint: on the same bodies."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._data = dict(self._data) if self._core() is None else self._take_back()
        twin._space, twin._id = None, 0
        return twin

    def _take_back(self):
        """Reads everything out of the space, which is about to forget it."""
        data = {name: self._space._core.get(self._id, name) for name in self._fields}
        return data


class Body(Object):
    """Body(mass=0, moment=0, body_type=Body.DYNAMIC)

    A rigid body. Position and angle are those of its origin; velocities those of its centre of gravity."""

    DYNAMIC, KINEMATIC, STATIC = 0, 1, 2
    _fields = ("center_of_gravity", "angle", "position", "velocity", "angular_velocity", "force", "torque")

    def __init__(self, mass=0, moment=0, body_type=0):
        super().__init__()
        if body_type not in (0, 1, 2):
            raise _core.Error(f"Body(body_type=): found {body_type!r}, expected Body.DYNAMIC, KINEMATIC or STATIC")
        zero = (0.0, 0.0)
        self._data = {"body_type": int(body_type), "mass": 0.0, "moment": 0.0, "center_of_gravity": zero, "angle": 0.0,
                      "position": zero, "velocity": zero, "angular_velocity": 0.0, "force": zero, "torque": 0.0}
        if body_type == Body.DYNAMIC:
            if mass:
                self.mass = mass
            if moment:
                self.moment = moment
        else:
            self._data["mass"] = self._data["moment"] = math.inf

    mass = _field("mass", "Above 0; of a dynamic body.")
    moment = _field("moment", "Moment of inertia, above 0; infinity: it never turns.")
    center_of_gravity = _field("center_of_gravity", "In the body's own coordinates.", _vector)
    angle = _field("angle", "Radians, counter-clockwise.")
    position = _field("position", "Of the origin.", _vector)
    velocity = _field("velocity", "Of the centre of gravity, per second.", _vector)
    angular_velocity = _field("angular_velocity", "Radians per second.")
    force = _field("force", "For the next step.", _vector)
    torque = _field("torque", "For the next step.")
    body_type = _shown("body_type", "DYNAMIC, KINEMATIC or STATIC; as it was made.")

    def _kind(self):
        return "Body"

    def __repr__(self):
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
        return Vec2d(*self._get("rotation_vector")) if self._core() else Vec2d(math.cos(self.angle), math.sin(self.angle))

    @property
    def shapes(self) -> set:
        """Those in the space that are attached to it."""
        return self._attached("shapes_of")

    @property
    def constraints(self) -> set:
        return self._attached("constraints_of")

    def _attached(self, function):
        space = self.space
        return {space._wrap(id_) for id_ in getattr(space._core, function)(self._id)} if space else set()

    def local_to_world(self, point) -> Vec2d:
        return self.position + Vec2d(*point).turned(self.rotation_vector)

    def world_to_local(self, point) -> Vec2d:
        turn = self.rotation_vector
        return (Vec2d(*point) - self.position).turned(Vec2d(turn.x, -turn.y))

    def velocity_at_world_point(self, point) -> Vec2d:
        arm = Vec2d(*point) - self.local_to_world(self.center_of_gravity)
        return self.velocity + arm.perpendicular() * self.angular_velocity

    def velocity_at_local_point(self, point) -> Vec2d:
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

    def apply_force_at_world_point(self, force, point):
        self._push(False, False, force, point)

    def apply_force_at_local_point(self, force, point=(0, 0)):
        self._push(False, True, force, point)

    def apply_impulse_at_world_point(self, impulse, point):
        self._push(True, False, impulse, point)

    def apply_impulse_at_local_point(self, impulse, point=(0, 0)):
        self._push(True, True, impulse, point)

    def activate(self):
        """Wakes a sleeping body and what it touches."""
        if self._core():
            self._core().activate(self._id)

    def sleep(self):
        """Puts the body to sleep at once. The space must have a sleep_time_threshold."""
        if not self._core():
            raise _core.Error("Body.sleep(): found a body in no space, expected one in a space")
        self._core().sleep(self._id)

    def _take_back(self):
        core = self._space._core
        data = {name: core.get(self._id, name) for name in (*self._fields, "body_type", "mass", "moment")}
        return data


class Shape(Object):
    """A piece of a body that collides. Not made itself: Circle, Segment, Poly."""

    _fields = ("friction", "elasticity", "sensor", "collision_type", "surface_velocity", "filter", "mass", "density")
    _geometry: tuple = ()

    def __init__(self, body, geometry):
        super().__init__()
        if body is not None and not isinstance(body, Body):
            raise TypeError(f"{self._kind()}(body): found {body!r}, expected a Body or None")
        self._body = body
        self._data = {"friction": 0.0, "elasticity": 0.0, "sensor": False, "collision_type": 0,
                      "surface_velocity": (0.0, 0.0), "filter": ShapeFilter(), "mass": 0.0, "density": 0.0, **geometry}

    friction = _field("friction", "0 or more.")
    elasticity = _field("elasticity", "0 or more; 1 bounces fully.")
    sensor = _field("sensor", "Whether it calls back but does not push.")
    collision_type = _field("collision_type", "A whole number, for collision handlers.")
    surface_velocity = _field("surface_velocity", "Of a moving surface.", _vector)
    filter = _field("filter", "A ShapeFilter.", lambda value: ShapeFilter(*value))
    mass = _field("mass", "Of the shape: the body's mass is the sum. 0: the body's own.")
    density = _field("density", "Mass by area, instead of mass.")

    def _kind(self):
        return next(cls.__name__ for cls in type(self).__mro__ if cls.__name__ in ("Circle", "Segment", "Poly"))

    @property
    def body(self):
        """The Body that it is attached to."""
        core = self._core()
        return self._body if core is None else self._space._wrap(core.body_of(self._id))

    @body.setter
    def body(self, body):
        if self._core() is not None:
            raise _core.Error("Shape.body: found a shape in a space, expected it to be removed before it changes its body")
        if body is not None and not isinstance(body, Body):
            raise TypeError(f"Shape.body: found {body!r}, expected a Body or None")
        self._body = body

    @property
    def bb(self) -> BB:
        """The box around it, as of the last step; of a shape in a space."""
        if self._core() is None:
            raise _core.Error("Shape.bb: found a shape in no space, expected one in a space")
        return BB(*self._get("bb"))

    @property
    def area(self) -> float:
        return self._in_space("area")

    @property
    def moment(self) -> float:
        return self._in_space("moment")

    @property
    def center_of_gravity(self) -> Vec2d:
        return Vec2d(*self._in_space("center_of_gravity"))

    def _in_space(self, name):
        if self._core() is None:
            raise _core.Error(f"Shape.{name}: found a shape in no space, expected one in a space")
        return self._get(name)

    def _description(self):
        return {"kind": self._kind(), **{name: self._data[name] for name in self._geometry}}

    def __repr__(self):
        return f"<forkmunk.{self._kind()} of {self.__dict__.get('_body')!r}>"

    def _take_back(self):
        core = self._space._core
        data = {name: core.get(self._id, name) for name in (*self._fields, *self._geometry)}
        self._body = self._space._wrap(core.body_of(self._id))
        return data


class Circle(Shape):
    """Circle(body, radius, offset=(0, 0))"""

    _geometry = ("radius", "offset")

    def __init__(self, body, radius, offset=(0, 0)):
        super().__init__(body, {"radius": _core.check_field("Body", "angle", radius),
                                "offset": _core.check_field("Body", "position", offset)})

    radius = _shown("radius", "")
    offset = _shown("offset", "Of the centre, in the body's coordinates.", _vector)


class Segment(Shape):
    """Segment(body, a, b, radius): a line with rounded ends."""

    _geometry = ("a", "b", "radius")

    def __init__(self, body, a, b, radius):
        super().__init__(body, {"a": _core.check_field("Body", "position", a),
                                "b": _core.check_field("Body", "position", b),
                                "radius": _core.check_field("Body", "angle", radius)})

    a = _shown("a", "", _vector)
    b = _shown("b", "", _vector)
    radius = _shown("radius", "")

    @property
    def normal(self) -> Vec2d:
        return Vec2d(*self._in_space("normal"))


class Poly(Shape):
    """Poly(body, vertices, transform=None, radius=0): the convex hull of the vertices."""

    _geometry = ("vertices", "radius")

    def __init__(self, body, vertices, transform=None, radius=0):
        if transform is not None:
            raise _core.Error("Poly(transform=): found one, expected None; transform the vertices before")
        hull = [Vec2d(*v) for v in _core.convex_hull(list(vertices))]
        if len(hull) < 3:
            raise _core.Error(f"Poly(vertices): found a hull of {len(hull)}, expected 3 or more vertices with an area")
        super().__init__(body, {"vertices": hull, "radius": _core.check_field("Body", "angle", radius)})

    radius = _shown("radius", "")

    def get_vertices(self) -> list:
        """In the body's coordinates."""
        return [Vec2d(*vertex) for vertex in self._get("vertices")]

    @staticmethod
    def create_box(body, size=(10, 10), radius=0) -> Poly:
        x, y = size[0] / 2, size[1] / 2
        return Poly(body, [(x, -y), (x, y), (-x, y), (-x, -y)], None, radius)

    @staticmethod
    def create_box_bb(body, bb, radius=0) -> Poly:
        left, bottom, right, top = bb
        return Poly(body, [(right, bottom), (right, top), (left, top), (left, bottom)], None, radius)
