"""The cohort of a study: from its slides to tables, branches and a heat map."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Callable

from ..database import ExitCode, StarpathError, needed
from ..study import Study
from .branches import find_branches
from .files import write_whole
from .group_table import group_table
from .heat_map import check_heat_map_is_ours, heat_map_svg
from .patients import find_patients, study_features, summarise_patients
from .store import forget_cohort, put_cohort
from .tables import check_tables_are_ours, feature_columns, patient_table, write_tables

if TYPE_CHECKING:
    from pandas import DataFrame, Index

    from .branches import Branches


@dataclasses.dataclass(frozen=True)
class Request:
    """What the user asks for."""

    study: Path  # the folder
    features: tuple[str, ...] = ("basic",)
    values: tuple[str, ...] = ()  # columns of the patients' table; none: the usual ones
    k: int = 0  # branches; 0: as the silhouette says
    linkage: str = "ward"  # or "average"
    group: str = "group"  # column of the list
    permutations: int = 10_000
    seed: int = 1


@dataclasses.dataclass(frozen=True)
class Cohort:
    """What came of it."""

    about: dict  # how it was made, as study.sqlite keeps it (docs/cohort.md)
    patients: int
    slides: int
    nuclei: int
    files: list[Path]  # that were written


def _values(request: Request, table: DataFrame, features: list[str], shares: tuple[list[str], list[str]]) -> list[str]:
    """Names of the values that patients are compared by, each once: density, the median of each feature and the share of
    each cluster, unless the user says others. Raises StarpathError for one that patients do not have."""
    clusters, classes = shares
    known = ["nuclei_per_mm2", *feature_columns(features), *clusters, *classes]
    wanted = request.values or ["nuclei_per_mm2", *(f"{feature}_median" for feature in features), *clusters]
    for name in wanted:
        if name not in known:
            more = ", and " + ", ".join(clusters + classes) if clusters + classes else ""
            raise StarpathError(
                f"--values {name}: patients have no such value; there are nuclei_per_mm2, and _mean, _q1, _median and _q3 "
                f"behind a feature of --features{more}",
                ExitCode.USAGE,
            )
    return list(dict.fromkeys(wanted))


def _put_branches(table: DataFrame, in_tree: Index, found: Branches) -> list[tuple[int, int, float]]:
    """Adds branch and place to the table, from 1; nothing for patients outside of the tree. Returns the rows (first,
    second, height) of the tree, whose nodes 1 to n are places, and n + m is merge m."""
    pandas = needed("pandas", "cohort")
    table["branch"] = table["place"] = None
    if found.count == 0:
        return []
    patients = len(found.order)
    place = [0] * patients
    for number, patient in enumerate(found.order, 1):
        place[patient] = number
    table["place"] = pandas.Series(place, in_tree, dtype=object)
    table["branch"] = pandas.Series((found.of_patient + 1).tolist(), in_tree, dtype=object)
    nodes = [*place, *range(patients + 1, 2 * patients)]
    return [(nodes[int(first)], nodes[int(second)], float(height)) for first, second, height, _ in found.tree]


def _about(request: Request, features: list[str], found: Branches, groups: dict, notes: list[str]) -> dict:
    values = zip(found.values, found.means, found.deviations)
    return {
        "linkage": request.linkage,
        "k": found.count,
        "auto": request.k == 0,
        "silhouettes": [{"k": k, "silhouette": fit} for k, fit in found.choices],
        "features": features,
        "values": [{"value": name, "mean": float(mean), "deviation": float(dev)} for name, mean, dev in values],
        "group": request.group,
        "permutations": request.permutations,
        "seed": request.seed,
        "group_table": groups,
        "notes": notes,
    }


def readable(value: object) -> str:
    """JSON of one line. Bytes that are not UTF-8, as names of files may have, are replaced."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode(errors="surrogateescape").decode(errors="replace")


def make_cohort(request: Request, on_phase: Callable[[str], None]) -> Cohort:
    """Writes the cohort into study.sqlite, and slides.csv, regions.csv, patients.csv and heatmap.svg beside it: the files
    first, so that study.sqlite never knows of one that is not there. `on_phase` hears what is being done. Returns the
    Cohort. Raises StarpathError; for wrong usage, for a study without a slide that is done, and for a file in the way
    nothing is written."""
    folder = Path(request.study)
    notes = []
    with Study(folder) as study:
        _check_files_are_ours(folder)
        shares, features = study.share_columns(), study_features(study, request.features)
        patients = find_patients(study, request.group, notes)
        if not patients.names:
            raise StarpathError(f"{folder}: none of its slides is done; run segment with --resume", ExitCode.INPUT)
        summaries = summarise_patients(
            study, patients, features, lambda name: on_phase(f"reading the nuclei of {name}")
        )
        table = patient_table(patients, summaries, shares)
        notes += [
            f"{name} has no nuclei, and is left out of the tree" for name in table["patient"][table["nuclei"] == 0]
        ]
        in_tree = table.index[table["nuclei"] > 0]
        values = table.loc[in_tree, _values(request, table, features, shares)]
        found = find_branches(values, request.linkage, request.k, notes)
        tree = _put_branches(table, in_tree, found)
        branches = [int(branch) if branch == branch and branch else 0 for branch in table["branch"]]
        groups = group_table(patients.groups, branches, found.count, request.permutations, request.seed)
        _check_files_are_ours(folder)  # reading the nuclei takes its time
        forget_cohort(study.file)  # a kill from here on leaves none, not one beside the files of another
        files = write_tables(study, request.group, features, table)
        files += _write_heat_map(folder / "heatmap.svg", table.loc[in_tree], found)
        about = _about(request, features, found, groups, notes)
        put_cohort(study.file, readable(about), table, patients, summaries, tree)
    return Cohort(about, len(table), int(table["slides"].sum()), int(table["nuclei"].sum()), files)


def _check_files_are_ours(folder: Path) -> None:
    check_tables_are_ours(folder)
    check_heat_map_is_ours(folder / "heatmap.svg")


def _write_heat_map(path: Path, patients: DataFrame, found: Branches) -> list[Path]:
    """Returns the file in a list; without a tree none, and an earlier one goes."""
    if found.count == 0:
        path.unlink(missing_ok=True)
        return []
    write_whole(path, heat_map_svg(patients, found))
    return [path]
