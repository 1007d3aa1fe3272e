"""What the mechanical checks cost over 10,000 items, and that it grows with them; prints only.

Items are those of the sample and of the own cases with figures and words changed, so that every
text is met for the first time; every third has a source of 6,000 characters more.
Run: python -m benchmarks.check_speed
"""

import random
import re
import time
from collections import Counter
from collections.abc import Iterator

from benchmarks.check_quality import items_of
from benchmarks.claims import claim
from benchmarks.text_speed import text_of
from data.samples.sample import iter_drafts
from faithfulness.checks import CHECKS, run_all
from faithfulness.checks.check import Check
from faithfulness.model.vocabulary import (
    Field,
    Item,
    Span,
    Unit,
    UnitKind,
    compute_item_id,
    make_response_unit,
)
from faithfulness.text.sentences import cut_sentences
from tests.faithfulness.checks.case_files import cases

LONG = 6_000
ITEMS, PARTS, BAR = 10_000, 4, 5.0  # items; sizes that are compared; CPU ms an item
LENGTHS = (100_000, 200_000, 400_000, 800_000, 1_600_000)
_DIGIT = re.compile(r"(?<=\d)\d\b")
_NAME = re.compile(r"\b[A-Z][a-z]{4,}\b")


def changed(rng: random.Random, item: Item) -> Item:
    """The item with other last digits and other names, alike in all its fields."""
    digits, names = str(rng.randrange(10)), {}

    def named(hit: re.Match[str]) -> str:
        return names.setdefault(hit.group(), f"{hit.group()}{'aeiou'[rng.randrange(5)]}")

    fields = tuple(
        Field(name=each.name, kind=each.kind, text=_NAME.sub(named, _DIGIT.sub(digits, each.text)))
        for each in item.fields
    )
    if rng.randrange(3) == 0:  # every third item has a long source
        fields += (Field(name="context", kind="context", text=text_of(rng, LONG)),)
    text = next(each.text for each in fields if each.name == "response")
    units = [
        Unit(id=f"s{number}", kind=UnitKind.SENTENCE, field="response", text=text[start:end],
             span=Span(field="response", start=start, end=end))
        for number, (start, end) in enumerate(cut_sentences(text), start=1)
    ]  # fmt: skip
    whole = make_response_unit("response", text)
    return Item(id=compute_item_id(fields), fields=fields, units=(*units, whole))


def items(count: int) -> Iterator[Item]:
    rng = random.Random(7)
    known = items_of(iter_drafts())
    known += [case.item for case in cases()]
    for number in range(count):
        yield changed(rng, known[number % len(known)])


def long_item(length: int) -> Item:
    """A response told from the reviews, without naming them, beside a page of other words."""
    rng = random.Random(11)
    words = ["".join(rng.choice("bdgklmnprst") + rng.choice("aeiou") for _ in range(3))
             for _ in range(3_000)]  # fmt: skip

    def told(known: list[str]) -> str:
        return f"The {' of '.join(rng.choices(known, k=8))} it."

    reviews = [" ".join(told(words) for _ in range(5)) for _ in range(length // 800)]
    sentences = [part for each in reviews for part in each.split(". ")]
    response = " ".join(f"{each.rstrip('.')}." for each in rng.choices(sentences, k=length // 320))
    texts = {
        "response": response,
        "reviews": "\n\n".join(reviews),
        "detail_page": " ".join(told(words[:40]) for _ in range(length // 320)),
    }
    fields = tuple(Field(name=name, kind=name, text=text) for name, text in texts.items())
    units = tuple(
        Unit(id=f"s{number}", kind=UnitKind.SENTENCE, field="response", text=response[start:end],
             span=Span(field="response", start=start, end=end))
        for number, (start, end) in enumerate(cut_sentences(response), start=1)
    )  # fmt: skip
    return Item(id=compute_item_id(fields), fields=fields, units=units)


def show_doubling() -> None:
    """Each check on one item that grows twofold: linear is a ratio of 2, quadratic one of 4."""
    print("one long item, CPU seconds and the ratio to half the length")
    before: dict[str, float] = {}
    for length in LENGTHS:
        item, told = long_item(length), []
        for key, check in CHECKS.items():
            taken = min(_seconds(check, item) for _ in range(2))
            ratio = f" x{taken / before[key]:.1f}" if before.get(key, 0) > 0.01 else ""
            before[key] = taken
            if taken > 0.01:
                told.append(f"{key} {taken:.2f}{ratio}")
        size = sum(len(each.text) for each in item.fields)
        print(f"{size:>9,} characters: {', '.join(told)}")


def _seconds(check: Check, item: Item) -> float:
    start = time.process_time()
    check.run(item)
    return time.process_time() - start


def main() -> None:
    show_doubling()
    made = list(items(ITEMS))
    size = sum(len(field.text) for item in made for field in item.fields) / len(made)
    print(f"{ITEMS:,} items of {size:,.0f} characters on average, CPU time of one core")
    done, start, marks = 0, time.process_time(), 0
    for part in range(1, PARTS + 1):
        upto = ITEMS * part // PARTS
        for item in made[done:upto]:
            marks += len(run_all(item).found)
        done = upto
        taken = time.process_time() - start
        print(
            f"{done:>7,} items: {taken:6.2f} s, {taken / done * 1e3:.2f} ms an item (bar {BAR:.0f})"
        )
    print(f"{marks:,} marks")
    claim(f"All checks over {ITEMS:,} items", taken / done * 1e3, "ms an item", at_most=BAR)
    by_check: Counter[str] = Counter()
    for item in made[: ITEMS // 10]:
        for key, check in CHECKS.items():
            start = time.process_time()
            check.run(item)
            by_check[key] += time.process_time() - start
    for key, taken in by_check.most_common():
        print(f"  {key:<18} {taken / (ITEMS // 10) * 1e3:.3f} ms an item")


if __name__ == "__main__":
    main()
