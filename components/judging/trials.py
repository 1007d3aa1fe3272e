"""Prompt trials in progress: request replies in the background and hold them for a decision."""

import secrets
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, NoReturn

import streamlit as st

from components.judging.judge_form import JudgeChoice
from components.ui import background
from components.ui.background import BackgroundTask, Report
from components.ui.numbers import format_count
from faithfulness.judging.judge import Judge
from faithfulness.judging.prompt_trial import BEFORE, Labels, Trial
from faithfulness.model.prompt import Prompt
from faithfulness.model.protocol import Criterion
from faithfulness.model.vocabulary import Author

KEPT = 20  # older ones are forgotten, with what nobody kept


class TrialBaseline(NamedTuple):
    """What a trial is compared with: labels as they stood in the store, or a prompt asked too."""

    title: str
    labels: Labels
    prompt: Prompt | None = None


@dataclass(kw_only=True)
class HeldTrial:
    """One trial with what it is compared with; decided about once."""

    id: str
    trial: Trial
    work: BackgroundTask
    criterion: Criterion
    choice: JudgeChoice
    author: Author
    settings: dict[str, str]
    against: TrialBaseline
    kept: int = 0

    def labels_before(self) -> Labels:
        asked = BEFORE in self.trial.prompts
        return self.trial.labels(BEFORE, self.criterion.key) if asked else self.against.labels


@st.cache_resource
def _get_trials() -> dict[str, HeldTrial]:
    return {}


def begin(
    trial: Trial,
    judge: Judge,
    choice: JudgeChoice,
    criterion: Criterion,
    against: TrialBaseline,
) -> NoReturn:
    """Set it to work, remember it under the page's address, and show how far it is."""
    held = HeldTrial(
        id=secrets.token_hex(16),
        trial=trial,
        work=background.start(partial(_run_trial, trial, judge), "judging"),
        criterion=criterion,
        choice=choice,
        author=judge.author,
        settings=dict(judge.settings),
        against=against,
    )
    trials = _get_trials()
    trials[held.id] = held
    for key in list(trials)[:-KEPT]:
        trials.pop(key).trial.stop()
    st.query_params["trial"] = held.id
    held.work.wait(1.0)  # quick work never shows a progress bar
    st.rerun()


def find(trial_id: str) -> HeldTrial | None:
    return _get_trials().get(trial_id)


def leave(held: HeldTrial) -> NoReturn:
    """Forget it, with what nobody kept, and begin anew."""
    held.trial.stop()
    _get_trials().pop(held.id, None)
    st.query_params.pop("trial", None)
    st.rerun()


def show_trial_progress(held: HeldTrial) -> None:
    """Draw how far it is, with a way to stop; the page runs once more when it has ended."""

    @st.fragment(run_every=0.5)
    def progress() -> None:
        if not held.work.running:
            st.rerun()
        now = held.trial.progress()
        over = now.total - now.left
        failed = sum(now.failed.values())
        words = f"{over} of {format_count(now.total, 'question')} asked"
        words += f", {failed} failed" * bool(failed)
        words += f", waiting {now.waiting:.0f} s for the endpoint" * (now.waiting > 1)
        st.progress(over / max(1, now.total), text=words)
        st.button("Stop", icon=":material/stop_circle:", on_click=held.trial.stop, key="stop_trial")

    progress()


def _run_trial(trial: Trial, judge: Judge, report: Report) -> str:
    """Ask everything; answers why it ended early, in words for people."""
    try:
        return trial.run().reason
    finally:
        # The judge holds the key; what remains of the trial must not outlive its connections.
        close = getattr(judge, "close", None)
        if close is not None:
            close()
