"""Machines and graphs that are drawn, for starpath-lab: nobody can tune a policy on them one by one. Equal names give equal
files.

A machine: 2 to 64 cores that compute; 1 to 8 devices of 1 to 3 classes, the slowest up to 8 times slower than the fastest;
links of 1 to 50 GB/s and 1 to 20 us, which share a way to main memory that is as wide as one of them or as all; 2 to 80 GiB
on a device. A graph of a family: three codelets that a device of the reference speed runs 0.5 to 50 times as fast as a core;
a task takes 0.1 to 30 ms there, and its data take 0.1 to 100 times less to copy."""
import json
import math
import random
import subprocess
import tempfile

from cached import CACHE, cached, fingerprint, write_whole
from starpu_programs import is_built_in

REFERENCE = 1000.0  # GB/s of the device that a workload's speedups speak of
FAMILIES = {  # name: kinds of task, parameters drawn
    "layered": (("first", "second", "third"), lambda d: {"layers": d.count(8, 40), "width": d.count(8, 60),
                                                         "reads": d.count(1, 4)}),
    "chains": (("light", "even", "heavy"), lambda d: {"chains": d.count(40, 200), "length": d.count(3, 12)}),
    "independent": (("task",), lambda d: {"tasks": d.count(200, 1500), "least_speedup": d.wide(0.5, 4),
                                          "most_speedup": d.wide(5, 50)}),
    "fork-join": (("serial", "parallel", "join"), lambda d: {"phases": d.count(5, 30), "width": d.count(10, 100)}),
    "reduction": (("leaf", "combine", "top"), lambda d: {"trees": d.count(1, 20), "leaves": d.count(16, 100)}),
    "stencil": (("border", "black", "white"), lambda d: {"side": d.count(3, 12), "steps": d.count(5, 25)}),
    "gather": (("load", "gather", "last"), lambda d: {"ends": d.count(1, 20), "inputs": d.count(16, 100),
                                                      "fan": d.count(2, 7)}),
    "divide": (("split", "solve", "merge"), lambda d: {"problems": d.count(1, 20), "depth": d.count(3, 7)}),
    "wavefront": (("first", "black", "white"), lambda d: {"side": d.count(5, 25), "sweeps": d.count(1, 8)}),
}
WINDOWED = ("chains", "layered")  # may be submitted a few at a time


class Draw:
    """Numbers that depend on the name alone."""

    def __init__(self, name):
        self.random = random.Random(name)

    def wide(self, least, most):
        """Evenly in the logarithm, three digits."""
        return float(f"{math.exp(self.random.uniform(math.log(least), math.log(most))):.3g}")

    def count(self, least, most):
        return min(most, max(least, round(self.wide(least, most))))

    def one_of(self, *values):
        return self.random.choice(values)


def draw_machine(name):
    draw = Draw(name)
    classes = draw.count(1, 3)
    devices = draw.count(classes, 8)
    counts = [1] * classes
    for _ in range(devices - classes):
        counts[draw.random.randrange(classes)] += 1
    fastest, link = draw.wide(500, 4000), draw.wide(1, 50)
    accelerators = [{"name": f"device {i}", "count": count, "memory": draw.wide(2048, 81920), "latency": draw.wide(1, 20),
                     "memory_bandwidth": float(f"{fastest / (1 if i == 0 else draw.wide(1.3, 8)):.4g}"), "link": link}
                    for i, count in enumerate(counts)]
    return {"name": name, "cores": draw.count(2, 64) + devices, "efficiency": draw.wide(0.6, 1),
            "host": float(f"{link * draw.one_of(1, devices):.4g}"), "accelerators": accelerators}


def draw_graph(name, machine):
    """On `machine`, which the size of the data depends on."""
    draw = Draw(name + " on " + machine["name"])
    kinds, parameters = FAMILIES[name.split(" ")[0]]
    device_ms = {kind: draw.wide(0.1, 30) for kind in kinds}
    speedups = {kind: draw.wide(0.5, 50) for kind in kinds}
    ratio = draw.wide(0.1, 100)
    fastest = machine["accelerators"][0]
    middle = sorted(device_ms.values())[len(kinds) // 2] * REFERENCE / fastest["memory_bandwidth"]
    megabytes = min(256, max(1e-3, middle * fastest["link"] / ratio))  # 1 ms at 1 GB/s: 1 MB
    return {"name": name, "data": float(f"{megabytes:.3g}"), "ratio": ratio, "kinds": {
        kind: (device_ms[kind] * speedups[kind], speedups[kind]) for kind in kinds},
        "window": draw.one_of(0, draw.count(10, 60)) if name.split(" ")[0] in WINDOWED else 0, **parameters(draw)}


def entry(key, value, unit=""):
    with_unit = f', unit = "{unit}"' if unit else ""
    return f'{key} = {{ value = {value}{with_unit}, assumed = "drawn" }}'


def machine_file(machine):
    lines = ["[machine]", f'name = "{machine["name"]}"', 'about = "Drawn"', entry("cores", machine["cores"]),
             entry("core_speed", 1), entry("efficiency", machine["efficiency"]),
             entry("host_bandwidth", machine["host"], "GB/s")]
    for device in machine["accelerators"]:
        lines += ["[[accelerator]]", f'name = "{device["name"]}"', 'kind = "gpu"', entry("count", device["count"]),
                  entry("memory", device["memory"], "MiB"), entry("memory_bandwidth", device["memory_bandwidth"], "GB/s"),
                  entry("to_device_bandwidth", device["link"], "GB/s"),
                  entry("from_device_bandwidth", device["link"], "GB/s"), entry("latency", device["latency"], "us")]
    return "\n".join(lines) + "\n"


def graph_file(graph):
    shape = graph["name"].split(" ")[0]
    fixed = {"name", "data", "ratio", "kinds"}
    lines = ["[workload]", f'name = "{graph["name"]}"', 'about = "Drawn"', f'shape = "{shape}"',
             entry("data", graph["data"], "MB"), *[entry(key, graph[key]) for key in graph if key not in fixed],
             entry("reference_core_speed", 1.0), entry("reference_gpu_bandwidth", REFERENCE, "GB/s"),
             entry("reference_mic_bandwidth", REFERENCE, "GB/s"), entry("content_spread", 0.2),
             entry("device_spread", 0.05), entry("known_spread", 0.1)]
    for kind, (core_ms, speedup) in graph["kinds"].items():
        lines += ["[[task]]", f'name = "{kind}"', entry("core_time", core_ms, "ms"), entry("gpu", speedup),
                  entry("mic", speedup), entry("content", 1)]
    return "\n".join(lines) + "\n"


def folder():
    made = CACHE / "board" / "drawn"
    made.mkdir(parents=True, exist_ok=True)
    return made


def write(name, text):
    """The file of that name in the cache, with that text."""
    file = folder() / name.replace(" ", "-")
    if not file.exists() or file.read_text() != text:
        write_whole(file, text)
    return file


def run_drawn(machine_name, graph_name, policy, estimator, build, limit, options=()):
    """Makespan over its lower bound, and failure; one of them is None. `estimator`: as of starpath-lab, or `auto`, which is
    the plug-in's with exact models. `options`: NAME=VALUE for the plug-in."""
    machine = draw_machine(machine_name)
    graph = draw_graph(graph_name, machine)
    machine_text, graph_text = machine_file(machine), graph_file(graph)
    lab, plugin = build / "apps/lab/starpath-lab", build / "sched_policies/libstarpath_sched.so"
    settings = [*options, *(["STARPATH_ESTIMATOR=auto"] if estimator == "auto" else [])]

    def simulate():
        with tempfile.TemporaryDirectory() as home:
            files = [write(f"{machine_name}.toml", machine_text), write(f"{graph_name} on {machine_name}.toml", graph_text)]
            command = [lab, "--machine", files[0], "--workload", files[1], "--policy", policy, "--estimator",
                       "exact" if estimator == "auto" else estimator, "--seed", "1", "--json", "--jobs", "1", "--timeout",
                       str(limit)]
            warm = [f"STARPU_HETEROPRIO_DATA_DIR={home}"] if policy == "heteroprio" else []
            for setting in [*settings, *warm]:
                command += ["--env", setting]
            for _ in range(2 if warm else 1):  # heteroprio: with data of its own of one run before
                done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        try:
            found = json.loads(done.stdout)
            run = found["runs"][0]
        except (ValueError, LookupError):
            return {"ratio": None, "failure": (done.stderr.strip().splitlines() or ["no answer"])[-1]}
        return ({"ratio": run["makespan"] / found["bound"], "failure": None} if run["ok"]
                else {"ratio": None, "failure": run.get("failure", "failed")})

    question = ["drawn", machine_text, graph_text, policy, estimator, settings, fingerprint(build / "lab/simulation/starpath-lab-run")]
    if not is_built_in(policy):
        question.append(fingerprint(plugin))
    return cached(question, simulate)

