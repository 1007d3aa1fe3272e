"""Dawid-Skene model: estimate annotator reliability without known true labels.

Fitted by expectation maximization (Applied Statistics 28, 1979), starting from the shares of votes.
It runs on distinct patterns of labels: a million units have only a few thousand. It needs at least
three annotators with independent errors. Judges of one model family do not have those, and the
model then overestimates their reliability. Never use its labels as a reference without saying so.

Only labels that were used are estimated: an unused label gives no evidence of errors, and the model
would explain rare disagreements by it.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from faithfulness.model.vocabulary import Author
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.intervals import FEWEST_ITEMS
from faithfulness.statistics.raters.rater_sums import find_distinct_patterns
from faithfulness.statistics.tables import Numbers, Ratings

FEWEST_AUTHORS = 3
MOST_ROUNDS = 500
NOT_CONVERGED = f"Dawid and Skene's model has not converged after {MOST_ROUNDS} rounds"
_STILL = 1e-8  # the posterior has settled when no share moves by more
_NEVER = 1e-12  # a label an author never gave: unlikely, not impossible


def dawid_skene(ratings: Ratings) -> "DawidSkene":
    """The model fitted to all authors of `ratings`, or the reason why it cannot be."""
    labels = len(ratings.values)
    patterns, place = find_distinct_patterns(ratings.codes, labels)
    seen = (patterns >= 0).any(axis=1)
    counts = np.bincount(place, weights=ratings.counts, minlength=len(patterns)).astype(np.float64)
    speaking = (counts @ (patterns >= 0)) > 0
    if speaking.sum() < FEWEST_AUTHORS:
        return _make_unfitted(ratings, int(speaking.sum()))
    votes = (patterns[seen][:, :, None] == np.arange(labels)).astype(np.float64)
    posterior, marginals, confusions, rounds = fit_model(votes, counts[seen])
    every = np.zeros((len(patterns), labels))
    every[seen] = posterior
    return DawidSkene(
        values=ratings.values,
        authors=ratings.authors,
        marginals=marginals,
        confusions=confusions,
        posterior=every[place],
        rounds=rounds,
        reason="" if rounds < MOST_ROUNDS else NOT_CONVERGED,
    )


def fit_model(votes: Numbers, counts: Numbers) -> tuple[Numbers, Numbers, Numbers, int]:
    """Expectation maximisation on votes, (patterns, authors, labels); an author may vote twice.

    Returns:
        The probability of each true label per pattern, the share of each label, how many units of
        each true label each author gives each label (authors, true, given), the rounds taken. All
        are 0 for a label without any vote.
    """
    used = np.flatnonzero(counts @ votes.sum(axis=1))
    posterior, marginals, given, rounds = _fit_used(votes[:, :, used], counts)
    patterns, authors, labels = votes.shape
    all_posterior, all_marginals = np.zeros((patterns, labels)), np.zeros(labels)
    all_given = np.zeros((authors, labels, labels))
    all_posterior[:, used], all_marginals[used] = posterior, marginals
    all_given[:, used[:, None], used] = given
    return all_posterior, all_marginals, all_given, rounds


def _fit_used(votes: Numbers, counts: Numbers) -> tuple[Numbers, Numbers, Numbers, int]:
    """As `fit_model`, where every label has a vote."""
    patterns, authors, labels = votes.shape
    flat = votes.reshape(patterns, authors * labels)
    posterior = votes.sum(axis=1) / votes.sum(axis=(1, 2))[:, None]
    rounds, moved = 0, np.inf
    while True:
        weighted = posterior * counts[:, None]
        marginals = weighted.sum(axis=0) / counts.sum()
        given = (weighted.T @ flat).reshape(labels, authors, labels).transpose(1, 0, 2)
        if moved <= _STILL or rounds == MOST_ROUNDS:
            return posterior, marginals, given, rounds
        renewed = _compute_posterior(flat, marginals, given)
        moved = float(np.abs(renewed - posterior).max(initial=0))
        posterior, rounds = renewed, rounds + 1


def _compute_posterior(flat: Numbers, marginals: Numbers, given: Numbers) -> Numbers:
    """The probability of each true label per pattern, from how the authors err."""
    rows = given.sum(axis=2, keepdims=True)
    shares = np.divide(given, rows, out=np.zeros_like(given), where=rows > 0)
    likely = np.log(np.maximum(shares, _NEVER)).transpose(0, 2, 1)
    score = flat @ likely.reshape(flat.shape[1], -1) + np.log(np.maximum(marginals, _NEVER))
    score -= score.max(axis=1, keepdims=True)
    weight = np.exp(score)
    posterior: Numbers = weight / weight.sum(axis=1, keepdims=True)
    return posterior


def _make_unfitted(ratings: Ratings, speaking: int) -> "DawidSkene":
    labels, authors = len(ratings.values), len(ratings.authors)
    return DawidSkene(
        values=ratings.values,
        authors=ratings.authors,
        marginals=None,
        confusions=np.zeros((authors, labels, labels)),
        posterior=np.zeros((len(ratings.items), labels)),
        rounds=0,
        reason=f"{speaking} of the authors gave labels; at least {FEWEST_AUTHORS} are needed",
    )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class DawidSkene:
    """What the model believes about the labels and about each author.

    Attributes:
        values: The declared scale in its order.
        authors: Whose confusions these are.
        marginals: The believed share of each label; None where the model cannot be fitted.
        confusions: Believed units per author, true label and given label.
        posterior: Per row of the ratings, the probability of each true label; all zero where
            nobody labelled the unit, or where the model cannot be fitted.
        rounds: Rounds of expectation maximisation.
        reason: Why there is no result, or why to doubt it, in plain words.
    """

    values: tuple[str, ...]
    authors: tuple[Author, ...]
    marginals: Numbers | None
    confusions: Numbers
    posterior: Numbers
    rounds: int
    reason: str = ""

    def shares(self, author: Author) -> tuple[tuple[float | None, ...], ...]:
        """How often an author gives each label, per true label; None where that never occurs."""
        table = self.confusions[self.authors.index(author)]
        rows = []
        for row in table:
            total = float(row.sum())
            # Beliefs below a hundredth of a unit are the rest of the arithmetic, not units.
            known = total > 0.01
            rows.append(tuple(float(cell) / total if known else None for cell in row))
        return tuple(rows)

    def labels(self) -> npt.NDArray[np.int8]:
        """The likeliest label of each row of the ratings; -1 where there is none."""
        found: npt.NDArray[np.int8] = self.posterior.argmax(axis=1).astype(np.int8)
        found[~self.posterior.any(axis=1)] = -1
        return found


NAME = "dawid_skene"
FEWEST_UNITS = 10  # believed to have a label, before a share of them is told
NO_INTERVAL = (
    "no interval: drawing items again would not show the larger doubt, whether raters err "
    "independently as the model takes for granted"
)


def compute_rater_beliefs(ratings: Ratings) -> "Beliefs":
    """The model's belief about each rater, or the reason why it is not asked."""
    shared = _select_shared(ratings)
    enough = [place for place in range(len(shared.authors)) if _count_items(shared, place) > 0]
    if len(enough) < FEWEST_AUTHORS:
        return Beliefs(
            raters=(),
            reason=f"it takes at least {FEWEST_AUTHORS} raters with labels on shared units",
        )
    if max(_count_items(shared, place) for place in enough) < FEWEST_ITEMS:
        return Beliefs(raters=(), reason=f"no rater shares {FEWEST_ITEMS} items with another rater")
    model = dawid_skene(shared)
    return Beliefs(
        raters=tuple(_build_belief(shared, model, place) for place in enough), reason=model.reason
    )


def _select_shared(ratings: Ratings) -> Ratings:
    """The units that at least two labelled."""
    rows = (ratings.codes >= 0).sum(axis=1) >= 2
    return Ratings(
        values=ratings.values,
        ordinal=ratings.ordinal,
        authors=ratings.authors,
        items=ratings.items[rows],
        codes=ratings.codes[rows],
        counts=ratings.counts[rows],
    )


def _count_items(ratings: Ratings, place: int) -> int:
    return len(np.unique(ratings.items[ratings.codes[:, place] >= 0]))


def _build_belief(ratings: Ratings, model: DawidSkene, place: int) -> "Belief":
    table, items = model.confusions[place], _count_items(ratings, place)
    said = ratings.codes[:, place] >= 0
    units = int(ratings.counts[said].sum())
    few = f"fewer than {FEWEST_ITEMS} items" if items < FEWEST_ITEMS else ""
    found = {}
    for label, value in enumerate(model.values):
        believed = float(table[label].sum())
        rare = f"fewer than {FEWEST_UNITS} units are believed to be {value}"
        found[value] = _make_estimate(
            f"{NAME}:{value}",
            part=float(table[label, label]),
            whole=believed,
            items=items,
            units=round(believed),
            why_not=few or (rare if believed < FEWEST_UNITS else ""),
            doubt=model.reason,
        )
    right = _make_estimate(
        NAME,
        part=float(table.trace()),
        whole=units,
        items=items,
        units=units,
        why_not=few,
        doubt=model.reason,
    )
    return Belief(
        author=model.authors[place], right=right, finds=found, confusion=table, told=not few
    )


def _make_estimate(
    name: str, *, part: float, whole: float, items: int, units: int, why_not: str, doubt: str
) -> Estimate:
    return Estimate(
        name=name,
        value=None if why_not else part / whole,
        low=None,
        high=None,
        items=items,
        units=units,
        reason=why_not or "; ".join(part for part in (doubt, NO_INTERVAL) if part),
    )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Belief:
    """What the model believes about one rater.

    Attributes:
        author: The rater.
        right: Share of this rater's labels that the model takes for right.
        finds: Per label of the scale, the share of units believed to have it to which this rater
            gives it; `units` is how many are believed to have it.
        confusion: Believed units by true label and the label this rater gave.
        told: Whether there is enough of this rater to say anything.
    """

    author: Author
    right: Estimate
    finds: dict[str, Estimate]
    confusion: npt.NDArray[np.float64]
    told: bool

    def commonest_error(self) -> tuple[int, int, float] | None:
        """The true label, the label given in its place, and on how many units; None without one."""
        apart: Numbers = np.where(np.eye(len(self.confusion), dtype=bool), 0, self.confusion)
        if not self.told or apart.max() < 0.5:
            return None
        true, given = divmod(int(apart.argmax()), len(apart))
        return true, given, float(apart[true, given])


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Beliefs:
    """All raters by the model; nobody where `reason` says why it was not fitted.

    Attributes:
        raters: One for each rater who shares a unit with another.
        reason: Why there is nothing, or why to doubt what there is, in plain words.
    """

    raters: tuple[Belief, ...]
    reason: str
