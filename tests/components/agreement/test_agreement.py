"""The agreement page shows what the statistics say, on the sample and where there is little."""

import csv
import html
import io
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.agreement.labels import GROUPS
from components.charts.dots import format_estimate
from components.ui.number_meanings import MEANINGS
from data.agreement import pairs as questions
from data.agreement.question import AgreementQuestion
from data.agreement.report import build_report, find_overall_row
from data.api.commands_agree import format_comparison
from data.exporting import render_agreement
from data.meetings.adjudicate import adjudicate
from data.runs import queries
from data.samples.first_start import fill
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE, MAJORITY, VERDICT, Side, describe_ties
from faithfulness.model.vocabulary import Answer, Author, AuthorKind
from faithfulness.protocols import PROTOCOLS
from faithfulness.statistics.agreement import count_differences, pair_estimates
from faithfulness.statistics.alt_test import EPSILON, alt_test
from faithfulness.statistics.claims import claim_f1
from faithfulness.statistics.judge_verdict import compute_judge_verdict
from faithfulness.statistics.raters.dawid_skene import compute_rater_beliefs
from faithfulness.statistics.raters.several_raters import build_pair_tables, estimate_coefficients
from faithfulness.statistics.sentence import format_share
from faithfulness.statistics.slices import slices
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.opened_pages import opened_page, store_of_pages

PAGE = Path(__file__).resolve().parents[3] / "pages" / "agreement.py"
HARBOR = Side.of(Author(kind=AuthorKind.JUDGE, name="judge-harbor-mini"))
VIEWS = ("overview", "table", "slices", "raters", "stand_in", "rate", "policies")
GROUNDING = Selection(protocol="sentence_grounding")
CLAIMS = Selection(protocol="claim_overlap")


def opened(**address: str | list[str]) -> AppTest:
    test = opened_page("agreement", address)
    assert not test.exception
    assert not test.error
    return test


def drawn(test: AppTest) -> list[dict[str, Any]]:
    return [json.loads(each.proto.json) for each in test.get("bidi_component")]


def of_kind(test: AppTest, kind: str) -> dict[str, Any]:
    return next(each for each in drawn(test) if each.get("kind") == kind)


def table_called(test: AppTest, label: str) -> list[list[str]]:
    found = next(each for each in drawn(test) if each.get("label") == label)
    return [[cell["text"] for cell in row["cells"]] for row in found["groups"][0]["rows"]]


def said(test: AppTest) -> str:
    parts = [
        each.value for kind in ("markdown", "caption", "info", "warning") for each in test.get(kind)
    ]
    return "\n".join([*map(str, parts), *(each.proto.json for each in test.get("bidi_component"))])


@pytest.fixture(scope="module")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "plumbline.duckdb"
    store = new_store(path, fill)
    store.close()
    return path


@pytest.fixture
def sample(sample_file: Path) -> Iterator[Store]:
    with store_of_pages(sample_file) as opened_store:
        yield opened_store


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "plumbline.duckdb"
    store = new_store(path)
    store.write("used", "test", lambda cursor: None)
    store.close()
    with store_of_pages(path) as opened_store:
        yield opened_store


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_view_opens_under_every_protocol(sample, protocol, view):
    assert len(said(opened(protocol=protocol, view=view))) > 200


def test_the_numbers_are_those_of_the_statistics(sample):
    found = questions.compare_sides(sample, GROUNDING, "label", MAJORITY, HARBOR)
    numbers = pair_estimates(found.tables)
    rows = {row["title"]: row for row in of_kind(opened(), "dots")["rows"]}
    for name in ("percent", "baseline", "kappa", "ac1", "alpha", "mcc"):
        row = rows[MEANINGS[name].title]
        assert (row["value"], row["low"], row["high"]) == pytest.approx(
            (numbers[name].value, numbers[name].low, numbers[name].high)
        )
    assert rows["Cohen's kappa"]["text"] == format_estimate(numbers["kappa"])
    assert "F1, Contradictory" in rows
    assert rows["F1, Contradictory"]["value"] == pytest.approx(numbers["f1:contradictory"].value)


def words(test: AppTest) -> list[str]:
    """What headings and captions read, without the marks that keep Markdown from reading it."""
    return [
        html.unescape(each.value) for kind in ("markdown", "caption") for each in test.get(kind)
    ]


@pytest.mark.parametrize("raters_are", ["skilled", "crowd"])
def test_overview_stand_in_and_command_give_one_verdict_with_both_tests(sample, raters_are):
    people = questions.load_ratings(sample, GROUNDING, "label").authors
    both = questions.load_ratings(sample, GROUNDING, "label", (*people, HARBOR.author))
    verdict = compute_judge_verdict(both, HARBOR.author, raters_are=raters_are, unit="sentence")
    assert len(verdict.in_words) == (4 if raters_are == "skilled" else 3)
    for view in ("overview", "stand_in"):
        shown = words(opened(view=view, raters_are=raters_are))
        assert f"##### {verdict.summary}" in shown
        for each in verdict.in_words[1:]:
            assert each in shown
        headings = [each for each in shown if each.startswith("#####")]
        assert len(headings) == 1
    asked = AgreementQuestion(
        selection=GROUNDING, reference=MAJORITY, judge=HARBOR, raters_are=raters_are
    )
    told = build_report(sample, asked)
    assert told["verdict"] == [*verdict.in_words]
    assert format_comparison(told, [], {})[: len(verdict.in_words)] == [*verdict.in_words]
    epsilon = find_overall_row(told, "alt_test_winning_rate")["reason"]
    assert epsilon.startswith(f"epsilon {EPSILON[raters_are]:g}")


def test_the_verdict_and_the_numbers_come_from_the_same_pairs(sample):
    people = questions.load_ratings(sample, GROUNDING, "label")
    everybody = (*people.authors, HARBOR.author)
    both = questions.load_ratings(sample, GROUNDING, "label", everybody)
    top = compute_judge_verdict(
        both, HARBOR.author, raters_are="skilled", unit="sentence"
    ).agreement
    test = opened()
    rows = {row["title"]: row for row in of_kind(test, "dots")["rows"]}
    assert rows["Rater with a rater"]["value"] == pytest.approx(top.raters.value)


def test_coverage_counts_every_unit_once(sample):
    found = questions.compare_sides(sample, GROUNDING, "label", MAJORITY, HARBOR)
    parts = {each["title"]: each["count"] for each in of_kind(opened(), "parts")["parts"]}
    assert parts["with both"] == found.both
    assert parts["only Majority of raters"] == found.reference_only
    assert parts["without a majority"] == found.ties
    listed = table_called(opened(apart="ties"), "Raters come to no majority")
    assert len(listed) == found.ties
    assert describe_ties(VERDICT, HARBOR) == "without a verdict"  # offered after a decision only


def test_the_n_of_a_majority_is_said_to_be_what_was_rated(sample):
    offered = next(each for each in opened().selectbox if each.label == "Reference").options
    rated = questions.load_sides(sample, GROUNDING).set_index("side_text")["units"]
    assert offered[0] == f"Majority of raters · {rated['raters']:,} sentences rated"
    assert all(each.endswith(" sentences") for each in offered[1:])
    voted = questions.compare_sides(sample, GROUNDING, "label", MAJORITY, HARBOR)
    assert voted.both + voted.reference_only < rated["raters"]


def test_the_table_has_the_counts_and_shares_of_rows(sample):
    total = questions.compare_sides(sample, GROUNDING, "label", MAJORITY, HARBOR).tables.total
    shown = of_kind(opened(view="table"), "matrix")
    counts = [[int(cell["text"]) for cell in row["cells"]] for row in shown["rows"]]
    assert counts == total.astype(int).tolist()
    assert shown["rows"][0]["cells"][0]["share"] == pytest.approx(total[0, 0] / total[0].sum())


def test_a_cell_in_the_address_lists_its_units_and_is_marked(sample):
    test = opened(view="table", cell="contradictory:supported")
    cell = of_kind(test, "matrix")["rows"][2]["cells"][0]
    assert cell["on"]
    label = "Majority of raters: Contradictory. judge-harbor-mini: Supported"
    rows = table_called(test, label)
    assert {(row[1], row[2]) for row in rows} == {("Contradictory", "Supported")}
    found = next(each for each in drawn(test) if each.get("label") == label)
    more = int(cell["text"]) > len(rows)
    assert len(rows) == (20 if more else int(cell["text"]))
    href = found["groups"][0]["rows"][0]["cells"][0]["href"]
    assert "unit=" in href
    assert href.endswith("shown=judge%3Ajudge-harbor-mini")
    second = opened(view="table", cell="contradictory:supported", page="2")
    assert len(table_called(second, label)) == int(cell["text"]) - 20
    beyond = opened(view="table", cell="contradictory:supported", page="99")
    assert table_called(beyond, label) == table_called(second, label)


@pytest.mark.parametrize("cell", ["nonsense", "supported", "a:b", "supported:b"])
def test_a_cell_that_is_not_on_the_scale_narrows_nothing(sample, cell):
    test = opened(view="table", cell=cell)
    assert "Label by label" in [each.value for each in test.subheader]


def test_six_answers_are_joined_to_three_and_a_joined_cell_lists_all_its_units(sample):
    address = {"protocol": "response_consistency", "view": "table", "groups": "true"}
    shown = of_kind(opened(**address), "matrix")
    assert [each["title"] for each in shown["columns"]] == ["Yes", "No", "Other"]
    tables = questions.compare_sides(
        sample, Selection(protocol="response_consistency"), "consistency", MAJORITY, HARBOR
    ).tables.collapsed(GROUPS)
    counts = [[int(cell["text"]) for cell in row["cells"]] for row in shown["rows"]]
    assert counts == tables.total.astype(int).tolist()
    rows = table_called(
        opened(**address, cell="no:yes"), "Majority of raters: No. judge-harbor-mini: Yes"
    )
    assert len(rows) == counts[1][0] > 0


def test_difference_bars_are_the_differences_and_a_bar_lists_its_units(sample):
    selection = Selection(protocol="comparative_summary")
    tables = questions.compare_sides(sample, selection, "faithfulness", MAJORITY, HARBOR).tables
    address = {"protocol": "comparative_summary", "view": "table"}
    bars = of_kind(opened(**address), "bars")["bars"]
    assert [int(each["text"]) for each in bars] == list(count_differences(tables).values())
    higher = count_differences(tables)[1]
    assert higher > 0
    rows = table_called(opened(**address, steps="1"), "judge-harbor-mini scores 1 step higher")
    assert len(rows) == higher


def test_slices_are_those_of_the_statistics_and_a_slice_lists_what_differs(sample):
    tables = questions.compare_sides(sample, GROUNDING, "label", MAJORITY, HARBOR).tables
    by = questions.load_item_slices(sample, GROUNDING, "system", tables.items)
    wanted = slices(tables, by, ("kappa",))
    test = opened(view="slices", split="system", number="kappa")
    rows = of_kind(test, "dots")["rows"]
    assert [row["title"] for row in rows] == [each.value for each in wanted]
    assert [row["value"] for row in rows] == pytest.approx([e.estimate.value for e in wanted])
    part = tables.only(by == "shop-assistant-a")
    apart = part.units_n - int(part.total.trace())
    listed = table_called(
        opened(view="slices", split="system", part="shop-assistant-a"),
        "Units with different labels where system is shop-assistant-a",
    )
    assert len(listed) == min(apart, 20)
    assert all(row[1] != row[2] for row in listed)


def test_raters_are_compared_two_by_two_as_the_statistics_say(sample):
    people = questions.load_ratings(sample, GROUNDING, "label")
    test = opened(view="raters")
    alpha = next(row for row in of_kind(test, "dots")["rows"] if "alpha" in row["title"])
    assert alpha["value"] == pytest.approx(estimate_coefficients(people)["alpha"].value)
    first, second, tables = build_pair_tables(people)[0]
    row = table_called(test, "Raters two by two")[0]
    assert row[0] == f"{first.name} and {second.name}"
    assert row[3] == format_estimate(pair_estimates(tables, ("kappa",))["kappa"])


def test_raters_by_the_model_are_those_of_the_statistics_and_of_the_file(sample):
    people = questions.load_ratings(sample, GROUNDING, "label")
    rows = table_called(opened(view="raters"), "Each rater by the model")
    asked = AgreementQuestion(selection=GROUNDING, reference=MAJORITY, judge=HARBOR)
    told = [
        row for row in build_report(sample, asked)["numbers"] if row["statistic"] == "dawid_skene"
    ]
    for row, each, filed in zip(rows, compute_rater_beliefs(people).raters, told, strict=True):
        assert row[:3] == [each.author.name, str(each.right.units), format_share(each.right)]
        assert (filed["judge"], filed["reference"]) == (f"rater:{each.author.name}", "")
        assert (filed["value"], filed["units"]) == (each.right.value, each.right.units)
        assert filed["low"] is None
        assert filed["reason"].startswith("no interval")


def test_the_model_is_silent_below_its_minimum(sample):
    # Twelve items of three raters.
    test = opened(view="raters", protocol="comparative_summary")
    assert "no rater shares 20 items with another rater" in said(test)
    asked = AgreementQuestion(
        selection=Selection(protocol="comparative_summary"), reference=MAJORITY, judge=HARBOR
    )
    names = {row["statistic"] for row in build_report(sample, asked)["numbers"]}
    assert not any(name.startswith("dawid_skene") for name in names)


def test_the_stand_in_test_shows_its_margin_and_its_result(sample):
    people = questions.load_ratings(sample, GROUNDING, "label").authors
    ratings = questions.load_ratings(sample, GROUNDING, "label", (*people, HARBOR.author))
    found = alt_test(ratings, HARBOR.author, epsilon=0.2)
    test = opened(view="stand_in", raters_are="expert")
    wins = [row[-1] for row in table_called(test, "The judge by rater")]
    assert wins == ["yes" if row.wins else "no" for row in found.rows]
    assert "0.20 for experts" in said(test)


def test_a_second_judge_is_offered_beside_the_first(sample):
    rows = table_called(opened(), "Judges against the same reference")
    assert [row[0] for row in rows] == ["judge-harbor-mini", "judge-north-2"]
    shown = opened(judge="judge:judge-north-2")
    assert shown.selectbox(key="judge:1").value == "judge:judge-north-2"


def test_a_side_that_has_no_label_is_told_and_gives_way(sample):
    test = opened(judge="judge:nobody")
    assert test.selectbox(key="judge:1").value == "judge:judge-harbor-mini"
    assert any("who has no label here" in each.value for each in test.caption)


def test_claims_are_compared_each_way(sample):
    address = {"protocol": "claim_overlap", "view": "table"}
    totals = [
        int(of_kind(opened(**address, direction=each), "matrix")["total"])
        for each in ("", "response", "reference")
    ]
    assert totals[0] == totals[1] + totals[2]
    assert min(totals) > 0
    assert table_called(
        opened(protocol="claim_overlap"), "Precision, recall and F1 of claims by each side"
    )


def test_f1_of_raters_is_the_same_on_runs_on_agreement_and_in_the_command(sample):
    runs = queries.runs(sample)
    (run,) = runs[runs["protocol"] == "claim_overlap"]["run_id"]
    headlines = queries.load_headlines(sample, run)
    raters = headlines[headlines["author_kind"] == AuthorKind.RATER].iloc[0]
    table = table_called(
        opened(protocol="claim_overlap"), "Precision, recall and F1 of claims by each side"
    )
    assert table[0][:2] == ["Raters, mean", f"{raters['value']:.2f}"]
    asked = AgreementQuestion(selection=CLAIMS, reference=MAJORITY, judge=HARBOR)
    (row,) = [
        each
        for each in build_report(sample, asked)["numbers"]
        if (each["statistic"], each["judge"]) == ("claim_f1_macro", "raters")
    ]
    assert row["value"] == pytest.approx(raters["value"])
    assert row["items"] == raters["counted"]
    # Not the F1 of their majority, which goes by another name wherever it is shown.
    counts = questions.count_claims(sample, asked.selection, MAJORITY)
    of_majority = claim_f1(counts.pred_true, counts.pred_n, counts.ref_true, counts.ref_n)
    assert of_majority["f1_macro"].value != pytest.approx(raters["value"])


def test_a_rater_who_is_compared_is_not_among_the_raters_of_the_other_side(sample):
    judge = f"rater:{questions.load_ratings(sample, CLAIMS, 'supported').authors[0].name}"
    rows = table_called(
        opened(protocol="claim_overlap", judge=judge),
        "Precision, recall and F1 of claims by each side",
    )
    assert [row[0] for row in rows] == ["Other raters, mean", judge.removeprefix("rater:")]
    asked = AgreementQuestion(selection=CLAIMS, reference=MAJORITY, judge=Side.from_text(judge))
    others = questions.estimate_claim_scores(sample, CLAIMS, MAJORITY, asked.judge)["f1_macro"]
    everybody = questions.estimate_claim_scores(sample, CLAIMS, MAJORITY)["f1_macro"]
    assert others.value != everybody.value
    assert rows[0][1] == format_estimate(others)


def test_one_author_alone_is_told_what_is_missing(empty):
    save_drafts(empty, [sentence_draft(1, {ADA: ("supported", "supported", "no_rad")})])
    assert "nothing to compare with" in said(opened())


def test_judges_alone_are_compared_with_each_other(empty):
    south = Author(kind=AuthorKind.JUDGE, name="south")
    values = {NORTH: ("supported", "supported", "no_rad"), south: ("supported",) * 3}
    save_drafts(empty, [sentence_draft(1, values)])
    for view in VIEWS:
        opened(view=view)
    assert "judge north" in said(opened())
    assert "it takes at least 2 raters" in said(opened())


def test_the_judge_with_most_units_is_the_first_choice_and_the_baseline_the_last(empty):
    south = Author(kind=AuthorKind.JUDGE, name="south")
    partly = {ADA: ("supported",) * 3, NORTH: ("supported", None, None), south: ("no_rad",) * 3}
    whole = {ADA: ("supported",) * 3, BASELINE: ("supported",) * 3}
    save_drafts(empty, [sentence_draft(1, partly | whole), sentence_draft(2, whole)])
    offered = opened(baseline="true").selectbox(key="judge:1")
    assert offered.value == "judge:south"
    names = [each.partition(" · ")[0] for each in offered.options]
    assert names[:3] == ["south", "north", BASELINE.name]


def test_the_sample_that_is_left_out_is_told_until_it_is_chosen(sample_file, tmp_path):
    shutil.copy(sample_file, tmp_path / "own.duckdb")
    told = "The sample is left out (4 runs) because other runs are stored."
    with store_of_pages(tmp_path / "own.duckdb") as store:
        assert told not in said(opened())
        values = dict.fromkeys((ADA, BEN, NORTH), ("supported",) * 3)
        save_drafts(store, [sentence_draft(1, values)])
        assert told in said(opened())
        runs = queries.runs(store)
        is_meant = runs["is_sample"] & (runs["protocol"] == "sentence_grounding")
        assert told not in said(opened(run=str(runs.loc[is_meant, "run_id"].iloc[0])))


@pytest.mark.parametrize("view", VIEWS)
def test_one_item_and_a_constant_rater_show_dashes_with_reasons(empty, view):
    values = dict.fromkeys((ADA, BEN, NORTH), ("supported",) * 3)
    save_drafts(empty, [sentence_draft(1, values)])
    test = opened(view=view)
    if view == "overview":
        kappa = next(r for r in of_kind(test, "dots")["rows"] if r["title"] == "Cohen's kappa")
        assert kappa["text"] == "—"
        assert kappa["reason"] == "both use one label only"
    if view == "table":
        assert "judge never says Contradictory" in said(test)


def test_the_last_number_is_of_the_label_that_claims_a_contradiction(empty):
    labels = [("contradictory", "supported", "supported"), ("contradictory", "no_rad", "supported")]
    save_drafts(
        empty, [sentence_draft(at, {ADA: each, NORTH: each}) for at, each in enumerate(labels)]
    )
    test = opened()
    assert "Contradictory" in test.metric[-1].label
    why = next(each.value for each in test.caption if each.value.startswith("F1 of"))
    assert "it claims a contradiction" in why
    assert "2 of 6 sentences" in why


@pytest.mark.parametrize("cases", [9, 10])
def test_an_f1_of_fewer_than_ten_reference_cases_gives_way_to_its_counts(empty, cases):
    said_by = {ADA: ("contradictory", "no_rad", "supported"), NORTH: ("supported",) * 3}
    drafts = [sentence_draft(at, said_by) for at in range(cases)]
    once = {ADA: ("supported",) * 3, NORTH: ("contradictory", "supported", "supported")}
    save_drafts(empty, [*drafts, sentence_draft(cases, once)])
    test = opened()
    tile = test.metric[-1]
    reference = Side.of(ADA)
    asked = AgreementQuestion(selection=GROUNDING, reference=reference, judge=Side.of(NORTH))
    row = find_overall_row(build_report(empty, asked), "f1:contradictory")
    dot = next(row for row in of_kind(test, "dots")["rows"] if "F1" in row["title"])
    in_labels = table_called(opened(view="table"), "Numbers of each label")[2][5]
    if cases < 10:
        assert (tile.value, tile.delta) == ("0 of 9", "found, 1 given")
        assert (dot["value"], dot["text"]) == (None, "0 of 9 found, 1 given")
        assert dot["reason"] == "fewer than 10 reference cases, so counts are shown"
        assert row["value"] is None
        assert row["reason"].endswith("0 of 9 found, 1 given")
        assert in_labels == "0 of 9 found, 1 given"
        assert "too few for an F1" in said(test)
    else:
        assert tile.value == dot["text"] == in_labels == "0.00"
        assert row["value"] == 0


def test_a_number_shown_as_counts_leaves_the_common_reason_said_once(sample):
    shown = of_kind(opened(protocol="comparative_summary"), "dots")
    assert shown["foot"] == "No interval from fewer than 20 items."
    reasons = {row["title"]: row["reason"] for row in shown["rows"] if row["reason"]}
    assert reasons == {"F1, Poor": "fewer than 10 reference cases, so counts are shown"}


def test_each_number_shows_the_items_it_rests_on(empty):
    alike = {ADA: ("contradictory", "supported", "supported"), NORTH: ("supported",) * 3}
    rest = dict.fromkeys((ADA, NORTH), ("supported", "no_rad", "supported"))
    save_drafts(empty, [sentence_draft(at, alike if at < 12 else rest) for at in range(30)])
    test = opened()
    assert test.metric[-1].delta.endswith("12 items")
    assert not test.metric[0].delta.endswith("items")
    rows = {row["title"]: row["note"] for row in of_kind(test, "dots")["rows"]}
    assert rows == dict.fromkeys(rows, "") | {"F1, Contradictory": "12 items"}
    assert "F1 rests on the 12 sentences of 12 items" in said(test)


def test_a_number_on_as_many_items_and_other_units_shows_the_units(empty):
    said_by = {ADA: ("contradictory", "supported", "supported"), NORTH: ("supported",) * 3}
    save_drafts(empty, [sentence_draft(at, said_by) for at in range(20)])
    test = opened()
    assert test.metric[-1].delta.endswith("20 sentences")
    rows = {row["title"]: row["note"] for row in of_kind(test, "dots")["rows"]}
    assert rows == dict.fromkeys(rows, "") | {"F1, Contradictory": "20 units"}


def test_the_raters_own_agreement_shows_the_units_it_rests_on(empty):
    tied = {ADA: ("no_rad",) * 3, BEN: ("supported",) * 3, NORTH: ("supported",) * 3}
    alike = dict.fromkeys((ADA, BEN, NORTH), ("contradictory", "supported", "supported"))
    save_drafts(empty, [sentence_draft(at, tied if at < 5 else alike) for at in range(25)])
    rows = {row["title"]: row["note"] for row in of_kind(opened(), "dots")["rows"]}
    assert rows["Judge with a rater"] == rows["Rater with a rater"] == "25 items"
    assert rows["Same label"] == rows["Cohen's kappa"] == ""


def test_two_who_never_meet_are_said_to_have_nothing_in_common(empty):
    drafts = [
        sentence_draft(1, {ADA: ("supported", "supported", "no_rad")}),
        sentence_draft(2, {NORTH: ("supported", "supported", "no_rad")}),
    ]
    save_drafts(empty, drafts)
    assert "have no label on the same sentence" in said(opened())
    for view in VIEWS:
        opened(view=view)


def test_copied_raters_are_asked_about(empty):
    labels = (("supported", "unsupported", "no_rad"), ("contradictory", "supported", "no_rad"))
    drafts = [sentence_draft(at, {ADA: labels[at % 2], BEN: labels[at % 2]}) for at in range(10)]
    save_drafts(empty, drafts)
    assert any("may be a copy" in each.value for each in opened(view="raters").warning)


def test_hostile_names_reach_the_page_as_text_only(empty):
    evil = '<a href="javascript:alert(1)">x</a> ![i](http://evil.example/i.png) **b**'
    judge = Author(kind=AuthorKind.JUDGE, name=evil)
    drafts = [
        sentence_draft(
            at,
            {ADA: ("supported",) * 3, BEN: ("no_rad",) * 3, judge: ("supported",) * 3},
            system=evil,
        )
        for at in range(3)
    ]
    save_drafts(empty, drafts)
    for view in VIEWS:
        test = opened(view=view, split="response length")
        kinds = ("markdown", "caption", "warning", "info", "subheader")
        shown = [str(each.value) for kind in kinds for each in test.get(kind)]
        assert not [text for text in shown if "<a " in text or "![" in text or "**b" in text]
    listed = opened(view="table", cell="supported:supported")
    assert any(evil in each.get("label", "") for each in drawn(listed))


def test_page_command_and_file_tell_the_same_number(sample: Store) -> None:
    """The page's dot, the file behind its button and `agree --json` all come from one store."""
    test = opened()
    asked = AgreementQuestion(
        selection=GROUNDING, criterion="label", reference=MAJORITY, judge=HARBOR
    )
    told = json.loads(json.dumps(build_report(sample, asked)))  # what the command prints
    printed = find_overall_row(told, "kappa")
    assert printed
    raw = render_agreement(sample, asked, "csv").decode("utf-8-sig")
    row = next(each for each in csv.DictReader(io.StringIO(raw)) if each["statistic"] == "kappa")
    assert float(row["value"]) == pytest.approx(printed["value"], abs=1e-12)
    assert int(row["units"]) == printed["units"]
    shown = f"{printed['value']:.2f} [{printed['low']:.2f}, {printed['high']:.2f}]"
    assert re.sub(r"\W+", " ", shown) in re.sub(r"\W+", " ", said(test))
    assert [each.proto.label for each in test.get("download_button")] == [
        "Numbers, CSV",
        "Numbers, Excel",
        "Pairs, CSV",
        "Pairs, Excel",
    ]


def test_a_slice_that_surely_differs_has_a_colour_and_the_others_have_none(empty: Store) -> None:
    """In one system of four the judge is mostly wrong; 40 items each."""
    good, bad = ("supported", "unsupported", "no_rad"), ("unsupported", "no_rad", "supported")
    other = ("supported", "unsupported", "supported")  # one slip, now and then everywhere
    drafts = []
    for number in range(160):
        system = ("alpha", "beta", "gamma", "delta")[number % 4]
        judge = other if number % 7 == 0 else (bad if system == "delta" else good)
        drafts.append(sentence_draft(number, {ADA: good, NORTH: judge}, system=system))
    save_drafts(empty, drafts)
    test = opened(view="slices", split="system")
    rows = of_kind(test, "dots")["rows"]
    assert rows[0]["title"] == "delta"
    assert rows[0]["color"] == "red"
    assert "lower than all" in json.dumps(rows[0])
    asked = (GROUNDING, "label", MAJORITY, Side.of(NORTH))
    tables = questions.compare_sides(empty, *asked).tables
    by = questions.load_item_slices(empty, GROUNDING, "system", tables.items)
    differing = {each.value for each in slices(tables, by, ("percent",)) if each.differs}
    assert {row["title"] for row in rows if row["color"]} == differing
    assert "delta" in differing


def test_a_corrected_rate_shows_three_dots_with_their_items(empty: Store) -> None:
    """300 judged items, 60 of them rated; the judge misses every third contradiction."""
    drafts = []
    for number in range(300):
        truth = "contradictory" if number % 4 == 0 else "supported"
        missed = number % 12 == 0
        judge = "supported" if missed else truth
        values = {NORTH: (judge, "supported", "supported")}
        if number % 5 == 0:
            values[ADA] = (truth, "supported", "supported")
        drafts.append(sentence_draft(number, values))
    save_drafts(empty, drafts)
    rows = of_kind(opened(view="rate", of="contradictory"), "dots")["rows"]
    assert [row["title"] for row in rows] == ["Judge only", "People only", "Corrected"]
    assert [row["color"] for row in rows] == ["", "", "teal"]
    assert "300 items" in json.dumps(rows[0])
    assert "60 items" in json.dumps(rows[1])
    found = [row["value"] for row in rows]
    # 75 of 300 items have one contradictory sentence of three; the judge finds 50.
    assert found[0] == pytest.approx(50 / 900, abs=0.02)
    assert found[1] == pytest.approx(75 / 900, abs=0.02)
    assert abs(found[2] - 75 / 900) < abs(found[0] - 75 / 900)
    assert all(row["low"] < row["value"] < row["high"] for row in rows)


def test_a_rate_corrected_by_decisions_says_how_their_items_were_chosen(empty):
    values = {ADA: ("supported",) * 3, NORTH: ("contradictory",) * 3}
    (run_id,) = save_drafts(empty, [sentence_draft(number, values) for number in range(3)])
    answer = Answer(unit_id="s1", criterion="label", value="supported")
    adjudicate(
        empty, run_id=run_id, item_id=str(queries.run_items(empty, run_id, limit=1)["item_id"][0]),
        answer=answer, author=EVE, reason="the source says so", seen=10**9, operation_id="settled",
    )  # fmt: skip
    asked = {"view": "rate", "protocol": "sentence_grounding"}
    told = [each.value for each in opened(**asked, reference="verdict").warning]
    assert any("chosen by disagreement" in each for each in told)
    assert not opened(**asked, reference="rater:ada").warning
