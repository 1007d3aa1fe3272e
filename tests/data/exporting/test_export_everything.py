"""Everything out and in again: a second store, filled from the export alone, says the same."""

import json
from collections import Counter

import pytest

from data import exporting
from data.importing.formats import plumbline
from data.importing.import_service import keep_import
from data.importing.importer import Options, Source
from data.importing.prepare import prepare
from data.items.current_sql import GONE
from data.items.loading import load_annotations, load_item
from data.meetings.agendas import agenda_from, find_unanimous_cases
from data.meetings.decide import decide
from data.meetings.decide_many import Settled, adopt_unanimous, decide_like
from data.meetings.decision_facts import Circumstances
from data.meetings.decisions import load_confusions, load_guideline_notes
from data.meetings.meetings import load_meetings
from data.meetings.save_meetings import begin_meeting, note_event
from data.rating import rating_desk as desk
from data.rating import rating_queries as questions
from data.rating.drafts import DraftStep, Sheet
from data.rating.rating_desk import sign_sheet
from data.runs import queries
from data.samples.first_start import fill
from data.store.store import Store
from data.triage.disagreements import all_disagreements
from faithfulness.intake.intake import take_in
from faithfulness.model.drafts import Draft, DraftAnswer, DraftDecision
from faithfulness.model.errors import ImportRefused
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind
from faithfulness.protocols import PROTOCOLS, protocol
from faithfulness.text.csv_injection import FIRST_COLUMN
from tests.data.exporting.test_exports_of_decisions import read
from tests.data.found_case import case
from tests.data.stored import ADA, EVE, save_drafts
from tests.made_stores import new_store

OLA = Author(kind=AuthorKind.ADJUDICATOR, name="Ola: =1+1")
# A run has another id in each store; its protocol and system tell runs apart in both.
_RUN = "r.protocol || ' / ' || r.system as run"
_CURRENT = f"""a.annotation_no not in ({GONE})
    and a.run_no not in (select run_no from run_removals)"""
_AT = f"""{_RUN}, i.item_id, u.unit_id, a.criterion, w.kind as author_kind, w.name as author"""
_SIGNED = """
annotations a
join runs r on r.run_no = a.run_no
join items i on i.item_no = a.item_no
join units u on u.unit_no = a.unit_no
join authors w on w.author_no = a.author_no
"""
CONTENT = {
    "items": "select item_id, cutter from items",
    "fields": """
        select i.item_id, f.position, f.name, f.kind, f.text
        from fields f join items i using (item_no)""",
    "units": """
        select i.item_id, u.unit_id, u.position, u.kind, u.field, u.span_start, u.span_end, u.text
        from units u join items i using (item_no)""",
    "runs": f"select {_RUN}, r.name from runs r",
    "items of runs": f"""
        select {_RUN}, i.item_id, n.position, n.external_id, n.attributes
        from run_items n join runs r using (run_no) join items i using (item_no)""",
    "authors": "select kind, name from authors",
    "annotations": f"""
        select {_AT}, a.value, a.problem, a.rationale, a.comment, a.confidence, a.links, a.checks,
            a.pieces
        from {_SIGNED} where {_CURRENT}""",
    "excerpts": f"""
        select {_AT}, e.position, e.text, e.tier, e.coverage, e.spans
        from {_SIGNED} join excerpts e on e.annotation_no = a.annotation_no where {_CURRENT}""",
    "findings": f"""
        select {_AT}, f.check_name, f.kind, f.unit_start, f.unit_end, f.source_field,
            f.source_start, f.source_end, f.says
        from {_SIGNED} join findings f on f.annotation_no = a.annotation_no where {_CURRENT}""",
    "found by checks": """
        select i.item_id, u.unit_id, f.check_name, f.kind, f.checks_version
        from unit_findings f join items i using (item_no)
        join units u on u.unit_no = f.unit_no and u.item_no = f.item_no""",
    "read by checks": """
        select i.item_id, c.checks_version
        from checked_items c join items i using (item_no)""",
    "decisions": f"""
        select {_AT}, d.reason, d.error_class, f.how, f.guidance, f.prompt, f.seconds
        from {_SIGNED}
        join adjudications d on d.annotation_no = a.annotation_no
        left join decision_facts f on f.annotation_no = a.annotation_no
        where {_CURRENT}""",
    "proposals": f"""
        select {_RUN}, i.item_id, u.unit_id, p.protocol, p.criterion, p.section, p.wording,
            p.proposed_by
        from guideline_proposals p
        join runs r using (run_no) join items i using (item_no) join units u using (unit_no)""",
    "replies": f"""
        select {_RUN}, i.item_id, w.kind, w.name, p.text, p.notes, p.model, p.finish_reason
        from replies p join runs r using (run_no) join items i using (item_no)
        join authors w using (author_no)""",
    "numbers": f"""
        select {_RUN}, i.item_id, w.kind, w.name, s.name, s.value, s.counted, s.left_out, s.parts,
            s.given
        from summaries s join runs r using (run_no) join items i using (item_no)
        join authors w using (author_no)
        qualify row_number() over (
            partition by s.run_no, s.item_no, s.author_no, s.name, s.given
            order by s.summary_no desc
        ) = 1""",
}  # fmt: skip


def content(store: Store, table: str) -> Counter:
    with store.read() as cursor:
        found = cursor.execute(CONTENT[table])
        names = [each[0] for each in found.description]
        rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    return Counter(json.dumps(row, sort_keys=True, default=str) for row in rows)


def rate(store: Store, key: str, run_id: str, rater: str) -> None:
    """Sign one item of a protocol with what another rater said, under a name of one's own."""
    rules = protocol(key)
    item_id = str(questions.load_queue(store, run_id, rater)["item_id"].iloc[0])
    item, sheet = load_item(store, item_id), Sheet(run_id, item_id, rater)
    before = [
        each for each in load_annotations(store, item_id, run_id)
        if each.author.kind is AuthorKind.RATER
    ]  # fmt: skip
    answers = [each.answer for each in before if each.author == before[0].author]
    states = desk.rating.build_states(answers, rules)
    steps = [
        DraftStep(f"v.{nth}", unit, "set", state)
        for nth, (unit, state) in enumerate(states.items())
    ]
    desk.keep_steps(store, sheet, item, rules, steps)
    sign_sheet(store, sheet, answers, last_step=steps[-1].id, seconds={"s1": 2.0})


def settle(store: Store, point, operation_id: str, author=EVE, **told) -> int:
    found = case(store, *point[1:])
    return decide(
        store,
        **point._asdict(),
        value=found.criterion.scale.values[0],
        author=author,
        reason=told.pop("reason", f'=HYPERLINK("{operation_id}")'),
        seen=found.seen,
        operation_id=operation_id,
        error_class="judge_wrong",
        circumstances=Circumstances(**told),
        confirmed=True,
    )


def meet(store: Store) -> None:
    """Decide some, take one back, decide one twice, apply to like cases, adopt, meet, finish."""
    for key in PROTOCOLS:
        points = agenda_from(store, Selection(protocol=key), first=4)
        settle(store, points[0], f"decide {key}", seconds=31.5, wording="Say so.")
    points = agenda_from(store, Selection(protocol="sentence_grounding"), first=8)
    number = settle(store, points[0], "to be taken back")
    facts = {"value": "", "author": EVE, "reason": "", "seen": number, "undoes": number}
    decide(store, **points[0]._asdict(), operation_id="taken back", **facts)
    settle(store, points[1], "first word")
    settle(store, points[1], "last word", OLA, reason="as the second sentence says")
    _, cases = find_unanimous_cases(store)
    adopt_unanimous(store, cases[:3], author=EVE, operation_id="adopt")
    met = begin_meeting(
        store, host="eve", present=["ada"], agenda=points[2:7], operation_id="begin", title="Monday"
    )
    settle(store, points[2], "in the meeting", meeting_id=met, seconds=12.0)
    like = [Settled(each, "supported", case(store, *each[1:]).seen) for each in points[3:5]]
    decide_like(
        store, like, follows="in the meeting", author=EVE, reason="as there", operation_id="like",
        meeting_id=met,
    )  # fmt: skip
    note_event(
        store, met, "deferred", by="eve", point=points[5], text="later", operation_id="defer"
    )
    note_event(store, met, "finished", by="eve", operation_id="finish")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    opened = new_store(tmp_path_factory.mktemp("whole") / "s.duckdb", fill)
    for key, run_id in (
        queries.runs(opened).drop_duplicates("protocol")[["protocol", "run_id"]].values
    ):
        for rater in ("Zora", "@Yann"):
            rate(opened, key, run_id, rater)
    meet(opened)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def again(store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("again")
    path, prepared = folder / "export.jsonl", folder / "prepared"
    exporting.write_export(store, Selection(), "jsonl", path)
    prepared.mkdir()
    prepare([("export.jsonl", path)], into=prepared)
    opened = new_store(folder / "s.duckdb")
    keep_import(opened, prepared, operation_id="again")
    yield opened
    opened.close()


@pytest.mark.parametrize("table", CONTENT)
def test_a_store_filled_from_the_export_says_the_same(store, again, table):
    before, after = content(store, table), content(again, table)
    assert before
    assert (before - after, after - before) == (Counter(), Counter())


@pytest.mark.parametrize("kind", ["csv", "xlsx", "parquet"])
def test_every_row_of_every_export_names_its_item_and_nothing_in_it_runs(store, tmp_path, kind):
    items = {json.loads(row)["item_id"] for row in content(store, "items")}
    meeting_id = str(load_meetings(store)["meeting_id"].iloc[0])
    for part in exporting.PARTS:
        path = tmp_path / f"{part}.{kind}"
        names = [meeting_id] if part == "minutes" else []
        count = exporting.write_part(store, part, names, kind, path)
        rows = read(path, kind)
        assert len(rows) == count > 0
        assert {row[FIRST_COLUMN] for row in rows} <= items, part
    assert {row["author"] for row in read(tmp_path / f"answers.{kind}", kind)} > {"@Yann"}


def test_a_decision_that_is_none_is_refused_by_its_line(tmp_path):
    line = {"protocol": "comparative_summary", "id": "1"}
    line["fields"] = [{"name": "response", "kind": "response", "text": "It is good."}]
    answer = {"author": "eve", "author_kind": "adjudicator", "value": "4", "unit": "response"}
    for wrong, told in (
        ({"author_kind": "rater", "decision": {"reason": "so"}}, "no adjudicator"),
        ({"decision": {"reason": " "}}, "no reason"),
        ({"decision": {"reason": "so", "how": "by lot"}}, "expected decided, like"),
        ({"decision": {"reason": "so", "why": "x"}}, "has no key"),
        ({"decision": {"reason": "so", "wording": "x" * 4_001}}, "proposes 4,001 characters"),
    ):
        path = tmp_path / "wrong.jsonl"
        path.write_text(json.dumps(line | {"answers": [answer | wrong]}), encoding="utf-8")
        with pytest.raises(ImportRefused, match=f"line 1: .*{told}"):
            list(plumbline.read([Source(name="wrong.jsonl", path=path)], Options()))


def test_an_answer_on_the_second_of_two_equal_sentences_stays_there(tmp_path):
    said = [DraftAnswer(ADA, "label", "no_rad", UnitKind.SENTENCE, "Thank you.", unit_id="s3")]
    texts = {"query": "Is it quiet?", "response": "Thank you. It is quiet. Thank you."}
    fields = tuple(Field(name=name, kind=name, text=text) for name, text in texts.items())
    opened = new_store(tmp_path / "s.duckdb")
    save_drafts(opened, [Draft("sentence_grounding", "alpha", "q1", fields, said)])
    path = tmp_path / "export.jsonl"
    exporting.write_export(opened, Selection(), "jsonl", path)
    opened.close()
    (again,) = plumbline.read([Source(name="export.jsonl", path=path)], Options())
    assert [each.answer.unit_id for each in take_in(again).signed] == ["s3"]


def test_wordings_of_two_adjudicators_on_one_unit_repeat_no_answer(tmp_path):
    said = [
        DraftAnswer(
            each,
            "label",
            "no_rad",
            UnitKind.SENTENCE,
            "It is quiet.",
            decision=DraftDecision(reason="so", section="General", wording=f"As {each.kind} says."),
        )
        for each in (EVE, OLA)
    ]
    fields = (Field(name="response", kind="response", text="It is quiet."),)
    opened = new_store(tmp_path / "s.duckdb")
    save_drafts(opened, [Draft("sentence_grounding", "alpha", "q1", fields, said)])
    path = tmp_path / "answers.csv"
    assert exporting.write_part(opened, "answers", [], "csv", path) == 2
    opened.close()
    assert [row["author"] for row in read(path, "csv")] == sorted([EVE.name, OLA.name])


def test_the_second_store_knows_what_was_confused_and_what_is_proposed(store, again):
    before, after = (load_confusions(each) for each in (store, again))
    assert len(before) > 5
    assert before.equals(after)
    told = [
        [(each.section, each.wording, len(each.behind)) for each in load_guideline_notes(one)]
        for one in (store, again)
    ]
    assert told[0] == told[1] != []


def test_the_second_store_has_the_same_disagreements_and_decisions(store, again):
    columns = ["severity", "weight", "kinds", "rater_votes", "judge_votes", "decided_place"]
    columns += ["clashes", "found"]
    before, after = (
        all_disagreements(each).to_pandas()[columns].sort_values(columns, ignore_index=True)
        for each in (store, again)
    )
    assert before.equals(after)
    assert (before["found"] > 0).any()
