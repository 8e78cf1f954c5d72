# SPDX-License-Identifier: MIT

from pathlib import Path

import pytest

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "pyproject.toml").exists())


@pytest.fixture(autouse=True)
def version_7():
    """Resets the version, which belongs to the process."""
    from forkmunk import api_version

    api_version.use(7)
    yield
    api_version.use(7)


@pytest.fixture
def recordings():
    """Returns the games that this build can play: a build by clang has strict arithmetic only."""
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


def program_path():
    """Returns the path of the program, which a wheel does not have."""
    import forkmunk

    path = Path(forkmunk._forkmunk.__file__).parent / "bin" / "forkmunk"
    return path if path.exists() else None


@pytest.fixture
def program():
    path = program_path()
    if path is None:
        pytest.skip("this package has no program")
    return path
