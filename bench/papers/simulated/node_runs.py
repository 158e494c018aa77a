"""Runs on one simulated machine: what is kept of them."""
import json
import statistics
import subprocess


def run_one(lab, arguments, seed):
    done = subprocess.run([lab, *arguments, "--seed", str(seed), "--json", "--jobs", "1"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip() or done.stdout[-300:]}")
    return json.loads(done.stdout)


def summarise(outputs):
    """Mean makespan over the seeds and who ran what, by policy."""
    result = {}
    for i, first in enumerate(outputs[0]["runs"]):
        same = [output["runs"][i] for output in outputs]
        ran = [[sum(run["ran"][k][c] for run in same) for c in range(len(first["classes"]))]
               for k in range(len(first["kinds"]))]
        result[first["policy"]] = {
            "makespan": statistics.mean(run["makespan"] for run in same),
            "bound": statistics.mean(output["bound"] for output in outputs),
            "classes": first["classes"], "kinds": first["kinds"], "ran": ran}
    return result


def validate(lab, arguments, seeds):
    """Means over a workload's codelets of the errors of speedups and of times, in percent."""
    done = subprocess.run([lab, "validate", *arguments, "--seeds", ",".join(map(str, seeds)), "--json"], capture_output=True, text=True, check=True)
    codelets = json.loads(done.stdout)["codelets"]
    return {what: statistics.mean(own[what] for own in codelets) for what in ("speedup", "core_time")}
