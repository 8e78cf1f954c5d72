# SPDX-License-Identifier: MIT
"""pusht_recording.py FOLDER: records 300 steps of unmodified gym-pusht by two lines in pusht.html.

picture.json has step 150 as pygame draws it: size, pixels in hexadecimal digits, and the objects' colours."""

import json
import os
import sys
import warnings
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = "dummy"
warnings.simplefilter("ignore")

import forkmunk.pymunk

forkmunk.pymunk.install(6)

import gym_pusht  # noqa: E402, F401  (registers the environment)
import gymnasium  # noqa: E402
import numpy as np  # noqa: E402
import pygame  # noqa: E402

folder = Path(sys.argv[1])
env = gymnasium.make("gym_pusht/PushT-v0", render_mode="rgb_array")
env.reset(seed=3)
recorder = forkmunk.Recorder(env.unwrapped.space)  # the first line
push = np.random.default_rng(3)
for i in range(30):
    if recorder._recorder.range() and recorder.last == 150:
        pixels = np.transpose(pygame.surfarray.array3d(env.unwrapped._draw()), (1, 0, 2))
        colours = {name: list(pygame.Color(name))[:3] for name in ("LightSlateGray", "RoyalBlue")}
        picture = {"width": pixels.shape[1], "height": pixels.shape[0], "pixels": pixels.tobytes().hex(), "colours": colours}
        (folder / "picture.json").write_text(json.dumps(picture))
    env.step(np.clip(np.array(env.unwrapped.block.position) + push.normal(0, 40, 2), 0, 512).astype(np.float32))
recorder.save(folder / "pusht.html")  # the second line
assert recorder.last == 300 and all(verdict.exact for verdict in recorder.verify())
