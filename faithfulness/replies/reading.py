"""Parse a judge's reply: extract JSON objects from any surrounding text."""

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from faithfulness.model.scale import Scale
from faithfulness.model.vocabulary import Item
from faithfulness.text.canonical import strip_marks
from faithfulness.text.normalise import reduce_text
from faithfulness.text.spelling import decode_spelling

_OPENING = re.compile(r'\{\s*["}]')
_HALF_LETTER = re.compile("[\ud800-\udfff]")
_THINKING = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)

# Failed attempts may cost this many characters in all, then the search stops: text full of opened
# and never closed braces would otherwise take time that grows with its square.
_PATIENCE = 4_000_000
_MOST = 10_000  # objects; no response has so many sentences, so such a reply is not read at all
_NOTES = 50
_QUOTE = "[\"'“”„‘’«»`\\\\]"
_UNIT_KEYS = frozenset({"id", "sentence", "claim"})
_WORDY = ("sentence", "claim", "rationale")
_DEPTH = 6  # wrappers around answers are shallow: {"result": {"sentences": [{...}]}}


# The end of a note on a reply that was read although its judge left the call's mark out.
_READ_WITHOUT_MARK = (
    "the reply does not carry this call's mark; it was read because it has exactly one "
    "well-formed answer for each unit and nothing that could be quoted"
)
_UNMARKED = "without this call's mark were not counted"
_COPIED = "copied from the item's own text were not counted"
_NOT_WITHOUT_MARK = "the reply does not carry this call's mark, and was not read without it because"


class ReplyObject(dict[str, Any]):
    """One JSON object of a reply; `twice` names keys that stand in it more than once."""

    twice: tuple[str, ...] = ()


class ParsedReply(NamedTuple):
    """A reply without its thinking: the words, the objects in them, and what did not fit.

    `rest` is the words apart from the objects. `rejected` is why nothing of the reply counts
    although it has objects; `apart_from` names what does not count beside those that do.
    """

    text: str
    objects: tuple[ReplyObject, ...]
    notes: tuple[str, ...]
    rest: str = ""
    rejected: str = ""
    apart_from: str = ""

    def why_missing(self, nothing_said: str, no_object: str = "") -> str:
        """The problem of a unit that no counted object is about.

        `no_object` is the problem of every unit where the reply has words and no object at all.
        """
        if self.rejected:
            return self.rejected
        if no_object and self.text and not self.objects and not self.apart_from:
            return no_object
        return f"apart from {self.apart_from}, {nothing_said}" if self.apart_from else nothing_said


class _ObjectPlace(NamedTuple):
    start: int
    end: int
    told: ReplyObject


class _Sorted(NamedTuple):
    """The objects of a reply by what makes them count or not."""

    own: list[ReplyObject]  # all that are neither copies nor of the example, in their order
    counted: list[ReplyObject]  # with this call's mark; where there is none, all that are no copies
    unmarked: list[ReplyObject]
    other_marks: int  # of the unmarked, how many carry another call's mark or an invented one
    copied: int  # from the item's own texts, in a reply that was asked for without a mark
    examples: int  # from the prompt's own example


def extract_objects(
    reply: str,
    item: Item,
    mark: str,
    keys: Sequence[str],
    template: str = "",
    is_complete: Callable[[Sequence[ReplyObject]], bool] = lambda _: False,
) -> ParsedReply:
    """The objects of a reply that hold one of `keys` and count as the judge's own.

    With a mark, only objects that carry it (or stand inside one that does) count. Where some lack
    it, they count all the same, with a note, if they cannot be a quotation: all objects together
    are complete, nothing else in the reply looks like an answer, and neither the prompt's example
    nor the item's texts hold objects of that kind. An object of the prompt's example never counts,
    nor does one that stands with the same values in the item's own texts.

    Args:
        reply: what the judge wrote.
        item: the item as the judge saw it.
        mark: this call's mark; empty where the judge was given none.
        keys: an object with one of these keys is an answer.
        template: the words of the prompt; objects of its example are known by them.
        is_complete: whether objects are one well-formed answer for each unit and nothing else.
    """
    heard = parse_json_objects(reply)
    found = _sort_objects(heard.objects, item, mark, keys, template)
    has_others = _has_key(heard.rest, keys) or _has_nested_answer(found.own, keys)
    objects, rejected = _select_counted(
        found, item, keys, lambda objects: not has_others and is_complete(objects)
    )
    notes = [*heard.notes, *([rejected] if rejected else [])]
    apart_from = "JSON that cannot be read" if _has_key(heard.rest, keys) else ""
    if found.copied:
        apart_from = "copies of the item's own text"
        notes.append(f"{found.copied} JSON object(s) {_COPIED}")
    if found.unmarked and objects is found.own:
        notes.append(f"without mark: {'part of ' if found.counted else ''}{_READ_WITHOUT_MARK}")
    elif found.unmarked and found.counted:
        apart_from = "JSON objects without this call's mark"
        notes.append(f"{len(found.unmarked)} JSON object(s) {_UNMARKED}")
    if found.examples and found.counted:
        notes.append(f"{found.examples} JSON object(s) of the prompt's own example did not count")
    return heard._replace(
        objects=tuple(objects), notes=tuple(notes), rejected=rejected, apart_from=apart_from
    )


def parse_json_objects(reply: str) -> ParsedReply:
    """Every outermost JSON object of a reply, and its words, with thinking blocks left out."""
    places, gave_up = _scan_objects(reply)
    blocks, unfinished = _find_thinking(reply, places)
    notes = []
    if gave_up:
        notes.append("the reply is too tangled to be searched for JSON to its end")
    if unfinished:
        notes.append("the reply ends inside its thinking")
    starts = [start for start, _ in blocks]
    said = [place for place in places if not _is_inside(place.start, blocks, starts)]
    ranges = sorted([*blocks, *((place.start, place.end) for place in said)])
    return ParsedReply(
        text=_remove_ranges(reply, blocks).strip(),
        objects=tuple(place.told for place in said),
        notes=tuple(notes),
        rest=_remove_ranges(reply, ranges),
    )


def match_scale_value(
    said: object, scale: Scale, aliases: Mapping[str, str] | None = None
) -> str | None:
    """The scale's value that was said, or None; letter case and blanks do not matter."""
    if isinstance(said, bool) or said is None:
        return None
    if isinstance(said, float) and said.is_integer() and abs(said) < 1000:
        said = int(said)
    if not isinstance(said, str | int):
        return None
    value = str(said).strip().casefold()
    value = (aliases or {}).get(value, value)
    return value if value in scale else None


def describe_off_scale(told: ReplyObject, key: str, scale: Scale) -> str:
    """The problem of an object whose value for `key` is not on the scale."""
    if key not in told or told[key] is None:
        return f"the reply gives no {key}"
    return f"the reply's {key} {shorten_value(told[key])} is not one of {', '.join(scale.values)}"


def shorten_value(said: object, limit: int = 60) -> str:
    """A value as a person can read it inside a message."""
    text = json.dumps(said, ensure_ascii=False, default=str)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def get_text(told: Mapping[str, Any], key: str) -> str:
    """The text under a key, empty when there is none."""
    said = told.get(key)
    return said.strip() if isinstance(said, str) else ""


def get_texts(told: Mapping[str, Any], *keys: str) -> tuple[str, ...]:
    """The texts under the first key that has any: one text is one, a list is several."""
    for key in keys:
        said = told.get(key)
        candidates = said if isinstance(said, list) else [said]
        found = tuple(each for each in candidates if isinstance(each, str) and each.strip())
        if found:
            return found
    return ()


def get_confidence(told: Mapping[str, Any]) -> float | None:
    """The judge's own confidence between 0 and 1, None when it gives no such number."""
    said = told.get("confidence")
    if isinstance(said, bool) or not isinstance(said, int | float):
        return None
    return float(said) if 0 <= said <= 1 else None


def replace_surrogates(said: Any) -> Any:
    """The same without half letters, which JSON can spell and neither store nor page can hold."""
    if isinstance(said, str):
        return said if said.isascii() else _HALF_LETTER.sub("\ufffd", said)
    return [replace_surrogates(each) for each in said] if isinstance(said, list) else said


def limit_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """Notes that a person can still read: a reply out of control gives thousands."""
    if len(notes) <= _NOTES:
        return tuple(notes)
    return (*notes[:_NOTES], f"and {len(notes) - _NOTES:,} more of this kind")


def _remove_ranges(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    """The text without these ranges, which are in order and may overlap."""
    outside, position = [], 0
    for start, end in ranges:
        outside.append(text[position : max(start, position)])
        position = max(end, position)
    return "".join([*outside, text[position:]])


def _build_reply_object(pairs: list[tuple[str, Any]]) -> ReplyObject:
    told = ReplyObject((replace_surrogates(key), replace_surrogates(value)) for key, value in pairs)
    if len(told) < len(pairs):
        counts = Counter(replace_surrogates(key) for key, _ in pairs)
        told.twice = tuple(sorted(key for key, count in counts.items() if count > 1))[:5]
    return told


def _parse_integer(digits: str) -> int | float:
    # int() refuses thousands of digits with an error; such a number is on no scale anyway.
    return int(digits) if len(digits) < 20 else float("inf")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_build_reply_object,
    parse_int=_parse_integer,
    parse_constant=lambda _: None,
    strict=False,
)


def _scan_objects(text: str) -> tuple[list[_ObjectPlace], bool]:
    """Outermost JSON objects in order; True when the search ran out of patience."""
    found: list[_ObjectPlace] = []
    position, patience = 0, _PATIENCE
    while opening := _OPENING.search(text, position):
        start = opening.start()
        try:
            told, position = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            # The error counts the lines before it, so its place in the text is part of its price.
            patience -= 100 + (error.pos - start) + error.pos // 8
            position = start + 1
        except RecursionError:
            # About a thousand levels lie ahead, each at least a character: none is an answer.
            patience -= 2_000
            position = start + 500
        else:
            found.append(_ObjectPlace(start, position, told))
        if patience < 0 or len(found) > _MOST:
            return found, True
    return found, False


def _find_thinking(text: str, places: Sequence[_ObjectPlace]) -> tuple[list[tuple[int, int]], bool]:
    """Ranges of thinking; tags inside JSON objects are quotations.

    A closing tag without an opening one ends a block that began with the reply: some servers put
    the opening tag into the prompt.
    """
    blocks: list[tuple[int, int]] = []
    opened: int | None = None
    following = iter([*places, _ObjectPlace(len(text), len(text), ReplyObject())])
    place = next(following)
    for tag in _THINKING.finditer(text):
        while place.end <= tag.start() and place.start < len(text):
            place = next(following)
        if place.start <= tag.start():
            continue
        if not tag.group(1):
            opened = tag.start() if opened is None else opened
        elif opened is None:
            blocks = [(0, tag.end())]
        else:
            blocks.append((opened, tag.end()))
            opened = None
    if opened is not None:
        blocks.append((opened, len(text)))
    return blocks, opened is not None


def _is_inside(place: int, blocks: Sequence[tuple[int, int]], starts: Sequence[int]) -> bool:
    nearest = bisect_right(starts, place) - 1
    return nearest >= 0 and place < blocks[nearest][1]


def _find_objects_with_keys(
    objects: Sequence[object], keys: Sequence[str], mark: str, carried: str = "", depth: int = 0
) -> Iterator[tuple[ReplyObject, str]]:
    """Objects with one of the keys, searched through wrappers, and the mark each is under.

    The mark of a wrapper covers what is inside; this call's mark is not undone by another one.
    """
    for each in objects:
        if isinstance(each, list) and depth < _DEPTH:
            yield from _find_objects_with_keys(each, keys, mark, carried, depth + 1)
        if not isinstance(each, ReplyObject):
            continue
        own = str(each.get("mark") or "")
        covering = carried if (mark and carried == mark) or not own else own
        if any(key in each for key in keys):
            yield each, covering
        elif depth < _DEPTH:
            yield from _find_objects_with_keys(list(each.values()), keys, mark, covering, depth + 1)


def _sort_objects(
    objects: Sequence[ReplyObject], item: Item, mark: str, keys: Sequence[str], template: str
) -> _Sorted:
    planted = _find_planted_objects(item, keys) if not mark else []
    own: list[ReplyObject] = []
    counted: list[ReplyObject] = []
    unmarked: list[ReplyObject] = []
    others = copied = examples = 0
    for told, carried in _find_objects_with_keys(objects, keys, mark):
        if _is_example(told, item, _list_example_objects(template, tuple(keys))):
            examples += 1
        elif not mark and dict(told) in planted:
            copied += 1
        else:
            own.append(told)
            (counted if carried == mark or not mark else unmarked).append(told)
            others += bool(mark and carried not in ("", mark))
    return _Sorted(own, counted, unmarked, others, copied, examples)


def _select_counted(
    found: _Sorted,
    item: Item,
    keys: Sequence[str],
    is_complete: Callable[[Sequence[ReplyObject]], bool],
) -> tuple[list[ReplyObject], str]:
    """The objects that count, or why none does although the reply has some."""
    if max(len(found.counted), len(found.unmarked)) > _MOST:
        return [], f"the reply holds over {_MOST:,} JSON objects, too many to be answers"
    if found.unmarked:
        problem = _explain_missing_mark(found, item, keys, is_complete)
        if not problem:
            return found.own, ""
        return found.counted, "" if found.counted else problem
    if found.examples and not found.counted:
        return [], "the reply repeats the prompt's own example, which is no answer"
    return found.counted, ""


def _explain_missing_mark(
    found: _Sorted,
    item: Item,
    keys: Sequence[str],
    is_complete: Callable[[Sequence[ReplyObject]], bool],
) -> str:
    """Why unmarked objects may be a quotation; empty where they can be read."""
    if found.other_marks:
        return f"{_NOT_WITHOUT_MARK} it carries another mark"
    if found.examples:
        return f"{_NOT_WITHOUT_MARK} it repeats the prompt's own example beside its answers"
    if _has_key_in_texts(item, keys):
        return f"{_NOT_WITHOUT_MARK} the item's own text holds answers of that kind"
    if not is_complete(found.own):
        return f"{_NOT_WITHOUT_MARK} it has not exactly one well-formed answer for each unit"
    return ""


def _has_key_in_texts(item: Item, keys: Sequence[str]) -> bool:
    """Whether a text of the item has one of the keys as a key, whole object or not.

    A judge that quotes may mend what is no JSON yet, so that a comparison of values is not enough.
    """
    return any(_has_key(each.text, keys) for each in item.fields)


def _has_key(text: str, keys: Sequence[str]) -> bool:
    """Whether a text has one of the keys as a key: in quotes, or without them inside a brace."""
    named = f"(?:{'|'.join(keys)})"
    key = f"{_QUOTE}\\s*{named}\\s*{_QUOTE}+\\s*[:=]|\\{{[^{{}}]{{0,400}}\\b{named}\\s*[:=]"
    return re.search(key, decode_spelling(text), re.IGNORECASE) is not None


def _has_nested_answer(objects: Sequence[ReplyObject], keys: Sequence[str]) -> bool:
    """Whether an answer has another one inside."""
    return any(
        True for told in objects for _ in _find_objects_with_keys(list(told.values()), keys, "")
    )


@lru_cache(maxsize=32)
def _list_example_objects(template: str, keys: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    """The objects in a prompt's words, without their marks."""
    objects = [place.told for place in _scan_objects(template)[0]]
    return tuple(_remove_mark(told) for told, _ in _find_objects_with_keys(objects, keys, ""))


def _remove_mark(told: ReplyObject) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key != "mark"}


def _is_example(told: ReplyObject, item: Item, examples: Sequence[Mapping[str, Any]]) -> bool:
    """Whether an object repeats one of the prompt's example, with or without a mark.

    A sentence of the example that the item does not have gives it away under any label; so do
    its reasons, which no other response has, where the answer is about a whole response.
    """
    own, sentence = _remove_mark(told), get_text(told, "sentence")
    return any(
        _is_repeating_example(own, example)
        or _has_reasons_of(own, example)
        or (
            sentence != ""
            and sentence == get_text(example, "sentence")
            and not any(sentence in each.text for each in item.fields)
        )
        for example in examples
    )


def _is_repeating_example(own: Mapping[str, Any], example: Mapping[str, Any]) -> bool:
    """Whether an object says only what the example says, with all of its words."""
    if not own or not own.items() <= example.items():
        return False
    if wordy := [key for key in _WORDY if get_text(example, key)]:
        return all(key in own for key in wordy)
    return any(isinstance(value, dict) for value in own.values())


def _has_reasons_of(own: Mapping[str, Any], example: Mapping[str, Any]) -> bool:
    """Whether an answer about a whole response gives reasons, and all are the example's."""
    reasons, known = _collect_reasons(own), _collect_reasons(example)
    names_unit = not _UNIT_KEYS.isdisjoint(example)  # "A greeting." is a reason for many sentences
    return not names_unit and reasons != set() and reasons <= known


def _collect_reasons(told: Mapping[str, Any]) -> set[str]:
    """The reasons of an answer and of the criteria in it, to be compared."""
    inner = [told, *(each for each in told.values() if isinstance(each, dict))]
    return {
        strip_marks(reduce_text(reason))
        for each in inner
        if (reason := get_text(each, "rationale"))
    }


def _find_planted_objects(item: Item, keys: Sequence[str]) -> list[dict[str, Any]]:
    places = [
        place for each in item.fields if "{" in each.text for place in _scan_objects(each.text)[0]
    ]
    return [
        dict(told)
        for told, _ in _find_objects_with_keys([place.told for place in places], keys, "")
    ]
