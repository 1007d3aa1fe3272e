"""The two rules for the label "contradictory": a different number, an excluding word."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from faithfulness.judging.offline.evidence import PassageEvidence
from faithfulness.judging.offline.features import find_missing_numbers
from faithfulness.judging.offline.sources import IndexedSources, SourceSentence
from faithfulness.text.clashes import ClashKind, clashes
from faithfulness.text.numbers.clocks import find_clocks
from faithfulness.text.numbers.quantities import find_quantities
from faithfulness.text.polarity import can_deny
from faithfulness.text.stems import fold_apostrophes, list_words, stem
from faithfulness.text.words import ContentWords, find_numbers, read_words

# One set a line; words joined by "/" mean the same and do not exclude each other.
_LINES = """
red|orange|yellow|green|blue|purple/violet|pink|brown|black|white|grey/gray|beige|silver|gold/golden
monday|tuesday|wednesday|thursday|friday|saturday|sunday
january|february|march|april|june|july|august|september|october|november|december
spring|summer|autumn|winter
morning|afternoon|evening|night
north/northern|south/southern|east/eastern|west/western
cotton|wool/woollen|silk|linen|polyester|nylon|leather|denim
wood/wooden|plastic|metal|glass|ceramic|rubber
steel|aluminium/aluminum|copper|brass|titanium
wireless/cordless|wired/corded
indoor/indoors|outdoor/outdoors
cheap/inexpensive|expensive
won/wins/win|lost/loses/lose
alive|dead
married|divorced|unmarried
male|female
husband|wife
father|mother
son|daughter
brother|sister
accepted/approved|rejected/refused
allowed/permitted|forbidden/banned/prohibited
guilty|innocent/acquitted
increase/increased/increases|decrease/decreased/decreases
maximum|minimum
import/imports|export/exports
manual|automatic
analog/analogue|digital
rechargeable|disposable
left-handed|right-handed
"""
SETS: Mapping[str, tuple[int, int]] = {
    word: (number, answer)
    for number, line in enumerate(_LINES.strip().split("\n"))
    for answer, alike in enumerate(line.split("|"))
    for word in alike.split("/")
}  # word -> which set, which member


_SAME_MATTER = 0.6  # share of the other words that must stand in the very passage
_AROUND = 40  # characters beside a number in which its neighbours stand
_WORD = re.compile(r"[a-z][a-z'-]*")


class WordClash(NamedTuple):
    """Words of a sentence against words of a passage; ranges lie in the sentence and the source."""

    kind: ClashKind
    passage: SourceSentence
    within: tuple[int, int]
    source: tuple[int, int]
    says: str


def find_clash(
    text: str, words: ContentWords, sources: IndexedSources, evidence: PassageEvidence
) -> WordClash | None:
    """The first clash with one of the chosen passages, the best of them looked at first."""
    order = sorted(evidence.passages, key=lambda number: number != evidence.best)
    for number in order:
        passage = sources.passages[number]
        for found in (
            *_find_number_clashes(text, words, sources, passage),
            *_find_word_clashes(text, words, passage),
        ):
            return found
    return None


def _find_number_clashes(
    text: str, words: ContentWords, sources: IndexedSources, passage: SourceSentence
) -> Iterator[WordClash]:
    absent = find_missing_numbers(text, sources)
    if not absent:
        return
    missing = _locate_numbers(text, absent)
    for clash in clashes(text, passage.text):
        if clash.kind is not ClashKind.NUMBER or clash.left not in missing:
            continue
        if not _have_common_neighbor(text, clash.left, passage.text, clash.right):
            continue
        if _is_same_matter(words, text[slice(*clash.left)], passage.text):
            yield _make_word_clash(ClashKind.NUMBER, passage, clash.left, clash.right, clash.says)


def _locate_numbers(text: str, absent: frozenset[float]) -> set[tuple[int, int]]:
    """Where the text has a quantity, or a time of day, with a number that no source has."""
    found = {(each.start, each.end) for each in find_quantities(text) if each.raw in absent}
    times = ((each.start, each.end) for each in find_clocks(text))
    return found.union(at for at in times if not absent.isdisjoint(find_numbers(text[slice(*at)])))


def _find_word_clashes(
    text: str, words: ContentWords, passage: SourceSentence
) -> Iterator[WordClash]:
    ours, theirs = list_words(text), list_words(passage.text)
    # Who denies a word says something about its rivals: word by word that cannot be told.
    if not ours & SETS.keys() or can_deny(ours) or can_deny(theirs):
        return
    answers = {SETS[word]: word for word in sorted(theirs & SETS.keys())}
    for word in _WORD.findall(fold_apostrophes(text)):
        if word not in SETS or SETS[word] in answers:
            continue
        question = SETS[word][0]
        rivals = [other for (asked, _), other in answers.items() if asked == question]
        stated = [other for other in ours & SETS.keys() if SETS[other][0] == question]
        if len(rivals) != 1 or len(stated) != 1 or not _is_same_matter(words, word, passage.text):
            continue
        left, right = _locate_word(text, word), _locate_word(passage.text, rivals[0])
        yield _make_word_clash(
            ClashKind.EXCLUSIVE, passage, left, right, f"{word} against {rivals[0]}"
        )


def _make_word_clash(
    kind: ClashKind,
    passage: SourceSentence,
    left: tuple[int, int],
    right: tuple[int, int],
    says: str,
) -> WordClash:
    source = passage.start + right[0], passage.start + right[1]
    return WordClash(kind, passage, left, source, says)


def _is_same_matter(words: ContentWords, clashing: str, passage: str) -> bool:
    """Whether the passage holds most of the sentence beside the words that clash."""
    apart = frozenset(read_words(clashing).stems)
    rest = [root for root in words.content if root not in apart]
    held = frozenset(read_words(passage).stems)
    return bool(rest) and sum(root in held for root in rest) >= _SAME_MATTER * len(rest)


def _have_common_neighbor(
    text: str, left: tuple[int, int], passage: str, right: tuple[int, int]
) -> bool:
    return bool(_collect_neighbors(text, left) & _collect_neighbors(passage, right))


def _collect_neighbors(text: str, place: tuple[int, int]) -> frozenset[str]:
    """Stems of the words around a number and of its own unit."""
    begin, end = max(0, place[0] - _AROUND), place[1] + _AROUND
    around = read_words(text[begin : place[0]]).stems + read_words(text[place[1] : end]).stems
    own = [stem(word) for word in _WORD.findall(fold_apostrophes(text[slice(*place)]))]
    return frozenset(around) | frozenset(own)


def _locate_word(text: str, word: str) -> tuple[int, int]:
    # Not \b: the underscore of an emphasised word is a letter to it.
    found = re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", fold_apostrophes(text))
    return found.span() if found else (0, 0)
