"""Read tables whose column names identify the protocol and the column mapping."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from data.importing.importer import Options, Source
from data.importing.tables.cells import is_empty, parse_author_kind, parse_offset, read_value
from data.importing.tables.missing import what_is_missing
from data.importing.tables.piece_ids import are_piece_ids
from data.importing.tables.reasons import assign_reasons
from data.importing.tables.roles import (
    assign_kind,
    assign_offsets,
    assign_verdict,
    find_answer_word,
    find_later_id,
    read_role,
    suggest_mapping,
)
from data.importing.tables.rows import read_rows
from data.importing.tables.tables import (
    TABLE_EXTENSIONS,
    read_column_names,
    read_first_row,
    read_records,
)
from faithfulness.model.drafts import Draft
from faithfulness.model.protocol import Criterion
from faithfulness.protocols import protocol

_KNOWN_BY = ("field:", "product:", "fragments", "system")
_LOOKED_AT = 50  # rows that decide whether `bleu_score` is a rater's column


def score_fit(sources: Sequence[Source], protocol_key: str, certainty: int) -> int:
    """The certainty when every file's first row has all that the protocol needs, else 0."""
    for source in sources:
        if source.extension not in TABLE_EXTENSIONS:
            return 0
        mapping = suggest_mapping(read_first_row(source), protocol_key)
        # A judge's reply alone does not say under which protocol it was given.
        has_value = any(role.startswith("value:") for role in mapping.values())
        if not has_value or what_is_missing(mapping, protocol_key):
            return 0
    return certainty if sources else 0


def read_known(sources: Sequence[Source], protocol_key: str, options: Options) -> Iterator[Draft]:
    """The items of tables whose mapping follows from their columns, or from the person."""
    for source in sources:
        yield from read_rows(
            source, complete_mapping(source, protocol_key, options), protocol_key, options
        )


def complete_mapping(source: Source, protocol_key: str, options: Options) -> dict[str, str]:
    """The person's mapping, completed from the columns' names where it cannot be read alone."""
    if not options.mapping:
        return suggest_file_mapping(source, protocol_key)
    mapping = dict(options.mapping)
    if what_is_missing(mapping, protocol_key):
        completed = suggest_file_mapping(source, protocol_key) | mapping
        return mapping if what_is_missing(completed, protocol_key) else completed
    return mapping


def suggest_file_mapping(source: Source, protocol_key: str) -> dict[str, str]:
    """The mapping that the columns' names, and where these do not suffice their values, suggest."""
    named = _drop_piece_ids(source, suggest_mapping(read_column_names(source), protocol_key))
    asked = protocol(protocol_key).criteria[0]
    named = assign_verdict(named, asked, lambda column: _is_all_on_scale(source, column, asked))
    found = assign_kind(named, lambda column: _has_author_kinds(source, column))
    found = assign_offsets(found, lambda pair: _are_offsets(source, pair))
    if not any("@" in role for role in found.values()):
        return found
    return assign_reasons(_drop_unanswered_authors(source, found, protocol_key))


def _drop_unanswered_authors(
    source: Source, mapping: Mapping[str, str], protocol_key: str
) -> dict[str, str]:
    """The mapping in which a column named like an author's, but never on the scale, is none.

    One that begins with the same word as an author's column remains: `score_ben` beside
    `score_ana` is ben's, and what its values are is asked.
    """
    rows = [row for _, row in islice(read_records(source), _LOOKED_AT)]
    wide = {column: read_role(column, role) for column, role in mapping.items() if "@" in role}
    wide = {column: role for column, role in wide.items() if role.kind == "value"}
    answered = {c for c, role in wide.items() if _is_answered(rows, c, role.of, protocol_key)}
    authors = {wide[column].author for column in answered}
    words = {find_answer_word(column, protocol_key) for column in answered} - {""}
    strangers = (
        column
        for column, role in wide.items()
        if role.author not in authors and find_answer_word(column, protocol_key) not in words
    )
    return {**mapping, **dict.fromkeys(strangers, "attribute")}


def _drop_piece_ids(source: Source, mapping: dict[str, str]) -> dict[str, str]:
    """The mapping, with an id that tells rows of one item apart kept beside the item."""
    ids = find_later_id(mapping)
    response = next((each for each, role in mapping.items() if role == "field:response"), "")
    units = [each for each, role in mapping.items() if role in ("sentence", "claim")]
    if not (ids and response and units):
        return mapping
    texts = [each for each, role in mapping.items() if role.startswith(_KNOWN_BY)]
    rows = (row for _, row in read_records(source))
    is_piece = are_piece_ids(rows, ids=ids, response=response, texts=texts, units=units)
    return mapping | {ids: "attribute"} if is_piece else mapping


def _is_all_on_scale(source: Source, column: str, asked: Criterion) -> bool:
    """Whether the first rows say something there, and nothing that is off the scale."""
    said = [row.get(column) for _, row in islice(read_records(source), _LOOKED_AT)]
    given = [each for each in said if not is_empty(each)]
    return bool(given) and all(read_value(asked, each)[0] is not None for each in given)


def _are_offsets(source: Source, columns: Sequence[str]) -> bool:
    """Whether every row has a whole number in all of these columns, or nothing in any of them."""
    are_given = False
    for _, row in read_records(source):
        given = [row.get(each) for each in columns if not is_empty(row.get(each))]
        if given and (len(given) < len(columns) or None in map(parse_offset, given)):
            return False
        are_given = are_given or bool(given)
    return are_given


def _has_author_kinds(source: Source, column: str) -> bool:
    """Whether every row that says anything says person or model: one other word, and none does."""
    says = False
    for _, row in read_records(source):
        if row.get(column) not in (None, ""):
            says = parse_author_kind(row[column]) is not None
            if not says:
                break
    return says


def _is_answered(
    rows: Sequence[Mapping[str, Any]], column: str, criterion_key: str, protocol_key: str
) -> bool:
    criterion = protocol(protocol_key).criterion(criterion_key)
    return any(read_value(criterion, row.get(column))[0] is not None for row in rows)
