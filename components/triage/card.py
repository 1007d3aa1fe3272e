"""Data of a disagreement card: both sides, the unit, the evidence and the reasons."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from components.contradictions.cards import NOUNS
from components.contradictions.evidence import MOST, evidence_of
from components.triage.sources import texts_at_once
from components.ui.address import PAGES, link
from components.ui.as_data import as_data
from components.ui.label_colors import look, look_of
from components.ui.numbers import counted, day
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Annotation, AuthorKind, UnitKind
from faithfulness.model.wording import taken_back, takes_back, unit_in_words, unsure
from faithfulness.review.disagreement import (
    ERROR_CLASSES,
    KINDS,
    Decision,
    Disagreement,
    Earlier,
    explain,
    votes,
)

READ = 3_000  # characters of all texts that a card without a quote has open at once
_SIDES = ((AuthorKind.JUDGE, "judge"), (AuthorKind.RATER, "rater"))


def key_of(found: Disagreement) -> str:
    """Names a disagreement in the browser, whatever page it stands on."""
    case = found.case
    return "\x1f".join((case.run_id, case.item.id, case.unit.id, found.criterion.key))


def place_of(key: str) -> Selection:
    """Where other pages find the unit of such a key."""
    run_id, item_id, unit_id, _ = key.split("\x1f")
    return Selection(runs=(run_id,), item=item_id, unit=unit_id)


def card_data(
    found: Disagreement,
    earlier: Earlier,
    protocol: Protocol,
    *,
    named: bool = True,
    most: int = MOST,
    read: int = READ,
) -> dict[str, Any]:
    """Everything one card shows at once, with `most` quotes at most.

    Where nobody quotes any words the item's texts stand open, if they have at most `read`
    characters; else they are sent when they are opened: `sources.send_texts`.

    Without `named` authors are told apart but not known.
    """
    case, criterion = found.case, found.criterion
    called = _names(case.annotations, named=named)
    noun = NOUNS[case.unit.kind]
    here = place_of(key_of(found))
    shown = as_data(evidence_of(case.item, case.unit, case.annotations, most=most))
    return {
        "key": key_of(found),
        "seen": found.seen,
        "item": case.external_id or case.item.id[:8],
        "unit": noun if case.of == 1 else f"{noun} {case.number} of {case.of}",
        "text": case.unit.text[:160],
        "whole": case.unit.kind is UnitKind.RESPONSE,
        "where": [case.run_name, protocol.title],
        "question": criterion.question,
        "several": len(protocol.criteria) > 1,
        "why": list(explain(found)),
        "kinds": [KINDS[each] for each in found.kinds],
        "sides": _sides(found, called),
        "evidence": shown | {"quotes": [_quote(each, called) for each in shown["quotes"]]},
        "texts": texts_at_once(case, 0 if shown["quotes"] else read),
        "voices": [_voice(each, criterion, called) for each in case.annotations],
        "samples": _samples(found, called),
        "labels": [
            {"value": each.value, "meaning": each.meaning} | as_data(look(each, criterion.scale))
            for each in criterion.scale.labels
        ],
        "decisions": [_decision(each, criterion, found.decisions) for each in found.decisions],
        "decided": bool(found.decided),
        "earlier": _earlier(earlier, criterion),
        "reader": link("item", here),
        "rerun": link("rerun", here) if (PAGES / "rerun.py").is_file() else "",
    }


def _names(said: Sequence[Annotation], *, named: bool) -> Mapping[str, str]:
    if named:
        return {each.author.name: each.author.name for each in said}
    numbers: Counter[AuthorKind] = Counter()
    found = {}
    for each in said:
        numbers[each.author.kind] += 1
        kind = each.author.kind.value.capitalize()
        found[each.author.name] = f"{kind} {numbers[each.author.kind]}"
    return found


def _sides(found: Disagreement, called: Mapping[str, str]) -> list[dict[str, Any]]:
    sides = []
    for kind, one in _SIDES:
        counts = votes(found.said, kind)
        total = sum(counts.values())
        if not total:
            continue
        alone = next(each.author.name for each in found.said if each.author.kind is kind)
        sides.append(
            {
                "who": called[alone] if total == 1 else counted(total, one),
                "votes": [
                    as_data(look(found.criterion.scale.label(value), found.criterion.scale))
                    | {"count": count, "of": total}
                    for value, count in counts.most_common()
                ],
            }
        )
    return sides


def _quote(quote: dict[str, Any], called: Mapping[str, str]) -> dict[str, Any]:
    return quote | {"by": [called.get(name, name) for name in quote["by"]]}


def _voice(said: Annotation, criterion: Criterion, called: Mapping[str, str]) -> dict[str, Any]:
    answer = said.answer
    return {
        "name": called[said.author.name],
        "kind": said.author.kind.value,
        "value": answer.value,
        "look": as_data(look_of(answer, criterion)),
        "why": answer.rationale or answer.comment or answer.problem,
        "sure": answer.confidence,
        "unsure": unsure(answer.confidence),
    }


def _samples(found: Disagreement, called: Mapping[str, str]) -> list[dict[str, Any]]:
    scale = found.criterion.scale
    return [
        {
            "name": called.get(name, name),
            "looks": [as_data(look(scale.label(each), scale)) for each in values if each in scale],
        }
        for name, values in found.samples
    ]


def _decision(
    decision: Decision, criterion: Criterion, known_ones: Sequence[Decision] = ()
) -> dict[str, Any]:
    scale = criterion.scale
    known = decision.value in scale if decision.value else False
    shown = as_data(look(scale.label(str(decision.value)), scale)) if known else None
    return {
        "look": shown,
        "by": decision.by,
        "reason": _reason(decision, criterion, known_ones),
        "class": ERROR_CLASSES.get(decision.error_class, decision.error_class),
        "when": day(decision.decided_at),
        "current": decision.is_current,
        "of": _case_in_words(decision.of),
    }


def _reason(decision: Decision, criterion: Criterion, known_ones: Sequence[Decision]) -> str:
    """Where one was taken back, which; not under what number it is stored."""
    number, scale = taken_back(decision.reason), criterion.scale
    if not number:
        return decision.reason
    gone = next((each for each in known_ones if each.number == number), None)
    if gone is None or gone.value is None or gone.value not in scale:
        return takes_back("", "")
    return takes_back(scale.label(gone.value).title, gone.reason)


def _earlier(earlier: Earlier, criterion: Criterion) -> dict[str, Any]:
    scale = criterion.scale
    return {
        "total": sum(earlier.values.values()),
        "values": [
            as_data(look(scale.label(value), scale)) | {"count": count}
            for value, count in earlier.values.items()
        ],
        "examples": [_decision(each, criterion) for each in earlier.examples],
        "like": earlier.like,
        "here": earlier.like_here,
        "runs": earlier.like_runs,
    }


def _case_in_words(of: str) -> str:
    """An item and its unit, as people call them."""
    item, _, unit = of.rpartition(" · ")
    return f"{item} · {unit_in_words(unit)}" if item else of
