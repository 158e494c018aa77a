"""Checksums of rows, as starpath writes them into the table `checksums` (docs/results.md)."""

import contextlib
import sqlite3
import struct
import zlib

from .database import ExitCode, StarpathError, check_not_locked

SEAL = -1000
_STUDY, _COHORT = -1, -4
_INTEGER, _REAL, _TEXT, _BYTES, _NULL = range(1, 6)  # SQLite's numbers of types

_ROWS_OF_SLIDE = [
    "SELECT * FROM slides WHERE slide = ?",
    "SELECT * FROM labels WHERE slide = ? ORDER BY name",
    "SELECT * FROM warnings WHERE slide = ? ORDER BY number",
    "SELECT * FROM features WHERE slide = ? ORDER BY feature",
    "SELECT * FROM regions WHERE slide = ? ORDER BY region",
    "SELECT * FROM region_features WHERE slide = ? ORDER BY region, feature",
]
# A part of a study: its number, and its tables with the columns that bring their rows into an order.
_PARTS_OF_STUDY = {
    _STUDY: [("study", "key")],
    -2: [("clusters", "cluster"), ("cluster_centres", "cluster, feature"), ("slide_clusters", "slide, region, cluster")],
    -3: [("classes", "class"), ("slide_classes", "slide, region, class")],
    _COHORT: [
        ("patients", "patient"),
        ("patient_slides", "slide"),
        ("patient_features", "patient, feature"),
        ("patient_clusters", "patient, cluster"),
        ("patient_classes", "patient, class"),
        ("patient_tree", '"merge"'),
    ],
    -5: [("runs", "run")],
    -6: [
        ("member_clusters", "kind, cluster"),
        ("member_cluster_centres", "kind, cluster, value"),
        ("cluster_members", "kind, member"),
    ],
}


def checksum_of(rows, checksum=0):
    """The CRC-32 of the type and the value of each column, row by row, going on from `checksum`. Texts are bytes here,
    so `rows` must hold no other bytes."""
    for row in rows:
        for value in row:
            if value is None:
                said = struct.pack("<q", _NULL)
            elif isinstance(value, int):
                said = struct.pack("<qq", _INTEGER, value)
            elif isinstance(value, float):
                said = struct.pack("<qd", _REAL, value + 0.0)
            else:
                said = struct.pack("<qq", _TEXT, len(value)) + value
            checksum = zlib.crc32(said, checksum)
    return checksum


@contextlib.contextmanager
def _texts_as_bytes(database):
    factory, database.text_factory = database.text_factory, bytes
    try:
        yield
    finally:
        database.text_factory = factory


def _of_part(database, part):
    """The checksum of a part of a study; None where it has no rows."""
    found = []
    for table, order in _PARTS_OF_STUDY[part]:
        if database.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", (table,)).fetchone():
            found += database.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()
    return checksum_of(found) if found else None


def _seal(checksums):
    return sum(checksum_of([row]) for row in checksums.items() if row[0] != SEAL)


def study_checksums(database):
    """The rows that the table `checksums` of a study must have, as a dict."""
    wanted = {}
    with _texts_as_bytes(database):
        for (slide,) in database.execute("SELECT slide FROM slides ORDER BY slide").fetchall():
            wanted[slide] = 0
            for query in _ROWS_OF_SLIDE:
                wanted[slide] = checksum_of(database.execute(query, (slide,)), wanted[slide])
        for part in _PARTS_OF_STUDY:
            checksum = _of_part(database, part)
            if checksum is not None:
                wanted[part] = checksum
    wanted[SEAL] = _seal(wanted)
    return wanted


def cohort_written(database):
    """Gives the cohort of a study, and its table `study`, the checksums of what they hold now. In the transaction that
    writes them. A study of a layout before checksums stays without."""
    if database.execute("PRAGMA user_version").fetchone()[0] < 3:
        return
    with _texts_as_bytes(database):
        for part in (_STUDY, _COHORT):
            checksum = _of_part(database, part)
            database.execute("DELETE FROM checksums WHERE unit = ?", (part,))
            if checksum is not None:
                database.execute("INSERT INTO checksums VALUES (?, ?)", (part, checksum))
    stored = dict(database.execute("SELECT unit, checksum FROM checksums"))
    database.execute("INSERT OR REPLACE INTO checksums VALUES (?, ?)", (SEAL, _seal(stored)))


def check_study(database, file):
    """Raises StarpathError where a row of a study is not what starpath wrote."""
    database.execute("BEGIN")  # a run may be writing
    try:
        stored = dict(database.execute("SELECT unit, checksum FROM checksums"))
        wanted = study_checksums(database)
    except sqlite3.DatabaseError as error:
        check_not_locked(file, error)
        raise StarpathError(f"{file}: is damaged ({error}); move it away and run again", ExitCode.MISMATCH) from error
    finally:
        database.rollback()
    for unit in sorted(stored.keys() | wanted.keys(), reverse=True):
        if stored.get(unit) != wanted.get(unit):
            place = f"slide {unit}" if unit > 0 else "its " + {-2: "clusters", -3: "classes", -4: "cohort", -6: "clusters"}.get(unit, "study")
            message = f"{file}: is damaged ({place} is not what was written); move it away and run again"
            raise StarpathError(message, ExitCode.MISMATCH)
