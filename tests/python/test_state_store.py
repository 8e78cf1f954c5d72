# SPDX-License-Identifier: MIT

import copy
import pickle
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import forkmunk
from scenes import DT, machine, pile, run


def filled(build=pile, count=40):
    """Returns a store, its space, and the hashes of its rows."""
    space = build()
    run(space, 20)
    store = forkmunk.StateStore(space)
    hashes = []
    for i in range(count):
        assert store.append(space if i % 2 else space.save()) == i
        hashes.append(space.hash())
        space.step(DT)
    return store, space, hashes


def hashes_of(states, space):
    found = []
    for state in states:
        space.restore(state)
        found.append(space.hash())
    return found


@pytest.mark.parametrize("build", [pile, machine])
def test_rows_have_the_hashes_of_their_states(build):
    store, space, hashes = filled(build)
    assert len(store) == 40
    assert hashes_of(store, space) == hashes
    assert hashes_of(store[::-3], space) == hashes[::-3]
    assert hashes_of(store[np.array([7, -1, 7])], space) == [hashes[7], hashes[-1], hashes[7]]
    assert hashes_of([store[np.int64(3)], store[-40]], store.space()) == [hashes[3], hashes[0]]
    for row in (40, -41):
        with pytest.raises(IndexError):
            store[row]


def test_a_mask_is_no_list_of_rows():
    store, space, _ = filled(count=2)
    batch = forkmunk.SpaceBatch(store.space(), 2)
    hashes = list(batch.hashes())
    for mask in ([True, False], np.array([True, False])):
        for call in (lambda: store[mask], lambda: store[mask[0]], lambda: batch.restore(store[:], mask)):
            with pytest.raises(TypeError, match="flatnonzero"):
                call()
    assert list(batch.hashes()) == hashes


def test_threads_save_to_one_file(tmp_path):
    store, space, hashes = filled(count=5)
    path = tmp_path / "states.rows"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: store.save(path), range(100)))
    assert hashes_of(forkmunk.StateStore.load(path), space) == hashes
    assert list(tmp_path.iterdir()) == [path]


def test_a_row_goes_on_with_the_same_hashes():
    store, space, _ = filled()
    space.restore(store[10])
    twin = space.fork()
    twin.restore(store[0])
    for _ in range(10):
        twin.step(DT)
    for _ in range(100):
        assert twin.hash() == space.hash()
        twin.step(DT)
        space.step(DT)


def test_a_batch_restores_rows():
    store, _, hashes = filled()
    space = store.space()
    body = list(space.bodies)[3]
    batch = forkmunk.SpaceBatch(space, 8, threads=2)
    batch.restore(store[10:18])
    assert list(batch.hashes()) == hashes[10:18]
    batch.restore(store[[5, 1]], [6, 0])
    assert list(batch.hashes()) == [hashes[1], *hashes[11:16], hashes[5], hashes[17]]
    space.restore(store[5])
    assert tuple(batch.read("position", [body])[6, 0]) == tuple(body.position)
    batch.step(DT)
    assert store.append(batch.save(6)) == 40
    assert hashes_of([store[40]], space) == [hashes[6]]


def test_a_file_has_the_same_rows(tmp_path):
    store, space, hashes = filled()
    path = tmp_path / "states.rows"
    store.save(path)
    loaded = forkmunk.StateStore.load(path)
    assert len(loaded) == 40 and loaded.size_bytes == store.size_bytes
    twin = loaded.space()
    assert twin.hash() == hashes[0]
    assert hashes_of(loaded, twin) == hashes
    batch = forkmunk.SpaceBatch(twin, 4)
    batch.restore(loaded[20:24])
    assert list(batch.hashes()) == hashes[20:24]
    assert batch.read("position", list(twin.bodies)).shape == (4, 30, 2)
    loaded.append(space)
    loaded.save(path)  # over its own file
    assert hashes_of(loaded[38:], twin) == [*hashes[38:], space.hash()]
    again = forkmunk.StateStore.load(path)
    assert hashes_of(again[38:], again.space()) == [*hashes[38:], space.hash()]
    assert [each.name for each in tmp_path.iterdir()] == ["states.rows"]


def test_rows_are_appended_while_a_store_is_saved(tmp_path):
    store, space, hashes = filled(count=3)

    class Path:
        def __fspath__(self):
            store.append(space)  # as another thread would
            return str(tmp_path / "states.rows")

    store.save(Path())
    assert hashes_of(forkmunk.StateStore.load(tmp_path / "states.rows"), space) == hashes and len(store) == 4


def test_another_process_reads_the_file(tmp_path):
    store, _, hashes = filled(machine)
    store.save(tmp_path / "states.rows")
    program = ("import sys, forkmunk; store = forkmunk.StateStore.load(sys.argv[1]); space = store.space()\n"
               "for state in store: space.restore(state); print(space.hash())")
    found = subprocess.run([sys.executable, "-c", program, str(tmp_path / "states.rows")], check=True, stdout=subprocess.PIPE)
    assert [int(line) for line in found.stdout.split()] == hashes


def test_states_with_other_objects_and_scenes():
    store, space, hashes = filled(count=3)
    removed = list(space.bodies)[-1]
    space.remove(removed, *removed.shapes)
    fewer = space.hash()
    store.append(space)
    other = machine()
    store.append(other)
    assert hashes_of(store, store.space()) == [*hashes, fewer, other.hash()]


def test_rows_with_the_same_objects_bind_none_anew():
    store, space, _ = filled(count=3)
    other = store.space()
    other.restore(store[0])
    assert other._core.has_objects_of(store[2]._core)


@pytest.mark.parametrize("kind", ["rows", "one row", "a fork", "a fork and a row"])
@pytest.mark.parametrize("save", [lambda env: env[0].save(), forkmunk.Checkpoint])
def test_objects_that_a_state_of_another_space_replaced_come_back(kind, save):
    store, space, _ = filled(count=3)
    row, state, other = store[0], space.save(), space.fork() if kind == "a fork" else store.space()

    def restore_other():
        if kind == "a fork and a row":
            other.restore(store.space().save())
        other.restore(state if kind == "a fork" else row if kind == "one row" else store[0])

    restore_other()
    body = list(other.bodies)[0]
    (shape,) = body.shapes
    before = save((other, body))
    other.remove(body, shape)
    elsewhere = forkmunk.Space()
    elsewhere.add(body, shape)  # so that another object stands in for it
    restore_other()
    assert body.space is elsewhere and len(other.bodies) == len(space.bodies)
    elsewhere.remove(body, shape)
    other.restore(before) if isinstance(before, forkmunk.Snapshot) else before.restore()
    assert body.space is other and list(other.bodies)[0] is body and list(body.shapes) == [shape]


def test_shapes_with_one_id_from_two_processes():
    space = forkmunk.Space()
    space.add(forkmunk.Body(1, 1), forkmunk.Body(1, 1))
    script = ("import pickle, sys, forkmunk; space = pickle.load(sys.stdin.buffer); "
              "space.add(forkmunk.Circle(list(space.bodies)[int(sys.argv[1])], 1)); sys.stdout.buffer.write(pickle.dumps(space))")
    states = [pickle.loads(subprocess.run([sys.executable, "-c", script, str(i)], input=pickle.dumps(space),
                                          stdout=subprocess.PIPE, check=True).stdout) for i in range(2)]
    assert len({list(state.shapes)[0]._id for state in states}) == 1
    store = forkmunk.StateStore(states[0])
    for state in states:
        store.append(state)
    twin = store.space()
    for i in (0, 1, 0):
        twin.restore(store[i])
        assert list(twin.shapes)[0].body is list(twin.bodies)[i]


def test_callbacks_stay_with_the_space():
    space = pile(6)
    calls = []
    space.on_collision(0, 0, begin=lambda arbiter, *_: calls.append(1))
    store = forkmunk.StateStore(space)
    store.append(space)
    expected = run(space, 60)
    count = len(calls)
    assert count > 0
    space.restore(store[0])
    assert run(space, 60) == expected and len(calls) == 2 * count
    with pytest.raises(forkmunk.Error, match="callbacks"):
        forkmunk.SpaceBatch(pile(6), 2).restore(store[:], [0])


def test_a_row_is_small():
    store, space, _ = filled(count=2)
    assert store.size_bytes < len(space.to_bytes()) / 4
    assert len(store._rows[0]) < 100


def test_damaged_files_are_refused(tmp_path):
    store, _, hashes = filled(count=4)
    path, damaged = tmp_path / "states.rows", tmp_path / "damaged.rows"
    store.save(path)
    data = path.read_bytes()

    def read():
        found = forkmunk.StateStore.load(damaged)
        return hashes_of(found, found.space())

    damaged.write_bytes(data)
    assert read() == hashes
    refused = 0
    for i in [*range(70), *range(70, len(data), 101)]:
        damaged.write_bytes(data[:i])
        with pytest.raises(forkmunk.Error):
            read()
        damaged.write_bytes(data[:i] + bytes([data[i] ^ 1]) + data[i + 1:])
        try:
            assert read() == hashes  # deflate leaves some last bits unused
        except forkmunk.Error:
            refused += 1
    assert refused >= 70 + (len(data) - 70) // 101 - 5
    damaged.write_bytes(data + b"x")
    with pytest.raises(forkmunk.Error):
        read()


def test_rows_of_a_hostile_author_are_refused_or_states():
    store, space, _ = filled(count=2)
    meta, delta = store._unpacked(store._rows[1], "row 1")
    assert meta is None
    ids, handlers, has_functions = store._meta
    for bad in (b"[", b"1", b"[1, 2, 3]", b"[[], [], false]", b"[[1.5], [], false]", b'[["a"], [], 0]', b"[" * 100_000,
                repr([ids[:-1], [], 0]).encode(), repr([ids + ids[-1:], [], 0]).encode(), repr([[2**70], [], 0]).encode(),
                repr([ids, [[1]], 0]).encode(), repr([ids, [[2**45, 0, 1, 1, 1]], 0]).encode(),
                repr([ids, [[1, 99, 1, 1, 1]], 0]).encode()):
        store._rows[1] = store._packed(bad, delta)
        with pytest.raises(forkmunk.Error):
            store[:]
    for bad in (b"", b"\xff\xff\xff\xff", b"\1\0\0\0"):
        store._rows[1] = zlib.compress(bad)
        with pytest.raises(forkmunk.Error, match="row 1"):
            store[:]
    other = forkmunk.StateStore(pile(7))
    other.append(space)
    store._rows[1] = other._rows[0]
    with pytest.raises(forkmunk.Error, match="another base"):
        store[1]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    store, _, _ = filled(count=1)
    path = tmp_path / "none" / "states.rows"
    with pytest.raises(FileNotFoundError) as raised:
        store.save(path)
    assert raised.value.filename == str(path)


def test_what_is_no_state_is_refused():
    store, _, _ = filled(count=1)
    for bad in (None, b"", 3):
        with pytest.raises(TypeError):
            store.append(bad)
        with pytest.raises(TypeError):
            forkmunk.StateStore(bad)
    with pytest.raises(TypeError):
        store["a"]
    with pytest.raises(forkmunk.Error):
        forkmunk.StateStore(pile(1), level=10)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda store: pickle.loads(pickle.dumps(store))])
def test_a_copy_has_rows_of_its_own(copied, tmp_path):
    store, space, hashes = filled(count=5)
    store.save(tmp_path / "states.rows")
    for each in (store, forkmunk.StateStore.load(tmp_path / "states.rows")):
        twin = copied(each)
        twin.append(space)
        assert (len(each), len(twin)) == (5, 6)
        assert hashes_of(each, pile()) == hashes and hashes_of(twin, pile()) == [*hashes, space.hash()]
