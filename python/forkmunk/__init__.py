"""Forkmunk from Python: worlds that fork, batches of them, recordings, planners, games and any Chipmunk scene.

    import forkmunk
    world = forkmunk.World("PillMap", "Buggy")
    world.step("right", "left")

Commands are "left", "stop", "right" or -1, 0, 1; players 0 and 1. Lengths are map units, angles radians, a tick is
0.016 s. Bad input raises forkmunk.Error (a ValueError) or TypeError; the message names the argument and what is wrong.
"""

import re as _re
from pathlib import Path as _Path

from . import requirements as _requirements  # first: it names what this Python lacks

from . import _forkmunk as _core
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

from .collisions import Arbiter, CollisionHandler
from .contacts import ContactPoint, ContactPointSet, PointQueryInfo, SegmentQueryInfo, ShapeQueryInfo
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
from . import plan
from .environments import Env, parallel_env
from .forking import Checkpoint, fork
from .geometry import (
    BB,
    ShapeFilter,
    Transform,
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
from .protocols import HAS_GYMNASIUM as _HAS_GYMNASIUM
from .shapes import Circle, Poly, Segment, Shape
from .space import Space
from .space_batch import Rollout, SpaceBatch
from .vector_environment import VectorEnv
from .vectorized import vectorize

__version__ = "0.1.0"

__all__ = [
    "Arbiter", "BB", "Batch", "Body", "Bot", "Checkpoint", "Circle", "CollisionHandler", "Constraint", "ContactPoint",
    "ContactPointSet", "DampedRotarySpring", "DampedSpring", "Decision", "Env", "Error", "Evaluator", "Game",
    "GearJoint", "GrooveJoint", "PinJoint", "PivotJoint", "Planner", "PointQueryInfo", "Poly", "RatchetJoint",
    "Recording", "Rollout", "RotaryLimitJoint", "Segment", "SegmentQueryInfo", "Shape", "ShapeFilter",
    "ShapeQueryInfo", "SimpleMotor", "SlideJoint", "Snapshot", "Space", "SpaceBatch", "TICK_SECONDS", "Transform",
    "Vec2d", "VectorEnv", "World", "area_for_circle", "area_for_poly", "area_for_segment", "cars", "evaluators",
    "fork", "inf", "infer_commands", "load", "maps", "moment_for_box", "moment_for_circle", "moment_for_poly",
    "moment_for_segment", "opponents", "parallel_env", "planners", "play", "vectorize", "verify", "view",
]

def _explained(error, arguments, named):
    """What a compiled function that was called with wrong arguments reports instead of pybind11's list of types."""
    found = _re.match(r"(\w+)\(\): incompatible.*\n +1\. ([^\n]*)\(([^\n]*)\)(?: -> [^\n]*)?\n", str(error))
    if found is None:
        return None
    name, _, parameters = found.groups()
    names = _re.sub(r": [\w.]+(?:\[[\w., \[\]]*\])?", "", parameters).replace(" = ", "=").split(", ")
    expected, owner = f"{name}({', '.join(names)})", ""
    if name == "__init__":
        kind = next(cls for cls in type(arguments[0]).__mro__ if cls.__module__ == "forkmunk")
        name, expected, arguments = kind.__name__, kind.__doc__.splitlines()[0], arguments[1:]
    elif names[0] == "self" and arguments:
        owner, arguments = f"{type(arguments[0]).__name__}.", arguments[1:]
        expected = f"{name}({', '.join(names[1:])})"
    given = ", ".join([*map(repr, arguments), *(f"{key}={value!r}" for key, value in (named or {}).items())])
    return f"{owner}{name}({given:.80}): wrong arguments; expected {expected}"


_functions = [play, load, verify, view, infer_commands, cars, maps, planners, evaluators, opponents]
for _type in (Batch, Bot, Decision, Evaluator, Game, Planner, Recording, Snapshot, World):
    _type.__module__ = "forkmunk"
    _functions += [_value.__func__ for _value in vars(_type).values() if hasattr(_value, "__func__")]
_core._explain_errors(_explained, [_f for _f in _functions if type(_f).__name__ == "builtin_function_or_method"])
del _type, _functions


_note = _Path(__file__).with_name("no_page.txt")
_page_hint = _note.read_text() if _note.exists() else None  # what view() reports if there is no page


def _restored(type_, state):
    """An object from its pickle."""
    return type_._from_state(type_, state)


if _HAS_GYMNASIUM:
    import gymnasium as _gymnasium

    if "forkmunk/MadCars-v0" not in _gymnasium.registry:
        _gymnasium.register(id="forkmunk/MadCars-v0", entry_point="forkmunk:Env", vector_entry_point="forkmunk:VectorEnv")
