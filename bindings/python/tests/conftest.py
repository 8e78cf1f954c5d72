# SPDX-License-Identifier: MIT
"""What the tests share."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# Next to the tests are the package's sources, which have no compiled module: the built package is elsewhere on the path.
sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != ROOT / "python"]


@pytest.fixture
def recordings():
    """Those that this build can play: one by clang has strict arithmetic only."""
    import forkmunk
    from forkmunk import madcars

    folders = [ROOT / "tests/data/recorded", ROOT / "contest/formats/carried/data"]
    found = sorted(path for folder in folders for path in folder.glob("*/*.visio.gz"))
    try:
        madcars.World("PillMap", "Buggy", arithmetic="referee")
    except forkmunk.Error:
        found = [path for path in found if path.parent.name != "referee_build"]
    assert found
    return found
