"""A selection narrows runs and items by everything that it can name."""

from data.items.loading import load_item
from data.items.saved_views import change_view, load_saved_views
from data.items.sign import sign
from data.judging.replies import load_item_replies
from data.runs import queries
from data.runs.remove import remove_runs
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Answer
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft

ALL = ("supported", "supported", "no_rad")
BAD = ("unsupported", "unsupported", "no_rad")


def named(store, run_id, **narrow):
    return list(queries.run_items(store, run_id, Selection(**narrow))["external_id"])


def test_items_are_narrowed_by_placement_slice_system_and_who_labels(store):
    first = sentence_draft(1, {ADA: ALL, NORTH: BAD})
    second = sentence_draft(2, {ADA: BAD, NORTH: BAD})._replace(attributes={"market": "us"})
    (run,) = save_drafts(store, [first, second])
    assert named(store, run, placements=("verbatim",)) == ["q1"]
    assert named(store, run, placements=("none",)) == ["q1", "q2"]
    assert named(store, run, placements=("absent",)) == []
    assert named(store, run, slices=(("market", "us"),)) == ["q2"]
    assert named(store, run, slices=(("market", "us"), ("market", "de"))) == ["q1", "q2"]
    assert named(store, run, slices=(("market", "us"), ("season", "winter"))) == []
    assert named(store, run, labels=("unsupported",), by="rater") == ["q2"]
    assert named(store, run, labels=("supported",), by="judge") == []
    assert named(store, run, systems=("alpha",)) == ["q1", "q2"]
    assert named(store, run, systems=("beta",)) == []
    assert named(store, run, protocol="claim_overlap") == []


def test_runs_are_narrowed_by_what_one_of_their_items_has(store):
    (alpha,) = save_drafts(store, [sentence_draft(1, {ADA: ALL})])
    other = sentence_draft(2, {BEN: BAD}, system="beta")._replace(attributes={"market": "us"})
    (beta,) = save_drafts(store, [other], "second")
    both = {alpha, beta}
    assert queries.find_matching_runs(store, Selection()) == both
    assert queries.find_matching_runs(store, Selection(authors=(BEN,))) == {beta}
    assert queries.find_matching_runs(store, Selection(labels=("supported",))) == {alpha}
    assert queries.find_matching_runs(store, Selection(placements=("verbatim",))) == {alpha}
    assert queries.find_matching_runs(store, Selection(slices=(("market", "us"),))) == {beta}
    assert queries.find_matching_runs(store, Selection(systems=("beta",))) == {beta}
    # The label and the slice must meet on one item.
    mixed = Selection(labels=("supported",), slices=(("market", "us"),))
    assert queries.find_matching_runs(store, mixed) == set()
    remove_runs(store, run_ids=[beta], removed_by="ada", operation_id="gone")
    assert queries.find_matching_runs(store, Selection()) == {alpha}


def test_a_reply_counts_while_one_of_its_answers_does(store):
    reply = '[{"sentence": "It costs $49.90.", "label": "supported", "rationale": "r"}]'
    (run,) = save_drafts(store, [sentence_draft(reply=reply)])
    item = str(queries.run_items(store, run)["item_id"].iloc[0])
    (kept,) = load_item_replies(store, run, item)
    assert (kept.author, kept.text, kept.model) == ("north", reply, "north-1")
    units = load_item(store, item).units
    again = [Answer(unit_id=each.id, criterion="label", value="no_rad") for each in units]
    sign(store, run_id=run, item_id=item, answers=again, author=NORTH, operation_id="again")
    assert load_item_replies(store, run, item) == ()


def test_a_view_is_changed_by_the_word_for_it(store):
    facts = {"name": "Mine", "page": "runs", "address": "label=x"}
    change_view(store, action="save", **facts, operation_id="one")
    assert list(load_saved_views(store)["page"]) == ["runs"]
    change_view(store, action="remove", **facts, operation_id="two")
    assert load_saved_views(store).empty
