"""Blocks read column by column give what the same lines give one by one, word for word."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from data.importing.formats import sentence_labels
from data.importing.formats.sentence_labels import SentenceRows
from data.importing.importer import Options, Source
from data.importing.limits import COMMAND, Limits
from data.importing.readers import strict
from data.importing.readers.flat_lines import read_flat_records
from data.importing.tables.tables import check_records
from faithfulness.model.errors import ReviewError
from tests.attacks.test_import_mutations import TOKENS

HOSTILE = (
    b'{"id":"1","sentence":"x}\n{y","label":"supported"}',  # a text over two lines
    b'{"id":"1","sentence":"x\n{y"},5',
    b'{"id":"1","sentence":[1\n{}]}\n{"id":"1"}',
    b'{"id":"1","sentence":"x"},\n{"id":"1","sentence":"y"}',
    b'{"id":"1","sentence":"x"\n{"id":"1","sentence":"y"}}',
    b'{"id":"1","sentence":"x"}],[\n{"id":"1","sentence":"y"}',
    b'{"id":"1","sentence":"x"}\n\n{"id":"1","sentence":"y"}\n',
    b'{"id":"1","sentence":"x"},{"id":"2","sentence":"y"}\n{"id":"1","sentence":"x\ny"}',
    b'{"id":"1","sentence":"x","query":"q","question":"r"}',
    b'{"id":"1","sentence":"x","excerpts":["a"]}',
    b'{"id":"1","sentence":"x","id":"2"}',
    b'{"id":"1","sentence":"x","id" :"2"}',
    b'{"id":"1","sentence":"x","id"\t\r:"2"}',
    b'{"id":"1","sentence":"\\":","id":"2"}',
    b'{"id":"1","sentence":"x\\\\","id":"2"}',
    b'{"id":"1","sentence":":x"}',
    b'{"id":"1","sentence":"x\\u0000"}',
    b'{"id":"1","sentence":"x","label":NaN}',
    b'{"id":"1","sentence":"x","label":1e999}',
    b'{"id":"1","sentence":"x","label":12345678901234567890123}',
    b'{"id":1234567890123456789012345678901,"sentence":"x"}',
    b'{"id":"1","sentence":"x","label":' + b"[" * 40 + b"]" * 40 + b"}",
    b'{"id":"1","sentence":"x [1]","label":"supported","excerpt":"[\\"a\\", \\"b\\"]"}',
    b'{"id":"1","sentence":"' + b"x" * 200 + b'"}\n{"id":"1","sentence":"y"}',
    b'{"id":"1","sentence":"\xff"}',
    b'{"id":"1","sentence":"\\ud800"}',
    b'\xef\xbb\xbf{"id":"1","sentence":"x"}\r\n{"id":"1","sentence":"y"}\r\n',
    b"[]\n{}\n5\n",
)
FEW = {"text_characters": 150, "columns": 6}

texts = st.sampled_from(
    ("", " ", "a", "b", "The lamp is blue. [1]", 'He said: "no": never', "x{y}", "é\u2028", "\\")
)
labels = st.sampled_from(("supported", "unsupported", "Supported ", "maybe", "", None))
odd = st.sampled_from((None, True, 1, 1.0, 2.5, [], ["a", ""], {"a": "b"}, "[3]", '["a", "b"]'))
keys = st.sampled_from(
    (
        *("id", "item_id", "sentence", "label", "response", "query", "question", "judge", "rater"),
        *(
            "author_kind",
            "system",
            "comment",
            "confidence",
            "excerpts",
            "sentences",
            "reply",
            "note",
        ),
    )
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Rows of one table with a few other ones among them, and a few accidents to their bytes."""
    plain = st.fixed_dictionaries(
        {"id": st.sampled_from("123"), "sentence": st.sampled_from(("a", "b", "[c] d"))},
        optional={"label": labels, "rationale": texts, "excerpt": texts, "response": texts},
    )
    signed = draw(st.sampled_from(({}, {"judge": "north"}, {"rater": "ana"})))
    rows: list[dict[str, Any]] = [each | signed for each in draw(st.lists(plain, min_size=1))]
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(rows) - 1))
        rows[at] = rows[at] | {draw(keys): draw(odd | texts)}
    content = b"\n".join(json.dumps(each).encode() for each in rows)
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(content)))
        until = at + draw(st.sampled_from((0, 0, 1, 5)))
        content = content[:at] + draw(st.sampled_from(TOKENS)) + content[until:]
    return content


def one_by_one(source: Source, options: Options) -> Iterator[Any]:
    """Every line read and looked at by itself, with no proof that makes this needless."""
    file = sentence_labels._File(source, options)
    rows = SentenceRows(source, "sentence_grounding")

    def told() -> Iterator[tuple[int, Any]]:
        for first, block in strict._read_blocks(source):
            lines = [each for each in enumerate(block.split(b"\n"), first) if each[1].strip()]
            values = [(number, strict._parse_value(source, number, line)) for number, line in lines]
            for (number, line), (_, value) in zip(lines, values, strict=True):
                strict._check_value(source, number, line, value)
            yield from values

    yield from sentence_labels._read_one_by_one(file, rows, check_records(source, told()))
    yield from rows.drafts()


def outcome(drafts: Iterator[Any]) -> list[str]:
    """Everything that came, with its types, and the refusal that ended it."""
    found = []
    try:
        found.extend(map(repr, drafts))
    except ReviewError as refused:
        found.append(f"refused: {refused}")
    return found


def assert_same(path: Path, content: bytes, limits: Limits, options: Options) -> None:
    path.write_bytes(content)
    source = Source("rows.jsonl", path, limits)
    expected = outcome(one_by_one(source, options))
    found = outcome(sentence_labels.read([source], options))
    # A file without any record is refused by the reader of lines, which is not compared here.
    assert found == expected or (not expected and "it has no record" in found[0])


@pytest.fixture(params=[1 << 20, 150], ids=["one block", "many blocks"])
def _blocks(request, monkeypatch):
    monkeypatch.setattr(strict, "_BLOCK", request.param)


@pytest.mark.usefixtures("_blocks")
@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(files(), st.booleans(), st.sampled_from((Options(), Options(author="eve", system="s"))))
@example(b'{"id":"1","sentence":"a","label":"no"}\n' * 3, False, Options())
def test_both_readers_say_the_same(tmp_path, content, is_short, options):
    assert_same(tmp_path / "rows", content, limits_of(is_short), options)


@pytest.mark.usefixtures("_blocks")
@pytest.mark.parametrize("is_short", [False, True])
@pytest.mark.parametrize("content", HOSTILE)
def test_hostile_lines_are_told_as_when_read_one_by_one(content, is_short, tmp_path):
    for before in (b"", b'{"id":"0","sentence":"a","label":"supported"}\n' * 3):
        assert_same(tmp_path / "rows", before + content, limits_of(is_short), Options())


def limits_of(is_short: bool) -> Limits:
    known = {name: getattr(COMMAND, name) for name in Limits.__slots__}
    return Limits(**known | (FEW if is_short else {}))


def test_plain_rows_are_read_by_columns():
    rows = [
        {"id": "1", "judge": "north", "sentence": "The lamp [1] is: blue.", "label": "supported"}
        | ({"response": "The lamp."} if at % 3 == 0 else {})
        | ({"excerpt": None} if at % 2 else {"excerpt": 'He said "no".'})
        for at in range(9)
    ]
    block = b"\n".join(json.dumps(each).encode() for each in rows)
    assert read_flat_records(block, 1_000) == rows
    file = sentence_labels._File(Source("a.jsonl", Path("a")), Options())
    read = file.plain_rows(range(1, 10), rows)
    assert read is not None
    assert [each.line for each in read.said] == list(range(1, 10))


@pytest.mark.parametrize("content", HOSTILE[:7])
def test_lines_that_are_no_record_each_are_not_taken_for_flat(content):
    assert read_flat_records(content, 1_000) is None
