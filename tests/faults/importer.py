"""A process that stores one prepared import until it is killed; as tests/faults/writer.

What stands for the mode in a line of its input is the folder of the prepared import.
"""

from pathlib import Path

from data.importing.import_service import keep_import
from data.store.store import open_store
from tests.faults import writer

OPERATION = "a large import"


def store_until_killed(folder: str, path: Path, acknowledgements: Path) -> None:
    store = open_store(path)
    acknowledgements.with_suffix(".open").touch()
    keep_import(store, Path(folder), operation_id=OPERATION)
    acknowledgements.touch()


if __name__ == "__main__":
    writer.main(store_until_killed)
