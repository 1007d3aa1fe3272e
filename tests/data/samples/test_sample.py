"""The sample holds what its README promises: measured on what the importers make of it."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from data.importing.preview.copied_raters import NO_WORDS, Heard, Voice, warn_of_copied_raters
from data.items.loading import load_item
from data.runs import queries
from data.runs.remove import remove_sample
from data.samples.columns import AUTHORS, CLAIM_VALUES, parse_columns
from data.samples.first_start import fill, fill_first, prepare_sample
from data.samples.lines import read_lines
from data.samples.sample import FOLDER, SampleAnswers, build_fields, iter_answers, iter_drafts
from data.samples.scores import read_scored
from data.store.store import open_store
from faithfulness.intake.intake import PreparedItem, SignedAnswer, take_in
from faithfulness.model.drafts import Draft
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Author, AuthorKind, Tier, compute_item_id
from faithfulness.protocols import PROTOCOLS
from faithfulness.text.excerpts import place_excerpt, prepare_source
from faithfulness.text.sentences import cut_sentences

DRAFTS = list(iter_drafts())
TAKEN = [(draft, take_in(draft)) for draft in DRAFTS]
TOLD = list(iter_answers())
LABELLED = [each for each in TOLD if any(line.labels for line in each.lines)]
README = (FOLDER / "README.md").read_text(encoding="utf-8")
NORTH = AUTHORS["north"]


def signed(
    protocol: str = "", system: str = ""
) -> Iterator[tuple[Draft, PreparedItem, SignedAnswer]]:
    for draft, taken in TAKEN:
        if draft.protocol.startswith(protocol) and draft.system.startswith(system):
            for each in taken.signed:
                yield draft, taken, each


def items_where(found: Iterator[tuple[Draft, PreparedItem, SignedAnswer]]) -> set[str]:
    return {taken.item.id for _, taken, _ in found}


def values(protocol: str, criterion: str, system: str = "") -> dict[str, dict[object, str]]:
    """Each author's values by unit."""
    by_author: dict[str, dict[object, str]] = defaultdict(dict)
    for _, taken, each in signed(protocol, system):
        if each.answer.criterion == criterion and each.answer.value is not None:
            unit = (taken.item.id, each.answer.unit_id)
            by_author[each.author.name][unit] = each.answer.value
    return by_author


def kappa(one: dict[object, str], two: dict[object, str]) -> tuple[float, float]:
    """Agreement and Cohen's kappa on the units both answered."""
    both = [(one[unit], two[unit]) for unit in one if unit in two]
    count = len(both)
    agreed = sum(first == second for first, second in both) / count
    firsts, seconds = Counter(each for each, _ in both), Counter(each for _, each in both)
    chance = sum(firsts[value] * seconds[value] for value in firsts) / count**2
    return agreed, (agreed - chance) / (1 - chance)


def test_two_readings_of_the_files_are_equal() -> None:
    assert list(iter_drafts()) == DRAFTS


def test_there_are_more_than_sixty_items_under_all_five_protocols() -> None:
    assert len({compute_item_id(draft.fields) for draft in DRAFTS}) >= 60
    assert {draft.protocol for draft in DRAFTS} == set(PROTOCOLS)


def test_items_meet_across_protocols() -> None:
    protocols = defaultdict(set)
    for draft in DRAFTS:
        protocols[compute_item_id(draft.fields)].add(draft.protocol)
    pairs = Counter(
        other for met in protocols.values() for other in met if "sentence_grounding" in met
    )
    assert pairs["response_consistency"] >= 12
    assert pairs["comparative_summary"] >= 8
    assert pairs["expert_rubric"] >= 8
    assert pairs["claim_overlap"] >= 3


def test_systems_answer_the_same_queries() -> None:
    systems = defaultdict(set)
    for draft in DRAFTS:
        systems[draft.external_id].add(draft.system)
    pairs = Counter(frozenset(each) for each in systems.values())
    assert pairs[frozenset({"shop-assistant-a", "shop-assistant-b"})] >= 10
    assert pairs[frozenset({"paper-reader-1", "paper-reader-2"})] >= 5


def test_three_raters_and_two_judges_answer_under_every_protocol() -> None:
    for protocol in PROTOCOLS:
        kinds = Counter(author.kind for author in {each.author for *_, each in signed(protocol)})
        assert kinds == {AuthorKind.RATER: 3, AuthorKind.JUDGE: 2}, protocol


@pytest.mark.parametrize("each", LABELLED, ids=lambda each: each.where)
def test_our_cutter_cuts_the_sentences_as_they_are_listed(each) -> None:
    response = build_fields(each)[-1].text
    spans = cut_sentences(response, each.case.get("language", "en"))
    assert [response[start:end] for start, end in spans] == [line.text for line in each.lines]


def test_no_answer_breaks_a_protocols_rules() -> None:
    complaints = [(draft.external_id, taken.complaints) for draft, taken in TAKEN]
    assert [each for each in complaints if each[1]] == []


def test_every_sentence_a_judge_wrote_is_found_in_its_response() -> None:
    assert [(draft.external_id, taken.notes) for draft, taken in TAKEN if taken.notes[0][1]] == []


@pytest.mark.parametrize(
    ("tier", "items"), [(Tier.VERBATIM, 40), (Tier.NEAR, 4), (Tier.STITCHED, 8), (Tier.ABSENT, 4)]
)
def test_excerpts_of_every_kind_are_there(tier: Tier, items: int) -> None:
    found = (
        each
        for each in signed()
        if any(excerpt.placement.tier is tier for excerpt in each[2].answer.excerpts)
    )
    assert len(items_where(found)) >= items


def test_some_stitched_excerpts_come_from_three_places() -> None:
    places = [
        len(excerpt.placement.spans)
        for *_, each in signed()
        for excerpt in each.answer.excerpts
        if excerpt.placement.tier is Tier.STITCHED
    ]
    assert places.count(3) >= 2


def test_near_excerpts_differ_by_a_digit() -> None:
    changed = set()
    for draft, taken, each in signed("sentence_grounding"):
        for excerpt in each.answer.excerpts:
            if excerpt.placement.tier is Tier.NEAR:
                span = excerpt.placement.spans[0]
                source = taken.item.text_of(span.field)[span.start : span.end]
                if re.findall(r"\d+", source) != re.findall(r"\d+", excerpt.text):
                    changed.add((draft.external_id, draft.system))
    assert len(changed) >= 4


def test_a_judge_merges_and_splits_sentences() -> None:
    merged, split = set(), set()
    for _, taken, each in signed("sentence_grounding"):
        if len(each.answer.pieces) > 1:
            split.add(taken.item.id)
        for piece in each.answer.pieces:
            unit = next(unit for unit in taken.item.units if unit.id == each.answer.unit_id)
            if len(piece.text) > len(unit.text):
                merged.add(taken.item.id)
    assert len(merged) >= 2
    assert len(split) >= 2


@pytest.mark.parametrize(
    "problem",
    [
        "says nothing about this sentence",
        "is not one of supported",
        "has no line of its own",
        "is not one of 1, 2, 3, 4, 5",
    ],
)
def test_replies_are_unread_in_every_way(problem: str) -> None:
    found = (each for each in signed() if problem in each[2].answer.problem)
    assert len(items_where(found)) >= 2


def test_only_the_judge_with_raw_replies_is_unread() -> None:
    assert {each.author for *_, each in signed() if each.answer.is_unread} == {NORTH}


def test_two_replies_were_cut_off() -> None:
    cut_off = [
        reply.text for draft in DRAFTS for reply in draft.replies if reply.finish_reason == "length"
    ]
    assert len(cut_off) >= 2
    assert not any(text.rstrip().endswith("}") for text in cut_off)


def test_claims_are_unjudged_and_whole_sides_too() -> None:
    undefined = Counter()
    for draft, taken in TAKEN:
        if draft.protocol == "claim_overlap":
            for author, summary, _ in taken.summaries:
                for side in ("precision", "recall"):
                    undefined[side] += summary.parts[side] is None
                if summary.value is None:
                    undefined[author.name] += 1
    assert undefined["precision"] >= 1
    assert undefined["recall"] >= 1
    assert {"Nora", "judge-harbor-mini"} <= set(undefined)
    skipped = (each for each in signed("claim_overlap") if each[2].answer.value is None)
    assert len(items_where(skipped)) >= 4


def test_two_raters_copied_each_other_in_the_claim_run_only() -> None:
    def said(protocol: str) -> dict[Voice, list[Heard]]:
        found: dict[Voice, list[Heard]] = defaultdict(list)
        for draft, taken, each in signed(protocol):
            if each.author.kind is AuthorKind.RATER and each.answer.value is not None:
                unit = (taken.item.id, each.answer.unit_id, each.answer.criterion)
                words = hash(each.answer.rationale) if each.answer.rationale else NO_WORDS
                heard = (hash(unit), hash(each.answer.value), words)
                found[draft.system, each.author.name].append(heard)
        return found

    warned = {protocol: list(warn_of_copied_raters(said(protocol))) for protocol in PROTOCOLS}
    (warning,) = warned.pop("claim_overlap")
    assert warning.startswith("Felix and Priya")
    assert not any(warned.values())


@pytest.mark.parametrize(
    ("protocol", "criterion"),
    [
        ("sentence_grounding", "label"),
        ("response_consistency", "consistency"),
        ("claim_overlap", "supported"),
    ],
)
def test_authors_agree_about_as_well_as_people_do(protocol: str, criterion: str) -> None:
    by_author = values(protocol, criterion)
    found = [
        kappa(by_author[one], by_author[two])[1]
        for one, two in combinations(sorted(by_author), 2)
        if {one, two} != {"Felix", "Priya"} or protocol != "claim_overlap"
    ]
    assert 0.5 <= sum(found) / len(found) <= 0.75
    assert 0.3 < min(found) < max(found) < 0.9


def test_one_run_shows_high_agreement_with_kappa_near_zero() -> None:
    by_author = values("sentence_grounding", "label", "paper-reader-2")
    agreed, chance_corrected = kappa(by_author["Nora"], by_author["judge-harbor-mini"])
    assert agreed >= 0.9
    assert abs(chance_corrected) < 0.1


def test_harbor_is_lenient_and_north_is_strict() -> None:
    by_author = values("sentence_grounding", "label")
    nora = by_author["Nora"]
    missed = Counter()
    for name in (NORTH.name, "judge-harbor-mini"):
        for unit, value in by_author[name].items():
            missed[name, nora.get(unit), value] += 1
    lenient = ("contradictory", "supported")
    strict = ("supported", "unsupported")
    assert missed["judge-harbor-mini", *lenient] > 5 * missed[NORTH.name, *lenient]
    assert missed[NORTH.name, *strict] > 3 * missed["judge-harbor-mini", *strict]


def test_priya_is_the_harshest_on_ethics() -> None:
    means = {
        name: sum(map(int, scores.values())) / len(scores)
        for name, scores in values("expert_rubric", "ethics").items()
    }
    assert min(means, key=lambda name: means[name]) == "Priya"


def test_all_six_consistency_answers_and_four_query_types_are_given() -> None:
    for criterion in PROTOCOLS["response_consistency"].criteria:
        given = values("response_consistency", criterion.key)
        said = {value for author in given.values() for value in author.values()}
        assert said == set(criterion.scale.values)


def showing(word: str) -> list[SampleAnswers]:
    return [each for each in LABELLED if word in each.answer["shows"]]


@pytest.mark.parametrize("word", ["number", "unit", "price", "changed-digit"])
def test_a_wrong_figure_stands_in_a_contradicted_sentence(word: str) -> None:
    for each in showing(word):
        contradicted = [line for line in each.lines if "contradictory" in line.labels.values()]
        figures = [line for line in contradicted if re.search(r"(?i)\d|three", line.text)]
        assert figures, each.where


def test_inexact_quotations_are_not_in_the_sources() -> None:
    found = set()
    for each in showing("inexact-quote"):
        sources = [prepare_source(field) for field in build_fields(each)[:-1]]
        quoted = [quote for line in each.lines for quote in re.findall("“(.+?)”", line.text)]
        if any(place_excerpt(quote, sources).tier is not Tier.VERBATIM for quote in quoted):
            found.add(each.where)
    assert len(found) == len(showing("inexact-quote")) >= 2


def test_facts_from_reviews_are_told_without_saying_so() -> None:
    for each in showing("review-as-fact"):
        reviews = each.case["reviews"]
        assert any(
            len(set(line.labels.values())) > 1
            and line.excerpts
            and all(excerpt in reviews for excerpt in line.excerpts)
            and not re.search(r"(?i)customer|review|owner|buyer", line.text)
            for line in each.lines
        ), each.where


def test_many_customers_are_one_review() -> None:
    for each in [each for each in TOLD if "many-for-one" in each.answer["shows"]]:
        assert re.search(r"(?i)\bmany\b|\bseveral\b", build_fields(each)[-1].text), each.where


def test_some_authors_contradict_themselves_across_protocols() -> None:
    said: dict[tuple[str, str], set[str]] = defaultdict(set)
    for _, taken, each in signed():
        if each.answer.value is not None:
            answer = f"{each.answer.criterion} {each.answer.value}"
            said[taken.item.id, each.author.name].add(answer)
    cannot = [
        {"label contradictory", "consistency yes_evidence"},
        {"label unsupported", "faithfulness 5"},
        {"label contradictory", "accuracy 4"},
    ]
    for pair in cannot:
        clashing = [who for who, answers in said.items() if pair <= answers]
        assert 1 <= len(clashing) <= 3, pair


def texts(name: str = "") -> Iterator[tuple[str, str]]:
    for draft in DRAFTS:
        yield from (
            (compute_item_id(draft.fields), field.text)
            for field in draft.fields
            if field.name.startswith(name)
        )


@pytest.mark.parametrize(
    ("field", "pattern"),
    [
        ("response", r"\$\d"),
        ("response", r"\*\*\w"),
        ("", r"(?m)^\|.*\|$"),
        ("", r"</?b>|<score>"),
        ("", "[\U00010000-\U0010ffff]"),
        ("", r"(?i)label every sentence supported"),
    ],
)
def test_texts_that_screens_and_judges_stumble_over_are_there(field: str, pattern: str) -> None:
    assert len({item for item, text in texts(field) if re.search(pattern, text)}) >= 2


def test_three_scripts_beside_latin_are_there() -> None:
    responses = [text for _, text in texts("response")]
    for script in ("[\u0900-\u097f]", "[\u3040-\u30ff]", "[\u0600-\u06ff]"):
        assert any(re.search(script, text) for text in responses)


def test_a_context_of_thirty_thousand_characters_does_not_repeat_itself() -> None:
    contexts = dict(texts("context"))
    assert len(contexts) >= 2
    for text in contexts.values():
        lines = [line for line in text.splitlines() if line.strip()]
        assert len(text) >= 30_000
        assert len(set(lines)) == len(lines)


def test_every_phenomenon_is_explained_and_shown_twice() -> None:
    shown = Counter(word for each in TOLD for word in each.answer["shows"])
    explained = {
        word
        for row in README.split("## The phenomena")[1].splitlines()
        if row.startswith("| ") and not row.startswith("| Word")
        for word in row.split("|")[1].strip().split(", ")
    }
    assert set(shown) == explained
    assert min(shown.values()) >= 2


def test_the_readme_lists_every_item_with_what_it_shows() -> None:
    rows = README.split("## What is in it")[1].split("## The phenomena")[0]
    for each in TOLD:
        start = f"| {each.file.removesuffix('.yaml')} | `{each.case['case']}` |"
        start += f" {each.system.rpartition('-')[2]} |"
        row = next((line for line in rows.splitlines() if line.startswith(start)), "")
        assert row.endswith(f"| {', '.join(each.answer['shows'])} |"), start


def test_a_store_filled_twice_holds_the_sample_once(tmp_path: Path) -> None:
    store = open_store(tmp_path / "plumbline.duckdb", create=True)
    try:
        fill(store)
        version = store.version()
        fill(store)
        assert store.version() == version
        runs = queries.runs(store)
        assert len(runs) == len({(draft.protocol, draft.system) for draft in DRAFTS})
        draft, taken = TAKEN[0]
        stored = load_item(store, compute_item_id(draft.fields))
        assert stored.fields == draft.fields
        assert {unit.id for unit in taken.item.units} <= {unit.id for unit in stored.units}
    finally:
        store.close()


def test_only_an_unused_store_is_filled_on_first_start(tmp_path: Path) -> None:
    store = open_store(tmp_path / "plumbline.duckdb", create=True)
    try:
        fill_first(store)
        full = len(queries.runs(store))
        remove_sample(store, removed_by="ada", operation_id="remove-1")
        fill_first(store)
        assert (full, len(queries.runs(store))) == (11, 0)
    finally:
        store.close()


def test_a_removed_sample_stays_away_until_it_is_asked_for(tmp_path: Path) -> None:
    store = open_store(tmp_path / "plumbline.duckdb", create=True)
    try:
        fill(store)
        full = len(queries.runs(store))
        remove_sample(store, removed_by="ada", operation_id="remove-1")
        fill(store)
        assert len(queries.runs(store)) == 0
        fill(store, operation_id="again")
        assert len(queries.runs(store)) == full
    finally:
        store.close()


def test_the_handover_counts_what_the_drafts_say(tmp_path: Path) -> None:
    manifest = prepare_sample(tmp_path)
    assert manifest.complaint_count == 0
    assert sum(run.items for run in manifest.runs) == len(DRAFTS)
    said = sum(1 for *_, each in signed() if each.answer.value is not None)
    assert sum(run.answers for run in manifest.runs) == said


def test_a_code_with_a_letter_too_few_is_refused() -> None:
    with pytest.raises(ReviewError, match="needs 5 letters"):
        parse_columns("TTT T", CLAIM_VALUES, "here")
    with pytest.raises(ReviewError, match="needs 5 letters"):
        parse_columns("TTT TX", CLAIM_VALUES, "here")


def test_a_misspelled_key_is_refused() -> None:
    with pytest.raises(ReviewError, match="one code with its text"):
        read_lines([{"SSS SS": "It is.", "form": "It is."}], "here")
    with pytest.raises(ReviewError, match="norah"):
        read_scored("ethics", {"is": "5 5 5 5 5", "norah": "Good."}, {"5": "5"}, "here")


def test_authors_are_as_the_readme_names_them() -> None:
    for author in AUTHORS.values():
        assert isinstance(author, Author)
        assert f"| {author.name}, {author.kind} |" in README
