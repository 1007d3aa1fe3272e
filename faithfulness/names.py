"""Names of people and judges: one spelling for one author, however it was typed."""

import unicodedata
from functools import lru_cache

from faithfulness.drafts import Draft
from faithfulness.vocabulary import Author


@lru_cache(maxsize=4_096)
def folded_name(name: str) -> str:
    """The name without blanks around it and with single ones inside, in composed Unicode (NFC).

    "ana " and "ana" look the same, and so do the two ways to write "é"; counted as two authors
    they would agree or differ with themselves.
    """
    return " ".join(unicodedata.normalize("NFC", name).split())


def with_folded_names(draft: Draft) -> Draft:
    """A draft whose authors all have their one spelling; a name of blanks alone stays as it is."""
    authors = {each.author for each in draft.said}
    authors |= {each.author for each in draft.replies} | {each.author for each in draft.numbers}
    if all(_folded(each) is each for each in authors):
        return draft
    return draft._replace(
        said=[each._replace(author=_folded(each.author)) for each in draft.said],
        replies=[each._replace(author=_folded(each.author)) for each in draft.replies],
        numbers=[each._replace(author=_folded(each.author)) for each in draft.numbers],
    )


def _folded(author: Author) -> Author:
    name = folded_name(author.name)
    return author if name in ("", author.name) else Author(kind=author.kind, name=name)
