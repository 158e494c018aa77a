#!/usr/bin/env python3
"""A study of 100 slides on 1 to 100 simulated nodes: makespan over the bound, and the tail, as a table in Markdown.

Usage: bench/study/nodes.py [--nodes 1,2,5,10,20,50,100] [--seeds 101,102,103,104,105] [--policy pats] [--program PATH]

Each seed is a study: sizes of slides and times of tasks are drawn from it. Medians over the seeds. The nodes are those
of keeneland-100 (docs/lab.md). Needs starpath-lab: scripts/build.sh starpath-lab
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HAND_OUTS = ["slides", "largest-first", "tiles"]


def simulate(asked, nodes, seed):
    command = [asked.program, "--network", "keeneland-100", "--nodes", f"node={nodes}", "--workload", "segmentation",
               "--policy", asked.policy, "--slides", str(asked.slides), "--hand-out", ",".join(HAND_OUTS),
               "--seed", str(seed), "--json"]
    said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    tiles = said["slides"]["tiles"]
    # One node's share of the bound that the largest slide needs alone: no whole slide can be done sooner.
    alone = said["slides"]["bound"] * nodes * max(tiles) / sum(tiles)
    rows = {run["study"]["hand_out"]: run for run in said["runs"]}
    return {"tiles": tiles, "bound": said["slides"]["bound"], "alone": alone / said["slides"]["bound"], "rows": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", default="1,2,5,10,20,50,100")
    parser.add_argument("--seeds", default="101,102,103,104,105")
    parser.add_argument("--policy", default="pats")
    parser.add_argument("--slides", type=int, default=100)
    parser.add_argument("--program", default=str(ROOT / "build/native/apps/lab/starpath-lab"))
    asked = parser.parse_args()
    nodes, seeds = ([int(number) for number in text.split(",")] for text in (asked.nodes, asked.seeds))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        told = {(n, seed): pool.submit(simulate, asked, n, seed) for n in nodes for seed in seeds}
        told = {key: run.result() for key, run in told.items()}
    for seed in seeds:
        tiles = told[nodes[0], seed]["tiles"]
        print(f"seed {seed}: {len(tiles)} slides of {min(tiles)} to {max(tiles)} tiles, {sum(tiles)} in all")
    print()
    print("| nodes | bound s | largest slide alone | " +
          " | ".join(f"{h}: over bound | tail % | last alone %" for h in HAND_OUTS) + " |")
    print("|---" * (3 + 3 * len(HAND_OUTS)) + "|")
    for n in nodes:
        runs = [told[n, seed] for seed in seeds]
        cells = [f"{statistics.median(run['bound'] for run in runs):.0f}",
                 f"{statistics.median(run['alone'] for run in runs):.2f}"]
        for hand_out in HAND_OUTS:
            studies = [run["rows"][hand_out]["study"] for run in runs]
            for key, scale, digits in (("over_bound", 1, 2), ("tail", 100, 0), ("last_slide_alone", 100, 0)):
                cells.append(f"{scale * statistics.median(study[key] for study in studies):.{digits}f}")
        print(f"| {n} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
