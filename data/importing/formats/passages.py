"""Convert the evidence passages of a record to numbered source fields, without duplicates."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from faithfulness.model.vocabulary import Field

# "[3] https://… <blank line> the passage"; the mark and the passage may be missing.
_CITED = re.compile(r"\s*(?:\[\d+\]\s*)?(https?://\S+)\s*(.*)", re.DOTALL)


class Cited(NamedTuple):
    """A passage taken apart: where it was found, and its words; either may be unknown."""

    link: str
    words: str


def split_citation(passage: str) -> Cited:
    found = _CITED.fullmatch(passage)
    if found is None:
        return Cited("", passage.strip())
    return Cited(found[1], found[2].strip())


def build_external_fields(passages: Iterable[str]) -> tuple[Field, ...]:
    """Sources external_1, external_2 … in order of first mention; blank passages are left out."""
    distinct = dict.fromkeys(text for text in passages if text.strip())
    return tuple(
        Field(name=f"external_{number}", kind="external", text=text)
        for number, text in enumerate(distinct, start=1)
    )


def drop_repeated_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Texts in order of first mention, blanks and repetitions left out."""
    return tuple(dict.fromkeys(text for text in texts if text.strip()))
