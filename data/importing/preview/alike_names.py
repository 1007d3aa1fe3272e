"""Warn about rater or judge names that differ only in case or whitespace."""

from collections.abc import Iterable, Iterator

from data.importing.importer import quote_value
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.model.wording import join_names

_SHOWN = 5


def warn_of_alike_names(authors: Iterable[Author]) -> Iterator[str]:
    """A warning that names raters, or judges, who are kept apart and may be one.

    Args:
        authors: everybody who signs something in an import.
    """
    groups: dict[tuple[AuthorKind, str], list[str]] = {}
    for author in sorted(authors, key=lambda each: (each.kind, each.name)):
        folded = "".join(author.name.casefold().split())
        groups.setdefault((author.kind, folded), []).append(author.name)
    told = [
        join_names([quote_value(name) for name in names], _SHOWN)
        for names in groups.values()
        if len(names) > 1
    ]
    if told:
        more = f"; and {len(told) - _SHOWN:,} more" if len(told) > _SHOWN else ""
        yield (
            "Names that differ only in upper and lower case or in blanks are kept apart: "
            f"{'; '.join(told[:_SHOWN])}{more}. If they mean one person, or one model, write the "
            "name in one way and import the file again."
        )
