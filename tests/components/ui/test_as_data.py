"""Values as a browser gets them: the same as a copy of each part would be."""

import json
from dataclasses import asdict

import pytest

from components.contradictions.evidence import Quoted, ShownPassage, UnitEvidence
from components.ui.as_data import as_data
from components.ui.label_colors import NOT_JUDGED
from components.ui.table.table import Cell, Group, TableRow
from faithfulness.model.scale import make_score_scale

PASSAGE = ShownPassage(
    before="…so", segments=[("it holds", ["number"]), (" two", [])], origin="whole"
)
QUOTE = Quoted(
    passage=PASSAGE,
    found="Verbatim",
    missing=False,
    where="Notes",
    by=("ann", "ben"),
    parts=(("same", "it holds", ""), ("changed", "two", "three")),
)
CELLS = [Cell(text="0.5", lines=[("0.5", "F1")]), Cell(text="north", strong=True)]


@pytest.mark.parametrize(
    "value",
    [
        NOT_JUDGED,
        UnitEvidence(unit=PASSAGE, quotes=(QUOTE, QUOTE), left=2, links=("https://example.org",)),
        Group(rows=[TableRow(id="one", cells=CELLS, here=True), TableRow(id="two", cells=())]),
        make_score_scale(("Very poor", "Poor", "OK", "Good", "Excellent")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_becomes_what_a_copy_of_all_its_parts_would_be(value):
    assert as_data(value) == asdict(value)
    assert json.dumps(as_data(value)) == json.dumps(asdict(value))
