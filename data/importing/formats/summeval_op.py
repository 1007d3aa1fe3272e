"""SummEval-OP importer: opinion summaries of many systems, with seven scores per rater."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

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
    shorten_value,
)
from data.importing.readers.strict import read_json_lines
from faithfulness.model.drafts import Draft, DraftAnswer, Number
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind

_FAITHFULNESS = "fa"
_OTHER_SCORES = {
    "fl": "Fluency",
    "co": "Coherence",
    "re": "Relevance",
    "ac": "Aspect Coverage",
    "sc": "Sentiment Consistency",
    "sp": "Specificity",
}
_PUBLISHED = Author(kind=AuthorKind.RATER, name="published mean")


class _ReviewedProduct(NamedTuple):
    """One line: a product's reviews and every system's summary of them."""

    reviews: tuple[str, ...]
    summaries: tuple[str, ...]
    systems: tuple[str, ...]  # empty in the detailed file, which goes by position
    said: tuple[tuple[DraftAnswer, ...], ...]
    numbers: tuple[tuple[Number, ...], ...]
    file: str
    line: int


def recognise(sources: Sequence[Source]) -> int:
    return 95 if all(_is_mine(read_first_record(source)) for source in sources) else 0


def _is_mine(record: Mapping[str, Any]) -> bool:
    summaries = record.get("summaries")
    if isinstance(summaries, list):
        return "reviews" in record and _FAITHFULNESS in record
    if not isinstance(summaries, dict) or "reviews" not in record:
        return False
    return all(isinstance(each, dict) and "dimensions" in each for each in summaries.values())


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    """One draft for each product and system; both files together share drafts and names."""
    detailed, published = [], []
    for source in sources:
        for line, record in read_json_lines(source):
            where = f"{source.name} line {line}"
            row = need_mapping(record, "the row", where)
            if isinstance(row.get("summaries"), dict):
                published.append(_parse_published_row(row, source, line))
            else:
                detailed.append(_parse_detailed_row(row, source, line))
    names = _find_systems_by_position(published)
    partners = {(each.reviews, each.summaries): each for each in published}
    used = {(each.reviews, each.summaries) for each in detailed}
    alone = [each for each in published if (each.reviews, each.summaries) not in used]
    for number, product in enumerate([*detailed, *alone], start=1):
        partner = None if product.systems else partners.get((product.reviews, product.summaries))
        yield from _build_drafts(product, partner, names, number)


def _find_systems_by_position(published: Sequence[_ReviewedProduct]) -> tuple[str, ...]:
    """The systems' names in order, when every published line has the same order."""
    orders = {each.systems for each in published}
    return orders.pop() if len(orders) == 1 else ()


def _build_drafts(
    product: _ReviewedProduct, partner: _ReviewedProduct | None, names: tuple[str, ...], number: int
) -> Iterator[Draft]:
    by_position = tuple(f"system_{place}" for place in range(1, len(product.summaries) + 1))
    if len(names) != len(product.summaries):
        names = by_position
    systems = product.systems or (partner.systems if partner else names)
    for place, system in enumerate(systems):
        more = partner.numbers[place] if partner else ()
        yield Draft(
            protocol="comparative_summary",
            system=system,
            external_id=f"product_{number}",
            fields=(
                Field(name="response", kind="response", text=product.summaries[place]),
                Field(name="reviews", kind="reviews", text="\n\n".join(product.reviews)),
            ),
            said=product.said[place],
            numbers=(*product.numbers[place], *more),
            file=product.file,
            line=product.line,
        )


def _parse_detailed_row(row: Mapping[str, Any], source: Source, line: int) -> _ReviewedProduct:
    where = f"{source.name} line {line}"
    summaries = need_texts(row.get("summaries"), "summaries", where)
    columns = {key: need_list(row.get(key), key, where) for key in (_FAITHFULNESS, *_OTHER_SCORES)}
    need_equal_lengths({"summaries": summaries, **columns}, where)
    said, numbers = [], []
    for place, summary in enumerate(summaries):
        need_text(summary, f"summary {place + 1}", where)
        scores = {
            key: need_list(column[place], f"{key} of summary {place + 1}", where)
            for key, column in columns.items()
        }
        need_equal_lengths(scores, where)
        said.append(
            tuple(
                _parse_answer(rater, score, where, line)
                for rater, score in enumerate(scores[_FAITHFULNESS], start=1)
            )
        )
        numbers.append(
            tuple(
                Number(_make_rater(rater), title, need_number(score, key, where), line)
                for key, title in _OTHER_SCORES.items()
                for rater, score in enumerate(scores[key], start=1)
            )
        )
    return _ReviewedProduct(
        reviews=tuple(need_texts(row.get("reviews"), "reviews", where)),
        summaries=tuple(summaries),
        systems=(),
        said=tuple(said),
        numbers=tuple(numbers),
        file=source.name,
        line=line,
    )


def _make_rater(number: int) -> Author:
    return Author(kind=AuthorKind.RATER, name=f"rater_{number}")


def _parse_answer(rater: int, score: object, where: str, line: int) -> DraftAnswer:
    """A rater's faithfulness score; a number off the scale puts the scale of all in doubt."""
    is_on_scale = isinstance(score, int) and not isinstance(score, bool) and 1 <= score <= 5
    problem = f"fa is {shorten_value(score)}; expected a whole number from 1 to 5"
    if not is_on_scale and isinstance(score, int | float):
        remedy = "correct it, or save scores on another scale as a table with a column for each"
        raise build_record_refusal(
            where, problem, f"{remedy} rater, which is asked about at its import"
        )
    return DraftAnswer(
        author=_make_rater(rater),
        criterion="faithfulness",
        value=str(score) if is_on_scale else None,
        unit=UnitKind.RESPONSE,
        problem="" if is_on_scale else problem,
        line=line,
    )


def _parse_published_row(row: Mapping[str, Any], source: Source, line: int) -> _ReviewedProduct:
    where = f"{source.name} line {line}"
    systems = need_mapping(row["summaries"], "summaries", where)
    reviews = need_mapping(row.get("reviews"), "reviews", where)
    summaries, numbers = [], []
    for system, value in systems.items():
        if not system.strip():
            raise build_record_refusal(where, "a system has no name", "name it")
        given = need_mapping(value, system, where)
        summaries.append(need_text(given.get("summary"), f"summary of {system}", where))
        means = need_mapping(given.get("dimensions"), f"dimensions of {system}", where)
        numbers.append(
            tuple(
                Number(_PUBLISHED, title, need_number(mean, title, where), line)
                for title, mean in means.items()
            )
        )
    return _ReviewedProduct(
        reviews=tuple(need_texts(list(reviews.values()), "reviews", where)),
        summaries=tuple(summaries),
        systems=tuple(systems),
        said=((),) * len(summaries),
        numbers=tuple(numbers),
        file=source.name,
        line=line,
    )


IMPORTER = Importer(
    key="summeval_op",
    title="SummEval-OP",
    about="Opinion summaries of many systems, scored from 1 to 5 by several raters.",
    extensions=(".jsonl", ".json"),
    protocols=("comparative_summary",),
    recognise=recognise,
    read=read,
)
