#!/usr/bin/env python3
"""Whole runs of `starpath segment` on one slide: time, processor time, memory, and the parts of the processor time.

usage: run.py SLIDE PROGRAM [PROGRAM...] [--turns N] [--option OPTION]... [--beside COMMAND] [--markdown FILE]

Each PROGRAM is a build of starpath, as before and after a change. A turn runs each program once with each number of
workers and exports, so that a machine whose speed drifts treats all alike. Runs learn nothing from earlier ones
(STARPATH_PROFILE=none), and the slide is in the page cache after a first run that does not count.

The first table has medians over the turns. The second table has, for one worker without exports, the time of the tasks
of each codelet (STARPATH_STATS), and what the rest of the program took of the processor. Processor time is that of the
command and of all processes that it started; a task's time is what passes from its start to its end, so the second table
says something on a quiet machine only.

--beside runs another program in the same turns, as COMMAND SLIDE WORKERS: "python3 skimage_tiles.py". --option gives
each starpath an option more, as --option=--trusted.
"""
import argparse
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

KINDS = [(1, "none"), (2, "none"), (2, "default")]


def measured(command, environment):
    """Seconds, seconds of processor time and peak MiB of one run of a command."""
    began = time.monotonic()
    child = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{shlex.join(command)}: exit status {child.returncode}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def segmented(program, asked, workers, exports):
    """The same of `starpath segment`, and the seconds of the tasks of each codelet."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "segment", asked.slide, "--out", f"{folder}/results", "--cpus", str(workers), "--quiet"]
        command += asked.option + (["--export", "none"] if exports == "none" else [])
        statistics_file = pathlib.Path(folder, "tasks.json")
        figures = measured(command, {"STARPATH_PROFILE": "none", "STARPATH_STATS": str(statistics_file)})
        ran = json.loads(statistics_file.read_text())["ran"]
        return figures, {entry["codelet"]: entry["seconds"] for entry in ran}


def machine():
    with open("/proc/cpuinfo") as lines:
        name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown")
    return f"{name}, {len(os.sched_getaffinity(0))} cores"


def medians(runs):
    return [statistics.median(column) for column in zip(*runs)]


def table(asked, runs, beside):
    lines = ["| program | workers | exports | seconds | processor seconds | peak MiB |", "|---|---|---|---|---|---|"]

    def add(program, workers, exports, figures):
        seconds, processor, memory = medians(figures)
        lines.append(f"| {program} | {workers} | {exports} | {seconds:.2f} | {processor:.2f} | {memory:.0f} |")

    for workers, exports in KINDS:
        for program in asked.programs:
            add(program, workers, exports, [figures for figures, _ in runs[program, workers, exports]])
    for workers, figures in beside.items():
        add(asked.beside, workers, "", figures)
    return lines


def parts(asked, runs):
    """Where the processor seconds of one worker go, a column a program."""
    columns = []
    for program in asked.programs:
        of_program = runs[program, 1, "none"]
        column = {name: statistics.median(tasks.get(name, 0) for _, tasks in of_program) for name in of_program[0][1]}
        rests = [figures[1] - sum(tasks.values()) for figures, tasks in of_program]
        columns.append({**column, "the rest of the program": statistics.median(rests)})
    names = sorted(columns[-1], key=columns[-1].get, reverse=True)
    lines = ["| part | " + " | ".join(asked.programs) + " |", "|---|" + "---|" * len(columns)]
    for name in names:
        shares = [f"{column.get(name, 0):.2f} ({column.get(name, 0) / sum(column.values()):.0%})" for column in columns]
        lines.append(f"| {name} | " + " | ".join(shares) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("slide")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--option", action="append", default=[], help="one more for each starpath")
    parser.add_argument("--beside", metavar="COMMAND", help="another program, in the same turns")
    parser.add_argument("--markdown", type=pathlib.Path, help="write the tables to this file, too")
    asked = parser.parse_args()
    runs, beside = {}, {}
    segmented(asked.programs[0], asked, 2, "none")
    for turn in range(asked.turns):
        for workers, exports in KINDS:
            for program in asked.programs[::-1] if turn % 2 else asked.programs:
                runs.setdefault((program, workers, exports), []).append(segmented(program, asked, workers, exports))
        for workers in (1, 2) if asked.beside else ():
            command = [*shlex.split(asked.beside), asked.slide, str(workers)]
            beside.setdefault(workers, []).append(measured(command, {}))
    lines = [f"{machine()}; medians of {asked.turns} turns; {asked.slide}", "", *table(asked, runs, beside), ""]
    lines += parts(asked, runs)
    print("\n".join(lines))
    if asked.markdown:
        asked.markdown.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
