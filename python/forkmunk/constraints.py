"""The ten joints with pymunk's names. Plain data until Space.add(), like bodies and shapes."""

from __future__ import annotations

import math
from typing import Any

from . import _forkmunk as _core
from .geometry import Vector, VectorField
from .objects import Body, Object, _field, _unsupported


class Constraint(Object):
    """What joints have in common. Not made itself."""

    _rank, _own_count = 2, 5
    _defaults = {"max_force": math.inf, "error_bias": (1.0 - 0.1) ** 60, "max_bias": math.inf, "collide_bodies": True}
    _fields = tuple(_defaults)
    _own: tuple[str, ...] = ()
    _late: tuple[str, ...] = ()  # what is set once it is in a space; None: as it is then

    def __init__(self, a: Body, b: Body, **own: Any) -> None:
        super().__init__()
        for body in (a, b):
            if not isinstance(body, Body):
                raise TypeError(f"{self._kind()}: found {body!r}, expected two bodies")
        if a is b:
            raise _core.Error(f"{self._kind()}: found the same body twice, expected two")
        self._a, self._b = a, b
        self._data = dict(self._defaults)
        for name, value in own.items():
            self._data[name] = _core.check_field(self._kind(), name, value)

    max_force: float = _field("max_force", "Largest force, 0 or more; infinity: any.")
    error_bias: float = _field("error_bias", "The part of an error that is left after a second.")
    max_bias: float = _field("max_bias", "Largest speed of the correction.")
    collide_bodies: bool = _field("collide_bodies", "Whether the two bodies collide.")
    pre_solve = _unsupported("pre_solve")
    post_solve = _unsupported("post_solve")
    force_func = _unsupported("force_func")
    torque_func = _unsupported("torque_func")

    def _kind(self):
        return next(cls.__name__ for cls in type(self).__mro__ if cls.__name__ in KINDS)

    @property
    def impulse(self) -> float:
        """Of the last step."""
        return self._get("impulse") if self._core() else 0.0

    @property
    def a(self) -> Body:
        return self._body(0)

    @property
    def b(self) -> Body:
        return self._body(1)

    def _body(self, index):
        core = self._core()
        return (self._a, self._b)[index] if core is None else self._space._wrap(core.bodies_of(self._id)[index])

    def __repr__(self) -> str:
        return f"<forkmunk.{self._kind()}" + (">" if self.__dict__.get("_a") is None else f" of {self._a!r} and {self._b!r}>")

    def activate_bodies(self) -> None:
        """Wakes both."""
        for body in (self.a, self.b):
            body.activate()

    def _description(self):
        return {"kind": self._kind(), **{name: self._data[name] for name in self._own}}

    def _take_back(self):
        core = self._space._core
        data = {name: core.get(self._id, name) for name in (*self._fields, *self._own, *self._late)}
        self._a, self._b = (self._space._wrap(id_) for id_ in core.bodies_of(self._id))
        return data


_anchor_a: VectorField = _field("anchor_a", "In a's coordinates.")
_anchor_b: VectorField = _field("anchor_b", "In b's coordinates.")


class PinJoint(Constraint):
    """Keeps the anchors as far apart as they are when it is added."""

    _own = ("anchor_a", "anchor_b")
    _late = ("distance",)

    def __init__(self, a: Body, b: Body, anchor_a: Vector = (0, 0), anchor_b: Vector = (0, 0)) -> None:
        super().__init__(a, b, anchor_a=anchor_a, anchor_b=anchor_b)
        self._data["distance"] = None  # None: as it is when it is added

    anchor_a: VectorField = _anchor_a
    anchor_b: VectorField = _anchor_b

    @property
    def distance(self) -> float:
        value = self._get("distance")
        if value is not None:
            return value
        return self.a.local_to_world(self.anchor_a).get_distance(self.b.local_to_world(self.anchor_b))

    @distance.setter
    def distance(self, value: float) -> None:
        self._set("distance", value)


class SlideJoint(Constraint):
    """Keeps the anchors' distance between min and max."""

    _own = ("anchor_a", "anchor_b", "min", "max")

    def __init__(self, a: Body, b: Body, anchor_a: Vector, anchor_b: Vector, min: float, max: float) -> None:  # noqa: A002
        super().__init__(a, b, anchor_a=anchor_a, anchor_b=anchor_b, min=min, max=max)

    anchor_a: VectorField = _anchor_a
    anchor_b: VectorField = _anchor_b
    min: float = _field("min", "0 or more.")
    max: float = _field("max", "At least min.")


class PivotJoint(Constraint):
    """PivotJoint(a, b, pivot) in world coordinates, or PivotJoint(a, b, anchor_a, anchor_b): turns about a point."""

    _own = ("anchor_a", "anchor_b")

    def __init__(self, a: Body, b: Body, *args: Vector) -> None:
        if len(args) not in (1, 2):
            raise TypeError(f"PivotJoint: found {len(args)} points, expected a pivot or two anchors")
        if len(args) == 1:
            if not (isinstance(a, Body) and isinstance(b, Body)):
                raise TypeError("PivotJoint: found no two bodies, expected two")
            args = (a.world_to_local(args[0]), b.world_to_local(args[0]))
        super().__init__(a, b, anchor_a=args[0], anchor_b=args[1])

    anchor_a: VectorField = _anchor_a
    anchor_b: VectorField = _anchor_b


class GrooveJoint(Constraint):
    """Keeps an anchor of b on a line of a."""

    _own = ("groove_a", "groove_b", "anchor_b")

    def __init__(self, a: Body, b: Body, groove_a: Vector, groove_b: Vector, anchor_b: Vector) -> None:
        super().__init__(a, b, groove_a=groove_a, groove_b=groove_b, anchor_b=anchor_b)

    groove_a: VectorField = _field("groove_a", "In a's coordinates.")
    groove_b: VectorField = _field("groove_b", "In a's coordinates.")
    anchor_b: VectorField = _anchor_b


class DampedSpring(Constraint):
    """A spring between two anchors."""

    _own = ("anchor_a", "anchor_b", "rest_length", "stiffness", "damping")

    def __init__(self, a: Body, b: Body, anchor_a: Vector, anchor_b: Vector, rest_length: float, stiffness: float,
                 damping: float) -> None:
        super().__init__(a, b, anchor_a=anchor_a, anchor_b=anchor_b, rest_length=rest_length, stiffness=stiffness,
                         damping=damping)

    anchor_a: VectorField = _anchor_a
    anchor_b: VectorField = _anchor_b
    rest_length: float = _field("rest_length", "")
    stiffness: float = _field("stiffness", "Force by length.")
    damping: float = _field("damping", "Force by speed.")


class DampedRotarySpring(Constraint):
    """A spring that turns."""

    _own = ("rest_angle", "stiffness", "damping")

    def __init__(self, a: Body, b: Body, rest_angle: float, stiffness: float, damping: float) -> None:
        super().__init__(a, b, rest_angle=rest_angle, stiffness=stiffness, damping=damping)

    rest_angle: float = _field("rest_angle", "Radians.")
    stiffness: float = _field("stiffness", "Torque by radian.")
    damping: float = _field("damping", "Torque by radian per second.")


class RotaryLimitJoint(Constraint):
    """Keeps b's angle to a between min and max."""

    _own = ("min", "max")

    def __init__(self, a: Body, b: Body, min: float, max: float) -> None:  # noqa: A002
        super().__init__(a, b, min=min, max=max)

    min: float = _field("min", "Radians.")
    max: float = _field("max", "Radians.")


class RatchetJoint(Constraint):
    """Turns one way, click by click."""

    _own = ("phase", "ratchet")
    _late = ("angle",)

    def __init__(self, a: Body, b: Body, phase: float, ratchet: float) -> None:
        super().__init__(a, b, phase=phase, ratchet=ratchet)
        self._data["angle"] = None

    phase: float = _field("phase", "Radians.")
    ratchet: float = _field("ratchet", "Radians between two clicks; not 0.")
    angle: float = _field("angle", "Of the ratchet now, radians.", lambda value: 0.0 if value is None else value)


class GearJoint(Constraint):
    """Keeps the ratio of two angles."""

    _own = ("phase", "ratio")

    def __init__(self, a: Body, b: Body, phase: float, ratio: float) -> None:
        super().__init__(a, b, phase=phase, ratio=ratio)

    phase: float = _field("phase", "Radians.")
    ratio: float = _field("ratio", "Not 0.")


class SimpleMotor(Constraint):
    """Keeps the difference of two angular velocities."""

    _own = ("rate",)

    def __init__(self, a: Body, b: Body, rate: float) -> None:
        super().__init__(a, b, rate=rate)

    rate: float = _field("rate", "Radians per second.")


KINDS = {cls.__name__: cls for cls in (PinJoint, SlideJoint, PivotJoint, GrooveJoint, DampedSpring, DampedRotarySpring,
                                       RotaryLimitJoint, RatchetJoint, GearJoint, SimpleMotor)}
