"""Normalize names of raters and judges, so one annotator has one spelling."""

import unicodedata
from collections.abc import Callable
from functools import lru_cache

from faithfulness.model.drafts import Draft
from faithfulness.model.vocabulary import Author


@lru_cache(maxsize=4_096)
def fold_name(name: str) -> str:
    """The name without blanks around it and with single ones inside, in composed Unicode (NFC).

    "ana " and "ana" look the same, and so do the two ways to write "é"; counted as two authors
    they would agree or differ with themselves.
    """
    return " ".join(unicodedata.normalize("NFC", name).split())


def fold_draft_names(draft: Draft) -> Draft:
    """A draft whose authors all have their one spelling; a name of blanks alone stays as it is."""
    if all(_fold_author(author) is author for author in collect_authors(draft)):
        return draft
    return replace_authors(draft, _fold_author)


def collect_authors(draft: Draft) -> set[Author]:
    """Everybody who signs something in a draft."""
    authors = {answer.author for answer in draft.said}
    authors |= {reply.author for reply in draft.replies}
    return authors | {number.author for number in draft.numbers}


def replace_authors(draft: Draft, author_for: Callable[[Author], Author]) -> Draft:
    """The draft with every author replaced by what the function gives for them."""
    return draft._replace(
        said=[each._replace(author=author_for(each.author)) for each in draft.said],
        replies=[each._replace(author=author_for(each.author)) for each in draft.replies],
        numbers=[each._replace(author=author_for(each.author)) for each in draft.numbers],
        stated_authors=frozenset(map(author_for, draft.stated_authors)),
    )


def _fold_author(author: Author) -> Author:
    name = fold_name(author.name)
    return author if name in ("", author.name) else Author(kind=author.kind, name=name)
