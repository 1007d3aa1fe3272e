"""Doctor says how a store stands, in words, whatever state its files are in."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from data.api.health import BAD, GOOD, WARNING, examine
from data.store.backups import back_up, restore
from data.store.sidecar_files import get_sidecar_path
from tests.made_stores import new_store

ROOT = Path(__file__).resolve().parents[3]
BULK = "insert into authors select range, 'rater', md5(range::varchar) from range(5000)"


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    opened.write("bulk", "bulk", lambda cursor: cursor.execute(BULK) and None)
    back_up(opened)
    yield opened
    opened.close()


def states(conditions):
    return {condition.name: condition.state for condition in conditions}


def says(conditions, name):
    return next(condition.says for condition in conditions if condition.name == name)


def test_whole_store_is_good_open_or_closed(store):
    found = examine(store.path, store)
    assert set(states(found).values()) == {GOOD}
    assert "authors 5000" in says(found, "contents")
    assert f"process {os.getpid()}" in says(found, "owner")
    store.close()
    before = {path: path.read_bytes() for path in store.path.parent.rglob("*") if path.is_file()}
    assert set(states(examine(store.path)).values()) == {GOOD}
    after = {path: path.read_bytes() for path in store.path.parent.rglob("*") if path.is_file()}
    assert after == before


def test_versions_name_what_matters(store):
    found = says(examine(store.path, store), "versions")
    assert all(name in found for name in ("python 3.", "duckdb", "streamlit", "pyarrow"))


def test_missing_store_is_told(tmp_path):
    found = examine(tmp_path / "nowhere" / "s.duckdb")
    assert states(found)["store"] == BAD
    assert "no such folder" in says(found, "store")
    assert not (tmp_path / "nowhere").exists()


def test_damaged_store_is_told_and_not_repaired(store):
    store.close()
    damaged = bytearray(store.path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    store.path.write_bytes(damaged)
    found = examine(store.path)
    assert states(found)["store"] == BAD
    assert "damaged" in says(found, "store")
    assert store.path.read_bytes() == damaged


def test_changed_journal_is_told(store):
    journal = get_sidecar_path(store.path, "journal")
    journal.write_bytes(journal.read_bytes().replace(b'"bulk"', b'"bolk"', 1))
    found = examine(store.path, store)
    assert states(found)["journal"] == BAD


def test_damaged_and_missing_backups_are_told(store):
    (backup,) = (store.path.parent / "backups").glob("*.duckdb")
    damaged = bytearray(backup.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    backup.write_bytes(damaged)
    assert states(examine(store.path, store))["backups"] == BAD
    backup.unlink()
    assert states(examine(store.path, store))["backups"] == WARNING


def test_store_open_elsewhere_names_the_process(store):
    code = (
        "import sys; from pathlib import Path; from data.api.health import examine\n"
        "for condition in examine(Path(sys.argv[1])): print(condition.name, condition.says)"
    )
    command = [sys.executable, "-c", code, str(store.path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"owner the store is open in process {os.getpid()}" in ended.stdout


def test_restore_on_request_is_no_repair(store):
    back_up(store)
    store.close()
    restore(store.path)
    (found,) = [each for each in examine(store.path) if each.name == "recoveries"]
    assert found.state == GOOD
    assert found.says == (
        "the store never had to be repaired; 1 restore on request; 1 file put aside by a restore"
    )
    assert not list(store.path.parent.glob("*.damaged-*"))
