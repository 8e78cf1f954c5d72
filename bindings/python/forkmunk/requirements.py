# SPDX-License-Identifier: MIT
"""Checks first that this Python can run the package."""

import importlib
import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from typing import Optional


def missing() -> Optional[str]:
    """Returns what this Python lacks and the remedy, or None."""
    here = f"{sys.executable} (Python {sys.version_info[0]}.{sys.version_info[1]})"
    built = [file.name for file in Path(__file__).parent.glob("_forkmunk.*") if file.suffix in (".so", ".pyd")]
    if built and not any("_forkmunk" + suffix in built for suffix in importlib.machinery.EXTENSION_SUFFIXES):
        return (f"{here} cannot load {built[0]}, which was built for another Python: run that Python (scripts/run prints "
                "its path), or build the package with -DPython_EXECUTABLE=" + sys.executable)
    for name in filter(importlib.util.find_spec, ("_interpreters", "_xxsubinterpreters")):  # from Python 3.13 on; before
        interpreters = importlib.import_module(name)
        if interpreters.get_current() != interpreters.get_main():  # pybind11 would wait for the GIL forever
            return (f"{here} runs a subinterpreter, which cannot load the package: import it in the main interpreter (mod_wsgi: "
                    "WSGIApplicationGroup %{GLOBAL})")
    if importlib.util.find_spec("numpy") is None:
        return (f"{here} has no module numpy: install numpy for it, or run the Python that the package was built for "
                "(scripts/run prints its path)")
    return None


_found = missing()
if _found is None:
    from . import _forkmunk  # noqa: F401  (turns a free-threaded Python's GIL on)

    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        _found = f"{sys.executable} runs without the GIL, which the package needs: leave PYTHON_GIL=0 and -X gil=0 out"
if _found is not None:
    raise ImportError("forkmunk: " + _found)
