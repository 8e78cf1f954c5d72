# SPDX-License-Identifier: MIT

from __future__ import annotations

import copy
import json
import mmap
import operator
import os
import struct
import threading
import zlib
from typing import Any, Iterator, Sequence, Union, overload

from . import _forkmunk as _core
from .checks import checked_index, checked_path, checked_type, checked_whole, is_list, refuse_type
from .scene import Snapshot, Space

_HEADER = struct.Struct("<8sIIQI")  # magic, format version, 0, number of rows, checksum of header and index
_MAGIC, _VERSION = b"FORKROWS", 1
_PREFIX = struct.Struct("<I")
_ROW_BYTES_MAX = 1 << 30


class StateStore:
    """StateStore(base, *, level=6)

    A sequence of states of a scene. Each row is the compressed difference from the state of `base`, a Space or
    Snapshot, and is read on its own.

        store = forkmunk.StateStore(space)
        row = store.append(space)
        store.save("states.rows")
        store = forkmunk.StateStore.load("states.rows")
        batch = forkmunk.SpaceBatch(store.space(), 64, threads=2)
        batch.restore(store[:64])

    store[row] is a Snapshot for Space.restore() and SpaceBatch.restore(); a slice or a list of numbers gives a list
    of Snapshots. A state is bodies, shapes, joints and contacts: a Space of the family that restores a row keeps its
    own attributes and callbacks. `level` is zlib's, from 0 (fast) to 9 (small)."""

    def __init__(self, base: Union[Space, Snapshot], *, level: int = 6) -> None:
        checked_whole(level, "StateStore(level=)", most=9)
        written, has_functions = self._written(base, "StateStore(base)")
        self._begin(written, has_functions, level)

    def _begin(self, written: Any, has_functions: bool, level: int) -> None:
        self._base, ids, handlers = written
        self._meta: list[Any] = [ids, handlers, has_functions]
        self._level = level
        self._rows: list[Any] = []
        self._prototype = Space.__new__(Space)
        self._prototype._begin(_core.SpaceCore.read(written))

    @staticmethod
    def _written(state: Any, what: str) -> tuple[Any, bool]:
        checked_type(state, (Space, Snapshot), what, "a Space or a Snapshot")
        return state._core.write(), bool(state._callables or state._has_functions)

    def append(self, state: Union[Space, Snapshot]) -> int:
        """Adds the state of a Space, or a Snapshot, and returns the row's number.

        It may have other objects than the base; a state of another scene takes a larger row."""
        (data, *meta), has_functions = self._written(state, "StateStore.append()")
        meta.append(has_functions)
        self._rows.append(self._packed(b"" if meta == self._meta else json.dumps(meta).encode(),
                                       _core.delta_of(self._base, data)))
        return len(self._rows) - 1

    def _packed(self, meta: bytes, data: bytes) -> bytes:
        return zlib.compress(_PREFIX.pack(len(meta)) + meta + data, self._level)

    @staticmethod
    def _unpacked(row: Any, what: str) -> tuple[Any, bytes]:
        """Returns _packed()'s arguments: the ids, handlers and callbacks as lists, or None for the base's."""
        inflater = zlib.decompressobj()
        try:
            found = inflater.decompress(row, _ROW_BYTES_MAX)
            begin = _PREFIX.size + _PREFIX.unpack_from(found)[0]
            if not inflater.eof or inflater.unused_data or begin > len(found):
                raise ValueError("it has another length")
            if begin == _PREFIX.size:
                return None, found[begin:]
            ids, handlers, has_functions = json.loads(found[_PREFIX.size:begin])
            if not (isinstance(ids, list) and isinstance(handlers, list) and all(type(id_) is int for id_ in ids)):
                raise ValueError("it has no list of objects")
            handlers = [tuple(map(operator.index, handler)) for handler in handlers]
            return [ids, handlers, bool(has_functions)], found[begin:]
        except (zlib.error, struct.error, ValueError, TypeError, RecursionError) as error:
            raise _core.Error(f"StateStore: {what} is damaged: {error}") from None

    def __copy__(self) -> StateStore:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__, _rows=list(self._rows))
        return twin

    def __deepcopy__(self, memo: Any) -> StateStore:
        return copy.copy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_rows": list(map(bytes, self._rows))}  # of views of a file, too

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<forkmunk.StateStore: {len(self)} states, {self.size_bytes} bytes>"

    @property
    def size_bytes(self) -> int:
        """The number of bytes of all rows, without the base."""
        return sum(map(len, self._rows))

    def space(self) -> Space:
        """Returns a new Space with the state of the base, whose objects have the same ids in all rows.

        Only a SpaceBatch of this Space reads and writes bodies of rows: other Spaces' bodies lie elsewhere in
        memory."""
        return self._prototype._forked()

    @overload
    def __getitem__(self, row: int) -> Snapshot: ...

    @overload
    def __getitem__(self, row: Union[slice, Sequence[int]]) -> list[Snapshot]: ...

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self._state(i) for i in range(*row.indices(len(self)))]
        if is_list(row):
            return [self._state(i) for i in row]
        if not (hasattr(row, "__index__") or hasattr(row, "shape")):
            refuse_type(row, "StateStore: row", "a whole number, a list of them or a slice")
        return self._state(row)

    def __iter__(self) -> Iterator[Snapshot]:
        return (self._state(i) for i in range(len(self)))

    def _state(self, row: int) -> Snapshot:
        row = checked_index(row, len(self), "StateStore: row")
        meta, delta = self._unpacked(self._rows[row], f"row {row}")
        ids, handlers, has_functions = self._meta if meta is None else meta
        core = _core.SpaceCore.read((_core.apply_delta(self._base, delta), ids, handlers), self._prototype._core)
        state = Snapshot(core.save(), self._prototype, of_batch=True)
        state._has_functions = has_functions  # a batch cannot call them
        return state

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the base and all rows to one file, which replaces an older one when it is complete."""
        rows = [self._packed(json.dumps(self._meta).encode(), self._base), *self._rows]
        index = struct.pack(f"<{len(rows)}Q", *map(len, rows))
        header = _MAGIC, _VERSION, 0, len(rows) - 1  # other threads may append
        path = checked_path(path, "StateStore.save(path)")
        temporary = f"{path}.{os.getpid()}.{threading.get_ident()}.part"
        try:
            with open(temporary, "wb") as file:
                file.write(_HEADER.pack(*header, zlib.crc32(_HEADER.pack(*header, 0) + index)))
                file.write(index)
                for row in rows:
                    file.write(row)
            os.replace(temporary, path)
        except OSError as error:
            raise type(error)(error.errno, error.strerror, path) from None
        finally:
            if os.path.exists(temporary):
                os.unlink(temporary)

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> StateStore:
        """Returns the store that save() wrote, whose rows are read from the file when they are used.

        The file may come from anyone: damage raises forkmunk.Error, of a row when it is used. save() replaces the
        file; do not overwrite it in place while the store is in use."""
        path = checked_path(path, "StateStore.load(path)")
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size < _HEADER.size:
                raise _core.Error(f"StateStore.load(): {path} is shorter than a header")
            view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        magic, version, flags, count, checksum = _HEADER.unpack_from(view)
        if magic != _MAGIC:
            raise _core.Error(f"StateStore.load(): {path} is not a store: it does not begin with FORKROWS")
        if version != _VERSION or flags:
            raise _core.Error(f"StateStore.load(): found format {version}, expected {_VERSION}: it is of a newer version")
        begin = _HEADER.size + 8 * (count + 1)
        index = bytes(view[_HEADER.size:begin]) if begin <= len(view) else b""
        if zlib.crc32(_HEADER.pack(magic, version, flags, count, 0) + index) != checksum or not index:
            raise _core.Error("StateStore.load(): the index is damaged: its checksum is not what it was written with")
        lengths = struct.unpack(f"<{count + 1}Q", index)
        if begin + sum(lengths) != len(view):
            raise _core.Error(f"StateStore.load(): found {len(view)} bytes, expected {begin + sum(lengths)}")
        rows = []
        for length in lengths:
            rows.append(view[begin:begin + length])
            begin += length
        meta, base = cls._unpacked(rows[0], f"the base of {path}")
        if meta is None:
            raise _core.Error("StateStore.load(): the base is damaged: it has no list of objects")
        store = cls.__new__(cls)
        store._begin((base, *meta[:2]), meta[2], 6)
        store._rows = rows[1:]
        return store
