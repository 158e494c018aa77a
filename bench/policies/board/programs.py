#!/usr/bin/env python3
"""StarPU's own programs, unmodified, on recorded machines (StarPU's four and h100) in simulation: makespan in ms of a policy
over that of the best built-in one of the row.

  bench/policies/board/programs.py                                         # apex with StarPU's models, all programs below
  bench/policies/board/programs.py --policy apex:perfmodel --policy apex:knn --program cholesky_implicit:20 --machine idgraf
  bench/policies/board/programs.py --policy apex:perfmodel,STARPATH_LOCALITY=on   # options of the plug-in after a comma
  bench/policies/board/programs.py --policy apex:knn --policy apex:knn,second     # a first run, and the one after it

A policy is NAME or NAME:ESTIMATOR (STARPATH_ESTIMATOR; default perfmodel); the estimator starts cold, with an empty profile. With
",second" the program runs twice, and the second run, which begins with the profile of the first, counts. heteroprio is run twice and
counts with the data that it kept of the first run. A run that deadlocks, dies or takes longer than --limit counts as failed, and
a built-in one that failed is never the best. Answers are kept in the cache by the bytes of program and plug-in and by the
options, so a second call takes no time and a new plug-in asks only for its own policies.

Programs: cholesky_implicit:N, cholesky_tag:N, lu_implicit:N, lu_tag:N, sgemm:N with N blocks of 960 (h100: 480), and
parallel_independent_heterogeneous_tasks_data, which wants 90 % of the machine.

Needs scripts/build.sh --preset simgrid starpath_sched. The first call builds StarPU's programs in the cache (two minutes).
Exit code 1: a run of --policy failed or a row is above --bar."""
import argparse
import concurrent.futures
import math
import sys
from statistics import geometric_mean

from cached import ROOT
from starpu_programs import BUILT_IN, FULL_SPEED, MACHINES, PROGRAMS, is_recorded, places, run_program

TABLE = [f"cholesky_implicit:{n}" for n in (10, 20, 30, 40)] + ["cholesky_tag:30", "lu_implicit:10", "lu_implicit:20",
                                                                "sgemm:10", "sgemm:20", FULL_SPEED]


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", action="append", help="default: apex:perfmodel")
    parser.add_argument("--program", action="append", help="default: " + ", ".join(TABLE))
    parser.add_argument("--machine", action="append", choices=MACHINES)
    parser.add_argument("--built-in", action="append", help="default: " + ", ".join(BUILT_IN))
    parser.add_argument("--plugin", default=str(ROOT / "build/simgrid/sched_policies/libstarpath_sched.so"))
    parser.add_argument("--bar", type=float, default=math.inf, help="the ratio that no row may exceed")
    parser.add_argument("--limit", type=float, default=200, help="seconds for a run")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    for program in arguments.program or []:
        name, _, blocks = program.partition(":")
        if name not in PROGRAMS or not (blocks.isdigit() or name == FULL_SPEED):
            parser.error(f"no program {program}; there are {', '.join(PROGRAMS)}, with :BLOCKS")
    return arguments


def main():
    arguments = read_arguments()
    ours, built_in = arguments.policy or ["apex:perfmodel"], arguments.built_in or BUILT_IN
    rows = [(machine, program) for program in arguments.program or TABLE for machine in arguments.machine or MACHINES
            if is_recorded(machine, program.partition(":")[0])]
    places()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        def start(row, policy):
            name, _, blocks = row[1].partition(":")
            return pool.submit(run_program, row[0], name, int(blocks or 0), policy, arguments.plugin, arguments.limit)
        runs = [{policy: start(row, policy) for policy in [*built_in, *ours]} for row in rows]
        wrong = report(rows, runs, ours, built_in, arguments.bar)
    sys.exit(1 if wrong else 0)


def report(rows, runs, ours, built_in, bar):
    """Prints a row as soon as it is there; whether something is wrong."""
    wrong, ratios = False, {policy: [] for policy in ours}
    print("| program | machine | best built-in | ms | " + " | ".join(ours) + " |\n" + "|---" * (4 + len(ours)) + "|")
    for (machine, program), started in zip(rows, runs):
        found = {policy: run.result() for policy, run in started.items()}
        times = {policy: found[policy]["ms"] for policy in built_in if found[policy]["ms"]}
        best = min(times, key=times.get, default=None)
        cells = []
        for policy in ours:
            run = found[policy]
            if run["failure"]:
                cells.append(run["failure"])
                wrong = True
            elif best:
                ratios[policy].append(run["ms"] / times[best])
                wrong |= ratios[policy][-1] > bar
                cells.append(f"{ratios[policy][-1]:.3f}" + (f" ({run['percent']} %)" if "percent" in run else ""))
            else:
                cells.append(f"{run['ms']:.1f} ms")
        failed = [policy for policy in built_in if found[policy]["failure"]]
        print(f"| {program} | {machine} | {best}{' (failed: ' + ', '.join(failed) + ')' if failed else ''} | "
              f"{times.get(best, math.nan):.1f} | {' | '.join(cells)} |", flush=True)
    means = [f"{geometric_mean(found):.3f}, worst {max(found):.3f}" if found else "" for found in ratios.values()]
    print(f"| geometric mean | | | | {' | '.join(means)} |")
    return wrong


if __name__ == "__main__":
    main()
