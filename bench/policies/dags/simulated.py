#!/usr/bin/env python3
"""Random DAGs under a policy in StarPU on SimGrid, with estimates wrong by sigma: makespan over that of a list schedule
that knows all true times. starpath-lab reports a run that deadlocks, loses a task or dies as failed.

  bench/policies/dags/simulated.py [--lab build/simgrid/apps/lab/starpath-lab] [--dags 250] [--policy apex]

Exit code 1: a run failed or took more than twice the list schedule's time."""
import argparse
import json
import math
import pathlib
import subprocess
import sys
from statistics import geometric_mean

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
MACHINES = ["keeneland", "stampede", "mixed", str(HERE / "four-kinds.machine")]
SIGMAS = ["0", "0.1", "0.3", "1"]


def simulate(arguments, seed):
    """All sigmas of one graph."""
    command = [arguments.lab, "--machine", MACHINES[seed % len(MACHINES)], "--workload", "random-dag",
               "--set", f"tasks={50 + seed * 37 % 200}", "--seed", str(seed), "--policy", arguments.policy,
               "--estimator", ",".join(f"sigma:{sigma}" for sigma in SIGMAS), "--jobs", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", default=str(ROOT / "build/simgrid/apps/lab/starpath-lab"))
    parser.add_argument("--dags", type=int, default=250)
    parser.add_argument("--policy", default="apex")
    arguments = parser.parse_args()
    ratios, wrong = {sigma: [] for sigma in SIGMAS}, False
    for seed in range(1, arguments.dags + 1):
        result = simulate(arguments, seed)
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
    for sigma, own in ratios.items():
        mean = geometric_mean(own) if own else math.nan
        print(f"| {sigma} | {len(own)} of {arguments.dags} | {mean:.3f} | {max(own, default=math.nan):.3f} | "
              f"{sum(ratio > 2 for ratio in own)} |")
    sys.exit(1 if wrong else 0)


main()
