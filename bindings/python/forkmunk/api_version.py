# SPDX-License-Identifier: MIT
"""The version of pymunk's interface: the names and return values of 7.3.0, or those of 6.9.0.

forkmunk.pymunk.install(version=...) sets it for the process. Read `api_version.major` at the time of a call."""

from typing import Callable

VERSIONS = {7: "7.3.0", 6: "6.9.0"}

major = 7
follow: Callable[[int], None]  # set by scene.py


def use(new_major: int) -> None:
    """Selects version 7 or 6; others raise ValueError."""
    global major
    if new_major not in VERSIONS:
        raise ValueError(f"install(version=): found {new_major!r}, expected 7 or 6")
    major = int(new_major)
    follow(major)
