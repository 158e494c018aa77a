#!/usr/bin/env python3
"""Mixed work under faults for as long as is asked for, with everything verified.

Runs the scenarios of scenarios.py, two at a time, until the time is over. Each takes a job (a pipeline on a synthetic
slide), disturbs it, and lets it go on until it ends well. Its exports must then be those of an undisturbed run byte for
byte, its exit codes those of docs/robustness.md, its folder without leftovers. Exit status 1 and the folders of what
went wrong when something is not so.

  bench/soak/soak.py --minutes 3      # CI
  bench/soak/soak.py --minutes 360    # before a release
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time

from jobs import JOBS, Runner
from scenarios import SCENARIOS


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--starpath", default=str(root / "build/native/apps/starpath"), help="the program under test")
    parser.add_argument("--seed", type=int, default=None, help="of the choices; default: a new one, which is printed")
    parser.add_argument("--slots", type=int, default=2, help="scenarios at once")
    parser.add_argument("--only", action="append", choices=sorted(SCENARIOS), help="only this scenario; may be repeated")
    parser.add_argument("--folder", help="where runs write; default: a temporary folder")
    parser.add_argument("--json", help="also write the figures to this file")
    return parser.parse_args()


class Soak:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.counts, self.lock = collections.Counter(), threading.Lock()
        self.findings, self.memory = [], collections.defaultdict(list)
        self.runner = Runner(options.starpath, folder, self)
        self.end = 0.0

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def used(self, job, kilobytes):
        """Of a run that nothing disturbed."""
        with self.lock:
            self.memory[job].append(kilobytes)

    def references(self):
        for job in JOBS:
            self.runner.make_reference(job)

    def slot(self, number):
        choose = random.Random(f"{self.options.seed}/{number}")
        names = sorted(self.options.only or SCENARIOS)
        queue = []
        while time.monotonic() < self.end:
            queue = queue or choose.sample(names, len(names))  # each in turn, in an order by chance
            self.one(queue.pop(), choose)

    def one(self, name, choose):
        out = pathlib.Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.folder))
        self.count(f"scenario {name}")
        try:
            SCENARIOS[name](self.runner, choose, out)
        except AssertionError as wrong:
            with self.lock:
                self.findings.append(f"{name}: {wrong} (kept: {out})")
                print(f"soak: FOUND {self.findings[-1]}", file=sys.stderr, flush=True)
        else:
            shutil.rmtree(out)

    def run(self):
        self.references()
        self.end = time.monotonic() + 60 * self.options.minutes
        slots = [threading.Thread(target=self.slot, args=(number,)) for number in range(self.options.slots)]
        for slot in slots:
            slot.start()
        for slot in slots:
            slot.join()
        leftovers = sorted(path.name for path in self.runner.temporary.iterdir())
        if leftovers:
            self.findings.append(f"left in TMPDIR: {leftovers[:5]}")
        self.findings += memory_growth(self.memory)

    def report(self):
        kills = self.counts["killed"] + self.counts["killed ranks"]
        faults = self.counts["full disks"] + self.counts["flipped bits"] + self.counts["stopped"] + self.counts["interrupted"]
        return {
            "minutes": self.options.minutes,
            "seed": self.options.seed,
            "runs": self.counts["runs"],
            "kills": kills,
            "faults": faults,
            "exports compared": self.counts["exports compared"],
            "hangs": self.counts["hangs"],
            "findings": self.findings,
            "counts": dict(sorted(self.counts.items())),
            "memory": {job: {"runs": len(used), "median MiB": round(statistics.median(used) / 1024)}
                       for job, used in sorted(self.memory.items())},
        }


def memory_growth(memory):
    """What undisturbed runs of one job take at the end and at the beginning: a quarter more is growth."""
    found = []
    for job, used in memory.items():
        part = len(used) // 3
        if part < 3:
            continue
        first, last = statistics.median(used[:part]), statistics.median(used[-part:])
        if last > 1.25 * first:
            found.append(f"memory of {job} grew from {first / 1024:.0f} to {last / 1024:.0f} MiB")
    return found


def main():
    options = arguments()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1 << 32)
    if not os.access(options.starpath, os.X_OK):
        sys.exit(f"soak: {options.starpath}: no such program; build it with scripts/build.sh starpath starpath_sched")
    folder = pathlib.Path(options.folder or tempfile.mkdtemp(prefix="starpath-soak-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"soak: {options.minutes:g} minutes in {folder}, seed {options.seed}", file=sys.stderr, flush=True)
    soak = Soak(options, folder)
    soak.run()
    report = soak.report()
    print(json.dumps(report, indent=1))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(report, indent=1) + "\n")
    if report["findings"]:
        sys.exit(1)
    if not options.folder:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
