"""Of texts that speak to a judge a known share is noticed, and hardly any harmless one is."""

from itertools import chain

from tests.attacks.injections import ATTACKS, LOOK_ALIKES, corpus, told

# What the check reaches now (docs/deploying.md has the figures of the first run); never less.
NOTICED, FALSE_ALARMS = 24, 1
KINDS = 8


def test_corpus_is_large_varied_and_without_doubles():
    for side in (ATTACKS, LOOK_ALIKES):
        texts = list(chain.from_iterable(corpus()[side].values()))
        assert len(texts) >= 60
        assert len(texts) == len({" ".join(text.split()).lower() for text in texts})
        assert len(corpus()[side]) >= KINDS
    assert not set(chain.from_iterable(corpus()[ATTACKS].values())) & set(
        chain.from_iterable(corpus()[LOOK_ALIKES].values())
    )


def test_attacks_are_noticed_wherever_they_stand():
    found = told(ATTACKS)
    assert sum(each.is_found for each in found) >= NOTICED
    # A text is not noticed less because honest words stand around it.
    assert [each.text for each in found if each.is_ever_found and not each.is_found] == []


def test_harmless_texts_that_resemble_attacks_are_left_alone():
    wrong = [each.text for each in told(LOOK_ALIKES) if each.is_ever_found]
    assert len(wrong) <= FALSE_ALARMS, wrong
