# SPDX-License-Identifier: MIT
"""The rows that self_play writes for both sides of a state are mirror images."""

import sys

import numpy as np

FEATURES, MAP_FEATURES, CAR_FEATURES = 72, 9, 33
MIRRORED = [0, 2, 4, 6]  # x of position, heading and velocity; rate
INPUTS = FEATURES + MAP_FEATURES
MATCH, OUTCOME, CAR, TICK, LEFT = range(INPUTS, INPUTS + 5)


def main():
    rows = np.fromfile(sys.argv[1], "<f4").reshape(-1, INPUTS + 5)
    assert len(rows) >= 200 and len(rows) % 2 == 0
    part = np.fromfile(sys.argv[2], "<f4").reshape(-1, INPUTS + 5)
    assert len(part) > 0 and np.array_equal(part, rows[np.isin(rows[:, MATCH], (1, 4, 7))]), "part 2 of 3"

    first, second = rows[0::2], rows[1::2]
    for column in (MATCH, CAR, TICK, LEFT):
        assert np.array_equal(first[:, column], second[:, column]), column
    assert np.array_equal(first[:, OUTCOME], -second[:, OUTCOME])
    assert set(np.unique(first[:, OUTCOME])) - {0} == {-1, 1}, "both sides have won"
    for match in np.unique(first[:, MATCH]):
        own = first[first[:, MATCH] == match]
        assert np.array_equal(np.diff(own[:, TICK]), np.full(len(own) - 1, 7)), "a state each 7 ticks"
        assert len(np.unique(own[:, TICK] + own[:, LEFT])) == 1 and own[-1, LEFT] <= 7, "the match's end"
        assert len(np.unique(own[:, [*range(FEATURES, INPUTS), CAR]], axis=0)) == 1, "one map and car"
    assert set(first[:, CAR]) == {0, 1, 2} and len(np.unique(first[:, FEATURES:INPUTS], axis=0)) > 1, "several of both"

    sign = np.ones(CAR_FEATURES)
    sign[MIRRORED] = -1
    mine, enemy = slice(0, CAR_FEATURES), slice(CAR_FEATURES, 2 * CAR_FEATURES)
    # A mirror also swaps features 14 and 15, the fields on both sides of a car.
    order = np.arange(CAR_FEATURES)
    order[[14, 15]] = order[[15, 14]]
    for one, other in ((mine, enemy), (enemy, mine)):
        np.testing.assert_allclose(first[:, one], (second[:, other] * sign)[:, order], atol=1e-5)

    # The cars are in the field, and the deadline does not fall.
    assert np.max(np.abs(rows[:, [0, 1, CAR_FEATURES, CAR_FEATURES + 1]])) < 1.2
    assert np.array_equal(first[:, 66], second[:, 66]) and np.max(first[:, 66]) < 2


main()
