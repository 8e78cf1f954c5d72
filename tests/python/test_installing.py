# SPDX-License-Identifier: MIT
"""The version in all files, and refusals to import; scripts/test_pypi tests what needs PyPI."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import forkmunk
from conftest import ROOT

VERSION = re.search(r"project\(forkmunk VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def found_in(name, pattern):
    found = re.search(pattern, (ROOT / name).read_text(), re.MULTILINE)
    return found and found[1]


@pytest.mark.parametrize("name, pattern", [
    ("CITATION.cff", r"^version: (.*)$"),
    # scripts/release moves the folder debian.
    ("debian/changelog" if (ROOT / "debian").exists() else "packaging/debian/changelog", r"\Aforkmunk \((.*)-\d+\)"),
    ("packaging/conan/conanfile.py", r'^    version = "(.*)"$'),
    ("CHANGELOG.md", r"^## ([0-9.]+)"),
])
def test_files_that_cannot_read_the_version_have_it(name, pattern):
    assert found_in(name, pattern) == VERSION


def test_the_npm_package_has_the_version():
    assert json.loads((ROOT / "bindings/js/package.json").read_text())["version"] == VERSION


def test_the_package_reads_the_version():
    assert forkmunk.__version__ == VERSION


def test_both_projects_need_the_same_packages():
    pattern = r"^requires = (\[.*?\])"
    assert found_in("pyproject.toml", pattern) == found_in("bindings/python/pyproject.toml", pattern) is not None


def run(code, folder):
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, cwd=folder, timeout=300,
                          env={**os.environ, "PYTHONPATH": str(folder)})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_subinterpreter_refuses_the_package():
    """The extension would wait for the GIL forever."""
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    inside = "try:\n    import forkmunk\nexcept ImportError as error:\n    print(error, flush=True)"
    out = run(f"import {name} as interpreters\ninterpreters.run_string(interpreters.create(), {inside!r})", Path(forkmunk.__file__).parent.parent)
    assert out.startswith(f"forkmunk: {sys.executable} ") and "subinterpreter" in out


def test_a_python_that_lacks_something_is_told_what(tmp_path):
    attempt = "\ntry:\n    import forkmunk\nexcept ImportError as error:\n    print(error)"
    package = Path(forkmunk.__file__).parent
    out = run("import sys; sys.modules['numpy'] = None" + attempt, package.parent)
    assert out.startswith(f"forkmunk: {sys.executable} ") and "no module numpy" in out
    out = run("import sys; sys._is_gil_enabled = lambda: False" + attempt, package.parent)  # as with PYTHON_GIL=0
    assert out.startswith(f"forkmunk: {sys.executable} ") and "GIL" in out
    (tmp_path / "forkmunk").mkdir()
    for file in package.glob("*.py"):
        (tmp_path / "forkmunk" / file.name).write_bytes(file.read_bytes())
    (tmp_path / "forkmunk/_forkmunk.cpython-99-x86_64-linux-gnu.so").touch()
    out = run("import sys" + attempt, tmp_path)
    assert out.startswith(f"forkmunk: {sys.executable} ") and "_forkmunk.cpython-99" in out
