"""How fast the lexical baseline judges, and that its cost grows with the sentences; prints only.

Run: python -m benchmarks.offline_speed
"""

import random
import time

from benchmarks.claims import claim
from benchmarks.text_speed import edited, sentence, text_of
from faithfulness.judging.judge import question
from faithfulness.judging.offline.offline_judge import OfflineJudge
from faithfulness.judging.offline.sources import index_sources
from faithfulness.model.vocabulary import Field, Item, Span, Unit, UnitKind
from faithfulness.protocols import protocol
from faithfulness.text.sentences import cut_sentences

CONTEXT, BAR = 5_000, 200  # characters; sentences a second on one core
SIZES = (50, 100, 200, 400, 800, 1_600)


def item_of(rng: random.Random, count: int) -> Item:
    """A response of which half was taken from the context with two words changed."""
    context = text_of(rng, CONTEXT)[:CONTEXT]
    known = [context[start:end] for start, end in cut_sentences(context)]
    said = [
        edited(rng, rng.choice(known), 2) if number % 2 else sentence(rng)
        for number in range(count)
    ]
    response = "\n".join(said)
    units, start = [], 0
    for number, text in enumerate(said, start=1):
        span = Span(field="response", start=start, end=start + len(text))
        units.append(Unit(id=f"s{number}", kind=UnitKind.SENTENCE, field="response", text=text,
                          span=span))  # fmt: skip
        start += len(text) + 1
    fields = (
        Field(name="response", kind="response", text=response),
        Field(name="context", kind="context", text=context),
    )
    return Item(id=f"speed {count}", fields=fields, units=tuple(units))


def measured(item: Item) -> tuple[float, float]:
    """CPU seconds of asking, its context met for the first time, and of reading the reply."""
    put = question(protocol("sentence_grounding"), item)
    judge = OfflineJudge()
    index_sources.cache_clear()
    start = time.process_time()
    reply = judge.ask(put)
    asked = time.process_time()
    put.protocol.parse(reply.text, item, put.mark)
    return asked - start, time.process_time() - asked


def main() -> None:
    rng = random.Random(5)
    print(f"context of {CONTEXT:,} characters, CPU time of one core (bar {BAR} sentences a second)")
    for count in SIZES:
        asking, reading = min(measured(item_of(rng, count)) for _ in range(3))
        each_second = count / asking
        told = f"Lexical baseline, {count:,} sentences"
        claim(told, each_second, "sentences a second of processor", at_least=BAR)
        print(
            f"{count:>6,} sentences: {count / asking:>6,.0f} a second, "
            f"{asking / count * 1e3:.2f} ms each; "
            f"with reading the reply {count / (asking + reading):,.0f} a second"
        )


if __name__ == "__main__":
    main()
