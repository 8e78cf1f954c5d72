"""The stubs name what the compiled module has, no more and no less."""

import ast
import re
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


def test_the_defaults():
    """Those that pybind11 writes into a signature: numbers, texts and None."""
    compared = 0
    for node in STUBS.body:
        if not isinstance(node, ast.ClassDef):
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


def test_the_package_is_typed():
    assert (Path(forkmunk.__file__).parent / "py.typed").exists()
