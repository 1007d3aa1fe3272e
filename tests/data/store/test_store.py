"""The store keeps what it says it kept, gives each reader its own rows, and refuses in words."""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import duckdb
import pytest

from data.store import engine
from data.store.journal import DONE, SIGNED, read_journal
from data.store.sidecar_files import get_sidecar_path
from data.store.store import Store, open_store
from faithfulness.model.errors import AlreadyDone, NotSaved, StoreUnavailable
from tests.made_stores import new_store

ROOT = Path(__file__).resolve().parents[3]
ADD_AUTHOR = "insert into authors values ($number, 'rater', $name)"
NAMES = "select name from authors order by author_no"


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    yield opened
    opened.close()


def add(number, name="ada"):
    return lambda cursor: cursor.execute(ADD_AUTHOR, {"number": number, "name": name}) and number


def names(store: Store) -> list[str]:
    with store.read() as cursor:
        return [name for (name,) in cursor.execute(NAMES).fetchall()]


def run_child(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_question_that_meets_a_closing_store_is_told_in_words(store):
    store._connection._connection.close()  # the moment in which the app ends under a page
    with pytest.raises(StoreUnavailable, match="closed meanwhile"):
        names(store)


def test_write_is_there_after_reopening(store):
    assert store.write("one", "author", add(1)) == 1
    before = store.version()
    store.write("two", "author", add(2, "ben"))
    assert store.version() > before
    store.close()
    again = open_store(store.path)
    assert names(again) == ["ada", "ben"]
    assert again.recovery == ()
    again.close()


def test_finished_operation_is_not_done_twice(store):
    store.write("one", "author", lambda cursor: [add(1)(cursor), "x"])
    with pytest.raises(AlreadyDone) as told:
        store.write("one", "author", add(1))
    assert told.value.outcome == [1, "x"]
    assert names(store) == ["ada"]


@pytest.mark.parametrize(
    "failure",
    [
        lambda cursor: cursor.execute("select * from nowhere"),
        lambda cursor: cursor.execute("selec 1"),
        lambda cursor: cursor.execute("select error('no')"),
        lambda cursor: cursor.execute("insert into authors values (null, 'rater', 'x')"),
        lambda cursor: cursor.execute("select 'x'::integer"),
    ],
)
def test_engine_error_anywhere_keeps_nothing(store, failure):
    def work(cursor):
        add(1)(cursor)
        failure(cursor)

    with pytest.raises(NotSaved, match="nothing of it was stored"):
        store.write("one", "author", work)
    assert names(store) == []
    store.write("one", "author", add(1))
    assert names(store) == ["ada"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_any_exception_rolls_back_and_passes(store, error):
    def work(cursor):
        add(1)(cursor)
        raise error

    with pytest.raises(error):
        store.write_journaled("one", "author", {}, work)
    assert names(store) == []
    store.close()
    again = open_store(store.path)
    assert again.recovery == ()
    again.close()


def test_swallowed_engine_error_is_never_called_saved(store):
    def work(cursor):
        add(1)(cursor)
        with contextlib.suppress(duckdb.Error):
            cursor.execute("select 'x'::integer").fetchall()

    # 1.5 aborts the transaction; where an engine does not, the rows must really be there.
    try:
        store.write("one", "author", work)
    except NotSaved:
        assert names(store) == []
    else:
        assert names(store) == ["ada"]


def test_result_that_is_no_json_keeps_nothing(store):
    with pytest.raises(TypeError):
        store.write("one", "author", lambda cursor: add(1)(cursor) and object())
    assert names(store) == []


def test_write_inside_a_write_is_refused(store):
    with pytest.raises(RuntimeError):
        store.write("one", "a", lambda cursor: store.write("two", "b", add(1)))
    assert names(store) == []


def test_conflict_is_tried_again(store):
    seen = []

    def work(cursor):
        seen.append(1)
        if len(seen) < 4:
            raise duckdb.TransactionException("TransactionContext Error: Conflict on update!")
        return add(1)(cursor)

    assert store.write("one", "author", work) == 1
    assert len(seen) == 4
    assert names(store) == ["ada"]


class FailsOnce:
    """The engine's connection while the disk cannot be read: the next cursor fails, then none."""

    def __init__(self, store):
        self._store, self._whole = store, store._connection._connection
        store._connection.adopt(self)

    def cursor(self):
        self._store._connection.adopt(self._whole)
        raise duckdb.IOException("IO Error: Could not read from file: Input/output error")


@pytest.mark.parametrize(
    ("write", "state"),
    [
        (lambda store, work: store.write("one", "author", work), DONE),
        (lambda store, work: store.write_journaled("one", "author", {}, work), SIGNED),
    ],
)
def test_what_is_stored_but_could_not_be_read_back_is_seen_and_in_the_journal(store, write, state):
    def work(cursor):
        FailsOnce(store)
        return add(1)(cursor)

    before = store.version()
    with pytest.raises(AlreadyDone) as told:
        write(store, work)
    assert (told.value.outcome, names(store)) == (1, ["ada"])
    assert store.version() > before
    last = read_journal(get_sidecar_path(store.path, "journal")).entries[-1]
    assert (last.operation_id, last.state) == ("one", state)


def test_twenty_threads_each_read_their_own_rows(store):
    wrong = []

    def ask(number):
        for turn in range(200):
            with store.read() as cursor:
                found = cursor.execute("select $a, $b", {"a": number, "b": turn}).fetchall()
            if found != [(number, turn)]:
                wrong.append(found)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_fifty_double_clicks_store_fifty_rows(store):
    done, refused = [], []

    def click(number):
        try:
            done.append(store.write(f"op{number}", "author", add(number)))
        except AlreadyDone as told:
            refused.append(told.outcome)

    threads = [threading.Thread(target=click, args=(n // 2,)) for n in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == sorted(refused) == list(range(50))
    assert len(names(store)) == 50


def test_slow_question_is_stopped(store):
    with pytest.raises(StoreUnavailable, match="too long"), store.read(seconds=0.2) as cursor:
        cursor.execute("select sum(a.range * b.range) from range(10000000) a, range(100000) b")
    assert names(store) == []


@pytest.mark.parametrize(
    "statement",
    [
        "select * from read_text('/etc/hostname')",
        "select * from read_csv('/etc/hostname')",
        "select * from glob('/*')",
        "select * from '/etc/hostname'",
        "copy authors to 'out.csv'",
        "export database 'out'",
        "attach 'other.duckdb'",
        "install httpfs",
        "load httpfs",
        "set enable_external_access = true",
        "set memory_limit = '9GB'",
        "reset lock_configuration",
        "create persistent secret s (type http)",
        "select * from local_rows",
    ],
)
def test_engine_is_closed(store, statement):
    local_rows = [1]
    with pytest.raises(duckdb.Error), store.read() as cursor:
        cursor.execute(statement)
    assert local_rows == [1]


def test_path_without_a_store_is_not_created(tmp_path):
    with pytest.raises(StoreUnavailable, match=r"there is no store.*import --create"):
        open_store(tmp_path / "s.duckdb")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StoreUnavailable, match="no such folder"):
        open_store(tmp_path / "a" / "s.duckdb", create=True)
    with pytest.raises(StoreUnavailable, match="not a file"):
        open_store(tmp_path)


@pytest.mark.parametrize("content", [b"", b"x", b"id,label\n1,yes\n" * 1000])
def test_foreign_file_is_refused_and_untouched(tmp_path, content):
    path = tmp_path / "s.duckdb"
    path.write_bytes(content)
    with pytest.raises(StoreUnavailable, match="not a Plumbline store"):
        open_store(path, create=True)
    assert path.read_bytes() == content


def test_other_duckdb_database_is_refused_and_untouched(tmp_path):
    path = tmp_path / "s.duckdb"
    with duckdb.connect(str(path)) as other:
        other.execute("create table mine (a integer)")
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match="not a Plumbline store"):
        open_store(path)
    assert path.read_bytes() == before


def test_memory_limit_that_is_no_size_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv(engine.MEMORY_VARIABLE, "plenty")
    with pytest.raises(StoreUnavailable, match="PLUMBLINE_MEMORY"):
        open_store(tmp_path / "s.duckdb", create=True)


def test_second_opening_names_the_process(store):
    with pytest.raises(StoreUnavailable, match=f"this process \\({os.getpid()}\\)"):
        open_store(store.path)
    code = (
        "import sys; from pathlib import Path; from data.store.store import open_store\n"
        "from faithfulness.model.errors import StoreUnavailable\n"
        "try: open_store(Path(sys.argv[1]), read_only=sys.argv[2] == 'read')\n"
        "except StoreUnavailable as error: print(error)"
    )
    for mode in ("write", "read"):
        ended = run_child(code, str(store.path), mode)
        assert ended.stderr == ""
        assert f"open in process {os.getpid()}" in ended.stdout


def test_removed_file_is_noticed_before_saying_saved(store):
    store.path.rename(store.path.with_name("elsewhere.duckdb"))
    with pytest.raises(NotSaved, match="removed or replaced"):
        store.write("one", "author", add(1))


def test_read_only_folder_opens_for_reading(store):
    store.write("one", "author", add(1))
    store.close()
    code = (
        "import decimal, os, sys, uuid; from pathlib import Path\n"
        "import data.store.store as s; from faithfulness.model.errors import NotSaved\n"
        "folder = Path(sys.argv[1])\n"
        "if os.getuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "store = s.open_store(folder / 's.duckdb')\n"
        "with store.read() as c: print(store.read_only, c.execute('from authors').fetchall())\n"
        "try: store.write('x', 'y', lambda c: None)\n"
        "except NotSaved as error: print(error)\n"
        "store.close()"
    )
    folder = store.path.parent
    # Root becomes nobody in the child and needs a way in; other users already have one.
    ours = [each for each in folder.parents if each.name.startswith(("pytest-", "popen-"))]
    above = ours if os.getuid() == 0 else []
    paths = [folder, *above, *folder.rglob("*")]
    modes = {path: path.stat().st_mode for path in paths}
    try:
        for path in paths:
            path.chmod(0o555 if path.is_dir() else 0o444)
        ended = run_child(code, str(folder))
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("True [(1, 'rater', 'ada')]")
    assert "can only be read here" in ended.stdout


def test_store_made_by_either_engine_opens_in_the_pinned_one(store):
    with store.read() as cursor:
        tags = cursor.execute(
            "select tags from duckdb_databases() where database_name = current_database()"
        ).fetchall()[0][0]
    assert tags["storage_version"].startswith("v1.4")


def test_full_disk_says_so_and_works_again(tmp_path):
    """A file size limit stands for the full disk; once lifted, the same store goes on."""
    store = open_store(tmp_path / "s.duckdb", create=True)
    store.write("one", "author", add(1))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (store.path.stat().st_size + 4096, hard))
    try:
        with pytest.raises(NotSaved, match="disk is full"):
            store.write(
                "two",
                "bulk",
                lambda cursor: (
                    cursor.execute(
                        "insert into authors select range, 'rater', repeat(md5(range::varchar), 40)"
                        " from range(50000)"
                    )
                    and None
                ),
            )
        assert names(store) == ["ada"]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    store.write("three", "author", add(3, "cy"))
    assert names(store) == ["ada", "cy"]
    store.close()
    again = open_store(store.path)
    assert names(again) == ["ada", "cy"]
    again.close()


def test_damaged_block_is_told_and_marked_for_the_next_start(store):
    with pytest.raises(StoreUnavailable, match="Restart Plumbline"), store.read():
        raise duckdb.IOException("IO Error: Corrupt database file: computed checksum 1")
    assert get_sidecar_path(store.path, "suspect").exists()
