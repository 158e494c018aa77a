"""Databases of starpath, opened for reading only."""

import enum
import importlib
import importlib.util
import os
import sqlite3
import sys
from pathlib import Path
from urllib.parse import quote


class ExitCode(enum.IntEnum):
    """Exit codes of the `starpath` command (docs/robustness.md)."""

    INTERNAL = 1
    USAGE = 2
    INPUT = 3
    OUTPUT = 4
    MISMATCH = 5
    RUNTIME = 7
    INTERRUPTED = 130


class StarpathError(Exception):
    """What went wrong, where, and what to do about it, in one line. `code` is the exit code of a command that ends with
    this error."""

    def __init__(self, message, code=ExitCode.INTERNAL):
        super().__init__(message)
        self.code = code


def open_database(file, application_id, kind, make):
    """A connection to `file`. Raises StarpathError when it is not there or is no database of this kind."""
    file = Path(file)
    if not file.is_file():
        raise StarpathError(f"{file}: no such file; {make} makes it", ExitCode.INPUT)
    database = sqlite3.connect(f"file:{quote(os.fsencode(file.absolute()))}?mode=ro", uri=True)
    database.text_factory = os.fsdecode  # names of files may be any bytes
    try:
        found = database.execute("PRAGMA application_id").fetchone()[0]
    except sqlite3.Error as error:
        database.close()
        check_not_locked(file, error)
        raise StarpathError(f"{file}: cannot be read ({error}); {make} makes it", ExitCode.MISMATCH) from error
    if found != application_id:
        database.close()
        raise StarpathError(f"{file}: is no {kind} of starpath; {make} makes it", ExitCode.MISMATCH)
    return database


def check_not_locked(file, error):
    """Raises StarpathError when a database cannot be read only because a process is writing it."""
    if "locked" in str(error):
        raise StarpathError(
            f"{file}: cannot be read ({error}); wait until the run has ended", ExitCode.OUTPUT
        ) from error


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
        raise StarpathError(
            f"{module} is not installed; pip install './python[{extra}]' installs it", ExitCode.RUNTIME
        ) from error


def check_needed(packages):
    """Raises one StarpathError for all modules that are missing. `packages` are Debian's packages, by module."""
    missing = [module for module in packages if importlib.util.find_spec(module) is None]
    if missing:
        debian = " ".join(packages[module] for module in missing)
        raise StarpathError(
            f"{sys.executable} has no {', '.join(missing)}: apt-get install {debian} (or pip install {' '.join(missing)}), "
            "or name a Python that has them in STARPATH_PYTHON",
            ExitCode.RUNTIME,
        )


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
