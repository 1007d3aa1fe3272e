"""Questions that an import cannot decide by itself; nothing is stored while one is open."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from data.importers.gathering import Gathered
from faithfulness.drafts import Choice, Question
from faithfulness.errors import ImportRefused


class OpenQuestions(ImportRefused):
    """The files can be read, and a person must first say what some of their columns hold."""

    def __init__(self, message: str, questions: Sequence[Question]) -> None:
        super().__init__(message)
        self.questions = tuple(questions)


def ask_open_questions(gathered: Gathered, *, by_command: bool) -> None:
    """Stop the import where its files leave questions.

    Args:
        gathered: all drafts of the import.
        by_command: whether a command reads the files, and takes the answers as options.

    Raises:
        OpenQuestions: there is at least one.
    """
    questions = [
        question
        for drafts in gathered.groups.values()
        for draft in drafts
        for question in draft.questions
    ]
    if not questions:
        return
    how = "Nothing was stored; say what is meant"
    if by_command:
        how += f" with {' and '.join(map(_options, questions))}"
    texts = " ".join(f"{each.file}: {each.text}" for each in questions)
    raise OpenQuestions(f"{texts} {how}.", questions)


def _options(question: Question) -> str:
    ways = (
        f"--map {shlex.quote(f'{question.column}={each.value}')} ({each.title})"
        for each in question.choices
    )
    return f"--protocol {question.protocol} and {' or '.join(ways)}"


def describe_refusal(refused: Exception) -> dict[str, Any]:
    """A refusal as the reading process sends it."""
    questions = refused.questions if isinstance(refused, OpenQuestions) else ()
    return {"refused": str(refused), "questions": questions}


def read_refusal(message: Mapping[str, Any]) -> ImportRefused:
    """The refusal that the reading process sent."""
    questions = [Question(*each) for each in message.get("questions", ())]
    if not questions:
        return ImportRefused(message["refused"])
    return OpenQuestions(
        message["refused"],
        [each._replace(choices=[Choice(*choice) for choice in each.choices]) for each in questions],
    )
