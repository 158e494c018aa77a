"""Starts the `starpath` command and tells how far it is."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from .database import StarpathError
from .results import Results
from .study import Study


class StarpathFailed(StarpathError):
    """The command ended with the exit code `code`, which is not 0 (docs/robustness.md)."""


def _arguments(options):
    """Options of the command: work_mpp=0.25 is --work-mpp=0.25, resume=True is --resume, export=["csv", "labels"] is
    --export=csv,labels, and set={"G1": 60} is --set=G1=60."""
    arguments = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        option = "--" + name.replace("_", "-")
        if value is True:
            arguments.append(option)
            continue
        if isinstance(value, dict):
            value = [f"{key}={each}" for key, each in value.items()]
        value = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        # With "=", as a value may begin with "-"; the command takes an empty one only as an argument of its own.
        arguments += [f"{option}={value}"] if value else [option, ""]
    return arguments


def _show(event):
    """Progress as one line on standard error that is written over."""
    if event["event"] == "progress":
        line = f"{event['tiles_done']}/{event['tiles_total']} tiles, {event.get('nuclei', 0):,} nuclei"
    elif event["event"] == "phase":
        line = event["text"]
    elif event["event"] == "slide":
        line = f"{event['slide']}: {event['state']}"
    elif event["event"] == "phase_progress":
        line = f"{100 * event['share']:.0f} %"
    else:
        line = "done"
    print(f"\r\033[K{line}", end="\n" if event["event"] == "summary" else "", file=sys.stderr, flush=True)


def _run(command, options, inputs, on_progress):
    """Runs the command with --json. Returns the summary."""
    program = os.environ.get("STARPATH_COMMAND", "starpath")
    with tempfile.TemporaryFile("w+", errors="replace") as errors:  # a pipe that nobody empties would hold the command up
        arguments = [command, *_arguments({**options, "json": True}), "--", *map(str, inputs)]
        try:
            child = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE, stderr=errors, text=True)
        except FileNotFoundError as error:
            raise StarpathError(
                f"{program}: no such program; put starpath into PATH, or its path into STARPATH_COMMAND"
            ) from error
        with child:
            summary = _follow(child, on_progress)
        if child.returncode != 0:
            errors.seek(0)
            said = [line.strip() for line in errors if line.strip()]
            raise StarpathFailed(said[-1] if said else f"{program} ended with {child.returncode}", child.returncode)
    return summary


def _follow(child, on_progress):
    """Tells the events until the end. Returns the last summary."""
    summary = {}
    try:
        for line in child.stdout:
            event = json.loads(line)
            if event.get("event") == "summary":
                summary = event
            if on_progress and "event" in event:
                on_progress(event)
        child.wait()
    except BaseException:  # Ctrl-C too: the command stores what it has, and --resume goes on
        child.send_signal(signal.SIGINT)
        child.communicate()
        raise
    return summary


def segment(slide, out, on_progress=_show, **options):
    """Runs `starpath segment` over a slide, a folder of slides, or a list of these, and returns the Results, or the Study
    of several slides; `slide` is None where slides="list.csv" says which. Options are those of the command:
    preset="paper", export=["geojson.gz", "parquet"], resume=True, set={"G1": 60}. `on_progress` gets each event of
    --json as a dict; None: silence. Ctrl-C stops the run; resume=True goes on. Raises StarpathFailed with what the
    command said."""
    inputs = [] if slide is None else slide if isinstance(slide, (list, tuple)) else [slide]
    summary = _run("segment", {"out": out, **options}, inputs, on_progress)
    return Study(out) if "slides" in summary else Results(out)


def export(results, format, on_progress=_show, **options):
    """Runs `starpath export`, and returns the paths of what it wrote. `results` is a Results, a Study or a path, `format`
    a name or a list: "geojson.gz", "csv.gz", "parquet", ... Options: features, digits, out, overwrite, slide."""
    if isinstance(results, Results):
        results = results.file
    elif isinstance(results, Study):
        results = results.file.parent
    summary = _run("export", {"format": format, **options}, [results], on_progress)
    return [Path(written["file"]) for written in summary["files"]]
