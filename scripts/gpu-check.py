#!/usr/bin/env python3
"""Checks and measures the GPU code on this machine, whatever happens: scripts/gpu-bundle.sh packs what it needs.

Each step is a process of its own with a time limit. It writes rows of results, one JSON object a line, as it finds them, so
that they are in the report even if the step is ended later.
"""
import argparse
import collections
import datetime
import filecmp
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
import typing

HERE = pathlib.Path(__file__).resolve().parent
POLICIES = "pats pams odds apex dmda dmdas heteroprio lws eager"
LOOPS = "increment blackscholes histogram boxfilter nbody heat2d strmatch heart knn eclat".split()
NO_DEVICE = 77  # exit status of a step and of the programs of tests


class Step(typing.NamedTuple):
    name: str
    seconds: int  # it may take at most
    what: str


# In order of value, as time on a GPU is scarce.
STEPS = [
    Step("device", 60, "which device this is, and whether a task runs on it"),
    Step("kernels", 180, "every kernel against the reference, many sizes and seeds"),
    Step("segmentation", 120, "the segmentation on GPUs and cores, byte for byte as on cores alone"),
    Step("nbia", 120, "the classification of stroma, likewise"),
    Step("operations", 180, "time of each operation, its bytes a second beside those of a copy; NBIA on tiles of 32 to 4096 pixels"),
    Step("programs", 240, "StarPU's own programs: makespan under each policy; scheduling cost of an empty task"),
    Step("compare", 400, "starpath compare: who ran what, bytes moved, makespans under all policies, as a page"),
    Step("estimates", 120, "apex: the times it expected of tasks beside those measured"),
    Step("policies", 500, "both pipelines under every policy, byte for byte"),
    Step("loops", 300, "each loop on GPUs alone and beside cores, bit for bit as the serial one"),
    Step("memcheck", 300, "kernels on small images under compute-sanitizer: memcheck"),
    Step("racecheck", 300, "the same: racecheck"),
]


def say(text):
    print(f"gpu-check: {text}", file=sys.stderr, flush=True)


def die(text):
    say(text)
    sys.exit(2)


def run_for(seconds, command, output, errors, **settings):
    """The exit status of a command whose output goes to files; 124 if it had to be ended after its seconds."""
    with open(output, "wb") as out, open(errors, "ab") as err:
        child = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                 env={**os.environ, **settings})
        try:
            return child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.terminate()
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        return 124


def value_of(text):
    """A number where the text is one, otherwise the text on one line."""
    text = str(text).strip()
    if re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?", text):
        return json.loads(text)
    return " ".join(re.sub(r"[\x00-\x08\x0b-\x1f]", "\n", text).split("\n"))


def text_of(path):
    return path.read_text(errors="replace") if path.exists() else ""


class Machine:
    """The programs, the devices and the sizes of the work: for a GPU, or for cores that stand in for one."""

    def __init__(self, options):
        build = options.build
        self.packed = build is None
        self.pocl = options.pocl
        self.out = options.out
        self.starpath = build / "apps/starpath" if build else HERE / "bin/starpath"
        self.tests = build / "tests/cuda/gpu_tests" if build else HERE / "bin/gpu_tests"
        self.bench = build / "bench/gpu/gpu_bench" if build else HERE / "bin/gpu_bench"
        self.kind, self.tile, self.few = "cuda", 1024, []
        if self.pocl:
            self.tests = (build or HERE) / "tests/cuda/simt_tests"
            self.kind, self.tile, self.few = "opencl", 300, ["--gtest_filter=Cuda.Background*:Cuda.*Opening*"]
        self.size = options.size or (1024 if self.pocl else 4096)
        self.policies = options.policies.split()
        if not os.access(self.starpath, os.X_OK) or not (self.pocl or os.access(self.tests, os.X_OK)):
            die(f"{self.starpath} or {self.tests} is missing: run this in a folder that scripts/gpu-bundle.sh packed, "
                "or name a build (--build)")

    def environment(self):
        settings = {"PATH": os.environ["PATH"] + ":/usr/local/cuda/bin", "STARPU_SILENT": "1", "STARPU_HOME": str(self.out / "starpu"),
                    "STARPATH_PROFILE": "none"}
        if self.pocl:
            settings |= {"STARPU_OPENCL_ON_CPUS": "1", "STARPU_OPENCL_ONLY_ON_CPUS": "1",
                         "POCL_DEVICES": os.environ.get("POCL_DEVICES", "pthread")}
        return settings


class Results:
    """The rows of one step, and whether something failed in it."""

    def __init__(self, path):
        self.file = open(path, "a", encoding="utf-8")
        self.failures = 0

    def row(self, cells):
        self.file.write(json.dumps({name: value_of(value) for name, value in cells.items()}, ensure_ascii=False) + "\n")
        self.file.flush()

    def failed(self, text):
        self.failures += 1
        say(f"FAILED: {text}")
        self.row({"what failed": text})


# --- The steps


def step_device(machine, results):
    log = machine.out / "device.log"
    command = [machine.tests, "--gtest_filter=Cuda.FeaturesOfNoObject"]
    if machine.pocl:
        command = [machine.starpath, "loop", "increment", "--n", "1000", "--cpus", "0", "--gpus", "1"]
    log.unlink(missing_ok=True)
    code = run_for(60, command, log, log)
    print(text_of(log), file=sys.stderr)
    if code == NO_DEVICE:
        say("there is no CUDA device on this machine")
        sys.exit(NO_DEVICE)
    if code != 0:
        results.failed("the programs do not run on this machine")
        return
    name = re.search(r"^device: (.*)", text_of(log), re.M)
    device = f"OpenCL devices on cores ({os.environ['POCL_DEVICES']})" if machine.pocl else name[1] if name else ""
    processor = re.search(r"^model name[^:]*: (.*)", text_of(pathlib.Path("/proc/cpuinfo")), re.M)
    driver = ""
    if shutil.which("nvidia-smi"):
        asked = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], capture_output=True, text=True)
        driver = (asked.stdout.splitlines() or [""])[0]
    results.row({"device": device, "processor": processor[1] if processor else "", "cores": len(os.sched_getaffinity(0)), "driver": driver})


def shared_out(machine, name, command, **settings):
    """Runs a program of tests as up to eight processes at a time, each with its share of the tests; their output is NAME.log.
    Returns whether all passed."""
    count = min(len(os.sched_getaffinity(0)), 8)
    children = []
    for share in range(count):
        with open(machine.out / f"{name}-{share}.log", "wb") as log:
            shares = {"GTEST_TOTAL_SHARDS": str(count), "GTEST_SHARD_INDEX": str(share)}
            children.append(subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log,
                                             stderr=subprocess.STDOUT, env={**os.environ, **settings, **shares}))
    codes = [child.wait() for child in children]
    parts = [machine.out / f"{name}-{share}.log" for share in range(count)]
    (machine.out / f"{name}.log").write_bytes(b"".join(part.read_bytes() for part in parts))
    for part in parts:
        part.unlink()
    return not any(codes)


def step_kernels(machine, results):
    if not os.access(machine.tests, os.X_OK):
        results.row({"left out": f"{machine.tests.name} is not built"})
        return
    if not shared_out(machine, "kernels", [machine.tests, *machine.few, "--gtest_brief=1"]):
        results.failed("kernels differ from the reference: kernels.log")
    log = text_of(machine.out / "kernels.log")
    results.row({"tests": sum(int(ran) for ran in re.findall(r"^\[==========\] (\d+) .* ran", log, re.M)),
                 "failed": len(re.findall(r"^\[  FAILED  \]", log, re.M)), "program": machine.tests.name})


FILES_OF = {"segmentation": ["nuclei.csv", "nuclei.geojson"], "nbia": ["fields.csv", "regions.geojson", "map.png"]}


def run_pipeline(machine, name, pipeline, *options, **settings):
    """Runs a pipeline into the folder NAME; its exit status."""
    out = machine.out / name
    shutil.rmtree(out, ignore_errors=True)
    slide = f"synthetic:{machine.size}x{machine.size}"
    command = ["nbia", "run", f"{slide},pattern=stroma,seed=3"]
    if pipeline == "segmentation":
        command = ["segment", f"{slide},seed=3", "--tile", machine.tile]
    log = machine.out / f"{name}.log"
    log.unlink(missing_ok=True)
    return run_for(90, [machine.starpath, *command, *options, "--out", out, "--json"], machine.out / f"{name}.json", log, **settings)


def summary_of(machine, name):
    """What the run NAME said at its end; nothing if it did not."""
    lines = text_of(machine.out / f"{name}.json").splitlines()
    try:
        summary = json.loads(lines[-1])
    except (IndexError, ValueError):
        return {}
    return summary if isinstance(summary, dict) else {}


def ran_on(summary, kind):
    return any("tasks" in share for share in summary.get("shares", {}).get(kind, {}).values())


def same_on_gpus(machine, results, pipeline, policy):
    """A run that learns, then one that is compared with a run on cores alone."""
    name, on_cores = f"{pipeline}-{policy}", machine.out / f"{pipeline}-cores"
    if not (on_cores / ".whole").exists():
        if run_pipeline(machine, on_cores.name, pipeline, "--policy", "eager", "--gpus", 0) != 0:
            results.failed(f"{pipeline} on cores alone: {on_cores.name}.log")
            return
        (on_cores / ".whole").touch()
    profile = {"STARPATH_PROFILE": str(machine.out / "profile.sqlite")}
    code = (run_pipeline(machine, name, pipeline, "--policy", policy, **profile) or
            run_pipeline(machine, name, pipeline, "--policy", policy, **profile))
    same = "yes"
    for file in FILES_OF[pipeline]:
        one, other = on_cores / file, machine.out / name / file
        if not (one.exists() and other.exists() and filecmp.cmp(one, other, shallow=False)):
            same = f"no: {file} differs"
    summary = summary_of(machine, name)
    if not ran_on(summary, machine.kind):
        same = "no: no task ran on a GPU"
    if code != 0:
        same = f"no: exit status {code}"
    results.row({"pipeline": pipeline, "policy": policy, "seconds": summary.get("seconds", ""),
                 "seconds on cores": summary_of(machine, on_cores.name).get("seconds", ""), "same bytes": same})
    if same != "yes":
        results.failed(f"{pipeline} under {policy}: {same} ({name}.log)")


def step_segmentation(machine, results):
    same_on_gpus(machine, results, "segmentation", "pats")


def step_nbia(machine, results):
    same_on_gpus(machine, results, "nbia", "pats")


def step_policies(machine, results):
    for policy in machine.policies:
        same_on_gpus(machine, results, "segmentation", policy)
        same_on_gpus(machine, results, "nbia", policy)


def step_operations(machine, results):
    if not os.access(machine.bench, os.X_OK):
        results.row({"left out": "gpu_bench is not built"})
        return
    table, log = machine.out / "operations.md", machine.out / "operations.log"
    log.unlink(missing_ok=True)
    if run_for(None, [machine.bench, "--json", machine.out / "operations.json"], table, log) != 0:
        results.failed("operations: operations.md, operations.log")
    columns = ["operation", "CPU core ms", "GPU ms", "transfer ms", "speedup", "GB/s", "of a copy", "same bytes"]
    for line in re.split(r"^NBIA by tile size", text_of(table), flags=re.M)[0].splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if line.startswith("|") and len(cells) == len(columns) and "---" not in cells[0] and cells[0] != "operation":
            results.row(dict(zip(columns, cells)))


def makespan(machine, command, **settings):
    """Milliseconds, from the table that StarPU's own programs print; nothing if there is none."""
    table = machine.out / "program.txt"
    run_for(40, command, table, machine.out / "programs.log", **settings)
    column = None
    for line in text_of(table).splitlines():
        cells = line.split("\t")
        if line.startswith("#"):
            column = next((at for at, cell in enumerate(cells) if cell in ("ms", "# ms")), column)
        elif column is not None and column < len(cells):
            return float(cells[column])
    return None


def step_programs(machine, results):
    """StarPU's models are learnt first; then each policy in turn. apex has the estimates that it takes by itself."""
    folder = HERE / "bin"
    if not machine.packed or not os.access(folder / "cholesky_implicit", os.X_OK):
        results.row({"left out": "StarPU's own programs are not packed"})
        return
    plugin = {"STARPU_SCHED_LIB": str(HERE / "sched_policies/libstarpath_sched.so"), "OPENBLAS_NUM_THREADS": "1"}
    for program, blocks in [("cholesky_implicit", 32), ("lu_implicit_example_float", 16), ("cholesky_tag", 24)]:
        command = [folder / program, "-size", 480 * blocks, "-nblocks", blocks]
        for _ in range(2):
            makespan(machine, command, STARPU_CALIBRATE="1", STARPU_SCHED="dmda", **plugin)
        cells = {"program": program, "blocks": blocks}
        for policy in ["dmdas", "heteroprio", "lws", "apex"]:
            took = [ms for _ in range(2) if (ms := makespan(machine, command, STARPU_SCHED=policy, **plugin)) is not None]
            if not took:
                results.failed(f"{program} of {blocks} blocks under {policy}: programs.log")
            cells[f"{policy} ms"] = min(took) if took else "none"
        results.row(cells)
    cost = machine.out / "task_cost.txt"
    for policy in ["eager", "dmda", "apex"]:
        code = run_for(20, [folder / "task_cost", 16384, 3], cost, machine.out / "programs.log",
                       STARPU_SCHED=policy, STARPU_NCUDA="0", STARPU_NCPU="8", **plugin)
        if code != 0:
            results.failed(f"task_cost under {policy}: programs.log")
        results.row({"program": "task_cost, 8 cores", "policy, workers, us a task to wait, queue, run": text_of(cost)})


def step_compare(machine, results):
    table, log = machine.out / "compare.txt", machine.out / "compare.log"
    log.unlink(missing_ok=True)
    command = [machine.starpath, "compare", "segment", f"synthetic:{machine.size}x{machine.size},seed=3", "--policy",
               ",".join(machine.policies), "--repeat", 2, "--html", machine.out / "compare.html", "--", "--tile", machine.tile]
    if run_for(None, command, table, log) != 0:
        results.failed("compare: compare.log")
    columns = ["policy", "makespan s", "min", "max", "over the bound", "moved MB", "idle"]
    found = re.search(r"^policy .*makespan.*\n((?:.+\n?)*)", text_of(table), re.M)
    for line in found[1].splitlines() if found else []:
        results.row(dict(zip(columns, line.split(None, len(columns) - 1))))


def errors_of(trace):
    """Of each codelet and class of devices in a trace: what was expected and measured of its tasks, in microseconds."""
    text = trace.read_text().rstrip().rstrip(",")
    events = json.loads(text if text.endswith("]") else text + "]")  # the bracket at the end is optional in the format
    classes = {event["tid"]: event["args"]["name"].split()[1] for event in events if event["name"] == "thread_name"}
    tasks = collections.defaultdict(list)
    for event in events:
        expected = event.get("args", {}).get("expected_us") or 0
        if event.get("ph") == "X" and expected > 0:
            tasks[event["name"], classes[event["tid"]]].append((expected, event["dur"]))
    return sorted(tasks.items())


def step_estimates(machine, results):
    settings = {"STARPATH_PROFILE": str(machine.out / "estimates.sqlite")}
    trace = machine.out / "apex.trace.json"
    trace.unlink(missing_ok=True)
    for more in [{}, {"STARPATH_TRACE": str(trace)}]:
        if run_pipeline(machine, "estimates", "segmentation", "--policy", "apex", **settings, **more) != 0:
            results.failed("segmentation under apex: estimates.log")
    try:
        found = errors_of(trace)
    except (OSError, ValueError, KeyError) as problem:
        found = []
        say(f"apex.trace.json cannot be used: {problem}")
    if not found:
        results.failed("no task with an estimate: apex.trace.json")
    lines = []
    for (codelet, kind), tasks in found:
        errors = [max(expected / took, took / expected) - 1 if took > 0 else 0 for expected, took in tasks]
        numbers = [statistics.median_low(errors), *(statistics.fmean(column) for column in zip(*tasks))]
        error, expected, took = (f"{number:.6g}" for number in numbers)
        lines.append(f"{codelet}\t{kind}\t{len(tasks)}\t{error}\t{expected}\t{took}\n")
        results.row({"codelet": codelet, "class": kind, "tasks": len(tasks), "median error": error, "mean expected us": expected,
                     "mean measured us": took})
    (machine.out / "estimates.txt").write_text("".join(lines))


def check_loop(machine, results, loop, workers, *options):
    """The command compares with the serial loop itself, and fails where they differ."""
    name = f"loop-{loop}-{workers.replace(' ', '-')}"
    log = machine.out / f"{name}.log"
    log.unlink(missing_ok=True)
    code = run_for(60, [machine.starpath, "loop", loop, "--json", *options], machine.out / f"{name}.json", log)
    try:
        told = json.loads(text_of(machine.out / f"{name}.json"))
    except ValueError:
        told = {}
    same = "yes" if told.get("identical") is True else "no: not the bits of the serial loop"
    if workers == "GPUs" and told.get("gpu_iterations") != told.get("iterations"):
        same = "no: not all iterations ran on GPUs"
    if code != 0:
        same = f"no: exit status {code}"
    results.row({"loop": loop, "workers": workers, "iterations": told.get("iterations", ""), "on GPUs": told.get("gpu_iterations", ""),
                 "us": told.get("microseconds", ""), "serial us": told.get("serial_microseconds", ""), "same bits": same})
    if same != "yes":
        results.failed(f"loop {loop} on {workers}: {same} ({name}.log)")


def step_loops(machine, results):
    for loop in LOOPS:
        small = ["--n", 24 if loop == "eclat" else 401] if machine.pocl else []
        check_loop(machine, results, loop, "GPUs", "--cpus", 0, *small)
        check_loop(machine, results, loop, "GPUs and cores", *small)


def sanitize(machine, results, tool, without=""):
    """The kernels under a tool of compute-sanitizer, without the tests of a filter."""
    if not shutil.which("compute-sanitizer"):
        results.row({"left out": "compute-sanitizer is not here"})
        return
    tests = [machine.tests, f"--gtest_filter=Cuda.*-*Bounded*:*AnyRelief*{without}"]
    if not shared_out(machine, tool, ["compute-sanitizer", "--tool", tool, "--error-exitcode", 9, *tests], STARPATH_DEVICE_STRENGTH="1"):
        results.failed(f"compute-sanitizer {tool}: {tool}.log")
    summaries = collections.Counter(re.findall(r".*SUMMARY.*", text_of(machine.out / f"{tool}.log")))
    results.row({"tool": tool, "summary": "; ".join(f"{count} {line}" for line, count in sorted(summaries.items()))})


def step_memcheck(machine, results):
    sanitize(machine, results, "memcheck")


def step_racecheck(machine, results):
    sanitize(machine, results, "racecheck", ":*ToTheLimit*")  # blocks that wait for each other take minutes under it


# --- The report: everything that is there so far

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Starpath on a GPU</title>
<style>body{font:15px/1.45 sans-serif;margin:2em;max-width:75em}table{border-collapse:collapse;margin:.5em 0 1.5em}
td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}td.n{text-align:right}.failed,.late{color:#a00;font-weight:bold}
.passed{color:#060}.none{color:#777}h2{margin-bottom:.1em}</style>
<h1>Starpath on a GPU</h1><div id="page"></div><script type="application/json" id="data">
@DATA@
</script><script>
const report = JSON.parse(document.getElementById("data").textContent), page = document.getElementById("page");
const add = (to, tag, text, kind) => { const made = document.createElement(tag); if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind; to.append(made); return made; };
const looks = {passed: "passed", failed: "failed", "took too long": "late"};
if (report.kind === "opencl") add(page, "p", "OpenCL devices on cores took the place of GPUs: no time here says how fast a GPU is.");
add(page, "p", `Slides of ${report.size} x ${report.size} pixels; begun ${report.began}.`);
const list = add(add(page, "table"), "tbody");
for (const step of report.steps) {
  const line = add(list, "tr");
  add(add(line, "td"), "a", step.step).href = "#" + step.step;
  add(line, "td", step.status, looks[step.status] || "none"); add(line, "td", step.seconds + " s", "n"); add(line, "td", step.what);
}
for (const step of report.steps) {
  add(page, "h2", step.step).id = step.step;
  add(page, "p", `${step.what}: ${step.status}, ${step.seconds} s of at most ${step.limit}.`);
  if (step.step === "compare" && step.rows.length) add(add(page, "p"), "a", "the page of the comparison").href = "compare.html";
  const names = [...new Set(step.rows.flatMap(row => Object.keys(row)))];
  if (!names.length) continue;
  const table = add(page, "table"), head = add(table, "tr");
  for (const name of names) add(head, "th", name);
  for (const row of step.rows) { const line = add(table, "tr");
    for (const name of names) { const value = row[name], number = typeof value === "number";
      add(line, "td", value === undefined ? "" : number ? +value.toPrecision(5) : value, number ? "n" : String(value).startsWith("no:") ? "failed" : ""); } }
}
</script></html>
"""


class Report:
    """What the steps have said so far, in files that each appear whole."""

    def __init__(self, machine):
        self.machine = machine
        self.began = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.ended = {}  # status and seconds, by the name of the step

    def end(self, name, status, seconds=0):
        self.ended[name] = (status, int(seconds))
        (self.machine.out / "steps" / f"{name}.status").write_text(f"{status}|{int(seconds)}\n")

    def rows(self, name):
        """A line that a killed step left half-written is none."""
        rows = []
        for line in text_of(self.machine.out / "steps" / f"{name}.rows").splitlines():
            try:
                rows.append(json.loads(line))
            except ValueError:
                pass
        return rows

    def steps(self):
        for step in STEPS:
            status, seconds = self.ended.get(step.name, ("not run yet", 0))
            yield {"step": step.name, "what": step.what, "status": status, "seconds": seconds, "limit": step.seconds,
                   "rows": self.rows(step.name)}

    def as_json(self):
        head = {"size": self.machine.size, "kind": self.machine.kind, "began": self.began}
        lines = []
        for step in self.steps():
            rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in step.pop("rows"))
            lines.append(f' {json.dumps(step, ensure_ascii=False)[:-1]}, "rows": [{rows}]}}')
        return f'{json.dumps(head)[:-1]}, "steps": [\n' + ",\n".join(lines) + "\n]}\n"

    def as_text(self):
        lines = ["# Starpath on a GPU", "", "| step | status | seconds |", "|---|---|---|"]
        steps = list(self.steps())
        lines += [f"| {step['step']}: {step['what']} | {step['status']} | {step['seconds']} of {step['limit']} |" for step in steps]
        for step in steps:
            if step["rows"]:
                lines += ["", f"## {step['step']}", ""]
                lines += ["- " + ", ".join(f"{name}: {value}" for name, value in row.items()) for row in step["rows"]]
        return "\n".join(lines) + "\n"

    def write(self):
        data = self.as_json()
        files = {"report.json": data, "report.html": PAGE.replace("@DATA@", data.replace("</", "<\\/")), "report.md": self.as_text()}
        for name, text in files.items():
            part = self.machine.out / f"{name}.part"
            part.write_text(text, encoding="utf-8")
            part.rename(self.machine.out / name)


class Check:
    """Runs the steps one after the other. Each is a group of processes, which ends as a whole."""

    def __init__(self, options, machine):
        self.options, self.machine = options, machine
        self.report = Report(machine)
        self.child = self.name = None
        self.starting = self.stop_asked = False
        self.began = self.step_began = time.monotonic()

    def end_child(self, number):
        try:
            os.killpg(self.child.pid, number)
        except ProcessLookupError:
            pass

    def stopped(self, *_):
        """Ended from outside: what there is stays, and the step that runs counts as ended."""
        if self.starting:  # verdict() calls again as soon as the child is known
            self.stop_asked = True
            return
        if self.child:
            self.end_child(signal.SIGTERM)
            self.report.end(self.name, "stopped", time.monotonic() - self.step_began)
        self.report.write()
        say(f"stopped; report: {self.machine.out / 'report.html'}")
        os._exit(1)

    def verdict(self, name, seconds):
        """Runs one step; how it ended."""
        command = [sys.executable, __file__, *sys.argv[1:], "--out", str(self.machine.out), "--inside", name]
        with open(self.machine.out / "steps" / f"{name}.log", "wb") as log:
            self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        self.starting = False
        if self.stop_asked:
            self.stopped()
        try:
            code = self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
            self.end_child(signal.SIGTERM)
            try:
                self.child.wait(10)
            except subprocess.TimeoutExpired:
                pass
        self.end_child(signal.SIGKILL)  # what it left behind
        self.child.wait()
        self.child = None
        return {None: "took too long", 0: "passed", NO_DEVICE: "no device"}.get(code, "failed")

    def limit(self, step):
        """The seconds that the step gets; none if no time is left."""
        limit = min(step.seconds, self.options.step_seconds or step.seconds)
        if self.options.minutes:
            left = self.options.minutes * 60 - int(time.monotonic() - self.began)
            limit = min(limit, left) if left > 5 else None
        return limit

    def run(self):
        """The exit status of this program."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.stopped)
        result = 0
        for step in STEPS:
            limit = self.limit(step)
            if self.options.steps and step.name not in self.options.steps:
                self.report.end(step.name, "left out")
            elif limit is None:
                self.report.end(step.name, "no time left")
                result = 1
            else:
                self.name, self.step_began, self.starting = step.name, time.monotonic(), True
                say(f"{step.name}: {step.what}")
                verdict = self.verdict(step.name, limit)
                seconds = time.monotonic() - self.step_began
                self.report.end(step.name, verdict, seconds)
                self.report.write()
                say(f"{step.name}: {verdict}, {int(seconds)} s")
                if verdict == "no device":
                    say("there is no CUDA device on this machine: nothing was checked")
                    return 3
                if verdict != "passed":
                    result = 1
        self.report.write()
        say(f"report: {self.machine.out / 'report.html'}, report.json, report.md; profile: {self.machine.out / 'profile.sqlite'}")
        return result


def arguments():
    def count(text):
        if not re.fullmatch(r"[1-9][0-9]*", text):
            raise argparse.ArgumentTypeError(f"{text} is not a number of 1 or more")
        return int(text)

    table = "\n".join(f"  {step.name:<13} {step.seconds:>4}  {step.what}" for step in STEPS)
    parser = argparse.ArgumentParser(
        prog="gpu-check.py", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs the steps below in this order. Each has its own time limit, and its results are written when it ends; a step that\n"
        "fails or takes too long does not keep the next from running. After each step report.json, report.html and report.md in\n"
        "FOLDER hold all there is so far; the logs lie beside them.",
        epilog="Exit status: 0 nothing failed; 1 something failed, differs or took too long; 3 there is no device.\n"
        f"Steps and their most seconds:\n{table}")
    parser.add_argument("--out", metavar="FOLDER", type=pathlib.Path, default=pathlib.Path("gpu-check"), help="default: gpu-check")
    parser.add_argument("--minutes", metavar="N", type=count, help="a step gets no more than what is left of N minutes")
    parser.add_argument("--step-seconds", metavar="N", type=count, help="no step gets more than N seconds")
    parser.add_argument("--steps", metavar='"NAME..."', type=str.split, default=[], help="only these")
    parser.add_argument("--size", metavar="PIXELS", type=count, help="side of the slides; default: 4096, with --pocl 1024")
    parser.add_argument("--policies", metavar='"NAME..."', default=POLICIES, help=f"default: {POLICIES}")
    parser.add_argument("--build", metavar="FOLDER", type=pathlib.Path,
                        help="use the programs of a build of this tree, not those packed beside this script")
    parser.add_argument("--pocl", action="store_true",
                        help="the build is of the flavour opencl: OpenCL devices on cores take the place of GPUs, in small")
    parser.add_argument("--inside", help=argparse.SUPPRESS)  # how this program starts a step
    options = parser.parse_args()
    for name in options.steps:
        if name not in [step.name for step in STEPS]:
            parser.error(f"unknown step: {name}")
    if options.build:
        if not options.build.is_dir():
            die(f"there is no folder {options.build}")
        options.build = options.build.resolve()
    options.out = options.out.absolute()
    return options


def main():
    options = arguments()
    machine = Machine(options)
    os.environ.update(machine.environment())
    steps = machine.out / "steps"
    if options.inside:
        results = Results(steps / f"{options.inside}.rows")
        globals()[f"step_{options.inside}"](machine, results)
        return 1 if results.failures else 0
    for folder in (steps, machine.out / "starpu"):
        folder.mkdir(parents=True, exist_ok=True)
    for old in steps.iterdir():
        old.unlink()
    return Check(options, machine).run()


if __name__ == "__main__":
    sys.exit(main())
