"""Slides, regions and patients as tables of comma-separated values."""

from __future__ import annotations

import csv
import io
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Optional

from ..database import needed
from ..study import STATISTICS, by_feature
from .files import check_is_ours, write_whole
from .patients import groups_of_slides

if TYPE_CHECKING:
    from numpy import ndarray
    from pandas import DataFrame

    from ..study import Study
    from .patients import Patients

# How the files begin, by which they are known again.
_TITLES = {
    "slides.csv": ["slide", "folder", "path"],
    "regions.csv": ["slide", "folder", "region"],
    "patients.csv": ["patient", "group", "branch"],
}
_NUMBER = re.compile(r"\+?-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def check_tables_are_ours(folder: Path) -> None:
    """Raises StarpathError if a file that write_tables() would replace or remove is not one that it wrote."""
    for name, titles in _TITLES.items():
        check_is_ours(folder / name, [(f"{','.join(titles)},".encode(), b"")])


def _cell(value: object) -> str:
    """A number as short as it reads back; nothing for what is not known. A text that spreadsheets would run as a formula
    has an apostrophe in front (OWASP, "CSV Injection")."""
    if isinstance(value, str):
        number = _NUMBER.fullmatch(value) and math.isfinite(float(value.replace("+-", "-", 1)))
        return "'" + value if value[:1] in ("=", "+", "-", "@", "\t", "\r") and value and not number else value
    if value is None or value != value:
        return ""
    text = repr(float(value)) if isinstance(value, float) else str(value)
    return text[:-2] if text.endswith(".0") else text


def _write(path: Path, frame: DataFrame) -> Path:
    """Writes a row a row of the frame, whose columns come with their titles."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(map(_cell, frame.columns))
    for row in zip(*(frame.iloc[:, i].tolist() for i in range(frame.shape[1]))):
        writer.writerow(map(_cell, row))
    write_whole(path, text.getvalue().encode(errors="surrogateescape"))
    return path


def feature_columns(features: list[str]) -> list[str]:
    """Names of the columns of features."""
    return [f"{feature}_{statistic}" for feature in features for statistic in STATISTICS]


def patient_table(patients: Patients, features: DataFrame, shares: tuple[list[str], list[str]]) -> DataFrame:
    """A row a patient (pandas, numbered from 1): patient, group, slides, nuclei, analysed_mm2, nuclei_per_mm2, and the
    columns of features and of shares. `features` is what summarise_patients() returns, `shares` what
    Study.share_columns() does."""
    numpy, pandas = needed("numpy", "cohort"), needed("pandas", "cohort")
    about = pandas.DataFrame(
        {
            "patient": patients.names,
            "group": patients.groups,
            "slides": [len(slides) for slides in patients.slides],
            "nuclei": patients.nuclei,
            "analysed_mm2": patients.analysed_mm2,
            "nuclei_per_mm2": patients.density(),
        },
        index=pandas.RangeIndex(1, len(patients.names) + 1),
    )
    parts = [about, by_feature(features.reset_index(), ["patient"])]
    for names, counts in zip(shares, (patients.clusters, _classes_and_outside(numpy, patients))):
        if names:
            with numpy.errstate(invalid="ignore"):  # a patient without nuclei has no shares
                parts.append(pandas.DataFrame(counts / counts.sum(axis=1)[:, None], about.index, names))
    return pandas.concat(parts, axis=1)


def _classes_and_outside(numpy, patients: Patients) -> Optional[ndarray]:
    """Nuclei of each class, and at last those out of range, which are of no class here: (patients, classes + 1)."""
    if patients.classes is None:
        return None
    return numpy.column_stack([patients.classes - patients.out_of_range, patients.out_of_range.sum(axis=1)])


def write_tables(study: Study, group_column: str, features: list[str], patients: DataFrame) -> list[Path]:
    """Writes slides.csv (the slides that are done), regions.csv (their regions; where there are none, an earlier file
    goes) and patients.csv beside study.sqlite. `patients` is a patient_table() with branch and place, `features` are
    names. Returns the files. Raises StarpathError."""
    folder = study.file.parent
    group_of = groups_of_slides(study, group_column)
    more = feature_columns(features) + sum(study.share_columns(), [])
    slides = study.by_slide()
    slides = slides.assign(
        slide=slides.index,
        folder=study.slides["folder"],
        median_area_um2=study.slides["median_area_um2"],
        group=[group_of.get(slide) for slide in slides.index],
        nuclei=slides["nuclei"].fillna(0).astype("int64"),
    )
    about = [*_TITLES["slides.csv"], "patient", "group", "nuclei", "analysed_mm2", "nuclei_per_mm2", "median_area_um2"]
    files = [_write(folder / "slides.csv", slides.reindex(columns=about + more))]
    regions = (
        study.by_region() if study.rows("SELECT 1 FROM regions JOIN slides USING (slide) WHERE state = 'done'") else ()
    )
    if len(regions):
        number = regions.index.get_level_values("slide")
        regions = regions.assign(
            slide=number,
            region=regions.index.get_level_values("region"),
            folder=slides["folder"].reindex(number).to_numpy(),
            group=[group_of.get(slide) for slide in number],
        )
        about = [*_TITLES["regions.csv"], "name", "class", "patient", "group", "nuclei", "area_mm2", "nuclei_per_mm2"]
        files.append(_write(folder / "regions.csv", regions.reindex(columns=about + more)))
    else:
        (folder / "regions.csv").unlink(missing_ok=True)
    about = [*_TITLES["patients.csv"], "place", "slides", "nuclei", "analysed_mm2", "nuclei_per_mm2"]
    files.append(_write(folder / "patients.csv", patients.reindex(columns=about + more)))
    return files
