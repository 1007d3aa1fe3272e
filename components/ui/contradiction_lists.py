"""Titles, filter chips and counts for the lists of the contradictions page."""

from collections.abc import Mapping, Sequence

from components.ui.chips.chips import ChipGroup
from faithfulness.model.contradiction import Says
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import UnitKind
from faithfulness.model.wording import TIERS

LISTS = {
    "contradicted": "Contradicted",
    "not_supported": "Claims not supported",
    "unfounded": "No evidence found",
    "clashing": "Supported, yet clashing",
    "found_by_check": "Found by a check",
}
_ABOUT = {
    "contradicted": "",
    "not_supported": (
        "Claims of Claim overlap: one is false when the other article denies it, but also when it "
        "only leaves it out; so these stand apart from contradictions. Sentences labelled "
        "unsupported contradict nothing and are on no list here."
    ),
    "unfounded": (
        "Somebody calls these contradicted, and no quoted word stands in any source and no link "
        "is given."
    ),
    "clashing": (
        "Somebody calls these supported, although the program found words in the quoted source "
        "that may clash. Only the words an answer quotes are compared. A mark for people, not a "
        "verdict."
    ),
    "found_by_check": (
        "A program compared quoted reviews, figures of products and numbers of reviewers with the "
        "sources, under every protocol and whatever anybody answered. A mark for people, not a "
        "verdict."
    ),
}
_NONE = {
    "contradicted": "Nothing is called contradicted under what is chosen above.",
    "not_supported": (
        "Only claims of Claim overlap are counted here. Sentences labelled unsupported contradict "
        "nothing and are on no list of this page; Distributions counts them."
    ),
    "unfounded": "Nothing here is called contradicted without a quote or a link that can be found.",
    "clashing": (
        "Clashes are sought only between a unit and the words that an answer quotes for it. "
        "Answers without an excerpt, and clashes with words that nobody quotes, are not looked at."
    ),
    "found_by_check": (
        "No check found anything here that contradicts a source. Checks compare quoted reviews, "
        "figures of products and numbers of reviewers; what was stored before a check changed is "
        "read again by `cli.py refind`."
    ),
}
SORTS = {"disputed": "Most disputed", "sure": "Surest first", "stored": "As stored"}
GROUPS = {
    "": "Not grouped",
    "protocol": "By protocol",
    "run": "By run",
    "system": "By system",
    "agreement": "By agreement",
    "placement": "By placement",
    "clash": "By kind of clash",
}
AGREEMENT = {
    "raters_agree": "All raters agree",
    "raters_differ": "Raters differ",
    "judge_alone": "Judges alone",
    "raters_alone": "Raters alone",
    "one_author": "One author only",
}
PLACEMENT = {
    **{tier.value: name.capitalize() for tier, name in TIERS.items()},
    "none": "No quote",
}
CLASH = {
    "number": "Numbers",
    "unit": "Measures",
    "negation": "Negation",
    "exclusive": "Exclusive words",
    "quote": "Misquoted",
    "attribution": "Quote in no source",
    "other": "Other",
    "none": "None found",
}
_LEAD = {
    "contradicted": ("contradicted {}", ""),
    "not_supported": ("{}", "called not supported"),
    "unfounded": ("{}", "called contradicted, with no evidence that can be found"),
    "clashing": ("{}", "called supported although a clash is found"),
    "found_by_check": ("{}", "with a finding that contradicts a source"),
}


def get_list_voice(which: str) -> frozenset[Says]:
    """What a label must say to put its unit on this list."""
    if which == "clashing":
        return frozenset({Says.SUPPORTED})
    return frozenset({Says.CONTRADICTED, Says.NOT_SUPPORTED})


def about(which: str, total: int) -> str:
    """What is counted on this list, and where nothing is, what was looked for."""
    return _ABOUT[which] if total else _NONE[which]


def build_chip_groups(
    which: str,
    lists: Mapping[str, int],
    counts: Mapping[str, Mapping[str, int]],
    selection: Selection,
) -> list[ChipGroup]:
    """The lists, then agreement, kind of clash and placement.

    What checks found rests on no quote, so that only a choice made elsewhere shows placements.
    """
    views = {"" if key == "contradicted" else key: title for key, title in LISTS.items()}
    on = "" if which == "contradicted" else which
    tabs = ChipGroup(
        name="list",
        label="Lists",
        titles=views,
        counts={"" if key == "contradicted" else key: size for key, size in lists.items()},
        on=(on,),
        single=True,
    )
    is_quoted = which != "found_by_check" or selection.placements
    parts: Sequence[tuple[str, str, Mapping[str, str], Sequence[str]]] = (
        ("agreement", "Agreement", AGREEMENT, selection.agreements),
        ("clash", "Clash", CLASH, selection.clashes),
        *([("placement", "Quoted", PLACEMENT, selection.placements)] if is_quoted else []),
    )
    return [
        tabs,
        *(
            ChipGroup(
                name=name,
                label=label,
                titles=titles,
                counts=counts[name],
                on=chosen,
                note="" if selection.placements else _format_not_compared(name, counts),
            )
            for name, label, titles, chosen in parts
        ),
    ]


def _format_not_compared(name: str, counts: Mapping[str, Mapping[str, int]]) -> str:
    """Nothing is found where nobody looked: quotes without any finding were not compared."""
    quoted = sum(counts["placement"].values()) > counts["placement"]["none"]
    return "Not looked for" if name == "clash" and quoted and not any(counts[name].values()) else ""


def build_group_titles(
    group: str, sizes: Mapping[str, int], named: Mapping[str, str]
) -> dict[str, tuple[str, int]]:
    """What each group is called, with its size."""
    words = {"agreement": AGREEMENT, "placement": PLACEMENT, "clash": CLASH}.get(group, named)
    other = {"agreement": "No such pattern", "clash": "Not looked for"}.get(group, "")
    if not group:
        return {}
    return {key: (words.get(key, key) or other, size) for key, size in sizes.items()}


def describe_list(
    which: str, units: Mapping[UnitKind, int], selection: Selection, names: Mapping[str, str]
) -> str:
    """What is shown, as the end of a sentence that begins with a number."""
    noun = next(iter(units)).value if len(units) == 1 else "unit"
    if which == "not_supported" and not units:
        noun = "claim"  # no other unit can be on this list
    lead, called = _LEAD[which]
    what = lead.format(noun if sum(units.values()) == 1 else f"{noun}s")
    if selection.is_everything:
        return f"{what} {called}".rstrip()
    # What narrows the list belongs to the noun: "… a clash is found of run A" reads otherwise.
    narrowed = f"{what} {selection.in_words(names)}"
    return f"{narrowed}, {called}" if called else narrowed
