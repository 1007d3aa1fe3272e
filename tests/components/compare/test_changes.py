"""A row of what changed opens the response whose words it shows."""

from urllib.parse import parse_qs, urlsplit

import pytest

from components.compare.changes import BETWEEN_RESPONSES, _build_places, _build_row
from faithfulness.model.comparability import Moved
from faithfulness.model.selection import Selection


@pytest.mark.parametrize(
    ("other", "opens", "run"), [("item-1", "item-1", "run-b"), ("item-2", "item-1", "run-a")]
)
def test_words_open_the_item_that_holds_them(other, opens, run):
    line = {
        "item_first": "item-1",
        "item_second": other,
        "external_id": "product_3",
        "unit_id": "response",
        "position": 0,
        "kind": "response",
        "text": "Words of A.",
        "first_value": None,
        "second_value": None,
        "moved": Moved.WORSE.value,
    }
    places = _build_places(line, ("run-a", "run-b"), Selection())
    words, *sides = _build_row(0, line, places, {}, BETWEEN_RESPONSES).cells
    address = parse_qs(urlsplit(words.href).query)
    assert (address["item"], address["run"]) == ([opens], [run])
    assert places[words.action == "second"].item == opens
    assert [parse_qs(urlsplit(each.href).query)["run"] for each in sides[:2]] == [
        ["run-a"],
        ["run-b"],
    ]
