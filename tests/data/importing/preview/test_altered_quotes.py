"""Quotes that turn the sense of their source: told apart before storing, and in minutes."""

import pytest

from data.importing.prepare import prepare
from data.importing.preview.preview import list_quotes
from data.importing.preview.summary import Inexact
from faithfulness.model.vocabulary import Tier
from tests.data.importing.samples import csv_of, put

SOURCE = "The kettle has a warranty of 24 months. Opened goods cannot be returned. It weighs 25 kg."
RESPONSE = "The warranty is long. Goods can go back. It is heavy."
QUOTES = {
    "The warranty is long.": "The kettle has a warranty of 36 months.",
    "Goods can go back.": "Opened goods can be returned.",
    "It is heavy.": "It weighs 52 kg.",
}


def rows(quotes, rater="ana"):
    about = {"id": "k1", "context": SOURCE, "response": RESPONSE, "rater": rater}
    return [about | {"sentence": s, "label": "supported", "excerpt": q} for s, q in quotes.items()]


def test_quotes_with_another_number_or_a_not_are_counted_and_listed(tmp_path):
    made_up = {"It is heavy.": "Coated in a thin layer of gold."}
    slip = {"It is heavy.": "The ketle has a warranty of 24 months"}
    said = [*rows(QUOTES), *rows(made_up, "ben"), *rows(slip, "eve")]
    path = put(tmp_path, "q.csv", csv_of(said))
    manifest = prepare([("q.csv", path)], into=tmp_path)
    assert manifest.runs[0].quotes_by_tier == {"absent": 1, "near": 4}
    assert list_quotes(manifest) == [
        "5 quotes: 1 in no source, 3 with another number or a “not”, 1 with small differences",
        "In no source:",
        "  q.csv line 5: “Coated in a thin layer of gold.”",
        "With another number or a “not”:",
        "  q.csv line 2: 36 months against 24 months: “The kettle has a warranty of 36 months.”",
        "  q.csv line 3: returned against not returned: “Opened goods can be returned.”",
        "  q.csv line 4: 52 kg against 25 kg: “It weighs 52 kg.”",
        "With other differences:",
        "  q.csv line 6: “ketle” where the source has “kettle”: “The ketle has a warranty of 24 "
        "months”",
    ]


def test_list_says_how_many_more_there_are(tmp_path):
    said = [each for at in range(30) for each in rows(QUOTES, f"rater {at}")]
    manifest = prepare([("q.csv", put(tmp_path, "q.csv", csv_of(said)))], into=tmp_path)
    assert len(manifest.altered_quotes) == 20
    assert list_quotes(manifest)[0] == "90 quotes: 90 with another number or a “not”"
    assert list_quotes(manifest)[-1] == "  … and 87 more"


def test_words_stitched_from_several_places_are_counted_and_no_difference(tmp_path):
    stitched = {"It is heavy.": "The kettle has a warranty of 24 months. … It weighs 25 kg."}
    path = put(tmp_path, "q.csv", csv_of(rows(stitched)))
    manifest = prepare([("q.csv", path)], into=tmp_path)
    assert list_quotes(manifest) == ["1 quote: 1 stitched from several places"]


@pytest.mark.parametrize("is_left_out", [True, False])
def test_long_words_that_differ_are_cut(is_left_out):
    short = "alpha " * 10 + "one omega"
    long = short.replace("omega", "word " * 3000 + "omega")
    quote, found = (short, long) if is_left_out else (long, short)
    told = Inexact("q.csv", 1, quote, Tier.NEAR, found, "").in_words
    assert "…” " in told
    assert len(told) < 700
