"""How fast texts are cut, aligned and placed; prints ratios and CPU rates, asserts nothing.

Run: python -m benchmarks.text_speed
"""

import difflib
import json
import random
import time
from collections.abc import Callable, Iterator

from benchmarks.claims import claim
from faithfulness.intake.intake import take_in
from faithfulness.model.drafts import Draft, DraftAnswer, RawReply
from faithfulness.model.vocabulary import Author, AuthorKind, Field, UnitKind
from faithfulness.text.alignment import align_sentences
from faithfulness.text.excerpts import PreparedSource, place_excerpt
from faithfulness.text.sentences import cut_sentences

VOCABULARY = (
    "the a its this every battery screen handle kettle tent lamp seller buyer review price lasts "
    "weighs covers holds costs offers needs says keeps about over under two three forty 1.9 12 "
    "$49.99 kilograms hours inches dollars light quiet heavy green cheap sturdy and but while "
    "because with without after before in on at from often never always really rather water "
    "summer winter garden kitchen warranty zipper pocket cable charger motor filter lid base"
)
WORDS = VOCABULARY.split()
CONTEXT, SENTENCES = 5_000, 8
JUDGE = Author(kind=AuthorKind.JUDGE, name="a judge")


def sentence(rng: random.Random) -> str:
    words = rng.choices(WORDS, k=rng.randint(8, 22))
    return " ".join(words).capitalize() + rng.choice("...!?")


def text_of(rng: random.Random, length: int) -> str:
    parts: list[str] = []
    while sum(map(len, parts)) + len(parts) < length:
        parts.append(sentence(rng))
    return " ".join(parts)


def edited(rng: random.Random, text: str, edits: int) -> str:
    words = text.split()
    for _ in range(edits):
        words[rng.randrange(len(words))] = rng.choice(WORDS)
    return " ".join(words)


def sentences_said(rng: random.Random, own: list[str]) -> Iterator[str]:
    """Most as they stand, some restyled, reworded, joined, split or invented."""
    position = 0
    while position < len(own):
        each, luck = own[position], rng.random()
        position += 1
        if luck < 0.70:
            yield each
        elif luck < 0.80:
            yield f"**{each.rstrip('.!?')}**"
        elif luck < 0.90:
            yield edited(rng, each, 3)
        elif luck < 0.94 and position < len(own):
            yield f"{each} {own[position]}"
            position += 1
        elif luck < 0.97:
            half = len(each.split()) // 2
            yield " ".join(each.split()[:half])
            yield " ".join(each.split()[half:])
        else:
            yield sentence(rng)


def excerpt_from(rng: random.Random, context: str) -> str:
    size = rng.randint(40, 160)
    start = rng.randrange(len(context) - size)
    piece, luck = context[start : start + size], rng.random()
    if luck < 0.60:
        return piece
    if luck < 0.70:
        return f"“{piece.upper()}”"
    if luck < 0.85:
        return edited(rng, piece, 2)
    if luck < 0.92:
        other = rng.randrange(len(context) - 60)
        return f"{piece} … {context[other : other + 60]}"
    return text_of(rng, size)


Case = tuple[str, str, list[str], list[str]]


def cases(rng: random.Random, items: int, sentences: int = SENTENCES) -> list[Case]:
    """Context, response, a judge's own sentences, one excerpt for each."""
    made = []
    for _ in range(items):
        context = text_of(rng, CONTEXT)
        own = [sentence(rng) for _ in range(sentences)]
        said = list(sentences_said(rng, own))
        made.append((context, " ".join(own), said, [excerpt_from(rng, context) for _ in said]))
    return made


def cpu(work: Callable[[], object], repeats: int = 3) -> float:
    best = float("inf")
    for _ in range(repeats):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def by_hand(made: list[Case]) -> None:
    """Cut, align and place with nothing around them, and no cache from an earlier round."""
    for context, response, said, excerpts in made:
        align_sentences(said, response, cut_sentences(response))
        source = PreparedSource(field="context", text=context)
        for excerpt in excerpts:
            place_excerpt(excerpt, [source])


def take_all(drafts: list[Draft]) -> None:
    for draft in drafts:  # an import hands each item on; nothing piles up
        take_in(draft)


def draft_of(case: Case, number: int) -> Draft:
    context, response, said, excerpts = case
    fields = (
        Field(name="context", kind="context", text=context),
        Field(name="response", kind="response", text=f"{response} ({number})"),
    )
    rows = [
        DraftAnswer(JUDGE, "label", "supported", UnitKind.SENTENCE, text=text, excerpts=(quote,))
        for text, quote in zip(said, excerpts, strict=True)
    ]
    return Draft("sentence_grounding", "bench", str(number), fields, rows)


def show(name: str, seconds: float, sentences: int) -> None:
    print(f"{name:<58}{sentences / seconds:>10,.0f} sentences/s (bar 5,000)")
    claim(name, sentences / seconds, "sentences a second of processor", at_least=5_000)


def measure_rate(rng: random.Random) -> None:
    made = cases(rng, 300)
    sentences = sum(len(said) for _, _, said, _ in made)
    show("cut + align + place, 5,000-character contexts", cpu(lambda: by_hand(made)), sentences)
    drafts = [draft_of(case, number) for number, case in enumerate(made)]
    show("take_in as a whole", cpu(lambda: take_all(drafts)), sentences)
    replies = [
        draft._replace(said=(), replies=(RawReply(JUDGE, _reply(draft)),)) for draft in drafts
    ]
    show("take_in of raw replies", cpu(lambda: take_all(replies)), sentences)


def _reply(draft: Draft) -> str:
    return "\n".join(
        json.dumps(
            {"sentence": s.text, "label": s.value, "rationale": "", "excerpt": s.excerpts[0]}
        )
        for s in draft.said
    )


def measure_linearity(rng: random.Random) -> None:
    few, many = cases(rng, 4, 100), cases(rng, 4, 800)
    ratio = cpu(lambda: by_hand(many)) / cpu(lambda: by_hand(few))
    print(f"{'time for 8 times the sentences in one response':<58}{ratio:>10.1f} times (linear 8)")
    claim("Time for 8 times the sentences in one response", ratio, "times", peer="linear is 8")


def measure_difflib(rng: random.Random) -> None:
    context = text_of(rng, 100_000)
    source = PreparedSource(field="context", text=context)
    place_excerpt("warm the source up once, as every context is", [source])
    for size in (60, 200):
        for kind in ("near", "stitched", "absent"):
            quotes = [_quote(rng, context, size, kind) for _ in range(10)]
            ours = cpu(lambda quotes=quotes: [place_excerpt(each, [source]) for each in quotes])
            theirs = cpu(lambda quotes=quotes: [_difflib(each, context) for each in quotes[:3]], 1)
            ratio = (theirs / 3) / (ours / 10)
            name = f"place in 100,000 characters, {kind}, {size} characters"
            print(f"{name:<58}{ratio:>10.0f} times difflib (bar 20)")
            claim(name, ratio, "times as fast", at_least=20, peer="difflib")


def _quote(rng: random.Random, context: str, size: int, kind: str) -> str:
    if kind == "absent":
        return text_of(rng, size)
    start = rng.randrange(len(context) // 2)
    if kind == "near":
        return edited(rng, context[start : start + size], 2)
    other = start + len(context) // 3
    return context[start : start + size // 2] + " " + context[other : other + size // 2]


def _difflib(quote: str, context: str) -> object:
    matcher = difflib.SequenceMatcher(None, quote.lower(), context.lower(), autojunk=False)
    return matcher.find_longest_match()


if __name__ == "__main__":
    generator = random.Random(7)
    measure_rate(generator)
    measure_linearity(generator)
    measure_difflib(generator)
