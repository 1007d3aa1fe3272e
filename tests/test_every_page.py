"""Every page opens on an empty store and on the sample, and says something useful."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from components.ui.plain import plain
from data.access.shared_store import open_store_once
from data.importing.prepare import prepare
from data.importing.save import save_import
from data.items import saved_views
from data.items.loading import load_item
from data.judging.replies import load_item_replies
from data.runs import queries
from data.runs.neighbors import load_neighbors
from data.samples.first_start import fill
from data.store.paths import VARIABLE
from data.store.store import Store
from faithfulness.model.selection import Selection
from faithfulness.protocols import PROTOCOLS
from tests.data.items.test_sample_left_out import beside_the_sample
from tests.data.stored import ADA, save_drafts, sentence_draft
from tests.made_stores import new_store
from tests.opened_pages import opened_page, store_of_pages

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "pages").glob("*.py"))
STRANGE = """[
  {"sentence": "The kettle holds 1.7 litres.", "label": "supported", "rationale": "r"},
  {"sentence": "Seventeen *purple* walruses <b>danced</b>.", "label": "supported", "rationale": "r"}
]"""
ROUTER = ROOT / "components" / "ui" / "router.py"


def opened(name: str, **address: str) -> AppTest:
    return opened_page(name, address)


def said(test: AppTest) -> str:
    """All words on the page, also those inside our own components."""
    drawn = [each.proto.json for each in test.get("bidi_component")]
    kinds = ("title", "markdown", "caption", "info", "warning", "error", "success", "code")
    plain = [str(each.value) for kind in kinds for each in getattr(test, kind)]
    labels = [each.label for each in (*test.button, *test.selectbox)]
    return "\n".join([*plain, *drawn, *labels])


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "plumbline.duckdb"
    store = new_store(path)
    store.write("used", "test", lambda cursor: None)  # only an unused store gets the sample
    store.close()
    with store_of_pages(path) as opened_store:
        yield opened_store


@pytest.fixture(scope="module")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "plumbline.duckdb"
    store = new_store(path, fill)
    store.close()
    return path


@pytest.fixture
def sample(sample_file: Path) -> Iterator[Store]:
    with store_of_pages(sample_file) as opened_store:
        yield opened_store


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_opens_on_an_empty_store(empty, path):
    test = opened(path.stem)
    assert not test.exception
    assert not test.error
    assert len(said(test)) > 60


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_opens_on_the_sample(sample, path):
    test = opened(path.stem)
    assert not test.exception
    assert not test.error
    assert len(said(test)) > 60


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_says_why_when_the_store_cannot_be_opened(tmp_path, monkeypatch, path):
    broken = tmp_path / "plumbline.duckdb"
    broken.write_bytes(b"this is not a store" * 1000)
    monkeypatch.setenv(VARIABLE, str(broken))
    open_store_once.clear()
    test = opened(path.stem)
    assert not test.exception
    assert len(test.error) == 1
    assert "plumbline" in test.error[0].value


def test_the_router_lists_pages_that_exist_and_nothing_else(sample):
    test = AppTest.from_file(str(ROUTER), default_timeout=60).run()
    assert not test.exception
    assert test.title[0].value == "Runs"


def test_home_shows_every_run_with_its_n_and_never_an_undefined_number_as_0(sample):
    test = opened("runs")
    runs, headlines = queries.runs(sample), queries.load_headlines(sample)
    table = json.loads(test.get("bidi_component")[0].proto.json)
    rows = {row["id"]: row for group in table["groups"] for row in group["rows"]}
    assert set(rows) == set(runs["run_id"])
    for line in headlines.itertuples():
        cells = json.dumps(rows[line.run_id]["cells"], ensure_ascii=False)
        shown = "—" if line.value != line.value else f"{line.value:.2f}"
        assert shown in cells
        assert f"n\u00a0{line.counted}" in cells  # never parted at the end of a line
    assert table["groups"][0]["title"] == "Sentence grounding"


def test_home_is_filtered_by_its_address(sample):
    table = json.loads(opened("runs", protocol="claim_overlap").get("bidi_component")[0].proto.json)
    assert [group["title"] for group in table["groups"]] == ["Claim overlap"]
    nothing = opened("runs", words="no run has this name")
    assert "Widen the filter" in nothing.info[0].value
    assert not nothing.get("bidi_component")


@pytest.mark.parametrize(
    ("page", "name", "value"),
    [
        *(("runs", each, "zzz") for each in ("protocol", "author", "run")),
        *(("disagreements", each, "zzz") for each in ("protocol", "run")),
        *(("compare", each, "zzz") for each in ("protocol", "run")),
        ("compare", "a", "zzz||majority"),
    ],
)
def test_a_value_of_the_address_that_the_store_lacks_is_named(sample, page, name, value):
    told = " ".join(each.value for each in opened(page, **{name: value}).warning)
    assert "zzz, which is not in the store" in told


def test_the_sample_is_removed_and_loaded_again(sample_file, tmp_path):
    copy = tmp_path / "plumbline.duckdb"
    copy.write_bytes(sample_file.read_bytes())
    with store_of_pages(copy):
        test = opened("runs")
        test.button(key="remove_sample").click().run()
        assert "Nothing is stored yet" in said(test)
        test.button(key="load_sample").click().run()
        assert not test.exception
        assert "Sample data" in said(test)


@pytest.mark.soak
def test_a_thousand_runs_come_in_pages(empty, tmp_path):
    field = {"name": "response", "kind": "response", "text": "It is blue."}
    answer = {"author": "ana", "criterion": "faithfulness", "value": "4", "unit": "response"}
    lines = [
        json.dumps(
            {
                "protocol": "comparative_summary",
                "system": f"system {number}",
                "id": "i",
                "fields": [field],
                "answers": [answer],
            }
        )
        for number in range(1000)
    ]
    (tmp_path / "many.jsonl").write_text("\n".join(lines))
    into = tmp_path / "into"
    into.mkdir()
    prepare([("many.jsonl", tmp_path / "many.jsonl")], into=into)
    save_import(empty, into, operation_id="many")
    first, last = opened("runs"), opened("runs", page="20")
    shown = [json.loads(test.get("bidi_component")[0].proto.json) for test in (first, last)]
    names = [[row["id"] for row in table["groups"][0]["rows"]] for table in shown]
    assert [len(each) for each in names] == [50, 50]
    assert not set(names[0]) & set(names[1])
    assert not opened("runs", page="9" * 40).exception
    # Beside other runs too: whoever removes the sample is told that it can be loaded again.
    first.button(key="load_sample").click().run()
    assert "Sample data" in said(first)


def test_every_sample_item_opens_under_every_run(sample):
    for run in queries.runs(sample).itertuples():
        for item in queries.run_items(sample, run.run_id, limit=2).itertuples():
            test = opened("item", run=run.run_id, item=item.item_id)
            assert not test.exception
            assert not test.error
            # The notice of what cannot all be right may hold a table before the reader.
            drawn = [json.loads(each.proto.json) for each in test.get("bidi_component")]
            data = next(each for each in drawn if "reviewed" in each)
            stored = load_item(sample, item.item_id)
            for text in (*data["reviewed"], *data["sources"]):
                shown = "".join(words for words, _ in text["segments"])
                assert shown == stored.text_of(text["name"])
            assert data["said"]


def test_an_item_of_a_run_that_is_not_there_is_told_calmly(sample):
    assert "no item" in opened("item", run="x", item="x").warning[0].value
    gone = opened("item", run="x")
    assert "no run" in gone.warning[0].value
    assert [each.label for each in gone.button] == ["All runs"]


@pytest.mark.parametrize("view", ["raters", "judges", "check", "prompts"])
@pytest.mark.parametrize("key", ["sentence_grounding", "claim_overlap", "response_consistency"])
def test_protocols_show_guidance_prompt_and_the_message_of_a_stored_item(sample, key, view):
    test = opened("protocols", protocol=key, view=view)
    assert not test.exception
    if view == "judges":
        assert re.search(r"Fingerprint [0-9a-f]{16}", said(test))
        assert len(test.code) == 3
        assert '"mark": "' in test.code[2].value


def test_a_prompt_file_is_checked_and_filled(sample):
    test = opened("protocols", view="check")
    template = "template: |\n  {{user_request}} {{context_document}} {{response}} <b>\n"
    test.file_uploader(key="prompt_file").upload("mine.yaml", template.encode(), "text/yaml").run()
    assert "mine" in test.success[0].value
    first = queries.runs(sample).query("protocol == 'sentence_grounding'")["run_id"].iloc[0]
    item = queries.run_items(sample, first, limit=1)["item_id"].iloc[0]
    assert load_item(sample, item).text_of("response") in test.code[-1].value
    test = opened("protocols", view="check")
    test.file_uploader(key="prompt_file").upload("bad.yaml", b"template: '{{secret}}'").run()
    assert not test.exception
    assert "secret" in test.error[0].value


def grounding_run(store: Store) -> str:
    runs = queries.runs(store)
    return str(runs[runs["protocol"] == "sentence_grounding"]["run_id"].iloc[0])


def test_home_is_narrowed_by_system_label_author_and_placement(sample):
    runs = queries.runs(sample)
    system = str(runs["system"].iloc[0])
    shown = json.loads(opened("runs", system=system).get("bidi_component")[0].proto.json)
    ids = {row["id"] for group in shown["groups"] for row in group["rows"]}
    assert ids == set(runs[runs["system"] == system]["run_id"])
    labelled = opened("runs", label="no_contrary_evidence")
    shown = json.loads(labelled.get("bidi_component")[0].proto.json)
    assert [group["title"] for group in shown["groups"]] == ["Response consistency"]
    assert "labelled" in said(labelled)


def test_the_first_item_of_a_run_opens_by_its_link_too(sample):
    shown = json.loads(opened("runs").get("bidi_component")[0].proto.json)
    row = next(row for group in shown["groups"] for row in group["rows"])
    href = next(cell["href"] for cell in row["cells"] if cell["text"] == "Read first item")
    address = {name: values[0] for name, values in parse_qs(urlsplit(href).query).items()}
    test = opened("item", **address)
    assert not test.exception
    first = queries.run_items(sample, row["id"], limit=1).iloc[0]
    assert test.title[0].value == first["external_id"]
    assert "1 of " in said(test)


def test_a_list_of_items_says_in_words_what_narrows_it(sample):
    run = grounding_run(sample)
    test = opened("item", run=run, label="contradictory", by="judge", placement="verbatim")
    assert not test.exception
    words = [each.value for each in test.caption]
    assert "Items that judges call contradictory quoted word for word" in words


@pytest.mark.parametrize("name", ["runs", "item", "contradictions"])
def test_a_view_is_saved_and_removed_on_every_page_with_a_filter(sample_file, tmp_path, name):
    copy = tmp_path / "plumbline.duckdb"
    copy.write_bytes(sample_file.read_bytes())
    with store_of_pages(copy) as store:
        test = opened(name, run=grounding_run(store), label="supported")
        field = next(each for each in test.text_input if each.label == "Save what is shown as")
        field.input("Mine")
        save = next(each for each in test.button if each.label == "Save this view")
        save.click().run()
        assert not test.exception
        (view,) = saved_views.load_saved_views(store).itertuples()
        assert (view.name, view.page) == ("Mine", name)
        assert "label=supported" in view.address
        next(each for each in test.button if each.label == "Remove").click().run()
        assert saved_views.load_saved_views(store).empty


def test_a_name_too_long_for_a_view_is_refused_with_a_reason(sample_file, tmp_path):
    copy = tmp_path / "plumbline.duckdb"
    copy.write_bytes(sample_file.read_bytes())
    with store_of_pages(copy) as store:
        test = opened("contradictions")
        field = next(each for each in test.text_input if each.label == "Save what is shown as")
        # Streamlit draws its counter of letters over a placeholder.
        assert (field.proto.max_chars, field.placeholder) == (0, "")
        field.input("x" * 81)
        next(each for each in test.button if each.label == "Save this view").click().run()
        assert "longer than 80 characters" in test.error[0].value
        assert saved_views.load_saved_views(store).empty


def test_a_card_leads_to_the_next_item_of_its_list_and_back(sample):
    selection = Selection(listed="contradicted")
    cards = json.loads(opened("contradictions").get("bidi_component")[1].proto.json)["cards"]
    address = parse_qs(urlsplit(cards[0]["href"]).query)
    assert address["list"] == ["contradicted"]
    run, item = address["at"][0], address["item"][0]
    test = opened("item", **{name: values[0] for name, values in address.items()})
    assert not test.exception
    total = load_neighbors(sample, run, item, selection).total
    assert f"1 of {total}" in said(test)
    assert f"Going through {total} items" in said(test)
    assert "Back to the list" in [each.label for each in test.button]
    assert not next(each for each in test.button if each.label == "Next").disabled


def test_notes_on_a_reply_stand_beside_the_item_with_the_reply_itself(empty):
    draft = sentence_draft(1, {ADA: ("supported", "supported", "no_rad")}, reply=STRANGE)
    (run,) = save_drafts(empty, [draft])
    item = str(queries.run_items(empty, run)["item_id"].iloc[0])
    (reply,) = load_item_replies(empty, run, item)
    assert reply.notes
    test = opened("item", run=run, item=item)
    assert not test.exception
    assert any("walruses" in each.value for each in test.caption)
    assert [each.value for each in test.text] == [STRANGE]


REWORDED = """{"sentence": "The kettle holds 1.7 litres.", "label": "supported", "excerpt": "x"}
{"sentence": "The price is $49.90.", "label": "supported", "excerpt": "x"}
{"sentence": "Thank you for asking.", "label": "no_rad"}"""


def test_a_sentence_read_in_other_words_is_told_on_the_item_and_among_the_replies(empty):
    draft = sentence_draft(1, {ADA: ("supported", "supported", "no_rad")}, reply=REWORDED)
    (run,) = save_drafts(empty, [draft])
    item = str(queries.run_items(empty, run)["item_id"].iloc[0])
    (reply,) = load_item_replies(empty, run, item)
    (note,) = reply.notes
    assert note.startswith("in other words: “The price is $49.90.”")
    listed = opened("runs", replies=f"{run}:{reply.author}", view="replies")
    for test in (opened("item", run=run, item=item), listed):
        assert not test.exception
        assert any(plain(note) in each.value for each in test.caption)


@pytest.mark.parametrize("key", ["sentence_grounding", "claim_overlap"])
def test_judges_page_shows_the_message_of_each_form_of_reply(sample, key):
    shown = {}
    for form in ("text", "schema"):
        test = opened("protocols", protocol=key, view="judges", form=form)
        assert not test.exception
        shown[form] = str(test.code[-1].value)
        assert "{{#" not in shown[form]
        assert any("one instruction on the form" in each.value for each in test.caption)
    assert "each on a line of its own" in shown["text"]
    assert "each on a line of its own" not in shown["schema"]
    assert "Its list `units`" in shown["schema"]


def test_pages_tell_of_an_import_that_is_being_counted(empty):
    save_drafts(empty, [sentence_draft(1, {ADA: ("supported", "supported", "contradictory")})])
    empty.being_counted = 1_200
    told = [each.value for each in opened("disagreements").toast]
    assert told == ["1,200 new items are being counted. Lists have them in seconds."]
    empty.being_counted = 0
    assert not opened("disagreements").toast


def run_under(store: Store, key: str) -> str:
    runs = queries.runs(store)
    return str(runs[runs["protocol"] == key]["run_id"].iloc[0])


def rows_of(test: AppTest) -> list[dict[str, Any]]:
    """The rows of a page's first table."""
    assert not test.exception
    table = json.loads(test.get("bidi_component")[0].proto.json)
    return [row for group in table["groups"] for row in group["rows"]]


def shown_protocol(test: AppTest) -> str:
    """The key of the protocol that is chosen on a page, in a list or among buttons."""
    assert not test.exception
    boxes = [each.value for each in test.selectbox if each.label == "Protocol"]
    groups = [each.value for each in test.get("button_group") if each.label == "Protocol"]
    return str((boxes + groups)[0])


@pytest.mark.parametrize("key", PROTOCOLS)
@pytest.mark.parametrize("name", ["agreement", "distributions", "compare", "protocols"])
def test_a_page_about_a_run_shows_the_protocol_of_the_run(sample, name, key):
    run = run_under(sample, key)
    test = opened(name, run=run)
    assert shown_protocol(test) == key
    assert "Nobody has a label" not in said(test)
    if name == "compare":
        (side,) = [each.value for each in test.selectbox if each.label == "Side A"]
        assert str(side).startswith(f"{run}|")
        assert shown_protocol(opened(name, a=str(side))) == key


def test_a_prompt_is_tried_under_the_protocol_of_the_run(sample):
    test = opened("try_prompt", run=run_under(sample, "claim_overlap"))
    assert not test.exception
    assert ":gray-badge[Claim overlap]" in said(test)


def test_a_rerun_begins_with_items_of_the_run_that_is_named(sample):
    runs = queries.runs(sample).set_index("run_id")
    for key in PROTOCOLS:
        run = run_under(sample, key)
        places = [row["cells"][2] for row in rows_of(opened("rerun", run=run))]
        assert {each["text"] for each in places} == {runs.loc[run, "name"]}
        assert {each["note"] for each in places} == {PROTOCOLS[key].title}
    assert len(rows_of(opened("rerun", run="gone"))) == 12


@pytest.mark.parametrize("name", ["agreement", "distributions"])
def test_the_protocol_follows_a_run_that_is_chosen_in_the_filter(sample, name):
    test = opened(name)
    assert shown_protocol(test) == "sentence_grounding"
    (runs,) = [each for each in test.multiselect if each.label == "Run"]
    test = runs.select(run_under(sample, "expert_rubric")).run()
    assert shown_protocol(test) == "expert_rubric"
    assert "Nobody has a label" not in said(test)


@pytest.mark.parametrize("name", ["agreement", "distributions"])
def test_a_run_under_another_protocol_than_the_chosen_one_is_named_and_can_be_followed(
    sample, name
):
    test = opened(name, run=run_under(sample, "expert_rubric"), protocol="claim_overlap")
    assert shown_protocol(test) == "claim_overlap"
    assert "The chosen run is under Expert rubric, but Claim overlap is shown." in said(test)
    next(each for each in test.button if each.label == "Show Expert rubric").click().run()
    assert shown_protocol(test) == "expert_rubric"
    assert "is shown" not in said(test)


@pytest.fixture(scope="module")
def both_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("both") / "plumbline.duckdb"
    new_store(path, beside_the_sample).close()
    return path


@pytest.fixture
def both(both_file: Path) -> Iterator[Store]:
    """The sample, and runs of somebody's own beside it."""
    with store_of_pages(both_file) as opened_store:
        yield opened_store


SPANNING: list[tuple[str, dict[str, str]]] = [
    *((name, {}) for name in ("contradictions", "disagreements", "audit", "agreement")),
    *((name, {}) for name in ("distributions", "compare", "try_prompt", "rerun")),
    ("protocols", {"view": "prompts"}),
    *(("meetings", {"view": view}) for view in ("new", "notes", "recheck")),
]


@pytest.mark.parametrize(("name", "address"), SPANNING, ids=lambda each: str(each))
def test_a_page_about_all_runs_says_that_the_sample_is_left_out_and_shows_it(both, name, address):
    told = "The sample is left out"
    test = opened(name, **address)
    assert not test.exception
    (line,) = [each.value for each in test.caption if each.value.startswith(told)]
    assert line.endswith("because other runs are stored.")
    next(each for each in test.button if each.label == "Show the sample").click().run()
    assert not test.exception
    assert told not in said(test)
    samples = queries.runs(both).query("is_sample")["run_id"]
    assert set(test.query_params["run"]) <= set(samples)
    if name == "compare":
        (side,) = [str(each.value) for each in test.selectbox if each.label == "Side A"]
        assert side.partition("|")[0] in set(samples)


@pytest.mark.parametrize("name", [name for name, _ in SPANNING])
def test_no_page_speaks_of_a_sample_that_is_alone(sample, name):
    assert "Show the sample" not in said(opened(name))


def test_pages_about_one_run_begin_with_an_own_one(both):
    samples = set(queries.runs(both).query("is_sample")["run_id"])
    rate = opened("rate", rater="zoe")
    assert not rate.exception
    for test, label in ((opened("judge_run"), "Run"), (rate, "Run")):
        chosen = [each.value for each in test.selectbox if each.label == label]
        assert not set(chosen) & samples
    assert shown_protocol(opened("distributions")) == "sentence_grounding"
