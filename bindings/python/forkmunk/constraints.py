"""The ten joints with pymunk's names. Objects as objects.py has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional

from . import _forkmunk as _core
from .geometry import Vector, VectorField
from .objects import _FORCE, _POST_SOLVE, _PRE_SOLVE, Body, Links, Object, _field, _function

if TYPE_CHECKING:
    from .space import Space

_JointFunction = Optional[Callable[["Constraint", "Space"], None]]


class Constraint(Object):
    """What joints have in common. Not made itself."""

    _rank = 2
    _events = {_PRE_SOLVE: "_pre_solve", _POST_SOLVE: "_post_solve"}

    def _make(self, a: Body, b: Body, **own: Any) -> None:
        for body in (a, b):
            if not isinstance(body, Body):
                raise TypeError(f"{self._kind()}: found {body!r}, expected two bodies")
        if a.body_type != Body.DYNAMIC and b.body_type != Body.DYNAMIC:
            raise _core.Error(f"{self._kind()}: found two bodies that nothing moves, expected at least one dynamic body")
        self._first, self._second = a, b
        _core.make(self, {"kind": self._kind(), **own})
        self._attach()

    max_force: float = _field("Constraint", "max_force", "Largest force, 0 or more; infinity: any.")
    error_bias: float = _field("Constraint", "error_bias", "The part of an error that is left after a second.")
    max_bias: float = _field("Constraint", "max_bias", "Largest speed of the correction.")
    collide_bodies: bool = _field("Constraint", "collide_bodies", "Whether the two bodies collide.")
    impulse: float = _field("Constraint", "impulse", "Of the last step.")
    pre_solve: _JointFunction = _function(_PRE_SOLVE, "pre_solve", lambda cls: None, "func(constraint, space), called in each "
                                          "step before the joint is solved; None: none.")
    post_solve: _JointFunction = _function(_POST_SOLVE, "post_solve", lambda cls: None, "func(constraint, space), called in "
                                           "each step after the joint is solved; None: none.")

    def _kind(self):
        return next((cls.__name__ for cls in type(self).__mro__ if cls.__name__ in KINDS), "Constraint")

    def _bodies(self):
        if self._first is None and self._core is not None and (owner := self._core.owner) is not None:
            self._first, self._second = map(owner._wrap, _core.bodies_of(self))
        return () if self._first is None else (self._first, self._second)

    def _two_bodies(self):
        bodies = self._bodies()
        if not bodies:
            raise _core.Error(f"{self._kind()}: found one without bodies, as its space is gone; make a new one")
        return bodies

    def _attach(self):
        Links.changes += 1
        for body in self._two_bodies():
            body._attached_joints()._mapping[self] = None

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
        return f"<forkmunk.{self._kind()}{bodies}>"

    def activate_bodies(self) -> None:
        """Wakes both."""
        for body in self._bodies():
            body.activate()


class PinJoint(Constraint):
    """Keeps the anchors as far apart as they are when it is made."""

    def __init__(self, a: Body, b: Body, anchor_a: Vector = (0, 0), anchor_b: Vector = (0, 0)) -> None:
        self._make(a, b, anchor_a=anchor_a, anchor_b=anchor_b)

    anchor_a: VectorField = _field("PinJoint", "anchor_a", "In a's coordinates.")
    anchor_b: VectorField = _field("PinJoint", "anchor_b", "In b's coordinates.")
    distance: float = _field("PinJoint", "distance", "Of the anchors; at first as they are when the joint is made.")


class SlideJoint(Constraint):
    """Keeps the anchors' distance between min and max."""

    def __init__(self, a: Body, b: Body, anchor_a: Vector, anchor_b: Vector, min: float, max: float) -> None:  # noqa: A002
        self._make(a, b, anchor_a=anchor_a, anchor_b=anchor_b, min=min, max=max)

    anchor_a: VectorField = _field("SlideJoint", "anchor_a", "In a's coordinates.")
    anchor_b: VectorField = _field("SlideJoint", "anchor_b", "In b's coordinates.")
    min: float = _field("SlideJoint", "min", "0 or more.")
    max: float = _field("SlideJoint", "max", "At least min.")


class PivotJoint(Constraint):
    """PivotJoint(a, b, pivot) in world coordinates, or PivotJoint(a, b, anchor_a, anchor_b): turns about a point."""

    def __init__(self, a: Body, b: Body, *args: Vector) -> None:
        if len(args) not in (1, 2):
            raise TypeError(f"PivotJoint: found {len(args)} points, expected a pivot or two anchors")
        if len(args) == 1:
            if not (isinstance(a, Body) and isinstance(b, Body)):
                raise TypeError("PivotJoint: found no two bodies, expected two")
            args = (a.world_to_local(args[0]), b.world_to_local(args[0]))
        self._make(a, b, anchor_a=args[0], anchor_b=args[1])

    anchor_a: VectorField = _field("PivotJoint", "anchor_a", "In a's coordinates.")
    anchor_b: VectorField = _field("PivotJoint", "anchor_b", "In b's coordinates.")


class GrooveJoint(Constraint):
    """Keeps an anchor of b on a line of a."""

    def __init__(self, a: Body, b: Body, groove_a: Vector, groove_b: Vector, anchor_b: Vector) -> None:
        self._make(a, b, groove_a=groove_a, groove_b=groove_b, anchor_b=anchor_b)

    groove_a: VectorField = _field("GrooveJoint", "groove_a", "In a's coordinates.")
    groove_b: VectorField = _field("GrooveJoint", "groove_b", "In a's coordinates.")
    anchor_b: VectorField = _field("GrooveJoint", "anchor_b", "In b's coordinates.")


class DampedSpring(Constraint):
    """A spring between two anchors."""

    def __init__(self, a: Body, b: Body, anchor_a: Vector, anchor_b: Vector, rest_length: float, stiffness: float,
                 damping: float) -> None:
        self._make(a, b, anchor_a=anchor_a, anchor_b=anchor_b, rest_length=rest_length, stiffness=stiffness,
                   damping=damping)

    anchor_a: VectorField = _field("DampedSpring", "anchor_a", "In a's coordinates.")
    anchor_b: VectorField = _field("DampedSpring", "anchor_b", "In b's coordinates.")
    rest_length: float = _field("DampedSpring", "rest_length", "")
    stiffness: float = _field("DampedSpring", "stiffness", "Force by length.")
    damping: float = _field("DampedSpring", "damping", "Force by speed.")
    _events = {**Constraint._events, _FORCE: "_force_func"}

    @staticmethod
    def spring_force(spring: DampedSpring, dist: float) -> float:
        """Chipmunk's force at a distance of the anchors."""
        return _core.default_force(spring, dist)

    force_func: Callable[[DampedSpring, float], float] = _function(
        _FORCE, "force_func", lambda cls: DampedSpring.spring_force,
        "func(spring, dist) -> force, instead of DampedSpring.spring_force().")


class DampedRotarySpring(Constraint):
    """A spring that turns."""

    def __init__(self, a: Body, b: Body, rest_angle: float, stiffness: float, damping: float) -> None:
        self._make(a, b, rest_angle=rest_angle, stiffness=stiffness, damping=damping)

    rest_angle: float = _field("DampedRotarySpring", "rest_angle", "Radians.")
    stiffness: float = _field("DampedRotarySpring", "stiffness", "Torque by radian.")
    damping: float = _field("DampedRotarySpring", "damping", "Torque by radian per second.")
    _events = {**Constraint._events, _FORCE: "_torque_func"}

    @staticmethod
    def spring_torque(spring: DampedRotarySpring, relative_angle: float) -> float:
        """Chipmunk's torque at an angle of a to b."""
        return _core.default_force(spring, relative_angle)

    torque_func: Callable[[DampedRotarySpring, float], float] = _function(
        _FORCE, "torque_func", lambda cls: DampedRotarySpring.spring_torque,
        "func(spring, relative_angle) -> torque, instead of DampedRotarySpring.spring_torque().")


class RotaryLimitJoint(Constraint):
    """Keeps b's angle to a between min and max."""

    def __init__(self, a: Body, b: Body, min: float, max: float) -> None:  # noqa: A002
        self._make(a, b, min=min, max=max)

    min: float = _field("RotaryLimitJoint", "min", "Radians.")
    max: float = _field("RotaryLimitJoint", "max", "Radians.")


class RatchetJoint(Constraint):
    """Turns one way, click by click."""

    def __init__(self, a: Body, b: Body, phase: float, ratchet: float) -> None:
        self._make(a, b, phase=phase, ratchet=ratchet)

    phase: float = _field("RatchetJoint", "phase", "Radians.")
    ratchet: float = _field("RatchetJoint", "ratchet", "Radians between two clicks.")
    angle: float = _field("RatchetJoint", "angle", "Of the ratchet now, radians.")


class GearJoint(Constraint):
    """Keeps the ratio of two angles."""

    def __init__(self, a: Body, b: Body, phase: float, ratio: float) -> None:
        self._make(a, b, phase=phase, ratio=ratio)

    phase: float = _field("GearJoint", "phase", "Radians.")
    ratio: float = _field("GearJoint", "ratio", "Of b's angle to a's.")


class SimpleMotor(Constraint):
    """Keeps the difference of two angular velocities."""

    def __init__(self, a: Body, b: Body, rate: float) -> None:
        self._make(a, b, rate=rate)

    rate: float = _field("SimpleMotor", "rate", "Radians per second.")


KINDS = {cls.__name__: cls for cls in (PinJoint, SlideJoint, PivotJoint, GrooveJoint, DampedSpring, DampedRotarySpring,
                                       RotaryLimitJoint, RatchetJoint, GearJoint, SimpleMotor)}
