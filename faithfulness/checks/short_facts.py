"""Recognize a fact of one or two words ("The lid is stiff") in the passage that states it.

So few words often match by chance. They must occur in one clause that states them, unlike "I hoped
it would be sturdy" or "not heavy at all". A single word, such as "noisy" of "The kettle is noisy",
must also refer to the product itself, as in "It is noisy" or "Noisy at night", not "noisy lid".
"""

import re
from collections.abc import Iterator

from faithfulness.checks.cues import SPEECH
from faithfulness.checks.passages import SourcePassage, read_words
from faithfulness.text.clashes import clashes
from faithfulness.text.polarity import find_denied_stems
from faithfulness.text.stems import STOP_WORDS, fold_apostrophes, stem, tokenize

MOST_WORDS = 2
_CLAUSE_ENDS = re.compile(
    r"[,;:()|!?\n]|[.](?=\s|$)|\s[-–—]\s|\b(?:but|while(?! \w+ing\b)|whereas|although|though|"
    r"however|because|yet)\b"
)
# What is wished, supposed, or true of something else, is not stated of the product.
_NOT_STATED = re.compile(
    r"\b(?:if only|hop(?:e|ed|es|ing)|wish(?:ed|es|ing)?|would|could|should|might|may|maybe|"
    r"perhaps|expect(?:ed|ing|s)?|thought|suppos\w+|afraid|fear(?:ed)?|worr(?:y|ied)|unlike|"
    r"instead of|rather than|compared|than|used to|"
    r"(?:my|our|his|her) (?:old|last|previous|other|former|first|earlier)|"
    r"(?:the|an?) (?:previous|other|former|earlier))\b"
    r"|^\s*(?:if|unless|when)\b"
)
_PERSONS = frozenset(
    ["i", "we", "you", "he", "she", "i'm", "we're", "you're", "i've", "we've", "i'd", "we'd"]
)
_THINGS = frozenset(["it", "it's", "this", "that", "they", "these", "mine", "its"])
_DEGREE_WORDS = (
    "rather fairly pretty slightly somewhat extremely incredibly surprisingly absolutely totally "
    "super bit little definitely"
)
_ADVERB_WORDS = (
    "after before until since among like well enough inside outside indeed overall sometimes "
    "often always usually mostly already soon now later sadly unfortunately annoyingly honestly "
    "together anyway yes look looks looked feel feels felt seem "
    "seems seemed get gets got become becomes became stay stays stayed remain remains turn turns "
    "turned"
)
_ADVERBS = frozenset([*_DEGREE_WORDS.split(), *_ADVERB_WORDS.split()])
_SPEECH = frozenset(re.findall("[a-z]+", SPEECH.replace("?", "")))
# Links a statement to its predicate and says nothing by itself; praise is no fact to look up.
_LINK_WORDS = "look seem get become remain tend feature come prove"
LINKS = frozenset(map(stem, [*_LINK_WORDS.split(), *_DEGREE_WORDS.split()]))
_PRAISE_WORDS = (
    "good great nice fine perfect excellent amazing awesome okay best lovely work choice love like "
    "happy recommended"
)
PRAISE = frozenset(map(stem, _PRAISE_WORDS.split()))
_JOINS = re.compile(
    r",?\s{1,2}(?:and|but|though|although|yet|while)\s{1,2}"
    r"(?=(?:it|they|its|the|is|are|was|were|has|have|feels?|gets?|looks?)\b)|;\s+",
    re.IGNORECASE,
)


def find_supposing_words(text: str) -> frozenset[str]:
    """The words by which a text wishes, supposes or compares instead of stating."""
    return frozenset(_NOT_STATED.findall(fold_apostrophes(text)))


def split_clauses(statement: str) -> Iterator[str]:
    """The clauses of a sentence that state something each: "It holds 2 litres and is noisy"."""
    parts = [each for each in _JOINS.split(statement) if each.strip()]
    if len(parts) > 1:
        yield from parts


def states_fact(
    passage: SourcePassage, fact: frozenset[str], statement: str, own: frozenset[str]
) -> bool:
    """Whether a passage states the fact, the words of a statement beside those of the product."""
    if not fact <= passage.words:
        return False
    for clause in _CLAUSE_ENDS.split(fold_apostrophes(passage.text)):
        if not fact <= read_words(clause) or find_supposing_words(clause):
            continue
        if len(fact) == 1 and not _is_of_product(clause, fact, own):
            continue
        denied = find_denied_stems(clause) & fact
        if denied == find_denied_stems(statement) & fact and not clashes(statement, passage.text):
            return True
    return False


def _is_of_product(clause: str, fact: frozenset[str], own: frozenset[str]) -> bool:
    """Whether the one word is said of the product: no other thing before it, none after it."""
    tokens = tokenize(clause)
    at = next((place for place, token in enumerate(tokens) if stem(token) in fact), None)
    if at is None:
        return False
    before = tokens[:at]
    if not all(_is_uninformative(each, own) or each in _SPEECH for each in before):
        return False
    if not _PERSONS.isdisjoint(before) and _THINGS.isdisjoint(before):
        return False  # "I am heavy"
    return at + 1 == len(tokens) or _is_uninformative(tokens[at + 1], own)


def _is_uninformative(token: str, own: frozenset[str]) -> bool:
    return not token[0].isalnum() or token in STOP_WORDS or token in _ADVERBS or stem(token) in own
