"""Sentences beside the tables of agreement: what may be said of slices and undefined numbers."""

import numpy as np
import pytest

from components.agreement.labels import describe_label_use
from components.agreement.slices import describe_differing
from components.agreement.undefined_reasons import reasons
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.homogeneity import MANY
from faithfulness.statistics.tables import PairTables


def test_slices_without_an_interval_are_not_said_to_be_alike():
    assert describe_differing(0, 0).startswith("No slice has an interval")
    assert "looked at 3 slices with an interval" in describe_differing(0, 3)
    assert describe_differing(1, 3).startswith("1 slice differs from all items")
    assert describe_differing(2, 2).endswith("only they have a colour.")


def test_a_reason_names_the_label_and_leaves_f1_as_it_is_written():
    none = {"value": None, "low": None, "high": None, "items": 0, "units": 0}
    said = "neither ever says poor"
    found = [Estimate(name=f"{kind}:poor", reason=said, **none) for kind in ("f1", "precision")]
    assert reasons(found, {"poor": "Poor"}) == ["Neither ever says Poor (Poor F1, Poor precision)."]


@pytest.mark.parametrize("many", [8, MANY + 1])
def test_equal_use_of_labels_is_told_with_its_items_and_no_way_of_testing(many):
    # Above MANY nothing is swapped: chi-squared says the same. Two items more have no difference.
    cells = np.array([[0, 1, 0, 0], [0, 0, 1, 0]] * (many // 2) + [[0, 1, 0, 0]] * (many % 2))
    cells = np.vstack([cells, [[1, 0, 0, 1]] * 2])
    tables = PairTables(
        values=("a", "b"), ordinal=False, items=np.arange(many + 2), cells=cells.astype(np.uint32)
    )
    told = describe_label_use(tables)
    assert told.startswith("Nothing shows that the two use the labels differently often (p = ")
    assert told.endswith(f", tested over the {many:,} items that differ).")
