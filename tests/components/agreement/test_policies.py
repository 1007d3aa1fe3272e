"""The policy lens says which side is bridged, by what, and what could not be."""

import html
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.agreement.policy_view import PER_PAGE
from data.agreement.policies import PAGE
from data.agreement.policy_report import estimate_policy_rates
from data.agreement.rated_items import count_rated_items
from data.items.sign import sign
from data.meetings.save_meetings import begin_meeting
from data.runs import queries
from data.samples.first_start import fill
from data.store.store import Store
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.vocabulary import Answer, Author, UnitKind
from faithfulness.review.meeting import Point
from faithfulness.statistics.sentence import format_share
from tests.data.agreement.test_policies import ACROSS, HARBOR
from tests.data.stored import ADA, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.opened_pages import opened_page, store_of_pages

ROOT = Path(__file__).resolve().parents[3]
RATES = "Rates under a policy"
YES, NO = "yes_evidence", "no_contrary_evidence"
LENS = "Agreement under each policy"


def opened(script: str = "agreement", **address: str) -> AppTest:
    test = opened_page(script, address)
    assert not test.exception
    assert not test.error
    return test


def tables(test: AppTest) -> dict[str, list[list[dict[str, Any]]]]:
    drawn = [json.loads(each.proto.json) for each in test.get("bidi_component")]
    return {
        each["label"]: [row["cells"] for row in each["groups"][0]["rows"]]
        for each in drawn
        if "groups" in each
    }


def said(test: AppTest) -> str:
    kinds = ("markdown", "caption", "info", "warning")
    return html.unescape("\n".join(str(each.value) for kind in kinds for each in test.get(kind)))


@pytest.fixture
def sample(tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "p.duckdb"
    made = new_store(path, fill)
    made.close()
    with store_of_pages(path) as opened_store:
        yield opened_store


@pytest.fixture
def beside_sample(tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "p.duckdb"
    new_store(path).close()
    with store_of_pages(path) as opened_store:
        yield opened_store


def test_a_page_of_flips_is_as_long_here_as_in_the_store() -> None:
    assert PER_PAGE == PAGE


def test_both_sides_are_marked_where_both_are_bridged(sample: Store) -> None:
    test = opened(view="policies", to="comparative_summary", policy="weighed")
    assert "judge-harbor-mini (bridged) agrees with the majority of raters (bridged)" in said(test)
    assert "compared as Comparative summary, faithfulness" in said(test)
    flips = tables(test)["Items that flip between “Errors weighed” and “By query type”"]
    assert len(flips) == PER_PAGE
    for _, reference, judge, _ in flips:
        for cell in (reference, judge):
            assert [about.partition(":")[0] for _, about in cell["lines"]] == [
                "by “Errors weighed”",
                "by “By query type”",
            ]


def test_an_address_beyond_the_last_page_shows_the_last_one(sample: Store) -> None:
    test = opened(view="policies", to="comparative_summary", policy="weighed", page="99")
    flips = tables(test)["Items that flip between “Errors weighed” and “By query type”"]
    assert len(flips) == 39 - PER_PAGE


def test_what_cannot_be_bridged_is_counted_by_side_and_told_with_its_reason(sample: Store) -> None:
    test = opened(view="policies", protocol="response_consistency")
    first = tables(test)[LENS][0]
    assert first[0]["text"] == "By query type"
    assert first[1]["text"] == "19"
    assert first[-1]["lines"] == [["4", "judge-harbor-mini"]]
    assert "The query type is not known, and it decides what a gap counts as" in said(test)
    assert "14 more have only the reference's and 25 only the judge's" in said(test)


def test_nonsense_in_the_address_counts_as_nothing_said(sample: Store) -> None:
    nonsense = dict.fromkeys(
        ("policy", "second_policy", "judge_protocol", "judge_there", "to"), "x"
    )
    test = opened(view="policies", **nonsense)
    assert "Under “By query type”" in said(test)
    assert "under “All in the source”" in said(test)


def test_where_no_policy_matters_it_is_said(beside_sample: Store) -> None:
    save_drafts(beside_sample, [whole_draft(number, {ADA: YES, NORTH: YES}) for number in range(3)])
    test = opened(view="policies", protocol="response_consistency")
    assert "no policy changes anything here" in said(test)
    assert LENS not in tables(test)


def test_a_reading_under_which_nobody_meets_has_no_number(beside_sample: Store) -> None:
    labels = {ADA: ("supported", "unsupported", "no_rad"), NORTH: ("supported",) * 3}
    save_drafts(beside_sample, [sentence_draft(1, labels)])
    test = opened(view="policies")
    row = tables(test)[LENS][0]
    assert [cell["text"] for cell in row[1:3]] == ["0", "—"]
    assert (
        "Under “By query type” no item has an answer of both, under “All in the source” judge "
        "north (bridged) agrees with rater ada (bridged) on 0 % of 1 item"
    ) in said(test)


def test_a_judge_who_only_labels_sentences_meets_raters_who_only_answer_on_the_whole(
    beside_sample: Store,
) -> None:
    labels = {NORTH: ("supported", "unsupported", "no_rad")}
    save_drafts(beside_sample, [sentence_draft(number, labels) for number in range(3)])
    answers = [whole_draft(number, {ADA: NO if number else YES}) for number in range(3)]
    save_drafts(beside_sample, answers, "second")
    test = opened(protocol="response_consistency", policy="contradictions_only")
    rows = {cells[0]["text"]: cells for cells in tables(test)[LENS]}
    # One of two checkable statements is a gap: no error by one reading, a no by the other.
    assert [cell["text"] for cell in rows["Contradictions only"][1:3]] == ["3", "33 %"]
    assert [cell["text"] for cell in rows["All in the source"][1:3]] == ["3", "67 %"]
    assert "nothing to compare with" not in said(test)
    labels = [each.proto.label for each in test.get("download_button")]
    assert "Numbers, CSV" in labels


def test_corrected_rates_are_those_of_the_store_and_counted_only_when_asked_for(
    sample: Store,
) -> None:
    address = {"protocol": "response_consistency", "policy": "most_found"}
    assert RATES not in tables(opened("distributions", **address))
    test = opened("distributions", rates="true", **address)
    # Below the list of runs stand the same rates, of the protocol that is chosen there.
    below = opened("runs", rates="true", rates_of=address["protocol"], policy="most_found")
    assert tables(below)[RATES] == tables(test)[RATES]
    assert "holds only if the items people labelled are a random sample" in said(below)
    assert RATES not in tables(opened("runs"))
    found = estimate_policy_rates(sample, replace(ACROSS, policy="most_found"))
    contrary = found[NO]
    three = (contrary.judge_only, contrary.human_only, contrary.corrected)
    rows = {cells[0]["text"]: cells for cells in tables(test)[RATES]}
    shown = [cell["text"] for cell in rows["No: contrary evidence"][1:]]
    assert shown == [format_share(each) for each in three]
    assert shown[2].startswith("82 % [60, ")
    assert "holds only if the items people labelled are a random sample of all items" in said(test)
    assert "judge-harbor-mini (bridged)" in said(test)
    assert "chosen by disagreement" not in said(test)


def test_rates_below_a_narrowed_list_count_the_runs_that_it_shows(sample: Store) -> None:
    runs = queries.runs(sample).set_index(["name", "protocol"])["run_id"]
    asked = {"protocol": "response_consistency", "policy": "most_found", "rates": "true"}
    # Raters give this label in one of the two runs alone.
    narrow = opened("runs", **asked, label="no_against_common_knowledge", by="rater")
    alone = opened("distributions", **asked, run=runs["shop-assistant-b", asked["protocol"]])
    assert tables(narrow)[RATES] == tables(alone)[RATES]
    assert tables(narrow)[RATES] != tables(opened("runs", **asked))[RATES]
    assert "Over all items of 1 run in the list" in said(narrow)


def test_items_rated_after_they_stood_on_an_agenda_are_warned_of(beside_sample: Store) -> None:
    labels = {NORTH: ("supported", "unsupported", "no_rad"), HARBOR: ("supported",) * 3}
    (run_id,) = save_drafts(beside_sample, [sentence_draft(number, labels) for number in range(3)])
    items = queries.run_items(beside_sample, run_id)["item_id"]
    assert count_rated_items(beside_sample, "sentence_grounding").disputed == 0
    begin_meeting(
        beside_sample,
        host="Eve",
        present=(),
        agenda=[Point(run_id, str(items.iloc[0]), "s2", "label")],
        operation_id="begin",
    )
    for nth in (0, 1):
        answers = [
            Answer(unit_id=f"s{unit}", criterion="label", value="no_rad") for unit in (1, 2, 3)
        ]
        sign(
            beside_sample,
            run_id=run_id,
            item_id=str(items.iloc[nth]),
            answers=answers,
            author=ADA,
            operation_id=f"sign {nth}",
        )
    test = opened("distributions", rates="true", run=run_id)
    assert "1 of 2 rated items stood on a meeting's agenda before anybody rated them" in said(test)


def whole_draft(number: int, values: dict[Author, str]) -> Draft:
    """The item of `sentence_draft` with one answer about the whole response by every author."""
    found = sentence_draft(number, {})
    answers = [
        DraftAnswer(author=author, criterion="consistency", value=value, unit=UnitKind.RESPONSE)
        for author, value in values.items()
    ]
    return found._replace(protocol="response_consistency", said=answers)
