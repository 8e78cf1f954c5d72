"""Everything public has a docstring. (Code blocks of the documents: tests/docs.)"""

import forkmunk


def test_everything_public_has_a_docstring():
    for name in dir(forkmunk):
        thing = getattr(forkmunk, name)
        if not name.startswith("_") and (isinstance(thing, type) or callable(thing)):
            assert thing.__doc__, name
