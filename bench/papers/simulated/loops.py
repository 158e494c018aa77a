"""The section of hdss-2013: its claims beside what reproduce_hdss prints."""
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "hdss"))

import plot  # noqa: E402  (the path comes first)
import tables  # noqa: E402
from scoring import ratio, size, statement, words  # noqa: E402


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
    return {name: value for name, value in speedups.items() if name not in ("accelerator only", "ideal", "hdss", "hdss, lanes")}


GROWTH = "the default of `growth` is taken from this figure"
SMALL = 2_700_000  # iterations; smaller blocks of Histogram underuse the GPU (section 4.4)


def sizes_of(loops, schedule):
    """The first blocks of the GPU, iterations."""
    listed = next(row[1] for row in loops.table("Figure 12")[1] if row[0] == schedule).split(")")
    return [int(block.split("(")[0]) for block in listed if block.strip()]


def share_below(points):
    """Of the rivals' points, the share that is not above the accelerator alone, in percent."""
    pairs = [value <= own["accelerator only"] for _, _, own in points for value in rivals(own).values()]
    return 100 * sum(pairs) / len(pairs)


def against_alone(points, test=""):
    """Claims of Figures 10 and 11 about the accelerator alone."""
    above = sum(own["hdss"] > own["accelerator only"] for _, _, own in points)
    names = rivals(points[0][2])
    always = [name for name in names if all(own[name] > own["accelerator only"] for _, _, own in points if name in own)]
    below = share_below(points)
    return [statement("HDSS is above the accelerator alone", "at all points", f"at {above} of {len(points)}", above == len(points)),
            statement("No other is, for all applications and threads", "none", ", ".join(always) or "none", not always),
            statement("The others mostly are not", "for most cases", f"{below:.0f} % of their points", below > 50, test=test)]


def speedups(page, loops):
    gpu, fpga = loops.points("Figure 10"), loops.points("Figure 11")
    gain, where = max((own["hdss"] / max(rivals(own).values()), f"{name}, {threads} threads") for name, threads, own in gpu)
    page.add("### Figure 10: one GPU and cores, speedup over one core", "")
    page.judge("hdss-2013 Figure 10", against_alone(gpu) + [
        ratio("Largest gain of HDSS over the best rival", 3.19, gain, "up to 219 % (Histogram, 64 threads)")])
    page.add(f"The largest gain is that of {where}.", "", "![hdss-figure-10](papers/hdss-figure-10.svg)", "")
    page.add("### Figure 11: one FPGA and cores, speedup over one core", "")
    losing, few = loops.points("One FPGA and cores that lose 70 %"), [point for point in fpga if point[1] <= 8]
    page.judge("hdss-2013 Figure 11", against_alone(fpga, f"{share_below(losing):.0f} % with cores that lose 70 % when all 32 run, {share_below(few):.0f} % of the points "
                                                    f"up to 8 threads. **Bound:** 31 cores alone are 31 times one, and the FPGA {fpga[0][2]['accelerator only']:.1f} and "
                                                    f"{fpga[-1][2]['accelerator only']:.1f} times (Table I)."))
    page.add("![hdss-figure-11](papers/hdss-figure-11.svg)", "")


def blocks(page, loops):
    hdss, linear = sizes_of(loops, "hdss"), sizes_of(loops, "linear")
    after = hdss[hdss.index(8192) + 1]
    page.add("### Figure 12: first blocks of the GPU, Histogram, 2 threads", "")
    page.judge("hdss-2013 Figure 12", [
        size("Blocks until the first estimate", 4, hdss.index(8192) + 1, constructed="a parameter of HDSS, as the blocks' doubling"),
        size("The block after 8,192", 8e6, after, says="8M", constructed=GROWTH),
        statement("HDSS skips all further small blocks (below 2.7 million)", "yes", f"{after:,}", after >= SMALL, constructed=GROWTH),
        statement("All first blocks of linear are small", "all", f"the eighth has {linear[-1]:,}", max(linear) < SMALL)])


def ends(page, loops):
    page.add("### Figure 13: latest less earliest finish", "")
    names, rows = loops.table("Figure 13")
    most = {name: max(float(row[names.index(name)]) for row in rows) for name in names[2:]}
    least = min(value for name, value in most.items() if name not in ("hdss", "linear"))
    page.judge("hdss-2013 Figure 13", [
        words("HDSS (largest of all runs, of the makespan)", "line up along the zero difference line", f"{most['hdss']:.2f} %", most["hdss"] < 1),
        words("Linear", "very minimal difference", f"{most['linear']:.1f} %", most["linear"] < 10),
        statement("Every other algorithm differs more than these two", "all", f"the least of their largest {least:.1f} %", least > max(most["hdss"], most["linear"]))])
    page.add("| " + " | ".join(names) + " |", "|" + "---|" * len(names), *("| " + " | ".join(row) + " |" for row in rows), "")


def accelerator_shares(page, loops):
    apart = {row[0]: [float(a) - float(b.strip("()")) for a, b in (cell.split(" ") for cell in row[1:])] for row in loops.table("Figure 14")[1]}
    dependent = ("Heat2D", "StrMatch")
    close = max(abs(d) for name, all_of in apart.items() if not name.startswith(dependent) for d in all_of)

    def most(what):
        found = [d for name in dependent for d in apart[name + what]]
        return f"{min(found):+.1f} to {max(found):+.1f} points", min(found) > 0
    plain, held = most("")
    page.add("### Figure 14: share of the accelerator against the ideal", "")
    page.judge("hdss-2013 Figure 14", [
        words("Independent loops", "very close to the ideal partitioning", f"within {close:.1f} points", close < 2),
        statement("Dependent loops: the GPU gets more than the ideal", "more", plain, held,
                  test=f"cores that lose up to 70 % with 64 threads: {most(', cores lose 70 %')[0]}; with our lanes {most(', lanes')[0]}, and with "
                       f"both {most(', lanes, cores lose 70 %')[0]}.")])
    names, rows = loops.table("Figure 14")
    page.add("| " + " | ".join(names) + " |", "|" + "---|" * len(names), *("| " + " | ".join(row) + " |" for row in rows), "")
    page.add("![hdss-figure-14](papers/hdss-figure-14.svg)", "")


def section(page):
    loops = Loops(page.loops)
    plot.draw(loops.found, page.folder / "papers")
    page.add("## hdss-2013", "",
             "Loops on rate curves of processors, without StarPU (`bench/papers/hdss`): one GPU or one FPGA and cores, the paper's Table I times. HDSS is the "
             "paper's, in wavefronts that of its section 3.3; `hdss, lanes` is ours and in no claim. Qilin has one training for all figures: blocks of 1,024, "
             "2,048 and so on, 30 % of the loop together. What is "
             "assumed, every table and our own goals: [loops.md](loops.md).", "", "### Figure 2: Qilin's shares", "")
    finish = [float(row[0].split()[-2]) for row in loops.table("Figure 2")[1]]
    page.judge("hdss-2013 Figure 2", [
        statement("Qilin leaves the GPU idle at the end (Blackscholes, GPU and 3 cores)", "yes", f"for {100 * (1 - finish[0] / max(finish)):.0f} % of the time",
                  finish[0] < 0.95 * max(finish))])
    for part in (speedups, blocks, ends, accelerator_shares):
        part(page, loops)
    for figure, title in (("Figure 11", "The FPGA: every schedule"), ("Wavefronts", "Dependent loops, seconds: the paper's HDSS, with our lanes, and how "
                           "much longer the lanes take than the paper's, the ideal without dependencies and the best rival")):
        names, rows = loops.table(figure)
        page.add(f"### {title}", "", "| " + " | ".join(names) + " |", "|" + "---|" * len(names), *("| " + " | ".join(row) + " |" for row in rows), "")
