"""A folder that can only be read: a disk mounted so, or for users other than root without leave."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def unwritable(folder: Path, fill: Callable[[], object]) -> Iterator[None]:
    """Let `fill` put something into an empty folder, and lock it until the end."""
    is_root = os.getuid() == 0
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "none", str(folder)]
    if is_root and subprocess.run(mount, check=False).returncode:
        pytest.skip("root writes everywhere, and may not mount a disk for reading only here")
    try:
        fill()
        if is_root:
            subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        else:
            folder.chmod(0o555)
        yield
    finally:
        if is_root:
            subprocess.run(["umount", "-l", str(folder)], check=True)
        else:
            folder.chmod(0o755)
