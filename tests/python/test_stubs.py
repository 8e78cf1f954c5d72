# SPDX-License-Identifier: MIT
"""The stubs of the contest's compiled classes name exactly their members."""

import ast
import inspect
import os
import re
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import forkmunk
import forkmunk.pymunk
from forkmunk import _forkmunk, madcars

STUBS = ast.parse((Path(forkmunk.__file__).parent / "_forkmunk.pyi").read_text())


def names_in(body):
    found = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
    return found


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_the_module():
    named = public(names_in(STUBS.body))
    assert named <= public(vars(_forkmunk))
    assert {name for name in madcars.__all__ if hasattr(_forkmunk, name)} <= named


def test_the_classes():
    for node in STUBS.body:
        if isinstance(node, ast.ClassDef) and node.name != "Error" and not node.name.startswith("_"):
            assert public(names_in(node.body)) == public(vars(getattr(_forkmunk, node.name))), node.name
    error = next(node for node in STUBS.body if isinstance(node, ast.ClassDef) and node.name == "Error")
    assert [base.id for base in error.bases] == [base.__name__ for base in forkmunk.Error.__bases__]


def test_the_defaults():
    """Compares defaults that pybind11 writes into a signature."""
    compared = 0
    for node in STUBS.body:
        if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
            continue
        for function in node.body:
            if not isinstance(function, ast.FunctionDef):
                continue
            signature = getattr(getattr(_forkmunk, node.name), function.name).__doc__ or ""
            positional = function.args.posonlyargs + function.args.args
            pairs = list(zip(positional[len(positional) - len(function.args.defaults) :], function.args.defaults))
            pairs += [pair for pair in zip(function.args.kwonlyargs, function.args.kw_defaults) if pair[1] is not None]
            for argument, default in pairs:
                found = re.search(rf"\b{argument.arg}: [^=,]*(?:\[[^=]*\])? = ([^,)]+)", signature)
                if found is None or not isinstance(default, (ast.Constant, ast.UnaryOp)):
                    continue
                assert ast.literal_eval(found[1]) == ast.literal_eval(default), f"{node.name}.{function.name}: {argument.arg}"
                compared += 1
    assert compared > 20


def test_hints_resolve_at_run_time():
    typing.get_type_hints(madcars.Env.__init__)
    for value in {**vars(forkmunk.pymunk), **vars(forkmunk)}.values():
        if isinstance(value, type):
            typing.get_type_hints(value)
            for member in vars(value).values():
                if inspect.isfunction(member):
                    typing.get_type_hints(member)


def test_the_package_is_typed():
    assert (Path(forkmunk.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize("module", [forkmunk, madcars])
def test_all_names_what_is_public(module):
    for name in module.__all__:
        assert hasattr(module, name)
    defined = {name for name, value in vars(module).items() if getattr(value, "__module__", "").startswith("forkmunk")}
    assert public(defined) - {"Box", "Discrete", "GymEnv", "GymVectorEnv", "MultiDiscrete", "ParallelEnv", "Picture", "draw"} \
        <= set(module.__all__)


def test_two_doors():
    assert set(forkmunk.__all__) & set(madcars.__all__) == {"Error", "Snapshot", "view"} and forkmunk.Snapshot is not madcars.Snapshot


PROGRAM = Path(__file__).parent / "typed_program.py"


def test_the_program_that_is_checked_runs():
    subprocess.run([sys.executable, "-B", PROGRAM], check=True, stdout=subprocess.DEVNULL)


def test_mypy_accepts_a_strict_program(tmp_path):
    pytest.importorskip("mypy")
    arguments = ["--strict", "--no-incremental", "--cache-dir", os.devnull]
    folder = Path(forkmunk.__file__).parent.parent

    def check(program):
        found = subprocess.run([sys.executable, "-m", "mypy", *arguments, str(program)], capture_output=True, text=True,
                               env={**os.environ, "PYTHONPATH": str(folder)})
        return found.stdout + found.stderr

    assert "Success" in check(PROGRAM), check(PROGRAM)
    wrong = tmp_path / "wrong.py"
    wrong.write_text('import forkmunk\nforkmunk.Body(1, 1).position = "here"\nforkmunk.Body(1, 1).angle.x\n'
                     "for hit in forkmunk.Space().point_query((0, 0), 1, forkmunk.ShapeFilter()):\n    hit.shape.body.mas\n")
    assert "Found 3 errors" in check(wrong), check(wrong)


def test_mypy_accepts_the_object_model(tmp_path):
    """mypy also checks imported modules, so other complaints may stand in the output."""
    pytest.importorskip("mypy")
    modules = ["_fields", "_functions", "_joints", "scene", "forking", "geometry", "drawing_options"]
    folder = Path(forkmunk.__file__).parent
    arguments = [part for module in modules for part in ("-m", f"forkmunk.{module}")]
    found = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), *arguments], capture_output=True,
                           text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(folder.parent)}).stdout
    complaints = [line for line in found.splitlines() if re.search(rf"\b({'|'.join(modules)})\.py:\d+: error", line)]
    assert not complaints and ("Success" in found or "Found" in found), found
