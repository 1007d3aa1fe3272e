"""Group the rows of a table into items, with one annotator's answers per row."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from data.importing.controls import join_damaged
from data.importing.importer import Options, Source, build_refusal, quote_value
from data.importing.tables import cells
from data.importing.tables.found import describe_columns, describe_nested, refuse_one_object
from data.importing.tables.missing import what_is_missing
from data.importing.tables.reasons import Unheard, find_unheard_columns
from data.importing.tables.roles import OFFSET_ROLES, SAID_ROLES, ColumnRole, read_role
from data.importing.tables.scales import AnswerColumn, format_scale
from data.importing.tables.tables import read_first_row, read_records
from faithfulness.model.drafts import Draft, DraftAnswer, ImportQuestion, Number, RawReply
from faithfulness.model.errors import ImportRefused
from faithfulness.model.model_names import looks_like_model
from faithfulness.model.names import fold_name
from faithfulness.model.protocol import Protocol
from faithfulness.model.vocabulary import FIELD_KINDS, Author, AuthorKind, Field, UnitKind
from faithfulness.protocols import protocol
from faithfulness.protocols.comparative_summary import format_product

_PARTS = ("title", "base_price", "final_price", "opinion_summary")
_AUTHOR_KINDS = {"rater": AuthorKind.RATER, "judge": AuthorKind.JUDGE, "author": None}


def read_rows(
    source: Source, mapping: Mapping[str, str], protocol_key: str, options: Options
) -> Iterator[Draft]:
    """The items of one table under a mapping of its columns."""
    if problem := what_is_missing(mapping, protocol_key):
        refuse_one_object(source)
        how = "choose"
        if source.by_command:
            how = "say with --map COLUMN=ROLE (for example --map answer=field:response)"
        remedy = f"To use them, map the columns: {how} what each is for."
        raise ImportRefused(
            f"{source.name}: {describe_columns(mapping)} were found, and for "
            f"{protocol(protocol_key).title} {problem}. "
            f"{describe_nested(read_first_row(source)) or remedy}"
        )
    table = _TableReader(
        source=source,
        protocol=protocol(protocol_key),
        roles={column: read_role(column, role) for column, role in mapping.items()},
        options=options,
        unheard=find_unheard_columns(mapping, protocol(protocol_key).criteria[0].key),
    )
    table.answers = {
        column: AnswerColumn(criterion=table.protocol.criterion(role.of), role=role)
        for column, role in table.roles.items()
        if role.kind == "value" and (role.author or format_scale(table.protocol.criterion(role.of)))
    }
    for line, row in read_records(source):
        table.take(line, row)
    questions = table.questions()
    for draft in table.drafts():
        yield draft._replace(questions=questions) if questions else draft
        questions = []


def derive_author_name(source: Source) -> str:
    """Who signs when neither the file nor the person says: the file's name without its ending."""
    return PurePath(source.name).stem or source.name


def list_first_author_sentences(said: Sequence[DraftAnswer]) -> list[str]:
    """The sentences of the first author: what a response is rebuilt from where it is missing."""
    return [each.text for each in said if each.text and each.author == said[0].author]


def find_field_kind(name: str) -> str:
    """The kind of a field: numbered fields have their name without the number."""
    base = name.rstrip("0123456789").rstrip("_")
    return name if name in FIELD_KINDS else base if base in FIELD_KINDS else "context"


@dataclass(kw_only=True, slots=True)
class _TableItem:
    """One item while its rows come in."""

    line: int
    external_id: str
    system: str
    texts: dict[str, tuple[str, int]] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    said: list[DraftAnswer] = field(default_factory=list)
    replies: list[RawReply] = field(default_factory=list)
    numbers: list[Number] = field(default_factory=list)
    lines: dict[tuple[Author, str, str], int] = field(default_factory=dict)
    unheard: Counter[tuple[str, str, str]] = field(default_factory=Counter)


@dataclass(kw_only=True, slots=True)
class _TableReader:
    """The rows read so far, by item."""

    source: Source
    protocol: Protocol
    roles: Mapping[str, ColumnRole]
    options: Options
    unheard: Sequence[Unheard] = ()
    items: dict[tuple[str, ...], _TableItem] = field(default_factory=dict)
    answers: Mapping[str, AnswerColumn] = field(default_factory=dict)
    stated: set[Author] = field(default_factory=set)  # whose kind the file or the person says

    def take(self, line: int, row: Mapping[str, Any]) -> None:
        texts = self._texts(line, row)
        external_id = cells.parse_identifier(self.source, line, self._first(row, "id"))
        system = cells.format_cell(self._first(row, "system")) or self.options.system
        # Without an id, an item is known by its texts.
        key = (system, external_id) if external_id else (system, "", *map(str, texts.items()))
        item = self.items.setdefault(
            key, _TableItem(line=line, external_id=external_id, system=system)
        )
        self._add_texts(item, line, texts)
        self._add_attributes(item, row)
        for each in self._said(line, row):
            self._add(item, each)
        self._add_replies(item, line, row)
        self._add_numbers(item, line, row)
        item.unheard.update(
            each for each in self.unheard if not cells.is_empty(row.get(each.column))
        )

    def questions(self) -> list[ImportQuestion]:
        """What a person must say about columns of answers, once all rows are read."""
        asked = (
            each.question(self.source.name, column, self.protocol.key)
            for column, each in self.answers.items()
        )
        return [each for each in asked if each]

    def drafts(self) -> Iterator[Draft]:
        for item in self.items.values():
            yield self._draft(item)

    def _draft(self, item: _TableItem) -> Draft:
        fields = {name: text for name, (text, _) in item.texts.items()}
        attributes, cut = dict(item.attributes), None
        if not fields.get("response"):
            cut = list_first_author_sentences(item.said)
            if not cut or self.protocol.unit is not UnitKind.SENTENCE:
                raise build_refusal(
                    self.source, item.line, "the response is empty; there is no text"
                )
            fields["response"] = " ".join(cut)
            attributes["response"] = "rebuilt from its sentences"
        return Draft(
            protocol=self.protocol.key,
            system=item.system,
            external_id=item.external_id,
            fields=tuple(
                Field(name=name, kind=find_field_kind(name), text=text)
                for name, text in fields.items()
            ),
            said=item.said,
            replies=item.replies,
            numbers=item.numbers,
            attributes=attributes,
            cut=cut,
            file=self.source.name,
            line=item.line,
            unheard=item.unheard,
            stated_authors=frozenset(self.stated),
        )

    def _first(self, row: Mapping[str, Any], kind: str) -> Any:
        for column, role in self.roles.items():
            if role.kind == kind and row.get(column) not in (None, ""):
                return row[column]
        return None

    def _texts(self, line: int, row: Mapping[str, Any]) -> dict[str, str]:
        found: dict[str, str] = {}
        products: dict[str, dict[str, str]] = {}
        for column, role in self.roles.items():
            value = row.get(column)
            if value is None or value == "":
                continue
            if role.kind == "field":
                found[role.of] = cells.parse_text(self.source, line, column, value)
            elif role.kind == "fragments":
                parts = cells.parse_texts(self.source, line, value)
                found |= {f"fragment_{at}": part for at, part in enumerate(parts, start=1)}
            elif role.kind == "product":
                number, _, part = role.of.partition(":")
                text = cells.parse_text(self.source, line, column, value)
                products.setdefault(number, {})[part] = text
        for number, parts_of in sorted(products.items()):
            found[f"product_{number}"] = format_product(*(parts_of.get(p, "") for p in _PARTS))
        return found

    def _add_texts(self, item: _TableItem, line: int, texts: Mapping[str, str]) -> None:
        for name, text in texts.items():
            known, first = item.texts.setdefault(name, (text, line))
            if known == text:
                continue
            meant = join_damaged(known, text)
            if meant is None:
                raise build_refusal(
                    self.source,
                    line,
                    f"the item {quote_value(item.external_id)} has another {name} here than "
                    "on line "
                    f"{first}; give different texts different ids",
                )
            item.texts[name] = (meant, first)

    def _add_attributes(self, item: _TableItem, row: Mapping[str, Any]) -> None:
        for column, value in row.items():
            role = self.roles.get(column)
            if role is not None and role.kind != "attribute":
                continue
            text = cells.format_cell(value)
            known = item.attributes.get(column, "")
            if text and text not in known.split("; "):
                item.attributes[column] = f"{known}; {text}" if known else text

    def _author(self, line: int, row: Mapping[str, Any], role: ColumnRole) -> Author:
        if role.author:
            return self._signed(role.author, role.author_kind or self.options.author_kind)
        for column, other in self.roles.items():
            if other.kind in _AUTHOR_KINDS and row.get(column) not in (None, ""):
                name, column_kind = cells.format_cell(row[column]), _AUTHOR_KINDS[other.kind]
                if column_kind is None:
                    return self._signed(name, self._kind(line, row) or self.options.author_kind)
                if stated := self._kind(line, row):
                    return self._signed(name, stated)
                return Author(kind=column_kind, name=name)
        has_column = any(other.kind in _AUTHOR_KINDS for other in self.roles.values())
        if has_column and not self.options.author:
            raise build_refusal(self.source, line, "nobody signs this row; name its rater or judge")
        judge = AuthorKind.JUDGE if role.kind == "reply" else AuthorKind.RATER
        signed = self.options.signed_by(derive_author_name(self.source), judge)
        stated = self._kind(line, row)
        return self._signed(signed.name, stated) if stated else signed

    def _signed(self, name: str, stated: AuthorKind | None) -> Author:
        """An author whose kind the file or the person says; a rater where nobody does."""
        author = Author(kind=stated or AuthorKind.RATER, name=name)
        if stated:
            self.stated.add(author)
        return author

    def _kind(self, line: int, row: Mapping[str, Any]) -> AuthorKind | None:
        """What the row itself says its author is, which goes before the name of a column."""
        said = self._first(row, "author_kind")
        if said is None:
            return None
        if found := cells.parse_author_kind(said):
            return found
        raise build_refusal(
            self.source,
            line,
            f"the kind of author is {quote_value(cells.format_cell(said))}; expected one of "
            f"{', '.join(cells.AUTHOR_WORDS)}",
        )

    def _said(self, line: int, row: Mapping[str, Any]) -> Iterator[DraftAnswer]:
        for column, role in self.roles.items():
            if role.kind != "value":
                continue
            criterion = self.protocol.criterion(role.of)
            raw = row.get(column)
            if cells.is_empty(raw) and (not criterion.required or self._is_missing(row, role)):
                continue
            value, problem = cells.read_value(criterion, raw)
            author = self._author(line, row, role)
            if column in self.answers:
                is_judge = not role.author and self._may_be_judge(author)
                self.answers[column].add(raw, value, author.name if is_judge else "")
            yield self._with_reasons(
                row,
                role,
                DraftAnswer(
                    author=author,
                    criterion=criterion.key,
                    value=value,
                    unit=self.protocol.unit,
                    problem=problem,
                    line=line,
                ),
            )

    def _may_be_judge(self, author: Author) -> bool:
        if author.kind is AuthorKind.JUDGE:
            return True
        kind = self.options.kind_of(fold_name(author.name))
        return kind is AuthorKind.JUDGE or (kind is None and looks_like_model(author.name))

    def _is_missing(self, row: Mapping[str, Any], role: ColumnRole) -> bool:
        """Whether a blank cell is a missing value: a column's author says nothing in this row."""
        reasons = (
            column
            for column, other in self.roles.items()
            if other.kind in SAID_ROLES and other.author == role.author
        )
        return bool(role.author) and all(cells.is_empty(row.get(each)) for each in reasons)

    def _with_reasons(
        self, row: Mapping[str, Any], value: ColumnRole, said: DraftAnswer
    ) -> DraftAnswer:
        """The row's rationale and evidence stand beside the protocol's first value."""
        about = {
            role.kind: row.get(column)
            for column, role in self.roles.items()
            if role.author == value.author and (not role.of or role.of == value.of)
        }
        if self.protocol.unit is not UnitKind.RESPONSE:
            said = self._about_unit(row, said)
        if value.of != self.protocol.criteria[0].key:
            return said
        return said._replace(
            rationale=cells.format_cell(about.get("rationale")),
            comment=cells.format_cell(about.get("comment")),
            excerpts=cells.parse_excerpts(about.get("excerpt")),
            links=cells.parse_links(about.get("links")),
            confidence=cells.parse_confidence(about.get("confidence")),
        )

    def _about_unit(self, row: Mapping[str, Any], said: DraftAnswer) -> DraftAnswer:
        sentence = cells.format_cell(self._first(row, "sentence"))
        if self.protocol.unit is UnitKind.SENTENCE:
            start, end = self._offsets(said.line, row)
            return said._replace(text=sentence, start=start, end=end)
        claim = cells.format_cell(self._first(row, "claim"))
        return said._replace(text=claim, sentence=sentence, field=self._side(said.line, row))

    def _side(self, line: int, row: Mapping[str, Any]) -> str:
        """The text that the row's claim was taken from; the response where no column says so."""
        if not any(role.kind == "side" for role in self.roles.values()):
            return "response"
        told = cells.format_cell(self._first(row, "side")).strip()
        fields = {
            word: field
            for field in self.protocol.checked_against
            for word in (field, *self.protocol.aliases.get(field, ()))
        }
        # A side that nobody knows would take the claim out of precision and out of recall.
        if told.lower() not in fields:
            raise build_refusal(
                self.source,
                line,
                f"the claim was taken from {quote_value(told)}; expected one of "
                f"{', '.join(fields)}, or "
                "keep the column beside the item if it says another thing (--map COLUMN=attribute)",
            )
        return fields[told.lower()]

    def _offsets(self, line: int, row: Mapping[str, Any]) -> tuple[int, int] | tuple[None, None]:
        """Where the row says that its sentence stands in the response."""
        given = [self._first(row, role) for role in OFFSET_ROLES]
        if all(map(cells.is_empty, given)):
            return None, None
        start, end = map(cells.parse_offset, given)
        if start is None or end is None:
            shown = " to ".join(quote_value(cells.format_cell(each)) for each in given)
            raise build_refusal(
                self.source,
                line,
                f"the sentence stands at {shown}; expected two whole numbers that count the "
                "characters of the response from 0",
            )
        return start, end

    def _add(self, item: _TableItem, said: DraftAnswer) -> None:
        if said.unit is UnitKind.RESPONSE:
            first = item.lines.setdefault((said.author, said.criterion, ""), said.line)
            if first != said.line:
                raise build_refusal(
                    self.source,
                    said.line,
                    f"{said.author.name} answers {said.criterion} of the item "
                    f"{quote_value(item.external_id)} again (first on line {first}); keep one row",
                )
        elif not said.text:
            raise build_refusal(
                self.source, said.line, f"the {said.unit} is empty; there is no text"
            )
        item.said.append(said)

    def _add_replies(self, item: _TableItem, line: int, row: Mapping[str, Any]) -> None:
        for column, role in self.roles.items():
            if role.kind == "reply" and row.get(column):
                author = self._author(line, row, role)
                text = cells.format_cell(row[column])
                item.replies.append(RawReply(author=author, text=text, line=line))

    def _add_numbers(self, item: _TableItem, line: int, row: Mapping[str, Any]) -> None:
        """Numbers of the row that are on no scale of the protocol, each kept as it is given."""
        for column, role in self.roles.items():
            raw = row.get(column)
            if role.kind != "number" or cells.is_empty(raw):
                continue
            value, name = cells.parse_confidence(raw), role.of or column
            if value is None:
                raise build_refusal(
                    self.source, line, f"{column} is {quote_value(raw)}; expected a number"
                )
            author = self._number_author(line, row, column, role)
            first = item.lines.setdefault((author, f"number {name}", ""), line)
            if first != line:
                raise build_refusal(
                    self.source,
                    line,
                    f"{author.name} gives {name} of the item {quote_value(item.external_id)} again "
                    f"(first on line {first}); keep one row",
                )
            item.numbers.append(
                Number(author=author, name=name, value=value, line=line, file=self.source.name)
            )

    def _number_author(
        self, line: int, row: Mapping[str, Any], column: str, role: ColumnRole
    ) -> Author:
        """Whoever signs a number; a metric that nobody signs is a judge of its own name."""
        if role.author or any(each.kind in _AUTHOR_KINDS for each in self.roles.values()):
            return self._author(line, row, role)
        return self.options.signed_by(column, AuthorKind.JUDGE)
