"""Helpers shared by the commands of cli.py: exit codes, usage errors, files and output."""

import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from data.exporting import PARTS
from faithfulness.model.errors import ReviewError
from faithfulness.model.names import fold_name
from faithfulness.model.visible import HIDDEN, escape_brief, escape_line
from faithfulness.model.vocabulary import AuthorKind
from faithfulness.model.wording import format_count

DONE, REFUSED, BAD_USE, NO_STORE, BELOW = range(5)
LONGEST_NAME = 255
LONGEST_PROBLEM = 1_000


class BadUse(Exception):
    """The command itself is wrong: one line, or each of these, and exit code 2."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def check_regular_file(name: str) -> Path:
    """A path that can be read to its end; folders, pipes and devices cannot."""
    try:
        mode = os.stat(name).st_mode
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a file name"
        raise BadUse(f"{name[:LONGEST_NAME]!r}: {reason}") from None
    if not stat.S_ISREG(mode):
        raise BadUse(f"{name}: this is not a regular file; give a file")
    return Path(name)


def check_new_file(name: str, named_format: str | None, part: str = "answers") -> tuple[Path, str]:
    """A file that can be made, and the export format it is to have."""
    formats = PARTS[part]
    target = Path(name)
    kind = named_format or target.suffix.lstrip(".").lower()
    if kind not in formats:
        raise BadUse(f"{target.name}: there is no export {kind!r}; use one of {', '.join(formats)}")
    if target.exists():
        raise BadUse(f"{target}: already exists; give another name")
    if not target.parent.is_dir():
        raise BadUse(f"{target.parent}: no such folder")
    return target, kind


def format_answer_count(run: Mapping[str, Any]) -> str:
    """How many answers a run has by raters and judges, and how many decisions, if any."""
    said = format_count(run["answers"], "answer")
    return f"{said}  {format_count(run['decisions'], 'decision')}" if run["decisions"] else said


def format_lines(lines: Iterable[str]) -> str:
    """Lines for a terminal; nothing in them is an order to it or begins a line of its own."""
    return "\n".join(map(escape_line, lines))


def format_json(told: Mapping[str, Any]) -> str:
    """One line of JSON that a terminal may show too; read back, it is what was told."""
    return HIDDEN.sub(_escape_character, json.dumps(told, ensure_ascii=False, default=str))


def format_problem(problem: object) -> str:
    """What went wrong, for a terminal."""
    lines = problem.lines if isinstance(problem, BadUse) else (str(problem),)
    return "\n".join(escape_brief(line, LONGEST_PROBLEM) for line in lines)


def print_text(text: str) -> None:
    """Print, also to a reader such as `head` that has seen enough and gone.

    Raises:
        ReviewError: the file that takes the output has no room for it.
    """
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError as error:
        # What is left in the buffer would complain once more at the very end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise ReviewError(
                f"The answer could not be written where it was sent: {error.strerror}."
            ) from error


def make_file(target: Path, write: Callable[[Path], object]) -> int:
    """Write a file, with nothing under its name until it is whole; gives its bytes."""
    try:
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            made = Path(folder) / target.name
            write(made)
            size = made.stat().st_size
            made.rename(target)
    except OSError as error:
        raise ReviewError(
            f"{target}: nothing was written ({error.strerror}); give another place"
        ) from error
    return size


def _escape_character(found: re.Match[str]) -> str:
    return json.dumps(found.group())[1:-1]


def parse_author_kinds(raters: Sequence[str], judges: Sequence[str]) -> dict[str, AuthorKind]:
    """Who is a person and who a model, by the names that --rater and --judge give."""
    kinds = {fold_name(name): AuthorKind.RATER for name in raters}
    for name in map(fold_name, judges):
        if name in kinds:
            raise BadUse(f"{name!r} stands behind --rater and --judge; keep one of them")
        kinds[name] = AuthorKind.JUDGE
    return kinds


def parse_mapping(pairs: Sequence[str]) -> dict[str, str]:
    parts = [pair.partition("=") for pair in pairs]
    wrong = next(
        (pair for pair, (_, equals, _) in zip(pairs, parts, strict=True) if not equals), ""
    )
    if wrong:
        raise BadUse(f"--map {wrong}: write COLUMN=ROLE, for example --map answer=field:response")
    return {column: role for column, _, role in parts}
