"""The document on statistics as a page, and the links of charts into it."""

import re
from pathlib import Path

from components.ui.number_meanings import MEANINGS
from components.ui.statistics_document import DOCUMENT, blocks, paragraph

COMPONENTS = Path(__file__).resolve().parents[3] / "components"
# Draw what another one draws, or a row of numbers that the chart above it explains.
NO_PARAGRAPH = {"labels.py", "prompt_bench.py"}


def drawn():
    return list(blocks(DOCUMENT.read_text(encoding="utf-8")))


def test_every_number_has_an_address_and_its_words():
    found = {each.anchor: each for each in drawn() if each.says}
    assert list(found) == list(MEANINGS)
    assert all(found[key].says == each.says for key, each in MEANINGS.items())
    assert paragraph("f1:no_rad") == "/statistics#f1"


def test_nothing_of_the_file_s_own_marks_is_left_on_the_page():
    for each in drawn():
        assert "<a id" not in each.text
        assert "](" not in each.text
    assert not any("Cutting" in each.text for each in drawn())


def test_an_address_is_given_once():
    anchors = [each.anchor for each in drawn() if each.anchor]
    assert len(anchors) == len(set(anchors))


def test_every_chart_names_a_paragraph_that_is_there():
    anchors = {each.anchor for each in drawn()}
    calls = 0
    for path in COMPONENTS.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        named = set(re.findall(r'\bread(?:: str)?\s?=\s?"([\w-]+)"', text))
        named |= set(re.findall(r'SIDES = "([\w-]+)"', text))
        assert named <= anchors, path.name
        for call in re.findall(r"draw_marks\((?!\n    data: )(?:[^()]|\([^()]*\))*\)", text):
            calls += 1
            assert "read=" in call or path.name in NO_PARAGRAPH, path.name
    assert calls > 8
