"""The command line of `python3 -m starpath cohort`, which `starpath cohort` starts."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import sys
import traceback
from pathlib import Path

from ..database import ExitCode, StarpathError, check_needed
from .analysis import Cohort, Request, make_cohort, readable
from .files import output_lock, write_error

_MODULES = {
    "numpy": "python3-numpy",
    "pandas": "python3-pandas",
    "scipy": "python3-scipy",
    "matplotlib": "python3-matplotlib",
}
_STOPS = {"SIGINT": "SIGINT (Ctrl-C)", "SIGTERM": "SIGTERM", "SIGHUP": "SIGHUP"}


class _Stopped(BaseException):
    """A signal that asks the command to end."""


def add_command(commands) -> None:
    """Adds `cohort` to the subparsers of the package."""
    parser = commands.add_parser(
        "cohort",
        help="sum up a study by slide, region and patient, and group its patients",
        description="What `starpath cohort` starts; `starpath cohort --help` and docs/cohort.md say more.",
    )
    parser.add_argument("study", metavar="STUDY", type=Path, help="the folder of a run over many slides")
    parser.add_argument(
        "--features", type=_names, default=("basic",), help="features that tables hold: basic, all, or names"
    )
    parser.add_argument(
        "--values", type=_names, default=(), help="columns of patients.csv that patients are compared by"
    )
    parser.add_argument("--k", default="auto", help="number of branches, 2 or more, or auto: 2 to 8 by the silhouette")
    parser.add_argument("--linkage", choices=["ward", "average"], default="ward", help="how branches are joined")
    parser.add_argument("--group", default="group", help="column of the list that branches are set beside")
    parser.add_argument("--permutations", type=int, default=10_000, help="most arrangements that the test tries")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers, when not all are tried")
    parser.add_argument("--json", action="store_true", help="progress and summary as JSON lines on stdout")
    parser.add_argument("--quiet", action="store_true", help="say nothing but errors and warnings")
    parser.set_defaults(run=_end_with_code)


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _branches(text: str) -> int:
    """The number of branches; 0 for "auto"."""
    if text == "auto":
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= 4) or int(text) < 2:
        raise StarpathError(f"--k {text} makes no sense: say 2 or more, or auto", ExitCode.USAGE)
    return int(text)


def _end_with_code(said) -> None:
    """Ends the process with the exit codes and the one-line errors of the `starpath` command."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        for name in _STOPS:
            if name != "SIGHUP" or signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
                signal.signal(getattr(signal, name), _stop)
        # `starpath cohort` blocks them, so that those that came before have waited until here.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [getattr(signal, name) for name in _STOPS])
        _run(said)
    except StarpathError as error:
        _say(f"starpath: {error}")
        sys.exit(error.code)
    except sqlite3.DatabaseError as error:
        _say(f"starpath: {said.study}: is damaged ({error}); run segment with --resume")
        sys.exit(ExitCode.MISMATCH)
    except OSError as error:
        _say(f"starpath: {write_error(error.filename or said.study, error)}")
        sys.exit(ExitCode.OUTPUT)
    except MemoryError:
        _say("starpath: out of memory: use a smaller input or close other programs")
        sys.exit(ExitCode.RUNTIME)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        _say(f"starpath: {type(error).__name__}: {error} ({place.filename}:{place.lineno}); please report this")
        sys.exit(ExitCode.INTERNAL)
    except _Stopped as stopped:
        _say(f"starpath: interrupted by {_STOPS[str(stopped)]}; files that were not finished are removed")
        os._exit(ExitCode.INTERRUPTED)


def _stop(number: int, _) -> None:
    for name in _STOPS:
        signal.signal(getattr(signal, name), signal.SIG_IGN)  # a second one would stop the tidying
    raise _Stopped(signal.Signals(number).name)


def _say(line: str) -> None:
    """One line on standard error, without control characters, which a message may quote."""
    line = "".join(" " if ord(each) < 32 or ord(each) == 127 else each for each in line)
    with contextlib.suppress(OSError, AttributeError):  # nobody listens, or standard error is closed
        sys.stderr.buffer.write(line.encode(errors="surrogateescape") + b"\n")
        sys.stderr.buffer.flush()


def _run(said) -> None:
    request = Request(
        said.study,
        said.features,
        said.values,
        _branches(said.k),
        said.linkage,
        said.group,
        said.permutations,
        said.seed,
    )
    check_needed(_MODULES)

    def on_phase(text: str) -> None:
        if said.json:
            _print([readable({"event": "phase", "text": text})])
        elif not said.quiet:
            _say(text)

    with output_lock(said.study):
        cohort = make_cohort(request, on_phase)
    warning = cohort.about["group_table"].get("warning")
    for note in cohort.about["notes"] + ([warning] if warning else []):
        _say(f"starpath: warning: {note}")
    lines = []
    if said.json:
        counts = {"patients": cohort.patients, "slides": cohort.slides, "nuclei": cohort.nuclei}
        lines = [readable({"event": "summary", **cohort.about, **counts, "files": list(map(str, cohort.files))})]
    elif not said.quiet:
        lines = _in_words(cohort)
    _print(lines)


def _print(lines: list[str]) -> None:
    """To standard output."""
    if sys.stdout is None:
        raise StarpathError("standard output: cannot be written (it is closed)", ExitCode.OUTPUT)
    try:
        sys.stdout.buffer.write("".join(f"{line}\n" for line in lines).encode(errors="surrogateescape"))
        sys.stdout.buffer.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what Python flushes at the end
        raise StarpathError(
            f"standard output: cannot be written ({error.strerror}); what was printed is not whole", ExitCode.OUTPUT
        ) from error


def _plural(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _in_words(cohort: Cohort) -> list[str]:
    """Lines for people: files, silhouettes, branches beside groups, the verdict, and what was summed up."""
    about, groups = cohort.about, cohort.about["group_table"]
    lines = list(map(str, cohort.files))
    if len(about["silhouettes"]) > 1:
        lines += [f"k {each['k']:>2}: silhouette {each['silhouette']:.3f}" for each in about["silhouettes"]]
    if groups["groups"] and about["k"]:
        width = max(5, *map(len, groups["groups"]))
        lines.append(" " * width + "".join(f"  {f'branch {i + 1}':>9}" for i in range(about["k"])))
        for group, counts in zip(groups["groups"], groups["patients"]):
            lines.append(f"{group:<{width}}" + "".join(f"  {count:>9}" for count in counts))
    lines.append(groups["verdict"])
    branches = f", {about['k']} branches by {len(about['values'])} values" if about["k"] else ""
    patients, slides = _plural(cohort.patients, "patient"), _plural(cohort.slides, "slide")
    return [*lines, f"{patients}, {slides}, {cohort.nuclei:,} nuclei{branches}"]
