"""Warn about answers that match no unit, different sentence boundaries and unscored answers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from data.importing.preview.preview import RunCounts
from data.importing.preview.unused_columns import TABLES
from faithfulness.intake.complaints import group_places
from faithfulness.intake.intake import Place
from faithfulness.model.errors import ImportRefused
from faithfulness.model.wording import format_count

_WHICH = "Check which columns hold the sentence and the response, and"
_CHOOSE = f"{_WHICH} choose them in a column mapping."
_MAP = f"{_WHICH} give every column its role with --map COLUMN=ROLE."
_COPY = "Check that each sentence is copied from the response of its own record."


def warn_of_unplaced_answers(
    importer: str, lost: Iterable[Place], kept: Counter[str], *, by_command: bool
) -> Iterator[str]:
    """A warning for each file that has answers which no unit can carry.

    Args:
        importer: the key of the format that read the files.
        lost: where these answers stand.
        kept: how much of each file can be stored: answers and given numbers.
        by_command: whether a command reads them, and has options for columns.

    Raises:
        ImportRefused: a table has nothing else, so that its columns are not what they are taken
            for. A record with several answers names its sentences itself and has none to mistake.
    """
    for found in group_places(lost):
        those = found.lines
        # A row of a wide table has an answer of each rater; elsewhere several make a record.
        is_table = importer in TABLES or len({*those}) == len(those)
        if is_table and not kept[found.file]:
            remedy = (_MAP if by_command else _CHOOSE) if importer in TABLES else _COPY
            raise ImportRefused(
                f"{found.place}: {format_count(len(those), 'answer')}, and none about words "
                "that stand "
                f"in the response as words, so that nothing would be stored. {remedy}"
            )
        is_or_are = "is" if len(those) == 1 else "are"
        yield (
            f"{format_count(len(those), 'answer')} could not be placed in the response and "
            f"{is_or_are} "
            f"left out: {found.place}."
        )


def warn_of_other_sentences(places: Iterable[Place], gained: int) -> Iterator[str]:
    """A warning for each file whose own sentences are not those of items that are stored already.

    Args:
        places: where these items begin.
        gained: sentences of all files that no stored sentence holds, so that they were added.
    """
    for found in group_places(places):
        have = format_count(len(found.lines), "item has", "items have")
        yield (
            f"{have} other sentences already, in the store or from a file before, than this file "
            f"cuts: {found.place}. Those sentences are kept. Every label is placed on the ones it "
            "is about, with the file's own sentence beside it."
        )
    if gained:
        are = format_count(gained, "sentence of the files is", "sentences of the files are")
        yield f"{are} in none of their items' sentences and will be added to them."


def warn_of_unread_answers(runs: Sequence[RunCounts]) -> Iterator[str]:
    """A warning where all that was answered is unread: stored like that it counts nowhere."""
    unread = sum(each.unread for each in runs)
    if unread and not any(each.answers or each.not_judged for each in runs):
        yield (
            f"None of {format_count(unread, 'answer')} could be read. The complaints say "
            "why; stored as "
            "they are, they count in no number."
        )
