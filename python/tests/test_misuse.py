"""Objects that were never made, and values that run Python code while they are read: an exception, never a crash."""

import inspect

import pytest

import forkmunk
from forkmunk import Error, _forkmunk
from scenes import pile

TYPES = [value for value in vars(_forkmunk).values() if inspect.isclass(value) and not issubclass(value, Exception)]


@pytest.mark.parametrize("type_", TYPES, ids=lambda t: t.__name__)
def test_what_was_never_made(type_):
    thing = type_.__new__(type_)
    for name in [n for n in dir(type_) if n in vars(type_) and not n.startswith("__")] + ["__len__", "__repr__"]:
        if name not in vars(type_):
            continue
        if isinstance(vars(type_)[name], property):
            with pytest.raises((Error, TypeError)):
                getattr(thing, name)
        else:
            for count in range(6):
                with pytest.raises((Error, TypeError)) as raised:
                    getattr(thing, name)(*[0] * count)
                assert type_.__module__ != "forkmunk" or "incompatible" not in str(raised.value), "pybind11's text"


CALLS = {
    "Batch.step(): wrong arguments; expected step(commands)": lambda batch: batch.step(),
    "Batch.observe('all'): wrong arguments; expected observe(velocities=False)": lambda batch: batch.observe("all"),
    "Batch.fork(1, up=2): wrong arguments; expected fork(from_, to)": lambda batch: batch.fork(1, up=2),
    "Bot.command(5): wrong arguments; expected command(world)": lambda batch: forkmunk.Bot("builtin:hold").command(5),
    "Planner.decide(5, 0): wrong arguments; expected decide(world, player=0, enemy_last=0, *, ticks=None, time_ms=None)":
        lambda batch: forkmunk.Planner().decide(5, 0),
    "verify(): wrong arguments; expected verify(": lambda batch: forkmunk.verify(),
    "play(matches=): found int 5, expected a list of": lambda batch: forkmunk.play("builtin:hold", "builtin:hold", 5),
}


@pytest.mark.parametrize("text", CALLS)
def test_wrong_arguments(text):
    with pytest.raises(TypeError) as raised:
        CALLS[text](forkmunk.Batch("PillMap", "Buggy", n=2))
    assert str(raised.value).startswith(text)


class Removes:
    """A number, or a pair of them, that removes a body and adds others while it is read."""

    def __init__(self, space, body):
        self.space, self.body = space, body

    def __float__(self):
        if self.body.space is not None:
            self.space.remove(*self.body.shapes, self.body)
            for _ in range(50):
                self.space.add(forkmunk.Body(1, 1))
        return 2.0

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return float(self)


@pytest.mark.parametrize("name", ["angle", "angular_velocity", "torque", "mass", "moment", "position", "velocity", "force",
                                  "center_of_gravity"])
def test_an_object_that_goes_while_a_value_is_read(name):
    space = pile(3)
    body = space.bodies[1]
    setattr(body, name, Removes(space, body))  # it is in no space then, and keeps the value
    assert body.space is None and getattr(body, name) in (2.0, (2.0, 2.0))
    assert all(getattr(other, name) != 2.0 and other.angle != 2.0 for other in space.bodies)


@pytest.mark.parametrize("name", ["apply_impulse_at_local_point", "apply_impulse_at_world_point",
                                  "apply_force_at_local_point", "apply_force_at_world_point"])
def test_a_body_that_goes_while_a_push_is_read(name):
    space = pile(3)
    body = space.bodies[1]
    getattr(body, name)(Removes(space, body), (0, 0))
    getattr(space.bodies[1], name)((1, 1), Removes(space, space.bodies[1]))
    assert body.space is None and (body.velocity != (0, 0) or body.force != (0, 0))
    assert all(other.velocity == (0, 0) and other.force == (0, 0) for other in space.bodies)


@pytest.mark.parametrize("name", ["friction", "elasticity", "mass", "density", "surface_velocity"])
def test_a_shape_that_goes_while_a_value_is_read(name):
    space = pile(3)
    shape = space.shapes[1]
    setattr(shape, name, Removes(space, shape.body))
    assert shape.space is None and getattr(shape, name) in (2.0, (2.0, 2.0))
