#!/usr/bin/env python3
"""k-means of bench_clusters beside scikit-learn's KMeans (lloyd) on the same points, in turn.

Usage: bench/clusters/beside_sklearn.py BENCH_CLUSTERS FILE [--points N] [--numbers 32] [--k 8] [--rounds 20]
           [--workers 2] [--pairs 3]

FILE holds the points (2 bytes a number). Both begin with the first k points and make so many rounds; scikit-learn has
single-precision numbers in memory. Needs scikit-learn: pip install scikit-learn.
"""
import argparse
import os
import statistics
import subprocess
import sys

COMPETITOR = """
import sys, time, resource, numpy, warnings
from sklearn.cluster import KMeans
warnings.simplefilter("ignore")
file, numbers, k, rounds = sys.argv[1], *map(int, sys.argv[2:5])
points = numpy.fromfile(file, dtype="int16").reshape(-1, numbers).astype("float32")
begin, busy = time.monotonic(), time.process_time()
found = KMeans(k, init=points[:k], n_init=1, max_iter=rounds, tol=0, algorithm="lloyd").fit(points)
print("seconds", time.monotonic() - begin, "processor", time.process_time() - busy, "rounds", found.n_iter_,
      "spread", found.inertia_ / 256**2 / len(points), "memory_mib", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def said(command, **more):
    words = subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout.split()
    return dict(zip(words[::2], map(float, words[1::2])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("file")
    for name, value in {"points": 10_000_000, "numbers": 32, "k": 8, "rounds": 20, "workers": 2, "pairs": 3}.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    a = parser.parse_args()
    numbers = [str(n) for n in (a.points, a.numbers, a.k, a.rounds, a.workers)]
    threads = {**os.environ, "OMP_NUM_THREADS": str(a.workers), "OPENBLAS_NUM_THREADS": str(a.workers)}
    ratios = []
    for pair in range(a.pairs):
        ours = said([a.program, *numbers, a.file])
        theirs = said([sys.executable, "-c", COMPETITOR, a.file, *numbers[1:4]], env=threads)
        ratios.append(theirs["seconds"] / ours["seconds"])
        print("starpath", ours, "\nscikit-learn", theirs, flush=True)
    print(f"scikit-learn takes {statistics.median(ratios):.2f} times as long (median of {a.pairs})")


if __name__ == "__main__":
    main()
