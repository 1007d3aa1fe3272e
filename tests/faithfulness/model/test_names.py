"""One spelling for one author."""

import pytest

from faithfulness.model.names import fold_name


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("ana", "ana"),
        (" ana\t", "ana"),
        ("Ana \u00a0 Lu", "Ana Lu"),
        ("Jose\u0301", "Jos\u00e9"),
        ("Ana", "Ana"),  # capitals tell people apart
        ("  ", ""),
    ],
)
def test_blanks_and_ways_to_write_a_letter_make_no_other_name(typed, stored):
    assert fold_name(typed) == stored
    assert fold_name(stored) == stored
