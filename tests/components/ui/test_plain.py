"""What plain promises before any browser sees it; tests/browser checks the page itself."""

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from components.ui.plain import plain, visible

MARKDOWN = set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def shown(markdown: str) -> str:
    """What a Markdown reader leaves of our own escapes."""
    return html.unescape(markdown.replace(":small[]", ""))


def test_no_punctuation_reaches_markdown_as_such():
    text = "![x](http://a.b/c.png) $x$ :red[hot] `code` <img src=x> **b** [y]: z"
    left = plain(text).replace(":small[]", "")
    inside_words = re.compile(r"(?<=[a-z0-9])[-_.,'](?=[a-z0-9])")
    assert not set(re.sub(r"&#\d+;", "", inside_words.sub("", left))) & MARKDOWN


def test_names_keep_the_marks_inside_them():
    """Streamlit gives labels to screen readers as they were sent."""
    assert plain("bot_version") == "bot_version"
    assert plain("judge-north-2, gpt-4.1") == "judge-north-2&#44; gpt-4.1"
    assert plain("_a_ b__c 1. -d") == "&#95;a&#95; b&#95;&#95;c 1&#46; &#45;d"


def test_an_entity_in_the_text_stays_what_it_was():
    assert shown(plain("&amp; &#33; :small[]")) == "&amp; &#33; "[:-1] + " :small[]"


def test_addresses_and_emoji_names_are_cut_in_two():
    assert "http:small[]" in plain("see http://a.b")
    assert "www:small[]" in plain("see www.a.b")
    assert "me:small[]&#64;" in plain("me@a.b")
    assert "me&#45;:small[]&#64;" in plain("me-@a.b")
    assert "&#58;:small[]smile" in plain(":smile:")


def test_a_line_is_one_line():
    assert shown(plain("  a\n\n\tb\u00a0c  ")) == "a b c"


def test_control_characters_and_direction_marks_are_spelt_out():
    assert visible("a\x00b\x1bc\x7fd") == "a␀b␛c␡d"
    assert visible("a\u202eb\u200bc\ufeff") == "a⟦U+202E⟧b⟦U+200B⟧c⟦U+FEFF⟧"
    assert visible("\U000e0041") == "⟦U+E0041⟧"


def test_a_lone_surrogate_can_be_sent():
    assert visible("\ud800x").encode("utf-8") == "⟦U+D800⟧x".encode()


def test_joiners_inside_words_and_emoji_stay():
    family = "👨\u200d👩\u200d👧"
    assert visible(family) == family


@given(st.text(max_size=200))
def test_every_text_comes_back_as_it_is_seen(text):
    expected = re.sub(r"\s+", " ", visible(text)).strip()
    escaped = plain(text)
    escaped.encode("utf-8")  # a lone surrogate would raise here, and blank the page
    if ":small[]" not in expected:
        assert shown(escaped) == expected
