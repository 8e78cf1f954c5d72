#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A search by several processes: plan.across() divides the plans of classics/lunar_lander.py over workers of Ray or Python.
Prints the plans a second of each executor; the actions are equal, bit for bit.

    python3 examples/python/across.py --executors one,processes,ray --workers 2

Needs Gymnasium; `ray` needs Ray, `joblib` needs joblib.
"""

import argparse
import concurrent.futures
import contextlib
import multiprocessing
import os
import pathlib
import sys
import time
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "classics"))

import forkmunk.pymunk

forkmunk.pymunk.install()

from lunar_lander import LandersPilot, LunarLander

from forkmunk import plan


def score(env, actions):
    """The costs of plans, in any process: the state is the environment."""
    return LandersPilot(env, 0).score(env.space.save(), actions)


@contextlib.contextmanager
def map_of(name, workers):
    """Yields the map() of an executor while its workers live."""
    if name == "one":
        yield map
    elif name == "processes":
        with concurrent.futures.ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as executor:
            yield executor.map
    elif name == "joblib":
        from joblib import Parallel, delayed

        with Parallel(workers) as parallel:
            yield lambda function, items: parallel(delayed(function)(item) for item in items)
    else:
        import ray

        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, runtime_env={
            "env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}, "worker_process_setup_hook": forkmunk.pymunk.install})

        @ray.remote
        def call(function: Any, item: Any) -> Any:
            return function(item)

        yield lambda function, items: ray.get([call.remote(function, item) for item in items])
        ray.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--executors", default="one,processes", help="of one, processes, joblib, ray (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--plans", type=int, default=2000, help="plans in a round; there are three (default: %(default)s)")
    parser.add_argument("--steps", type=int, default=5, help="control steps (default: %(default)s)")
    options = parser.parse_args()
    expected = None
    for name in options.executors.split(","):
        with map_of(name, options.workers) as map_:
            env = LunarLander(continuous=True, noise=0)
            env.reset(seed=1)
            planner = plan.CEM(plan.across(map_, score, parts=2 * options.workers), [-1, -1], [1, 1], LandersPilot.horizon,
                               plans=options.plans, hold=LandersPilot.hold, seed=1)
            planner.plan(env)  # workers start
            planner.reset()
            start, actions = time.perf_counter(), []
            for _ in range(options.steps):
                actions.append(planner.act(env).tolist())
                env.step(actions[-1])
            seconds = time.perf_counter() - start
        expected = expected or actions
        print(f"{name}: {3 * options.plans * options.steps / seconds:,.0f} plans a second; "
              f"the actions are {'equal' if actions == expected else 'DIFFERENT'}", flush=True)
        if actions != expected:
            sys.exit(1)


if __name__ == "__main__":
    main()
