# SPDX-License-Identifier: MIT
"""The rows that measure_states writes for both sides of a state are mirror images."""

import sys

import numpy as np

STATE_FLOATS, CARS_FLOATS = 43, 36
FEATURES, MAP_FEATURES, CAR_FEATURES = 72, 9, 33
MIRRORED = [0, 2, 4, 6]  # x of position, heading and velocity; rate
INPUTS = FEATURES + MAP_FEATURES
DEADLINE, TICK, MAP, CAR, MATCH, OUTCOME, END = range(CARS_FLOATS, STATE_FLOATS)


def main():
    states = np.fromfile(sys.argv[1], "<f4").reshape(-1, STATE_FLOATS)
    rows = np.fromfile(sys.argv[2], "<f4").reshape(-1, INPUTS + 5)
    assert len(states) >= 100 and len(rows) == 2 * len(states)
    part = np.fromfile(sys.argv[3], "<f4").reshape(-1, STATE_FLOATS)
    assert len(part) > 0 and np.array_equal(part, states[np.isin(states[:, MATCH], (1, 4, 7))]), "part 2 of 3"

    first, second = rows[0::2], rows[1::2]
    for index, (of_first, of_second, state) in enumerate(
            zip((MATCH, OUTCOME, CAR, TICK), (1, -1, 1, 1), (states[:, c] for c in (MATCH, OUTCOME, CAR, TICK)))):
        assert np.array_equal(first[:, INPUTS + index], state), of_first
        assert np.array_equal(second[:, INPUTS + index], of_second * state), of_first
    assert np.array_equal(first[:, INPUTS + 4], states[:, END] - states[:, TICK])
    assert set(np.unique(states[:, OUTCOME])) - {0} == {-1, 1}, "both sides have won"

    sign = np.ones(CAR_FEATURES)
    sign[MIRRORED] = -1
    mine, enemy = slice(0, CAR_FEATURES), slice(CAR_FEATURES, 2 * CAR_FEATURES)
    # A mirror also swaps features 14 and 15, the fields on both sides of a car.
    order = np.arange(CAR_FEATURES)
    order[[14, 15]] = order[[15, 14]]
    for one, other in ((mine, enemy), (enemy, mine)):
        np.testing.assert_allclose(first[:, one], (second[:, other] * sign)[:, order], atol=1e-5)

    # The features have the body's position, which is within a car's length of the state's.
    assert np.max(np.abs(first[:, 0] * 600 + 600 - states[:, 0])) < 120
    assert np.max(np.abs(first[:, 1] * 400 + 400 - states[:, 1])) < 120
    np.testing.assert_allclose(first[:, 4], np.clip(states[:, 3] / 500, -2, 2), atol=1e-5)
    np.testing.assert_allclose(first[:, CAR_FEATURES + 5], np.clip(states[:, 18 + 4] / 500, -2, 2), atol=1e-5)
    np.testing.assert_allclose(first[:, 66], states[:, DEADLINE] / 400, atol=1e-5)


main()
