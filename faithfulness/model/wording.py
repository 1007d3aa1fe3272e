"""Format counts, shares, dates and unit names as text for screens, files and scripts."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from faithfulness.model.vocabulary import Tier

NONE = "—"
SURE = 0.7  # a confidence below it says itself that over three in ten such labels are wrong
# How an excerpt was found: one name a tier, on every screen and in every file.
TIERS: Mapping[Tier, str] = {
    Tier.VERBATIM: "word for word",
    Tier.NEAR: "with small differences",
    Tier.STITCHED: "stitched from several places",
    Tier.SIMILAR: "only something similar",
    Tier.ABSENT: "in no source",
}
ALTERED = "with another number or a “not”"  # some of those with differences; no tier of its own
DIFFERING = "with other differences"  # the rest of them, where more than case or quotes differs
_TAKES_BACK = re.compile(r"Takes decision (\d+) back")


def format_count(value: int, one: str, many: str = "") -> str:
    """A count with its noun: 1 item, 2,000 items."""
    return f"{value:,} {one if value == 1 else many or one + 's'}"


def join_names(names: Sequence[str], shown: int = 3) -> str:
    """Names as part of a sentence: "a, b and c"; beyond `shown` of them "a, b, c and 4 more"."""
    listed = list(names[:shown])
    if len(names) > shown:
        listed.append(f"{len(names) - shown:,} more")
    return " and ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)


def format_percent(share: float | None, digits: int = 0) -> str:
    """A share in percent, or a dash: an undefined share is never shown as 0."""
    return NONE if share is None else f"{100 * share:.{digits}f} %"


def format_confidence(confidence: float | None) -> str:
    """What stands beside a label that its author is not sure of; empty where they are, or say not.

    Below one half the label is wrong more often than right: the baseline, which has to choose one,
    calls a sentence supported of whose kind people called a quarter so.
    """
    if confidence is None or confidence >= SURE:
        return ""
    said = f"low confidence, {format_percent(confidence)}".replace(
        " %", "\u00a0%"
    )  # it stands in cells
    return f"{said}: more likely wrong than right" if confidence < 0.5 else said


def format_day(when: datetime) -> str:
    """A moment of the store, which keeps UTC: said, because the reader's clock may differ."""
    return f"{when.day} {when:%b %Y, %H:%M}\u00a0UTC"


def format_known_items(met: int, items: int) -> str:
    """What an import says of those of its items that stand in earlier runs already."""
    them = "it" if met == 1 else "them"
    return (
        f"{met:,} of {format_count(items, 'item')} {'is' if met == 1 else 'are'} in the "
        "store already, "
        f"recognised by the same texts: what raters and judges answered about {them} before stays "
        "with the earlier runs, and decisions count in the new one too. Where no run is chosen all "
        "answers count, of one author the later one."
    )


def format_answer_counts(answers: int, unread: int = 0, not_judged: int = 0) -> str:
    """Answers with a value, and those without one where there are any: 20 answers, 5 unread."""
    apart = [(unread, "unread"), (not_judged, "not judged")]
    told = [format_count(answers, "answer"), *(f"{many:,} {what}" for many, what in apart if many)]
    return ", ".join(told)


def format_quote_counts(
    quotes: int, by_tier: Mapping[str, int], altered: Mapping[str, int] | None = None
) -> str:
    """How quotes were found, the worst first: 9 quotes: 2 in no source, 7 word for word.

    Args:
        quotes: how many there are.
        by_tier: how many were found in each way.
        altered: of these, how many have another number, unit or a “not”; told apart.
    """
    turned = altered or {}
    counts = [(by_tier.get(tier, 0) - turned.get(tier, 0), TIERS[tier]) for tier in reversed(Tier)]
    counts.insert(1, (sum(turned.values()), ALTERED))
    told = [f"{many:,} {how}" for many, how in counts if many]
    return f"{format_count(quotes, 'quote')}: {', '.join(told) or 'not looked for'}"


def capitalize_first(words: str) -> str:
    """With a capital at the beginning; names and units behind it stay as they are."""
    return words[:1].upper() + words[1:]


def format_unit(unit_id: str) -> str:
    """What people call a unit; a claim, known by its content, keeps its name in the store."""
    number = unit_id.removeprefix("s")
    if number.isdecimal():
        return f"Sentence {number}"
    return "whole response" if unit_id == "response" else unit_id


def parse_undone_number(reason: str) -> int:
    """The number of the decision that a stored reason takes back; 0 where it does not."""
    found = _TAKES_BACK.fullmatch(reason)
    return int(found[1]) if found else 0


def format_undo(what: str, why: str) -> str:
    """The same to people, for whom the store's numbers mean nothing; `what` may not be known."""
    if not what:
        return "Takes back what was decided after it"
    return f"Takes back {what}, for which the reason was: {why}"
