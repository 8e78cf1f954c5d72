# SPDX-License-Identifier: MIT

import _thread
import copy
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import program_path

import forkmunk
from forkmunk import madcars
from forkmunk.madcars import Error, Evaluator, Planner, World


def program(*arguments):
    return subprocess.run([sys.executable, "-m", "forkmunk", *arguments], capture_output=True, text=True)


HAS_PROGRAM = program_path() is not None


@pytest.mark.skipif(not HAS_PROGRAM, reason="this package has no program")
def test_the_program_is_the_package():
    done = program("doctor", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)
    assert program("verify", "no such file").returncode == 2


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text there")
def test_a_name_that_is_not_utf_8(recordings, tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"\x80\xff.visio.gz")
    for name in (path, os.fsdecode(path)):
        madcars.load(recordings[0]).write(name)
        assert madcars.verify(name)["mismatching_ticks"] == 0
        os.remove(path)
    store = forkmunk.StateStore(forkmunk.Space())
    store.save(path)
    assert len(forkmunk.StateStore.load(os.fsdecode(path))) == 0 and os.listdir(os.fsencode(tmp_path)) == [b"\x80\xff.visio.gz"]


def test_carried_recordings_verify(recordings):
    for path in recordings:
        report = madcars.verify(path)
        assert report["mismatching_ticks"] == 0 and report["ticks"] > 0 and report["file"] == str(path)
        if not HAS_PROGRAM:
            continue
        done = program("verify", "--json", str(path))
        reported = json.loads(done.stdout)["files"][0]
        assert done.returncode == (1 if reported["label_problems"] else 0), done.stderr
        assert {**reported, "seconds": 0} == {**report, "seconds": 0}


def test_worlds_follow_recordings_bit_for_bit(recordings):
    for path in recordings:
        recording, world = madcars.load(path), None
        if path.parent.name != "strict_build" or not recording.has_commands:
            continue
        for match in recording.matches:
            if world is None:
                world = World(match["setup"])
            else:
                world.begin_match(match["setup"])
            for row, (first, second) in zip(match["states"], match["commands"].tolist()):
                assert world.observe().tobytes() == row.tobytes()
                world.step(first, second)


def test_commands_are_inferred(recordings):
    recording = madcars.load(str(recordings[0]))
    for match, found in zip(recording.matches, madcars.infer_commands(recording)):
        known = match["known"] & found["known"]
        both = 3 * (match["commands"][:, 0] + 1) + match["commands"][:, 1] + 1
        fits = (found["fitting"] >> both.astype(np.uint16)) & 1
        assert fits[known.all(1)].all() and found["unexplained_ticks"] == 0


def test_files_that_cannot_be_read_raise(tmp_path):
    broken = tmp_path / "broken.visio.gz"
    broken.write_bytes(b"not a game")
    for call in (madcars.load, madcars.verify, madcars.infer_commands, madcars.view):
        for path in (broken, tmp_path / "missing.gz", tmp_path):
            with pytest.raises(Error) as raised:
                call(path)
            assert str(path) in str(raised.value) or "page" in str(raised.value)
        with pytest.raises((TypeError, Error)):
            call(3)


def test_verify_checks_its_options(recordings):
    for options in ({"arithmetic": "loose"}, {"engine": "x"}, {"tolerance": -1}, {"tolerance": math.nan},
                    {"tolerance": 1e-4, "clones": True}):
        with pytest.raises(Error):
            madcars.verify(recordings[0], **options)
    assert madcars.verify(recordings[0], clones=True)["clones"]["mismatching_ticks"] == 0


@pytest.mark.parametrize("name", madcars.planners)
def test_planners_decide_and_repeat_themselves(name):
    plans = []
    for _ in range(2):
        world, planner = World("PillHillMap", "Buggy"), Planner(name, seed=3)
        for _ in range(10):
            before = world.hash()
            decision = planner.decide(world, 0, "stop", ticks=300)
            assert world.hash() == before and decision.command == decision.plan[0] and decision.ticks > 0
            world.step(decision.command, 0)
        plans.append((world.hash(), decision.plan, decision.score))
    assert plans[0] == plans[1]


def test_planners_play_both_sides_and_new_matches():
    planner = Planner("straight", evaluator="distance", opponent="repeat", horizon=30, hold=10)
    for setup in (("PillMap", "Bus"), ("IslandMap", "Buggy")):
        world = World(*setup)
        for player in (0, 1, "first"):
            assert planner.decide(world, player, -1, time_ms=1).command in (-1, 0, 1)


def test_what_a_planner_uses_is_refused_to_other_threads():
    world, planner, refused = World("PillMap", "Buggy"), Planner("best"), []

    def refusal(call):
        try:
            call()
        except Error as error:
            return str(error)

    def others():
        while not refusal(lambda: world.tick):  # until the main thread decides
            pass
        for call in (lambda: world.step(1, 1), world.save, world.fork, world.hash, lambda: world.tick,
                     lambda: planner.decide(World("PillMap", "Bus"))):
            refused.append(refusal(call))
        _thread.interrupt_main()

    thread = threading.Thread(target=others)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores SIGINT
    try:
        with pytest.raises(KeyboardInterrupt):
            thread.start()
            planner.decide(world, ticks=10**12)
    finally:
        signal.signal(signal.SIGINT, handler)
    thread.join()
    assert len(refused) == 6 and all("another thread" in text and "fork" not in text for text in refused), refused
    assert world.tick == 0
    world.step(1, 1)


def test_evaluators_terms_add_up():
    world = World("PillMap", "Buggy")
    for _ in range(50):
        world.step(1, 1)
    for name in madcars.evaluators:
        evaluator = Evaluator(name)
        terms, parts = evaluator.terms(world, 1, ahead=5), evaluator.explain(world, 1, ahead=5)
        assert sum(terms.values()) == pytest.approx(evaluator.evaluate(world, 1, ahead=5))
        assert terms == {term: value * weight for term, (value, weight) in parts.items()}


BAD_CALLS = {
    "planner": lambda: Planner("worst"),
    "evaluator": lambda: Planner("best", evaluator="none"),
    "opponent": lambda: Planner("best", opponent="none"),
    "horizon": lambda: Planner("best", horizon=10**6),
    "discount": lambda: Planner("best", discount=math.nan),
    "weights": lambda: Planner("best", weights={"combined": {"no_term": {"Bus": 1}}}),
    "negative ticks": lambda: Planner().decide(World("PillMap", "Bus"), ticks=-1),
    "two budgets": lambda: Planner().decide(World("PillMap", "Bus"), ticks=1, time_ms=1),
    "nan time": lambda: Planner().decide(World("PillMap", "Bus"), time_ms=math.nan),
    "player": lambda: Planner().decide(World("PillMap", "Bus"), 2),
    "command": lambda: Planner().decide(World("PillMap", "Bus"), 0, "up"),
    "world": lambda: Planner().decide("world"),
    "never made": lambda: Planner.__new__(Planner).decide(World("PillMap", "Bus")),
    "evaluators": lambda: Evaluator("none"),
    "ahead": lambda: Evaluator().terms(World("PillMap", "Bus"), ahead=-1),
    "bot": lambda: madcars.play("builtin:unknown", "builtin:hold", "PillMap,Bus"),
    "no such program": lambda: madcars.play("no_such_program_anywhere", "builtin:hold", "PillMap,Bus"),
    "bot's type": lambda: madcars.play(3, "builtin:hold", "PillMap,Bus"),
    "matches": lambda: madcars.play("builtin:hold", "builtin:hold", "NoMap,Bus"),
    "no matches": lambda: madcars.play("builtin:hold", "builtin:hold", []),
    "bot's command": lambda: madcars.play(lambda w, p: "up", "builtin:hold", "PillMap,Bus"),
    "asked too early": lambda: madcars.Bot("builtin:chase").command(World("PillMap", "Bus")),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_wrong_arguments_raise(name):
    with pytest.raises((Error, TypeError)) as raised:
        BAD_CALLS[name]()
    assert str(raised.value)


class Chaser:
    def __init__(self):
        self.matches = []

    def begin_match(self, world, player, lives):
        self.matches.append((world.map, player, lives))

    def __call__(self, world, player):
        row = world.observe()
        world.step(1, 1)  # the bot has a twin
        return "right" if (row[9] > row[0]) == (player == 0) else "left"


def test_python_bots_play_as_builtins_do(tmp_path):
    matches, bot = ["PillMap,Buggy", ("IslandHoleMap", "Bus")], Chaser()
    mine = madcars.play(bot, Chaser(), matches, seed=4)
    theirs = madcars.play("builtin:chase", "builtin:chase", matches, seed=4)
    assert (mine.winner, mine.lives, mine.ticks, mine.matches) == (theirs.winner, theirs.lives, theirs.ticks, theirs.matches)
    assert mine.recording.player_ids == ("Chaser", "Chaser") and bot.matches[0][:2] == ("PillMap", 0)
    mine.recording.write(tmp_path / "game.visio.gz")
    assert madcars.verify(tmp_path / "game.visio.gz")["mismatching_ticks"] == 0
    assert mine.players[0]["answers"] > 0 and not mine.verdict


def test_the_first_garbled_answer_of_a_program_is_named():
    game = madcars.play("while read -r line; do echo 'no JSON'; done", "builtin:hold", ["PillMap,Bus"])
    assert [player["first_garbled"] for player in game.players] == ["no JSON", ""]


def test_what_a_bot_raises_comes_out():
    def fails(world, player):
        if world.tick == 5:
            raise KeyError("tick five")
        return 0

    with pytest.raises(KeyError, match="tick five"):
        madcars.play(fails, "builtin:hold", "PillMap,Buggy")


def test_view_writes_the_page(tmp_path, recordings):
    game = madcars.play("builtin:straight:ticks=50", "builtin:chase", "PillMap,Buggy", thoughts=True)
    try:
        path = madcars.view(game, tmp_path / "game.html")
    except Error as error:
        if "no replay page" in str(error):
            pytest.skip("this build has no replay page")
        raise
    assert path == os.fspath(tmp_path / "game.html") and (tmp_path / "game.html").stat().st_size > 50_000
    madcars.view(recordings[0], tmp_path / "other.html")
    madcars.view(madcars.load(recordings[0]), str(tmp_path / "third.html"))


@pytest.mark.parametrize("thoughts", [False, True])
def test_a_pickle_of_a_game_equals_the_game(thoughts):
    game = madcars.play("builtin:chase", "builtin:chase", ["PillMap,Buggy"], thoughts=thoughts)
    twin = pickle.loads(pickle.dumps(game))
    assert twin == game and twin.recording is not game.recording and hash(twin.recording) == hash(game.recording)
    other = madcars.play("builtin:chase", "builtin:hold", ["PillMap,Buggy"])
    assert other != game and other.recording != game.recording and game.recording != "a game"


def test_copies_of_results():
    game = madcars.play("builtin:chase", "builtin:chase", ["PillMap,Buggy"])
    decision = madcars.Planner("straight").decide(World("PillMap", "Buggy"), ticks=60)
    for thing in (game, decision):
        assert copy.copy(thing) == thing == copy.deepcopy([thing])[0]
    twin = copy.deepcopy(game)
    assert twin.recording is game.recording is copy.copy(game.recording)  # it never changes
    assert twin.matches is not game.matches
