"""Parse the score from the verdict line of a judge's reply."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from faithfulness.model.vocabulary import Item
from faithfulness.replies.reading import parse_json_objects
from faithfulness.text.spelling import decode_spelling

_VERDICT = re.compile(
    r"[ \t]*(?:\*\*|__)?(?:final[ \t]+)?score[ \t]*[-–—:][ \t]*(?:\*\*|__)?[ \t]*"
    r"<score>([^<]{0,60})</score>[ \t]*(?:\*\*|__)?\.?\s*",
    re.IGNORECASE,
)
# The same line with a list number (the published prompt asks for a numbered structure), as a
# heading, in backticks, or followed by a remark in parentheses.
_DECORATION = r"[`*_]{0,3}"
_LENIENT_VERDICT = re.compile(
    rf"[ \t]*(?:#{{1,6}}[ \t]+)?(?:{_DECORATION}\(?\d{{1,2}}[.)]{_DECORATION}[ \t]*)?"
    rf"{_DECORATION}(?:final[ \t]+)?score{_DECORATION}[ \t]*[-–—:][ \t]*{_DECORATION}[ \t]*"
    rf"<score>([^<]{{0,60}})</score>[ \t]*{_DECORATION}\.?"
    rf"(?:[ \t]*\([^()<>]{{1,120}}\))?{_DECORATION}\.?{_DECORATION}\s*",
    re.IGNORECASE,
)
# A judge that quotes a text may close a tag that is left open there.
_SCORE_TAG = re.compile(r"<\s*score\s*>([^<\n]{0,60})", re.IGNORECASE)
_LINE_MARK = re.compile(r"^[\s>#*`•-]*(?:\d{1,2}[.)](?=\s)[\s*`]*)?")
_READ_LENIENTLY = "the verdict line was read leniently, it is not just Score- <score>X</score>"
_WITHOUT_MARK = "without mark: the line above the verdict line is not this call's mark"
# The mark of another call, or the one in the example of our prompts.
_EXAMPLE_MARK = "example"
_MARK = re.compile(rf"[0-9a-f]{{32}}|{_EXAMPLE_MARK}")
_REASONS = 2  # lines above a verdict that give away that it was copied
_LONGEST_VERDICT = 200  # characters of a line


class VerdictLine(NamedTuple):
    """What the line says, or why there is none; `reasons` is the reply around it."""

    value: str | None
    problem: str
    reasons: str
    notes: tuple[str, ...] = ()


class _ScoreLine(NamedTuple):
    """One verdict line with the mark on the line above it and the last reasons before that."""

    number: int
    match: re.Match[str]
    mark: str
    reasons: tuple[str, ...]

    @property
    def value(self) -> str:
        return self.match.group(1).strip()

    def repeats(self, example: "_ScoreLine") -> bool:
        """Whether it has the example's value below the example's last reason or its mark."""
        if self.value != example.value:
            return False
        if not self.reasons:
            return self.mark == _EXAMPLE_MARK
        return self.reasons[-1] in example.reasons


def parse_verdict_line(reply: str, item: Item, mark: str, template: str = "") -> VerdictLine:
    """The score on a line `Score- <score>X</score>` of its own; a tag in a sentence never counts.

    Where no line has exactly this form, one with a list number, as a heading, in backticks or with
    a remark in parentheses is read, with a note.
    A verdict whose value also stands in a score tag of the item's own texts may be a quotation.
    It counts only when the line above it is the call's mark, which no text can know. A verdict
    without the mark is read with a note where no other has it. One with the reasons of the example
    in the prompt's `template` is an echo and never counts.
    """
    heard = parse_json_objects(reply)
    lines = heard.text.split("\n")
    found, left_out = _select_own_verdicts(lines, mark, template)
    marked = [each for each in found if each.mark == mark] if mark else []
    exact = [each for each in marked or found if each.match.re is _VERDICT]
    counted = exact or marked or found
    values = {each.value for each in counted}
    problem = _explain_no_verdict(values, heard.text, left_out)
    value = next(iter(values)) if not problem else None
    if value is not None and not marked and value in _find_planted_scores(item):
        problem = f"the item's own text holds a score tag with {value!r}; this may be a quotation"
        value = None
    notes = list(heard.notes)
    if marked and len(marked) < len(found):
        notes.append("verdict lines without this call's mark were not counted")
    if mark and not marked and value is not None:
        notes.append(_WITHOUT_MARK)
    if counted and not exact:
        notes.append(f"{_READ_LENIENTLY}: “{counted[-1].match.string.strip()}”")
    spoken = {each.number for each in counted}
    reasons = "\n".join(
        line
        for number, line in enumerate(lines)
        if number not in spoken and (not mark or line.strip() != mark)
    ).strip()
    return VerdictLine(value=value, problem=problem, reasons=reasons, notes=tuple(notes))


def _select_own_verdicts(
    lines: Sequence[str], mark: str, template: str
) -> tuple[list[_ScoreLine], str]:
    """The verdicts of a reply that are its judge's own, and why another one is not."""
    own: list[_ScoreLine] = []
    left_out = ""
    examples = _list_example_verdicts(template)
    for verdict in _find_verdicts(lines, mark):
        if any(verdict.repeats(example) for example in examples):
            left_out = "the reply repeats the prompt's own example, which is no answer"
        elif mark and verdict.mark not in ("", mark):
            left_out = "the verdict line is below another mark than this call's"
        else:
            own.append(verdict)
    return own, left_out


@lru_cache(maxsize=32)
def _list_example_verdicts(template: str) -> tuple[_ScoreLine, ...]:
    return tuple(_find_verdicts(template.split("\n"), ""))


def _find_verdicts(lines: Sequence[str], mark: str) -> Iterator[_ScoreLine]:
    """Every verdict line with the mark and the last reasons above it, blank lines aside."""
    reasons: deque[str] = deque(maxlen=_REASONS)
    carried = ""
    for number, line in enumerate(lines):
        if match := _match_verdict(line):
            yield _ScoreLine(number, match, carried, tuple(reasons))
        if not (bare := _LINE_MARK.sub("", line).strip().strip("*`")):
            continue
        carried = bare if bare == mark or _MARK.fullmatch(bare) else ""
        if not carried:
            reasons.append(bare)


def _find_planted_scores(item: Item) -> set[str]:
    # A judge that quotes may write the characters that a text spells with codes.
    texts = (decode_spelling(each.text) for each in item.fields)
    return {tag.strip() for text in texts for tag in _SCORE_TAG.findall(text)}


def _match_verdict(line: str) -> re.Match[str] | None:
    if len(line) > _LONGEST_VERDICT:
        return None
    return _VERDICT.fullmatch(line) or _LENIENT_VERDICT.fullmatch(line)


def _explain_no_verdict(values: set[str], text: str, left_out: str) -> str:
    if len(values) > 1:
        return f"the reply has verdict lines that differ: {', '.join(sorted(values)[:5])}"
    if values:
        return ""
    if not text.strip():
        return "the reply is empty"
    return left_out or "the reply has no line of its own with Score- <score>X</score>"
