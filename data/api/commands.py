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
from faithfulness.model.names import folded_name
from faithfulness.model.visible import HIDDEN, brief, folded
from faithfulness.model.vocabulary import AuthorKind
from faithfulness.model.wording import counted

DONE, REFUSED, BAD_USE, NO_STORE, BELOW = range(5)
LONGEST_NAME = 255
LONGEST_PROBLEM = 1_000


class BadUse(Exception):
    """The command itself is wrong: one line, or each of these, and exit code 2."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def regular_file(name: str) -> Path:
    """A path that can be read to its end; folders, pipes and devices cannot."""
    try:
        mode = os.stat(name).st_mode
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a file name"
        raise BadUse(f"{name[:LONGEST_NAME]!r}: {reason}") from None
    if not stat.S_ISREG(mode):
        raise BadUse(f"{name}: this is not a regular file; give a file")
    return Path(name)


def new_file(name: str, named_format: str | None, part: str = "answers") -> tuple[Path, str]:
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


def answered(run: Mapping[str, Any]) -> str:
    """How many answers a run has by raters and judges, and how many decisions, if any."""
    said = counted(run["answers"], "answer")
    return f"{said}  {counted(run['decisions'], 'decision')}" if run["decisions"] else said


def as_lines(lines: Iterable[str]) -> str:
    """Lines for a terminal; nothing in them is an order to it or begins a line of its own."""
    return "\n".join(map(folded, lines))


def as_json(told: Mapping[str, Any]) -> str:
    """One line of JSON that a terminal may show too; read back, it is what was told."""
    return HIDDEN.sub(_escaped, json.dumps(told, ensure_ascii=False, default=str))


def problem_lines(problem: object) -> str:
    """What went wrong, for a terminal."""
    lines = problem.lines if isinstance(problem, BadUse) else (str(problem),)
    return "\n".join(brief(line, LONGEST_PROBLEM) for line in lines)


def say(text: str) -> None:
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


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found.group())[1:-1]


def kinds_of(raters: Sequence[str], judges: Sequence[str]) -> dict[str, AuthorKind]:
    """Who is a person and who a model, by the names that --rater and --judge give."""
    kinds = {folded_name(name): AuthorKind.RATER for name in raters}
    for name in map(folded_name, judges):
        if name in kinds:
            raise BadUse(f"{name!r} stands behind --rater and --judge; keep one of them")
        kinds[name] = AuthorKind.JUDGE
    return kinds


def mapping_of(pairs: Sequence[str]) -> dict[str, str]:
    parts = [pair.partition("=") for pair in pairs]
    wrong = next(
        (pair for pair, (_, equals, _) in zip(pairs, parts, strict=True) if not equals), ""
    )
    if wrong:
        raise BadUse(f"--map {wrong}: write COLUMN=ROLE, for example --map answer=field:response")
    return {column: role for column, _, role in parts}
