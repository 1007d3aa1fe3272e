"""Run long tasks in background threads, identified by id and independent of page reloads."""

import secrets
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import streamlit as st

KEPT = 30  # works remembered after they ended; older ones are forgotten
# Works at once, by kind: one that waits for an endpoint must not keep files from being read.
AT_ONCE = {"work": 2, "judging": 8}

# What the work calls to say how far it is: a share from 0 to 1, and a few words.
Report = Callable[[float, str], None]


class BackgroundTask:
    """One piece of work: waiting or running, then ended with a result or an error."""

    def __init__(self, task: Callable[[Report], Any], pool: ThreadPoolExecutor) -> None:
        self.id = secrets.token_hex(16)
        self.share = 0.0
        self.words = ""
        self._future: Future[Any] = pool.submit(task, self._report)

    @property
    def running(self) -> bool:
        return not self._future.done()

    def wait(self, seconds: float) -> None:
        """Wait a moment, so that quick work never shows a progress bar."""
        wait([self._future], seconds)

    def outcome(self) -> Any:
        """The result; an error is raised in the thread that asks."""
        return self._future.result()

    def _report(self, share: float, words: str) -> None:
        self.share = min(1.0, max(0.0, share))
        self.words = words


class Works:
    """All works of this server, shared by its browser sessions."""

    def __init__(self) -> None:
        self.pools: dict[str, ThreadPoolExecutor] = {}
        self.by_id: dict[str, BackgroundTask] = {}

    def pool(self, kind: str) -> ThreadPoolExecutor:
        if kind not in self.pools:
            name = f"plumbline-{kind}"
            self.pools[kind] = ThreadPoolExecutor(AT_ONCE[kind], thread_name_prefix=name)
        return self.pools[kind]


@st.cache_resource
def _get_works() -> Works:
    return Works()


def start(task: Callable[[Report], Any], kind: str = "work") -> BackgroundTask:
    works = _get_works()
    work = BackgroundTask(task, works.pool(kind))
    works.by_id[work.id] = work
    ended = [key for key, each in list(works.by_id.items()) if not each.running]
    for key in ended[:-KEPT]:
        works.by_id.pop(key, None)
    return work


def find(work_id: str) -> BackgroundTask | None:
    return _get_works().by_id.get(work_id)


def show_progress(work: BackgroundTask, words: str) -> None:
    """Draw a bar that follows the work, and run the page once more when it has ended."""

    @st.fragment(run_every=0.4)
    def follow() -> None:
        if not work.running:
            st.rerun()
        st.progress(work.share, text=(work.words or words).capitalize())

    follow()
