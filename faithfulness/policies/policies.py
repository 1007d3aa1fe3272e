"""Policies: named interpretations of the rules on which the protocols differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from faithfulness.model.errors import ReviewError
from faithfulness.model.wording import format_percent


class Absent(StrEnum):
    """What a statement counts as that no source holds and none denies."""

    CONTRADICTION = "contradiction"
    GAP = "gap"
    BY_QUERY_TYPE = "by_query_type"


QUESTIONS: Mapping[str, str] = {
    "absent": "Is “not in the source” a contradiction?",
    "partial": "Is partial support enough?",
    "share": "Does 80 % suffice?",
    "common_knowledge": "Is common knowledge allowed?",
    "one_error": "Does one error spoil all?",
}
_ABSENT = {
    Absent.CONTRADICTION: "Yes, always.",
    Absent.GAP: "No, it is a gap.",
    Absent.BY_QUERY_TYPE: "Yes for a factoid query; for others it is a gap.",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """One reading of the rules, with where it comes from.

    Attributes:
        key: Stands in addresses, commands and files; never renamed.
        title: What people read.
        about: The reading in plain words.
        systems: Keys of the protocols whose rules it follows.
        source_rule: The rule behind it, in our own words.
        absent: What a statement counts as that no source holds.
        partial_is_enough: Whether a piece counts as supported when only most of it is.
        enough: The share of checkable statements that must be borne out where gaps are allowed.
        common_knowledge: Whether what everybody knows may stand without a source.
        one_error_spoils: Whether a single falsified statement decides the whole.
    """

    key: str
    title: str
    about: str
    systems: tuple[str, ...]
    source_rule: str
    absent: Absent
    partial_is_enough: bool
    enough: float
    common_knowledge: bool
    one_error_spoils: bool

    @property
    def answers(self) -> Mapping[str, str]:
        """What it says to each of QUESTIONS, as people read it."""
        return {
            "absent": _ABSENT[self.absent],
            "partial": "Yes, most of it." if self.partial_is_enough else "No, all of it.",
            "share": self._share(),
            "common_knowledge": "Yes." if self.common_knowledge else "No.",
            "one_error": "Yes." if self.one_error_spoils else "No, it is weighed with the rest.",
        }

    @property
    def overlooks_gaps(self) -> bool:
        """Whether some statements may go unproved as long as nothing is wrong."""
        return self.absent is Absent.GAP and self.one_error_spoils and self.enough < 1

    def _share(self) -> str:
        if self.absent is Absent.BY_QUERY_TYPE:
            return f"Yes, {format_percent(self.enough)} for a broad query."
        if self.absent is Absent.CONTRADICTION:
            return "No, everything must be found."
        return (
            f"Yes, {format_percent(self.enough)}."
            if self.enough
            else "Any share: gaps do not count."
        )


BY_QUERY_TYPE = Policy(
    key="by_query_type",
    title="By query type",
    about="What is missing from the sources is contrary evidence for a factoid query, is forgiven "
    "up to a fifth for a broad one, and is left to common knowledge for a generic one.",
    systems=("response_consistency",),
    source_rule="The consistency guideline: a factoid statement found nowhere is made up, a broad "
    "response may pass with four fifths found, everyday matters are settled by what everybody "
    "knows, and one wrong statement makes the answer a no.",
    absent=Absent.BY_QUERY_TYPE,
    partial_is_enough=False,
    enough=0.8,
    common_knowledge=True,
    one_error_spoils=True,
)
ALL_IN_SOURCE = Policy(
    key="all_in_source",
    title="All in the source",
    about="Every checkable statement has to stand in the sources, whole. What does not counts as "
    "if a source denied it.",
    systems=("response_consistency", "claim_overlap"),
    source_rule="Claim judgments call a claim false whether the other article denies it, leaves "
    "it out or confirms only a part; the consistency guideline treats factoid queries alike.",
    absent=Absent.CONTRADICTION,
    partial_is_enough=False,
    enough=1.0,
    common_knowledge=False,
    one_error_spoils=True,
)
MOST_FOUND = Policy(
    key="most_found",
    title="Four fifths found",
    about="Four of five checkable statements have to stand in the sources, and none may be "
    "denied by them. Less than that is a no.",
    systems=("response_consistency",),
    source_rule="The consistency guideline's clause for broad queries, taken for every query: "
    "evidence for about 80 % of a response is enough as long as nothing in it is wrong.",
    absent=Absent.GAP,
    partial_is_enough=True,
    enough=0.8,
    common_knowledge=False,
    one_error_spoils=True,
)
CONTRADICTIONS_ONLY = Policy(
    key="contradictions_only",
    title="Contradictions only",
    about="Only what a source denies makes a response false. What no source mentions is a gap "
    "and no error.",
    systems=("sentence_grounding", "expert_rubric"),
    source_rule="Sentence labels keep “unsupported” apart from “contradictory”, and the expert "
    "rubric ranks added facts that the fragments do not deny above misreported ones.",
    absent=Absent.GAP,
    partial_is_enough=False,
    enough=0.0,
    common_knowledge=False,
    one_error_spoils=True,
)
WEIGHED = Policy(
    key="weighed",
    title="Errors weighed",
    about="Errors and gaps are counted against what is right. One of them lowers the score and "
    "does not decide it: from four fifths right on, a response passes.",
    systems=("comparative_summary",),
    source_rule="The five levels of the comparative score count how much is wrong or cannot be "
    "found, from one small statement to most of the summary.",
    absent=Absent.GAP,
    partial_is_enough=False,
    enough=0.8,
    common_knowledge=False,
    one_error_spoils=False,
)

POLICIES: dict[str, Policy] = {
    each.key: each
    for each in (BY_QUERY_TYPE, ALL_IN_SOURCE, MOST_FOUND, CONTRADICTIONS_ONLY, WEIGHED)
}


def policy(key: str) -> Policy:
    """The policy with this key.

    Raises:
        ReviewError: there is none.
    """
    if key not in POLICIES:
        raise ReviewError(f"There is no policy {key!r}. Use one of: {', '.join(POLICIES)}.")
    return POLICIES[key]
