"""Names that may be those of models, and names of people that are not."""

import pytest

from faithfulness.model.model_names import looks_like_model

MODELS = (
    *("gpt-4o", "GPT4", "chatgpt", "o1-mini", "claude-3-5-sonnet-20241022", "llama-3-70b"),
    *("mistral", "gemini", "qwen", "deepseek", "command-r", "Command R+", "phi-3", "FLAN-T5"),
    *("acme/foo", "mistralai/Mistral-7B-Instruct-v0.2", "meta.llama3", "anthropic.claude-v2:1"),
    *("foo-70b", "mix-8x7b", "foo-3.5", "foo-v2", "foo-2024-05-13", "foo:latest", "\uff27pt-4"),
    *("ragas", "lexical baseline", "LexicalBaseline", "BERTScore", "our classifier", "judge_1"),
    *("G-Eval", "geval", "QAGS"),
)
ALSO_PEOPLE = ("Claude", "claude ", "Gemma", "Sonnet", "Ernie K.", "Roberta", "claude@example.com")
PEOPLE = (
    *("ana", "José Luis", "Anna B.", "rater_1", "rater-2", "annotator_12", "expert 3", "wid_0"),
    *("Claudette", "Robert", "Albert", "Bertha", "Judith", "anna_2", "A2X", "worker17", "7", "n/a"),
    *("anna@ai.example", "published mean", "dialfact annotators", "big", "u.17", ""),
)


@pytest.mark.parametrize("name", [*MODELS, *ALSO_PEOPLE])
def test_name_that_a_model_may_have_is_noticed(name):
    assert looks_like_model(name)


@pytest.mark.parametrize("name", PEOPLE)
def test_name_of_a_person_is_left_alone(name):
    assert not looks_like_model(name)


def test_name_of_any_length_is_looked_at_quickly():
    assert not looks_like_model("a-" * 500_000)
