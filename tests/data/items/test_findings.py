"""Findings are stored with an import and with signed answers, and come back by annotation."""

from data.items.findings import refind
from data.items.loading import load_annotations
from data.items.sign import sign
from data.runs import queries
from faithfulness.intake.intake import take_in
from faithfulness.model.vocabulary import Answer, Excerpt, Placement, Span, Tier
from tests.data.stored import ADA, BEN, CONTEXT, save_drafts, sentence_draft, stored_findings

PRICE = "Its price is $45.00."


def draft_with_price(number=1):
    draft = sentence_draft(number, {ADA: ("supported", "contradictory", "no_rad")})
    said = [replace_excerpt(each) for each in draft.said]
    return draft._replace(said=said)


def replace_excerpt(said):
    return said._replace(excerpts=(PRICE,)) if said.value == "contradictory" else said


def placed(text):
    start = CONTEXT.index(text)
    span = Span(field="context", start=start, end=start + len(text))
    return Excerpt(text=text, placement=Placement(tier=Tier.VERBATIM, spans=(span,), coverage=1.0))


def item_id_of(store, run_id):
    return queries.run_items(store, run_id)["item_id"][0]


def test_findings_of_an_import_come_back_as_they_were_taken_in(store):
    draft = draft_with_price()
    save_drafts(store, [draft])
    taken = take_in(draft)
    ((place, expected),) = taken.findings
    found = stored_findings(store, taken.item.id)
    signed = {each.number: each for each in load_annotations(store, taken.item.id)}
    ((number, findings),) = found.items()
    assert findings == (expected,)
    assert signed[number].answer == taken.signed[place].answer
    assert expected.kind == "number"


def test_each_finding_stays_with_its_annotation_in_a_larger_import(store):
    drafts = [draft_with_price(number) for number in (3, 1, 2)]
    (run_id,) = save_drafts(store, drafts)
    for draft in drafts:
        item_id = take_in(draft).item.id
        found = stored_findings(store, item_id)
        signed = {each.number: each for each in load_annotations(store, item_id, run_id)}
        assert [signed[number].answer.value for number in found] == ["contradictory"]


def test_signed_answers_are_checked_too(store):
    (run_id,) = save_drafts(store, [sentence_draft(values={ADA: ("supported",) * 3})])
    item_id = item_id_of(store, run_id)
    answer = Answer(unit_id="s2", criterion="label", value="supported", excerpts=(placed(PRICE),))
    sent = {"run_id": run_id, "item_id": item_id, "answers": [answer], "author": BEN}
    (number,) = sign(store, **sent, operation_id="ben-1")
    (found,) = stored_findings(store, item_id)[number]
    assert found.says == "$49.90 against $45.00"
    sign(store, **sent, operation_id="ben-1")
    assert len(stored_findings(store, item_id)[number]) == 1


def test_what_was_stored_before_is_looked_through_once(store):
    (run_id,) = save_drafts(store, [draft_with_price()])
    item_id = item_id_of(store, run_id)
    before = stored_findings(store, item_id)
    store.write("as before", "test", lambda cursor: cursor.execute("delete from findings") and None)
    assert stored_findings(store, item_id) == {}
    assert refind(store, operation_id="again") == 1
    assert stored_findings(store, item_id) == before
    assert refind(store, operation_id="once more") == 0
