#!/usr/bin/env python3
"""Polygons of `starpath instances --kind stardist` beside those of StarDist's own program, from the same maps.

usage: stardist_check.py PROGRAM SLIDE FOLDER

The nuclei that `starpath segment` finds stand in for a trained network: StarDist's own functions make the distances in
32 directions of them, on a grid of 2, and noise of 8 % is added. Both programs get these maps, with the thresholds of
2D_versatile_he. Needs stardist, imagecodecs and tifffile from PyPI; no network of StarDist is loaded.
"""
import argparse
import os
import pathlib
import subprocess

import numpy
import tifffile
from stardist.geometry import polygons_to_label, star_dist
from stardist.nms import non_maximum_suppression
from stardist.utils import edt_prob

PROBABILITY, OVERLAP, GRID, RAYS = 0.692, 0.3, 2, 32


def starpath(*command):
    subprocess.run(command, check=True, env={**os.environ, "STARPATH_PROFILE": "none"}, stdout=subprocess.DEVNULL)


def maps_of(labels):
    """Probabilities, which are highest in the middle of a nucleus, and distances."""
    random = numpy.random.default_rng(1)
    distances = star_dist(labels, RAYS, grid=(GRID, GRID)).astype(numpy.float32)
    inside = edt_prob(labels)[::GRID, ::GRID]
    probabilities = numpy.clip(0.45 + 0.5 * inside + 0.05 * random.standard_normal(inside.shape), 0, 1)
    probabilities = (probabilities * (distances.max(-1) > 0)).astype(numpy.float32)
    distances = numpy.maximum(1e-3, distances * (1 + 0.08 * random.standard_normal(distances.shape)))
    return probabilities, distances.astype(numpy.float32)


def overlaps_of(a, b):
    """Intersection over union of each pair that shares a pixel."""
    count = int(b.max()) + 1
    pairs, common = numpy.unique(a.astype(numpy.int64) * count + b, return_counts=True)
    area_a, area_b = numpy.bincount(a.ravel()), numpy.bincount(b.ravel())
    both = (pairs // count > 0) & (pairs % count > 0)
    pairs, common = pairs[both], common[both]
    return common / (area_a[pairs // count] + area_b[pairs % count] - common)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("slide")
    parser.add_argument("folder", type=pathlib.Path)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    found, back = asked.folder / "segmented", asked.folder / "polygons"
    starpath(asked.program, "segment", asked.slide, "--out", found, "--overwrite", "--quiet", "--export", "labels")
    probabilities, distances = maps_of(tifffile.imread(found / "labels.tif").astype(numpy.int32))
    numpy.save(asked.folder / "prob.npy", probabilities)
    numpy.save(asked.folder / "dist.npy", distances)
    starpath(asked.program, "instances", asked.folder / "prob.npy", asked.folder / "dist.npy", "--kind", "stardist",
             "--grid", str(GRID), "--slide", asked.slide, "--out", back, "--overwrite", "--quiet", "--export", "labels",
             "--set", "background_level=255")
    ours = tifffile.imread(back / "labels.tif").astype(numpy.int64)
    points, probability, rays = non_maximum_suppression(distances, probabilities, grid=(GRID, GRID), b=0,
                                                        prob_thresh=PROBABILITY, nms_thresh=OVERLAP)
    theirs = polygons_to_label(rays, points, prob=probability, shape=ours.shape).astype(numpy.int64)
    overlaps = overlaps_of(theirs, ours)
    matched = overlaps[overlaps > 0.5]
    print(f"{int((probabilities > PROBABILITY).sum())} candidates; StarDist keeps {len(points)} polygons, Starpath finds "
          f"{int(ours.max())} nuclei; {len(matched)} pairs share more than half, {matched.mean():.4f} on average")


if __name__ == "__main__":
    main()
