# SPDX-License-Identifier: MIT

import pickle
import sys
import threading

import pytest

import forkmunk
from forkmunk import _forkmunk
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


CALLS = {
    "to_bytes": lambda space, before, data, delta: space.to_bytes(),
    "from_bytes": lambda space, before, data, delta: forkmunk.Space.from_bytes(data),
    "writing a pickle": lambda space, before, data, delta: space._core.write(),
    "reading a pickle": lambda space, before, data, delta: _forkmunk.SpaceCore.read(before),
    "delta_of": lambda space, before, data, delta: _forkmunk.delta_of(before[0], data),
    "apply_delta": lambda space, before, data, delta: _forkmunk.apply_delta(before[0], delta),
}


@pytest.mark.parametrize("name", CALLS)
def test_other_threads_run_meanwhile(name):
    space = pile(200)
    before = space._core.write()
    run(space, 20)
    data = space.to_bytes()
    delta = _forkmunk.delta_of(before[0], data)
    interval, waiting, ran = sys.getswitchinterval(), threading.Lock(), []
    thread = threading.Thread(target=lambda: waiting.acquire() and ran.append(True))
    sys.setswitchinterval(1e6)  # a thread keeps the GIL until it releases it
    try:
        waiting.acquire()
        thread.start()
        waiting.release()
        for _ in range(1000):
            if not ran:
                CALLS[name](space, before, data, delta)
        assert ran
    finally:
        sys.setswitchinterval(interval)
        thread.join()
