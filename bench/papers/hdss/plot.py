#!/usr/bin/env python3
"""Draws Figures 10, 11 and 14 of hdss-2013 from what reproduce_hdss prints (needs python3-matplotlib):
reproduce_hdss | bench/papers/hdss/plot.py bench/results/papers"""
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

import tables  # noqa: E402

RULES = {"svg.hashsalt": "starpath", "svg.fonttype": "none", "axes.grid": True, "grid.alpha": 0.3, "font.size": 9}

STYLES = {"accelerator only": "k--", "ideal": "k:", "hdss": "C3o-", "linear": "C0-", "exponential": "C1-", "gss": "C2-",
          "qilin": "C4-.", "axel": "C5-", "hdss, lanes": "C6-"}


def threads_axis(axes, threads):
    axes.set_xscale("log", base=2)
    axes.set_xticks(threads, threads)
    axes.set(xlabel="threads")


def speedups(names, rows, file):
    applications = list(dict.fromkeys(row[0] for row in rows))
    figure, panels = plt.subplots(1, len(applications), figsize=(2.6 * len(applications), 2.9), squeeze=False)
    for axes, application in zip(panels[0], applications):
        found = [row for row in rows if row[0] == application]
        for column, name in enumerate(names[2:], 2):
            if found[0][column] == "-":
                continue
            style = STYLES.get(name, f"C{4 + column}-")
            axes.plot([int(row[1]) for row in found], [float(row[column]) for row in found], style, markersize=4, label=name)
        axes.set(title=application, ylim=(0, None))
        threads_axis(axes, [int(row[1]) for row in found])
    panels[0][0].set_ylabel("speedup over one core")
    labels = {label: handle for axes in panels[0] for handle, label in zip(*axes.get_legend_handles_labels())}
    figure.legend(labels.values(), labels, loc="lower center", ncols=len(labels) if len(applications) > 2 else 4, frameon=False)
    figure.tight_layout(rect=(0, 0.1 if len(applications) > 2 else 0.16, 1, 1))
    save(figure, file)


def shares(names, rows, file):
    figure, axes = plt.subplots(figsize=(6, 3.4))
    threads = [int(name) for name in names[1:]]
    for i, (application, *cells) in enumerate(row for row in rows if "," not in row[0]):
        actual, ideal = zip(*([float(part.strip(" ()")) for part in cell.split(" ")] for cell in cells))
        axes.plot(threads, actual, f"C{i}o-", markersize=4, label=application)
        axes.plot(threads, ideal, f"C{i}:")
    threads_axis(axes, threads)
    axes.set(xlabel="threads (dotted: ideal)", ylabel="share of the GPU, %", ylim=(0, 105))
    axes.legend()
    figure.tight_layout()
    save(figure, file)


def save(figure, file):
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def draw(found, folder):
    """The figures among the tables that tables.read found."""
    with plt.rc_context(RULES):
        for heading, (names, rows) in found.items():
            number = heading.removeprefix("Figure ").split(":")[0]
            if number in ("10", "11"):
                speedups(names, rows, folder / f"hdss-figure-{number}.svg")
            elif number == "14":
                shares(names, rows, folder / f"hdss-figure-{number}.svg")


if __name__ == "__main__":
    draw(tables.read(sys.stdin.readlines()), pathlib.Path(sys.argv[1]))
