"""Collect the rows of a prepared import and convert them to Arrow tables."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from data.importing.import_tables import SCHEMAS, list_finding_values
from data.importing.preview.copied_raters import NO_WORDS, Heard, Voice
from faithfulness.checks.against import VERSION, collect_counterevidence
from faithfulness.intake.intake import PreparedItem, SignedAnswer
from faithfulness.model.drafts import Draft
from faithfulness.model.vocabulary import Answer, AuthorKind, Item, Span, Unit


class Sheets:
    """Rows of every table; row numbers begin at 0 in each Sheets."""

    def __init__(self) -> None:
        self._tables: dict[str, list[tuple[Any, ...]]] = {name: [] for name in SCHEMAS}
        self._rows = 0
        self.said: dict[Voice, list[Heard]] = defaultdict(list)
        self.counts: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)

    def tables(self) -> dict[str, pa.Table]:
        found = {}
        for name, rows in self._tables.items():
            if rows:  # turned to columns all at once: one by one takes ten times as long
                columns = zip(SCHEMAS[name].names, zip(*rows, strict=True), strict=True)
                found[name] = pa.table(dict(columns), schema=SCHEMAS[name])
        return found

    def add_item(self, item: Item) -> None:
        """The item's texts, units and what stands against them, once for all drafts about it."""
        self._add("items", item.id, item.cutter)
        for position, each in enumerate(item.fields):
            self._add("fields", item.id, position, each.name, each.kind, each.text)
        for position, unit in enumerate(item.units):
            start, end = (unit.span.start, unit.span.end) if unit.span else (None, None)
            text = None if _is_slice(item, unit) else unit.text
            self._add(
                "units", item.id, unit.id, position, unit.kind.value, unit.field, start, end, text
            )
        for found in collect_counterevidence(item):
            self._add("unit_findings", item.id, *found, VERSION)
        self._add("checked_items", item.id, VERSION)

    def add_run_item(
        self,
        run_key: str,
        item: Item,
        position: int,
        external_id: str,
        notes: Mapping[str, str],
        further_ids: Sequence[str] = (),
    ) -> None:
        self._add("run_items", run_key, item.id, position, external_id, list(notes.items()))
        for number, further_id in enumerate(further_ids, start=1):
            self._add("further_ids", run_key, item.id, number, further_id)
        self.counts[run_key]["items",] += 1

    def add_taken(self, run_key: str, draft: Draft, taken: PreparedItem) -> None:
        """Everything the draft says about its item."""
        replies, first = self._add_replies(run_key, draft, taken), self._rows
        for signed in taken.signed:
            self._add_answer(run_key, taken.item.id, signed, replies)
        for place, finding in taken.findings:
            self._add("findings", first + place, *list_finding_values(finding))
        for author, summary, given in taken.summaries:
            self.counts[run_key]["numbers",] += given
            self._add(
                "summaries",
                run_key,
                taken.item.id,
                author.kind.value,
                author.name,
                summary.name,
                summary.value,
                summary.counted,
                summary.left_out,
                list(summary.parts.items()),
                given,
            )

    def _add_replies(self, run_key: str, draft: Draft, taken: PreparedItem) -> list[str]:
        notes, ids = dict(taken.notes), []
        for number, reply in enumerate(draft.replies):
            named = (run_key, taken.item.id, reply.author.name, str(number), reply.text)
            reply_id = hashlib.sha256("\x00".join(named).encode("utf-8")).hexdigest()[:32]
            ids.append(reply_id)
            self._add(
                "replies",
                reply_id,
                run_key,
                taken.item.id,
                reply.author.kind.value,
                reply.author.name,
                reply.text,
                list(notes.get(number, ())),
                reply.model,
                reply.finish_reason,
                "",
                None,
                None,
                None,
            )
        return ids

    def _add_answer(
        self, run_key: str, item_id: str, signed: SignedAnswer, replies: list[str]
    ) -> None:
        answer, author = signed.answer, signed.author
        row, self._rows = self._rows, self._rows + 1
        self._add(
            "annotations",
            row,
            run_key,
            item_id,
            answer.unit_id,
            answer.criterion,
            author.kind.value,
            author.name,
            answer.value,
            answer.problem,
            answer.rationale,
            answer.comment,
            answer.confidence,
            list(answer.links),
            list(answer.checks),
            list(_build_pieces(answer)),
            None if signed.reply_no is None else replies[signed.reply_no],
        )
        for position, excerpt in enumerate(answer.excerpts):
            place = excerpt.placement
            self._add(
                "excerpts",
                row,
                item_id,
                position,
                excerpt.text,
                place.tier.value if place else None,
                place.coverage if place else None,
                [_build_span(span) for span in place.spans] if place else [],
            )
            self.counts[run_key]["quotes",] += 1
            if place:
                self.counts[run_key]["tier", place.tier.value] += 1
        if signed.decision is not None:
            self._add("decisions", row, *signed.decision)
        self._count(run_key, item_id, signed)

    def _count(self, run_key: str, item_id: str, signed: SignedAnswer) -> None:
        answer, author = signed.answer, signed.author
        counts = self.counts[run_key]
        name = f"{author.kind} {author.name}"
        counts["author", name] += 1
        if answer.value is None:
            state = "unread" if answer.problem else "not judged"
            counts[state,] += 1
            counts[state, name] += 1
            return
        counts["label", answer.criterion, answer.value] += 1
        if author.kind is AuthorKind.RATER:
            unit = hash((item_id, answer.unit_id, answer.criterion))
            words = hash(answer.rationale) if answer.rationale.strip() else NO_WORDS
            self.said[run_key, author.name].append((unit, hash(answer.value), words))

    def _add(self, table: str, *values: Any) -> None:
        self._tables[table].append(values)


def _is_slice(item: Item, unit: Unit) -> bool:
    """Whether the unit's text can be read from its field, so that it need not be stored."""
    if unit.span is None:
        return False
    return item.text_of(unit.field)[unit.span.start : unit.span.end] == unit.text


def _build_span(span: Span) -> dict[str, Any]:
    return {"field": span.field, "span_start": span.start, "span_end": span.end}


def _build_pieces(answer: Answer) -> Iterator[dict[str, Any]]:
    for piece in answer.pieces:
        yield {
            "text": piece.text,
            "span_start": piece.span.start if piece.span else None,
            "span_end": piece.span.end if piece.span else None,
            "value": piece.value,
            "score": piece.score,
        }
