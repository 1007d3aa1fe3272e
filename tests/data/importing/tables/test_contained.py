"""Texts that stand in those of another column tell sentence, response, source and excerpt."""

import pytest

from data.importing.columns import inspect_columns
from data.importing.tables.roles import suggest_for_values
from tests.data.importing.samples import csv_of, put

RESPONSES = {
    "It has a lid. It holds two litres. It is never hot outside.": (
        "It has a lid.",
        "It holds two litres.",
        "It is never hot outside.",
    ),
    "Wipe it with a cloth. Do not soak it.": ("Wipe it with a cloth.", "Do not soak it."),
}
SOURCE = "The kettle was made for small kitchens by people who like tea. " * 12 + (
    "Capacity: 1.5 litres when full. Clean the outside with a damp cloth only."
)
QUOTES = ("Capacity: 1.5 litres when full.", "Clean the outside with a damp cloth only.")


def table(**more):
    """A row for each sentence, under names that nobody knows."""
    said = [(text, each) for text, sentences in RESPONSES.items() for each in sentences]
    return [
        {"nr": f"k{at}", "antwort": text, "satz": sentence, "urteil": "Supported"}
        | {column: values[at % len(values)] for column, values in more.items()}
        for at, (text, sentence) in enumerate(said)
    ]


def proposed(tmp_path, rows, protocol="sentence_grounding"):
    looked = inspect_columns([("t.csv", put(tmp_path, "t.csv", csv_of(rows)))])
    return suggest_for_values(looked.first, protocol, *looked.told(protocol))


def test_text_in_most_texts_of_another_column_is_the_sentence_of_that_response(tmp_path):
    rows = table()
    rows[0]["satz"] = "It has got a lid."  # one that was written anew
    found = proposed(tmp_path, rows)
    assert (found["satz"], found["antwort"]) == ("sentence", "field:response")
    assert found["urteil"] == "value:label@urteil"
    assert found["nr"] == "attribute"


def test_quote_of_a_much_longer_text_is_an_excerpt_of_the_source(tmp_path):
    found = proposed(tmp_path, table(quelle=[SOURCE], zitat=[*QUOTES, ""]))
    assert (found["satz"], found["antwort"]) == ("sentence", "field:response")
    assert found["quelle"] == "field:context"
    assert found["zitat"].startswith("excerpt")


def test_sentence_of_a_much_longer_text_alone_is_one_of_the_source(tmp_path):
    rows = [{"quelle": SOURCE, "satz": each, "urteil": "supported"} for each in QUOTES]
    found = proposed(tmp_path, rows)
    assert (found["satz"], found["quelle"]) == ("sentence", "field:context")


@pytest.mark.parametrize(
    ("named", "other", "role"),
    [("response", "satz", "sentence"), ("sentence", "antwort", "field:response")],
)
def test_known_name_tells_what_the_other_column_is(tmp_path, named, other, role):
    renamed = {"response": "antwort", "sentence": "satz"}[named]
    rows = [{named: row.pop(renamed)} | row for row in table()]
    assert proposed(tmp_path, rows)[other] == role


def test_names_go_before_what_texts_tell(tmp_path):
    rows = [row | {"response": "It is a kettle for tea.", "sentence": "It is a"} for row in table()]
    found = proposed(tmp_path, rows)
    assert (found["satz"], found["antwort"]) == ("attribute", "attribute")


def test_copy_of_a_known_response_is_no_source(tmp_path):
    rows = [row | {"roh": f"Answer: {row['antwort']}"} for row in table()]
    named = [{"response": row.pop("antwort")} | row for row in rows]
    assert proposed(tmp_path, named)["roh"] == "attribute"


def test_known_excerpt_tells_the_source_of_any_length(tmp_path):
    rows = table(quelle=[" ".join(QUOTES)], quote=QUOTES)
    assert proposed(tmp_path, rows)["quelle"] == "field:context"


def test_of_two_columns_that_may_be_the_sentence_none_is_proposed(tmp_path):
    rows = [row | {"noch_einer": row["satz"]} for row in table()]
    found = proposed(tmp_path, rows)
    assert (found["satz"], found["noch_einer"]) == ("attribute", "attribute")
    assert found["antwort"] == "field:response"


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("grund", ["It says so there.", "Nothing of it is said."]),  # stands nowhere else
        ("wort", ["lid", "litres", "hot", "cloth", "soak"]),  # a word is no sentence
        ("kopie", [*RESPONSES]),  # in the wrong rows
    ],
)
def test_what_is_no_part_of_a_text_stays_beside_the_item(tmp_path, column, values):
    assert proposed(tmp_path, table(**{column: values}))[column] == "attribute"


def test_under_protocols_of_whole_responses_no_text_is_proposed(tmp_path):
    found = proposed(tmp_path, table(), "comparative_summary")
    assert (found["satz"], found["antwort"]) == ("attribute", "attribute")


def test_very_long_texts_are_left_to_the_person(tmp_path):
    rows = [row | {"antwort": row["antwort"] + " and so on" * 10_000} for row in table()]
    assert proposed(tmp_path, rows)["antwort"] == "attribute"


@pytest.mark.parametrize(
    ("value", "protocol"),
    [
        ("Supported", "sentence_grounding"),
        ("YES_EVIDENCE", "response_consistency"),
        ("4", ""),
        ("ok", ""),
    ],
)
def test_labels_tell_the_protocol_whatever_their_letter_case(tmp_path, value, protocol):
    rows = [row | {"urteil": value} for row in table()]
    looked = inspect_columns([("t.csv", put(tmp_path, "t.csv", csv_of(rows)))])
    assert looked.protocol == protocol


STATEMENTS = ("It holds two litres in total.", "You may soak the whole kettle.")


def quoting(source, **more):
    """A row for each paraphrased statement with the words of the source behind it."""
    return [
        {"passage": source, "extract": quote, "statement": said, "outcome": "contradictory"} | more
        for quote, said in [*zip(QUOTES, STATEMENTS, strict=True)] * 3
    ]


@pytest.mark.parametrize("more", [{}, {"response": "Two litres fit. Soak it whole."}])
def test_quote_beside_a_paraphrased_statement_is_an_excerpt_and_no_sentence(tmp_path, more):
    found = proposed(tmp_path, quoting(SOURCE, **more))
    assert found["passage"] == "field:context"
    assert found["extract"].startswith("excerpt")
    assert found["statement"] == "attribute"


def test_short_passage_beside_a_paraphrased_statement_is_no_response(tmp_path):
    found = proposed(tmp_path, quoting(" ".join(QUOTES)))
    assert {found[each] for each in ("passage", "extract", "statement")} == {"attribute"}


def test_text_that_is_the_same_for_all_of_a_response_leaves_its_sentences_clear(tmp_path):
    asked = dict(zip(RESPONSES, ("What is it like?", "How is it cleaned?"), strict=True))
    found = proposed(tmp_path, [row | {"frage": asked[row["antwort"]]} for row in table()])
    assert (found["satz"], found["antwort"]) == ("sentence", "field:response")
    assert found["frage"] == "attribute"


def test_of_two_parts_of_a_source_neither_is_proposed(tmp_path):
    rows = [
        {"quelle": SOURCE, "a": QUOTES[at], "b": QUOTES[1 - at], "l": "supported"} for at in (0, 1)
    ]
    found = proposed(tmp_path, rows)
    assert (found["quelle"], found["a"], found["b"]) == ("field:context", "attribute", "attribute")
