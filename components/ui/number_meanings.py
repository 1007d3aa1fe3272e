"""Explanations of the metrics and their pitfalls, consistent with docs/statistics.md."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class NumberMeaning:
    """One number: what it says, and when it lies."""

    title: str
    says: str
    lies: str

    @property
    def in_words(self) -> str:
        return f"{self.says} {self.lies}"


def meaning(name: str, of: str = "") -> NumberMeaning:
    """The meaning of a number; `of` is what people call the label behind the colon of its name."""
    kind, _, label = name.partition(":")
    found = MEANINGS[kind]
    if not label:
        return found
    return NumberMeaning(title=f"{found.title}, {of or label}", says=found.says, lies=found.lies)


def _build_meaning(title: str, says: str, lies: str) -> NumberMeaning:
    return NumberMeaning(title=title, says=says, lies=lies)


MEANINGS = {
    "percent": _build_meaning(
        "Same label",
        "The share of units to which both give the same label.",
        "Where one label is common it is high for a judge that looks at nothing: read it beside "
        "the line for always saying the commonest label.",
    ),
    "baseline": _build_meaning(
        "Always the commonest label",
        "What a judge would reach that always gives the reference's commonest label.",
        "It is no judge; a number that is not clearly above it shows no skill.",
    ),
    "kappa": _build_meaning(
        "Cohen's kappa",
        "Agreement beyond what two authors with these habits would reach by chance; 1 is perfect, "
        "0 is chance.",
        "It falls when one label is rare although nobody errs more: then read AC1 and the rare "
        "label's F1. It cannot be compared between sets with different shares of labels.",
    ),
    "kappa_linear": _build_meaning(
        "Kappa, linear weights",
        "Kappa on a scale: each step apart counts against it in proportion.",
        "It depends on the number of steps of the scale.",
    ),
    "kappa_quadratic": _build_meaning(
        "Kappa, quadratic weights",
        "Kappa on a scale: far misses count by the square of their distance. The usual headline "
        "for scores.",
        "It forgives a judge that is always one step off; look at the bias beside it.",
    ),
    "ac1": _build_meaning(
        "Gwet's AC1",
        "Agreement beyond chance, with a chance that stays small when labels are skewed. Chance "
        "counts the labels that occur, not those that are only declared.",
        "On skewed labels it is high even when the rare label is never found.",
    ),
    "ac2": _build_meaning(
        "Gwet's AC2",
        "AC1 on a scale, far misses counted by the square of their distance, relative to the "
        "lowest and the highest score that occur.",
        "As AC1, it says little about rare scores.",
    ),
    "pi": _build_meaning(
        "Scott's pi",
        "Kappa with one common habit for both sides.",
        "It blames a difference in habits as disagreement.",
    ),
    "brennan_prediger": _build_meaning(
        "Brennan and Prediger",
        "Agreement beyond the chance of drawing evenly from the labels that occur.",
        "A label that occurs once counts as much as a common one.",
    ),
    "alpha": _build_meaning(
        "Krippendorff's alpha",
        "One minus observed over expected disagreement, for any number of authors with gaps.",
        "As kappa, it falls when labels are skewed.",
    ),
    "alpha_ordinal": _build_meaning(
        "Alpha, ordinal",
        "Alpha that knows the order of the labels: distance in ranks.",
        "Ranks depend on how often each score was given.",
    ),
    "alpha_interval": _build_meaning(
        "Alpha, interval",
        "Alpha that takes the steps of the scale as equally far.",
        "Whether 4 to 5 is as far as 1 to 2 is for the protocol to say.",
    ),
    "mcc": _build_meaning(
        "Matthews correlation",
        "How well the labels of both go together over the whole table.",
        "Undefined as soon as one side uses one label only.",
    ),
    "precision": _build_meaning(
        "Precision",
        "Of the units to which the judge gives this label, the share that the reference gives it.",
        "A judge that gives it once, rightly, has 1.",
    ),
    "recall": _build_meaning(
        "Recall",
        "Of the units to which the reference gives this label, the share that the judge finds.",
        "A judge that gives it to everything has 1.",
    ),
    "f1": _build_meaning(
        "F1",
        "Precision and recall of one label together; for a rare label the most telling number.",
        "It ignores the units that both sides leave without this label.",
    ),
    "f1_macro": _build_meaning(
        "F1, mean over topics",
        "F1 of each topic, averaged over the topics that were judged both ways.",
        "A topic with two claims counts as much as one with forty.",
    ),
    "bias": _build_meaning(
        "Used more or less",
        "The judge's share of this label minus the reference's.",
        "Zero does not mean that both give it to the same units.",
    ),
    "within_one": _build_meaning(
        "Within one step",
        "The share of units whose two scores are equal or neighbours.",
        "On five steps even careless scores are often neighbours.",
    ),
    "mean_difference": _build_meaning(
        "Bias",
        "Judge minus reference in steps, on average: above 0 the judge is milder.",
        "Errors in both directions cancel out; look at the bars.",
    ),
    "mae": _build_meaning(
        "Mean distance",
        "How many steps the two scores lie apart on average.",
        "Small when everybody uses the middle of the scale.",
    ),
    "spearman": _build_meaning(
        "Spearman correlation",
        "Whether both put the units in the same order.",
        "A judge that is always a step too mild has 1.",
    ),
    "tau_b": _build_meaning(
        "Kendall's tau-b",
        "Pairs of units that both put in the same order, less those in opposite order.",
        "As Spearman, it does not see a judge that is milder throughout.",
    ),
    "icc_2_1": _build_meaning(
        "ICC(2,1)",
        "How much of the spread of single scores comes from the units, not from who scored.",
        "It is low when all units are about equally good.",
    ),
    "fleiss": _build_meaning(
        "Fleiss' kappa",
        "Kappa for several authors; gaps follow Gwet's rule.",
        "As kappa, it falls when labels are skewed.",
    ),
    "unanimous": _build_meaning(
        "All agree",
        "The share of units on which all who labelled them agree.",
        "It falls with every further author.",
    ),
    "dawid_skene": _build_meaning(
        "Believed right",
        "How many of a rater's labels Dawid and Skene's model takes for right. It has no "
        "reference: it believes those who agree with each other and weighs them by how often "
        "they do.",
        "Raters who err alike, or copied, believe each other and make who is right look wrong. "
        "A question to ask a rater, never a mark for one.",
    ),
    "judge_with_raters": _build_meaning(
        "Judge with a rater",
        "How often the judge and a rater say the same, over all raters.",
        "It counts the units that the judge and two raters labelled, so it differs from the "
        "share against the majority, which is easier to meet.",
    ),
    "raters_with_raters": _build_meaning(
        "Rater with a rater",
        "How often two raters say the same on those units: what a judge can be expected to reach.",
        "Raters who copied from each other, or who all err alike, put it too high.",
    ),
    "alt_test": _build_meaning(
        "Stand-in test",
        "Whether the judge is as close to the other raters as each rater is, less a margin for "
        "its lower cost (alt-test).",
        "The margin decides it; and it speaks about these raters and this kind of item only.",
    ),
    "corrected": _build_meaning(
        "Corrected rate",
        "The judge's rate on all items, set right by those that people labelled.",
        "It holds only if the labelled items are a random sample of all items.",
    ),
    "share": _build_meaning(
        "Share of a label",
        "How many of the labels an author gave are this one; the interval is over whole items.",
        "Sentences of one response are alike, so a hundred of them say less than a hundred items; "
        "and authors who saw other items cannot be compared by it.",
    ),
    "median": _build_meaning(
        "Median",
        "Half of the items have a number below it, half above.",
        "Where most responses are perfect it is 1 however bad the others are: look at the bars.",
    ),
    "drift": _build_meaning(
        "Mean in the order of import",
        "The mean over items of each run, by the raters and by every judge.",
        "Runs hold other items or other systems, so a step may come from them and not from who "
        "judged. Compare two runs on their common items to tell.",
    ),
    "unread": _build_meaning(
        "Unread",
        "Answers without a label that could be read, kept apart from all shares.",
        "If what cannot be read is mostly bad, every share beside it looks too good.",
    ),
}
