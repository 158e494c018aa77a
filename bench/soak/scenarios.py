"""What is done to runs. Each function gets the runner, its source of chance and an empty folder; AssertionError is a finding."""
import json
import os
import shutil
import signal
import subprocess
import time

from jobs import JOBS, POLICIES, wait_for

# Exit codes (docs/robustness.md); a process that is killed ends with minus the signal's number.
DONE, OUTPUT, MISMATCH, RUNTIME, INTERRUPTED = 0, 4, 5, 7, 130


def undisturbed(runner, choose, out):
    job, policy = choose.choice(JOBS), choose.choice(POLICIES)
    ended = runner.start(*runner.command(job, out / "o", "--cpus", str(choose.choice((1, 2))), policy=policy)).end()
    runner.check_code(ended, {DONE}, f"{job.name} under {policy}")
    runner.check_finished(job, out / "o", f"{job.name} under {policy}")
    runner.soak.used(job.name, ended.kilobytes)


def killed(runner, choose, out):
    """Several kills at any moment, the first instructions and the exports included."""
    job, kills = choose.choice(JOBS), choose.randint(1, 6)
    for _ in range(kills):
        run = runner.start(*runner.command(job, out / "o", "--resume", policy=choose.choice(POLICIES)))
        time.sleep(choose.expovariate(1 / 0.25))
        run.signal(signal.SIGKILL)
        if run.end().code == -signal.SIGKILL:
            runner.soak.count("killed")
    runner.finish(job, out / "o", f"{job.name} after {kills} kills", choose.choice(POLICIES))


def interrupted(runner, choose, out):
    """SIGTERM and SIGINT end a run with 130, or it was done before."""
    job = choose.choice(JOBS)
    run = runner.start(*runner.command(job, out / "o", "--cpus", "1", policy=choose.choice(POLICIES)))
    wait_for(out / "o/results.sqlite", run)
    time.sleep(choose.uniform(0, 0.5))
    run.signal(choose.choice((signal.SIGTERM, signal.SIGINT)))
    ended = run.end(60)
    runner.check_code(ended, {DONE, INTERRUPTED, -signal.SIGTERM, -signal.SIGINT}, f"{job.name}, interrupted")
    runner.soak.count("interrupted")
    runner.finish(job, out / "o", f"{job.name} after an interruption", choose.choice(POLICIES))


def stopped(runner, choose, out):
    """Stopped for a while, and continued: nothing is lost, and others are kept out meanwhile."""
    job = choose.choice(JOBS)
    run = runner.start(*runner.command(job, out / "o", policy=choose.choice(POLICIES)))
    wait_for(out / "o/results.sqlite", run)
    run.signal(signal.SIGSTOP)
    if run.process.poll() is None:
        other = runner.start(*runner.command(job, out / "o", choose.choice(("--resume", "--overwrite")))).end()
        runner.check_code(other, {OUTPUT, DONE}, f"{job.name}, beside a run that is stopped")
        runner.soak.count("stopped")
    run.signal(signal.SIGCONT)
    runner.check_code(run.end(), {DONE, OUTPUT}, f"{job.name}, stopped and continued")
    runner.finish(job, out / "o", f"{job.name}, stopped and continued")


def full_disk(runner, choose, out):
    """A limit on file sizes, at which writes fail as on a full disk."""
    job, limit = choose.choice(JOBS), int(2 ** choose.uniform(9, 21))
    for _ in range(choose.randint(1, 3)):
        run = runner.start(*runner.command(job, out / "o", "--resume", policy=choose.choice(POLICIES)), file_bytes=limit)
        runner.check_code(run.end(), {DONE, OUTPUT}, f"{job.name} with files of at most {limit} bytes")
        runner.soak.count("full disks")
        limit *= 2
    runner.finish(job, out / "o", f"{job.name} after full disks")


def full_file_system(runner, choose, out):
    """A file system in memory that fills up; what is there then is taken elsewhere and continued."""
    job, kilobytes = choose.choice(JOBS), int(2 ** choose.uniform(5, 12))
    small = out / "small"
    small.mkdir()
    (out / "o").mkdir()
    script = 'mount -t tmpfs -o size="$1"k none "$2" || exit 99; shift; out=$1; shift; keep=$1; shift; "$@"; code=$?; ' \
             'cp "$out"/o/results.sqlite* "$keep" 2>/dev/null; exit $code'
    command = runner.command(job, small / "o", policy=choose.choice(POLICIES))
    ended = runner.start("unshare", "-m", "sh", "-c", script, "sh", str(kilobytes), str(small), str(out / "o"),
                         *command).end()
    if ended.code in (1, 99) and "starpath:" not in ended.errors:
        runner.soak.count("no mounts here")
        return
    runner.check_code(ended, {DONE, OUTPUT}, f"{job.name} in {kilobytes} KiB")
    runner.soak.count("full disks")
    runner.finish(job, out / "o", f"{job.name} after a full file system")


def lost_rank(runner, choose, out):
    """One of several ranks is killed: the job ends, and one process or several continue it."""
    if shutil.which("mpirun") is None:
        return
    job, ranks = choose.choice(JOBS), choose.choice((2, 3))
    run = runner.start(*runner.command(job, out / "o", "--patience", "5", policy=choose.choice(POLICIES), ranks=ranks))
    time.sleep(choose.uniform(0.2, 3))
    found = subprocess.run(["pgrep", "-s", str(run.process.pid), "starpath"], capture_output=True, text=True, check=False)
    pids = [int(pid) for pid in found.stdout.split()]
    allowed = {DONE}
    if pids:
        try:
            os.kill(choose.choice(pids), signal.SIGKILL)
            allowed |= {RUNTIME, 128 + signal.SIGKILL}  # a rank that notices, or mpirun
            runner.soak.count("killed ranks")
        except ProcessLookupError:
            pass
    runner.check_code(run.end(120), allowed, f"{job.name} on {ranks} ranks")
    runner.finish(job, out / "o", f"{job.name} after a lost rank of {ranks}", ranks=choose.choice((1, 2)))


def flipped_bit(runner, choose, out):
    """One bit of the results of a killed run differs: refused, or without any effect on what comes out."""
    job = choose.choice(JOBS)
    run = runner.start(*runner.command(job, out / "o", policy=choose.choice(POLICIES)))
    wait_for(out / "o/results.sqlite", run)
    time.sleep(choose.uniform(0, 0.6))
    run.signal(signal.SIGKILL)
    run.end()
    runner.soak.count("killed")
    results = out / "o/results.sqlite"
    if not results.exists():
        return
    data = bytearray(results.read_bytes())
    data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
    results.write_bytes(data)
    runner.soak.count("flipped bits")
    ended = runner.start(*runner.command(job, out / "o", "--resume")).end()
    runner.check_code(ended, {DONE, OUTPUT, MISMATCH}, f"{job.name} with a flipped bit")
    if ended.code == DONE:
        runner.check_exports(job, out / "o", f"{job.name} with a flipped bit")


def shared_profile(runner, choose, out):
    """Ten processes learn into one profile, and some are killed while they do."""
    job, profile = choose.choice(JOBS[1:3]), out / "shared.profile"
    runs = [runner.start(*runner.command(job, out / f"o{i}", "--cpus", "1", "--export", "none",
                                         policy=choose.choice(("pats", "odds", "apex"))),
                         environment={"STARPATH_PROFILE": str(profile)}) for i in range(10)]
    time.sleep(choose.uniform(0.5, 2))
    for run in choose.sample(runs, 3):
        run.signal(signal.SIGKILL)
        runner.soak.count("killed")
    for run in runs:
        runner.check_code(run.end(), {DONE, -signal.SIGKILL}, f"{job.name} with a shared profile")
    ended = runner.start(runner.starpath, "profile", "list", "--profile", str(profile)).end()
    runner.check_code(ended, {DONE}, "profile list")
    if list(out.glob("*.damaged*")):
        raise AssertionError("a profile that ten processes share was taken for damaged")
    listed = subprocess.run([runner.starpath, "profile", "list", "--json", "--profile", str(profile)],
                            capture_output=True, text=True, check=False)
    if not json.loads(listed.stdout):
        raise AssertionError("ten processes learnt nothing")


SCENARIOS = {function.__name__: function
             for function in (undisturbed, killed, interrupted, stopped, full_disk, full_file_system, lost_rank,
                              flipped_bit, shared_profile)}
