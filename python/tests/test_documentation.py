"""docs/python.md: its code runs."""

import re

import pytest

import forkmunk
from conftest import ROOT

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)


@pytest.mark.parametrize("index", range(len(BLOCKS)))
def test_blocks_run(index, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = ROOT / "formats/carried/data/strict_build/game04.visio.gz"
    code = BLOCKS[index].replace("game.visio.gz", str(game))
    try:
        exec(compile(code, f"docs/python.md, block {index}", "exec"), {"__name__": "__main__"})
    except forkmunk.Error as error:
        if "no replay page" not in str(error):
            raise


def test_the_first_block_is_short():
    assert len(BLOCKS[0].strip().splitlines()) <= 10


def test_everything_public_says_what_it_is():
    for name in dir(forkmunk):
        thing = getattr(forkmunk, name)
        if not name.startswith("_") and (isinstance(thing, type) or callable(thing)):
            assert thing.__doc__, name
