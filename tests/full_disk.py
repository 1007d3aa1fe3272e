"""A disk of its own that can be filled to the last byte; only root may mount one."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BALLAST = "ballast"


@contextmanager
def small_disk(folder: Path, megabytes: int = 24, inodes: int = 10_000) -> Iterator[Path]:
    """Mount a disk of so many megabytes, for so many files, on a new folder until the end."""
    folder.mkdir()
    size = f"size={megabytes}m,nr_inodes={inodes}"
    options = ["-t", "tmpfs", "-o", size, "none", str(folder)]
    if subprocess.run(["mount", *options], capture_output=True, check=False).returncode:
        pytest.skip("a small disk can only be mounted as root; other tests limit the file's size")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill_up(disk: Path, but: int = 0) -> None:
    """Take all the room there is but some bytes."""
    with (disk / BALLAST).open("ab", buffering=0) as ballast:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    ballast.write(bytes(size))
            except OSError:
                continue
        ballast.truncate(ballast.tell() - but)


def make_room(disk: Path) -> None:
    """Free what `fill_up` took."""
    (disk / BALLAST).unlink()
