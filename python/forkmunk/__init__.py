"""Forkmunk from Python: worlds that fork, batches of them, recordings, planners, games and any Chipmunk scene.

    import forkmunk
    world = forkmunk.World("PillMap", "Buggy")
    world.step("right", "left")

Commands are "left", "stop", "right" or -1, 0, 1; players 0 and 1. Lengths are map units, angles radians, a tick is
0.016 s. Bad input raises forkmunk.Error (a ValueError) or TypeError, saying what was found and what was expected.
"""

from ._forkmunk import (
    TICK_SECONDS,
    Batch,
    Bot,
    Decision,
    Error,
    Evaluator,
    Game,
    Planner,
    Recording,
    Snapshot,
    World,
    cars,
    evaluators,
    infer_commands,
    load,
    maps,
    opponents,
    planners,
    play,
    verify,
    view,
)

from .collisions import Arbiter, CollisionHandler, ContactPoint, ContactPointSet, PointQueryInfo, SegmentQueryInfo, ShapeQueryInfo
from .constraints import (
    Constraint,
    DampedRotarySpring,
    DampedSpring,
    GearJoint,
    GrooveJoint,
    PinJoint,
    PivotJoint,
    RatchetJoint,
    RotaryLimitJoint,
    SimpleMotor,
    SlideJoint,
)
from .environments import Env, parallel_env
from .geometry import (
    BB,
    ShapeFilter,
    Vec2d,
    area_for_circle,
    area_for_poly,
    area_for_segment,
    inf,
    moment_for_box,
    moment_for_circle,
    moment_for_poly,
    moment_for_segment,
)
from .objects import Body
from .shapes import Circle, Poly, Segment, Shape
from .space import Space
from .vector_environment import VectorEnv

__version__ = "0.1.0"

__all__ = [
    "TICK_SECONDS", "Arbiter", "BB", "Batch", "Body", "Bot", "Circle", "CollisionHandler", "Constraint",
    "ContactPoint", "ContactPointSet", "DampedRotarySpring", "DampedSpring", "Decision", "Env", "Error", "Evaluator",
    "Game", "GearJoint", "GrooveJoint", "PinJoint", "PivotJoint", "Planner", "PointQueryInfo", "Poly", "RatchetJoint",
    "Recording", "RotaryLimitJoint", "Segment", "SegmentQueryInfo", "Shape", "ShapeFilter", "ShapeQueryInfo",
    "SimpleMotor", "SlideJoint", "Snapshot", "Space", "Vec2d", "VectorEnv", "World", "area_for_circle",
    "area_for_poly", "area_for_segment", "cars", "evaluators", "inf", "infer_commands", "load", "maps",
    "moment_for_box", "moment_for_circle", "moment_for_poly", "moment_for_segment", "opponents", "parallel_env",
    "planners", "play", "verify", "view",
]

for _type in (Batch, Bot, Decision, Evaluator, Game, Planner, Recording, Snapshot, World):
    _type.__module__ = "forkmunk"
del _type


def _restored(type_, state):
    """An object from its pickle."""
    return type_._from_state(type_, state)
