#!/usr/bin/env python3
"""The nuclei of a map with a disc at each point of a lattice: time, processor time, memory.

usage: instances.py PROGRAM FOLDER [--side N] [--step N] [--cpus N]

Writes FOLDER/labels.npy (int32, N x N), a disc of 4 to 12 pixels' radius for each square of `step` pixels, and measures
`starpath instances --kind labels` with features and default exports on a synthetic slide of that size. Needs NumPy.
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--side", type=int, default=30_000)
    parser.add_argument("--step", type=int, default=30)
    parser.add_argument("--cpus", type=int, default=2)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    labels, out = asked.folder / "labels.npy", asked.folder / "results"
    # In a process of its own: the peak of this one would count as that of the commands.
    writer = multiprocessing.Process(target=write_discs, args=(labels, asked.side, asked.step))
    writer.start()
    writer.join()
    slide = f"synthetic:{asked.side}x{asked.side},seed=7,mpp=0.5"
    run = [asked.program, "instances", labels, "--kind", "labels", "--slide", slide, "--quiet", "--out", out,
           "--overwrite", "--cpus", str(asked.cpus), "--set", "background_level=255"]
    tell("features, results and default exports", measured(*run))
    for file in sorted([labels, *out.iterdir()]):
        print(f"  {file.name}: {file.stat().st_size / 1e6:.1f} MB", flush=True)
    tell("with shape and intensity alone, without exports",
         measured(*run, "--export", "none", "--families", "shape,intensity"))


if __name__ == "__main__":
    main()
