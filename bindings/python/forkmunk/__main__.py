# SPDX-License-Identifier: MIT
"""python -m forkmunk: the program, with everything that it can do."""

import os
import sys
from pathlib import Path

from . import _forkmunk


def main() -> None:
    program = Path(_forkmunk.__file__).parent / "bin" / "forkmunk"  # an editable package has its Python files elsewhere
    if not program.exists():
        sys.exit(f"forkmunk: found no program at {program}; a wheel has none, a build of the whole project has it")
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
