"""Questions that the user must answer before a file can be imported."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from data.importing.gathering import GatheredDrafts
from data.importing.importer import quote_value
from faithfulness.model.drafts import ImportQuestion, QuestionOption
from faithfulness.model.errors import ImportRefused
from faithfulness.model.wording import join_names

_NAMED = 8  # annotators in one message
_KIND_OPTIONS = "--judge NAME (a model) or --rater NAME (a person) for each"


class OpenQuestions(ImportRefused):
    """The files can be read, and a person must first say what some of their columns hold."""

    def __init__(self, message: str, questions: Sequence[ImportQuestion]) -> None:
        super().__init__(message)
        self.questions = tuple(questions)

    @property
    def are_about_columns(self) -> bool:
        return any(question.column for question in self.questions)


def ask_open_questions(
    gathered: GatheredDrafts, about_annotators: Sequence[ImportQuestion] = (), *, by_command: bool
) -> None:
    """Stop the import where its files leave questions.

    Args:
        gathered: all drafts of the import, with the questions about their columns.
        about_annotators: questions about who is a person and who a model.
        by_command: whether a command reads the files, and takes the answers as options.

    Raises:
        OpenQuestions: there is at least one.
    """
    about_columns = [
        question
        for drafts in gathered.groups.values()
        for draft in drafts
        for question in draft.questions
    ]
    if about_columns:  # a metric's numbers need nobody to sign them
        about_annotators = [each for each in about_annotators if not _is_file_name(each)]
    questions = [*about_columns, *about_annotators]
    if not questions:
        return
    texts = [f"{question.file}: {question.text}" for question in about_columns]
    options = [*map(_format_options, about_columns)]
    if about_annotators:
        texts.append(_describe_annotators(about_annotators))
        options.append(_KIND_OPTIONS)
    how = f" with {' and '.join(options)}" if by_command else ""
    message = f"{' '.join(texts)} Nothing was stored; say what is meant{how}."
    raise OpenQuestions(message, questions)


def _is_file_name(question: ImportQuestion) -> bool:
    return question.annotator == PurePath(question.file).stem


def _describe_annotators(questions: Sequence[ImportQuestion]) -> str:
    files = join_names([*dict.fromkeys(question.file for question in questions)])
    names = join_names([quote_value(question.annotator) for question in questions], _NAMED)
    if len(questions) == 1:
        return f"{files}: The rater {names} may be a model."
    return f"{files}: The raters {names} may be models."


def _format_options(question: ImportQuestion) -> str:
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
    questions = [ImportQuestion(*each) for each in message.get("questions", ())]
    if not questions:
        return ImportRefused(message["refused"])
    return OpenQuestions(
        message["refused"],
        [
            each._replace(choices=[QuestionOption(*choice) for choice in each.choices])
            for each in questions
        ],
    )
