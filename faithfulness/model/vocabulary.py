"""Core data types: Item, Field, Unit, Span, Excerpt, Answer, Annotation, Finding, Run."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

TAKEN_BACK = "the decision was taken back"  # an adjudicator's answer that leaves none standing


class UnitKind(StrEnum):
    """How large the piece is that receives a label."""

    SENTENCE = "sentence"
    CLAIM = "claim"
    RESPONSE = "response"


class AuthorKind(StrEnum):
    """Who signs: a person, a model, or the person who settles."""

    RATER = "rater"
    JUDGE = "judge"
    ADJUDICATOR = "adjudicator"


class Tier(StrEnum):
    """How an excerpt was found in its sources, best first."""

    VERBATIM = "verbatim"
    NEAR = "near"
    STITCHED = "stitched"
    SIMILAR = "similar"
    ABSENT = "absent"


class Certainty(StrEnum):
    """How much a mechanical check may claim: what it found, or only where a person should look."""

    FOUND = "found"
    PLEASE_CHECK = "please check"


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Span:
    """A half-open range of Python characters in one field."""

    field: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """One named text of an item; `kind` says what sort of text it is (see FIELD_KINDS)."""

    name: str
    kind: str
    text: str


# Every field is the query, a reviewed text, or a typed source. The reference of a claim check is
# both reviewed and a source. Kinds are words people see; new ones need a line here and in the docs.
FIELD_KINDS: Mapping[str, str] = {
    "query": "Query",
    "response": "Response",
    "context": "Context",
    "detail_page": "Detail page",
    "reviews": "Reviews",
    "external": "External site",
    "fragment": "Fragment",
    "product": "Product",
    "reference": "Reference article",
    "topic": "Topic",
}
SOURCE_KINDS = frozenset(FIELD_KINDS) - {"query", "response", "topic"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Unit:
    """The smallest piece that receives a label; `span` is None when it lies nowhere in the text."""

    id: str
    kind: UnitKind
    field: str
    text: str
    span: Span | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One response under review with every text it is judged against; never edited."""

    id: str
    fields: tuple[Field, ...]
    units: tuple[Unit, ...]
    cutter: str = ""

    def text_of(self, name: str) -> str:
        """The text of one field, empty when the item has no such field."""
        return next((each.text for each in self.fields if each.name == name), "")

    @property
    def sources(self) -> tuple[Field, ...]:
        """The fields an answer may quote from."""
        return tuple(each for each in self.fields if each.kind in SOURCE_KINDS)

    def units_of(self, kind: UnitKind) -> tuple[Unit, ...]:
        return tuple(unit for unit in self.units if unit.kind == kind)


@dataclass(frozen=True, kw_only=True, slots=True)
class Placement:
    """How and where an excerpt was found; `spans` is empty when it is absent."""

    tier: Tier
    spans: tuple[Span, ...] = ()
    coverage: float = 0.0  # share of the excerpt's characters that stand in the source


@dataclass(frozen=True, kw_only=True, slots=True)
class Excerpt:
    """Words quoted from a source; `placement` is None until somebody looked for them."""

    text: str
    placement: Placement | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """What an author really labelled where their cut differs from the unit's: their own words."""

    text: str
    span: Span | None
    value: str | None
    score: float  # how sure the alignment is, 0 to 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What somebody says about one unit under one criterion, unsigned.

    An Answer whose value is None is Unread and states its problem, or is a plain "not judged"
    where the protocol has such an answer (`problem` is then empty). One whose problem is TAKEN_BACK
    is neither: it ends a decision, and counts nowhere.
    """

    unit_id: str
    criterion: str
    value: str | None
    rationale: str = ""
    excerpts: tuple[Excerpt, ...] = ()
    links: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()  # keys ticked on the criterion's checklist
    comment: str = ""
    confidence: float | None = None
    pieces: tuple[Piece, ...] = ()  # empty when the author's cut is the unit itself
    problem: str = ""

    @property
    def is_unread(self) -> bool:
        return self.value is None and self.problem not in ("", TAKEN_BACK)

    @property
    def is_taken_back(self) -> bool:
        return self.value is None and self.problem == TAKEN_BACK


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Author:
    """Who signs; the same name as a rater and as a judge is two authors."""

    kind: AuthorKind
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Annotation:
    """A signed, stored Answer; a correction supersedes it, nothing overwrites it."""

    number: int
    run_id: str
    item_id: str
    answer: Answer
    author: Author
    signed_at: datetime
    supersedes: int | None = None
    reply_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """What a mechanical check found on a unit: a mark for people, never a label.

    On an answer, `check` is "clash" (the unit against the words its excerpts were found at),
    "quote" (an excerpt against the words it nearly quotes) or "attribution" (an excerpt that the
    label needs stands nowhere); `kind` is number, unit, negation or exclusive for the first two,
    quote for the last. On an item, `check` is a key of `faithfulness.checks.CHECKS` and `kind` the
    rule within it; `candidates` are places that a person should look at.
    """

    check: str
    kind: str
    unit_id: str
    within: tuple[int, int] | None  # range in the unit's text
    source: Span | None
    says: str
    certainty: Certainty = Certainty.FOUND
    candidates: tuple[Span, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One system's outputs evaluated under one protocol, imported together."""

    id: str
    name: str
    protocol: str
    system: str
    imported_at: datetime
    is_sample: bool = False
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What a judge wrote, kept as it came, with what asking for it took."""

    text: str
    model: str = ""
    finish_reason: str = ""
    fingerprint: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None


def make_unread_answer(unit_id: str, criterion: str, problem: str, **said: str) -> Answer:
    """An Answer without a value: kept and shown, never counted as a label."""
    return Answer(unit_id=unit_id, criterion=criterion, value=None, problem=problem, **said)  # type: ignore[arg-type]  # only text fields are passed on


def compute_item_id(fields: tuple[Field, ...], occurrence: int = 1) -> str:
    """An item is known by the content of its fields, so that files without a common id meet.

    Args:
        fields: the texts.
        occurrence: 2 for the second record with the same texts that one annotator answered about,
            and so on.
    """
    digest = hashlib.sha256()
    for name, text in sorted((each.name, each.text) for each in fields):
        for part in (name, text):
            raw = part.encode("utf-8")
            # Lengths keep ("ab", "c") and ("a", "bc") apart.
            digest.update(len(raw).to_bytes(8, "big"))
            digest.update(raw)
    if occurrence > 1:
        digest.update(f"occurrence {occurrence}".encode())
    return digest.hexdigest()[:32]


def make_response_unit(field_name: str, text: str) -> Unit:
    """The unit of protocols that answer about the whole response."""
    span = Span(field=field_name, start=0, end=len(text))
    return Unit(id="response", kind=UnitKind.RESPONSE, field=field_name, text=text, span=span)


def make_claim_id(field_name: str, sentence: str, claim: str, occurrence: int) -> str:
    """Names a claim by content and occurrence: two raters' files meet, twin claims stay two."""
    raw = "\x00".join((field_name, sentence, claim)).encode("utf-8")
    return f"{field_name}.c{hashlib.sha256(raw).hexdigest()[:10]}.{occurrence}"
