"""Read the cases of the checks and compare what a check found with what a reader marks."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from faithfulness.checks import CHECKS
from faithfulness.checks.check import CannotCheck, get_marked_words
from faithfulness.model.vocabulary import (
    Certainty,
    Field,
    Finding,
    Item,
    Span,
    Unit,
    UnitKind,
    compute_item_id,
    make_response_unit,
)
from faithfulness.protocols.comparative_summary import format_product
from faithfulness.text.sentences import cut_sentences

FOLDER = Path(__file__).parent / "cases"
_KNOWN = {
    *("is", "query", "response", "page", "reviews", "products", "expect", "cannot", "context"),
    "consistent",
}


class Case(NamedTuple):
    """One item with the marks a careful reader makes; None when it cannot be checked."""

    check: str
    written: str
    name: str
    item: Item
    expect: list[dict[str, Any]] | None
    consistent: bool | None  # whether the sources bear the response out; None where nobody said


class Score(NamedTuple):
    """Marks made, marks that are right, marks that a reader makes, and what went wrong."""

    made: int
    right: int
    wanted: int
    wrong: tuple[str, ...]

    @property
    def precision(self) -> float:
        return self.right / self.made if self.made else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 1.0


def item_of(entry: dict[str, Any]) -> Item:
    fields = []
    for key, name in (("query", "query"), ("page", "detail_page"), ("context", "context")):
        if key in entry:
            fields.append(Field(name=name, kind=name, text=entry[key]))
    if "reviews" in entry:
        said = entry["reviews"]
        text = said if isinstance(said, str) else "\n\n".join(said)
        fields.append(Field(name="reviews", kind="reviews", text=text))
    for number, product in enumerate(entry.get("products", ()), start=1):
        text = format_product(*product)
        fields.append(Field(name=f"product_{number}", kind="product", text=text))
    response = entry["response"]
    fields.append(Field(name="response", kind="response", text=response))
    units = [
        Unit(id=f"s{number}", kind=UnitKind.SENTENCE, field="response", text=response[start:end],
             span=Span(field="response", start=start, end=end))
        for number, (start, end) in enumerate(cut_sentences(response), start=1)
    ]  # fmt: skip
    whole = make_response_unit("response", response)
    return Item(id=compute_item_id(tuple(fields)), fields=tuple(fields), units=(*units, whole))


def cases(check: str | None = None, written: str | None = None) -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.yaml")):
        file = yaml.safe_load(path.read_text(encoding="utf-8"))
        if check not in (None, file["check"]) or written not in (None, file["written"]):
            continue
        for entry in file["cases"]:
            assert set(entry) <= _KNOWN, f"{path.name}: {entry['is']} has {set(entry) - _KNOWN}"
            assert ("expect" in entry) != ("cannot" in entry), f"{path.name}: {entry['is']}"
            expect = entry.get("expect")
            consistent = entry.get("consistent", not expect) if " " in file["written"] else None
            yield Case(
                file["check"], file["written"], entry["is"], item_of(entry), expect, consistent
            )


def marked(finding: Finding, item: Item) -> str:
    """The words a finding marks, in the response or else in the source."""
    words = get_marked_words(finding, item)
    if words is not None:
        return item.text_of("response")[slice(*words)]
    return "" if finding.source is None else text_at(finding.source, item)


def text_at(span: Span, item: Item) -> str:
    return item.text_of(span.field)[span.start : span.end]


def is_met(wanted: dict[str, Any], finding: Finding, item: Item) -> bool:
    """Same rule, words that overlap, never surer than the case allows, and what must be shown."""
    words = marked(finding, item)
    if wanted["kind"] != finding.kind or not (wanted["at"] in words or words in wanted["at"]):
        return False
    if wanted.get("sure") is False and finding.certainty is Certainty.FOUND:
        return False
    near = wanted.get("near", [])
    spans = [each for each in (finding.source, *finding.candidates) if each is not None]
    shown = [text_at(each, item) for each in spans]
    return all(
        any(part in text for text in shown) for part in ([near] if isinstance(near, str) else near)
    )


def score(found: Iterator[Case], *, only_sure: bool = False) -> Score:
    made = right = wanted = 0
    wrong = []
    for case in found:
        result = CHECKS[case.check].run(case.item)
        marks = () if isinstance(result, CannotCheck) else result
        if only_sure:
            marks = tuple(each for each in marks if each.certainty is Certainty.FOUND)
        left = list(case.expect or ())
        wanted += len(left)
        if case.expect is None and not isinstance(result, CannotCheck):
            wrong.append(f"{case.name}: should say that it cannot check")
        for mark in marks:
            made += 1
            met = next((each for each in left if is_met(each, mark, case.item)), None)
            if met is None:
                wrong.append(
                    f"{case.name}: {mark.kind} on {marked(mark, case.item)!r} ({mark.says})"
                )
            else:
                right += 1
                left.remove(met)
        wrong += [f"{case.name}: missed {each}" for each in left]
        if case.expect is not None and isinstance(result, CannotCheck):
            wrong.append(f"{case.name}: cannot check: {result.why}")
    return Score(made, right, wanted, tuple(wrong))
