"""A table that fits two protocols is asked about; one that is clear is read as ever."""

import pytest

from data.importing.importer import Options, Source
from data.importing.limits import PAGE
from data.importing.prepare import prepare
from data.importing.preparing import choose_importer
from faithfulness.model.errors import ImportRefused
from tests.data.importing.samples import ITEMS, REPLIES, json_lines, put

HEAD = "id,context,response,sentence,label,rater,score,accuracy"
ROW = "1,It is red.,It is red.,It is red.,supported,ana,4,5"


def source(tmp_path, head, row, **more):
    return Source("t.csv", put(tmp_path, "t.csv", f"{head}\n{row}\n".encode()), **more)


def test_command_names_the_protocols_and_the_option(tmp_path):
    told = (
        r"Sentence grounding \(label\), Comparative summary \(score\), Expert rubric \(accuracy\)"
        r"\. Say which is meant with --protocol: sentence_grounding, comparative_summary, exp"
    )
    with pytest.raises(ImportRefused, match=told):
        choose_importer([source(tmp_path, HEAD, ROW)], None, Options())


def test_page_asks_to_choose_the_protocol(tmp_path):
    with pytest.raises(ImportRefused, match=r"Choose the protocol that is meant\.$"):
        choose_importer([source(tmp_path, HEAD, ROW, limits=PAGE)], None, Options())


@pytest.mark.parametrize(
    ("key", "value"),
    [("sentence_grounding", "supported"), ("comparative_summary", "4"), ("expert_rubric", "5")],
)
def test_protocol_that_was_named_is_read(tmp_path, key, value):
    path = source(tmp_path, HEAD, ROW).path
    manifest = prepare([("t.csv", path)], options=Options(protocol=key), into=tmp_path)
    (run,) = manifest.runs
    assert (run.protocol, run.answers) == (key, 1)
    assert value in next(iter(run.by_label.values()))


@pytest.mark.parametrize(
    ("head", "row", "key"),
    [
        ("id,response,accuracy,ethics,score", "1,r,4,5,3", "expert_scores"),
        ("id,response,score,label", "1,r,4,good", "comparative_scores"),
        ("id,response,accuracy,score", "1,r,4,0.87", "expert_scores"),
        ("id,context,response,sentence,label,rater,score", "1,c,r,r,supported,ana,0.87", "table"),
    ],
)
def test_clear_table_is_read_without_asking(tmp_path, head, row, key):
    assert choose_importer([source(tmp_path, head, row)], None, Options()).key == key


@pytest.mark.parametrize("key", ["response_consistency", "expert_rubric"])
def test_lines_with_replies_are_read_under_the_protocol_that_was_named(tmp_path, key):
    replies = Source("r.jsonl", put(tmp_path, "r.jsonl", json_lines(*REPLIES)))
    assert choose_importer([replies], None, Options()).protocols == ("sentence_grounding",)
    assert key in choose_importer([replies], None, Options(protocol=key)).protocols


def test_named_protocol_that_the_file_does_not_fit_is_refused_with_a_way_on(tmp_path):
    path = put(tmp_path, "items.jsonl", json_lines(*ITEMS))
    told = "for Claim overlap no column holds the claim that is judged"
    with pytest.raises(ImportRefused, match=told):
        prepare([("items.jsonl", path)], options=Options(protocol="claim_overlap"), into=tmp_path)
