"""Shapes with pymunk's names: Circle, Segment, Poly. Objects as objects.py has them."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from . import _forkmunk as _core
from . import api_version
from .contacts import ContactPointSet, PointQueryInfo, SegmentQueryInfo, _contacts
from .geometry import BB, FilterField, ShapeFilter, Transform, Vec2d, Vector, VectorField
from .objects import Body, Links, Object, _field


class Shape(Object):
    """A piece of a body that collides. Not made itself: Circle, Segment, Poly."""

    _rank = 1

    def _make(self, body: Optional[Body], kind: str, **geometry: Any) -> None:
        if body is not None and not isinstance(body, Body):
            raise TypeError(f"{kind}(body): found {body!r}, expected a Body or None")
        self._first = body
        _core.make(self, {"kind": kind, **geometry})
        self._attach()

    friction: float = _field("Shape", "friction", "0 or more.")
    elasticity: float = _field("Shape", "elasticity", "0 or more; 1 bounces fully.")
    sensor: bool = _field("Shape", "sensor", "Whether it calls back but does not push.")
    collision_type: int = _field("Shape", "collision_type", "A whole number, for collision handlers.")
    surface_velocity: VectorField = _field("Shape", "surface_velocity", "Of a moving surface.")
    filter: FilterField = _field("Shape", "filter", "A ShapeFilter.", lambda value: ShapeFilter(*value))
    mass: float = _field("Shape", "mass", "Of the shape: the body's mass is the sum. 0: the body's own.")
    density: float = _field("Shape", "density", "Mass by area, instead of mass.")
    area: float = _field("Shape", "area", "Square map units.")
    moment: float = _field("Shape", "moment", "Its moment of inertia, if it has a mass.")
    center_of_gravity: Vec2d = _field("Shape", "center_of_gravity", "In the body's coordinates.")
    bb: BB = _field("Shape", "bb", "The box around it, as of the last step, cache_bb() or update().", lambda value: BB(*value))

    def _kind(self):
        return next((cls.__name__ for cls in type(self).__mro__ if cls.__name__ in ("Circle", "Segment", "Poly")), "Shape")

    def _bodies(self):
        if self._first is None and self._core is not None and (owner := self._core.owner) is not None:
            self._first = owner._wrap(*_core.bodies_of(self))
        return () if self._first is None else (self._first,)

    def _attach(self):
        Links.changes += 1
        if self._first is not None:
            self._first._attached_shapes()._mapping[self] = None

    @property
    def body(self) -> Any:
        """The Body that it is attached to, or None."""
        return self._first or next(iter(self._bodies()), None)

    @body.setter
    def body(self, body: Optional[Body]) -> None:
        if self.space is not None:
            raise _core.Error("Shape.body: found a shape in a space, expected it to be removed before it changes its body")
        if body is not None and not isinstance(body, Body):
            raise TypeError(f"Shape.body: found {body!r}, expected a Body or None")
        if self._first is not None:
            self._first._attached_shapes()._mapping.pop(self, None)
        self._first = body
        _core.renew_id(self)  # it is the body's last, in copies too
        self._attach()

    def cache_bb(self) -> BB:
        """Moves the shape to where its body is; the box around it."""
        return BB(*_core.cache_bb(self))

    def update(self, transform: Transform) -> BB:
        """Moves a shape, such as one without a body; the box around it."""
        return BB(*_core.update_bb(self, transform))

    def point_query(self, p: Vector) -> PointQueryInfo:
        """The nearest point of the shape; a negative distance is inside."""
        return PointQueryInfo(self, *_core.shape_point_query(self, p))

    def segment_query(self, start: Vector, end: Vector, radius: float = 0) -> Optional[SegmentQueryInfo]:
        """Where a thick line meets the shape, or None. (Version 6: an info without a shape.)"""
        met, *info = _core.shape_segment_query(self, start, end, radius)
        return SegmentQueryInfo(self if met else None, *info) if met or api_version.major < 7 else None

    def shapes_collide(self, b: Shape) -> ContactPointSet:
        """Where two shapes overlap."""
        return _contacts(*_core.shapes_collide(self, b))

    def __repr__(self) -> str:
        return f"<forkmunk.{self._kind()} of {self._first!r}>"


class Circle(Shape):
    """Circle(body, radius, offset=(0, 0))"""

    def __init__(self, body: Optional[Body], radius: float, offset: Vector = (0, 0)) -> None:
        self._make(body, "Circle", radius=radius, offset=offset)

    radius: float = _field("Circle", "radius", "")
    offset: Vec2d = _field("Circle", "offset", "Of the centre, in the body's coordinates.")

    def unsafe_set_radius(self, r: float) -> None:
        """The surface moves without a velocity."""
        _core.set_radius(self, r)

    def unsafe_set_offset(self, o: Vector) -> None:
        """The surface moves without a velocity."""
        _core.set_offset(self, o)


class Segment(Shape):
    """Segment(body, a, b, radius): a line with rounded ends."""

    def __init__(self, body: Optional[Body], a: Vector, b: Vector, radius: float) -> None:
        self._make(body, "Segment", a=a, b=b, radius=radius)

    a: Vec2d = _field("Segment", "a", "One end, in the body's coordinates.")
    b: Vec2d = _field("Segment", "b", "The other end.")
    radius: float = _field("Segment", "radius", "Half of its thickness.")
    normal: Vec2d = _field("Segment", "normal", "In the body's coordinates.")

    def unsafe_set_endpoints(self, a: Vector, b: Vector) -> None:
        """The surface moves without a velocity."""
        _core.set_endpoints(self, a, b)

    def unsafe_set_radius(self, r: float) -> None:
        """The surface moves without a velocity."""
        _core.set_radius(self, r)

    def set_neighbors(self, prev: Vector, next: Vector) -> None:  # noqa: A002
        """The ends of the segments before and behind it, so that nothing catches on the joint."""
        _core.set_neighbors(self, prev, next)


class Poly(Shape):
    """Poly(body, vertices, transform=None, radius=0): the convex hull of the vertices."""

    def __init__(self, body: Optional[Body], vertices: Sequence[Vector], transform: Optional[Transform] = None,
                 radius: float = 0) -> None:
        self._make(body, "Poly", vertices=list(vertices), transform=transform, radius=radius, hull=True)

    radius: float = _field("Poly", "radius", "Of its rounded corners.")

    def get_vertices(self) -> list[Vec2d]:
        """In the body's coordinates."""
        return self._vertices

    _vertices: list[Vec2d] = _field("Poly", "vertices", "")

    def unsafe_set_vertices(self, vertices: Sequence[Vector], transform: Optional[Transform] = None) -> None:
        """The surface moves without a velocity. Counter-clockwise; with a transform: their hull."""
        _core.set_vertices(self, list(vertices), transform)

    def unsafe_set_radius(self, radius: float) -> None:
        """The surface moves without a velocity."""
        _core.set_radius(self, radius)

    @staticmethod
    def create_box(body: Optional[Body], size: Vector = (10, 10), radius: float = 0) -> Poly:
        """A box around the body's origin: (width, height)."""
        x, y = size[0] / 2, size[1] / 2
        return Poly.create_box_bb(body, BB(-x, -y, x, y), radius)

    @staticmethod
    def create_box_bb(body: Optional[Body], bb: BB, radius: float = 0) -> Poly:
        """A box in the body's coordinates."""
        left, bottom, right, top = bb
        box = Poly.__new__(Poly)
        vertices = [(right, bottom), (right, top), (left, top), (left, bottom)]
        box._make(body, "Poly", vertices=vertices, transform=None, radius=radius, hull=False)
        return box
