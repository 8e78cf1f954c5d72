"""forkmunk.SpaceBatch: copies of a Space that are stepped together, on a pool of threads; and rollouts of plans."""

from __future__ import annotations

import operator
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _forkmunk as _core
from .geometry import BB
from .scene import Body, Constraint, Shape, SimpleMotor, Snapshot, Space

Floats = NDArray[np.float64]
Mask = Optional[NDArray[np.bool_]]


class Rollout(NamedTuple):
    """What SpaceBatch.rollout() recorded of k plans of t actions."""

    final: Floats
    """(k, state): what was observed after the last action; NaN if the plan did not get there."""
    states: Floats
    """(k, t // every, state): after each `every` actions; (k, 0, state) without `every`."""
    contacts: NDArray[np.bool_]
    """(k, t, pairs): whether the shapes touched after any step of the action."""
    events: NDArray[np.int32]
    """(k, events): the first step after which the event was true, 1 for the first; 0: never."""
    steps: NDArray[np.int32]
    """(k,): the steps that were computed: fewer than the plan has if a body left the finite numbers."""


class SpaceBatch:
    """SpaceBatch(space, n, threads=1, *, callbacks="refuse")

    n forks of a Space that are stepped together on `threads` threads (0: one for each core), without the GIL. Each has the
    same states, bit for bit, as a fork that is stepped alone. `bodies` and motors are those of the Space, or of its forks.
    Python's callbacks cannot be called there: a Space that has some is refused, or with callbacks="drop" copied without
    them. batch[i] is an independent copy of world i as a Space; `batch[i] = space` puts a Space's state into world i."""

    def __init__(self, space: Space, n: int, threads: int = 1, *, callbacks: str = "refuse") -> None:
        if not isinstance(space, Space):
            raise TypeError(f"SpaceBatch(space): found {space!r}, expected a Space")
        if callbacks not in ("refuse", "drop"):
            raise _core.Error(f"SpaceBatch(callbacks=): found {callbacks!r}, expected 'refuse' or 'drop'")
        self._drops = callbacks == "drop"
        self._check_callbacks(space, "SpaceBatch(space)")
        self._prototype = space._forked()
        self._prototype._callables, self._prototype._has_functions = {}, False
        self._core = _core.SpaceBatchCore(self._prototype._core, n, threads)

    def _check_callbacks(self, holder, what):
        if (holder._callables or holder._has_functions) and not self._drops:
            raise _core.Error(f"{what}: the Space has callbacks in Python, which a batch cannot call on its threads; "
                              'remove them, or pass SpaceBatch(..., callbacks="drop")')

    def __len__(self) -> int:
        return self._core.size

    @property
    def threads(self) -> int:
        return self._core.threads

    def __repr__(self) -> str:
        return f"<forkmunk.SpaceBatch: {len(self)} worlds, {self.threads} threads>"

    def step(self, dt: float, count: int = 1) -> None:
        """Computes `count` steps of dt seconds in every world. If one fails, the others still take them."""
        self._core.step(dt, count)

    def read(self, field: str, bodies: Sequence[Union[Body, Constraint]]) -> Floats:
        """A field of some bodies in every world: "position", "velocity", "force": (n, len(bodies), 2); "angle",
        "angular_velocity", "torque", and "motor_rate" of SimpleMotors: (n, len(bodies))."""
        return self._core.read(field, self._ids(bodies, "read"))

    def write(self, field: str, bodies: Sequence[Union[Body, Constraint]], array: ArrayLike) -> None:
        """Sets a field, from an array as read() returns it."""
        self._core.write(field, self._ids(bodies, "write"), np.asarray(array))

    @staticmethod
    def _ids(objects, function):
        if not isinstance(objects, Iterable):
            raise TypeError(f"SpaceBatch.{function}(): found {objects!r}, expected a list of bodies or SimpleMotors")
        objects = list(objects)
        for thing in objects:
            if not isinstance(thing, (Body, SimpleMotor)):
                raise TypeError(f"SpaceBatch.{function}(): found {thing!r}, expected bodies or SimpleMotors")
        return [thing._id for thing in objects]

    def save(self, index: int) -> Snapshot:
        """The state of world `index`, for restore() and Space.restore(): of bodies, shapes and joints; the Space that the
        batch was made of, and its forks, keep their attributes, and callbacks that were set before."""
        return Snapshot(self._core.save(self._index(index)), self._prototype, of_batch=True)

    def restore(self, snapshot: Snapshot, mask: Mask = None) -> None:
        """Puts a state of a Space or of a world into every world, or into those whose mask, bool (n,), is set."""
        self._core.restore(self._state_of(snapshot, "restore"), mask)

    def _state_of(self, snapshot, function):
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"SpaceBatch.{function}(): found {snapshot!r}, expected what Space.save() gave")
        self._check_callbacks(snapshot, f"SpaceBatch.{function}()")
        return snapshot._core

    def fork(self, from_: int, to: Mask = None) -> None:
        """Makes every world, or those whose mask is set, copies of world `from_`."""
        self._core.fork(self._index(from_), to)

    def hashes(self) -> NDArray[np.uint64]:
        """Space.hash() of every world: (n,)."""
        return self._core.hashes()

    def _index(self, index):
        number = operator.index(index)
        if not -len(self) <= number < len(self):
            raise IndexError(f"SpaceBatch: found world {number}, expected one of {len(self)}")
        return number % len(self)

    def __getitem__(self, index: int) -> Space:
        twin = self._prototype._forked()
        twin.restore(self.save(index))
        return twin

    def __setitem__(self, index: int, space: Space) -> None:
        if not isinstance(space, Space):
            raise TypeError(f"SpaceBatch[i] = space: found {space!r}, expected a Space")
        mask = np.zeros(len(self), bool)
        mask[self._index(index)] = True
        self.restore(space.save(), mask)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise _core.Error("SpaceBatch: it cannot be copied or pickled; copy its worlds, batch[i], and make another batch")

    def __iter__(self) -> Iterator[Space]:
        return (self[i] for i in range(len(self)))

    def rollout(self, snapshot: Snapshot, actions: ArrayLike, controls: Sequence[tuple[Any, ...]], *, dt: float,
                substeps: int = 1, observe: Sequence[tuple[str, Any]] = (), every: int = 0,
                contacts: Sequence[tuple[Shape, Shape]] = (), events: Sequence[tuple[Any, Any]] = ()) -> Rollout:
        """Plays k plans from one state, each in a world of its own; the batch's worlds do not change.

        actions   float64 (k, t, width): of each plan and time the numbers of all controls, set before each of `substeps`
                  steps of dt seconds
        controls  (field, body) or ("motor_rate", motor), width 2 or 1 as in read(); or a servo, ("position", body,
                  stiffness, damping): before each step the body's velocity grows by
                  (stiffness * (action - position) + damping * (0 - velocity)) * dt
        observe   (field, body), (field, [bodies]) or ("motor_rate", motor): what `final` and `states` have, in this order
        every     `states` has the state after each so many actions
        contacts  (shape, shape): touching is overlapping, whatever their filters and callbacks are
        events    (shape, shape): they touch; (body, BB): its position is outside of the box"""
        options = {
            "controls": [self._control(control) for control in controls],
            "observe": [(field, id_) for field, thing in observe
                        for id_ in self._ids(thing if isinstance(thing, (list, tuple)) else [thing], "rollout")],
            "contacts": [self._pair(*self._two(pair, "contacts")) for pair in contacts],
            "events": [self._event(*self._two(event, "events")) for event in events],
            "dt": dt, "substeps": substeps, "every": every,
        }
        return Rollout(*self._core.rollout(self._state_of(snapshot, "rollout"), np.asarray(actions), options))

    def _control(self, control):
        if len(control) not in (2, 4):
            raise _core.Error(f"SpaceBatch.rollout(controls): found {control!r}, expected (field, body) or "
                              '("position", body, stiffness, damping)')
        field, thing, stiffness, damping = control if len(control) == 4 else (*control, 0.0, 0.0)
        return (field, *self._ids([thing], "rollout"), stiffness, damping)

    @staticmethod
    def _two(pair, what):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise _core.Error(f"SpaceBatch.rollout({what}): found {pair!r}, expected pairs")
        return pair

    @staticmethod
    def _pair(a, b, what="contacts", expected="two shapes"):
        if not (isinstance(a, Shape) and isinstance(b, Shape)):
            raise TypeError(f"SpaceBatch.rollout({what}): found {a!r} and {b!r}, expected {expected}")
        return a._id, b._id

    def _event(self, thing, other):
        if isinstance(thing, Body):
            box = other if isinstance(other, BB) else BB(*other)
            return (thing._id, box.left, box.bottom, box.right, box.top)
        return self._pair(thing, other, "events", "two shapes, or a body and a BB")
