# SPDX-License-Identifier: MIT
"""forkmunk under pymunk's names: programs written for pymunk run on it, and their spaces fork.

    import forkmunk.pymunk as pymunk         # in a program of your own
    forkmunk.pymunk.install()                # before `import pymunk` anywhere: this package replaces it
    python -m forkmunk.pymunk script.py      # the same for a script that stays as it is

The names and return values are those of pymunk 7.3.0, or after install(version=6) those of 6.9.0.
docs/reference/pymunk.md lists what differs. pymunk's submodules, such as pymunk.vec2d, exist for programs that
import from them."""

import importlib
import importlib.util
import sys
from importlib.abc import Loader as _Loader
from importlib.abc import MetaPathFinder as _MetaPathFinder
from importlib.machinery import ModuleSpec as _ModuleSpec
from types import ModuleType as _ModuleType
from typing import Any, Optional

from .. import _functions
from .. import _joints
from .. import geometry as _geometry
from .. import scene as _scene
from .. import api_version as _api_version
from .._forkmunk import Error as _Error
from .._functions import *  # noqa: F403
from .._joints import *  # noqa: F403
from ..drawing_options import SpaceDebugColor as _SpaceDebugColor
from ..drawing_options import SpaceDebugDrawOptions
from ..geometry import *  # noqa: F403
from ..scene import *  # noqa: F403  # pyright: ignore[reportAssignmentType]
from ..scene import Space as _Space


class Space(_Space):  # type: ignore[no-redef]
    """A forkmunk.Space with the defects of pymunk: Space(defects="pymunk")."""

    _default_defects = "pymunk"


version: str
chipmunk_version = "7.0.3-forkmunk"

__all__ = ["SpaceDebugDrawOptions", "chipmunk_version", "install", "version"]
__all__ += _functions.__all__
__all__ += _joints.__all__
__all__ += _geometry.__all__
__all__ += _scene.__all__


def __getattr__(name: str) -> Any:
    if name == "version":
        return _api_version.VERSIONS[_api_version.major]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# pymunk's submodules: their own names, and others that programs import from them.
_MODULES = {
    "arbiter": ("Arbiter", "ContactPointSet Shape Vec2d"),
    "bb": ("BB", "Vec2d"),
    "body": ("Body", "Vec2d"),
    "collision_handler": ("CollisionHandler", "Arbiter"),
    "constraints": ("Constraint " + " ".join(_joints.__all__), "Body Vec2d"),
    "contact_point_set": ("ContactPoint ContactPointSet", "Vec2d"),
    "query_info": ("PointQueryInfo SegmentQueryInfo ShapeQueryInfo", ""),
    "shape_filter": ("ShapeFilter", ""),
    "shapes": ("Circle Poly Segment Shape",
               "BB Body ContactPointSet PointQueryInfo SegmentQueryInfo ShapeFilter Transform Vec2d"),
    "space": ("Space", "Arbiter BB Body CollisionHandler Constraint ContactPointSet PointQueryInfo SegmentQueryInfo "
                       "ShapeQueryInfo Shape ShapeFilter Transform Vec2d"),
    "space_debug_draw_options": ("SpaceDebugColor SpaceDebugDrawOptions", "Body Transform Vec2d"),
    "transform": ("Transform", "Vec2d"),
    "vec2d": ("Vec2d", ""),
}


def _make_modules() -> None:
    names = {**globals(), "SpaceDebugColor": _SpaceDebugColor}
    for name, (own, imported) in _MODULES.items():
        module = _ModuleType(f"{__name__}.{name}", f"The names of pymunk.{name}.")
        module.__spec__ = _ModuleSpec(module.__name__, None)
        module.__dict__.update({each: names[each] for each in (*own.split(), *imported.split())})
        module.__dict__["__all__"] = own.split()
        sys.modules[module.__name__] = globals()[name] = module


_make_modules()


class _Names(_MetaPathFinder, _Loader):
    """The importer of pymunk and its submodules: the modules of forkmunk.pymunk under both names."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[_ModuleSpec]:
        if name != "pymunk" and not name.startswith("pymunk."):
            return None
        if name.startswith("pymunk._chipmunk"):
            raise ModuleNotFoundError(f"{name}: forkmunk.pymunk has no handles of cffi; use pymunk's public names", name=name)
        if importlib.util.find_spec("forkmunk." + name) is None:
            return None
        return _ModuleSpec(name, self, is_package=name == "pymunk")

    def create_module(self, spec: _ModuleSpec) -> _ModuleType:
        module = importlib.import_module("forkmunk." + spec.name)
        self._own_spec = module.__spec__
        return module

    def exec_module(self, module: _ModuleType) -> None:
        module.__spec__ = self._own_spec  # which the import system replaced


def install(version: int = 7) -> None:
    """Replaces pymunk by forkmunk.pymunk in this process: every `import pymunk` from now on imports forkmunk.pymunk.

    version 7 has the names and return values of pymunk 7.3.0, and 6 those of 6.9.0, for the whole process. If
    another pymunk is imported already, forkmunk.Error is raised. Spawned processes need their own call."""
    loaded = sys.modules.get("pymunk")
    if loaded is not None and loaded is not sys.modules[__name__]:
        where = getattr(loaded, "__file__", None)
        raise _Error(f"install(): pymunk is already imported from {where}; call install() before anything imports pymunk")
    _api_version.use(version)
    if not any(isinstance(finder, _Names) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Names())
    importlib.import_module("pymunk")
