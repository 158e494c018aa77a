#!/usr/bin/env python3
"""Compiles each header and each source of a tree alone, with the options of the build that knows its folder.

usage: compile_alone.py ROOT BUILD [PATH...]

BUILD, a folder below ROOT, holds compile_commands.json. Prints the first error of each file that does not compile; exit
status 1 if there is one.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

# Headers whose includers have StarPU and the definitions of the build: compiled with the options of codelets/starpu.
AS_CODELETS = ("include/", "codelets/kernels/")
# What only builds of another flavour, or with CUDA, compile.
ELSEWHERE = re.compile(r"(^|/)(cuda|with_cuda|with_gpus|with_opencl|no_mpi|no_starpu_mpi|smpi|simulation|with_smpi)/|^apps/lab/[^/]*$"
                       r"|^lab/experiments/(board|runs|simulation_child|validation)\.")
OPTIONS = ["-O0", "-g0", "-w", "-Wno-error"]


def commands_of(build):
    """The command without its file and output of each source, and of each folder that has one."""
    of_source, of_folder = {}, {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        output = words.index("-o")
        words = words[:output] + words[output + 2:]
        of_source[entry["file"]] = words[:words.index("-c")]
        of_folder.setdefault(os.path.dirname(entry["file"]), of_source[entry["file"]])
    return of_source, of_folder


def nearest(of_folder, folder, root):
    """The command of the folder, or of the one above it that has one, or of the first below the same top folder."""
    while folder.startswith(root):
        below = (command for name, command in of_folder.items() if (name + "/").startswith(folder + "/"))
        found = of_folder.get(folder) or next(below, None)
        if found:
            return found
        folder = os.path.dirname(folder)
    raise SystemExit(f"{root}: the build compiles nothing")


def files_below(root, paths):
    """The files under the paths, relative to the root, without builds and hidden folders."""
    for path in paths:
        start = root / path
        if start.is_file():
            yield str(start.relative_to(root))
        for folder, folders, names in os.walk(start):
            folders[:] = [name for name in folders if name != "build" and not name.startswith(".")]
            yield from (os.path.relpath(os.path.join(folder, name), root) for name in names)


def jobs(root, build, paths):
    """Name and command of each file that is to be compiled."""
    of_source, of_folder = commands_of(build)
    for name in sorted(set(files_below(root, paths))):
        ending = os.path.splitext(name)[1]
        if ELSEWHERE.search(name) or re.match(r"(tests|bench|support|docs|cmake)/", name):
            continue
        source = str(root / name)
        if ending in (".hpp", ".h"):
            alone = build / "alone" / (name + ".cpp")
            alone.parent.mkdir(parents=True, exist_ok=True)
            alone.write_text(f'#include "{name}"\n')
            folder = str(root / "codelets/starpu") if name.startswith(AS_CODELETS) else os.path.dirname(source)
            command = nearest(of_folder, folder, str(root))
            yield name, [*command, "-I", str(root / "include"), *OPTIONS, "-c", str(alone), "-o", str(alone) + ".o"]
        elif ending == ".cpp" and source in of_source:
            output = build / "alone" / (name + ".o")
            output.parent.mkdir(parents=True, exist_ok=True)
            yield name, [*of_source[source], *OPTIONS, "-c", source, "-o", str(output)]


def compiled(job, build):
    name, command = job
    run = subprocess.run(command, cwd=build, text=True, capture_output=True)
    if run.returncode == 0:
        return None
    errors = [line for line in run.stderr.splitlines() if "error:" in line]
    return f"{name} does not compile alone: {(errors or run.stderr.splitlines() or ['no message'])[0]}"


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    build = root / sys.argv[2]
    work = list(jobs(root, build, sys.argv[3:] or ["."]))
    if not work:
        raise SystemExit("starpath: error: there is no header or source to compile under these paths")
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        failures = [line for line in pool.map(lambda job: compiled(job, build), work) if line]
    print("\n".join([*failures, f"starpath: {len(work)} files compiled alone, {len(failures)} failed"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
