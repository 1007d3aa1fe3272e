"""The one open store of the app: a failed start is told, and the next page may try again."""

import tempfile
from pathlib import Path

import pytest

from data.place import VARIABLE
from data.shared_store import one_open_store, open_early, shared_store
from faithfulness.errors import StoreUnavailable


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "store" / "plumbline.duckdb"))
    one_open_store.clear()
    yield tmp_path / "store" / "plumbline.duckdb"
    one_open_store.clear()


def test_start_that_failed_on_the_sample_does_not_keep_the_store_locked(path, monkeypatch):
    with monkeypatch.context() as without_room:
        without_room.setattr(tempfile, "tempdir", str(path / "no such folder"))
        with pytest.raises(OSError, match="sample-"):
            shared_store()
    store = shared_store()
    assert store.version() > 0
    store.close()


def test_folder_that_cannot_be_made_is_told_and_does_not_stop_the_server(path):
    path.parent.write_bytes(b"a file where the folder should be")
    assert open_early() is None
    with pytest.raises(StoreUnavailable, match="folder cannot be made"):
        shared_store()


def test_folder_of_a_new_store_is_for_its_owner_only(path):
    shared_store().close()
    assert path.parent.stat().st_mode & 0o777 == 0o700
