"""One item in two runs with other raters and judges: every view agrees on who counts in which.

A rater's or judge's answer counts in the run it was given in, a decision in every run of the
protocol with the item; without a chosen run all count.
"""

import csv
import json
from collections.abc import Sequence
from html import unescape
from typing import NamedTuple

import pytest

from data.agreement.pairs import compare_sides, load_cell_units, load_ratings, load_sides
from data.contradictions.contradictions import list_case_numbers, load_contradicted_units
from data.distributions.distributions import load_counted_page, load_distribution_lines
from data.exporting import write_adjudicated
from data.items.cases import load_cases
from data.items.counted_runs import load_item_annotations
from data.meetings.adjudicate import adjudicate
from data.runs import queries
from data.runs.remove import remove_runs
from data.triage.queue import load_every_disagreement
from data.triage.triage import load_triage, load_triage_cases
from faithfulness.model.errors import ReviewError
from faithfulness.model.measure import list_measures
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import ADJUDICATED, VERDICT, Side
from faithfulness.model.vocabulary import Answer, Author, AuthorKind
from faithfulness.protocols import protocol
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.opened_pages import opened_page, store_of_pages
from tests.run_commands import run_command

S, U, C = "supported", "unsupported", "contradictory"
CHI = Author(kind=AuthorKind.RATER, name="chi")
SOUTH = Author(kind=AuthorKind.JUDGE, name="south")
RULES = protocol("sentence_grounding")
MEASURE = next(each for each in list_measures(RULES).values() if each.kind == "labels")
# Everybody differs on the first sentence, and somebody in each run calls it contradicted.
IN_ONE = {ADA: (C, S, S), BEN: (S, S, S), NORTH: (C, S, S)}
IN_TWO = {CHI: (C, S, S), SOUTH: (U, S, S)}
LATER = {ADA: (U, S, S)}  # Ada again, in the second run


class Runs(NamedTuple):
    one: str
    two: str


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "plumbline.duckdb"
    new_store(path).close()
    with store_of_pages(path) as opened:
        yield opened


@pytest.fixture
def runs(store):
    (one,) = save_drafts(store, [sentence_draft(1, IN_ONE), sentence_draft(2, IN_ONE)])
    (two,) = save_drafts(store, [sentence_draft(1, IN_TWO, system="beta")], "second")
    return Runs(one, two)


def shared_item(store):
    with store.read() as cursor:
        (row,) = cursor.execute(
            "select distinct item_id from items join run_items using (item_no)"
            " where external_id = 'q1'"
        ).fetchall()
    return row[0]


def looked_at(run_id=None, store=None):
    item = shared_item(store)
    return Selection(protocol=RULES.key, runs=(run_id,) if run_id else (), item=item)


def decided(store, run_id, value=S):
    adjudicate(
        store,
        run_id=run_id,
        item_id=shared_item(store),
        answer=Answer(unit_id="s1", criterion="label", value=value),
        author=EVE,
        reason="it stands there",
        seen=99,
        operation_id=f"settles in {run_id}",
        confirmed=True,
    )


def by_reader(store, selection):
    """Those whose answers the reader shows; without a chosen run also those it points at."""
    address = {"item": selection.item, "run": list(selection.runs)}
    test = opened_page("item", address)
    (data,) = [
        data
        for each in test.get("bidi_component")
        if "views" in (data := json.loads(each.proto.json))
    ]
    shown = {f"{each['kind']} {each['author']}" for each in data["views"]}
    if selection.runs:
        return shown
    links = [unescape(each.help) for each in test.button if str(each.key).startswith("other_run_")]
    return shown | {name for name in known_names(store) if any(name in each for each in links)}


def known_names(store):
    with store.read() as cursor:
        rows = cursor.execute("select kind, name from authors").fetchall()
    return {f"{kind} {name}" for kind, name in rows}


def by_sides(store, selection):
    found = load_sides(store, selection)
    return set(found["title"][found["kind"] != "several"])


def by_labels(store, selection):
    """Whoever has a label in `load_ratings`, with the judges that are asked for by name."""
    everybody = [ADA, BEN, CHI, NORTH, SOUTH, EVE]
    found = load_ratings(store, selection, "label", everybody)
    speaks = (found.codes >= 0).any(axis=0)
    return {
        f"{each.kind.value} {each.name}"
        for each, says in zip(found.authors, speaks, strict=True)
        if says
    }


def by_cells(store, selection):
    """Whoever has a unit in the list behind the cells of a comparison with themselves' answers."""
    named = set()
    for each in (ADA, BEN, CHI, NORTH, SOUTH, EVE):
        side = Side.of(each)
        listed = load_cell_units(store, selection, "label", side, side)
        assert listed.total == compare_sides(store, selection, "label", side, side).both
        if listed.total:
            named.add(f"{each.kind.value} {each.name}")
    return named


def by_distributions(store, selection):
    lines = load_distribution_lines(store, selection, MEASURE)
    for each in lines:
        listed = load_counted_page(store, selection, MEASURE, by_row="author", line=each.key)
        assert listed.total == each.counted
    return {f"{each.kind} {each.name}" for each in lines}


def by_contradictions(store, selection):
    found = load_contradicted_units(store, selection)
    return {
        f"{each.author.kind.value} {each.author.name}"
        for case in load_cases(store, list_case_numbers(found))
        if case.item.id == selection.item
        for each in case.annotations
    }


def by_disagreements(store, selection):
    found = load_triage(store, selection, decided="all")
    return {
        f"{each.author.kind.value} {each.author.name}"
        for card, _ in load_triage_cases(store, found).disagreements
        for each in card.said
    } | {
        f"adjudicator {card.decided.by}"
        for card, _ in load_triage_cases(store, found).disagreements
        if card.decided
    }


def by_export(store, selection, folder):
    path = folder / f"{len(list(folder.iterdir()))}.csv"
    write_adjudicated(store, selection, "csv", path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [
            each
            for each in csv.DictReader(file)
            if each["unit_id"] == "s1" and selection.item in each.values()
        ]
    found = set()
    for row in rows:
        for kind, column in (("rater", "raters_say"), ("judge", "judges_say")):
            told = row[column].strip("[]").replace('"', "").replace("'", "").replace(";", ",")
            found |= {f"{kind} {each.split(':')[0].strip()}" for each in told.split(",") if each}
        found |= {f"adjudicator {row['decided_by']}"} if row["decided_by"] else set()
    return found


def agree(path, judge, *run_ids):
    """What the command refuses to compare, with those it names instead."""
    chosen = [word for run_id in run_ids for word in ("--run", run_id)]
    asked = ("agree", "--store", path, "--protocol", RULES.key, *chosen, "--json")
    return json.loads(run_command(*asked, "--judge", judge, code=1))["error"]


def by_command(path, *run_ids):
    told = agree(path, "judge:nobody", *run_ids).partition("Those who have: ")[2]
    names = told.partition(".")[0].split(", ")
    return {each.replace(":", " ") for each in names if ":" in each}


VIEWS = {
    "reader": by_reader,
    "sides": by_sides,
    "ratings": by_labels,
    "cells": by_cells,
    "distributions": by_distributions,
    "contradictions": by_contradictions,
    "disagreements": by_disagreements,
}
ONE = {"rater ada", "rater ben", "judge north"}
TWO = {"rater chi", "judge south"}


def who(store, run_id, folder):
    selection = looked_at(run_id, store)
    found = {name: view(store, selection) for name, view in VIEWS.items()}
    found["export"] = by_export(store, selection, folder)
    return found


def differing(found: dict[str, set[str]], expected: Sequence[str]):
    return {name: each for name, each in found.items() if each != set(expected)}


def test_everybody_agrees_on_who_counts(store, runs, tmp_path):
    folder = tmp_path / "exports"
    folder.mkdir()
    assert not differing(who(store, runs.one, folder), ONE)
    assert not differing(who(store, runs.two, folder), TWO)
    assert not differing(who(store, None, folder), ONE | TWO)


@pytest.mark.parametrize("home", [0, 1])
def test_a_decision_counts_in_both_runs_wherever_it_was_made(store, runs, tmp_path, home):
    folder = tmp_path / "exports"
    folder.mkdir()
    for view in VIEWS.values():  # kept answers are mended, not made anew
        view(store, looked_at(runs.one, store))
    decided(store, runs[home])
    eve = {"adjudicator eve"}
    assert not differing(who(store, runs.one, folder), ONE | eve)
    assert not differing(who(store, runs.two, folder), TWO | eve)
    assert not differing(who(store, None, folder), ONE | TWO | eve)
    for run_id in runs:
        chosen = looked_at(run_id, store)
        (line,) = [
            each
            for each in load_distribution_lines(store, chosen, MEASURE)
            if each.kind == "adjudicator"
        ]
        assert line.counts == {S: 1}
        assert compare_sides(store, chosen, "label", ADJUDICATED, VERDICT).both == 1
        row = queries.runs(store).set_index("run_id").loc[run_id]
        assert row["decisions"] == 1
    (line,) = [
        each
        for each in load_distribution_lines(store, looked_at(store=store), MEASURE)
        if each.kind == "adjudicator"
    ]
    assert line.counts == {S: 1}  # one decision, not one for each run


def test_of_two_decisions_the_later_counts_in_both_runs(store, runs):
    decided(store, runs.one, S)
    decided(store, runs.two, C)
    for run_id in (*runs, None):
        chosen = looked_at(run_id, store)
        found = compare_sides(store, chosen, "label", ADJUDICATED, ADJUDICATED)
        assert found.tables.total.diagonal().tolist() == [0, 0, 1, 0]
        (line,) = [
            each
            for each in load_distribution_lines(store, chosen, MEASURE)
            if each.kind == "adjudicator"
        ]
        assert line.counts == {C: 1}


def test_who_answers_in_both_runs_counts_with_the_answer_of_the_chosen_one(store, runs):
    (three,) = save_drafts(store, [sentence_draft(1, LATER, system="gamma")], "third")
    expected = {(runs.one,): 2, (three,): 1, (runs.one, three): 1, (): 1}
    for chosen, label in expected.items():
        selection = Selection(protocol=RULES.key, runs=chosen, item=shared_item(store))
        found = compare_sides(store, selection, "label", Side.of(ADA), Side.of(ADA))
        assert found.tables.total.diagonal()[label] == 1, chosen
        assert found.both == 3


def test_what_differs_between_two_runs_is_no_disagreement_of_either(store):
    (one,) = save_drafts(store, [sentence_draft(1, {ADA: (S, S, S)})])
    (two,) = save_drafts(store, [sentence_draft(1, {NORTH: (C, S, S)}, system="beta")], "second")
    assert load_every_disagreement(store, Selection(runs=(one,))).empty
    assert load_every_disagreement(store, Selection(runs=(two,))).empty
    assert len(load_every_disagreement(store, Selection(runs=(one, two)))) == 1
    assert len(load_every_disagreement(store, Selection())) == 1


def test_removing_a_run_takes_its_people_away_everywhere(store, runs, tmp_path):
    folder = tmp_path / "exports"
    folder.mkdir()
    who(store, None, folder)
    decided(store, runs.two)
    item = looked_at(runs.one, store)
    remove_runs(store, run_ids=[runs.two], removed_by="eve", operation_id="gone")
    for name, view in VIEWS.items():
        assert view(store, item) == ONE, name
        if name != "reader":
            everything = Selection(protocol=RULES.key, item=item.item)
            assert view(store, everything) == ONE, name


def test_commands_count_the_same_people(store, runs, tmp_path):
    decided(store, runs.one)
    path = store.path
    store.close()
    eve = {"adjudicator eve"}
    assert by_command(path, runs.one) == ONE | eve
    assert by_command(path, runs.two) == TWO | eve
    assert by_command(path) == by_command(path, *runs) == ONE | TWO | eve
    assert "Other runs have labels by judge:south" in agree(path, "judge:south", runs.one)
    listed = json.loads(run_command("runs", "--store", path, "--json"))["runs"]
    counts = {
        each["run_id"]: (each["raters"], each["judges"], each["decisions"]) for each in listed
    }
    assert (counts[runs.one], counts[runs.two]) == ((2, 1, 1), (1, 1, 1))
    file = tmp_path / "one.csv"
    run_command("export", runs.one, "--store", path, "--to", file, "--what", "adjudicated")
    told = file.read_text(encoding="utf-8")
    assert "ada" in told
    assert "chi" not in told


def test_the_reader_names_other_runs_that_judged_the_item(store, runs):
    item = shared_item(store)
    test = opened_page("item", {"run": runs.one, "item": item})
    (link,) = [each for each in test.button if str(each.key).startswith("other_run_")]
    assert unescape(link.label) == "beta run: rater chi and judge south"
    alone = queries.run_items(store, runs.one)["item_id"].tolist()
    alone.remove(item)
    test = opened_page("item", {"run": runs.one, "item": alone[0]})
    assert not [each for each in test.button if str(each.key).startswith("other_run_")]


def test_agreement_offers_other_runs_with_the_same_items(store, runs):
    address = {"run": [runs.one], "protocol": RULES.key}
    test = opened_page("agreement", address)
    (said,) = [each.value for each in test.caption if "other run" in each.value]
    assert said.startswith("1 other run holds items of the chosen runs")
    (include,) = [each for each in test.button if each.label == "Include it"]
    include.click().run()
    assert test.query_params["run"] == [runs.one, runs.two]
    assert not [each for each in test.caption if "other run" in each.value]


def test_an_unread_decision_replaces_none_that_can_be_read(store, runs):
    item = shared_item(store)
    save_drafts(store, [sentence_draft(1, {EVE: (S, S, S)}, system="gamma")], "decided")
    save_drafts(store, [sentence_draft(1, {EVE: (None, C, S)}, system="delta")], "unread")
    said = load_item_annotations(store, item, runs.one).in_run
    decided = {each.answer.unit_id: each.answer.value for each in said if each.author == EVE}
    assert decided == {"s1": S, "s2": C, "s3": S}
    found = load_contradicted_units(store, looked_at(runs.one, store))
    first = next(
        each for each in load_cases(store, list_case_numbers(found)) if each.unit.id == "s1"
    )
    assert [each.answer.value for each in first.annotations if each.author == EVE] == [S]


def test_an_item_of_a_run_that_was_removed_is_refused_in_a_sentence(store, runs):
    item = shared_item(store)
    remove_runs(store, run_ids=[runs.two], removed_by="eve", operation_id="gone")
    with pytest.raises(ReviewError, match="The run was removed"):
        load_item_annotations(store, item, runs.two)
    assert not load_item_annotations(store, item, runs.one).elsewhere
