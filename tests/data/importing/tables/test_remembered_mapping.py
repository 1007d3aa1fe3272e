"""A table that is refused as it stands is read as one with its columns was mapped before."""

import pytest

from components.importing.view import REMEMBERED
from data.importing.importer import Options
from data.importing.tables.mappings import Remembered, load_mapping, save_mapping
from data.importing.tables.remembered_mapping import prepare_as_before
from data.items.loading import load_known_items
from faithfulness.model.errors import ImportRefused
from tests.data.importing.samples import put
from tests.made_stores import new_store
from tests.run_commands import run_command

TABLE = b"no,antwort,note\nn1,Es sind 2 Liter.,4\n"
ROLES = {"no": "id", "antwort": "field:response", "note": "value:faithfulness"}


@pytest.fixture
def asked(tmp_path):
    store = new_store(tmp_path / "s.duckdb")

    def prepared(content=TABLE, importer=None, **options):
        files = [("t.csv", put(tmp_path, "t.csv", content))]
        into = tmp_path / "into"
        into.mkdir(exist_ok=True)
        return prepare_as_before(
            files,
            importer=importer,
            options=Options(**options),
            into=into,
            known=lambda ids: load_known_items(store, ids),
            recall=lambda columns: load_mapping(store, columns),
            progress=None,
        )

    yield store, prepared
    store.close()


def test_remembered_mapping_is_used_and_said(asked):
    store, prepared = asked
    with pytest.raises(ImportRefused, match="do not say what was evaluated"):
        prepared()
    save_mapping(store, ROLES, Remembered("comparative_summary", ROLES), operation_id="m")
    manifest = prepared(author="ana")
    assert (manifest.importer, manifest.details["mapping"]) == ("table", "remembered")
    assert manifest.runs[0].by_author == {"rater ana": 1}


def test_table_that_was_recognised_and_refused_is_read_by_the_mapping_for_its_columns(asked):
    store, prepared = asked
    head = b"id,context,response,text,sentence,label,rater\n"
    table = head + b"1,It is red.,see there,It is red. It is hot.,It is hot.,unsupported,ana\n"
    with pytest.raises(ImportRefused, match="none about words that stand in the response as words"):
        prepared(table)
    roles = {"id": "id", "context": "field:context", "response": "ignore", "text": "field:response"}
    roles |= {"sentence": "sentence", "label": "value:label", "rater": "rater"}
    save_mapping(store, roles, Remembered("sentence_grounding", roles), operation_id="m")
    manifest = prepared(table)
    assert (manifest.runs[0].answers, manifest.details["mapping"]) == (1, "remembered")
    assert "not recognised" not in REMEMBERED  # it was


def test_mapping_is_not_used_where_something_else_was_chosen_or_is_recognised(asked):
    store, prepared = asked
    save_mapping(store, ROLES, Remembered("comparative_summary", ROLES), operation_id="m")
    for chosen in ({"importer": "expert_scores"}, {"protocol": "expert_rubric"}):
        with pytest.raises(ImportRefused):
            prepared(**chosen)
    clear = prepared(b"id,response,score\n1,r,4\n")
    assert (clear.importer, "mapping" in clear.details) == ("comparative_scores", False)


def test_command_uses_it_and_says_so_unless_it_is_told_otherwise(asked, tmp_path):
    store, _ = asked
    save_mapping(store, ROLES, Remembered("comparative_summary", ROLES), operation_id="m")
    store.close()
    path = put(tmp_path, "t.csv", TABLE)
    words = ("import", path, "--store", store.path, "--author", "ana", "--preview")
    told = run_command(*words)
    assert "1 item, 1 unit, 1 answer, 0 unread" in told
    assert "a table with these columns was mapped before" in told
    refused = run_command(*words, "--map", "no=id", code=1)
    assert "do not say what was evaluated" in refused
    run_command(*words, "--protocol", "expert_rubric", code=1)


def test_what_is_no_table_is_refused_as_it_was(asked):
    _, prepared = asked
    with pytest.raises(ImportRefused, match="this is a PDF"):
        prepared(b"%PDF-1.7 ")
