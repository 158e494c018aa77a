"""Branches of patients beside the groups that the list gives them."""

from __future__ import annotations

from ..database import needed
from ..groups import compare_partitions

_LEVEL = 0.05  # a p above it is no finding
_FEW = 5  # patients in a group: with fewer, one unusual patient decides


def group_table(groups: list[str], branches: list[int], count: int, permutations: int, seed: int) -> dict:
    """The table of `groups` (texts by patient; "": none) and `branches` (by patient, 1 to `count`; 0: none), and the
    permutation test of whether they go together. A dict: groups, in the order of their names; patients, by group and
    branch; verdict, one sentence; test (compare_partitions), where it could show something; and warning, where groups
    are small."""
    numpy = needed("numpy", "cohort")
    both = [(group, branch) for group, branch in zip(groups, branches) if group and branch]
    names = sorted({group for group, _ in both}, key=lambda name: name.encode(errors="surrogateescape"))
    counts = numpy.zeros((len(names), count), dtype=int)
    for group, branch in both:
        counts[names.index(group), branch - 1] += 1
    table = {"groups": names, "patients": counts.tolist()}
    if len(names) < 2:
        reason = "all patients are of one group" if names else "no patient has a group"
        table["verdict"] = f"not tested: {reason if count else 'there are no branches'}"
        return table
    numbers = numpy.unique([branch for _, branch in both], return_inverse=True)[1]  # some branches may have no group
    test = compare_partitions(numbers, [names.index(group) for group, _ in both], permutations, seed)
    return {**table, **_judged(test, counts.sum(axis=1).tolist(), seed)}


def _judged(test: dict, sizes: list[int], seed: int) -> dict:
    """What a test of groups of these sizes says: verdict, and test and warning where there are such."""
    dealt = f"{test['arrangements']:,}"
    dealt = f"all {dealt} arrangements" if test["every"] else f"{dealt} drawn arrangements, seed {seed}"
    least = f"{test['least_p']:.3g}"
    if test["least_p"] > _LEVEL:
        sizes = ", ".join(map(str, sizes))
        verdict = f"not tested: with groups of {sizes} and these branches no table has p below {least} ({dealt})"
        return {"verdict": verdict}
    shown = test["p"] <= _LEVEL
    verdict = "branches and groups go together" if shown else "no sign that branches and groups go together"
    verdict += (
        f" (p = {test['p']:.3g}, chi-square {test['chi_square']:.3g}, {dealt}; the clearest table would have {least})"
    )
    said = {"verdict": verdict, "test": test}
    if min(sizes) < _FEW:
        said["warning"] = (
            f"the smallest group has {min(sizes)}: only a very large difference can show, and one that shows may be chance "
            "or one unusual patient; repeat it on more"
        )
    return said
