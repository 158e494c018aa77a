"""Databases of starpath, opened for reading only."""

import importlib
import os
import sqlite3
from pathlib import Path
from urllib.parse import quote


class StarpathError(Exception):
    """What went wrong, where, and what to do about it, in one line."""


def open_database(file, application_id, kind, make):
    """A connection to `file`. Raises StarpathError when it is not there or is no database of this kind."""
    file = Path(file)
    if not file.is_file():
        raise StarpathError(f"{file}: no such file; {make} makes it")
    database = sqlite3.connect(f"file:{quote(str(file.absolute()))}?mode=ro", uri=True)
    database.text_factory = os.fsdecode  # names of files may be any bytes
    try:
        found = database.execute("PRAGMA application_id").fetchone()[0]
    except sqlite3.Error as error:
        database.close()
        hint = "wait until the run has ended" if "locked" in str(error) else f"{make} makes it"
        raise StarpathError(f"{file}: cannot be read ({error}); {hint}") from error
    if found != application_id:
        database.close()
        raise StarpathError(f"{file}: is no {kind} of starpath; {make} makes it")
    return database


class Opened:
    """A database that is open until `close`, or to the end of a `with`. `path` is the file or the folder that holds it."""

    def __init__(self, path, name, application_id, kind, make):
        file = Path(path)
        self.file = file / name if file.is_dir() else file
        self._database = open_database(self.file, application_id, kind, make)

    def close(self):
        self._database.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def needed(module, extra):
    """The module. Raises StarpathError that names what to install when it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise StarpathError(f"{module} is not installed; pip install './python[{extra}]' installs it") from error


def quoted(name):
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def read_columns(database, query, columns, parameters=()):
    """A dict of numpy arrays, one a column of the query: (name, dtype) each. Reads in blocks: beside the arrays a few
    megabytes are held. NULL in a column of floats is NaN."""
    numpy = needed("numpy", "tables")
    parts = {name: [] for name, _ in columns}
    cursor = database.execute(query, parameters)
    while rows := cursor.fetchmany(20_000):
        for (name, dtype), values in zip(columns, zip(*rows)):
            parts[name].append(numpy.array(values, dtype=dtype))
    return {
        name: numpy.concatenate(parts[name]) if parts[name] else numpy.empty(0, dtype=dtype) for name, dtype in columns
    }
