"""Whether groups of slides or patients differ: a permutation test that says when it cannot tell."""

import itertools
import math
import warnings

from .database import StarpathError, needed

# With fewer in a group, one unusual patient decides; a difference needs to be large to show.
_FEW = 5
_LEVEL = 0.05


class SmallSampleWarning(UserWarning):
    """There are too few slides or patients for what is asked of them."""


def arrangements(sizes):
    """In how many ways things can be dealt into groups of these sizes."""
    count, left = 1, sum(sizes)
    for size in sizes:
        count *= math.comb(left, size)
        left -= size
    return count


def _all_arrangements(sizes):
    """Every way, as a tuple of group numbers."""

    def deal(free, group):
        if group == len(sizes) - 1:
            yield {place: group for place in free}
            return
        for chosen in itertools.combinations(free, sizes[group]):
            rest = [place for place in free if place not in chosen]
            for others in deal(rest, group + 1):
                yield {**{place: group for place in chosen}, **others}

    places = range(sum(sizes))
    for dealt in deal(list(places), 0):
        yield [dealt[place] for place in places]


def _labels(numpy, codes, sizes, permutations, seed):
    """Rows of group numbers to compare with, and whether they are all there are."""
    if arrangements(sizes) <= permutations:
        return numpy.array(list(_all_arrangements(sizes))), True
    random = numpy.random.default_rng(seed)
    return numpy.stack([random.permutation(codes) for _ in range(permutations)]), False


def _between(numpy, labels, values, groups):
    """Sum of squares between the groups' means, of each row of labels: for two groups, it grows with the difference of
    their means."""
    total = 0
    for group in range(groups):
        here = labels == group
        total = total + (here @ values) ** 2 / here.sum(axis=1)
    return total


def _p_value(numpy, codes, values, sizes, permutations, seed):
    values = values - values.mean()
    labels, every = _labels(numpy, codes, sizes, permutations, seed)
    observed = _between(numpy, codes[None, :], values, len(sizes))[0]
    # Equal up to rounding counts as at least as large.
    as_large = int((_between(numpy, labels, values, len(sizes)) >= observed * (1 - 1e-9)).sum())
    return as_large / len(labels) if every else (as_large + 1) / (len(labels) + 1)


def _holm(p_values):
    """Adjusted for having asked several questions (Holm 1979)."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def _warn_of(sizes, least):
    if least > _LEVEL:
        warnings.warn(
            f"groups of {', '.join(map(str, sizes))} can be dealt in so few ways that no p is below {least:.3g}: "
            f"however large the difference is, this test cannot show it",
            SmallSampleWarning,
            stacklevel=4,
        )
    elif min(sizes) < _FEW:
        warnings.warn(
            f"the smallest group has {min(sizes)}: only a very large difference can show, and one that shows may be "
            "chance or one unusual case; repeat it on more",
            SmallSampleWarning,
            stacklevel=4,
        )


def compare_groups(table, group, values=None, permutations=10_000, seed=1):
    """Compares the groups of `table` (pandas, one row a patient, or a slide where each patient has one) by a permutation
    test. `group` names its column of groups, `values` the columns to compare (default: all of numbers).

    Returns a DataFrame, a row a value: n and mean of each group, `p` that the between-group sum of squares is as large
    by chance, `p_holm` adjusted for the number of values, `least_p` that could have come out. All arrangements are
    tried when there are at most `permutations`; else that many are drawn with `seed`. Rows are exchangeable only when
    they are independent: several slides of one patient are not; sum them up first. Warns with SmallSampleWarning where
    n is too small to tell. Rows without a group are left out, and for each value the rows without it."""
    pandas, numpy = needed("pandas", "tables"), needed("numpy", "tables")
    if group not in table.columns:
        raise StarpathError(f"the table has no column {group!r} of groups; it has {', '.join(map(str, table.columns))}")
    table = table[table[group].notna()]
    if values is None:
        values = [name for name in table.columns if name != group and pandas.api.types.is_numeric_dtype(table[name])]
    rows, warned = [], set()
    for name in values:
        here = table[table[name].notna()]
        codes, names = pandas.factorize(here[group], sort=True)
        sizes = [int((codes == i).sum()) for i in range(len(names))]
        if len(sizes) < 2:
            raise StarpathError(f"{name}: there are not two groups in {group!r}; a comparison needs two or more")
        least = max(1 / arrangements(sizes), 0 if arrangements(sizes) <= permutations else 1 / (permutations + 1))
        if len(sizes) == 2 and sizes[0] == sizes[1] and arrangements(sizes) <= permutations:
            least *= 2  # the groups with their names exchanged differ as much
        if tuple(sizes) not in warned:
            _warn_of(sizes, least)
            warned.add(tuple(sizes))
        numbers = here[name].to_numpy(dtype="float64")
        row = {"value": name}
        for i, each in enumerate(names):
            row[f"n_{each}"], row[f"mean_{each}"] = sizes[i], numbers[codes == i].mean()
        row["p"] = _p_value(numpy, codes, numbers, sizes, permutations, seed)
        row["least_p"] = least
        rows.append(row)
    for row, adjusted in zip(rows, _holm([row["p"] for row in rows])):
        row["p_holm"] = adjusted
    return pandas.DataFrame(rows).set_index("value") if rows else pandas.DataFrame()
