"""The policy lens: labels under each policy as worked out by hand, and the same by every door."""

import csv
import functools
import io
import json
from collections import Counter
from dataclasses import replace

import pytest

import cli
from data.agreement.policies import PAGE, compare_policies, iterate_bridged, load_flips
from data.agreement.policy_report import estimate_policy_rates
from data.agreement.policy_subject import count_partner_items
from data.agreement.question import AgreementQuestion
from data.agreement.report import build_report
from data.exporting import render_agreement, render_pairs
from data.importing.formats.factcheck_gpt import IMPORTER
from data.importing.importer import Options, Source
from data.importing.save import save_import
from data.items.loading import load_annotations, load_item
from data.samples import first_start
from faithfulness.model.drafts import DraftAnswer
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, VERDICT, Side
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, UnitKind
from faithfulness.policies.bridges import bridge_answers
from faithfulness.policies.policies import POLICIES
from tests.data.stored import ADA, BEN, NORTH, prepare_drafts, save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.shared_data import SHARED, needs_shared

YES, NO, NONE = "yes_evidence", "no_contrary_evidence", None
ORDER = ("by_query_type", "all_in_source", "most_found", "contradictions_only", "weighed")
HARBOR = Author(kind=AuthorKind.JUDGE, name="judge-harbor-mini")
ACROSS = AgreementQuestion(
    selection=Selection(protocol="response_consistency"),
    reference=MAJORITY,
    judge=Side.of(HARBOR),
    judge_protocol="sentence_grounding",
)


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    opened = new_store(tmp_path_factory.mktemp("lens") / "p.duckdb", first_start.fill)
    yield opened
    opened.close()


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "p.duckdb")
    yield opened
    opened.close()


def by_policy(store, asked, side="judge"):
    """What a side says about each item under each policy, by the file's own id and run."""
    found = {}
    for page in iterate_bridged(store, asked):
        for row in page.to_dict("records"):
            said = row[f"{side}_value"]
            key = (row["external_id"], row["run"])
            found.setdefault(key, {})[row["policy"]] = said if isinstance(said, str) else None
    return {key: tuple(said[policy] for policy in ORDER) for key, said in found.items()}


# What harbor says of the sentences (S, U, C, N as in the sample's files), the query type by most
# raters, and what follows by query type, all in source, most found, contradictions only, weighed.
SAMPLE = {
    # SSSCSNS, factoid: one contradiction; weighed, 5 of 6 are right.
    ("kettle", "shop-assistant-b"): (NO, NO, NO, NO, YES),
    # SSSSSUC, opinion: one contradiction; weighed, 5 of 7 are too few.
    ("grinder", "shop-assistant-a"): (NO, NO, NO, NO, NO),
    # SUSSSSN, opinion: a gap the guideline has no rule for; 5 of 6 found.
    ("grinder", "shop-assistant-b"): (NONE, NO, YES, YES, YES),
    # SSCS, factoid: 3 of 4.
    ("rice-cooker-japanese", "shop-assistant-a"): (NO, NO, NO, NO, NO),
    # SSSSU, factoid: a gap is contrary evidence; 4 of 5 are exactly 80 %.
    ("baby-monitor", "shop-assistant-a"): (NO, NO, YES, YES, YES),
    # SSSU, factoid: 3 of 4 are not.
    ("baby-monitor", "shop-assistant-b"): (NO, NO, NO, YES, NO),
    # NSSSCU, opinion: a contradiction; 3 of 5.
    ("robot-vacuum", "shop-assistant-a"): (NO, NO, NO, NO, NO),
    # SSSSSUS, factoid: 6 of 7.
    ("standing-desk", "shop-assistant-b"): (NO, NO, YES, YES, YES),
    # SSSSSSN, opinion: all that can be checked is borne out.
    ("headphones", "shop-assistant-b"): (YES, YES, YES, YES, YES),
    # SSSSSSUS, factoid: 7 of 8.
    ("tent", "shop-assistant-b"): (NO, NO, YES, YES, YES),
    # S-SSS, factoid: the missing label could be a contradiction; weighed, 4 of 5 are enough.
    ("pannier", "shop-assistant-b"): (NONE, NONE, NONE, NONE, YES),
    # CSUC, factoid.
    ("tent", "shop-assistant-a"): (NO, NO, NO, NO, NO),
}
# Factcheck-GPT by line: its sentences' labels after the claims; nobody gave a query type.
FACTCHECK = {
    "27": (YES, YES, YES, YES, YES),  # SSS
    "48": ("nothing_to_check",) * 5,  # N
    "32": (NONE, NO, YES, YES, YES),  # SSSUS: 4 of 5
    "21": (NONE, NO, NO, YES, NO),  # SSUS: 3 of 4
    "26": (NONE, NO, NO, YES, NO),  # UUSUS: 2 of 5
    "1": (NO, NO, NO, NO, NO),  # UUC
    "19": (NO, NO, NO, NO, NO),  # CSSS: 3 of 4, and a contradiction
    "36": (NONE, NO, NO, YES, NO),  # SSU: 2 of 3
    "44": (NONE, NO, NO, YES, NO),  # UN: 0 of 1
    "4": (NO, NO, NO, NO, NO),  # CUUUN
}


def test_labels_of_the_sample_under_every_policy_as_by_hand(sample):
    found = by_policy(sample, ACROSS)
    assert {key: found[key] for key in SAMPLE} == SAMPLE


@needs_shared
def test_labels_of_factcheck_gpt_under_every_policy_as_by_hand(store):
    path = next((SHARED / "factcheck_gpt").glob("*.jsonl"))
    drafts = list(IMPORTER.read([Source(path.name, path)], Options()))
    save_drafts(store, [each for each in drafts if "(claims)" not in each.system])
    people = Author(kind=AuthorKind.RATER, name="factcheck annotators")
    asked = AgreementQuestion(
        selection=Selection(protocol="sentence_grounding"),
        reference=Side.of(people),
        judge=MAJORITY,  # nobody else rated: only the labels of the reference matter here
    )
    found = {key: said for (key, _), said in by_policy(store, asked, "reference").items()}
    assert {key: found[key] for key in FACTCHECK} == FACTCHECK
    assert len(found) == 48
    for row in compare_policies(store, asked).rows:
        assert (row.items, row.estimates["kappa"].value) == (0, None)
        assert row.reference == f"rater:factcheck annotators bridged by {row.policy.key}"
    cannot = compare_policies(store, asked).rows[0].cannot_reference
    assert list(cannot) == ["the query type is not known, and it decides what a gap counts as"]


def test_the_headline_is_counted_from_the_same_labels(sample):
    reference = by_policy(sample, ACROSS, "reference")
    judge = by_policy(sample, ACROSS)
    for at, row in enumerate(compare_policies(sample, ACROSS).rows):
        pairs = [(reference[key][at], judge[key][at]) for key in judge]
        met = [(one, other) for one, other in pairs if one and other]
        same = sum(one == other for one, other in met)
        assert row.policy.key == ORDER[at]
        assert (row.items, row.estimates["percent"].units) == (len(met), len(met))
        assert row.estimates["percent"].value == pytest.approx(same / len(met))
        assert row.reference_only == sum(one is not None and other is None for one, other in pairs)
    assert row.policy.key == "weighed"
    assert (row.reference, row.judge) == ("raters", "judge:judge-harbor-mini bridged by weighed")


def test_store_and_pure_bridge_say_the_same_of_every_item(sample):
    """One author's labels on all items, all policies, all targets."""
    said_of = functools.cache(functools.partial(harbor_said, sample))
    for target, reference in (
        ("response_consistency", "response_consistency"),
        ("comparative_summary", "comparative_summary"),
        ("expert_rubric", "expert_rubric"),
    ):
        asked = AgreementQuestion(
            selection=Selection(protocol="sentence_grounding"),
            reference=Side.of(HARBOR),
            judge=MAJORITY,
            judge_protocol=reference,
            to=target,
        )
        for page in iterate_bridged(sample, asked):
            for row in page.to_dict("records"):
                item, answers = said_of(row["item_id"])
                expected = alone(item, answers, target, POLICIES[row["policy"]])
                said = row["reference_value"]
                assert (said if isinstance(said, str) else None) == expected, row


def harbor_said(store, item_id):
    """The item, and the judge's labels with the query type that most raters gave."""
    item = load_item(store, item_id)
    answers, types = [], Counter()
    for each in load_annotations(store, item_id):
        if each.author == HARBOR and each.answer.criterion == "label":
            answers.append(each.answer)
        if each.author.kind is AuthorKind.RATER and each.answer.criterion == "query_type":
            types[each.answer.value] += 1
    for value, _ in types.most_common(1) if answers else ():
        answers.append(Answer(unit_id="response", criterion="query_type", value=value))
    return item, answers


def alone(item, answers, target, policy):
    if not answers:
        return None
    found = bridge_answers(item, answers, "sentence_grounding", target, policy)
    return found.answers[0].value if found.answers else None


def test_flips_say_both_values_and_why(sample):
    found = load_flips(sample, ACROSS, "all_in_source", "most_found")
    rows = {(row["external_id"], row["run"]): row for row in found.rows.to_dict("records")}
    # Of the items above: grinder b, baby-monitor a, standing-desk b and tent b, and no other.
    assert set(rows) == {
        ("grinder", "shop-assistant-b"),
        ("baby-monitor", "shop-assistant-a"),
        ("standing-desk", "shop-assistant-b"),
        ("tent", "shop-assistant-b"),
    }
    assert found.total == 4 <= PAGE
    row = rows["grinder", "shop-assistant-b"]
    assert (row["judge_first"], row["judge_second"]) == (NO, YES)
    assert row["judge_first_reason"].startswith("1 statement not in the sources")
    assert row["judge_second_reason"] == "5 of 6 checkable statements borne out, which is enough"
    assert (row["reference_first"], row["reference_first_reason"]) == (YES, "")
    assert (row["agreed_first"], row["agreed_second"]) == (False, True)
    assert load_flips(sample, ACROSS, "weighed", "weighed").total == 0
    assert load_flips(sample, ACROSS, "all_in_source", "most_found", page=2).rows.empty


def rows_of(content):
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_lens_report_export_and_command_agree(tmp_path, capsys):
    path = tmp_path / "p.duckdb"
    opened = new_store(path, first_start.fill)
    asked = AgreementQuestion(
        selection=ACROSS.selection,
        reference=MAJORITY,
        judge=ACROSS.judge,
        judge_protocol="sentence_grounding",
        policy="most_found",
    )
    by_lens = {
        (row.policy.key, name): each.value
        for row in compare_policies(opened, asked).rows
        for name, each in row.estimates.items()
    }
    told = build_report(opened, asked)
    table = list(
        csv.DictReader(io.StringIO(render_agreement(opened, asked, "csv").decode("utf-8-sig")))
    )
    pairs = list(
        csv.DictReader(io.StringIO(render_pairs(opened, asked, "csv").decode("utf-8-sig")))
    )
    opened.close()
    assert "bridged by “Four fifths found”" in told["sentence"]
    words = ["agree", "--store", str(path), "--protocol", "response_consistency"]
    words += ["--reference", "raters", "--judge", "judge:judge-harbor-mini", "--json"]
    words += ["--judge-protocol", "sentence_grounding", "--policy", "most_found"]
    assert cli.main(words) == 0
    by_command = json.loads(capsys.readouterr().out)
    assert by_command["numbers"] == told["numbers"]
    beside = {
        (row["slice"], row["statistic"]): row["value"]
        for row in told["numbers"]
        if row["by"] == "policy"
    }
    assert beside == by_lens
    written = {
        (row["slice"], row["statistic"]): float(row["value"])
        for row in table
        if row["by"] == "policy"
    }
    assert written == pytest.approx(by_lens)
    chosen = [row for row in told["numbers"] if row["statistic"] == "percent" and not row["by"]]
    assert chosen[0]["value"] == by_lens["most_found", "percent"]
    mine = [row for row in pairs if row["policy"] == "most_found"]
    met = [row for row in mine if row["judge_value"] and row["reference_value"]]
    assert len(met) == told["coverage"]["both"]
    assert all(row["judge"] == "judge:judge-harbor-mini bridged by most_found" for row in met)
    assert cli.main([*words[:-4], "--judge-protocol", "sentence_grounding"]) == 2
    assert cli.main([*words, "--by", "system"]) == 2


def said(author, value, excerpt):
    return DraftAnswer(
        author=author,
        criterion="label",
        value=value,
        unit=UnitKind.SENTENCE,
        text="It costs $49.90.",
        excerpts=(excerpt,),
    )


def test_people_who_quote_sources_against_each_other_make_unsure(store):
    same = "Its price is $45.00."
    apart = [said(ADA, "supported", "switches itself off"), said(BEN, "contradictory", same)]
    alike = [said(ADA, "supported", same), said(BEN, "contradictory", same)]
    labels = {ADA: ("supported", None, "no_rad"), BEN: ("supported", None, "no_rad")}
    drafts = []
    for number, second in ((1, apart), (2, alike)):
        draft = sentence_draft(number, {**labels, NORTH: ("supported", "unsupported", "no_rad")})
        first = [
            each for each in draft.said if each.text != "It costs $49.90." or each.author == NORTH
        ]
        drafts.append(draft._replace(said=[*first, *second]))
    save_drafts(store, drafts)
    for side in (MAJORITY, VERDICT):
        asked = AgreementQuestion(
            selection=Selection(protocol="sentence_grounding"), reference=side, judge=Side.of(NORTH)
        )
        found = {key: said for (key, _), said in by_policy(store, asked, "reference").items()}
        assert found["q1"] == ("unsure",) * 5
        assert set(found["q2"]) == {None}  # two opinions on the same words


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"judge_protocol": "response_consistency"}, "no policy changes anything"),
        ({"to": "sentence_grounding"}, "answers about pieces"),
        ({"to": "expert_rubric"}, "only say what would fit"),
        ({"selection": Selection()}, "Name the protocol"),
        ({"judge": Side.of(Author(kind=AuthorKind.JUDGE, name="nobody"))}, "has no label under"),
        ({"judge_protocol": "nonsense"}, "no protocol"),
    ],
)
def test_what_cannot_be_compared_is_said(sample, change, says):
    asked = {
        "selection": ACROSS.selection,
        "reference": MAJORITY,
        "judge": ACROSS.judge,
        "judge_protocol": "sentence_grounding",
    }
    with pytest.raises(ReviewError, match=says):
        compare_policies(sample, AgreementQuestion(**(asked | change)))


def test_an_empty_store_has_no_headline(store):
    asked = AgreementQuestion(
        selection=ACROSS.selection, reference=MAJORITY, judge=VERDICT, to="expert_rubric"
    )
    with pytest.raises(ReviewError, match="only say what would fit"):
        compare_policies(store, asked)
    asked = AgreementQuestion(
        selection=Selection(protocol="sentence_grounding"), reference=MAJORITY, judge=VERDICT
    )
    assert [row.items for row in compare_policies(store, asked).rows] == [0] * len(POLICIES)
    assert load_flips(store, asked, "weighed", "most_found").total == 0


def test_protocols_that_meet_on_the_same_items_are_offered(sample):
    assert count_partner_items(sample, Selection(protocol="response_consistency")) == {
        "sentence_grounding": 21
    }
    assert count_partner_items(sample, Selection(protocol="sentence_grounding")) == {
        "sentence_grounding": 48,
        "claim_overlap": 3,
        "response_consistency": 21,
        "comparative_summary": 8,
        "expert_rubric": 13,
    }


def test_rates_under_a_policy_are_counted_from_the_same_labels(sample):
    asked = replace(ACROSS, policy="weighed")
    rates = estimate_policy_rates(sample, asked)
    at = ORDER.index("weighed")
    judged = by_policy(sample, asked)
    judge = [said[at] for said in judged.values() if said[at]]
    met = [
        people[at]
        for key, people in by_policy(sample, asked, "reference").items()
        if people[at] and judged[key][at]
    ]
    assert (len(judge), len(met)) == (48, 21)
    for label, found in rates.items():
        assert found.judge_only.value == pytest.approx(judge.count(label) / len(judge)), label
        assert found.human_only.value == pytest.approx(met.count(label) / len(met)), label
        assert found.corrected.items == 48


def test_the_sample_does_not_count_beside_other_runs(store):
    labels = {ADA: ("supported", "contradictory", "no_rad"), NORTH: ("supported",) * 3}
    folder = prepare_drafts(store.path.parent / "s", [sentence_draft(1, labels)], "sample")
    save_import(store, folder, operation_id="sample", is_sample=True)
    asked = AgreementQuestion(
        selection=Selection(protocol="sentence_grounding"),
        reference=Side.of(ADA),
        judge=Side.of(NORTH),
    )
    assert set(by_policy(store, asked)) == {("q1", "alpha run")}
    save_drafts(store, [sentence_draft(2, labels, system="beta")])
    assert set(by_policy(store, asked)) == {("q2", "beta run")}
