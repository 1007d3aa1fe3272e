"""Every label of every protocol can be told apart without colour."""

import itertools

import pytest

from components.ui.label_colors import NOT_JUDGED, UNREAD, badge, get_answer_look, look
from faithfulness.model.vocabulary import Answer, make_unread_answer
from faithfulness.protocols import PROTOCOLS

CRITERIA = [
    pytest.param(criterion, id=f"{key}-{criterion.key}")
    for key, protocol in PROTOCOLS.items()
    for criterion in protocol.criteria
]


@pytest.mark.parametrize("criterion", CRITERIA)
def test_tones_are_told_apart_by_symbol_and_underline(criterion):
    looks = {label.value: look(label, criterion.scale) for label in criterion.scale.labels}
    for first, second in itertools.combinations(criterion.scale.labels, 2):
        one, other = looks[first.value], looks[second.value]
        assert one.title != other.title
        if first.tone != second.tone:
            assert one.glyph != other.glyph
            assert one.underline != other.underline
            assert one.color != other.color


def test_unread_and_not_judged_look_like_no_label():
    glyphs = {
        look(label, criterion.scale).glyph
        for protocol in PROTOCOLS.values()
        for criterion in protocol.criteria
        for label in criterion.scale.labels
    }
    assert UNREAD.glyph not in glyphs
    assert NOT_JUDGED.glyph not in glyphs


def test_an_answer_off_the_scale_is_shown_as_unread():
    criterion = PROTOCOLS["sentence_grounding"].criteria[0]
    odd = Answer(unit_id="s1", criterion="label", value="Supported!")
    assert get_answer_look(odd, criterion) == UNREAD
    assert get_answer_look(make_unread_answer("s1", "label", "no reply"), criterion) == UNREAD
    assert (
        get_answer_look(Answer(unit_id="s1", criterion="label", value=None), criterion)
        == NOT_JUDGED
    )


def test_a_badge_names_its_label():
    criterion = PROTOCOLS["sentence_grounding"].criteria[0]
    shown = look(criterion.scale.label("contradictory"), criterion.scale)
    assert badge(shown) == ":red-badge[≠ Contradictory]"
