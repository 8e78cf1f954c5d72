# SPDX-License-Identifier: MIT
"""python -m forkmunk.pymunk [--version=6] SCRIPT.py ARGUMENTS..., or -m MODULE ARGUMENTS...

Runs a program that was written for pymunk on forkmunk, with forkmunk.pymunk.install() before.
"""

import os
import runpy
import sys

from . import install


def main() -> None:
    arguments = sys.argv[1:]
    version = 7
    while arguments and arguments[0].startswith("--version"):
        text = arguments.pop(0).partition("=")[2] or (arguments.pop(0) if arguments else "")
        if text not in ("6", "7"):
            sys.exit(f"forkmunk.pymunk: --version is {text!r}; expected 6 or 7")
        version = int(text)
    as_module = arguments[:1] == ["-m"]
    arguments = arguments[as_module:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print((__doc__ or "").strip())
        sys.exit(0 if arguments else 2)
    install(version)
    sys.argv = arguments
    if as_module:
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    else:
        if not os.path.isfile(arguments[0]):
            sys.exit(f"forkmunk.pymunk: cannot open {arguments[0]}")
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main()
