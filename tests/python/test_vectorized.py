# SPDX-License-Identifier: MIT

import numpy as np
import pytest
from scenes import DT, pile

import forkmunk
from forkmunk import Error, protocols


class Drop(protocols.GymEnv):
    """A box that falls onto a pile, and that actions push."""

    metadata, reward_range = {"render_modes": []}, (0, 1)
    observation_space = protocols.Box(-np.inf, np.inf, (3,), np.float32)
    action_space = protocols.Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.space = pile(12)
        self.body = list(self.space.bodies)[-1]
        self.body.position = self.np_random.uniform(-100, 100), 150 + (options or {}).get("higher", 0)
        self.steps = 0
        return self.observation(), {"at": np.array(self.body.position), "note": "new"}

    def observation(self):
        return np.array([*self.body.position, self.body.angle], np.float32)

    def step(self, action):
        self.body.velocity += ((int(action) - 1) * 30, 0)
        self.space.step(DT)
        self.steps += 1
        found = {"steps": self.steps, "deep": {"speed": self.body.velocity.length}}
        return self.observation(), self.body.position.x, self.body.position.y < 40, self.steps == 60, found


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_vectorize_is_n_single_environments(mode):
    many, singles = forkmunk.vectorize(Drop, 4, autoreset_mode=mode), [Drop() for _ in range(4)]
    assert isinstance(many, protocols.GymVectorEnv) and many.observation_space.shape == (4, 3)
    observations, infos = many.reset(seed=3, options={"higher": 5})
    starts = [env.reset(seed=3 + i, options={"higher": 5}) for i, env in enumerate(singles)]
    assert observations.dtype == np.float32 and (observations == [observation for observation, _ in starts]).all()
    assert (infos["at"] == [info["at"] for _, info in starts]).all() and infos["note"].tolist() == ["new"] * 4
    over, endings, random = np.zeros(4, bool), 0, np.random.default_rng(1)
    for _ in range(150):
        actions = random.integers(0, 3, 4)
        observations, rewards, terminations, truncations, infos = many.step(actions)
        for i, env in enumerate(singles):
            row = (env.reset()[0], 0, False, False, None) if over[i] else env.step(actions[i])
            over[i] = row[2] or row[3]
            if over[i] and mode == "SameStep":
                assert (infos["final_obs"][i] == row[0]).all() and infos["final_info"]["steps"][i] == row[4]["steps"]
                row, over[i] = (env.reset()[0], *row[1:]), False
            elif row[4] is not None:
                assert infos["steps"][i] == row[4]["steps"] and infos["deep"]["speed"][i] == row[4]["deep"]["speed"]
            assert (observations[i] == row[0]).all() and rewards[i] == row[1]
            assert (terminations[i], truncations[i]) == row[2:4]
            endings += row[2] or row[3]
        assert infos.get("_steps", np.zeros(4, bool)).tolist() == [env.steps > 0 for env in singles]
    assert endings > 4 and many.get_attr("steps") == tuple(env.steps for env in singles)


def test_vectorize_forks_and_resets_some():
    many = forkmunk.vectorize(Drop, 3)
    with pytest.raises(Error, match="reset"):
        many.step([0, 0, 0])
    many.reset(seed=[5, 6, 7])
    for _ in range(10):
        many.step([0, 1, 2])
    many.fork(2, np.array([True, False, False]))
    rows, *_ = many.step([1, 1, 1])
    assert (rows[0] == rows[2]).all() and (rows[1] != rows[2]).any()
    rows, _ = many.reset(seed=5, options={"reset_mask": np.array([False, True, False])})
    assert (rows[1] == Drop().reset(seed=6)[0]).all() and many.call("observation")[0][0] == rows[0][0]
    moment = forkmunk.Checkpoint(many)
    later = [many.step([2, 0, 1])[0].tobytes() for _ in range(80)]
    moment.restore()
    assert [many.step([2, 0, 1])[0].tobytes() for _ in range(80)] == later
    same = Drop()
    for call in (lambda: many.step([1, 1]), lambda: many.reset(seed=[1]), lambda: many.fork(0, np.array([True])),
                 lambda: forkmunk.vectorize(Drop, 0), lambda: forkmunk.vectorize(lambda: same, 2),
                 lambda: forkmunk.vectorize(None, 2), lambda: forkmunk.vectorize(Drop, 2, autoreset_mode="Never")):
        with pytest.raises((Error, TypeError)):
            call()
    many.close()


@pytest.mark.skipif(not protocols.HAS_GYMNASIUM, reason="gymnasium is not installed")
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_vectorize_is_gymnasiums_sync_vector_env(mode):
    from gymnasium.vector import SyncVectorEnv

    def same(a, b):
        if isinstance(a, dict):
            return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
        if isinstance(a, np.ndarray) and a.dtype == object:
            return all(same(x, y) for x, y in zip(a, b))
        return np.array_equal(a, b)

    both = forkmunk.vectorize(Drop, 3, autoreset_mode=mode), SyncVectorEnv([Drop] * 3, autoreset_mode=mode)
    assert both[0].observation_space == both[1].observation_space and both[0].action_space == both[1].action_space
    assert all(map(same, *(env.reset(seed=1) for env in both)))
    ends = 0
    for tick in range(130):
        results = [env.step(np.array([0, 1, tick % 3])) for env in both]
        assert all(map(same, *results))
        over = results[0][2] | results[0][3]
        ends += over.sum()
        if mode == "Disabled" and over.any():
            with pytest.raises(Error, match="over"):
                both[0].step(np.array([0, 0, 0]))
            assert all(map(same, *(env.reset(options={"reset_mask": over.copy()}) for env in both)))
    assert ends > 2
