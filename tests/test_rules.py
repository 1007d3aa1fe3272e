"""Every rule of the published systems is told once, and what is said to apply it exists."""

import re
from collections import Counter

import pytest

from data.importing.formats import IMPORTERS
from faithfulness.checks import CHECKS
from faithfulness.model.protocol import EvidenceKind
from faithfulness.policies.bridges import FORWARD
from faithfulness.policies.bridges.pieces import (
    claims_to_sentences,
    sentences_to_claims,
)
from faithfulness.policies.inconsistency_rules import AUDIT_RULES
from faithfulness.policies.policies import POLICIES
from faithfulness.protocols import PROTOCOLS
from tests.shared_data import ROOT, SOURCES, needs_sources

DOCUMENT = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
ROW = re.compile(r"(?m)^\| ((?:RC|CS|SG|CO|ER)-[a-z0-9-]+) \| (.+?) \| (.+) \|$")
RULES = {found[1]: (found[2], found[3]) for found in ROW.finditer(DOCUMENT)}
PIECES = {each.__name__ for each in (claims_to_sentences, sentences_to_claims)}
TICKS = {
    f"{key}.{check.key}"
    for key, each in PROTOCOLS.items()
    for criterion in each.criteria
    for check in criterion.checklist
}
CRITERIA = {f"{key}.{each.key}" for key, one in PROTOCOLS.items() for each in one.criteria}
KNOWN = {
    "form": set(PROTOCOLS) | CRITERIA,
    "prompt": set(PROTOCOLS),
    "parse": set(PROTOCOLS),
    "summary": set(PROTOCOLS),
    "evidence": {
        key for key, each in PROTOCOLS.items() if each.evidence.kind is not EvidenceKind.NONE
    },
    "tick": TICKS,
    "check": set(CHECKS),
    "audit": set(AUDIT_RULES),
    "bridge": set(FORWARD) | PIECES,
    "policy": set(POLICIES),
    "import": set(IMPORTERS),
}


def applied_by(rule):
    return re.findall(r"`([a-z]+):([\w.]+)`", RULES[rule][1])


def test_each_rule_is_told_once():
    ids = [found[1] for found in ROW.finditer(DOCUMENT)]
    assert [rule for rule, times in Counter(ids).items() if times > 1] == []
    assert len(ids) > 100


@pytest.mark.parametrize("rule", RULES)
def test_what_applies_a_rule_exists(rule):
    said = RULES[rule][1]
    found = applied_by(rule)
    if not found:
        assert re.fullmatch(r"none: .{20,}", said), f"{rule} is applied by nothing and says not why"
    assert " ".join(f"`{how}:{what}`" for how, what in found) == ("" if not found else said)
    assert not [(how, what) for how, what in found if what not in KNOWN.get(how, ())]


def test_every_policy_check_audit_rule_and_bridge_applies_some_rule():
    used = {how: set() for how in KNOWN}
    for rule in RULES:
        for how, what in applied_by(rule):
            used[how].add(what)
    for how in ("policy", "audit", "bridge", "tick"):
        assert used[how] == KNOWN[how], how
    # A text that speaks to its judge is no matter of the five systems, but of judging safely.
    assert used["check"] == KNOWN["check"] - {"addressed"}


def test_rules_that_the_code_names_are_told():
    named = {
        name
        for path in (ROOT / "faithfulness").rglob("*.py")
        for name in re.findall(
            r"\"((?:RC|CS|SG|CO|ER)-[a-z0-9-]+)\"", path.read_text(encoding="utf-8")
        )
    }
    assert {"RC-one-error", "CS-levels", "ER-undisclosed"} <= named
    assert named <= set(RULES)


# Which lines of the published texts each rule stands on; of the second prompt, which is one line,
# the place of its first character. Headings, blank slots and code fences are no rules.
CONSISTENCY = {
    5: "RC-question RC-where", 7: "RC-six-answers", 9: "RC-six-answers", 10: "RC-six-answers",
    11: "RC-six-answers", 12: "RC-six-answers", 13: "RC-six-answers", 14: "RC-six-answers",
    18: "RC-all-statements RC-links", 19: "RC-factoid-all", 20: "RC-broad-each",
    21: "RC-broad-each RC-80", 22: "RC-name-unverified", 23: "RC-broad-product",
    24: "RC-sentiment", 25: "RC-eight-of-ten", 26: "RC-quote-exact", 27: "RC-quote-language",
    28: "RC-one-contradicts RC-links", 29: "RC-absent", 31: "RC-credit", 32: "RC-quote-differs",
    33: "RC-plural", 34: "RC-brand-first", 35: "RC-share", 36: "RC-known", 37: "RC-broad-known",
    38: "RC-against-known", 39: "RC-sources-clash", 40: "RC-sources-clash", 41: "RC-small-talk",
    42: "RC-asks-back", 43: "RC-small-talk", 44: "RC-refusal", 45: "RC-sensitive",
    46: "RC-follow-up", 50: "RC-synonyms", 51: "RC-synonyms", 52: "RC-context-means-page",
    54: "RC-source-words", 55: "RC-seller-answers", 56: "RC-third-party", 57: "RC-find-product",
    59: "RC-one-error", 61: "RC-links-only-there RC-preference",
}  # fmt: skip
COMPARISON = {
    **dict.fromkeys((3, 5, 7, 8, 9, 13), "CS-role"), 10: "CS-single-score", 11: "CS-format",
    22: "CS-inputs CS-single-score", 24: "CS-metric", 28: "CS-levels",
    **dict.fromkeys((*range(30, 34), *range(35, 39), *range(40, 44)), "CS-levels"),
    **dict.fromkeys((*range(45, 49), *range(50, 54)), "CS-levels"),
    **dict.fromkeys((56, *range(58, 63), *range(64, 69), *range(70, 75), 76), "CS-inputs"),
    80: "CS-plan-first", 82: "CS-plan-first", 83: "CS-cross-check", 84: "CS-numbers",
    85: "CS-inference", 86: "CS-name-faults", 87: "CS-weigh", 88: "CS-format", 90: "CS-explain",
    92: "CS-explain", 93: "CS-explain", 94: "CS-format", 96: "CS-format", 97: "CS-format",
    99: "CS-format", 101: "CS-only-this",
}  # fmt: skip
SENTENCES = {
    307: "SG-cut", 364: "SG-supported", 425: "SG-supported SG-excerpt", 668: "SG-unsupported",
    777: "SG-contradictory", 898: "SG-no-rad", 1055: "SG-rationale", 1181: "SG-strict",
    1414: "SG-world-knowledge", 1480: "SG-inputs", 1681: "SG-json", 2077: "SG-json",
    2116: "SG-example", 2970: "SG-inputs",
}  # fmt: skip
CLAIMS = {
    **dict.fromkeys((5, 9, 10, 11, *range(13, 20), 21, 24, 26, *range(28, 35), 36), "CO-files"),
    25: "CO-gold", 39: "CO-both-ways", 41: "CO-both-ways CO-not-judged",
    42: "CO-both-ways CO-not-judged", 45: "CO-no-doubt", 47: "CO-all-parts", 48: "CO-all-parts",
    49: "CO-all-parts", 50: "CO-all-parts", 51: "CO-meaning", 52: "CO-meaning",
    53: "CO-time-cause", 54: "CO-exact-facts", 56: "CO-contradicts", 57: "CO-contradicts",
    58: "CO-omits", 59: "CO-inference", 60: "CO-partial", 64: "CO-point-to",
}  # fmt: skip
RUBRIC = {
    5: "ER-clear", 6: "ER-tied", 7: "ER-nothing-invented", 8: "ER-nothing-superfluous",
    9: "ER-no-language-errors", 11: "ER-small-errors", 13: "ER-errors", 14: "ER-superfluous",
    15: "ER-invented-compatible", 17: "ER-clear-but-wrong", 18: "ER-tied-but-wrong",
    19: "ER-misrepresents ER-levels", 21: "ER-no-clear-answer", 25: "ER-opinions-attributed",
    26: "ER-no-own-opinion", 27: "ER-declines-absent", 28: "ER-declines-dangerous",
    30: "ER-own-judgement", 31: "ER-sides", 33: "ER-infers-with", 34: "ER-warns-harmless",
    36: "ER-infers-without", 37: "ER-warns-harmful", 39: "ER-undisclosed ER-levels",
    40: "ER-answers-dangerous",
}  # fmt: skip
PLACES = {"000": CONSISTENCY, "001": COMPARISON, "002": SENTENCES, "003": CLAIMS, "004": RUBRIC}
HEADING = re.compile(
    r"#.*|`{3}|\{system_msg\}|\* \*\*Score \"\d\"\*\*:|[\w ]+:|\*\*[^*]+:\*\*|[a-z_]+:"
)


def test_every_rule_has_its_place_and_every_place_its_rule():
    placed = {
        rule for places in PLACES.values() for said in places.values() for rule in said.split()
    }
    assert placed == set(RULES)


@needs_sources
@pytest.mark.parametrize("number", ["000", "001", "003", "004"])
def test_every_line_of_the_published_rules_is_applied(number):
    (path,) = SOURCES.glob(f"{number}_*.txt")
    lines = path.read_text(encoding="utf-8").splitlines()
    told = {at for at, line in enumerate(lines, 1) if line.strip()}
    headings = {at for at in told if HEADING.fullmatch(lines[at - 1].strip())}
    assert told - headings - set(PLACES[number]) == set()
    assert set(PLACES[number]) <= told


@needs_sources
def test_every_instruction_of_the_prompt_in_one_line_is_applied():
    (path,) = SOURCES.glob("002_*.txt")
    text = path.read_text(encoding="utf-8")
    # Instructions and labels open bold; what only heads a part or a slot is no rule.
    heads = ("Instructions", "Context", "Response", "User Query", "Input:", "Output:")
    opens = [found.end() for found in re.finditer(r"\*\*(?=[`A-Z])", text)]
    rules = [at for at in opens if not text.startswith(heads, at)]
    assert len(rules) > 8
    missing = [at for at in rules if not any(at - 4 <= place <= at for place in SENTENCES)]
    assert missing == []
