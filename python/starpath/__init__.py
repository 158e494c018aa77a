"""Reads what the `starpath` command writes, and starts it.

    import starpath
    results = starpath.segment("slide.svs", "results")    # or starpath.Results("results")
    nuclei = results.nuclei()                              # pandas, a row a nucleus

The core needs the standard library only; pandas, GeoPandas, AnnData and SpatialData are imported where they are asked
for. docs/python.md shows all of it.
"""

from .command import StarpathFailed, export, segment
from .groups import SmallSampleWarning, compare_groups, compare_partitions
from .parquet import read_parquet
from .results import BASIC_FEATURES, Results, StarpathError
from .spatial import to_anndata, to_spatialdata, write_spatialdata
from .study import Study
from .summaries import summarise

__all__ = [
    "BASIC_FEATURES",
    "Results",
    "SmallSampleWarning",
    "StarpathError",
    "StarpathFailed",
    "Study",
    "compare_groups",
    "compare_partitions",
    "export",
    "read_parquet",
    "segment",
    "summarise",
    "to_anndata",
    "to_spatialdata",
    "write_spatialdata",
]
