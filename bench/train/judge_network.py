#!/usr/bin/env python3
"""How well the nuclei that `starpath segment --network` finds agree with the labels of the images to report on.

usage: judge_network.py PROGRAM DATA NETWORK.onnx [--role tune]

The images are taken at 0.5 um a pixel, as by judge.py.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

from images import LABELLED, at_working_resolution, read_labelled
from judge import mean_text
from nuclei import agreement


def agreements(program, data, role, network):
    """Dice, AJI, F1 and PQ of each image, by folder."""
    figures = {}
    for folder in LABELLED:
        working = [at_working_resolution(sample) for sample in read_labelled(data, folder, role)]
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("data")
    parser.add_argument("network")
    parser.add_argument("--role", choices=("report", "tune", "train"), default="report")
    asked = parser.parse_args()
    print("| Dice / AJI / F1 / PQ | images | network |\n|---|---|---|")
    for folder, figures in agreements(asked.program, asked.data, asked.role, asked.network).items():
        print(f"| {folder} | {len(figures)} | {mean_text(figures)} |")


if __name__ == "__main__":
    main()
