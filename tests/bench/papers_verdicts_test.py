"""The verdicts on the papers' values (bench/papers/simulated/scoring.py): usage: papers_verdicts_test.py SOURCE_FOLDER"""
import pathlib
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
sys.dont_write_bytecode = True
sys.path.append(str(SOURCE / "bench/papers/simulated"))

import board  # noqa: E402  (the path comes first)
import items  # noqa: E402
import scoring  # noqa: E402
from scoring import Verdict  # noqa: E402


class Ratios(unittest.TestCase):
    def test_agree_within_a_tenth_of_the_effect(self):
        self.assertIs(scoring.of_ratio(1.33, 1.36), Verdict.REPRODUCED)
        self.assertIs(scoring.of_ratio(1.33, 1.297), Verdict.REPRODUCED)
        self.assertIs(scoring.of_ratio(1.33, 1.45), Verdict.DIRECTION)  # within 10 % of 1.33, and 36 % more gain
        self.assertIs(scoring.of_ratio(0.7, 0.68), Verdict.REPRODUCED)
        self.assertIs(scoring.of_ratio(0.7, 0.6), Verdict.DIRECTION)

    def test_contradict_on_the_other_side_of_no_change_or_at_it(self):
        self.assertIs(scoring.of_ratio(1.16, 0.96), Verdict.CONTRADICTED)
        self.assertIs(scoring.of_ratio(1.16, 1.005), Verdict.CONTRADICTED)
        self.assertIs(scoring.of_ratio(0.9, 1.1), Verdict.CONTRADICTED)

    def test_no_change_is_no_change(self):
        self.assertIs(scoring.of_ratio(1, 1.02), Verdict.REPRODUCED)
        self.assertIs(scoring.of_ratio(1, 0.97), Verdict.CONTRADICTED)


class OtherValues(unittest.TestCase):
    def test_shares_agree_within_ten_points(self):
        self.assertIs(scoring.of_share(84.6, 94.6), Verdict.REPRODUCED)
        self.assertIs(scoring.of_share(84.6, 94.7), Verdict.DIRECTION)
        self.assertIs(scoring.of_share(60, 40), Verdict.CONTRADICTED)
        self.assertIs(scoring.of_share(93, 82, neutral=100), Verdict.DIRECTION)

    def test_sizes_agree_within_a_tenth_and_have_no_other_side(self):
        self.assertIs(scoring.of_size(150, 164), Verdict.REPRODUCED)
        self.assertIs(scoring.of_size(150, 169), Verdict.DIRECTION)
        self.assertIs(scoring.of_size(8e6, 819200), Verdict.CONTRADICTED)

    def test_words_are_shown_and_never_reproduced(self):
        claim = scoring.words("PADAS against FCFS", "slightly better", "1.02 times", True)
        self.assertEqual((claim.paper, claim.verdict), ("“slightly better”", Verdict.NO_NUMBER))
        self.assertIs(scoring.words("", "", "", False).verdict, Verdict.CONTRADICTED)

    def test_statements_hold_or_do_not(self):
        self.assertIs(scoring.statement("", "all", "30 of 30", True).verdict, Verdict.REPRODUCED)
        self.assertIs(scoring.statement("", "all", "29 of 30", False).verdict, Verdict.CONTRADICTED)

    def test_what_was_put_in_does_not_count_as_reproduced_but_must_agree(self):
        self.assertIs(scoring.size("", 30, 30.4, constructed="an input").verdict, Verdict.CONSTRUCTED)
        self.assertIs(scoring.size("", 30, 70, constructed="an input").verdict, Verdict.CONTRADICTED)


class Items(unittest.TestCase):
    def claims(self, *verdicts):
        return [scoring.Claim("", "", "", verdict) for verdict in verdicts]

    def test_an_item_is_as_good_as_its_worst_claim(self):
        self.assertIs(scoring.of_item(self.claims(Verdict.REPRODUCED, Verdict.DIRECTION)), Verdict.DIRECTION)
        self.assertIs(scoring.of_item(self.claims(Verdict.DIRECTION, Verdict.CONTRADICTED)), Verdict.CONTRADICTED)
        self.assertIs(scoring.of_item(self.claims(Verdict.NO_NUMBER, Verdict.REPRODUCED)), Verdict.REPRODUCED)
        self.assertIs(scoring.of_item(self.claims(Verdict.NO_NUMBER, Verdict.CONSTRUCTED)), Verdict.CONSTRUCTED)

    def test_there_are_33(self):
        self.assertEqual(sum(map(len, items.ITEMS.values())), 33)

    def test_the_page_has_a_row_for_each_and_counts_verdicts_apart(self):
        all_of = {f"{paper} {name}": self.claims(Verdict.REPRODUCED) for paper, names in items.ITEMS.items() for name in names}
        all_of["edc-2014 Figure 6"] = self.claims(Verdict.CONTRADICTED)
        with tempfile.TemporaryDirectory() as folder:
            counted = board.write(pathlib.Path(folder), all_of, {})
            rows = [line for line in (pathlib.Path(folder) / "papers.md").read_text().splitlines() if line.startswith("| [")]
        self.assertEqual(len(rows), 33)
        self.assertEqual((counted[Verdict.REPRODUCED], counted[Verdict.CONTRADICTED]), (32, 1))

    def test_the_page_counts_models_apart(self):
        all_of = {f"{paper} {name}": self.claims(Verdict.REPRODUCED) for paper, names in items.ITEMS.items() for name in names}
        all_of["anthill-2010 Figure 7"] = self.claims(Verdict.REPRODUCED, Verdict.DIRECTION)
        self.assertLessEqual(set(items.MODELS), set(all_of))
        with tempfile.TemporaryDirectory() as folder:
            board.write(pathlib.Path(folder), all_of, {})
            page = (pathlib.Path(folder) / "papers.md").read_text().splitlines()
        for row in ("| 33 figures and tables | 0 | 1 | 32 | 0 | 0 |", "| of these, 31 that ran code | 0 | 0 | 31 | 0 | 0 |",
                    "| of these, 2 of models | 0 | 1 | 1 | 0 | 0 |", "| 34 claims in them | 0 | 1 | 33 | 0 | 0 |",
                    "| of these, 3 of models | 0 | 1 | 2 | 0 | 0 |"):
            self.assertIn(row, page)
        self.assertEqual(sum(line.endswith("**, by a model |") for line in page), 2)

    def test_the_page_refuses_a_missing_item(self):
        with self.assertRaises(SystemExit):
            board.write(pathlib.Path(), {"edc-2014 Figure 6": self.claims(Verdict.REPRODUCED)}, {})


if __name__ == "__main__":
    unittest.main()
