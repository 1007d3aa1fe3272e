"""The public sets, imported, stored and asked again, give the numbers computed independently."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from data.importing.importer import Options
from data.importing.limits import COMMAND
from data.importing.prepare import prepare
from data.importing.save import save_import
from data.runs import queries
from data.store.store import Store
from tests.made_stores import new_store
from tests.shared_data import SHARED, needs_shared

pytestmark = needs_shared

DIMENSIONS = (
    "Fluency",
    "Coherence",
    "Relevance",
    "Faithfulness",
    "Aspect Coverage",
    "Sentiment Consistency",
    "Specificity",
)
RATERS = ("annotator_1", "annotator_2", "annotator_3")

# Every number of a run's items, the last one of each name.
_NUMBERS = """
select r.system, i.external_id, w.kind, w.name as author, s.name, s.value, s.counted, s.left_out,
    s.given, s.parts
from summaries s
join runs r on r.run_no = s.run_no
join run_items i on i.run_no = s.run_no and i.item_no = s.item_no
join authors w on w.author_no = s.author_no
"""


def reference(name: str) -> Any:
    numbers = json.loads((SHARED / "reference_numbers.json").read_text(encoding="utf-8"))
    return numbers["sets"][name]


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-9)


@pytest.fixture(scope="module")
def make_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Store]]:
    """A store holding all files of a pattern, imported together."""
    opened: list[Store] = []

    def made(*patterns: str, **options: Any) -> Store:
        folder = tmp_path_factory.mktemp("set")
        store = new_store(folder / "store.duckdb")
        opened.append(store)
        bring_in(store, folder / "prepared", *patterns, **options)
        return store

    yield made
    for store in opened:
        store.close()


def bring_in(store: Store, into: Path, *patterns: str, **options: Any) -> tuple[str, ...]:
    paths = [path for pattern in patterns for path in sorted(SHARED.glob(pattern))]
    assert paths
    into.mkdir()
    prepare(
        [(path.name, path) for path in paths],
        importer=None,
        options=Options(**options),
        into=into,
        limits=COMMAND,
    )
    return save_import(store, into, operation_id=f"import-{into}")


def numbers_of(store: Store) -> pd.DataFrame:
    with store.read() as cursor:
        found: pd.DataFrame = cursor.execute(_NUMBERS).df()
    return found


def label_counts(store: Store, system: str | None = None) -> dict[tuple[str, str], int]:
    """How often each author gave each label, over all runs or over one system's."""
    counts: dict[tuple[str, str], int] = {}
    runs = queries.runs(store)
    for run in runs.itertuples():
        if system is not None and run.system != system:
            continue
        for row in queries.load_label_counts(store, run.run_id).itertuples():
            label = row.value if row.state == "label" else row.state
            counts[row.author, label] = counts.get((row.author, label), 0) + int(row.units)
    return counts


@pytest.fixture(scope="module")
def mirage(make_store: Callable[..., Store]) -> Store:
    return make_store("mirage/**/*.json", system="qwen_72b_cag")


@pytest.mark.parametrize("rater", RATERS)
def test_claim_scores_are_equal_for_every_topic(mirage: Store, rater: str) -> None:
    expected = reference("mirage")["qwen_72b_cag"]["raters"][rater]
    found = numbers_of(mirage)
    mine = found[(found["author"] == rater) & ~found["given"]].set_index("external_id")
    assert sorted(mine.index) == sorted(expected["per_topic"])
    for topic, numbers in expected["per_topic"].items():
        row = mine.loc[topic]
        parts = dict(row["parts"])
        scores = numbers["null_excluded"]
        if scores is None:  # one side is wholly unjudged
            assert pd.isna(row["value"])
            assert parts["recall"] is None
        else:
            assert parts["precision"] == close(scores["precision"])
            assert parts["recall"] == close(scores["recall"])
            assert row["value"] == close(scores["f1"])
        assert parts["n_prediction"] == numbers["pred_claims"]
        assert parts["n_reference"] == numbers["ref_claims"]
        assert parts["judged_reference"] == numbers["ref_claims"] - numbers["ref_null"]
        assert row["left_out"] == numbers["pred_null"] + numbers["ref_null"]


@pytest.mark.parametrize("rater", RATERS)
def test_macro_f1_leaves_out_the_unjudged_topic(mirage: Store, rater: str) -> None:
    expected = reference("mirage")["qwen_72b_cag"]["raters"][rater]["macro_null_excluded"]
    found = numbers_of(mirage)
    mine = found[(found["author"] == rater) & ~found["given"]]
    scored = mine[mine["value"].notna()]
    assert len(scored) == expected["topics"]
    assert scored["value"].mean() == close(expected["f1"])
    for measure in ("precision", "recall"):
        mean = sum(dict(parts)[measure] for parts in scored["parts"]) / len(scored)
        assert mean == close(expected[measure])


@pytest.mark.parametrize("verifier", ["qwen_72b", "qwen_7b"])
def test_published_scores_have_the_published_mean(mirage: Store, verifier: str) -> None:
    published = reference("mirage")["qwen_72b_cag"]["published_model_infof1"][verifier]
    found = numbers_of(mirage)
    means = found[(found["author"] == verifier) & found["given"]].groupby("name")["value"].mean()
    assert {name.lower(): value for name, value in means.items()} == close(published["macro"])
    headline = queries.load_headlines(mirage).set_index("author").loc[verifier]
    assert (headline["name"], headline["value"]) == ("F1", close(published["macro"]["f1"]))


def test_unjudged_claims_are_neither_true_nor_false(mirage: Store) -> None:
    counts = label_counts(mirage)
    assert counts["annotator_1", "not judged"] == 39
    assert counts["annotator_3", "not judged"] == 2
    for rater in RATERS:
        topics = reference("mirage")["qwen_72b_cag"]["raters"][rater]["per_topic"].values()
        assert counts[rater, "true"] == sum(each["pred_true"] + each["ref_true"] for each in topics)


def test_scores_of_another_system_are_a_run_of_their_own(make_store: Callable[..., Store]) -> None:
    runs = queries.runs(make_store("mirage/**/*.json")).set_index("system")
    assert sorted(runs.index) == ["qwen2vl_72b_cag_2_no_citations", "qwen_72b_cag"]
    assert set(runs["items"]) == {10}
    assert runs.loc["qwen2vl_72b_cag_2_no_citations", "answers"] == 0


@pytest.fixture(scope="module")
def summeval(make_store: Callable[..., Store]) -> Store:
    return make_store("summeval_op/*.jsonl")


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_scores_have_the_means_of_each_rater_and_system(summeval: Store, dimension: str) -> None:
    expected = reference("summeval_op")["dimensions"][dimension]
    found = numbers_of(summeval)
    mine = found[(found["name"] == dimension) & (found["author"] != "published mean")]
    assert len(mine) == expected["n_ratings"]
    assert mine["value"].mean() == close(expected["mean"])
    assert mine.groupby("author")["value"].mean().to_dict() == close(expected["mean_by_rater"])
    assert mine.groupby("system")["value"].mean().to_dict() == close(expected["mean_by_model"])
    published = found[(found["name"] == dimension) & (found["author"] == "published mean")]
    by_summary = ["system", "external_id"]
    apart = mine.groupby(by_summary)["value"].mean() - published.set_index(by_summary)["value"]
    assert len(apart) == 208
    limit = reference("summeval_op")["max_abs_difference_to_published_means"]
    assert apart.abs().max() <= limit + 1e-9


def test_faithfulness_scores_are_distributed_alike(summeval: Store) -> None:
    expected = reference("summeval_op")["dimensions"]["Faithfulness"]["distribution_by_rater"]
    flat = {(rater, score): n for rater, by in expected.items() for score, n in by.items()}
    assert label_counts(summeval) == flat
    assert sorted(queries.runs(summeval)["system"]) == sorted(reference("summeval_op")["models"])
    assert set(queries.runs(summeval)["items"]) == {16}


def test_factcheck_labels_are_equal_for_sentences_and_claims(
    make_store: Callable[..., Store],
) -> None:
    expected = reference("factcheck_gpt")
    store = make_store("factcheck_gpt/*.jsonl")
    for system, name in (("ChatGPT", "sentence_labels"), ("ChatGPT (claims)", "claim_labels")):
        found = {label: n for (_, label), n in label_counts(store, system).items()}
        assert found == expected[name]
    runs = queries.runs(store).set_index("system")
    assert runs.loc["ChatGPT", "items"] == expected["responses"]
    assert runs.loc["ChatGPT", "units"] == expected["sentences"]
    assert runs.loc["ChatGPT (claims)", "units"] == expected["claims"]
    found = numbers_of(store)
    claims = found[found["system"] == "ChatGPT (claims)"]
    falsified = sum(dict(parts)["contradictory"] > 0 for parts in claims["parts"])
    assert falsified == expected["responses_with_at_least_one_contradictory_claim"]


def test_dialfact_labels_of_people_and_model_are_equal(make_store: Callable[..., Store]) -> None:
    expected = reference("dialfact")
    store = make_store("dialfact/*.jsonl")
    model = expected["model_vs_human_4_labels_model_never_says_no_rad"]["per_label"]
    people = {("dialfact annotators", label): n for label, n in expected["human_labels"].items()}
    judge = {
        ("fever_score", label): row["model_n"] for label, row in model.items() if row["model_n"]
    }
    assert label_counts(store) == people | judge
    assert list(queries.runs(store)["items"]) == [expected["rows"]]
    with store.read() as cursor:
        mean = cursor.execute("select avg(confidence) from annotations").fetchone()
    assert mean is not None
    assert mean[0] == close(expected["mean_top_probability"])


def test_expertqa_labels_are_equal_for_every_system(make_store: Callable[..., Store]) -> None:
    expected = reference("expertqa")
    store = make_store("expertqa/*.jsonl")
    assert int(queries.runs(store)["items"].sum()) == expected["questions"]
    assert int(queries.runs(store)["units"].sum()) == expected["claims"]
    for system, support in expected["support_by_system"].items():
        found = {label: n for (_, label), n in label_counts(store, system).items()}
        assert found.get("supported", 0) == support.get("Complete", 0)
        lacking = sum(support.get(each, 0) for each in ("Partial", "Incomplete", "Missing"))
        assert found.get("unsupported", 0) == lacking
        assert found.get("unread", 0) == support.get("N/A", 0)


def test_xsum_labels_spans_and_votes_are_equal(make_store: Callable[..., Store]) -> None:
    expected = reference("xsum")
    store = make_store("xsum_hallucination/*.csv")
    runs = queries.runs(store).set_index("system")
    assert {system: row["summaries"] for system, row in expected["per_system"].items()} == runs[
        "items"
    ].to_dict()
    assert int(runs["answers"].sum()) == 3 * expected["summaries"]
    with store.read() as cursor:
        spans = cursor.execute("select sum(len(pieces)) from annotations").fetchall()
    assert spans[0][0] == expected["offsets"]["spans_equal_to_text_at_offset"]
    for system, row in expected["per_system"].items():
        assert (
            majority_hallucinated(store, runs.loc[system, "run_id"]) == row["majority_hallucinated"]
        )
    found = numbers_of(store)
    votes = found[(found["name"] == "Factual") & (found["author"] != "published mean")]
    assert votes["value"].value_counts().to_dict() == {
        0.0: expected["factual_rows"]["no"],
        1.0: expected["factual_rows"]["yes"],
    }
    voted = votes.groupby(["system", "external_id"])["value"].mean()
    assert len(voted) == expected["published_scores"]["factual_rows_with_votes"]
    factual = found[(found["name"] == "Factual") & (found["author"] == "published mean")]
    apart = factual.set_index(["system", "external_id"])["value"] - voted
    assert (
        int((apart.abs() < 1e-9).sum())
        == expected["published_scores"]["factual_reproduced_exactly"]
    )


def majority_hallucinated(store: Store, run_id: str) -> int:
    """Summaries in which at least two of three raters marked something."""
    with store.read() as cursor:
        rows = cursor.execute(
            "select count(*) from (select item_no from annotations a join runs r using (run_no) "
            "where r.run_id = $run_id group by item_no "
            "having count(*) filter (where value <> 'supported') >= 2)",
            {"run_id": run_id},
        ).fetchone()
    assert rows is not None
    return int(rows[0])


FILES = sorted(
    path.relative_to(SHARED).as_posix()
    for folder in ("mirage", "summeval_op", "factcheck_gpt", "dialfact", "expertqa")
    for path in SHARED.glob(f"{folder}/**/*.json*")
) + sorted(path.relative_to(SHARED).as_posix() for path in SHARED.glob("xsum_hallucination/*.csv"))


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_every_file_is_stored_alone(make_store: Callable[..., Store], file: str) -> None:
    assert int(queries.runs(make_store(file))["items"].sum()) > 0
