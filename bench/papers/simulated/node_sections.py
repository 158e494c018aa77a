"""The page of single machines: anthill-2010, hybrid-pipelines-2012 and edc-2014 on one node, hdss-2013."""
import pathlib
import statistics

import experiments as ex
import loops as loop_section
import placement
from cluster_experiments import COPIES
from page import Page
from scoring import ratio, share, size, statement, words


class NodePage(Page):
    """`clusters`: values of clusters, for what a node of them is better at."""

    def __init__(self, folder, result, clusters):
        super().__init__(folder, result["values"])
        self.clusters = clusters
        self.errors, self.loops = result["errors"], result["loops"]

    def copies(self, name):
        """Seconds by policy: without locality, with it, with prefetching too."""
        return [self.copied(f"{name} {how}") for how in COPIES]

    def copied(self, name):
        return {run["policy"]: run["makespan"] for run in self.clusters[name]["runs"]}

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
    page.add("## anthill-2010", "", "### Table 3: time on one core", "", "Scaled to the paper's 26,742 tiles.", "")
    page.judge("anthill-2010 Table 3", [
        size(f"{rate} % computed again", paper, core[rate] * 26742 / 3000, "s", constructed="the workload's times are this table's")
        for rate, paper in zip(ex.RATES, (30, 350, 665, 974, 1287, 1532))])
    page.add("### Figure 8: NBIA, one core and one GPU", "", "Speedup over one core; copies are synchronous, as the paper has asynchronous ones from 6.4.1 on.", "")
    page.judge("anthill-2010 Figure 8", [
        ratio("16 %: GPU only", 16.06, gpu[at]), ratio("16 %: DDFCFS", 16.78, both["ddfcfs"][at]),
        ratio("16 %: DDWRR", 29.79, both["ddwrr"][at]), ratio("16 %: DDWRR over GPU only", 29.79 / 16.06, both["ddwrr"][at] / gpu[at]),
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
    page.add("### Figure 7 and Table 2: vector incrementer, number of concurrent copies", "")
    fixed = {name: [page.time(f"vector {name} {window}", "fcfs") for window in ex.STREAMS] for name in ex.CHUNKS}
    flat = max(max(times) / min(times) for times in fixed.values()) - 1
    gains = [times[0] / min(times) - 1 for times in fixed.values()]
    best = [ex.STREAMS[times.index(min(times))] for times in fixed.values()]
    page.judge("anthill-2010 Figure 7", [
        statement("Many streams are needed, and how many depends on the chunk", "yes",
                  f"the best of {', '.join(map(str, best))} streams gains {', '.join(f'{100 * own:.1f}' for own in gains)} % over one",
                  min(gains) > 0.02 and len(set(best)) > 1)])
    page.plot("anthill-figure-7", ex.STREAMS, fixed, "tasks reserved ahead", "s")
    page.judge("anthill-2010 Table 2", [
        statement(f"Chunks of {name}: the number found while running, over the best fixed one", f"{paper:.3f} (within 1 %)", f"{own:.3f}", own <= 1.01,
                  "every fixed number takes the same time here" if flat < 0.01 else "")
        for name, paper, own in ((name, paper, page.time(f"vector {name} adaptive", "fcfs") / min(fixed[name]))
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


def estimator(page):
    page.add("### Table 1: cross-validated errors of the estimator", "",
             "30 jobs, ten-fold, k = 2, mean relative errors. Times of a core are measured, those of a GPU modelled: [table-1.md](table-1.md).", "")
    rows = measured_estimates(page.folder)
    easier = sum(ours < time for _, ours, _, time, _ in rows)
    page.judge("anthill-2010 Table 1",
               [share(f"{name}: {what}", paper, ours) for name, *pairs in rows
                for what, ours, paper in (("speedup", *pairs[:2]), ("time on the core", *pairs[2:]))] +
               [statement("Speedups are easier to estimate than times", "all six", f"{easier} of {len(rows)}", easier == len(rows))])
    page.add("Errors of the lab's models, which have no value of the paper to stand beside:", "",
             "| ours | speedup, % | time on the core, % |", "|---|---|---|")
    for name, errors in page.errors.items():
        page.add(f"| {name} | {errors['speedup']:.1f} | {errors['core_time']:.1f} |")
    page.add("")


OFTEN_ON_CORES = ("morph_open", "area_threshold", "fill_holes", "bwlabel")  # V-G: "mostly scheduled to the CPUs ... see Figure 10"


def hybrid_policies(page):
    fcfs, pats = (page.time("hybrid pipelined", policy) for policy in ("fcfs", "pats"))
    whole = [page.time("hybrid monolithic", policy) for policy in ("fcfs", "pats")]
    page.add("## hybrid-pipelines-2012", "", "Keeneland: 9 cores that compute, 3 GPUs; 100 tiles, window 19 unless said. Ratios of times: above 1, "
             "the second is faster.", "", "### Figure 9: policies, pipelined or not", "")
    page.judge("hybrid-pipelines-2012 Figure 9", [
        ratio("PATS against FCFS, pipelined", 1.33, fcfs / pats, "about 1.33"),
        ratio("PATS against FCFS, non-pipelined", 1, whole[0] / whole[1], "similar", "one codelet has one speedup: nothing can differ"),
        ratio("FCFS: pipelined against non-pipelined", 1, whole[0] / fcfs, "similar",
              test=f"{page.copied('copies monolithic')['fcfs'] / page.copies('copies')[0]['fcfs']:.3f} with data copied in and out around every operation (`--copies around`).")])
    page.bars("hybrid-figure-9", ["non-pipelined", "pipelined"], {"FCFS": [whole[0], fcfs], "PATS": [whole[1], pats]}, "s")
    plain, local, ahead = page.copies("copies")
    long = page.copies("copies long")
    longer = {p: [long[0][p] / long[1][p], long[1][p] / long[2][p]] for p in ("fcfs", "pats")}
    page.add("### Figure 11: locality and prefetching", "", "One node of `keeneland-100`, by `starpath-lab --cluster`. Neither: inputs in before and outputs out "
             "after every operation of a GPU, as in the paper's basic mode (IV-C). Means over 20 seeds. Locality: data stay, copies and computing take turns. Prefetching: they "
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
    kinds = page.values["hybrid pipelined"]["pats"]["kinds"]
    on_gpus = {p: [page.share("hybrid pipelined", p, kind, 1) for kind in kinds] for p in ("fcfs", "pats")}
    few = {kind: on_gpus["pats"][kinds.index(kind)] for kind in OFTEN_ON_CORES}
    page.judge("hybrid-pipelines-2012 Figure 10", [
        statement("Mostly on CPUs: Morph. Open, AreaThreshold, FillHoles, BWLabel", "more than half of each",
                  ", ".join(f"{100 - own:.0f} %" for own in few.values()), all(own < 50 for own in few.values()))])
    page.add("| operation | GPU, % |", "|---|---|", *(f"| {kind} | {own:.0f} |" for kind, own in zip(kinds, on_gpus["pats"])), "")
    page.shares("hybrid-figure-10", kinds, {p.upper(): {"cores": [100 - own for own in on_gpus[p]], "GPUs": on_gpus[p]} for p in on_gpus})


def hybrid_windows(page):
    page.add("### Table II: windows", "", "PATS against FCFS with the same window.", "")
    times = {p: [page.time(f"hybrid window {w}", p) for w in ex.HYBRID_WINDOWS] for p in ("fcfs", "pats")}
    paper = {"fcfs": [75.1, 73.4, 74.9, 73.7, 75.3, 74.9, 73.2, 73.5], "pats": [75.1, 61, 56.9, 53.1, 54.1, 51.5, 51.2, 50.7]}
    change = max(times["fcfs"]) / min(times["fcfs"]) - 1
    page.judge("hybrid-pipelines-2012 Table II",
               [ratio(f"Window {w}", round(paper["fcfs"][i] / paper["pats"][i], 3), times["fcfs"][i] / times["pats"][i])
                for i, w in enumerate(ex.HYBRID_WINDOWS)] +
               [words("FCFS hardly depends on the window (2.9 % in the paper)", "impacted little", f"{100 * change:.1f} %", change < 0.1)])
    page.plot("hybrid-table-2", ex.HYBRID_WINDOWS, {
        **{label: [t / times["fcfs"][0] for t in times[p]] for p, label in (("fcfs", "FCFS"), ("pats", "PATS"))},
        "FCFS, paper": [t / 75.1 for t in paper["fcfs"]], "PATS, paper": [t / 75.1 for t in paper["pats"]]}, "tiles in flight", "time over FCFS at 12")
    page.add("### Figure 12: share of each operation that PATS gives to GPUs, by window", "")
    kinds = page.values["hybrid pipelined"]["pats"]["kinds"]
    profile = {kind: [page.share(f"hybrid window {w}", "pats", kind, 1) for w in ex.HYBRID_WINDOWS] for kind in kinds}
    alike = {kind: profile[kind][0] - page.share("hybrid window 12", "fcfs", kind, 1) for kind in kinds}
    near = [kind for kind, own in alike.items() if abs(own) <= 10]
    fast = [kind for kind in kinds if kind != "read" and kind not in OFTEN_ON_CORES]
    grew = sum(profile[kind][-1] > profile[kind][0] for kind in ("pre_watershed", "recon_to_nuclei", "rbc", "gradient_features", "edge_features"))
    page.judge("hybrid-pipelines-2012 Figure 12", [
        statement("Window 12: PATS does as FCFS does (within 10 points)", "all operations", f"{len(near)} of {len(kinds)}", len(near) == len(kinds)),
        words("With the window what gains most moves to the GPUs (of five operations with the largest speedups)", "more likely to be executed by GPUs",
              f"{grew} of 5", grew >= 4)])
    page.add("| operation | FCFS, 12 | " + " | ".join(f"PATS, {w}" for w in (12, 15, 19)) + " |", "|---|---|---|---|---|")
    for kind in kinds:
        at = [page.share("hybrid window 12", "fcfs", kind, 1)] + [profile[kind][ex.HYBRID_WINDOWS.index(w)] for w in (12, 15, 19)]
        page.add(f"| {kind} | " + " | ".join(f"{own:.0f}" for own in at) + " |")
    page.add("")
    shown = [kind for kind in fast if kind in ("pre_watershed", "rbc", "recon_to_nuclei", "edge_features", "watershed")] + \
        ["fill_holes", "area_threshold", "morph_open"]
    page.plot("hybrid-figure-12", ex.HYBRID_WINDOWS, {kind: profile[kind] for kind in shown}, "tiles in flight", "on GPUs, %")


def hybrid_rest(page):
    page.add("### Figure 8: which core drives which GPU", "", "Not simulated: a model of the links that a transfer passes "
             "(`bench/papers/simulated/placement.py`). The closest cores over random ones.", "")
    gains = [placement.gain(gpus) for gpus in (1, 2, 3)]
    page.judge("hybrid-pipelines-2012 Figure 8", [
        ratio(f"{gpus} GPU{'s' if gpus > 1 else ''}", 1 + paper / 100, 1 + own / 100, f"about {paper} %")
        for gpus, paper, own in zip((1, 2, 3), (3, 6, 8), gains)])
    page.plot("hybrid-figure-8", [1, 2, 3], {"paper": [3, 6, 8], "model": gains}, "GPUs", "gain of the closest placement, %")
    page.add("### Figure 13: wrong speedups", "", "Time of PATS over its time without errors; the last rows over FCFS.", "")
    fcfs = page.time("hybrid pipelined", "fcfs")
    errors = {e: page.time(f"hybrid error {e}", "pats") for e in ex.CONFOUND}
    page.judge("hybrid-pipelines-2012 Figure 13", [
        ratio("60 %", 1.10, errors[60] / errors[0], "only 10 % worse"),
        ratio("100 %, over FCFS", 1.10, errors[100] / fcfs, "about 10 % worse"),
        statement("At 70 and 80 % PATS is still faster than FCFS", "yes", " and ".join(f"{fcfs / errors[e]:.2f} times" for e in (70, 80)),
                  all(errors[e] < fcfs for e in (70, 80)))])
    page.plot("hybrid-figure-13", ex.CONFOUND, {"PATS": [e / errors[0] for e in errors.values()],
              "FCFS": [fcfs / errors[0]] * len(errors)}, "error of the speedups, %", "time over PATS without errors")


EDC_NAMES = {"fcfs": "FCFS", "eft": "HEFT (eft)", "dmda": "StarPU's dmda", "padas": "PADAS", "pams": "PAMS"}
PAPERS = ("fcfs", "eft", "padas", "pams")  # dmda is shown beside them
HEFT = "eft"


def edc_windows(page):
    window = {p: [page.time(f"edc window {w}", p) for w in ex.EDC_WINDOWS] for p in EDC_NAMES}
    page.add("## edc-2014", "", "Stampede: 14 cores that compute, a GPU and a MIC; 800 tiles. HEFT is the paper's own (`eft`); StarPU's `dmda`, "
             "which also looks at copies, stands beside it and is in no claim.", "", "### Figure 6: windows", "")
    above = [w for i, w in enumerate(ex.EDC_WINDOWS) if min(PAPERS, key=lambda p: window[p][i]) == "pams"]
    large = [i for i, w in enumerate(ex.EDC_WINDOWS) if w > 45]
    passes = [window[HEFT][i] < min(window["fcfs"][i], window["padas"][i]) for i in large]
    page.judge("edc-2014 Figure 6", [
        ratio("Window 80: PAMS against HEFT", 1.16, window[HEFT][-1] / window["pams"][-1], "about 1.16"),
        statement("PAMS is the fastest with all windows", "all", f"{len(above)} of {len(ex.EDC_WINDOWS)}", len(above) == len(ex.EDC_WINDOWS)),
        statement("Window 16: HEFT is slower than FCFS and PADAS", "yes",
                  f"{window['fcfs'][0] / window[HEFT][0]:.2f} and {window['padas'][0] / window[HEFT][0]:.2f} times as fast",
                  window[HEFT][0] > max(window["fcfs"][0], window["padas"][0])),
        statement("Windows above 45: HEFT is faster than both", "yes", f"with {sum(passes)} of {len(passes)}", all(passes)),
        words("PADAS against FCFS, window 80", "slightly better", f"{window['fcfs'][-1] / window['padas'][-1]:.2f} times",
              1 < window["fcfs"][-1] / window["padas"][-1] < 1.1)])
    page.plot("edc-figure-6", ex.EDC_WINDOWS, {EDC_NAMES[p]: window[p] for p in window}, "tiles in flight", "s")


FOR_MIC = {"ColorDeconv": "colour_deconvolution", "FillHoles": "fill_holes", "Gradient": "gradient_features",
           "PixelIntensity": "pixel_features", "Sobel": "edge_features"}


def edc_profile(page):
    page.add("### Figure 7: who ran what at window 80", "")
    every = page.values["edc window 80"]["pams"]["kinds"]
    ran = {policy: [[page.share("edc window 80", policy, kind, c) for kind in every] for c in range(3)] for policy in EDC_NAMES}

    def of(policy, kind):
        return [shares[every.index(kind)] for shares in ran[policy]]
    cores = [own for kind, own in zip(every, ran["fcfs"][0]) if kind != "read"]
    on_mic = [name for name, kind in FOR_MIC.items() if of("pams", kind)[2] == max(of("pams", kind))]
    page.judge("edc-2014 Figure 7", [
        words("FCFS: the same devices for all operations", "nearly the same", f"cores run {min(cores):.0f} to {max(cores):.0f} % of each", max(cores) - min(cores) < 50),
        words("HEFT: PreWatershed", "exclusively to accelerators", f"{100 - of(HEFT, 'pre_watershed')[0]:.0f} %", of(HEFT, "pre_watershed")[0] < 10),
        statement("PADAS: PreWatershed, more on the GPU than elsewhere", "yes", f"{of('padas', 'pre_watershed')[1]:.0f} %",
                  of("padas", "pre_watershed")[1] == max(of("padas", "pre_watershed"))),
        statement("PADAS: most of RBC on the CPU", "more than half", f"{of('padas', 'rbc')[0]:.0f} %", of("padas", "rbc")[0] > 50),
        statement("PAMS: most of PreWatershed on the GPU", "more than half", f"{of('pams', 'pre_watershed')[1]:.0f} %", of("pams", "pre_watershed")[1] > 50),
        statement(f"PAMS: on the MIC more than elsewhere: {', '.join(FOR_MIC)}", "all five", ", ".join(on_mic) or "none", len(on_mic) == len(FOR_MIC)),
        statement("PAMS: AreaThreshold and BWLabel on the CPU", "more than half of both",
                  f"{of('pams', 'area_threshold')[0]:.0f} and {of('pams', 'bwlabel')[0]:.0f} %", min(of("pams", k)[0] for k in ("area_threshold", "bwlabel")) > 50)])
    page.add("| operation | policy | cores, % | GPU, % | MIC, % |", "|---|---|---|---|---|")
    for kind in ("pre_watershed", "rbc", "area_threshold", "bwlabel", *FOR_MIC.values()):
        page.add(*(f"| {kind} | {EDC_NAMES[policy]} | " + " | ".join(f"{own:.0f}" for own in of(policy, kind)) + " |" for policy in EDC_NAMES))
    page.add("")
    page.shares("edc-figure-7", every, {EDC_NAMES[p].removeprefix("StarPU's "): dict(zip(("cores", "GPU", "MIC"), ran[p])) for p in EDC_NAMES})


def edc_rest(page):
    page.add("### Figure 8: processors", "", "Ratios of times; the paper has 15 cores beside one accelerator, this machine 14.", "")
    times = {d: {p: page.time(f"edc devices {d}", p) for p in EDC_NAMES} for d in ex.EDC_DEVICES}
    best = {d: min(times[d][p] for p in PAPERS) for d in times}
    two = ("CPU-GPU", "CPU-MIC")
    worst = [d for d in times if max(PAPERS, key=times[d].get) == "fcfs"]
    behind = [f"{d}: {times[d][HEFT] / times[d]['pams']:.2f}" for d in two]
    page.judge("edc-2014 Figure 8", [
        ratio("Best CPU-GPU against best CPU-MIC", 1.27, best["CPU-MIC"] / best["CPU-GPU"], "about 1.27"),
        statement("FCFS is the slowest everywhere", "all three", f"{len(worst)} of 3", len(worst) == 3),
        *(ratio(f"{d}: PADAS over PAMS", 1, times[d]["padas"] / times[d]["pams"], "similar", "with one class of accelerators both take the same tasks") for d in two),
        statement("One accelerator: HEFT is slower than PADAS and PAMS", "both", f"its time over PAMS's: {', '.join(behind)}",
                  all(times[d][HEFT] > max(times[d]["padas"], times[d]["pams"]) for d in two)),
        statement("CPU-GPU-MIC: PAMS is the fastest", "yes", EDC_NAMES[min(PAPERS, key=times["CPU-GPU-MIC"].get)] + " is",
                  min(PAPERS, key=times["CPU-GPU-MIC"].get) == "pams")])
    page.add("| | " + " | ".join(EDC_NAMES.values()) + " |", "|---|" + "---|" * len(EDC_NAMES))
    page.add(*(f"| {d}, s | " + " | ".join(f"{times[d][p]:.1f}" for p in EDC_NAMES) + " |" for d in times), "")
    page.bars("edc-figure-8", list(times), {EDC_NAMES[p]: [times[d][p] for d in times] for p in EDC_NAMES}, "s")
    page.add("### Figure 9: wrong times", "")
    wrong = {p: {e: page.time(f"edc error {e}", p) for e in ex.EDC_ERRORS} for p in EDC_NAMES}
    page.judge("edc-2014 Figure 9", [
        ratio("PAMS: time at 100 % over time at 0 %", 1.07, wrong["pams"][100] / wrong["pams"][0]),
        statement("Errors above 50 %: HEFT is slower than FCFS", "yes",
                  ", ".join(f"at {e} %: {wrong[HEFT][e] / wrong['fcfs'][e]:.2f} times its time" for e in (75, 100)),
                  all(wrong[HEFT][e] > wrong["fcfs"][e] for e in (75, 100))),
        statement("PADAS and PAMS lose less than HEFT (time at 100 % over 0 %)", "yes",
                  ", ".join(f"{EDC_NAMES[p]} {wrong[p][100] / wrong[p][0]:.2f}" for p in ("padas", "pams", HEFT)),
                  max(wrong[p][100] / wrong[p][0] for p in ("padas", "pams")) < wrong[HEFT][100] / wrong[HEFT][0])])
    page.plot("edc-figure-9", ex.EDC_ERRORS, {EDC_NAMES[p]: list(wrong[p].values()) for p in wrong}, "error of the times, %", "s")


SECTIONS = (anthill, anthill_copies, estimator, hybrid_policies, hybrid_windows, hybrid_rest, edc_windows, edc_profile, edc_rest, loop_section.section)


def make(folder, result, clusters):
    page = NodePage(folder, result, clusters["values"])
    page.add("# The papers' experiments on one machine again, simulated", "",
             f"Made by `bench/papers/simulated/run.py` (docs/lab.md); means over the seeds {', '.join(map(str, result['seeds']))} "
             "(edc-2014, with 800 tiles: the first alone). The rules of the verdicts "
             "and a count of them are in [papers.md](papers.md). The machines and workloads are the same for every row; a disagreement stays as it is. "
             "Clusters: [papers-clusters.md](papers-clusters.md).", "")
    for section in SECTIONS:
        section(page)
    page.add(pathlib.Path(__file__).with_name("notes.md").read_text().rstrip())
    page.write("papers-machines.md")
    return page.items
