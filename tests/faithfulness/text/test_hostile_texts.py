"""Texts made to be slow end soon: no pattern backtracks, no search grows with the square."""

import time

import pytest

from faithfulness.model.vocabulary import Field
from faithfulness.text.alignment import align_sentences
from faithfulness.text.excerpts import place_excerpt, prepare_source
from faithfulness.text.sentences import cut_sentences

LENGTH = 60_000
PATTERNS = {
    "quotes": '"',
    "closers": '.")*_',
    "blanks": " ",
    "blanks and ellipses": " " * 50 + "…",
    "addresses": "http://",
    "list numbers": "1. ",
    "stops": ". ",
    "ellipses": ". . ",
    "letters": "a",
    "words": "ab ",
    "digits": "1,",
    "brackets": "[(",
    "stars": "**a ",
    "lines": "- x\n",
    "abbreviations": 'Dr.) A "e.g." B ',
    "Chinese": "这是一",
    "units": "5 m. A ",
}
# CPU seconds of this process, fifty times what the slowest pattern needs on a busy machine.
LIMIT = 30.0


@pytest.mark.parametrize("name", PATTERNS)
def test_repeated_pattern_is_cut_aligned_and_placed_in_time(name):
    pattern = PATTERNS[name]
    text = pattern * (LENGTH // len(pattern))
    begun = time.process_time()
    spans = cut_sentences(text)
    align_sentences(
        [text[: LENGTH // 2] + " x", pattern * 5 + "y", text[1:900] + " z"], text, spans
    )
    source = [prepare_source(Field(name="c", kind="context", text=text))]
    for excerpt in (text + "x", f"y{text[: LENGTH // 2]}", pattern * 30 + "q" + pattern * 30):
        place_excerpt(excerpt, source)
    assert time.process_time() - begun < LIMIT
