#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what objects.json describes: Python's properties, methods and joints, and C++'s tables to read and write
them; and what madcars.json describes: the contest's stubs, texts and arguments.

    python3 generate.py FOLDER PACKAGE SOURCES     # FOLDER: bindings/python

writes _fields.py, _functions.py, _joints.py and _forkmunk.pyi, and kinds.inc, fields.inc, joints.inc and documented.inc.

Each field, and each joint of "joints", is one entry. Chipmunk's functions are cpBodyGetMass() and cpBodySetMass();
"chipmunk" names another part ("Dist") or another getter ("cpBodyIsSleeping", or one of fields.cpp). A "private"
field is _body_type in Python, without a text. An entry with "only" is for one language. A method calls the compiled
function of its name, or "function"; parameters without a type are vectors. With a "type" it is a property. A class of
the contest has the parameters of its __init__."""

import ast
import json
import re
import sys
import textwrap
from pathlib import Path

# range: (check of C++, Python's type)
RANGES = {
    "any finite number": ("number", "float"), "0 or more": ("not_negative", "float"),
    "0 or more, or infinity": ("limit", "float"), "any number, or infinity": ("any", "float"),
    "a pair of finite numbers": ("vector", "VectorField"), "true or false": ("boolean", "bool"),
    "a whole number, 0 or more": ("whole", "int"), "a group, categories and a mask": ("filter", "FilterField"),
}
TYPES = {"number": "float", "vector": "Vec2d", "vectors": "list[Vec2d]", "boolean": "bool", "whole": "int", "box": "BB", "any": "Any"}
SHOWN = {"FilterField": "ShapeFilter", "BB": "BB"}  # types that Python makes of a tuple
STRUCTS = {"Space": "cpSpace", "Body": "cpBody", "Shape": "cpShape", "Circle": "cpShape", "Segment": "cpShape", "Poly": "cpShape",
           "Constraint": "cpConstraint", "Arbiter": "cpArbiter"}
NOTE = "{0} SPDX-License-Identifier: MIT\n{0} Written by generate.py from objects.json.\n"


def documentation(text):
    default = text.get("default")
    if isinstance(default, list):
        default = tuple(default)
    elif isinstance(default, dict):
        default = "ShapeFilter({})".format(", ".join(f"{name}={value}" for name, value in default.items()))
    elif type(default) is float:
        default = f"{default:.4g}"
    facts = {"Unit": text.get("unit"), "Range": text["range"], "Default": default}
    table = " ".join(f"{title}: {fact}." for title, fact in facts.items() if fact is not None)
    first, *others = text["doc"]
    return "\n".join((first, "", table, *others, *text.get("python", ())))


def python_type(text):
    if "type" in text:
        return TYPES[text["type"]]
    return RANGES[text["range"]][1] if text["range"] in RANGES else "int"


def quoted(text, indent):
    return '"""' + text.replace("\n", "\n" + " " * indent).replace("\n" + " " * indent + "\n", "\n\n") + '"""'


def property_lines(kind, name, text):
    if text.get("private"):
        return f'    _{name}: {python_type(text)} = Field("{kind}", "{name}", "")\n'
    shown = SHOWN.get(python_type(text))
    end = f", lambda value: {shown}(*value))" if shown else ")"
    return f'    {name}: {python_type(text)} = Field(\n        "{kind}", "{name}", {quoted(documentation(text), 8)}{end}\n'


def method_lines(name, text, indent="    ", owner="self"):
    """Returns a property's, method's or function's lines."""
    first, *others = text["doc"] + text.get("python", [])
    doc = quoted("\n".join((first, "", *others) if others else (first,)), len(indent) + 4)
    if "type" in text:
        return f"\n    {name}: {text['type']} = read(\n        _core.{text['function']}, {doc})\n"
    parameters = [(*each.partition(": ")[::2], default) for each, default in split_parameters(text["parameters"])]
    given = [f"{each}: {kind or 'Vector'}" + (f" = {default}" if default else "") for each, kind, default in parameters]
    passed = [each for each, *_ in parameters]
    call = f"_core.{text.get('function', name)}({', '.join(filter(None, (owner, *passed)))})"
    returns = TYPES.get(text.get("returns"), text.get("returns"))
    if returns == "BB":
        call = f"BB(*{call})"
    begin = "return " if "returns" in text else ""
    head = f"{indent}def {name}({', '.join(filter(None, (owner, *given)))}) -> {returns}:"
    return f"\n{head}\n{indent}    {doc}\n{indent}    {begin}{call}\n"


def functions_module(classes):
    functions = classes["functions"]
    return "".join([NOTE.format("#"), '# mypy: no-warn-return-any\n"""Functions of numbers and points."""\n\n'
                    "from typing import Sequence\n\nfrom . import _forkmunk as _core\nfrom .geometry import Vec2d, Vector\n\n",
                    f"__all__ = {json.dumps([name for name, text in functions.items() if text['returns'] == 'number'])}\n"]
                   + ["\n" + method_lines(*function, "", "") for function in functions.items()])


def fields_module(classes):
    out = [NOTE.format("#"), "# mypy: no-warn-return-any\n", '"""The properties and methods of spaces, bodies, shapes, joints and collisions."""\n\n',
           "from __future__ import annotations\n\nfrom collections.abc import KeysView\nfrom typing import TYPE_CHECKING, Any, Optional, Sequence\n\n",
           "from . import _forkmunk as _core\nfrom ._forkmunk import Field\n",
           "from .geometry import (\n    BB, ContactPointSet, FilterField, PointQueryInfo, SegmentQueryInfo, ShapeFilter, ShapeQueryInfo, Transform,\n"
           "    Vec2d, Vector, VectorField,\n)\n\nif TYPE_CHECKING:\n    from .scene import Body, Constraint, Shape\n",
           '\n\ndef read(getter: Any, doc: str) -> Any:\n    """Returns a property that a compiled function reads."""\n',
           "    return property(getter, doc=doc)\n"]
    for cls in STRUCTS:
        out.append(f'\n\nclass {cls}Fields:\n    __slots__ = ()\n    _kind = "{cls}"\n\n')
        out += [property_lines(cls, *field) for field in classes[cls].items()]
        out += [method_lines(*method) for method in classes["methods"].get(cls, {}).items()]
    return "".join(out)


def split_parameters(text):
    """Returns each parameter's (name, default or None)."""
    parts = [part.partition("=") for part in re.split(r", (?![^(]*\))", text) if part]
    return [(name, default or None) for name, _, default in parts]


def parameters_of(joint, fields):
    """Returns each parameter of a joint's __init__ as (name, type, default or None)."""
    found = []
    for name, default in split_parameters(joint["parameters"]):
        kind = {"VectorField": "Vector"}.get(python_type(fields[name]), python_type(fields[name]))
        found.append((name, f"Optional[{kind}]" if default == "None" else kind, default))
    return found


def fields_of(joint, classes):
    """Returns a joint's own fields, and those of "Joint" for which it has a parameter."""
    names = re.findall(r"anchor_[ab]", classes["joints"][joint]["parameters"])
    return {**{name: classes["Joint"][name] for name in names}, **classes.get(joint, {})}


def joints_module(classes):
    joints = classes["joints"]
    bases = sorted({joint.get("base", "Constraint") for joint in joints.values()})
    out = [NOTE.format("#"), '"""The ten joints."""\n\nfrom typing import Optional\n\n',
           "from . import scene\nfrom ._forkmunk import Field\nfrom .geometry import Vector, VectorField\n",
           f"from .scene import _CLASSES, Body, {', '.join(bases)}\n\n__all__ = {json.dumps(list(joints))}\n"]
    for name, joint in joints.items():
        fields = fields_of(name, classes)
        parameters = parameters_of(joint, fields)
        signature = joint.get("signature", f"{name}(a, b, {joint['parameters']})")
        given = ", ".join(f"{each}: {kind}" + (f" = {default}" if default else "") for each, kind, default in parameters)
        passed = ", ".join(f"{each}={each}" for each, *_ in parameters)
        first, *others = joint["doc"]
        doc = "\n".join((signature, "", first, *(["", *others] if others else [])))
        out.append(f'\n\nclass {name}({joint.get("base", "Constraint")}):\n    {quoted(doc, 4)}\n\n    _kind = "{name}"\n\n'
                   f"    def __init__(self, a: Body, b: Body, {given}) -> None:\n        self._make(a, b, {passed})\n\n")
        out += [property_lines(name, *field) for field in fields.items()]
    out.append("\n\nfor _known in (_CLASSES, scene.__dict__):  # for typing.get_type_hints()\n"
               "    _known.update((name, globals()[name]) for name in __all__)\n")
    return "".join(out)


def accessor(cls, struct, prefix, name, text):
    """Returns a field's line in C++'s table."""
    part = text.get("chipmunk", "".join(word.capitalize() for word in name.split("_")))
    get, set_ = (part, f"set_{part}") if part[0].islower() else (f"cp{prefix}Get{part}", f"cp{prefix}Set{part}")
    if text["range"] == "read only":
        return f'    shown<{struct}, {get}>("{name}"),\n'
    if bounds := re.fullmatch(r"a whole number from (\d+) to (\d+)", text["range"]):
        return f'    counted<{struct}, {get}, {set_}, {bounds[1]}, {bounds[2]}>("{name}"),\n'
    return f'    field<{struct}, Check::{RANGES[text["range"]][0]}, {get}, {set_}>("{name}"),\n'


def fields_table(classes):
    out = [NOTE.format("//")]
    for cls, struct in STRUCTS.items():
        prefix = f"{cls}Shape" if cls in ("Circle", "Segment", "Poly") else cls
        out.append(f"const Field k{cls}[] = {{\n")
        out += [accessor(cls, struct, prefix, *field) for field in classes[cls].items()]
        out.append("};\n")
    for name in classes["joints"]:
        out.append(f"const Field k{name}[] = {{\n")
        out += [accessor(name, "cpConstraint", name, *field) for field in fields_of(name, classes).items()]
        out.append("};\n")
    out.append("const std::pair<std::string_view, std::span<const Field>> kFieldsByKind[] = {\n")
    out += [f'    {{"{name}", k{name}}},\n' for name in (*STRUCTS, *classes["joints"])] + ["};\n"]
    return "".join(out)


def joints_table(classes):
    out = [NOTE.format("//")]
    for name, joint in classes["joints"].items():
        fields = fields_of(name, classes)
        names = [each for each, *_ in parameters_of(joint, fields)]
        checks = "".join(f", Check::{RANGES[fields[each]['range']][0]}" for each in names)
        impulse = f"&cp{name}::{joint.get('impulse', 'jAcc')}"  # from which a step starts
        out.append(f'joint<cp{name}, {joint.get("chipmunk", f"cp{name}New")}, cpConstraintIs{name}, {impulse}{checks}>('
                   f'"{name}", {{{", ".join(json.dumps(each) for each in names)}}}),\n')
    return "".join(out)


def kinds_table(classes):
    return NOTE.format("//") + "".join(
        re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower() + ",\n" for name in classes["joints"])


def contest_members(cls):
    """Yields each method and property of a class of the contest."""
    if "parameters" in cls:
        yield "__init__", {"parameters": cls["parameters"]}
    yield from cls.get("methods", {}).items()
    yield from cls.get("properties", {}).items()


def stub_lines(name, text, indent="    ", owner="self"):
    """Returns a function's or property's lines in the stubs."""
    doc = f"{indent}    {contest_text(text, len(indent) + 4)}\n" if "doc" in text else ""
    if "type" in text:
        return f"{indent}{name}: Final[{text['type']}]\n{doc[4:]}"
    returns = text.get("returns", "None")
    given = ", ".join(filter(None, (owner + ": Self" * (returns == "Self"), text.get("parameters"))))
    return f"{indent}def {name}({given}) -> {returns}:{' ...' * (not doc)}\n{doc}"


def contest_text(text, indent):
    return quoted("\n".join(text["doc"]), indent)


def stubs(contest, own):
    """Returns the stubs written by hand, and then the contest's."""
    functions, classes = contest["functions"], {name: cls for name, cls in contest.items() if name != "functions"}
    out = [own]
    for name, cls in classes.items():
        out.append(f"\nclass {name}:\n    {contest_text(cls, 4)}\n")
        out += [stub_lines(*member) for member in contest_members(cls)]
    return "".join(out + ["\n"] + [stub_lines(*function, "", "") for function in functions.items()])


def arguments_of(parameters):
    """Returns the parsed parameters, and each one's default as text or None."""
    source = f"def f({parameters}): ..."
    arguments = ast.parse(source).body[0].args
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults + arguments.kw_defaults
    return arguments, [each and ast.get_source_segment(source, each) for each in defaults]


def documented_line(name, text):
    """Returns an entry of C++'s table of texts and arguments."""
    arguments, defaults = arguments_of(text.get("parameters", ""))
    listed = [f'{json.dumps(each.arg)}, {json.dumps(value) if value else "nullptr"}, {json.dumps(each in arguments.kwonlyargs)}'
              for each, value in zip(arguments.args + arguments.kwonlyargs, defaults)]
    return f'{{"{name}", {json.dumps(chr(10).join(text.get("doc", ())))}, {{{", ".join(f"{{{each}}}" for each in listed)}}}}},\n'


def called_text(name, cls):
    """Returns a class's documentation behind its call without types."""
    arguments, _ = arguments_of(cls["parameters"])
    for each in arguments.args + arguments.kwonlyargs:
        each.annotation = None
    call = f"{name}({ast.unparse(arguments)})".replace("'", '"')
    return {"doc": [textwrap.fill(call, 96), "", *cls["doc"]]}


def documented_table(contest):
    out = [NOTE.format("//").replace("objects", "madcars")]
    for name, cls in contest.items():
        if name == "functions":
            out += [documented_line(*function) for function in cls.items()]
        else:
            out.append(documented_line(name, called_text(name, cls) if "parameters" in cls else {"doc": cls["doc"]}))
            out += [documented_line(f"{name}.{member}", text) for member, text in contest_members(cls)]
    return "".join(out)


def main(folder, package, sources):
    folder, package, sources = map(Path, (folder, package, sources))
    classes = json.loads((folder / "forkmunk/objects.json").read_text(encoding="utf-8"))
    contest = json.loads((folder / "madcars.json").read_text(encoding="utf-8"))
    own_stubs = (folder / "_forkmunk.pyi").read_text(encoding="utf-8")
    for cls in STRUCTS:
        classes[cls] = {name: text for name, text in classes[cls].items() if text.get("only", "python") == "python"}
    for path, text in ((package / "_fields.py", fields_module(classes)), (package / "_joints.py", joints_module(classes)),
                       (package / "_functions.py", functions_module(classes)),
                       (package / "_forkmunk.pyi", stubs(contest, own_stubs)), (sources / "kinds.inc", kinds_table(classes)),
                       (sources / "fields.inc", fields_table(classes)), (sources / "joints.inc", joints_table(classes)),
                       (sources / "documented.inc", documented_table(contest))):
        if not path.exists() or path.read_text(encoding="utf-8") != text:  # else nothing is compiled again
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
