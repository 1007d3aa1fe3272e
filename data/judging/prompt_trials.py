"""Select disputed items for a prompt trial and save the replies."""

from collections.abc import Mapping, Sequence

from data.items.loading import load_known_items
from data.judging.prompt_queries import load_most_disputed
from data.judging.save_rerun import keep_rerun
from data.store.store import Store
from faithfulness.judging.prompt_trial import AFTER, BEFORE, Trial, TrialItem
from faithfulness.model.vocabulary import Author


def load_disputed_cases(
    store: Store, protocol: str, criterion: str, runs: Sequence[str] = ()
) -> list[TrialItem]:
    """The items of some runs, or of all that count, on which answers differ most, worst first."""
    found = load_most_disputed(store, protocol, criterion, runs=runs)
    items = load_known_items(store, [each.item_id for each in found])
    return [TrialItem(each.run_id, items[each.item_id], each.external_id) for each in found]


def keep_trial(
    store: Store,
    trial: Trial,
    *,
    trial_id: str,
    author: Author,
    settings: Mapping[str, str],
    edited: Mapping[str, str],
) -> int:
    """Store every reply of a trial and say on how many items; asked twice, nothing is stored twice.

    `edited` says where the tried prompt comes from (based_on, note, made_by).

    Item by item: what is stored stays when a later one fails, and the same call goes on from there.
    The earlier prompt's answers come first, so that those of the tried prompt are the ones that
    count.

    Raises:
        NotSaved: from here on nothing was stored.
    """
    for arm in (BEFORE, AFTER):
        made = edited if arm == AFTER else {}
        for item_id, tried in trial.tried(arm).items():
            group = f"trial:{trial_id}/{arm}/{item_id}"
            keep_rerun(
                store,
                run_id=trial.cases[item_id].run_id,
                item_id=item_id,
                author=author,
                samples=tried.samples,
                settled=tried.settled,
                prompt=tried.question.prompt,
                settings=settings,
                operation_id=group,
                group_id=group,
                asked=None,
                **made,
            )
    return len(trial.tried(AFTER))
