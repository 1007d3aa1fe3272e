"""Excerpts are placed in the tier they deserve, with spans people can check."""

import json
import random
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithfulness.model.vocabulary import Field, Tier
from faithfulness.text.excerpts import find_nearest, place_excerpt, prepare_source
from faithfulness.text.sentences import cut_sentences
from tests.shared_data import SHARED, needs_shared

CONTEXT = (
    "The **Lume tent** sleeps two people and weighs 1.9 kilograms. The flysheet is green and the "
    "set costs $499.00 [2]. It was introduced in 2021, after three years of work.\n\n"
    "- Cleaning is simple: rinse with water\n- Let it dry in the shade before you fold it\n\n"
    "It must not be stored wet. The zips don’t rust, and they are covered for 10 years."
)
REVIEWS = "My kids had great fun in it all summer long, and it never leaked. I'd buy it again!"
SOURCES = [
    prepare_source(Field(name="context", kind="context", text=CONTEXT)),
    prepare_source(Field(name="reviews", kind="reviews", text=REVIEWS)),
]
TEXTS = {"context": CONTEXT, "reviews": REVIEWS}
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=120)


def placed(excerpt: str) -> tuple[Tier, list[str]]:
    found = place_excerpt(excerpt, SOURCES)
    return found.tier, [TEXTS[span.field][span.start : span.end] for span in found.spans]


@pytest.mark.parametrize(
    ("excerpt", "where"),
    [
        ("weighs 1.9 kilograms", "weighs 1.9 kilograms"),
        ("the lume TENT sleeps  two people", "Lume tent** sleeps two people"),
        ("“The flysheet is green”", "The flysheet is green"),
        ("…The flysheet is green and the set costs $499.00...", "costs $499.00"),
        ("The zips don't rust", "The zips don’t rust"),
        ("rinse with water Let it dry in the shade", "rinse with water\n- Let it dry in the shade"),
        ("It was introduced in 2021 after three years", "in 2021, after three years"),
        ("it never leaked", "it never leaked"),
        ("green", "green"),
        ("$499", "$499"),
    ],
)
def test_same_words_are_verbatim(excerpt, where):
    tier, found = placed(excerpt)
    assert tier is Tier.VERBATIM
    assert len(found) == 1
    assert where in found[0]


@pytest.mark.parametrize(
    ("excerpt", "where"),
    [
        ("weighs 2.9 kilograms. The flysheet is green", "weighs 1.9 kilograms. The flysheet"),
        ("The set costs $49", "the set costs $499"),
        ("It was introduced in 2012, after three years of work", "introduced in 2021"),
        ("Let it dry in the sun before you fold it", "Let it dry in the shade before you fold it"),
        ("It must be stored wet", "must not be stored wet"),
        ("My children had great fun in it all summer long", "had great fun in it all summer long"),
        ("weighs 19 kilograms", "weighs 1.9 kilograms"),
    ],
)
def test_edited_words_are_near_and_show_the_sources_own(excerpt, where):
    tier, found = placed(excerpt)
    assert tier is Tier.NEAR
    assert len(found) == 1
    assert where in found[0]


LIST = "Steps\n5. Boil the water twice.\n6) Add the tea.\n12. Stir it well."


@pytest.mark.parametrize(
    ("excerpt", "tier", "where"),
    [
        ("5. Boil the water twice.", Tier.VERBATIM, "5. Boil the water twice."),
        ("5) boil the water twice", Tier.VERBATIM, "5. Boil the water twice"),
        ("Boil the water twice. Add the tea.", Tier.VERBATIM, "twice.\n6) Add the tea."),
        ("8. Boil the water twice.", Tier.NEAR, "5. Boil the water twice."),
        ("2. Stir it well.", Tier.NEAR, "12. Stir it well."),
        ("5. Boil the water twice. 7. Add the tea.", Tier.NEAR, "Boil the water twice.\n6) Add"),
    ],
)
def test_the_number_of_a_list_is_part_of_its_text(excerpt, tier, where):
    found = place_excerpt(excerpt, [prepare_source(Field(name="steps", kind="context", text=LIST))])
    assert found.tier is tier
    assert where in LIST[found.spans[0].start : found.spans[0].end]


@pytest.mark.parametrize(
    "excerpt",
    [
        "The Lume tent sleeps two people … It must not be stored wet",
        "The flysheet is green [...] covered for 10 years",
        "Cleaning is simple: rinse with water. It was introduced in 2021",
        "sleeps two people and weighs 1.9 kilograms; great fun in it all summer long",
        "it never leaked ... The zips don't rust",
    ],
)
def test_words_from_several_places_are_stitched(excerpt):
    tier, found = placed(excerpt)
    assert tier is Tier.STITCHED
    assert len(found) == 2


@pytest.mark.parametrize(
    ("excerpt", "wanted"),
    [
        (
            "The flysheet is green and the set costs $499.00 after three years of work",
            ["The flysheet is green and the set costs $499.00", "after three years of work"],
        ),
        (
            "The Lume tent sleeps two people and weighs 1.9 kilograms and the set costs $499.00",
            ["Lume tent** sleeps two people and weighs 1.9 kilograms", "and the set costs $499.00"],
        ),
        (
            "Let it dry in the shade; stored wet. The zips don't rust, and they are covered",
            ["Let it dry in the shade", "stored wet. The zips don’t rust, and they are covered"],
        ),
        (
            "It was introduced in 2021. The flysheet is green and the set",
            ["The flysheet is green and the set", "It was introduced in 2021"],
        ),
        (
            "My kids had great fun all summer long",
            ["My kids had great fun", "all summer long"],
        ),
    ],
)
def test_words_left_out_between_verbatim_runs_are_stitched(excerpt, wanted):
    found = place_excerpt(excerpt, SOURCES)
    assert (found.tier, found.coverage) == (Tier.STITCHED, 1.0)
    texts = [TEXTS[span.field][span.start : span.end] for span in found.spans]
    assert len(texts) == 2
    assert all(each in text for each, text in zip(wanted, texts, strict=True)), texts


@pytest.mark.parametrize(
    "excerpt",
    [
        "The flysheet is green and the set costs $49 after three years of work",
        "The flysheet is grey and the set costs $499.00 after three years of work",
        "the set costs £499.00 [2]. It was introduced in 2021, after three years of work",
        "The Lume tent sleeps two people and weighs 9 kilograms. The flysheet is green",
    ],
)
def test_words_left_out_and_others_changed_are_near(excerpt):
    assert placed(excerpt)[0] is Tier.NEAR


def test_stitched_excerpt_may_cross_sources():
    spans = place_excerpt("it never leaked ... The zips don't rust", SOURCES).spans
    assert [span.field for span in spans] == ["context", "reviews"]


def test_paraphrase_is_similar_and_never_near():
    tier, found = placed("weighs about two kilograms")
    assert tier is Tier.SIMILAR
    assert found == ["weighs 1.9 kilograms"]


@pytest.mark.parametrize(
    "excerpt",
    ["", "  ", "…", '""', "The tent comes with a two year guarantee for all parts", "gree", "reen",
     "$49", "1.", "purple", "people two sleeps tent kilograms weighs and green work"],
)  # fmt: skip
def test_words_that_stand_nowhere_are_absent(excerpt):
    found = place_excerpt(excerpt, SOURCES)
    assert found.tier is Tier.ABSENT
    assert found.spans == ()


def test_without_sources_everything_is_absent():
    assert place_excerpt("weighs 1.9 kilograms", []).tier is Tier.ABSENT
    assert find_nearest("weighs 1.9 kilograms", []) is None


def test_containment_goes_one_way():
    # The excerpt holds the whole source and more: most of its words stand nowhere.
    source = [prepare_source(Field(name="c", kind="context", text="It is green."))]
    longer = "It is green. It was also praised by every single tester of the Nordic tent club."
    assert place_excerpt(longer, source).tier is Tier.ABSENT


def test_best_tier_wins_over_source_order():
    first = prepare_source(
        Field(name="a", kind="context", text="The lamp weighs 2.0 kilograms in all.")
    )
    second = prepare_source(
        Field(name="b", kind="context", text="The lamp weighs 2.4 kilograms in all.")
    )
    found = place_excerpt("lamp weighs 2.4 kilograms in all", [first, second])
    assert (found.tier, found.spans[0].field) == (Tier.VERBATIM, "b")
    tie = place_excerpt("The lamp weighs 2.7 kilograms in all.", [first, second])
    assert (tie.tier, tie.spans[0].field) == (Tier.NEAR, "a")


def test_chinese_excerpt_with_one_character_changed_is_near():
    source = [
        prepare_source(
            Field(name="c", kind="context", text="这顶帐篷可以睡两个人，重量为一点九公斤。")
        )
    ]
    assert place_excerpt("这顶帐篷可以睡三个人，重量为一点九公斤", source).tier is Tier.NEAR
    assert place_excerpt("重量为一点九公斤", source).tier is Tier.VERBATIM
    assert place_excerpt("价格便宜，颜色是绿色的，很好看", source).tier is Tier.ABSENT


def test_prepared_source_is_made_once():
    field = Field(name="context", kind="context", text=CONTEXT)
    assert prepare_source(field) is prepare_source(
        Field(name="context", kind="context", text=CONTEXT)
    )


def test_bullets_of_an_excerpt_do_not_matter():
    tier, found = placed("* Cleaning is simple: rinse with WATER\n* Let it dry in the shade")
    assert tier is Tier.VERBATIM
    assert found[0].endswith("in the shade")


def test_nearest_names_the_closest_passage():
    found = find_nearest("the zip does not rust", SOURCES)
    assert found is not None
    assert "zips don’t rust" in found.text
    assert 0 < found.distance < 0.5
    assert CONTEXT[found.span.start : found.span.end] == found.text


@settings(max_examples=400, deadline=None)
@given(ANY, st.lists(ANY, max_size=3))
def test_any_excerpt_gets_spans_inside_its_source(excerpt, texts):
    fields = [Field(name=f"f{n}", kind="context", text=text) for n, text in enumerate(texts)]
    found = place_excerpt(excerpt, [prepare_source(field) for field in fields])
    lengths = {field.name: len(field.text) for field in fields}
    assert (found.tier is Tier.ABSENT) == (found.spans == ())
    assert 0 <= found.coverage <= 1
    assert list(found.spans) == sorted(found.spans)
    for span in found.spans:
        assert 0 <= span.start < span.end <= lengths[span.field]
    find_nearest(excerpt, [prepare_source(field) for field in fields])


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_every_longer_slice_that_cuts_no_number_is_verbatim(data):
    text = data.draw(
        st.text(st.characters(exclude_categories=["Cs", "Nd", "No", "Nl"]), min_size=8)
    )
    start = data.draw(st.integers(0, len(text) - 8))
    piece = text[start : data.draw(st.integers(start + 8, len(text)))]
    source = [prepare_source(Field(name="c", kind="context", text=text))]
    if len(piece.strip()) >= 8:
        found = place_excerpt(piece, source)
        assert found.tier is Tier.VERBATIM
        span = found.spans[0]
        assert text[span.start : span.end] == piece.strip()


def _real_contexts() -> list[str]:
    path = SHARED / "factcheck_gpt" / "factcheck-GPT-benchmark.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    passages = [
        passage
        for row in rows
        for sentence in row["sentences"].values()
        for group in sentence.get("auto_evidence") or []
        for passage in group
        if isinstance(passage, str)
    ]
    text = "\n\n".join(dict.fromkeys(passages))
    return [text[start : start + 20_000] for start in range(0, len(text) - 20_000, 20_000)]


def _made(rng: random.Random, kind: str, text: str, other: str) -> str:
    spans = [span for span in cut_sentences(text) if 60 <= span[1] - span[0] <= 250]
    (a, b), (c, d) = rng.sample(spans, 2)
    words = text[a:b].split()
    if kind == "edited":
        for at in rng.sample(range(len(words)), 2):
            words[at] = "quartz"
    elif kind == "shuffled":
        rng.shuffle(words)
    elif kind == "foreign":
        start, end = rng.choice(
            [span for span in cut_sentences(other) if 60 <= span[1] - span[0] <= 250]
        )
        words = other[start:end].split()
    elif kind == "stitched":
        words = [*words, "…", *text[c:d].split()]
    return " ".join(words)


@needs_shared
def test_real_contexts_tell_the_kinds_of_excerpts_apart():
    contexts, rng = _real_contexts(), random.Random(5)
    assert len(contexts) >= 3
    right = {
        "same": {Tier.VERBATIM},
        "edited": {Tier.NEAR},
        "stitched": {Tier.STITCHED},
        "shuffled": {Tier.ABSENT, Tier.SIMILAR},
        "foreign": {Tier.ABSENT},
    }
    shares = {}
    for kind, tiers in right.items():
        hits = 0
        for turn in range(60):
            text, other = (contexts[(turn + shift) % len(contexts)] for shift in (0, 1))
            source = prepare_source(Field(name="c", kind="context", text=text))
            hits += place_excerpt(_made(rng, kind, text, other), [source]).tier in tiers
        shares[kind] = hits / 60
    assert min(shares.values()) >= 0.93, shares


@pytest.mark.parametrize("source_form", ["NFC", "NFD"])
@pytest.mark.parametrize("quote_form", ["NFC", "NFD"])
def test_a_quote_is_found_whole_whichever_way_its_accents_were_typed(source_form, quote_form):
    words = "Le café Zoé à Besançon sert des crêpes à l'été"
    text = unicodedata.normalize(source_form, f"Ouvert ici. {words}.  Rien d'autre.")
    found = place_excerpt(
        unicodedata.normalize(quote_form, words),
        [prepare_source(Field(name="context", kind="context", text=text))],
    )
    assert found.tier is Tier.VERBATIM
    (span,) = found.spans
    assert unicodedata.normalize("NFC", text[span.start : span.end]) == words
