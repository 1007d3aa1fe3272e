"""The numbers that a file gives for an item come back with their authors, and none of another's."""

import warnings

from data.items.item_numbers import GivenNumber, load_given_numbers
from data.runs import queries
from faithfulness.model.drafts import Number
from faithfulness.model.vocabulary import Author, AuthorKind
from tests.data.stored import ADA, NORTH, save_drafts, sentence_draft

GOOD = ("supported", "contradictory", "no_rad")


def test_given_numbers_come_raters_first_and_computed_ones_stay_out(store):
    numbers = [
        Number(author=NORTH, name="Overlap", value=0.25),
        Number(author=NORTH, name="Length", value=12.0),
        Number(author=ADA, name="Fluency", value=None),
    ]
    draft = sentence_draft(values={ADA: GOOD})._replace(numbers=numbers)
    (run_id,) = save_drafts(store, [draft])
    item_id = queries.run_items(store, run_id)["item_id"][0]
    assert load_given_numbers(store, run_id, item_id) == (
        GivenNumber("rater", ADA.name, "Fluency", None),
        GivenNumber("judge", NORTH.name, "Length", 12.0),
        GivenNumber("judge", NORTH.name, "Overlap", 0.25),
    )
    assert load_given_numbers(store, "another run", item_id) == ()
    assert load_given_numbers(store, run_id, "another item") == ()


def test_an_item_with_a_hundred_and_twenty_authors_is_listed_quietly(store):
    authors = [Author(kind=AuthorKind.RATER, name=f"r{number}") for number in range(120)]
    (run_id,) = save_drafts(store, [sentence_draft(values=dict.fromkeys(authors, GOOD))])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        listed = queries.run_items(store, run_id)
    assert [each for each in listed.columns if str(each).startswith("rater ")] == [
        f"rater {name}" for name in sorted(each.name for each in authors)
    ]
