#!/usr/bin/env python3
"""Policies of Starpath and of StarPU on rows that are set apart by name (rows.toml): StarPU's own programs on its recorded
machines, and drawn graphs on drawn machines (drawn.py). Each row: makespan over that of its best built-in policy.

  bench/policies/board/board.py                    # apex on the rows to tune on
  bench/policies/board/board.py --report           # on the rows to report on; look at them last
  bench/policies/board/board.py --policy apex:exact --policy pats:exact --kind drawn

A policy is NAME:ESTIMATES. `exact`: calibrated models (StarPU's programs) or true times (drawn graphs). `auto`: the same ones
at the start, and what the plug-in learns after that. Built-in policies have exact estimates; heteroprio has the data that it
kept of a run before. A run that deadlocks, dies or takes longer than --limit counts as failed, and a built-in one that failed
is never the best. Answers are kept in the cache, so only what changed is simulated again.

Needs scripts/build.sh --preset simgrid. Exit code 1: a run of --policy failed or a row is above --bar."""
import argparse
import concurrent.futures
import math
import pathlib
import sys
import tomllib
from statistics import geometric_mean

from cached import ROOT
from drawn import run_drawn
from starpu_programs import BUILT_IN, is_recorded, places, run_program


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", action="store_true", help="the rows to report on instead of those to tune on")
    parser.add_argument("--policy", action="append", help="default: apex:exact and apex:auto")
    parser.add_argument("--kind", choices=["programs", "drawn"], help="default: both")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/simgrid")
    parser.add_argument("--bar", type=float, default=math.inf, help="the ratio that no row may exceed")
    parser.add_argument("--limit", type=int, default=120, help="seconds for a run")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if not plugin_of(arguments).exists():
        parser.error(f"no {plugin_of(arguments)}: scripts/build.sh --preset simgrid makes it")
    return arguments


def plugin_of(arguments):
    return arguments.build / "sched_policies/libstarpath_sched.so"


def program_run(machine, row, arguments):
    """A function of policy and estimates that runs the program: its time and its failure."""
    name, _, blocks = row.partition(":")

    def run(policy, estimates):
        text = policy if policy in BUILT_IN else f"{policy}:{'perfmodel' if estimates == 'exact' else estimates}"
        found = run_program(machine, name, int(blocks), text, plugin_of(arguments), arguments.limit)
        return found["ms"], found["failure"]
    return run


def drawn_run(machine, family, arguments):
    def run(policy, estimates):
        found = run_drawn(machine, family, policy, estimates, arguments.build, arguments.limit)
        return found["ratio"], found["failure"]
    return run


def rows_of(arguments):
    """Name of each row, and how it is run."""
    half = tomllib.loads((pathlib.Path(__file__).parent / "rows.toml").read_text())["report" if arguments.report else "tune"]
    rows = []
    if arguments.kind != "drawn":
        places()
        rows += [(f"{program}, {machine}", program_run(machine, program, arguments))
                 for program in half["programs"] for machine in half["machines"] if is_recorded(machine, program.partition(":")[0])]
    if arguments.kind != "programs":
        rows += [(f"{family}, {machine}", drawn_run(machine, family, arguments))
                 for family in half["families"] for machine in half["drawn"]]
    return rows


def main():
    arguments = read_arguments()
    ours = [policy.split(":") for policy in arguments.policy or ["apex:exact", "apex:auto"]]
    everybody = [*[(name, "exact") for name in BUILT_IN], *map(tuple, ours)]
    rows = rows_of(arguments)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = [{who: pool.submit(run, *who) for who in everybody} for _, run in rows]
        results = report([name for name, _ in rows], runs, everybody)
    means(results, everybody)
    worst = max((row[who] / best_of(row) for row in results for who in everybody[len(BUILT_IN):] if who in row), default=1)
    complete = all(who in row for row in results for who in everybody[len(BUILT_IN):])
    sys.exit(0 if complete and worst <= arguments.bar else 1)


def best_of(row):
    return min((time for (name, _), time in row.items() if name in BUILT_IN), default=math.nan)


def report(names, runs, everybody):
    """Prints each row as soon as it is there. Returns each row's times by policy, without those that failed."""
    ours, results = everybody[len(BUILT_IN):], []
    print("| row | best built-in | " + " | ".join(":".join(who) for who in ours) + " | failed |\n" + "|---" * (3 + len(ours)) + "|")
    for name, started in zip(names, runs):
        found = {who: run.result() for who, run in started.items()}
        row = {who: time for who, (time, failure) in found.items() if not failure}
        results.append(row)
        best = best_of(row)
        winner = next((who[0] for who, time in row.items() if time == best), "none")
        cells = [f"{row[who] / best:.3f}" if who in row else "failed" for who in ours]
        failed = ", ".join(who[0] for who, (_, failure) in found.items() if failure)
        print(f"| {name} | {winner} | {' | '.join(cells)} | {failed} |", flush=True)
    return results


def means(results, everybody):
    """Over the best built-in policy of each row, and over the built-in policy that is best on the whole."""
    ours, theirs = everybody[len(BUILT_IN):], everybody[:len(BUILT_IN)]
    # A policy that failed a row counts there as the worst built-in that did not.
    filled = {who: [row.get(who, max(time for (name, _), time in row.items() if name in BUILT_IN)) for row in results]
              for who in everybody}
    single = min(theirs, key=lambda who: geometric_mean(filled[who]))
    for who in ours:
        over_best = [time / best_of(row) for time, row in zip(filled[who], results)]
        over_single = geometric_mean(filled[who]) / geometric_mean(filled[single])
        print(f"\n{':'.join(who)}: over the best built-in of each row {geometric_mean(over_best):.3f}, worst {max(over_best):.3f}, "
              f"{sum(ratio > 1.03 for ratio in over_best)} of {len(results)} rows above 1.03; over {single[0]}, the best single "
              f"built-in, {over_single:.3f}")


if __name__ == "__main__":
    main()
