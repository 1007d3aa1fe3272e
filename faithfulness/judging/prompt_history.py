"""Data types for prompt versions, and for the agreement of judges with raters per version."""

from dataclasses import dataclass
from datetime import datetime

from faithfulness.model.prompt import Prompt
from faithfulness.statistics.tables import PairTables


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptVersion:
    """One prompt version: its words, where it comes from, and who was told it when."""

    prompt: Prompt
    is_shipped: bool
    based_on: str = ""
    note: str = ""
    made_by: str = ""
    first_used_at: datetime | None = None  # None: no judge who reads prompts was told it
    last_used_at: datetime | None = None
    judges: tuple[str, ...] = ()
    items: int = 0
    replies: int = 0


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class VersionAgreement:
    """One judge told one prompt version, against the majority of the raters.

    The offline baseline is left out: it reads no prompt. A sentence that a judge took together with
    its neighbour counts on each of our units.
    """

    fingerprint: str
    judge: str
    first_at: datetime
    last_at: datetime
    tables: PairTables
    labelled: int  # units with a label of the judge
    unrated: int  # of these, without a rater's label
    tied: int  # of these, without a majority
    unread: int  # units without a label, because the reply could not be read there

    @property
    def why_none(self) -> str:
        """Why there is nothing to compare; empty when there is."""
        if self.tables.units_n:
            return ""
        if not self.labelled:
            return "none of its replies could be read"
        return "the raters come to no majority here" if self.tied else "no rater answered here"
