"""Query interface of the agreement page (AgreementQueries), bound to one open store."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import pandas as pd

from data.agreement import pairs as questions
from data.agreement import policies
from data.agreement.items import count_addressed_left_out
from data.agreement.policy_report import estimate_policy_rates
from data.agreement.policy_subject import count_partner_items
from data.agreement.question import AgreementQuestion
from data.agreement.rated_items import RatedItems, count_rated_items
from data.items.sample_runs import in_any_run
from data.store.store import Store
from faithfulness.model.protocol import Criterion
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import Side
from faithfulness.model.vocabulary import Author
from faithfulness.protocols import PROTOCOLS
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.correction import Corrected
from faithfulness.statistics.tables import PairTables, Ratings


class Comparison(Protocol):
    """As much of a comparison as the store has to know."""

    @property
    def selection(self) -> Selection: ...

    @property
    def criterion(self) -> Criterion: ...

    @property
    def question(self) -> tuple[Selection, str, Side, Side]: ...


class AgreementQueries:
    """Answers what the views ask; an instance belongs to one open store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def compared(self, asked: Comparison, field: str = "") -> questions.Compared:
        return questions.compare_sides(self.store, *asked.question, field=field)

    def ratings(self, asked: Comparison, authors: Sequence[Author] | None = None) -> Ratings:
        return questions.load_ratings(self.store, asked.selection, asked.criterion.key, authors)

    def claims(self, asked: Comparison, side: Side) -> Mapping[str, Estimate]:
        return questions.estimate_claim_scores(
            self.store, asked.selection, side, *asked.question[2:]
        )

    def slice_keys(self, asked: Comparison) -> tuple[str, ...]:
        return questions.list_slice_keys(self.store, asked.selection, asked.criterion.key)

    def item_slices(self, asked: Comparison, by: str, tables: PairTables) -> list[str]:
        return [
            *map(str, questions.load_item_slices(self.store, asked.selection, by, tables.items))
        ]

    def partners(self, selection: Selection) -> Mapping[str, int]:
        """Protocols of a judge that can be compared with the selection's, with their items."""
        return count_partner_items(self.store, selection)

    def sides(self, selection: Selection, *, with_baseline: bool) -> pd.DataFrame:
        return questions.load_sides(
            self.store, selection, selection.criterion, with_baseline=with_baseline
        )

    def sides_under(
        self, selection: Selection, protocol: str, *, with_baseline: bool
    ) -> pd.DataFrame:
        """Who has labels under another protocol, whatever run they stand in."""
        runs = in_any_run(self.store, selection)
        there = replace(selection, protocol=protocol, criterion="", runs=runs)
        return questions.load_sides(self.store, there, with_baseline=with_baseline)

    def lens(self, named: Mapping[str, Any]) -> policies.Lens:
        """The headline under every policy; `named` are the parts of a Question."""
        return policies.compare_policies(self.store, AgreementQuestion(**named))

    def flips(self, named: Mapping[str, Any], first: str, second: str, page: int) -> policies.Flips:
        return policies.load_flips(self.store, AgreementQuestion(**named), first, second, page)

    def rates(self, named: Mapping[str, Any]) -> Mapping[str, Corrected]:
        """Every answer's rate under the chosen policy, three ways."""
        return estimate_policy_rates(self.store, AgreementQuestion(**named))

    def addressed_left_out(self, selection: Selection) -> int:
        """How many items are left out because their texts speak to their judge."""
        return count_addressed_left_out(self.store, selection, PROTOCOLS[selection.protocol])

    def rated(self, protocol: str, runs: Sequence[str]) -> RatedItems:
        return count_rated_items(self.store, protocol, runs)
