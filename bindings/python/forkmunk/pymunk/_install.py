"""Imports of pymunk that get forkmunk.pymunk."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Optional

from .. import api_version
from .._forkmunk import Error


class _Names(MetaPathFinder, Loader):
    """Imports of pymunk and its submodules: the modules of forkmunk.pymunk, under both names the same."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[ModuleSpec]:
        if name != "pymunk" and not name.startswith("pymunk."):
            return None
        if importlib.util.find_spec("forkmunk." + name) is None:
            return None
        return ModuleSpec(name, self, is_package=name == "pymunk")

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module("forkmunk." + spec.name)
        self._own_spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._own_spec  # the import system has put its own there


def install(version: int = 7) -> None:
    """Replaces pymunk by forkmunk.pymunk: every `import pymunk` of this process gets it from now on.

    version: 7 for the names and return values of pymunk 7.3.0, 6 for those of 6.9.0; one for the process. Call it before
    pymunk is imported; Error if another pymunk has been. Processes that are started by spawning need a call of their own."""
    loaded = sys.modules.get("pymunk")
    if loaded is not None and loaded is not sys.modules["forkmunk.pymunk"]:
        where = getattr(loaded, "__file__", None)
        raise Error(f"install(): pymunk is already imported from {where}; call install() before anything imports pymunk")
    api_version.use(version)
    if not any(isinstance(finder, _Names) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Names())
    importlib.import_module("pymunk")
