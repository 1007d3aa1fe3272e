"""A process that opens a store of an older format until it is killed; as tests/faults/writer."""

from pathlib import Path

from data.store.store import open_store
from tests.faults import writer


def open_until_killed(_: str, path: Path, acknowledgements: Path) -> None:
    acknowledgements.with_suffix(".open").touch()
    open_store(path)
    acknowledgements.touch()


if __name__ == "__main__":
    writer.main(open_until_killed)
