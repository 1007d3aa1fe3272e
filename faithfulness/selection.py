"""Selection: which part of the store is being looked at."""

from dataclasses import dataclass

from faithfulness.vocabulary import Author

_SHOWN = 3  # names in a sentence before it says "and 4 more"


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """Which runs, authors, labels and words are looked at; what is empty does not narrow."""

    protocol: str = ""
    runs: tuple[str, ...] = ()
    authors: tuple[Author, ...] = ()
    criterion: str = ""
    labels: tuple[str, ...] = ()
    unread: bool = False  # only items with an Unread answer
    words: str = ""  # stands in a text of the item, whatever the case
    item: str = ""
    unit: str = ""

    @property
    def is_everything(self) -> bool:
        return self == Selection()

    def in_words(self) -> str:
        """The selection as the end of a sentence: "No contradictions … in run a by judge b"."""
        parts = [
            _listed("in run", self.runs),
            f"under {self.protocol.replace('_', ' ')}" if self.protocol else "",
            _listed("by", [f"{each.kind} {each.name}" for each in self.authors]),
            f"on {self.criterion.replace('_', ' ')}" if self.criterion else "",
            _listed("labelled", [each.replace("_", " ") for each in self.labels]),
            "with an unread answer" if self.unread else "",
            f"with the words “{self.words}”" if self.words else "",
            f"in item {self.item}" if self.item else "",
            f"at unit {self.unit}" if self.unit else "",
        ]
        return " ".join(part for part in parts if part) or "in the whole store"


def _listed(lead: str, names: tuple[str, ...] | list[str]) -> str:
    if not names:
        return ""
    shown = list(names[:_SHOWN])
    if len(names) > _SHOWN:
        return f"{lead} {', '.join(shown)} and {len(names) - _SHOWN} more"
    if len(shown) == 1:
        return f"{lead} {shown[0]}"
    return f"{lead} {', '.join(shown[:-1])} or {shown[-1]}"
