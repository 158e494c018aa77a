#!/usr/bin/env python3
"""Whole runs of `starpath segment` on one slide: time, processor time, memory.

usage: run.py SLIDE PROGRAM [PROGRAM...] [--turns N] [--markdown FILE]

Each PROGRAM is a build of starpath, as before and after a change. A turn runs each program once with each number of
workers and exports, so that a machine whose speed drifts treats all alike. The table has medians over the turns. Runs
learn nothing from earlier ones (STARPATH_PROFILE=none), and the slide is in the page cache after a first run that does
not count.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

KINDS = [(1, "none"), (2, "none"), (2, "default")]


def measured(program, slide, workers, exports):
    """Seconds, seconds of processor time and peak MiB of one run."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "segment", slide, "--out", f"{folder}/results", "--cpus", str(workers), "--quiet"]
        if exports == "none":
            command += ["--export", "none"]
        began = time.monotonic()
        child = subprocess.Popen(command, env={**os.environ, "STARPATH_PROFILE": "none"}, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit status {child.returncode}")
        return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def machine():
    with open("/proc/cpuinfo") as lines:
        name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown")
    return f"{name}, {len(os.sched_getaffinity(0))} cores"


def table(programs, runs):
    lines = ["| program | workers | exports | seconds | processor seconds | peak MiB |", "|---|---|---|---|---|---|"]
    for workers, exports in KINDS:
        for program in programs:
            columns = zip(*runs[program, workers, exports])
            seconds, processor, memory = (statistics.median(column) for column in columns)
            lines.append(f"| {program} | {workers} | {exports} | {seconds:.2f} | {processor:.2f} | {memory:.0f} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("slide")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--markdown", type=pathlib.Path, help="write the table to this file, too")
    asked = parser.parse_args()
    runs = {}
    measured(asked.programs[0], asked.slide, 2, "none")
    for turn in range(asked.turns):
        for workers, exports in KINDS:
            for program in asked.programs[::-1] if turn % 2 else asked.programs:
                runs.setdefault((program, workers, exports), []).append(measured(program, asked.slide, workers, exports))
    lines = [f"{machine()}; medians of {asked.turns} turns; {asked.slide}", "", *table(asked.programs, runs)]
    print("\n".join(lines))
    if asked.markdown:
        asked.markdown.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
