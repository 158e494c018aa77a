#!/usr/bin/env python3
"""Chooses the thresholds of a detector on the images to tune on, and writes them into its file.

usage: tune.py DATA NETWORK
"""
import itertools
import json
import sys

import numpy

from images import LABELLED, at_working_resolution, read_labelled
from integers import scores, write_network
from nuclei import Sizes, agreement, nuclei

NUCLEUS = range(104, 185, 8)
CORE = range(104, 209, 8)


def mean_score(sets, thresholds, sizes=Sizes()):
    """Mean of AJI and PQ over the sets, each set with the same weight."""
    figures = []
    for maps in sets.values():
        agreements = [agreement(truth, nuclei(*pair, thresholds, sizes)) for pair, truth in maps]
        figures.append(numpy.mean(agreements, axis=0))
    return numpy.mean(figures, axis=0)[[1, 3]].mean()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    data, path = sys.argv[1:]
    with open(path) as file:
        network = json.load(file)
    sets = {}
    for folder in LABELLED:
        working = [at_working_resolution(sample) for sample in read_labelled(data, folder, "tune")]
        sets[folder] = [(scores(network, rgb), labels) for rgb, labels in working]
    best = max(
        ({"nucleus": nucleus, "core": core} for nucleus, core in itertools.product(NUCLEUS, CORE)),
        key=lambda thresholds: mean_score(sets, thresholds),
    )
    network["thresholds"] = best
    network["about"]["thresholds"] = "the best mean of AJI and PQ on the images to tune on, by bench/train/tune.py"
    write_network(path, network)
    print(f"{best}: mean of AJI and PQ {mean_score(sets, best):.4f}")
    for sizes in ({"marker": 1}, {"marker": 6}, {"marker": 16}, {"nucleus": 15}, {"nucleus": 45}, {"hole": 0}, {"hole": 80}):
        print(f"  with {sizes}: {mean_score(sets, best, Sizes(**sizes)):.4f}")


if __name__ == "__main__":
    main()
