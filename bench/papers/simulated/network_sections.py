"""The page of several nodes."""
import pathlib

import network_experiments as ex
from network_runs import STEPS
from page import Page
from scoring import ratio, share, size, statement, words


class NetworkPage(Page):
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


    def slower(name, policy):
        return f"{page.values['one node 8']['core_seconds'] / page.seconds(f'slower {name} 8', policy):.2f} with tasks {ex.SLOWER_GPU} times as long on the GPU"
    for figure, name, title in ((9, "one node", "one node with a core and a GPU"),
                                (10, "two nodes", "two nodes, the second with two cores and no GPU")):
        page.add(f"### Figure {figure}: {title}", "")
        at = {policy: page.speedup(f"{name} 8", policy) for policy in POLICIES}
        if figure == 9:
            page.add("The paper's 23 % are those of asynchronous copies and ODDS together: against DDWRR with synchronous ones.", "")
            odds = page.seconds("one node 20", "odds")
            gain, alone = (page.seconds(name, "ddwrr") / odds for name in ("one node synchronous 20", "one node 20"))
            page.judge("anthill-2010 Figure 9", [
                ratio("8 %: DDWRR", 23, page.speedup("one node synchronous 8", "ddwrr"),
                      test=f"{slower('one node synchronous', 'ddwrr')}; {at['ddwrr']:.2f} with asynchronous copies."),
                ratio("8 %: ODDS", 25, at["odds"], test=f"{slower('one node', 'odds')}."),
                ratio("20 %: asynchronous copies and ODDS over DDWRR", 1.23, gain, "around 23 %",
                      test=f"{alone:.3f} over DDWRR with asynchronous copies too.")])
        else:
            page.judge("anthill-2010 Figure 10", [
                ratio("8 %: DDWRR", 25, at["ddwrr"], test=f"{slower('two nodes', 'ddwrr')}."),
                ratio("8 %: ODDS", 44, at["odds"]),
                ratio("8 %: ODDS over DDWRR", 44 / 25, at["odds"] / at["ddwrr"],
                      test=f"{at['odds'] / page.speedup('two nodes synchronous 8', 'ddwrr'):.3f} over DDWRR with synchronous copies.")])
        curves = {label: [page.speedup(f"{name} {rate}", policy) for rate in ex.RATES] for policy, label in POLICIES.items()}
        if figure == 9:
            curves["DDWRR, synchronous copies"] = [page.speedup(f"one node synchronous {rate}", "ddwrr") for rate in ex.RATES]
        page.plot(f"anthill-figure-{figure}", ex.RATES, curves, "tiles computed again, %", "speedup over one core")
    page.add("### Table 6: tiles that the GPU ran at 8 %, in percent", "")
    paper = {("one node", "low"): (98.16, 17.07, 6.98), ("one node", "high"): (92.42, 96.34, 97.89),
             ("two nodes", "low"): (84.85, 16.72, 0), ("two nodes", "high"): (85.67, 92.92, 97.62)}
    page.judge("anthill-2010 Table 6", [
        share(f"{name}, {kind} resolution, {label}", value, page.on_gpu(f"{name} 8", policy, kind))
        for (name, kind), values in paper.items() for (policy, label), value in zip(POLICIES.items(), values)])
    best = {policy: [page.best(f"two nodes {rate}", policy)["window"] for rate in ex.RATES] for policy in ex.STATIC}
    larger = sum(a > b for a, b in zip(best["ddwrr"], best["ddfcfs"]))
    page.add("### Figure 11: the best static window on the two nodes", "")
    page.judge("anthill-2010 Figure 11", [words("DDWRR is best with more requests than DDFCFS", "a higher number of requests",
                                                f"at {larger} of {len(ex.RATES)} rates", 2 * larger > len(ex.RATES))])
    page.add("| tiles computed again, % | " + " | ".join(map(str, ex.RATES)) + " |", "|---|" + "---|" * len(ex.RATES))
    page.add(*(f"| {POLICIES[policy]} | " + " | ".join(map(str, best[policy])) + " |" for policy in ex.STATIC), "")
    shown = {f"{POLICIES[policy]}, {rate} %": [page.values[f"two nodes {rate}"]["core_seconds"] / run["makespan"] for run in page.runs(f"two nodes {rate}", policy)]
             for policy in ex.STATIC for rate in (8, 16)}
    page.plot("anthill-figure-11", [str(window) for window in ex.WINDOWS], shown, "requests of a worker", "speedup over one core")


def anthill_trace(page, trace):
    page.add(f"### Figure 12: ODDS on the two nodes, {ex.TRACED_RATE} % computed again", "",
             f"Shares of time in which workers run a task, and the windows that DQAA chose (means in {STEPS} equal steps of time).", "")
    ending = STEPS * 9 // 10
    busy = min(sum(own["busy"][:ending]) / ending for own in trace["curves"])
    alone = next(own["window"] for own in trace["curves"] if own["node"] == 1)
    before, after = (sum(part) / len(part) for part in (alone[:ending], alone[ending:]))
    page.judge("anthill-2010 Figure 12", [
        words("Processors are used well during the whole run (least of the classes, nine tenths of the time)", "better utilize the processors",
              f"{busy:.0f} %", busy > 90),
        words("At the end the node without GPU asks for less (mean window before and in the last tenth)", "reduce the number of requests",
              f"{before:.2f} and {after:.2f}", after < 0.9 * before)])
    x = [trace["seconds"] * (i + 0.5) / STEPS for i in range(STEPS)]
    names = {(0, "cpu"): "core beside the GPU"}
    label = lambda own: names.get((own["node"], own["class"]), "cores of node 1" if own["class"] == "cpu" else "GPU")  # noqa: E731
    page.plot("anthill-figure-12a", x, {label(own): own["busy"] for own in trace["curves"]}, "s", "busy, %")
    page.plot("anthill-figure-12b", x, {label(own): own["window"] for own in trace["curves"]}, "s", "window, requests")


def anthill_scaling(page):
    page.add("### Figure 13: equal nodes, 267,420 tiles, 8 %", "")
    gpu = {nodes: page.speedup(f"homogeneous gpu {nodes}", "ddfcfs") for nodes in ex.NODES}
    own = {policy: {nodes: page.speedup(f"homogeneous {nodes}", policy) for nodes in ex.NODES} for policy in POLICIES}
    page.judge("anthill-2010 Figure 13", [
        words("14 nodes: DDFCFS over GPU only", "not much", f"{own['ddfcfs'][14] / gpu[14]:.2f} times", 1 <= own["ddfcfs"][14] / gpu[14] < 1.25),
        ratio("14 nodes: DDWRR over GPU only", 2, own["ddwrr"][14] / gpu[14], "doubled"),
        ratio("14 nodes: ODDS over DDWRR", 1.15, own["odds"][14] / own["ddwrr"][14], "15 % faster",
              test="0.92 when cores took what was requested for GPUs and windows were rounded down.")])
    page.plot("anthill-figure-13", ex.NODES, {"GPU only": [gpu[n] for n in ex.NODES],
              **{label: [own[policy][n] for n in ex.NODES] for policy, label in POLICIES.items()}}, "nodes", "speedup over one core")
    page.add("### Figure 14: half of the nodes without GPU", "")
    mixed = {policy: [page.speedup(f"heterogeneous {pairs}", policy) for pairs in ex.PAIRS] for policy in POLICIES}
    synchronous = {run["window"]: run["makespan"] for run in page.runs("heterogeneous synchronous 7", "ddwrr")}
    odds, best, two = page.seconds("heterogeneous 7", "odds"), min(synchronous.values()), synchronous[2]
    twice, four = mixed["odds"][-1] / mixed["ddwrr"][-1], mixed["odds"][-1] / page.speedup("heterogeneous gpu 7", "ddfcfs")
    page.judge("anthill-2010 Figure 14", [
        words("14 nodes: ODDS over DDWRR", "almost doubled the performance", f"{twice:.2f} times", twice >= 1.75,
              test=f"{best / odds:.2f} times over DDWRR with synchronous copies, {two / odds:.2f} times if that has two requests a worker instead of its best number."),
        ratio("ODDS on 14 nodes over 7 nodes with GPU only", 4, four, "four times")])
    page.plot("anthill-figure-14", [2 * pairs for pairs in ex.PAIRS], {label: mixed[policy] for policy, label in POLICIES.items()},
              "nodes", "speedup over one core")
    names = {latency: (f"latency {latency} homogeneous", f"latency {latency} heterogeneous") for latency in ex.LATENCIES}
    names[ex.LATENCIES[0]] = ("homogeneous 14", "heterogeneous 7")
    page.add("### Figures 13 and 14 with slower messages", "", "14 nodes, seconds: DDWRR with its best window, ODDS, and how many times as fast ODDS is.", "",
             "| latency, us | equal: DDWRR | ODDS | | half without GPU: DDWRR | ODDS | |", "|---|---|---|---|---|---|---|")
    for latency, pair in names.items():
        cells = [(page.seconds(name, "ddwrr"), page.seconds(name, "odds")) for name in pair]
        page.add(f"| {latency} | " + " | ".join(f"{static:.1f} | {odds:.1f} | {static / odds:.2f}" for static, odds in cells) + " |")
    page.add("", "One image of 26,742 tiles on the 14 homogeneous nodes takes ODDS "
             f"{page.seconds('one image odds', 'odds'):.2f} s (the paper: just over 2) and GPU only {page.seconds('one image gpu', 'ddfcfs'):.2f} s (nearly 5). "
             "These two stand in the text, in no figure.", "")


TERABYTES = 36848 * 50.3e-6  # of pixels that all nodes read together


def hybrid(page):
    page.add("## hybrid-pipelines-2012", "", "### Figure 14: 36,848 tiles on 8 to 100 nodes", "",
             "Manager-Worker, window 19, one task of a tile at a time; both policies with locality and prefetching (`--copies ahead --locality`), as V-H has PATS "
             "\"with the other optimizations\". Efficiency is that of PATS against 8 nodes. \"Computing\": tasks that read take no time.", "")
    names = {"fcfs": "FCFS", "pats": "PATS"}
    read = {p: {n: page.seconds(f"hybrid {n}", p) for n in ex.HYBRID_NODES} for p in names}
    computing = {p: {n: page.seconds(f"hybrid computing {n}", p) for n in ex.HYBRID_NODES} for p in names}
    stored = {b: {p: page.seconds("hybrid 100" if b == 10 else f"hybrid storage {b}", p) for p in names} for b in ex.STORAGES}

    def efficiency(times):
        return 100 * 8 * times[8] / (100 * times[100])
    least = 1000 * TERABYTES / 10
    minutes = read["pats"][100] / 60
    long = efficiency({n: page.seconds(f"hybrid long {n}", "pats") for n in (8, 100)})
    at_20 = {p: stored[20][p] for p in names}
    tests = {8: f"{computing['fcfs'][8] / computing['pats'][8]:.3f} without reading.",
             100: f"{at_20['fcfs'] / at_20['pats']:.3f} with 20 GB/s, {computing['fcfs'][100] / computing['pats'][100]:.3f} without reading. **Bound:** all tiles "
                  f"take 10 GB/s {least:.0f} s to read, so nobody could be more than {read['fcfs'][100] / least:.2f} times as fast as this FCFS."}
    page.judge("hybrid-pipelines-2012 Figure 14", [
        *(ratio(f"{n} nodes: PATS against FCFS", 1.3, read["fcfs"][n] / read["pats"][n], test=tests[n]) for n in (8, 100)),
        share("100 nodes: efficiency with reading", 77, efficiency(read["pats"]), 100,
              test=f"{100 * 8 * read['pats'][8] / (100 * at_20['pats']):.0f} % with 20 GB/s."),
        share("100 nodes: efficiency, computing", 93, efficiency(computing["pats"]), 100, test=f"{long:.0f} % with four times as many tiles."),
        statement("100 nodes: all tiles in less than four minutes", "yes", f"{minutes:.1f} minutes", minutes < 4),
        size("100 nodes: tiles a second", 150, 36848 / read["pats"][100], says="about 150")])
    page.add("| nodes | " + " | ".join(map(str, ex.HYBRID_NODES)) + " |", "|---|" + "---|" * len(ex.HYBRID_NODES))
    for what, times in (("reading", read), ("computing", computing)):
        for p, label in names.items():
            page.add(f"| {label}, {what}, s | " + " | ".join(f"{times[p][n]:.0f}" for n in ex.HYBRID_NODES) + " |")
    page.add("")
    page.plot("hybrid-figure-14", ex.HYBRID_NODES, {f"{label}, {what}": [36848 / times[p][n] for n in ex.HYBRID_NODES]
              for what, times in (("reading", read), ("computing", computing)) for p, label in names.items()}, "nodes", "tiles a second")
    page.add("What a shared file system of another bandwidth would do at 100 nodes; no paper says what Keeneland's gave, and the model's 10 GB/s were "
             f"set before the first run. The paper's 150 tiles a second are {150 * 50.3e-3:.1f} GB/s of pixels, if its files are not compressed. Bound: FCFS over the time "
             "to read all tiles, or over PATS's computing where that takes longer.", "",
             "| GB/s | FCFS, tiles/s | PATS, tiles/s | PATS against FCFS | bound | efficiency of PATS, % |", "|---|---|---|---|---|---|")
    for storage, times in stored.items():
        bound = times["fcfs"] / max(1000 * TERABYTES / storage, computing["pats"][100])
        page.add(f"| {storage} | {36848 / times['fcfs']:.0f} | {36848 / times['pats']:.0f} | {times['fcfs'] / times['pats']:.2f} | {bound:.2f} | "
                 f"{100 * 8 * read['pats'][8] / (100 * times['pats']):.0f} |")
    page.add("")


def edc(page):
    names = {"fcfs": "FCFS", "eft": "HEFT", "padas": "PADAS", "pams": "PAMS"}
    page.add("## edc-2014", "", "### Figure 10: 6,379 tiles on nodes with a GPU and a MIC", "",
             "Manager-Worker, window 80. HEFT is the paper's own (`eft`: times of tasks, one queue a worker), not StarPU's dmda. CPU only: all 16 "
             "cores compute.", "")
    times = {p: [page.seconds(f"edc {n}", p) for n in ex.EDC_NODES] for p in names}
    cores = [page.seconds(f"edc cores {n}", "fcfs") for n in ex.EDC_NODES]
    long = page.seconds("edc long 32", "eft") / page.seconds("edc long 32", "pams")
    tested = {32: f"four times as many tiles on 32 nodes: {long:.2f}."}
    page.judge("edc-2014 Figure 10", [
        *(ratio(f"{nodes} nodes: PAMS against HEFT", 1.2, times["eft"][i] / times["pams"][i], "nearly 1.2", test=tested.get(nodes, ""))
          for i, nodes in enumerate(ex.EDC_NODES)),
        *(ratio(f"{nodes} nodes: PAMS against CPU only", 2.2, cores[i] / times["pams"][i], "about 2.2",
                test=f"{cores[i] / page.seconds(f'edc alike {nodes}', 'pams'):.3f} when {ex.ALIKE}.") for i, nodes in enumerate(ex.EDC_NODES))])
    page.plot("edc-figure-10", ex.EDC_NODES, {"CPU only": [6379 / t for t in cores],
              **{label: [6379 / t for t in times[p]] for p, label in names.items()}}, "nodes", "tiles a second")


def make(folder, result):
    page = NetworkPage(folder, result["values"])
    seeds = ", ".join(map(str, result["seeds"]))
    largest = result["values"]["hybrid 100"]
    page.add("# The papers' experiments on several nodes again, simulated", "",
             f"Made by `bench/papers/simulated/run.py` with `starpath-lab --network` ([docs/lab.md](../../docs/lab.md#several-nodes)); means over the seeds {seeds} "
             "(what has 36,848 tiles or more: the first alone; one node of hybrid-pipelines-2012: 20). The rules of the verdicts and a count of them are in [papers.md](papers.md). "
             "Networks, machines and workloads are the same for every row; a disagreement stays as it is. One machine alone: "
             "[papers-machines.md](papers-machines.md).", "",
             f"The largest runs have 100 nodes with 1,200 workers, {largest['tiles']:,} tiles and {largest['tasks']:,} tasks; one took "
             f"{largest['runs'][0]['wall_seconds']:.0f} s on two cores of a virtual Xeon beside other work, and the process at "
             f"most {result['most_memory_MB']:.0f} MB of memory.", "")
    anthill_base_cases(page)
    anthill_trace(page, result["trace"])
    anthill_scaling(page)
    hybrid(page)
    edc(page)
    page.add(pathlib.Path(__file__).with_name("network_notes.md").read_text().rstrip())
    page.write("papers-nodes.md")
    return page.items
