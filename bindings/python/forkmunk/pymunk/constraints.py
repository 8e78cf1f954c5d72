"""Joints, by pymunk's module name."""

from ..constraints import Constraint as Constraint
from ..constraints import DampedRotarySpring as DampedRotarySpring
from ..constraints import DampedSpring as DampedSpring
from ..constraints import GearJoint as GearJoint
from ..constraints import GrooveJoint as GrooveJoint
from ..constraints import PinJoint as PinJoint
from ..constraints import PivotJoint as PivotJoint
from ..constraints import RatchetJoint as RatchetJoint
from ..constraints import RotaryLimitJoint as RotaryLimitJoint
from ..constraints import SimpleMotor as SimpleMotor
from ..constraints import SlideJoint as SlideJoint
from ..geometry import Vec2d as Vec2d
from ..objects import Body as Body

__all__ = [
    "Constraint", "DampedRotarySpring", "DampedSpring", "GearJoint", "GrooveJoint", "PinJoint", "PivotJoint",
    "RatchetJoint", "RotaryLimitJoint", "SimpleMotor", "SlideJoint",
]
