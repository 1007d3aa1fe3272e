"""The parameters of one agreement comparison, shared by page, command and export."""

from dataclasses import dataclass
from typing import Any

from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import Side


@dataclass(frozen=True, kw_only=True, slots=True)
class AgreementQuestion:
    """What is compared: under which criterion, on which items, who with whom.

    Attributes:
        selection: Narrows to items, as everywhere in `data.agreement.pairs`.
        criterion: The criterion's key; the protocol's first where empty.
        reference: The side that counts as right.
        judge: The side that is looked at.
        by: What to cut the items by, one of `slice_keys`; not at all where empty.
        field: Only units of one reviewed field: a direction of the claim protocol.
        raters_are: skilled, expert or crowd; decides the margin of the alt-test.
        policy: A key of POLICIES: compare across protocols, by this reading of the rules.
        judge_protocol: Under which protocol the judge answered; the selection's where empty.
        to: Under which protocol both are compared; the one of a side that answers about the whole
            response where empty, else response consistency.
    """

    selection: Selection
    criterion: str = ""
    reference: Side
    judge: Side
    by: str = ""
    field: str = ""
    raters_are: str = "skilled"
    policy: str = ""
    judge_protocol: str = ""
    to: str = ""

    def as_words(self) -> dict[str, Any]:
        """The question as JSON holds it, on its way to the process that has the store open.

        Commands narrow by protocol and runs, so no more of the selection travels.
        """
        return {
            "protocol": self.selection.protocol,
            "runs": list(self.selection.runs),
            "criterion": self.criterion,
            "reference": self.reference.as_text,
            "judge": self.judge.as_text,
            "by": self.by,
            "field": self.field,
            "raters_are": self.raters_are,
            "policy": self.policy,
            "judge_protocol": self.judge_protocol,
            "to": self.to,
        }
