"""Other words for a claimed property that stand in the sources: candidates, never a verdict."""

from collections.abc import Iterator, Sequence

from faithfulness.checks.check import (
    CannotCheck,
    Check,
    Outcome,
    Statement,
    Words,
    finding,
    of_kind,
    statements,
)
from faithfulness.checks.properties import Property, claimed
from faithfulness.model.vocabulary import Field, Finding, Item, Span
from faithfulness.text.language import is_english
from faithfulness.text.sentences import cut
from faithfulness.text.stems import stems_of, vocabulary

KEY = "synonym"
_MOST = 5


def run(item: Item) -> Outcome:
    sources = tuple(each for each in item.sources if each.text.strip())
    if not sources:
        return CannotCheck(why="the item has no sources to look in")
    if not all(is_english(each.text) for each in of_kind(item, "response")):
        return CannotCheck(why="the response is not in English")
    said = [each for each in statements(item) if claimed(vocabulary(each.text))]
    # Sources are long, and most responses claim no property of the list.
    if said and not all(is_english(each.text) for each in sources):
        return CannotCheck(why="the sources are not in English")
    found: list[Finding] = []
    for each in said:
        found += _marks(item, each, sources)
    return tuple(found)


def _marks(item: Item, said: Statement, sources: Sequence[Field]) -> Iterator[Finding]:
    taken: set[int] = set()
    for each in claimed(vocabulary(said.text)):
        hit = each.claims.search(said.text)
        if hit is None or hit.start() in taken or _stands(hit.group(), sources):
            continue
        near = _passages(each, sources, said.text)
        if near:
            taken.add(hit.start())
            words = Words(said.start + hit.start(), said.start + hit.end())
            says = f"“{hit.group()}” stands in no source, but these words may mean the same"
            yield finding(KEY, "synonym", item, words, says, sure=False, candidates=near)


def _stands(word: str, sources: Sequence[Field]) -> bool:
    wanted = word.casefold()
    return any(wanted in each.text.casefold() for each in sources)


def _passages(own: Property, sources: Sequence[Field], said: str) -> tuple[Span, ...]:
    """The sentences of the sources with such words, each once."""
    found: list[Span] = []
    others = stems_of(own.shows.sub(" ", said))
    for source in sources:
        hits = [each.start() for each in own.shows.finditer(source.text)]
        if not hits:
            continue
        found += [
            Span(field=source.name, start=start, end=end)
            for start, end in cut(source.text)
            if any(start <= hit < end for hit in hits)
            and not (own.shares and others.isdisjoint(stems_of(source.text[start:end])))
        ]
    return tuple(found[:_MOST])


CHECK = Check(
    key=KEY,
    title="Other words",
    about="Words of the sources that may mean a claimed property, for a person to judge.",
    needs=(),
    run=run,
)
