"""A disk that is full already: everything reads, and a save is refused in one sentence."""

import contextlib
import json
import logging
import os
import random
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import pytest

from data.access.shared_store import open_store_once, shared_store
from data.api.remote import find_running_door
from data.api.server import Gate
from data.items.saved_views import save_view
from data.runs.queries import runs
from data.samples.first_start import fill_first
from data.store import backups, engine, migrating
from data.store.copies import BackupFailed
from data.store.sidecar_files import get_backups_folder, get_log_path, get_sidecar_path
from data.store.store import Store, open_store
from faithfulness.model.errors import NotSaved, ReviewError, StoreUnavailable
from faithfulness.model.full_disk import NOT_SAVED
from tests.data.api.test_server import door_to
from tests.faults import people
from tests.faults.test_people_full_disk import save_until_refused
from tests.full_disk import fill_up, make_room, small_disk
from tests.made_stores import new_store
from tests.run_commands import run_command
from tests.test_cli import ROOT, write_labels


@pytest.fixture
def disk(tmp_path):
    with small_disk(tmp_path / "disk", megabytes=64) as mounted:
        yield mounted


@pytest.fixture
def full(disk):
    """A store with the sample whose disk has no room for a byte."""
    path = disk / "s.duckdb"
    new_store(path, fill_first).close()
    fill_up(disk)
    return path


def first_run(path: Path) -> str:
    listed = json.loads(run_command("runs", "--store", path, "--json"))
    return str(listed["runs"][0]["run_id"])


def files_of(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.parent.iterdir() if each.is_file()}


def test_commands_read_what_is_on_a_full_disk(full, tmp_path):
    run = first_run(full)
    labels = write_labels(tmp_path)
    run_command("export", run, "--store", full, "--to", tmp_path / "answers.csv")
    assert (tmp_path / "answers.csv").stat().st_size > 0
    run_command("agree", "--run", run, "--protocol", protocol_of(full), "--store", full)
    told = run_command("import", labels, "--store", full, "--preview")
    assert "Nothing was stored" in told
    told = run_command("doctor", "--store", full, code=1)
    assert "Free some space now: nothing can be saved." in told


def protocol_of(path: Path) -> str:
    store = open_store(path)
    found = str(runs(store)["protocol"][0])
    store.close()
    return found


def test_commands_that_write_refuse_in_one_sentence_and_change_nothing(full, tmp_path):
    run, labels = first_run(full), write_labels(tmp_path)
    before = run_command("runs", "--store", full)
    for words in (
        ("import", labels),
        ("remove", run, "--yes"),
        ("judge", run, "--offline"),
    ):
        assert run_command(*words, "--store", full, code=1).strip() == NOT_SAVED, words
    for words in (("backup",), ("restore",), ("export", run, "--to", full.parent / "answers.csv")):
        told = run_command(*words, "--store", full, code=1).strip()
        assert "\n" not in told
        assert "disk is full" in told or "No space left" in told
    assert run_command("runs", "--store", full) == before
    names = {each.name for each in full.parent.iterdir()}
    assert names == {
        full.name,
        "ballast",
        "backups",
        *(get_sidecar_path(full, end).name for end in ENDINGS),
    }
    make_room(full.parent)
    run_command("import", labels, "--store", full)
    run_command("backup", "--store", full)
    run_command("restore", "--store", full)
    assert len(run_command("runs", "--store", full).splitlines()) > len(before.splitlines())


ENDINGS = ("journal", "lock", "marker")


def test_commands_say_no_more_where_a_saved_import_still_stands_in_the_engines_log(
    disk, tmp_path, caplog
):
    """It fits into the log, and no longer into the file: each later command tries that again."""
    path = disk / "s.duckdb"
    new_store(path, fill_first).close()
    fill_up(disk, but=40_960)
    run_command("import", write_labels(tmp_path), "--store", path)
    assert get_log_path(path).exists()
    caplog.clear()
    run = first_run(path)
    assert run_command("remove", run, "--yes", "--store", path, code=1).strip() == NOT_SAVED
    told = run_command("backup", "--store", path, code=1)
    assert "no backup was made because the disk is full" in told
    # A command shows whatever is logged from warnings on.
    assert [each.message for each in caplog.records if each.levelno >= logging.WARNING] == []


def test_commands_are_one_line_where_no_disk_takes_a_byte(tmp_path):
    """A limit of nothing on the size of files stands for it, so that nobody has to mount a disk."""
    path, labels = tmp_path / "s.duckdb", write_labels(tmp_path)
    new_store(path, fill_first).close()
    refused = {"import": ["import", str(labels)], "export": ["export", "--to", "answers.csv"]}
    script = textwrap.dedent(
        """
        import json, resource, sys
        import cli

        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        path, refused = sys.argv[1], json.loads(sys.argv[2])
        print("runs", cli.main(["runs", "--store", path, "--json"]))
        for name, words in refused.items():
            print(name, cli.main([*words, "--store", path, "--json"]))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, path, json.dumps(refused)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
    listed, listed_code, *refusals = done.stdout.splitlines()
    assert json.loads(listed)["runs"]
    assert listed_code == "runs 0"
    assert refusals[1::2] == ["import 1", "export 1"]
    for line in refusals[::2]:
        assert "full" in json.loads(line)["error"] or "too large" in json.loads(line)["error"]


def test_an_answer_that_cannot_be_written_is_told(tmp_path):
    path = tmp_path / "s.duckdb"
    new_store(path, fill_first).close()
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, ROOT / "cli.py", "runs", "--store", path],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "The answer could not be written where it was sent: No space left on device."
    ]


def test_a_full_disk_for_working_files_is_named(disk, tmp_path, monkeypatch):
    path, labels = tmp_path / "s.duckdb", write_labels(tmp_path)
    new_store(path, fill_first).close()
    (disk / "working").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(disk / "working"))
    fill_up(disk)
    told = run_command("import", labels, "--store", path, code=1)
    assert f"The disk of {disk}" in told
    assert len(told.splitlines()) == 1
    make_room(disk)
    assert "Stored 1 run" in run_command("import", labels, "--store", path)


def test_a_command_whose_file_does_not_fit_does_not_blame_the_app(disk, tmp_path):
    store = new_store(tmp_path / "s.duckdb", fill_first)
    with door_to(store):
        fill_up(disk)
        told = run_command("export", "--store", store.path, "--to", disk / "all.csv", code=1)
    store.close()
    assert "nothing was written (No space left on device)" in told


def test_an_app_that_has_no_room_for_working_files_says_so_to_commands(disk, tmp_path, monkeypatch):
    store = new_store(tmp_path / "s.duckdb", fill_first)
    with door_to(store) as door:
        fill_up(disk)
        monkeypatch.setattr(tempfile, "tempdir", str(disk))
        with pytest.raises(ReviewError, match=f"The disk of {disk} is full: free some space"):
            door.export(
                {"part": "answers", "names": []}, "csv", tmp_path / "all.csv", action="part"
            )
    store.close()


def test_an_app_that_started_on_a_full_disk_is_found_by_commands_once_there_is_room(
    full, monkeypatch
):
    monkeypatch.setattr("data.api.server.NOTE_AGAIN_SECONDS", 0.05)
    store = open_store(full)
    with Gate(store=lambda: store).announced(full, "http://127.0.0.1:1"):
        assert find_running_door(full) is None
        with pytest.raises(StoreUnavailable, match="Free some space and try again"):
            open_store(full)
        make_room(full.parent)
        until = time.monotonic() + 20
        while find_running_door(full) is None and time.monotonic() < until:
            time.sleep(0.02)
        assert find_running_door(full) is not None
    assert find_running_door(full) is None
    store.close()


def test_no_store_is_made_on_a_full_disk_and_nothing_is_left_behind(disk, monkeypatch):
    path = disk / "store" / "plumbline.duckdb"
    path.parent.mkdir()
    monkeypatch.setenv("PLUMBLINE_STORE", str(path))
    fill_up(disk)
    with pytest.raises(
        StoreUnavailable, match="no store can be made here because the disk is full"
    ):
        shared_store()
    assert [each.name for each in path.parent.iterdir()] == [get_sidecar_path(path, "lock").name]
    make_room(disk)
    store = shared_store()
    assert not runs(store).empty
    store.close()
    open_store_once.clear()


def test_an_empty_store_opens_without_the_sample(disk, monkeypatch):
    path = disk / "plumbline.duckdb"
    monkeypatch.setenv("PLUMBLINE_STORE", str(path))
    new_store(path).close()
    fill_up(disk)
    store = shared_store()
    assert runs(store).empty
    store.close()
    open_store_once.clear()


def lose_half_a_line(path: Path) -> None:
    """As a kill does while the journal is written."""
    with get_sidecar_path(path, "journal").open("ab") as journal:
        journal.write(b'{"sequence":')


def lose_backups_folder(path: Path) -> None:
    shutil.rmtree(get_backups_folder(path), ignore_errors=True)


def lose_marker(path: Path) -> None:
    get_sidecar_path(path, "marker").unlink()


def leave_a_log(path: Path) -> None:
    """As a kill does that comes after saves."""
    child = os.fork()
    if child == 0:
        people.People(open_store(path), random.Random("log")).save("sheet")
        os._exit(0)
    os.waitpid(child, 0)
    assert get_log_path(path).exists()


@pytest.mark.parametrize("leave", [lose_half_a_line, lose_backups_folder, lose_marker, leave_a_log])
def test_a_store_that_was_left_unwell_reads_and_writes_again_once_there_is_room(disk, leave):
    path = disk / "s.duckdb"
    people.prepare(path)
    leave(path)
    fill_up(disk)
    store = open_store(path)
    team = people.People(store, random.Random("unwell"))
    kept = save_until_refused(team, times=6)  # a last block may still take a little
    make_room(disk)
    saved = {team.save(kind) for kind in people.LEAVES}
    assert people.complaints(store, kept | saved) == []
    store.close()
    again = open_store(path)
    assert people.complaints(again, kept | saved) == []
    again.close()


def test_a_store_of_an_older_version_is_read_and_brought_up_to_date_once_there_is_room(
    disk, tmp_path
):
    path, before = disk / "s.duckdb", tmp_path / "migrations"
    before.mkdir()
    *older, (newest, _) = migrating.list_migrations()
    for _, step in older:
        shutil.copyfile(step, before / step.name)
    connection = engine.connect(path)
    migrating.migrate(connection, folder=before)
    connection.close()
    fill_up(disk)
    store = open_store(path)
    assert runs(store).empty
    assert format_of(store) == newest - 1
    with pytest.raises(NotSaved, match="disk is full"):
        save(store)
    with pytest.raises(BackupFailed, match="disk is full"):
        backups.back_up(store)
    make_room(disk)
    save(store)
    assert format_of(store) == newest
    store.close()


def save(store: Store) -> None:
    save_view(store, name="Prices", page="runs", address="", operation_id="prices")


def format_of(store: Store) -> int:
    with store.read() as cursor:
        return migrating.read_format(cursor)


def test_a_damaged_store_is_left_as_it_is_until_there_is_room_to_repair_it(disk):
    path = disk / "s.duckdb"
    new_store(path, fill_first).close()
    whole = path.read_bytes()
    path.write_bytes(bytes(9_000) + whole[9_000:])
    fill_up(disk)
    before = files_of(path)
    with pytest.raises(StoreUnavailable, match="must be repaired, and its disk is full: free some"):
        open_store(path)
    assert files_of(path) == before | {get_sidecar_path(path, "lock").name: b""}
    make_room(disk)
    store = open_store(path)
    assert any("taken from the backup" in line for line in store.recovery)
    assert not runs(store).empty
    store.close()


def test_a_store_without_its_lock_file_is_read_where_no_file_can_be_made(tmp_path):
    with small_disk(tmp_path / "disk", inodes=20) as disk:
        path = disk / "s.duckdb"
        new_store(path, fill_first).close()
        get_sidecar_path(path, "lock").unlink()
        with contextlib.suppress(OSError):
            for number in range(20):
                (disk / str(number)).touch()
        store = open_store(path)
        assert not runs(store).empty
        with pytest.raises(NotSaved, match="can only be read"):
            save(store)
        store.close()
