"""The stubs name what the compiled module has, no more and no less."""

import ast
from pathlib import Path

import forkmunk
from forkmunk import _forkmunk

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
    assert public(names_in(STUBS.body)) == public(vars(_forkmunk))


def test_the_classes():
    for node in STUBS.body:
        if isinstance(node, ast.ClassDef) and node.name != "Error":
            assert public(names_in(node.body)) == public(vars(getattr(_forkmunk, node.name))), node.name


def test_the_package_is_typed():
    assert (Path(forkmunk.__file__).parent / "py.typed").exists()
