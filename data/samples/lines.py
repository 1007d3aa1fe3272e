"""Parse the sentences of a sample text, with their labels, excerpts and claims."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from data.samples.columns import (
    AUTHORS,
    CLAIM_VALUES,
    LABELS,
    NOT_SAID,
    WRITER,
    SampleNote,
    choose_reason,
    parse_columns,
    parse_notes,
    parse_texts,
)
from faithfulness.model.drafts import DraftAnswer
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import UnitKind, make_claim_id

_GLUE = {None: " ", "line": "\n", "paragraph": "\n\n", "nothing": ""}
_WORDS = {"from", "clash", "new", "claims", *AUTHORS}


class SampleLine(NamedTuple):
    """One sentence with what everybody says about it."""

    text: str
    glue: str
    labels: Mapping[str, str]
    excerpts: tuple[str, ...]
    clash: tuple[str, ...]  # quoted instead by those who call the sentence contradictory
    notes: Mapping[str, SampleNote]
    claims: Sequence[tuple[str, Mapping[str, str]]]

    def quoted_by(self, author: str) -> tuple[str, ...]:
        value = self.labels[author]
        if value not in ("supported", "contradictory"):
            return ()
        own = self.notes.get(author, SampleNote()).excerpts
        if own is not None:
            return own
        return self.clash if value == "contradictory" and self.clash else self.excerpts

    def reason_of(self, author: str) -> str:
        own = self.notes.get(author, SampleNote()).why
        return own or choose_reason(author, self.labels[author], self.text)


def read_lines(entries: Sequence[Mapping[str, Any]], where: str) -> list[SampleLine]:
    return [_parse_line(entry, where) for entry in entries]


def compose_text(lines: Sequence[SampleLine]) -> str:
    """The text that the listed sentences make up."""
    return "".join((line.glue if number else "") + line.text for number, line in enumerate(lines))


def iter_sentence_answers(lines: Sequence[SampleLine]) -> Iterator[DraftAnswer]:
    """A Said for every label but the writing judge's, whose reply is kept as it came."""
    for author in AUTHORS:
        for line in lines:
            if author == WRITER or author not in line.labels:
                continue
            yield DraftAnswer(
                author=AUTHORS[author],
                criterion="label",
                value=line.labels[author],
                unit=UnitKind.SENTENCE,
                text=line.text,
                rationale=line.reason_of(author),
                excerpts=line.quoted_by(author),
            )


def iter_claim_answers(lines: Sequence[SampleLine], field: str) -> Iterator[DraftAnswer]:
    """A Said for every claim and author; who did not judge a claim says so without a value."""
    for author in AUTHORS:
        for line in lines:
            for claim, values in line.claims:
                if author != WRITER:
                    yield DraftAnswer(
                        author=AUTHORS[author],
                        criterion="supported",
                        value=values.get(author),
                        unit=UnitKind.CLAIM,
                        text=claim,
                        field=field,
                        sentence=line.text,
                    )


def iter_written_claims(lines: Sequence[SampleLine], field: str) -> Iterator[dict[str, Any]]:
    """What the writing judge says about each claim, named by its id as the prompt asks."""
    for line in lines:
        for claim, values in line.claims:
            value = values.get(WRITER)
            yield {
                "id": make_claim_id(field, line.text, claim, 1),
                "claim": claim,
                "judgment": None if value is None else value == "true",
            }


def _parse_line(entry: Mapping[str, Any], where: str) -> SampleLine:
    code, text = _split_code(entry, _WORDS, where)
    where = f"{where}, “{text[:40]}”"
    if entry.get("new") not in _GLUE:
        raise ReviewError(f"{where}: new is {entry['new']!r}; expected line, paragraph or nothing")
    return SampleLine(
        text=text,
        glue=_GLUE[entry.get("new")],
        labels={} if code == "say" else parse_columns(code, LABELS, where),
        excerpts=parse_texts(entry.get("from")),
        clash=parse_texts(entry.get("clash")),
        notes=parse_notes(entry),
        claims=[_parse_claim(each, where) for each in entry.get("claims", ())],
    )


def _parse_claim(entry: Mapping[str, Any], where: str) -> tuple[str, Mapping[str, str]]:
    code, text = _split_code(entry, set(), where)
    return text, parse_columns(code, CLAIM_VALUES, where)


def _split_code(entry: Mapping[str, Any], others: set[str], where: str) -> tuple[str, str]:
    """The one key of an entry that is a code, or `say` where nobody labels the sentence."""
    codes = [key for key in entry if key not in others]
    if len(codes) != 1 or not isinstance(entry[codes[0]], str):
        found = ", ".join(map(repr, codes)) or NOT_SAID
        raise ReviewError(f"{where}: expected one code with its text, found {found}")
    return codes[0], entry[codes[0]]
