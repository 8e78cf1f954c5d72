# SPDX-License-Identifier: MIT
"""Forkmunk from Python: Chipmunk scenes that are saved, restored and forked, with pymunk's names; batches of scenes;
planners.

    import forkmunk
    space = forkmunk.Space()
    saved = space.save()
    twin = space.fork()

`forkmunk.plan` has planners, `forkmunk.pymunk` stands in for pymunk, and `forkmunk.madcars` is the Mad Cars contest.
Units of length and mass are your choice, angles are radians. Bad input raises forkmunk.Error (a ValueError) or
TypeError, which names the argument and what is wrong with it."""

from . import requirements as _requirements  # first: it names what this Python lacks

from . import _functions, _joints, geometry, plan, scene
from ._forkmunk import Error, __version__
from ._functions import *  # noqa: F403
from ._joints import *  # noqa: F403
from .forking import Checkpoint, fork
from .geometry import *  # noqa: F403
from .geometry import inf
from .protocols import HAS_GYMNASIUM as _HAS_GYMNASIUM
from .recorder import Recorder, differences, preview, view
from .rollback import History, RollbackSession, SyncTest
from .scene import *  # noqa: F403
from .scene import Snapshot
from .space_batch import Rollout, SpaceBatch
from .state_store import StateStore
from .vectorized import vectorize

__all__ = [
    "Checkpoint", "Error", "History", "Recorder", "RollbackSession", "Rollout", "Snapshot", "SpaceBatch", "StateStore",
    "SyncTest", "differences", "fork", "inf", "plan", "preview", "vectorize", "view",
]
__all__ += _functions.__all__
__all__ += _joints.__all__
__all__ += geometry.__all__
__all__ += scene.__all__

if _HAS_GYMNASIUM:
    import gymnasium as _gymnasium  # type: ignore[import, unused-ignore]

    if "forkmunk/MadCars-v0" not in _gymnasium.registry:
        _gymnasium.register(id="forkmunk/MadCars-v0", entry_point="forkmunk.madcars:Env",
                            vector_entry_point="forkmunk.madcars:VectorEnv")
