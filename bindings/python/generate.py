#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what objects.json describes: Python's properties, methods and joints, and C++'s tables to read and write
them.

    python3 generate.py objects.json PACKAGE SOURCES     # writes _fields.py, _joints.py; kinds.inc, fields.inc, joints.inc

Each field, and each joint of "joints", is one entry. Chipmunk's functions are cpBodyGetMass() and cpBodySetMass();
"chipmunk" names another part ("Dist") or another getter ("cpBodyIsSleeping", or one of fields.cpp). A "private"
field is _body_type in Python, without a text. An entry with "only" is for one language. A method calls the compiled
function of its name; parameters without a type are vectors."""

import json
import re
import sys
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


def property_lines(name, text):
    if text.get("private"):
        return f'    _{name}: {python_type(text)} = Field("")\n'
    shown = SHOWN.get(python_type(text))
    end = f", lambda value: {shown}(*value))" if shown else ")"
    return f"    {name}: {python_type(text)} = Field(\n        {quoted(documentation(text), 8)}{end}\n"


def method_lines(name, text):
    parameters = [(*each.partition(": ")[::2], default) for each, default in split_parameters(text["parameters"])]
    given = "".join(f", {each}: {kind or 'Vector'}" + (f" = {default}" if default else "") for each, kind, default in parameters)
    call = f"_core.{name}(self" + "".join(f", {each}" for each, *_ in parameters) + ")"
    returns = TYPES[text["returns"]] if "returns" in text else "None"
    if returns == "BB":
        call = f"BB(*{call})"
    first, *others = text["doc"] + text.get("python", [])
    doc = quoted("\n".join((first, "", *others) if others else (first,)), 8)
    begin = "return " if "returns" in text else ""
    return f"\n    def {name}(self{given}) -> {returns}:\n        {doc}\n        {begin}{call}\n"


def fields_module(classes):
    out = [NOTE.format("#"), '"""The properties and methods of spaces, bodies, shapes, joints and collisions."""\n\n',
           "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING, Any, Optional, Sequence\n\n",
           "from . import _forkmunk as _core\nfrom ._forkmunk import Field\n",
           "from .geometry import BB, FilterField, ShapeFilter, Transform, Vec2d, Vector, VectorField\n\n",
           "if TYPE_CHECKING:\n    from .scene import Body\n"]
    for cls in STRUCTS:
        out.append(f'\n\nclass {cls}Fields:\n    __slots__ = ()\n    _kind = "{cls}"\n\n')
        out += [property_lines(*field) for field in classes[cls].items()]
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
           "from ._forkmunk import Field\nfrom .geometry import Vector, VectorField\n",
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
        out += [property_lines(*field) for field in fields.items()]
    out.append("\n\n_CLASSES.update((name, globals()[name]) for name in __all__)\n")
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


def main(source, package, sources):
    classes = json.loads(Path(source).read_text(encoding="utf-8"))
    for cls in STRUCTS:
        classes[cls] = {name: text for name, text in classes[cls].items() if text.get("only", "python") == "python"}
    for path, make in ((Path(package, "_fields.py"), fields_module), (Path(package, "_joints.py"), joints_module),
                       (Path(sources, "kinds.inc"), kinds_table), (Path(sources, "fields.inc"), fields_table),
                       (Path(sources, "joints.inc"), joints_table)):
        if not path.exists() or path.read_text(encoding="utf-8") != make(classes):  # else nothing is compiled again
            path.write_text(make(classes), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
