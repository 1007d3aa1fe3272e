"""Bridges: every rule on cases whose answer was worked out by hand."""

import itertools
from dataclasses import replace

import pytest

from faithfulness.model.vocabulary import (
    Answer,
    Excerpt,
    Field,
    Item,
    Placement,
    Span,
    Tier,
    Unit,
    UnitKind,
    make_response_unit,
)
from faithfulness.policies.bridges import StatementProfile, bridge_answers, derive_meaning
from faithfulness.policies.policies import (
    ALL_IN_SOURCE,
    BY_QUERY_TYPE,
    CONTRADICTIONS_ONLY,
    MOST_FOUND,
    POLICIES,
    WEIGHED,
)
from faithfulness.protocols import PROTOCOLS

NAMES = {"s": "supported", "u": "unsupported", "c": "contradictory", "n": "no_rad"}
RC, CS, ER = "response_consistency", "comparative_summary", "expert_rubric"
SG, CO = "sentence_grounding", "claim_overlap"
YES, NO = "yes_evidence", "no_contrary_evidence"


def item_of(count, claims=(), **sources):
    """Sentences of ten characters each; a claim is given by the sentence it was taken from."""
    text = "A thing. ." * count
    sources = sources or {"context": "All that is known."}
    fields = [Field(name=name, kind=name, text=words) for name, words in sources.items()]
    fields.append(Field(name="response", kind="response", text=text))
    spans = [Span(field="response", start=10 * at, end=10 * at + 10) for at in range(count)]
    units = [
        Unit(
            id=f"s{at + 1}", kind=UnitKind.SENTENCE, field="response", text="A thing. .", span=span
        )
        for at, span in enumerate(spans)
    ]
    units += [
        Unit(
            id=f"c{at + 1}",
            kind=UnitKind.CLAIM,
            field="response",
            text=f"claim {at + 1}",
            span=spans[sentence - 1] if sentence else None,
        )
        for at, sentence in enumerate(claims)
    ]
    units.append(make_response_unit("response", text))
    return Item(id="i", fields=tuple(fields), units=tuple(units))


def labels(code):
    """Answers about s1, s2 … by their first letters; a dot leaves a sentence out."""
    return [
        Answer(unit_id=f"s{at}", criterion="label", value=NAMES[letter])
        for at, letter in enumerate(code, start=1)
        if letter != "."
    ]


def of_type(kind):
    return Answer(unit_id="response", criterion="query_type", value=kind)


def whole(criterion, value):
    return [Answer(unit_id="response", criterion=criterion, value=value)]


def to_consistency(code, policy, kind=""):
    answers = [*labels(code), *([of_type(kind)] if kind else [])]
    return bridge_answers(item_of(len(code)), answers, SG, RC, policy)


def value(bridged):
    assert len(bridged.answers) <= 1
    return bridged.answers[0].value if bridged.answers else None


@pytest.mark.parametrize(
    ("code", "kind", "policy", "expected"),
    [
        # One contradiction makes a no under every policy that lets one error spoil all.
        ("sssscs", "factoid", BY_QUERY_TYPE, NO),
        ("sssscs", "broad", BY_QUERY_TYPE, NO),
        ("sssscs", "", BY_QUERY_TYPE, NO),
        ("sssscs", "", MOST_FOUND, NO),
        ("sssscs", "", CONTRADICTIONS_ONLY, NO),
        # 5 of 6 are more than 80 %, and errors are weighed.
        ("sssscs", "", WEIGHED, YES),
        ("ssscs", "", WEIGHED, YES),  # 4 of 5
        ("sscs", "", WEIGHED, NO),  # 3 of 4
        # A statement found nowhere: contrary evidence for a factoid query only.
        ("sssssu", "factoid", BY_QUERY_TYPE, NO),
        ("sssssu", "broad", BY_QUERY_TYPE, YES),  # 5 of 6
        ("ssssu", "broad", BY_QUERY_TYPE, YES),  # 4 of 5 are 80 %
        ("sssu", "broad", BY_QUERY_TYPE, None),  # 3 of 4 are not
        ("sssssu", "opinion", BY_QUERY_TYPE, None),
        ("sssssu", "generic", BY_QUERY_TYPE, None),
        ("sssssu", "", BY_QUERY_TYPE, None),
        ("sssssu", "", ALL_IN_SOURCE, NO),
        ("ssssu", "", MOST_FOUND, YES),
        ("sssu", "", MOST_FOUND, NO),
        ("uuuu", "", CONTRADICTIONS_ONLY, YES),
        # What needs no source is in no share: 4 of 5, not 4 of 7.
        ("ssssunn", "broad", BY_QUERY_TYPE, YES),
        ("nnn", "", ALL_IN_SOURCE, "nothing_to_check"),
        ("nnn", "", BY_QUERY_TYPE, "nothing_to_check"),
        ("nns", "", BY_QUERY_TYPE, YES),
        # A sentence without a label: decided only where it cannot matter.
        (".c", "", ALL_IN_SOURCE, NO),
        (".s", "", ALL_IN_SOURCE, None),
        (".nn", "", MOST_FOUND, None),
    ],
)
def test_sentence_labels_become_one_of_six_answers(code, kind, policy, expected):
    found = to_consistency(code, policy, kind)
    assert value(found) == expected
    assert bool(found.cannot) == (expected is None)
    assert found.reasons[0].says


def test_a_missing_query_type_is_said_where_it_matters():
    found = to_consistency("ssu", BY_QUERY_TYPE)
    assert found.cannot.startswith("cannot bridge: the query type is not known")
    assert set(found.may_be["response"]) >= {YES, NO, "yes_common_knowledge"}
    assert found.answers == ()


def test_two_query_types_are_none():
    answers = [*labels("ssu"), of_type("factoid"), of_type("broad")]
    assert "query type" in bridge_answers(item_of(3), answers, SG, RC, BY_QUERY_TYPE).cannot


def test_a_bridged_answer_says_so_and_why():
    answer = to_consistency("ssu", ALL_IN_SOURCE).answers[0]
    assert answer.comment == "bridged from Sentence grounding by the policy “All in the source”"
    assert "1 statement not in the sources" in answer.rationale


def quoting(label, start, tier=Tier.VERBATIM):
    span = Span(field="context", start=start, end=start + 5)
    return Answer(
        unit_id="s1",
        criterion="label",
        value=label,
        excerpts=(Excerpt(text="words", placement=Placement(tier=tier, spans=(span,))),),
    )


def test_sources_that_contradict_each_other_make_unsure():
    answers = [quoting("supported", 0), quoting("contradictory", 9)]
    assert value(bridge_answers(item_of(1), answers, SG, RC, MOST_FOUND)) == "unsure"


def test_another_error_outweighs_sources_that_contradict_each_other():
    answers = [quoting("supported", 0), quoting("contradictory", 9), *labels(".c")]
    assert value(bridge_answers(item_of(2), answers, SG, RC, MOST_FOUND)) == NO


@pytest.mark.parametrize(
    "answers",
    [
        [quoting("supported", 0), quoting("contradictory", 3)],  # the same words, read twice
        [quoting("supported", 0), quoting("contradictory", 9, Tier.ABSENT)],
        labels("s") + labels("c"),
    ],
)
def test_two_opinions_on_a_sentence_are_no_clash_of_sources(answers):
    found = bridge_answers(item_of(1), answers, SG, RC, MOST_FOUND)
    assert found.answers == ()
    assert "without a label could still decide it (1 statement)" in found.cannot


@pytest.mark.parametrize(
    ("code", "policy", "expected"),
    [
        ("sssss", ALL_IN_SOURCE, "5"),
        ("ssssu", CONTRADICTIONS_ONLY, "4"),  # one statement cannot be found
        ("ssssu", ALL_IN_SOURCE, "2"),  # which counts as an error here, and one spoils
        ("sssuu", WEIGHED, "3"),  # more than one
        ("ssssssssuu", MOST_FOUND, "4"),  # 8 of 10 are enough
        ("ssssssssuu", WEIGHED, "3"),
        ("ssssuuu", WEIGHED, "2"),  # several
        ("ssssc", WEIGHED, "3"),
        ("ssssc", MOST_FOUND, "2"),
        ("suu", CONTRADICTIONS_ONLY, "1"),  # most of it
        ("scc", WEIGHED, "1"),
        ("su", WEIGHED, "4"),  # half of it is not most of it
        ("nn", WEIGHED, None),
    ],
)
def test_sentence_labels_become_a_comparative_score(code, policy, expected):
    assert value(bridge_answers(item_of(len(code)), labels(code), SG, CS, policy)) == expected


@pytest.mark.parametrize(
    ("code", "policy", "expected", "may_be"),
    [
        ("sss", WEIGHED, "5", ("5", "4", "3", "1")),
        ("ssu", CONTRADICTIONS_ONLY, "3", ("3", "1")),
        ("ssu", ALL_IN_SOURCE, "2", ("2", "1")),
        ("ssc", CONTRADICTIONS_ONLY, "2", ("2", "1")),
        ("ssssc", WEIGHED, "3", ("3", "2", "1")),  # 4 of 5, weighed
        ("sssc", WEIGHED, "2", ("2", "1")),
        ("n", WEIGHED, None, ()),
    ],
)
def test_sentence_labels_become_the_best_accuracy_they_allow(code, policy, expected, may_be):
    found = bridge_answers(item_of(len(code)), labels(code), SG, ER, policy)
    assert value(found) == expected
    assert found.may_be.get("response", ()) == may_be
    assert all(answer.criterion == "accuracy" for answer in found.answers)


def judged(code):
    """t, f or a dot for c1, c2 …"""
    values = {"t": "true", "f": "false"}
    return [
        Answer(unit_id=f"c{at}", criterion="supported", value=values.get(letter))
        for at, letter in enumerate(code, start=1)
    ]


@pytest.mark.parametrize(
    ("code", "policy", "expected"),
    [
        ("tt", WEIGHED, "supported"),
        ("tf", WEIGHED, "unsupported"),  # partly is not supported
        ("tf", ALL_IN_SOURCE, "contradictory"),  # not borne out counts as denied
        ("ttttf", MOST_FOUND, "supported"),  # most of it is enough
        ("tttf", MOST_FOUND, "unsupported"),
        ("t.", WEIGHED, None),  # not judged is neither true nor false
        ("f.", WEIGHED, "unsupported"),
    ],
)
def test_claims_become_support_of_their_sentence(code, policy, expected):
    item = item_of(2, claims=[1] * len(code))
    found = bridge_answers(item, judged(code), CO, SG, policy)
    assert {a.unit_id: a.value for a in found.answers} == ({"s1": expected} if expected else {})
    assert "no claim was taken" in next(r.says for r in found.reasons if r.unit_id == "s2")
    assert found.cannot


def test_a_false_claim_leaves_open_whether_a_source_denies_it():
    found = bridge_answers(item_of(1, claims=[1]), judged("f"), CO, SG, WEIGHED)
    assert found.may_be == {"s1": ("unsupported", "contradictory")}


def test_claims_without_their_sentence_cannot_be_bridged():
    found = bridge_answers(item_of(1, claims=[0]), judged("t"), CO, SG, WEIGHED)
    assert found.cannot == (
        "cannot bridge: it is not known which sentence each claim was taken from"
    )


@pytest.mark.parametrize(
    ("code", "policy", "expected"),
    [
        ("ttt", ALL_IN_SOURCE, YES),
        ("ttf", ALL_IN_SOURCE, NO),  # absent or denied: both a no
        ("ttttf", MOST_FOUND, None),  # a yes if it is absent, a no if it is denied
        ("tf", MOST_FOUND, NO),  # half of it, or an error: a no either way
        ("ttttf", WEIGHED, YES),
    ],
)
def test_claims_become_one_of_six_answers_where_it_does_not_matter_why_they_are_false(
    code, policy, expected
):
    item = item_of(1, claims=[1] * len(code))
    assert value(bridge_answers(item, judged(code), CO, RC, policy)) == expected


@pytest.mark.parametrize(
    ("labels_of", "claims", "expected"),
    [
        ("s", [1, 1], {"c1": "true", "c2": "true"}),
        ("u", [1], {"c1": "false"}),
        ("c", [1], {"c1": "false"}),
        ("c", [1, 1], {}),  # which of the two is wrong is not known
        ("n", [1], {}),
        ("su", [1, 2], {"c1": "true", "c2": "false"}),
        (".s", [1, 2], {"c2": "true"}),
        ("s", [0], {}),
    ],
)
def test_sentence_labels_become_the_truth_of_claims_where_one_is_all(labels_of, claims, expected):
    item = item_of(len(labels_of), claims=claims, reference="What is true.")
    found = bridge_answers(item, labels(labels_of), SG, CO, ALL_IN_SOURCE)
    assert {answer.unit_id: answer.value for answer in found.answers} == expected


def test_claims_need_the_reference_and_nothing_else_as_source():
    assert (
        "no reference article"
        in bridge_answers(item_of(1, claims=[1]), labels("s"), SG, CO, WEIGHED).cannot
    )
    both = item_of(1, claims=[1], reference="True.", context="More.")
    assert (
        "checked against context as well"
        in bridge_answers(both, labels("s"), SG, CO, WEIGHED).cannot
    )


@pytest.mark.parametrize(
    ("criterion", "said", "policy", "kind", "expected"),
    [
        ("consistency", YES, BY_QUERY_TYPE, "factoid", {"supported", "no_rad"}),
        ("consistency", YES, BY_QUERY_TYPE, "broad", {"supported", "unsupported", "no_rad"}),
        ("consistency", "nothing_to_check", ALL_IN_SOURCE, "", {"no_rad"}),
        ("consistency", NO, ALL_IN_SOURCE, "", set(NAMES.values())),
        ("consistency", "unsure", ALL_IN_SOURCE, "", set(NAMES.values())),
        ("faithfulness", "5", WEIGHED, "", {"supported", "no_rad"}),
        ("accuracy", "3", CONTRADICTIONS_ONLY, "", {"supported", "unsupported", "no_rad"}),
        ("accuracy", "4", CONTRADICTIONS_ONLY, "", {"supported", "no_rad"}),
    ],
)
def test_an_answer_about_the_whole_only_says_what_would_fit(
    criterion, said, policy, kind, expected
):
    source = {"consistency": RC, "faithfulness": CS, "accuracy": ER}[criterion]
    answers = [*whole(criterion, said), *([of_type(kind)] if kind else [])]
    found = bridge_answers(item_of(6), answers, source, SG, policy)
    assert found.answers == ()
    assert found.cannot.endswith("says nothing about single sentences")
    assert {unit: set(values) for unit, values in found.may_be.items()} == {
        f"s{at}": expected for at in range(1, 7)
    }


def test_a_score_only_says_which_other_scores_would_fit():
    found = bridge_answers(item_of(5), whole("faithfulness", "5"), CS, ER, WEIGHED)
    assert found.answers == ()
    assert found.may_be == {"response": ("1", "3", "4", "5")}


def test_common_knowledge_is_nothing_that_sentence_labels_lead_to():
    found = bridge_answers(
        item_of(3), whole("consistency", "yes_common_knowledge"), RC, SG, MOST_FOUND
    )
    assert found.may_be == {}
    assert "no labels of sentences lead to yes_common_knowledge" in found.cannot


def test_nothing_is_said_about_claims_by_an_answer_about_the_whole():
    found = bridge_answers(item_of(2, claims=[1]), whole("accuracy", "5"), ER, CO, WEIGHED)
    assert found.cannot == "cannot bridge: accuracy 5 says nothing about single claims"


@pytest.mark.parametrize("policy", POLICIES.values(), ids=list(POLICIES))
@pytest.mark.parametrize("source", PROTOCOLS)
@pytest.mark.parametrize("target", PROTOCOLS)
def test_every_bridge_answers_on_its_scale_or_says_why_not(source, target, policy):
    item = item_of(3, claims=[1, 2], reference="True.")
    answers = [
        *labels("suc"), *judged("tf"), *whole("consistency", YES), *whole("faithfulness", "4"),
        *whole("accuracy", "3"), *whole("ethics", "2"),
    ]  # fmt: skip
    found = bridge_answers(item, answers, source, target, policy)
    scales = {each.key: each.scale for each in PROTOCOLS[target].criteria}
    assert all(answer.value in scales[answer.criterion] for answer in found.answers)
    assert found.answers or found.cannot.startswith("cannot bridge: ")
    for unit, values in found.may_be.items():
        assert all(each in scales[PROTOCOLS[target].criteria[0].key] for each in values), unit


def test_claims_that_carry_sentence_labels_count_where_sentences_have_none():
    answers = [replace(each, unit_id=f"c{at}") for at, each in enumerate(labels("sc"), start=1)]
    item = item_of(1, claims=[1, 1])
    assert value(bridge_answers(item, answers, SG, RC, ALL_IN_SOURCE)) == NO
    assert value(bridge_answers(item, [*answers, *labels("s")], SG, RC, ALL_IN_SOURCE)) == YES


def test_no_labels_at_all_are_nothing_to_bridge_from():
    assert derive_meaning(StatementProfile(), "consistency", WEIGHED).values == ()
    assert "nobody labelled" in bridge_answers(item_of(0), [], SG, RC, WEIGHED).cannot


def test_many_sentences_without_a_label_are_tried_out_in_no_time():
    found = derive_meaning(StatementProfile(supported=3, open=5_000), "consistency", BY_QUERY_TYPE)
    assert not found.decided
    assert {YES, NO} <= set(found.values)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=list(POLICIES))
def test_trying_out_some_ways_decides_as_trying_out_all(policy):
    """Nine open statements beside others: the short way against all 220 ways."""
    for supported, unsupported, contradictory in ((40, 0, 0), (9, 2, 0), (3, 0, 1), (0, 0, 0)):
        known = {"supported": supported, "unsupported": unsupported}
        known |= {"contradictory": contradictory, "query_type": "broad"}
        for criterion in ("consistency", "faithfulness", "accuracy"):
            every = set()
            for a, b, c in itertools.product(range(10), repeat=3):
                if a + b + c <= 9:
                    full = StatementProfile(
                        supported=supported + a,
                        unsupported=unsupported + b,
                        contradictory=contradictory + c,
                        no_rad=9 - a - b - c,
                        query_type="broad",
                    )
                    every.add(derive_meaning(full, criterion, policy))
            found = derive_meaning(StatementProfile(open=9, **known), criterion, policy)
            assert set(found.values) == {value for each in every for value in each.values}
            assert found.decided == (
                all(each.decided for each in every) and len({e.values[0] for e in every}) == 1
            )


def test_a_large_part_without_a_label_is_not_played_down():
    # 1,000 of 1,500 would be too few, 1,500 of 1,500 enough.
    found = derive_meaning(StatementProfile(supported=1_000, open=500), "consistency", WEIGHED)
    assert not found.decided
