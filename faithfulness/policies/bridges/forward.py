"""Derive answers about the whole response, for three protocols, from a statement profile."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

from faithfulness.model.wording import format_count, format_percent
from faithfulness.policies.bridges.profile import ImpliedMeaning, StatementProfile
from faithfulness.policies.policies import Absent, Policy
from faithfulness.protocols.response_consistency import QUERY_TYPE

SEVERAL = 3  # from so many faults on a score of 2: the levels say "more than one" and "several"

Forward = Callable[[StatementProfile, Policy], ImpliedMeaning]


def derive_meaning(profile: StatementProfile, criterion: str, policy: Policy) -> ImpliedMeaning:
    """What a profile means under a criterion of FORWARD, by a policy.

    Unknown statements and an unknown query type are tried out in every way: where all of them
    lead to the same answer it is decided, else `values` are all answers that fit.
    """
    return _derive_uncached_meaning(profile, criterion, policy)


@lru_cache(maxsize=65_536)
def _derive_uncached_meaning(
    profile: StatementProfile, criterion: str, policy: Policy
) -> ImpliedMeaning:
    if not profile.stated + profile.no_rad + profile.not_supported + profile.open:
        return ImpliedMeaning((), False, "nobody labelled a statement of this response", "")
    forward = FORWARD[criterion]
    if profile.is_settled:
        return _derive_by_query_type(profile, forward, policy)
    found = {
        each: None
        for one in profile.settled()
        for each in [_derive_by_query_type(one, forward, policy)]
    }
    return _combine_meanings(list(found), _explain_undecided(profile))


def _derive_by_query_type(
    profile: StatementProfile, forward: Forward, policy: Policy
) -> ImpliedMeaning:
    if policy.absent is not Absent.BY_QUERY_TYPE or profile.query_type:
        return forward(profile, policy)
    kinds = [replace(profile, query_type=kind) for kind in QUERY_TYPE.scale.values]
    found = dict.fromkeys(forward(each, policy) for each in kinds)
    why = (
        "the query type is not known, and it decides what a gap counts as "
        f"({_format_gaps(profile)})"
    )
    return _combine_meanings(list(found), why)


def _combine_meanings(found: list[ImpliedMeaning], why: str) -> ImpliedMeaning:
    """One answer where all lead to the same, else everything that fits."""
    first = found[0]
    if len(found) == 1:
        return first
    if all(each.decided and each.values[0] == first.values[0] for each in found):
        values = tuple(dict.fromkeys(value for each in found for value in each.values))
        return ImpliedMeaning(values, True, first.reason, first.rule)
    values = tuple(dict.fromkeys(value for each in found for value in each.values))
    return ImpliedMeaning(values, False, why, "")


def _format_gaps(profile: StatementProfile) -> str:
    return f"{format_count(profile.unsupported, 'statement')} without a source"


def _explain_undecided(profile: StatementProfile) -> str:
    """Why a profile decides nothing: in general, then with numbers."""
    parts = []
    if profile.open:
        many = format_count(profile.open, "statement")
        parts.append(("statements without a label could still decide it", many))
    if profile.not_supported:
        many = format_count(profile.not_supported, "false claim")
        parts.append(("a false claim may be denied by a source or only be missing there", many))
    general, numbers = zip(*parts, strict=True)
    return f"{', and '.join(general)} ({', '.join(numbers)})"


def _resolve_absent_policy(profile: StatementProfile, policy: Policy) -> Absent:
    if policy.absent is not Absent.BY_QUERY_TYPE:
        return policy.absent
    return Absent.CONTRADICTION if profile.query_type == "factoid" else Absent.GAP


def _is_enough(part: int, whole: int, share: float) -> bool:
    return part >= share * whole - 1e-9  # 0.8 of ten is eight


def derive_consistency(profile: StatementProfile, policy: Policy) -> ImpliedMeaning:
    """One of the six answers."""
    if not profile.stated:
        reason = "no sentence states anything that a source could bear out"
        return ImpliedMeaning(("nothing_to_check",), True, reason, "RC-small-talk")
    if profile.contradictory and policy.one_error_spoils:
        many = format_count(profile.contradictory, "statement")
        reason = f"{many} denied by a source, and one is enough"
        return ImpliedMeaning(("no_contrary_evidence",), True, reason, "RC-one-error")
    if profile.unsupported and _resolve_absent_policy(profile, policy) is Absent.CONTRADICTION:
        many = format_count(profile.unsupported, "statement")
        of = " of a factoid query" if policy.absent is Absent.BY_QUERY_TYPE else ""
        reason = f"{many}{of} not in the sources, which counts as contrary evidence"
        return ImpliedMeaning(("no_contrary_evidence",), True, reason, "RC-absent")
    if profile.clashing:
        many = format_count(profile.clashing, "statement")
        reason = f"the sources contradict each other on {many}"
        return ImpliedMeaning(("unsure",), True, reason, "RC-sources-clash")
    return _derive_by_share(profile, policy)


def _derive_by_share(profile: StatementProfile, policy: Policy) -> ImpliedMeaning:
    """What remains: all borne out, or some of it not."""
    found, stated = profile.supported, profile.stated
    told = f"{found} of {format_count(stated, 'checkable statement')} borne out"
    if found == stated:
        return ImpliedMeaning(("yes_evidence",), True, told, "RC-all-statements")
    if policy.absent is Absent.BY_QUERY_TYPE:
        return _derive_gaps_by_query_type(profile, policy, told)
    rule = "RC-80" if policy.one_error_spoils else "CS-levels"
    if _is_enough(found, stated, policy.enough):
        return ImpliedMeaning(("yes_evidence",), True, f"{told}, which is enough", rule)
    reason = f"{told}, less than {format_percent(policy.enough)}"
    return ImpliedMeaning(("no_contrary_evidence",), True, reason, rule)


def _derive_gaps_by_query_type(
    profile: StatementProfile, policy: Policy, told: str
) -> ImpliedMeaning:
    """Gaps under the consistency guideline, which has no rule for each case."""
    known, against = "yes_common_knowledge", "no_against_common_knowledge"
    if profile.query_type == "generic":
        reason = f"common knowledge decides what no source holds, and labels do not say it ({told})"
        return ImpliedMeaning((known, against), False, reason, "RC-known")
    if profile.query_type == "opinion":
        reason = f"the guideline does not say what a gap counts as for an opinion query ({told})"
        return ImpliedMeaning(
            ("yes_evidence", "no_contrary_evidence"), False, reason, "RC-sentiment"
        )
    if _is_enough(profile.supported, profile.stated, policy.enough):
        reason = f"{told}, which is enough for a broad query"
        return ImpliedMeaning(("yes_evidence",), True, reason, "RC-80")
    share = format_percent(policy.enough)
    reason = f"the guideline names no answer for a broad query below {share} ({told})"
    return ImpliedMeaning((known, "no_contrary_evidence", against), False, reason, "RC-80")


def derive_faithfulness(profile: StatementProfile, policy: Policy) -> ImpliedMeaning:
    """The comparative score from 1 to 5, by how many statements are wrong or cannot be found."""
    if not profile.stated:
        return ImpliedMeaning(
            (), False, "no sentence states anything that could be checked", "CS-metric"
        )
    strict = _resolve_absent_policy(profile, policy) is Absent.CONTRADICTION
    errors = profile.contradictory + profile.clashing + (profile.unsupported if strict else 0)
    gaps = 0 if strict else profile.unsupported
    faults = errors + gaps
    told = _format_faults(errors, gaps, profile.stated)
    score = "3"
    if not faults:
        score = "5"
    elif 2 * faults > profile.stated:
        score = "1"
    elif not errors and (gaps == 1 or _are_gaps_overlooked(profile, policy)):
        score = "4"
    elif faults >= SEVERAL or (errors and policy.one_error_spoils):
        score = "2"
    return ImpliedMeaning((score,), True, told, "CS-levels")


def _are_gaps_overlooked(profile: StatementProfile, policy: Policy) -> bool:
    return policy.overlooks_gaps and _is_enough(profile.supported, profile.stated, policy.enough)


def _format_faults(errors: int, gaps: int, stated: int) -> str:
    if not errors and not gaps:
        return f"all of {format_count(stated, 'checkable statement')} borne out"
    return (
        f"{errors} wrong and {gaps} not to be found of "
        f"{format_count(stated, 'checkable statement')}"
    )


def derive_accuracy(profile: StatementProfile, policy: Policy) -> ImpliedMeaning:
    """The best accuracy score that the labels allow: they say nothing of language or clarity."""
    if not profile.stated:
        return ImpliedMeaning(
            (), False, "no sentence states anything that could be checked", "ER-clear"
        )
    strict = _resolve_absent_policy(profile, policy) is Absent.CONTRADICTION
    errors = profile.contradictory + profile.clashing + (profile.unsupported if strict else 0)
    gaps = 0 if strict else profile.unsupported
    told = (
        f"{_format_faults(errors, gaps, profile.stated)}; labels say nothing of language or clarity"
    )
    if errors:
        if not policy.one_error_spoils and _is_enough(
            profile.supported, profile.stated, policy.enough
        ):
            return ImpliedMeaning(("3", "2", "1"), True, told, "ER-misrepresents")
        return ImpliedMeaning(("2", "1"), True, told, "ER-misrepresents")
    if gaps:
        return ImpliedMeaning(("3", "1"), True, told, "ER-invented-compatible")
    return ImpliedMeaning(("5", "4", "3", "1"), True, told, "ER-nothing-invented")


FORWARD: Mapping[str, Forward] = {
    "consistency": derive_consistency,
    "faithfulness": derive_faithfulness,
    "accuracy": derive_accuracy,
}
