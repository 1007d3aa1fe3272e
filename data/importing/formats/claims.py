"""Claim files: several raters', systems' and sides' files merged by topic."""

import re
from collections.abc import Iterator, Mapping, Sequence

from data.importing.formats.claim_files import MISSING, Claim, ClaimFile, Entry, load
from data.importing.importer import Importer, Options, Source
from data.importing.readers.peek import head
from data.importing.readers.shape import shown, wrong
from faithfulness.model.drafts import Draft, Number, Said, Stated
from faithfulness.model.errors import ImportRefused
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind

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
        self.said: list[Said] = []
        self.stated: list[Stated] = []
        self.numbers: list[Number] = []
        self.attributes: dict[str, str] = {}
        self.heard: dict[tuple[str, Author], str] = {}  # who was heard on which side, and where
        self.file, self.line = "", 0


def recognise(sources: Sequence[Source]) -> int:
    return 90 if all(_is_mine(head(source, _HEAD)) for source in sources) else 0


def _is_mine(beginning: str) -> bool:
    if not beginning.lstrip().startswith("{"):
        return False
    return bool(_SCORES.search(beginning) or _CLAIMS.search(beginning))


def read(sources: Sequence[Source], options: Options) -> Iterator[Draft]:
    """One draft for each system and topic; every side, rater and score that is known of it."""
    files = [load(source) for source in sources]
    _check_author(files, options)
    systems = _systems(files, options)
    topics: dict[tuple[str, str], _Topic] = {}
    for file, system in zip(files, systems, strict=True):
        author = _author_of(file, options)
        for entry in file.entries:
            topic = topics.setdefault((system, entry.topic), _Topic(entry.topic, system))
            _take(topic, file, entry, author)
    for topic in topics.values():
        yield _draft(topic)


def _draft(topic: _Topic) -> Draft:
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


def _take(topic: _Topic, file: ClaimFile, entry: Entry, author: Author) -> None:
    _hear_once(topic, file, entry, author)
    if not topic.file:
        topic.file, topic.line = file.name, entry.claims[0].line if entry.claims else 0
    if entry.field:
        text, first = topic.texts.setdefault(entry.field, (entry.text, file.name))
        if text != entry.text:
            raise wrong(
                f"{file.name}, topic {topic.name!r}",
                f"the {entry.field} differs from the one in {first}",
                "import the files of one text together and the others apart, or tell their "
                "systems apart in the file names",
            )
    if file.kind == "judged":
        topic.said.extend(_said(claim, entry.field, author, file.name) for claim in entry.claims)
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


def _hear_once(topic: _Topic, file: ClaimFile, entry: Entry, author: Author) -> None:
    key = (file.kind + entry.field, author)
    first = topic.heard.setdefault(key, file.name)
    if first != file.name:
        raise wrong(
            f"{file.name}, topic {topic.name!r}",
            f"{author.name} already speaks of it in {first}",
            "import one of the two, or name the raters in the file names",
        )


def _said(claim: Claim, field: str, author: Author, file: str) -> Said:
    value, problem = None, ""
    if isinstance(claim.judgment, bool):
        value = "true" if claim.judgment else "false"
    elif claim.judgment is not None:
        found = "missing" if claim.judgment is MISSING else shown(claim.judgment)
        problem = f"judgment is {found}; expected true, false or null"
    return Said(
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


def _author_of(file: ClaimFile, options: Options) -> Author:
    if file.kind == "judged":
        # A file's name is not the file's word: who imports it knows better.
        return options.signed_by(file.author or file.stem)
    return Author(kind=AuthorKind.JUDGE, name=file.author or options.author or file.stem)


def _systems(files: Sequence[ClaimFile], options: Options) -> list[str]:
    """Each file's system: as told, by its name, or the only one it can belong to."""
    if options.system:
        return [options.system] * len(files)
    named = list(dict.fromkeys(file.system for file in files if file.kind == "judged"))
    named = [name for name in named if name]
    aliases = _same_texts(files)
    systems = []
    for file in files:
        name = file.system or (file.stem if file.kind == "predicted" else "")
        if not name and len(named) > 1:
            raise wrong(
                file.name,
                f"its name does not tell which of {', '.join(named)} it belongs to",
                "name it metric_reference_SYSTEM_annotator_N.json or give the system",
            )
        name = name or (named[0] if named else _UNNAMED)
        systems.append(aliases.get(name, name))
    return systems


def _same_texts(files: Sequence[ClaimFile]) -> Mapping[str, str]:
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
        equal = [name for name, texts in judged.items() if texts and _agree(own, texts)]
        if len(equal) == 1:
            aliases[file.stem] = equal[0]
    return aliases


def _agree(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
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
