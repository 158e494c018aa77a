#!/usr/bin/env python3
"""Several small slides in one run beside a call for each, in turn, and how idle workers are between slides.

Usage: bench/study/one_run.py [--slides 16] [--size 1024] [--pairs 5] [--cpus 2] [--program PATH]

A pair is one study and then one call a slide, or the other way round. Printed: seconds of both, their ratio, and of the
study the share of the workers' time without a task, from the first task to the last begun: the tail of the last slide,
when nothing is left to begin, is told apart.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def seconds_of(command):
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def idle_share(record):
    """Of the workers' time, until the last task is begun."""
    spans = [(worker, started, finished) for _, worker, started, finished in json.loads(record.read_text())["tasks"]]
    workers = {worker for worker, _, _ in spans}
    begin = min(started for _, started, _ in spans)
    end = max(started for _, started, _ in spans)
    busy = sum(min(finished, end) - started for _, started, finished in spans if started < end)
    return 1 - busy / (len(workers) * (end - begin))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slides", type=int, default=16)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--cpus", type=int, default=2)
    parser.add_argument("--program", default=str(ROOT / "build/native/apps/starpath"))
    asked = parser.parse_args()
    slides = [f"synthetic:{asked.size}x{asked.size},seed={seed}" for seed in range(asked.slides)]
    common = ["--cpus", str(asked.cpus), "--quiet", "--overwrite"]
    ratios, idle = [], []
    print(f"{asked.slides} slides of {asked.size}x{asked.size} px, {asked.cpus} workers")
    print(f"{'pair':<5}{'one run s':>11}{'calls s':>11}{'ratio':>8}{'idle %':>8}")
    with tempfile.TemporaryDirectory() as folder:
        study, alone, record = (pathlib.Path(folder) / name for name in ("study", "alone", "record.json"))

        def one_run():
            return seconds_of([asked.program, "segment", *slides, *common, "--out", study, "--record", record])

        def calls():
            return sum(seconds_of([asked.program, "segment", slide, *common, "--out", alone / str(i)])
                       for i, slide in enumerate(slides))

        for pair in range(asked.pairs):
            if pair % 2 == 0:
                together = one_run()
                apart = calls()
            else:
                apart = calls()
                together = one_run()
            ratios.append(apart / together)
            idle.append(100 * idle_share(record))
            print(f"{pair + 1:<5}{together:>11.2f}{apart:>11.2f}{ratios[-1]:>8.2f}{idle[-1]:>8.2f}", flush=True)
    print(f"{'med':<5}{'':>22}{statistics.median(ratios):>8.2f}{statistics.median(idle):>8.2f}")


if __name__ == "__main__":
    main()
