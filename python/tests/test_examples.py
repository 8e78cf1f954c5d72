"""The examples run, and end with what they promise."""

import os
import subprocess
import sys

from conftest import ROOT


def run(example, *arguments, folder):
    path = ROOT / "examples/python" / example
    return subprocess.run([sys.executable, str(path), *arguments], cwd=folder, capture_output=True, text=True, timeout=600,
                          env={**os.environ})


def test_tree_search_plays(tmp_path):
    done = run("tree_search.py", "PillMap", "Buggy", "40", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("won")
    assert len((ROOT / "examples/python/tree_search.py").read_text().splitlines()) <= 90


def test_learning_learns(tmp_path):
    """A short run; the curve of a long one is in docs/guide/python.md."""
    done = run("learn.py", "--seconds", "8", "--population", "12", "--games", "4", "--out", "learned", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    words = done.stdout[done.stdout.index("on new openings:"):].split()
    wins, losses, draws = int(words[3]), int(words[5]), int(words[7])
    assert wins + losses + draws == 72 and wins > losses
    assert (tmp_path / "learned/curve.csv").exists() and (tmp_path / "learned/game.visio.gz").exists()
