"""List the differences between two compared sides, and the possible causes of a gap."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from faithfulness.model.scale import Label, Scale, Tone
from faithfulness.model.selection_sides import Side, is_baseline
from faithfulness.model.vocabulary import AuthorKind
from faithfulness.model.wording import join_names

_GOODNESS = {Tone.BAD: 0, Tone.DOUBT: 1, Tone.GOOD: 2}
_SHOWN = 8  # characters of a fingerprint that people compare by eye


class ItemMatch(StrEnum):
    """By what an item of one side finds its partner on the other, the surest first."""

    ITEM = "item"
    SOURCES = "sources"
    QUERY = "query"
    ID = "id"


MATCHED_BY = {
    ItemMatch.ITEM: "the same response",
    ItemMatch.SOURCES: "the same question and sources",
    ItemMatch.QUERY: "the same question",
    ItemMatch.ID: "the same id in the file",
}


class Moved(StrEnum):
    """What became of a label between the first side and the second."""

    WORSE = "worse"
    BETTER = "better"
    OTHER = "moved"  # another label, neither worse nor better
    SAME = "same"
    LOST = "lost"  # only the first has a label
    GAINED = "gained"  # only the second has one


@dataclass(frozen=True, kw_only=True, slots=True)
class Party:
    """Whose answers in which run; with `prompt`, only those asked for with that fingerprint.

    An empty run means all runs of the protocol. Without a prompt the current answers count; with
    one the latest of that prompt, also where a later prompt has superseded them.
    """

    run: str
    side: Side
    prompt: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerOrigin:
    """What is known of how a party's answers came about; a set with an empty text is unknown."""

    party: Party
    system: str
    protocol: str
    prompts: frozenset[str]
    cutters: frozenset[str]
    models: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Remark:
    """One aspect of both sides; `same` is None where it cannot be told."""

    aspect: str
    first: str
    second: str
    same: bool | None
    means: str


def list_remarks(first: AnswerOrigin, second: AnswerOrigin, match: ItemMatch) -> tuple[Remark, ...]:
    """Every aspect that can explain a difference, those that differ first."""
    found = [
        _compare_items(match),
        _compare_aspect(
            "System", first.system, second.system, "the responses come from different systems"
        ),
        _compare_authors(first.party.side, second.party.side),
        *_compare_judge_settings(first, second),
        _compare_cutters(first, second, match),
        _compare_aspect(
            "Protocol", first.protocol, second.protocol, "different questions were asked"
        ),
    ]
    return tuple(sorted(found, key=lambda each: {False: 0, None: 1, True: 2}[each.same]))


def summarize_remarks(found: Sequence[Remark]) -> str:
    """One sentence on what a difference can be put down to."""
    differ = [each.aspect.lower() for each in found if each.same is False and each.aspect in CAUSES]
    unknown = [each.aspect.lower() for each in found if each.same is None]
    doubt = ""
    if unknown:
        verb = "is" if len(unknown) == 1 else "are"
        doubt = f" Whether the {join_names(unknown)} {verb} the same is not known."
    if not differ:
        return f"Nothing is known to differ: a difference is chance or repetition.{doubt}"
    if len(differ) == 1:
        sure = "" if unknown else ", so a difference comes from there"
        return f"Only the {differ[0]} is known to differ{sure}.{doubt}"
    return (
        f"Several things differ at once ({join_names(differ)}): a difference cannot be put down to "
        f"one of them.{doubt}"
    )


CAUSES = frozenset({"System", "Author", "Prompt", "Model", "Cutter", "Protocol"})


def build_move_table(scale: Scale) -> tuple[tuple[Moved, ...], ...]:
    """What going from each label (row) to each other one (column) means.

    On an ordinal scale lower is worse. On a nominal one good is better than doubtful, doubtful
    better than bad, and a label that claims a contradiction worse than one that does not; to or
    from a neutral label is a move without a direction.
    """
    return tuple(
        tuple(_classify_move(scale, low, high) for high in range(len(scale.labels)))
        for low in range(len(scale.labels))
    )


def count_steps(scale: Scale, low: int, high: int) -> int:
    """How far apart two labels are; neutral ones are one step from every other."""
    if scale.ordinal:
        return abs(high - low)
    one, other = _rate_label(scale.labels[low]), _rate_label(scale.labels[high])
    if one is None or other is None:
        return int(low != high)
    return max(abs(one[0] - other[0]), int(low != high))


def _classify_move(scale: Scale, low: int, high: int) -> Moved:
    if low == high:
        return Moved.SAME
    if scale.ordinal:
        return Moved.WORSE if high < low else Moved.BETTER
    one, other = _rate_label(scale.labels[low]), _rate_label(scale.labels[high])
    if one is None or other is None or one == other:
        return Moved.OTHER
    return Moved.WORSE if other < one else Moved.BETTER


def _rate_label(label: Label) -> tuple[int, bool] | None:
    if label.tone is Tone.NEUTRAL:
        return None
    return _GOODNESS[label.tone], not label.contradicts


def _compare_items(match: ItemMatch) -> Remark:
    same = match is ItemMatch.ITEM
    means = "units are compared one by one"
    if not same:
        means = f"the responses differ; items are paired by {MATCHED_BY[match]}"
    shown = "the same responses" if same else "its own responses"
    return Remark(aspect="Items", first=shown, second=shown, same=same, means=means)


def _compare_aspect(aspect: str, first: str, second: str, means: str) -> Remark:
    same = first == second
    return Remark(aspect=aspect, first=first, second=second, same=same, means="" if same else means)


def _compare_authors(first: Side, second: Side) -> Remark:
    one, other = first.in_words_beside(second), second.in_words_beside(first)
    said = _compare_aspect("Author", one, other, "different people or models answered")
    kinds = {_get_author_kind(first), _get_author_kind(second)}
    if len(kinds) == 2 and AuthorKind.JUDGE in kinds:
        return Remark(
            aspect=said.aspect,
            first=said.first,
            second=said.second,
            same=False,
            means="people against a judge: the agreement page says more",
        )
    return said


def _get_author_kind(side: Side) -> AuthorKind:
    return AuthorKind.RATER if side.author is None else side.author.kind


def _compare_judge_settings(first: AnswerOrigin, second: AnswerOrigin) -> list[Remark]:
    """Model and prompt of two judges; people have neither, and the offline baseline reads none."""
    authors = [each.party.side.author for each in (first, second)]
    judges = [each for each in authors if each is not None and each.kind is AuthorKind.JUDGE]
    if len(judges) < 2 or any(is_baseline(each) for each in judges):
        return []
    named = [_compare_models(first, second)] if (first.models | second.models) - {""} else []
    return [*named, _compare_prompts(first, second)]


def _compare_prompts(first: AnswerOrigin, second: AnswerOrigin) -> Remark:
    one, other = (each.prompts or frozenset({""}) for each in (first, second))
    means, same = "a difference may come from the prompt", one == other
    if "" in one | other:
        whose = "the replies" if "" in one & other else "the replies of one side"
        return Remark(
            aspect="Prompt",
            first=_format_fingerprints(one),
            second=_format_fingerprints(other),
            same=None,
            means=f"{whose} do not say which prompt they answer",
        )
    return Remark(
        aspect="Prompt",
        first=_format_fingerprints(one),
        second=_format_fingerprints(other),
        same=same,
        means="" if same else means,
    )


def _format_fingerprints(prompts: frozenset[str]) -> str:
    return join_names([each[:_SHOWN] if each else "unknown" for each in sorted(prompts)])


def _compare_models(first: AnswerOrigin, second: AnswerOrigin) -> Remark:
    one, other = (join_names(sorted(each.models - {""})) for each in (first, second))
    if not one or not other:
        return Remark(
            aspect="Model",
            first=one or "unknown",
            second=other or "unknown",
            same=None,
            means="the replies of one side do not name their model",
        )
    return _compare_aspect("Model", one, other, "different models answered")


def _compare_cutters(first: AnswerOrigin, second: AnswerOrigin, match: ItemMatch) -> Remark:
    one, other = (join_names(sorted(each.cutters)) or "not cut" for each in (first, second))
    same = match is ItemMatch.ITEM or one == other
    means = "" if same else "sentences were cut by different rules, so shares of sentences shift"
    return Remark(aspect="Cutter", first=one, second=other, same=same, means=means)
