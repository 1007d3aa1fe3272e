"""What is wrong with a file is told with the choices of the page, or the options of the command."""

import pytest

from data.importing.importer import Options, Source
from data.importing.limits import COMMAND, PAGE, describe_remedy
from data.importing.prepare import prepare
from data.importing.readers.strict import refuse_too_many_rows
from faithfulness.model.errors import ImportRefused

ELSEWHERE = (
    "id,context,response,sentence,label,rater\n1,It is red.,It is red.,Go home.,supported,a\n"
)
UNKNOWN = "nr,quelle,urteil\n1,It is red.,gut\n"
UNUSED = "id,summary,ana,judge_big\n1,A quiet kettle.,5,3\n"
NAMED = {"protocol": "sentence_grounding"}


def told(tmp_path, limits, text, options):
    """The refusal or the only warning."""
    path, into = tmp_path / "upload-0", tmp_path / "into"
    path.write_text(text, encoding="utf-8")
    into.mkdir(exist_ok=True)
    name = "t.jsonl" if text.startswith("{") else "t.csv"
    try:
        made = prepare([(name, path)], options=Options(**options), into=into, limits=limits)
    except ImportRefused as refused:
        return str(refused)
    (warning,) = made.warnings
    return warning


@pytest.mark.parametrize(
    ("text", "options", "page", "command"),
    [
        (ELSEWHERE, {}, "choose them in a column mapping", "its role with --map COLUMN=ROLE"),
        (UNKNOWN, {}, "Choose a protocol and map the columns", "(--protocol with one of sentence_"),
        (UNKNOWN, NAMED, "map the columns: choose what each", "say with --map COLUMN=ROLE"),
        (UNUSED, {}, "Format: Table with a column", "--protocol comparative_summary --map COL"),
        ("{}\n", {}, "Choose the format yourself", "Name it with --format"),
    ],
    ids=["left out", "no protocol", "no role", "unused", "no format"],
)
def test_each_way_of_importing_is_told_what_it_can_do(tmp_path, text, options, page, command):
    on_page = told(tmp_path, PAGE, text, options)
    assert page in on_page
    assert "--" not in on_page
    by_command = told(tmp_path, COMMAND, text, options)
    assert command in by_command
    assert page not in by_command


def test_command_does_not_send_anybody_to_the_command_line(tmp_path):
    assert str(refuse_too_many_rows(Source("t.csv", tmp_path, COMMAND))).endswith("; split it")
    assert describe_remedy(PAGE) == "split it or use the command line"
