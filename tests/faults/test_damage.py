"""Damaged files: put aside, brought back from backup and journal, and never opened with less."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from data.samples.first_start import fill
from data.store.sidecar_files import get_log_path, get_sidecar_path
from data.store.store import open_store
from faithfulness.model.errors import StoreUnavailable
from tests.faults import writer
from tests.few import few
from tests.made_stores import new_store

ROOT = Path(__file__).resolve().parents[2]
# An import with its backup, ratings in the file, ratings in the log only, and no closing.
BUILD = """
import os, sys
from pathlib import Path
from data.store.backups import after_import
from data.store.store import open_store
from tests.faults import writer

store = open_store(Path(sys.argv[1]), create=True)
writer.ROWS["import"] = 500
writer.save(store, "import:one")
after_import(store)
for number in range(10):
    writer.save(store, f"plain:{number}")
store.checkpoint()
store.note_state()
for number in range(10, 25):
    writer.save(store, f"plain:{number}")
if len(sys.argv) > 2:
    writer.save(store, "import:without backup")
os._exit(0)
"""
SIGN = """
import os, sys
from pathlib import Path
from data.runs import queries
from data.items.sign import sign
from data.store.store import open_store
from faithfulness.model.vocabulary import Answer, Author, AuthorKind

store = open_store(Path(sys.argv[1]))
runs = queries.runs(store)
run_id = runs[runs.protocol == "sentence_grounding"].run_id.iloc[0]
item_id = queries.run_items(store, run_id).item_id.iloc[0]
answer = Answer(unit_id="s1", criterion="label", value="supported", comment="signed in the drill")
sign(
    store,
    run_id=run_id,
    item_id=item_id,
    answers=[answer],
    author=Author(kind=AuthorKind.RATER, name="drill"),
    operation_id="drill",
)
os._exit(0)
"""
ACKNOWLEDGED = {"import:one", *(f"plain:{number}" for number in range(25))}
# How often each kind of damage is tried by `make soak`; every run tries the first few.
CUTS, ZEROED, FLIPS, IN_THE_FILE = 120, 40, 80, 100
# A flipped bit, a cut file, a page of chance bytes: two of each come first.
FIRST_OF_EACH = (0, 1, 4, 5, 7, 8)


@pytest.fixture(scope="module", autouse=True)
def _small_imports():
    before = dict(writer.ROWS)
    writer.ROWS["import"] = 500
    yield
    writer.ROWS.update(before)


def build(folder: Path, *more: str) -> Path:
    path = folder / "s.duckdb"
    command = [sys.executable, "-c", BUILD, str(path), *more]
    subprocess.run(command, cwd=ROOT, check=True, timeout=120)
    assert get_log_path(path).stat().st_size > 2000
    return folder


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    return build(tmp_path_factory.mktemp("killed"))


@pytest.fixture
def path(killed, tmp_path):
    """A fresh copy of the store as the killed process left it."""
    shutil.copytree(killed, tmp_path / "copy")
    return tmp_path / "copy" / "s.duckdb"


def open_and_check(path: Path, acknowledged: set[str] = ACKNOWLEDGED) -> tuple[str, ...]:
    """Every acknowledged operation is there, whole and once, now and at the next opening."""
    store = open_store(path)
    report = store.recovery
    assert writer.complaints(store, acknowledged) == []
    writer.save(store, "plain:after")
    store.close()
    again = open_store(path)
    assert again.recovery == ()
    assert writer.complaints(again, acknowledged | {"plain:after"}) == []
    again.close()
    return report


def put_aside(path: Path) -> list[bytes]:
    return [each.read_bytes() for each in path.parent.glob(f"{path.name}.damaged-*")]


def test_store_that_was_only_killed_needs_no_repair(path):
    assert open_and_check(path) == ()


@pytest.mark.parametrize("case", few(range(CUTS), 4))
def test_cut_log_loses_nothing(path, case):
    whole = get_log_path(path).read_bytes()
    get_log_path(path).write_bytes(whole[: random.Random(case).randrange(len(whole))])
    report = open_and_check(path)
    assert report, "ratings came back from the journal without a word"


@pytest.mark.parametrize("case", few(range(ZEROED), 3))
def test_zeroed_end_of_the_log_loses_nothing(path, case):
    whole = get_log_path(path).read_bytes()
    start = random.Random(case).randrange(len(whole) - 100)
    damaged = whole[:start] + bytes(len(whole) - start)
    get_log_path(path).write_bytes(damaged)
    report = open_and_check(path)
    # Zeros that begin where an entry ended are read as the log's end: the journal then gives back
    # what was behind, and says so. All other logs are refused by the engine and put aside.
    if any("Put aside" in line for line in report):
        assert damaged in put_aside(path)
    else:
        assert any("from the journal" in line for line in report)


@pytest.mark.parametrize("case", few(range(FLIPS), 4))
def test_flipped_bit_in_the_log_loses_nothing(path, case):
    chance = random.Random(case)
    damaged = bytearray(get_log_path(path).read_bytes())
    damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    get_log_path(path).write_bytes(damaged)
    open_and_check(path)


def test_removed_log_loses_nothing_and_is_told(path):
    get_log_path(path).unlink()
    assert any("from the journal" in line for line in open_and_check(path))


@pytest.mark.parametrize(
    "case",
    few(sorted(range(IN_THE_FILE), key=lambda case: case not in FIRST_OF_EACH), len(FIRST_OF_EACH)),
)
def test_damaged_file_is_replaced_by_the_backup_and_the_journal(path, case):
    chance = random.Random(case)
    whole = path.read_bytes()
    place = chance.randrange(len(whole))
    if case % 10 < 4:
        damaged = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
    elif case % 10 < 7:
        damaged = whole[:place]
    else:
        page = place // 4096 * 4096
        damaged = whole[:page] + chance.randbytes(4096) + whole[page + 4096 :]
    path.write_bytes(damaged)
    report = open_and_check(path)
    if report:
        assert damaged in put_aside(path)
        assert any("the backup s-" in line for line in report)


@pytest.mark.parametrize("place", [0, 8, 12, 14, 4096, 8192])
def test_damaged_header_is_damage_and_not_a_foreign_file(path, place):
    damaged = bytearray(path.read_bytes())
    damaged[place] ^= 255
    path.write_bytes(damaged)
    open_and_check(path)


def test_removed_file_comes_back(path):
    path.unlink()
    assert any("missing" in line for line in open_and_check(path))


def test_file_and_log_removed_come_back(path):
    path.unlink()
    get_log_path(path).unlink()
    open_and_check(path)


def test_lost_marker_changes_nothing(path):
    get_sidecar_path(path, "marker").unlink()
    get_log_path(path).unlink()
    open_and_check(path)


def test_older_file_in_the_place_of_the_store_is_noticed(path, killed):
    (backup,) = (killed / "backups").glob("*.duckdb")
    get_log_path(path).unlink()
    shutil.copyfile(backup, path)
    assert open_and_check(path)


def test_cut_journal_and_whole_store_lose_nothing(path):
    journal = get_sidecar_path(path, "journal")
    journal.write_bytes(journal.read_bytes()[:-20])
    assert any("cut off" in line for line in open_and_check(path))


def test_removed_journal_and_whole_store_lose_nothing_and_are_told(path):
    get_sidecar_path(path, "journal").unlink()
    assert any("journal is shorter" in line for line in open_and_check(path))


def test_import_without_backup_is_named_when_it_is_lost(tmp_path):
    path = build(tmp_path, "more") / "s.duckdb"
    get_log_path(path).unlink()
    report = open_and_check(path)
    assert any("to be done again" in line and "import:without backup" in line for line in report)


def test_without_any_backup_the_store_begins_anew_and_says_so(path):
    shutil.rmtree(path.parent / "backups")
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2 : len(damaged) // 2 + 300_000] = bytes(300_000)
    path.write_bytes(damaged)
    ratings = {operation for operation in ACKNOWLEDGED if operation.startswith("plain")}
    report = open_and_check(path, ratings)
    assert any("no whole copy" in line for line in report)
    assert any("to be done again" in line and "import:one" in line for line in report)
    assert bytes(damaged) in put_aside(path)


def test_damaged_newest_backup_is_passed_over(path):
    (backup,) = (path.parent / "backups").glob("*.duckdb")
    newest = backup.with_name("s-20990101T000000000000Z.duckdb")
    newest.write_bytes(backup.read_bytes()[:20_000])
    shutil.copyfile(get_sidecar_path(backup, "json"), get_sidecar_path(newest, "json"))
    path.write_bytes(path.read_bytes()[:100_000])
    assert any(backup.name in line for line in open_and_check(path))


def test_trouble_around_the_file_never_puts_it_aside(path, monkeypatch):
    """Permissions, memory and open files are not damage; the store stays where it is."""
    if os.getuid() == 0:
        monkeypatch.setenv("PLUMBLINE_MEMORY", "1kB")
    else:
        path.chmod(0)
    with pytest.raises(StoreUnavailable):
        open_store(path)
    path.chmod(0o600)
    monkeypatch.undo()
    assert put_aside(path) == []
    assert open_and_check(path) == ()


def test_report_is_kept_beside_the_store(path):
    path.write_bytes(path.read_bytes()[:100_000])
    report = open_and_check(path)
    kept = get_sidecar_path(path, "recoveries.txt").read_text(encoding="utf-8")
    assert all(line in kept for line in report if "Applied" not in line)


def test_real_rating_comes_back_when_log_and_file_are_lost(tmp_path):
    """The product's own signing, on the sample, with the log removed and then the file damaged."""
    path = tmp_path / "s.duckdb"
    new_store(path, fill).close()
    subprocess.run([sys.executable, "-c", SIGN, str(path)], cwd=ROOT, check=True, timeout=120)
    get_log_path(path).unlink()
    store = open_store(path)
    assert ratings(store) == 1
    assert any("rating (1)" in line for line in store.recovery)
    store.close()
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2 : len(whole) // 2 + 5000] = bytes(5000)
    path.write_bytes(whole)
    store = open_store(path)
    assert ratings(store) == 1
    store.close()


def ratings(store) -> int:
    with store.read() as cursor:
        question = "select count(*) from annotations where comment = 'signed in the drill'"
        return int(cursor.execute(question).fetchall()[0][0])
