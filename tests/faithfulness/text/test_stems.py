"""Forms of one word have one stem, so that texts in another tense or form meet."""

import pytest

from faithfulness.text.stems import stem


@pytest.mark.parametrize(
    "forms",
    ["come came comes", "give gave given", "include included includes including", "make made",
     "stand stood stands", "freeze froze frozen", "wear wore worn", "automatic automatically",
     "use used using uses"],
)  # fmt: skip
def test_forms_of_one_word_share_a_stem(forms):
    assert len({stem(each) for each in forms.split()}) == 1


def test_words_alike_in_singular_and_plural_stay_whole():
    assert (stem("series"), stem("species")) == ("series", "species")
