"""Load the labels, numbers and costs of two sides for a comparison on their common items.

A side is an annotator's answers in one run. Data that does not depend on a filter is read once for
each state of the store and cached; a filter selects rows of the cached data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from data.agreement.cells import SECONDS, get_or_make
from data.agreement.codes import ABSENT, Codes
from data.agreement.sides import find_voices, query_authors
from data.compare import compare_sql as sql
from data.store.store import Store
from faithfulness.model.comparability import AnswerOrigin, Party
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection_sides import MAJORITY, Side, is_baseline
from faithfulness.model.vocabulary import Author, AuthorKind

Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class ComparableSide:
    """A side that can be chosen; `version` is what people call its prompt, where one is chosen."""

    party: Party
    run: str
    system: str
    is_sample: bool
    version: str = ""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class SideLabels:
    """One code a unit, units in ascending order; below zero where there is no label."""

    items: Whole
    units: Whole
    codes: Codes

    @property
    def nbytes(self) -> int:
        return self.items.nbytes + self.units.nbytes + self.codes.nbytes


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class ItemNumbers:
    """The number of each item, nan where it has none, and what the number is called.

    `averaged` says that it is the mean of what several raters' own numbers are.
    """

    name: str
    items: Whole
    values: Numbers
    averaged: bool = False

    @property
    def nbytes(self) -> int:
        return self.items.nbytes + self.values.nbytes


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class ReplyCosts:
    """What each reply took; nan where that is unknown. An item may have several replies."""

    items: Whole
    seconds: Numbers
    tokens_in: Numbers
    tokens_out: Numbers
    cost: Numbers

    def of(self, items: Whole) -> "ReplyCosts":
        here = np.isin(self.items, items)
        return ReplyCosts(
            items=self.items[here],
            seconds=self.seconds[here],
            tokens_in=self.tokens_in[here],
            tokens_out=self.tokens_out[here],
            cost=self.cost[here],
        )


def load_parties(
    store: Store, protocol: Protocol, criterion: Criterion
) -> tuple[ComparableSide, ...]:
    """Every side there is under a criterion: run by run, judges first, then people.

    A judge whose replies carry several prompts is there once with its current answers, and once
    more for each prompt; the offline baseline is not, as it reads none.
    """
    return get_or_make(
        store,
        ("compare parties", protocol.key, criterion.key),
        lambda: _list_parties(store, protocol, criterion),
        lambda made: 200 * len(made),
    )


def _list_parties(
    store: Store, protocol: Protocol, criterion: Criterion
) -> tuple[ComparableSide, ...]:
    wanted = {criterion.key, ""} if criterion is protocol.criteria[0] else {criterion.key}
    rows = _query_parties(store)
    rows = rows[(rows["protocol"] == protocol.key) & rows["criterion"].isin(wanted)]
    versions = _map_prompt_versions(store)
    found: list[ComparableSide] = []
    for (run_id, run, system, is_sample), group in groupby(
        rows.itertuples(), key=lambda row: (row.run_id, row.run, row.system, bool(row.is_sample))
    ):
        authors = dict.fromkeys(
            Author(kind=AuthorKind(str(row.kind)), name=str(row.author)) for row in group
        )
        raters = [each for each in authors if each.kind is AuthorKind.RATER]
        for author in authors:
            party = Party(run=run_id, side=Side.of(author))
            known = ComparableSide(party=party, run=run, system=system, is_sample=is_sample)
            asked = versions.get((run_id, author.kind.value, author.name), {})
            found += [known, *([] if is_baseline(author) else _split_by_prompt(asked, known))]
        if len(raters) > 1:
            party = Party(run=run_id, side=MAJORITY)
            found.append(ComparableSide(party=party, run=run, system=system, is_sample=is_sample))
    return tuple(found)


def list_protocols(store: Store) -> list[str]:
    """The protocols under which anybody has answered, in no order."""
    return list(_query_parties(store)["protocol"].unique())


def describe_origin(store: Store, known: ComparableSide, protocol: Protocol) -> AnswerOrigin:
    """How a side's answers came about."""
    party, author = known.party, known.party.side.author
    asked = _query_prompts(store)
    asked = asked[_is_by(asked, party.run, author)] if author else asked.iloc[:0]
    if party.prompt:
        asked = asked[asked["fingerprint"] == party.prompt]
    return AnswerOrigin(
        party=party,
        system=known.system,
        protocol=protocol.title,
        prompts=frozenset(asked["fingerprint"]),
        models=frozenset(asked["model"]),
        cutters=frozenset(load_item_keys(store, party.run)["cutter"].unique()),
    )


def load_side_labels(
    store: Store,
    protocol: Protocol,
    criterion: Criterion,
    party: Party,
    but: Sequence[Author] = (),
    within: Sequence[str] = (),
    signed_in: Sequence[str] = (),
) -> SideLabels:
    """A side's labels on every unit of its run; raters in `but` do not vote in a majority.

    A side without a run speaks in all of them, or in those of `signed_in`, about the items of the
    runs in `within`.
    """
    runs = tuple(sorted({party.run} if party.run else set(within)))

    def make() -> SideLabels:
        with store.read(seconds=SECONDS) as cursor:
            voice = find_voices(party.side, query_authors(cursor), but=but)
            facts: dict[str, Any] = {
                "criterion": criterion.key,
                "protocol": protocol.key,
                "labels": list(criterion.scale.values),
                "authors": voice.authors,
                "run_id": party.run,
                "within": list(runs),
                "signed_in": list(signed_in),
                "prompt": party.prompt,
            }
            rows = cursor.execute(sql.LABELS, facts).fetchnumpy()
        numbers = np.asarray(rows["unit_no"], np.int64)
        first = np.flatnonzero(np.diff(numbers, prepend=-1))
        place = np.cumsum(np.diff(numbers, prepend=-1) != 0) - 1
        codes = np.full((len(voice.columns), len(first)), ABSENT, np.int8)
        for at, column in enumerate(voice.columns):
            here = np.isin(rows["author_no"], column)
            codes[at, place[here]] = rows["code"][here]
        return SideLabels(
            items=np.asarray(rows["item_no"], np.int64)[first],
            units=numbers[first],
            codes=voice.labels(codes),
        )

    key = ("compare labels", protocol.key, criterion.key, party, tuple(but), runs, *signed_in)
    return get_or_make(store, key, make, lambda made: made.nbytes)


def load_stored_numbers(
    store: Store, party: Party, but: Sequence[Author] = ()
) -> tuple[ItemNumbers, ...]:
    """The numbers of each item as they were stored, by name; of raters not in `but` their mean."""

    def make() -> tuple[ItemNumbers, ...]:
        with store.read(seconds=SECONDS) as cursor:
            voice = find_voices(party.side, query_authors(cursor), but=but)
            facts = {"run_id": party.run, "authors": voice.authors}
            rows = cursor.execute(sql.NUMBERS, facts).df()
        return tuple(
            ItemNumbers(
                name=str(name),
                items=found["item_no"].to_numpy(np.int64),
                values=found["value"].to_numpy(np.float64),
                averaged=party.side.author is None,
            )
            for name, found in rows.groupby("name", sort=False)
        )

    key = ("compare numbers", party, tuple(but))
    return get_or_make(store, key, make, lambda all_: sum(each.nbytes for each in all_))


def load_reply_costs(store: Store, party: Party) -> ReplyCosts:
    """What the replies of a judge took, one row a reply; none of people."""

    def make() -> ReplyCosts:
        with store.read(seconds=SECONDS) as cursor:
            voice = find_voices(party.side, query_authors(cursor))
            facts = {"run_id": party.run, "authors": voice.authors, "prompt": party.prompt}
            rows = cursor.execute(sql.REPLIES, facts).df()
        return ReplyCosts(
            items=rows["item_no"].to_numpy(np.int64),
            seconds=_convert_to_floats(rows["seconds"]),
            tokens_in=_convert_to_floats(rows["tokens_in"]),
            tokens_out=_convert_to_floats(rows["tokens_out"]),
            cost=_convert_to_floats(rows["cost"]),
        )

    return get_or_make(store, ("compare spent", party), make, lambda made: 40 * len(made.items))


def load_item_keys(store: Store, run_id: str) -> pd.DataFrame:
    """What the items of a run can be matched by, in the order of their numbers.

    Columns: item_no, external_id, cutter, query and sources (numbers that stand for texts, 0 where
    there is none).
    """

    def make() -> pd.DataFrame:
        with store.read(seconds=SECONDS) as cursor:
            found: pd.DataFrame = cursor.execute(sql.KEYS, {"run_id": run_id}).df()
        return found

    return get_or_make(store, ("compare keys", run_id), make, lambda made: 80 * len(made))


def _convert_to_floats(column: "pd.Series[float]") -> Numbers:
    return np.asarray(column.astype("float64"), np.float64)


def _query_parties(store: Store) -> pd.DataFrame:
    return _query_frame(store, sql.PARTIES)


def _query_prompts(store: Store) -> pd.DataFrame:
    return _query_frame(store, sql.PROMPTS)


def _query_frame(store: Store, question: str) -> pd.DataFrame:
    def make() -> pd.DataFrame:
        with store.read(seconds=SECONDS) as cursor:
            found: pd.DataFrame = cursor.execute(question).df()
        return found

    return get_or_make(store, ("compare", question), make, lambda made: 200 * len(made))


def _split_by_prompt(versions: Mapping[str, str], known: ComparableSide) -> list[ComparableSide]:
    if len(versions) < 2:
        return []
    return [
        replace(known, party=replace(known.party, prompt=fingerprint), version=version)
        for fingerprint, version in versions.items()
        if fingerprint
    ]


def _map_prompt_versions(store: Store) -> dict[tuple[str, str, str], dict[str, str]]:
    """By run, kind and author what people call each prompt, in the order of the asking."""
    found: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in _query_prompts(store).itertuples():
        mine = found.setdefault((str(row.run_id), str(row.kind), str(row.author)), {})
        mine.setdefault(str(row.fingerprint), str(row.version))
    return found


def _is_by(asked: pd.DataFrame, run_id: str, author: Author) -> "pd.Series[bool]":
    return (
        (asked["run_id"] == run_id)
        & (asked["kind"] == author.kind.value)
        & (asked["author"] == author.name)
    )
