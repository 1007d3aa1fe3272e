"""Claims in a table: a column says from which of the two texts each claim was taken."""

from collections import Counter

import pytest

from data.importing.import_tables import Prepared
from data.importing.importer import Options
from data.importing.prepare import prepare
from faithfulness.model.errors import ImportRefused
from tests.data.importing.samples import put

pytestmark = pytest.mark.usefixtures("reading_here")

HEAD = "topic,response,reference,claim,side,judgment_ana,judgment_ben\n"
ROW = "Bridge,It is steel.,A steel bridge.,{},{},true,false\n"


def taken_in(folder, *sides, **options):
    rows = (ROW.format(f"Claim {number}.", side) for number, side in enumerate(sides))
    path = put(folder, "t.csv", (HEAD + "".join(rows)).encode())
    return prepare([("t.csv", path)], options=Options(**options), into=folder)


def fields_of_claims(folder):
    units = Prepared(folder).tables["units"].to_pylist()
    return [unit["field"] for unit in units if unit["kind"] == "claim"]


def test_claims_of_both_texts_stay_apart(tmp_path):
    manifest = taken_in(tmp_path, "prediction", "response", "Reference ", "gold", "reference")
    assert not manifest.warnings
    assert Counter(fields_of_claims(tmp_path)) == {"response": 2, "reference": 3}


@pytest.mark.parametrize("side", ["", "source", "left"])
def test_side_that_is_neither_text_is_refused_with_its_line(tmp_path, side):
    with pytest.raises(ImportRefused) as refused:
        taken_in(tmp_path, "reference", side)
    assert "t.csv line 3: the claim was taken from" in str(refused.value)
    assert "response, prediction, reference, gold" in str(refused.value)


def test_a_column_of_another_meaning_is_kept_beside_the_item_on_request(tmp_path):
    mapping = {"side": "attribute"}
    asked = {"topic": "field:topic", "response": "field:response", "reference": "field:reference"}
    mapping |= asked | {"claim": "claim", "judgment_ana": "value:supported@ana"}
    taken_in(tmp_path, "left", "right", protocol="claim_overlap", mapping=mapping)
    assert fields_of_claims(tmp_path) == ["response", "response"]
