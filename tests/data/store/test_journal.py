"""The journal proves what was stored, redoes what was signed, and shows every changed byte."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from data.store import replay
from data.store.journal import (
    CANCELLED,
    DONE,
    RESTORED,
    SIGNED,
    Journal,
    Position,
    read_journal,
    select_unsettled_entries,
    tidy_journal,
)
from data.store.sidecar_files import get_sidecar_path
from data.store.store import open_store
from faithfulness.model.errors import NotSaved, ReviewError

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "s.duckdb.journal"


def fill(path, lines=5):
    journal = Journal(path, Position())
    for number in range(lines):
        journal.append(SIGNED, f"op{number}", "rating", {"value": f"ü {number}\n\u2028"})
    journal.close()
    return journal.position


def test_lines_come_back_as_written_and_continue_from_any_position(path):
    end = fill(path)
    reading = read_journal(path)
    assert [entry.operation_id for entry in reading.entries] == [f"op{n}" for n in range(5)]
    assert reading.entries[3].payload == {"value": "ü 3\n\u2028"}
    assert (reading.end, reading.complaints, reading.cut_off) == (end, (), b"")
    rest = read_journal(path, reading.entries[3].start)
    assert [entry.sequence for entry in rest.entries] == [4, 5]
    assert rest.complaints == ()


def test_every_changed_byte_shows(path):
    fill(path)
    whole = path.read_bytes()
    for place in range(0, len(whole) - 1, 7):
        changed = bytearray(whole)
        changed[place] ^= 4
        path.write_bytes(changed)
        reading = read_journal(path)
        assert reading.complaints, f"byte {place}"
        known = {entry.operation_id: entry.payload for entry in reading.entries}
        assert len(known) >= 3
        assert all(payload == {"value": f"ü {op[2:]}\n\u2028"} for op, payload in known.items())


def test_removed_line_breaks_the_chain(path):
    fill(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2] + lines[3:]))
    assert "does not follow" in read_journal(path).complaints[0]


def test_cut_off_last_line_is_put_aside(path):
    fill(path)
    whole = path.read_bytes()
    last = whole.splitlines(keepends=True)[-1]
    path.write_bytes(whole[:-10])
    reading = tidy_journal(path)
    assert len(reading.entries) == 4
    assert "cut off" in reading.complaints[0]
    assert path.read_bytes() == whole[: -len(last)]
    aside = list(path.parent.glob("*.cut-*"))
    assert [each.read_bytes() for each in aside] == [last[:-10]]
    journal = Journal(path, reading.end)
    journal.append(DONE, "next", "import")
    journal.close()
    assert read_journal(path).complaints == ()


def test_last_word_on_an_operation_counts(path):
    journal = Journal(path, Position())
    for state, operation in (
        (SIGNED, "a"),
        (CANCELLED, "a"),
        (SIGNED, "b"),
        (CANCELLED, "b"),
        (SIGNED, "b"),
        (DONE, "c"),
        (RESTORED, "x"),
        (DONE, "d"),
    ):
        journal.append(state, operation, "k")
    journal.close()
    assert [
        entry.operation_id for entry in select_unsettled_entries(read_journal(path).entries)
    ] == ["b", "d"]


def test_full_disk_leaves_no_part_of_a_line(path):
    fill(path, 1)
    code = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from data.store.journal import *\n"
        "from faithfulness.model.errors import NotSaved\n"
        "path = Path(sys.argv[1]); journal = Journal(path, read_journal(path).end)\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 100, -1))\n"
        "try: journal.append(SIGNED, 'big', 'rating', {'text': 'x' * 5000})\n"
        "except NotSaved as error: print(error)\n"
    )
    before = path.read_bytes()
    ended = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "disk is full" in ended.stdout
    assert path.read_bytes() == before


def test_removed_journal_is_noticed(path):
    journal = Journal(path, Position())
    path.unlink()
    with pytest.raises(NotSaved, match="removed"):
        journal.append(SIGNED, "a", "rating")
    journal.close()


def redo(store, payload):
    if payload["value"] == "impossible":
        raise ReviewError("its run is not here")
    store.write(payload["operation_id"], "test_rating", work(payload["value"]))


def work(value):
    return lambda cursor: (
        cursor.execute("insert into authors values (1, 'r', $v)", {"v": value}) and 1
    )


def values(store):
    with store.read() as cursor:
        return [v for (v,) in cursor.execute("select name from authors order by all").fetchall()]


def test_signed_line_without_its_transaction_is_applied_once(tmp_path, monkeypatch):
    monkeypatch.setitem(replay._REDO, "test_rating", redo)
    store = open_store(tmp_path / "s.duckdb", create=True)
    store.write_journaled("a", "test_rating", {"value": "a"}, work("a"))
    store.close()
    path = get_sidecar_path(store.path, "journal")
    journal = Journal(path, read_journal(path).end)
    journal.append(SIGNED, "b", "test_rating", {"value": "b"})
    journal.append(SIGNED, "c", "test_rating", {"value": "impossible"})
    journal.append(SIGNED, "d", "test_rating", {"value": "d"})
    journal.close()
    store = open_store(store.path)
    assert values(store) == ["a", "b", "d"]
    assert any("(2)" in line for line in store.recovery)
    assert any("could not be applied and stays" in line for line in store.recovery)
    store.close()
    monkeypatch.setitem(
        replay._REDO,
        "test_rating",
        lambda store, payload: store.write(payload["operation_id"], "test_rating", work("c")),
    )
    store = open_store(store.path)
    assert values(store) == ["a", "b", "c", "d"]
    store.close()
    store = open_store(store.path)
    assert values(store) == ["a", "b", "c", "d"]
    assert store.recovery == ()
    store.close()


def test_failed_signing_is_not_applied_later(tmp_path, monkeypatch):
    monkeypatch.setitem(replay._REDO, "test_rating", redo)
    store = open_store(tmp_path / "s.duckdb", create=True)
    with pytest.raises(NotSaved):
        store.write_journaled(
            "a", "test_rating", {"value": "a"}, lambda cursor: cursor.execute("from nowhere")
        )
    store.close()
    store = open_store(store.path)
    assert (values(store), store.recovery) == ([], ())
    store.write_journaled("a", "test_rating", {"value": "a"}, work("a"))
    assert values(store) == ["a"]
    store.close()


def test_unknown_kind_is_reported_and_kept(tmp_path):
    store = open_store(tmp_path / "s.duckdb", create=True)
    store.close()
    path = get_sidecar_path(store.path, "journal")
    journal = Journal(path, read_journal(path).end)
    journal.append(SIGNED, "b", "kind of a later version", {})
    journal.close()
    for _ in range(2):
        store = open_store(store.path)
        assert any("does not know how to redo" in line for line in store.recovery)
        store.close()


def test_order_is_that_of_the_lines_when_the_clock_goes_back(path, monkeypatch):
    times = iter([datetime(2030, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC)])
    monkeypatch.setattr("data.store.journal.now", lambda: next(times))
    fill(path, 2)
    assert [entry.sequence for entry in select_unsettled_entries(read_journal(path).entries)] == [
        1,
        2,
    ]


def test_journal_is_only_for_its_owner(path):
    fill(path, 1)
    assert os.stat(path).st_mode & 0o077 == 0
