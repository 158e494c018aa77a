"""The verdict on a claim of a paper, and on a figure or table: the same rules for every row. Pure: no files, no plots."""
import dataclasses
import enum


class Verdict(enum.Enum):
    """In the order in which one claim decides about an item: the first of these that an item has is the item's."""
    CONTRADICTED = "contradicted"
    DIRECTION = "direction only"
    REPRODUCED = "reproduced"
    CONSTRUCTED = "by construction"
    NO_NUMBER = "no number in the paper"


EFFECT = 0.10    # a ratio agrees within so much of the paper's effect, which is its distance from 1
POINTS = 10      # shares in percent agree within so many points
SIZE = 0.10      # times and rates agree within so much of the paper's
UNCHANGED = 0.02  # where the paper says that nothing changes: within so much of 1
NOISE = 0.01     # a ratio so close to 1 has no direction


@dataclasses.dataclass(frozen=True)
class Claim:
    """One claim, as shown. `test`: what came out when the cause of a disagreement was changed."""
    text: str
    paper: str
    ours: str
    verdict: Verdict
    constructed: str = ""  # why it cannot differ; only what agrees counts as such
    cause: str = ""
    test: str = ""


def of_ratio(paper, ours):
    effect = paper - 1
    if effect == 0:
        return Verdict.REPRODUCED if abs(ours - 1) <= UNCHANGED + 1e-9 else Verdict.CONTRADICTED
    if abs(ours - paper) <= EFFECT * abs(effect) + 1e-9:
        return Verdict.REPRODUCED
    same_side = (ours - 1) * effect > 0 and abs(ours - 1) > NOISE
    return Verdict.DIRECTION if same_side else Verdict.CONTRADICTED


def of_share(paper, ours, neutral=50):
    """In percent. The direction is the side of `neutral`."""
    if abs(ours - paper) <= POINTS + 1e-9:
        return Verdict.REPRODUCED
    return Verdict.DIRECTION if (ours - neutral) * (paper - neutral) > 0 else Verdict.CONTRADICTED


def of_size(paper, ours):
    """A time, a rate, an error: there is no "no change", so within a factor of two counts as the direction."""
    if abs(ours - paper) <= SIZE * abs(paper) + 1e-9:
        return Verdict.REPRODUCED
    return Verdict.DIRECTION if paper / 2 <= ours <= paper * 2 else Verdict.CONTRADICTED


def short(value):
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _claim(text, shown, ours, verdict, constructed="", test=""):
    if constructed and verdict is Verdict.REPRODUCED:
        verdict = Verdict.CONSTRUCTED
    return Claim(text, shown, ours, verdict, constructed, test=test)


def ratio(text, paper, ours, says="", constructed="", test=""):
    """`says`: how the paper words it, such as "about 1.27"."""
    return _claim(text, says or f"{paper:.4g}", f"{ours:.3f}", of_ratio(paper, ours), constructed, test)


def share(text, paper, ours, neutral=50, constructed="", test=""):
    return _claim(text, f"{paper:.4g} %", f"{ours:.1f} %", of_share(paper, ours, neutral), constructed, test)


def size(text, paper, ours, unit="", says="", constructed="", test=""):
    unit = f" {unit}" if unit else ""
    return _claim(text, says or f"{short(paper)}{unit}", f"{short(ours)}{unit}", of_size(paper, ours), constructed, test)


def statement(text, says, ours, holds, constructed="", test=""):
    """What can be checked without a choice of ours: all, none, more than, in this order, most."""
    return _claim(text, says, ours, Verdict.REPRODUCED if holds else Verdict.CONTRADICTED, constructed, test)


def words(text, says, ours, holds, test=""):
    """What the paper only words ("slightly better"): nobody can tell how much it is, only that it does not hold."""
    return _claim(text, f"“{says}”", ours, Verdict.NO_NUMBER if holds else Verdict.CONTRADICTED, test=test)


def of_item(claims):
    """An item is as good as its worst claim; what was put in, or has no number, does not make it reproduced."""
    found = {claim.verdict for claim in claims}
    return next(verdict for verdict in Verdict if verdict in found)


def count(verdicts):
    """By verdict, all of them in the order of Verdict."""
    verdicts = list(verdicts)
    return {verdict: verdicts.count(verdict) for verdict in Verdict}


def count_items(items):
    """`items`: name -> claims."""
    return count(of_item(claims) for claims in items.values())


def count_claims(items):
    return count(claim.verdict for claims in items.values() for claim in claims)
