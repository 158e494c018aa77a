#!/usr/bin/env python3
"""Minimum effective task granularity of scheduling policies (metg.c), in turns: each turn runs every policy once.

  bench/policies/live/metg.py --plugin build/native/sched_policies/libstarpath_sched.so build/native/bench/policies/metg

The granularity of a task is workers times elapsed time, over tasks, or with --processor the processor time of the
workers and of the thread that submits, over tasks: see processor_time.h. The peak is the most multiplications in that time that any policy reached with long tasks.
The efficiency of a policy at a length is its multiplications in that time over the peak. The minimum effective
granularity is the smallest at which the efficiency is half, between two lengths by their logarithms (Slaughter et al.,
SC 2020). Of each policy and length the shortest time of all turns counts: other work only makes times longer."""
import argparse
import collections
import math
import os
import subprocess

BUILT_IN = ["eager", "prio", "lws", "dmda", "dmdas"]
OURS = ["fcfs", "ddfcfs", "ddwrr", "pats", "padas", "pams", "odds", "eft", "apex"]


def run(program, plugin, policy, steps, by_processor):
    environment = dict(os.environ, STARPU_SCHED=policy, STARPU_SCHED_LIB=plugin, STARPU_SILENT="1", STARPATH_PROFILE="none",
                       STARPU_NCPU=os.environ.get("STARPU_NCPU", "2"))
    lines = subprocess.run([program, steps], env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in lines.splitlines():
        used, pattern, length, tasks, workers, elapsed, processor = line.split()
        if used != policy:
            raise SystemExit(f"{program} ran under {used}, not {policy}: is the plug-in that of this StarPU?")
        yield pattern, int(length), (float(processor) if by_processor else int(workers) * float(elapsed)) / int(tasks)


def half_of_peak(points, peak):
    """points: (multiplications a task, granularity in microseconds). None: never half of the peak, or always."""
    before = None
    for length, granularity in sorted(points):
        efficiency = length / granularity / peak
        if efficiency >= 0.5:
            if before is None:
                return None
            share = (0.5 - before[0]) / (efficiency - before[0])
            return math.exp(math.log(before[1]) + share * (math.log(granularity) - math.log(before[1])))
        before = (efficiency, granularity)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--policies", default=",".join(BUILT_IN + OURS))
    parser.add_argument("--steps", default="100")
    parser.add_argument("--processor", action="store_true")
    arguments = parser.parse_args()
    policies = arguments.policies.split(",")
    shortest = collections.defaultdict(lambda: math.inf)  # microseconds of granularity, by policy, pattern, length
    for _ in range(arguments.turns):
        for policy in policies:
            for pattern, length, granularity in run(arguments.program, arguments.plugin, policy, arguments.steps, arguments.processor):
                place = policy, pattern, length
                shortest[place] = min(shortest[place], granularity)
    peak = max(length / granularity for (_, pattern, length), granularity in shortest.items() if pattern == "peak")
    patterns = list(dict.fromkeys(pattern for _, pattern, _ in shortest if pattern != "peak"))
    print(f"peak: {1000 / peak:.3f} ns a multiplication; microseconds of the minimum effective granularity"
          + (", and over lws" if "lws" in policies else ""))
    print("policy    " + "".join(f"{pattern:>22}" for pattern in patterns) + ("   geometric mean over lws" if "lws" in policies else ""))
    found = {(policy, pattern): half_of_peak([(length, granularity) for (one, at, length), granularity in shortest.items()
                                              if (one, at) == (policy, pattern)], peak)
             for policy in policies for pattern in patterns}
    for policy in policies:
        cells, logarithms = "", []
        for pattern in patterns:
            metg, beside = found[policy, pattern], found.get(("lws", pattern))
            if metg and beside:
                logarithms.append(math.log(metg / beside))
            cells += f"{f'{metg:.2f}' if metg else '-':>15}" + (f" ({metg / beside:4.2f})" if metg and beside else " " * 7)
        mean = f"   {math.exp(sum(logarithms) / len(logarithms)):.2f}" if logarithms else ""
        print(f"{policy:10}{cells}{mean}", flush=True)


if __name__ == "__main__":
    main()
