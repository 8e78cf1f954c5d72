# SPDX-License-Identifier: MIT
"""The build backend of the folder above. A backend's functions are called in the folder of its pyproject.toml."""

import os
from pathlib import Path

os.chdir(Path(__file__).resolve().parents[2])

from scikit_build_core.build import *  # noqa: E402, F401, F403
