"""The queue with answers that cannot all be right: alone, beside disagreements, as an agenda."""

import pytest

from data.inconsistencies.inconsistencies import load_audits as audit_list
from data.meetings.agendas import agenda_from, load_agenda_lines, load_marked_points
from data.meetings.decide import decide
from data.meetings.marks import mark_units
from data.meetings.meeting_desk import MARKED, AgendaScope, choose_points, count_open_points
from data.runs import queries
from data.runs.remove import remove_runs
from data.samples import first_start
from data.triage.queue import PAGE, load_queue
from data.triage.triage import load_triage, load_triage_cases
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE
from faithfulness.review.disagreement import DisagreementKind
from faithfulness.review.meeting import Point
from tests.data.inconsistencies.test_inconsistencies import whole_draft
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store

S, U, C, N = "supported", "unsupported", "contradictory", "no_rad"
RATERS = (DisagreementKind.RATERS,)
CONTRADICTED, INVENTED = "accuracy_with_contradiction", "accuracy_with_invention"
NO_LINK = "evidence_without_link"


@pytest.fixture
def empty(tmp_path):
    opened = new_store(tmp_path / "p.duckdb")
    yield opened
    opened.close()


@pytest.fixture
def store(empty):
    """Ben's 5 beside Ada's contradiction; Ada's 4 beside her own label; a judge without a link."""
    save_drafts(
        empty,
        [
            sentence_draft(1, {ADA: (S, C, N), BEN: (S, S, N)}),
            whole_draft(1, "expert_rubric", "accuracy", "5", BEN),
            sentence_draft(2, {ADA: (S, U, N)}),
            whole_draft(2, "expert_rubric", "accuracy", "4", ADA),
            whole_draft(3, "response_consistency", "consistency", "yes_evidence", NORTH),
        ],
    )
    return empty


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    opened = new_store(tmp_path_factory.mktemp("sample") / "p.duckdb", first_start.fill)
    yield opened
    opened.close()


def told(store, selection=None, **asked):
    """The inconsistencies of one page as rule and authors, in their order."""
    found = load_triage(store, selection or Selection(), **({"audits": True} | asked))
    baseline = asked.get("with_baseline", False)
    return [
        (each.found.rule.key, each.found.one.author.name)
        for each in load_triage_cases(store, found, with_baseline=baseline).audits
    ]


def settle(store, point, value, operation):
    said = point._asdict() | {"value": value, "author": EVE, "reason": "as the source says"}
    return decide(store, **said, seen=999, operation_id=operation)


def only(store, rule):
    """The one case of a rule, with its points."""
    found = load_triage_cases(store, load_triage(store, Selection(), audits=True)).audits
    (case,) = [each for each in found if each.found.rule.key == rule]
    return case


def test_without_the_choice_they_are_counted_and_not_listed(store):
    found = load_triage(store, Selection())
    plain = load_queue(store, Selection())
    assert (found.total, found.audit_count) == (1, 3)
    assert found.order == (False,)
    assert found.audits.empty
    assert (found.states, found.kinds) == (plain.states, plain.kinds)


@pytest.mark.parametrize("state", ["open", "decided", "all"])
def test_kinds_add_up_once_those_of_several_are_counted_once(sample, state):
    """Each card of the page itself tells its kinds; the counts are those of all cards."""
    pages = load_triage(sample, Selection(), decided=state).pages
    found = [load_triage(sample, Selection(), decided=state, page=at + 1) for at in range(pages)]
    cases = [each for page in found for each, _ in load_triage_cases(sample, page).disagreements]
    many, of = found[0].several
    assert of == found[0].states[state] == len(cases)
    assert many == sum(len(each.kinds) > 1 for each in cases)
    assert sum(found[0].kinds.values()) == sum(len(each.kinds) for each in cases)
    narrowed = load_triage(sample, Selection(), decided=state, kinds=[DisagreementKind.RATERS])
    assert (narrowed.several, narrowed.kinds) == ((many, of), found[0].kinds)


def test_alone_they_stand_in_order_of_weight_and_the_states_count_them(store):
    found = load_triage(store, Selection(), audits=True)
    assert (found.total, found.pages, found.order) == (3, 1, (True,) * 3)
    assert found.rows.empty
    assert found.audits["weight"].is_monotonic_decreasing
    assert found.states == {"open": 3, "decided": 0, "all": 3}


def test_a_case_has_both_sides_the_rule_why_and_its_points(store):
    case = only(store, CONTRADICTED)
    assert (case.found.one.author, case.found.other.author) == (BEN, ADA)
    assert [(each.unit_id, each.criterion) for each in case.points] == [
        ("response", "accuracy"),
        ("s2", "label"),
    ]
    assert case.why == ("accuracy 5 where the rule leaves 2", "1 sentence against it")
    assert case.settled == ()
    voices = case.cases[case.points[1]].case.annotations
    assert [(each.author, each.answer.value) for each in voices] == [(ADA, C), (BEN, S)]
    alone = only(store, NO_LINK)
    assert [each.unit_id for each in alone.points] == ["response"]
    assert alone.why[0] == "“Yes: evidence” where the rule leaves “Unsure”"


@pytest.mark.parametrize("sort", ["worst", "far"])
def test_beside_disagreements_the_graver_comes_first_over_all_pages(sample, sort):
    by = {"worst": "weight", "far": "severity"}[sort]
    asked = {"kinds": RATERS, "audits": True, "sort": sort}
    first = load_triage(sample, Selection(), **asked)
    weights, kinds, rows, audits = [], [], [], []
    for page in range(1, first.pages + 1):
        found = load_triage(sample, Selection(), page=page, **asked)
        assert (len(found.order), found.page) == (PAGE, page) or page == first.pages
        each = {False: iter(found.rows[by]), True: iter(found.audits[by])}
        weights += [next(each[is_audit]) for is_audit in found.order]
        kinds += found.order
        rows += found.rows["nth"].tolist()
        audits += found.audits.index.tolist()
    assert weights == sorted(weights, reverse=True)
    assert len(weights) == first.total
    # Nothing twice and nothing left out: as many as each list has by itself.
    assert len(set(rows)) == len(rows) == load_queue(sample, Selection(), kinds=RATERS).total
    assert len(set(audits)) == len(audits) == first.audit_count == kinds.count(True)
    assert 0 < kinds.index(True) < len(kinds) - kinds[::-1].index(False)  # one among the others


def test_half_decided_ones_come_first_and_no_page_repeats_another(store, monkeypatch):
    point = next(each for each in only(store, INVENTED).points if each.criterion == "accuracy")
    settle(store, point, "4", "half")
    monkeypatch.setattr("data.triage.triage.PAGE", 1)
    asked = {"kinds": RATERS, "audits": True}
    total = load_triage(store, Selection(), **asked).total
    pages = [load_triage(store, Selection(), page=at + 1, **asked) for at in range(total)]
    assert [len(each.rows) + len(each.audits) for each in pages] == [1] * total
    shown = [number for each in pages for number in each.audits.index]
    assert len(set(shown)) == len(shown) == total - sum(len(each.rows) for each in pages)
    assert sum(len(each.rows) for each in pages) == 1
    halves = [bool(each.audits["is_decided"].any()) for each in pages]
    assert halves == sorted(halves, reverse=True)
    assert any(halves)


@pytest.mark.parametrize("narrowed", [False, True], ids=["all", "some"])
def test_what_weighs_the_same_on_one_unit_stands_as_its_questions_do(sample, narrowed):
    # The engine gives rows in no order: without one of their own a next page could repeat a card.
    runs = tuple(queries.runs(sample)["run_id"]) if narrowed else ()
    rows = load_queue(sample, Selection(runs=runs), size=1_000).rows
    places = ["weight", "severity", "unit_no"]
    same = rows[rows.duplicated(places, keep=False)]
    assert len(same)
    for _, each in same.groupby(places, sort=False):
        assert each["question"].is_monotonic_increasing


def test_as_stored_they_follow_the_disagreements(sample):
    asked = {"kinds": RATERS, "audits": True, "sort": "stored"}
    differ = load_queue(sample, Selection(), kinds=RATERS).total
    assert not any(load_triage(sample, Selection(), **asked).order)
    turn = load_triage(sample, Selection(), page=differ // PAGE + 1, **asked)
    assert turn.order.count(False) == differ % PAGE
    assert turn.order == tuple(sorted(turn.order))


@pytest.mark.parametrize("kinds", [(), RATERS])
def test_a_page_too_far_gives_the_last_and_none_the_first(sample, kinds):
    asked = {"kinds": kinds, "audits": True}
    first = load_triage(sample, Selection(), **asked)
    last = load_triage(sample, Selection(), page=9_999, **asked)
    assert first.pages > 2
    assert (last.page, len(last.order)) == (first.pages, first.total - PAGE * (first.pages - 1))
    assert len(load_triage_cases(sample, last).audits) == last.order.count(True)
    for page in (0, -3):
        assert load_triage(sample, Selection(), page=page, **asked).order == first.order


def test_pages_of_them_alone_follow_each_other(sample):
    total = load_triage(sample, Selection(), audits=True).total
    assert total == audit_list(sample, Selection()).total
    pages = -(-total // PAGE)
    found = [
        load_triage(sample, Selection(), audits=True, page=at + 1).audits for at in range(pages)
    ]
    numbers = [number for each in found for number in each.index]
    assert len(set(numbers)) == len(numbers) == total


def test_authors_narrow_to_cases_in_which_they_have_a_part(store):
    assert told(store, Selection(authors=(BEN,))) == [(CONTRADICTED, "ben")]
    assert set(told(store, Selection(authors=(ADA,)))) == {(CONTRADICTED, "ben"), (INVENTED, "ada")}
    assert told(store, Selection(authors=(NORTH,))) == [(NO_LINK, "north")]
    assert told(store, Selection(authors=(EVE,))) == []


def test_labels_narrow_by_either_side_and_by_who_gives_them(store):
    assert told(store, Selection(labels=(C,))) == [(CONTRADICTED, "ben")]
    assert told(store, Selection(labels=("4",))) == [(INVENTED, "ada")]
    assert told(store, Selection(labels=(U, "yes_evidence"), by="rater")) == [(INVENTED, "ada")]
    assert told(store, Selection(labels=(U, "yes_evidence"), by="judge")) == [(NO_LINK, "north")]
    # Somebody calls a sentence supported, but that is no part of any case.
    assert told(store, Selection(labels=(S,))) == []


def test_runs_protocols_items_slices_and_words_narrow_to_items(store):
    runs = queries.runs(store).set_index("protocol")["run_id"]
    linked = [(NO_LINK, "north")]
    assert told(store, Selection(runs=(runs["response_consistency"],))) == linked
    assert told(store, Selection(protocol="response_consistency")) == linked
    item_id = only(store, INVENTED).found.item_id
    assert told(store, Selection(item=item_id)) == [(INVENTED, "ada")]
    assert len(told(store, Selection(systems=("alpha",), slices=(("market", "de"),)))) == 3
    assert told(store, Selection(slices=(("market", "fr"),))) == []
    assert len(told(store, Selection(words="THE KETTLE HOLDS"))) == 3
    # These words stand in a source only; a case is about the response.
    assert told(store, Selection(words="switches itself off")) == []


def test_the_baseline_has_a_part_only_when_it_is_asked_for(store):
    draft = whole_draft(2, "expert_rubric", "accuracy", "5", BASELINE)
    save_drafts(store, [draft], "baseline")
    assert len(told(store)) == load_triage(store, Selection()).audit_count == 3
    assert {rule for rule, _ in told(store)} == {CONTRADICTED, INVENTED, NO_LINK}
    own = (INVENTED, BASELINE.name)
    assert own in told(store, with_baseline=True)
    found = load_triage(store, Selection(), audits=True, with_baseline=True)
    found = load_triage_cases(store, found, with_baseline=True)
    (case,) = [each for each in found.audits if each.found.one.author == BASELINE]
    said = case.cases[case.points[0]].case.annotations
    assert BASELINE in [each.author for each in said]


def test_an_answer_that_fits_the_labels_ends_the_case(store):
    case = only(store, CONTRADICTED)
    settle(store, case.points[0], "2", "d1")
    found = load_triage(store, Selection(), audits=True)
    assert (found.total, found.states["open"]) == (2, 2)
    assert (CONTRADICTED, "ben") not in told(store)
    assert load_triage(store, Selection(), audits=True, decided="decided").total == 0
    assert load_triage(store, Selection(), audits=True, decided="all").total == 2


def test_a_decision_that_ends_nothing_stands_first_and_says_what_is_left(store):
    settle(store, only(store, INVENTED).points[1], U, "d1")
    first = load_triage_cases(store, load_triage(store, Selection(), audits=True)).audits[0]
    assert (first.found.rule.key, first.found.one.author, first.found.other.author) == (
        INVENTED,
        ADA,
        EVE,
    )
    assert first.why[0] == "one side is decided"
    assert [(each.author, each.answer.value) for each in first.settled] == [(EVE, U)]
    assert first.cases[first.points[1]].decided is not None
    assert first.cases[first.points[0]].decided is None
    settle(store, first.points[0], "3", "d2")
    assert [rule for rule, _ in told(store)] == [CONTRADICTED, NO_LINK]


def test_what_was_decided_again_is_the_newest_of_the_settled(store):
    case = only(store, CONTRADICTED)
    first = case.points[1]
    settle(store, first, C, "d1")
    settle(store, first._replace(unit_id="s1"), S, "d2")
    settle(store, first, C, "d3")
    settled = only(store, CONTRADICTED).settled
    assert [each.answer.unit_id for each in settled] == ["s1", "s2"]


def test_a_decision_taken_back_brings_the_case_back(store):
    point = only(store, CONTRADICTED).points[0]
    number = settle(store, point, "2", "d1")
    assert len(told(store)) == 2
    said = point._asdict() | {"value": "", "author": EVE, "reason": "", "seen": 0}
    decide(store, **said, operation_id="d2", undoes=number)
    assert only(store, CONTRADICTED).settled == ()


def test_a_removed_run_takes_its_cases_along(store):
    runs = queries.runs(store).set_index("protocol")["run_id"]
    before = load_triage(store, Selection(), audits=True)
    remove_runs(store, run_ids=[runs["expert_rubric"]], removed_by="eve", operation_id="r")
    # A page that was asked for before shows what is left of it.
    assert len(load_triage_cases(store, before).audits) == 1
    assert told(store) == [(NO_LINK, "north")]


def test_a_store_without_any_disagreement_shows_its_cases(empty):
    save_drafts(empty, [whole_draft(1, "response_consistency", "consistency", "yes_evidence", ADA)])
    assert told(empty) == [(NO_LINK, "ada")]
    (point,) = only(empty, NO_LINK).points
    assert choose_points(empty, AgendaScope(selection=Selection(), audits=True), "all") == [point]


@pytest.mark.parametrize("kinds", [(), RATERS])
def test_an_empty_store_has_an_empty_first_page(empty, kinds):
    found = load_triage(empty, Selection(), kinds=kinds, audits=True, page=3)
    assert (found.total, found.page, found.pages, found.order) == (0, 1, 1, ())
    assert load_triage_cases(empty, found).audits == []
    assert (
        choose_points(empty, AgendaScope(selection=Selection(), kinds=kinds, audits=True), "all")
        == []
    )


def test_an_agenda_of_them_has_each_point_once_in_the_queues_order(sample):
    about = AgendaScope(selection=Selection(), audits=True)
    points = choose_points(sample, about, "all")
    assert len(set(points)) == len(points) == count_open_points(sample, about)
    assert choose_points(sample, about, "worst", 5) == points[:5]
    (worst,) = load_triage_cases(sample, load_triage(sample, Selection(), audits=True)).audits[:1]
    assert points[:2] == list(worst.points)
    assert len(points) < load_triage(sample, Selection(), audits=True).total


def test_a_mixed_agenda_follows_the_page_and_holds_both(store):
    about = AgendaScope(selection=Selection(), kinds=RATERS, audits=True)
    points = choose_points(store, about, "all")
    own = choose_points(store, AgendaScope(selection=Selection(), audits=True), "all")
    (differ,) = agenda_from(store, Selection(), kinds=RATERS)
    # What raters differ on is a side of a case as well, and stands there once.
    assert set(points) == {*own, differ}
    assert points.count(differ) == 1
    assert len(points) == count_open_points(store, about) == 5
    order = load_triage(store, Selection(), kinds=RATERS, audits=True).order
    assert points[0] == (own[0] if order[0] else differ)
    assert choose_points(store, about, "worst", 2) == points[:2]


@pytest.mark.parametrize("sort", ["worst", "far", "stored"])
def test_the_sample_stays_out_of_the_queue_beside_own_runs_unless_it_is_chosen(tmp_path, sort):
    store = new_store(tmp_path / "p.duckdb", first_start.fill)
    asked = {"kinds": RATERS, "audits": True, "sort": sort}
    alone = load_triage(store, Selection(), **asked)
    assert alone.total > PAGE
    samples = tuple(queries.runs(store)["run_id"])
    save_drafts(
        store,
        [
            sentence_draft(1, {ADA: (S, C, N), BEN: (S, S, N)}),
            whole_draft(1, "expert_rubric", "accuracy", "5", BEN),
        ],
    )
    found = load_triage(store, Selection(), **asked)
    assert (found.total, sorted(found.order), found.audit_count) == (2, [False, True], 1)
    assert sum(found.kinds.values()) == 1
    points = choose_points(
        store, AgendaScope(selection=Selection(), kinds=RATERS, audits=True), "all"
    )
    assert not {each.run_id for each in points} & set(samples)
    assert load_triage(store, Selection(runs=samples), **asked).total == alone.total
    store.close()


def test_an_agenda_is_narrowed_as_the_queue_and_says_the_rule(store):
    about = AgendaScope(selection=Selection(authors=(NORTH,)), audits=True)
    (point,) = choose_points(store, about, "worst", 10)
    (line,) = load_agenda_lines(store, [point])
    assert line.why == ("An evidence answer without a link",)
    differ = load_agenda_lines(store, agenda_from(store, Selection()))[0].why
    assert differ[0] == "supported against contradictory"
    assert differ[-1] == "Accuracy 3 to 5, yet a sentence is contradicted"


def test_a_mark_on_a_response_is_about_what_cannot_be_right(store):
    case = only(store, CONTRADICTED)
    (answer, sentence) = case.points
    for nth, point in enumerate((answer, sentence)):
        mark_units(store, [point[:3]], on=True, by="ada", operation_id=f"m{nth}")
    about = AgendaScope(selection=Selection())
    assert choose_points(store, about, MARKED) == [answer, sentence]


def test_a_mark_asks_what_is_disagreed_on_and_what_cannot_be_right(store):
    draft = whole_draft(1, "expert_rubric", "ethics", "5", ADA, checks=("undisclosed_text",))
    more = whole_draft(1, "expert_rubric", "accuracy", "1", ADA)
    (run_id,) = save_drafts(store, [draft._replace(said=[*draft.said, *more.said])], "ethics")
    (point,) = [each for each in agenda_from(store, Selection()) if each.criterion == "accuracy"]
    mark_units(store, [point[:3]], on=True, by="ada", operation_id="m")
    ethics = Point(run_id, point.item_id, "response", "ethics")
    assert {each[1:] for each in load_marked_points(store)} == {point[1:], ethics[1:]}


def test_a_kept_baseline_answer_makes_no_case_unlike(empty):
    alike = {ADA: (C, S, S), NORTH: (S, S, S)}
    save_drafts(
        empty,
        [
            sentence_draft(1, alike),
            sentence_draft(2, {**alike, BASELINE: (U, S, S)}),
            sentence_draft(3, {**alike, BASELINE: (S, U, S)}),
        ],
    )
    decided = next(
        each for each in agenda_from(empty, Selection()) if item_name(empty, each) == "q1"
    )
    settle(empty, decided, C, "d1")

    def precedents(with_baseline):
        found = load_triage(empty, Selection(), with_baseline=with_baseline)
        shown = load_triage_cases(empty, found, with_baseline=with_baseline).disagreements
        return {
            (each.case.external_id, each.case.unit.id): (dict(earlier.values), earlier.like)
            for each, earlier in shown
        }

    without = precedents(False)
    assert without == {("q2", "s1"): ({C: 1}, 1), ("q3", "s1"): ({C: 1}, 1)}
    # Where the baseline alone differs nothing is like it: it takes no side.
    assert precedents(True) == without | {("q3", "s2"): ({}, 0)}


def item_name(store, point) -> str:
    with store.read() as cursor:
        asked = "select external_id from run_items n join items i using (item_no) where item_id = ?"
        return cursor.execute(asked, [point.item_id]).fetchall()[0][0]
