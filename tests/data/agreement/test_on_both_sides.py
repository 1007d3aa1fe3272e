"""Comparisons in which somebody stands on both sides: they are counted on each of them."""

from data.agreement.pairs import compare_sides
from data.agreement.question import AgreementQuestion
from data.agreement.report import build_report
from data.meetings.adjudicate import adjudicate
from data.runs.queries import run_items, runs
from data.store.cache.incremental_cache import forget
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import ADJUDICATED, MAJORITY, VERDICT, Side
from faithfulness.model.vocabulary import Answer, Author, AuthorKind
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft

S, U, C = "supported", "unsupported", "contradictory"
ALL = Selection(protocol="sentence_grounding")


def fill(store: Store, *, judge_first: bool) -> None:
    """Two raters, a judge before or after them, and Eve, who settles what they differ on."""
    rated = sentence_draft(1, {ADA: (S, S, C), BEN: (S, U, C)})
    judged = sentence_draft(1, {NORTH: (C, C, S)}, system="later")
    several = [judged, rated] if judge_first else [rated, judged]
    for number, draft in enumerate(several):
        run_ids = save_drafts(store, [draft], f"part {number}")
        if draft is rated:
            run_id = run_ids[0]
    with store.read() as cursor:
        (item_id,) = cursor.execute("select item_id from items").fetchone()
    settle(store, run_id, item_id, EVE, U)


def settle(store: Store, run_id: str, item_id: str, author: Author, value: str) -> None:
    adjudicate(
        store,
        run_id=run_id,
        item_id=item_id,
        answer=Answer(unit_id="s2", criterion="label", value=value),
        author=author,
        reason="the price differs",
        seen=10**9,
        operation_id=f"settled by {author.name}",
    )


def same_of_both(store: Store, reference: Side, judge: Side) -> tuple[int, int]:
    tables = compare_sides(store, ALL, "label", reference, judge).tables
    return int(tables.total.trace()), int(tables.total.sum())


def test_who_settled_agrees_with_the_verdict_whatever_their_number(store: Store) -> None:
    fill(store, judge_first=False)
    assert same_of_both(store, VERDICT, Side.of(EVE)) == (1, 1)
    assert same_of_both(store, ADJUDICATED, Side.of(EVE)) == (1, 1)
    assert same_of_both(store, VERDICT, ADJUDICATED) == (1, 1)


def test_a_judge_with_a_lower_number_is_not_taken_for_who_settles(store: Store) -> None:
    fill(store, judge_first=True)
    assert same_of_both(store, VERDICT, Side.of(EVE)) == (1, 1)
    assert same_of_both(store, VERDICT, Side.of(NORTH)) == (0, 3)


def test_who_settles_later_takes_the_place_of_whoever_did_before(store: Store) -> None:
    """Both are known before: then only the item is asked about, and its rows are told apart."""
    fill(store, judge_first=False)
    zoe = Author(kind=AuthorKind.ADJUDICATOR, name="zoe")
    assert [same_of_both(store, VERDICT, Side.of(each)) for each in (EVE, zoe)] == [(1, 1), (0, 0)]
    run = runs(store)["run_id"].iloc[-1]
    settle(store, str(run), str(run_items(store, str(run))["item_id"].iloc[0]), zoe, S)
    settled = [(0, 0), (1, 1)]
    assert [same_of_both(store, VERDICT, Side.of(each)) for each in (EVE, zoe)] == settled
    forget(store)
    assert [same_of_both(store, VERDICT, Side.of(each)) for each in (EVE, zoe)] == settled


def test_majority_and_verdict_share_their_raters(store: Store) -> None:
    fill(store, judge_first=False)
    assert same_of_both(store, MAJORITY, MAJORITY) == (2, 2)
    assert same_of_both(store, MAJORITY, VERDICT) == (2, 2)


def test_report_without_a_judge_counts_raters_beside_a_later_judge(store: Store) -> None:
    fill(store, judge_first=False)
    told = build_report(store, AgreementQuestion(selection=ALL, reference=MAJORITY, judge=MAJORITY))
    assert told["coverage"]["both"] == 2
