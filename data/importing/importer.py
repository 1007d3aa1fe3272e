"""The interface of a file format (Importer), with its input files and import options."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from data.importing.limits import COMMAND, Limits
from faithfulness.model.drafts import Draft
from faithfulness.model.errors import ImportRefused
from faithfulness.model.vocabulary import Author, AuthorKind


class Replaced:
    """Where characters of one file were replaced; a place that is read again counts once."""

    def __init__(self) -> None:
        self._counts: dict[tuple[int, str], int] = {}

    def add(self, line: int, place: str, count: int) -> None:
        self._counts[line, place] = count

    @property
    def lines(self) -> dict[int, str]:
        """Each line with the place of its first character."""
        found: dict[int, str] = {}
        for line, place in self._counts:
            found.setdefault(line, place)
        return found

    @property
    def count(self) -> int:
        return sum(self._counts.values())


class Source(NamedTuple):
    """One file: the name people know it by is only ever shown, the path is where it lies."""

    name: str
    path: Path
    limits: Limits = COMMAND
    replaced: Replaced | None = None  # where its characters were replaced, if that is to be told

    @property
    def extension(self) -> str:
        """The name's ending in lower case with its dot, empty when there is none."""
        return Path(self.name).suffix.lower()

    @property
    def by_command(self) -> bool:
        """Whether a command reads it: messages then name its options, not choices of a page."""
        return self.limits == COMMAND


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """What the person says about the files; the file's own words go before these."""

    author: str = ""  # who signs answers that carry no author of their own
    author_kind: AuthorKind | None = None  # None: a judge's column or reply decides, else a rater
    system: str = ""  # whose outputs these are, where the file does not say
    protocol: str = ""  # a protocol's key, for shapes that fit several
    # Column -> role of the generic table importer; see data/importing/tables/mappings.py.
    mapping: Mapping[str, str] = field(default_factory=dict)
    # Annotator -> kind, where the files leave open whether a person or a model answered.
    kinds: Mapping[str, AuthorKind] = field(default_factory=dict)
    remembered_kinds: Mapping[str, AuthorKind] = field(default_factory=dict)  # of earlier imports

    def kind_of(self, name: str) -> AuthorKind | None:
        """What a person said that an annotator is, in this import or an earlier one."""
        return self.kinds.get(name) or self.remembered_kinds.get(name)

    def signed_by(self, fallback: str, kind: AuthorKind = AuthorKind.RATER) -> Author:
        """The author of answers that carry none."""
        return Author(kind=self.author_kind or kind, name=self.author or fallback)


Read = Callable[[Sequence[Source], Options], Iterator[Draft]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Importer:
    """One file format: how to know it and how to read it."""

    key: str  # stored with every import: never renamed
    title: str
    about: str  # one sentence for the list on the import page
    extensions: tuple[str, ...]
    protocols: tuple[str, ...]
    recognise: Callable[[Sequence[Source]], int]  # 0: not mine … 100: certainly mine
    read: Read


def build_refusal(source: Source, line: int | None, problem: str) -> ImportRefused:
    """The refusal of a file, naming it and, where known, the line."""
    where = source.name if line is None else f"{source.name} line {line}"
    return ImportRefused(f"{where}: {problem}")


def quote_value(value: object, limit: int = 60) -> str:
    """A value from a file inside a message, cut where it is long."""
    text = value if isinstance(value, str) else str(value)
    return repr(text if len(text) <= limit else text[:limit] + "…")
