# SPDX-License-Identifier: MIT
"""Everything public has a docstring of sentences, and objects.json states the true ranges of fields."""

import enum
import importlib
import inspect
import json
import math
import re
from pathlib import Path

import pytest

import forkmunk
import forkmunk.pymunk.autogeometry

MODULES = ["", ".plan", ".madcars", ".pymunk", ".pymunk.autogeometry", ".pymunk.batch", ".pymunk.util", ".pymunk.matplotlib_util",
           ".pymunk.pygame_util", ".pymunk.pyglet_util"]
CONSTANTS = (int, float, str, tuple, dict, enum.Enum)


def complaint(doc):
    """Returns what is wrong with a docstring, or None; signatures may come first."""
    if not doc:
        return "has no docstring"
    paragraphs = [part.strip() for part in doc.split("\n\n")]
    while len(paragraphs) > 1 and re.fullmatch(r"[\w.]+\(.*\)( -> .*| or \w+\(.*\))?", paragraphs[0], re.DOTALL):
        paragraphs.pop(0)
    summary = " ".join(paragraphs[0].split())
    if not re.match(r"[A-Z]", summary) and not summary.startswith("forkmunk"):
        return f"begins with no capital letter: {summary}"
    if not re.search(r"[.:]$", summary):
        return f"ends without a period: {summary}"
    if len(re.findall(r"[\w'()]+", summary)) < 5:
        return f"is no sentence of five words: {summary}"
    if re.match(r"(Of|What|Whether|The same|Those|As|Whose|How|Why|By)\b", summary):
        return f"is a fragment: {summary}"
    return None


def public_members(cls):
    """Yields (name, value, defining class) of the public attributes that come from this package."""
    seen = set()
    for base in cls.__mro__:
        if not base.__module__.startswith("forkmunk") or base.__module__ == "forkmunk.protocols":
            continue
        for name in vars(base):
            if not name.startswith("_") and name not in seen:
                seen.add(name)
                yield name, getattr(cls, name), base


def found_in(module):
    own = [name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__ and name[0] != "_"]
    for name in getattr(module, "__all__", own):
        thing = getattr(module, name)
        if inspect.ismodule(thing) or isinstance(thing, CONSTANTS):
            continue  # the module's docstring has them
        yield name, inspect.getdoc(thing)
        if not isinstance(thing, type):
            continue
        for member, value, base in public_members(thing):
            what = f"{name}.{member}"
            if member in ("metadata", "render_mode"):
                continue  # Gymnasium's
            if isinstance(value, CONSTANTS):
                yield what, inspect.getdoc(value) if member in (base.__doc__ or "") + (inspect.getdoc(base) or "") else None
            else:
                yield what, inspect.getdoc(value)


@pytest.mark.parametrize("name", MODULES)
def test_everything_public_has_a_docstring_of_sentences(name):
    if name.endswith("_util"):
        pytest.importorskip(name.rpartition(".")[2].partition("_")[0])
    if name.endswith("pyglet_util"):  # pyglet opens a window when it is imported
        try:
            importlib.import_module("pyglet.gl")
        except Exception as error:
            pytest.skip(f"pyglet finds no display: {error}")
    module = importlib.import_module("forkmunk" + name)
    wrong = {what: complaint(doc) for what, doc in [("the module", inspect.getdoc(module)), *found_in(module)]}
    assert not {what: problem for what, problem in wrong.items() if problem}


OBJECTS = json.loads((Path(forkmunk.__file__).parent / "objects.json").read_text())
JOINTS, METHODS, FUNCTIONS = (OBJECTS.pop(part) for part in ("joints", "methods", "functions"))
TEXTS = {cls: {name: text for name, text in fields.items() if not text.get("private") and text.get("only", "python") == "python"}
         for cls, fields in OBJECTS.items()}
BAD = {
    "any finite number": [math.nan, math.inf, "one"],
    "0 or more": [-1, math.nan, math.inf, "one"],
    "0 or more, or infinity": [-1, math.nan, "one"],
    "any number, or infinity": [math.nan, "one"],
    "a pair of finite numbers": [1, (1, 2, 3), (math.nan, 0), (0, math.inf)],
    "true or false": [],
    "a whole number, 0 or more": [-1, 0.5, "one"],
    "a whole number from 1 to 10000": [0, 10001, 0.5],
    "a whole number from 1 to 1000000": [0, 1000001],
    "a group, categories and a mask": [1, (1, 2), (-1, 0, 0)],
}
GOOD = {"any finite number": -2.5, "0 or more": 2.5, "0 or more, or infinity": math.inf, "any number, or infinity": math.inf,
        "a pair of finite numbers": (3.0, -4.0), "true or false": True, "a whole number, 0 or more": 7,
        "a whole number from 1 to 10000": 10000, "a whole number from 1 to 1000000": 1000000,
        "a group, categories and a mask": (1, 2, 3)}


def new_objects():
    a, b = forkmunk.Body(), forkmunk.Body()
    joints = [forkmunk.PinJoint(a, b), forkmunk.SlideJoint(a, b, (0, 0), (0, 0), 1, 2), forkmunk.PivotJoint(a, b, (0, 0)),
              forkmunk.GrooveJoint(a, b, (0, 0), (1, 0), (0, 0)), forkmunk.DampedSpring(a, b, (0, 0), (0, 0), 1, 1, 1),
              forkmunk.DampedRotarySpring(a, b, 0, 1, 1), forkmunk.RotaryLimitJoint(a, b, 0, 1), forkmunk.RatchetJoint(a, b, 0, 1),
              forkmunk.GearJoint(a, b, 0, 1), forkmunk.SimpleMotor(a, b, 1)]
    shapes = [forkmunk.Circle(a, 1), forkmunk.Segment(a, (0, 0), (1, 0), 1), forkmunk.Poly.create_box(a)]
    return [forkmunk.Space(), a, *shapes, *joints]


def described_fields(thing):
    for cls in type(thing).__mro__:
        yield from TEXTS.get(cls.__name__, {}).items()
        if cls is forkmunk.Constraint:
            yield from ((name, text) for name, text in TEXTS["Joint"].items() if hasattr(thing, name))


def as_value(default):
    if default == "infinity":
        return math.inf
    return tuple(default.values()) if isinstance(default, dict) else tuple(default) if isinstance(default, list) else default


@pytest.mark.parametrize("thing", new_objects(), ids=lambda thing: type(thing).__name__)
def test_the_descriptions_of_fields_are_true(thing):
    fields = dict(described_fields(thing))
    assert len(fields) >= 5
    for name, text in fields.items():
        if "default" in text:
            assert getattr(thing, name) == pytest.approx(as_value(text["default"]), rel=1e-6), name
    for name, text in fields.items():
        what = f"{type(thing).__name__}.{name}"
        before = getattr(thing, name)
        if text["range"] == "read only":
            with pytest.raises(AttributeError):
                setattr(thing, name, before)
        else:
            for bad in BAD[text["range"]]:
                with pytest.raises((TypeError, ValueError)):
                    setattr(thing, name, bad)
                    pytest.fail(f"{what} = {bad}")
            assert getattr(thing, name) == before, what
            setattr(thing, name, GOOD[text["range"]])
            assert getattr(thing, name) == pytest.approx(GOOD[text["range"]]), what


def test_each_description_is_of_a_field_or_method():
    for cls, fields in [*TEXTS.items(), *METHODS.items()]:
        for name, text in fields.items():
            owner = getattr(forkmunk, "DampedSpring" if cls == "Joint" else cls)
            assert text["doc"][0] in inspect.getdoc(getattr(owner, name))
    for name, text in FUNCTIONS.items():
        assert text["doc"][0] in inspect.getdoc(getattr(forkmunk, name, None) or getattr(forkmunk.pymunk.autogeometry, name))


def test_each_joint_is_described():
    assert [cls.__name__ for cls in map(type, new_objects()) if issubclass(cls, forkmunk.Constraint)] == list(JOINTS)
    for name, joint in JOINTS.items():
        assert joint["doc"][0] in inspect.getdoc(getattr(forkmunk, name))
