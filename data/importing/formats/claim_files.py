"""Claim files: what one JSON file of a claim check holds, and whose it is by its name."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any, NamedTuple

from data.importing.importer import Source
from data.importing.readers.shape import (
    need_equal_lengths,
    need_list,
    need_mapping,
    need_number,
    need_text,
    need_texts,
    shown,
    wrong,
)
from data.importing.readers.strict import json_document
from faithfulness.model.errors import ImportRefused

_NAMED = re.compile(
    r"(?:metric_)?(?:prediction|reference)_(?P<system>.+)_(?P<rater>annotator_[^_]+)(?:_.*)?"
)
_SCORED = re.compile(r"(?P<system>.+?)(?:_reference|_prediction)?_info_f1_scores_(?P<judge>.+)")
_SIDES = {"prediction": "response", "reference": "reference"}
_SCORES = ("precision", "recall", "f1")
_CLAIM_KEY = re.compile(rb'"claim"\s*:|\n')


class Claim(NamedTuple):
    """One claim as the file has it; `judgment` may be anything, `MISSING` when it is not there."""

    sentence: str
    text: str
    judgment: object
    line: int


class Entry(NamedTuple):
    """What a file says about one topic: a text with its claims, or scores without either."""

    topic: str
    field: str = ""  # response or reference; empty for scores
    text: str = ""
    claims: tuple[Claim, ...] = ()
    citations: int | None = None
    scores: Mapping[str, float] = {}


class ClaimFile(NamedTuple):
    """One file, its kind, and the names its own name tells."""

    name: str
    kind: str  # judged, predicted (claims nobody judged) or scored
    system: str
    author: str
    entries: tuple[Entry, ...]

    @property
    def stem(self) -> str:
        return PurePath(self.name).stem


MISSING = object()


def kind_of(topics: Mapping[str, Any]) -> str:
    """Which of the known files this is by its first topic; empty when none."""
    first = next(iter(topics.values()), None)
    if not isinstance(first, dict):
        return ""
    if set(_SCORES) <= first.keys():
        return "scored"
    if "claims" not in first or not _SIDES.keys() & first.keys():
        return ""
    return "predicted" if "sentences" in first else "judged"


def load(source: Source) -> ClaimFile:
    topics = need_mapping(_document(source), "the file", source.name)
    kind = kind_of(topics)
    if not kind:
        raise wrong(
            source.name,
            "this is no claim file",
            "expected topics with a prediction or reference and claims, or with precision, "
            "recall and f1",
        )
    read = {"scored": _scored, "predicted": _predicted, "judged": _judged}[kind]
    entries = []
    raw = source.path.read_bytes()
    lines = _claim_lines(raw)
    for topic, value in topics.items():
        where = f"{source.name} line {_line_of(topic, raw)}, topic {shown(topic)}"
        need_text(topic, "a topic", where)
        entries.append(read(topic, need_mapping(value, "the topic", where), where, lines))
    stem = PurePath(source.name).stem
    named = (_SCORED if kind == "scored" else _NAMED).fullmatch(stem)
    return ClaimFile(
        name=source.name,
        kind=kind,
        system=named["system"] if named else "",
        author=(named["judge"] if kind == "scored" else named["rater"]) if named else "",
        entries=tuple(entries),
    )


def _document(source: Source) -> Any:
    try:
        return json_document(source)
    except ImportRefused as refused:
        if "given twice" not in str(refused):
            raise
        advice = "where a sentence has several claims, list them under one key: [{…}, {…}]"
        raise ImportRefused(f"{refused}; {advice}") from None


def _line_of(key: str, raw: bytes) -> int:
    """The line on which a key first stands, as JSON writers spell it; 1 when spelt otherwise."""
    for escaped in (False, True):
        place = raw.find(json.dumps(key, ensure_ascii=escaped).encode("utf-8"))
        if place >= 0:
            return raw.count(b"\n", 0, place) + 1
    return 1


def _claim_lines(raw: bytes) -> Iterator[int]:
    """The line of each "claim" key in the file's order; a text cannot hold an unescaped quote."""
    line = 1
    for found in _CLAIM_KEY.finditer(raw):
        if found.group() == b"\n":
            line += 1
        else:
            yield line
            line += found.group().count(b"\n")


def _judged(topic: str, given: Mapping[str, Any], where: str, lines: Iterator[int]) -> Entry:
    sides = [side for side in _SIDES if side in given]
    if len(sides) != 1:
        raise wrong(
            where,
            f"the topic has {' and '.join(sides) or 'neither a prediction nor a reference'}",
            "expected one text and the claims of that text; put the other in its own file",
        )
    return Entry(
        topic=topic,
        field=_SIDES[sides[0]],
        text=need_text(given[sides[0]], sides[0], where),
        claims=tuple(_claims(given.get("claims"), where, lines)),
    )


def _claims(value: object, where: str, lines: Iterator[int]) -> Iterator[Claim]:
    """Claims under their sentences, one or several each, or in a flat list without sentences."""
    if isinstance(value, list):
        groups: Any = [("", value)]
    else:
        groups = need_mapping(value, "claims", where).items()
    for sentence, group in groups:
        inside = f"{where}, sentence {sentence[:40]!r}" if sentence else where
        for each in group if isinstance(group, list) else [group]:
            claim = need_mapping(each, "a claim", inside)
            text = need_text(claim.get("claim"), "claim", inside)
            yield Claim(sentence, text, claim.get("judgment", MISSING), next(lines, 0))


def _predicted(topic: str, given: Mapping[str, Any], where: str, lines: Iterator[int]) -> Entry:
    sentences = need_texts(given.get("sentences"), "sentences", where)
    groups = need_list(given.get("claims"), "claims", where)
    need_equal_lengths({"sentences": sentences, "claims": groups}, where)
    citations = given.get("citations")
    cited = None
    if citations is not None:
        lists = need_list(citations, "citations", where)
        cited = sum(len(need_list(each, "citations", where)) for each in lists)
    return Entry(
        topic=topic,
        field="response",
        text=need_text(given.get("prediction"), "prediction", where),
        claims=tuple(
            Claim(sentence, need_text(text, "a claim", where), None, 0)
            for sentence, group in zip(sentences, groups, strict=True)
            for text in need_texts(group, "claims", where)
        ),
        citations=cited,
    )


def _scored(topic: str, given: Mapping[str, Any], where: str, lines: Iterator[int]) -> Entry:
    scores = {name: need_number(given.get(name), name, where) for name in _SCORES}
    return Entry(topic=topic, scores=scores)
