#!/usr/bin/env python3
"""From the results of tiles to accepted nuclei and all default exports: time, processor time, memory.

usage: million.py PROGRAM SLIDE FOLDER [--cpus N]

A first run segments SLIDE into FOLDER without exports, unless FOLDER has results.sqlite already. Then
`segment --resume` finds all tiles done: it checks the file, accepts the nuclei anew and writes the exports. What the
check alone costs is what `starpath verify` takes.
"""
import argparse
import os
import pathlib
import sqlite3
import subprocess
import sys
import time


def measured(*command):
    """Seconds, seconds of processor time and peak MiB of a command."""
    began = time.monotonic()
    child = subprocess.Popen(command, env={**os.environ, "STARPATH_PROFILE": "none"}, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def tell(what, figures):
    seconds, processor, memory = figures
    print(f"{what}: {seconds:.1f} s, {processor:.1f} s of processor time, peak {memory:.0f} MiB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("slide")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cpus", type=int, default=2)
    asked = parser.parse_args()
    results = asked.folder / "results.sqlite"
    segment = [asked.program, "segment", asked.slide, "--out", asked.folder, "--quiet", "--cpus", str(asked.cpus)]
    if not results.exists():
        tell("the run without exports", measured(*segment, "--export", "none"))
    for name in ("nuclei.geojson", "nuclei.csv", "labels.tif", "overlay.png"):
        (asked.folder / name).unlink(missing_ok=True)
    tell("check, acceptance and exports", measured(*segment, "--resume"))
    tell("check alone", measured(asked.program, "verify", asked.folder))
    with sqlite3.connect(f"file:{results}?mode=ro", uri=True) as database:
        print(database.execute("SELECT count(*) FROM accepted").fetchone()[0], "nuclei")
    for file in sorted(asked.folder.iterdir()):
        print(f"  {file.name}: {file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
