"""Contradicted units: which they are, how they are counted, and what is loaded for a card."""

import pytest

from data.contradictions.contradictions import (
    KINDS,
    KNOWN_LABELS,
    LISTS,
    list_case_numbers,
    load_contradicted_units,
)
from data.items.cases import load_cases
from data.items.filters import load_filter_values
from data.items.sign import sign
from data.runs.remove import remove_runs
from faithfulness.model.contradiction import Says, list_label_meanings
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Field, Tier, UnitKind
from faithfulness.protocols import PROTOCOLS
from tests.data.stored import ADA, BEN, NORTH, save_drafts

SOUTH = Author(kind=AuthorKind.JUDGE, name="south")
RESPONSE = "The kettle holds 2.5 litres. It costs $49.90. It is red. It never leaks."
CONTEXT = "This kettle holds 1.7 litres. Its price is $49.90. It is blue. Reviews praise it."
TEXTS = ("The kettle holds 2.5 litres.", "It costs $49.90.", "It is red.", "It never leaks.")
QUOTES = ("holds 1.7 litres", "Its price is $49.90", "It is blue.", "seventeen purple walruses")
C, S, U = "contradictory", "supported", "unsupported"
# By sentence: all agree; raters differ; the judge alone; one rater alone, quoting nothing real.
VALUES = {ADA: (C, C, S, C), BEN: (C, S, S, S), NORTH: (C, S, C, S)}


def sentence_draft(system="alpha", market="de", values=VALUES, number=1, sure=None):
    said = [
        DraftAnswer(
            author=author,
            criterion="label",
            value=value,
            unit=UnitKind.SENTENCE,
            text=text,
            rationale=f"{author.name} says so",
            excerpts=(quote,) if value in (C, S) else (),
            confidence=sure,
        )
        for author, labels in values.items()
        for text, quote, value in zip(TEXTS, QUOTES, labels, strict=True)
    ]
    return Draft(
        protocol="sentence_grounding",
        system=system,
        external_id=f"q{number}",
        fields=(
            Field(name="query", kind="query", text=f"Question {number}?"),
            Field(name="context", kind="context", text=CONTEXT),
            Field(name="response", kind="response", text=RESPONSE),
        ),
        said=said,
        attributes={"market": market},
    )


def claim_draft():
    texts = ("Eleven people died.", "The bridge fell.")
    said = [
        DraftAnswer(
            author=NORTH,
            criterion="supported",
            value=value,
            unit=UnitKind.CLAIM,
            text=text,
            field="response",
            sentence=text,
        )
        for text, value in zip(texts, ("false", "true"), strict=True)
    ]
    return Draft(
        protocol="claim_overlap",
        system="beta",
        external_id="c1",
        fields=(
            Field(name="response", kind="response", text=" ".join(texts)),
            Field(name="reference", kind="reference", text="A bridge fell; nobody was hurt."),
        ),
        said=said,
    )


@pytest.fixture
def filled(store):
    save_drafts(store, [sentence_draft(), claim_draft()])
    return store


def sentences(store, selection=None, **asked):
    found = load_contradicted_units(store, selection or Selection(), **asked)
    return [case.unit.text for case in load_cases(store, list_case_numbers(found))]


def sizes(**lists):
    return dict.fromkeys(LISTS, 0) | lists


def test_every_protocol_speaks_through_one_criterion():
    asked: dict[str, set[str]] = {}
    for each in list_label_meanings(PROTOCOLS.values()):
        asked.setdefault(each.protocol, set()).add(each.criterion)
    assert asked == {
        "sentence_grounding": {"label"},
        "claim_overlap": {"supported"},
        "response_consistency": {"consistency"},
    }
    said = {
        (each.protocol, each.value): each.says for each in list_label_meanings(PROTOCOLS.values())
    }
    assert said["claim_overlap", "false"] is Says.NOT_SUPPORTED
    assert ("sentence_grounding", "unsupported") not in said
    assert said["response_consistency", "no_against_common_knowledge"] is Says.CONTRADICTED


def test_an_empty_store_has_no_cases(store):
    found = load_contradicted_units(store, Selection())
    assert found.total == 0
    assert set(found.lists.values()) == {0}
    assert load_cases(store, list_case_numbers(found)) == []
    assert load_filter_values(store).empty


def test_each_list_holds_what_its_name_says(filled):
    found = load_contradicted_units(filled, Selection())
    # Sentence 4 rests on walruses only; sentences 1-3 on words that are there.
    assert found.lists == sizes(contradicted=4, not_supported=1, unfounded=1)
    assert set(sentences(filled)) == set(TEXTS)
    assert sentences(filled, which="not_supported") == ["Eleven people died."]
    assert sentences(filled, which="unfounded") == ["It never leaks."]
    assert found.units == {UnitKind.SENTENCE: 4}


def test_agreement_tells_who_stands_alone(filled):
    counts = load_contradicted_units(filled, Selection()).counts["agreement"]
    assert counts == {
        "raters_agree": 1,
        "raters_differ": 2,
        "judge_alone": 1,
        "raters_alone": 2,
        "one_author": 0,
    }
    alone = Selection(agreements=("judge_alone",))
    assert sentences(filled, alone) == ["It is red."]
    both = Selection(agreements=("judge_alone", "raters_agree"))
    assert set(sentences(filled, both)) == {TEXTS[0], TEXTS[2]}


def test_a_count_shows_what_the_other_parts_leave_and_not_its_own(filled):
    found = load_contradicted_units(filled, Selection(agreements=("raters_differ",)))
    assert found.total == 2
    assert found.counts["agreement"]["raters_agree"] == 1
    assert found.counts["placement"]["verbatim"] == 1
    assert found.counts["placement"]["absent"] == 1


def test_the_size_of_each_list_respects_every_choice(filled):
    differ = load_contradicted_units(filled, Selection(agreements=("raters_differ",)))
    assert differ.lists == sizes(contradicted=2, unfounded=1)
    absent = Selection(placements=("absent",))
    for which in ("contradicted", "unfounded"):
        found = load_contradicted_units(filled, absent, which=which)
        assert found.lists["contradicted"] == found.lists["unfounded"] == found.total == 1
    lone = load_contradicted_units(filled, Selection(agreements=("one_author",)))
    assert lone.lists == sizes(not_supported=1)


def test_a_list_has_the_same_size_from_every_list(store):
    values = {ADA: (C, S, S, U), NORTH: (S, S, S, U)}
    save_drafts(store, [sentence_draft(values=values)])
    # Only the judge calls the first sentence supported, so the choice must not leak across lists.
    for selection in (Selection(), Selection(authors=(NORTH,)), Selection(clashes=("number",))):
        sizes = [load_contradicted_units(store, selection, which=each).lists for each in LISTS]
        assert all(each == sizes[0] for each in sizes)
        totals = [load_contradicted_units(store, selection, which=each).total for each in LISTS]
        assert totals == [sizes[0][each] for each in LISTS]


def test_labels_and_kinds_of_author_fit_into_the_bits_of_a_number():
    assert (len(KNOWN_LABELS) + 1) * len(KINDS) < 63
    assert len(set(KNOWN_LABELS)) == len(KNOWN_LABELS)


def test_a_label_that_no_protocol_has_finds_nothing(filled):
    assert load_contradicted_units(filled, Selection(labels=("purple",))).total == 0


def test_a_misquote_an_absent_quote_and_an_unknown_finding_are_told_apart(filled):
    found = load_contradicted_units(filled, Selection())
    case = load_cases(filled, list_case_numbers(found))[0]
    number = next(each.number for each in case.annotations if each.answer.value == C)
    add = "insert into findings values ($number, 0, 0, $check, $kind, null, null, null, 0, 0, '')"
    for check, kind, word in (("quote", "number", "quote"), ("calendar", "date", "other")):
        before = load_contradicted_units(filled, Selection()).counts["clash"][word]
        filled.write(
            f"add {check}",
            "test",
            lambda cursor, c=check, k=kind: (
                cursor.execute(add, {"number": number, "check": c, "kind": k}) and None
            ),
        )
        counts = load_contradicted_units(filled, Selection()).counts["clash"]
        assert counts[word] == before + 1
        assert counts["attribution"] == 1


def test_authors_narrow_to_what_they_call_contradicted(filled):
    assert sentences(filled, Selection(authors=(BEN,))) == ["The kettle holds 2.5 litres."]
    assert set(sentences(filled, Selection(authors=(NORTH,)))) == {TEXTS[0], TEXTS[2]}
    assert sentences(filled, Selection(authors=(SOUTH,))) == []


def test_labels_narrow_to_what_others_call_it(filled):
    by_raters = Selection(labels=("supported",), by="rater")
    assert set(sentences(filled, by_raters)) == {TEXTS[1], TEXTS[2], TEXTS[3]}
    by_judges = Selection(labels=("supported",), by="judge")
    assert set(sentences(filled, by_judges)) == {TEXTS[1], TEXTS[3]}


def test_words_are_looked_for_in_the_unit_and_in_its_quotes(filled):
    assert sentences(filled, Selection(words="NEVER")) == ["It never leaks."]
    assert sentences(filled, Selection(words="walruses")) == ["It never leaks."]
    assert sentences(filled, Selection(words="is red. It never")) == []
    assert sentences(filled, Selection(words="bridge"), which="not_supported") == []
    assert sentences(filled, Selection(words="eleven"), which="not_supported") == [
        "Eleven people died."
    ]


def test_runs_systems_protocols_and_slices_narrow(store):
    first = save_drafts(store, [sentence_draft()])
    save_drafts(store, [sentence_draft(system="gamma", market="us", number=2)], "second")
    assert load_contradicted_units(store, Selection()).total == 8
    assert load_contradicted_units(store, Selection(runs=first)).total == 4
    assert load_contradicted_units(store, Selection(systems=("gamma",))).total == 4
    assert load_contradicted_units(store, Selection(protocol="claim_overlap")).total == 0
    assert load_contradicted_units(store, Selection(slices=(("market", "us"),))).total == 4
    either = Selection(slices=(("market", "us"), ("market", "de")))
    assert load_contradicted_units(store, either).total == 8
    nothing = Selection(slices=(("market", "us"), ("season", "winter")))
    assert load_contradicted_units(store, nothing).total == 0
    rows = load_filter_values(store)
    assert set(rows[rows["part"] == "slice"]["title"]) == {"market: de", "market: us"}
    # The newest import is what people came for.
    assert next(iter(rows[rows["part"] == "system"]["value"])) == "gamma"
    assert list(rows[rows["part"] == "run"]["value"])[1] == first[0]
    remove_runs(store, run_ids=[first[0]], removed_by="ada", operation_id="gone")
    assert load_contradicted_units(store, Selection()).total == 4


def test_a_clash_is_a_filter_and_the_supported_ones_have_a_list_of_their_own(store):
    values = {ADA: (C, S, S, U), NORTH: (S, S, S, U)}
    save_drafts(store, [sentence_draft(values=values)])
    found = load_contradicted_units(store, Selection(clashes=("number",)))
    assert sentences(store, Selection(clashes=("number",))) == ["The kettle holds 2.5 litres."]
    assert found.counts["clash"]["number"] == 1
    clashing = load_contradicted_units(store, Selection(), which="clashing")
    texts = sentences(store, which="clashing")
    assert "The kettle holds 2.5 litres." in texts
    assert "It costs $49.90." not in texts
    assert clashing.total == len(texts) == clashing.lists["clashing"]


def test_an_absent_quote_is_a_kind_of_clash(filled):
    assert sentences(filled, Selection(clashes=("attribution",))) == ["It never leaks."]
    assert sentences(filled, Selection(clashes=("quote",))) == []
    assert sentences(filled, Selection(placements=("absent",))) == ["It never leaks."]


def test_a_corrected_answer_no_longer_counts(filled):
    case = load_cases(filled, list_case_numbers(load_contradicted_units(filled, Selection())))[0]
    run, item = case.run_id, case.item.id
    alone = load_contradicted_units(filled, Selection(agreements=("judge_alone",)))
    unit = load_cases(filled, list_case_numbers(alone))[0].unit.id
    changed = Answer(unit_id=unit, criterion="label", value="unsupported")
    sign(filled, run_id=run, item_id=item, answers=[changed], author=NORTH, operation_id="again")
    assert "It is red." not in sentences(filled)


def test_a_decision_is_not_counted_as_one_more_voice(store):
    eve = Author(kind=AuthorKind.ADJUDICATOR, name="eve")
    save_drafts(store, [sentence_draft(values={**VALUES, eve: (C, S, C, S)})])
    cases = load_contradicted_units(store, Selection(), sort="stored").cases
    assert cases[["yes", "nay"]].to_numpy().tolist() == [[3, 0], [1, 2], [1, 2], [1, 2]]


def test_order_groups_and_pages(store):
    drafts = [sentence_draft(number=n, system=f"s{n % 3}") for n in range(30)]
    save_drafts(store, drafts)
    first = load_contradicted_units(store, Selection())
    assert first.total == 120
    assert len(first.cases) == 20
    # The first sentence of each item is undisputed (3 to 0), the others are not (1 to 2).
    assert set(zip(first.cases["yes"], first.cases["nay"], strict=True)) == {(1, 2)}
    seen = [
        (row.run_no, row.unit_no)
        for page in range(1, 8)
        for row in load_contradicted_units(store, Selection(), page=page).cases.itertuples()
    ]
    assert len(seen) == len(set(seen)) == 120
    assert load_contradicted_units(store, Selection(), page=99).cases.empty
    grouped = load_contradicted_units(store, Selection(), group="system")
    assert grouped.groups == {"s0": 40, "s1": 40, "s2": 40}
    assert set(grouped.cases["in_group"]) == {"s0"}
    by_agreement = load_contradicted_units(store, Selection(), group="agreement")
    assert by_agreement.groups == {"raters_agree": 30, "raters_differ": 60, "judge_alone": 30}


def test_the_surest_come_first(store):
    save_drafts(
        store,
        [sentence_draft(number=n, values={ADA: (C, U, U, U)}, sure=n / 10) for n in (2, 9, 5)],
    )
    found = load_contradicted_units(store, Selection(), sort="sure")
    cases = load_cases(store, list_case_numbers(found))
    assert [case.external_id for case in cases] == ["q9", "q5", "q2"]


def test_a_case_has_all_voices_and_its_place_in_the_text(filled):
    found = load_contradicted_units(filled, Selection(agreements=("judge_alone",)))
    (case,) = load_cases(filled, list_case_numbers(found))
    assert {each.author.name for each in case.annotations} == {"ada", "ben", "north"}
    assert (case.number, case.of) == (3, 4)
    assert case.item.text_of("context") == CONTEXT
    assert case.unit.span is not None
    assert RESPONSE[case.unit.span.start : case.unit.span.end] == "It is red."
    excerpt = next(each for each in case.annotations if each.author == NORTH).answer.excerpts[0]
    assert excerpt.placement is not None
    assert excerpt.placement.tier is Tier.VERBATIM
