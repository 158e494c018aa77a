#!/usr/bin/env python3
"""How well a detector agrees with the labels of the images to report on, beside ten lines of scikit-image.

usage: judge.py DATA NETWORK [--role tune] [--record]

The images are taken at 0.5 um a pixel. --record writes the figures into the file of the network.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

from images import LABELLED, at_working_resolution, read_labelled
from integers import scores, write_network
from nuclei import agreement, nuclei

BASELINE = pathlib.Path(__file__).parents[1] / "quality" / "baseline.py"


def found_by_baseline(images):
    """Labels of each image by bench/quality/baseline.py."""
    with tempfile.TemporaryDirectory() as folder:
        places = [pathlib.Path(folder, name) for name in ("images", "labels")]
        for place in places:
            place.mkdir()
        for number, rgb in enumerate(images):
            Image.fromarray(rgb).save(places[0] / f"{number}.png")
        subprocess.run([sys.executable, BASELINE, *places], check=True)
        return [numpy.asarray(Image.open(places[1] / f"{number}.png")).astype(int) for number in range(len(images))]


def mean_text(figures):
    return " / ".join(f"{figure:.3f}".lstrip("0") for figure in numpy.mean(figures, axis=0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("network")
    parser.add_argument("--role", choices=("report", "tune", "train"), default="report")
    parser.add_argument("--record", action="store_true")
    asked = parser.parse_args()
    with open(asked.network) as file:
        network = json.load(file)
    recorded = {}
    print("| Dice / AJI / F1 / PQ | images | detector | scikit-image |\n|---|---|---|---|")
    for folder in LABELLED:
        working = [at_working_resolution(sample) for sample in read_labelled(asked.data, folder, asked.role)]
        ours = [nuclei(*scores(network, rgb), network["thresholds"]) for rgb, _ in working]
        columns = [
            mean_text([agreement(truth, found) for (_, truth), found in zip(working, labels)])
            for labels in (ours, found_by_baseline([rgb for rgb, _ in working]))
        ]
        print(f"| {folder} | {len(working)} | {columns[0]} | {columns[1]} |", flush=True)
        recorded[folder] = columns[0]
    if asked.record:
        network["about"]["mean Dice / AJI / F1 / PQ of the images to report on"] = recorded
        write_network(asked.network, network)


if __name__ == "__main__":
    main()
