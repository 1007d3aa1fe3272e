"""Doubles: two rows of a file answer one question about the same words, and differ."""

from collections.abc import Sequence
from itertools import combinations

from faithfulness.model.drafts import Draft, Said
from faithfulness.replies.matching import Landing, same_part


def double_of(rows: Sequence[Said], landings: Sequence[Landing] = ()) -> tuple[Said, Said] | None:
    """The first two rows that differ; rows about different parts of a unit do not.

    Rows that say the same are none: some files have one for each excerpt.

    Args:
        rows: what one author answers to one question about one unit.
        landings: where each of them stands in a sentence; without them all are about the whole.
    """
    if len(rows) < 2 or len({_answer(each) for each in rows}) < 2:
        return None
    for one, other in combinations(range(len(rows)), 2):
        if _answer(rows[one]) == _answer(rows[other]):
            continue
        if not landings or same_part(landings[one], landings[other]):
            return rows[one], rows[other]
    return None


def both_answers(double: tuple[Said, Said]) -> str:
    return "answered twice: " + " and ".join(_words(each) for each in double)


def both_places(double: tuple[Said, Said], draft: Draft) -> str:
    """Both answers with their places: whoever mends the file has to find the two."""
    named = [f"{_words(each)} ({each.file or draft.file} line {each.line})" for each in double]
    return f"answered twice: {' and '.join(named)}; neither counts, keep one of them"


def _answer(said: Said) -> tuple[str | None, str]:
    return said.value, said.problem


def _words(said: Said) -> str:
    return said.value or said.problem.partition(";")[0] or "no label"
