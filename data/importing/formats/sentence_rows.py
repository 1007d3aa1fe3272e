"""Sentence rows: labelled sentences, one a line, gathered into their items."""

from collections.abc import Iterator, Sequence
from itertools import compress, count, islice, pairwise
from operator import ne
from typing import NamedTuple

from data.importing.controls import join_damaged
from data.importing.formats.sentence_blocks import PlainRows
from data.importing.importer import Source, quoted, refuse
from data.importing.tables.rows import sentences_of_one
from faithfulness.model.drafts import Draft, Said
from faithfulness.model.vocabulary import Field


class Row(NamedTuple):
    """A labelled sentence with what its line says about the item."""

    system: str
    external_id: str
    fields: Sequence[tuple[str, str]]
    notes: Sequence[tuple[str, str]]
    said: Said


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

    def take(self, line: int, row: Row) -> None:
        item = self._item(line, row[:2])
        self._add_texts(item, line, row.external_id, row.fields)
        if row.notes:
            self._add_notes(item, row.notes)
        item.said.append(row.said)

    def take_all(self, rows: PlainRows) -> None:
        """Take many rows; those that follow each other in one item at once."""
        system, lines, ids, said, texts = rows
        changes = compress(count(1), map(ne, ids, islice(ids, 1, None)))
        for start, end in pairwise((0, *changes, len(ids))):
            item = self._item(lines[start], (system, ids[start]))
            for at in range(start, end) if texts else ():
                if at in texts:
                    self._add_texts(item, lines[at], ids[at], texts[at])
            item.said += said[start:end]

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

    def _item(self, line: int, key: tuple[str, str]) -> _Gathered:
        item = self._items.get(key)
        if item is None:
            item = self._items[key] = _Gathered(line)
        return item

    def _add_texts(
        self, item: _Gathered, line: int, external_id: str, fields: Sequence[tuple[str, str]]
    ) -> None:
        for name, text in fields:
            known, first = item.texts.setdefault(name, (text, line))
            if known == text:
                continue
            meant = join_damaged(known, text)
            if meant is None:
                raise refuse(
                    self._source,
                    line,
                    f"the item {quoted(external_id)} has another {name} here than on line "
                    f"{first}; give different texts different ids",
                )
            item.texts[name] = (meant, first)

    def _add_notes(self, item: _Gathered, notes: Sequence[tuple[str, str]]) -> None:
        for name, text in notes:
            known = item.attributes.get(name)
            if known is None:
                item.attributes[name] = text
            elif text not in known.split("; "):
                item.attributes[name] = f"{known}; {text}"
