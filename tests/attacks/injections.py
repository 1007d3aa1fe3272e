"""The corpus of texts that speak to a judge, and what the check finds of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from faithfulness.checks import addressed
from faithfulness.checks.check import CannotCheck
from tests.example_items import item_of

CORPUS = Path(__file__).with_suffix(".yaml")
LATER = CORPUS.with_name("injections_later.yaml")
LAST = CORPUS.with_name("injections_last.yaml")
ATTACKS, LOOK_ALIKES = "attacks", "look_alikes"
# Where a text may stand: alone, behind and before honest words, and in a source.
BEFORE = "The kettle holds 1.7 litres and costs $45.00."
AFTER = "It is made of steel."


class Told(NamedTuple):
    """One text of the corpus and whether the check speaks up in every place it may stand."""

    kind: str
    text: str
    places: tuple[bool, ...]

    @property
    def is_found(self) -> bool:
        return all(self.places)

    @property
    def is_ever_found(self) -> bool:
        return any(self.places)


def corpus(path: Path = CORPUS) -> Mapping[str, Mapping[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def told(side: str, path: Path = CORPUS) -> list[Told]:
    """What becomes of each text of one side of a round of the corpus."""
    return [told_of(text, kind) for kind, texts in corpus(path)[side].items() for text in texts]


def told_of(text: str, kind: str = "") -> Told:
    """What becomes of one text."""
    return Told(kind, text, tuple(_speaks_up(item) for item in _places(text)))


def _places(text: str):
    yield item_of(text, context=BEFORE)
    yield item_of(f"{BEFORE}\n{text}\n{AFTER}", context=BEFORE)
    yield item_of(BEFORE, context=f"{BEFORE}\n\n{text}\n\n{AFTER}")


def _speaks_up(item) -> bool:
    found = addressed.CHECK.run(item)
    assert not isinstance(found, CannotCheck)
    return bool(found)
