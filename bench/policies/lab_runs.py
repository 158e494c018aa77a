"""Starting starpath-lab for the experiments of this folder."""
import json
import math
import pathlib
import subprocess
import sys
from statistics import geometric_mean

LAB = str(pathlib.Path(__file__).resolve().parents[2] / "build/simgrid/apps/lab/starpath-lab")


def lab_runs(lab, *options, **settings):
    """What `lab` reports of its runs, failed ones among them. `settings`: options with one value; a list is joined by
    commas. Exits with what the lab says if it does not start them."""
    command = [lab, *options, "--jobs", "1", "--json"]
    for name, value in settings.items():
        command += [f"--{name}", ",".join(value) if isinstance(value, list) else str(value)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: a run failed
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return {"command": " ".join(command), **json.loads(done.stdout)}


def mean(ratios):
    """Their geometric mean; not a number of none."""
    return geometric_mean(ratios) if ratios else math.nan
