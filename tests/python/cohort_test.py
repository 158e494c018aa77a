"""The statistics of `starpath cohort`, against their definitions: cohort_test.py SOURCE. Exit code 77: SciPy, pandas or
matplotlib is missing. The numbers of whole studies are tested through the command (tests/apps/cohort_test.cpp)."""

import importlib.util
import itertools
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(sys.argv[1]) / "python"))

missing = [name for name in ("pandas", "scipy", "matplotlib") if importlib.util.find_spec(name) is None]
if missing:
    print(f"skipped: not installed: {', '.join(missing)} (Debian: python3-pandas python3-scipy python3-matplotlib)")
    sys.exit(77)

import numpy  # noqa: E402
import pandas  # noqa: E402
from scipy.cluster import hierarchy  # noqa: E402
from scipy.spatial import distance  # noqa: E402
from starpath import StarpathError, groups  # noqa: E402
from starpath.cohort import branches, files  # noqa: E402
from starpath.cohort.tables import _cell  # noqa: E402


def tree_of(rows, linkage):
    return branches.settled(hierarchy.linkage(distance.pdist(rows), linkage), len(rows))


def leaves_of(node, tree):
    leaves = len(tree) + 1
    if node < leaves:
        return [node]
    return sum((leaves_of(int(child), tree) for child in tree[node - leaves, :2]), [])


def mean_distance(rows, first, second):
    return numpy.mean([numpy.linalg.norm(rows[i] - rows[j]) for i in first for j in second])


def ward_distance(rows, first, second):
    """The root of twice what the union adds to the squared distances from centres."""

    def within(leaves):
        return ((rows[leaves] - rows[leaves].mean(axis=0)) ** 2).sum()

    return numpy.sqrt(2 * max(0, within(first + second) - within(first) - within(second)))


class TreeTest(unittest.TestCase):
    def test_each_merge_is_of_the_nearest_two(self):
        rows = numpy.random.default_rng(5).random((24, 3))
        for linkage, measure in (("ward", ward_distance), ("average", mean_distance)):
            tree, nodes = tree_of(rows, linkage), list(range(24))
            for i, (first, second, height, leaves) in enumerate(tree):
                own = {node: leaves_of(node, tree) for node in nodes}
                least = min(measure(rows, own[a], own[b]) for a, b in itertools.combinations(nodes, 2))
                first, second = own[int(first)], own[int(second)]
                self.assertAlmostEqual(measure(rows, first, second), least)
                self.assertAlmostEqual(height, least)
                self.assertEqual(leaves, len(first) + len(second))
                self.assertLess(min(first), min(second))
                nodes = [node for node in nodes if node not in tree[i, :2]] + [24 + i]

    def test_of_equal_pairs_the_first_merges(self):
        rows = numpy.array([[0, 0], [1, 0], [0, 1], [1, 1]] * 2)  # the corners of a square, twice
        for linkage in ("ward", "average"):
            tree = tree_of(rows, linkage)
            self.assertEqual(tree[:4, :2].tolist(), [[0, 4], [1, 5], [2, 6], [3, 7]], linkage)
            self.assertEqual(tree[:4, 2].tolist(), [0] * 4)

    def test_branches_are_numbered_in_the_order_of_leaves(self):
        tree = tree_of(numpy.array([[0], [10], [0.1], [10.2], [6]]), "average")
        self.assertEqual(list(branches.leaf_order(tree)), [0, 2, 1, 3, 4])
        for k, expected in ((1, [0, 0, 0, 0, 0]), (3, [0, 1, 0, 1, 2]), (5, [0, 2, 1, 3, 4])):
            self.assertEqual(branches.cut(tree, k).tolist(), expected)

    def test_branches_stay_together_in_the_order(self):
        tree = tree_of(numpy.random.default_rng(9).random((60, 4)), "ward")
        for k in range(1, 61):
            ordered = branches.cut(tree, k)[branches.leaf_order(tree)]
            self.assertEqual(sorted(ordered), ordered.tolist())
            self.assertEqual(set(ordered), set(range(k)))

    def test_a_long_tree_needs_no_recursion(self):
        rows = numpy.array([[1.01**i] for i in range(3000)])  # each joins the tree of all before it
        self.assertEqual(branches.leaf_order(tree_of(rows, "average")).tolist(), list(range(3000)))


class SilhouetteTest(unittest.TestCase):
    PLACES = distance.squareform(distance.pdist([[0], [1], [10], [12]]))

    def test_of_two_pairs(self):
        expected = (10 / 11 + 9 / 10 + 7.5 / 9.5 + 9.5 / 11.5) / 4
        self.assertAlmostEqual(branches.silhouette(self.PLACES, numpy.array([0, 0, 1, 1]), 2), expected, 12)
        self.assertLess(branches.silhouette(self.PLACES, numpy.array([0, 1, 0, 1]), 2), 0)

    def test_things_alone_and_things_in_one_place_have_none(self):
        self.assertEqual(branches.silhouette(self.PLACES, numpy.arange(4), 4), 0)
        self.assertEqual(branches.silhouette(numpy.zeros((3, 3)), numpy.array([0, 0, 1]), 2), 0)


class ScoresTest(unittest.TestCase):
    def test_are_deviations_from_the_mean_of_what_is_known(self):
        notes = []
        found = branches.standardised(pandas.DataFrame({"x": [1, 3, numpy.nan, 5, 7]}), notes)
        self.assertEqual((found.means, found.deviations), ([4], [numpy.sqrt(5)]))
        self.assertTrue(numpy.allclose(found.scores[:, 0], numpy.array([-3, -1, 0, 1, 3]) / numpy.sqrt(5), rtol=1e-15))
        self.assertEqual(notes, ["1 of 5 patients lack x: the mean takes its place"])

    def test_what_rounding_makes_of_equal_numbers_does_not_vary(self):
        notes = []
        table = {"x": [0.1, 0.1, numpy.nextafter(0.1, 1)], "y": [5, 5, 5], "z": [numpy.nan] * 3, "last": [1, 2, 3]}
        self.assertEqual(branches.standardised(pandas.DataFrame(table), notes).values, ["last"])
        self.assertEqual(notes, ["left out, as patients do not differ in it: x, y, z"])


class PermutationTest(unittest.TestCase):
    def test_counts_every_arrangement_of_few(self):
        # 4 and 4 that agree: of 70 arrangements two are as clear, this one and its mirror image.
        found = groups.compare_partitions([0] * 4 + [1] * 4, [0] * 4 + [1] * 4)
        self.assertEqual((found["every"], found["arrangements"]), (True, 70))
        self.assertAlmostEqual(found["chi_square"], 8)
        self.assertEqual((found["p"], found["least_p"]), (2 / 70, 2 / 70))

    def test_is_fishers_exact_test_of_two_by_two(self):
        # The tea of Fisher 1935, of two sides: three of four cups told right.
        self.assertEqual(groups.compare_partitions([0] * 4 + [1] * 4, [0, 0, 0, 1, 1, 1, 1, 0])["p"], 34 / 70)

    def test_no_six_can_show_anything(self):
        for labels, least in (([0] * 3 + [1] * 3, 0.1), ([0, 0, 1, 1, 2, 2], 6 / 90), ([0] * 2 + [1] * 4, 1 / 15)):
            self.assertAlmostEqual(groups.compare_partitions(labels, labels)["least_p"], least, 12)
        labels = [0] * 3 + [1] * 4
        self.assertAlmostEqual(groups.compare_partitions(labels, labels)["least_p"], 1 / 35, 12)

    def test_deals_each_arrangement_once(self):
        for sizes in ([2, 3], [1, 1, 1], [2, 1, 3], [4]):
            dealt = [tuple(labels) for labels in groups._all_arrangements(sizes)]
            self.assertEqual(len(dealt), groups.arrangements(sizes))
            self.assertEqual(len(set(dealt)), len(dealt))
            self.assertTrue(all(numpy.bincount(labels).tolist() == sizes for labels in dealt))

    def test_draws_when_there_are_many_and_counts_itself(self):
        found = groups.compare_partitions([0, 1] * 20, [0, 1] * 20, 999)
        self.assertEqual((found["every"], found["arrangements"]), (False, 999))
        self.assertEqual(found["p"], 1 / 1000)
        self.assertEqual(found, groups.compare_partitions([0, 1] * 20, [0, 1] * 20, 999))
        alone = groups.compare_partitions([0, 1] * 20, [1] + [0] * 39, 20)
        self.assertEqual((alone["every"], alone["least_p"]), (False, 1), "one against all others says nothing")

    def test_keeps_its_level(self):
        """Of labels dealt by chance, one in twenty has a p of at most 0.05."""
        random = numpy.random.default_rng(3)
        rows, low = [i % 3 for i in range(60)], 0
        for trial in range(300):
            columns = [0, 1, 2, 3, *random.integers(0, 4, 56)]
            low += groups.compare_partitions(rows, columns, 199, trial)["p"] <= 0.05
        self.assertGreaterEqual(low, 5)
        self.assertLessEqual(low, 27)


class FilesTest(unittest.TestCase):
    def test_a_file_is_whole_or_as_it_was(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.csv"
            abandoned = Path(folder) / "table.csv.0123abcd.part"
            abandoned.write_bytes(b"half")
            files.write_whole(path, b"first")
            self.assertEqual(path.read_bytes(), b"first")
            self.assertEqual(list(Path(folder).iterdir()), [path], "what a killed program left goes")
            with self.assertRaises(TypeError):
                files.write_whole(path, "no bytes")
            self.assertEqual(path.read_bytes(), b"first")
            self.assertEqual(list(Path(folder).iterdir()), [path])
            with self.assertRaisesRegex(StarpathError, "cannot be written.*make the folder first") as raised:
                files.write_whole(Path(folder) / "none/table.csv", b"")
            self.assertEqual(raised.exception.code, 4)

    def test_a_file_of_others_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.csv"
            for content, is_ours in ((b"", True), (b"patient,7", True), (b"patien", False)):
                path.write_bytes(content)
                with self.subTest(content):
                    if is_ours:
                        files.check_is_ours(path, [(b"patient,", b"")])
                    else:
                        with self.assertRaisesRegex(StarpathError, "is no file that `starpath cohort` wrote"):
                            files.check_is_ours(path, [(b"patient,", b"")])

    def test_cells_read_back(self):
        for number in (0.1, 1e16, 1e-5, 1 / 3, 100.0, -2.5, numpy.float64(0.4)):
            self.assertEqual(float(_cell(number)), number)
        shown = [
            _cell(value) for value in (100.0, 1e16, 1e-5, 7, None, float("nan"), "=A1", "-3", "+1e5", "@x", "-3x", "")
        ]
        self.assertEqual(shown, ["100", "1e+16", "1e-05", "7", "", "", "'=A1", "-3", "+1e5", "'@x", "'-3x", ""])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
