"""Space, by pymunk's module name."""

from ..collisions import Arbiter as Arbiter
from ..collisions import CollisionHandler as CollisionHandler
from ..constraints import Constraint as Constraint
from ..contacts import ContactPointSet as ContactPointSet
from ..contacts import PointQueryInfo as PointQueryInfo
from ..contacts import SegmentQueryInfo as SegmentQueryInfo
from ..contacts import ShapeQueryInfo as ShapeQueryInfo
from ..geometry import BB as BB
from ..geometry import ShapeFilter as ShapeFilter
from ..geometry import Transform as Transform
from ..geometry import Vec2d as Vec2d
from ..objects import Body as Body
from ..shapes import Shape as Shape
from ..space import Space as _Space

__all__ = ["Space"]


class Space(_Space):
    """forkmunk.Space with the defects of pymunk: Space(defects="pymunk")."""

    _default_defects = "pymunk"
