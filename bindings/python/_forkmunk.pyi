# SPDX-License-Identifier: MIT
"""The compiled part of forkmunk and forkmunk.madcars; import those instead. Shapes and units: the docstrings, and docs/guide/python.md."""

import os
from typing import Any, Callable, Final, Literal, Optional, Sequence, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from .geometry import Vec2d, VectorField
from .results import Decision, Game

Command = Union[Literal["left", "stop", "right"], int, np.integer[Any]]
Player = Union[int, Literal["first", "second"]]
Path = Union[str, os.PathLike[str]]
Setup = Union[dict[str, Any], tuple[Union[str, dict[str, Any]], Union[str, dict[str, Any]]]]
AnyBot = Union[str, Callable[["World", int], Command]]
Self = TypeVar("Self")

TICK_SECONDS: float
maps: tuple[str, ...]
cars: tuple[str, ...]
planners: tuple[str, ...]
evaluators: tuple[str, ...]
opponents: tuple[str, ...]

class Error(ValueError, AssertionError): ...

# The parts that scene.py and other modules wrap. Programs use those modules.

class ArbiterCore:
    @property
    def _space(self) -> Any: ...

def show_arbiters_as(cls: Any) -> None: ...
def use_vector_type(cls: Any) -> None: ...
def view_getter(rank: int) -> Any: ...
def Field(kind: str, name: str, doc: str, shown: Any = None) -> Any: ...
def convex_decomposition(polyline: Any, tolerance: float) -> list[list[Vec2d]]: ...

class ObjectCore:
    _first: Any
    _second: Any
    _shapes: Any
    _joints: Any
    @property
    def _core(self) -> Any: ...
    @property
    def _id(self) -> int: ...

def default_force(spring: Any, value: Any) -> float: ...
def __getattr__(name: str) -> Any: ...
