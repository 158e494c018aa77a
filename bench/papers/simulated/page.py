"""The page: the papers' values beside ours, and a plot for each figure."""
import json
import pathlib

try:
    import matplotlib
except ImportError:
    raise SystemExit("matplotlib is missing: apt-get install python3-matplotlib, and run this with /usr/bin/python3") from None

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

import experiments as ex  # noqa: E402
import loops as loop_section  # noqa: E402
import placement  # noqa: E402
from explanations import WHY  # noqa: E402

plt.rcParams.update({"svg.hashsalt": "starpath", "svg.fonttype": "none", "figure.figsize": (5.2, 3.2),
                     "axes.grid": True, "font.size": 9})

SIZE = 0.10  # ours within so much of the paper's value counts as the same size


def verdict(paper, ours, neutral=None):
    """Whether direction (above, below or, within 2 %, at `neutral`) and size agree."""
    size = "size agrees" if abs(ours / paper - 1) <= SIZE else "size differs"
    if neutral is None:
        return size

    def side(value):
        return 0 if abs(value / neutral - 1) <= 0.02 else 1 if value > neutral else -1
    return ("direction agrees, " if side(paper) == side(ours) else "**direction differs**, ") + size


def short(value):
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


class Page:
    def __init__(self, folder, values, errors, loops=None):
        self.folder, self.values, self.errors, self.loops, self.lines = folder, values, errors, loops, []
        self.rows = self.agreeing = 0

    def add(self, *lines):
        self.lines += lines

    def time(self, name, policy):
        return self.values[name][policy]["makespan"]

    def share(self, name, policy, kind, device_class):
        run = self.values[name][policy]
        row = run["ran"][run["kinds"].index(kind)]
        return 100 * row[device_class] / sum(row)

    def table(self, rows):
        """Rows of (what, paper's value, ours, neutral value or None). What disagrees is explained (explanations.py)."""
        self.add("| | paper | ours | | why not |", "|---|---|---|---|---|")
        for what, paper, ours, neutral in rows:
            says = verdict(paper, ours, neutral)
            agrees = "differs" not in says
            self.rows, self.agreeing = self.rows + 1, self.agreeing + agrees
            why = "" if agrees else WHY.get(what, "not explained")
            self.add(f"| {what} | {paper:.4g} | {short(ours)} | {says} | {why} |")
        self.add("")

    def plot(self, name, x, curves, x_label, y_label):
        figure, axes = plt.subplots()
        for marker, (label, y) in zip("osv^Dx+*", curves.items()):
            axes.plot(x, y, marker=marker, label=label)
        axes.set(xlabel=x_label, ylabel=y_label)
        axes.set_ylim(0, 1.1 * max(max(y) for y in curves.values()))
        if len(curves) > 4:
            axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5))
            figure.set_figwidth(7)
        else:
            axes.legend()
        self.keep(name, figure)

    def bars(self, name, groups, series, y_label):
        """A bar of each series (label -> values) in every group."""
        figure, axes = plt.subplots()
        width = 0.8 / len(series)
        for i, (label, values) in enumerate(series.items()):
            axes.bar([g + (i - (len(series) - 1) / 2) * width for g in range(len(groups))], values, width, label=label)
        axes.set_xticks(range(len(groups)), groups)
        axes.set(ylabel=y_label)
        axes.set_ylim(0, 1.35 * max(max(values) for values in series.values()))
        axes.legend(ncols=min(3, len(series)))
        self.keep(name, figure)

    def shares(self, name, kinds, panels):
        """Who ran what: a panel (title -> {class: percentages by kind}) each, a stacked bar a kind."""
        figure, every = plt.subplots(1, len(panels), sharey=True, squeeze=False, figsize=(1.4 + 2.2 * len(panels), 1 + 0.24 * len(kinds)))
        for axes, (title, classes) in zip(every[0], panels.items()):
            left = [0.0] * len(kinds)
            for label, values in classes.items():
                axes.barh(kinds, values, left=left, label=label)
                left = [sum(pair) for pair in zip(left, values)]
            axes.set(title=title, xlim=(0, 100))
        every[0][0].invert_yaxis()
        figure.legend(*every[0][0].get_legend_handles_labels(), loc="lower center", ncols=4)
        figure.supxlabel("tasks, %", y=0.1, fontsize=9)
        self.keep(name, figure, (0, 0.1, 1, 1))

    def keep(self, name, figure, area=(0, 0, 1, 1)):
        figure.tight_layout(rect=area)
        (self.folder / "papers").mkdir(parents=True, exist_ok=True)
        figure.savefig(self.folder / "papers" / f"{name}.svg", metadata={"Date": None})
        plt.close(figure)
        self.add(f"![{name}](papers/{name}.svg)", "")


def anthill(page):
    core = {rate: page.time(f"anthill core {rate}", "eager") for rate in ex.RATES}
    gpu = [core[rate] / page.time(f"anthill gpu {rate}", "eager") for rate in ex.RATES]
    both = {policy: [core[rate] / page.time(f"anthill both {rate}", policy) for rate in ex.RATES]
            for policy in ("ddfcfs", "ddwrr")}
    page.add("## anthill-2010", "", "### Figure 8, Tables 3 and 4: NBIA, one core and one GPU", "",
             "Speedup over one core. Table 3 gives the time on one core; ours is scaled to the paper's 26,742 tiles.", "")
    at = ex.RATES.index(16)
    page.table([(f"one core, {rate} % again, s", paper, core[rate] * 26742 / 3000, None)
                for rate, paper in zip(ex.RATES, (30, 350, 665, 974, 1287, 1532))] +
               [("16 %: GPU only", 16.06, gpu[at], 1), ("16 %: DDFCFS", 16.78, both["ddfcfs"][at], 1),
                ("16 %: DDWRR", 29.79, both["ddwrr"][at], 1),
                ("16 %: DDWRR over GPU only", 29.79 / 16.06, both["ddwrr"][at] / gpu[at], 1),
                ("0 %: DDFCFS over GPU only", 2, both["ddfcfs"][0] / gpu[0], 1)])
    page.table([("16 %, DDWRR: low resolution on the CPU, %", 84.63, page.share("anthill both 16", "ddwrr", "low", 0), 50),
                ("16 %, DDWRR: high resolution on the CPU, %", 0.16, page.share("anthill both 16", "ddwrr", "high", 0), 50),
                ("16 %, DDFCFS: low resolution on the CPU, %", 1.52, page.share("anthill both 16", "ddfcfs", "low", 0), 50),
                ("16 %, DDFCFS: high resolution on the CPU, %", 14.70, page.share("anthill both 16", "ddfcfs", "high", 0), 50)])
    page.plot("anthill-figure-8", ex.RATES, {"GPU only": gpu, "GPU + CPU, DDFCFS": both["ddfcfs"],
                                             "GPU + CPU, DDWRR": both["ddwrr"]}, "tiles computed again, %", "speedup over one core")
    page.add("### Figure 6: size of tiles, synchronous and asynchronous copies", "",
             "GPU over one core, tiles judged at the first resolution only. Synchronous: StarPU without its pipeline of two "
             "tasks. The paper's text has values for the ends of the curve only.", "")
    speedup = {how: [page.time(f"anthill side {side} core", "eager") / page.time(f"anthill side {side} gpu{suffix}", "eager")
                     for side in ex.SIDES] for how, suffix in (("synchronous", " sync"), ("asynchronous", ""))}
    gain = [after / before for before, after in zip(speedup["synchronous"], speedup["asynchronous"])]
    page.table([("32 x 32, synchronous (similar)", 1, speedup["synchronous"][0], None),
                ("512 x 512, synchronous (almost 33)", 33, speedup["synchronous"][-1], 1),
                ("512 x 512, asynchronous over synchronous (roughly 20 %)", 1.2, gain[-1], 1),
                ("sizes that asynchronous copies help", 5, sum(own > 1.001 for own in gain), None)])
    page.plot("anthill-figure-6", [str(side) for side in ex.SIDES], speedup, "side of a tile, pixels", "GPU over one core")
    page.add("### Figure 7, Table 2: vector incrementer, number of concurrent copies", "",
             "The dynamic number against the best fixed one (ratio of times). The paper: 16.53, 16.23, 16.16 s against 16.50, "
             "16.16, 16.15 s.", "In this model nothing is left to gain: StarPU's own pipeline of two tasks already overlaps all copies, so every fixed "
             "number takes the same time, and so does the dynamic one.", "")
    static = {name: [page.time(f"vector {name} {window}", "fcfs") for window in ex.STREAMS] for name in ex.CHUNKS}
    page.table([(f"chunks of {name}", paper, page.time(f"vector {name} adaptive", "fcfs") / min(static[name]), None)
                for name, paper in zip(ex.CHUNKS, (16.53 / 16.50, 16.23 / 16.16, 16.16 / 16.15))])
    page.plot("anthill-figure-7", ex.STREAMS, static, "tasks reserved ahead", "s")


def estimator(page):
    page.add("### Table 1: cross-validated errors of the estimator", "",
             "30 jobs, ten-fold, k = 2, in percent. Of the paper's six applications NBIA has a model here; the others of ours have no "
             "value to stand beside. All six with real times on a core: [table-1.md](table-1.md).", "")
    own = page.errors["NBIA, tiles of 32 to 512"]
    page.table([("NBIA: speedup", 7.38, own["speedup"], None), ("NBIA: time on the core", 30.36, own["core_time"], None),
                ("NBIA: time error over speedup error", 30.3574 / 7.3812, own["core_time"] / own["speedup"], 1)])
    page.add("| ours | speedup, % | time on the core, % |", "|---|---|---|")
    for name, errors in page.errors.items():
        page.add(f"| {name} | {errors['speedup']:.1f} | {errors['core_time']:.1f} |")
    page.add("")


def hybrid(page):
    fcfs, pats = (page.time("hybrid pipelined", policy) for policy in ("fcfs", "pats"))
    whole = [page.time("hybrid monolithic", policy) for policy in ("fcfs", "pats")]
    page.add("## hybrid-pipelines-2012", "", "Keeneland: 9 cores that compute, 3 GPUs; 100 tiles, window 19 unless said.", "",
             "### Figures 9 and 11: policies, locality, prefetching", "", "Ratios of times: above 1, the second is faster.", "")
    local = {p: page.time("hybrid locality", p) for p in ("fcfs", "pats")}
    ahead = {p: page.time("hybrid prefetch", p) for p in ("fcfs", "pats")}
    page.table([("PATS against FCFS, pipelined", 1.33, fcfs / pats, 1),
                ("PATS against FCFS, non-pipelined", 1.0, whole[0] / whole[1], 1),
                ("FCFS: pipelined against non-pipelined", 1.0, whole[0] / fcfs, 1),
                ("FCFS with locality", 1.1, fcfs / local["fcfs"], 1),
                ("PATS with locality", 1.04, pats / local["pats"], 1),
                ("FCFS with locality: prefetching too", 1.0, local["fcfs"] / ahead["fcfs"], 1),
                ("PATS with locality: prefetching too", 1.03, local["pats"] / ahead["pats"], 1)])
    page.bars("hybrid-figure-9", ["non-pipelined", "pipelined"], {"FCFS": [whole[0], fcfs], "PATS": [whole[1], pats]}, "s")
    page.bars("hybrid-figure-11", ["FCFS", "PATS"],
              {"neither": [fcfs, pats], "locality": [local[p] for p in local], "and prefetching": [ahead[p] for p in ahead]}, "s")
    page.add("### Figure 10: share of each operation that PATS gives to GPUs", "", "The paper gives no numbers: what gains least "
             "mostly runs on cores.", "", "| operation | GPU, % |", "|---|---|")
    kinds = page.values["hybrid pipelined"]["pats"]["kinds"]
    on_gpus = {p: [page.share("hybrid pipelined", p, kind, 1) for kind in kinds] for p in ("fcfs", "pats")}
    for kind, share in zip(kinds, on_gpus["pats"]):
        page.add(f"| {kind} | {share:.0f} |")
    page.add("")
    page.shares("hybrid-figure-10", kinds, {p.upper(): {"cores": [100 - own for own in on_gpus[p]], "GPUs": on_gpus[p]}
                                            for p in on_gpus})
    page.add("### Table II: window", "", "Relative to FCFS at window 12 (the paper: 75.1 s).", "")
    base = page.time("hybrid window 12", "fcfs")
    ours = {p: [page.time(f"hybrid window {w}", p) / base for w in ex.HYBRID_WINDOWS] for p in ("fcfs", "pats")}
    paper = {"fcfs": [75.1, 73.4, 74.9, 73.7, 75.3, 74.9, 73.2, 73.5], "pats": [75.1, 61, 56.9, 53.1, 54.1, 51.5, 51.2, 50.7]}
    page.table([(f"{p.upper()}, window {w}", round(paper[p][i] / 75.1, 3), ours[p][i], None)
                for p in ("fcfs", "pats") for i, w in enumerate(ex.HYBRID_WINDOWS) if w in (13, 15, 17, 19)])
    page.plot("hybrid-table-2", ex.HYBRID_WINDOWS, {"FCFS": ours["fcfs"], "PATS": ours["pats"],
              "FCFS, paper": [t / 75.1 for t in paper["fcfs"]], "PATS, paper": [t / 75.1 for t in paper["pats"]]},
              "tiles in flight", "time over FCFS at 12")
    page.add("### Figure 12: share of each operation that PATS gives to GPUs, by window", "", "The paper gives no numbers: at 12 PATS does as "
             "FCFS does, and with the window the operations that gain most move to the GPUs.", "",
             "| operation | FCFS, 12 | " + " | ".join(f"PATS, {w}" for w in (12, 15, 19)) + " |", "|---|---|---|---|---|")
    profile = {kind: [page.share(f"hybrid window {w}", "pats", kind, 1) for w in ex.HYBRID_WINDOWS] for kind in kinds}
    for kind in kinds:
        at = [page.share("hybrid window 12", "fcfs", kind, 1)] + [profile[kind][ex.HYBRID_WINDOWS.index(w)] for w in (12, 15, 19)]
        page.add(f"| {kind} | " + " | ".join(f"{share:.0f}" for share in at) + " |")
    page.add("")
    shown = ("pre_watershed", "rbc", "recon_to_nuclei", "edge_features", "watershed", "fill_holes", "area_threshold", "morph_open")
    page.plot("hybrid-figure-12", ex.HYBRID_WINDOWS, {kind: profile[kind] for kind in shown}, "tiles in flight", "on GPUs, %")
    page.add("### Figure 8: which core drives which GPU", "", "Not simulated: a model of the links that a transfer passes "
             "(`bench/papers/simulated/placement.py`). Gain of the closest cores over random ones, in percent.", "")
    page.table([(f"{gpus} GPU{'s' if gpus > 1 else ''}", paper, placement.gain(gpus), None)
                for gpus, paper in zip((1, 2, 3), (3, 6, 8))])
    page.plot("hybrid-figure-8", [1, 2, 3], {"paper": [3, 6, 8], "model": [placement.gain(gpus) for gpus in (1, 2, 3)]},
              "GPUs", "gain of the closest placement, %")
    page.add("### Figure 13: wrong speedups", "", "Time of PATS over its time without errors; the last row over FCFS.", "")
    errors = [page.time(f"hybrid error {e}", "pats") for e in ex.CONFOUND]
    page.table([("60 %", 1.10, errors[ex.CONFOUND.index(60)] / errors[0], 1),
                ("100 %, over FCFS", 1.10, errors[-1] / fcfs, 1)])
    page.plot("hybrid-figure-13", ex.CONFOUND, {"PATS": [e / errors[0] for e in errors],
              "FCFS": [fcfs / errors[0]] * len(errors)}, "error of the speedups, %", "time over PATS without errors")


def edc(page):
    names = {"fcfs": "FCFS", "dmda": "HEFT (StarPU's dmda)", "padas": "PADAS", "pams": "PAMS"}

    def curves(form, points):
        return {names[p]: [page.time(form.format(x), p) for x in points] for p in names}
    page.add("## edc-2014", "", "Stampede: 14 cores that compute, a GPU and a MIC; 100 tiles.", "", "### Figure 6: window", "")
    window = curves("edc window {}", ex.EDC_WINDOWS)
    at = [window[names[p]][-1] for p in names]
    page.table([("window 80: PAMS against HEFT", 1.16, at[1] / at[3], 1), ("window 80: PADAS against FCFS (slightly better)", 1.02, at[0] / at[2], 1)])
    page.plot("edc-figure-6", ex.EDC_WINDOWS, window, "tiles in flight", "s")
    page.add("### Figure 7: who ran what at window 80, %", "", "| operation | policy | cores | GPU | MIC |", "|---|---|---|---|---|")
    every = page.values["edc window 80"]["pams"]["kinds"]
    ran = {policy: [[page.share("edc window 80", policy, kind, c) for kind in every] for c in range(3)] for policy in names}
    for kind in ("pre_watershed", "rbc", "area_threshold", "bwlabel", "colour_deconvolution", "edge_features"):
        for policy in names:
            page.add(f"| {kind} | {names[policy]} | " +
                     " | ".join(f"{shares[every.index(kind)]:.0f}" for shares in ran[policy]) + " |")
    page.add("")
    page.shares("edc-figure-7", every, {("HEFT" if p == "dmda" else names[p]): dict(zip(("cores", "GPU", "MIC"), ran[p])) for p in names})
    page.add("### Figure 8: processors", "", "Ratios of times; the paper has 15 cores beside one accelerator, this machine 14.", "")
    times = {d: {p: page.time(f"edc devices {d}", p) for p in names} for d in ex.EDC_DEVICES}
    best = {d: min(times[d].values()) for d in times}
    page.table([("best CPU-GPU against best CPU-MIC", 1.27, best["CPU-MIC"] / best["CPU-GPU"], 1)] +
               [(f"{d}: PADAS over PAMS", 1.0, times[d]["padas"] / times[d]["pams"], 1) for d in ("CPU-GPU", "CPU-MIC")])
    page.add("| | " + " | ".join(names.values()) + " |", "|---|---|---|---|---|")
    for d in times:
        page.add(f"| {d}, s | " + " | ".join(f"{times[d][p]:.1f}" for p in names) + " |")
    page.add("")
    page.bars("edc-figure-8", list(times), {names[p]: [times[d][p] for d in times] for p in names}, "s")
    page.add("### Figure 9: wrong times", "")
    wrong = curves("edc error {}", ex.EDC_ERRORS)
    page.table([("PAMS: 100 % over 0 %", 1.07, wrong[names["pams"]][-1] / wrong[names["pams"]][0], 1),
                ("HEFT over FCFS at 75 % (falls behind)", 1.1, wrong[names["dmda"]][4] / wrong[names["fcfs"]][4], 1)])
    page.plot("edc-figure-9", ex.EDC_ERRORS, wrong, "error of the times, %", "s")


def write(folder, values, errors, seeds, loops):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "papers.json").write_text(json.dumps({"seeds": seeds, "values": values, "errors": errors, "loops": loops}, indent=0, sort_keys=True) + "\n")
    page = Page(folder, values, errors, loops)
    page.add("# The papers' simulated experiments again", "",
             f"Made by `bench/papers/simulated/run.py --seeds {','.join(map(str, seeds))}` (docs/lab.md); means over the seeds. "
             f"\"Size agrees\" means within {SIZE * 100:.0f} %, \"direction\" the same side of no change (50 for shares), or both within 2 % of it. The machines and workloads are the "
             "same for every row; a disagreement stays as it is. What this page does not have: figures "
             "9 to 14 and Table 6 of anthill-2010, figure 14 of hybrid-pipelines-2012 and figure 10 of edc-2014, which need a cluster: [papers-clusters.md](papers-clusters.md).", "")
    for section in (anthill, estimator, hybrid, edc, loop_section.section):
        section(page)
    page.add(f"Of {page.rows} values of the papers {page.agreeing} agree in size and, where there is one, direction.", "")
    page.add(pathlib.Path(__file__).with_name("notes.md").read_text().rstrip())
    (folder / "papers.md").write_text("\n".join(page.lines).rstrip() + "\n")
