"""The section of hdss-2013: its claims beside what reproduce_hdss prints."""
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "hdss"))

import plot  # noqa: E402  (the path comes first)
import tables  # noqa: E402


def run(program):
    return tables.read(subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines())


class Loops:
    """The tables by the beginning of their headings."""

    def __init__(self, found):
        self.found = found

    def table(self, beginning):
        return next(value for heading, value in self.found.items() if heading.startswith(beginning))

    def points(self, figure):
        """Of a figure of speedups: (application, threads, {schedule: speedup})."""
        names, rows = self.table(figure)
        return [(row[0], int(row[1]), {name: float(cell) for name, cell in zip(names[2:], row[2:]) if cell != "-"}) for row in rows]


def rivals(speedups):
    return {name: value for name, value in speedups.items() if name not in ("accelerator only", "ideal", "hdss")}


def claims(loops):
    """(claim, the paper's value, ours, whether they agree)"""
    gpu, fpga = loops.points("Figure 10"), loops.points("Figure 11")
    every = gpu + fpga
    above = sum(own["hdss"] > own["accelerator only"] for _, _, own in every)
    pairs = [value <= own["accelerator only"] for _, _, own in every for value in rivals(own).values()]
    below = 100 * sum(pairs) / len(pairs)
    gain, where = max((own["hdss"] / max(rivals(own).values()) - 1, f"{name}, {threads} threads") for name, threads, own in gpu)
    blocks = next(row[1] for row in loops.table("Figure 12")[1] if row[0] == "hdss").split(")")
    sizes = [int(block.split("(")[0]) for block in blocks if block.strip()]
    jump = sizes[sizes.index(8192) + 1]
    names, rows = loops.table("Figure 13")
    difference = max(float(row[names.index("hdss")]) for row in rows)
    apart = {row[0]: [float(a) - float(b.strip("()")) for a, b in (cell.split(" ") for cell in row[1:])] for row in loops.table("Figure 14")[1]}
    dependent = ("Heat2D", "StrMatch")
    close = max(abs(d) for name, all_of in apart.items() if name not in dependent for d in all_of)
    more = [d for name in dependent for d in apart[name]]
    ends = [float(row[0].split()[-2]) for row in loops.table("Figure 2")[1]]
    return [
        ("Figures 10 and 11: HDSS is above the accelerator alone, points", f"{len(every)} of {len(every)}", f"{above} of {len(every)}", above == len(every)),
        ("Figures 10 and 11: the others mostly are not", "most", f"{below:.0f} % of their points", below > 50),
        ("Figure 10: largest gain of HDSS over the best rival", "219 % (Histogram, 64 threads)", f"{100 * gain:.0f} % ({where})", abs(gain / 2.19 - 1) <= 0.1),
        ("Figure 12: after 8,192 HDSS skips all small blocks; next one", "8,000,000", f"{jump:,}", abs(jump / 8e6 - 1) <= 0.1),
        ("Figure 12: blocks before that", "4", str(sizes.index(8192) + 1), sizes.index(8192) + 1 == 4),
        ("Figure 13: HDSS: latest less earliest finish", "about 0", f"at most {difference:.2f} % of the makespan", difference < 1),
        ("Figure 14: independent loops: share of the accelerator against the ideal", "very close", f"within {close:.1f} points", close < 2),
        ("Figure 14: dependent loops: it gets more than the ideal", "more", f"{min(more):+.1f} to {max(more):+.1f} points", min(more) > 0),
        ("Figure 2: Qilin, trained on small blocks, leaves the GPU idle", "yes", f"for {100 * (1 - ends[0] / max(ends)):.0f} % of the time", ends[0] < 0.95 * max(ends)),
    ]


WHY = {
    "Figures 10 and 11: the others mostly are not": "weights of Qilin and Axel are better here: Qilin is trained on blocks this large, and with many cores even equal blocks gain",
    "Figure 10: largest gain of HDSS over the best rival": "rivals with right weights, as here Qilin's, come close; the paper's had wrong ones",
    "Figure 12: after 8,192 HDSS skips all small blocks; next one": "a hundred times the last block, where the slope is 1 % of what it was; the curve of the paper's GPU is not in its text",
    "Figure 14: dependent loops: it gets more than the ideal": "the paper's cores scale badly on dependent loops, ours do not; and our GPU ends a little before them",
}


def section(page):
    loops = Loops(page.loops)
    plot.draw(loops.found, page.folder / "papers")
    page.add("## hdss-2013", "",
             "Loops on rate curves of processors, without StarPU (`bench/papers/hdss`): one GPU or one FPGA and cores, the paper's Table I times. What is "
             "assumed, every table and our own goals: [loops.md](loops.md).", "",
             "| | paper | ours | | why not |", "|---|---|---|---|---|")
    for claim, paper, ours, agrees in claims(loops):
        page.rows, page.agreeing = page.rows + 1, page.agreeing + agrees
        page.add(f"| {claim} | {paper} | {ours} | {'agrees' if agrees else '**differs**'} | {'' if agrees else WHY.get(claim, 'not explained')} |")
    page.add("")
    for number, what in (("10", "one GPU and cores, speedup over one core"), ("11", "one FPGA and cores"), ("14", "share of the accelerator")):
        page.add(f"### Figure {number}: {what}", "", f"![hdss-figure-{number}](papers/hdss-figure-{number}.svg)", "")
    for figure in ("Figure 11", "Figure 13", "Wavefronts"):
        names, rows = loops.table(figure)
        title = {"Figure 11": "Figure 11: the FPGA", "Figure 13": "Figure 13: latest less earliest finish, % of the makespan",
                 "Wavefronts": "Dependent loops, seconds: HDSS, and how much longer than the ideal without dependencies and the best rival it takes"}[figure]
        page.add(f"### {title}", "", "| " + " | ".join(names) + " |", "|" + "---|" * len(names))
        page.add(*("| " + " | ".join(row) + " |" for row in rows), "")
