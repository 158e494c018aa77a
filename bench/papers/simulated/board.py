"""The page of all items: each figure and table of the four papers has one row, and verdicts are counted apart."""
import scoring
from items import ITEMS
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
is worse."""


def row(name, title, claims, link):
    def lines(cells):
        return "<br>".join(cells)
    ours = [f"{claim.ours} ({claim.verdict.value})" for claim in claims]
    return (f"| [{name}]({link}): {title} | {lines(claim.text for claim in claims)} | {lines(claim.paper for claim in claims)} | {lines(ours)} | "
            f"**{scoring.of_item(claims).value}** |")


def write(folder, machines, nodes):
    """`machines`, `nodes`: item -> claims, of the two pages."""
    found = {**machines, **nodes}
    wanted = {f"{paper} {name}" for paper, names in ITEMS.items() for name in names}
    if set(found) != wanted:
        raise SystemExit(f"items without claims: {sorted(wanted - set(found))}; claims of no item: {sorted(set(found) - wanted)}")
    counted, single = scoring.count_items(found), scoring.count_claims(found)
    lines = ["# The papers' figures and tables, judged", "",
             f"{len(found)} numbered figures and tables of the four papers hold results. Made by `bench/papers/simulated/run.py`; the values, "
             "plots and reasons are in [papers-machines.md](papers-machines.md) and [papers-nodes.md](papers-nodes.md).", "",
             "| | " + " | ".join(verdict.value for verdict in Verdict) + " |", "|---|" + "---|" * len(counted),
             *(f"| {what} | " + " | ".join(str(number) for number in numbers.values()) + " |"
               for what, numbers in ((f"{len(found)} figures and tables", counted), (f"their {sum(single.values())} claims", single))), "", RULES, ""]
    for paper, names in ITEMS.items():
        lines += [f"## {paper}", "", "| figure or table | claim | paper | ours | verdict |", "|---|---|---|---|---|"]
        lines += [row(name, title, found[f"{paper} {name}"], "papers-nodes.md" if f"{paper} {name}" in nodes else "papers-machines.md")
                  for name, title in names.items()]
        lines.append("")
    (folder / "papers.md").write_text("\n".join(lines).rstrip() + "\n")
    return counted
