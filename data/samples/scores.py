"""Parse answers about whole responses in the sample, with links, checks and reasons."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from data.samples.columns import (
    AUTHORS,
    WRITER,
    SampleNote,
    parse_columns,
    parse_notes,
    parse_texts,
)
from faithfulness.model.drafts import DraftAnswer
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import AuthorKind, UnitKind

_WORDS = {"is", "type", "links", "ticks", "unverified", "reply", *AUTHORS}
_WITH_LINKS = ("yes_evidence", "no_contrary_evidence")
_HABITS: Mapping[str, str] = {
    "yes_evidence": "Each statement is borne out by the sources linked.",
    "no_contrary_evidence": "At least one statement clashes with the sources linked.",
    "yes_common_knowledge": "This is generally known.",
    "no_against_common_knowledge": "This goes against what is generally known.",
    "unsure": "The sources do not agree with each other.",
    "nothing_to_check": "There is no statement of fact.",
}


class Scored(NamedTuple):
    """What every author answers to one question about the whole response."""

    criterion: str
    values: Mapping[str, str]
    links: tuple[str, ...]
    ticks: Mapping[str, tuple[str, ...]]  # by value: what those who gave it also tick
    notes: Mapping[str, SampleNote]
    reply: str

    def why(self, author: str) -> str:
        own = self.notes.get(author, SampleNote()).why
        if own or AUTHORS[author].kind is AuthorKind.RATER:
            return own
        return _HABITS.get(self.values[author], "")

    def links_of(self, author: str) -> tuple[str, ...]:
        return self.links if self.values[author] in _WITH_LINKS else ()

    def checks_of(self, author: str) -> tuple[str, ...]:
        return self.ticks.get(self.values[author], ())


def read_scored(
    criterion: str, entry: Mapping[str, Any], meanings: Mapping[str, str], where: str
) -> Scored:
    where = f"{where}, {criterion}"
    if unknown := set(entry) - _WORDS:
        raise ReviewError(f"{where}: nothing is known about {', '.join(sorted(unknown))}")
    ticks = {str(value): parse_texts(keys) for value, keys in entry.get("ticks", {}).items()}
    if entry.get("unverified"):
        ticks["yes_evidence"] = ("parts_unverified",)
    return Scored(
        criterion=criterion,
        values=parse_columns(entry["is"], meanings, where),
        links=parse_texts(entry.get("links")),
        ticks=ticks,
        notes=parse_notes(entry),
        reply=entry.get("reply", ""),
    )


def iter_score_answers(scored: Scored) -> Iterator[DraftAnswer]:
    """A Said an author but the writing judge; what raters note is a comment on consistency."""
    for author, value in scored.values.items():
        if author == WRITER:
            continue
        comments = scored.criterion == "consistency" and (
            AUTHORS[author].kind is AuthorKind.RATER or scored.checks_of(author)
        )
        yield DraftAnswer(
            author=AUTHORS[author],
            criterion=scored.criterion,
            value=value,
            unit=UnitKind.RESPONSE,
            rationale="" if comments else scored.why(author),
            comment=scored.why(author) if comments else "",
            links=scored.links_of(author),
            checks=scored.checks_of(author),
        )
