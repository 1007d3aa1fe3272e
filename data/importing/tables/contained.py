"""Detect columns whose texts are substrings of another column, and infer their roles."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

_WORDS = 3  # of a text, on average; fewer are a name or a label
_LONGEST = 50_000  # characters; columns with longer texts are left to the person
_COLUMNS = 20  # of texts that are compared, each with each
_MOST = 0.8  # of the rows
_PART = 0.2  # sentences make up more than this of their response, quotes less of their source
_ALIKE = 0.9  # two columns that cover a response about equally: either may be its sentences
_FREE, _SENTENCE, _RESPONSE, _SOURCE = "attribute", "sentence", "field:response", "field:context"


class Inside(NamedTuple):
    """Two columns, the texts of one being parts of the other's."""

    part: str
    whole: str
    covered: float  # how much of the whole texts their different parts make up
    has_gaps: bool  # whether some rows have no part
    beside: Sequence[str] = ()  # columns of other texts that are not the same wherever the whole is


def find_contained_columns(
    rows: Sequence[Mapping[str, Any]], header: Sequence[str]
) -> list[Inside]:
    """Every pair of columns of texts in which, in most rows, one text stands in the other."""
    texts: dict[str, list[str]] = {}
    for column in header:
        said = [row.get(column) for row in rows]
        if len(texts) < _COLUMNS and _are_texts(said):
            texts[column] = [" ".join(each.split()) if each else "" for each in said]
    found = (_compare_columns(*pair, texts) for pair in permutations(texts, 2))
    return [each for each in found if each]


def _are_texts(said: Sequence[Any]) -> bool:
    given = [each for each in said if each is not None and each != ""]
    if not given or not all(isinstance(each, str) and len(each) <= _LONGEST for each in given):
        return False
    return sum(len(each.split()) for each in given) >= _WORDS * len(given)


def _compare_columns(part: str, whole: str, texts: Mapping[str, Sequence[str]]) -> Inside | None:
    rows = list(zip(texts[part], texts[whole], strict=True))
    given = [(each, text) for each, text in rows if each]
    hits = [(each, text) for each, text in given if each in text]
    if len(hits) < _MOST * len(given) or all(each == text for each, text in hits):
        return None
    parts: dict[str, set[str]] = {}
    for each, text in hits:
        parts.setdefault(text, set()).add(each)
    covered = sum(min(len(text), sum(map(len, those))) for text, those in parts.items())
    beside = [
        each
        for each in texts
        if each not in (part, whole) and _has_varying_texts(each, whole, texts)
    ]
    return Inside(part, whole, covered / sum(map(len, parts)), len(given) < len(rows), beside)


def _has_varying_texts(column: str, whole: str, texts: Mapping[str, Sequence[str]]) -> bool:
    """Whether rows of one whole text have different texts there, or may: each stands once."""
    wholes, pairs = {*texts[whole]}, {*zip(texts[whole], texts[column], strict=True)}
    return len(pairs) > len(wholes) or len(wholes) == len(texts[whole])


def add_text_roles(mapping: Mapping[str, str], inside: Sequence[Inside]) -> dict[str, str]:
    """The mapping with sentence, response, source and excerpt where texts stand in each other.

    Only columns that no name has given a role get one.
    """
    found = dict(mapping) | _find_sentence_in_response(mapping, inside)
    return found | _find_quote_in_source(found, inside)


def _find_sentence_in_response(
    mapping: Mapping[str, str], inside: Sequence[Inside]
) -> dict[str, str]:
    related = {column for each in inside for column in each[:2]}
    fitting = [
        each
        for each in inside
        if _can_have_role(mapping, each.part, _SENTENCE)
        and _can_have_role(mapping, each.whole, _RESPONSE)
        and not each.has_gaps  # a row without its sentence answers about nothing
        and (each.covered >= _PART or mapping[each.whole] == _RESPONSE)
        # Else that may be under review, and this a quote from a short source.
        and (_is_named(mapping, each) or {*_find_free_columns(mapping, each)} <= related)
    ]
    if not fitting:
        return {}
    best = max(fitting, key=lambda each: each.covered)
    alike = [
        each
        for each in fitting
        if each.whole == best.whole and each.covered >= _ALIKE * best.covered
    ]
    sentence = {best.part: _SENTENCE} if len(alike) == 1 else {}
    return {best.whole: _RESPONSE, **sentence}


def _find_quote_in_source(mapping: Mapping[str, str], inside: Sequence[Inside]) -> dict[str, str]:
    fitting = [
        each
        for each in inside
        if _can_have_role(mapping, each.whole, _SOURCE)
        and mapping[each.part] != _SOURCE
        # A known response inside little more than itself is in a copy, not in a source.
        and (each.covered < _PART or _is_known(mapping, each))
    ]
    if not fitting:
        return {}
    source = min(fitting, key=lambda each: each.covered).whole
    free = [each for each in inside if each.whole == source and mapping[each.part] == _FREE]
    roles = {*mapping.values()}
    if len(free) != 1:  # of several either may be the quote
        return {source: _SOURCE}
    part = free[0].part
    is_alone = roles.isdisjoint((_SENTENCE, _RESPONSE)) and not _find_free_columns(mapping, free[0])
    if is_alone and not free[0].has_gaps:
        return {source: _SOURCE, part: _SENTENCE}
    return {source: _SOURCE} | ({} if "excerpt" in roles else {part: "excerpt"})


def _find_free_columns(mapping: Mapping[str, str], pair: Inside) -> list[str]:
    return [column for column in pair.beside if mapping[column] == _FREE]


def _is_named(mapping: Mapping[str, str], pair: Inside) -> bool:
    return mapping[pair.part] == _SENTENCE or mapping[pair.whole] == _RESPONSE


def _is_known(mapping: Mapping[str, str], pair: Inside) -> bool:
    return mapping[pair.part] == "excerpt" or mapping[pair.whole] == _SOURCE


def _can_have_role(mapping: Mapping[str, str], column: str, role: str) -> bool:
    """Whether the column has this role, or none while nobody has this."""
    return mapping[column] == role or (mapping[column] == _FREE and role not in mapping.values())
