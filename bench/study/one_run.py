#!/usr/bin/env python3
"""Several small slides in one run beside a call for each, in turn, and what workers and cores do between slides.

Usage: bench/study/one_run.py [--slides 16] [--size 1024 | --image FILE...] [--pairs 5] [--cpus 2] [--out FOLDER]
                              [--program PATH...] [--no-calls]

A pair is one study and then one call a slide, or the other way round. Slides are synthetic, or copies of the images in
turn. Of several programs (before, after) each pair measures all, one after the other. Printed for each study:

  idle %     the workers' time without a task, from the first task to the last begun: the tail of the last slide, when
             nothing is left to begin, is told apart
  waits %    the part of it in gaps of over a millisecond: shorter ones are StarPU's way from one task to the next
  none %     the part of that time in which no worker has a task
  cores %    processor time of the process, without that of workers that look for tasks, over wall time times --cpus,
             from its start to its end: a core that packs exports is not idle
  poll %     what workers that look for tasks took, over the same

--out: where results are written, on a disk or in memory (/dev/shm). Default: the folder of temporary files.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLED = 0.02  # seconds


def processor_seconds(process, name):
    """Processor time so far of the living threads of that name."""
    seconds = {}
    for thread in pathlib.Path(f"/proc/{process}/task").glob("*"):
        try:
            if (thread / "comm").read_text().startswith(name):
                seconds[thread.name] = int((thread / "schedstat").read_text().split()[0]) * 1e-9
        except (OSError, IndexError):
            pass  # it has ended
    return seconds


class Measured:
    """One process: wall time, its processor time, and that of StarPU's workers on cores."""

    def __init__(self, command):
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        workers = {}
        ended = threading.Event()

        def watch():
            while not ended.wait(SAMPLED):
                workers.update(processor_seconds(process.pid, "CPU "))

        watcher = threading.Thread(target=watch)
        watcher.start()
        _, status, usage = os.wait4(process.pid, 0)
        self.wall = time.monotonic() - begin
        ended.set()
        watcher.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"exit status {process.returncode}: {' '.join(map(str, command))}")
        self.processor = usage.ru_utime + usage.ru_stime
        self.workers = sum(workers.values())


def seconds_of(command):
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def spans_of(record):
    return [(worker, started, finished) for _, worker, started, finished in json.loads(record.read_text())["tasks"]]


LONG_GAP = 1e-3  # seconds


def idle_shares(spans):
    """Of the workers' time, in all gaps and in long ones, and of the time, until the last task is begun."""
    workers = {worker for worker, _, _ in spans}
    begin = min(started for _, started, _ in spans)
    end = max(started for _, started, _ in spans)
    idle = waits = 0
    for worker in workers:
        reached = begin
        for started, finished in sorted((s, f) for w, s, f in spans if w == worker):
            gap = max(0, min(started, end) - reached)
            idle += gap
            waits += gap if gap > LONG_GAP else 0
            reached = max(reached, min(finished, end))
        idle += end - reached
        waits += end - reached
    covered, reached = 0, begin
    for _, started, finished in sorted(spans, key=lambda span: span[1]):
        covered += max(0, min(finished, end) - max(started, reached))
        reached = max(reached, min(finished, end))
    whole = len(workers) * (end - begin)
    return idle / whole, waits / whole, 1 - covered / (end - begin)


def copies_of(images, count, folder):
    """So many slides, each a copy under a name of its own."""
    folder.mkdir()
    slides = []
    for number in range(count):
        image = pathlib.Path(images[number % len(images)])
        slides.append(folder / f"s{number:03}_{image.name}")
        shutil.copyfile(image, slides[-1])
    return slides


class Program:
    """One program and what its pairs gave."""

    def __init__(self, path, slides, cpus, folder):
        self.path, self.slides, self.cpus = path, slides, cpus
        self.common = ["--cpus", str(cpus), "--quiet", "--overwrite"]
        self.study, self.alone, self.record = folder / "study", folder / "alone", folder / "record.json"
        self.rows = []

    def one_run(self):
        # Each run makes its files anew.
        shutil.rmtree(self.study, ignore_errors=True)
        run = Measured([self.path, "segment", *self.slides, *self.common, "--out", self.study, "--record", self.record])
        spans = spans_of(self.record)
        idle, waits, none = idle_shares(spans)
        polled = max(0, run.workers - sum(finished - started for _, started, finished in spans))
        whole = run.wall * self.cpus
        return run.wall, [100 * share for share in (idle, waits, none, (run.processor - polled) / whole, polled / whole)]

    def calls(self):
        shutil.rmtree(self.alone, ignore_errors=True)
        return sum(seconds_of([self.path, "segment", slide, *self.common, "--out", self.alone / str(number)])
                   for number, slide in enumerate(self.slides))

    def pair(self, study_first, with_calls):
        apart = self.calls() if with_calls and not study_first else None
        together, shares = self.one_run()
        apart = self.calls() if with_calls and study_first else apart
        self.rows.append([together, apart, apart / together if apart else None, *shares])
        return self.rows[-1]

    def medians(self):
        return [statistics.median(column) if None not in column else None for column in zip(*self.rows)]


def line(first, row):
    return f"{first:<14}" + "".join(f"{'' if value is None else format(value, '.2f'):>11}" for value in row)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slides", type=int, default=16)
    parser.add_argument("--size", type=int, default=1024, help="of synthetic slides, pixels")
    parser.add_argument("--image", nargs="+", help="copies of these instead of synthetic slides")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--cpus", type=int, default=2)
    parser.add_argument("--out", help="folder in which results are written")
    parser.add_argument("--program", nargs="+", default=[str(ROOT / "build/native/apps/starpath")])
    parser.add_argument("--no-calls", action="store_true", help="only the studies")
    asked = parser.parse_args()
    what = f"copies of {' '.join(asked.image)}" if asked.image else f"synthetic, {asked.size}x{asked.size} px"
    with tempfile.TemporaryDirectory(dir=asked.out) as place:
        folder = pathlib.Path(place)
        slides = (copies_of(asked.image, asked.slides, folder / "slides") if asked.image else
                  [f"synthetic:{asked.size}x{asked.size},seed={seed}" for seed in range(asked.slides)])
        programs = [Program(path, slides, asked.cpus, folder) for path in asked.program]
        print(f"{asked.slides} slides ({what}), {asked.cpus} workers, results in {folder.parent}, "
              f"load {os.getloadavg()[0]:.1f}")
        titles = ["one run s", "calls s", "ratio", "idle %", "waits %", "none %", "cores %", "poll %"]
        print(f"{'program pair':<14}" + "".join(f"{title:>11}" for title in titles))
        for pair in range(asked.pairs):
            order = list(enumerate(programs, 1))
            for number, program in order if pair % 2 == 0 else reversed(order):
                row = program.pair(pair % 2 == 0, not asked.no_calls)
                print(line(f"{number:>7} {pair + 1}", row), flush=True)
        for number, program in enumerate(programs, 1):
            print(line(f"{number:>7} median", program.medians()))
        print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
