"""forkmunk under pymunk's names: programs that were written for pymunk run on it, and their spaces fork.

    import forkmunk.pymunk as pymunk         # in a program of your own
    forkmunk.pymunk.install()                # before `import pymunk` anywhere: this package replaces it
    python -m forkmunk.pymunk script.py      # the same for a script that stays as it is

The names and return values are those of pymunk 7.3.0, or those of 6.9.0 after install(version=6). docs/reference/pymunk.md
lists what differs.
"""

from typing import Any

from .. import api_version as _api_version
from ..geometry import (
    area_for_circle,
    area_for_poly,
    area_for_segment,
    moment_for_box,
    moment_for_circle,
    moment_for_poly,
    moment_for_segment,
)
from ..collisions import empty_callback
from ._install import install
from .arbiter import Arbiter
from .bb import BB
from .body import Body
from .collision_handler import CollisionHandler
from .constraints import *
from .contact_point_set import ContactPoint, ContactPointSet
from .query_info import PointQueryInfo, SegmentQueryInfo, ShapeQueryInfo
from .shape_filter import ShapeFilter
from .shapes import Circle, Poly, Segment, Shape
from .space import Space
from .space_debug_draw_options import SpaceDebugDrawOptions
from .transform import Transform
from .vec2d import Vec2d

version: str
chipmunk_version = "7.0.3-forkmunk"


def __getattr__(name: str) -> Any:
    if name == "version":
        return _api_version.VERSIONS[_api_version.major]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Arbiter", "BB", "Body", "Circle", "CollisionHandler", "ContactPoint", "ContactPointSet", "PointQueryInfo", "Poly",
    "Segment", "SegmentQueryInfo", "Shape", "ShapeFilter", "ShapeQueryInfo", "Space", "SpaceDebugDrawOptions",
    "Transform", "Vec2d", "area_for_circle", "area_for_poly", "area_for_segment", "chipmunk_version", "empty_callback",
    "install", "moment_for_box", "moment_for_circle", "moment_for_poly", "moment_for_segment", "version",
]
