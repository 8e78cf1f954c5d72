"""What the system does to a process that uses forkmunk: fork(), the interpreter's exit, Ctrl-C."""

import os
import subprocess
import sys

import pytest


def run(script, **options):
    """(exit code, output) of Python with a script; negative: ended by that signal."""
    result = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, text=True, timeout=60,
                            env=os.environ, **options)
    return result.returncode, result.stdout + result.stderr


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
batch = forkmunk.Batch("PillMap", "Buggy", n=64, threads=2)
start, plans = batch.save(0), np.ones((64, 5, 2), np.int8)
rolled = batch.rollout(start, plans)[0]
commands = np.ones((64, 2), np.int8)
world = batch.world(0)
world.step(1, 1)
expected = world.hash()
child = os.fork()
if child == 0:
    signal.alarm(20)
    {what}
    sys.exit(0)
status = os.waitpid(child, 0)[1]
batch.step(commands)
assert batch.hash(0) == expected and batch.threads == 2
sys.exit(0 if status == 0 else f"the child ended with {{status}}")
""")
    assert code == 0, output
