"""Reruns in progress: request judge samples in the background and hold them for a decision."""

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NoReturn

import streamlit as st

from components.ui import background
from components.ui.background import BackgroundTask, Report
from faithfulness.judging import rerun
from faithfulness.judging.judge import Judge, JudgeQuestion
from faithfulness.judging.rerun import Sample
from faithfulness.model.errors import JudgeFailed
from faithfulness.model.vocabulary import Annotation

KEPT = 50  # older ones are forgotten, with what nobody kept


class RunningQuestion:
    """One question to one judge: waiting for samples, then decided about once."""

    def __init__(
        self,
        question: JudgeQuestion,
        judge: Judge,
        *,
        samples: int,
        run_id: str,
        before: Sequence[Annotation],
        edited: Mapping[str, str] | None = None,
    ) -> None:
        self.id = secrets.token_hex(16)
        self.question = question
        self.author = judge.author
        self.settings = dict(judge.settings)
        self.wanted = samples
        self.run_id = run_id
        self.before = tuple(before)  # what was stored on the item when it was asked about
        self.edited = dict(edited or {})  # where its prompt comes from, why, and by whom
        self.samples: list[Sample] = []
        self.failure: JudgeFailed | None = None
        self.kept = False
        self._stopped = threading.Event()
        self._judge: Judge | None = None
        self.work = self.go_on(judge)

    def go_on(self, judge: Judge) -> BackgroundTask:
        """Ask for the samples that are still missing."""
        self.failure = None
        self._stopped.clear()
        self._judge = judge
        self.work = background.start(partial(self._work, judge), "judging")
        return self.work

    def stop(self) -> None:
        """Ask nothing more and end the call under way, where the judge can."""
        self._stopped.set()
        end = getattr(self._judge, "stop", None)
        if end is not None:
            end()

    def keep(self, write: Callable[..., object]) -> None:
        """Store what came; `write` is `data.records.keep_rerun` of the open store."""
        samples = tuple(self.samples)
        write(
            run_id=self.run_id,
            item_id=self.question.item.id,
            author=self.author,
            samples=samples,
            settled=rerun.settle_samples(samples, self.question.protocol),
            prompt=self.question.prompt,
            settings=self.settings,
            operation_id=self.id,
            group_id=self.id,
            **self.edited,
        )
        self.kept = True

    def _work(self, judge: Judge, report: Report) -> None:
        def progress(done: int, of: int) -> None:
            words = "asking the judge" if of == 1 else f"asking for sample {done + 1} of {of}"
            report(done / of, words if done < of else "read")

        try:
            rerun.ask_judge(
                self.question,
                judge,
                samples=self.wanted,
                have=tuple(self.samples),
                progress=progress,
                stop=self._stopped.is_set,
                taken=self.samples.append,
            )
        except JudgeFailed as failure:
            self.failure = failure
        finally:
            # The judge holds the key; what remains of the question must not.
            self._judge = None
            close = getattr(judge, "close", None)
            if close is not None:
                close()


@st.cache_resource
def _get_questions() -> dict[str, RunningQuestion]:
    return {}


def begin(asking: RunningQuestion) -> NoReturn:
    """Remember it under the page's address, and show how far it is."""
    askings = _get_questions()
    askings[asking.id] = asking
    for key in list(askings)[:-KEPT]:
        askings.pop(key).stop()
    st.query_params["asking"] = asking.id
    asking.work.wait(1.0)  # quick work never shows a progress bar
    st.rerun()


def find(asking_id: str) -> RunningQuestion | None:
    return _get_questions().get(asking_id)


def find_about(item_id: str, asking_id: str) -> RunningQuestion | None:
    """The one of this name, if it asks about this item."""
    found = find(asking_id)
    return found if found and found.question.item.id == item_id else None


def leave(asking: RunningQuestion) -> NoReturn:
    """Forget it, with what nobody kept, and begin anew."""
    asking.stop()
    _get_questions().pop(asking.id, None)
    st.query_params.pop("asking", None)
    st.rerun()


def show_question_progress(asking: RunningQuestion) -> None:
    """Draw how far it is, with a way to stop; the page runs once more when it has ended."""

    @st.fragment(run_every=0.4)
    def progress() -> None:
        work = asking.work
        if not work.running:
            st.rerun()
        st.progress(work.share, text=(work.words or "waiting").capitalize())
        st.button("Stop", icon=":material/stop_circle:", on_click=asking.stop, key="stop_asking")

    progress()
