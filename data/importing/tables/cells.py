"""Parse table cells exactly; a cell that cannot be parsed is unscored, never guessed."""

import re
from contextlib import suppress
from typing import Any

import orjson

from data.importing.importer import Source, build_refusal, quote_value
from faithfulness.model.protocol import Criterion
from faithfulness.model.vocabulary import AuthorKind
from faithfulness.protocols.response_consistency import CONSISTENCY, PUBLISHED
from faithfulness.protocols.sentence_grounding import LABEL

NO_VALUE = "no value in the file"
# What tables call a person and a model, beside our own two words.
AUTHOR_WORDS = {
    **dict.fromkeys(("human", "rater", "person", "annotator"), AuthorKind.RATER),
    **dict.fromkeys(("judge", "model", "llm", "ai"), AuthorKind.JUDGE),
}
# By criterion: the same value as published, or in another form of its word, as people write it;
# never a word that is near.
_SAME_VALUE = {
    CONSISTENCY.key: PUBLISHED,
    LABEL.key: {
        **dict.fromkeys(("contradicted", "contradicts", "contradiction"), "contradictory"),
        **dict.fromkeys(("not supported", "not_supported", "not-supported"), "unsupported"),
        "no attribution needed": "no_rad",
    },
}
# How files call the two columns that say where a sentence stands in the response.
OFFSET_NAMES = (
    ("start", "end"),
    ("span_start", "span_end"),
    ("start_char", "end_char"),
    ("char_start", "char_end"),
    ("start_offset", "end_offset"),
    ("begin", "end"),
)
# What programs write for a missing value, and people for an answer that they could not give: such
# a cell is never guessed to be one of the two.
_MISSING_WORDS = frozenset({"na", "n/a", "#n/a", "nan", "null", "none", "missing", "-", "–", "."})
_WHOLE = re.compile(r"([0-9]+)\.0+", re.ASCII)
_OFFSET = re.compile(r"[0-9]{1,9}", re.ASCII)
_RULE = re.compile(r"\n\s*(?:-{3,}|={3,}|\*{3,}|\|{3,})\s*\n")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_LINK_ENDS = re.compile(r"[\s,;|]+(?=https?://)|\n+")


def format_cell(value: Any) -> str:
    """A cell as text: a text as it stands, nothing as "", other values as JSON writes them."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return orjson.dumps(value).decode()


def is_empty(value: Any) -> bool:
    """Whether a cell says nothing: there is none, or only blanks stand in it."""
    return value is None or (isinstance(value, str) and not value.strip())


def parse_identifier(source: Source, line: int, value: Any) -> str:
    """An item's own id; a broken number is refused, because reading has already changed it."""
    if isinstance(value, bool | float | list | dict):
        raise build_refusal(
            source, line, f"the id is {quote_value(format_cell(value))}; write it as text"
        )
    return format_cell(value)


def parse_text(source: Source, line: int, column: str, value: Any) -> str:
    """The text of a field; lists are only read where fragments are expected."""
    if isinstance(value, bool | list | dict):
        raise build_refusal(
            source, line, f"the column {quote_value(column)} holds no text; write it as one text"
        )
    return format_cell(value)


def read_value(criterion: Criterion, raw: Any) -> tuple[str | None, str]:
    """The value on the criterion's scale, or None and the problem that makes it Unread.

    Letter case and blanks around it do not matter, as in a judge's reply, nor do forms of the same
    word that are listed here; everything else does.
    """
    if is_empty(raw):
        return (None, "") if criterion.may_skip else (None, NO_VALUE)
    said = format_cell(raw).strip()
    value = said.casefold()
    value = _SAME_VALUE.get(criterion.key, {}).get(value, value)
    if criterion.scale.ordinal and (whole := _WHOLE.fullmatch(said)):
        value = whole.group(1)  # 4.0 is how tables write 4; 2.5 stays 2.5 and off the scale
    is_flag = isinstance(raw, bool) and not criterion.may_skip
    if value in criterion.scale and not is_flag and not isinstance(raw, list | dict):
        return value, ""
    expected = ", ".join(criterion.scale.values)
    hint = "; leave the cell blank if there is no answer" if value in _MISSING_WORDS else ""
    return None, f"the file says {quote_value(said)}; expected one of {expected}{hint}"


def parse_author_kind(value: Any) -> AuthorKind | None:
    """Whether the cell says a person or a model; None when it says neither."""
    return AUTHOR_WORDS.get(format_cell(value).strip().casefold())


def parse_texts(source: Source, line: int, value: Any) -> tuple[str, ...]:
    """Texts of a cell that may hold several: a list, a JSON list, or parts between blank lines."""
    value = _parse_list(value)
    if isinstance(value, list):
        if not all(isinstance(each, str) for each in value):
            raise build_refusal(
                source, line, "a list that should hold only texts holds something else"
            )
        return tuple(each for each in value if each)
    text = format_cell(value)
    parts = _RULE.split(text)
    if len(parts) == 1:
        parts = _BLANK_LINES.split(text)
    return tuple(part for part in parts if part.strip())


def _parse_list(value: Any) -> Any:
    """A cell that is written as a JSON list, as the list; anything else as it stands."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        with suppress(orjson.JSONDecodeError):  # a text may happen to begin with a bracket
            return orjson.loads(value)
    return value


def parse_links(value: Any) -> tuple[str, ...]:
    """Evidence links: a list, or addresses between blanks, commas or semicolons."""
    if isinstance(value, list):
        return tuple(format_cell(each) for each in value if each)
    return tuple(part.strip() for part in _LINK_ENDS.split(format_cell(value)) if part.strip())


def parse_excerpts(value: Any) -> tuple[str, ...]:
    """Quoted words: one text, or a list of them, which CSV can only write as JSON."""
    said = _parse_list(value)
    # A source numbers its parts as [3]: words that are quoted, unless all of the list is text.
    if isinstance(value, list) or (said is not value and all(type(each) is str for each in said)):
        return tuple(format_cell(each) for each in said if each)
    text = format_cell(value)
    return (text,) if text.strip() else ()


def parse_offset(value: Any) -> int | None:
    """A place in a text where the cell is a whole number from 0; None where it is not."""
    text = "" if isinstance(value, bool) else format_cell(value).strip()
    return int(text) if _OFFSET.fullmatch(text) else None


def parse_confidence(value: Any) -> float | None:
    """A confidence where the cell is a finite number."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if number - number == 0 else None
