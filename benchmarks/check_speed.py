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
from benchmarks.text_speed import text_of
from data.samples.sample import drafts
from faithfulness.checks import CHECKS, run_all
from faithfulness.text.sentences import cut
from faithfulness.vocabulary import Field, Item, Span, Unit, UnitKind, item_id_of, response_unit
from tests.faithfulness.checks.case_files import cases

LONG = 6_000
ITEMS, PARTS, BAR = 10_000, 4, 5.0  # items; sizes that are compared; CPU ms an item
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
        for number, (start, end) in enumerate(cut(text), start=1)
    ]  # fmt: skip
    whole = response_unit("response", text)
    return Item(id=item_id_of(fields), fields=fields, units=(*units, whole))


def items(count: int) -> Iterator[Item]:
    rng = random.Random(7)
    known = items_of(drafts())
    known += [case.item for case in cases()]
    for number in range(count):
        yield changed(rng, known[number % len(known)])


def main() -> None:
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
