"""What the tests share. A user has no ../shared: tests that want it are skipped."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Beside the tests lie the package's sources, which have no compiled module: the built package is elsewhere on the path.
sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != ROOT / "python"]


def recordings_in(folder):
    """Those that this build can play: one by clang has strict arithmetic only."""
    import forkmunk

    found = sorted(folder.glob("*/*.visio.gz"))
    try:
        forkmunk.World("PillMap", "Buggy", arithmetic="referee")
    except forkmunk.Error:
        found = [path for path in found if path.parent.name != "referee_build"]
    return found


@pytest.fixture
def recordings():
    found = recordings_in(ROOT / "tests/data/recorded")
    assert found
    return found


@pytest.fixture
def shared_recordings():
    found = recordings_in(ROOT.parent / "shared/recorded_games")
    # Strict arithmetic has changed since the others were recorded.
    found = [path for path in found if path.parent.name == "referee_build"]
    if not found:
        pytest.skip("no recordings in ../shared/recorded_games, or no arithmetic for them in this build")
    return found
