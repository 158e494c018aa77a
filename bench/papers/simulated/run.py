#!/usr/bin/python3
"""Re-runs the simulated experiments of anthill-2010, hybrid-pipelines-2012, edc-2014 and hdss-2013 and judges each figure and
table of theirs by ours.

usage: bench/papers/simulated/run.py [--only PATTERN ...] [--page-only] [--seeds 1,2,3] [--jobs N] [--out FOLDER]
                                     [--lab PROGRAM] [--network-lab PROGRAM] [--loops PROGRAM] [--copies PROGRAM] [--list]

Needs starpath-lab twice (scripts/build.sh --preset simgrid starpath-lab, for StarPU in SimGrid; scripts/build.sh starpath-lab,
for several nodes), reproduce_hdss and reproduce_copies (scripts/build.sh reproduce_hdss reproduce_copies) and python3-matplotlib. Writes to FOLDER (bench/results):
papers.md, papers-machines.md, papers-nodes.md, the values that they are made of (papers.json, papers-nodes.json), and
papers/*.svg. --only runs the experiments whose names match ("edc *", "loops", "copies"; --list names all) and keeps the other values;
--page-only runs none."""
import argparse
import concurrent.futures
import fnmatch
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import board
import network_experiments
import network_runs
import network_sections
import experiments
import loops
import node_runs
import node_sections


def arguments_of(root):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", default=str(root / "build/simgrid/apps/lab/starpath-lab"))
    parser.add_argument("--network-lab", default=str(root / "build/native/apps/lab/starpath-lab"))
    parser.add_argument("--loops", default=str(root / "build/native/bench/papers/hdss/reproduce_hdss"))
    parser.add_argument("--copies", default=str(root / "build/native/bench/papers/anthill/reproduce_copies"))
    parser.add_argument("--out", type=pathlib.Path, default=root / "bench/results")
    parser.add_argument("--seeds", default="1,2,3", type=lambda text: [int(seed) for seed in text.split(",")])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--page-only", action="store_true")
    only.add_argument("--only", metavar="PATTERN", nargs="+")
    return parser.parse_args()


class Plan:
    """Which experiments run, and what is kept of earlier ones."""

    def __init__(self, options):
        self.options = options
        self.patterns = [] if options.page_only else options.only or ["*"]

    def wanted(self, names):
        return [name for name in names if any(fnmatch.fnmatchcase(name, pattern) for pattern in self.patterns)]

    def kept(self, file, changes):
        """Earlier values, unless all are made anew. `changes`: some are."""
        if self.patterns == ["*"] or not (self.options.out / file).exists():
            return {"seeds": self.options.seeds, "values": {}}
        known = json.loads((self.options.out / file).read_text())
        if changes and known["seeds"] != self.options.seeds:
            raise SystemExit(f"{file} is of seeds {known['seeds']}: give the same with --seeds, or run everything")
        return known

    def program(self, path, build):
        if not pathlib.Path(path).exists():
            raise SystemExit(f"{path} is not there: scripts/build.sh {build}")
        return path

    def keep(self, file, result):
        self.options.out.mkdir(parents=True, exist_ok=True)
        (self.options.out / file).write_text(json.dumps(result, indent=0, sort_keys=True) + "\n")
        return result


def run_all(pool, jobs):
    """Each name's outputs, one by one: `jobs` is name -> calls."""
    waiting = {name: [pool.submit(*call) for call in calls] for name, calls in jobs.items()}
    for done, (name, futures) in enumerate(waiting.items(), 1):
        yield name, [future.result() for future in futures]
        print(f"{done} of {len(waiting)}: {name}", file=sys.stderr)


def run_machines(plan, pool, folder):
    runs, checks = experiments.all_experiments(folder), experiments.validations()
    names, errors, apart = plan.wanted(runs), plan.wanted(checks), plan.wanted(["loops", "copies"])
    result = plan.kept("papers.json", names or errors)
    if names or errors:
        lab = plan.program(plan.options.lab, "--preset simgrid starpath-lab")
        jobs = {name: [(node_runs.run_one, lab, runs[name], seed) for seed in experiments.seeds_of(name, plan.options.seeds)]
                for name in names}
        for name, outputs in run_all(pool, jobs):
            result["values"][name] = node_runs.summarise(outputs)
        for name in errors:
            result.setdefault("errors", {})[name] = node_runs.validate(lab, checks[name], plan.options.seeds)
    result["values"] = {name: value for name, value in result["values"].items() if name in runs}
    if "loops" in apart:
        result["loops"] = loops.run(plan.program(plan.options.loops, "reproduce_hdss"))
    if "copies" in apart:
        program = plan.program(plan.options.copies, "reproduce_copies")
        result["copies"] = json.loads(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
    return plan.keep("papers.json", result) if names or errors or apart else result


def run_nodes(plan, pool, folder):
    runs = network_experiments.all_experiments(folder)
    names = plan.wanted(runs)
    result = plan.kept("papers-nodes.json", names)
    if names:
        lab = plan.program(plan.options.network_lab, "starpath-lab")
        jobs = {name: [(network_runs.run_one, lab, runs[name], seed) for seed in network_experiments.seeds_of(name, plan.options.seeds)]
                for name in names}
        for name, outputs in run_all(pool, jobs):
            if name == "traced":
                result["trace"] = network_runs.summarise_trace(outputs[0])
            else:
                result["values"][name] = network_runs.summarise(outputs)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        result["most_memory_MB"] = max(result.get("most_memory_MB", 0), most)
    result["values"] = {name: value for name, value in result["values"].items() if name in runs}
    return plan.keep("papers-nodes.json", result) if names else result


def main():
    options = arguments_of(pathlib.Path(__file__).resolve().parents[3])
    plan = Plan(options)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if options.list:
            print(*experiments.all_experiments(folder), *experiments.validations(), *network_experiments.all_experiments(folder), "loops", "copies", sep="\n")
            return
        machines, nodes = run_machines(plan, pool, folder), run_nodes(plan, pool, folder)
    counted = board.write(options.out, node_sections.make(options.out, machines, nodes), network_sections.make(options.out, nodes))
    print(", ".join(f"{number} {verdict.value}" for verdict, number in counted.items()), file=sys.stderr)


if __name__ == "__main__":
    main()
