# SPDX-License-Identifier: MIT

import os
import pickle
import subprocess
import sys

import pytest

from forkmunk import madcars


def run(script, **options):
    """Returns the exit code, negative after a signal, and the output of a script."""
    result = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True, timeout=600,
                            env=os.environ, **options)
    return result.returncode, result.stdout + result.stderr


@pytest.mark.parametrize("name", ["infer_commands", "load", "play", "verify", "view"])
def test_a_function_can_be_sent_to_another_process(name):
    function = getattr(madcars, name)
    assert pickle.loads(pickle.dumps(function)) is function
    assert function.__doc__.startswith(f"{name}(")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork()")
@pytest.mark.parametrize("what", [
    "batch.step(commands); assert batch.hash(0) == expected",
    "assert (batch.rollout(start, plans)[0] == rolled).all()",
    "del batch",
    "assert batch.threads == 1; sys.exit(0)",
])
def test_a_forked_process_uses_and_drops_its_parents_batch(what):
    code, output = run(f"""
import os, signal, sys
import numpy as np
import forkmunk
from forkmunk import madcars
batch = madcars.Batch("PillMap", "Buggy", n=64, threads=2)
start, plans = batch.save(0), np.ones((64, 5, 2), np.int8)
rolled = batch.rollout(start, plans)[0]
commands = np.ones((64, 2), np.int8)
world = batch.world(0)
world.step(1, 1)
expected = world.hash()
child = os.fork()
if child == 0:
    signal.alarm(300)
    {what}
    sys.exit(0)
status = os.waitpid(child, 0)[1]
batch.step(commands)
assert batch.hash(0) == expected and batch.threads == 2
sys.exit(0 if status == 0 else f"the child ended with {{status}}")
""")
    assert code == 0, output


DAEMONS = {
    "Batch.step": """batch = madcars.Batch("PillMap", "Buggy", n=512, threads=2)
commands = np.ones((512, 2), np.int8)
def work(): batch.step(commands)""",
    "Batch.rollout": """batch = madcars.Batch("PillMap", "Buggy", n=64)
start, plans = batch.save(0), np.ones((64, 20, 2), np.int8)
def work(): batch.rollout(start, plans)""",
    "Space.step": """space = forkmunk.Space()
for i in range(200):
    body = forkmunk.Body(1, 1)
    body.position = (i % 20, i // 20)
    space.add(body, forkmunk.Circle(body, 1))
def work(): space.step(0.01)""",
    "Space.step with a callback": """space = forkmunk.Space()
for i in range(50):
    body = forkmunk.Body(1, 1)
    body.position = (i % 20, i // 20)
    space.add(body, forkmunk.Circle(body, 1))
space.add_collision_handler(0, 0).pre_solve = lambda arbiter, space, data: bool(sum(range(1000)))
def work(): space.step(0.01)""",
    "Planner.decide": """world, planner = madcars.World("PillMap", "Buggy"), madcars.Planner()
def work(): planner.decide(world, 0, ticks=2000)""",
    "play of builtins": """def work(): madcars.play("builtin:chase", "builtin:chase", ["PillMap,Buggy"])""",
    "play of callables": """def bot(world, player): return bool(sum(range(1000))) * 0
def work(): madcars.play(bot, bot, ["PillMap,Buggy"])""",
}


@pytest.mark.parametrize("what", DAEMONS)
def test_the_interpreter_exits_while_a_daemon_thread_is_in_a_call(what):
    code, output = run(f"""
import sys, threading, time
import numpy as np
import forkmunk
from forkmunk import madcars
{DAEMONS[what]}
work()
def forever():
    while True: work()
threading.Thread(target=forever, daemon=True).start()
time.sleep(0.2)
""")
    assert code == 0 and output == ""


@pytest.mark.parametrize("what", [
    'madcars.Batch("PillMap", "Buggy", n=1).rollout(world.save(), plans, final=True)',
    'madcars.Batch("PillMap", "Buggy", threads=2).rollout(world.save(), plans, final=True)',
    'forkmunk.SpaceBatch(forkmunk.Space(), 64, 2).step(1, 10**9)',
    'forkmunk.SpaceBatch(space := forkmunk.Space(), 1, 2).rollout(space.save(), np.ones((999, 9999, 0)), [], dt=1, substeps=99)',
    'madcars.Planner().decide(world, time_ms=100_000)',
    'madcars.Planner("stretched").decide(world, ticks=10_000_000)',
    'madcars.play("builtin:best", "builtin:best", ["PillMap,Buggy"] * 30)',
    'madcars.play("sleep 100", "builtin:best", ["PillMap,Buggy"])',
])
def test_ctrl_c_ends_a_long_call(what):
    # The first two signals do not interrupt: a call that only regards signals at its end regards one of them.
    code, output = run(f"""
import signal
import numpy as np
import forkmunk
from forkmunk import madcars
world = madcars.World("PillMap", "Buggy")
before, plans, signals = world.hash(), np.ones((3000, 9000, 2), np.int8), 0
def interrupt(number, frame):
    global signals
    signals += 1
    if signals == 3:
        raise KeyboardInterrupt
    signal.setitimer(signal.ITIMER_REAL, 0.1)
signal.signal(signal.SIGALRM, interrupt)
signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    {what}
    signal.setitimer(signal.ITIMER_REAL, 0)
except KeyboardInterrupt:
    assert world.hash() == before
    world.step(0, 0)
    print("interrupted")
""")
    assert code == 0 and output == "interrupted\n"
