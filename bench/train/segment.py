#!/usr/bin/env python3
"""Nuclei of every PNG of one folder, as label PNGs in another, as bench/quality/baseline.py writes them.

usage: segment.py NETWORK IMAGES LABELS. The images are at 0.5 um a pixel.
"""
import json
import pathlib
import sys

import numpy
from PIL import Image

from integers import scores
from nuclei import nuclei


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[1]) as file:
        network = json.load(file)
    for path in sorted(pathlib.Path(sys.argv[2]).glob("*.png")):
        maps = scores(network, numpy.asarray(Image.open(path).convert("RGB")))
        labels = nuclei(*maps, network["thresholds"])
        Image.fromarray(labels.astype(numpy.uint16)).save(pathlib.Path(sys.argv[3]) / path.name)


if __name__ == "__main__":
    main()
