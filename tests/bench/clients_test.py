"""bench/policies/clients/clients.py counts times, and tells failures from successes."""
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]) / "bench/policies/clients/clients.py"
RUNS = r"""
[[run]]
name = "even"
command = "sh -c 'case $STARPU_SCHED in slow) echo time 3.0;; *) echo time 1.5;; esac; echo right'"
seconds = 'time (\S+)'
needed = "right"

[[run]]
name = "wrong under slow"
command = "sh -c 'echo time 1.0; [ $STARPU_SCHED != slow ] || echo residual 7'"
seconds = 'time (\S+)'
wrong = 'residual \d'

[[run]]
name = "silent"
command = "{folder}/sh -c 'echo nothing'"
seconds = 'time (\S+)'
"""


def run(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        runs = pathlib.Path(folder, "runs.toml")
        runs.write_text(text)
        command = [sys.executable, PROGRAM, runs, "--plugin", runs, "--policies", "fast,slow", "--turns", "2", *options]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def check(condition, what, done):
    if not condition:
        sys.exit(f"{what}:\n{done.stdout}\n{done.stderr}")


done = run(RUNS, "--folder", "folder=/bin")
check(done.returncode == 1, "a failed run gives exit status 1", done)
check("| `fast` | 1500.0 ms | 1000.0 ms | - | 1.00 | 2 |" in done.stdout, "times of the first policy", done)
check("| `slow` | 2.00 | - | - | 2.00 | 4 |" in done.stdout, "ratios and failures of the second", done)
check("wrong under slow under slow: wrong: residual 7" in done.stderr, "why a result is wrong", done)
check("silent under fast: the output does not tell the time" in done.stderr, "a missing time", done)
done = run(RUNS)
check("run silent: say --folder folder=FOLDER" in done.stderr, "a folder that nobody named", done)
for text, said in [("x = 1", "is no file of runs"), ("[[run]]\nname = 'a'", "a run lacks command, seconds"),
                   (RUNS.replace("needed", "need"), "run even: unknown need")]:
    done = run(text, "--folder", "folder=/bin")
    check(done.returncode == 1 and said in done.stderr, said, done)
print("PASS")
