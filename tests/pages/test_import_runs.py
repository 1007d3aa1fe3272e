"""Import as a page: what is chosen there is remembered as soon as it could be stored."""

import html
import io
import threading
import time

import pytest

from components.importing import uploads
from components.importing.form import ImportChoice
from components.ui import background
from data.importing.annotator_kinds import load_annotator_kinds
from data.importing.tables.mappings import load_mapping
from data.runs import queries
from tests.opened_pages import opened_page, store_of_pages

pytestmark = pytest.mark.usefixtures("reading_here")

HEADER = "nr,quelle,antwort,satz,urteil\n"
ROW = "1,It is red.,It is red. It is hot.,{},supported\n"
ROLES = {
    "nr": "The item's id",
    "quelle": "Text: Context",
    "antwort": "Text: Response",
    "satz": "The sentence that is answered about",
    "urteil": "Answer by rater urteil",
}


class File(io.BytesIO):
    name = "urteile.csv"


@pytest.fixture
def store(tmp_path):
    with store_of_pages(tmp_path / "s.duckdb") as store:
        yield store


def wait_for_work(upload, seconds=60):
    deadline = time.monotonic() + seconds
    while (work := background.find(upload.work_id)) and work.running:
        assert time.monotonic() < deadline, "the preview is still being made"
        time.sleep(0.1)


def previewed(sentence):
    """The page after the columns were mapped by hand and the preview was asked for."""
    upload = uploads.keep([File((HEADER + ROW.format(sentence)).encode())])
    upload.facts["choice"] = ImportChoice(importer="table", protocol="sentence_grounding")
    page = opened_page("import_runs", {"upload": upload.id})
    for column, role in ROLES.items():
        next(each for each in page.selectbox if each.label == column).select(role)
    page.run()
    next(each for each in page.button if each.label == "Preview").click().run()
    wait_for_work(upload)
    return page.run()


def test_mapping_is_remembered_by_a_preview_that_is_discarded(store):
    page = previewed("It is hot.")
    assert not page.exception
    page.button(key="discard").click().run()
    assert "urteile" not in {*queries.runs(store)["name"]}
    remembered = load_mapping(store, [*ROLES])
    assert remembered.protocol == "sentence_grounding"
    assert remembered.roles["urteil"] == "value:label@urteil"


def test_mapping_that_was_refused_is_not_remembered(store):
    page = previewed("Nothing like this.")
    assert "Store" not in [each.label for each in page.button]
    assert load_mapping(store, [*ROLES]) is None


def test_address_before_a_preview_that_is_being_made_shows_its_options(store):
    upload = uploads.keep([File((HEADER + ROW.format("It is hot.")).encode())])
    made = threading.Event()
    upload.work_id = background.start(lambda report: made.wait(60)).id
    try:
        options = opened_page("import_runs", {"upload": upload.id})
        assert "Preview" in [each.label for each in options.button]
        preview = opened_page("import_runs", {"upload": upload.id, "step": "preview"})
        assert not preview.button
    finally:
        made.set()


def refused(text, name=File.name):
    """The page after a preview of this table was asked for and refused."""
    file = File(text.encode())
    file.name = name
    upload = uploads.keep([file])
    page = opened_page("import_runs", {"upload": upload.id})
    next(each for each in page.button if each.label == "Preview").click().run()
    wait_for_work(upload)
    page = page.run()
    assert not page.exception
    return page


def ways(page):
    return [(each.label, each.proto.type) for each in page.button]


def test_refusal_that_a_mapping_cures_makes_it_the_next_step(store):
    page = refused(HEADER + ROW.format("It is hot."))
    assert ways(page) == [
        ("Map the columns", "primary"),
        ("Preview", "secondary"),
        ("Discard", "secondary"),
    ]
    assert not page.error  # nothing is wrong with such a table
    assert "One more step" in page.info[0].value
    page.selectbox[1].select("Sentence grounding").run()  # told otherwise it may be read
    assert ways(page)[:2] == [("Preview", "primary"), ("Map the columns", "secondary")]
    next(each for each in page.button if each.label == "Map the columns").click().run()
    assert ways(page) == [("Preview", "primary"), ("Discard", "secondary")]


def test_preview_pressed_with_a_field_just_filled_is_not_lost(store):
    page = refused(HEADER + ROW.format("It is hot."))
    upload = uploads.find(page.query_params["upload"])
    before = upload.work_id
    next(each for each in page.text_input if each.label == "Signed by").set_value("Ana")
    next(each for each in page.button if each.label == "Preview").click().run()
    assert upload.work_id != before


def test_refusal_of_one_line_leaves_the_preview_first(store):
    row = "1,It is red.,It is red.,It is red.,supported"
    page = refused(f"id,context,response,sentence,label,rater\n{row},ana\n{row}\n")
    assert ways(page)[:2] == [("Preview", "primary"), ("Map the columns", "secondary")]
    assert "line 3" in page.error[0].value


def test_file_that_is_no_table_is_not_offered_a_mapping(store):
    page = refused('{"version": 1, "rows": [{"frage": "Hot?", "antwort": "No."}]}', "wrong.json")
    (told,) = (each.value for each in page.error)
    assert "this is an object with 2 keys" in told
    assert [way for way, _ in ways(page)] == ["Preview", "Discard"]


def test_options_before_a_preview_lead_to_it_again(store):
    page = previewed("It is hot.")
    assert "preview" in page.query_params["step"]
    page.button(key="change").click().run()
    assert "step" not in page.query_params
    labels = [each.label for each in page.button]
    assert "Preview" in labels
    assert "Store" not in labels
    page.query_params["step"] = "preview"  # as the browser's Back does
    assert "Store" in [each.label for each in page.run().button]


def test_mapping_begins_with_the_protocol_and_the_roles_that_values_tell(store):
    source = "Most kettles are red and not hot. " * 9
    rows = [ROW.format(each).replace("It is red.", source, 1) for each in ("It is red.", "It is h")]
    page = refused(HEADER + "".join(rows))
    next(each for each in page.button if each.label == "Map the columns").click().run()
    assert not page.exception
    chosen = {each.label: each.value for each in page.selectbox}
    assert chosen["Protocol"] == "sentence_grounding"
    assert (chosen["satz"], chosen["antwort"]) == ("sentence", "field:response")
    assert chosen["urteil"] == "value:label@urteil"
    next(each for each in page.selectbox if each.label == "Protocol").select("Expert rubric").run()
    assert page.selectbox[1].value == "expert_rubric"


METRIC = "id,response,faithfulness\nq1,It is red.,1.0\nq2,It is hot.,0.5\n"


def test_scores_of_another_scale_are_asked_about_before_there_is_a_preview(store):
    page = refused(METRIC, "metric.csv")
    assert [way for way, _ in ways(page)] == ["Preview", "Change options", "Discard"]
    (question,) = page.radio
    assert "beside scores from 1 to 5" in question.label
    assert question.value is None
    assert page.button(key="next_preview").disabled
    question.set_value("number").run()
    page.button(key="next_preview").click().run()
    upload = uploads.find(page.query_params["upload"])
    wait_for_work(upload)
    page = page.run()
    assert not page.exception
    page.button(key="store").click().run()
    assert "metric" in {*queries.runs(store)["name"]}
    (number,) = queries.load_headlines(store).query("author == 'faithfulness'").to_dict("records")
    assert (number["author_kind"], number["value"]) == ("judge", 0.75)
    assert load_mapping(store, ["id", "response", "faithfulness"]) is None  # of one column only


def test_same_column_of_two_files_is_asked_about_once(store):
    first, second = io.BytesIO(METRIC.encode()), io.BytesIO(METRIC.replace("q", "r").encode())
    first.name, second.name = "one.csv", "two.csv"
    upload = uploads.keep([first, second])
    page = opened_page("import_runs", {"upload": upload.id})
    next(each for each in page.button if each.label == "Preview").click().run()
    wait_for_work(upload)
    (question,) = page.run().radio
    assert html.unescape(question.label).startswith("one.csv, two.csv: ")
    question.set_value("number").run()
    assert not page.button(key="next_preview").disabled


WIDE = "id,response,{0}_ana,{0}_ben\nq1,It is red.,{1},0.23\nq2,It is hot.,{1},0.87\n"


@pytest.mark.parametrize(
    ("word", "value", "why"),
    [
        ("score", "4", "no scores from 1 to 5"),
        ("answer", "yes_evidence", "none of the labels yes_evidence,"),
    ],
)
def test_raters_column_off_the_scale_is_asked_about_before_there_is_a_preview(
    word, value, why, store
):
    page = refused(WIDE.format(word, value), "wide.csv")
    (question,) = page.radio
    assert why in html.unescape(question.label)
    assert [each.partition(":")[0] for each in question.options] == [
        "A metric on another scale, kept as given",
        "Neither, kept beside the item",
    ]
    assert page.button(key="next_preview").disabled
    assert "wide" not in {*queries.runs(store)["name"]}
    question.set_value("attribute").run()
    page = answered(page)
    page.button(key="store").click().run()
    with store.read() as cursor:
        names = cursor.execute("select name from authors where name in ('ana', 'ben')").fetchall()
    assert names == [("ana",)]


def test_preview_tells_names_that_may_be_one_person(store):
    page = refused(RATINGS.format("Ana"), "ratings.csv")
    (note,) = [each.value for each in page.warning if "upper and lower case" in each.value]
    assert "'Ana' and 'ana'" in html.unescape(note)
    assert "Store" in [each.label for each in page.button]


RATINGS = "id,response,score,rater\nq1,It is red.,4,ana\nq1,It is red.,4,{}\n"


def answered(page):
    """The page after all its questions were answered and the preview was asked for again."""
    page.button(key="next_preview").click().run()
    upload = uploads.find(page.query_params["upload"])
    wait_for_work(upload)
    page = page.run()
    assert not page.exception
    return page


def test_raters_who_may_be_models_are_asked_about_and_the_choice_is_remembered(store):
    page = refused(RATINGS.format("gpt-4o") + "q2,It is hot.,3,Claude\n", "ratings.csv")
    assert [way for way, _ in ways(page)] == ["Preview", "Change options", "Discard"]
    model, person = page.radio
    assert "may be a model (1 answer, first on line 3)." in html.unescape(model.label)
    assert "Claude" in person.label
    assert (model.value, person.value) == (None, None)
    model.set_value("judge").run()
    assert page.button(key="next_preview").disabled
    page.radio[1].set_value("rater").run()
    page = answered(page)
    assert load_annotator_kinds(store) == {}
    assert [(each.label, each.value) for each in page.radio] == [
        ("Claude", "rater"),
        ("gpt-4o", "judge"),
    ]
    page.button(key="store").click().run()
    assert load_annotator_kinds(store) == {"Claude": "rater", "gpt-4o": "judge"}
    with store.read() as cursor:
        stored = cursor.execute("select kind, name from authors").fetchall()
    assert {("judge", "gpt-4o"), ("rater", "Claude")} <= {*stored}

    page = refused(RATINGS.format("gpt-4o").replace("q1", "q7"), "more.csv")
    (again,) = page.radio  # in the preview itself
    assert html.unescape(again.label) == "gpt-4o (as chosen for an earlier import)"
    assert again.value == "judge"
    assert "Store" in [each.label for each in page.button]


def test_choice_of_an_earlier_import_can_be_changed_in_the_preview(store):
    page = refused(RATINGS.format("Claude"), "ratings.csv")
    page.radio[0].set_value("judge").run()
    page = answered(page)
    page.button(key="store").click().run()
    page = refused(RATINGS.format("Claude").replace("red", "blue"), "more.csv")
    page.radio[0].set_value("rater").run()
    upload = uploads.find(page.query_params["upload"])
    wait_for_work(upload)
    page = page.run()
    assert [(each.label, each.value) for each in page.radio] == [("Claude", "rater")]
    page.button(key="store").click().run()
    assert load_annotator_kinds(store) == {"Claude": "rater"}


def test_answers_about_names_outlast_other_options(store):
    page = refused(RATINGS.format("gpt-4o"), "ratings.csv")
    page.radio[0].set_value("judge").run()
    page = answered(page)
    page.button(key="change").click().run()
    next(each for each in page.text_input if each.label == "System").set_value("kettle-bot")
    next(each for each in page.button if each.label == "Preview").click().run()
    upload = uploads.find(page.query_params["upload"])
    wait_for_work(upload)
    page = page.run()
    assert [(each.label, each.value) for each in page.radio] == [("gpt-4o", "judge")]
