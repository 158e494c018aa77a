"""The patients of a study, and the features over all nuclei of each."""

from __future__ import annotations

import dataclasses
import sqlite3
from typing import TYPE_CHECKING, Callable, Iterator, Optional, Sequence

from ..database import ExitCode, StarpathError, needed
from ..results import BASIC_FEATURES, Results
from ..study import STATISTICS

if TYPE_CHECKING:
    from numpy import ndarray
    from pandas import DataFrame

    from ..study import Study

_MEMORY = 128 << 20  # bytes of numbers that are read at once


@dataclasses.dataclass
class Patients:
    """The patients with a slide that is done, in the order of their first slides. A slide without a patient in the list
    is a patient of its own."""

    names: list[str]  # of the patient, or the folder of its slide
    groups: list[str]  # of all slides of a patient; "": none
    slides: list[list[int]]  # by patient, the numbers of its slides that are done: at least one, in order
    nuclei: ndarray  # integers, (patients,)
    analysed_mm2: ndarray  # square millimetres, (patients,); NaN unless the area of every slide is known
    clusters: Optional[ndarray] = None  # nuclei by cluster, floats of (patients, clusters); a row of NaN: not known
    classes: Optional[ndarray] = None  # nuclei by class, floats of (patients, classes), those out of range among them
    out_of_range: Optional[ndarray] = None  # those of `classes` that are out of range

    def density(self) -> ndarray:
        """Nuclei a square millimetre, (patients,); NaN where the area is not known."""
        numpy = needed("numpy", "cohort")
        known = self.analysed_mm2 > 0
        return numpy.divide(self.nuclei, self.analysed_mm2, out=numpy.full(len(self.names), numpy.nan), where=known)


def groups_of_slides(study: Study, column: str) -> dict[int, Optional[str]]:
    """The entry of each slide's row in the list's `column`, by the slide's number. `column`: "group", or a column that
    the study keeps as a label. Slides without an entry are missing, or None. Raises StarpathError
    for a column that no slide has."""
    if column == "group":
        return dict(study.rows('SELECT slide, "group" FROM slides'))
    columns = {"group"} | {name for (name,) in study.rows("SELECT DISTINCT name FROM labels")}
    if column not in columns:
        raise StarpathError(
            f"--group {column}: the list of slides had no such column; it had {', '.join(sorted(columns))}",
            ExitCode.USAGE,
        )
    return dict(study.rows("SELECT slide, value FROM labels WHERE name = ?", column))


def _slides_by_patient(study: Study, notes: list[str]) -> dict[str, list[tuple[int, int, float]]]:
    """The slides that are done, as lists of (number, nuclei, square millimetres) by the name of their patient."""
    rows = study.rows("SELECT slide, folder, patient, state, nuclei, analysed_mm2 FROM slides ORDER BY slide")
    patients = {row[2]: None for row in rows if row[2]}  # in their order
    slides = {}
    for number, folder, patient, state, nuclei, area in rows:
        if state != "done":
            notes.append(f"{folder} is {state}, and left out")
            continue
        name = patient or (f"{folder} (slide)" if folder in patients else folder)
        slides.setdefault(name, []).append((number, nuclei or 0, float("nan") if area is None else area))
    notes += [f"patient {name} has no slide that is done, and is left out" for name in patients if name not in slides]
    return slides


def _counts(
    study: Study, patients: Patients, table: str, part: str, parts: int, value: str = "nuclei"
) -> ndarray:
    """Sums of `value` in `table` over the slides of each patient, by the column `part`: floats of (patients, parts)."""
    numpy = needed("numpy", "cohort")
    place = {slide: i for i, slides in enumerate(patients.slides) for slide in slides}
    sums = numpy.zeros((len(patients.names), parts))
    for slide, number, count in study.rows(f"SELECT slide, {part}, {value} FROM {table} WHERE region = 0"):
        if slide in place:
            sums[place[slide], number - 1] += count
    return sums


def _forget_incomplete(
    patients: Patients, counts: ndarray, word: str, words: str, command: str, notes: list[str]
) -> None:
    """Makes the counts of patients unknown whose nuclei are not all counted."""
    for i in (counts.sum(axis=1) != patients.nuclei).nonzero()[0]:
        counts[i] = float("nan")
        notes.append(
            f"{patients.names[i]} has nuclei without a {word}, and so no shares of {words}: run `starpath {command}` again"
        )


def find_patients(study: Study, group_column: str, notes: list[str]) -> Patients:
    """The Patients of `study`. `notes` gets a line for each slide and patient that is left out, and for each patient that
    loses its group or its shares. Raises StarpathError for a column of groups that the list did not have."""
    numpy = needed("numpy", "cohort")
    group_of = groups_of_slides(study, group_column)
    own = _slides_by_patient(study, notes)
    patients = Patients(
        names=list(own),
        groups=[],
        slides=[[slide[0] for slide in slides] for slides in own.values()],
        nuclei=numpy.array([sum(slide[1] for slide in slides) for slides in own.values()], dtype="int64"),
        analysed_mm2=numpy.array([sum(slide[2] for slide in slides) for slides in own.values()], dtype="float64"),
    )
    for name, slides in zip(patients.names, patients.slides):
        groups = {group_of.get(slide) or "" for slide in slides}
        if len(groups) > 1:
            notes.append(f"patient {name} has slides of several groups, and so none")
        patients.groups.append(groups.pop() if len(groups) == 1 else "")
    if clusters := len(study.clusters):
        patients.clusters = _counts(study, patients, "slide_clusters", "cluster", clusters)
        _forget_incomplete(patients, patients.clusters, "cluster", "clusters", "cluster", notes)
    if classes := len(study.classes):
        patients.classes = _counts(study, patients, "slide_classes", "class", classes)
        patients.out_of_range = _counts(study, patients, "slide_classes", "class", classes, "out_of_range")
        _forget_incomplete(patients, patients.classes, "class", "classes", "classify run", notes)
    return patients


def study_features(study: Study, wanted: Sequence[str]) -> list[str]:
    """Names of the features that `wanted` stands for ("basic", "all", or names), of those that the study's slides have.
    The basic ones stand first. Raises StarpathError for another name."""
    names = [
        name
        for (name,) in study.rows(
            "SELECT feature FROM features WHERE slide = (SELECT min(slide) FROM features JOIN slides USING (slide)"
            " WHERE state = 'done') ORDER BY feature"
        )
    ]
    for name in wanted:
        if name not in ("basic", "all", *names):
            raise StarpathError(
                f"the results have no feature '{name}'; say basic, all, or names of features, such as nucleus_area "
                "(docs/features.md)",
                ExitCode.USAGE,
            )
    chosen = names if "all" in wanted else [name for name in names if name in wanted]
    basic = [name for name in BASIC_FEATURES if name in names and (name in chosen or "basic" in wanted)]
    return basic + [name for name in chosen if name not in BASIC_FEATURES]


def summarise_patients(
    study: Study, patients: Patients, features: list[str], on_patient: Callable[[str], None]
) -> DataFrame:
    """Features over all nuclei of each patient: a pandas DataFrame indexed by patient (its number, from 1) and feature,
    with the columns nuclei, mean, q1, median and q3 in working pixels. study.sqlite has the row of a patient of one
    slide; the results of several slides are read together, and `on_patient` hears the patient's name before. Raises
    StarpathError for a slide whose results are gone or have changed."""
    pandas = needed("pandas", "cohort")
    columns = ["patient", "feature", "nuclei", *STATISTICS]
    alone = {slides[0]: i for i, slides in enumerate(patients.slides, 1) if len(slides) == 1}
    rows = [
        (alone[slide], *row)
        for slide, *row in study.rows("SELECT slide, feature, nuclei, mean, q1, median, q3 FROM features")
        if slide in alone
    ]
    for i, slides in enumerate(patients.slides, 1):
        if len(slides) > 1:
            on_patient(patients.names[i - 1])
            rows += [(i, *row) for row in _read_together(study, slides, int(patients.nuclei[i - 1]), features)]
    frame = pandas.DataFrame(rows, columns=columns).set_index(["patient", "feature"])
    frame = frame.reindex(
        pandas.MultiIndex.from_product([range(1, len(patients.names) + 1), features], names=columns[:2])
    )
    frame["nuclei"] = frame["nuclei"].fillna(0).astype("int64")
    return frame.astype(dict.fromkeys(STATISTICS, "float64"))


def _read_together(study: Study, slides: list[int], nuclei: int, features: list[str]) -> Iterator[tuple]:
    """Yields (feature, nuclei, mean, q1, median, q3) over the nuclei of several slides. Reads the results as often as
    needed to hold no more than 128 MiB of numbers, but at least one feature."""
    numpy = needed("numpy", "cohort")
    at_once = max(1, _MEMORY // max(1, 8 * nuclei))
    for begin in range(0, len(features), at_once):
        names = features[begin : begin + at_once]
        parts = [_read_features(study, slide, names) for slide in slides]
        for name in names:
            numbers = numpy.concatenate([part[name] for part in parts])
            numbers = numbers[numpy.isfinite(numbers)]
            if len(numbers) == 0:
                yield (name, 0, *[None] * len(STATISTICS))
                continue
            q1, median, q3 = numpy.quantile(numbers, [0.25, 0.5, 0.75])
            yield name, len(numbers), numbers.mean(), q1, median, q3


def _read_features(study: Study, slide: int, names: list[str]) -> dict[str, ndarray]:
    """Features of the nuclei of a slide, an array each, by name."""
    ((folder, nuclei),) = study.rows("SELECT folder, nuclei FROM slides WHERE slide = ?", slide)
    file = study.file.parent / folder / "results.sqlite"
    if not file.exists():
        raise StarpathError(
            f"{file}: is not there, and the study counts it as done; bring it back, or run segment with --resume",
            ExitCode.INPUT,
        )
    try:
        with Results(file) as results:
            if len(results) != nuclei:
                raise StarpathError(
                    f"{file}: has other nuclei than the study says; run segment with --resume", ExitCode.INPUT
                )
            return results.columns(names)
    except (sqlite3.Error, KeyError, ValueError) as error:
        raise StarpathError(
            f"{file}: is damaged ({error}); move it away and run segment again", ExitCode.MISMATCH
        ) from error
