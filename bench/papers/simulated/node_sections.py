"""The page of single machines: anthill-2010, hybrid-pipelines-2012 and edc-2014 on one node, hdss-2013."""
import pathlib
import statistics

import experiments as ex
import loops as loop_section
import placement
from network_experiments import ALIKE, CONFOUND, COPIES, EDC_DEVICES, EDC_ERRORS, EDC_WINDOWS, HYBRID_WINDOWS, SLOWER_GPU
from page import Page
from scoring import ratio, share, size, statement, words


class NodePage(Page):
    """`nodes`: values of several nodes, for what one of them is better at."""

    def __init__(self, folder, result, nodes):
        super().__init__(folder, result["values"])
        self.nodes = nodes
        self.errors, self.loops, self.chunks = result["errors"], result["loops"], result["copies"]

    def copies(self, name):
        """Seconds by policy: without locality, with it, with prefetching too."""
        return [self.copied(f"{name} {how}") for how in COPIES]

    def copied(self, name):
        return {run["policy"]: run["makespan"] for run in self.nodes[name]["runs"]}

    def node(self, policy, window=19, name="node windows"):
        """A run on one node of keeneland-100."""
        return next(run for run in self.nodes[name]["runs"] if (run["policy"], run["window"]) == (policy, window))

    def node_time(self, policy, window=19, name="node windows"):
        return self.node(policy, window, name)["makespan"]

    def on_gpus(self, policy, window=19):
        """By kind of task, the share that GPUs ran, in percent."""
        ran = self.node(policy, window)["ran"][0]
        return {kind: 100 * row[1] / sum(row) for kind, row in zip(self.nodes["node windows"]["kinds"], ran)}

    def time(self, name, policy):
        return self.values[name][policy]["makespan"]

    def share(self, name, policy, kind, device_class):
        run = self.values[name][policy]
        row = run["ran"][run["kinds"].index(kind)]
        return 100 * row[device_class] / sum(row)


def anthill(page):
    core = {rate: page.time(f"anthill core {rate}", "eager") for rate in ex.RATES}
    gpu = [core[rate] / page.time(f"anthill gpu {rate}", "eager") for rate in ex.RATES]
    both = {policy: [core[rate] / page.time(f"anthill both {rate}", policy) for rate in ex.RATES]
            for policy in ("ddfcfs", "ddwrr")}
    at = ex.RATES.index(16)
    slower = core[16] / page.time("anthill slower gpu 16", "eager")
    slower_both = {policy: core[16] / page.time("anthill slower both 16", policy) for policy in both}
    page.add("## anthill-2010", "", "### Table 3: time on one core", "", "Scaled to the paper's 26,742 tiles.", "")
    page.judge("anthill-2010 Table 3", [
        size(f"{rate} % computed again", paper, core[rate] * 26742 / 3000, "s", constructed="the workload's times are this table's")
        for rate, paper in zip(ex.RATES, (30, 350, 665, 974, 1287, 1532))])
    page.add("### Figure 8: NBIA, one core and one GPU", "", "Speedup over one core; copies are synchronous, as the paper has asynchronous ones from 6.4.1 on.", "")
    page.judge("anthill-2010 Figure 8", [
        ratio("16 %: GPU only", 16.06, gpu[at], test=f"{slower:.2f} with tasks {SLOWER_GPU} times as long on the GPU, a number that was chosen for this value."),
        ratio("16 %: DDFCFS", 16.78, both["ddfcfs"][at], test=f"{slower_both['ddfcfs']:.2f} with that number."),
        ratio("16 %: DDWRR", 29.79, both["ddwrr"][at], test=f"{slower_both['ddwrr']:.2f} with that number."),
        ratio("16 %: DDWRR over GPU only", 29.79 / 16.06, both["ddwrr"][at] / gpu[at], test=f"{slower_both['ddwrr'] / slower:.3f} with that number."),
        ratio("0 %: DDFCFS over GPU only", 2, both["ddfcfs"][0] / gpu[0], "roughly 2", "small tiles take both devices the same time, an input")])
    page.plot("anthill-figure-8", ex.RATES, {"GPU only": gpu, "GPU + CPU, DDFCFS": both["ddfcfs"],
                                             "GPU + CPU, DDWRR": both["ddwrr"]}, "tiles computed again, %", "speedup over one core")
    page.add("### Table 4: tiles that the CPU ran at 16 %", "")
    page.judge("anthill-2010 Table 4", [
        share(f"{policy.upper()}, {kind} resolution", paper, page.share("anthill both 16", policy, kind, 0))
        for policy, kind, paper in (("ddfcfs", "low", 1.52), ("ddfcfs", "high", 14.70), ("ddwrr", "low", 84.63), ("ddwrr", "high", 0.16))])


def anthill_copies(page):
    page.add("### Figure 6: size of tiles, synchronous and asynchronous copies", "",
             "GPU over one core, tiles judged at the first resolution only. Synchronous: StarPU without its pipeline of two "
             "tasks. The paper's text has values for the ends of the curve only.", "")
    speedup = {how: [page.time(f"anthill side {side} core", "eager") / page.time(f"anthill side {side} gpu{suffix}", "eager")
                     for side in ex.SIDES] for how, suffix in (("synchronous", " sync"), ("asynchronous", ""))}
    gain = [after / before for before, after in zip(speedup["synchronous"], speedup["asynchronous"])]
    helped = sum(own > 1.001 for own in gain)
    page.judge("anthill-2010 Figure 6", [
        ratio("32 x 32, synchronous", 1, speedup["synchronous"][0], "similar", "an input") if abs(speedup["synchronous"][0] - 1) <= 0.02 else
        words("32 x 32, synchronous", "similar", f"{speedup['synchronous'][0]:.3f}", abs(speedup["synchronous"][0] - 1) < 0.1),
        ratio("512 x 512, synchronous", 33, speedup["synchronous"][-1], "almost 33", "an input"),
        ratio("512 x 512, asynchronous over synchronous", 1.2, gain[-1], "roughly 20 %"),
        statement("Asynchronous copies help at all sizes", "all", f"{helped} of {len(gain)}", helped == len(gain))])
    page.plot("anthill-figure-6", [str(side) for side in ex.SIDES], speedup, "side of a tile, pixels", "GPU over one core")


def anthill_streams(page):
    fixed = {name: {int(n): took for n, took in page.chunks[name]["fixed"].items()} for name in ex.CHUNKS}
    least = {name: min(times.values()) for name, times in fixed.items()}
    best = {name: min(times, key=times.get) for name, times in fixed.items()}
    near = {name: next(n for n, took in times.items() if took <= 1.01 * least[name]) for name, times in fixed.items()}
    gains = [times[1] / least[name] - 1 for name, times in fixed.items()]
    flat = page.time("vector 1M 1", "fcfs") / page.time("vector 1M 32", "fcfs") - 1
    page.add("### Figure 7 and Table 2: vector incrementer, number of concurrent copies", "", "Not simulated in StarPU: a model of the GPU (`bench/papers/anthill/reproduce_copies.cpp`), whose batches "
             "of events are copied in, computed and copied out, with copies in one direction at a time, a share of copies of 3 in 10 (6.2), and the machine's memory and latency. "
             f"Within 1 % of the best are {', '.join(map(str, near.values()))} streams for chunks of {', '.join(fixed)}; more are bounded by the memory. In Table 2 the number of a batch is that of the policies' own "
             "`AdaptiveWindow` (`sched_policies/core/adaptive_window.hpp`), which is told the throughput of each batch; it ends at "
             f"{', '.join(str(page.chunks[name]['found']) for name in ex.CHUNKS)}.", "")
    page.judge("anthill-2010 Figure 7", [
        statement("Many streams are needed", "a large number", f"the best gain {', '.join(f'{100 * own:.0f}' for own in gains)} % over one", min(gains) > 0.02,
                  test=f"{100 * flat:.1f} % in StarPU, whose pipeline of two tasks copies in both directions at once (32 tasks ahead over one, chunks of 1M)."),
        statement("How many varies with the chunk", "yes", f"{', '.join(f'{n:,}' for n in best.values())} are best", len(set(best.values())) == len(best))])
    shown = list(fixed["1M"])
    page.plot("anthill-figure-7", shown, {name: [times[n] for n in shown] for name, times in fixed.items()}, "CUDA streams", "s")
    page.judge("anthill-2010 Table 2", [
        statement(f"Chunks of {name}: the number found while running, over the best fixed one", f"{paper:.3f} (within 1 %)", f"{own:.3f}", own <= 1.01)
        for name, paper, own in ((name, paper, page.chunks[name]["adaptive"] / least[name])
                                 for name, paper in zip(ex.CHUNKS, (16.53 / 16.50, 16.23 / 16.16, 16.16 / 16.15)))])


def measured_estimates(folder):
    """Of table-1.md: (application, speedup error, the paper's, time error, the paper's), means over the seeds."""
    rows = []
    for line in (folder / "table-1.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 6 or not cells[1][:1].isdigit():
            continue
        mean = [statistics.mean(map(float, cell.split(","))) for cell in cells[1:5]]
        rows.append((cells[0], *mean))
    return rows


def repeated_estimates(folder):
    """The error of times, in percent, of Black-Scholes with a second parameter in table-1.md: mean over the seeds."""
    line = next(line for line in (folder / "table-1.md").read_text().splitlines() if line.startswith("| Black-Scholes, repeated |"))
    return statistics.mean(map(float, line.strip().strip("|").split("|")[2].split(",")))


def estimator(page):
    page.add("### Table 1: cross-validated errors of the estimator", "",
             "30 jobs, ten-fold, k = 2, mean relative errors. Times of a core are measured, those of a GPU modelled: [table-1.md](table-1.md).", "")
    rows = measured_estimates(page.folder)
    spread = repeated_estimates(page.folder)
    easier = sum(ours < time for _, ours, _, time, _ in rows)
    page.judge("anthill-2010 Table 1",
               [share(f"{name}: {what}", paper, ours, test=f"{spread:.1f} % with a second parameter, how often the options are priced (2 to 64 times)."
                      if (name, what) == ("Black-Scholes", "time on the core") else "") for name, *pairs in rows
                for what, ours, paper in (("speedup", *pairs[:2]), ("time on the core", *pairs[2:]))] +
               [statement("Speedups are easier to estimate than times", "all six", f"{easier} of {len(rows)}", easier == len(rows))])
    page.add("Errors of the lab's models, which have no value of the paper to stand beside:", "",
             "| ours | speedup, % | time on the core, % |", "|---|---|---|")
    for name, errors in page.errors.items():
        page.add(f"| {name} | {errors['speedup']:.1f} | {errors['core_time']:.1f} |")
    page.add("")


OFTEN_ON_CORES = ("morph_open", "area_threshold", "fill_holes", "bwlabel")  # V-G: "mostly scheduled to the CPUs ... see Figure 10"


def hybrid_policies(page):
    fcfs, pats = (page.node_time(policy) for policy in ("fcfs", "pats"))
    whole = [page.copied("node monolithic 100")[policy] for policy in ("fcfs", "pats")]
    page.add("## hybrid-pipelines-2012", "", "One node of `keeneland-100`, by `starpath-lab --network`: 9 cores that compute, 3 GPUs; 100 tiles, window 19 unless "
             "said, means over 20 seeds. One task of a tile is ready at a time (`--set order=2`): V-F says so of a window of 12. Figures 9, 10, 12, 13 and Table II are in the basic "
             "mode, with inputs in before and outputs out after every operation of a GPU (IV-C, V-D; `--copies around`). Ratios of times: above 1, the second is faster.", "",
             "### Figure 9: policies, pipelined or not", "")
    long = page.copied("node monolithic 1000")["fcfs"] / page.copied("copies long neither")["fcfs"]
    page.judge("hybrid-pipelines-2012 Figure 9", [
        ratio("PATS against FCFS, pipelined", 1.33, fcfs / pats, "about 1.33"),
        ratio("PATS against FCFS, non-pipelined", 1, whole[0] / whole[1], "similar", "one codelet has one speedup: nothing can differ"),
        ratio("FCFS: pipelined against non-pipelined", 1, whole[0] / fcfs, "similar", test=f"{long:.3f} with 1,000 tiles.")])
    page.bars("hybrid-figure-9", ["non-pipelined", "pipelined"], {"FCFS": [whole[0], fcfs], "PATS": [whole[1], pats]}, "s")
    plain, local, ahead = page.copies("copies")
    long = page.copies("copies long")
    longer = {p: [long[0][p] / long[1][p], long[1][p] / long[2][p]] for p in ("fcfs", "pats")}
    page.add("### Figure 11: locality and prefetching", "", "Neither: the basic mode. Locality: data stay, copies and computing take turns. Prefetching: they "
             "overlap. **Tested:** in StarPU, where data stay and copies overlap without the options too, they give "
             + ", ".join(f"{p.upper()} {page.time('hybrid pipelined', p) / page.time('hybrid locality', p):.3f} and "
                         f"{page.time('hybrid locality', p) / page.time('hybrid prefetch', p):.3f}" for p in ("fcfs", "pats")) + ".", "")
    page.judge("hybrid-pipelines-2012 Figure 11", [
        ratio("FCFS with locality", 1.1, plain["fcfs"] / local["fcfs"], "about 1.1", test=f"{longer['fcfs'][0]:.3f} with 1,000 tiles."),
        ratio("PATS with locality", 1.04, plain["pats"] / local["pats"], test=f"{longer['pats'][0]:.3f} with 1,000 tiles."),
        ratio("FCFS with locality: prefetching too", 1, local["fcfs"] / ahead["fcfs"], "no significant improvement",
              test=f"{longer['fcfs'][1]:.3f} with 1,000 tiles."),
        ratio("PATS with locality: prefetching too", 1.03, local["pats"] / ahead["pats"], test=f"{longer['pats'][1]:.3f} with 1,000 tiles.")])
    page.bars("hybrid-figure-11", ["FCFS", "PATS"],
              {"neither": list(plain.values()), "locality": [local[p] for p in local], "and prefetching": [ahead[p] for p in ahead]}, "s")
    page.add("### Figure 10: share of each operation that PATS gives to GPUs", "")
    on_gpus = {p: page.on_gpus(p) for p in ("fcfs", "pats")}
    few = [on_gpus["pats"][kind] for kind in OFTEN_ON_CORES]
    page.judge("hybrid-pipelines-2012 Figure 10", [
        statement("Mostly on CPUs: Morph. Open, AreaThreshold, FillHoles, BWLabel", "more than half of each",
                  ", ".join(f"{100 - own:.0f} %" for own in few), all(own < 50 for own in few))])
    page.add("| operation | GPU, % |", "|---|---|", *(f"| {kind} | {own:.0f} |" for kind, own in on_gpus["pats"].items()), "")
    page.shares("hybrid-figure-10", list(on_gpus["pats"]), {p.upper(): {"cores": [100 - own for own in shares.values()], "GPUs": list(shares.values())}
                                                            for p, shares in on_gpus.items()})


def hybrid_windows(page):
    page.add("### Table II: windows", "", "PATS against FCFS with the same window.", "")
    times = {p: [page.node_time(p, w) for w in HYBRID_WINDOWS] for p in ("fcfs", "pats")}
    free = {w: page.node_time("fcfs", w, "node windows data") / page.node_time("pats", w, "node windows data") for w in HYBRID_WINDOWS}
    paper = {"fcfs": [75.1, 73.4, 74.9, 73.7, 75.3, 74.9, 73.2, 73.5], "pats": [75.1, 61, 56.9, 53.1, 54.1, 51.5, 51.2, 50.7]}
    change = max(times["fcfs"]) / min(times["fcfs"]) - 1
    page.judge("hybrid-pipelines-2012 Table II",
               [ratio(f"Window {w}", round(paper["fcfs"][i] / paper["pats"][i], 3), times["fcfs"][i] / times["pats"][i],
                      test=f"{free[w]:.3f} where tasks wait for their data alone (`order=0`).") for i, w in enumerate(HYBRID_WINDOWS)] +
               [words("FCFS hardly depends on the window (2.9 % in the paper)", "impacted little", f"{100 * change:.1f} %", change < 0.1)])
    page.plot("hybrid-table-2", HYBRID_WINDOWS, {
        **{label: [t / times["fcfs"][0] for t in times[p]] for p, label in (("fcfs", "FCFS"), ("pats", "PATS"))},
        "FCFS, paper": [t / 75.1 for t in paper["fcfs"]], "PATS, paper": [t / 75.1 for t in paper["pats"]]}, "tiles in flight", "time over FCFS at 12")
    page.add("### Figure 12: share of each operation that PATS gives to GPUs, by window", "")
    profile = {w: page.on_gpus("pats", w) for w in HYBRID_WINDOWS}
    fcfs = page.on_gpus("fcfs", 12)
    near = [kind for kind, own in fcfs.items() if abs(own - profile[12][kind]) <= 10]
    grew = sum(profile[19][kind] > profile[12][kind] for kind in ("pre_watershed", "recon_to_nuclei", "rbc", "gradient_features", "edge_features"))
    page.judge("hybrid-pipelines-2012 Figure 12", [
        statement("Window 12: PATS does as FCFS does (within 10 points)", "all operations", f"{len(near)} of {len(fcfs)}", len(near) == len(fcfs)),
        words("With the window what gains most moves to the GPUs (of five operations with the largest speedups)", "more likely to be executed by GPUs",
              f"{grew} of 5", grew >= 4)])
    page.add("| operation | FCFS, 12 | " + " | ".join(f"PATS, {w}" for w in (12, 15, 19)) + " |", "|---|---|---|---|---|")
    page.add(*(f"| {kind} | " + " | ".join(f"{own:.0f}" for own in (fcfs[kind], *(profile[w][kind] for w in (12, 15, 19)))) + " |" for kind in fcfs), "")
    shown = ("rbc", "recon_to_nuclei", "pre_watershed", "watershed", "edge_features", "fill_holes", "area_threshold", "morph_open")
    page.plot("hybrid-figure-12", HYBRID_WINDOWS, {kind: [profile[w][kind] for w in HYBRID_WINDOWS] for kind in shown}, "tiles in flight", "on GPUs, %")


def hybrid_rest(page):
    page.add("### Figure 8: which core drives which GPU", "", "Not simulated: a network of queues, the links that transfers pass and share "
             "(`bench/papers/simulated/placement.py`). The closest cores over random ones.", "")
    gains = [placement.gain(gpus) for gpus in (1, 2, 3)]
    alone = [placement.gain(gpus, shared=False) for gpus in (1, 2, 3)]
    longer = [placement.gain(gpus, transfers=3 * placement.TRANSFERS) for gpus in (1, 2, 3)]
    page.judge("hybrid-pipelines-2012 Figure 8", [
        ratio(f"{gpus} GPU{'s' if gpus > 1 else ''}", 1 + paper / 100, 1 + gains[gpus - 1] / 100, f"about {paper} %",
              test=f"{1 + alone[gpus - 1] / 100:.3f} if links were not shared; {1 + longer[gpus - 1] / 100:.3f} with three times the transfers.")
        for gpus, paper in zip((1, 2, 3), (3, 6, 8))])
    page.plot("hybrid-figure-8", [1, 2, 3], {"paper": [3, 6, 8], "model": gains}, "GPUs", "gain of the closest placement, %")
    page.add("### Figure 13: wrong speedups", "", "Time of PATS over its time without errors; the last rows over FCFS.", "")
    fcfs = page.node_time("fcfs")
    errors = {e: page.copied(f"node error {e}")["pats"] for e in CONFOUND}
    page.judge("hybrid-pipelines-2012 Figure 13", [
        ratio("60 %", 1.10, errors[60] / errors[0], "only 10 % worse"),
        ratio("100 %, over FCFS", 1.10, errors[100] / fcfs, "about 10 % worse"),
        statement("At 70 and 80 % PATS is still faster than FCFS", "yes", " and ".join(f"{fcfs / errors[e]:.2f} times" for e in (70, 80)),
                  all(errors[e] < fcfs for e in (70, 80)))])
    page.plot("hybrid-figure-13", CONFOUND, {"PATS": [e / errors[0] for e in errors.values()],
              "FCFS": [fcfs / errors[0]] * len(errors)}, "error of the speedups, %", "time over PATS without errors")


NAMES = {"fcfs": "FCFS", "eft": "HEFT", "padas": "PADAS", "pams": "PAMS"}  # and StarPU's dmda beside them, in SimGrid
PADAS = "padas"


def edc_windows(page):
    window = {p: [page.node_time(p, w, "edc windows") for w in EDC_WINDOWS] for p in NAMES}
    dmda = {p: [page.time(f"edc window {w}", p) for w in EDC_WINDOWS] for p in ("dmda", "pams")}
    page.add("## edc-2014", "", "Stampede: 14 cores that compute, a GPU and a MIC; one node of `stampede-32`, by `starpath-lab --network`; 800 tiles, whose features wait for "
             "their segmentation (IV-A; `--set order=1`). HEFT is the paper's own (`eft`). PADAS is the paper's as printed (`padas`): a task walks into the list "
             "from an end, past tasks of the other half. StarPU's `dmda`, which also looks at copies and runs in SimGrid, stands beside them and is in no "
             f"claim. With window 80 PAMS takes {dmda['pams'][-1]:.1f} s in SimGrid and {window['pams'][-1]:.1f} s here.", "", "### Figure 6: windows", "")
    above = [w for i, w in enumerate(EDC_WINDOWS) if min(NAMES, key=lambda p: window[p][i]) == "pams"]
    large = [i for i, w in enumerate(EDC_WINDOWS) if w > 45]
    passes = [window["eft"][i] < min(window["fcfs"][i], window[PADAS][i]) for i in large]

    def gains(name, w):
        """How many times as fast as FCFS with the window HEFT, PADAS and PAMS are."""
        return {p: page.node_time("fcfs", w, name) / page.node_time(p, w, name) for p in ("eft", PADAS, "pams")}
    around, alike, own = gains("edc windows around", 16), gains("edc windows alike", 80), gains("edc windows", 80)
    ahead = min(window[p][0] for p in NAMES if p != "pams") / window["pams"][0]
    page.judge("edc-2014 Figure 6", [
        ratio("Window 80: PAMS against HEFT", 1.16, window["eft"][-1] / window["pams"][-1], "about 1.16"),
        statement("PAMS is the fastest with all windows", "all", f"{len(above)} of {len(EDC_WINDOWS)}; with 16 it is {ahead:.3f} times as fast as the best other", len(above) == len(EDC_WINDOWS),
                  test=f"{around['pams'] / around['eft']:.2f} times HEFT with window 16 where data are copied around each operation."),
        statement("Window 16: HEFT is slower than FCFS and PADAS", "yes",
                  f"{window['fcfs'][0] / window['eft'][0]:.2f} and {window[PADAS][0] / window['eft'][0]:.2f} times as fast",
                  window["eft"][0] > max(window["fcfs"][0], window[PADAS][0]),
                  test=f"{around['eft']:.2f} and {around['eft'] / around[PADAS]:.2f} times as fast where data are copied around each operation (`--copies around`)."),
        statement("Windows above 45: HEFT is faster than both", "yes", f"with {sum(passes)} of {len(passes)}", all(passes)),
        words("PADAS against FCFS, window 80", "slightly better", f"{own[PADAS]:.2f} times", 1 < own[PADAS] < 1.1,
              test=f"1.54 times when tasks stay in their half of the list (a policy of 0.1.0); {alike[PADAS]:.2f} times when {ALIKE}.")])
    page.plot("edc-figure-6", EDC_WINDOWS, {**{label: window[p] for p, label in NAMES.items()}, "StarPU's dmda, SimGrid": dmda["dmda"]}, "tiles in flight", "s")


FOR_MIC = {"ColorDeconv": "colour_deconvolution", "FillHoles": "fill_holes", "Gradient": "gradient_features",
           "PixelIntensity": "pixel_features", "Sobel": "edge_features"}


def edc_profile(page):
    page.add("### Figure 7: who ran what at window 80", "")

    def shares(name, policy):
        """By kind of task: percent of the cores, the GPU, the MIC."""
        ran = page.node(policy, 80, name)["ran"][0]
        return {kind: [100 * own / sum(row) for own in row] for kind, row in zip(page.nodes[name]["kinds"], ran)}
    ran = {policy: shares("edc windows", policy) for policy in NAMES}
    simgrid = page.values["edc window 80"]["dmda"]["kinds"]
    ran["dmda"] = {kind: [page.share("edc window 80", "dmda", kind, c) for c in range(3)] for kind in simgrid}
    labels = {**NAMES, "dmda": "StarPU's dmda"}

    def of(policy, kind):
        return ran[policy][kind]
    cores = [own[0] for kind, own in ran["fcfs"].items() if kind != "read"]
    on_mic = [name for name, kind in FOR_MIC.items() if of("pams", kind)[2] == max(of("pams", kind))]
    filling = shares("edc filling", "pams")["fill_holes"]
    page.judge("edc-2014 Figure 7", [
        words("FCFS: the same devices for all operations", "nearly the same", f"cores run {min(cores):.0f} to {max(cores):.0f} % of each", max(cores) - min(cores) < 50),
        words("HEFT: PreWatershed", "exclusively to accelerators", f"{100 - of('eft', 'pre_watershed')[0]:.0f} %", of("eft", "pre_watershed")[0] < 10),
        statement("PADAS: PreWatershed, more on the GPU than elsewhere", "yes", f"{of(PADAS, 'pre_watershed')[1]:.0f} %",
                  of(PADAS, "pre_watershed")[1] == max(of(PADAS, "pre_watershed"))),
        statement("PADAS: most of RBC on the CPU", "more than half", f"{of(PADAS, 'rbc')[0]:.0f} %", of(PADAS, "rbc")[0] > 50),
        statement("PAMS: most of PreWatershed on the GPU", "more than half", f"{of('pams', 'pre_watershed')[1]:.0f} %", of("pams", "pre_watershed")[1] > 50),
        statement(f"PAMS: on the MIC more than elsewhere: {', '.join(FOR_MIC)}", "all five", ", ".join(on_mic) or "none", len(on_mic) == len(FOR_MIC),
                  test=f"FillHoles has {filling[2]:.0f} % on the MIC, {filling[0]:.0f} % on cores and {filling[1]:.0f} % on the GPU when the MIC is 14 times a core there instead of 2.8."),
        statement("PAMS: AreaThreshold and BWLabel on the CPU", "more than half of both",
                  f"{of('pams', 'area_threshold')[0]:.0f} and {of('pams', 'bwlabel')[0]:.0f} %", min(of("pams", k)[0] for k in ("area_threshold", "bwlabel")) > 50)])
    page.add("| operation | policy | cores, % | GPU, % | MIC, % |", "|---|---|---|---|---|")
    for kind in ("pre_watershed", "rbc", "recon_to_nuclei", "area_threshold", "bwlabel", *FOR_MIC.values()):
        page.add(*(f"| {kind} | {label} | " + " | ".join(f"{own:.0f}" for own in of(policy, kind)) + " |" for policy, label in labels.items()))
    page.add("")
    page.shares("edc-figure-7", list(ran["fcfs"]), {label: dict(zip(("cores", "GPU", "MIC"), zip(*ran[p].values()))) for p, label in labels.items()})


def edc_rest(page):
    page.add("### Figure 8: processors", "", "Ratios of times; the paper has 15 cores beside one accelerator, this machine 14.", "")
    times = {d: {p: page.node_time(p, 80, f"edc devices {d}") for p in NAMES} for d in EDC_DEVICES}
    best = {d: min(times[d][p] for p in NAMES) for d in times}
    two = ("CPU-GPU", "CPU-MIC")
    alike = {d: min(page.node_time(p, 80, f"edc alike devices {d}") for p in NAMES) for d in two}
    worst = [d for d in times if max(NAMES, key=times[d].get) == "fcfs"]
    behind = [f"{d}: {times[d]['eft'] / times[d]['pams']:.2f}" for d in two]
    page.judge("edc-2014 Figure 8", [
        ratio("Best CPU-GPU against best CPU-MIC", 1.27, best["CPU-MIC"] / best["CPU-GPU"], "about 1.27", test=f"{alike['CPU-MIC'] / alike['CPU-GPU']:.3f} when {ALIKE}."),
        statement("FCFS is the slowest everywhere", "all three", f"{len(worst)} of 3", len(worst) == 3),
        *(ratio(f"{d}: PADAS over PAMS", 1, times[d][PADAS] / times[d]["pams"], "similar", "with one class of accelerators both sort by its speedup") for d in two),
        statement("One accelerator: HEFT is slower than PADAS and PAMS", "both", f"its time over PAMS's: {', '.join(behind)}",
                  all(times[d]["eft"] > max(times[d][PADAS], times[d]["pams"]) for d in two)),
        statement("CPU-GPU-MIC: PAMS is the fastest", "yes", NAMES[min(NAMES, key=times["CPU-GPU-MIC"].get)] + " is",
                  min(NAMES, key=times["CPU-GPU-MIC"].get) == "pams")])
    dmda = {d: page.time(f"edc devices {d}", "dmda") for d in EDC_DEVICES}
    page.add("| | " + " | ".join(NAMES.values()) + " | StarPU's dmda |", "|---|" + "---|" * (len(NAMES) + 1))
    page.add(*(f"| {d}, s | " + " | ".join(f"{times[d][p]:.1f}" for p in NAMES) + f" | {dmda[d]:.1f} |" for d in times), "")
    page.bars("edc-figure-8", list(times), {**{label: [times[d][p] for d in times] for p, label in NAMES.items()}, "StarPU's dmda": list(dmda.values())}, "s")
    page.add("### Figure 9: wrong times", "")
    wrong = {p: {e: page.node_time(p, 80, f"edc error {e}") for e in EDC_ERRORS} for p in NAMES}
    lost = {p: wrong[p][100] / wrong[p][0] for p in wrong}
    page.judge("edc-2014 Figure 9", [
        ratio("PAMS: time at 100 % over time at 0 %", 1.07, lost["pams"], test=f"{wrong['pams'][75] / wrong['pams'][0]:.3f} at 75 %."),
        statement("Errors above 50 %: HEFT is slower than FCFS", "yes",
                  ", ".join(f"at {e} %: {wrong['eft'][e] / wrong['fcfs'][e]:.2f} times its time" for e in (75, 100)),
                  all(wrong["eft"][e] > wrong["fcfs"][e] for e in (75, 100))),
        statement("PADAS and PAMS lose less than HEFT (time at 100 % over 0 %)", "yes",
                  ", ".join(f"{NAMES[p]} {lost[p]:.2f}" for p in (PADAS, "pams", "eft")), max(lost[PADAS], lost["pams"]) < lost["eft"])])
    page.plot("edc-figure-9", EDC_ERRORS, {**{label: list(wrong[p].values()) for p, label in NAMES.items()},
              "StarPU's dmda, SimGrid": [page.time(f"edc error {e}", "dmda") for e in EDC_ERRORS]}, "error of the times, %", "s")


MODELS = pathlib.Path(__file__).resolve().parents[3] / "lab/models"
SECTIONS = (anthill, anthill_copies, anthill_streams, estimator, hybrid_policies, hybrid_windows, hybrid_rest, edc_windows, edc_profile, edc_rest, loop_section.section)


def make(folder, result, nodes):
    page = NodePage(folder, result, nodes["values"])
    page.add("# The papers' experiments on one machine again, simulated", "",
             f"Made by `bench/papers/simulated/run.py` (docs/lab.md); means over the seeds {', '.join(map(str, result['seeds']))} "
             "(hybrid-pipelines-2012: 20). The rules of the verdicts "
             "and a count of them are in [papers.md](papers.md). The machines and workloads are the same for every row; a disagreement stays as it is. "
             "Several nodes: [papers-nodes.md](papers-nodes.md).", "")
    for section in SECTIONS:
        section(page)
    page.add(pathlib.Path(__file__).with_name("notes.md").read_text().rstrip())
    page.write("papers-machines.md")
    return page.items
