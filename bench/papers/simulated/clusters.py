#!/usr/bin/python3
"""Re-runs the papers' experiments on clusters, simulated, and writes a page that sets each value of the papers beside ours.

usage: bench/papers/simulated/clusters.py [--lab PROGRAM] [--out FOLDER] [--seeds 1,2,3] [--jobs N] [--page-only]

Needs starpath-lab (scripts/build.sh starpath-lab) and python3-matplotlib. Writes
FOLDER/papers-clusters.md, FOLDER/papers-clusters.json (every value that the page is made of) and FOLDER/papers/*.svg.
--page-only makes the page from that JSON without running anything."""
import argparse
import concurrent.futures
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

import cluster_experiments
import cluster_page


def run_one(lab, arguments, seed):
    done = subprocess.run([lab, *arguments, "--seed", str(seed), "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def summarise(outputs):
    """Means over the seeds, by policy and window; who ran what is summed up."""
    first = outputs[0]
    runs = []
    for i, run in enumerate(first["runs"]):
        same = [output["runs"][i] for output in outputs]
        shape = [[len(kind) for kind in group] for group in run["ran"]]
        ran = [[[sum(own["ran"][g][k][c] for own in same) for c in range(classes)] for k, classes in enumerate(kinds)]
               for g, kinds in enumerate(shape)]
        mean = {key: statistics.mean(own[key] for own in same) for key in ("makespan", "sent_bytes", "messages", "wall_seconds")}
        runs.append({"policy": run["policy"], "window": run["window"], "ran": ran, **mean})
    return {"core_seconds": statistics.mean(output["core_seconds"] for output in outputs), "tasks": first["tasks"],
            "tiles": first["tiles"], "classes": first["classes"], "kinds": first["kinds"], "groups": first["groups"], "runs": runs}


def main():
    root = pathlib.Path(__file__).resolve().parents[3]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", default=str(root / "build/native/apps/lab/starpath-lab"))
    parser.add_argument("--out", default=str(root / "bench/results"))
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--page-only", action="store_true")
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    kept = out / "papers-clusters.json"
    if options.page_only:
        return cluster_page.write(out, json.loads(kept.read_text()))
    if not pathlib.Path(options.lab).exists():
        parser.error(f"{options.lab} is not there: scripts/build.sh starpath-lab")
    seeds = [int(seed) for seed in options.seeds.split(",")]
    result = {"seeds": seeds, "values": {}}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = cluster_experiments.all_experiments(folder)
        waiting = {name: [pool.submit(run_one, options.lab, arguments, seed) for seed in cluster_experiments.seeds_of(name, seeds)]
                   for name, arguments in runs.items()}
        for done, (name, futures) in enumerate(waiting.items(), 1):
            outputs = [future.result() for future in futures]
            if name == "traced":
                result["trace"] = cluster_page.summarise_trace(outputs[0])
            else:
                result["values"][name] = summarise(outputs)
            print(f"{done} of {len(waiting)}: {name}", file=sys.stderr)
    result["most_memory_MB"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    out.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(result, indent=0, sort_keys=True) + "\n")
    cluster_page.write(out, result)


if __name__ == "__main__":
    main()
