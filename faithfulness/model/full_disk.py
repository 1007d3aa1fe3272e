"""Detect errors that mean a full disk, and build the message for the user."""

import errno
import os
import tempfile

from faithfulness.model.errors import ReviewError

NOT_SAVED = "Not saved because the disk is full: free some space, then send it again."

# As the system, the database engine and the libraries that write files word it.
_WORDS = (
    "no space left",
    "disk full",
    "disk is full",  # our own
    "file too large",
    "quota exceeded",
    "out of disk",
)
# Python's words where no folder for working files takes a byte.
_NO_FOLDER = "no usable temporary directory"


def is_disk_full(error: BaseException | str) -> bool:
    return any(word in str(error).lower() for word in (*_WORDS, _NO_FOLDER))


def describe_full_disk(error: OSError) -> ReviewError | None:
    """What people are told when there was no room for a file; None for any other trouble.

    Args:
        error: where it names no file, a working file had no room.
    """
    if not is_disk_full(error):
        return None
    file = error.filename2 or error.filename
    place = os.path.dirname(os.fspath(file)) if file else _get_working_folder()
    return ReviewError(f"The disk of {place} is full: free some space there, then try again.")


def make_disk_full_error(target: object) -> OSError:
    """The error of a disk on which a file would not fit."""
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))


def _get_working_folder() -> str:
    try:
        return tempfile.gettempdir()
    except OSError:
        return "every folder for working files (see TMPDIR)"
