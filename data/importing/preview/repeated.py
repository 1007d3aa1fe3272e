"""Warn about identical duplicate answers in a file, before they are merged."""

from collections.abc import Iterable, Iterator

from faithfulness.intake.complaints import group_places
from faithfulness.intake.intake import Place, PreparedItem
from faithfulness.model.drafts import Draft
from faithfulness.model.vocabulary import UnitKind
from faithfulness.model.wording import format_count
from faithfulness.text.normalise import fold_blanks


def find_repeated_answers(draft: Draft, taken: PreparedItem) -> Iterator[Place]:
    """Where an answer about a sentence is given again, in every word the same.

    A sentence that stands twice in the response is answered about twice; what is left out is not
    kept even once.
    """
    if len({(each.author.name, each.criterion, each.text) for each in draft.said}) == len(
        draft.said
    ):
        return  # as in nearly every file, which should not wait for what follows
    times: dict[str, int] = {}
    for unit in taken.item.units_of(UnitKind.SENTENCE):
        text = fold_blanks(unit.text)
        times[text] = times.get(text, 0) + 1
    lost = {repr(each) for each in taken.lost}
    heard: dict[str, int] = {}
    for each in draft.said:
        if each.unit is UnitKind.SENTENCE and repr(each) not in lost:
            key = repr(each._replace(line=0))
            heard[key] = heard.get(key, 0) + 1
            if heard[key] > 1 and heard[key] > times.get(fold_blanks(each.text), 1):
                yield each.file or draft.file, each.line


def warn_of_repeated_answers(places: Iterable[Place]) -> Iterator[str]:
    """A warning for each file with such answers; a row of a wide table may hold several."""
    for found in group_places(places):
        again = format_count(len(found.lines), "answer repeats", "answers repeat")
        yield f"{again} an earlier one word for word, none kept twice: {found.place}."
