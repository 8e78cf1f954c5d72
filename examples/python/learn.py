#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Learns to beat `chase` with NumPy: a linear policy, trained by the cross-entropy method on all maps and cars.

    python3 examples/python/learn.py --seconds 90 --out learned/

All candidates play 18 matches in one madcars.Batch, with other sides and random first ticks in each generation, against
overfitting. The evaluation has openings of its own. Writes curve.png (with matplotlib), weights.npy and game.html.
"""

import argparse
import time
from pathlib import Path

import numpy as np

import forkmunk
from forkmunk import madcars

PAIRS = [(m, c) for m in madcars.maps for c in madcars.cars]
MATCHES, TICKS, OPENING, HOLD = len(PAIRS), 700, 40, 4
SWAPPED = np.r_[9:18, 0:9, 18]


def features(now, before, sides):
    """Returns (n, 14) features: both cars and their motion, mirrored as if the side had started on the left."""
    rows, old = (np.where(sides[:, None] == 0, r, r[:, SWAPPED]) for r in (now, before))
    mirror = np.where(sides == 0, 1.0, -1.0)
    distance = (rows[:, 9] - rows[:, 0]) * mirror
    my_angle, enemy_angle = rows[:, 2] * mirror, rows[:, 11] * mirror
    motion = rows - old
    return np.stack([
        np.ones(len(rows)), np.sign(distance), np.clip(distance / 300, -2, 2), (rows[:, 10] - rows[:, 1]) / 100,
        np.sin(my_angle), np.cos(my_angle), np.sin(enemy_angle), np.cos(enemy_angle),
        motion[:, 0] * mirror / 5, motion[:, 1] / 5, motion[:, 2] * mirror * 10,
        motion[:, 9] * mirror / 5, motion[:, 11] * mirror * 10, np.where(rows[:, 1] < rows[:, 18] + 150, 1.0, 0.0)], 1)


FEATURES = 14


def sides_of(generation, candidates=1):
    """Returns the policy's sides, (candidates * MATCHES,)."""
    return np.tile((np.arange(MATCHES) + generation) % 2, candidates)


def commands_of(weights, now, before, sides):
    """Returns commands -1, 0 or 1. Weights are (n, FEATURES, 3), or (FEATURES, 3) for all matches."""
    scores = np.einsum("nf,nfc->nc" if weights.ndim == 3 else "nf,fc->nc", features(now, before, sides), weights)
    return ((scores.argmax(1) - 1) * np.where(sides == 0, 1, -1)).astype(np.int8)


def chase(rows, sides):
    """Returns the commands of builtin:chase for the other sides."""
    towards_second = np.where(rows[:, 9] > rows[:, 0], 1, -1)  # the command of the first player
    return np.where(sides == 0, -towards_second, towards_second).astype(np.int8)


def play(batch, weights, sides, seed, openings=MATCHES):
    """Returns scores, (n,): 1 for a win, 0 for a loss, else 0.5. Openings repeat after `openings` matches."""
    generator, n = np.random.default_rng(seed), len(batch)
    lengths = np.tile(generator.integers(0, OPENING, openings), n // openings)
    opening = np.tile(generator.integers(-1, 2, (OPENING // 8 + 1, openings, 2), dtype=np.int8), (1, n // openings, 1))
    batch.reset()
    before, commands, every = batch.observations.copy(), np.zeros((n, 2), np.int8), np.arange(n)
    mine = np.zeros(n, np.int8)
    for tick in range(TICKS):
        now = batch.observations
        if tick % HOLD == 0:
            mine = commands_of(weights, now, before, sides)
            before = now.copy()
        commands[every, sides], commands[every, 1 - sides] = mine, chase(now, sides)
        if tick < OPENING:
            commands = np.where((tick < lengths)[:, None], opening[tick // 8], commands)
        batch.step(commands)
        if tick % 50 == 49 and batch.over.all():
            break
    dead = batch.dead[every[:, None], np.stack([sides, 1 - sides], 1)]  # mine, then the enemy's
    return 0.5 + 0.5 * (dead[:, 1].astype(float) - dead[:, 0])


def learn(seconds, population, threads, seed):
    """Returns the weights and the curve: (seconds, candidates' score, their mean's score on validation openings)."""
    generator, start = np.random.default_rng(seed), time.perf_counter()
    batch, aside = madcars.Batch(PAIRS * population, threads=threads), madcars.Batch(PAIRS * 4, threads=threads)
    mean, spread, curve = np.zeros((FEATURES, 3)), np.ones((FEATURES, 3)), []
    while True:
        kept = play(aside, mean, sides_of(0, 4), seed, openings=len(aside)).mean()
        sides = sides_of(len(curve), population)
        tried = mean + spread * generator.standard_normal((population, FEATURES, 3))
        tried[0] = mean
        scores = play(batch, tried.repeat(MATCHES, 0), sides, seed + 1000 + len(curve)).reshape(population, MATCHES).mean(1)
        curve.append((time.perf_counter() - start, scores.mean(), kept))
        print(f"{curve[-1][0]:6.1f} s  candidates {scores.mean():.3f}  mean policy, on validation openings {kept:.3f}", flush=True)
        best = np.argsort(-scores, kind="stable")[:population // 6]
        mean, spread = 0.3 * mean + 0.7 * tried[best].mean(0), 0.3 * spread + 0.7 * tried[best].std(0) + 0.02
        if curve[-1][0] > seconds:
            return mean, np.array(curve)


def judge(weights, games, threads, seed):
    """Returns wins, losses and draws on new openings."""
    batch = madcars.Batch(PAIRS * games, threads=threads)
    scores = play(batch, weights, np.concatenate([sides_of(i) for i in range(games)]), seed, openings=len(batch))
    return int((scores == 1).sum()), int((scores == 0).sum()), int((scores == 0.5).sum())


class Bot:
    """The policy as a bot for madcars.play()."""

    def __init__(self, weights):
        self.weights = weights

    def __call__(self, world, player):
        now = world.observe()[None, :]
        if world.tick == 0:
            self.before, self.command = now, 0
        if world.tick % HOLD == 0:
            self.command = int(commands_of(self.weights, now, self.before, np.array([player]))[0])
            self.before = now
        return self.command


def draw_curve(curve, path):
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    axes.plot(curve[:, 0], curve[:, 2], label="mean policy, on validation openings")
    axes.plot(curve[:, 0], curve[:, 1], label="candidates of a generation")
    axes.axhline(0.5, color="grey", linewidth=0.8, linestyle="--")
    axes.set(xlabel="seconds", ylabel="score against chase", ylim=(0, 1), title="A linear policy learns to beat chase")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    return True


def main():
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    options.add_argument("--seconds", type=float, default=90, help="training time")
    options.add_argument("--population", type=int, default=48, help="candidates per generation")
    options.add_argument("--threads", type=int, default=0, help="0: one per core")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--games", type=int, default=20, help="openings of the final evaluation, 18 matches each")
    options.add_argument("--out", type=Path, default=Path("learned"))
    options = options.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    weights, curve = learn(options.seconds, max(options.population, 6), options.threads, options.seed)
    wins, losses, draws = judge(weights, options.games, options.threads, 10**6)
    print(f"against chase, on new openings: {wins} won, {losses} lost, {draws} drawn")
    np.save(options.out / "weights.npy", weights)
    np.savetxt(options.out / "curve.csv", curve, delimiter=",", header="seconds,candidates,mean_aside", comments="")
    print("curve:", options.out / "curve.png" if draw_curve(curve, options.out / "curve.png") else options.out / "curve.csv")
    game = madcars.play(Bot(weights), "builtin:chase", ["PillMap,Buggy", "IslandMap,Bus", "PillHillMap,SquareWheelsBuggy"])
    game.recording.write(options.out / "game.visio.gz")
    try:
        print("page:", madcars.view(game, options.out / "game.html"))
    except forkmunk.Error as error:
        print("no page:", error)


if __name__ == "__main__":
    main()
