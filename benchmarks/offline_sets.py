"""The public sets that the lexical baseline is measured on, as texts, sources and labels."""

import csv
import json
from collections.abc import Iterator
from typing import NamedTuple

from tests.shared_data import SHARED as DATA


class Case(NamedTuple):
    """One text with its sources and the label that people gave it."""

    text: str
    sources: tuple[str, ...]
    label: str  # supported, unsupported, contradictory or no_rad


class Article(NamedTuple):
    """One topic of the claim files: claims of both sides with three raters' judgments."""

    sides: dict[str, list[tuple[str, list[bool]]]]  # field -> claim, judgments given
    texts: dict[str, str]


def lines(name: str) -> Iterator[dict]:
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def begin_wow() -> Iterator[Case]:
    with (DATA / "begin_wow/begin_dev_wow.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            full = row["begin_label"] == "Fully attributable"
            yield Case(row["response"], (row["knowledge"],), "supported" if full else "unsupported")


def factcheck_pairs() -> Iterator[Case]:
    """Every claim with each single passage, as the stance was given."""
    labels = {"completely-support": "supported", "refute": "contradictory"}
    for row in lines("factcheck_gpt/factcheck-GPT-benchmark.jsonl"):
        for each in row["sentences"].values():
            columns = (each["claims"], each["auto_evidence"], each["stance_claim_autoEvid"])
            for claim, passages, stances in zip(*columns, strict=True):
                for passage, stance in zip(passages, stances, strict=False):
                    yield Case(claim, (passage,), labels.get(stance, "unsupported"))


def factcheck_sentences() -> Iterator[tuple[str, bool]]:
    """Sentences of the answers, and whether people found something to check in them."""
    for row in lines("factcheck_gpt/factcheck-GPT-benchmark.jsonl"):
        for each in row["sentences"].values():
            yield each["text"], each["sentence_checkworthiness"] == "yes"


def dialfact() -> Iterator[Case]:
    labels = {"SUPPORTS": "supported", "REFUTES": "contradictory"}
    for row in lines("dialfact/testsmall.jsonl"):
        label = labels.get(row["response_label"], "unsupported")
        if row["type_label"] == "personal":
            label = "no_rad"
        yield Case(row["response"], tuple(each[2] for each in row["evidence_list"]), label)


def expertqa() -> Iterator[Case]:
    for row in lines("expertqa/rand_val.jsonl"):
        for answer in row["answers"].values():
            for claim in answer["claims"]:
                if claim["evidence"] and claim["support"] in ("Complete", "Partial", "Incomplete"):
                    label = "supported" if claim["support"] == "Complete" else "unsupported"
                    yield Case(claim["claim_string"], tuple(claim["evidence"]), label)


def articles() -> dict[str, Article]:
    folder = DATA / "mirage/metric_preference"
    files = {
        side: [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob(f"*_{name}_*"))]
        for side, name in (("response", "prediction"), ("reference", "reference"))
    }
    found = {}
    for topic, one in files["response"][0].items():
        texts = {
            "response": one["prediction"],
            "reference": files["reference"][0][topic]["reference"],
        }
        sides = {side: _judged([each[topic]["claims"] for each in files[side]]) for side in files}
        found[topic] = Article(sides, texts)
    return found


def opinion_summaries() -> Iterator[tuple[str, str, float]]:
    """Summary, reviews, and the mean of three raters' scores for faithfulness."""
    for row in lines("summeval_op/summeval-op-detailed.jsonl"):
        for summary, scores in zip(row["summaries"], row["fa"], strict=True):
            yield summary, "\n".join(row["reviews"]), sum(scores) / len(scores)


def _judged(by_rater: list) -> list[tuple[str, list[bool]]]:
    flat = [
        [claim for claims in each.values() for claim in claims] if isinstance(each, dict) else each
        for each in by_rater
    ]
    return [
        (raters[0]["claim"], [each["judgment"] for each in raters if each["judgment"] is not None])
        for raters in zip(*flat, strict=True)
    ]
