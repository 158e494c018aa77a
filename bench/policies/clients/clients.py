#!/usr/bin/env python3
"""Programs that others wrote, under every policy, in turns: each turn runs every program once under each policy.

  bench/policies/clients/clients.py --plugin build/native/sched_policies/libstarpath_sched.so \\
      --folder task-bench=/path/to/task-bench bench/policies/clients/task-bench.toml

A file of runs (README.md beside this file) says how a program is started, how its output tells the time, and what in it
means that its result is wrong. A run fails where the exit status is not 0, the time is missing, the output says that the result
is wrong or lacks what must be there, or the time limit is over. Of each run and policy the table has the median time of all turns
over that of the first policy, and the number of failures. The exit status is 1 where a run failed."""
import argparse
import collections
import math
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tomllib

BUILT_IN = ["lws", "eager", "prio", "dmda", "dmdas"]
OURS = ["fcfs", "ddfcfs", "ddwrr", "pats", "padas", "pams", "odds", "eft", "apex"]
KEYS = {"name", "command", "seconds", "wrong", "needed", "environment", "limit"}


def read_runs(path):
    """The runs of one file. Exits with one line where the file is none of runs."""
    try:
        with open(path, "rb") as file:
            runs = tomllib.load(file)["run"]
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        sys.exit(f"{path}: is no file of runs: {error}")
    for run in runs:
        if missing := {"name", "command", "seconds"} - run.keys():
            sys.exit(f"{path}: a run lacks {', '.join(sorted(missing))}")
        if unknown := run.keys() - KEYS:
            sys.exit(f"{path}: run {run['name']}: unknown {', '.join(sorted(unknown))}")
    return runs


def command_of(run, folders):
    try:
        return [word.format(**folders) for word in shlex.split(run["command"])]
    except KeyError as folder:
        sys.exit(f"run {run['name']}: say --folder {folder.args[0]}=FOLDER")


def outcome(run, command, environment):
    """Seconds, or why the run failed."""
    try:
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=run.get("limit", 120))
    except subprocess.TimeoutExpired:
        return None, "time limit"
    except OSError as error:
        sys.exit(f"run {run['name']}: {error}")
    if done.returncode != 0:
        return None, f"exit status {done.returncode}"
    if re.search(r"Warning: scheduling policy .* was not found", done.stdout):
        return None, "StarPU did not find the policy"
    if "wrong" in run and (said := re.search(run["wrong"], done.stdout)):
        return None, f"wrong: {said.group(0)}"
    if "needed" in run and not re.search(run["needed"], done.stdout):
        return None, f"the output lacks {run['needed']}"
    said = re.search(run["seconds"], done.stdout)
    return (float(said.group(1)), "") if said else (None, "the output does not tell the time")


def measure(runs, folders, policies, plugin, turns):
    """Times by run and policy, and failures as (run, policy, why)."""
    times, failures = collections.defaultdict(list), []
    for turn in range(turns):
        for run in runs:
            command = command_of(run, folders)
            for policy in policies:
                environment = dict(os.environ, STARPU_SCHED=policy, STARPU_SCHED_LIB=plugin, STARPATH_PROFILE="none",
                                   **run.get("environment", {}))
                seconds, why = outcome(run, command, environment)
                if seconds is None:
                    failures.append((run["name"], policy, why))
                    print(f"turn {turn + 1}: {run['name']} under {policy}: {why}", file=sys.stderr, flush=True)
                else:
                    times[run["name"], policy].append(seconds)
        print(f"turn {turn + 1} of {turns}", file=sys.stderr, flush=True)
    return times, failures


def table(runs, policies, times, failures):
    lines = [f"| policy | {' | '.join(run['name'] for run in runs)} | geometric mean | failures |", "|---" * (len(runs) + 3) + "|"]
    for policy in policies:
        cells, logarithms = [], []
        for run in runs:
            own, beside = times[run["name"], policy], times[run["name"], policies[0]]
            if not own or not beside:
                cells.append("-")
                continue
            own, beside = statistics.median(own), statistics.median(beside)
            cells.append(f"{own * 1000:.1f} ms" if policy == policies[0] else f"{own / beside:.2f}")
            logarithms.append(math.log(own / beside))
        mean = f"{math.exp(statistics.fmean(logarithms)):.2f}" if logarithms else "-"
        failed = sum(one[1] == policy for one in failures)
        lines.append(f"| `{policy}` | {' | '.join(cells)} | {mean} | {failed or ''} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", help="files of runs")
    parser.add_argument("--plugin", required=True, type=pathlib.Path)
    parser.add_argument("--folder", action="append", default=[], metavar="NAME=FOLDER", help="where {NAME} of the commands is")
    parser.add_argument("--policies", default=",".join(BUILT_IN + OURS), help="the first is what others are compared with")
    parser.add_argument("--turns", type=int, default=5)
    arguments = parser.parse_args()
    folders = dict(text.split("=", 1) for text in arguments.folder if "=" in text)
    runs = [run for path in arguments.runs for run in read_runs(path)]
    policies = arguments.policies.split(",")
    times, failures = measure(runs, folders, policies, str(arguments.plugin.resolve(strict=True)), arguments.turns)
    print(table(runs, policies, times, failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
