"""What codes of web pages and JSON stand for."""

import time

import pytest

from faithfulness.text.spelling import decode_spelling


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("plain & simple", "plain & simple"),
        ("&quot;a&#34;&#x22;", '"a""'),
        ("&amp;quot;", '"'),
        (r"\u0022a\\u0022", '"a"'),
        ("＂ａ：", '"a:'),
        ("la\u200bbel", "label"),
        ("Tür für 5 €", "Tür für 5 €"),
        (r"\ud83d", "\ud83d"),
    ],
)
def test_codes_are_decoded(text: str, decoded: str) -> None:
    assert decode_spelling(text) == decoded


def test_layers_without_end_are_not_followed() -> None:
    assert decode_spelling("&" + "amp;" * 50 + "lt;").endswith("amp;lt;")


def test_long_run_of_backslashes_takes_no_long_time() -> None:
    began = time.process_time()
    text = "\\" * 1_000_000
    assert decode_spelling(text) == text
    assert time.process_time() - began < 2
