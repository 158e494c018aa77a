"""The files of the cohort: how they are known again, how they come to be whole, and the lock on their folder."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import secrets
import stat
import time
from pathlib import Path
from typing import Iterator, Optional

from ..database import ExitCode, StarpathError

_MARKED = 512  # bytes at the beginning of a file in which its mark stands
_PATIENCE = 1.0  # seconds
_REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "free some space or choose another folder"),
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), "make the folder writable or choose another one"),
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), "make the folder first or choose another one"),
}


def write_error(path: Path, error: OSError) -> StarpathError:
    """The StarpathError for an OSError while `path` was written."""
    remedy = _REMEDIES.get(error.errno, "check the disk or choose another folder")
    return StarpathError(f"{path}: cannot be written ({error.strerror}); {remedy}", ExitCode.OUTPUT)


def check_is_ours(path: Path, marks: list[tuple[bytes, bytes]]) -> None:
    """Raises StarpathError when there is something at `path` that `starpath cohort` did not write. Its own file is a
    regular file, and no link. `marks` are pairs (start, mark), bytes each: it begins with one of the starts and has the
    mark of that pair within its first 512 bytes. An empty file may be replaced."""
    if not os.path.lexists(path):
        return
    begin, status = b"", os.lstat(path)
    if stat.S_ISREG(status.st_mode):
        if status.st_size == 0:
            return
        with contextlib.suppress(OSError), open(path, "rb") as file:
            begin = file.read(_MARKED)
    if not any(begin.startswith(start) and mark in begin for start, mark in marks):
        raise StarpathError(f"{path}: is no file that `starpath cohort` wrote; move it away", ExitCode.OUTPUT)


def write_whole(path: Path, data: bytes) -> None:
    """Writes the bytes `data` to `path`, which has its old content until it has all of the new one. Raises StarpathError."""
    path = Path(path)
    try:
        _remove_abandoned_parts(path)
        part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        try:
            with open(part, "xb") as file:
                with contextlib.suppress(OSError):  # a file system without locks
                    fcntl.flock(file, fcntl.LOCK_EX)  # no other process takes the part for abandoned
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                os.rename(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise write_error(path, error) from error


def _remove_abandoned_parts(path: Path) -> None:
    """Removes the parts of `path` that killed programs left: no process has locked them."""
    part = re.compile(re.escape(path.name) + r"\.[0-9a-f]{8}\.part")
    for entry in path.parent.iterdir():
        if not part.fullmatch(entry.name):
            continue
        with contextlib.suppress(OSError):
            descriptor = os.open(entry, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                entry.unlink()
            finally:
                os.close(descriptor)


def _try_to_lock(file: Path) -> Optional[int]:
    """A descriptor that holds the lock; None when another process has it. A job that ends removes the file: the lock
    counts only while `file` is still the name of what is locked."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(file)):
            return descriptor
    except (BlockingIOError, PermissionError, FileNotFoundError):
        pass
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


@contextlib.contextmanager
def output_lock(folder: Path) -> Iterator[None]:
    """Holds the lock on `folder`/results.lock that every command takes which changes the folder (POSIX record locks).
    Waits up to a second for a process that is about to end. Raises StarpathError when another process has the lock."""
    file, end = Path(folder) / "results.lock", time.monotonic() + _PATIENCE
    try:
        while (descriptor := _try_to_lock(file)) is None:
            if time.monotonic() >= end:
                raise StarpathError(
                    f"{folder}: in use by another process; wait until that has finished or choose another folder",
                    ExitCode.OUTPUT,
                )
            time.sleep(0.01)
    except OSError as error:
        raise write_error(folder, error) from error
    try:
        yield
    finally:
        file.unlink(missing_ok=True)
        os.close(descriptor)
