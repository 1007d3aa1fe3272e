"""Plan a judging batch: select its items and estimate tokens and cost before it starts."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from data.items.loading import load_known_items
from data.judging.batches_queries import load_candidates
from data.store.store import Store
from faithfulness.checks.addressed import speaks
from faithfulness.judging.judge import Judge, question
from faithfulness.judging.offline.offline_judge import NAME
from faithfulness.judging.prices import cost, estimate_question
from faithfulness.judging.sampling import draw_evenly, draw_sample
from faithfulness.model.prompt import Prompt
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection import Selection

WEIGHED = 60  # items whose questions are written out to estimate all
_SECONDS = 1.0  # and no longer than this, so that a page with giant items still opens


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchScope:
    """Which items of a run are meant; 0 items means all."""

    run_id: str
    selection: Selection | None = None
    ask_again: bool = False
    items: int = 0
    evenly_over: str = ""  # an attribute of the items
    seed: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchPlan:
    """What would be asked; tokens are estimates, an unknown cost is None."""

    item_ids: tuple[str, ...]
    found: int  # items of the run that the selection leaves
    judged: int  # of these, asked before with the same prompt and settings
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    weighed: int  # items that the estimate rests on
    longest: int  # tokens of the longest question among them
    per_slice: tuple[tuple[str, int], ...] = ()
    addressed: int = 0  # of the weighed items, those with text that speaks to the judge


class _Weighed(NamedTuple):
    tokens_in: int
    tokens_out: int
    speaks: bool


def plan_batch(
    store: Store,
    scope: BatchScope,
    *,
    protocol: Protocol,
    judge: Judge,
    prompt: Prompt,
    samples: int,
) -> BatchPlan:
    """Choose the items and estimate what asking about them takes."""
    found = load_candidates(
        store,
        scope.run_id,
        scope.selection,
        author=judge.author,
        fingerprint=prompt.fingerprint,
        settings=judge.settings,
    )
    open_ones = found if scope.ask_again else found[~found["judged"].astype(bool)]
    ids = list(open_ones["item_id"])
    said = [each.get(scope.evenly_over, "") for each in open_ones["attributes"]]
    count = scope.items or len(ids)
    if scope.evenly_over:
        chosen = draw_evenly(list(zip(ids, said, strict=True)), said, count, seed=scope.seed)
    else:
        chosen = draw_sample(list(zip(ids, said, strict=True)), count, seed=scope.seed)
    item_ids = tuple(item_id for item_id, _ in chosen)
    model = judge.settings.get("model", "")
    weighed = [] if model == NAME else _estimate_tokens(store, item_ids, protocol, prompt)
    share = len(item_ids) * samples / max(1, len(weighed))
    tokens_in = round(share * sum(each.tokens_in for each in weighed))
    tokens_out = round(share * sum(each.tokens_out for each in weighed))
    return BatchPlan(
        item_ids=item_ids,
        found=len(found),
        judged=int(found["judged"].sum()),
        calls=len(item_ids) * samples,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=0.0 if model == NAME else cost(model, tokens_in, tokens_out),
        weighed=len(weighed),
        longest=max((each.tokens_in for each in weighed), default=0),
        addressed=sum(each.speaks for each in weighed),
        per_slice=tuple(Counter(value or "—" for _, value in chosen).most_common())
        if scope.evenly_over
        else (),
    )


def _estimate_tokens(
    store: Store, item_ids: Sequence[str], protocol: Protocol, prompt: Prompt
) -> list[_Weighed]:
    """Tokens in and out of some of the questions, spread over all of them.

    Whether an item speaks to its judge is looked for in the same few: the texts are at hand.
    """
    some = draw_sample(item_ids, WEIGHED)
    until = time.monotonic() + _SECONDS
    weighed: list[_Weighed] = []
    for item in load_known_items(store, some).values():
        tokens = estimate_question(question(protocol, item, prompt))
        weighed.append(_Weighed(*tokens, speaks(item)))
        if time.monotonic() > until:
            break
    return weighed
