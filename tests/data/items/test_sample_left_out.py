"""The sample beside own runs: every question that spans runs answers as if it were not there."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from data import exporting
from data.agreement.answers import AgreementQueries
from data.agreement.pairs import load_sides
from data.agreement.question import AgreementQuestion
from data.agreement.rated_items import count_rated_items
from data.agreement.report import build_report
from data.contradictions.contradictions import list_case_numbers, load_contradicted_units
from data.distributions.distributions import load_distribution_lines, load_trend
from data.inconsistencies.inconsistencies import load_audits
from data.items.cases import load_cases
from data.items.loading import load_item
from data.items.sample_runs import (
    find_left_out_sample_runs,
    find_sample_items,
    in_any_run,
    load_sample_runs,
)
from data.judging.judging_queries import load_recent_items
from data.judging.prompt_queries import load_version_agreement, load_versions
from data.judging.prompt_trials import load_disputed_cases
from data.meetings.adjudicate import adjudicate
from data.meetings.agendas import agenda_from, find_unanimous_cases
from data.meetings.decisions import load_confusions
from data.rating.drafts import DraftStep, Sheet
from data.rating.rating_desk import keep_steps
from data.rating.rating_queries import find_last_run, load_rating_runs
from data.runs import queries
from data.runs.neighbors import load_neighbors
from data.runs.remove import remove_runs
from data.samples import first_start
from data.store.store import Store
from data.triage.cases import load_disagreements
from data.triage.queue import load_every_disagreement, load_queue
from data.triage.triage import load_triage
from faithfulness.model.measure import list_measures
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY
from faithfulness.model.vocabulary import Answer
from faithfulness.protocols import PROTOCOLS
from tests.data.inconsistencies.test_inconsistencies import whole_draft
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store

S, C, U = "supported", "contradictory", "unsupported"
KEY = "sentence_grounding"


def own_runs(store: Store) -> None:
    """Sentences under one protocol, a score under another; the other protocols stay without."""
    said = {ADA: (S, C, S), BEN: (S, C, U), NORTH: (C, S, S)}
    replies = {"reply": "1: contradictory. 2: supported. 3: supported."}
    drafts = [sentence_draft(number, said, **replies) for number in (1, 2, 3)]
    drafts.append(whole_draft(1, "expert_rubric", "accuracy", "5", BEN))
    save_drafts(store, drafts, "own")
    decide_the_first(store)


def only_sample(store: Store) -> None:
    first_start.fill(store)
    decide_the_first(store)


def beside_the_sample(store: Store) -> None:
    only_sample(store)
    own_runs(store)


def decide_the_first(store: Store) -> None:
    """The first disagreement of the list is settled as a rater says."""
    rows = load_queue(store, Selection(protocol=KEY), sort="stored").rows
    (found, *_) = load_disagreements(store, rows)
    adjudicate(
        store,
        run_id=found.case.run_id,
        item_id=found.case.item.id,
        answer=Answer(unit_id=found.case.unit.id, criterion="label", value=S),
        author=EVE,
        reason="the words stand there",
        seen=max(each.number for each in found.case.annotations),
        operation_id=found.case.run_id,
    )


FILLED: dict[str, Callable[[Store], None]] = {
    "own": own_runs,
    "sample": only_sample,
    "both": beside_the_sample,
}


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Store]]:
    made = {
        name: new_store(tmp_path_factory.mktemp(name) / "p.duckdb", fill)
        for name, fill in FILLED.items()
    }
    yield made
    for each in made.values():
        each.close()


def contradictions(store: Store, chosen: Selection) -> object:
    found = load_contradicted_units(store, chosen)
    return found.total, found.lists, found.counts, found.units, len(list_case_numbers(found))


def disagreements(store: Store, chosen: Selection) -> object:
    found = load_triage(store, chosen, audits=True, kinds=tuple(load_queue(store, chosen).kinds))
    return (
        found.total,
        found.kinds,
        found.states,
        found.audit_count,
        len(load_every_disagreement(store, chosen)),
    )


def inconsistencies(store: Store, chosen: Selection) -> object:
    found = load_audits(store, chosen)
    return found.total, found.counts, found.whose


def distributions(store: Store, chosen: Selection) -> object:
    return [
        (line.kind, line.name, line.part, line.counts, line.items, line.mean)
        for protocol in PROTOCOLS.values()
        for measure in list_measures(protocol).values()
        for lines in (
            load_distribution_lines(store, chosen, measure),
            load_trend(store, chosen, measure),
        )
        for line in lines
    ]


def compared_sides(store: Store, chosen: Selection) -> object:
    return [
        load_sides(store, Selection(protocol=key, runs=chosen.runs))
        .drop(columns="side")
        .values.tolist()
        for key in PROTOCOLS
    ]


def raters_among_themselves(store: Store, chosen: Selection) -> object:
    of = Selection(protocol=KEY, runs=chosen.runs)
    told = build_report(
        store,
        AgreementQuestion(selection=of, criterion="label", reference=MAJORITY, judge=MAJORITY),
    )
    return told["sentence"], told["coverage"]["both"], told["numbers"]


def rated(store: Store, chosen: Selection) -> object:
    return [count_rated_items(store, key, chosen.runs) for key in PROTOCOLS]


def partners(store: Store, chosen: Selection) -> object:
    asked = [Selection(protocol=key, runs=chosen.runs) for key in PROTOCOLS]
    return [dict(AgreementQueries(store).partners(each)) for each in asked]


def agenda(store: Store, chosen: Selection) -> object:
    found = agenda_from(store, chosen, first=200)
    return len(found), find_unanimous_cases(store, runs=chosen.runs)[0]


def decisions(store: Store, chosen: Selection) -> object:
    return load_confusions(store, runs=chosen.runs).to_dict("records")


def prompts(store: Store, chosen: Selection) -> object:
    return [
        (
            [each.prompt.fingerprint for each in load_versions(store, protocol, chosen.runs)],
            [each.items for each in load_versions(store, protocol, chosen.runs)],
            [
                (each.judge, each.labelled)
                for each in load_version_agreement(
                    store, protocol, protocol.criteria[0], chosen.runs
                )
            ],
            [
                each.external_id
                for each in load_disputed_cases(
                    store, protocol.key, protocol.criteria[0].key, chosen.runs
                )
            ],
        )
        for protocol in PROTOCOLS.values()
    ]


def files(store: Store, chosen: Selection) -> object:
    to = store.path.parent / "file"
    return [
        exporting.write_selected(store, part, chosen, "csv", to)
        for part in exporting.PARTS
        if part != "minutes"
    ]


ASKED: list[Callable[[Store, Selection], object]] = [
    *(contradictions, disagreements, inconsistencies, distributions, compared_sides),
    *(raters_among_themselves, rated, partners, agenda, decisions, prompts, files),
]


@pytest.mark.parametrize("ask", ASKED, ids=lambda ask: ask.__name__)
def test_the_sample_changes_no_answer_about_own_runs(stores: dict[str, Store], ask: Any) -> None:
    alone = ask(stores["own"], Selection())
    assert ask(stores["both"], Selection()) == alone
    assert ask(stores["sample"], Selection()) != alone


@pytest.mark.parametrize("ask", ASKED, ids=lambda ask: ask.__name__)
def test_the_sample_is_answered_about_where_its_runs_are_chosen(
    stores: dict[str, Store], ask: Any
) -> None:
    store = stores["both"]
    chosen = Selection(runs=tuple(load_sample_runs(store)))
    assert ask(store, chosen) == ask(stores["sample"], Selection())


def test_what_is_worked_on_is_not_the_sample_until_it_is_chosen(stores: dict[str, Store]) -> None:
    store = stores["both"]
    samples = set(load_sample_runs(store))
    assert not set(load_recent_items(store)["run_id"]) & samples
    listed = load_rating_runs(store)
    assert listed["is_sample"].tolist() == sorted(listed["is_sample"])
    for name, run_id in (("sample", next(iter(samples))), ("own", listed["run_id"].iloc[0])):
        item = load_item(store, queries.run_items(store, run_id)["item_id"].iloc[0])
        asked = PROTOCOLS[listed.set_index("run_id").loc[run_id, "protocol"]]
        step = DraftStep(name, item.units_of(asked.unit)[0].id, "time", {}, 1.0)
        keep_steps(store, Sheet(run_id, item.id, "zoe"), item, asked, [step])
        assert find_last_run(store, "zoe") == ("" if name == "sample" else run_id)


def test_a_list_leads_from_item_to_item_without_the_sample(stores: dict[str, Store]) -> None:
    own, both = stores["own"], stores["both"]
    listed = Selection(listed="contradicted", sort="stored")
    (first, *_) = list_case_numbers(load_contradicted_units(own, listed, sort="stored"))
    case = load_cases(own, [first])[0]
    of = {name: load_neighbors(each, "", case.item.id, listed) for name, each in stores.items()}
    assert of["both"].total == of["own"].total == 3
    (run_id, *_) = queries.load_item_runs(both, case.item.id).query(f"protocol == '{KEY}'")[
        "run_id"
    ]
    beside = load_neighbors(both, run_id, case.item.id, listed)
    assert not set(beside.runs) & set(load_sample_runs(both))


def test_one_line_says_what_is_left_out_by_store_and_not_by_protocol(
    stores: dict[str, Store],
) -> None:
    both, alone = stores["both"], stores["sample"]
    samples = tuple(load_sample_runs(both))
    assert find_left_out_sample_runs(both, Selection()) == samples
    claims = find_left_out_sample_runs(both, Selection(protocol="claim_overlap"))
    assert len(claims) == 1  # also under a protocol that no other run has
    assert find_left_out_sample_runs(both, Selection(runs=samples[:1])) == ()
    assert find_left_out_sample_runs(both, Selection(systems=("alpha",))) == ()
    assert find_left_out_sample_runs(alone, Selection()) == ()
    assert find_sample_items(alone, Selection()) == []
    assert in_any_run(both, Selection(runs=samples[:1])) == samples
    own = next(each for each in queries.runs(both)["run_id"] if each not in samples)
    assert in_any_run(both, Selection(runs=(own,))) == ()


def test_kept_answers_follow_an_import_and_a_removal(tmp_path: Path) -> None:
    store = new_store(tmp_path / "p.duckdb", only_sample)
    before = [ask(store, Selection()) for ask in ASKED]
    own_runs(store)
    between = [ask(store, Selection()) for ask in ASKED]
    own = [each for each in queries.runs(store)["run_id"] if each not in load_sample_runs(store)]
    remove_runs(store, run_ids=own, removed_by="ada", operation_id="remove")
    assert [ask(store, Selection()) for ask in ASKED] == before != between
    store.close()
