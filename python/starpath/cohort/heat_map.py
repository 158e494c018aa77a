"""The values of patients as a picture."""

from __future__ import annotations

import io
import logging
import warnings
from xml.etree import ElementTree
from pathlib import Path
from typing import TYPE_CHECKING, Iterable, Iterator, Optional

from ..database import needed
from .files import check_is_ours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from numpy import ndarray
    from pandas import DataFrame, Series

    from .branches import Branches

# Points, which are the units of the picture.
_TREE, _BAND, _GAP, _CELL, _ROW, _SCALE = 130, 18, 6, 20, 18, 40
# Of cells: without an edge, the ground shines through between them.
_SEAMLESS = {"edgecolors": "face", "linewidth": 0.5}
_MOST_LETTERS = 40  # of a label; a longer one is cut
_MOST_SCORE = 2.5  # where the colours end, in deviations
_SVG = "http://www.w3.org/2000/svg"
_START, _MARK = b"<?xml version='1.0' encoding='utf-8'?>\n", b"<!-- Heat map of `starpath cohort`"
# Of the heat maps that starpath up to 0.2.0 drew.
_OLD_START = b'<svg xmlns="http://www.w3.org/2000/svg" width="'
_OLD_MARK = b'font-family="system-ui, DejaVu Sans, sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="#fff"/>\n'
_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "starpath",  # the same picture each time
    "font.family": ["DejaVu Sans"],
    "font.size": 11,
    "axes.linewidth": 0,
}


def check_heat_map_is_ours(path: Path) -> None:
    """Raises StarpathError if there is something at `path` that is no heat map of `starpath cohort`."""
    check_is_ours(path, [(_START, _MARK), (_OLD_START, _OLD_MARK)])


def _readable(name: str) -> str:
    """A name from outside, without what XML cannot hold. Bytes that are not UTF-8 are replaced."""
    text = name.encode(errors="surrogateescape").decode(errors="replace")
    return "".join(letter for letter in text if letter >= " " and letter not in "\x7f\ufffe\uffff")


def _label(name: str) -> str:
    text = _readable(name)
    return text if len(text) <= _MOST_LETTERS else text[: _MOST_LETTERS - 1] + "\u2026"


def heat_map_svg(patients: DataFrame, found: Branches) -> bytes:
    """An SVG file, as bytes: a row a patient in the order of the tree, which is drawn on the left, and a column a value.
    Blue is below the mean of the patients, red above; colours end at 2.5 deviations. Beside each row stand its branch,
    its group's colour and its name. A cell tells its numbers under the mouse. `patients` is the patient_table() of the n
    patients that `found` (Branches, with a tree) was made of."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it reports where it keeps what it knows of fonts
    matplotlib = needed("matplotlib", "cohort")
    with matplotlib.rc_context(_STYLE), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that the font lacks: the program that shows the picture has others
        picture = _draw(patients, found)
    return _with_titles(picture, _cell_titles(patients, found), _group_titles(patients, found))


def _draw(patients: DataFrame, found: Branches) -> bytes:
    """The picture as matplotlib writes it, in which the cells and the groups have the ids `cells` and `groups`."""
    figures = needed("matplotlib.figure", "cohort")
    in_order = patients.iloc[found.order]
    names, values = list(map(_label, in_order["patient"])), list(map(_label, found.values))
    colours = _group_colours(patients["group"])
    rows, columns = len(names), len(values)
    first = _GAP + _TREE + 2 * (_BAND + _GAP)
    bottom = _GAP + max(_SCALE, _ROW * len(colours)) + 2 * _GAP
    legend = _GAP + _TREE + _width_of(map(_label, colours)) + _ROW
    width = max(first + _CELL * columns + _width_of(names), legend) + 2 * _GAP
    height = bottom + _ROW * rows + _width_of(values) + 2 * _GAP
    figure = figures.Figure(figsize=(width / 72, height / 72), dpi=72)

    def axes(x: float, across: float, y: float = bottom, high: float = _ROW * rows) -> Axes:
        return figure.add_axes([x / width, y / height, across / width, high / height])

    _draw_tree(axes(_GAP, _TREE), found)
    _draw_branches(axes(_TREE + 2 * _GAP, _BAND), found)
    _draw_groups(axes(_TREE + 2 * _GAP + _BAND, _BAND), [colours.get(name) for name in in_order["group"]])
    mesh = _draw_cells(axes(first, _CELL * columns), found.scores[found.order], names, values)
    for each in figure.axes:
        each.set(ylim=(rows, 0))
        each.set_axis_off()
    scale = axes(_GAP, _TREE, bottom - 3 * _GAP, 8)
    bar = figure.colorbar(mesh, cax=scale, orientation="horizontal")
    bar.solids.set_rasterized(False)  # matplotlib would make a picture in pixels, as large as the whole one
    bar.set_label("deviations from the mean", size=9)
    bar.ax.tick_params(labelsize=9)
    _draw_legend(axes(_TREE + 2 * _GAP, _ROW, _GAP, bottom - 3 * _GAP), colours)
    picture = io.BytesIO()
    figure.savefig(picture, format="svg", metadata={"Date": None})
    return picture.getvalue()


def _width_of(labels: Iterable[str]) -> float:
    """The width of the widest of the labels, points."""
    textpath, fonts = needed("matplotlib.textpath", "cohort"), needed("matplotlib.font_manager", "cohort")
    font = fonts.FontProperties()
    return max(
        (textpath.text_to_path.get_text_width_height_descent(each, font, False)[0] for each in labels), default=0
    )


def _draw_cells(axes: Axes, scores: ndarray, names: list[str], values: list[str]) -> QuadMesh:
    """The scores in colours, (patients, values) from top to bottom, with the names at the right and the values above."""
    rows, columns = scores.shape
    for row, name in enumerate(names):
        axes.text(columns + 0.3, row + 0.5, name, va="center", parse_math=False)
    for column, value in enumerate(values):
        axes.text(column + 0.5, -0.3, value, rotation=90, ha="center", va="bottom", parse_math=False)
    return axes.pcolormesh(scores, cmap="RdBu_r", vmin=-_MOST_SCORE, vmax=_MOST_SCORE, gid="cells", **_SEAMLESS)


def _draw_tree(axes: Axes, found: Branches) -> None:
    """Heights grow to the left; a node stands in the middle of its two."""
    collections = needed("matplotlib.collections", "cohort")
    leaves = len(found.order)
    x, y = [0.0] * leaves, [0.0] * leaves
    for row, patient in enumerate(found.order):
        y[patient] = row + 0.5
    lines = []
    for first, second, height, _ in found.tree.tolist():
        first, second = int(first), int(second)
        lines.append([(x[first], y[first]), (height, y[first]), (height, y[second]), (x[second], y[second])])
        x.append(height)
        y.append((y[first] + y[second]) / 2)
    axes.add_collection(collections.LineCollection(lines, colors="#555", linewidths=1))
    axes.set_xlim(1.03 * (x[-1] or 1), 0)


def _draw_branches(axes: Axes, found: Branches) -> None:
    """A band for each branch, with its number."""
    of_row = found.of_patient[found.order]
    for branch in range(found.count):
        own = (of_row == branch).nonzero()[0]
        axes.axhspan(own[0], own[-1] + 1, color="#ddd" if branch % 2 == 0 else "#bbb", linewidth=0)
        axes.text(0.5, (own[0] + own[-1] + 1) / 2, str(branch + 1), ha="center", va="center", clip_on=False)


def _group_colours(groups: Series) -> dict[str, tuple]:
    """By name of a group, in the order of the names, one of the ten colours of Tableau."""
    palette = needed("matplotlib", "cohort").colormaps["tab10"].colors
    return {name: palette[i % len(palette)] for i, name in enumerate(sorted(set(groups) - {""}))}


def _draw_groups(axes: Axes, colours: list[Optional[tuple]]) -> None:
    """The colour of each row's group; white for None."""
    matplotlib = needed("matplotlib", "cohort")
    palette = matplotlib.colors.ListedColormap([colour or "white" for colour in colours])
    axes.pcolormesh([[i] for i in range(len(colours))], cmap=palette, gid="groups", **_SEAMLESS)


def _draw_legend(axes: Axes, colours: dict[str, tuple]) -> None:
    """Groups with their colours, from the top."""
    axes.set(ylim=(max(1, len(colours)), 0))
    axes.set_axis_off()
    for row, (name, colour) in enumerate(colours.items()):
        axes.axhspan(row + 0.15, row + 0.85, color=colour, linewidth=0)
        axes.text(1.3, row + 0.5, _label(name), va="center", parse_math=False)


def _cell_titles(patients: DataFrame, found: Branches) -> Iterator[str]:
    """What each cell tells under the mouse, row by row."""
    for patient in found.order:
        name = _readable(patients["patient"].iloc[patient])
        for value, mean, deviation, score in zip(found.values, found.means, found.deviations, found.scores[patient]):
            yield f"{name}, {_readable(value)}: {mean + score * deviation:.4g} ({score:+.2f})"


def _group_titles(patients: DataFrame, found: Branches) -> Iterator[str]:
    return map(_readable, patients["group"].iloc[found.order])


def _with_titles(picture: bytes, cells: Iterator[str], groups: Iterator[str]) -> bytes:
    """The file of matplotlib's picture, with a title in each cell and each group."""
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    root = ElementTree.fromstring(picture)
    for metadata in root.findall(f"{{{_SVG}}}metadata"):
        root.remove(metadata)
    for name, titles in (("cells", cells), ("groups", groups)):
        group = root.find(f".//*[@id='{name}']")
        for shape, title in zip(() if group is None else group, titles):
            ElementTree.SubElement(shape, f"{{{_SVG}}}title").text = title
    return _START + _MARK + b" (docs/cohort.md) -->\n" + ElementTree.tostring(root, encoding="utf-8")
