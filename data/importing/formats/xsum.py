"""Importer for XSum hallucinations: one-sentence summaries with spans, votes and scores."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from data.importing.controls import join_damaged
from data.importing.importer import Importer, Options, Source
from data.importing.readers.peek import read_csv_header
from data.importing.readers.shape import build_record_refusal, need_text, shorten_value
from data.importing.readers.strict_csv import read_csv_rows
from faithfulness.model.drafts import Draft, DraftAnswer, Number
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind

_SPANS = frozenset(
    {"bbcid", "system", "summary", "hallucination_type", "hallucinated_span", "worker_id"}
    | {"hallucinated_span_start", "hallucinated_span_end"}
)
_VOTES = frozenset({"bbcid", "system", "summary", "is_factual", "worker_id"})
_SCORES = frozenset({"system_bbcid"})
# The score file calls the systems by other names; the factuality votes show which is which.
_SYSTEMS = {
    "ptgen": "PtGen",
    "tconvs2s": "TConvS2S",
    "bert_withckpt": "BERTS2S",
    "bert_nockpt": "TranS2S",
}
_LABELS = {"intrinsic": "contradictory", "extrinsic": "unsupported", "NULL": "supported"}
_MOST_SEVERE = ("contradictory", "unsupported", "supported")
_FACTUAL = {"yes": 1.0, "no": 0.0}
# Means over the raters, beside the columns that hold metrics.
_MEANS = frozenset({"Faithful", "Factual"})
_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,2})?")


class _SpanRow(NamedTuple):
    """One row of the span file."""

    kind: str
    words: str
    start: str
    end: str
    line: int
    file: str


class _SystemSummary:
    """Everything the files say about one system's summary of one article."""

    def __init__(self, source: Source, line: int) -> None:
        self.file, self.line = source.name, line
        self.text = ""
        self.marks: dict[str, list[_SpanRow]] = {}
        self.numbers: dict[tuple[Author, str], Number] = {}


_Found = dict[tuple[str, str], _SystemSummary]


def recognise(sources: Sequence[Source]) -> int:
    return 95 if all(_detect_shape(source) for source in sources) else 0


def _detect_shape(source: Source) -> str:
    names = read_csv_header(source)
    if names >= _SPANS:
        return "spans"
    if names >= _VOTES:
        return "votes"
    return "scores" if names > _SCORES else ""


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    """One draft for each system and article, whichever of the three files speak of it."""
    found: _Found = {}
    take = {"spans": _add_mark, "votes": _add_vote, "scores": _add_scores}
    for source in sources:
        shape = _detect_shape(source)
        if not shape:
            raise build_record_refusal(
                f"{source.name} line 1",
                "these columns belong to none of the three XSum files",
                "expected hallucination_type, is_factual or system_bbcid with metrics",
            )
        for line, row in read_csv_rows(source, delimiter=","):
            take[shape](found, row, source, line)
    for (system, article), summary in found.items():
        yield _build_draft(system, article, summary)


def _build_draft(system: str, article: str, summary: _SystemSummary) -> Draft:
    # Without the article's number three summaries that say the same would be one item.
    topic = Field(name="topic", kind="topic", text=f"BBC article {article}")
    response = Field(name="response", kind="response", text=summary.text)
    return Draft(
        protocol="sentence_grounding",
        system=system,
        external_id=article,
        fields=(topic, response) if summary.text else (topic,),
        said=tuple(
            _build_answer(rater, marks, summary.text) for rater, marks in summary.marks.items()
        ),
        numbers=tuple(summary.numbers.values()),
        cut=(summary.text,) if summary.text else None,
        file=summary.file,
        line=summary.line,
    )


def _build_answer(rater: str, marks: Sequence[_SpanRow], text: str) -> DraftAnswer:
    """A rater's rows about one summary: the most severe counts, all marks stay visible."""
    labels, parts, notes, problem = set(), [], [], ""
    for mark in marks:
        label = _LABELS.get(mark.kind)
        if label is None:
            expected = "intrinsic, extrinsic or NULL"
            problem = f"hallucination_type is {shorten_value(mark.kind)}; expected {expected}"
            continue
        labels.add(label)
        span, note = _locate_mark(mark, text)
        if span:
            parts.append((*span, label))
        if note:
            notes.append(note)
    worst = next((label for label in _MOST_SEVERE if label in labels), None)
    return DraftAnswer(
        author=Author(kind=AuthorKind.RATER, name=rater),
        criterion="label",
        value=None if problem else worst,
        unit=UnitKind.SENTENCE,
        text=text,
        rationale=" ".join(notes),
        parts=tuple(sorted(parts)),
        problem=problem,
        line=marks[0].line,
        file=marks[0].file,
    )


def _locate_mark(mark: _SpanRow, text: str) -> tuple[tuple[int, int] | None, str]:
    """The marked span, or a note where the marked words do not stand at their offsets."""
    if mark.kind == "NULL":
        if mark.words in ("NULL", ""):
            return None, ""
        return None, f"Marked as free of hallucination, yet these words are given: {mark.words!r}."
    try:
        start, end = int(mark.start) - 1, int(mark.end) - 1
    except ValueError:
        start = end = -1
    if 0 <= start < end <= len(text) and text[start:end] == mark.words:
        return (start, end), ""
    at = f"{mark.start} to {mark.end}"
    return None, f"Marked as {mark.kind}, but not found at {at}: {mark.words!r}."


def _get_summary(
    found: _Found, row: Mapping[str, str], source: Source, line: int
) -> _SystemSummary:
    where = f"{source.name} line {line}"
    article = need_text(row["bbcid"], "bbcid", where)
    key = (need_text(row["system"], "system", where), article)
    summary = found.setdefault(key, _SystemSummary(source, line))
    # Offsets count the text after its quotes are freed of their backslashes.
    text = need_text(row["summary"], "summary", where).replace("\\'", "'")
    meant = join_damaged(summary.text, text) if summary.text else text
    if meant is None:
        raise build_record_refusal(
            where,
            f"another summary of article {article} by {key[0]} than on line {summary.line} of "
            f"{summary.file}",
            "give each summary its own system or article",
        )
    summary.text = meant
    return summary


def _add_mark(found: _Found, row: Mapping[str, str], source: Source, line: int) -> None:
    rater = need_text(row["worker_id"], "worker_id", f"{source.name} line {line}")
    summary = _get_summary(found, row, source, line)
    mark = _SpanRow(
        kind=row["hallucination_type"].strip(),
        words=row["hallucinated_span"].replace("\\'", "'"),
        start=row["hallucinated_span_start"],
        end=row["hallucinated_span_end"],
        line=line,
        file=source.name,
    )
    summary.marks.setdefault(rater, []).append(mark)


def _add_vote(found: _Found, row: Mapping[str, str], source: Source, line: int) -> None:
    where = f"{source.name} line {line}"
    rater = need_text(row["worker_id"], "worker_id", where)
    vote = _FACTUAL.get(row["is_factual"])
    if vote is None:
        raise build_record_refusal(
            where, f"is_factual is {shorten_value(row['is_factual'])}", "expected yes or no"
        )
    author = Author(kind=AuthorKind.RATER, name=rater)
    number = Number(author, "Factual", vote, line, source.name)
    _add_number(_get_summary(found, row, source, line), number, where)


def _add_scores(found: _Found, row: Mapping[str, str], source: Source, line: int) -> None:
    where = f"{source.name} line {line}"
    name, _, article = row["system_bbcid"].rpartition("_")
    if not name or not article:
        raise build_record_refusal(
            where, f"system_bbcid is {shorten_value(row['system_bbcid'])}", "expected system_id"
        )
    summary = found.setdefault((_SYSTEMS.get(name, name), article), _SystemSummary(source, line))
    for column, cell in row.items():
        if column in _SCORES:
            continue
        if not _NUMBER.fullmatch(cell):
            raise build_record_refusal(
                where, f"{column} is {shorten_value(cell)}", "expected a number"
            )
        is_mean = column in _MEANS
        author = Author(
            kind=AuthorKind.RATER if is_mean else AuthorKind.JUDGE,
            name="published mean" if is_mean else column,
        )
        _add_number(summary, Number(author, column, float(cell), line, source.name), where)


def _add_number(summary: _SystemSummary, number: Number, where: str) -> None:
    key = (number.author, number.name)
    if key in summary.numbers:
        raise build_record_refusal(
            where,
            f"{number.author.name} gives {number.name} a second time (first on line "
            f"{summary.numbers[key].line} of {summary.numbers[key].file})",
            "keep one of them",
        )
    summary.numbers[key] = number


IMPORTER = Importer(
    key="xsum",
    title="XSum hallucinations",
    about="One-sentence summaries with marked spans, factuality votes and metric scores.",
    extensions=(".csv",),
    protocols=("sentence_grounding",),
    recognise=recognise,
    read=read,
)
