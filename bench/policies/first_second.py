#!/usr/bin/env python3
"""First and second runs of the pipelines with the default estimates of a policy, beside StarPU's history.

usage: first_second.py STARPATH SLIDE [--model MODEL] [--turns N] [--policy POLICY]...

A turn has three runs: one with StarPU's history, which an earlier run has made (STARPATH_ESTIMATOR=perfmodel), a first
one, whose profile is not there yet, and a second one with the profile that the first one left. The table has medians of
the seconds, and medians and ranges of the ratios to the run with the history in the same turn.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def seconds_of(command, policy, environment):
    with tempfile.TemporaryDirectory() as folder:
        whole = [*command, "--policy", policy, "--out", f"{folder}/results", "--quiet"]
        began = time.monotonic()
        ended = subprocess.run(whole, env={**os.environ, **environment}, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        took = time.monotonic() - began
    if ended.returncode != 0:
        sys.exit(f"{' '.join(whole)}: exit status {ended.returncode}\n{ended.stderr}")
    return took


def turns_of(command, policy, turns):
    """(with the history, first run, second run) in seconds, a turn each."""
    with tempfile.TemporaryDirectory() as home:
        history = {"STARPATH_ESTIMATOR": "perfmodel", "STARPU_HOME": home, "STARPATH_PROFILE": "none"}
        seconds_of(command, policy, history)  # makes the history, and brings the slide into the page cache
        for turn in range(turns):
            samples = {"STARPU_HOME": home, "STARPATH_PROFILE": str(pathlib.Path(home, f"profile{turn}"))}
            yield tuple(seconds_of(command, policy, environment) for environment in (history, samples, samples))


def ratio_text(runs, which):
    ratios = [run[which] / run[0] for run in runs]
    return f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("starpath")
    parser.add_argument("slide")
    parser.add_argument("--model", default="bundled", help="of NBIA")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--policy", action="append", help="default: pats, pams, apex")
    asked = parser.parse_args()
    pipelines = {
        "segmentation": [asked.starpath, "segment", asked.slide, "--export", "none"],
        "NBIA": [asked.starpath, "nbia", "run", asked.slide, "--model", asked.model],
    }
    print("| pipeline | policy | history, s | first, s | second, s | first / history | second / history |")
    print("|---|---|---|---|---|---|---|")
    for pipeline, command in pipelines.items():
        for policy in asked.policy or ("pats", "pams", "apex"):
            runs = list(turns_of(command, policy, asked.turns))
            middles = " | ".join(f"{statistics.median(column):.2f}" for column in zip(*runs))
            print(f"| {pipeline} | `{policy}` | {middles} | {ratio_text(runs, 1)} | {ratio_text(runs, 2)} |", flush=True)


if __name__ == "__main__":
    main()
