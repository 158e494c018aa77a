"""The cohort in study.sqlite: tables that are there only after `starpath cohort`. docs/cohort.md lists their columns. The
C++ of `io/study/cohort.cpp` reads them, and refuses a study whose tables have other columns than `cohort.hpp` says."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Iterator

from ..checksums import cohort_written
from ..database import ExitCode, StarpathError

if TYPE_CHECKING:
    from numpy import ndarray
    from pandas import DataFrame

    from .patients import Patients

_PATIENCE = 60  # seconds: another process may be reading
_TABLES = """
CREATE TABLE patients (patient INTEGER PRIMARY KEY, name TEXT NOT NULL, "group" TEXT, slides INTEGER NOT NULL,
  nuclei INTEGER NOT NULL, analysed_mm2 REAL, nuclei_per_mm2 REAL, branch INTEGER, place INTEGER);
CREATE TABLE patient_slides (slide INTEGER PRIMARY KEY, patient INTEGER NOT NULL);
CREATE TABLE patient_features (patient INTEGER NOT NULL, feature TEXT NOT NULL, nuclei INTEGER NOT NULL,
  mean REAL, q1 REAL, median REAL, q3 REAL, PRIMARY KEY (patient, feature)) WITHOUT ROWID;
CREATE TABLE patient_clusters (patient INTEGER NOT NULL, cluster INTEGER NOT NULL, nuclei INTEGER NOT NULL,
  PRIMARY KEY (patient, cluster)) WITHOUT ROWID;
CREATE TABLE patient_classes (patient INTEGER NOT NULL, class INTEGER NOT NULL, nuclei INTEGER NOT NULL,
  out_of_range INTEGER NOT NULL, PRIMARY KEY (patient, class)) WITHOUT ROWID;
CREATE TABLE patient_tree (merge INTEGER PRIMARY KEY, first INTEGER NOT NULL, second INTEGER NOT NULL,
  height REAL NOT NULL);
"""
_NAMES = ["patients", "patient_slides", "patient_features", "patient_clusters", "patient_classes", "patient_tree"]


@contextlib.contextmanager
def _transaction(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the study, in a transaction that is whole or not there at all. Raises StarpathError."""
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=_PATIENCE, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            yield database
            database.execute("COMMIT")
    except sqlite3.Error as error:
        hint = "check who may write it, its disk and its free space; finished work is kept"
        raise StarpathError(f"{file}: cannot be written ({error}); {hint}", ExitCode.OUTPUT) from error


def _remove(database: sqlite3.Connection) -> None:
    for name in _NAMES:
        database.execute(f"DROP TABLE IF EXISTS {name}")
    database.execute("DELETE FROM study WHERE key = 'cohort'")


def forget_cohort(file: Path) -> None:
    """Takes the cohort out of the study.sqlite `file`."""
    with _transaction(file) as database:
        _remove(database)
        cohort_written(database)


def put_cohort(
    file: Path, about: str, table: DataFrame, patients: Patients, features: DataFrame, tree: list[tuple[int, int, float]]
) -> None:
    """Replaces the cohort in the study.sqlite `file`. `about` is JSON of how it was made, `table` the patient_table() with
    branch and place, `features` what summarise_patients() returns, `tree` the rows of patient_tree without numbers."""
    columns = ["slides", "nuclei", "analysed_mm2", "nuclei_per_mm2", "branch", "place"]
    rows = zip(*(_nulls(table[name].tolist()) for name in columns))
    with _transaction(file) as database:
        _remove(database)
        for statement in _TABLES.split(";"):
            database.execute(statement)
        database.execute("INSERT INTO study (key, value) VALUES ('cohort', ?)", (about,))
        database.executemany(
            # Names may be any bytes. The module sqlite3 takes only UTF-8 as text.
            "INSERT INTO patients VALUES (?, CAST(? AS TEXT), nullif(CAST(? AS TEXT), ''), ?, ?, ?, ?, ?, ?)",
            (
                (number, os.fsencode(name), os.fsencode(group), *row)
                for number, (name, group, row) in enumerate(zip(patients.names, patients.groups, rows), 1)
            ),
        )
        database.executemany(
            "INSERT INTO patient_slides VALUES (?, ?)",
            ((slide, number) for number, slides in enumerate(patients.slides, 1) for slide in slides),
        )
        database.executemany(
            "INSERT INTO patient_features VALUES (?, ?, ?, ?, ?, ?, ?)",
            zip(
                *(features.index.get_level_values(i).tolist() for i in (0, 1)),
                *(features[name].tolist() for name in features),
            ),
        )
        if patients.clusters is not None:
            database.executemany("INSERT INTO patient_clusters VALUES (?, ?, ?)", _parts(patients.clusters))
        if patients.classes is not None:
            database.executemany(
                "INSERT INTO patient_classes VALUES (?, ?, ?, ?)", _parts(patients.classes, patients.out_of_range)
            )
        database.executemany(
            "INSERT INTO patient_tree VALUES (?, ?, ?, ?)", ((i, *merge) for i, merge in enumerate(tree, 1))
        )
        cohort_written(database)


def _nulls(values: list) -> list:
    """The values, with NULL for NaN and the missing."""
    return [None if value is None or value != value else value for value in values]


def _parts(*counts: ndarray) -> Iterator[tuple]:
    """Yields (patient, part, counts...), numbered from 1; not of patients whose counts are not known."""
    for patient, rows in enumerate(zip(*counts), 1):
        if rows[0][0] == rows[0][0]:
            for part, numbers in enumerate(zip(*rows), 1):
                yield (patient, part, *map(int, numbers))
