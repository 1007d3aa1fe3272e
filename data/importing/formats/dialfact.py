"""DialFact importer: one dialogue response per row, with evidence, label and model scores."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from data.importing.formats.passages import build_external_fields, drop_repeated_texts
from data.importing.importer import Importer, Options, Source
from data.importing.readers.peek import read_first_record
from data.importing.readers.shape import (
    build_record_refusal,
    need_equal_lengths,
    need_list,
    need_mapping,
    need_number,
    need_text,
    need_texts,
    read_side_note,
    read_side_notes,
    shorten_value,
)
from data.importing.readers.strict import read_json_lines
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind

_LABELS = {"SUPPORTS": "supported", "REFUTES": "contradictory", "NOT ENOUGH INFO": "unsupported"}
# The order of the model's probabilities; it has no label for personal talk.
_MODEL_LABELS = ("supported", "contradictory", "unsupported")
_PEOPLE = Author(kind=AuthorKind.RATER, name="dialfact annotators")
_MODEL = Author(kind=AuthorKind.JUDGE, name="fever_score")
_MARKS = frozenset({"response", "evidence_list", "response_label", "type_label"})


def recognise(sources: Sequence[Source]) -> int:
    return 95 if all(read_first_record(source).keys() >= _MARKS for source in sources) else 0


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    system = options.system or "DialFact"
    for source in sources:
        for line, record in read_json_lines(source):
            yield _build_draft(record, source, line, system)


def _build_draft(record: object, source: Source, line: int, system: str) -> Draft:
    where = f"{source.name} line {line}"
    row = need_mapping(record, "the row", where)
    response = need_text(row.get("response"), "response", where)
    turns = need_texts(row.get("context", []), "context", where)
    evidence = _parse_evidence(row, where)
    dialogue = "\n".join(turns)
    query = (Field(name="query", kind="query", text=dialogue),) if dialogue.strip() else ()
    passages = (f"{title}\n\n{words}" if title else words for title, _, words in evidence)
    people = _parse_human_answer(row, response, line)
    if people.value in ("supported", "contradictory"):
        people = people._replace(
            excerpts=drop_repeated_texts(words for _, _, words in evidence),
            links=drop_repeated_texts(link for _, link, _ in evidence),
        )
    return Draft(
        protocol="sentence_grounding",
        system=system,
        external_id=read_side_note(row.get("id")) or str(line),
        fields=(
            *query,
            Field(name="response", kind="response", text=response),
            *build_external_fields(passages),
        ),
        said=(people, *_parse_model_answers(row, response, where, line)),
        attributes=read_side_notes(row, ("context_id", "data_type", "type_label")),
        cut=(response,),
        file=source.name,
        line=line,
    )


def _parse_evidence(row: Mapping[str, Any], where: str) -> list[tuple[str, str, str]]:
    """Title, link and words of each passage; a passage without words shows nothing."""
    found = []
    for each in need_list(row.get("evidence_list"), "evidence_list", where):
        parts = need_texts(each, "a passage of evidence_list", where)
        need_equal_lengths({"a passage": parts[:3], "title, link, text": ["", "", ""]}, where)
        if parts[2].strip():
            found.append((parts[0].strip(), parts[1].strip(), parts[2]))
    return found


def _parse_human_answer(row: Mapping[str, Any], response: str, line: int) -> DraftAnswer:
    label, kind = row.get("response_label"), row.get("type_label")
    value = "no_rad" if kind == "personal" else _LABELS.get(str(label).strip())
    problem = (
        "" if value else f"response_label is {shorten_value(label)}; expected {', '.join(_LABELS)}"
    )
    if kind not in ("personal", "factual"):
        value, problem = None, f"type_label is {shorten_value(kind)}; expected factual or personal"
    return DraftAnswer(
        author=_PEOPLE,
        criterion="label",
        value=value,
        unit=UnitKind.SENTENCE,
        text=response,
        problem=problem,
        line=line,
    )


def _parse_model_answers(
    row: Mapping[str, Any], response: str, where: str, line: int
) -> tuple[DraftAnswer, ...]:
    if row.get("fever_score") is None:
        return ()
    given = need_list(row["fever_score"], "fever_score", where)
    need_equal_lengths({"fever_score": given, "the model's labels": list(_MODEL_LABELS)}, where)
    chances = [need_number(each, "fever_score", where) for each in given]
    top = max(chances)
    if not 0 <= min(chances) <= top <= 1:
        raise build_record_refusal(
            where, f"fever_score is {shorten_value(given)}", "expected probabilities from 0 to 1"
        )
    said = DraftAnswer(
        author=_MODEL,
        criterion="label",
        value=_MODEL_LABELS[chances.index(top)],
        unit=UnitKind.SENTENCE,
        text=response,
        confidence=top,
        line=line,
    )
    return (said,)


IMPORTER = Importer(
    key="dialfact",
    title="DialFact",
    about="Dialogue responses with evidence, one human label and one model's probabilities a row.",
    extensions=(".jsonl", ".json"),
    protocols=("sentence_grounding",),
    recognise=recognise,
    read=read,
)
