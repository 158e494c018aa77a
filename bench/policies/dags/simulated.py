#!/usr/bin/env python3
"""Random DAGs under a policy in StarPU on SimGrid, with estimates wrong by sigma: makespan over that of a list schedule
that knows all true times. starpath-lab reports a run that deadlocks, loses a task or dies as failed.

  bench/policies/dags/simulated.py [--lab build/simgrid/apps/lab/starpath-lab] [--dags 250] [--policy apex] [--jobs 2]

Exit code 1: a run failed or took more than twice the list schedule's time."""
import argparse
import concurrent.futures
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from lab_runs import LAB, lab_runs, mean  # noqa: E402

MACHINES = ["keeneland", "stampede", "mixed", str(HERE / "four-kinds.toml")]
SIGMAS = ["0", "0.1", "0.3", "1"]


def simulate(arguments, seed):
    """All sigmas of one graph."""
    return lab_runs(arguments.lab, machine=MACHINES[seed % len(MACHINES)], workload="random-dag",
                    set=f"tasks={50 + seed * 37 % 200}", seed=seed, policy=arguments.policy,
                    estimator=[f"sigma:{sigma}" for sigma in SIGMAS])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", default=LAB)
    parser.add_argument("--dags", type=int, default=250)
    parser.add_argument("--policy", default="apex")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    ratios, wrong = {sigma: [] for sigma in SIGMAS}, False
    seeds = range(1, arguments.dags + 1)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda seed: simulate(arguments, seed), seeds))
    for seed, result in zip(seeds, results):
        for sigma, run in zip(SIGMAS, result["runs"]):
            if not run["ok"]:
                print(f"seed {seed}, sigma {sigma}: {run['failure']}")
                wrong = True
                continue
            ratios[sigma].append(run["makespan"] / result["list_schedule"])
            if ratios[sigma][-1] > 2:
                print(f"seed {seed}, sigma {sigma}: {ratios[sigma][-1]:.3f}")
                wrong = True
    print("| sigma | right | geometric mean | worst | above 2 |\n|---|---|---|---|---|")
    for sigma, found in ratios.items():
        print(f"| {sigma} | {len(found)} of {arguments.dags} | {mean(found):.3f} | {max(found, default=math.nan):.3f} | "
              f"{sum(ratio > 2 for ratio in found)} |")
    sys.exit(1 if wrong else 0)


main()
