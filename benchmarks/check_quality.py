"""How good the mechanical checks are: on own cases, on the sample, on public texts. Prints only.

Own cases have marks that a careful reader makes, so they give precision and recall; the half
written before the code is shown apart. The sample and the public texts have no such marks: their
findings are listed to be looked at by hand (`--list N` prints N of each check, evenly drawn).
Run: python -m benchmarks.check_quality [--list N]
"""

import argparse
import csv
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.claims import claim
from benchmarks.offline_sets import DATA, lines
from data.importing.formats import IMPORTERS
from data.importing.importer import Options, Source
from data.samples.sample import iter_drafts
from faithfulness.checks import CHECKS, run_all
from faithfulness.checks.check import CannotCheck, get_marked_words
from faithfulness.checks.cues import names_customers
from faithfulness.checks.nothing_to_check import classify_sentence
from faithfulness.intake.units import build_item
from faithfulness.model.drafts import Draft
from faithfulness.model.vocabulary import Certainty, Field, Finding, Item, compute_item_id
from faithfulness.text.sentences import cut_sentences
from tests.faithfulness.checks.case_files import cases, score
from tests.shared_data import NO_DATA

FILES = {
    "summeval_op": "summeval_op/summeval-op-detailed.jsonl",
    "factcheck_gpt": "factcheck_gpt/factcheck-GPT-benchmark.jsonl",
    "dialfact": "dialfact/testsmall.jsonl",
    "expertqa": "expertqa/rand_val.jsonl",
}


class Shown(NamedTuple):
    """A finding with the item it stands on."""

    origin: str
    item: Item
    finding: Finding


def items_of(found: Iterator[Draft]) -> list[Item]:
    known: dict[str, Item] = {}
    for draft in found:
        item = build_item(draft).item
        known.setdefault(item.id, item)
    return list(known.values())


def public() -> dict[str, list[Item]]:
    """The public sets as they are imported; those without an importer as response and context."""
    found = {}
    for key, name in FILES.items():
        source = Source(name=name, path=DATA / name)
        found[key] = items_of(IMPORTERS[key].read([source], Options()))
    with (DATA / "begin_wow/begin_dev_wow.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    found["begin_wow"] = [_plain(row["response"], row["knowledge"]) for row in rows]
    articles = json.loads(
        (DATA / "mirage/model_preds/qwen_72b_cag_relevant_citations.json").read_text("utf-8")
    )
    found["mirage"] = [_plain(each["prediction"], "") for each in articles.values()]
    answers = json.loads(
        (DATA / "refchecker/accurate_context/dolly_gpt4_answers.json").read_text("utf-8")
    )
    found["refchecker"] = [_plain(each["response"], "") for each in answers]
    return found


def _plain(response: str, context: str) -> Item:
    fields = [Field(name="response", kind="response", text=response)]
    if context:
        fields.append(Field(name="context", kind="context", text=context))
    return Item(id=compute_item_id(tuple(fields)), fields=tuple(fields), units=())


def show_cases() -> None:
    print("own cases           written             cases  marks  right  wanted  precision  recall")
    for key in CHECKS:
        for written in dict.fromkeys(case.written for case in cases(key)):
            count = len(list(cases(key, written)))
            got = score(cases(key, written))
            print(
                f"{key:<18}  {written:<18}  {count:>5}  {got.made:>5}  {got.right:>5}  "
                f"{got.wanted:>6}  {got.precision:>9.3f}  {got.recall:>6.3f}"
            )
            if written == "before":
                told = f"Check {key}, {count} cases written before the code: precision"
                claim(told, got.precision, "", peer=f"recall {got.recall:.2f}")
            for each in got.wrong:
                print(f"    {each}")


def collect(origin: str, items: list[Item]) -> list[Shown]:
    cannot: Counter[str] = Counter()
    found: list[Shown] = []
    for item in items:
        result = run_all(item)
        cannot.update(result.cannot.keys())
        found += [Shown(origin, item, each) for each in result.found]
    sure = Counter(each.finding.check for each in found
                   if each.finding.certainty is Certainty.FOUND)  # fmt: skip
    asks = Counter(each.finding.check for each in found
                   if each.finding.certainty is not Certainty.FOUND)  # fmt: skip
    print(f"\n{origin}: {len(items)} items")
    for key in CHECKS:
        print(f"  {key:<18} found {sure[key]:>4}, please check {asks[key]:>4}, "
              f"cannot check {cannot[key]:>4}")  # fmt: skip
    return found


def show_list(found: list[Shown], most: int) -> None:
    by_check: dict[str, list[Shown]] = defaultdict(list)
    for each in found:
        by_check[each.finding.check].append(each)
    for key, marks in by_check.items():
        step = max(1, len(marks) // most)
        print(f"\n== {key}: {len(marks)} findings, every {step}th")
        for each in marks[::step][:most]:
            print(_told(each))


def _told(shown: Shown) -> str:
    mark, item = shown.finding, shown.item
    words = get_marked_words(mark, item)
    response = item.text_of("response")
    said = "" if words is None else response[max(0, words.start - 60) : words.end + 100]
    spans = [each for each in (mark.source, *mark.candidates) if each is not None][:2]
    stands = " / ".join(item.text_of(each.field)[each.start : each.end][:140] for each in spans)
    told = f"- [{shown.origin}] {mark.kind} ({mark.certainty}): {mark.says}\n    said: {said!r}"
    return f"{told}\n    source: {stands!r}" if stands else told


def show_small_talk() -> None:
    """Sentences that people called worth checking must not be marked as small talk."""
    marked = wrong = worth = 0
    for row in lines("factcheck_gpt/factcheck-GPT-benchmark.jsonl"):
        for each in row["sentences"].values():
            is_worth = each["sentence_checkworthiness"] == "yes"
            worth += is_worth
            if classify_sentence(each["text"]):
                marked += 1
                wrong += is_worth
    print(
        f"\nfactcheck_gpt sentences: {worth} worth checking; {marked} marked, {wrong} of them worth"
    )
    marked = wrong = personal = found = 0
    for row in lines("dialfact/testsmall.jsonl"):
        parts = [row["response"][start:end] for start, end in cut_sentences(row["response"])]
        is_personal = row["type_label"] == "personal"
        personal += is_personal
        if parts and all(classify_sentence(part) for part in parts):
            marked += 1
            found += is_personal
            wrong += row["response_label"] != "NOT ENOUGH INFO"
    print(f"dialfact responses: {personal} personal; {marked} marked whole, {found} of them "
          f"personal, {wrong} with a label that evidence gave")  # fmt: skip


def _made(response: str, reviews: list[str], page: str = "") -> Item:
    fields = [
        Field(name="reviews", kind="reviews", text="\n\n".join(reviews)),
        Field(name="response", kind="response", text=response),
    ]
    if page:
        fields.append(Field(name="detail_page", kind="detail_page", text=page))
    return Item(id=compute_item_id(tuple(fields)), fields=tuple(fields), units=())


def _marks(key: str, item: Item) -> int:
    result = CHECKS[key].run(item)
    return 0 if isinstance(result, CannotCheck) else len(result)


def show_made() -> None:
    """Real review sentences in made responses: quoted, misquoted, told plainly, told rightly."""
    rng = random.Random(3)
    rows = list(lines("summeval_op/summeval-op-detailed.jsonl"))
    told: Counter[str] = Counter()
    for number, row in enumerate(rows):
        reviews, page = row["reviews"], rows[number - 1]["summaries"][1]
        for review in reviews:
            for start, end in cut_sentences(review):
                said = review[start:end].strip()
                words = said.split()
                if '"' in said or not 6 <= len(words) <= 40:
                    continue
                told["sentences"] += 1
                other = list(words)
                other[rng.randrange(1, len(words) - 1)] = rng.choice(("seldom", "green", "seven"))
                quote = 'One customer writes: "{}" It is a popular choice.'
                told["quoted exactly, marked"] += _marks(
                    "quoted_review", _made(quote.format(said), reviews)
                )
                changed = _made(quote.format(" ".join(other)), reviews)
                told["quoted with one word changed, marked"] += _marks("quoted_review", changed)
                told["told as a fact, marked"] += _marks("named_source", _made(said, reviews, page))
                named = f"One customer says: {said}"
                told["told as a customer's, marked"] += _marks(
                    "named_source", _made(named, reviews, page)
                )
        for start, end in cut_sentences(page):
            if names_customers(page[start:end]):
                continue  # the page is a summary of another product's reviews
            told["sentences of the page"] += 1
            told["of the page, marked"] += _marks(
                "named_source", _made(page[start:end], reviews, page)
            )
    print(
        "\nmade from real reviews: " + ", ".join(f"{name} {count}" for name, count in told.items())
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", type=int, default=0, help="findings of each check to print")
    most = parser.parse_args().list
    show_cases()
    found = collect("sample", items_of(iter_drafts()))
    if not DATA.is_dir():
        print(NO_DATA)
    else:
        for origin, items in public().items():
            found += collect(origin, items)
        show_small_talk()
        show_made()
    if most:
        show_list(found, most)


if __name__ == "__main__":
    main()
