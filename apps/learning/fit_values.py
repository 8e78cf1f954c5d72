#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains the value networks: for each kind of car a network with one hidden layer that predicts the probability of
winning, by Adam on the logistic loss. Reads files of self_play, writes contest/planning/data/learned_values.json.
Every tenth match is a validation match: its loss selects the epoch, and is printed with the loss before the training.

With --start, training continues from the networks of such a file, and the target is a mixture of the outcome with the
prediction of the starting network for the same match 140 ticks later (temporal differences, Sutton 1988). So that
network must have been trained on other matches. Without it, training starts with random weights on the outcomes.
"""

import argparse
import concurrent.futures
import json
import math
import multiprocessing
import os
import sys

import numpy as np

FEATURES, MAP_FEATURES, HIDDEN = 72, 9, 128  # as in learned.h
INPUTS = FEATURES + MAP_FEATURES
# After the features, as in self_play.cpp.
MATCH, OUTCOME, CAR, TICK, LEFT = range(INPUTS, INPUTS + 5)
CARS = ["Buggy", "Bus", "SquareWheelsBuggy"]
HELD_OUT_EACH = 10
STATES_AHEAD = 20  # states of self_play; 140 ticks
OUTCOME_PART = 0.3  # of the target, with --start
RATES = [2e-3, 1e-3, 2e-3]  # initial learning rates by car, which decay to 0 as a cosine


def read(paths):
    """Numbers the matches consecutively."""
    tables, matches = [], 0
    for path in paths:
        table = np.fromfile(path, "<f4")
        if len(table) == 0 or len(table) % (INPUTS + 5) != 0:
            sys.exit(f"fit_values: {path}: its {len(table)} numbers are not rows of {INPUTS + 5}; give a file of self_play")
        table = table.reshape(-1, INPUTS + 5)
        # A shard has only every n-th match.
        number = np.unique(table[:, MATCH], return_inverse=True)[1]
        table[:, MATCH] = matches + number
        matches += number.max() + 1
        tables.append(table)
    return np.concatenate(tables)


def loss(z, won):
    return float(np.mean(np.logaddexp(0, z) - won * z))


class Network:
    def __init__(self, weights):
        self.p = {name: np.array(value, np.float32) for name, value in weights.items()}
        self.mean = {name: np.zeros_like(value) for name, value in self.p.items()}
        self.square = {name: np.zeros_like(value) for name, value in self.p.items()}
        self.steps = 0

    def hidden(self, x):
        return np.maximum(x @ self.p["features"] + self.p["bias"], 0)

    def log_odds(self, x):
        return self.hidden(x) @ self.p["out"] + self.p["out_bias"]

    def step(self, x, won, rate):
        """Does one step of Adam (Kingma and Ba 2015)."""
        hidden = self.hidden(x)
        d_z = (1 / (1 + np.exp(-(hidden @ self.p["out"] + self.p["out_bias"]))) - won) / len(won)
        d_hidden = np.outer(d_z, self.p["out"]) * (hidden > 0)
        gradient = {"features": x.T @ d_hidden, "bias": d_hidden.sum(0), "out": hidden.T @ d_z, "out_bias": d_z.sum()}
        self.steps += 1
        for name, g in gradient.items():
            self.mean[name] = 0.9 * self.mean[name] + 0.1 * g
            self.square[name] = 0.999 * self.square[name] + 0.001 * g * g
            mean = self.mean[name] / (1 - 0.9**self.steps)
            square = self.square[name] / (1 - 0.999**self.steps)
            change = mean / (np.sqrt(square) + 1e-8)
            self.p[name] = (self.p[name] - rate * change).astype(np.float32)


def random_weights(random):
    return {
        "features": random.standard_normal((INPUTS, HIDDEN)) / math.sqrt(INPUTS),
        "bias": np.zeros(HIDDEN),
        "out": random.standard_normal(HIDDEN) / math.sqrt(HIDDEN),
        "out_bias": 0,
    }


def fit(network, x, target, fitted, held, most, options, random):
    """Trains on the rows `fitted` at rates up to `most`, and keeps the epoch with the least loss on the rows `held`."""
    x, target, held_x, held_target = x[fitted], target[fitted], x[held], target[held]
    best, kept = math.inf, None
    steps = options.epochs * (len(x) // options.batch)
    for _ in range(options.epochs):
        order = random.permutation(len(x))
        for begin in range(0, len(x) - options.batch + 1, options.batch):
            some = order[begin : begin + options.batch]
            rate = most / 2 * (1 + math.cos(math.pi * network.steps / steps))
            network.step(x[some], target[some], rate)
        found = loss(network.log_odds(held_x), held_target)
        if found < best:
            best, kept = found, {name: value.copy() for name, value in network.p.items()}
    network.p = kept


def mixed_target(log_odds, won, match):
    return OUTCOME_PART * won + (1 - OUTCOME_PART) * seen_ahead(1 / (1 + np.exp(-log_odds)), won, match)


def seen_ahead(later, won, match):
    """Returns for each row the prediction `later` STATES_AHEAD states later, for the same side, or the outcome."""
    rows = 2 * STATES_AHEAD  # two per state
    seen = won.astype(float)
    same = match[rows:] == match[:-rows]
    seen[:-rows][same] = later[rows:][same]
    return seen


def rounded(values):
    """Rounds to four digits, which does not affect playing strength and halves the file."""
    return [float(f"{value:.4g}") for value in np.ravel(values)]


def write(path, networks):
    """Writes the members of ValueNetwork::Values in their order, for each CarKind; a line per row of weights."""
    cars = []
    for car, network in zip(CARS, networks):
        p = network.p
        tables = (("of_features", p["features"][:FEATURES]), ("of_map", p["features"][FEATURES:]))
        members = ['"%s": [\n%s]' % (name, ",\n".join(json.dumps(rounded(row)) for row in table)) for name, table in tables]
        members += ['"%s":\n%s' % (name, json.dumps(rounded(p[name]))) for name in ("bias", "out")]
        members += ['"out_bias": %s' % json.dumps(rounded(p["out_bias"])[0])]
        cars.append('"%s": {\n%s}' % (car, ",\n".join(members)))
    unfinished = path + ".new"
    with open(unfinished, "w", encoding="utf-8") as out:
        out.write("{\n" + ",\n".join(cars) + "}\n")
    os.replace(unfinished, path)


def read_start(path):
    """Returns the weights of each car in a file of write()."""
    with open(path, encoding="utf-8") as file:
        cars = json.load(file)
    if not isinstance(cars, dict) or list(cars) != CARS:
        sys.exit(f"fit_values: {path}: has not the networks of {', '.join(CARS)}; give a file of fit_values")
    weights = []
    for car in CARS:
        tables = {name: np.array(table) for name, table in cars[car].items()}
        weights.append({"features": np.concatenate([tables.pop("of_features"), tables.pop("of_map")]), **tables})
        if weights[-1]["features"].shape != (INPUTS, HIDDEN):
            sys.exit(f"fit_values: {path}: {car} has not {HIDDEN} units of {INPUTS} features; leave out --start")
    return weights


def fit_car(mine, index, start, options):
    car = CARS[index]
    random = np.random.default_rng(options.seed + index)
    held = mine[:, MATCH] % HELD_OUT_EACH == 0
    x, won, match = np.ascontiguousarray(mine[:, :INPUTS]), (mine[:, OUTCOME] + 1) / 2, mine[:, MATCH]
    if held.sum() == 0 or np.sum(~held) < options.batch:
        sys.exit(f"fit_values: {car}: only {held.sum()} validation rows and {np.sum(~held)} others, needs 1 and "
                 f"{options.batch}: play more matches")
    network = Network(start[index] if start else random_weights(random))
    before = network.log_odds(x)
    target = mixed_target(before, won, match) if start else won
    fit(network, x, target.astype(np.float32), ~held, held, RATES[index], options, random)
    z, y, left = network.log_odds(x[held]), won[held], mine[held, LEFT]
    decided = y != 0.5
    right = [np.mean(((z > 0) == (y > 0.5))[decided & (left < limit)]) for limit in (30, 100, 300, math.inf)]
    return network, (f"{car:18} {len(mine):9} {loss(z, y):7.4f} {loss(before[held], y):7.4f}   " +
                     " ".join(f"{part:.3f}" for part in right))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("features", nargs="+", help="files of self_play")
    parser.add_argument("-o", "--output", required=True, help="the JSON file to write")
    parser.add_argument("--start", metavar="JSON", help="networks to continue from (random weights)")
    parser.add_argument("--epochs", type=int, default=24)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--concurrency", type=int, default=len(CARS), help="kinds of cars fitted in parallel")
    options = parser.parse_args()

    start = read_start(options.start) if options.start else None
    rows = read(options.features)
    print(f"{len(np.unique(rows[:, MATCH]))} matches, {len(rows)} rows; on the validation matches:")
    print(f"{'car':18} {'rows':>9} {'loss':>7} {'before':>7}   accuracy with <30, <100, <300, any ticks left")
    with concurrent.futures.ProcessPoolExecutor(options.concurrency, multiprocessing.get_context("fork")) as pool:
        jobs = [pool.submit(fit_car, rows[rows[:, CAR] == index], index, start, options) for index in range(len(CARS))]
        networks = []
        for job in jobs:
            network, line = job.result()
            print(line, flush=True)
            networks.append(network)
    write(options.output, networks)


if __name__ == "__main__":
    main()
