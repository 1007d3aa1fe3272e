"""Sentence rows: labelled sentences, one a line, gathered into their items."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from data.importers.importer import Source, quoted, refuse
from data.importers.rows import sentences_of_one
from faithfulness.drafts import Draft, Said
from faithfulness.vocabulary import Author, Field


class File(Protocol):
    """What a row needs to know about its file."""

    def external_id(self, line: int, record: Mapping[str, Any]) -> str: ...
    def system(self, record: Mapping[str, Any]) -> str: ...
    def author(self, record: Mapping[str, Any], otherwise: Author | None = None) -> Author: ...
    def fields(self, line: int, record: Mapping[str, Any]) -> dict[str, str]: ...
    def attributes(self, record: Mapping[str, Any]) -> dict[str, str]: ...
    def said(self, line: int, told: Any, author: Author) -> Said: ...


class _Gathered:
    """One item while its sentences come in."""

    __slots__ = ("attributes", "line", "said", "texts")

    def __init__(self, line: int) -> None:
        self.line = line
        self.texts: dict[str, tuple[str, int]] = {}
        self.attributes: dict[str, str] = {}
        self.said: list[Said] = []


class SentenceRows:
    """The rows of one file by system and item id."""

    def __init__(self, source: Source, protocol: str) -> None:
        self._source = source
        self._protocol = protocol
        self._items: dict[tuple[str, str], _Gathered] = {}

    def take(self, line: int, record: dict[str, Any], file: File) -> None:
        external_id = file.external_id(line, record)
        if not external_id:
            raise refuse(self._source, line, "a sentence without an item id; add id or item_id")
        key = (file.system(record), external_id)
        item = self._items.get(key)
        if item is None:
            item = self._items[key] = _Gathered(line)
        for name, text in file.fields(line, record).items():
            known, first = item.texts.setdefault(name, (text, line))
            if known != text:
                raise refuse(
                    self._source,
                    line,
                    f"the item {quoted(external_id)} has another {name} here than on line "
                    f"{first}; give different texts different ids",
                )
        self._add_attributes(item, file.attributes(record))
        item.said.append(file.said(line, record, file.author(record)))

    def drafts(self) -> Iterator[Draft]:
        for (system, external_id), item in self._items.items():
            texts = {name: text for name, (text, _) in item.texts.items()}
            attributes, cut = item.attributes, None
            if "response" not in texts:
                cut = sentences_of_one(item.said)
                texts["response"] = " ".join(cut)
                attributes["response"] = "rebuilt from its sentences"
            yield Draft(
                protocol=self._protocol,
                system=system,
                external_id=external_id,
                fields=tuple(Field(name=n, kind=n, text=text) for n, text in texts.items()),
                said=item.said,
                attributes=attributes,
                cut=cut,
                file=self._source.name,
                line=item.line,
            )

    def _add_attributes(self, item: _Gathered, more: Mapping[str, str]) -> None:
        for name, text in more.items():
            known = item.attributes.get(name)
            if known is None:
                item.attributes[name] = text
            elif text not in known.split("; "):
                item.attributes[name] = f"{known}; {text}"
