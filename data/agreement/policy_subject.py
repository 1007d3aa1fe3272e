"""Resolve and validate the protocols and sides of a comparison across protocols."""

from dataclasses import dataclass, replace

from data.agreement.cells import SECONDS
from data.agreement.pairs import load_sides
from data.agreement.policy_profiles import PARTNERS
from data.agreement.question import AgreementQuestion
from data.items.sample_runs import in_any_run
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import Side
from faithfulness.policies.bridges import BRIDGED_CRITERION, FORWARD
from faithfulness.policies.policies import Policy
from faithfulness.protocols import protocol

DEFAULT_TARGET = "response_consistency"


def load_policy_subject(store: Store, asked: AgreementQuestion) -> "PolicySubject":
    """The question with its protocols, after a look at everything it names.

    Raises:
        ReviewError: there is no bridge between the two, or an author has no label there.
    """
    if not asked.selection.protocol:
        raise ReviewError("Name the protocol under which the reference answered.")
    first = protocol(asked.selection.protocol)
    second = protocol(asked.judge_protocol or first.key)
    wholes = [each.key for each in (first, second) if BRIDGED_CRITERION[each.key] in FORWARD]
    target = protocol(asked.to or (wholes[0] if wholes else DEFAULT_TARGET))
    if BRIDGED_CRITERION[target.key] not in FORWARD:
        raise ReviewError(
            f"{target.title} answers about pieces; name a protocol that answers about the whole "
            "response, such as response_consistency."
        )
    for each in (first, second):
        if each.key != target.key and each.key in wholes:
            raise ReviewError(
                f"Answers about the whole under {each.title} do not become answers under "
                f"{target.title}: they only say what would fit."
            )
    if first.key == second.key == target.key:
        raise ReviewError(
            f"Both sides answer under {target.title}, so that no policy changes anything. Choose "
            "a side that labels sentences or claims."
        )
    for side, own in ((asked.reference, first), (asked.judge, second)):
        _check_has_labels(store, asked, side, own)
    return PolicySubject(
        asked=asked, reference_protocol=first, judge_protocol=second, target=target
    )


def count_partner_items(store: Store, selection: Selection) -> dict[str, int]:
    """Protocols of a judge that can be compared with the selection's, with how many items meet.

    The selection's own protocol is among them where it labels pieces: both sides are bridged then.
    """
    own = protocol(selection.protocol)
    facts = {"protocol": own.key, "runs": list(selection.runs)}
    with store.read(seconds=SECONDS) as cursor:
        found = dict(cursor.execute(PARTNERS, facts).fetchall())
    wholes = {key for key, each in BRIDGED_CRITERION.items() if each in FORWARD}
    return {
        key: int(found[key])
        for key in BRIDGED_CRITERION
        if key in found and not (own.key in wholes and key in wholes)
    }


def _check_has_labels(store: Store, asked: AgreementQuestion, side: Side, own: Protocol) -> None:
    """That the side has labels under its protocol.

    Raises:
        ReviewError: it has none.
    """
    runs = in_any_run(store, asked.selection)
    selection = replace(asked.selection, protocol=own.key, runs=runs)
    offered = set(
        load_sides(store, selection, BRIDGED_CRITERION[own.key], with_baseline=True)["side_text"]
    )
    if side.author is not None and side.as_text not in offered:
        there = ", ".join(sorted(offered)) or "nobody"
        raise ReviewError(
            f"{side.as_text} has no label under {own.title}. Those who have: {there}."
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class PolicySubject:
    """A question with the protocols of both sides and the one they are compared under."""

    asked: AgreementQuestion
    reference_protocol: Protocol
    judge_protocol: Protocol
    target: Protocol

    @property
    def criterion(self) -> str:
        return BRIDGED_CRITERION[self.target.key]

    @property
    def values(self) -> tuple[str, ...]:
        return self.target.criterion(self.criterion).scale.values

    def bridged(self, side: str) -> bool:
        """Whether a side ("reference" or "judge") answers under another protocol."""
        own = self.reference_protocol if side == "reference" else self.judge_protocol
        return own.key != self.target.key

    def marked(self, side: str, by: Policy) -> str:
        """The side as text, with the policy's name where it is bridged."""
        text = (self.asked.reference if side == "reference" else self.asked.judge).as_text
        return f"{text} bridged by {by.key}" if self.bridged(side) else text
