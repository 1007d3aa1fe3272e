"""Importer for claim files: merge files of several raters, systems and sides by topic."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from data.importing.importer import Importer, Options, Source
from data.importing.readers.peek import read_head
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
from data.importing.readers.strict import read_json_document
from faithfulness.model.drafts import Draft, DraftAnswer, Number, Stated
from faithfulness.model.errors import ImportRefused
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind

_NAMED = re.compile(
    r"(?:metric_)?(?:prediction|reference)_(?P<system>.+)_(?P<rater>annotator_[^_]+)(?:_.*)?"
)
_SCORED = re.compile(r"(?P<system>.+?)(?:_reference|_prediction)?_info_f1_scores_(?P<judge>.+)")
_SIDES = {"prediction": "response", "reference": "reference"}
_SCORE_FILES = ("precision", "recall", "f1")
_CLAIM_KEY = re.compile(rb'"claim"\s*:|\n')


class FileClaim(NamedTuple):
    """One claim as the file has it; `judgment` may be anything, `MISSING` when it is not there."""

    sentence: str
    text: str
    judgment: object
    line: int


class TopicEntry(NamedTuple):
    """What a file says about one topic: a text with its claims, or scores without either."""

    topic: str
    field: str = ""  # response or reference; empty for scores
    text: str = ""
    claims: tuple[FileClaim, ...] = ()
    citations: int | None = None
    scores: Mapping[str, float] = {}


class ClaimFile(NamedTuple):
    """One file, its kind, and the names its own name tells."""

    name: str
    kind: str  # judged, predicted (claims nobody judged) or scored
    system: str
    author: str
    entries: tuple[TopicEntry, ...]

    @property
    def stem(self) -> str:
        return PurePath(self.name).stem


MISSING = object()


def detect_file_kind(topics: Mapping[str, Any]) -> str:
    """Which of the known files this is by its first topic; empty when none."""
    first = next(iter(topics.values()), None)
    if not isinstance(first, dict):
        return ""
    if set(_SCORE_FILES) <= first.keys():
        return "scored"
    if "claims" not in first or not _SIDES.keys() & first.keys():
        return ""
    return "predicted" if "sentences" in first else "judged"


def load_claim_file(source: Source) -> ClaimFile:
    topics = need_mapping(_read_document(source), "the file", source.name)
    kind = detect_file_kind(topics)
    if not kind:
        raise build_record_refusal(
            source.name,
            "this is no claim file",
            "expected topics with a prediction or reference and claims, or with precision, "
            "recall and f1",
        )
    read = {
        "scored": _parse_scored_entry,
        "predicted": _parse_predicted_entry,
        "judged": _parse_judged_entry,
    }[kind]
    entries = []
    raw = source.path.read_bytes()
    lines = _find_claim_lines(raw)
    for topic, value in topics.items():
        where = f"{source.name} line {_find_line(topic, raw)}, topic {shorten_value(topic)}"
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


def _read_document(source: Source) -> Any:
    try:
        return read_json_document(source)
    except ImportRefused as refused:
        if "given twice" not in str(refused):
            raise
        advice = "where a sentence has several claims, list them under one key: [{…}, {…}]"
        raise ImportRefused(f"{refused}; {advice}") from None


def _find_line(key: str, raw: bytes) -> int:
    """The line on which a key first stands, as JSON writers spell it; 1 when spelt otherwise."""
    for escaped in (False, True):
        place = raw.find(json.dumps(key, ensure_ascii=escaped).encode("utf-8"))
        if place >= 0:
            return raw.count(b"\n", 0, place) + 1
    return 1


def _find_claim_lines(raw: bytes) -> Iterator[int]:
    """The line of each "claim" key in the file's order; a text cannot hold an unescaped quote."""
    line = 1
    for found in _CLAIM_KEY.finditer(raw):
        if found.group() == b"\n":
            line += 1
        else:
            yield line
            line += found.group().count(b"\n")


def _parse_judged_entry(
    topic: str, given: Mapping[str, Any], where: str, lines: Iterator[int]
) -> TopicEntry:
    sides = [side for side in _SIDES if side in given]
    if len(sides) != 1:
        raise build_record_refusal(
            where,
            f"the topic has {' and '.join(sides) or 'neither a prediction nor a reference'}",
            "expected one text and the claims of that text; put the other in its own file",
        )
    return TopicEntry(
        topic=topic,
        field=_SIDES[sides[0]],
        text=need_text(given[sides[0]], sides[0], where),
        claims=tuple(_parse_claims(given.get("claims"), where, lines)),
    )


def _parse_claims(value: object, where: str, lines: Iterator[int]) -> Iterator[FileClaim]:
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
            yield FileClaim(sentence, text, claim.get("judgment", MISSING), next(lines, 0))


def _parse_predicted_entry(
    topic: str, given: Mapping[str, Any], where: str, lines: Iterator[int]
) -> TopicEntry:
    sentences = need_texts(given.get("sentences"), "sentences", where)
    groups = need_list(given.get("claims"), "claims", where)
    need_equal_lengths({"sentences": sentences, "claims": groups}, where)
    citations = given.get("citations")
    cited = None
    if citations is not None:
        lists = need_list(citations, "citations", where)
        cited = sum(len(need_list(each, "citations", where)) for each in lists)
    return TopicEntry(
        topic=topic,
        field="response",
        text=need_text(given.get("prediction"), "prediction", where),
        claims=tuple(
            FileClaim(sentence, need_text(text, "a claim", where), None, 0)
            for sentence, group in zip(sentences, groups, strict=True)
            for text in need_texts(group, "claims", where)
        ),
        citations=cited,
    )


def _parse_scored_entry(
    topic: str, given: Mapping[str, Any], where: str, lines: Iterator[int]
) -> TopicEntry:
    scores = {name: need_number(given.get(name), name, where) for name in _SCORE_FILES}
    return TopicEntry(topic=topic, scores=scores)


# The headline number comes first.
_TITLES = {"f1": "F1", "precision": "Precision", "recall": "Recall"}
_UNNAMED = "unnamed system"
_HEAD = 2_000_000  # a whole article may stand before its claims
_CLAIMS = re.compile(r'"(prediction|reference)"\s*:.*"claims"\s*:', re.DOTALL)
_SCORES = re.compile(r'^\s*\{\s*"[^"]+"\s*:\s*\{\s*"precision"\s*:.*"f1"\s*:', re.DOTALL)


class _Topic:
    """Everything the files say about one topic and one system."""

    def __init__(self, name: str, system: str) -> None:
        self.name, self.system = name, system
        self.texts: dict[str, tuple[str, str]] = {}  # field -> (text, file that gave it)
        self.said: list[DraftAnswer] = []
        self.stated: list[Stated] = []
        self.numbers: list[Number] = []
        self.attributes: dict[str, str] = {}
        self.heard: dict[tuple[str, Author], str] = {}  # who was heard on which side, and where
        self.file, self.line = "", 0


def recognise(sources: Sequence[Source]) -> int:
    return 90 if all(_is_mine(read_head(source, _HEAD)) for source in sources) else 0


def _is_mine(beginning: str) -> bool:
    if not beginning.lstrip().startswith("{"):
        return False
    return bool(_SCORES.search(beginning) or _CLAIMS.search(beginning))


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    """One draft for each system and topic; every side, rater and score that is known of it."""
    files = [load_claim_file(source) for source in sources]
    _check_author(files, options)
    systems = _find_systems(files, options)
    topics: dict[tuple[str, str], _Topic] = {}
    for file, system in zip(files, systems, strict=True):
        author = _find_author(file, options)
        for entry in file.entries:
            topic = topics.setdefault((system, entry.topic), _Topic(entry.topic, system))
            _add_entry(topic, file, entry, author)
    for topic in topics.values():
        yield _build_draft(topic)


def _build_draft(topic: _Topic) -> Draft:
    texts = [
        Field(name=field, kind=field, text=topic.texts[field][0])
        for field in ("response", "reference")
        if field in topic.texts
    ]
    return Draft(
        protocol="claim_overlap",
        system=topic.system,
        external_id=topic.name,
        fields=(Field(name="topic", kind="topic", text=topic.name), *texts),
        said=tuple(topic.said),
        numbers=tuple(topic.numbers),
        attributes=topic.attributes,
        file=topic.file,
        line=topic.line,
        claims=tuple(topic.stated),
    )


def _add_entry(topic: _Topic, file: ClaimFile, entry: TopicEntry, author: Author) -> None:
    _check_speaks_once(topic, file, entry, author)
    if not topic.file:
        topic.file, topic.line = file.name, entry.claims[0].line if entry.claims else 0
    if entry.field:
        text, first = topic.texts.setdefault(entry.field, (entry.text, file.name))
        if text != entry.text:
            raise build_record_refusal(
                f"{file.name}, topic {topic.name!r}",
                f"the {entry.field} differs from the one in {first}",
                "import the files of one text together and the others apart, or tell their "
                "systems apart in the file names",
            )
    if file.kind == "judged":
        topic.said.extend(
            _parse_answer(claim, entry.field, author, file.name) for claim in entry.claims
        )
    elif file.kind == "predicted":
        topic.stated.extend(
            Stated(claim.text, entry.field, claim.sentence) for claim in entry.claims
        )
        if entry.citations is not None:
            topic.attributes["citations"] = str(entry.citations)
    else:
        topic.numbers.extend(
            Number(author, title, entry.scores[name]) for name, title in _TITLES.items()
        )


def _check_speaks_once(topic: _Topic, file: ClaimFile, entry: TopicEntry, author: Author) -> None:
    key = (file.kind + entry.field, author)
    first = topic.heard.setdefault(key, file.name)
    if first != file.name:
        raise build_record_refusal(
            f"{file.name}, topic {topic.name!r}",
            f"{author.name} already speaks of it in {first}",
            "import one of the two, or name the raters in the file names",
        )


def _parse_answer(claim: FileClaim, field: str, author: Author, file: str) -> DraftAnswer:
    value, problem = None, ""
    if isinstance(claim.judgment, bool):
        value = "true" if claim.judgment else "false"
    elif claim.judgment is not None:
        found = "missing" if claim.judgment is MISSING else shorten_value(claim.judgment)
        problem = f"judgment is {found}; expected true, false or null"
    return DraftAnswer(
        author=author,
        criterion="supported",
        value=value,
        unit=UnitKind.CLAIM,
        text=claim.text,
        field=field,
        sentence=claim.sentence,
        problem=problem,
        line=claim.line,
        file=file,
    )


def _check_author(files: Sequence[ClaimFile], options: Options) -> None:
    named = sorted({file.author for file in files if file.kind == "judged" and file.author})
    if options.author and len(named) > 1:
        raise ImportRefused(
            f"the author is given as {options.author!r}, but the file names tell "
            f"{', '.join(named)}; leave the author out, or import each rater's files apart"
        )


def _find_author(file: ClaimFile, options: Options) -> Author:
    if file.kind == "judged":
        # A file's name is not the file's word: who imports it knows better.
        return options.signed_by(file.author or file.stem)
    return Author(kind=AuthorKind.JUDGE, name=file.author or options.author or file.stem)


def _find_systems(files: Sequence[ClaimFile], options: Options) -> list[str]:
    """Each file's system: as told, by its name, or the only one it can belong to."""
    if options.system:
        return [options.system] * len(files)
    named = list(dict.fromkeys(file.system for file in files if file.kind == "judged"))
    named = [name for name in named if name]
    aliases = _find_system_aliases(files)
    systems = []
    for file in files:
        name = file.system or (file.stem if file.kind == "predicted" else "")
        if not name and len(named) > 1:
            raise build_record_refusal(
                file.name,
                f"its name does not tell which of {', '.join(named)} it belongs to",
                "name it metric_reference_SYSTEM_annotator_N.json or give the system",
            )
        name = name or (named[0] if named else _UNNAMED)
        systems.append(aliases.get(name, name))
    return systems


def _find_system_aliases(files: Sequence[ClaimFile]) -> Mapping[str, str]:
    """Names of systems whose predictions are, word for word, those of one judged system."""
    judged: dict[str, dict[str, str]] = {}
    for file in files:
        if file.kind == "judged":
            texts = {each.topic: each.text for each in file.entries if each.field == "response"}
            judged.setdefault(file.system or _UNNAMED, {}).update(texts)
    aliases = {}
    for file in files:
        if file.kind != "predicted":
            continue
        own = {each.topic: each.text for each in file.entries}
        equal = [name for name, texts in judged.items() if texts and _have_same_texts(own, texts)]
        if len(equal) == 1:
            aliases[file.stem] = equal[0]
    return aliases


def _have_same_texts(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    shared = one.keys() & other.keys()
    return bool(shared) and all(one[topic] == other[topic] for topic in shared)


IMPORTER = Importer(
    key="claims",
    title="Claim files",
    about="Claims of predictions and references with true, false or null; scores per topic.",
    extensions=(".json",),
    protocols=("claim_overlap",),
    recognise=recognise,
    read=read,
)
