"""An optional answer that a rater clears after signing is gone: no label, and not unread."""

import pytest

from data.distributions.distributions import load_distribution_lines
from data.exporting import write_export
from data.importing.import_service import keep_import
from data.importing.prepare import prepare
from data.items.loading import load_annotations, load_item
from data.rating import rating_desk as desk
from data.rating import rating_queries as questions
from data.rating.drafts import DraftStep, Sheet
from data.runs import queries
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.measure import list_measures
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind
from faithfulness.protocols import protocol
from tests.data.stored import ADA, save_drafts
from tests.made_stores import new_store

SIX = protocol("response_consistency")
ZORA = Author(kind=AuthorKind.RATER, name="zora")
ANSWERED = {"response": {"consistency": {"value": "nothing_to_check"}}}
FACTOID = {"path.start": {"query_type": {"value": "factoid"}}}
CLEARED = {"path.start": {"query_type": {"value": None}}}


@pytest.fixture
def sheet(store):
    fields = (
        Field(name="query", kind="query", text="Which kettle?"),
        Field(name="response", kind="response", text="It holds 2 l."),
    )
    said = [
        DraftAnswer(author=ADA, criterion=key, value=value, unit=UnitKind.RESPONSE)
        for key, value in (("consistency", "nothing_to_check"), ("query_type", "broad"))
    ]
    draft = Draft(protocol=SIX.key, system="alpha", external_id="q1", fields=fields, said=said)
    (run_id,) = save_drafts(store, [draft])
    return Sheet(
        run_id, str(questions.load_queue(store, run_id, "zora")["item_id"].iloc[0]), "zora"
    )


def mine(store, sheet, current=True):
    found = load_annotations(store, sheet.item_id, sheet.run_id, current)
    return [each.answer for each in found if each.author == ZORA]


def signed(store, sheet, visit, states):
    """Change a sheet, sign it, and give what counts by criterion."""
    item = load_item(store, sheet.item_id)
    began = desk.read_sheet(store, sheet, SIX).last
    steps = [DraftStep(f"{visit}.{unit}", unit, "set", told) for unit, told in states.items()]
    desk.keep_steps(store, sheet, item, SIX, steps)
    assert desk.sign(store, sheet, item, SIX, seen=(began, visit), times={}) == {}
    return {each.criterion: each for each in mine(store, sheet)}


def test_what_is_cleared_and_signed_does_not_come_back(store, sheet):
    assert signed(store, sheet, "one", FACTOID | ANSWERED)["query_type"].value == "factoid"
    now = signed(store, sheet, "two", CLEARED)["query_type"]
    assert (now.value, now.problem) == (None, "")
    shown = desk.read_sheet(store, sheet, SIX).states["path.start"]["query_type"]
    assert (shown["value"], shown["skipped"]) == (None, False)
    kept = len(mine(store, sheet, current=False))
    again = {"response": {"consistency": {"value": "nothing_to_check", "comment": "small talk"}}}
    assert signed(store, sheet, "three", again)["query_type"] == now
    assert len(mine(store, sheet, current=False)) == kept + 1  # nothing to clear a second time
    assert signed(store, sheet, "four", FACTOID)["query_type"].value == "factoid"


def test_what_is_cleared_is_no_label_and_not_unread(store, sheet, tmp_path):
    signed(store, sheet, "one", FACTOID | ANSWERED)
    signed(store, sheet, "two", CLEARED)
    asked = Selection(protocol=SIX.key, authors=(ZORA,))
    (line,) = load_distribution_lines(
        store, asked, list_measures(SIX)["query_type"], by_row="author"
    )
    assert (sum(line.counts.values()), line.unread, line.not_judged) == (0, 0, 1)
    assert queries.runs(store)["unread"].tolist() == [0]
    path, prepared = tmp_path / "export.jsonl", tmp_path / "prepared"
    write_export(store, Selection(runs=(sheet.run_id,)), "jsonl", path)
    prepared.mkdir()
    prepare([("export.jsonl", path)], into=prepared)
    other = new_store(tmp_path / "other.duckdb")
    try:
        (run_id,) = keep_import(other, prepared, operation_id="again")
        assert queries.runs(other)["unread"].tolist() == [0]
        assert [each.value for each in mine(other, sheet._replace(run_id=run_id))] == [
            each.value for each in mine(store, sheet)
        ]
    finally:
        other.close()
