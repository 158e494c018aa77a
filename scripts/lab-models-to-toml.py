#!/usr/bin/env python3
"""Converts model files of starpath-lab from the format of Starpath 0.1.0 to TOML.

usage: scripts/lab-models-to-toml.py FILE...

Writes NAME.toml beside each NAME.machine, NAME.workload or NAME.cluster. Numbers keep their spelling, hence their value."""
import json
import pathlib
import re
import sys

SECTIONS = {"machine": "[machine]", "accelerator": "[[accelerator]]", "workload": "[workload]", "codelet": "[[task]]",
            "cluster": "[network]", "nodes": "[[nodes]]"}
TEXTS = {"about": "about", "shape": "shape", "kind": "kind", "machine": "machine", "accelerators": "accelerators",
         "stream": "codelet", "constraint": "constraints"}
UNITS = [("_GB_per_s", "_bandwidth", "GB/s"), ("_us", "", "us"), ("core_ms", "core_time", "ms"), ("_MiB", "", "MiB"),
         ("_MB", "", "MB"), ("_KB", "", "kB")]
TOML_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


class BadFile(Exception):
    """What is wrong with a line."""


def text(value):
    return json.dumps(value, ensure_ascii=False)


def number(key, value, note):
    """The TOML key and value of a number with its unit and its source."""
    unit = ""
    for ending, replacement, name in UNITS:
        if key.endswith(ending):
            key, unit = key[:-len(ending)] + replacement, f"unit = {text(name)}, "
            break
    if not TOML_NUMBER.fullmatch(value):
        value = repr(float(value))
    kind, _, why = note.partition(": ")
    if kind not in ("source", "assumed") or (kind == "source" and not why):
        raise BadFile(f"'{key} {value}' does not say where the number is from")
    return key, f"{{ value = {value}, {unit}{kind} = {text(why) if why else 'true'} }}"


def array(values):
    return "[\n" + "".join(f"  {text(value)},\n" for value in values) + "]"


class Section:
    """The lines of one section; comments and blank lines stay where they were."""

    def __init__(self, header, name):
        self.lines = [header, ("name", text(name), "")]
        self.constraints = []

    def add(self, key, value, note):
        if key == "constraint":
            self.constraints.append(value)
            if len(self.constraints) == 1:
                self.lines.append(("constraints", self.constraints, ""))
        elif key in TEXTS:
            self.lines.append((TEXTS[key], text(value), note))
        else:
            self.lines.append((*number(key, value, note), ""))

    def complete(self):
        """What files of 0.1.0 could not say."""
        keys = {line[0]: line[1] for line in self.lines if isinstance(line, tuple)}
        if self.lines[0] == "[workload]" and keys.get("shape") == text("segmentation") and "order" not in keys:
            self.lines.append(("order", '{ value = 0, assumed = "as in 0.1.0" }', ""))

    def write(self):
        self.complete()
        width = max(len(line[0]) for line in self.lines if isinstance(line, tuple))
        for line in self.lines:
            if isinstance(line, str):
                yield line
                continue
            key, value, note = line
            value = array(value) if isinstance(value, list) else value
            yield f"{key:<{width}} = {value}" + (f"  # {note}" if note else "")


def convert(lines):
    head, sections = [], []
    for place, line in enumerate(lines, 1):
        content, _, note = (part.strip() for part in line.partition("#"))
        try:
            if not content:
                (sections[-1].lines if sections else head).append(line.rstrip())
                continue
            key, _, value = (part.strip() for part in re.sub(r"\s+", " ", content, count=1).partition(" "))
            if not line[0].isspace():
                if key not in SECTIONS or not value:
                    raise BadFile(f"'{content}' is no section of this format")
                sections.append(Section(SECTIONS[key], value))
            elif not sections:
                raise BadFile(f"'{content}' stands before any section")
            else:
                sections[-1].add(key, value, note)
        except (BadFile, ValueError) as problem:
            raise BadFile(f"{place}: {problem}") from None
    if not sections:
        raise BadFile("1: there is nothing in this file")
    return "\n".join(head + [line for section in sections for line in section.write()]) + "\n"


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        try:
            converted = convert(path.read_text().splitlines())
            path.with_suffix(".toml").write_text(converted)
        except (BadFile, OSError) as problem:
            sys.exit(f"{name}:{problem}")
        print(path.with_suffix(".toml"))


main()
