# SPDX-License-Identifier: MIT
"""Prints the sizes of the states of a pyramid of boxes: in memory, written, compressed, and as a difference to the step before.

    PYTHONPATH=build/release/python python3 bindings/python/bench/written_states.py [BOXES] [STEPS]
"""

import sys
import zlib

import forkmunk

DT = 1 / 60


def pyramid(count):
    """The scene of `forkmunk bench --scenes --scene pyramid`."""
    space = forkmunk.Space()
    space.gravity = (0, -300)
    base = next(i for i in range(1, count + 1) if i * (i + 1) // 2 >= count)
    ground = forkmunk.Segment(space.static_body, (-base * 60, 0), (base * 60, 0), 0)
    ground.friction = 0.6
    space.add(ground)
    places = [((i - 0.5 * (base - row - 1)) * 31, (row + 0.5) * 30) for row in range(base) for i in range(base - row)]
    for place in places[:count]:
        body = forkmunk.Body(1, forkmunk.moment_for_box(1, (30, 30)))
        body.position = place
        box = forkmunk.Poly.create_box(body, (30, 30))
        box.friction = 0.6
        space.add(body, box)
    return space


def main():
    count, steps = (int(text) for text in (sys.argv[1:] + ["200", "120"][len(sys.argv) - 1:]))
    space = pyramid(count)
    for _ in range(steps):
        space.step(DT)
    before, store = space.to_bytes(), forkmunk.StateStore(space)
    rows = [("heap image", space.save().size_bytes), ("file", len(before)), ("file, compressed", len(zlib.compress(before)))]
    for later in (1, 10, 100):
        while len(store) < later:
            space.step(DT)
            store.append(space)
        after = space.to_bytes()
        delta = forkmunk._forkmunk.delta_of(before, after)
        assert forkmunk._forkmunk.apply_delta(before, delta) == after
        rows.append((f"difference to {later} steps before", len(delta)))
        rows.append((f"difference to {later} steps before, compressed", len(zlib.compress(delta))))
    rows.append((f"a row of a StateStore, mean of {len(store)} steps", store.size_bytes // len(store)))
    for name, size in rows:
        print(f"| {name} | {size:,} |")


main()
