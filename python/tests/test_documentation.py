"""docs/python.md and README.md: their code runs."""

import re

import pytest

import forkmunk
from conftest import ROOT

BLOCKS = {
    f"{document}, block {index}": code
    for document in ("docs/python.md", "README.md")
    for index, code in enumerate(re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(), re.S))
}


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = ROOT / "formats/carried/data/strict_build/game04.visio.gz"
    code = BLOCKS[name].replace("game.visio.gz", str(game))
    try:
        exec(compile(code, name, "exec"), {"__name__": "__main__"})
    except forkmunk.Error as error:
        if "no replay page" not in str(error):
            raise


def test_the_first_block_is_short():
    assert len(BLOCKS["docs/python.md, block 0"].strip().splitlines()) <= 10


def test_everything_public_has_a_docstring():
    for name in dir(forkmunk):
        thing = getattr(forkmunk, name)
        if not name.startswith("_") and (isinstance(thing, type) or callable(thing)):
            assert thing.__doc__, name
