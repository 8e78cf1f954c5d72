# SPDX-License-Identifier: MIT

from __future__ import annotations

import json
import math
import secrets
import weakref
from typing import Any, Callable, NamedTuple, Optional, Sequence

from . import _forkmunk as _core
from .checks import checked_bytes, checked_function, checked_type, checked_whole, is_list, refuse_type
from .scene import Snapshot, Space, Uncopied, _packed, _unpacked, attributes_of, inner

_NOTICES = ("predicted", "undone", "confirmed", "joined", "left", "desync", "settings_differ", "seat_taken", "refused", "loaded",
            "dropped", "bad_message")
_WAITS = (None, "inputs", "acknowledgement", "pace", "joining")
_EXACT_MAX = 2**53  # for JavaScript


class Notice(NamedTuple):
    """A message of a session to its program. docs/guide/rollback.md explains each `kind`."""

    kind: str
    player: Optional[int]
    frame: int
    event: int
    data: Any
    text: str


class Desync(NamedTuple):
    """A difference from another player before a frame: the checksums, and the differing fields."""

    frame: int
    player: int
    ours: int
    theirs: int
    difference: str


class SessionStats(NamedTuple):
    """Counts since the start; `rolled_back` is of the last tick."""

    rolled_back: int
    rollbacks: int
    frames_rolled_back: int
    longest: int
    stalls: int
    checksums: int
    bad_messages: int


def _plain(value: Any, what: str) -> Any:
    """Returns a value that every language decodes equally, or raises."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int) and abs(value) <= _EXACT_MAX:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value + 0.0  # 0.0 for -0.0
    if isinstance(value, (list, tuple)):
        return [_plain(each, f"{what}[{i}]") for i, each in enumerate(value)]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _plain(each, f"{what}[{key!r}]") for key, each in value.items()}
    raise _core.Error(f"{what}: found {value!r}, expected a finite number of at most 2^53, a string, a bool, None, or a list or "
                      "dict of these")


def _number(text: str) -> float:
    value = float(text)
    return int(value) if value.is_integer() and abs(value) <= _EXACT_MAX and text != "-0" else value


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


_decode = json.JSONDecoder(parse_int=_number, parse_constant=_refuse_constant).decode  # as JavaScript reads numbers


class _Codec:
    """Converts inputs to bytes: themselves if the session's `input` is bytes, else JSON."""

    def __init__(self, standard: Any) -> None:
        self._is_bytes = isinstance(standard, (bytes, bytearray, memoryview))
        self.standard = self.encode(standard, "RollbackSession: input")
        if not self._is_bytes:  # 0 for 0.0, as JavaScript writes it
            self.standard = self.encode(json.loads(self.standard, parse_float=_number), "RollbackSession: input")

    def encode(self, value: Any, what: str) -> bytes:
        if not self._is_bytes:
            return json.dumps(_plain(value, what), separators=(",", ":")).encode()
        return bytes(checked_type(value, (bytes, bytearray, memoryview), what, "bytes, as the session's input is"))

    def decode(self, data: bytes) -> Any:
        if self._is_bytes:
            return data
        try:
            return _decode(data.decode())
        except (ValueError, RecursionError):  # not JSON, from a peer
            return json.loads(self.standard)


class _FrameInputs(tuple[Any, ...]):
    present: tuple[bool, ...]


class _Frames:
    """Keeps a session's states by slot, for the compiled part."""

    def __init__(self, space: Any, advance: Callable[..., None], codec: _Codec, predict: Optional[Callable[..., Any]] = None) -> None:
        self._space, self._advance, self._codec = space, advance, codec
        self._slots: dict[int, Any] = {}
        self.predict = None if predict is None else (
            lambda last, player, frame: codec.encode(predict(codec.decode(last), player, frame), "RollbackSession: predict()"))

    def save(self, slot: int) -> None:
        self._slots[slot] = self._space.save()

    def restore(self, slot: int) -> None:
        self._space.restore(self._slots[slot])

    def advance(self, inputs: tuple[bytes, ...], present: tuple[bool, ...], frame: int) -> None:
        decoded = _FrameInputs(map(self._codec.decode, inputs))
        decoded.present = present
        self._advance(self._space, decoded, frame)

    def hash(self) -> int:
        return int(self._space.hash()) % 2**64  # Python's may be negative

    def write(self, slot: int) -> bytes:
        return bytes(self._space.to_bytes(self._slots[slot]))

    def read(self, slot: int, data: bytes) -> None:
        self._slots[slot] = self._space.from_bytes(data)

    def differences(self, one: int, other: int) -> str:
        compare = getattr(self._space, "differences", None)
        return "" if compare is None else str(compare(self._slots[one], self._slots[other]))

    def copy(self, i: int, slot: int) -> Space:
        raise _core.Error("RollbackSession.history: the session has no Space, but a state of its own")


def _packed_user_data(attributes: dict[int, dict[str, Any]]) -> dict[int, bytes]:
    """Returns the objects' user data by id, without values that JSON does not hold, which do not travel."""
    found = {}
    for id_, values in attributes.items():
        try:
            found[id_] = _packed(values["user_data"])
        except (KeyError, _core.Error):
            pass
    return found


class _SpaceFrames(_Frames):
    """Keeps the states of a Space, which copies of it show: the first two for History."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._copies: dict[int, Space] = {}
        self._first, self._first_core = self._space.save(), self._space._core.fork()

    def copy(self, i: int, slot: int) -> Space:
        """Returns copy i of the space in the state of a slot, or in the present state if negative."""
        if i not in self._copies:
            self._copies[i] = self._space.fork()
        self._copies[i].restore(self._space.save() if slot < 0 else self._slots[slot])
        return self._copies[i]

    def write(self, slot: int) -> bytes:
        copy = self.copy(2, slot)
        return bytes(copy._core.to_bytes(_packed_user_data(_core.attributes_by_id(copy._kept.values(), None))))

    def read(self, slot: int, data: bytes) -> None:
        """Reads a state, whose objects are those with the same numbers that the space has, or had at first."""
        space, first = self._space, self._first
        core, user_data = _core.SpaceCore.from_bytes(data, space._core, self._first_core)
        self._slots[slot] = state = Snapshot(core.save(), space)
        space._is_shared = True
        gone = {id_: dict(values) for id_, values in first._attributes.items() if id_ not in space._kept}
        attributes = {id_: values for id_, values in {**gone, **state._attributes}.items() if core.contains(id_)}
        for id_ in _packed_user_data(attributes):
            del attributes[id_]["user_data"]  # of a frame that the other program may not know
        for id_, packed in (user_data or _packed_user_data(first._attributes)).items():  # C++ sends none
            if id_ != 0 and core.contains(id_):  # snapshots have no attributes of the Space
                attributes.setdefault(id_, {})["user_data"] = _unpacked(packed)
        state._kept, state._attributes = {**first._kept, **space._kept}, attributes

    def differences(self, one: int, other: int) -> str:
        ours, theirs = self.copy(2, one), self.copy(3, other)
        return str(_core.difference_text(ours._core, theirs._core))


def _frames_of(space: Any, *arguments: Any) -> _Frames:
    return (_SpaceFrames if isinstance(space, Space) else _Frames)(space, *arguments)


class History:
    """The states of a session's last frames, for lag compensation and for drawing between frames.

        past = session.history.at(frame_that_the_shooter_saw)
        hit = past.segment_query_first(start, end, 0, forkmunk.ShapeFilter())
        if hit is not None:
            shape = space.twin_of(hit.shape)"""

    def __init__(self, session: RollbackSession) -> None:
        self._frames, self._session = session._frames, session._core

    @property
    def first(self) -> int:
        """The first frame that at() can give; the last is the session's frame."""
        frame = int(self._session.frame)
        while self._session.saved_slot(frame - 1) >= 0:
            frame -= 1
        return frame

    def at(self, frame: float) -> Space:
        """Returns the state before a frame, as a Space to ask and to draw.

        At a frame such as 12.5, moving bodies are part of the way between two states, and queries find them there.
        States after RollbackSession.confirmed_frame are predictions. The Space is a copy, which the next call
        overwrites; twin_of() leads to its objects, and back."""

        def copy(i: int, each: int) -> Space:
            slot = self._session.saved_slot(each)
            if slot < 0 and each != self._session.frame:
                raise _core.Error(f"History.at(): found frame {frame}, expected {self.first} to {self._session.frame}; the option "
                                  "history keeps more")
            return self._frames.copy(i, slot)

        checked_type(frame, (int, float), "History.at()", "a number of frames")
        whole = math.floor(frame) if abs(frame) < 2**31 else -1
        past = copy(0, whole)
        if frame != whole:
            _core.interpolate(past._core, copy(1, whole + 1)._core, frame - whole)
        return past


class RollbackSession(Uncopied):
    """RollbackSession(space, *, players, local, advance, send, ...)

    One player's part of a game (docs/guide/rollback.md), which programs in C++, C, Python and JavaScript simulate with
    predictions of the other players' inputs.

    space: a Space, or an object with the methods save() -> state, restore(state), hash() -> int, and for late players
        to_bytes(state) -> bytes, from_bytes(bytes) -> state and differences(one, other) -> str.
    players, local: the number of seats, 2 to 16, and this program's seat; `local=None` is a spectator.
    advance(space, inputs, frame): applies the inputs, a tuple by seat, and steps the space. All that decides the result must
        be in the space and the inputs. `inputs.present` tells which seats are taken; others have the option `input`. If
        it raises, the session stays before the frame, without the input.
    send(message): sends bytes, which may get lost, to all other programs. A second parameter gets the instance of the one
        program that the message is for, or 0.
    input: the input before the first one, and of an empty seat. If it is bytes, inputs are bytes; otherwise numbers, strings,
        bools, None, and lists and dicts of these.
    delay, prediction, check_every: the frames from an input to its effect; the frames simulated at most before all inputs are
        known; the frames from one checksum to the next.
    predict(last, player, frame): the input to expect; by default the last one.
    on_desync(desync), on_notice(notice): are called for a Desync, and for every Notice.
    silence: the ticks after which the host empties a silent player's seat; 0 means never.
    seats: the numbers of the seats that are taken at first; None means all.
    history: the number of frames, at most 1,024, whose states `history` has.
    session, game, instance: numbers of the game's session, of the game's version, and of this run of the program."""

    def __init__(self, space: Any, *, players: int, local: Optional[int], advance: Callable[..., None], send: Callable[..., None],
                 input: Any = 0, delay: int = 2, prediction: int = 8, check_every: int = 30,  # noqa: A002
                 predict: Optional[Callable[..., Any]] = None, on_desync: Optional[Callable[[Desync], None]] = None,
                 on_notice: Optional[Callable[[Notice], None]] = None, input_bytes_max: int = 64, silence: int = 0,
                 seats: Optional[Sequence[int]] = None, session: int = 0, game: int = 0, instance: Optional[int] = None,
                 state_bytes_max: int = 1 << 24, history: int = 0) -> None:
        checked_function(advance, "RollbackSession: advance")
        checked_function(send, "RollbackSession: send")
        if not all(callable(getattr(space, name, None)) for name in ("save", "restore", "hash")):
            refuse_type(space, "RollbackSession(space)", "a Space, or a state of your own with save(), restore() and hash()")
        if local is not None:
            checked_whole(local, "RollbackSession: local", expected="a seat, from 0 on, or None for a spectator")
        if seats is not None:
            last_seat = checked_whole(players, "RollbackSession: players") - 1
            if not is_list(seats):
                refuse_type(seats, "RollbackSession: seats", "the seats that are taken at first, or None for all")
            seats = [checked_whole(seat, "RollbackSession: seats", 0, last_seat, "seats from 0 to players - 1") for seat in seats]
        for name, hook in (("predict", predict), ("on_desync", on_desync), ("on_notice", on_notice)):
            if hook is not None:
                checked_function(hook, f"RollbackSession: {name}")
        self._codec = _Codec(input)
        self._on_desync, self._on_notice = on_desync, on_notice
        self._desync: Optional[Desync] = None
        options = {
            "players": players, "local": -1 if local is None else local, "delay": delay, "prediction": prediction,
            "check_every": check_every, "input_bytes_max": input_bytes_max, "silence": silence, "state_bytes_max": state_bytes_max, "history": history,
            "seats": 0xffff if seats is None else sum(1 << seat for seat in set(seats)), "session": session, "game": game,
            "instance": 1 + secrets.randbelow(2**32 - 2) if instance is None else instance,
            "input": self._codec.standard,
        }
        self._frames, self._send = _frames_of(space, advance, self._codec, predict), _sender(send)
        me = weakref.proxy(self)  # the compiled part is unknown to Python's garbage collector
        self._core = _core.SessionCore(weakref.proxy(self._frames), options, lambda *message: me._send(*message),
                                       lambda *notice: me._tell(*notice))

    def _tell(self, kind: int, player: int, frame: int, event: int, text: bytes, ours: int, theirs: int) -> None:
        name, shown = _NOTICES[kind], text.decode(errors="replace")
        if name == "desync":
            self._desync = Desync(frame, player, ours, theirs, shown)
            if self._on_desync is not None:
                self._on_desync(self._desync)
        if self._on_notice is not None:
            data = self._codec.decode(text) if kind < 3 else None
            self._on_notice(Notice(name, None if player < 0 else player, frame, event, data, "" if kind < 3 else shown))

    def tick(self, input: Any = None) -> bool:  # noqa: A002
        """Simulates a frame with the local player's input, sends messages, and returns True, or False while the
        session waits: see `wait` and `waiting_for`. Call it at the rate of the game's frames, also while it returns
        False. A program without a seat gives no input."""
        has_input = input is not None or self.is_playing
        return bool(self._core.tick(self._codec.encode(input, "RollbackSession.tick(): input") if has_input else b""))

    def receive(self, message: bytes) -> bool:
        """Processes a message of another program, and returns whether it is valid and of this session."""
        return bool(self._core.receive(checked_bytes(message, "RollbackSession.receive()")))

    def event(self, kind: int, data: Any = None) -> None:
        """Reports an event of the game, in advance() only. on_notice gets it as predicted, undone and confirmed."""
        self._core.event(checked_whole(kind, "RollbackSession.event(): kind", -2**31, 2**31 - 1),
                         self._codec.encode(b"" if data is None and self._codec._is_bytes else data, "RollbackSession.event(): data"))

    def drop(self, player: int) -> None:
        """Empties a player's seat, from a frame that all programs agree on. Only the host may do so."""
        self._core.drop(checked_whole(player, "RollbackSession.drop()", 0, 15, "a seat, from 0 on"))

    def leave(self) -> None:
        """Tells the host that this player leaves. Keep calling tick() for some frames to send the message."""
        self._core.leave()

    frame: int = inner("frame", "The next frame to simulate.")
    confirmed_frame: int = inner(
        "confirmed_frame", "The first frame that is not confirmed. Frames before it are final: all their inputs are known.")
    is_playing: bool = inner("is_playing", "This is True while the program has a seat.")
    is_host: bool = inner("is_host", "This is True if the program decides who has which seat.")

    @property
    def history(self) -> History:
        """The states of the session's last frames."""
        return History(self)

    @property
    def desync(self) -> Optional[Desync]:
        """The Desync that was found, or None."""
        return self._desync

    @property
    def delay(self) -> int:
        """The frames from an input to its effect, 0 to 64, which may change during play."""
        return int(self._core.delay)

    @delay.setter
    def delay(self, frames: int) -> None:
        self._core.set_delay(checked_whole(frames, "RollbackSession.delay", most=64))

    @property
    def wait(self) -> Optional[str]:
        """The reason why the last tick() simulated nothing, or None: inputs, acknowledgement, pace or joining."""
        return _WAITS[self._core.wait]

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The players for whom the last tick() waited."""
        return tuple(i for i in range(16) if self._core.waiting_for >> i & 1)

    @property
    def stats(self) -> SessionStats:
        """Counts of rollbacks, waits, checksums and damaged messages."""
        return SessionStats(*self._core.stats)

    @staticmethod
    def sender_of(message: bytes) -> int:
        """Returns the instance of the program that sent a message, so that a transport knows to whom a connection
        leads."""
        return int(_core.session_sender(checked_bytes(message, "RollbackSession.sender_of()")))


def _sender(send: Callable[..., None]) -> Callable[[bytes, int], None]:
    import inspect  # takes a while

    try:
        inspect.signature(send).bind(b"", 0)
    except (TypeError, ValueError):  # ValueError: it has no signature
        return lambda message, to: send(message)
    return send


class SyncTest(Uncopied):
    """SyncTest(space, *, advance, players=2, distance=4, input=0)

    Goes back `distance` frames after each one, simulates them again, and compares, which finds what a game keeps
    outside of its space. The arguments are RollbackSession's."""

    def __init__(self, space: Any, *, advance: Callable[..., None], players: int = 2, distance: int = 4,
                 input: Any = 0) -> None:  # noqa: A002
        checked_function(advance, "SyncTest: advance")
        self._codec = _Codec(input)
        counts = (checked_whole(players, "SyncTest: players", 1, 16), checked_whole(distance, "SyncTest: distance", 1, 64))
        self._frames = _frames_of(space, advance, self._codec)
        self._core = _core.SyncTestCore(weakref.proxy(self._frames), *counts)

    def tick(self, inputs: Sequence[Any]) -> None:
        """Simulates a frame with an input for each player. Raises Error with the differing field if the second
        simulation differs."""
        self._core.tick([self._codec.encode(each, "SyncTest.tick(): input") for each in inputs])

    frame: int = inner("frame", "The next frame to simulate.")
