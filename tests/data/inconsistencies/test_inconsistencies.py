"""The list of answers that cannot all be right says what the audit of every single item says."""

from dataclasses import replace

import pytest

from data.inconsistencies.inconsistencies import PAGE, load_audits
from data.inconsistencies.store_inconsistencies import load_all_audits
from data.items.loading import load_annotations, load_item
from data.items.sign import sign
from data.meetings.adjudicate import adjudicate
from data.rating.drafts import Sheet
from data.rating.rating_desk import sign_sheet
from data.runs import queries
from data.runs.remove import remove_runs
from data.samples import first_start
from faithfulness.intake.rating_path import list_statements
from faithfulness.model.drafts import DraftAnswer
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Piece, Span, UnitKind
from faithfulness.policies.inconsistencies import find_inconsistencies
from faithfulness.policies.inconsistency_rules import AUDIT_RULES
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store

S, U, C, N = "supported", "unsupported", "contradictory", "no_rad"
PRIYA = Author(kind=AuthorKind.RATER, name="Priya")


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "p.duckdb")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    opened = new_store(tmp_path_factory.mktemp("sample") / "p.duckdb", first_start.fill)
    yield opened
    opened.close()


def every(store, **asked):
    """All pages of the list as plain rows."""
    selection = asked.pop("selection", Selection())
    first = load_audits(store, selection, **asked)
    rows = []
    for page in range(1, -(-first.total // PAGE) + 1):
        rows += load_audits(store, selection, page, **asked).rows.to_dict("records")
    assert len(rows) == first.total
    return rows


def items_of(store):
    with store.read() as cursor:
        return [row[0] for row in cursor.execute("select item_id from items").fetchall()]


def told(store):
    """What the audit of each item says, in the list's words."""
    return sorted(
        (item_id, found.rule.key, found.says, found.run_id, found.unit_id)
        for item_id in items_of(store)
        for found in find_inconsistencies(
            load_item(store, item_id), load_annotations(store, item_id)
        )
    )


def listed(store):
    return sorted(
        (row["item_id"], row["rule"], row["says"], row["run_id"], row["unit_id"])
        for row in every(store)
    )


def test_the_list_and_the_items_say_the_same_of_the_sample(sample):
    assert listed(sample) == told(sample)
    assert len(listed(sample)) > 100


def test_the_sample_shows_who_contradicts_themselves(sample):
    mine = every(sample, whose="one_author", rule="faithfulness_5_with_fault")
    # Priya gives the second toothbrush summary a 5 and calls its fifth sentence unsupported.
    assert [(row["external_id"], row["one_author"], row["units"]) for row in mine] == [
        ("toothbrush", "rater Priya", ["s5"])
    ]


def test_authors_items_words_and_runs_narrow(sample):
    rows = every(sample)
    priya = every(sample, selection=Selection(authors=(PRIYA,)))
    assert 0 < len(priya) < len(rows)
    assert all("rater Priya" in (row["one_author"], row["other_author"]) for row in priya)
    one = every(sample, selection=Selection(item=rows[0]["item_id"]))
    assert {row["item_id"] for row in one} == {rows[0]["item_id"]}
    runs = queries.runs(sample)
    chosen = runs[runs["protocol"] == "comparative_summary"]["run_id"].tolist()
    compared = every(sample, selection=Selection(runs=tuple(chosen)))
    assert {row["one_criterion"] for row in compared} <= {"faithfulness", "label"}
    assert every(sample, selection=Selection(words="no such words anywhere")) == []


def test_counts_are_of_all_rules_whatever_rule_is_chosen(sample):
    whole = load_audits(sample, Selection())
    part = load_audits(sample, Selection(), rule="evidence_without_link")
    assert whole.counts == part.counts
    assert sum(whole.counts.values()) == whole.total
    assert part.total == part.counts["evidence_without_link"]


def test_an_unknown_rule_and_a_page_behind_the_last(sample):
    with pytest.raises(ReviewError, match="faithfulness_5_with_fault"):
        load_audits(sample, Selection(), rule="nonsense")
    with pytest.raises(ReviewError, match="one_author"):
        load_audits(sample, Selection(), whose="nobody")
    assert load_audits(sample, Selection(), 9_999).rows.empty


def test_an_empty_store_has_nothing_to_audit(store):
    found = load_audits(store, Selection())
    assert (found.total, set(found.counts)) == (0, set(AUDIT_RULES))


def whole_draft(number, protocol, criterion, value, by, **more):
    """The same item under a protocol that answers about the whole response."""
    said = DraftAnswer(author=by, criterion=criterion, value=value, unit=UnitKind.RESPONSE, **more)
    return sentence_draft(number)._replace(protocol=protocol, said=[said])


def test_a_table_without_rows_has_the_columns_and_types_of_one_with_rows(store, sample):
    none, some = load_all_audits(store), load_all_audits(sample)
    assert none.empty
    assert not some.empty
    words = ["value", "leaves"]
    assert none.drop(columns=words).dtypes.equals(some.drop(columns=words).dtypes)
    assert [*none] == [*some]


def test_removed_runs_and_superseded_answers_say_nothing(store):
    drafts = [
        sentence_draft(1, {ADA: (S, C, N), BEN: (S, S, N)}),
        whole_draft(1, "expert_rubric", "accuracy", "5", BEN),
        whole_draft(2, "response_consistency", "consistency", "yes_evidence", NORTH),
    ]
    save_drafts(store, drafts)
    assert [row["rule"] for row in every(store)] == [
        "evidence_without_link",
        "accuracy_with_contradiction",
    ]
    assert listed(store) == told(store)
    runs = queries.runs(store).set_index("protocol")["run_id"]
    (item_id,) = {row["item_id"] for row in every(store, rule="accuracy_with_contradiction")}
    sign(
        store,
        run_id=runs["sentence_grounding"],
        item_id=item_id,
        answers=[Answer(unit_id="s2", criterion="label", value=U)],
        author=ADA,
        operation_id="again",
    )
    assert [row["rule"] for row in every(store)] == [
        "evidence_without_link",
        "accuracy_with_invention",
    ]
    assert listed(store) == told(store)
    remove_runs(store, run_ids=[runs["expert_rubric"]], removed_by="ada", operation_id="remove")
    assert [row["rule"] for row in every(store)] == ["evidence_without_link"]


def test_what_was_settled_leaves_the_list(store):
    save_drafts(
        store,
        [
            sentence_draft(1, {ADA: (S, C, N), NORTH: (S, C, N)}),
            whole_draft(1, "comparative_summary", "faithfulness", "5", BEN),
        ],
    )
    rows = every(store)
    assert {row["other_author"] for row in rows} == {"rater ada", "judge north"}
    runs = queries.runs(store).set_index("protocol")["run_id"]
    adjudicate(
        store,
        run_id=runs["sentence_grounding"],
        item_id=rows[0]["item_id"],
        answer=Answer(unit_id="s2", criterion="label", value=S),
        author=EVE,
        reason="it stands there",
        seen=max(each.number for each in load_annotations(store, rows[0]["item_id"])),
        operation_id="settle",
    )
    assert every(store) == []
    assert listed(store) == told(store)


def test_answers_against_their_own_marks_are_stored_with_a_reason_and_listed(store):
    """An import is stored as it is; a rater's signature without the reason is refused."""
    by_file = {"links": ("https://a.example",), "checks": ()}
    save_drafts(
        store,
        [
            whole_draft(1, "response_consistency", "consistency", "unsure", NORTH, **by_file),
            whole_draft(2, "expert_rubric", "accuracy", "5", ADA, checks=("misrepresents",)),
            whole_draft(3, "expert_rubric", "ethics", "5", ADA, checks=("no_own_opinion",)),
        ],
    )
    assert [(row["rule"], row["one_author"]) for row in every(store)] == [
        ("accuracy_above_checked", "rater ada"),
        ("links_not_taken", "judge north"),
    ]
    run_id = queries.runs(store).set_index("protocol")["run_id"]["response_consistency"]
    (item_id,) = {row["item_id"] for row in every(store, rule="links_not_taken")}
    item = load_item(store, item_id)
    _, start, end = list_statements(item)[1]
    piece = Piece(
        text=item.text_of("response")[start:end],
        span=Span(field="response", start=start, end=end),
        value="no_contrary_evidence",
        score=100.0,
    )
    answer = Answer(
        unit_id="response",
        criterion="consistency",
        value="yes_evidence",
        links=("https://a.example",),
        pieces=(piece,),
    )
    place = {"run_id": run_id, "item_id": item_id}
    with pytest.raises(ReviewError, match=r"a reason is missing.*imply “No: contrary"):
        sign(store, **place, answers=[answer], author=BEN, operation_id="bare")
    sheet = Sheet(run_id, item_id, BEN.name)
    with pytest.raises(ReviewError, match="a reason is missing"):
        sign_sheet(store, sheet, [answer], last_step="", seconds={})
    assert not [row for row in every(store) if row["one_author"] == "rater ben"]
    reasoned = replace(answer, rationale="The page has a misprint.")
    sign(store, **place, answers=[reasoned], author=BEN, operation_id="reasoned")
    (mine,) = [row for row in every(store) if row["one_author"] == "rater ben"]
    assert mine["rule"] == "answer_against_statements"
    assert "yes_evidence with a reason" in mine["says"]
    assert listed(store) == told(store)
    kept = replace(reasoned, value="no_contrary_evidence")
    sign(store, **place, answers=[kept], author=BEN, operation_id="corrected")
    assert not [row for row in every(store) if row["one_author"] == "rater ben"]
    assert listed(store) == told(store)


def test_a_reason_that_cannot_be_seen_is_none_in_the_list_either(store):
    by_file = {"links": ("https://a.example",), "checks": (), "rationale": "\n\u200b\u00a0"}
    save_drafts(
        store, [whole_draft(1, "response_consistency", "consistency", "unsure", NORTH, **by_file)]
    )
    (row,) = every(store)
    assert "unsure without a reason" in row["says"]
    assert listed(store) == told(store)


def test_a_judge_that_departs_from_its_checks_is_stored_and_listed(store):
    save_drafts(store, [whole_draft(1, "expert_rubric", "accuracy", "2", ADA)])
    (run_id,) = queries.runs(store)["run_id"]
    (item_id,) = items_of(store)
    answer = Answer(
        unit_id="response", criterion="accuracy", value="4", checks=("no_clear_answer",)
    )
    place = {"run_id": run_id, "item_id": item_id, "answers": [answer]}
    sign(store, **place, author=NORTH, operation_id="judged")
    assert [(row["rule"], row["one_author"]) for row in every(store)] == [
        ("accuracy_above_checked", "judge north")
    ]
    assert listed(store) == told(store)
