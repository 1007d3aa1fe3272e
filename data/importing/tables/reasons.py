"""Assign columns of rationales, comments or excerpts to annotators; warn about the others."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from faithfulness.model.drafts import Draft
from faithfulness.model.wording import format_count

# What stands beside an answer and is lost without one; a reply is an answer itself.
REASONS = ("rationale", "comment", "excerpt", "links", "confidence")
_OFFERED = ("rationale", "comment", "excerpt")
_NAMED = 12
_BETWEEN = re.compile(r"[\s_.\-]+")


class Unheard(NamedTuple):
    """A column of reasons that no answer takes up."""

    column: str
    kind: str
    why: str


def split_name(name: str) -> set[str]:
    """The words of an author's or a column's name: `gpt-4_judge` has gpt, 4 and judge."""
    return {*_BETWEEN.split(name.casefold())} - {""}


def reason_roles(mapping: Mapping[str, str]) -> tuple[str, ...]:
    """The roles that make a column the reasons of an author who answers in another column."""
    return tuple(f"{kind}@{who}" for who in _list_authors(mapping) if who for kind in _OFFERED)


def assign_reasons(mapping: Mapping[str, str]) -> dict[str, str]:
    """The mapping in which reasons are only of authors who answer; other columns are attributes.

    A name means an author where it is theirs, else where its words are in one author's name only.
    Reasons without a name are the only author's where names of columns tell the authors.
    """
    authors, found = _list_authors(mapping), dict(mapping)
    named = {column: role for column, role in mapping.items() if _parse_kind(role) in REASONS}
    if not authors or authors == [""]:
        return found | {column: "attribute" for column, role in named.items() if "@" in role}
    # Whoever is named outright goes first: their column is not given to another one's reasons.
    for column in sorted(
        named, key=lambda each: _resolve_role(named[each], authors) != named[each]
    ):
        role = _resolve_role(named[column], authors)
        taken = (other for each, other in found.items() if each in named and each != column)
        found[column] = "attribute" if role != named[column] and role in taken else role
    return found


def find_unheard_columns(mapping: Mapping[str, str], asked: str) -> tuple[Unheard, ...]:
    """The columns of reasons that land on no answer under this mapping.

    Args:
        mapping: the role of every column.
        asked: the criterion beside whose answers reasons stand.
    """
    authors = [who.removeprefix("judge:") for who in _list_authors(mapping, asked)]
    heard: dict[tuple[str, str], str] = {}
    found = []
    for column, role in reversed(list(mapping.items())):  # of two alike the last is read
        kind, who = _parse_kind(role), role.partition("@")[2].removeprefix("judge:")
        if kind not in REASONS:
            continue
        if who not in authors:
            why = f"{who} answers no {asked} here" if who else "it is not said whose they are"
            found.append(Unheard(column, kind, why))
        elif (other := heard.setdefault((kind, who), column)) != column:
            found.append(Unheard(column, kind, f"{other} holds them already"))
    return tuple(reversed(found))


def warn_of_unheard_columns(groups: Iterable[Sequence[Draft]]) -> Iterator[str]:
    """A warning for each column whose reasons nobody's answer takes up, and what to do.

    Args:
        groups: the drafts of every item.
    """
    cells: Counter[tuple[str, str, str]] = Counter()
    authors: dict[str, None] = {}
    for drafts in groups:
        for draft in drafts:
            cells.update(draft.unheard)
            if draft.unheard:
                authors.update(dict.fromkeys(each.author.name for each in draft.said))
    names = list(authors)
    for (column, kind, why), many in cells.items():
        told = (
            f"{column}: {format_count(many, 'cell')} {'is' if many == 1 else 'are'} not stored as "
        )
        told += f"{kind}, because {why}. "
        if names:
            left = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            told += f"Map the column to the {kind} of one who answers ({', '.join(names[:_NAMED])}"
            told += f"{left}; for the command --map {column}={kind}@{names[0]}), "
        yield f"{told}{'or keep' if names else 'Keep'} it beside the item as an attribute."


def _parse_kind(role: str) -> str:
    return role.partition("@")[0].partition(":")[0]


def _list_authors(mapping: Mapping[str, str], asked: str = "") -> list[str]:
    """Whoever answers (what is asked), as roles spell them; "" where a column or file says who."""
    answers = (role.partition("@") for role in mapping.values() if _parse_kind(role) == "value")
    return list(dict.fromkeys(who for head, _, who in answers if asked in ("", head.split(":")[1])))


def _resolve_role(role: str, authors: Sequence[str]) -> str:
    """The role with the author that its name means, `attribute` where that is nobody."""
    kind, _, who = role.partition("@")
    if who in authors:
        return role
    if not who:
        return f"{kind}@{authors[0]}" if len(authors) == 1 else "attribute"
    name = who.removeprefix("judge:")
    plain = {each: each.removeprefix("judge:") for each in authors if each}
    same = [each for each in plain if plain[each].casefold() == name.casefold()]
    fitting = same or [each for each in plain if split_name(name) <= split_name(plain[each])]
    return f"{kind}@{fitting[0]}" if len(fitting) == 1 else "attribute"
