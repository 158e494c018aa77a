"""Whether groups of slides or patients differ: a permutation test that says when it cannot tell."""

import itertools
import math
import warnings

from .database import StarpathError, needed

# With fewer in a group, one unusual patient decides; a difference needs to be large to show.
_FEW = 5
_LEVEL = 0.05
_ROUNDING = 1e-9
_AT_ONCE = 1 << 22  # group numbers that are held at once


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
    """Every way, as a list of group numbers."""
    labels = [len(sizes) - 1] * sum(sizes)

    def deal(free, group):
        if group == len(sizes) - 1:
            yield labels.copy()
            return
        for chosen in itertools.combinations(free, sizes[group]):
            for place in chosen:
                labels[place] = group
            yield from deal([place for place in free if labels[place] != group], group + 1)
            for place in chosen:
                labels[place] = len(sizes) - 1

    yield from deal(range(len(labels)), 0)


def compared(statistic, codes, permutations, seed):
    """Deals things anew into their groups, and measures each arrangement. `codes` are the things' group numbers from 0,
    an array of (n,); `statistic` takes group numbers of (arrangements, n), and returns a number an arrangement.

    Returns (statistics, every): every arrangement's once where there are at most `permutations`, else those of so many
    arrangements that are drawn with `seed`. SciPy's permutation_test takes no group of one thing, which a study may
    have."""
    numpy = needed("numpy", "tables")
    sizes = numpy.bincount(codes).tolist()
    every = arrangements(sizes) <= permutations
    random = numpy.random.default_rng(seed)
    dealt = _all_arrangements(sizes) if every else (random.permutation(codes) for _ in range(permutations))
    at_once, found = max(1, _AT_ONCE // len(codes)), []
    while block := list(itertools.islice(dealt, at_once)):
        found.append(statistic(numpy.array(block)))
    return numpy.concatenate(found), every


def p_value(observed, statistics, every):
    """That a statistic at least as large as `observed` comes by chance. Statistics that differ by rounding alone are
    equal. Where the arrangements were drawn, the one that was seen counts among them, so p is never 0 (Phipson, Smyth
    2010)."""
    as_large = int((statistics >= observed - _ROUNDING * (abs(observed) + 1)).sum())
    return as_large / len(statistics) if every else (as_large + 1) / (len(statistics) + 1)


def _p_value(numpy, codes, values, permutations, seed):
    """The p of the sum of squares between the groups' means: of two groups, it grows with the difference of their means."""
    values = values - values.mean()
    values = values / (abs(values).max() or 1)

    def between(labels):
        total = 0
        for group in range(codes.max() + 1):
            here = labels == group
            total = total + (here @ values) ** 2 / here.sum(axis=1)
        return total

    return p_value(between(codes[None, :])[0], *compared(between, codes, permutations, seed))


def compare_partitions(rows, columns, permutations=10_000, seed=1):
    """Whether two ways to part the same n things have to do with each other: `rows` and `columns` are the numbers of each
    thing's parts, from 0 without gaps, of (n,), n >= 1. Deals the columns anew among the things (Fisher 1935), as
    `compared` says. Returns a dict: chi_square, Pearson's statistic of the table; arrangements that were compared with,
    and whether they are `every` one; p, and the least p that any table with these sums could have had."""
    numpy = needed("numpy", "tables")
    rows, columns = numpy.asarray(rows), numpy.asarray(columns)
    is_row = (rows[:, None] == numpy.arange(rows.max() + 1)).astype("float64")
    row_sizes, column_sizes = numpy.bincount(rows), numpy.bincount(columns)

    def chi_square(labels):
        total = 0
        for column, size in enumerate(column_sizes):
            total = total + (((labels == column) @ is_row) ** 2 / (row_sizes * size)).sum(axis=1)
        return len(rows) * (total - 1)

    observed = float(chi_square(columns[None, :])[0])
    statistics, every = compared(chi_square, columns, permutations, seed)
    return {
        "chi_square": observed,
        "arrangements": len(statistics),
        "every": every,
        "p": p_value(observed, statistics, every),
        "least_p": p_value(max(observed, float(statistics.max())), statistics, every),
    }


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
        row["p"] = _p_value(numpy, codes, numbers, permutations, seed)
        row["least_p"] = least
        rows.append(row)
    for row, adjusted in zip(rows, _holm([row["p"] for row in rows])):
        row["p_holm"] = adjusted
    return pandas.DataFrame(rows).set_index("value") if rows else pandas.DataFrame()
