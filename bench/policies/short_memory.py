#!/usr/bin/env python3
"""Graphs whose data exceed the memory of the devices, in StarPU on SimGrid: policies beside `dmdar`, which runs first the task
of which the most data are there. Machines and graphs are drawn as for the board (board/drawn.py), apart by name into those
to tune on and those to report on: machines with at most three devices, graphs with 100 pieces of data or more that take
0.05 to 2 times as long to copy as to compute. A piece has 32 MB, and links are as much faster (at most 64 GB/s), so that StarPU,
which allocates 32 MiB at once for small data, has no say. All devices of a machine together get a share of the graph's data as
their memory.

  bench/policies/short_memory.py [--report] [--policy apex] [--shares 0.1,0.25,0.5,4]

Prints, for each share, the geometric mean of the time over that under dmdar, and the median of the same of the copied bytes.
Exit code 1: a run of --policy failed."""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
from statistics import median

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "board"))
from cached import cached, fingerprint  # noqa: E402
from drawn import draw_graph, draw_machine, graph_file, machine_file  # noqa: E402
from lab_runs import LAB, mean  # noqa: E402

HALVES = {"tune": ["layered", "chains", "wavefront", "divide"], "report": ["stencil", "reduction", "gather", "fork-join"]}
GRAPHS = 5  # of each family
PIECE = 32.0  # MB
FASTEST = 64  # GB/s of a link
PIECES = {  # of data that a graph of the family has; the data of one task are at most 8 of them
    "layered": lambda g: g["layers"] * g["width"], "chains": lambda g: g["chains"], "wavefront": lambda g: g["side"] ** 2,
    "divide": lambda g: g["problems"] * 2 ** (g["depth"] + 1), "stencil": lambda g: g["side"] ** 2,
    "reduction": lambda g: g["trees"] * 2 * g["leaves"], "gather": lambda g: g["ends"] * g["inputs"] * 1.5,
    "fork-join": lambda g: g["phases"] * g["width"]}
LEAST = 12  # pieces of data that a device has room for


def devices(machine):
    return sum(device["count"] for device in machine["accelerators"])


def pieces(graph):
    return PIECES[graph["name"].split(" ")[0]](graph)


def rows_of(half):
    """Machine and graph of each row."""
    for family in HALVES[half]:
        found, number = 0, 0
        while found < GRAPHS:
            number += 1
            machine = draw_machine(f"{half} short {number}")
            graph = draw_graph(f"{family} short {number}", machine)
            link = machine["accelerators"][0]["link"] * PIECE / graph["data"]
            if devices(machine) > 3 or not 100 <= pieces(graph) <= 1500 or not 0.5 <= graph["ratio"] <= 20 or link > FASTEST:
                continue
            found += 1
            yield machine, graph


def resized(machine, graph, share):
    """The same with pieces of the size PIECE and links as much faster, and with that share of memory."""
    faster = PIECE / graph["data"]
    memory = max(share * pieces(graph) / devices(machine), LEAST) * PIECE / 1.048576
    small = {**machine, "host": float(f"{machine['host'] * faster:.4g}"), "accelerators": [
        {**device, "memory": float(f"{memory:.5g}"), "link": float(f"{device['link'] * faster:.4g}")}
        for device in machine["accelerators"]]}
    return small, {**graph, "data": PIECE}


def simulate(arguments, machine, graph, share, policy):
    """Makespan and copied bytes; None where the run failed."""
    small, graph = resized(machine, graph, share)
    texts = machine_file(small), graph_file(graph)

    def run():
        with tempfile.TemporaryDirectory() as folder:
            names = [f"{folder}/{name.replace(' ', '-')}.toml" for name in (small["name"], graph["name"])]
            for name, text in zip(names, texts):
                pathlib.Path(name).write_text(text)
            done = subprocess.run([arguments.lab, "--machine", names[0], "--workload", names[1], "--policy", policy,
                                   "--estimator", "exact", "--seed", "1", "--json", "--jobs", "1", "--timeout", "120"],
                                  capture_output=True, text=True)
        try:
            found = json.loads(done.stdout)["runs"][0]
        except (ValueError, LookupError):
            return {"failure": (done.stderr.strip().splitlines() or ["no answer"])[-1]}
        return {name: found[name] for name in ("makespan", "moved_bytes", "failure") if name in found}

    build = pathlib.Path(arguments.lab).parents[2]
    plugin = build / "sched_policies/libstarpath_sched.so"
    return cached(["short", *texts, policy, fingerprint(build / "lab/simulation/starpath-lab-run"),
                   "" if policy.startswith("dmda") else fingerprint(plugin)], run)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", default=LAB)
    parser.add_argument("--report", action="store_true", help="the rows to report on instead of those to tune on")
    parser.add_argument("--policy", default="apex")
    parser.add_argument("--shares", default="0.1,0.25,0.5,4", help="of the graph's data that one device has room for")
    parser.add_argument("--rows", action="store_true", help="print each row")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    shares = [float(share) for share in arguments.shares.split(",")]
    rows = [(machine, graph, share) for share in shares for machine, graph in
            rows_of("report" if arguments.report else "tune")]
    policies = [arguments.policy, "dmdar"]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = [{policy: pool.submit(simulate, arguments, *row, policy) for policy in policies} for row in rows]
        found = [{policy: run.result() for policy, run in row.items()} for row in runs]
    failed = False
    print("| memory over data | rows | time | worst | best | copied bytes |\n" + "|---" * 6 + "|")
    for share in shares:
        times, bytes_moved = [], []
        for (machine, graph, its), row in zip(rows, found):
            if its != share:
                continue
            ours, theirs = row[arguments.policy], row["dmdar"]
            failed = failed or "failure" in ours
            if "failure" in ours or "failure" in theirs:
                print(f"{graph['name']}, {machine['name']}, {share}: {ours.get('failure', '')} / {theirs.get('failure', '')}")
                continue
            times.append(ours["makespan"] / theirs["makespan"])
            bytes_moved.append((ours["moved_bytes"] + 1) / (theirs["moved_bytes"] + 1))
            if arguments.rows:
                print(f"{graph['name']}, {machine['name']}, {share}: {times[-1]:.3f}, bytes {bytes_moved[-1]:.3f}, copying "
                      f"{1 / graph['ratio']:.2f} of computing")
        if times:
            print(f"| {share} | {len(times)} | {mean(times):.3f} | {max(times):.3f} | {min(times):.3f} | "
                  f"{median(bytes_moved):.3f} |", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
