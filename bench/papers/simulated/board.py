"""The page of all items: each figure and table of the four papers has one row, and verdicts are counted apart."""
import scoring
from items import ITEMS, MODELS
from scoring import Verdict

RULES = f"""A claim is

- *{Verdict.REPRODUCED.value}*: a ratio within {scoring.EFFECT * 100:.0f} % of the paper's effect, which is its distance from 1 (a gain of 45 % is not a gain
  of 33 %); a share within {scoring.POINTS} points; a time or a rate within {scoring.SIZE * 100:.0f} %; a statement that can be checked without a choice of ours, and holds.
- *{Verdict.DIRECTION.value}*: a ratio on the same side of 1, and not within {scoring.NOISE * 100:.0f} % of it; a share on the same side of a half; a time or a rate within a
  factor of two.
- *{Verdict.CONTRADICTED.value}*: none of these, or a statement or wording that does not hold. Where the paper says that nothing changes, what changes by more than
  {scoring.UNCHANGED * 100:.0f} %.
- *{Verdict.CONSTRUCTED.value}*: it agrees because it was put in, was calibrated, or cannot differ.
- *{Verdict.NO_NUMBER.value}*: the paper words it only, and the direction is right.

An item is as good as its worst claim, in this order: {', '.join(verdict.value for verdict in Verdict)}. So an item is *reproduced* when one claim is, and none
is worse.

What ran:

- *Models* ({"; ".join(f"{item}: `{file}`" for item, file in MODELS.items())}) compute a mechanism of the paper by themselves. None of Starpath's code runs in
  them: the first sweeps fixed numbers of streams, which no algorithm chooses, and the second says nothing of `STARPATH_PLACEMENT`. Models are counted apart, and their verdicts say so.
- Table 2 of anthill-2010 runs Starpath's Algorithm 1, the class behind `STARPATH_PREFETCH=adaptive`, on the first of these models of a GPU.
- Figure 6 and Table 3 of anthill-2010 run StarPU alone, under its policy `eager`.
- All others run code of Starpath: the policies, the protocol between ranks, the estimator, the loops. Where nodes are discrete events ([docs/lab.md](../../docs/lab.md#several-nodes)),
  copies and the search for tasks that reuse data are those of the lab, not those of the plug-in. This concerns Figure 11 of hybrid-pipelines-2012 most."""


def row(name, title, claims, link, of_model):
    def lines(cells):
        return "<br>".join(cells)
    ours = [f"{claim.ours} ({claim.verdict.value})" for claim in claims]
    return (f"| [{name}]({link}): {title} | {lines(claim.text for claim in claims)} | {lines(claim.paper for claim in claims)} | {lines(ours)} | "
            f"**{scoring.of_item(claims).value}**{', by a model' if of_model else ''} |")


def counts(found):
    """Rows of the table of counts: all items and claims, then those of models and those that ran code apart."""
    models = {item: claims for item, claims in found.items() if item in MODELS}
    others = {item: claims for item, claims in found.items() if item not in MODELS}

    def rows(items, claims_of, what, apart):
        numbers = claims_of(items)
        return f"| {apart}{sum(numbers.values())} {what} | " + " | ".join(map(str, numbers.values())) + " |"
    for claims_of, what in ((scoring.count_items, "figures and tables"), (scoring.count_claims, "claims in them")):
        yield rows(found, claims_of, what, "")
        yield rows(others, claims_of, "that ran code", "of these, ")
        yield rows(models, claims_of, "of models", "of these, ")


def write(folder, machines, nodes):
    """`machines`, `nodes`: item -> claims, of the two pages."""
    found = {**machines, **nodes}
    wanted = {f"{paper} {name}" for paper, names in ITEMS.items() for name in names}
    if set(found) != wanted:
        raise SystemExit(f"items without claims: {sorted(wanted - set(found))}; claims of no item: {sorted(set(found) - wanted)}")
    counted = scoring.count_items(found)
    lines = ["# The papers' figures and tables, judged", "",
             f"{len(found)} numbered figures and tables of the four papers hold results. Made by `bench/papers/simulated/run.py`; the values, "
             "plots and reasons are in [papers-machines.md](papers-machines.md) and [papers-nodes.md](papers-nodes.md).", "",
             "| | " + " | ".join(verdict.value for verdict in Verdict) + " |", "|---|" + "---|" * len(counted),
             *counts(found), "", RULES, ""]
    for paper, names in ITEMS.items():
        lines += [f"## {paper}", "", "| figure or table | claim | paper | ours | verdict |", "|---|---|---|---|---|"]
        lines += [row(name, title, found[item := f"{paper} {name}"], "papers-nodes.md" if item in nodes else "papers-machines.md", item in MODELS)
                  for name, title in names.items()]
        lines.append("")
    (folder / "papers.md").write_text("\n".join(lines).rstrip() + "\n")
    return counted
