"""Side of a comparison: one annotator, or a combination such as the majority of raters."""

from dataclasses import dataclass
from typing import Literal

from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Author, AuthorKind

Kind = Literal["author", "majority", "adjudicated", "verdict"]

# It counts words and knows no language, so nobody is offered it as a judge unless they ask.
BASELINE = Author(kind=AuthorKind.JUDGE, name="lexical baseline (offline, no model)")

_TEXTS: dict[Kind, str] = {
    "majority": "raters",
    "adjudicated": "adjudicated",
    "verdict": "verdict",
}
_WORDS: dict[Kind, str] = {
    "majority": "the majority of raters",
    "adjudicated": "the adjudicated answers",
    "verdict": "the verdict",
}


def describe_ties(*sides: "Side") -> str:
    """What units lack that people answered and no side has one label of."""
    return "without a verdict" if VERDICT in sides else "without a majority"


def is_baseline(author: Author) -> bool:
    """Whether this is the offline baseline, in whatever case its name was stored."""
    return author.kind is BASELINE.kind and author.name.casefold() == BASELINE.name


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One author, or what several people come to together.

    `majority` is what more than half of the raters with a label say, and the rater's label where
    there is only one; `adjudicated` what an adjudicator settled; `verdict` the adjudicated label,
    else the one on which all raters agree.
    """

    kind: Kind
    author: Author | None = None

    def __post_init__(self) -> None:
        if (self.kind == "author") != (self.author is not None):
            raise ValueError("a side of kind author names its author, and no other side does")

    @classmethod
    def of(cls, author: Author) -> "Side":
        return cls(kind="author", author=author)

    @classmethod
    def from_text(cls, text: str) -> "Side":
        """Read the form that stands in a URL: `rater:Ada`, `judge:gpt`, `raters`, `verdict`.

        Raises:
            ReviewError: it names no side.
        """
        for kind, said in _TEXTS.items():
            if text == said:
                return cls(kind=kind)
        start, colon, name = text.partition(":")
        if colon and name and start in set(AuthorKind):
            return cls.of(Author(kind=AuthorKind(start), name=name))
        raise ReviewError(
            f"“{text}” is no side of a comparison. Write raters, adjudicated, verdict, or an "
            "author such as rater:Ada or judge:north."
        )

    @property
    def as_text(self) -> str:
        """The form that stands in a URL, which `from_text` reads."""
        if self.author is None:
            return _TEXTS[self.kind]
        return f"{self.author.kind.value}:{self.author.name}"

    @property
    def in_words(self) -> str:
        """The side inside a sentence: “rater Ada”, “the majority of raters”."""
        if self.author is None:
            return _WORDS[self.kind]
        return f"{self.author.kind.value} {self.author.name}"

    def voters_apart(self, *others: "Side") -> tuple[Author, ...]:
        """Raters among the others, who do not vote in what raters come to on this side."""
        if self.kind not in ("majority", "verdict"):
            return ()
        authors = [each.author for each in others]
        return tuple(each for each in authors if each and each.kind is AuthorKind.RATER)

    def in_words_beside(self, *others: "Side") -> str:
        """As `in_words`, of a majority also whether somebody it stands beside is left out."""
        if self.kind == "majority" and self.voters_apart(*others):
            return "the majority of the other raters"
        return self.in_words


MAJORITY = Side(kind="majority")
ADJUDICATED = Side(kind="adjudicated")
VERDICT = Side(kind="verdict")
