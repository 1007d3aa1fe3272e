"""How often each answer is given under a policy: by the judge, by people, and set right by them."""

from collections.abc import Mapping

import numpy as np

from data.agreement.policies import both_sides, met_tables
from data.agreement.question import Question
from data.store.store import Store
from faithfulness.policies.policies import policy
from faithfulness.statistics.correction import Corrected, JudgedItems, corrected_rate
from faithfulness.statistics.label_rates import labelled_items


def policy_rates(store: Store, asked: Question) -> Mapping[str, Corrected]:
    """By answer of the target's scale: judge_only, human_only and corrected, under `asked.policy`.

    The correction holds only if the responses that people answered about are a random sample of
    all that the judge did (`correction.ASSUMPTION`).

    Raises:
        ReviewError: there is no such policy, bridge or author.
    """
    chosen = policy(asked.policy)
    matter, items, view = both_sides(store, asked, chosen)
    tables = met_tables(matter, items, view)
    alone = view.judge[(view.reference < 0) & (view.judge >= 0)]
    return {
        label: corrected_rate(
            labelled_items(tables, label),
            JudgedItems(judge=(alone == at).astype(np.float64), units=np.ones(len(alone))),
        )
        for at, label in enumerate(tables.values)
    }
