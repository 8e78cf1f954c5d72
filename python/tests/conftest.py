"""What the tests share. A user has no ../shared: tests that want it are skipped."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


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
