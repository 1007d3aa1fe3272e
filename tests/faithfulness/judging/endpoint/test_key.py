"""A key is bound to its address and shows itself nowhere."""

import copy
import json
import pickle

import pytest

from faithfulness.judging.endpoint.key import (
    OPENAI_ADDRESS,
    Key,
    get_host,
    load_environment_key,
    redact,
)
from faithfulness.model.errors import JudgeFailed

SECRET = "sk-proj-A1b2C3d4E5f6G7h8I9j0KLmn"


def test_a_key_has_no_text_of_its_own():
    key = Key(SECRET, base_url=OPENAI_ADDRESS)
    assert SECRET not in f"{key} {key!r} {[key]} {dir(key)} {key.__slots__}"
    assert not hasattr(key, "__dict__")
    with pytest.raises(TypeError):
        json.dumps(key)
    for version in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="memory only"):
            pickle.dumps(key, version)
    assert copy.copy(key) is key
    assert copy.deepcopy({"key": key})["key"] is key


@pytest.mark.parametrize(
    "other",
    [
        "http://api.openai.com/v1",
        "https://api.openai.com:8443/v1",
        "https://api.openai.com.evil.example/v1",
        "https://evil.example/v1",
        "https://api.openai.com@evil.example/v1",
    ],
)
def test_a_key_is_for_its_host_only(other):
    key = Key(SECRET, base_url=OPENAI_ADDRESS)
    assert key.for_address("https://API.openai.com:443/v2") == SECRET
    with pytest.raises(JudgeFailed) as caught:
        key.for_address(other)
    assert caught.value.kind == "key"
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("said", ["", "   ", "two words", "sk-\u00e9", "sk-a\nX: y"])
def test_what_cannot_be_a_key_is_refused_without_being_repeated(said):
    with pytest.raises(JudgeFailed) as caught:
        Key(said, base_url=OPENAI_ADDRESS)
    assert "Copy it again" in str(caught.value)
    assert "words" not in str(caught.value)


def test_the_environments_keys_go_where_the_operator_meant_them():
    own = {
        "PLUMBLINE_JUDGE_KEY": "own-key",
        "PLUMBLINE_JUDGE_ADDRESS": "https://llm.example/v1",
        "OPENAI_API_KEY": "openai-key",
    }
    mine = load_environment_key("https://llm.example/other", own)
    theirs = load_environment_key(OPENAI_ADDRESS, own)
    assert mine is not None
    assert theirs is not None
    assert mine.for_address("https://llm.example/v1") == "own-key"
    assert theirs.for_address(OPENAI_ADDRESS) == "openai-key"
    assert load_environment_key("https://typed.example/v1", own) is None
    assert load_environment_key(OPENAI_ADDRESS, {}) is None
    assert get_host("https://llm.example/v1") == "https://llm.example:443"


@pytest.mark.parametrize(
    "echo",
    [
        SECRET,
        f"Bearer {SECRET}",
        f"{SECRET[:7]}{'*' * 20}{SECRET[-4:]}",
        f"{SECRET[:3]}...{SECRET[-4:]}",
        f"sk-\u2026{SECRET[-4:]}",
        f"****{SECRET[-4:]}",
        f"xxxx{SECRET[-4:]}",
        SECRET[5:20],
        SECRET[:14],
        SECRET[-10:],
    ],
)
def test_echoes_of_a_key_are_hidden_whole_and_in_part(echo):
    hidden = Key(SECRET, base_url=OPENAI_ADDRESS).hide(f"Incorrect key: {echo}. See the docs.")
    assert "[key hidden]" in hidden
    assert SECRET[-4:] not in hidden
    assert not [n for n in range(8, len(SECRET) - 5) if SECRET[n : n + 5] in hidden]
    assert hidden.endswith("See the docs.")


def test_words_that_are_no_key_stay():
    told = "The model gpt-4o was asked... too often; risk-averse key_features stay."
    assert Key(SECRET, base_url=OPENAI_ADDRESS).hide(told) == told
    assert redact(told) == told
    assert redact("Authorization: Bearer abc.def") == "Authorization: Bearer [key hidden]"
    assert "sk-live" not in redact("someone else's sk-live-1234567890")


def test_a_key_that_is_hidden_is_not_hidden_twice():
    key = Key("sk-abcdefghijklmnopqrstuvwxyz", base_url="https://judge.example")
    for text in ("Bearer sk-abcdefghijklmnopqrstuvwxyz", "Bearer sk-abcdef…wxyz", "Bearer other"):
        hidden = key.hide(text)
        assert hidden == redact(hidden) == key.hide(hidden) == "Bearer [key hidden]"
