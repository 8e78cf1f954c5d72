"""Shapes with pymunk's names: Circle, Segment, Poly. Objects as objects.py has them."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from . import _forkmunk as _core
from .geometry import BB, FilterField, ShapeFilter, Vec2d, Vector, VectorField
from .objects import Body, Object, _field


class Shape(Object):
    """A piece of a body that collides. Not made itself: Circle, Segment, Poly."""

    _rank, _own_count = 1, 4
    _defaults = {"friction": 0.0, "elasticity": 0.0, "sensor": False, "collision_type": 0, "surface_velocity": Vec2d(0.0, 0.0),
                 "filter": ShapeFilter(), "mass": 0.0, "density": 0.0}
    _fields = tuple(_defaults)
    _geometry: tuple[str, ...] = ()
    _body: Optional[Body]

    def __init__(self, body: Optional[Body], geometry: dict[str, Any]) -> None:
        super().__init__()
        if body is not None and not isinstance(body, Body):
            raise TypeError(f"{self._kind()}(body): found {body!r}, expected a Body or None")
        self._body = body
        self._data = {**self._defaults, **geometry}

    friction: float = _field("friction", "0 or more.")
    elasticity: float = _field("elasticity", "0 or more; 1 bounces fully.")
    sensor: bool = _field("sensor", "Whether it calls back but does not push.")
    collision_type: int = _field("collision_type", "A whole number, for collision handlers.")
    surface_velocity: VectorField = _field("surface_velocity", "Of a moving surface.")
    filter: FilterField = _field("filter", "A ShapeFilter.", lambda value: ShapeFilter(*value))
    mass: float = _field("mass", "Of the shape: the body's mass is the sum. 0: the body's own.")
    density: float = _field("density", "Mass by area, instead of mass.")

    def _kind(self):
        return next(cls.__name__ for cls in type(self).__mro__ if cls.__name__ in ("Circle", "Segment", "Poly"))

    @property
    def body(self) -> Any:
        """The Body that it is attached to."""
        core = self._core()
        return self._body if core is None else self._space._wrap(core.body_of(self._id))

    @body.setter
    def body(self, body: Optional[Body]) -> None:
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
        """Of a shape in a space, square map units."""
        return self._in_space("area")

    @property
    def moment(self) -> float:
        """Its moment of inertia, if it has a mass; of a shape in a space."""
        return self._in_space("moment")

    @property
    def center_of_gravity(self) -> Vec2d:
        """In the body's coordinates; of a shape in a space."""
        return self._in_space("center_of_gravity")

    def _in_space(self, name):
        if self._core() is None:
            raise _core.Error(f"Shape.{name}: found a shape in no space, expected one in a space")
        return self._get(name)

    def _description(self):
        return {"kind": self._kind(), **{name: self._data[name] for name in self._geometry}}

    def __repr__(self) -> str:
        return f"<forkmunk.{self._kind()} of {self.__dict__.get('_body')!r}>"

    def _take_back(self):
        core = self._space._core
        data = {name: core.get(self._id, name) for name in (*self._fields, *self._geometry)}
        self._body = self._space._wrap(core.body_of(self._id))
        return data


class Circle(Shape):
    """Circle(body, radius, offset=(0, 0))"""

    _geometry = ("radius", "offset")

    def __init__(self, body: Optional[Body], radius: float, offset: Vector = (0, 0)) -> None:
        super().__init__(body, {"radius": _core.check_field("Body", "angle", radius),
                                "offset": _core.check_field("Body", "position", offset)})

    @property
    def radius(self) -> float:
        """Fixed at construction."""
        return self._get("radius")

    @property
    def offset(self) -> Vec2d:
        """Of the centre, in the body's coordinates."""
        return self._get("offset")


class Segment(Shape):
    """Segment(body, a, b, radius): a line with rounded ends."""

    _geometry = ("a", "b", "radius")

    def __init__(self, body: Optional[Body], a: Vector, b: Vector, radius: float) -> None:
        super().__init__(body, {"a": _core.check_field("Body", "position", a),
                                "b": _core.check_field("Body", "position", b),
                                "radius": _core.check_field("Body", "angle", radius)})

    @property
    def a(self) -> Vec2d:
        """One end, in the body's coordinates."""
        return self._get("a")

    @property
    def b(self) -> Vec2d:
        """The other end."""
        return self._get("b")

    @property
    def radius(self) -> float:
        """Fixed at construction."""
        return self._get("radius")

    @property
    def normal(self) -> Vec2d:
        """Of a segment in a space."""
        return self._in_space("normal")


class Poly(Shape):
    """Poly(body, vertices, transform=None, radius=0): the convex hull of the vertices."""

    _geometry = ("vertices", "radius")

    def __init__(self, body: Optional[Body], vertices: Sequence[Vector], transform: None = None, radius: float = 0) -> None:
        if transform is not None:
            raise _core.Error("Poly(transform=): found one, expected None; transform the vertices before")
        hull = _core.convex_hull(list(vertices))
        if len(hull) < 3:
            raise _core.Error(f"Poly(vertices): found a hull of {len(hull)}, expected 3 or more vertices with an area")
        super().__init__(body, {"vertices": hull, "radius": _core.check_field("Body", "angle", radius)})

    @property
    def radius(self) -> float:
        """Fixed at construction."""
        return self._get("radius")

    def get_vertices(self) -> list[Vec2d]:
        """In the body's coordinates."""
        return list(self._get("vertices"))

    @staticmethod
    def create_box(body: Optional[Body], size: Vector = (10, 10), radius: float = 0) -> Poly:
        """A box around the body's origin: (width, height)."""
        x, y = size[0] / 2, size[1] / 2
        return Poly(body, [(x, -y), (x, y), (-x, y), (-x, -y)], None, radius)

    @staticmethod
    def create_box_bb(body: Optional[Body], bb: BB, radius: float = 0) -> Poly:
        """A box in the body's coordinates."""
        left, bottom, right, top = bb
        return Poly(body, [(right, bottom), (right, top), (left, top), (left, bottom)], None, radius)
