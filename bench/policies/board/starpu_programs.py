"""StarPU's own programs, unmodified, simulated on the machines that StarPU ships recordings of, and on h100/, which
scripts/gpu-check.py recorded (bench/results/gpu.md)."""
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from cached import ROOT, cached, fingerprint

MACHINES = ["mirage", "attila", "sirocco", "idgraf", "h100"]
RECORDED_ON_H100 = ["cholesky_implicit", "cholesky_tag", "lu_implicit", "lu_tag"]


def is_recorded(machine, program):
    return machine != "h100" or program in RECORDED_ON_H100


def recording(machine, prefix):
    """Folder of a machine's models, and the size of the blocks that they are of."""
    if machine == "h100":
        return str(pathlib.Path(__file__).resolve().parent / "h100"), 480
    return prefix + "/share/starpu/perfmodels/sampling", 960


FULL_SPEED = "parallel_independent_heterogeneous_tasks_data"
PROGRAMS = {  # name: where it is, its arguments for n blocks, operations for n blocks
    "cholesky_implicit": ("build/examples/cholesky/cholesky_implicit", "-size {0} -nblocks {n}", lambda s: s**3 / 3),
    "cholesky_tag": ("build/examples/cholesky/cholesky_tag", "-size {0} -nblocks {n}", lambda s: s**3 / 3),
    "lu_implicit": ("build/examples/lu/lu_implicit_example_float", "-size {0} -nblocks {n}", lambda s: 2 * s**3 / 3),
    "lu_tag": ("build/examples/lu/lu_example_float", "-size {0} -nblocks {n}", lambda s: 2 * s**3 / 3),
    "sgemm": ("build/examples/mult/sgemm", "-xy {0} -nblocks {n}", lambda s: 2 * s * s * 3840),
    FULL_SPEED: (FULL_SPEED, "", None),
}
BUILT_IN = ["eager", "lws", "dmda", "dmdas", "dmdasd", "modular-heft", "modular-heteroprio", "modular-heteroprio-heft",
            "heteroprio"]
DEADLOCK = re.compile("deadlock detected|deadlock or code not perfectly clean", re.IGNORECASE)


@functools.lru_cache(maxsize=None)
def places():
    """StarPU's prefix and the folder of its programs."""
    def said(script, *arguments):
        done = subprocess.run([str(ROOT / script), *arguments], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit("StarPU's programs are not there: run scripts/setup.sh simgrid, then bench/policies/board/build_programs.sh")
        return done.stdout.strip()
    return said("scripts/setup.sh", "simgrid", "--print-prefix"), said("bench/policies/board/build_programs.sh")


def is_built_in(policy):
    return policy in BUILT_IN


SECOND = "second"  # an option of a policy: the run that counts begins with the samples of one before


def runs_of(policy):
    return 2 if policy == "heteroprio" or SECOND in policy.split(",") else 1


def policy_environment(text, plugin):
    """Of `apex:perfmodel` (plug-in's policy with estimates), `apex:knn,STARPATH_NAME=VALUE` (an option too) or `dmda`."""
    head, *options = [part for part in text.split(",") if part != SECOND]
    policy, _, estimator = head.partition(":")
    environment = {"STARPU_SCHED": policy, **dict(option.split("=", 1) for option in options)}
    if not is_built_in(policy):
        environment |= {"STARPU_SCHED_LIB": str(pathlib.Path(plugin).resolve()), "STARPATH_ESTIMATOR": estimator or "perfmodel"}
    return environment


def makespan(output, operations, size):
    """Milliseconds, from what the program prints; None where it printed nothing of the kind."""
    measured = re.search(r"measured time = ([0-9.]+)", output)
    if measured:
        return 1000 * float(measured[1])
    lines = [line.split("\t") for line in output.splitlines()]
    heads = [line for line in lines if line[0].startswith("#") and "ms" in line]
    if not heads or lines[-1][0].startswith("#"):
        return None
    values = dict(zip(heads[-1], lines[-1]))
    rounded, exact = float(values["ms"]), operations(size) / float(values["GFlop/s"]) / 1e6
    return exact if abs(exact - rounded) <= 1 else rounded  # the rate has more digits than the time


def run_program(machine, program, blocks, policy, plugin, limit):
    """Makespan in ms and failure; one of them is None."""
    prefix, folder = places()
    file, arguments, operations = PROGRAMS[program]
    file = str(pathlib.Path(folder) / file)
    chosen = policy_environment(policy, plugin)
    models, tile = recording(machine, prefix)
    command = [file, *arguments.format(tile * blocks, n=blocks).split()]

    def simulate():
        with tempfile.TemporaryDirectory() as home:
            clean = {name: value for name, value in os.environ.items() if not name.startswith(("STARPU_", "STARPATH_"))}
            environment = clean | chosen | {
                "STARPU_HOSTNAME": machine, "STARPU_PERF_MODEL_DIR": models,
                "STARPU_HOME": home, "STARPU_HETEROPRIO_DATA_DIR": home, "OPENBLAS_NUM_THREADS": "1"}
            environment.setdefault("STARPATH_PROFILE", str(pathlib.Path(home) / "profile"))  # not that of this machine
            for _ in range(runs_of(policy)):  # heteroprio: with data of its own of one run before
                try:
                    done = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, timeout=limit)
                except subprocess.TimeoutExpired:
                    return {"ms": None, "failure": f"not finished after {limit} s"}
            return judged(done)

    def judged(done):
        if DEADLOCK.search(done.stderr + done.stdout):
            return {"ms": None, "failure": "deadlock"}
        if "was not found" in done.stderr:
            return {"ms": None, "failure": "StarPU did not find the policy"}
        found = makespan(done.stdout, operations, tile * blocks)
        if found is None or (done.returncode != 0 and program != FULL_SPEED):
            return {"ms": None, "failure": f"exit status {done.returncode}"}
        return {"ms": found, "failure": None, **fraction(done.stdout)}

    def fraction(output):
        of_machine = re.search(r"percentage of expected speed up ([0-9.]+)", output)
        return {"percent": float(of_machine[1])} if of_machine else {}

    question = [machine, command, fingerprint(file), chosen, prefix, runs_of(policy)]
    if not is_built_in(chosen["STARPU_SCHED"]):
        question.append(fingerprint(plugin))
        question[3] = {name: value for name, value in chosen.items() if name != "STARPU_SCHED_LIB"}
    return cached(question, simulate)
