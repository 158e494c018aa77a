#!/usr/bin/python3
"""Re-runs the simulated experiments of anthill-2010, hybrid-pipelines-2012, edc-2014 and hdss-2013 and writes a page that
sets each value of the papers beside ours.

usage: bench/papers/simulated/run.py [--lab PROGRAM] [--loops PROGRAM] [--out FOLDER] [--seeds 1,2,3] [--jobs N]
                                     [--page-only | --loops-only]

Needs starpath-lab (scripts/build.sh --preset simgrid starpath-lab), reproduce_hdss (scripts/build.sh reproduce_hdss) and
python3-matplotlib. Writes FOLDER/papers.md,
FOLDER/papers.json (every value that the page is made of) and FOLDER/papers/*.svg. With --page-only it runs nothing and makes
the page from FOLDER/papers.json; with --loops-only it runs hdss-2013 (seconds) and keeps the other papers' values."""
import argparse
import concurrent.futures
import json
import pathlib
import statistics
import subprocess
import sys

import experiments
import loops
import page


def run_one(lab, arguments, seed):
    done = subprocess.run([lab, *arguments, "--seed", str(seed), "--json", "--jobs", "1"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip() or done.stdout[-300:]}")
    return json.loads(done.stdout)


def summarise(outputs):
    """Mean makespan over the seeds and who ran what, by policy."""
    result = {}
    for i, first in enumerate(outputs[0]["runs"]):
        same = [output["runs"][i] for output in outputs]
        ran = [[sum(run["ran"][k][c] for run in same) for c in range(len(first["classes"]))]
               for k in range(len(first["kinds"]))]
        result[first["policy"]] = {
            "makespan": statistics.mean(run["makespan"] for run in same),
            "bound": statistics.mean(output["bound"] for output in outputs),
            "classes": first["classes"], "kinds": first["kinds"], "ran": ran}
    return result


def validate(lab, arguments, seeds):
    """Means over a workload's codelets of the errors of speedups and of times, in percent."""
    done = subprocess.run([lab, "validate", *arguments, "--seeds", seeds, "--json"], capture_output=True, text=True, check=True)
    codelets = json.loads(done.stdout)["codelets"]
    return {what: statistics.mean(own[what] for own in codelets) for what in ("speedup", "core_time")}


def main():
    here = pathlib.Path(__file__).resolve()
    root = here.parents[3]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", default=str(root / "build/simgrid/apps/lab/starpath-lab"))
    parser.add_argument("--loops", default=str(root / "build/native/bench/papers/hdss/reproduce_hdss"))
    parser.add_argument("--out", default=str(root / "bench/results"))
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--jobs", type=int, default=2)
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--page-only", action="store_true")
    only.add_argument("--loops-only", action="store_true")
    options = parser.parse_args()
    if not options.page_only and not pathlib.Path(options.loops).exists():
        parser.error(f"{options.loops} is not there: scripts/build.sh reproduce_hdss")
    if options.page_only or options.loops_only:
        known = json.loads((pathlib.Path(options.out) / "papers.json").read_text())
        found = known["loops"] if options.page_only else loops.run(options.loops)
        page.write(pathlib.Path(options.out), known["values"], known["errors"], known["seeds"], found)
        return
    if not pathlib.Path(options.lab).exists():
        parser.error(f"{options.lab} is not there: scripts/build.sh --preset simgrid starpath-lab")
    seeds = [int(seed) for seed in options.seeds.split(",")]
    runs = experiments.all_experiments()
    values = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = {name: [pool.submit(run_one, options.lab, arguments, seed) for seed in seeds]
                   for name, arguments in runs.items()}
        for done, (name, futures) in enumerate(waiting.items(), 1):
            values[name] = summarise([future.result() for future in futures])
            print(f"{done} of {len(waiting)}: {name}", file=sys.stderr)
    errors = {name: validate(options.lab, arguments, options.seeds)
              for name, arguments in experiments.validations().items()}
    page.write(pathlib.Path(options.out), values, errors, seeds, loops.run(options.loops))


if __name__ == "__main__":
    main()
