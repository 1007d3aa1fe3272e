"""Prompts of users: their slots are filled once, and a file that cannot work says why."""

from collections.abc import Mapping

import pytest

from faithfulness.judging.message import build_slot_values, mark_for, write_message
from faithfulness.judging.prompt_file import load_prompt
from faithfulness.model.errors import ReviewError
from faithfulness.model.prompt import Carrier, fill_slots
from faithfulness.protocols import PROTOCOLS
from faithfulness.protocols.comparative_summary import format_product
from tests.example_items import claims_item, item_of
from tests.shared_data import ROOT, SOURCES, needs_sources

SENTENCES, SCORES = PROTOCOLS["sentence_grounding"], PROTOCOLS["comparative_summary"]
YAML = """\
prompt:
  template: |-
    Label each sentence. Answer like {"sentence": "x", "label": "supported"}.
    Asked: {{user_request}}
    Known: {{ context_document }}
    Said: {{response}}
  template_variables:
    - user_request
    - context_document
    - response
  metadata:
    version: 1.10
    tags: [fact-checking]
"""
PLAIN = "Query {}\n" + "Product {} {} {} {}\n" * 3 + "Summary {}\nScore- <score>X</score>"
TOKENS = "{{response}} {} {response} %s {{ user_request }} {0}"


def products() -> Mapping[str, str]:
    return {
        f"product_{n}": format_product(f"T{n}", f"${n}0", f"${n}", f"O{n} {TOKENS}")
        for n in (1, 2, 3)
    }


def test_yaml_template_is_filled_once_and_filled_text_stays_as_it_is() -> None:
    prompt = load_prompt("facts.yaml", YAML.encode(), SENTENCES)
    item = item_of("It sleeps two.", query=f"q {TOKENS}", context=f"c {TOKENS}")
    assert prompt.carrier is Carrier.SLOTS
    assert prompt.version == "facts.yaml 1.10"
    assert write_message(prompt, SENTENCES, item, "") == (
        'Label each sentence. Answer like {"sentence": "x", "label": "supported"}.\n'
        f"Asked: q {TOKENS}\nKnown: c {TOKENS}\nSaid: It sleeps two."
    )
    assert mark_for(prompt, item) == ""


def test_bare_slots_take_the_published_order() -> None:
    prompt = load_prompt("scores.txt", PLAIN.encode(), SCORES)
    item = item_of(f"All fine. {TOKENS}", query="fans {}", **products())
    assert write_message(prompt, SCORES, item, "") == (
        "Query fans {}\n"
        + "".join(f"Product T{n} ${n}0 ${n} O{n} {TOKENS}\n" for n in (1, 2, 3))
        + f"Summary All fine. {TOKENS}\nScore- <score>X</score>"
    )


def test_system_section_of_a_text_file_becomes_the_system_message() -> None:
    raw = f"system_msg:\n\nBe exact.\n\nmy_prompt_template:\n\n{{system_msg}}\n\n{PLAIN}\n"
    prompt = load_prompt("scores.txt", raw.encode(), SCORES)
    assert prompt.system == "Be exact."
    assert prompt.template == PLAIN


def test_windows_file_with_a_byte_order_mark_is_the_same_prompt() -> None:
    raw = b"\xef\xbb\xbf" + YAML.replace("\n", "\r\n").encode()
    plain = load_prompt("facts.yaml", YAML.encode(), SENTENCES)
    assert load_prompt("facts.yaml", raw, SENTENCES).fingerprint == plain.fingerprint


def test_template_at_the_top_of_the_yaml_file_is_found() -> None:
    raw = b"template: 'Judge {{response}} by {{context}}.'\nversion: 2\n"
    assert load_prompt("p.yml", raw, SENTENCES).version == "p.yml 2"


def test_yaml_in_a_text_file_is_read_as_yaml() -> None:
    prompt = load_prompt("facts.txt", YAML.encode(), SENTENCES)
    assert prompt.template == load_prompt("facts.yaml", YAML.encode(), SENTENCES).template
    assert "template" not in prompt.template


@pytest.mark.parametrize(
    ("name", "raw", "says"),
    [
        ("p.yaml", b"template: 'a {{response}} {{weather}}'", "weather"),
        ("p.yaml", b"template: '{{response}}'\ntemplate_variables: [query]", "does not list"),
        ("p.yaml", b"template: '{{response}}'\ntemplate_variables: response", "must be a list"),
        ("p.yaml", b"template: 'only {{query}}'", "under review"),
        ("p.yaml", b"prompt: {text: hello}", "no template"),
        ("p.yaml", b"- a\n- b", "no template"),
        ("p.yaml", b"", "no template"),
        ("p.yaml", b"template: [1, 2]", "no template"),
        ("p.yaml", b"a: b\nprompt: template: x", "line 2"),
        ("p.yaml", b"[" * 5000, "not YAML"),
        ("p.yaml", b"template: ''", "empty"),
        ("p.yaml", b"prompt: template: |- Judge {{response}} metadata: x", "line breaks were lost"),
        ("p.txt", b"prompt: template: |- Judge {{response}} metadata: x", "line breaks were lost"),
        ("p.txt", b"template: |- Judge {{response}} version: 2", "line breaks were lost"),
        ("p.txt", b"prompt: Judge {{response}}", "line breaks were lost"),
        ("p.txt", b"template: '{{response}}'\ntemplate_variables: response", "must be a list"),
        ("p.txt", b"   ", "empty"),
        ("p.txt", b"no slot at all", "no slot"),
        ("p.txt", b"{} and {}", "2 empty {} slots"),
        ("p.txt", b"fine\n{} {} gr\xfcn", "line 2: the file is not UTF-8"),
        ("p.txt", b"x" * 200_001, "200,001 bytes"),
    ],
)
def test_file_that_cannot_work_says_why(name: str, raw: bytes, says: str) -> None:
    with pytest.raises(ReviewError) as refused:
        load_prompt(name, raw, SENTENCES)
    assert str(refused.value).startswith(name)
    assert says in str(refused.value)


def test_yaml_tags_and_aliases_do_nothing(tmp_path: object) -> None:
    raw = b"template: !!python/object/apply:os.mkdir ['YAML_TAG_RAN']\n"
    with pytest.raises(ReviewError, match="no template"):
        load_prompt("p.yaml", raw, SENTENCES)
    assert not (ROOT / "YAML_TAG_RAN").exists()


@pytest.mark.parametrize("each", PROTOCOLS.values(), ids=PROTOCOLS.keys())
def test_every_protocol_fills_its_published_order(each: object) -> None:
    protocol = PROTOCOLS[each.key]  # type: ignore[attr-defined]
    order = tuple(protocol.prompt.slots)
    assert order
    values = build_slot_values(protocol, item_of("Said.", query="Asked.", context="Known."))
    assert "Said." in fill_slots("{}|" * len(order), values, order)


def test_several_sources_are_told_apart_in_one_slot() -> None:
    item = item_of("Said.", detail_page="Seller's words.", reviews="Buyers' words.")
    values = build_slot_values(PROTOCOLS["response_consistency"], item)
    assert values["context_document"] == (
        "Detail page (detail_page):\nSeller's words.\n\nReviews (reviews):\nBuyers' words."
    )
    assert values["detail_page"] == "Seller's words."


def test_claims_can_be_put_into_a_slot_with_their_ids() -> None:
    item = claims_item(["One."], ["Two."])
    lines = build_slot_values(PROTOCOLS["claim_overlap"], item)["claims"].split("\n")
    assert len(lines) == 2
    assert item.units[0].id in lines[0]
    assert '"check_against": ["reference"]' in lines[0]


@needs_sources
def test_published_prompt_is_filled_and_the_one_without_line_breaks_refused() -> None:
    (scores,) = SOURCES.glob("001_*.txt")
    prompt = load_prompt(scores.name, scores.read_bytes(), SCORES)
    item = item_of("The comparison.", query="The query.", **products())
    message = write_message(prompt, SCORES, item, "")
    assert message.count("The comparison.") == 1
    assert message.count("The query.") == 1
    assert "{system_msg}" not in message
    (labels,) = SOURCES.glob("002_*.txt")
    with pytest.raises(ReviewError, match="line breaks were lost"):
        load_prompt(labels.name, labels.read_bytes(), SENTENCES)
