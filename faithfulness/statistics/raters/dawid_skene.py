"""Dawid and Skene's model: how reliable each author is when nobody knows the true labels.

Expectation maximisation (Applied Statistics 28, 1979), started from the shares of votes. It runs
on distinct patterns of labels, of which a million units have a few thousand. It needs at least
three authors who err independently: judges of one model family do not, and then it believes them
too much. Its labels are never to be taken for a reference silently.

Only labels that somebody gave are estimated: for a label that nobody gave there is no evidence how
authors err, and the model would explain rare disagreements by it.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from faithfulness.model.vocabulary import Author
from faithfulness.statistics.raters.rater_sums import distinct_patterns
from faithfulness.statistics.tables import Numbers, Ratings

FEWEST_AUTHORS = 3
MOST_ROUNDS = 500
NOT_CONVERGED = f"Dawid and Skene's model has not converged after {MOST_ROUNDS} rounds"
_STILL = 1e-8  # the posterior has settled when no share moves by more
_NEVER = 1e-12  # a label an author never gave: unlikely, not impossible


def dawid_skene(ratings: Ratings) -> "DawidSkene":
    """The model fitted to all authors of `ratings`, or the reason why it cannot be."""
    labels = len(ratings.values)
    patterns, place = distinct_patterns(ratings.codes, labels)
    seen = (patterns >= 0).any(axis=1)
    counts = np.bincount(place, weights=ratings.counts, minlength=len(patterns)).astype(np.float64)
    speaking = (counts @ (patterns >= 0)) > 0
    if speaking.sum() < FEWEST_AUTHORS:
        return _unfitted(ratings, int(speaking.sum()))
    votes = (patterns[seen][:, :, None] == np.arange(labels)).astype(np.float64)
    posterior, marginals, confusions, rounds = fit(votes, counts[seen])
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


def fit(votes: Numbers, counts: Numbers) -> tuple[Numbers, Numbers, Numbers, int]:
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
    """As `fit`, where every label has a vote."""
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
        renewed = _expected(flat, marginals, given)
        moved = float(np.abs(renewed - posterior).max(initial=0))
        posterior, rounds = renewed, rounds + 1


def _expected(flat: Numbers, marginals: Numbers, given: Numbers) -> Numbers:
    """The probability of each true label per pattern, from how the authors err."""
    rows = given.sum(axis=2, keepdims=True)
    shares = np.divide(given, rows, out=np.zeros_like(given), where=rows > 0)
    likely = np.log(np.maximum(shares, _NEVER)).transpose(0, 2, 1)
    score = flat @ likely.reshape(flat.shape[1], -1) + np.log(np.maximum(marginals, _NEVER))
    score -= score.max(axis=1, keepdims=True)
    weight = np.exp(score)
    posterior: Numbers = weight / weight.sum(axis=1, keepdims=True)
    return posterior


def _unfitted(ratings: Ratings, speaking: int) -> "DawidSkene":
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
