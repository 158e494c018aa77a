"""The page of clusters: the papers' values beside ours, and a plot for each figure."""
import pathlib

import cluster_experiments as ex
from cluster_explanations import CLUSTER_WHY
from explanations import WHY
from page import Page, SIZE

WHY.update(CLUSTER_WHY)

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


class ClusterPage(Page):
    def runs(self, name, policy):
        return [run for run in self.values[name]["runs"] if run["policy"] == policy]

    def best(self, name, policy):
        """The run with the window that was best."""
        return min(self.runs(name, policy), key=lambda run: run["makespan"])

    def seconds(self, name, policy):
        return self.best(name, policy)["makespan"]

    def speedup(self, name, policy):
        """Over one core."""
        return self.values[name]["core_seconds"] / self.seconds(name, policy)

    def on_gpu(self, name, policy, kind):
        """Share of the kind's buffers that a GPU ran, in percent."""
        own = self.values[name]
        ran = [group[own["kinds"].index(kind)] for group in self.best(name, policy)["ran"]]
        return 100 * sum(row[1] for row in ran) / sum(map(sum, ran))


POLICIES = {"ddfcfs": "DDFCFS", "ddwrr": "DDWRR", "odds": "ODDS"}


def anthill_base_cases(page):
    page.add("## anthill-2010", "", "Streams of NBIA; speedups are over one core. DDFCFS and DDWRR have the static window that is best for each point "
             f"(of {', '.join(map(str, ex.WINDOWS))} requests a worker), as in the paper; ODDS finds its own.", "")
    for figure, name, title in ((9, "one node", "one node with a core and a GPU"),
                                (10, "two nodes", "two nodes, the second with two cores and no GPU")):
        page.add(f"### Figure {figure}: {title}", "")
        at = {policy: page.speedup(f"{name} 8", policy) for policy in POLICIES}
        if figure == 9:
            page.table([("8 %: DDWRR", 23, at["ddwrr"], 1), ("8 %: ODDS", 25, at["odds"], 1),
                        ("20 %: ODDS over DDWRR (with asynchronous copies)", 1.23,
                         page.seconds("one node 20", "ddwrr") / page.seconds("one node 20", "odds"), 1)])
        else:
            page.table([("8 %: DDWRR", 25, at["ddwrr"], 1), ("8 %: ODDS", 44, at["odds"], 1),
                        ("8 %: ODDS over DDWRR", 44 / 25, at["odds"] / at["ddwrr"], 1)])
        page.plot(f"anthill-figure-{figure}", ex.RATES, {label: [page.speedup(f"{name} {rate}", policy) for rate in ex.RATES]
                  for policy, label in POLICIES.items()}, "tiles computed again, %", "speedup over one core")
    page.add("### Table 6: tiles that the GPU ran at 8 %, in percent", "")
    paper = {("one node", "low"): (98.16, 17.07, 6.98), ("one node", "high"): (92.42, 96.34, 97.89),
             ("two nodes", "low"): (84.85, 16.72, 0), ("two nodes", "high"): (85.67, 92.92, 97.62)}
    page.add("| | paper | ours |", "|---|---|---|")
    for (name, kind), values in paper.items():
        for (policy, label), value in zip(POLICIES.items(), values):
            page.add(f"| {name}, {kind} resolution, {label} | {value:g} | {page.on_gpu(f'{name} 8', policy, kind):.2f} |")
    page.add("", "### Figure 11: the best static window on the two nodes", "", "The paper gives no numbers: DDWRR needs more requests than DDFCFS.", "",
             "| tiles computed again, % | " + " | ".join(map(str, ex.RATES)) + " |", "|---|" + "---|" * len(ex.RATES))
    for policy in ex.STATIC:
        page.add(f"| {POLICIES[policy]} | " + " | ".join(str(page.best(f"two nodes {rate}", policy)["window"]) for rate in ex.RATES) + " |")
    page.add("")
    shown = {f"{POLICIES[policy]}, {rate} %": [page.values[f"two nodes {rate}"]["core_seconds"] / run["makespan"] for run in page.runs(f"two nodes {rate}", policy)]
             for policy in ex.STATIC for rate in (8, 16)}
    page.plot("anthill-figure-11", [str(window) for window in ex.WINDOWS], shown, "requests of a worker", "speedup over one core")


def anthill_trace(page, trace):
    page.add(f"### Figure 12: ODDS on the two nodes, {ex.TRACED_RATE} % computed again", "",
             "Shares of time in which workers run a task, and the windows that DQAA chose (means in 60 equal steps of time).", "")
    x = [trace["seconds"] * (i + 0.5) / STEPS for i in range(STEPS)]
    names = {(0, "cpu"): "core beside the GPU"}
    label = lambda own: names.get((own["node"], own["class"]), "cores of node 1" if own["class"] == "cpu" else "GPU")  # noqa: E731
    page.plot("anthill-figure-12a", x, {label(own): own["busy"] for own in trace["curves"]}, "s", "busy, %")
    page.plot("anthill-figure-12b", x, {label(own): own["window"] for own in trace["curves"]}, "s", "window, requests")


def anthill_scaling(page):
    page.add("### Figure 13: homogeneous cluster, 267,420 tiles, 8 %", "")
    gpu = {nodes: page.speedup(f"homogeneous gpu {nodes}", "ddfcfs") for nodes in ex.NODES}
    own = {policy: {nodes: page.speedup(f"homogeneous {nodes}", policy) for nodes in ex.NODES} for policy in POLICIES}
    page.table([("14 nodes: DDFCFS over GPU only (not much)", 1.05, own["ddfcfs"][14] / gpu[14], 1),
                ("14 nodes: DDWRR over GPU only", 2, own["ddwrr"][14] / gpu[14], 1),
                ("14 nodes: ODDS over DDWRR", 1.15, own["odds"][14] / own["ddwrr"][14], 1)])
    page.plot("anthill-figure-13", ex.NODES, {"GPU only": [gpu[n] for n in ex.NODES],
              **{label: [own[policy][n] for n in ex.NODES] for policy, label in POLICIES.items()}}, "nodes", "speedup over one core")
    page.add("### Figure 14: half of the nodes without GPU", "")
    mixed = {policy: [page.speedup(f"heterogeneous {pairs}", policy) for pairs in ex.PAIRS] for policy in POLICIES}
    page.table([("14 nodes: ODDS over DDWRR (almost twice)", 1.9, mixed["odds"][-1] / mixed["ddwrr"][-1], 1),
                ("ODDS on 14 nodes over 7 nodes with GPU only", 4, mixed["odds"][-1] / page.speedup("heterogeneous gpu 7", "ddfcfs"), 1)])
    page.plot("anthill-figure-14", [2 * pairs for pairs in ex.PAIRS], {label: mixed[policy] for policy, label in POLICIES.items()},
              "nodes", "speedup over one core")
    page.add("One image of 26,742 tiles on the 14 homogeneous nodes:", "")
    page.table([("ODDS, s (just over 2)", 2.1, page.seconds("one image odds", "odds"), None),
                ("GPU only, s (nearly 5)", 4.9, page.seconds("one image gpu", "ddfcfs"), None)])


def hybrid(page):
    page.add("## hybrid-pipelines-2012", "", "### Figure 14: 36,848 tiles on 8 to 100 nodes", "",
             "Manager-Worker, window 19. Efficiency is that of PATS against 8 nodes. \"Computing\": tasks that read take no time.", "")
    names = {"fcfs": "FCFS", "pats": "PATS"}
    read = {p: {n: page.seconds(f"hybrid {n}", p) for n in ex.HYBRID_NODES} for p in names}
    computing = {p: {n: page.seconds(f"hybrid computing {n}", p) for n in ex.HYBRID_NODES} for p in names}

    def efficiency(times):
        return 100 * 8 * times[8] / (100 * times[100])
    page.table([("8 nodes: PATS against FCFS", 1.3, read["fcfs"][8] / read["pats"][8], 1),
                ("100 nodes: PATS against FCFS", 1.3, read["fcfs"][100] / read["pats"][100], 1),
                ("100 nodes: efficiency with reading, %", 77, efficiency(read["pats"]), 100),
                ("100 nodes: efficiency, computing, %", 93, efficiency(computing["pats"]), 100),
                ("100 nodes: tiles a second", 150, 36848 / read["pats"][100], None)])
    page.add("| nodes | " + " | ".join(map(str, ex.HYBRID_NODES)) + " |", "|---|" + "---|" * len(ex.HYBRID_NODES))
    for what, times in (("reading", read), ("computing", computing)):
        for p, label in names.items():
            page.add(f"| {label}, {what}, s | " + " | ".join(f"{times[p][n]:.0f}" for n in ex.HYBRID_NODES) + " |")
    page.add("")
    page.plot("hybrid-figure-14", ex.HYBRID_NODES, {f"{label}, {what}": [36848 / times[p][n] for n in ex.HYBRID_NODES]
              for what, times in (("reading", read), ("computing", computing)) for p, label in names.items()}, "nodes", "tiles a second")
    page.add("What a shared file system of another bandwidth would do at 100 nodes; no paper says what Keeneland's gave, and the model's 10 GB/s were "
             "set before the first run:", "", "| GB/s | FCFS, tiles/s | PATS, tiles/s | PATS against FCFS | efficiency of PATS, % |", "|---|---|---|---|---|")
    for storage in ex.STORAGES:
        fcfs, pats = (page.seconds("hybrid 100" if storage == 10 else f"hybrid storage {storage}", p) for p in names)
        page.add(f"| {storage} | {36848 / fcfs:.0f} | {36848 / pats:.0f} | {fcfs / pats:.2f} | {100 * 8 * read['pats'][8] / (100 * pats):.0f} |")
    page.add("")


def edc(page):
    names = {"fcfs": "FCFS", "heft": "HEFT", "padas": "PADAS", "pams": "PAMS"}
    page.add("## edc-2014", "", "### Figure 10: 6,379 tiles on nodes with a GPU and a MIC", "",
             "Manager-Worker, window 80. HEFT is the paper's own (times of tasks, one queue a worker), not StarPU's dmda. CPU only: all 16 "
             "cores compute.", "")
    times = {p: [page.seconds(f"edc {n}", p) for n in ex.EDC_NODES] for p in names}
    cores = [page.seconds(f"edc cores {n}", "fcfs") for n in ex.EDC_NODES]
    rows = []
    for i, nodes in enumerate(ex.EDC_NODES):
        rows += [(f"{nodes} nodes: PAMS against HEFT", 1.2, times["heft"][i] / times["pams"][i], 1),
                 (f"{nodes} nodes: PAMS against CPU only", 2.2, cores[i] / times["pams"][i], 1)]
    page.table(rows)
    page.plot("edc-figure-10", ex.EDC_NODES, {"CPU only": [6379 / t for t in cores],
              **{label: [6379 / t for t in times[p]] for p, label in names.items()}}, "nodes", "tiles a second")


def write(folder, result):
    page = ClusterPage(folder, result["values"], {})
    seeds = ",".join(map(str, result["seeds"]))
    largest = result["values"]["hybrid 100"]
    page.add("# The papers' experiments on clusters again, simulated", "",
             f"Made by `bench/papers/simulated/clusters.py --seeds {seeds}` with `starpath-lab --cluster` ([docs/lab.md](../../docs/lab.md#clusters)); means "
             f"over the seeds (what has 36,848 tiles or more: the first alone). \"Size agrees\" means within {SIZE * 100:.0f} %, \"direction\" the same side of no change, or both within 2 % of it. "
             "Clusters, machines and workloads are the same for every row; a disagreement stays as it is. One machine alone: "
             "[papers.md](papers.md).", "",
             f"The largest runs have 100 nodes with 1,200 workers, {largest['tiles']:,} tiles and {largest['tasks']:,} tasks; one took "
             f"{largest['runs'][0]['wall_seconds']:.0f} s on two cores of a virtual Xeon beside other work, and the process at "
             f"most {result['most_memory_MB']:.0f} MB of memory.", "")
    anthill_base_cases(page)
    anthill_trace(page, result["trace"])
    anthill_scaling(page)
    hybrid(page)
    edc(page)
    page.add(f"Of {page.rows} values of the papers {page.agreeing} agree in size and, where there is one, direction.", "")
    page.add(pathlib.Path(__file__).with_name("cluster_notes.md").read_text().rstrip())
    (folder / "papers-clusters.md").write_text("\n".join(page.lines).rstrip() + "\n")
