"""How often the sentence splitter is wrong, on texts whose sentences are known. Prints only.

Three measurements: hand-marked texts with abbreviations that were never used to write the rules;
answers of public data sets that come with their sentences; and pairs of sentences with a known
boundary, one of ours that ends in an abbreviation and one of the public sets behind it.
Run: python -m benchmarks.sentence_quality
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from benchmarks.claims import claim, skip
from benchmarks.offline_sets import DATA, lines
from faithfulness.text.sentences import CUTTER, cut_sentences
from tests.faithfulness.text.gold_sentences import ENDING_HELD_OUT
from tests.shared_data import NO_DATA

ENDINGS = (
    "The doors close at 5 p.m.",
    "The lamps are made by Norvik Inc.",
    "The shop belongs to Ito & Co.",
    "The lenses are ground by Petrel Ltd.",
    "Our warehouse is in the U.S.",
    "The second office is in the U.K.",
    "He studies in Washington, D.C.",
    "The box holds cables, plugs, etc.",
    "The effect was first seen by Okafor et al.",
    "The hall is named after Paul Marsh Jr.",
    "The clinic is at 12 Elm St.",
    "The tower stands on 5th Ave.",
    "She holds a Ph.D.",
    "The wall was finished in 122 A.D.",
    "The parcel weighs 5 lbs.",
    "The shelf is 12 in.",
    "The trail is 4 mi.",
    "The charge lasts 3 hrs.",
    "The fair is in Oct.",
    "The budget is 5 million approx.",
    "The limit is 40 kg max.",
    "She asked for vitamin C.",
    "The rule was set by the E.U.",
    "The order is for the Sales Dept.",
)


class Known(NamedTuple):
    """A text and where its known sentences stand."""

    text: str
    spans: list[tuple[int, int]]


class Errors(NamedTuple):
    """Known boundaries, those that were missed, and cuts inside a known sentence."""

    boundaries: int
    joined: int
    split: int


def marked(cases: tuple[str, ...]) -> Iterator[Known]:
    """The texts of `gold_sentences`, in which ‖ stands between two sentences."""
    for case in cases:
        parts = case.split("‖")
        yield known("".join(parts), [each.strip() for each in parts])


def public() -> dict[str, list[Known]]:
    """Answers with the sentences that their data set gives, as far as they are word for word."""
    claims = DATA / "mirage/model_preds/qwen_72b_cag_relevant_citations.json"
    sets: dict[str, list[tuple[str, list[str]]]] = {
        "factcheck_gpt": [
            (row["response"], [each["text"] for each in row["sentences"].values()])
            for row in lines("factcheck_gpt/factcheck-GPT-benchmark.jsonl")
        ],
        "mirage": [
            (row["prediction"], row["sentences"])
            for row in json.loads(claims.read_text("utf-8")).values()
        ],
        "expertqa": [
            (answer["answer_string"], [each["claim_string"] for each in answer["claims"]])
            for row in lines("expertqa/rand_val.jsonl")
            for answer in row["answers"].values()
        ],
    }
    return {name: [known(*answer) for answer in answers] for name, answers in sets.items()}


def known(text: str, sentences: list[str]) -> Known:
    """Where these sentences stand in the text; those that do not stand in it are left out."""
    spans, position = [], 0
    for sentence in map(str.strip, sentences):
        start = text.find(sentence, position) if sentence else -1
        if start >= 0:
            position = start + len(sentence)
            spans.append((start, position))
    return Known(text, spans)


def count_errors(answers: list[Known]) -> Errors:
    """What the splitter makes of known sentences that follow each other."""
    boundaries = joined = split = 0
    for text, spans in answers:
        starts = {start for start, _ in cut_sentences(text)}
        for (_, end), (start, _) in pairwise(spans):
            if not text[end:start].strip():
                boundaries += 1
                joined += start not in starts
        split += sum(first < start < last for start in starts for first, last in spans)
    return Errors(boundaries, joined, split)


def report(name: str, errors: Errors) -> None:
    rate = f"{errors.joined / errors.boundaries:.1%}"
    print(
        f"{name}: {errors.joined} of {errors.boundaries:,} boundaries joined ({rate}), "
        f"{errors.split} cuts inside a sentence"
    )
    claim(
        f"Sentences joined, {name}",
        100 * errors.joined / errors.boundaries,
        "%",
        peer=f"{errors.boundaries:,} boundaries, {errors.split} cuts inside a sentence",
    )


def report_spliced(answers: list[Known]) -> None:
    """Our sentences that end in an abbreviation, each before every public sentence."""
    followers = sorted(
        {text[start:end] for text, spans in answers for start, end in spans if end - start > 20}
    )
    followers = [each for each in followers if each[0].isupper()]
    joined = Counter(
        ending.split()[-1]
        for ending in ENDINGS
        for follower in followers
        if len(ending) + 1 not in {start for start, _ in cut_sentences(f"{ending} {follower}")}
    )
    boundaries = len(ENDINGS) * len(followers)
    report("abbreviation, then a public sentence", Errors(boundaries, joined.total(), 0))
    for word, times in joined.most_common():
        print(f"    {word:8} {times} of {len(followers)}")


def main() -> None:
    print(CUTTER)
    report("hand-marked abbreviations, held out", count_errors([*marked(ENDING_HELD_OUT)]))
    if not DATA.is_dir():
        print(NO_DATA)
        skip("Sentences joined, public answers", NO_DATA)
        return
    sets = public()
    for name, answers in sets.items():
        report(name, count_errors(answers))
    report_spliced([answer for answers in sets.values() for answer in answers])


if __name__ == "__main__":
    main()
