"""The app and the document explain the same numbers in the same words."""

import re
from pathlib import Path

from components.ui.number_meanings import MEANINGS, meaning
from faithfulness.statistics.agreement import list_pair_names

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "statistics.md"


def test_every_number_stands_in_the_document_with_the_same_words():
    text = DOCUMENT.read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| <a id=.+?`(\w+)` \| (.+?) \| (.+?) \| (.+?) \|$", text)
    assert {key: tuple(rest) for key, *rest in rows} == {
        key: (each.title, each.says, each.lies) for key, each in MEANINGS.items()
    }


def test_a_number_of_a_label_is_called_after_the_label():
    assert meaning("f1:no_rad", "No attribution needed").title == "F1, No attribution needed"
    assert meaning("f1:no_rad").in_words == MEANINGS["f1"].in_words


def test_the_numbers_of_the_statistics_have_a_meaning():
    names = {name.partition(":")[0] for name in list_pair_names(("a", "b"), True)}
    rarely_shown = {"pearson", "gamma", "icc_1_1", "icc_3_1", "sd_difference"}
    assert names - rarely_shown <= set(MEANINGS)
