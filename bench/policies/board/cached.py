"""Runs whose answers are kept: the same programs, plug-in and settings are not simulated twice."""
import functools
import hashlib
import json
import os
import pathlib
import threading

ROOT = pathlib.Path(__file__).resolve().parents[3]
CACHE = pathlib.Path(os.environ.get("STARPATH_CACHE") or
                     pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "starpath")


def write_whole(file, text):
    """Writes `file`; who reads it meanwhile, or writes it too, never sees half of it."""
    partial = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    partial.write_text(text)
    partial.rename(file)


@functools.lru_cache(maxsize=None)
def fingerprint(file):
    """Of a file's bytes."""
    return hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()


def cached(question, answer):
    """What `answer()` (JSON) was for an equal `question` (JSON) before, or is now. Answers with "failure" that speak of time
    are not kept: the machine may have been busy."""
    key = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()
    file = CACHE / "board" / key[:2] / key
    if file.exists():
        return json.loads(file.read_text())
    found = answer()
    if "not finished" not in json.dumps(found):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(found))
    return found
