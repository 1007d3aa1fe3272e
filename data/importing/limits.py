"""Size, row, memory and time limits for imports, on the page and on the command line."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What one import may take; every refusal states the figure it ran into."""

    file_bytes: int
    rows: int
    unpacked_bytes: int  # of a Parquet file
    memory_bytes: int
    cpu_seconds: int
    line_bytes: int = 8_000_000
    text_characters: int = 1_000_000
    parquet_memory_bytes: int = 450_000_000  # beyond what the reader has at rest
    depth: int = 32
    yaml_bytes: int = 5_000_000
    columns: int = 2_000


# The page must stay quick for everybody else; a command line may take the whole machine's time.
PAGE = Limits(
    file_bytes=50_000_000,
    rows=200_000,
    unpacked_bytes=256_000_000,
    memory_bytes=2_000_000_000,
    cpu_seconds=60,
)
COMMAND = Limits(
    file_bytes=2_000_000_000,
    rows=20_000_000,
    unpacked_bytes=256_000_000,
    memory_bytes=4_000_000_000,
    cpu_seconds=3600,
    yaml_bytes=20_000_000,
)


def describe_remedy(limits: Limits) -> str:
    """What to do with a file that is too large here."""
    return "split it" if limits == COMMAND else "split it or use the command line"


def format_size(size: int) -> str:
    """A size in bytes as people read it."""
    for unit, step in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if size >= step:
            return f"{size / step:.3g} {unit}"
    return f"{size} bytes"
