"""How fast clashes, differences and candidates are found; prints CPU time, asserts nothing.

Run: python -m benchmarks.clash_speed
"""

import random
import time
from collections.abc import Callable

from benchmarks.claims import claim
from benchmarks.text_speed import edited, sentence, text_of
from faithfulness.model.vocabulary import Field
from faithfulness.text import candidates as near
from faithfulness.text.clashes import clashes
from faithfulness.text.differences import compare_words
from faithfulness.text.numbers.quantities import find_quantities
from faithfulness.text.polarity import find_denied_stems, parse_content_words
from faithfulness.text.stems import list_stems, list_words

PAIRS, LONG = 2_000, 200_000
BAR_PAIR, BAR_CANDIDATES = 200, 50  # microseconds, milliseconds


def forget() -> None:
    """Every pair is met for the first time: the worst case."""
    for cached in (
        clashes,
        parse_content_words,
        find_denied_stems,
        find_quantities,
        list_stems,
        list_words,
    ):
        cached.cache_clear()


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    rng = random.Random(9)
    unlike = [(sentence(rng), sentence(rng)) for _ in range(PAIRS)]
    alike = [(text, edited(rng, text, 2)) for text, _ in unlike]
    for name, pairs in (("unlike sentences", unlike), ("two words changed", alike)):
        forget()
        found = 0

        def all_pairs(pairs: list[tuple[str, str]] = pairs) -> None:
            nonlocal found
            found = sum(bool(clashes(left, right)) for left, right in pairs)

        taken = cpu(all_pairs) / PAIRS * 1e6
        claim(f"Clashes of {name}", taken, "us a pair", at_most=BAR_PAIR)
        print(f"clashes, {name}: {taken:.0f} us a pair (bar {BAR_PAIR}), {found} of {PAIRS} marked")
    taken = cpu(lambda: [compare_words(left, right) for left, right in alike]) / PAIRS * 1e6
    print(f"differences, two words changed: {taken:.0f} us a pair")
    source = Field(name="context", kind="context", text=text_of(rng, LONG))
    first = cpu(lambda: near.find_candidates(unlike[0][0], [source])) * 1e3
    again = cpu(lambda: [near.find_candidates(text, [source]) for text, _ in unlike[:100]]) * 10
    claim(f"Candidates in {LONG:,} characters, first time", first, "ms", at_most=BAR_CANDIDATES)
    print(
        f"candidates in {LONG:,} characters: {first:.1f} ms the first time, "
        f"{again:.1f} ms after (bar {BAR_CANDIDATES})"
    )


if __name__ == "__main__":
    main()
