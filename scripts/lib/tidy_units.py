#!/usr/bin/env python3
"""Files of one folder and one compiler command together in one source file, for clang-tidy: most of its time goes to
headers of libraries, which it then reads once for eight files.

usage: tidy_units.py COMPILE_COMMANDS FOLDER < FILES

Writes FOLDER/<unit>.cpp and FOLDER/compile_commands.json, and prints the units in the order of FILES (absolute paths, a
line each). Files that COMPILE_COMMANDS does not know are left out.
"""
import json
import pathlib
import re
import sys

FILES_OF_UNIT = 8


def units_of(commands, files):
    """Lists of files that share a folder and a command, at most FILES_OF_UNIT each, with that command."""
    open_units, units = {}, []
    for file in files:
        if file not in commands:
            continue
        command = re.sub(r" -o \S+", "", commands[file]["command"]).replace(file, "{}")
        group = (pathlib.Path(file).parent, command, commands[file]["directory"])
        if len(open_units.get(group, [])) in (0, FILES_OF_UNIT):
            open_units[group] = []
            units.append((open_units[group], command, commands[file]["directory"]))
        open_units[group].append(file)
    return units


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    folder = pathlib.Path(sys.argv[2])
    commands = {entry["file"]: entry for entry in reversed(json.loads(pathlib.Path(sys.argv[1]).read_text()))}
    entries = []
    for number, (files, command, directory) in enumerate(units_of(commands, sys.stdin.read().split("\n"))):
        unit = folder / f"{number:03}_{pathlib.Path(files[0]).parent.name}.cpp"
        unit.write_text("".join(f'#include "{file}"\n' for file in files))
        entries.append({"directory": directory, "command": command.replace("{}", str(unit)), "file": str(unit)})
        print(unit)
    (folder / "compile_commands.json").write_text(json.dumps(entries))


if __name__ == "__main__":
    main()
