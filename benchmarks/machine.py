"""What the machine gave a process that is measured, and what its host gave to others."""

import os
import re
import threading
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

WINDOW = 10  # seconds for which the host's part is told


def peak(pid: int) -> float:
    """The most memory the app ever held, in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024


def processor(pid: int) -> float:
    """Seconds of computing the app has used; on a busy machine the clock alone says little."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def taken_away() -> float:
    """Seconds that a virtual machine wanted to compute and its host let others do so."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return int(fields[8]) / os.sysconf("SC_CLK_TCK")


def watch_host(taken: list[float], until: threading.Event) -> None:
    """What the host took away by each second, to be told from what the app is slow at."""
    while not until.wait(1.0):
        taken.append(taken_away())


def most_taken(taken: Sequence[float]) -> str:
    """When it took most: slow pages at that time are the host's."""
    spans = [(later - earlier, at) for at, (earlier, later) in enumerate(pairwise(taken[::WINDOW]))]
    most, at = max(spans, default=(0.0, 0))
    return f"of these {most:.1f} s in the {WINDOW} s from {at * WINDOW} s on"
