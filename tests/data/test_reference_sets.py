"""What the public sets hold, counted again in the store: spans, evidence, kinds of claims."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.agreement.pairs import compare_sides
from data.importing.importer import Options
from data.importing.limits import COMMAND
from data.importing.prepare import prepare
from data.importing.save import save_import
from data.runs import queries
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import Side
from faithfulness.statistics.agreement import pair_estimates
from tests.data.agreement.test_agreement_sets import close
from tests.data.test_reference_numbers import (  # noqa: F401 - fixtures are found by name
    label_counts,
    make_store,
    numbers_of,
    reference,
)
from tests.made_stores import new_store
from tests.shared_data import SHARED, needs_shared

pytestmark = needs_shared

KINDS = {"intrinsic": "contradictory", "extrinsic": "unsupported"}
# The names of the score file for the systems of the span file.
SCORED = {"PtGen": "ptgen", "TConvS2S": "tconvs2s"}
SCORED |= {"BERTS2S": "bert_withckpt", "TranS2S": "bert_nockpt"}
TRIPLETS = {"Entailment": "supported", "Neutral": "unsupported", "Contradiction": "contradictory"}


def asked(store: Store, question: str) -> list[tuple[Any, ...]]:
    with store.read() as cursor:
        found: list[tuple[Any, ...]] = cursor.execute(question).fetchall()
    return found


def noted(store: Store, name: str, system: str = "") -> Counter[str]:
    """How often each value of a side note stands in the comments of answers."""
    joined = "select system, comment from annotations join runs using (run_no)"
    comments = (said for of, said in asked(store, joined) if system in ("", of))
    found = (re.search(rf"(?:^|[;.] ){name}: ([^;]*)", comment) for comment in comments)
    return Counter(each[1] for each in found if each)


@pytest.fixture(scope="module")
def xsum(make_store: Callable[..., Store]) -> Store:  # noqa: F811
    return make_store("xsum_hallucination/*.csv")


_MARKED = """
select r.system, i.external_id, a.value, a.pieces, a.rationale, f.text
from annotations a
join runs r on r.run_no = a.run_no
join run_items i on i.run_no = a.run_no and i.item_no = a.item_no
join fields f on f.item_no = a.item_no and f.name = 'response'
"""


def not_placed(rationale: str, kind: str) -> int:
    return rationale.count(f"Marked as {kind}, but not found")


def test_marked_spans_are_equal_for_every_kind_and_system(xsum: Store) -> None:
    expected = reference("xsum")
    rows: Counter[tuple[str, str]] = Counter()
    raters: Counter[tuple[str, str, str]] = Counter()
    for system, article, value, pieces, rationale, _ in asked(xsum, _MARKED):
        rows[system, "NULL"] += value == "supported"
        for kind, label in KINDS.items():
            found = sum(piece["value"] == label for piece in pieces) + not_placed(rationale, kind)
            rows[system, kind] += found
            raters[system, article, kind] += found > 0
    beside = 0
    for system, numbers in expected["per_system"].items():
        for kind in KINDS:
            votes = [n for (who, _, what), n in raters.items() if (who, what) == (system, kind)]
            assert sum(n >= 2 for n in votes) == numbers[f"majority_{kind}"]
            assert rows[system, kind] == numbers["span_rows"][kind]
        beside += numbers["span_rows"]["NULL"] - rows[system, "NULL"]
    # Two raters wrote a row without a mark beside a mark in the same summary: the mark counts.
    assert beside == 2
    by_type = {kind: sum(rows[system, kind] for system in expected["per_system"]) for kind in KINDS}
    by_type["NULL"] = sum(n for (_, kind), n in rows.items() if kind == "NULL") + beside
    assert by_type == expected["rows_by_type"]
    assert sum(by_type.values()) == expected["span_rows"]
    assert by_type["intrinsic"] + by_type["extrinsic"] == expected["real_spans"]


def test_spans_not_in_the_summary_stay_as_notes(xsum: Store) -> None:
    expected = reference("xsum")["offsets"]
    lost = sum(
        not_placed(rationale, kind) for *_, rationale, _ in asked(xsum, _MARKED) for kind in KINDS
    )
    assert lost == expected["spans_not_equal"]
    assert lost == expected["of_those_not_found_anywhere_in_summary"]


def test_three_raters_marked_one_hundred_articles(xsum: Store) -> None:
    expected = reference("xsum")
    by_summary = Counter((row[0], row[1]) for row in asked(xsum, _MARKED))
    found = Counter(str(raters) for raters in by_summary.values())
    assert found == expected["raters_per_summary"]
    assert len(by_summary) == expected["summaries"]
    assert len({article for _, article in by_summary}) == expected["documents"]


def test_published_faithfulness_is_the_share_of_unmarked_words(xsum: Store) -> None:
    expected = reference("xsum")["published_scores"]
    shares: dict[tuple[str, str], list[float]] = {}
    unplaced = set()
    for system, article, _, pieces, rationale, text in asked(xsum, _MARKED):
        words = [match.span() for match in re.finditer(r"\S+", text)]
        marked = sum(
            any(piece["span_start"] <= start and end <= piece["span_end"] for piece in pieces)
            for start, end in words
        )
        shares.setdefault((system, article), []).append(1 - marked / len(words))
        if any(not_placed(rationale, kind) for kind in KINDS):
            unplaced.add((system, article))
    given = numbers_of(xsum)
    faithful = given[given["name"] == "Faithful"].set_index(["system", "external_id"])["value"]
    found = {
        f"{SCORED[system]}_{article}": (sum(said) / len(said), (system, article))
        for (system, article), said in shares.items()
        if (system, article) in faithful.index
    }
    assert len(found) == expected["rows"]
    apart = {name for name, (share, key) in found.items() if abs(share - faithful[key]) > 1e-9}
    told = {each["system_bbcid"]: each for each in expected["faithful_mismatches"]}
    # A mark whose words stand nowhere in the summary has no place in the store.
    more = {name for name in apart - set(told) if found[name][1] in unplaced}
    assert apart == set(told) | more
    assert len(found) - len(apart - more) == expected["faithful_reproduced_exactly"]
    for name, each in told.items():
        assert found[name][0] == close(each["recomputed"])
        assert faithful[found[name][1]] == close(each["published"])


@pytest.fixture(scope="module")
def factcheck(make_store: Callable[..., Store]) -> Store:  # noqa: F811
    return make_store("factcheck_gpt/*.jsonl")


def test_factcheck_claims_keep_their_kind_and_verdict(factcheck: Store) -> None:
    expected = reference("factcheck_gpt")
    assert noted(factcheck, "kind") == expected["claim_checkworthiness"]
    contradicted = asked(
        factcheck,
        "select i.position, a.comment, a.annotation_no from annotations a "
        "join runs r on r.run_no = a.run_no and r.system = 'ChatGPT (claims)' "
        "join run_items i on i.run_no = a.run_no and i.item_no = a.item_no "
        "where a.value = 'contradictory'",
    )
    both = sum("supports it completely" in comment for _, comment, _ in contradicted)
    name = "claims_with_both_refuting_and_completely_supporting_evidence"
    assert both == expected[name]
    told = [str(each["human_factuality"]).lower() for each in expected["contradictory_claims"]]
    verdicts = Counter(re.findall(r"factuality: (\w+)", " ".join(row[1] for row in contradicted)))
    assert verdicts == Counter(told)
    by_row = Counter(row for row, _, _ in contradicted)
    assert sorted(by_row.values()) == sorted(
        Counter(each["row"] for each in expected["contradictory_claims"]).values()
    )
    quoted = asked(
        factcheck,
        "select count(*) from excerpts e join annotations a on a.annotation_no = e.annotation_no "
        "join runs r on r.run_no = a.run_no and r.system = 'ChatGPT (claims)' "
        "where a.value = 'contradictory'",
    )
    refuting = [len(each["refuting_evidence_indices"]) for each in expected["contradictory_claims"]]
    assert len(refuting) <= quoted[0][0] <= sum(refuting) == expected["stance_counts"]["refute"]


def test_factcheck_sentences_stand_in_the_response_or_keep_their_words(factcheck: Store) -> None:
    found = asked(factcheck, "select count(*) from units where kind = 'sentence' and text is null")
    assert found[0][0] == reference("factcheck_gpt")["sentences_verbatim_in_response"]


def test_expertqa_keeps_what_experts_said_beside_the_label(
    make_store: Callable[..., Store],  # noqa: F811
) -> None:
    expected = reference("expertqa")
    store = make_store("expertqa/*.jsonl")
    counts = {label: n for (_, label), n in label_counts(store).items()}
    unread = counts.pop("unread")
    assert counts | {"no_label": unread} == expected["labels_complete_is_supported"]
    # What the reference calls N/A is null in the file: no note, and unread.
    assert {**noted(store, "support"), "N/A": unread} == expected["support"]
    for system, support in expected["support_by_system"].items():
        told = {kind: n for kind, n in support.items() if kind != "N/A"}
        assert noted(store, "support", system) == told
    assert noted(store, "correctness") == expected["correctness"]
    useful = asked(store, "select attributes['usefulness'] from run_items")
    assert Counter(row[0] for row in useful) == expected["usefulness"]
    verbatim = "select count(*) from units where kind = 'sentence' and text is null"
    assert asked(store, verbatim)[0][0] == expected["claims_verbatim_in_answer"]
    linked = "select count(*) from annotations where len(links) > 0"
    assert asked(store, linked)[0][0] == expected["claims_with_evidence"]


def test_dialogues_keep_their_rows_kinds_and_evidence(
    make_store: Callable[..., Store],  # noqa: F811
) -> None:
    expected = reference("dialfact")
    store = make_store("dialfact/*.jsonl")
    kinds = Counter(row[0] for row in asked(store, "select attributes['data_type'] from run_items"))
    assert kinds == expected["data_type"]
    passages = asked(store, "select count(*) from fields where kind = 'external'")
    assert passages[0][0] == expected["evidence_items"] - 2  # two passages have no words to show
    contradicted = asked(
        store,
        "select i.external_id from annotations a join run_items i on i.item_no = a.item_no "
        "join authors w on w.author_no = a.author_no and w.kind = 'rater' "
        "where a.value = 'contradictory' order by i.position",
    )
    assert [row[0] for row in contradicted] == expected["contradictory_rows"]
    people, model = Side.from_text("rater:dialfact annotators"), Side.from_text("judge:fever_score")
    four = compare_sides(store, Selection(), "label", people, model).tables
    for name, tables in (
        ("model_vs_human_4_labels_model_never_says_no_rad", four),
        ("model_vs_human_3_labels", four.collapsed({"no_rad": "unsupported"})),
    ):
        check_matrix(tables, expected[name])


def check_matrix(tables: Any, expected: dict[str, Any]) -> None:
    total, found = tables.total, pair_estimates(tables)
    cells = {
        f"{low} -> {high}": int(total[i, j])
        for i, low in enumerate(tables.values)
        for j, high in enumerate(tables.values)
        if total[i, j]
    }
    assert cells == expected["matrix_human_model"]
    assert tables.units_n == expected["n"]
    assert found["percent"].value == close(expected["accuracy"])
    assert found["kappa"].value == close(expected["cohen_kappa"])
    scores = [found[f"f1:{label}"].value for label in tables.values]
    assert sum(score or 0.0 for score in scores) / len(scores) == close(expected["macro_f1"])
    for place, label in enumerate(tables.values):
        numbers = expected["per_label"][label]
        assert total[place].sum() == numbers["human_n"]
        assert total[:, place].sum() == numbers["model_n"]
        for name in ("precision", "recall", "f1"):
            value = found[f"{name}:{label}"].value
            # Precision of a label that the model never gives is undefined here, 0 there.
            assert (value if numbers["model_n"] else value or 0.0) == close(numbers[name])


def triplet_lines(name: str) -> list[str]:
    """The responses with their claims in the native format, for which there is no importer."""
    path = SHARED / "refchecker" / "accurate_context" / f"{name}.json"
    lines = []
    for row in json.loads(path.read_text(encoding="utf-8")):
        answers = [
            {
                "author": "adjudicated",
                "author_kind": "rater",
                "criterion": "label",
                "unit": "claim",
                "text": " ".join(claim["triplet"]),
                "value": TRIPLETS[claim["human_label"]],
            }
            for claim in row["claude2_response_kg"]
        ]
        # Three short responses say the same about different questions.
        fields = [
            {"name": "topic", "kind": "topic", "text": f"Question {row['id']}"},
            {"name": "response", "kind": "response", "text": row["response"]},
        ]
        record = {"protocol": "sentence_grounding", "system": name, "id": row["id"]}
        lines.append(json.dumps(record | {"fields": fields, "answers": answers}))
    return lines


@pytest.mark.parametrize("name", ["dolly_gpt4_answers", "dolly_alpaca_7B_answers"])
def test_claims_of_triplets_have_the_rates_computed(tmp_path: Path, name: str) -> None:
    expected = reference("refchecker")[name]
    path = tmp_path / "triplets.jsonl"
    path.write_text("\n".join(triplet_lines(name)), encoding="utf-8")
    into = tmp_path / "prepared"
    into.mkdir()
    store = new_store(tmp_path / "store.duckdb")
    prepare([(path.name, path)], importer="plumbline", options=Options(), into=into, limits=COMMAND)
    save_import(store, into, operation_id="triplets")
    run = queries.runs(store).iloc[0]
    counts = {label: n for (_, label), n in label_counts(store).items()}
    found = numbers_of(store)
    scored = found[found["value"].notna()]
    store.close()
    assert run["items"] == expected["responses"]
    assert counts == {label: n for label, n in expected["labels"].items() if n}
    assert sum(counts.values()) == run["answers"] == expected["claims"]
    micro = counts["supported"] / sum(counts.values())
    assert micro == close(expected["claim_support_rate_micro"])
    assert run["items"] - len(scored) == expected["responses_without_claims"]
    macro = expected["claim_support_rate_macro_over_responses_with_claims"]
    assert scored["value"].mean() == close(macro)
    contradicted = sum(dict(parts)["contradictory"] > 0 for parts in scored["parts"])
    assert contradicted == expected["responses_with_a_contradiction"]
    assert int((scored["value"] == 1).sum()) == expected["responses_fully_supported"]
