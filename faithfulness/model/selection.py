"""Selection: the subset of the store that is shown, by run, annotator, label and words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from faithfulness.model.vocabulary import Author, AuthorKind, Tier

_SHOWN = 3  # names in a sentence before it says "and 4 more"
OUT = "out"
NONE = "none"  # no excerpt, or no clash found
PLACEMENTS = {
    Tier.VERBATIM.value: "quoted word for word",
    Tier.NEAR.value: "quoted with small differences",
    Tier.STITCHED.value: "with a quote stitched from several places",
    Tier.SIMILAR.value: "with only something similar in a source",
    Tier.ABSENT.value: "with a quote that is in no source",
    NONE: "without a quote",
}
CLASHES = {
    "number": "with numbers that clash",
    "unit": "with measures that clash",
    "negation": "with a negation against it",
    "exclusive": "with words that exclude each other",
    "quote": "with a quote whose words differ from the source",
    "attribution": "with a quote that is in no source",
    "other": "with another clash",
    NONE: "without a clash that was found",
}
AGREEMENTS = {
    "raters_agree": "where all raters agree",
    "raters_differ": "where raters differ",
    "judge_alone": "where judges say so alone",
    "raters_alone": "where raters say so alone",
    "one_author": "where only one author answered",
}
_WHO = {AuthorKind.RATER: "raters", AuthorKind.JUDGE: "judges", AuthorKind.ADJUDICATOR: "people"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """Which runs, authors, labels and words are looked at; what is empty does not narrow."""

    protocol: str = ""
    runs: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    authors: tuple[Author, ...] = ()
    criterion: str = ""
    labels: tuple[str, ...] = ()
    by: str = ""  # a kind of author: whose labels `labels` means; anybody's when empty
    placements: tuple[str, ...] = ()  # tiers, or "none"
    clashes: tuple[str, ...] = ()
    agreements: tuple[str, ...] = ()
    slices: tuple[tuple[str, str], ...] = ()  # what the file says about an item: key and value
    unread: bool = False  # only items with an Unread answer
    addressed: str = ""  # "out" leaves out items with a text that speaks to its judge
    trapped: str = ""  # "out" leaves out items on which a judge's reply fell into a trap
    words: str = ""  # stands in a text of the item, whatever the case
    item: str = ""
    unit: str = ""
    # An item may be read as one of a list of contradictions, in the order of that list.
    listed: str = ""
    sort: str = ""
    group: str = ""
    at: str = ""  # the run in which such an item is read; `runs` say what the list holds

    @property
    def is_everything(self) -> bool:
        """Whether nothing narrows; a list and its order do not."""
        return replace(self, listed="", sort="", group="", at="") == Selection()

    @property
    def leaves_addressed(self) -> bool:
        """Whether texts that speak to their judge are left out."""
        return self.addressed == OUT

    @property
    def leaves_trapped(self) -> bool:
        """Whether items on which a judge fell into a trap are left out."""
        return self.trapped == OUT

    def in_words(self, names: Mapping[str, str] | None = None) -> str:
        """The selection as the end of a sentence: "12 contradicted sentences … of run A".

        Args:
            names: what people call a run, a protocol or a label; a missing one is said by its key.
        """
        called = names or {}
        parts = [
            _format_name_list("of run", [called.get(each, each) for each in self.runs]),
            _format_name_list("of system", self.systems),
            f"under {_format_key(self.protocol, called)}" if self.protocol else "",
            _format_name_list("by", [f"{each.kind} {each.name}" for each in self.authors]),
            f"on {_format_key(self.criterion, called)}" if self.criterion else "",
            self._labels_in_words(called),
            _join_alternatives(self.placements, PLACEMENTS),
            _join_alternatives(self.clashes, CLASHES),
            _join_alternatives(self.agreements, AGREEMENTS),
            _format_name_list("where", [f"{key} is {value}" for key, value in self.slices]),
            "with an unread answer" if self.unread else "",
            "without texts that speak to their judge" if self.leaves_addressed else "",
            "without items on which a judge fell into a trap" if self.leaves_trapped else "",
            f"with the words “{self.words}”" if self.words else "",
            f"in item {self.item}" if self.item else "",
            f"at unit {self.unit}" if self.unit else "",
        ]
        return " ".join(part for part in parts if part) or "in the whole store"

    def _labels_in_words(self, called: Mapping[str, str]) -> str:
        names = [_format_key(each, called) for each in self.labels]
        if self.by in set(AuthorKind):
            return _format_name_list(f"that {_WHO[AuthorKind(self.by)]} call", names)
        return _format_name_list("labelled", names)


def _format_key(key: str, called: Mapping[str, str]) -> str:
    return called.get(key, key).replace("_", " ").lower()


def _join_alternatives(chosen: Iterable[str], phrases: Mapping[str, str]) -> str:
    return " or ".join(phrases.get(each, each) for each in chosen)


def _format_name_list(lead: str, names: tuple[str, ...] | list[str]) -> str:
    if not names:
        return ""
    shown = list(names[:_SHOWN])
    if len(names) > _SHOWN:
        return f"{lead} {', '.join(shown)} and {len(names) - _SHOWN} more"
    if len(shown) == 1:
        return f"{lead} {shown[0]}"
    return f"{lead} {', '.join(shown[:-1])} or {shown[-1]}"
