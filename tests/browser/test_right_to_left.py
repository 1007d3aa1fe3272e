"""Sentences that run from right to left end on their left, in lists and on cards too."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from data.store.store import open_store
from faithfulness.model.drafts import DraftAnswer
from faithfulness.model.vocabulary import Field, UnitKind
from tests.data.stored import ADA, NORTH, save_drafts, sentence_draft

# Nothing but a Hebrew word and a full stop, so that no list can cut it.
SENTENCE, QUESTION = "מאה.", "כמה."
HEBREW = re.compile("[\\u05d0-\\u05ea]")
SUPPORTED, CONTRADICTORY = "supported", "contradictory"
# Where the sentence's first letter and its full stop begin, in the element's own text.
ENDS = """(element) => {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const at = node.data.search(/[\\u05d0-\\u05ea]+\\./);
    if (at < 0) continue;
    const left = (place) => {
      const range = document.createRange();
      range.setStart(node, place);
      range.setEnd(node, place + 1);
      return range.getBoundingClientRect().left;
    };
    return [left(at), left(node.data.indexOf(".", at))];
  }
  return null;
}"""


def fill_store(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(path, create=True)
    texts = {"query": QUESTION, "context": SENTENCE, "response": SENTENCE}
    said = [
        DraftAnswer(
            author=author,
            criterion="label",
            value=value,
            unit=UnitKind.SENTENCE,
            text=SENTENCE,
            rationale=SENTENCE,
            excerpts=(SENTENCE,),
        )
        for author, value in ((ADA, CONTRADICTORY), (NORTH, SUPPORTED))
    ]
    fields = tuple(Field(name=name, kind=name, text=text) for name, text in texts.items())
    (run,) = save_drafts(store, [sentence_draft(1)._replace(fields=fields, said=said)])
    (path.parent / "run.txt").write_text(run)
    store.close()


FILLED_BY = fill_store


@pytest.mark.soak
@pytest.mark.parametrize(
    ("address", "places"),
    [
        ("/item?run={run}", ("td .line .text", "td .note")),
        ("/disagreements", (".row .text", "article .passage", "article .why")),
        ("/contradictions", ("article .passage",)),
    ],
)
def test_a_full_stop_stands_left_of_its_sentence(visit, rest, server, address, places):
    run = (server.store.parent / "run.txt").read_text()
    page = visit(address.format(run=run))
    for place in places:
        found = page.locator(place).filter(has_text=HEBREW)
        expect(found.first).to_be_visible()
        for each in found.all():
            letter, stop = each.evaluate(ENDS)
            assert stop < letter, place
    rest(page)
