"""A removed run can be had back from a backup, for good, and nothing signed since is lost."""

import pytest

from data.meetings.agendas import agenda_from
from data.runs import queries
from data.runs.remove import remove_runs
from data.store.backups import back_up
from data.store.journal import read_journal
from data.store.sidecar_files import get_log_path, get_sidecar_path
from data.store.store import open_store
from faithfulness.model.selection import Selection
from tests.data.meetings.test_meetings import VALUES, begin, settle
from tests.data.stored import save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.run_commands import run_command


@pytest.fixture
def path(tmp_path):
    """A store with a run, a backup of it, a decision signed since, and then the run removed."""
    store = new_store(tmp_path / "s.duckdb")
    save_drafts(store, [sentence_draft(nth, VALUES) for nth in (1, 2)])
    back_up(store)
    settle(store, begin(store, first=1), agenda_from(store, Selection(), first=1)[0])
    (run_id,) = queries.runs(store)["run_id"]
    remove_runs(store, run_ids=[run_id], removed_by="ada", operation_id="gone")
    store.close()
    return store.path


def restore(path, *more):
    return run_command("restore", "--store", path, *more).splitlines()


def held(path):
    """Names of runs with their decisions, once the store is opened."""
    store = open_store(path)
    try:
        found = queries.runs(store)
        return list(zip(found["name"], found["decisions"], strict=True))
    finally:
        store.close()


def damage(path):
    """Spoil the file, so that only backups and the journal are left."""
    get_log_path(path).unlink(missing_ok=True)
    content = bytearray(path.read_bytes())
    content[4096 : len(content)] = bytes(len(content) - 4096)
    path.write_bytes(content)


def test_restore_names_the_runs_it_removes_again_and_the_way_to_have_them(path):
    told = restore(path)
    assert any("removed again: “alpha run” (" in each and "by ada on" in each for each in told)
    (backup,) = (path.parent / "backups").glob("*.duckdb")
    assert f"To have removed runs back: cli.py restore {backup} --without-removals" in told
    assert held(path) == []


def test_removed_run_is_back_for_good_with_what_was_signed_since(path):
    told = restore(path, "--without-removals")
    assert any("left out for good: “alpha run” (" in each for each in told)
    assert told[-1] == "The store holds 1 runs."
    for _ in range(2):
        assert held(path) == [("alpha run", 1)]
    assert read_journal(get_sidecar_path(path, "journal")).complaints == ()
    restore(path)  # also by way of the same backup once more
    assert held(path) == [("alpha run", 1)]


def test_run_that_is_back_stays_when_the_file_is_damaged(path):
    store = open_store(path)
    back_up(store)  # the newest, and in it the run is removed
    store.close()
    oldest = min((path.parent / "backups").glob("*.duckdb"))
    restore(path, oldest, "--without-removals")
    damage(path)
    assert held(path) == [("alpha run", 1)]
    oldest.unlink()
    damage(path)
    store = open_store(path)
    store.close()
    assert any("a restore had left out" in each for each in store.recovery)


@pytest.fixture
def copies(tmp_path):
    """A store with two imports, the first removed since, and a backup after each of these."""
    store = new_store(tmp_path / "s.duckdb")
    made = []
    for content, numbers in (("first", (1,)), ("second", (7, 8))):
        save_drafts(store, [sentence_draft(nth, VALUES) for nth in numbers], content=content)
        made.append(back_up(store))
    first = list(queries.runs(store)["run_id"])[-1]
    remove_runs(store, run_ids=[first], removed_by="ada", operation_id="gone")
    made.append(back_up(store))
    store.close()
    return store.path, made


def items_after_damage(path):
    """How many items each run has after a recovery, and what that said."""
    damage(path)
    store = open_store(path)
    try:
        return sorted(queries.runs(store)["items"]), store.recovery
    finally:
        store.close()


def test_recovery_rather_holds_a_removal_than_loses_an_import(copies):
    path, (_, second, _) = copies
    restore(path, second, "--without-removals")
    second.unlink()
    items, told = items_after_damage(path)
    assert items == [2]
    assert any("a restore had left out" in each for each in told)


def test_import_lost_after_a_restore_is_told(copies):
    path, (_, second, last) = copies
    restore(path, second, "--without-removals")
    second.unlink()
    last.unlink()
    items, told = items_after_damage(path)
    assert items == [1]
    assert len([each for each in told if each.startswith("Not in that copy")]) == 1


def test_import_that_a_restore_took_back_counts_for_no_copy(copies):
    path, (first, second, _) = copies
    restore(path, first, "--without-removals")
    second.unlink()
    items, told = items_after_damage(path)
    assert items == [1]
    assert not any(each.startswith("Not in that copy") for each in told)


def test_recovery_after_damage_applies_removals(path):
    damage(path)
    assert held(path) == []


@pytest.fixture
def two(tmp_path):
    """A store whose backup holds one of two runs that were removed together."""
    store = new_store(tmp_path / "s.duckdb")
    (kept,) = save_drafts(store, [sentence_draft(1, VALUES)])
    back_up(store)
    (later,) = save_drafts(store, [sentence_draft(2, VALUES, system="beta")], "second")
    both = [later, kept]
    remove_runs(store, run_ids=both, removed_by="ada", operation_id="gone")
    store.close()
    for each in (tmp_path / "backups").glob("*.duckdb"):
        if each != min((tmp_path / "backups").glob("*.duckdb")):
            each.unlink()
    return store.path, kept, later


def test_of_runs_removed_together_those_that_a_backup_has_are_removed_again(two):
    path, kept, later = two
    told = restore(path)
    assert any(f"removed again: “alpha run” ({kept}), removed by ada" in each for each in told)
    assert any(each.endswith(f"was applied in part: the store has no run {later}") for each in told)
    assert not any("could not be applied" in each for each in told)
    for _ in range(2):  # once and for all: the second start has nothing left to apply
        store = open_store(path)
        assert queries.runs(store).empty
        assert store.recovery == ()
        store.close()


def test_after_damage_too_and_also_without_removals_they_come_and_go_together(two):
    path, *_ = two
    damage(path)
    assert held(path) == []
    restore(path, "--without-removals")
    assert held(path) == [("alpha run", 0)]


def test_a_removal_of_which_a_backup_has_no_run_waits_as_before(two):
    path, *_ = two
    store = open_store(path)
    (third,) = save_drafts(store, [sentence_draft(3, VALUES, system="gamma")], "third")
    remove_runs(store, run_ids=[third], removed_by="ada", operation_id="gone too")
    store.close()
    told = restore(path, min((path.parent / "backups").glob("*.duckdb")))
    assert any("could not be applied" in each and third in each for each in told)


def test_run_may_be_removed_again_afterwards(path):
    restore(path, "--without-removals")
    store = open_store(path)
    (run_id,) = queries.runs(store)["run_id"]
    remove_runs(store, run_ids=[run_id], removed_by="ada", operation_id="gone again")
    store.close()
    restore(path)
    assert held(path) == []


def test_backup_made_after_the_removal_cannot_give_the_run_back_and_says_so(path):
    store = open_store(path)
    made = back_up(store)
    store.close()
    told = restore(path, made, "--without-removals")
    assert any(each.startswith("No run of that backup was removed since") for each in told)
    assert held(path) == []
