"""How good the lexical baseline is on public sets, printed beside the figures it was designed with.

Every label comes through the judge's own reply and the protocol's parser. Prints, asserts nothing.
Run: python -m benchmarks.offline_quality
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from benchmarks import offline_sets as sets
from benchmarks.claims import claim
from faithfulness.judging.judge import question
from faithfulness.judging.offline.decision import decide_label
from faithfulness.judging.offline.offline_judge import OfflineJudge
from faithfulness.judging.offline.sources import index_sources
from faithfulness.model.errors import JudgeFailed
from faithfulness.model.vocabulary import (
    Answer,
    Field,
    Item,
    Span,
    Unit,
    UnitKind,
    make_response_unit,
)
from faithfulness.protocols import protocol
from faithfulness.text.no_source import needs_no_source
from faithfulness.text.sentences import cut_sentences
from tests.faithfulness.checks.case_files import cases
from tests.shared_data import NO_DATA

JUDGE = OfflineJudge()
LABELS = ("supported", "unsupported", "contradictory", "no_rad")
WORST = ("contradictory", "unsupported", "supported", "no_rad")  # a text is as its worst sentence


class Row(NamedTuple):
    """What people said about one text, what the judge said, and the regression's lowest value."""

    gold: str
    said: str
    value: float


def item_of(case: sets.Case) -> Item:
    fields = [Field(name="response", kind="response", text=case.text)]
    fields += [
        Field(name=f"external_{number}", kind="external", text=text)
        for number, text in enumerate(case.sources, start=1)
    ]
    units = [
        Unit(id=f"s{number}", kind=UnitKind.SENTENCE, field="response", text=case.text[start:end],
             span=Span(field="response", start=start, end=end))
        for number, (start, end) in enumerate(cut_sentences(case.text), start=1)
    ]  # fmt: skip
    units.append(make_response_unit("response", case.text))
    return Item(id="case", fields=tuple(fields), units=tuple(units))


def asked(key: str, item: Item) -> tuple[Answer, ...]:
    put = question(protocol(key), item)
    return put.protocol.parse(JUDGE.ask(put).text, item, put.mark).answers


def rows(cases: Iterable[sets.Case]) -> list[Row]:
    found = []
    for case in cases:
        item = item_of(case)
        said = [each.value for each in asked("sentence_grounding", item)]
        known = index_sources(item.sources)
        values = [
            decide_label(unit.text, known, may_need_no_source=False).value or 0.0
            for unit in item.units_of(UnitKind.SENTENCE)
        ]
        found.append(Row(case.label, min(said, key=WORST.index), min(values)))
    return found


def auc(found: Sequence[Row]) -> float:
    good = [each.value for each in found if each.gold == "supported"]
    bad = [each.value for each in found if each.gold != "supported"]
    wins = sum((one > other) + 0.5 * (one == other) for one in good for other in bad)
    return wins / len(good) / len(bad)


def recall(found: Sequence[Row], holds: Callable[[str], bool]) -> float:
    of = [each for each in found if holds(each.gold)]
    return sum(holds(each.said) for each in of) / len(of)


def precision(found: Sequence[Row], holds: Callable[[str], bool]) -> float:
    of = [each for each in found if holds(each.said)]
    return sum(holds(each.gold) for each in of) / len(of) if of else 0.0


def f1(found: Sequence[Row], holds: Callable[[str], bool]) -> float:
    one, other = precision(found, holds), recall(found, holds)
    return 2 * one * other / (one + other) if one + other else 0.0


def balanced(found: Sequence[Row]) -> float:
    def is_supported(label: str) -> bool:
        return label == "supported"

    def is_not(label: str) -> bool:
        return label != "supported"

    return (recall(found, is_supported) + recall(found, is_not)) / 2


def show_set(name: str, found: Sequence[Row], designed: str) -> None:
    share = sum(each.gold == "supported" for each in found) / len(found)
    print(f"\n{name}: n = {len(found)}, supported {share:.2f}")
    print(f"  AUC {auc(found):.3f}, balanced accuracy {balanced(found):.3f}; designed: {designed}")
    told = f"Lexical baseline on {name} (n {len(found):,}): area under the curve"
    claim(told, auc(found), "", peer=f"designed with: {designed}")
    present = [label for label in LABELS if any(each.gold == label for each in found)]
    each_f1 = [f"{label} {f1(found, lambda said, own=label: said == own):.3f}" for label in present]
    print(f"  F1 {', '.join(each_f1)}, not supported {f1(found, _not_supported):.3f}")
    if len(present) > 2:
        mean = sum(recall(found, lambda said, own=label: said == own) for label in present)
        print(f"  balanced accuracy over {len(present)} labels {mean / len(present):.3f}")
    show_clashes(found)


def show_clashes(found: Sequence[Row]) -> None:
    flags = [each.gold for each in found if each.said == "contradictory"]
    real = sum(each.gold == "contradictory" for each in found)
    right = flags.count("contradictory")
    at_least = sum(gold != "supported" for gold in flags)
    print(
        f"  contradictory: {len(flags)} flags, {right} right, {at_least} at least not supported; "
        f"{real} were there"
    )


def show_bands(found: Sequence[Row]) -> None:
    print(f"\nall sets above together, n = {len(found)}: how often people said supported")
    edges = (0.0, 0.1, 0.4, 0.5, 0.6, 0.7, 1.0)
    expected = ("4 %", "7-11 %", "17 %", "26 %", "47 %", "74 %")
    for low, high, told in zip(edges, edges[1:], expected, strict=False):
        here = [each.gold == "supported" for each in found if low <= each.value < high]
        share = f"{sum(here) / len(here):.0%}" if here else "none"
        print(f"  value {low:.1f} to {high:.1f}: {share} of {len(here)}; designed: {told}")
    for label, told in (("supported", ".55"), ("unsupported", ".90")):
        said = [each.gold for each in found if each.said == label]
        hits = sum((gold == "supported") == (label == "supported") for gold in said)
        print(f"  said {label}: right {hits / len(said):.3f} of {len(said)}; designed: {told}")


def show_no_source() -> None:
    told = Counter(
        (is_checkable, bool(needs_no_source(text)))
        for text, is_checkable in sets.factcheck_sentences()
    )
    flagged, none = told[False, True] + told[True, True], told[False, True] + told[False, False]
    print(
        f"\nFactcheck-GPT sentences without anything to check: {told[False, True]} of {none} found,"
        f" {told[True, True]} of {flagged} flags wrong; designed: recall .32, precision 1.00"
    )


def show_claims() -> None:
    found, human, ours = [], [], []
    for topic, article in sets.articles().items():
        item = claims_item(topic, article)
        answers = {each.unit_id: each.value == "true" for each in asked("claim_overlap", item)}
        said: dict[str, list[bool]] = {side: [] for side in article.sides}
        gold: dict[str, list[bool]] = {side: [] for side in article.sides}
        for unit in item.units:
            judged = article.sides[unit.field][int(unit.id.split(".")[1])][1]
            if judged:
                is_true = 2 * sum(judged) > len(judged)
                said[unit.field].append(answers[unit.id])
                gold[unit.field].append(is_true)
                found.append(_claim_row(unit, item, is_true, answers[unit.id]))
        human.append(info_f1(gold))
        ours.append(info_f1(said))
    agree = sum((each.gold == "supported") == (each.said == "supported") for each in found)
    print(f"\nWikiVideo claims, both ways: n = {len(found)}, {len(human)} articles")
    print(
        f"  AUC {auc(found):.3f}, balanced accuracy {balanced(found):.3f}, kappa "
        f"{kappa(found, agree):.3f}; designed with equal weights: AUC .851 (.863/.772/.58 with a"
        " table of word weights)"
    )
    error = sum(abs(one - other) for one, other in zip(human, ours, strict=True)) / len(human)
    print(
        f"  InfoF1 an article: people {sum(human) / len(human):.3f}, baseline "
        f"{sum(ours) / len(ours):.3f}, mean error {error:.3f}, Spearman "
        f"{spearman(human, ours):.2f}; designed: .267, .203, .08, .86 (n = 30)"
    )


def show_opinions() -> None:
    scores, would, refused = [], [], 0
    for summary, reviews, score in sets.opinion_summaries():
        case = sets.Case(summary, (reviews,), "")
        scores.append(score)
        would.append(_share_supported(case))
        try:
            asked("comparative_summary", item_of(case))
        except JudgeFailed as failure:
            refused += failure.kind == "cannot_judge"
    print(
        f"\nOpinion summaries, 1-5: refused {refused} of {len(scores)}. Had it scored by its share "
        f"of supported sentences: Spearman {spearman(scores, would):.2f}; designed: -.43 (n = 416)"
    )


def claims_item(topic: str, article: sets.Article) -> Item:
    units = [
        Unit(id=f"{side}.{number}", kind=UnitKind.CLAIM, field=side, text=claim, span=None)
        for side, claims in article.sides.items()
        for number, (claim, _) in enumerate(claims)
    ]
    fields = [Field(name=name, kind=name, text=text) for name, text in article.texts.items()]
    return Item(id=topic, fields=tuple(fields), units=tuple(units))


def info_f1(sides: dict[str, list[bool]]) -> float:
    one, other = (sum(each) / len(each) if each else 0.0 for each in sides.values())
    return 2 * one * other / (one + other) if one + other else 0.0


def kappa(found: Sequence[Row], agree: int) -> float:
    n = len(found)
    people = sum(each.gold == "supported" for each in found) / n
    judge = sum(each.said == "supported" for each in found) / n
    chance = people * judge + (1 - people) * (1 - judge)
    return (agree / n - chance) / (1 - chance)


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    first, second = ranks(one), ranks(other)
    middle = (len(one) + 1) / 2
    both = sum((x - middle) * (y - middle) for x, y in zip(first, second, strict=True))
    spread = sum((x - middle) ** 2 for x in first) * sum((y - middle) ** 2 for y in second)
    return both / spread**0.5 if spread else float("nan")


def ranks(values: Sequence[float]) -> list[float]:
    order = sorted(values)
    return [order.index(each) + (order.count(each) + 1) / 2 for each in values]


def answer_to(item: Item) -> str:
    """The answer under response consistency, or "declined"."""
    try:
        (answer,) = asked("response_consistency", item)
    except JudgeFailed as failure:
        if failure.kind != "cannot_judge":
            raise
        return "declined"
    return answer.value or "unread"


def show_answers(name: str, found: Sequence[tuple[bool, str]]) -> None:
    """How often it says Yes, of responses that the sources bear out and of others."""
    yes = [good for good, said in found if said == "yes_evidence"]
    no = [good for good, said in found if said == "no_contrary_evidence"]
    good = sum(holds for holds, _ in found)
    share = f"{sum(yes) / len(yes):.0%}" if yes else "—"
    print(
        f"  {name}: n = {len(found)}, {good} borne out; "
        f"Yes {len(yes)}, right {sum(yes)} ({share}); No {len(no)}, right {len(no) - sum(no)}; "
        f"declined {sum(said == 'declined' for _, said in found)}"
    )


def show_own_cases() -> None:
    print("\nResponse consistency, own cases:")
    for written in dict.fromkeys(case.written for case in cases() if case.consistent is not None):
        found = [
            (bool(case.consistent), answer_to(case.item))
            for case in cases(written=written)
            if case.consistent is not None
        ]
        show_answers(written, found)


def show_public_answers(name: str, found: Iterable[sets.Case]) -> None:
    answers = [(case.label == "supported", answer_to(item_of(case))) for case in found]
    show_answers(name, answers)


def _claim_row(unit: Unit, item: Item, is_true: bool, said: bool) -> Row:
    other = "reference" if unit.field == "response" else "response"
    known = index_sources(tuple(each for each in item.fields if each.name == other))
    value = decide_label(unit.text, known, may_need_no_source=False).value or 0.0
    names = {True: "supported", False: "unsupported"}
    return Row(names[is_true], names[said], value)


def _share_supported(case: sets.Case) -> float:
    said = [each.value for each in asked("sentence_grounding", item_of(case))]
    checked = [each for each in said if each != "no_rad"]
    return checked.count("supported") / len(checked) if checked else 1.0


def _not_supported(label: str) -> bool:
    return label != "supported"


def main() -> None:
    show_own_cases()
    if not sets.DATA.is_dir():
        print(f"Nothing was measured: {NO_DATA}.")
        return
    measured = (
        ("BEGIN-WoW dev (the weights were fitted on it, among others)", sets.begin_wow,
         "AUC .90, BAcc .82 on its test part"),
        ("Factcheck-GPT pairs (the weights were fitted on about half)", sets.factcheck_pairs,
         "AUC .80, BAcc .72"),
        ("DialFact", sets.dialfact, "AUC .68, BAcc .63"),
        ("ExpertQA (no weight was fitted on it)", sets.expertqa, "not measured"),
    )  # fmt: skip
    pooled: list[Row] = []
    for name, cases_of, designed in measured:
        found = rows(cases_of())
        show_set(name, found, designed)
        pooled += found
    print("\nResponse consistency, public texts with their sources as external sites:")
    for name, cases_of, _ in measured:
        show_public_answers(name.partition(" (")[0], cases_of())
    show_bands(pooled)
    show_no_source()
    show_claims()
    show_opinions()


if __name__ == "__main__":
    main()
