"""Runs on several simulated nodes: what is kept of them."""
import json
import statistics
import subprocess

STEPS = 60  # points of the traced curves


def summarise_trace(output):
    """Shares of time in which workers run, and windows, over the run: by node and class, means in equal steps."""
    run = output["runs"][0]
    step = run["makespan"] / STEPS
    classes = output["classes"]
    workers = {(node, worker): device for node, worker, device, _, _ in run["trace"]["tasks"]}
    count = {}
    for (node, _), device in workers.items():
        count[node, device] = count.get((node, device), 0) + 1
    busy = {key: [0.0] * STEPS for key in count}
    for node, _, device, begin, end in run["trace"]["tasks"]:
        for i in range(min(STEPS - 1, int(begin / step)), min(STEPS - 1, int(end / step)) + 1):
            busy[node, device][i] += max(0.0, min(end, (i + 1) * step) - max(begin, i * step))
    now = {key: 1.0 for key in workers}
    windows = {key: [] for key in count}
    steps = iter(run["trace"]["windows"])
    upcoming = next(steps, None)
    for i in range(STEPS):
        while upcoming and upcoming[0] <= (i + 1) * step:
            now[upcoming[1], upcoming[2]] = upcoming[3]
            upcoming = next(steps, None)
        for node, device in count:
            own = [now[key] for key, other in workers.items() if key[0] == node and other == device]
            windows[node, device].append(sum(own) / len(own))
    return {"seconds": run["makespan"],
            "curves": [{"node": node, "class": classes[device], "busy": [100 * own / step / count[node, device] for own in busy[node, device]],
                        "window": windows[node, device]} for node, device in sorted(count)]}


def run_one(lab, arguments, seed):
    done = subprocess.run([lab, *arguments, "--seed", str(seed), "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def summarise(outputs):
    """Means over the seeds, by policy and window; who ran what is summed up."""
    first = outputs[0]
    runs = []
    for i, run in enumerate(first["runs"]):
        same = [output["runs"][i] for output in outputs]
        shape = [[len(kind) for kind in group] for group in run["ran"]]
        ran = [[[sum(own["ran"][g][k][c] for own in same) for c in range(classes)] for k, classes in enumerate(kinds)]
               for g, kinds in enumerate(shape)]
        mean = {key: statistics.mean(own[key] for own in same) for key in ("makespan", "sent_bytes", "messages", "wall_seconds")}
        runs.append({"policy": run["policy"], "window": run["window"], "ran": ran, **mean})
    return {"core_seconds": statistics.mean(output["core_seconds"] for output in outputs), "tasks": first["tasks"],
            "tiles": first["tiles"], "classes": first["classes"], "kinds": first["kinds"], "groups": first["groups"], "runs": runs}
