"""`python3 -m starpath spatialdata NUCLEI.parquet OUT.zarr`: a SpatialData folder from what `starpath export` wrote."""

import argparse
import sys

from .database import StarpathError
from .spatial import write_spatialdata


def main():
    parser = argparse.ArgumentParser(prog="python3 -m starpath")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("spatialdata", help="make a SpatialData folder from a nuclei.parquet")
    command.add_argument("parquet")
    command.add_argument("out")
    command.set_defaults(run=lambda said: write_spatialdata(said.parquet, said.out))
    said = parser.parse_args()
    try:
        said.run(said)
    except (StarpathError, OSError) as error:
        sys.exit(f"{error}")


if __name__ == "__main__":
    main()
