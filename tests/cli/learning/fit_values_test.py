# SPDX-License-Identifier: MIT
"""fit_values learns a known probability and writes the layout of learned.h."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

FEATURES, MAP_FEATURES, HIDDEN = 72, 9, 128
INPUTS = FEATURES + MAP_FEATURES


def check_looking_ahead():
    """Rows alternate between the sides, so 20 states are 40 rows of a match."""
    specification = importlib.util.spec_from_file_location("fit_values", sys.argv[1])
    fit_values = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(fit_values)
    match = np.repeat([0.0, 1.0, 2.0], [100, 30, 70])
    won = np.where(np.arange(200) % 2 == 0, 1.0, 0.0)
    later = np.arange(200) / 1000
    seen = fit_values.seen_ahead(later, won, match)
    for row in range(200):
        inside = row + 40 < 200 and match[row + 40] == match[row]
        assert seen[row] == (later[row + 40] if inside else won[row]), row
    assert np.sum(seen == won) == 40 + 30 + 40, "the ends of the matches"

    target = fit_values.mixed_target(np.full(200, np.log(4)), won, match)
    for row in range(200):
        inside = row + 40 < 200 and match[row + 40] == match[row]
        assert abs(target[row] - (0.3 * won[row] + 0.7 * (0.8 if inside else won[row]))) < 1e-9, row


def main():
    check_looking_ahead()
    random = np.random.default_rng(1)
    matches, states = 3000, 12
    rows = np.zeros((matches * states, INPUTS + 5), "<f4")
    rows[:, :INPUTS] = 0.2 * random.standard_normal((len(rows), INPUTS))
    rows[:, [0, FEATURES]] *= 5
    rows[:, INPUTS] = np.repeat(np.arange(matches), states)
    rows[:, INPUTS + 2] = rows[:, INPUTS] % 3
    # A linear fit would miss the second term.
    log_odds = 2 * rows[:, 0] + 4 * np.abs(rows[:, FEATURES]) - 3
    chance = 1 / (1 + np.exp(-log_odds.astype(float)))
    rows[:, INPUTS + 1] = np.where(random.random(len(rows)) < chance, 1, -1)
    least = np.mean(np.logaddexp(0, log_odds) - chance * log_odds)
    with tempfile.TemporaryDirectory() as folder:
        features, table = os.path.join(folder, "a.features"), os.path.join(folder, "table.json")
        rows.tofile(features)
        run = lambda *arguments: subprocess.run([sys.executable, "-B", sys.argv[1], *arguments, "-o", table], text=True,
                                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        found = run(features, "--batch", "256", "--epochs", "25")
        assert found.returncode == 0, found.stderr
        losses = [float(line.split()[2]) for line in found.stdout.splitlines()[2:]]
        print(found.stdout, f"least possible: {least:.4f}")
        assert len(losses) == 3 and max(losses) < least + 0.08, losses
        with open(table, encoding="utf-8") as file:
            values = json.load(file)
        assert list(values) == ["Buggy", "Bus", "SquareWheelsBuggy"]
        for network in values.values():
            shapes = {name: np.shape(table) for name, table in network.items()}
            assert shapes == {"of_features": (FEATURES, HIDDEN), "of_map": (MAP_FEATURES, HIDDEN), "bias": (HIDDEN,),
                              "out": (HIDDEN,), "out_bias": ()}, shapes

        more = run(features, "--start", table, "--batch", "256", "--epochs", "1")
        assert more.returncode == 0, more.stderr
        after, before = zip(*([float(x) for x in line.split()[2:4]] for line in more.stdout.splitlines()[2:]))
        assert np.allclose(before, losses, atol=1e-3), f"{before} in the file, {losses} when it was written"
        assert max(after) < least + 0.08, after
        values["Bus"]["of_features"].pop()
        with open(table, "w", encoding="utf-8") as file:
            json.dump(values, file)
        wrong = run(features, "--start", table)
        assert wrong.returncode != 0 and "Bus has not 128 units of 81 features" in wrong.stderr, wrong.stderr

        with open(table, "w", encoding="utf-8") as file:
            json.dump({"Bus": {}}, file)
        wrong = run(features, "--start", table)
        assert wrong.returncode != 0 and "has not the networks of Buggy" in wrong.stderr, wrong.stderr

        rows[:100].tofile(features)
        few = run(features)
        assert few.returncode != 0 and "play more matches" in few.stderr, few.stderr
        with open(features, "wb") as file:
            file.write(b"something else")
        other = run(features)
        assert other.returncode != 0 and "self_play" in other.stderr, other.stderr


main()
