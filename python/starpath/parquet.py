"""nuclei.parquet."""

import json

from .database import StarpathError, needed


def read_parquet(path, columns=None):
    """The nuclei of a nuclei.parquet as a GeoDataFrame, indexed by `id`. `columns` names those to read, to save time and
    memory; without `geometry` among them it is a plain DataFrame. What the run was is in attrs["starpath"]."""
    parquet = needed("pyarrow.parquet", "parquet")
    notes = parquet.read_metadata(path).metadata or {}
    if b"starpath" not in notes:
        raise StarpathError(f"{path}: is no nuclei.parquet of starpath; `starpath export --format parquet` makes one")
    wanted = None if columns is None else list(dict.fromkeys(["id", *columns]))
    if wanted is None or "geometry" in wanted:
        frame = needed("geopandas", "parquet").read_parquet(path, columns=wanted)
    else:
        frame = parquet.read_table(path, columns=wanted).to_pandas()
    frame = frame.set_index("id")
    frame.attrs["starpath"] = json.loads(notes[b"starpath"])
    return frame
