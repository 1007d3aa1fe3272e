"""Units on which a check found words of a source against them: a list of Contradictions."""

from dataclasses import replace

import pytest

from data.contradictions.contradictions import all_cases, list_case_numbers, load_contradicted_units
from data.importing.save import save_import
from data.items.cases import load_cases
from data.items.findings import refind
from data.items.loading import load_item
from data.items.sign import sign
from data.items.unit_findings import add_contradictions
from data.meetings.adjudicate import adjudicate
from data.runs.neighbors import load_neighbors
from data.runs.remove import remove_runs
from data.samples.first_start import fill
from faithfulness.model.contradiction import UnitCase
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Answer, Field, UnitKind
from faithfulness.protocols import PROTOCOLS
from faithfulness.protocols.comparative_summary import format_product
from tests.data.items.test_unit_findings import DIFFERING, WRONG, draft, forget
from tests.data.store.cache.test_incremental_cache import answers_anew, sorted_rows
from tests.data.stored import ADA, BEN, EVE, NORTH, prepare_drafts, save_drafts
from tests.made_stores import new_store

TITLES = ("Oakline Chair", "Brisk Stool", "Marlow Bench")
PRICES = ("$120.00", "$80.00", "$150.00")
SWAPPED = (
    "The Oakline Chair costs $80.00. The Brisk Stool costs $120.00. The Marlow Bench costs $150.00."
)
FOUND = "found_by_check"


def said_by(protocol, values, authors=(ADA, BEN, NORTH)):
    criterion = PROTOCOLS[protocol].criteria[0].key
    return [
        DraftAnswer(author=author, criterion=criterion, value=value, unit=UnitKind.RESPONSE)
        for author, value in zip(authors, values, strict=False)
    ]


def products_draft(number=1, *, system="alpha", values=("5", "4"), response=SWAPPED, market="de"):
    """A comparison of three products in which two prices are swapped."""
    products = [
        Field(
            name=f"product_{at}",
            kind="product",
            text=format_product(title, price, price, "Buyers find it solid."),
        )
        for at, (title, price) in enumerate(zip(TITLES, PRICES, strict=True), start=1)
    ]
    fields = (
        Field(name="query", kind="query", text=f"Question {number}: which seat is cheapest?"),
        *products,
        Field(name="response", kind="response", text=response),
    )
    return Draft(
        protocol="comparative_summary",
        system=system,
        external_id=f"p{number}",
        fields=fields,
        said=said_by("comparative_summary", values),
        attributes={"market": market},
    )


def claims_draft():
    said = [
        DraftAnswer(
            ADA, "supported", "true", UnitKind.CLAIM, "It takes two minutes.", sentence=WRONG
        )
    ]
    return draft(3)._replace(protocol="claim_overlap", said=said)


def drafts_of_all():
    return [
        products_draft(),
        draft(1, "expert_rubric", "accuracy", ("5", "1")),
        draft(2, "response_consistency", "consistency", ("yes_evidence", "no_contrary_evidence")),
        claims_draft(),
        draft(4),
    ]


def listed(store, selection=None, **asked) -> list[UnitCase]:
    page = load_contradicted_units(store, selection or Selection(), which=FOUND, **asked)
    return add_contradictions(store, load_cases(store, list_case_numbers(page)))


def texts(item, *spans):
    return [item.text_of(each.field)[each.start : each.end] if each else None for each in spans]


def test_units_of_every_protocol_are_listed_with_the_words_against_them(store):
    save_drafts(store, drafts_of_all())
    page = load_contradicted_units(store, Selection(), which=FOUND)
    assert page.total == page.lists[FOUND] == 5
    by_protocol = {case.protocol: case for case in listed(store)}
    assert set(by_protocol) == set(PROTOCOLS)
    kinds = {key: case.unit.kind for key, case in by_protocol.items()}
    assert kinds == {key: each.unit for key, each in PROTOCOLS.items()}
    for key, case in by_protocol.items():
        assert case.contradictions, key
        for each in case.contradictions:
            assert each.says
            assert each.statement
            assert each.source


def test_swapped_prices_are_told_by_statement_words_and_source(store):
    save_drafts(store, [products_draft()])
    (case,) = listed(store)
    told = [
        (each.kind, *texts(case.item, each.statement, each.words, each.source))
        for each in case.contradictions
    ]
    assert told == [
        ("price differs", "The Oakline Chair costs $80.00.", "$80.00", "$120.00"),
        ("price differs", "The Brisk Stool costs $120.00.", "$120.00", "$80.00"),
    ]
    assert all("but" in each.says for each in case.contradictions)
    assert {each.answer.value for each in case.annotations} == {"5", "4"}


def test_a_fact_credited_to_the_wrong_source_contradicts_none(store):
    fields = (
        Field(name="query", kind="query", text="Is it loud?"),
        Field(name="detail_page", kind="detail_page", text="A steel kettle of 1.7 litres."),
        Field(name="reviews", kind="reviews", text="The lid squeaks loudly every morning."),
        Field(name="response", kind="response", text="The lid squeaks loudly every morning."),
    )
    wrong_credit = Draft(
        "expert_rubric", "alpha", "q1", fields, said_by("expert_rubric", ("5",)),
    )  # fmt: skip
    save_drafts(store, [wrong_credit])
    with store.read() as cursor:
        stored = cursor.execute("select distinct check_name, kind from unit_findings").fetchall()
    assert stored == [("named_source", "review_as_fact")]
    assert load_contradicted_units(store, Selection(), which=FOUND).total == 0


def test_what_narrows_narrows_the_list_and_every_count(store):
    ids = save_drafts(
        store,
        [
            products_draft(1),
            products_draft(2, system="beta", market="us", values=("1", "1", "2")),
            draft(3, values=("contradictory", "supported")),
            draft(4, "expert_rubric")._replace(said=said_by("expert_rubric", ("5",))),
        ],
    )
    sizes = {
        "all": (Selection(), 4),
        "run": (Selection(runs=ids[:1]), 1),
        "protocol": (Selection(protocol="comparative_summary"), 2),
        "system": (Selection(systems=("beta",)), 1),
        "slice": (Selection(slices=(("market", "us"),)), 1),
        "author": (Selection(authors=(NORTH,)), 1),
        "nobody": (Selection(authors=(replace(NORTH, name="south"),)), 0),
        "label": (Selection(labels=("contradictory",)), 1),
        "words": (Selection(words="MARLOW"), 2),
        "numbers": (Selection(clashes=("number",)), 2),
        "misquoted": (Selection(clashes=("quote",)), 2),
        "both": (Selection(clashes=("quote",), protocol="comparative_summary"), 0),
        "raters agree": (Selection(agreements=("raters_agree",)), 1),
        "raters differ": (Selection(agreements=("raters_differ",)), 2),
        "one author": (Selection(agreements=("one_author",)), 1),
        "quoted": (Selection(placements=("verbatim",)), 0),
    }
    told = {
        name: load_contradicted_units(store, selection, which=FOUND).total
        for name, (selection, _) in sizes.items()
    }
    assert told == {name: size for name, (_, size) in sizes.items()}
    for selection, size in sizes.values():
        for which in ("contradicted", FOUND):
            page = load_contradicted_units(store, selection, which=which)
            assert page.lists[FOUND] == size
        assert len(listed(store, selection)) == size
    counts = load_contradicted_units(store, Selection(), which=FOUND).counts
    assert (counts["clash"]["number"], counts["clash"]["quote"]) == (2, 2)
    grouped = load_contradicted_units(store, Selection(), which=FOUND, group="clash")
    assert grouped.groups == {"number": 2, "quote": 2}


def test_the_list_has_pages_and_an_order(store):
    save_drafts(store, [products_draft(number) for number in range(1, 26)])
    sizes = [len(listed(store, page=page)) for page in (1, 2, 3)]
    assert sizes == [20, 5, 0]
    names = [
        case.external_id for page in (1, 2) for case in listed(store, sort="stored", page=page)
    ]
    assert names == [f"p{number}" for number in range(1, 26)]
    chosen = Selection(listed=FOUND, sort="stored")
    second = listed(store, sort="stored")[1]
    beside = load_neighbors(store, second.run_id, second.item.id, chosen)
    assert (beside.place, beside.total) == (2, 25)


def test_a_unit_that_nobody_answered_about_is_listed(store):
    save_drafts(store, [products_draft(values=())])
    (case,) = listed(store)
    assert case.annotations == ()
    assert (
        load_contradicted_units(store, Selection(agreements=("one_author",)), which=FOUND).total
        == 0
    )


def test_an_item_of_two_runs_is_listed_in_both_and_a_removed_run_leaves(store):
    first = save_drafts(store, [products_draft()])
    item = listed(store)[0].item
    again = products_draft(system="beta", values=("1",))
    folder = prepare_drafts(
        store.path.parent / "again", [again], "again",
        {item.id: load_item(store, item.id)},
    )  # fmt: skip
    save_import(store, folder, operation_id="again")
    assert [case.system for case in listed(store, sort="stored")] == ["beta", "alpha"]
    assert [len(case.annotations) for case in listed(store, sort="stored")] == [1, 2]
    remove_runs(store, run_ids=list(first), removed_by="ada", operation_id="gone")
    assert [case.system for case in listed(store)] == ["beta"]


def test_the_list_is_right_after_an_answer_an_import_and_a_refind(store):
    (run_id,) = save_drafts(store, [products_draft()])
    (case,) = listed(store)
    assert load_contradicted_units(store, Selection(authors=(NORTH,)), which=FOUND).total == 0
    answer = Answer(unit_id="response", criterion="faithfulness", value="2")
    sign(
        store, run_id=run_id, item_id=case.item.id, answers=[answer], author=NORTH,
        operation_id="sign",
    )  # fmt: skip
    assert load_contradicted_units(store, Selection(authors=(NORTH,)), which=FOUND).total == 1
    save_drafts(store, [products_draft(2), DIFFERING], "second")
    assert load_contradicted_units(store, Selection(), which=FOUND).total == 3
    assert sorted_rows(all_cases(store)) == answers_anew(store)["cases"]
    forget(store)
    assert load_contradicted_units(store, Selection(), which=FOUND).total == 0
    refind(store, operation_id="again")
    assert load_contradicted_units(store, Selection(), which=FOUND).total == 3
    assert len(listed(store)) == 3
    assert sorted_rows(all_cases(store)) == answers_anew(store)["cases"]


def test_what_is_not_found_any_more_is_told_without_places(store):
    save_drafts(store, [products_draft()])
    older = "update unit_findings set kind = 'saving'"
    store.write("older", "test", lambda cursor: cursor.execute(older) and None)
    (case,) = listed(store)
    assert [each.says for each in case.contradictions] == ["saving differs"]
    assert [each.source for each in case.contradictions] == [None]


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    opened = new_store(tmp_path_factory.mktemp("sample") / "p.duckdb", fill)
    yield opened
    opened.close()


def test_every_unit_of_the_sample_has_its_statement_and_words(sample):
    cases = [case for page in (1, 2, 3) for case in listed(sample, page=page)]
    assert len(cases) == load_contradicted_units(sample, Selection(), which=FOUND).total > 10
    assert {case.protocol for case in cases} >= {"comparative_summary", "response_consistency"}
    for case in cases:
        assert case.contradictions
        for each in case.contradictions:
            assert all(texts(case.item, each.statement, each.words))


def test_a_decision_made_in_another_run_counts_in_every_run_of_the_list(store):
    (first,) = save_drafts(store, [draft(1)])
    (case,) = listed(store)
    said = [each._replace(author=NORTH) for each in draft(1).said[:2]]
    folder = prepare_drafts(
        store.path.parent / "again", [draft(1)._replace(system="beta", said=said)], "again",
        {case.item.id: load_item(store, case.item.id)},
    )  # fmt: skip
    save_import(store, folder, operation_id="again")
    adjudicate(
        store, run_id=first, item_id=case.item.id, author=EVE, reason="so", seen=10**6,
        answer=Answer(unit_id="s2", criterion="label", value="contradictory"), operation_id="d",
    )  # fmt: skip
    assert load_contradicted_units(store, Selection(authors=(EVE,)), which=FOUND).total == 2
    assert all(EVE in [each.author for each in case.annotations] for case in listed(store))
    decided = Selection(labels=("contradictory",), by="adjudicator")
    assert load_contradicted_units(store, decided, which=FOUND).total == 2
