"""What checks find against a unit is stored once and counts in the order of disagreements."""

import shutil

import pyarrow as pa
import pytest

from data import exporting
from data.api.health import BAD, WARNING, examine
from data.importing import import_tables
from data.importing.save import save_import
from data.items import recheck_findings
from data.items.findings import refind
from data.items.loading import load_item
from data.meetings.agendas import agenda_from
from data.meetings.decide import decide
from data.runs import queries
from data.store.store import open_store
from data.triage.cases import load_disagreements
from data.triage.disagreements import all_disagreements
from data.triage.queue import load_queue
from faithfulness.checks.against import VERSION, collect_counterevidence
from faithfulness.intake.intake import take_in
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Field, UnitKind
from faithfulness.review.disagreement import explain_order
from tests.data.found_case import case
from tests.data.stored import ADA, BEN, EVE, prepare_drafts, save_drafts
from tests.data.triage.test_disagreements import anew, same_rows
from tests.older_stores import downgrade_store

PLAIN = "It holds enough water for four cups."
WRONG = "One customer wrote: “It boils water in about two whole minutes.”"
REVIEWS = "It boils water in about three whole minutes.\n\nA good kettle that I use every day."
REASON = "a check found: quoted review differs"
ROWS = """
select i.item_id, u.unit_id, f.check_name, f.kind, f.checks_version
from unit_findings f
join items i on i.item_no = f.item_no
join units u on u.unit_no = f.unit_no and u.item_no = f.item_no
order by all
"""
FORGET = ("delete from unit_findings", "delete from checked_items")


def draft(number=1, protocol="sentence_grounding", criterion="label", values=("supported",) * 2):
    """A sentence without and one with a misquoted review; Ada and Ben differ on what is asked."""
    texts = {
        "query": f"Question {number}: is it quick?",
        "reviews": REVIEWS,
        "response": f"{PLAIN} {WRONG}",
    }
    whole = protocol != "sentence_grounding"
    parts = [("", UnitKind.RESPONSE)] if whole else [(PLAIN, UnitKind.SENTENCE)]
    parts += [] if whole else [(WRONG, UnitKind.SENTENCE)]
    said = [
        DraftAnswer(author=author, criterion=criterion, value=value, unit=unit, text=text)
        for author, value in zip((ADA, BEN), values, strict=True)
        for text, unit in parts
    ]
    fields = tuple(Field(name=name, kind=name, text=text) for name, text in texts.items())
    return Draft(protocol, "alpha", f"q{number}", fields, said)


DIFFERING = draft(values=("supported", "contradictory"))


def rows(store, question=ROWS):
    with store.read() as cursor:
        return cursor.execute(question).fetchall()


def forget(store):
    """The store as it was before the checks were kept."""

    def work(cursor):
        for statement in FORGET:
            cursor.execute(statement)

    store.write("forget", "test", work)


def cards(store):
    return load_disagreements(store, load_queue(store, Selection()).rows)


def units(store):
    return [each.case.unit.id for each in cards(store)]


def test_an_import_keeps_what_checks_find_and_the_queue_says_so(store):
    save_drafts(store, [DIFFERING])
    item = take_in(DIFFERING).item
    assert rows(store) == [
        (item.id, unit, "quoted_review", "differs", VERSION) for unit in ("response", "s2")
    ]
    first, second = cards(store)
    assert (first.case.unit.id, second.case.unit.id) == ("s2", "s1")
    assert first.found == (("quoted_review", "differs"),)
    assert explain_order(first)[-1] == REASON
    assert not any("check" in each for each in explain_order(second))
    assert first.severity == second.severity
    assert first.weight == pytest.approx(1.4 * second.weight)


def test_a_second_thing_found_is_told_and_raises_no_further(store):
    save_drafts(store, [DIFFERING])
    before = cards(store)[0]
    more = "insert into unit_findings select item_no, unit_no, $check, $kind, $version "
    more += "from unit_findings where kind = 'differs'"
    facts = {"check": "product_figure", "kind": "price", "version": VERSION}
    store.write("more", "test", lambda cursor: cursor.execute(more, facts) and None)
    unknown = facts | {"kind": "of a later program"}
    store.write("unknown", "test", lambda cursor: cursor.execute(more, unknown) and None)
    after = cards(store)[0]
    assert explain_order(after)[-1] == f"{REASON}, price differs"
    assert after.weight == before.weight


def test_an_item_that_comes_again_is_kept_once_and_its_new_claims_too(store):
    save_drafts(store, [DIFFERING])
    item = take_in(DIFFERING).item
    said = [
        DraftAnswer(
            author, "supported", value, UnitKind.CLAIM, "It takes two minutes.", sentence=WRONG
        )
        for author, value in ((ADA, "true"), (BEN, "false"))
    ]
    claims = DIFFERING._replace(protocol="claim_overlap", said=said)
    known = {item.id: load_item(store, item.id)}
    folder = prepare_drafts(store.path.parent / "second", [claims], "second", known)
    save_import(store, folder, operation_id="second")
    kinds = ("select u.kind from unit_findings f join units u on u.unit_no = f.unit_no "
             "and u.item_no = f.item_no order by all")  # fmt: skip
    assert rows(store, kinds) == [("claim",), ("response",), ("sentence",)]
    assert rows(store, "select count(*) from checked_items") == [(1,)]
    assert {each.case.unit.kind for each in cards(store) if each.found} == {"claim", "sentence"}


def test_a_decision_finds_again_what_checks_found_on_its_item(store):
    (run_id,) = save_drafts(store, [DIFFERING, draft(2, values=("supported", "unsupported"))])
    point = next(each for each in agenda_from(store, Selection(), first=4) if each.unit_id == "s2")
    decide(
        store, **point._asdict(), value="contradictory", author=EVE, reason="as the review says",
        seen=case(store, *point[1:]).seen, operation_id="decide",
    )  # fmt: skip
    now = all_disagreements(store).to_pandas()
    assert same_rows(now, anew(store))
    assert (now["found"] > 0).sum() == 2
    assert run_id == point.run_id


def test_what_was_stored_before_is_read_once_and_then_counts(store, monkeypatch):
    monkeypatch.setattr(recheck_findings, "BLOCK", 2)
    save_drafts(store, [draft(number, values=("supported", "no_rad")) for number in range(1, 6)])
    expected = rows(store)
    forget(store)
    assert units(store)[:2] == ["s1", "s2"]
    assert recheck_findings.count_unchecked_items(store) == (5, 5)
    (told,) = [each for each in examine(store.path, store) if each.name == "checks"]
    assert (told.state, told.says) == (WARNING, "0 of 5 items looked at by this version's checks")
    assert "refind" in told.advice
    assert refind(store, operation_id="again") == 10  # each on a sentence and the whole
    assert rows(store) == expected
    assert units(store)[:5] == ["s2"] * 5
    assert recheck_findings.count_unchecked_items(store) == (0, 5)
    assert refind(store, operation_id="again") == 0  # sent twice
    assert refind(store, operation_id="once more") == 0
    assert rows(store) == expected


def test_what_earlier_checks_found_does_not_count_once_later_ones_have_read(store):
    save_drafts(store, [DIFFERING])
    early = "insert into unit_findings select item_no, unit_no, 'product_figure', 'price', $early "
    early += "from units where unit_id = 's1'"
    facts = {"early": VERSION - 1}
    store.write("early", "test", lambda cursor: cursor.execute(early, facts) and None)
    assert [bool(each.found) for each in cards(store)] == [True, False]
    store.write("unread", "test", lambda cursor: cursor.execute(FORGET[1]) and None)
    assert [bool(each.found) for each in cards(store)] == [True, True]
    assert refind(store, operation_id="again") == 0
    assert [bool(each.found) for each in cards(store)] == [True, False]


def test_an_older_store_is_read_without_and_migrated_to_with(store, tmp_path):
    save_drafts(store, [DIFFERING])
    store.close()
    path = tmp_path / "older" / "s.duckdb"
    path.parent.mkdir()
    shutil.copy(store.path, path)
    downgrade_store(path, 9)
    older = open_store(path, read_only=True)
    assert units(older) == ["s1", "s2"]
    assert recheck_findings.count_unchecked_items(older) == (1, 1)
    assert BAD not in {each.state for each in examine(path, older)}
    assert exporting.write_part(older, "disagreements", [], "csv", tmp_path / "d.csv") == 2
    older.close()
    migrated = open_store(path)
    assert units(migrated) == ["s1", "s2"]
    assert refind(migrated, operation_id="again") == 2
    assert units(migrated) == ["s2", "s1"]
    migrated.close()


def test_a_prepared_import_without_the_tables_is_stored_unread(store, tmp_path):
    folder = prepare_drafts(tmp_path / "prepared", [DIFFERING], "first")
    for name in ("unit_findings", "checked_items"):
        import_tables.build_stream_path(folder, name).unlink()
    save_import(store, folder, operation_id="first")
    assert (rows(store), recheck_findings.count_unchecked_items(store)) == ([], (1, 1))


def test_something_found_on_a_unit_that_is_not_there_undoes_the_import(store, tmp_path):
    folder = prepare_drafts(tmp_path / "prepared", [DIFFERING], "first")
    item = take_in(DIFFERING).item
    schema = import_tables.SCHEMAS["unit_findings"]
    values = (item.id, "s9", *collect_counterevidence(item)[0][1:], VERSION)
    table = pa.Table.from_pylist([dict(zip(schema.names, values, strict=True))], schema)
    import_tables.write_table(folder, "unit_findings", table)
    with pytest.raises(ReviewError):
        save_import(store, folder, operation_id="first")
    assert queries.runs(store).empty
    assert rows(store) == []
