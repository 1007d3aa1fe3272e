"""Cells of a table: another form of a label's word is that label, a word that is near is not."""

import pytest

from data.importing.tables.cells import read_value
from faithfulness.protocols.claim_overlap import SUPPORTED
from faithfulness.protocols.sentence_grounding import LABEL


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Contradicted", "contradictory"),
        (" contradiction ", "contradictory"),
        ("Not supported", "unsupported"),
        ("no attribution needed", "no_rad"),
        ("suported", None),
        ("no rad", None),
        ("contradict", None),
        ("partially supported", None),
    ],
)
def test_forms_of_a_label_are_read_and_nothing_that_is_near(said, value):
    assert read_value(LABEL, said)[0] == value


def test_no_other_scale_borrows_them():
    assert read_value(SUPPORTED, "contradicted")[0] is None
