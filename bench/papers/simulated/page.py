"""A page of results: lines, tables of claims, plots."""
import dataclasses

try:
    import matplotlib
except ImportError:
    raise SystemExit("matplotlib is missing: apt-get install python3-matplotlib, and run this with /usr/bin/python3") from None

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

from explanations import WHY  # noqa: E402
from scoring import Verdict  # noqa: E402

plt.rcParams.update({"svg.hashsalt": "starpath", "svg.fonttype": "none", "figure.figsize": (5.2, 3.2),
                     "axes.grid": True, "font.size": 9})

DISAGREES = (Verdict.CONTRADICTED, Verdict.DIRECTION)


class Page:
    """Collects lines, and by item ("anthill-2010 Figure 6") the claims that were judged."""

    def __init__(self, folder, values):
        self.folder, self.values, self.lines, self.items = folder, values, [], {}

    def add(self, *lines):
        self.lines += lines

    def judge(self, item, claims):
        """The claims of an item as a table. What disagrees has its cause (explanations.py), and what changing that came to."""
        claims = [dataclasses.replace(claim, cause=WHY.get((item, claim.text), "not known") if claim.verdict in DISAGREES else "")
                  for claim in claims]
        self.items.setdefault(item, []).extend(claims)
        self.add("| | paper | ours | verdict | why |", "|---|---|---|---|---|")
        for claim in claims:
            why = claim.constructed if claim.verdict is Verdict.CONSTRUCTED else claim.cause
            tested = f" **Tested:** {claim.test}" if claim.test else ""
            self.add(f"| {claim.text} | {claim.paper} | {claim.ours} | {claim.verdict.value} | {why}{tested} |")
        self.add("")

    def write(self, name):
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text("\n".join(self.lines).rstrip() + "\n")

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
