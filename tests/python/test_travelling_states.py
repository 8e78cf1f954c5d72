# SPDX-License-Identifier: MIT

import pickle

import pytest

import forkmunk
from scenes import DT, machine, pile, run


@pytest.mark.parametrize("build", [pile, machine])
def test_a_state_goes_on_with_the_same_hashes(build):
    space = build()
    run(space, 40)
    data = space.to_bytes()
    twin = forkmunk.Space.from_bytes(data)
    assert twin.hash() == space.hash()
    assert twin.to_bytes() == data
    assert [type(shape) for shape in twin.shapes] == [type(shape) for shape in space.shapes]
    assert [body.position for body in twin.bodies] == [body.position for body in space.bodies]
    assert [type(joint) for joint in twin.constraints] == [type(joint) for joint in space.constraints]
    for _ in range(200):
        space.step(DT)
        twin.step(DT)
        assert twin.hash() == space.hash()


def test_user_data_travels():
    space = pile(12)
    values = [5, -0.0, float("inf"), "é", None, True, [1, {"a": [2.5, None]}], {"hp": 3}, b"\0\1\xff", b""]
    for body, value in zip(space.bodies, values):
        body.user_data = value
    list(space.bodies)[-1].other = object()  # does not travel
    space.user_data = {"level": 3}
    next(iter(space.shapes)).user_data = "ground"
    twin = forkmunk.Space.from_bytes(space.to_bytes())
    found = [getattr(body, "user_data", None) for body in twin.bodies]
    assert found[: len(values)] == values and repr(found[1]) == "-0.0"
    assert twin.user_data == {"level": 3} and next(iter(twin.shapes)).user_data == "ground"
    assert not hasattr(list(twin.bodies)[-1], "other")
    assert twin.hash() == space.hash()
    assert space.to_bytes() == space.to_bytes()


def test_some_types_arrive_as_others():
    space = pile(1)
    space.user_data, next(iter(space.bodies)).user_data = bytearray(b"ab"), {1: (2, [3])}
    twin = forkmunk.Space.from_bytes(space.to_bytes())
    assert type(twin.user_data) is bytes and twin.user_data == b"ab"
    assert next(iter(twin.bodies)).user_data == {"1": [2, [3]]}


def test_what_cannot_travel_is_refused():
    space = pile(3)
    next(iter(space.bodies)).user_data = object()
    with pytest.raises(forkmunk.Error, match="user_data"):
        space.to_bytes()


def test_damage_is_refused():
    data = pile(3).to_bytes()
    for i in range(0, len(data), 397):
        with pytest.raises(forkmunk.Error):
            forkmunk.Space.from_bytes(data[:i])
        with pytest.raises(forkmunk.Error):
            forkmunk.Space.from_bytes(data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :])


@pytest.mark.parametrize("data", [5, "text", None, [1, 2]])
def test_only_bytes_are_read(data):
    with pytest.raises(TypeError):
        forkmunk.Space.from_bytes(data)


def test_a_pickle_has_the_same_state():
    space = machine()
    run(space, 30)
    twin = pickle.loads(pickle.dumps(space))
    assert twin.hash() == space.hash() and run(twin, 50) == run(space, 50)
