"""Nuclei for scanpy, squidpy and napari: AnnData and SpatialData."""

import json
import shutil
import tempfile
import uuid
from pathlib import Path

from . import command
from .database import StarpathError, needed
from .parquet import read_parquet

# Columns that say where a nucleus is, or what a classifier says, not what it is like.
_PLACES = {"centroid_x", "centroid_y", "centroid_x_um", "centroid_y_um", "x0", "y0", "x1", "y1", "pixels", "geometry"}
_SAID = {"class_confidence", "out_of_range"}


def features_of(frame):
    """The columns that are features: of numbers in single precision, as exports have them."""
    return [name for name in frame.columns if name not in _PLACES | _SAID and frame[name].dtype == "float32"]


def to_anndata(frame, features=None, notes=None):
    """An AnnData of a frame of nuclei. X: nuclei by features, float32; obs: all other columns but outlines;
    obsm["spatial"]: centroids in level-0 pixels, as squidpy wants them."""
    anndata, pandas = needed("anndata", "anndata"), needed("pandas", "anndata")
    features = features_of(frame) if features is None else list(features)
    others = [name for name in frame.columns if name not in features and name != "geometry"]
    observed = pandas.DataFrame(frame[others]).reset_index()
    observed.index = observed["id"].astype(str)
    observed.index.name = None
    return anndata.AnnData(
        X=frame[features].to_numpy(dtype="float32"),
        obs=observed,
        var=pandas.DataFrame(index=pandas.Index(features, name=None)),
        obsm={"spatial": frame[["centroid_x", "centroid_y"]].to_numpy(dtype="float64")},
        uns={"starpath": dict(notes or {})},
    )


def to_spatialdata(frame, mpp=None):
    """A SpatialData of a GeoDataFrame of nuclei: shapes `nuclei` and a table `features` that annotates them. The
    coordinate system `global` is that of the slide's finest level, `micrometres` is there where `mpp` is given."""
    spatialdata = needed("spatialdata", "spatialdata")
    models, transformations = needed("spatialdata.models", "spatialdata"), needed(
        "spatialdata.transformations", "spatialdata"
    )
    systems = {"global": transformations.Identity()}
    if mpp:
        systems["micrometres"] = transformations.Scale([mpp, mpp], axes=("x", "y"))
    shapes = models.ShapesModel.parse(frame[["geometry"]].copy(), transformations=systems)
    table = to_anndata(frame, notes={"run": json.dumps(frame.attrs.get("starpath"))})
    table.obs["region"] = "nuclei"
    table.obs["region"] = table.obs["region"].astype("category")
    table = models.TableModel.parse(table, region="nuclei", region_key="region", instance_key="id")
    return spatialdata.SpatialData(shapes={"nuclei": shapes}, tables={"features": table})


def _frame_of(source, features):
    path = Path(getattr(source, "file", source))
    if path.suffix == ".parquet":
        return read_parquet(path)
    with tempfile.TemporaryDirectory(prefix="starpath-") as folder:
        file = Path(folder) / "nuclei.parquet"
        command.export(path, "parquet", None, out=file, features=features)
        return read_parquet(file)


def write_spatialdata(source, out, features="basic"):
    """Makes the SpatialData folder `out` (Zarr): whole, or not at all. `out` must not be there. `source` is a
    nuclei.parquet, which is taken as it is, or results, whose outlines and `features` the command exports first."""
    out = Path(out)
    if out.exists() or out.is_symlink():
        raise StarpathError(f"{out}: exists already; move it away or choose another name")
    needed("spatialdata", "spatialdata")  # known before the work
    frame = _frame_of(source, features)
    part = out.with_name(f"{out.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        to_spatialdata(frame, frame.attrs["starpath"]["slide_mpp"] or None).write(part)
        part.rename(out)
    finally:
        if part.exists():
            shutil.rmtree(part)
