#!/usr/bin/env python3
"""Chooses both thresholds of a network's description on the images to tune on, and writes them into it.

usage: tune_network.py PROGRAM DATA NETWORK.onnx

PROGRAM is `starpath`. The first threshold is chosen with the second one of the description, and
then the second one with that first one.
"""
import pathlib
import re
import sys

import numpy

from judge_network import agreements

FIRST = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)  # a probability
SECOND = {"hover": (0.5, 0.6, 0.7, 0.8, 0.9, 0.95), "stardist": (0.1, 0.2, 0.3, 0.4, 0.5)}  # of a core; shared by polygons
LAST_NUMBER = r"(threshold|overlap) = [\d.]+\s*$"


def mean_score(program, data, network):
    """Mean of AJI and PQ over the sets, each set with the same weight."""
    sets = agreements(program, data, "tune", network).values()
    return numpy.mean([numpy.mean(figures, axis=0)[[1, 3]] for figures in sets])


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, data, network = sys.argv[1:]
    description = pathlib.Path(network).with_suffix(".toml")
    text = description.read_text()
    kind = re.search(r'kind = "(\w+)"', text)[1]

    def best_of(values, with_value):
        scores = {}
        for value in values:
            description.write_text(with_value(value))
            scores[value] = mean_score(program, data, network)
            print(f"{value}: mean of AJI and PQ {scores[value]:.4f}", flush=True)
        return with_value(max(scores, key=scores.get))

    text = best_of(FIRST, lambda value: re.sub(r"threshold = [\d.]+", f"threshold = {value}", text, count=1))
    text = best_of(SECOND[kind], lambda value: re.sub(LAST_NUMBER, rf"\1 = {value}\n", text))
    description.write_text(text)


if __name__ == "__main__":
    main()
