"""Words of a filter or an address are looked for as they are: never run, and never an error."""

import dataclasses
import random
import re
from itertools import islice

import pytest

from data.exporting import write_export
from data.runs import queries
from data.samples.first_start import fill
from data.store import engine
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Author, AuthorKind, Field
from tests.data.stored import ADA, save_drafts, sentence_draft
from tests.few import few
from tests.made_stores import new_store
from tests.opened_pages import opened_page, store_of_pages
from tests.shared_data import ROOT

# Each is at home in one item only, so that an item that is found is the right one.
WORDS = (
    "' or 1=1 --", "'; drop table items; --", '" or ""="', "') or ('1'='1", "'/**/or/**/1=1#",
    "' union select * from authors --", "%", "_", "%%%%", "a%b_c", r"\%", "\\", "\\'", "''", "$run",
    "$words", "?", "?1", ":run", "{words}", "{}", "%s", "%(words)s", "null", "NULL; --",
    "read_csv('/etc/passwd')", "from glob('/*')", "../../etc/passwd", "file:///etc/passwd",
    "\\\\server\\share", "C:\\Windows\\win.ini", "x' and sleep(5) --", "e'\\x27'", "0x27",
    "U&'\\0027'",
    "; attach 'x.duckdb'", "case when 1 then 1 end", "İstanbul ﬁ ß", "\u202eevil", "(a+)+$",
    "[[:alpha:]]*",
    "=1+1", "*/ drop table runs /*", "1; checkpoint; --", "quote ” and „ mark",
)  # fmt: skip
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
# Values beside the words above that a parameter of a page might trip over.
ODD = (
    "", " ", "-1", "0", "1e999", "nan", "9" * 400, "true", "[]", "{}", "rater:", ":", "judge:a:b",
    "a" * 3000, "\x00", "\ud7ff", "😀" * 50, "../item", "//evil.example/x", "javascript:alert(1)",
    "s1:label", "sentence_grounding", "contradictory", "raters", "none",
)  # fmt: skip
ADDRESSES = 8  # of each page


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    opened = new_store(tmp_path_factory.mktemp("words") / "s.duckdb")
    plain = sentence_draft(0, {ADA: ("supported", "supported", None)})
    fields = [Field(name="query", kind="query", text=f"Item {n}: {w}") for n, w in enumerate(WORDS)]
    drafts = [
        plain._replace(external_id=f"q{n}", fields=(field, *plain.fields[1:]))
        for n, field in enumerate(fields)
    ]
    save_drafts(opened, drafts)
    yield opened
    opened.close()


def content(store):
    with store.read() as cursor:
        return engine.compute_fingerprints(cursor)


def everywhere(words: str) -> Selection:
    """A selection with these words in every place that takes words."""
    return Selection(
        protocol=words,
        runs=(words,),
        systems=(words,),
        authors=(Author(kind=AuthorKind.RATER, name=words),),
        criterion=words,
        labels=(words,),
        by=words,
        placements=(words,),
        clashes=(words,),
        agreements=(words,),
        slices=((words, words),),
        words=words,
        item=words,
        unit=words,
        listed=words,
        sort=words,
        group=words,
        at=words,
    )


def test_words_find_the_items_in_which_they_stand_and_nothing_else(store):
    run_id, before = queries.runs(store)["run_id"][0], content(store)
    for words in WORDS:
        expected = [
            n for n, text in enumerate(WORDS) if words.lower() in f"item {n}: {text}".lower()
        ]
        found = queries.run_items(store, run_id, Selection(words=words), limit=len(WORDS))
        assert found["external_id"].tolist() == [f"q{n}" for n in expected], words
    assert content(store) == before


def test_words_in_any_place_of_a_selection_find_nothing_and_break_nothing(store, tmp_path):
    before, run_id = content(store), queries.runs(store)["run_id"][0]
    for number, words in enumerate(WORDS):
        narrowed = everywhere(words)
        assert queries.count_run_items(store, run_id, narrowed) == 0
        for each in dataclasses.fields(Selection):
            one = Selection(**{each.name: getattr(narrowed, each.name)})
            assert queries.count_run_items(store, run_id, one) <= len(WORDS)
        if number % 10 == 0:
            with pytest.raises(ReviewError, match="There is no run"):
                write_export(store, narrowed, "csv", tmp_path / "out.csv")
    assert content(store) == before


def parameters() -> list[str]:
    """Every name that some page or component reads from its address."""
    sources = [*(ROOT / "pages").glob("*.py"), *(ROOT / "components").rglob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    read = re.findall(r"query_params(?:\.get|\.get_all)?[\[(]\"(\w+)\"", text)
    named = re.findall(r"\b(?:one|several|bound\w*|key)\w*[(=]\"(\w+)\"", text)
    return sorted({*read, *named})


def addresses(page: str):
    chance, names = random.Random(page), parameters()
    values = [*WORDS, *ODD]
    while True:
        yield {name: chance.choice(values) for name in names if chance.random() < 0.8}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    path = tmp_path_factory.mktemp("addresses") / "plumbline.duckdb"
    new_store(path, fill).close()
    with store_of_pages(path) as opened:
        yield opened


def test_parameters_of_all_pages_are_known():
    assert {"words", "run", "item", "upload", "batch", "meeting", "rule"} <= set(parameters())


@pytest.mark.parametrize("nth", few(range(ADDRESSES), 1))
@pytest.mark.parametrize("page", PAGES)
def test_crafted_address_opens_its_page_and_changes_nothing(sample, page, nth):
    before = content(sample)
    test = opened_page(page, next(islice(addresses(page), nth, None)))
    assert [each.value for each in test.exception] == []
    kinds = ("title", "markdown", "caption", "info", "warning", "error", "bidi_component")
    assert any(test.get(kind) for kind in kinds)  # it says something
    assert content(sample) == before
