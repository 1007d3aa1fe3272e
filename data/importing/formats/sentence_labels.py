"""Importer for JSON lines of sentence labels, items with sentences, or judge replies."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import compress, count, islice, pairwise
from operator import ne
from typing import Any, NamedTuple

from data.importing.controls import join_damaged
from data.importing.formats.sentence_blocks import LABELS, PlainRows, read_plain_rows
from data.importing.formats.sentence_columns import REPLIES, SIGNED, Columns, find_columns
from data.importing.importer import Importer, Options, Source, build_refusal, quote_value
from data.importing.readers.strict import read_json_blocks
from data.importing.tables import cells
from data.importing.tables.piece_ids import are_piece_ids
from data.importing.tables.roles import LATER_IDS
from data.importing.tables.rows import derive_author_name, list_first_author_sentences
from data.importing.tables.tables import check_records, detect_format, read_first_row, read_records
from faithfulness.model.drafts import Draft, DraftAnswer, RawReply
from faithfulness.model.errors import ImportRefused
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind
from faithfulness.protocols.sentence_grounding import LABEL


class SentenceRow(NamedTuple):
    """A labelled sentence with what its line says about the item."""

    system: str
    external_id: str
    fields: Sequence[tuple[str, str]]
    notes: Sequence[tuple[str, str]]
    said: DraftAnswer


class _SentenceItem:
    """One item while its sentences come in."""

    __slots__ = ("attributes", "line", "said", "texts")

    def __init__(self, line: int) -> None:
        self.line = line
        self.texts: dict[str, tuple[str, int]] = {}
        self.attributes: dict[str, str] = {}
        self.said: list[DraftAnswer] = []


class SentenceRows:
    """The rows of one file by system and item id."""

    def __init__(self, source: Source, protocol: str) -> None:
        self._source = source
        self._protocol = protocol
        self._items: dict[tuple[str, str], _SentenceItem] = {}

    def take(self, line: int, row: SentenceRow) -> None:
        item = self._item(line, row[:2])
        self._add_texts(item, line, row.external_id, row.fields)
        if row.notes:
            self._add_notes(item, row.notes)
        item.said.append(row.said)

    def take_all(self, rows: PlainRows) -> None:
        """Take many rows; those that follow each other in one item at once."""
        system, lines, ids, said, texts = rows
        changes = compress(count(1), map(ne, ids, islice(ids, 1, None)))
        for start, end in pairwise((0, *changes, len(ids))):
            item = self._item(lines[start], (system, ids[start]))
            for at in range(start, end) if texts else ():
                if at in texts:
                    self._add_texts(item, lines[at], ids[at], texts[at])
            item.said += said[start:end]

    def drafts(self) -> Iterator[Draft]:
        for (system, external_id), item in self._items.items():
            texts = {name: text for name, (text, _) in item.texts.items()}
            attributes, cut = item.attributes, None
            if "response" not in texts:
                cut = list_first_author_sentences(item.said)
                texts["response"] = " ".join(cut)
                attributes["response"] = "rebuilt from its sentences"
            yield Draft(
                protocol=self._protocol,
                system=system,
                external_id=external_id,
                fields=tuple(Field(name=n, kind=n, text=text) for n, text in texts.items()),
                said=item.said,
                attributes=attributes,
                cut=cut,
                file=self._source.name,
                line=item.line,
            )

    def _item(self, line: int, key: tuple[str, str]) -> _SentenceItem:
        item = self._items.get(key)
        if item is None:
            item = self._items[key] = _SentenceItem(line)
        return item

    def _add_texts(
        self, item: _SentenceItem, line: int, external_id: str, fields: Sequence[tuple[str, str]]
    ) -> None:
        for name, text in fields:
            known, first = item.texts.setdefault(name, (text, line))
            if known == text:
                continue
            meant = join_damaged(known, text)
            if meant is None:
                raise build_refusal(
                    self._source,
                    line,
                    f"the item {quote_value(external_id)} has another {name} here than on line "
                    f"{first}; give different texts different ids",
                )
            item.texts[name] = (meant, first)

    def _add_notes(self, item: _SentenceItem, notes: Sequence[tuple[str, str]]) -> None:
        for name, text in notes:
            known = item.attributes.get(name)
            if known is None:
                item.attributes[name] = text
            elif text not in known.split("; "):
                item.attributes[name] = f"{known}; {text}"


_PROTOCOL = "sentence_grounding"


def recognise(sources: Sequence[Source]) -> int:
    return min((_score_certainty(source) for source in sources), default=0)


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    for source in sources:
        file, rows = _File(source, options), SentenceRows(source, _PROTOCOL)
        if detect_format(source) == "json lines":
            yield from _read_by_block(file, rows, source)
        else:
            yield from _read_one_by_one(file, rows, read_records(source))
        stated = frozenset(file.stated)
        for draft in rows.drafts():
            yield draft._replace(stated_authors=stated) if stated else draft


def _read_by_block(file: "_File", rows: SentenceRows, source: Source) -> Iterator[Draft]:
    for lines, values in read_json_blocks(source):
        plain = file.plain_rows(lines, values)
        if plain is not None:
            rows.take_all(plain)
        else:
            told = zip(lines, values, strict=True)
            yield from _read_one_by_one(file, rows, check_records(source, told))


def _read_one_by_one(
    file: "_File", rows: SentenceRows, told: Iterable[tuple[int, dict[str, Any]]]
) -> Iterator[Draft]:
    """Items as they come; sentences are gathered in `rows`."""
    for line, record in told:
        if "sentence" in record:
            rows.take(line, file.row(line, record))
        else:
            yield file.item(line, record)


def _score_certainty(source: Source) -> int:
    if detect_format(source) == "csv":
        return 0
    row = read_first_row(source)
    if _has_sentences(source, row) and ("response" in row or "id" in row):
        return 80
    if detect_format(source) not in ("json lines", "json"):
        return 0  # a flat table
    if "sentence" in row and "label" in row:
        return 0 if _has_piece_ids(source, row) else 80
    return 70 if "response" in row and _find_reply(row) is not None else 0


def _has_sentences(source: Source, row: Mapping[str, Any]) -> bool:
    """Whether items have lists of sentences, though the first ones may have nothing there."""
    if "sentences" not in row or row["sentences"] is not None:
        return isinstance(row.get("sentences"), list)
    with suppress(ImportRefused):  # what cannot be read is refused by its line when it is read
        given = (record.get("sentences") for _, record in read_records(source))
        return isinstance(next((each for each in given if each is not None), None), list)
    return False


def _has_piece_ids(source: Source, row: Mapping[str, Any]) -> bool:
    """Whether its only ids name rows; a table then knows items by texts, which this cannot."""
    found = find_columns(tuple(row))
    if found.ids not in LATER_IDS or "response" not in row:
        return False
    texts = ["system", *(column for _, column in found.fields)]
    with suppress(ImportRefused):  # what cannot be read is refused by its line when it is read
        rows = (each for _, each in read_records(source))
        return are_piece_ids(
            rows, ids=found.ids, response="response", texts=texts, units=["sentence"]
        )
    return False


def _find_reply(record: Mapping[str, Any]) -> str | None:
    for name in REPLIES:
        if isinstance(record.get(name), str):
            return str(record[name])
    return None


class _File:
    """What holds for all lines of one file: who signs, whose outputs these are."""

    def __init__(self, source: Source, options: Options) -> None:
        self._source = source
        self._options = options
        self._default = options.signed_by(derive_author_name(source), AuthorKind.JUDGE)
        self._authors: dict[tuple[str, str], Author] = {}
        self._layouts: dict[tuple[str, ...], Columns] = {}
        self.stated: set[Author] = set()  # whose kind a record or the person says

    def plain_rows(self, lines: Sequence[int], values: list[Any]) -> PlainRows | None:
        """Many labelled sentences at once; None where a record is not as plain as that."""
        most, system = self._source.limits.columns, self._options.system
        return read_plain_rows(lines, values, self._default, self._signs, system, most)

    def columns(self, record: Mapping[str, Any]) -> Columns:
        keys = tuple(record)
        found = self._layouts.get(keys)
        if found is None:
            found = find_columns(keys)
            if len(self._layouts) < 1000:
                self._layouts[keys] = found
        return found

    def item(self, line: int, record: dict[str, Any]) -> Draft:
        """An item with its sentences or with the judge's reply."""
        columns = self.columns(record)
        author = self.author(record, columns, self._default)
        said: list[DraftAnswer] = []
        replies: list[RawReply] = []
        sentences, reply = record.get("sentences"), _find_reply(record)
        if isinstance(sentences, list):
            said = [self.said(line, each, author) for each in sentences]
        elif reply is not None:
            model = record.get("model")
            text = model if isinstance(model, str) else ""
            replies = [RawReply(author=author, text=reply, model=text, line=line)]
        elif "sentences" not in record or sentences is not None:
            raise build_refusal(
                self._source,
                line,
                "neither a sentence, nor a list of sentences, nor a judge's reply; "
                "name it sentence, sentences or reply",
            )
        fields = dict(self.fields(line, record, columns))
        attributes, cut = dict(self.notes(record, columns)), None
        if "response" not in fields:
            cut = list_first_author_sentences(said)
            if not cut:
                raise build_refusal(
                    self._source, line, "no response and no sentence; add the response"
                )
            fields["response"] = " ".join(cut)
            attributes["response"] = "rebuilt from its sentences"
        return Draft(
            protocol=_PROTOCOL,
            system=self.system(record),
            external_id=self.external_id(line, record, columns),
            fields=tuple(Field(name=n, kind=n, text=text) for n, text in fields.items()),
            said=said,
            replies=replies,
            attributes=attributes,
            cut=cut,
            file=self._source.name,
            line=line,
            stated_authors=frozenset(self.stated),
        )

    def row(self, line: int, record: dict[str, Any]) -> SentenceRow:
        """A labelled sentence with what it says about its item."""
        columns = self.columns(record)
        external_id = self.external_id(line, record, columns)
        if not external_id:
            raise build_refusal(
                self._source, line, "a sentence without an item id; add id or item_id"
            )
        return SentenceRow(
            self.system(record) if columns.has_more else self._options.system,
            external_id,
            self.fields(line, record, columns) if columns.fields else (),
            self.notes_beside(record, columns) if columns.notes else (),
            self.said(line, record, self._default, columns),
        )

    def external_id(self, line: int, record: Mapping[str, Any], columns: Columns) -> str:
        value = record[columns.ids] if columns.ids else None
        return value if type(value) is str else cells.parse_identifier(self._source, line, value)

    def system(self, record: Mapping[str, Any]) -> str:
        return cells.format_cell(record.get("system")) or self._options.system

    def author(self, record: Mapping[str, Any], columns: Columns, otherwise: Author) -> Author:
        for column in columns.signed:
            if name := record[column]:
                known = self._authors.get((column, name)) if type(name) is str else None
                return known or self._new_author(column, name, record)
        return otherwise

    def _signs(self, column: str, name: str) -> Author:
        return self._authors.get((column, name)) or self._new_author(column, name, {})

    def _new_author(self, column: str, name: Any, record: Mapping[str, Any]) -> Author:
        said = record.get("author_kind")
        stated = AuthorKind(said) if said in list(AuthorKind) else None
        if SIGNED[column] is None:
            stated = stated or self._options.author_kind
        author = Author(
            kind=stated or SIGNED[column] or AuthorKind.JUDGE, name=cells.format_cell(name)
        )
        if stated:
            self.stated.add(author)
        if said is None:
            self._authors[column, author.name] = author
        return author

    def fields(
        self, line: int, record: Mapping[str, Any], columns: Columns
    ) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for name, column in columns.fields:
            value = record[column]
            if value is None or value == "":
                continue
            if type(value) is not str:
                value = cells.parse_text(self._source, line, column, value)
            if any(name == other for other, _ in found):
                raise build_refusal(
                    self._source, line, f"{name} is given twice ({quote_value(column)})"
                )
            found.append((name, value))
        return found

    def notes(self, record: Mapping[str, Any], columns: Columns) -> list[tuple[str, str]]:
        """What else the record says, kept beside the item."""
        found = ((name, cells.format_cell(record[name])) for name in columns.notes)
        return [(name, text) for name, text in found if text]

    def notes_beside(self, record: Mapping[str, Any], columns: Columns) -> list[tuple[str, str]]:
        """The notes of a record that is one sentence: its offsets belong to the sentence."""
        used = columns.offsets if self.offsets(record, columns) else ()
        return [each for each in self.notes(record, columns) if each[0] not in (used or ())]

    def offsets(self, told: Mapping[str, Any], columns: Columns) -> tuple[int, int] | None:
        """Where the sentence stands in the response; None where the record does not say it."""
        if columns.offsets is None:
            return None
        start, end = (cells.parse_offset(told[each]) for each in columns.offsets)
        return None if start is None or end is None else (start, end)

    def said(
        self, line: int, told: Any, author: Author, columns: Columns | None = None
    ) -> DraftAnswer:
        """What is said about one sentence."""
        if type(told) is not dict:
            raise build_refusal(
                self._source, line, "a sentence is not a record with sentence and label"
            )
        if columns is None:
            columns = self.columns(told)
        sentence, label = told.get("sentence"), told.get("label")
        if type(sentence) is not str or not sentence:
            raise build_refusal(self._source, line, "a label without a sentence; add the sentence")
        problem = ""
        if type(label) is not str or label not in LABELS:
            label, problem = cells.read_value(LABEL, label)
        excerpt = told.get("excerpt") or told.get("excerpts")
        rationale = told.get("rationale")
        said = DraftAnswer(
            self.author(told, columns, author) if columns.signed else author,
            "label",
            label,
            UnitKind.SENTENCE,
            sentence,
            "response",
            "",
            rationale if type(rationale) is str else cells.format_cell(rationale),
            cells.parse_excerpts(excerpt) if excerpt else (),
            (),
            (),
            "",
            None,
            (),
            problem,
            line,
        )
        if offsets := self.offsets(told, columns):
            said = said._replace(start=offsets[0], end=offsets[1])
        if not columns.has_more:
            return said
        return said._replace(
            comment=cells.format_cell(told.get("comment")),
            confidence=cells.parse_confidence(told.get("confidence")),
        )


IMPORTER = Importer(
    key="sentence_labels",
    title="Sentence labels",
    about="JSON lines: a labelled sentence, an item with its sentences, or a judge's reply a line. "
    "CSV with a sentence a row is read as a table.",
    extensions=(".jsonl", ".ndjson", ".json", ".parquet", ".yaml", ".yml"),
    protocols=(_PROTOCOL,),
    recognise=recognise,
    read=read,
)
