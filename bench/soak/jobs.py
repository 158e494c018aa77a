"""Jobs, the program that runs them, and what must be true of a folder of results."""
import collections
import hashlib
import os
import pathlib
import resource
import signal
import subprocess
import threading
import time

Job = collections.namedtuple("Job", "name command exports")

SEGMENT_EXPORTS = ("nuclei.geojson", "nuclei.csv", "labels.tif", "overlay.png")
NBIA_EXPORTS = ("map.png", "overlay.png", "regions.geojson", "fields.csv")

JOBS = (
    Job("tiles", ("segment", "synthetic:1600x1200,seed=4", "--tile", "256", "--halo", "64"), SEGMENT_EXPORTS),
    Job("sparse", ("segment", "synthetic:3000x2000,seed=9,density=0.2"), SEGMENT_EXPORTS),
    Job("dense", ("segment", "synthetic:1400x1400,seed=2,density=2", "--tile", "512", "--halo", "128"), SEGMENT_EXPORTS),
    Job("stroma", ("nbia", "run", "synthetic:5000x4000,pattern=stroma"), NBIA_EXPORTS),
)

POLICIES = ("fcfs", "ddfcfs", "ddwrr", "pats", "padas", "pams", "odds", "eft", "apex", "eager", "dmda", "lws")

LONGEST = 300  # seconds: a run that takes longer hangs

Ended = collections.namedtuple("Ended", "code errors kilobytes")


def limited(file_bytes):
    def set_limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))

    return set_limit if file_bytes else None


class Process:
    """A run in a process group of its own."""

    def __init__(self, runner, command, environment=None, file_bytes=0):
        self.runner, self.command = runner, command
        env = {**os.environ, "TMPDIR": str(runner.temporary), "STARPATH_PROFILE": "none", **(environment or {})}
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True, errors="replace", env=env,
                                        start_new_session=True, preexec_fn=limited(file_bytes))
        runner.soak.count("runs")

    def signal(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def end(self, limit=LONGEST):
        """Waits for the end. A run that hangs is ended, and is a finding."""
        late = threading.Event()

        def give_up():
            late.set()
            self.signal(signal.SIGKILL)

        timer = threading.Timer(limit, give_up)
        timer.start()
        errors = self.process.stderr.read()
        _, status, usage = os.wait4(self.process.pid, 0)
        timer.cancel()
        self.process.returncode = os.waitstatus_to_exitcode(status)
        if late.is_set():
            self.runner.soak.count("hangs")
            raise AssertionError(f"{' '.join(self.command)}: did not end within {limit} s")
        return Ended(self.process.returncode, errors, usage.ru_maxrss)


class Runner:
    def __init__(self, starpath, folder, soak):
        self.starpath, self.folder, self.soak = starpath, folder, soak
        self.temporary = folder / "tmp"
        self.temporary.mkdir(exist_ok=True)
        self.expected = {}  # by job: digests of its exports

    def command(self, job, out, *options, policy=None, ranks=1):
        command = [self.starpath, *job.command, "--quiet", "--out", str(out), *options]
        if policy:
            command += ["--policy", policy]
        if ranks > 1:
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), *command]
        return command

    def start(self, *command, **options):
        return Process(self, list(command), **options)

    def make_reference(self, job):
        out = self.folder / f"reference-{job.name}"
        ended = self.start(*self.command(job, out, "--overwrite", policy="fcfs")).end()
        if ended.code != 0:
            raise SystemExit(f"soak: {job.name} fails undisturbed: {ended.errors}")
        self.expected[job.name] = digests(job, out)
        if set(self.expected[job.name]) != set(job.exports):
            raise SystemExit(f"soak: {job.name} lacks exports: {sorted(self.expected[job.name])}")

    def check_code(self, ended, allowed, what):
        if ended.code not in allowed:
            raise AssertionError(f"{what}: exit status {ended.code}, not {sorted(allowed)}: {ended.errors[-300:]}")
        said = [line for line in ended.errors.splitlines() if not line.startswith(("starpath: ", "mpirun"))]
        if ended.code in (1, 134, 139) or any("please report" in line for line in said):
            raise AssertionError(f"{what}: {ended.errors[-300:]}")

    def check_exports(self, job, out, what):
        found = digests(job, out)
        self.soak.count("exports compared", len(found))
        for name, digest in self.expected[job.name].items():
            if found.get(name) != digest:
                raise AssertionError(f"{what}: {name} is not that of an undisturbed run")

    def check_finished(self, job, out, what):
        """Exports as of an undisturbed run, nothing else in the folder, and a results file that is whole."""
        self.check_exports(job, out, what)
        strange = sorted(set(os.listdir(out)) - set(job.exports) - {"results.sqlite"})
        if strange:
            raise AssertionError(f"{what}: left in the folder: {strange}")
        ended = self.start(self.starpath, "verify", str(out / "results.sqlite")).end()
        self.check_code(ended, {0}, f"{what}: verify")

    def finish(self, job, out, what, policy=None, ranks=1):
        """Resumes without disturbance until the run ends well."""
        ended = self.start(*self.command(job, out, "--resume", policy=policy, ranks=ranks)).end()
        self.check_code(ended, {0}, what)
        self.check_finished(job, out, what)


def digests(job, out):
    found = {}
    for name in job.exports:
        path = pathlib.Path(out) / name
        if path.exists():
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def wait_for(path, process, seconds=30):
    """Until `path` is there or the process has ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not path.exists() and process.process.poll() is None:
        time.sleep(0.002)
