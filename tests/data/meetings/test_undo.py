"""A decision that was taken back is no answer that could not be read: no count has it."""

import pytest

from data.agreement.pairs import compare_sides
from data.distributions.distributions import load_distribution_lines
from data.exporting import write_export
from data.items.loading import load_annotations
from data.meetings.decide import decide
from data.runs import queries
from faithfulness.model.measure import list_measures
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import ADJUDICATED, Side
from faithfulness.protocols import PROTOCOLS
from tests.data.found_case import case
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store

S, C = "supported", "contradictory"
LABEL = list_measures(PROTOCOLS["sentence_grounding"])["label"]
GROUNDING = Selection(protocol="sentence_grounding")
UNREAD = Selection(unread=True)


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    # One answer that really could not be read, so that no count is 0 for want of looking.
    save_drafts(opened, [sentence_draft(1, {ADA: (C, S, S), BEN: (S, None, S), NORTH: (S, S, S)})])
    yield opened
    opened.close()


def counts(store, run_id, tmp_path):
    """Everything that counts answers, as far as it could count one that was taken back."""
    item_id = queries.run_items(store, run_id)["item_id"][0]
    settled = compare_sides(store, GROUNDING, "label", ADJUDICATED, Side.of(NORTH))
    rows = tmp_path / "rows.jsonl"
    write_export(store, Selection(runs=(run_id,)), "jsonl", rows)
    return {
        "runs": queries.runs(store).to_dict("records"),
        "authors": queries.load_authors(store, run_id).to_dict("records"),
        "labels": queries.load_label_counts(store, run_id).to_dict("records"),
        "items": queries.run_items(store, run_id).to_dict("records"),
        "by": queries.count_run_items(store, run_id, Selection(authors=(EVE,))),
        "unread": queries.count_run_items(store, run_id, UNREAD),
        "spread": {
            each.key: (each.counts, each.unread)
            for each in load_distribution_lines(store, GROUNDING, LABEL)
        },
        "agreement": (settled.both, settled.judge_only, settled.unread_reference),
        "reader": load_annotations(store, item_id, run_id),
        "export": rows.read_text(encoding="utf-8"),
    }


def test_what_was_taken_back_counts_nowhere_and_stays_on_record(store, tmp_path):
    run_id = str(queries.runs(store)["run_id"][0])
    before = counts(store, run_id, tmp_path)
    assert (before["runs"][0]["unread"], before["unread"]) == (1, 1)
    item_id = before["items"][0]["item_id"]
    unit_id = next(each.answer.unit_id for each in before["reader"] if each.answer.value == C)
    place = {"run_id": run_id, "item_id": item_id, "unit_id": unit_id, "criterion": "label"}
    facts = {"author": EVE, "reason": "as it says"}

    seen = case(store, item_id, unit_id, "label").seen
    number = decide(store, **place, **facts, value=C, seen=seen, operation_id="decide")
    decided = counts(store, run_id, tmp_path)["runs"][0]
    assert (decided["answers"], decided["decisions"]) == (8, 1)
    decide(store, **place, **facts, value="", seen=0, undoes=number, operation_id="back")
    assert counts(store, run_id, tmp_path) == before

    found = case(store, item_id, unit_id, "label")
    assert [each.value for each in found.decisions] == [C, None]
    again = decide(store, **place, **facts, value=S, seen=found.seen, operation_id="again")
    after = counts(store, run_id, tmp_path)
    assert (after["runs"][0]["decisions"], after["runs"][0]["unread"]) == (1, 1)
    # Taken back to an earlier decision, that one counts again.
    last = case(store, item_id, unit_id, "label").seen
    decide(store, **place, **facts, value=C, seen=last, operation_id="other")
    assert again == last
    number = case(store, item_id, unit_id, "label").seen
    decide(store, **place, **facts, value="", seen=0, undoes=number, operation_id="back again")
    assert counts(store, run_id, tmp_path)["agreement"] == (1, 2, 0)
