"""Patients in a tree by their values, and the tree cut into branches."""

from __future__ import annotations

import dataclasses
import heapq
import warnings
from typing import TYPE_CHECKING, Optional, Sequence

from ..database import ExitCode, StarpathError, needed

if TYPE_CHECKING:
    from numpy import ndarray
    from pandas import DataFrame

MOST_IN_TREE = 5000  # patients: the distances of more would not fit into memory
LEAST_IN_TREE = 3  # of two patients nothing can be said: each is its own branch
_MOST_AUTO = 8  # branches
_NO_STRUCTURE = 0.25  # Kaufman and Rousseeuw (1990): with a lower silhouette, no substantial structure has been found
_ROUNDING = 1e-12  # relative difference that rounding alone makes


@dataclasses.dataclass
class Branches:
    """The tree of n patients and its branches. `count` is 0 where there is no tree; the notes say why."""

    values: list[str] = dataclasses.field(default_factory=list)  # names of those that vary, in the order of their own tree
    means: list[float] = dataclasses.field(default_factory=list)  # by value
    deviations: list[float] = dataclasses.field(default_factory=list)  # by value
    scores: Optional[ndarray] = None  # deviations from the mean, (patients, values); 0 where a patient lacks the value
    tree: Optional[ndarray] = None  # SciPy's matrix of merges, (n - 1, 4), as `settled` has it
    order: Optional[Sequence[int]] = None  # patients from top to bottom, (n,)
    of_patient: Optional[ndarray] = None  # number of the branch from 0 at the top, (n,)
    count: int = 0  # of branches
    choices: list[tuple[int, float]] = dataclasses.field(default_factory=list)  # (k, mean silhouette) that were tried


def standardised(table: DataFrame, notes: list[str]) -> Branches:
    """z-scores of the columns of `table` (pandas, a row a patient; NaN: not known) that vary: a Branches with values,
    means, deviations (divided by n) and scores. The mean takes the place of what is missing."""
    numpy = needed("numpy", "cohort")
    numbers = table.to_numpy(dtype="float64")
    known = numpy.isfinite(numbers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of columns of NaN alone
        means, deviations = numpy.nanmean(numbers, axis=0), numpy.nanstd(numbers, axis=0)
    varies = deviations > _ROUNDING * abs(means)
    if not varies.all():
        notes.append(f"left out, as patients do not differ in it: {', '.join(table.columns[~varies])}")
    missing = (~known).sum(axis=0)
    for count in sorted(set(missing[varies]) - {0}):
        names = ", ".join(table.columns[varies & (missing == count)])
        notes.append(f"{count} of {len(table)} patients lack {names}: the mean takes its place")
    scores = numpy.where(known, (numbers - means) / numpy.where(varies, deviations, 1), 0)
    return Branches(list(table.columns[varies]), list(means[varies]), list(deviations[varies]), scores[:, varies])


def _linked(rows: ndarray, linkage: str) -> tuple[ndarray, ndarray]:
    """The Euclidean distances of the rows, (n, n), and the settled tree of n >= 1 rows."""
    numpy = needed("numpy", "cohort")
    distance, hierarchy = needed("scipy.spatial.distance", "cohort"), needed("scipy.cluster.hierarchy", "cohort")
    distances = distance.pdist(rows)
    if len(rows) < 2:
        return numpy.zeros((1, 1)), numpy.zeros((0, 4))
    return distance.squareform(distances), settled(hierarchy.linkage(distances, linkage), len(rows))


def settled(merges: ndarray, leaves: int) -> ndarray:
    """SciPy's matrix of merges of the same tree, in an order that does not depend on SciPy's way to it. The child with
    the lowest leaf stands first. A merge stands behind those of its children; of the merges that may come next, the
    lowest comes first, and of equally high ones the one with the lowest first leaf."""
    numpy = needed("numpy", "cohort")
    lowest, parent = list(range(leaves)), {}
    children, waits = [], []
    for i, (first, second) in enumerate(merges[:, :2].astype(int)):
        children.append(sorted((first, second), key=lowest.__getitem__))
        lowest.append(lowest[children[i][0]])
        parent[first] = parent[second] = i
        waits.append((first >= leaves) + (second >= leaves))
    place = dict(enumerate(range(leaves)))  # of a node of SciPy's tree in the new one

    def rank(i):
        return merges[i, 2], *(lowest[child] for child in children[i]), i

    ready = [rank(i) for i, count in enumerate(waits) if count == 0]
    heapq.heapify(ready)
    rows = []
    while ready:
        *_, i = heapq.heappop(ready)
        rows.append([*(place[child] for child in children[i]), *merges[i, 2:]])
        place[leaves + i] = leaves + len(rows) - 1
        after = parent.get(leaves + i)
        if after is not None:
            waits[after] -= 1
            if waits[after] == 0:
                heapq.heappush(ready, rank(after))
    return numpy.array(rows)


def leaf_order(tree: ndarray) -> Sequence[int]:
    """Leaves from top to bottom, so that no branches of the settled tree cross; of a tree without merges, its one leaf."""
    if len(tree) == 0:
        return [0]
    return needed("scipy.cluster.hierarchy", "cohort").leaves_list(tree)


def cut(tree: ndarray, k: int) -> ndarray:
    """The number of each leaf's branch, from 0 in the order of the leaves, (n,): the tree without its last k - 1 merges."""
    numpy = needed("numpy", "cohort")
    leaves = len(tree) + 1
    top = numpy.arange(leaves + len(tree))  # the node that a node is part of
    for i in reversed(range(leaves - k)):
        top[tree[i, :2].astype(int)] = top[leaves + i]
    order = leaf_order(tree)
    numbers = {}
    branches = numpy.empty(leaves, dtype=int)
    branches[order] = [numbers.setdefault(node, len(numbers)) for node in top[order]]
    return branches


def silhouette(distances: ndarray, branches: ndarray, k: int) -> float:
    """The mean silhouette (Rousseeuw 1987) of n things in k branches, by their distances (n, n). A thing alone in its
    branch has 0."""
    numpy = needed("numpy", "cohort")
    here = numpy.arange(k) == branches[:, None]
    sizes, totals = here.sum(axis=0), distances @ here
    inside = totals[here] / numpy.maximum(sizes[branches] - 1, 1)
    nearest = numpy.where(here, numpy.inf, totals / sizes).min(axis=1)
    larger = numpy.maximum(inside, nearest)
    told = (sizes[branches] > 1) & (larger > 0)
    return numpy.where(told, (nearest - inside) / numpy.where(told, larger, 1), 0).mean()


def _choose(distances: ndarray, k: int, found: Branches, notes: list[str]) -> None:
    """Cuts into k branches; k of 0: into 2 to 8, as many as have the highest mean silhouette."""
    best = -2.0
    for count in [k] if k else range(2, min(_MOST_AUTO, len(distances) - 1) + 1):
        branches = cut(found.tree, count)
        fit = float(silhouette(distances, branches, count))
        found.choices.append((count, fit))
        if fit > best:
            best, found.count, found.of_patient = fit, count, branches
    if best < _NO_STRUCTURE:
        notes.append(f"the mean silhouette is {best:.2f}: below {_NO_STRUCTURE} branches cut up what is continuous")


def _order_values(found: Branches, linkage: str) -> None:
    """Puts values that go together beside each other."""
    order = leaf_order(_linked(found.scores.T, linkage)[1])
    for name in ("values", "means", "deviations"):
        setattr(found, name, [getattr(found, name)[i] for i in order])
    found.scores = found.scores[:, order]


def find_branches(table: DataFrame, linkage: str, k: int, notes: list[str]) -> Branches:
    """The Branches of the patients of `table` (pandas, a row a patient, a column a value; NaN: not known), which weigh
    alike. `linkage` is "ward" or "average", `k` the number of branches; 0: as the silhouette says. `notes` gets a line
    for what is left out or doubtful. Raises StarpathError for more branches than patients."""
    patients = len(table)
    some = f"{patients} patient{'' if patients == 1 else 's'}"
    if k > patients:
        raise StarpathError(
            f"--k {k} is more than the {some} that {'has' if patients == 1 else 'have'} nuclei", ExitCode.USAGE
        )
    if not LEAST_IN_TREE <= patients <= MOST_IN_TREE:
        notes.append(f"no branches: {some} with nuclei, and a tree takes {LEAST_IN_TREE} to {MOST_IN_TREE}")
        return Branches()
    found = standardised(table, notes)
    if not found.values:
        notes.append("no branches: patients differ in no value")
        return Branches()
    distances, found.tree = _linked(found.scores, linkage)
    found.order = leaf_order(found.tree)
    _choose(distances, k, found, notes)
    _order_values(found, linkage)
    return found
