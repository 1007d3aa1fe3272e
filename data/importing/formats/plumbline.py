"""Importer for the native JSON Lines format, one item per line, as written by the export."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from data.importing.importer import Importer, Options, Source, build_refusal, quote_value
from data.importing.tables.cells import read_value
from data.importing.tables.rows import derive_author_name
from data.importing.tables.scales import format_scale, is_of_another_scale
from data.importing.tables.tables import read_first_row, read_records
from faithfulness.model.drafts import Draft, DraftAnswer, DraftDecision, Number, RawReply, Stated
from faithfulness.model.errors import ImportRefused
from faithfulness.model.vocabulary import FIELD_KINDS, Author, AuthorKind, Field, UnitKind
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.guideline_notes import GENERAL, LONGEST_WORDING

_ITEM = {"protocol", "system", "id", "fields", "attributes", "cut"}
_ITEM |= {"answers", "replies", "numbers", "claims", "further_ids"}
_HOW = ("decided", "like", "unanimous")
_SIGNED = {"author", "author_kind"}
_ANSWER = {*DraftAnswer._fields, *_SIGNED} - {"line"}
_REPLY = {*RawReply._fields, *_SIGNED} - {"line"}
_NUMBER = {*Number._fields, *_SIGNED} - {"line"}


def recognise(sources: Sequence[Source]) -> int:
    marks = {"protocol", "fields"}
    return 100 if sources and all(marks <= read_first_row(each).keys() for each in sources) else 0


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    for source in sources:
        for line, record in read_records(source):
            yield _NativeLine(source, line, options).draft(record)


class _NativeLine:
    """One line of a file, read into a Draft or refused by its number."""

    def __init__(self, source: Source, line: int, options: Options) -> None:
        self._source = source
        self._line = line
        self._options = options
        self._stated: set[Author] = set()

    def draft(self, record: Mapping[str, Any]) -> Draft:
        self._known_keys(record, _ITEM, "an item")
        key = self._text(record, "protocol")
        if key not in PROTOCOLS:
            expected = ", ".join(PROTOCOLS)
            raise self._wrong(f"the protocol is {quote_value(key)}; expected one of {expected}")
        attributes = self._mapping(record.get("attributes") or {}, "attributes")
        cut = record.get("cut")
        return Draft(
            protocol=key,
            system=self._text(record, "system") or self._options.system,
            external_id=self._text(record, "id"),
            fields=tuple(self._field(each) for each in self._list(record, "fields")),
            said=[self._said(key, each) for each in self._list(record, "answers")],
            replies=[self._reply(each) for each in self._list(record, "replies")],
            numbers=[self._number(each) for each in self._list(record, "numbers")],
            claims=[self._claim(each) for each in self._list(record, "claims")],
            attributes={name: self._text(attributes, name) for name in attributes},
            cut=None if cut is None else self._texts(record, "cut"),
            file=self._source.name,
            line=self._line,
            further_ids=self._texts(record, "further_ids"),
            stated_authors=frozenset(self._stated),
        )

    def _field(self, told: Any) -> Field:
        told = self._mapping(told, "a field")
        self._known_keys(told, {"name", "kind", "text"}, "a field")
        name, kind = self._text(told, "name"), self._text(told, "kind")
        if not name or kind not in FIELD_KINDS:
            expected = ", ".join(FIELD_KINDS)
            raise self._wrong(
                f"the field {quote_value(name)} has the kind {quote_value(kind)}; expected "
                f"one of {expected}"
            )
        return Field(name=name, kind=kind, text=self._text(told, "text"))

    def _said(self, protocol_key: str, told: Any) -> DraftAnswer:
        told = self._mapping(told, "an answer")
        self._known_keys(told, _ANSWER, "an answer")
        protocol = PROTOCOLS[protocol_key]
        criteria = {each.key: each for each in protocol.criteria}
        name = self._text(told, "criterion") or protocol.criteria[0].key
        if name not in criteria:
            raise self._wrong(
                f"{protocol.title} has no criterion {quote_value(name)}; expected one of "
                f"{', '.join(criteria)}"
            )
        value, problem = read_value(criteria[name], told.get("value"))
        if problem and format_scale(criteria[name]) and is_of_another_scale(told.get("value")):
            raise self._wrong(
                f"{name}: {problem}. If it is a metric on another scale, write it under numbers"
            )
        if told.get("value") is None and "problem" in told:
            problem = self._text(told, "problem")  # Unread or not judged, as it was stored
        unit = self._text(told, "unit") or protocol.unit.value
        if unit not in list(UnitKind):
            raise self._wrong(
                f"the unit is {quote_value(unit)}; expected one of {', '.join(UnitKind)}"
            )
        start, end = self._offsets(told)
        return DraftAnswer(
            author=self._author(told, AuthorKind.RATER),
            criterion=name,
            value=value,
            unit=UnitKind(unit),
            text=self._text(told, "text"),
            field=self._text(told, "field") or "response",
            sentence=self._text(told, "sentence"),
            rationale=self._text(told, "rationale"),
            excerpts=self._texts(told, "excerpts"),
            links=self._texts(told, "links"),
            checks=self._texts(told, "checks"),
            comment=self._text(told, "comment"),
            confidence=self._float(told, "confidence"),
            parts=[self._part(each) for each in self._list(told, "parts")],
            problem=problem,
            line=self._line,
            unit_id=self._text(told, "unit_id"),
            decision=self._ruling(told),
            start=start,
            end=end,
        )

    def _offsets(self, told: Mapping[str, Any]) -> tuple[int | None, int | None]:
        start, end = told.get("start"), told.get("end")
        are_missing = start is None and end is None
        if not are_missing and not all(type(each) is int and each >= 0 for each in (start, end)):
            raise self._wrong(
                f"start and end are {quote_value(start)} and {quote_value(end)}; expected "
                "two whole numbers "
                "that count the characters of the response from 0"
            )
        return start, end

    def _ruling(self, told: Mapping[str, Any]) -> DraftDecision | None:
        if told.get("decision") is None:
            return None
        if told.get("author_kind") != AuthorKind.ADJUDICATOR:
            raise self._wrong("a decision is signed by somebody who is no adjudicator")
        said = self._mapping(told["decision"], "a decision")
        self._known_keys(said, {*DraftDecision._fields}, "a decision")
        texts = {
            name: self._text(said, name) for name in DraftDecision._fields if name != "seconds"
        }
        if not texts["reason"].strip():
            raise self._wrong("a decision has no reason; write why its value counts")
        texts["how"] = texts["how"] or _HOW[0]
        if texts["how"] not in _HOW:
            expected = ", ".join(_HOW)
            raise self._wrong(
                f"a decision came as {quote_value(texts['how'])}; expected {expected}"
            )
        texts["wording"] = texts["wording"].strip()
        texts["section"] = texts["wording"] and (texts["section"].strip() or GENERAL)
        if len(texts["wording"]) > LONGEST_WORDING:
            raise self._wrong(
                f"a decision proposes {len(texts['wording']):,} characters for the guidance; "
                f"expected at most {LONGEST_WORDING:,}"
            )
        return DraftDecision(**texts, seconds=self._float(said, "seconds") or 0.0)

    def _claim(self, told: Any) -> Stated:
        told = self._mapping(told, "a claim")
        self._known_keys(told, {*Stated._fields}, "a claim")
        return Stated(
            text=self._text(told, "text"),
            field=self._text(told, "field") or "response",
            sentence=self._text(told, "sentence"),
        )

    def _part(self, told: Any) -> tuple[int, int, str]:
        is_part = isinstance(told, list) and [type(each) for each in told] == [int, int, str]
        if not is_part:
            raise self._wrong("a part is not a list of start, end and value")
        return told[0], told[1], told[2]

    def _reply(self, told: Any) -> RawReply:
        told = self._mapping(told, "a reply")
        self._known_keys(told, _REPLY, "a reply")
        return RawReply(
            author=self._author(told, AuthorKind.JUDGE),
            text=self._text(told, "text"),
            model=self._text(told, "model"),
            finish_reason=self._text(told, "finish_reason"),
            line=self._line,
        )

    def _number(self, told: Any) -> Number:
        told = self._mapping(told, "a number")
        self._known_keys(told, _NUMBER, "a number")
        return Number(
            author=self._author(told, AuthorKind.JUDGE),
            name=self._text(told, "name"),
            value=self._float(told, "value"),
            line=self._line,
        )

    def _author(self, told: Mapping[str, Any], default: AuthorKind) -> Author:
        name, kind = self._text(told, "author"), self._text(told, "author_kind")
        if kind and kind not in list(AuthorKind):
            expected = ", ".join(AuthorKind)
            raise self._wrong(f"author_kind is {quote_value(kind)}; expected one of {expected}")
        if not name:
            return self._options.signed_by(derive_author_name(self._source), default)
        author = Author(kind=AuthorKind(kind) if kind else default, name=name)
        if kind:
            self._stated.add(author)
        return author

    def _known_keys(self, told: Mapping[str, Any], known: set[str], thing: str) -> None:
        for key in told.keys() - known:
            raise self._wrong(
                f"{thing} has no key {quote_value(key)}; expected {', '.join(sorted(known))}"
            )

    def _mapping(self, told: Any, thing: str) -> Mapping[str, Any]:
        if not isinstance(told, dict):
            raise self._wrong(
                f"{thing} is {quote_value(told)}; expected names and values in braces"
            )
        return told

    def _list(self, told: Mapping[str, Any], key: str) -> list[Any]:
        value = told.get(key)
        if value is not None and not isinstance(value, list):
            raise self._wrong(f"{key} is {quote_value(value)}; expected a list")
        return value or []

    def _text(self, told: Mapping[str, Any], key: str) -> str:
        value = told.get(key)
        if value is not None and not isinstance(value, str):
            raise self._wrong(f"{key} is {quote_value(value)}; expected a text")
        return value or ""

    def _texts(self, told: Mapping[str, Any], key: str) -> tuple[str, ...]:
        values = self._list(told, key)
        if not all(isinstance(each, str) for each in values):
            raise self._wrong(f"{key} holds something that is no text")
        return tuple(values)

    def _float(self, told: Mapping[str, Any], key: str) -> float | None:
        value = told.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._wrong(f"{key} is {quote_value(value)}; expected a number")
        return float(value)

    def _wrong(self, problem: str) -> ImportRefused:
        return build_refusal(self._source, self._line, problem)


IMPORTER = Importer(
    key="plumbline",
    title="Plumbline",
    about="Our own JSON lines, one item a line with all its answers, as the export writes them.",
    extensions=(".jsonl", ".ndjson", ".json"),
    protocols=tuple(PROTOCOLS),
    recognise=recognise,
    read=read,
)
