# SPDX-License-Identifier: MIT

from __future__ import annotations

from typing import Any, Iterable, Iterator, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _forkmunk as _core
from .checks import checked_index, checked_type, is_list, refuse_type
from .geometry import document_fields
from .scene import Body, Constraint, Shape, Snapshot, Space, Uncopied, inner

Floats = NDArray[np.float64]
Mask = Optional[NDArray[np.bool_]]


class Rollout(NamedTuple):
    """The record that SpaceBatch.rollout() returns for k plans of t actions."""

    final: Floats
    states: Floats
    contacts: NDArray[np.bool_]
    events: NDArray[np.int32]
    steps: NDArray[np.int32]


document_fields(
    Rollout, final="The observed values after the last action, (k, state); NaN if the plan did not get there.",
    states="The observed values after each `every` actions, (k, t // every, state); (k, 0, state) without `every`.",
    contacts="The flags that say whether each pair of shapes touched after any step of each action, (k, t, pairs).",
    events="The number of the first step after which each event was true, (k, events): 1 is the first step, and 0 is never.",
    steps="The number of steps that were computed, (k,): fewer than the plan has if a body left the finite numbers.")


class SpaceBatch(Uncopied):
    """SpaceBatch(space, n, threads=1, *, callbacks="refuse")

    A batch of n forks of a Space that are stepped together on a pool of threads, without the GIL.

    Each world has the states, bit for bit, of a fork that is stepped alone, with any number of threads; threads=0
    uses one for each core. Bodies and motors are named by the objects of the Space or its forks. A Space with Python
    callbacks is refused, or with callbacks="drop" copied without them. batch[i] is an independent copy of world i as
    a Space, and batch[i] = space puts a Space's state into world i.

        batch = forkmunk.SpaceBatch(space, 64, threads=2)
        batch.step(1 / 60, count=10)
        positions = batch.read("position", [body])      # (64, 1, 2)"""

    _remedy = "copy its worlds, batch[i], and make another batch"

    def __init__(self, space: Space, n: int, threads: int = 1, *, callbacks: str = "refuse") -> None:
        checked_type(space, Space, "SpaceBatch(space)", "a Space")
        if callbacks not in ("refuse", "drop"):
            raise _core.Error(f"SpaceBatch(callbacks=): found {callbacks!r}, expected 'refuse' or 'drop'")
        self._drops = callbacks == "drop"
        self._check_callbacks(space, "SpaceBatch(space)")
        self._prototype = space._forked()
        self._prototype._callables, self._prototype._has_functions = {}, False
        self._core = _core.SpaceBatchCore(self._prototype._core, n, threads)

    def _check_callbacks(self, holder: Union[Space, Snapshot], what: str) -> None:
        if (holder._callables or holder._has_functions) and not self._drops:
            raise _core.Error(f"{what}: the Space has callbacks in Python, which a batch cannot call on its threads; "
                              'remove them, or pass SpaceBatch(..., callbacks="drop")')

    def __len__(self) -> int:
        return int(self._core.size)

    threads: int = inner("threads", "The number of threads that step the worlds.")

    def __repr__(self) -> str:
        return f"<forkmunk.SpaceBatch: {len(self)} worlds, {self.threads} threads>"

    def step(self, dt: float, count: int = 1) -> None:
        """Advances every world by count steps of dt seconds, in one call from Python.

        If a world fails, for example because a number is not finite, the others are stepped before its
        forkmunk.Error is raised."""
        self._core.step(dt, count)

    def read(self, field: str, bodies: Sequence[Union[Body, Constraint]]) -> Floats:
        """Returns a field of some bodies in every world as a new float64 array.

        "position", "velocity" and "force" have the shape (n, len(bodies), 2); "angle", "angular_velocity", "torque",
        and SimpleMotors' "motor_rate" and "motor_max_force" have (n, len(bodies)). Units are those of Body and
        SimpleMotor."""
        found: Floats = self._core.read(field, bodies)
        return found

    def write(self, field: str, bodies: Sequence[Union[Body, Constraint]], array: ArrayLike) -> None:
        """Sets a field of some bodies in every world, from an array as read() returns.

        If a number is not finite, forkmunk.Error is raised and nothing changes."""
        self._core.write(field, bodies, np.asarray(array))

    def save(self, index: int) -> Snapshot:
        """Returns the state of world `index`, its bodies, shapes and joints, as a Snapshot.

        A Space of the family that restores it keeps its attributes and callbacks."""
        return Snapshot(self._core.save(self._index(index)), self._prototype, of_batch=True)

    def restore(self, snapshot: Union[Snapshot, Sequence[Snapshot]], mask: Union[Mask, Sequence[int]] = None) -> None:
        """Restores a state of a Space or world into every world, or into those of a mask, bool (n,).

        With a list of states, `mask` is a list with a world's index for each."""
        if isinstance(snapshot, Snapshot):
            self._core.restore(self._state_of(snapshot, "restore"), mask)
            return
        checked_type(snapshot, Iterable, "SpaceBatch.restore()", "what Space.save() gave, or a list of such states")
        worlds = range(len(self)) if mask is None else mask
        if not is_list(worlds):
            refuse_type(mask, "SpaceBatch.restore(mask)", "a list with the index of a world for each state")
        self._core.restore_each([self._state_of(each, "restore") for each in snapshot], [self._index(world) for world in worlds])

    def _state_of(self, snapshot: Any, function: str) -> Any:
        checked_type(snapshot, Snapshot, f"SpaceBatch.{function}()", "what Space.save() gave")
        self._check_callbacks(snapshot, f"SpaceBatch.{function}()")
        return snapshot._core

    def fork(self, from_: int, to: Mask = None) -> None:
        """Makes every world, or those of a mask, bool (n,), copies of world `from_`."""
        self._core.fork(self._index(from_), to)

    def hashes(self) -> NDArray[np.uint64]:
        """Returns Space.hash() of every world, uint64 (n,)."""
        found: NDArray[np.uint64] = self._core.hashes()
        return found

    def _index(self, index: Any) -> int:
        return checked_index(index, len(self), "SpaceBatch: world")

    def __getitem__(self, index: int) -> Space:
        twin: Space = self._prototype._forked()
        twin.restore(self.save(index))
        return twin

    def __setitem__(self, index: int, space: Space) -> None:
        checked_type(space, Space, "SpaceBatch[i] = space", "a Space")
        mask = np.zeros(len(self), bool)
        mask[self._index(index)] = True
        self.restore(space.save(), mask)

    def __iter__(self) -> Iterator[Space]:
        return (self[i] for i in range(len(self)))

    def rollout(self, snapshot: Snapshot, actions: ArrayLike, controls: Sequence[tuple[Any, ...]], *, dt: float,
                substeps: int = 1, observe: Sequence[tuple[str, Any]] = (), every: int = 0,
                contacts: Sequence[tuple[Shape, Shape]] = (), events: Sequence[tuple[Any, Any]] = ()) -> Rollout:
        """Plays k plans from one state, each in a world of its own, and returns a Rollout. The batch's worlds do not
        change.

            result = batch.rollout(space.save(), plans, [("velocity", body)], dt=0.01, observe=[("position", body)])

        The arguments are:

            snapshot  the state, from Space.save() or SpaceBatch.save()
            actions   float64 (k, t, width): the numbers of all controls for each plan and time, set before each
                      of `substeps` steps
            controls  (field, body) or (field, motor), of width 2 or 1 as in read(); or a servo,
                      ("position", body, stiffness, damping), which adds
                      (stiffness * (action - position) + damping * (0 - velocity)) * dt
                      to the body's velocity before each step; or a thruster, ("local_force", body, (x, y)), of
                      width 2, which calls apply_force_at_local_point(action, (x, y))
            dt        the length of a step in seconds
            substeps  the number of steps for each action, 1 or more; a plan has at most 1,000,000 steps
            observe   (field, body), (field, [bodies]) or (field, motor): the columns of `final` and `states`,
                      in this order
            every     the number of actions between two rows of `states`; 0 records none
            contacts  pairs of shapes, for which `contacts` says whether they overlapped, whatever their filters
            events    (shape, shape), true when they touch, or (body, BB), true when the body's position is outside
                      of the box"""
        options = {"controls": controls, "dt": dt, "substeps": substeps, "observe": observe, "every": every, "contacts": contacts,
                   "events": events}
        return Rollout(*self._core.rollout(self._state_of(snapshot, "rollout"), np.asarray(actions), options))
