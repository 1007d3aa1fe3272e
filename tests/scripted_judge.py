"""A judge that says what a test tells it to, in place of a model."""

import threading
from collections.abc import Callable, Iterable, Mapping

from faithfulness.judging.judge import STOP, JudgeQuestion
from faithfulness.model.errors import JudgeFailed
from faithfulness.model.vocabulary import Author, AuthorKind, Reply

Line = str | Reply | JudgeFailed
Script = Callable[[JudgeQuestion, int], Line]


class ScriptedJudge:
    """Replies from a list, one after the other, or from a function of question and sample."""

    def __init__(self, script: Iterable[Line] | Script, *, name: str = "scripted") -> None:
        self.asked: list[tuple[JudgeQuestion, int]] = []
        self._name = name
        self._lock = threading.Lock()
        self._script: Script = script if callable(script) else self._from_list(list(script))

    @property
    def author(self) -> Author:
        return Author(kind=AuthorKind.JUDGE, name=self._name)

    @property
    def settings(self) -> Mapping[str, str]:
        return {"model": self._name}

    def ask(self, question: JudgeQuestion, *, sample: int = 0) -> Reply:
        with self._lock:
            self.asked.append((question, sample))
        said = self._script(question, sample)
        if isinstance(said, JudgeFailed):
            raise said
        if isinstance(said, Reply):
            return said
        return Reply(
            text=said,
            model=self._name,
            finish_reason=STOP,
            fingerprint=question.prompt.fingerprint,
        )

    def _from_list(self, lines: list[Line]) -> Script:
        def following(question: JudgeQuestion, sample: int) -> Line:
            with self._lock:
                if not lines:
                    raise JudgeFailed("The script has no more replies.", kind="stopped")
                return lines.pop(0)

        return following
