"""Names of raters that only case or blanks tell apart are told before storing, and not merged."""

import pytest

from data.importing.importer import Options
from data.importing.prepare import prepare
from data.importing.preview.alike_names import warn_of_alike_names
from faithfulness.model.vocabulary import Author, AuthorKind
from tests.data.importing.samples import put
from tests.run_commands import run_command

pytestmark = pytest.mark.usefixtures("reading_here")


def prepared(folder, *texts, **options):
    files = [
        (f"{at}.csv", put(folder, f"{at}.csv", text.encode())) for at, text in enumerate(texts)
    ]
    into = folder / "into"
    into.mkdir(exist_ok=True)
    return prepare(files, options=Options(**options), into=into)


def rows(who, *names, texts=("Red.", "Blue.")):
    told = (f"{at},{text},4,{name}\n" for at, text in enumerate(texts) for name in names)
    return f"id,response,score,{who}\n" + "".join(told)


@pytest.mark.parametrize("who", ["rater", "judge"])
@pytest.mark.parametrize(("first", "second"), [("Ana", "ana "), ("Ana Lee", "AnaLee")])
def test_names_that_differ_in_case_or_blanks_are_told_and_kept_apart(who, first, second, tmp_path):
    manifest = prepared(tmp_path, rows(who, first, second, "ben"))
    (note,) = manifest.warnings
    assert f": '{first}' and '{second.strip()}'. If they mean one person" in note
    (run,) = manifest.runs
    assert run.by_author == {f"{who} {each}": 2 for each in (first, second.strip(), "ben")}


def test_names_are_compared_across_files_and_runs(tmp_path):
    (note,) = prepared(tmp_path, rows("rater", "Ana"), rows("rater", "ANA")).warnings
    assert "'ANA' and 'Ana'" in note


def test_other_names_and_one_name_of_a_rater_and_a_judge_are_not_told(tmp_path):
    text = "id,response,rater,judge,score\n1,Red.,Ana,,4\n1,Red.,,ana,4\n1,Red.,Anna,,4\n"
    assert not prepared(tmp_path, text).warnings


def test_who_gives_numbers_alone_is_told_as_well(tmp_path):
    mapping = {"id": "id", "response": "field:response", "judge": "judge", "score": "number"}
    text = rows("judge", "Bleu", "bleu")
    manifest = prepared(tmp_path, text, protocol="comparative_summary", mapping=mapping)
    assert "'Bleu' and 'bleu'" in manifest.warnings[-1]


def test_columns_of_raters_whose_names_differ_in_case_are_both_read(tmp_path):
    text = "id,response,score_Ana,score_ana,rationale_Ana\n1,Red.,4,3,So.\n2,Blue.,5,2,No.\n"
    manifest = prepared(tmp_path, text)
    assert manifest.runs[0].by_author == {"rater Ana": 2, "rater ana": 2}
    (note,) = manifest.warnings
    assert "'Ana' and 'ana'" in note


def test_many_names_are_one_note():
    authors = {
        Author(kind=AuthorKind.RATER, name=name)
        for at in range(8)
        for name in (f"rater {at}", f"Rater {at}", f"RATER {at}")
    }
    (note,) = warn_of_alike_names(authors)
    assert "'RATER 0', 'Rater 0' and 'rater 0'; " in note
    assert "; and 3 more. If they" in note


def test_command_tells_both_names(tmp_path):
    path = put(tmp_path, "r.csv", rows("rater", "Ana", "ana").encode())
    told = run_command("import", path, "--store", tmp_path / "s.duckdb", "--create")
    (note,) = [line for line in told.splitlines() if line.startswith("Note: Names that differ")]
    assert "'Ana' and 'ana'" in note
    assert "  Raters: Ana (2 answers), ana (2 answers)" in told
