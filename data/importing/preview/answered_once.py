"""Check that no annotator answers the same question about a unit twice within one import.

The check runs after matching, because only then is it known which unit a sentence, a claim or a
judge's reply is about. Two answers would both be current: the store cannot tell which one to use.
"""

from data.importing.importer import quote_value
from faithfulness.intake.intake import PreparedItem
from faithfulness.model.drafts import Draft
from faithfulness.model.errors import ImportRefused
from faithfulness.model.vocabulary import Author


class AnsweredOnce:
    """What was answered about one item of one run."""

    def __init__(self) -> None:
        self._places: dict[tuple[Author, str, str], tuple[str, int]] = {}

    def add(self, draft: Draft, taken: PreparedItem) -> None:
        """Take note of a draft's answers.

        Raises:
            ImportRefused: one of them was given before.
        """
        for each in taken.signed:
            answer = each.answer
            key = (each.author, answer.unit_id, answer.criterion)
            place = (each.file or draft.file, each.line or draft.line)
            first = self._places.setdefault(key, place)
            if first is not place:
                raise ImportRefused(
                    f"{place[0]} line {place[1]}: {each.author.name} answers {answer.criterion} of "
                    f"{answer.unit_id} of the item {quote_value(draft.external_id)} again "
                    "(first in "
                    f"{first[0]} line {first[1]}); keep one of them"
                )
