#!/usr/bin/env python3
"""Programs that keep only so many tasks, tiles or chains in flight, in StarPU on SimGrid: a policy beside the best
built-in one of each row, makespan over the lower bound. Windows far below those of `starpath-lab board`.

  bench/policies/windows.py [--lab build/simgrid/apps/lab/starpath-lab] [--policy apex] [--seeds 2,4]

Exit code 1: a run failed, or a row is more than 2 % behind its best built-in."""
import argparse
import concurrent.futures
import math
import sys

from lab_runs import LAB, lab_runs, mean

MACHINES = ["anthill", "keeneland", "stampede", "h100", "mixed"]
WORKLOADS = [("segmentation", "tiles=120", (18, 36)), ("chains", "chains=48", (6, 12)),
             ("independent", "tasks=600", (30, 100)), ("nbia", "tiles=1500", (30, 100))]
BUILT_IN = ["dmda", "dmdas", "dmdar", "heteroprio"]
KINDS = [("exact", "exact"), ("knn", "history")]  # estimates of the policy, and of the built-ins beside it


def simulate(arguments, machine, workload, size, window, seed):
    """Makespans over the bound, by policy and estimates."""
    ratios = {}
    for policies, estimates in (([arguments.policy], [ours for ours, _ in KINDS]), (BUILT_IN, [theirs for _, theirs in KINDS])):
        result = lab_runs(arguments.lab, "--set", f"window={window}", machine=machine, workload=workload, set=size, seed=seed,
                          policy=policies, estimator=estimates)
        for run in result["runs"]:
            if run["ok"]:
                ratios[run["policy"], run["estimator"]] = run["makespan"] / result["bound"]
            elif run["policy"] == arguments.policy:
                print(f"{result['command']}: {run['failure']}")
    return ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", default=LAB)
    parser.add_argument("--policy", default="apex")
    parser.add_argument("--seeds", default="2,4")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    seeds = [int(seed) for seed in arguments.seeds.split(",")]
    rows = [(machine, workload, size, window) for workload, size, windows in WORKLOADS for window in windows
            for machine in MACHINES]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = [[pool.submit(simulate, arguments, *row, seed) for seed in seeds] for row in rows]
    wrong = False
    all_ours, all_best, behind = ({ours: [] for ours, _ in KINDS} for _ in range(3))
    print("| workload | window | machine | " + " | ".join(f"{ours} | best: {theirs}" for ours, theirs in KINDS) + " |")
    print("|---" * (3 + 2 * len(KINDS)) + "|")
    for (machine, workload, _, window), seeded in zip(rows, runs):
        ratios = [run.result() for run in seeded]
        cells = []
        for ours, theirs in KINDS:
            if any((arguments.policy, ours) not in ratio for ratio in ratios):
                wrong = True
                cells.append("failed | ")
                continue
            value = mean([ratio[arguments.policy, ours] for ratio in ratios])
            best = min((mean([ratio[name, theirs] for ratio in ratios])
                        for name in BUILT_IN if all((name, theirs) in ratio for ratio in ratios)), default=math.inf)
            all_ours[ours].append(value)
            all_best[ours].append(best)
            if value > 1.02 * best:
                behind[ours].append((machine, workload, window))
            cells.append(f"{value:.3f} | {best:.3f}")
        print(f"| {workload} | {window} | {machine} | " + " | ".join(cells) + " |")
    for ours, _ in KINDS:
        wrong = wrong or bool(behind[ours])
        print(f"{ours}: {mean(all_ours[ours]):.3f}, best built-in of each row {mean(all_best[ours]):.3f}; "
              f"more than 2 % behind: {len(behind[ours])} of {len(rows)} {behind[ours] or ''}")
    sys.exit(1 if wrong else 0)


main()
