"""`python3 -m starpath spatialdata RESULTS OUT.zarr`: a SpatialData folder from what `starpath` wrote.
`python3 -m starpath cohort STUDY`: what `starpath cohort` starts."""

import argparse
import sys

from .cohort.command import add_command
from .database import StarpathError
from .spatial import write_spatialdata


def main():
    parser = argparse.ArgumentParser(prog="python3 -m starpath")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser(
        "spatialdata",
        help="make a SpatialData folder (Zarr) for scanpy, squidpy and napari",
        description="Makes a SpatialData folder: outlines as shapes, features as a table, places in pixels and in "
        "micrometres. It is whole, or not there at all.",
    )
    command.add_argument("source", metavar="RESULTS", help="results of `starpath segment`, or a nuclei.parquet")
    command.add_argument("out", metavar="OUT.zarr")
    command.add_argument("--features", default="basic", help="basic (default), all, or names; not for a nuclei.parquet")
    command.set_defaults(run=lambda said: write_spatialdata(said.source, said.out, said.features))
    add_command(commands)
    said = parser.parse_args()
    try:
        said.run(said)
    except (StarpathError, OSError) as error:
        sys.exit(f"{error}")


if __name__ == "__main__":
    main()
