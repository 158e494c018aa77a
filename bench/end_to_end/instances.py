#!/usr/bin/env python3
"""The nuclei of a map with a disc at each point of a lattice: time, processor time, memory.

usage: instances.py PROGRAM FOLDER [--kind labels|stardist] [--side N] [--step N] [--cpus N]

Writes FOLDER/labels.npy (int32, N x N), a disc of 4 to 12 pixels' radius for each square of `step` pixels, and measures
`starpath instances --kind labels` with features and default exports on a synthetic slide of that size. With
`--kind stardist` it writes FOLDER/stars.npy (float32, N/2 x N/2 x 33): what StarDist gives of such discs with a grid of
2 and 32 rays, with noise. Needs NumPy.
"""
import argparse
import multiprocessing
import pathlib

import numpy
from million import measured, tell


def write_discs(file, side, step):
    """A row of squares after the other: the file is larger than the memory that this takes."""
    columns = side // step
    numbers = numpy.lib.format.open_memmap(file, "w+", numpy.int32, (side, side))
    offsets = numpy.arange(step) - step // 2
    squared = offsets[:, None, None] ** 2 + offsets[None, None, :] ** 2
    for row in range(side // step):
        first = row * columns
        radius = 4 + (numpy.arange(columns) * 7 + row * 3) % 9
        inside = squared <= (radius**2)[None, :, None]
        discs = numpy.where(inside, (first + 1 + numpy.arange(columns))[None, :, None], 0)
        numbers[row * step : (row + 1) * step, : columns * step] = discs.reshape(step, columns * step)
    print(columns * (side // step), "discs", flush=True)


def write_stars(file, side, step, rays=32, grid=2):
    """A row of points after the other. Points within about 0.83 of a disc's radius become candidates."""
    points = side // grid
    maps = numpy.lib.format.open_memmap(file, "w+", numpy.float32, (points, points, 1 + rays))
    random = numpy.random.default_rng(1)
    angles = 2 * numpy.pi * numpy.arange(rays) / rays
    x = numpy.arange(points) * grid
    column = x // step
    across = x - (column + 0.5) * step
    for j in range(points):
        row = j * grid // step
        down = j * grid - (row + 0.5) * step
        radius = step * (0.33 + 0.03 * ((column * 7 + row * 3) % 5))
        away = numpy.hypot(across, down)
        inside = away < radius
        along = across[:, None] * numpy.cos(angles) + down * numpy.sin(angles)
        rest = numpy.maximum(0, radius**2 - away**2)
        distances = numpy.sqrt(along**2 + rest[:, None]) - along + 0.5 * random.random(along.shape)
        maps[j, :, 0] = numpy.where(inside, 0.97 - 0.4 * (away / radius) ** 2 + 0.03 * random.random(points), 0.01)
        maps[j, :, 1:] = numpy.where(inside[:, None], distances, 0.001)
    print((side // step) ** 2, "discs", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--kind", choices=["labels", "stardist"], default="labels")
    parser.add_argument("--side", type=int, default=30_000)
    parser.add_argument("--step", type=int, default=30)
    parser.add_argument("--cpus", type=int, default=2)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    stars = asked.kind == "stardist"
    maps, out = asked.folder / ("stars.npy" if stars else "labels.npy"), asked.folder / "results"
    # In a process of its own: the peak of this one would count as that of the commands.
    writer = multiprocessing.Process(target=write_stars if stars else write_discs, args=(maps, asked.side, asked.step))
    writer.start()
    writer.join()
    slide = f"synthetic:{asked.side}x{asked.side},seed=7,mpp=0.5"
    run = [asked.program, "instances", maps, "--kind", asked.kind, "--slide", slide, "--quiet", "--out", out,
           "--overwrite", "--cpus", str(asked.cpus), "--set", "background_level=255"]
    if stars:
        run += ["--grid", "2"]
    tell("features, results and default exports", measured(*run))
    for file in sorted([maps, *out.iterdir()]):
        print(f"  {file.name}: {file.stat().st_size / 1e6:.1f} MB", flush=True)
    tell("with shape and intensity alone, without exports",
         measured(*run, "--export", "none", "--families", "shape,intensity"))


if __name__ == "__main__":
    main()
