"""Tokenize and stem the words of a text: "returned", "returns" and "returnable" match."""

import re
from functools import lru_cache
from string import ascii_lowercase

from faithfulness.text.normalise import lower_same_length

_STOPS = (
    "a an the this that these those it its it's he she they them his her their our we you your "
    "i me my mine us is are was were be been being am do does did doing done has have had having "
    "can could will would shall should may might must of to in on at by for with from as and or "
    "but if so than then there here when where which who whom whose what how why while because "
    "though although however also very really quite just only too even still yet such some any "
    "each every both all most more many much few other another same own into onto over under "
    "about up down out off again between through during per via not no nor never "
    "n't without none neither let's isn't aren't wasn't weren't don't doesn't didn't can't cannot "
    "couldn't won't wouldn't shouldn't hasn't haven't hadn't"
)
STOP_WORDS = frozenset(_STOPS.split())
_ENDINGS = ("ability", "ations", "ation", "ities", "ments", "able", "ible", "ness", "ment", "ings",
            "ing", "ies", "ied", "ers", "est", "ity", "ed", "er", "es", "ly", "s")  # fmt: skip
_IRREGULAR = {
    "people": "person", "persons": "person", "children": "child", "men": "man", "women": "woman",
    "feet": "foot", "came": "come", "won": "win", "lost": "lose", "made": "make", "held": "hold",
    "went": "go", "goes": "go", "gone": "go", "got": "get", "bought": "buy", "sold": "sell",
    "said": "say", "says": "say", "took": "take", "taken": "take", "gave": "give", "broke": "break",
    "given": "give", "wrote": "write", "written": "write", "kept": "keep", "used": "use",
    "using": "use", "shipping": "ship", "paid": "pay", "runs": "run", "running": "run",
    "ran": "run", "broken": "break", "died": "die", "dies": "die", "dying": "die", "began": "begin",
    "included": "include", "includes": "include", "including": "include", "series": "series",
    "species": "species", "stood": "stand", "wore": "wear", "worn": "wear", "tore": "tear",
    "torn": "tear", "shrank": "shrink", "shrunk": "shrink", "fell": "fall", "fallen": "fall",
    "froze": "freeze", "frozen": "freeze", "sank": "sink", "sunk": "sink", "stuck": "stick",
}  # fmt: skip
_SHORTEST = 3
# With the blanks before it a token is met at once, in half the time; few, as a run of blanks that
# ends in no token would be read again from each of them.
TOKEN = re.compile(r"\s{0,2}([a-z]+(?:'[a-z]+)?|\d+(?:[.,]\d+)*|[^\w\s])")
_WORD = re.compile("[a-z]+(?:'[a-z]+)?")
# For bytes, which are translated ten times as fast as characters.
_LETTERS_ALONE = bytes(code if chr(code) in ascii_lowercase else 32 for code in range(256))


@lru_cache(maxsize=512)
def fold_apostrophes(text: str) -> str:
    """The text in lower case with straight apostrophes, as long as before."""
    return lower_same_length(text).replace("’", "'")


@lru_cache(maxsize=512)
def tokenize(text: str) -> list[str]:
    """The lower-case words, numbers and marks of a text in order."""
    return TOKEN.findall(fold_apostrophes(text))


@lru_cache(maxsize=512)
def list_words(text: str) -> frozenset[str]:
    """The lower-case words of a text, those of `tokenize` without its numbers and marks."""
    plain = fold_apostrophes(text)
    if "'" in plain or not plain.isascii():
        return frozenset(_WORD.findall(plain))
    return frozenset(plain.encode("ascii").translate(_LETTERS_ALONE).decode("ascii").split())


@lru_cache(maxsize=512)
def list_stems(text: str) -> frozenset[str]:
    """Stems of the content words of a text."""
    return frozenset(map(stem, list_words(text) - STOP_WORDS))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of a lower-case word; numbers stay as they are."""
    word = word.removesuffix("'s").removesuffix("’s")
    if _IRREGULAR.get(word) == word:
        return word
    word = _IRREGULAR.get(word, word)
    if not word.isascii() or not word.isalpha() or word.endswith("ss"):
        return word
    if word.endswith("ically"):
        word = word[:-4]  # "automatically" and "automatic"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
            break
    if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "aeiousl":
        return word[:-1]
    if len(word) > _SHORTEST and word[-1] in "eiy":
        return word[:-1]
    return word
