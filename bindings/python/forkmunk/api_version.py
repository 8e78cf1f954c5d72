"""Which pymunk's API programs get: the names and return values of 7.3.0, or those of 6.9.0.

One setting for the process: forkmunk.pymunk.install(version=...) makes it. Read `api_version.major` at the time of a call."""

from __future__ import annotations

VERSIONS = {7: "7.3.0", 6: "6.9.0"}

major = 7


def use(new_major: int) -> None:
    """7 or 6. Raises ValueError for others."""
    global major
    if new_major not in VERSIONS:
        raise ValueError(f"install(version=): found {new_major!r}, expected 7 or 6")
    major = int(new_major)
