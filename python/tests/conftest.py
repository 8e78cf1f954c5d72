"""What the tests share. A user has no ../shared: tests that want it are skipped."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Beside the tests lie the package's sources, which have no compiled module: the built package is elsewhere on the path.
sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != ROOT / "python"]


@pytest.fixture
def recordings():
    found = sorted((ROOT / "tests/data/recorded").glob("*/*.visio.gz"))
    assert found
    return found


@pytest.fixture
def shared_recordings():
    found = sorted((ROOT.parent / "shared/recorded_games").glob("*/*.visio.gz"))
    if not found:
        pytest.skip("no recordings in ../shared/recorded_games")
    return found
