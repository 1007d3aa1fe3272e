"""Distributions count each label once, keep what has none apart, and lead to what they count."""

import pytest

from components.charts.distribution_lines import told
from data.distributions import distributions as questions
from data.items.sign import sign
from data.runs import queries
from data.runs.remove import remove_runs
from faithfulness.model.drafts import Draft, DraftAnswer, Number
from faithfulness.model.measure import BINS, NUMBER, format_bin, list_measures
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Field, UnitKind
from faithfulness.protocols import PROTOCOLS
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft

GROUNDING = list_measures(PROTOCOLS["sentence_grounding"])
CLAIMS = list_measures(PROTOCOLS["claim_overlap"])
SCORES = list_measures(PROTOCOLS["comparative_summary"])
SOUTH = Author(kind=AuthorKind.JUDGE, name="south")


def scored(number, values, *, system="alpha"):
    return Draft(
        protocol="comparative_summary",
        system=system,
        external_id=f"q{number}",
        fields=(Field(name="response", kind="response", text=f"Comparison number {number}."),),
        said=[
            DraftAnswer(
                author=author,
                criterion="faithfulness",
                value=value,
                unit=UnitKind.RESPONSE,
                problem="" if value else "the cell is empty",
            )
            for author, value in values.items()
        ],
        attributes={"market": "de" if number % 2 else "us"},
    )


def by_key(lines):
    return {line.key: line for line in lines}


def test_labels_are_counted_by_author_with_unread_apart(store):
    first = sentence_draft(
        1, {ADA: ("supported", "contradictory", "no_rad"), NORTH: ("supported", None, "no_rad")}
    )
    second = sentence_draft(2, {ADA: ("supported", "supported", "no_rad")}, system="beta")
    save_drafts(store, [first, second])
    lines = by_key(questions.load_distribution_lines(store, Selection(), GROUNDING["label"]))
    assert lines["rater:ada"].counts == {"supported": 3, "contradictory": 1, "no_rad": 2}
    assert (lines["rater:ada"].items, lines["rater:ada"].unread) == (2, 0)
    assert lines["judge:north"].counts == {"supported": 1, "no_rad": 1}
    assert lines["judge:north"].unread == 1
    # Supported shares of ada's two items: 1/2 and 2/2.
    assert lines["rater:ada"].mean.value == pytest.approx(0.75)
    assert lines["rater:ada"].median == pytest.approx(0.75)
    assert lines["rater:ada"].mean.low is None  # two items carry no interval


def test_a_mean_tells_its_own_n_and_what_it_leaves_out(store):
    labels = [("supported", None, None), (None, None, None), ("no_rad", None, None)]
    save_drafts(store, [sentence_draft(n, {ADA: each}) for n, each in enumerate(labels, start=1)])
    (line,) = questions.load_distribution_lines(store, Selection(), GROUNDING["label"])
    assert (line.items, line.mean.counted, line.left_out) == (2, 1, 2)
    mean, many = told(line, GROUNDING["label"])
    assert mean[0] == "Mean supported share 1.00"
    assert mean[1].replace("\u00a0", " ").startswith("n 1 · 2 left out · ")
    assert many == ("2 labels", "")


def test_a_mean_over_all_items_of_its_line_says_them_once(store):
    save_drafts(store, [sentence_draft(1, {ADA: ("supported",) * 3})])
    (line,) = questions.load_distribution_lines(store, Selection(), GROUNDING["label"])
    mean, many = told(line, GROUNDING["label"])
    assert "left out" not in mean[1]
    assert many == ("3 labels", "in 1 item")


def test_raters_of_a_run_stand_together_and_judges_alone(store):
    values = {
        ADA: ("supported",) * 3,
        BEN: ("supported", "unsupported", "no_rad"),
        NORTH: ("no_rad",) * 3,
    }
    run, other = save_drafts(
        store, [sentence_draft(1, values), sentence_draft(2, values, system="beta")]
    )
    lines = by_key(
        questions.load_distribution_lines(store, Selection(), GROUNDING["label"], by_row="run")
    )
    assert set(lines) == {
        f"raters@{run}",
        f"judge:north@{run}",
        f"raters@{other}",
        f"judge:north@{other}",
    }
    assert lines[f"raters@{run}"].counts == {"supported": 4, "unsupported": 1, "no_rad": 1}
    # An item's number by the raters is the mean over them: (3/3 + 1/2) / 2.
    assert lines[f"raters@{run}"].mean.value == pytest.approx(0.75)
    systems = questions.load_distribution_lines(
        store, Selection(), GROUNDING["label"], by_row="system"
    )
    assert {line.part for line in systems} == {"alpha", "beta"}


def test_the_numbers_of_items_fall_into_tenths_and_1_stands_alone(store):
    labels = [("supported",) * 3, ("supported", "supported", "unsupported"), ("no_rad",) * 3]
    save_drafts(store, [sentence_draft(n, {ADA: each}) for n, each in enumerate(labels, start=1)])
    (line,) = questions.load_distribution_lines(store, Selection(), GROUNDING[NUMBER])
    assert line.counts == {"10": 1, "6": 1}
    assert line.without == 1  # nothing to attribute: no number, and never 0
    assert line.mean.counted == 2
    assert format_bin("10") == "100 %"
    assert len(GROUNDING[NUMBER].values) == BINS


@pytest.mark.parametrize("by_row", questions.ROWS)
@pytest.mark.parametrize("measure", [GROUNDING["label"], GROUNDING[NUMBER], SCORES["faithfulness"]])
def test_behind_every_bar_lies_as_much_as_it_counts(store, measure, by_row):
    rows = [
        ("supported", None, "no_rad"),
        ("unsupported", "supported", "supported"),
        ("no_rad",) * 3,
    ]
    drafts = [sentence_draft(n, {ADA: each, NORTH: each[::-1]}) for n, each in enumerate(rows)]
    drafts += [scored(n, {ADA: str(n % 5 + 1), NORTH: None if n == 3 else "2"}) for n in range(9)]
    save_drafts(store, drafts)
    lines = questions.load_distribution_lines(store, Selection(), measure, by_row=by_row)
    assert lines
    for line in lines:
        counted = {**line.counts, questions.UNREAD: line.unread, questions.NONE: line.without}
        for value, many in counted.items():
            found = questions.load_counted_page(
                store, Selection(), measure, by_row=by_row, line=line.key, value=value
            )
            assert found.total == many
            assert len(found.lines) == min(many, questions.PAGE)
            assert set(found.lines["said"]) <= {value}


def test_what_lies_behind_a_bar_names_its_unit(store):
    (run,) = save_drafts(
        store, [sentence_draft(1, {ADA: ("supported", "contradictory", "no_rad")})]
    )
    found = questions.load_counted_page(
        store,
        Selection(),
        GROUNDING["label"],
        by_row="author",
        line="rater:ada",
        value="contradictory",
    )
    (row,) = found.lines.to_dict("records")
    assert (row["run_id"], row["unit_id"], row["external_id"]) == (run, "s2", "q1")
    assert row["text"] == "It costs $49.90."


def test_scores_have_mean_interval_and_median_over_items(store):
    save_drafts(store, [scored(n, {ADA: str(n % 5 + 1)}) for n in range(25)])
    (line,) = questions.load_distribution_lines(store, Selection(), SCORES["faithfulness"])
    assert line.counts == {str(score): 5 for score in range(1, 6)}
    assert (line.mean.value, line.median) == (3.0, 3.0)
    assert 2.3 < line.mean.low < 2.7 < 3.3 < line.mean.high < 3.7


def test_a_selection_narrows_by_run_author_slice_and_words(store):
    drafts = [
        scored(n, {ADA: "4", NORTH: "2"}, system="alpha" if n < 3 else "beta") for n in range(6)
    ]
    first, _ = save_drafts(store, drafts)

    def items(**narrowed):
        lines = questions.load_distribution_lines(
            store, Selection(**narrowed), SCORES["faithfulness"]
        )
        return {line.key: line.items for line in lines}

    assert items() == {"rater:ada": 6, "judge:north": 6}
    assert items(runs=(first,)) == {"rater:ada": 3, "judge:north": 3}
    assert items(systems=("beta",), authors=(ADA,)) == {"rater:ada": 3}
    assert items(slices=(("market", "de"),)) == {"rater:ada": 3, "judge:north": 3}
    assert items(words="number 5") == {"rater:ada": 1, "judge:north": 1}
    assert items(words="nowhere") == {}


def test_the_offline_baseline_is_left_out_until_it_is_asked_for(store):
    save_drafts(store, [scored(1, {ADA: "4", BASELINE: "2"})])
    lines = questions.load_distribution_lines(store, Selection(), SCORES["faithfulness"])
    assert [line.key for line in lines] == ["rater:ada"]
    asked = questions.load_distribution_lines(
        store, Selection(authors=(BASELINE,)), SCORES["faithfulness"]
    )
    assert [line.name for line in asked] == [BASELINE.name]


def test_claims_of_the_two_sides_are_counted_by_themselves(store):
    said = [
        DraftAnswer(
            author=ADA,
            criterion="supported",
            value=value,
            unit=UnitKind.CLAIM,
            text=text,
            field=field,
        )
        for field, text, value in (
            ("response", "It rains.", "true"),
            ("response", "It snows.", "false"),
            ("reference", "It rains.", None),
            ("reference", "It pours.", "true"),
        )
    ]
    fields = (
        Field(name="response", kind="response", text="It rains. It snows."),
        Field(name="reference", kind="reference", text="It rains. It pours."),
    )
    draft = Draft(
        protocol="claim_overlap", system="alpha", external_id="t", fields=fields, said=said
    )
    save_drafts(store, [draft])
    (response,) = questions.load_distribution_lines(
        store, Selection(), CLAIMS["supported:response"]
    )
    (reference,) = questions.load_distribution_lines(
        store, Selection(), CLAIMS["supported:reference"]
    )
    assert response.counts == {"true": 1, "false": 1}
    assert reference.counts == {"true": 1}
    assert reference.not_judged == 1  # not judged is not false
    (number,) = questions.load_distribution_lines(store, Selection(), CLAIMS[NUMBER])
    assert number.called == "F1"
    assert number.mean.value == pytest.approx(2 / 3)  # precision 1/2, recall 1/1


def test_a_number_that_came_with_the_file_counts_where_there_is_no_other(store):
    draft = sentence_draft(
        1, {ADA: ("supported",) * 3}, numbers=[Number(author=NORTH, name="F1", value=0.5)]
    )
    save_drafts(store, [draft])
    lines = by_key(questions.load_distribution_lines(store, Selection(), GROUNDING[NUMBER]))
    assert lines["judge:north"].counts == {"5": 1}
    assert lines["rater:ada"].counts == {"10": 1}


def test_drift_gives_the_means_of_runs_in_the_order_of_import(store):
    save_drafts(store, [scored(n, {NORTH: "2"}) for n in range(3)], "first")
    save_drafts(store, [scored(n, {NORTH: "4"}, system="beta") for n in range(3)], "second")
    lines = questions.load_trend(store, Selection(), SCORES["faithfulness"])
    assert [(line.part, line.mean.value) for line in lines] == [
        ("alpha run", 2.0),
        ("beta run", 4.0),
    ]


def test_removed_runs_and_superseded_answers_are_not_counted(store):
    (run,) = save_drafts(store, [scored(1, {ADA: "4"})])
    item = str(queries.run_items(store, run)["item_id"].iloc[0])
    answer = Answer(unit_id="response", criterion="faithfulness", value="2")
    sign(store, run_id=run, item_id=item, answers=[answer], author=ADA, operation_id="again")
    (line,) = questions.load_distribution_lines(store, Selection(), SCORES["faithfulness"])
    assert (line.counts, line.mean.value) == ({"2": 1}, 2.0)
    remove_runs(store, run_ids=[run], removed_by="ada", operation_id="gone")
    assert questions.load_distribution_lines(store, Selection(), SCORES["faithfulness"]) == ()
    assert questions.load_trend(store, Selection(), SCORES["faithfulness"]) == ()


def test_an_empty_store_has_no_lines(store):
    for measure in (GROUNDING["label"], GROUNDING[NUMBER], SCORES["faithfulness"]):
        assert questions.load_distribution_lines(store, Selection(), measure) == ()
        assert (
            questions.load_counted_page(
                store, Selection(), measure, by_row="author", line="x", value="1"
            ).total
            == 0
        )


def test_a_share_counts_labels_and_draws_whole_items(store):
    # 30 items of three sentences: in the first ten ada calls all supported, else one.
    few, all_of = ("supported", "no_rad", None), ("supported",) * 3
    drafts = [sentence_draft(n, {ADA: all_of if n < 10 else few}) for n in range(30)]
    save_drafts(store, drafts)
    asked = (store, Selection(), GROUNDING["label"])
    found = questions.compute_share(*asked, by_row="author", bar=("rater:ada", "supported"))
    # 10 x 3 + 20 of 10 x 3 + 20 x 2 labels; what is unread is no label.
    assert found.value == pytest.approx(50 / 70)
    # By the delta method over items: (yes - p n)^2 is (3 - 15/7)^2 ten times, (1 - 10/7)^2 twenty.
    error = (10 * (6 / 7) ** 2 + 20 * (3 / 7) ** 2) ** 0.5 / 70
    assert found.low == pytest.approx(50 / 70 - 1.96 * error, abs=0.02)
    assert found.high == pytest.approx(50 / 70 + 1.96 * error, abs=0.02)
    parts = questions.compute_shares(*asked, by_row="author")
    assert parts["rater:ada", "supported"] == found
    assert sum(each.value for each in parts.values()) == pytest.approx(1)
    assert set(parts) == {("rater:ada", "supported"), ("rater:ada", "no_rad")}


def test_a_share_of_few_items_says_why_it_has_no_interval(store):
    save_drafts(store, [sentence_draft(1, {ADA: ("supported", "no_rad", "no_rad")})])
    asked = (store, Selection(), GROUNDING[NUMBER])
    found = questions.compute_share(*asked, by_row="author", bar=("rater:ada", "10"))
    assert (found.value, found.low, found.high) == (1.0, None, None)
    assert "20" in found.reason
    assert questions.compute_share(*asked, by_row="author", bar=("rater:ada", "3")) is None
    assert questions.compute_share(*asked, by_row="author", bar=("rater:nobody", "10")) is None


def test_what_is_kept_in_memory_follows_the_next_write(store):
    save_drafts(store, [sentence_draft(1, {ADA: ("supported",) * 3})])
    assert (
        by_key(questions.load_distribution_lines(store, Selection(), GROUNDING["label"]))[
            "rater:ada"
        ].items
        == 1
    )
    later = sentence_draft(2, {ADA: ("no_rad",) * 3}, system="beta")
    save_drafts(store, [later], content="second")
    line = by_key(questions.load_distribution_lines(store, Selection(), GROUNDING["label"]))[
        "rater:ada"
    ]
    assert (line.items, line.counts) == (2, {"supported": 3, "no_rad": 3})
