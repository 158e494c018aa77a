#!/usr/bin/env python3
"""Chooses both thresholds of a network's description on the images to tune on, and writes them into it.

usage: tune_network.py PROGRAM DATA NETWORK.onnx

PROGRAM is `starpath`. The first threshold is chosen with the second one of the description, and then the second one with
that first one.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

from images import LABELLED, at_working_resolution, read_labelled
from nuclei import agreement

FIRST = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)  # a probability
SECOND = {"hover": (0.5, 0.6, 0.7, 0.8, 0.9, 0.95), "stardist": (0.1, 0.2, 0.3, 0.4, 0.5)}  # of a core; shared by polygons
LAST_NUMBER = r"(threshold|overlap) = [\d.]+\s*$"


def agreements(program, data, network):
    """Dice, AJI, F1 and PQ of each image to tune on, by folder. Images are taken at 0.5 um a pixel, as by judge.py."""
    figures = {}
    for folder in LABELLED:
        working = [at_working_resolution(sample) for sample in read_labelled(data, folder, "tune")]
        with tempfile.TemporaryDirectory() as place:
            slides = [pathlib.Path(place, f"image{number:03}.png") for number in range(len(working))]
            for slide, (rgb, _) in zip(slides, working):
                Image.fromarray(rgb).save(slide)
            out = pathlib.Path(place, "out")
            run = subprocess.run([program, "segment", *slides, "--mpp", "0.5", "--network", network, "--out", out, "--quiet",
                                  "--export", "labels"], capture_output=True, text=True,
                                 env={**os.environ, "STARPATH_PROFILE": "none"})
            if run.returncode != 0:
                sys.exit(run.stderr)
            found = [numpy.asarray(Image.open(next(out.rglob(f"{slide.stem}*/labels.tif")))) for slide in slides]
        figures[folder] = [agreement(truth, labels.astype(int)) for (_, truth), labels in zip(working, found)]
    return figures


def mean_score(program, data, network):
    """Mean of AJI and PQ over the sets, each set with the same weight."""
    sets = agreements(program, data, network).values()
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
