# SPDX-License-Identifier: MIT
"""python_api.py: writes the package's reference as Markdown; PYTHONPATH must be build/PRESET/python."""

import ast
import inspect
import re
from pathlib import Path

import forkmunk
from forkmunk import _fields, madcars


def signatures(module):
    """Returns e.g. {'World.step': 'step(first: Command, second: Command) -> None'}. The stubs are the contest's."""
    found = {}
    folder = Path(forkmunk.__file__).parent
    stubs = [folder / "_forkmunk.pyi"] if module is madcars else []
    for file in [*stubs, *sorted(folder.glob("_[!_]*.py")), *sorted(folder.glob("[!_]*.py"))]:
        for node in ast.parse(file.read_text()).body:
            for name, function in functions_of(node):
                arguments = ast.unparse(function.args).removeprefix("self, ").removeprefix("self")
                returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
                is_property = any("property" in ast.unparse(decorator) for decorator in function.decorator_list)
                text = function.name + (returns.replace(" -> ", ": ") if is_property else f"({arguments}){returns}")
                found.setdefault(name, text)
    return found


def functions_of(node):
    if isinstance(node, ast.FunctionDef):
        yield node.name, node
    elif isinstance(node, ast.ClassDef):
        owner = node.name.removesuffix("Fields")
        yield from ((f"{owner}.{name}", function) for child in node.body for name, function in functions_of(child))


def members_of(cls):
    """Returns the names of a class's own public members, and of those that generate.py describes."""
    owners = [base for base in cls.__mro__ if base in (cls, getattr(_fields, cls.__name__ + "Fields", None))]
    return sorted({name for base in owners for name in vars(base) if not name.startswith("_")})


def doc_of(thing):
    """Returns the docstring without the signature that bindings put first."""
    lines = (inspect.getdoc(thing) or "").splitlines()
    if lines and re.fullmatch(r"\w+\(.*\)( -> .*)?", lines[0]):
        lines = lines[1:]
    return "\n".join(lines).strip()


def section(level, title, signature, thing):
    print(f"{'#' * level} {title}\n")
    if signature:
        print(f"```python\n{signature}\n```\n")
    if doc_of(thing):
        print(f"{doc_of(thing)}\n".replace("<", "&lt;"))


def reference(module):
    public, known = {name: getattr(module, name) for name in module.__all__}, signatures(module)
    print(f"# {module.__name__}\n\n{doc_of(module)}\n")
    for name, thing in sorted(public.items(), key=lambda item: (not inspect.isclass(item[1]), item[0])):
        if inspect.isclass(thing):
            section(2, name, known.get(f"{name}.__init__", "").replace("__init__", name, 1).removesuffix(" -> None"), thing)
            plain = []  # attributes with no signature and docstring
            for member in members_of(thing):
                signature, value = known.get(f"{name}.{member}"), getattr(thing, member)
                if signature or (doc_of(value) and not isinstance(value, (int, float, str, tuple, dict, list))):
                    section(3, f"{name}.{member}", signature, value)
                else:
                    plain.append(f"`{member}`")
            if plain:
                print(f"Attributes: {', '.join(plain)}\n")
        elif callable(thing):
            section(2, name, known.get(name), thing)
    print("## Values\n")
    for name, thing in sorted(public.items()):
        if isinstance(thing, (tuple, float, int, str)) and not inspect.isclass(thing):
            print(f"- `{name}`: `{thing!r}`")


print("The [guide](../guide/python.md) has examples, shapes and units.\n")
for module in (forkmunk, madcars):
    reference(module)
