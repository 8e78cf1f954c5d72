# SPDX-License-Identifier: MIT

import functools
import json
import math
import os
import sys
import tempfile
import weakref
import webbrowser
from collections import deque
from pathlib import Path
from typing import Any, Callable, NamedTuple, Optional, Sequence, Union, cast

from . import _forkmunk as _core
from .checks import checked_path, checked_type, refuse_type
from .drawing_options import SpaceDebugColor, SpaceDebugDrawOptions
from .geometry import Vec2d
from .scene import Body, Circle, Constraint, Poly, Segment, Shape, Snapshot, Space, Uncopied, attributes_of, set_attributes

_UNLIMITED = (1 << 64) - 1


def _without_numpy(value: Any) -> Any:
    if not hasattr(value, "tolist"):
        refuse_type(value, "Recorder.input(value)", "what json.dumps() takes")
    return value.tolist()


class Event(NamedTuple):
    """An entry of mark(), log() or input(), with that `kind`."""

    step: int
    kind: str
    name: str
    value: Any


class Verdict(NamedTuple):
    """The result of replaying steps `first` to `last`: "exact", "differs" or "not replayable".

    `step` is the first that differs; `reason` is a sentence."""

    first: int
    last: int
    kind: str
    step: Optional[int]
    reason: str

    @property
    def exact(self) -> bool:
        return self.kind == "exact"


class Failure(NamedTuple):
    """A step that raised, or after which a number was not finite.

    `step` is the last good one, and `culprit` what became non-finite or changed most. `dt_that_passes` is the
    largest dt / 2**n whose 2**n steps pass, or None."""

    step: int
    culprit: str
    dt_that_passes: Optional[float]


class Recorder(Uncopied):
    """Recorder(space, *, steps=None, memory_bytes=268435456, keyframe_steps=120, contacts=True)

    Records every step of a space, for time travel: any step can be drawn, and any step is a Space again.

        recorder = forkmunk.Recorder(space)
        ...                      # the program, unchanged
        recorder.save("run.html")

    Step 0 is the state before the first recorded step. Each step's positions, angles and contacts are kept, the
    program's changes to bodies and motors, and a copy of the space every `keyframe_steps` steps. The recorder keeps
    the last `steps` steps at least, and drops old ones where it would take more than `memory_bytes`.
    forkmunk.fork(), copies and pickles of an environment that holds a Recorder raise forkmunk.Error: keep it
    outside."""

    _remedy = "keep it outside of what is copied, and give the copy's Space a Recorder of its own"

    def __init__(self, space: Space, *, steps: Optional[int] = None, memory_bytes: int = 256 << 20, keyframe_steps: int = 120,
                 contacts: bool = True) -> None:
        checked_type(space, Space, "Recorder(space)", "a forkmunk.Space")
        self._space = space
        self._recorder = _core.RecorderCore(space._core, _UNLIMITED if steps is None else steps, memory_bytes, keyframe_steps, contacts)
        self._removed: deque[tuple[int, int, type, dict[str, Any]]] = deque()  # last step, id, class, attributes
        space._recorder = weakref.ref(self)

    def __repr__(self) -> str:
        found = self._recorder.range()
        return "Recorder(no step yet)" if found is None else f"Recorder(steps {found[0]} to {found[1]})"

    def _range(self) -> tuple[int, int]:
        found = self._recorder.range()
        if found is None:
            raise _core.Error("Recorder: nothing is recorded yet; step the space first")
        return found[0], found[1]

    @property
    def first(self) -> int:
        """The number of the first step that is kept."""
        return self._range()[0]

    @property
    def last(self) -> int:
        """The number of the last recorded step."""
        return self._range()[1]

    @property
    def memory_bytes(self) -> int:
        """The bytes that the recording takes."""
        return int(self._recorder.memory_bytes())

    def mark(self, name: str) -> None:
        """Marks the present step on the page's scrub bar."""
        self._recorder.mark(str(name))

    def log(self, name: str, value: Union[float, str]) -> None:
        """Adds a named number, which the page draws as a curve, or a text to the present step."""
        self._recorder.log(str(name), value if isinstance(value, str) else float(value))

    def input(self, name: str, value: Any) -> None:
        """Adds an input of the program, which json.dumps() takes, to the present step."""
        self._recorder.input(str(name), json.dumps(value, default=_without_numpy))

    def name(self, thing: Union[Body, Shape, Constraint], name: str) -> None:
        """Names a body, shape or joint in pages and reports."""
        if getattr(thing, "_core", None) is not self._space._core:
            raise _core.Error(f"Recorder.name(): found {thing!r}, expected an object of the recorded space; add it first")
        self._recorder.name(thing, str(name))

    @property
    def events(self) -> list[Event]:
        """All marks, logged values and inputs, as Event(step, kind, name, value)."""
        return [Event(step, kind, name, json.loads(value) if kind == "input" else value) for step, kind, name, value in self._recorder.events()]

    @property
    def interventions(self) -> list[tuple[int, str]]:
        """The steps after which the program changed more than bodies and motors, as pairs of step and text."""
        return [tuple(pair) for pair in self._recorder.interventions()]

    def path(self, body: Body) -> Any:
        """Returns a body's x, y and angle in every step as single-precision rows (last - first + 1, 3).

        Rows are NaN where the body was not in the space."""
        if not isinstance(body, Body) or body._core is not self._space._core:
            raise _core.Error(f"Recorder.path(): found {body!r}, expected a body of the recorded space")
        self._range()
        return self._recorder.path(body)

    def contacts(self, step: int) -> Any:
        """Returns a step's contacts as rows (n, 4) of a point and an impulse."""
        return self._recorder.contacts(step)

    def at(self, step: int) -> Space:
        """Returns a Space of a step, just before the next one, by stepping from the nearest keyframe.

        Given the program's same changes, it steps on as the recorded one did, and calls callbacks again with the new
        space. twin_of() finds its objects. verify() says whether the steps are exact."""
        twin = self._space.fork()
        self._recorder.replay(twin, step, functools.partial(self._restore, twin))
        return twin

    def _keep(self, objects: Sequence[Any]) -> None:
        """Keeps what replays need of objects to be removed, not the objects."""
        found = self._recorder.range()
        if found is not None:
            while self._removed and self._removed[0][0] < found[0]:
                self._removed.popleft()
            self._removed.extend((found[1], thing._id, type(thing), attributes_of(thing)) for thing in objects)

    def _restore(self, twin: Space, key: int) -> None:
        twin.restore(Snapshot(self._recorder.snapshot(key), self._space, True))
        for _, id_, cls, attributes in self._removed:
            if twin._core.contains(id_) and id_ not in self._space._kept:
                if cls is not type(twin._wrap(id_)):
                    _core.wrap_as(twin, cls, id_)
                set_attributes(twin._wrap(id_), attributes)
                twin._has_functions = True

    def verify(self) -> list[Verdict]:
        """Computes all steps again, and returns a Verdict for each keyframe and its steps."""
        self._range()
        verdicts = []
        for key in self._recorder.keyframes():
            twin = self._space.fork()  # a restore drops functions of removed objects
            verdicts.append(Verdict(*self._recorder.verify(twin, key, functools.partial(self._restore, twin))))
        return verdicts

    def recover(self) -> Optional[Failure]:
        """Restores the last good step after a step that raised, or after which a number was not finite.

        Returns the Failure; None, with nothing changed, if no step failed."""
        if self._recorder.failure() is None:
            return None
        failure, twin = Failure(*self._recorder.describe()), self._space.fork()
        self._recorder.restore_before_failure(twin, functools.partial(self._restore, twin))
        self._space.restore(twin.save())
        return failure

    def save(self, path: Union[str, os.PathLike[str]]) -> Path:
        """Writes the recording, and returns the path.

        A name that ends in .html becomes a page that any browser opens offline; a shape's attribute `color` is its
        colour there. Other files are recordings (docs/reference/file_formats.md), which `forkmunk scene` turns into
        a page."""
        target = Path(checked_path(path, "Recorder.save(path)"))
        self._range()
        for shape in self._space.shapes:
            color = _rgba(getattr(shape, "color", None))
            if color is not None:
                self._recorder.color(shape, color)
        if target.suffix.lower() not in (".html", ".htm"):
            target.write_bytes(self._recorder.write())
            return target
        self._recorder.write_page(os.fsencode(target), target.stem, _is_y_down(self._space))
        return target

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            page = self.save(Path(folder) / "run.html").read_text(encoding="utf-8")
        text = page.replace("&", "&amp;").replace('"', "&quot;")  # apart from the notebook's styles and scripts
        return f'<iframe srcdoc="{text}" style="width: 100%; height: 560px; border: 0" title="Forkmunk recording"></iframe>'


def _rgba(color: Any) -> Optional[int]:
    """Returns a colour of three or four numbers from 0 to 255 as one number, or None."""
    try:
        parts = [min(255, max(0, round(part))) for part in (*color, 255)[:4]]
    except (TypeError, ValueError, OverflowError):
        return None
    return int.from_bytes(bytes(parts), "big") if len(parts) == 4 else None


def _is_y_down(space: Space) -> bool:
    drawing = sys.modules.get("forkmunk.pymunk.pygame_util") or sys.modules.get("pymunk.pygame_util")
    up = getattr(drawing, "positive_y_is_up", None)
    return space.gravity[1] > 0 if up is None else not up


class PreviewContact(NamedTuple):
    """A body that begins to touch a shape in a step of a preview.

    `other` is the shape in the preview's space, or None if the control made it."""

    step: int
    body: Body
    shape: Optional[Shape]
    other: Optional[Shape]


class Preview(NamedTuple):
    """The result of preview(): `paths` has x, y and angle in the shape (bodies, steps + 1, 3).

    `contacts` are PreviewContacts in the order of steps, and `bodies` those of the paths."""

    paths: Any
    contacts: list[PreviewContact]
    bodies: list[Body]

    @property
    def first_contact(self) -> Optional[PreviewContact]:
        """The first of the contacts, or None if nothing new was touched."""
        return self.contacts[0] if self.contacts else None

    def debug_draw(self, options: SpaceDebugDrawOptions, color: Sequence[float] = (44, 62, 80, 160), ghosts: int = 8) -> None:
        """Draws the paths as lines and the bodies along them as ghosts, for example after Space.debug_draw(options).

        A ghost is the outline of a body's shapes. Each body has `ghosts` of them at equal times up to the last step,
        which fade into the future; 0 draws lines only. The body of first_contact has one with a dot in its step, in
        options.collision_point_color. The colour has four numbers from 0 to 255, of which the last is the opacity of
        the lines and of the first ghost."""
        shown, marked = SpaceDebugColor(*map(float, color)), options.collision_point_color
        outlines = {body: [_outline(shape) for shape in sorted(body.shapes, key=lambda shape: shape._id)] for body in self.bodies}

        def draw_line(points: Sequence[Vec2d], shade: SpaceDebugColor) -> None:
            for a, b in zip(points, points[1:]):
                options.draw_segment(options.transform @ a, options.transform @ b, shade)

        def draw_ghost(body: Body, pose: Sequence[float], shade: SpaceDebugColor) -> None:
            x, y, angle = pose
            for outline in outlines[body]:
                draw_line([Vec2d(x, y) + point.rotated(angle) for point in outline], shade)

        for body, path in zip(self.bodies, self.paths.tolist()):
            draw_line([Vec2d(x, y) for x, y, _ in path], shown)
            steps = len(path) - 1
            count = min(ghosts, steps)
            for k in range(count, 0, -1):
                draw_ghost(body, path[k * steps // count], shown._replace(a=shown.a * (count + 1 - k) / count))
        if self.first_contact is not None:
            step, body, _, _ = self.first_contact
            pose = self.paths[self.bodies.index(body), step].tolist()
            draw_ghost(body, pose, marked)
            options.draw_dot(4, options.transform @ Vec2d(*pose[:2]), marked)


def _outline(shape: Shape) -> list[Vec2d]:
    """Returns a line around a shape, in its body's frame, without a polygon's radius. A circle's begins in the
    centre."""
    def arc(centre: Vec2d, radius: float, start: float, angle: float) -> list[Vec2d]:
        return [centre + Vec2d.from_polar(radius, start + angle * k / 12) for k in range(13)]

    if isinstance(shape, Circle):
        return [shape.offset, *arc(shape.offset, shape.radius, 0, 2 * math.pi)]
    elif isinstance(shape, Segment):
        turn = (shape.b - shape.a).angle
        points = [*arc(shape.b, shape.radius, turn - math.pi / 2, math.pi), *arc(shape.a, shape.radius, turn + math.pi / 2, math.pi)]
    else:
        points = cast(Poly, shape).get_vertices()
    return [*points, points[0]]


def preview(space: Space, bodies: Sequence[Body], steps: int, dt: float = 1 / 60,
            control: Optional[Callable[[Space, int], None]] = None) -> Preview:
    """Returns the future of some bodies over `steps` steps, without a change to the space.

    `control(twin, step)` is called before each step with a fork; twin.twin_of(body) is its body."""
    checked_type(space, Space, "preview(space)", "a forkmunk.Space")
    if isinstance(bodies, Body):
        refuse_type(bodies, "preview(bodies)", "a list of bodies")
    twin = space.fork()

    def run(step: int) -> None:
        if control is not None:
            control(twin, step)
        twin.step(dt)

    paths, found = _core.preview([twin.twin_of(body) for body in bodies], steps, run)
    shapes = {_core.recorded_id(shape): shape for shape in space.shapes} if found else {}
    return Preview(paths, [PreviewContact(step, bodies[i], shapes.get(shape), shapes.get(other)) for step, i, shape, other in found], list(bodies))


class Difference(NamedTuple):
    """A field in which two spaces differ, with both values as texts.

    `object` is like "body 3" or "contact of polygon 3 and segment 0", or empty where the number of objects differs."""

    object: str
    field: str
    one: str
    other: str


def differences(one: Space, other: Space) -> list[Difference]:
    """Returns all fields in which two spaces differ: of bodies, shapes, joints, the space and contacts.

    The list is empty if their hash() is equal."""
    for space in (one, other):
        checked_type(space, Space, "differences()", "a forkmunk.Space")
    return [Difference(*each) for each in _core.differences(one._core, other._core)]


def view(thing: Union[Space, Recorder], path: Optional[Union[str, os.PathLike[str]]] = None) -> Path:
    """Writes the page of a recorder, or of a space's present state, opens it in the browser, and returns its path.

    Without a path, it is a temporary file."""
    if not isinstance(thing, Recorder):
        checked_type(thing, Space, "view(thing)", "a forkmunk.Space")
    target = Path(tempfile.mkdtemp(prefix="forkmunk-")) / "run.html" if path is None else Path(checked_path(path, "view(path)"))
    recorder = thing if isinstance(thing, Recorder) else still(thing)
    recorder.save(target)
    webbrowser.open(target.resolve().as_uri())
    return target


def still(space: Space) -> Recorder:
    """Returns a recording of a space's present state: a step of no time."""
    twin = space.fork()
    recorder = Recorder(twin)
    twin.step(0)
    return recorder
