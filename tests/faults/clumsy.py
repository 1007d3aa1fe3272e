"""A process in which people save while calls of the operating system fail; tests/faults/people.py.

It waits for a file, so that a tracer can be attached, then opens the store, saves every kind of
fact, sends again what was refused, and notes line by line what it was told.
"""

import itertools
import os
import random
import time
import uuid
from collections.abc import Callable
from pathlib import Path

from data.store.store import open_store
from faithfulness.model.errors import Conflict, ReviewError
from tests.faults import people, writer

SAVED, REFUSED, BROKE, CLOSED, END = "saved", "refused", "broke", "closed", "end"
ROUNDS, TRIES = 2, 3


class Clumsy:
    """People whose store sits on a disk that fails, with a note of what each of them was told."""

    def __init__(self, path: Path, notes: Path) -> None:
        self._handle = os.open(notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._chance = random.Random("clumsy")
        self._path = path

    def work(self) -> None:
        try:
            store = open_store(self._path)
        except ReviewError as told:
            return self._note(CLOSED, str(told))
        team = people.People(store, self._chance)
        for nth in range(ROUNDS):
            for name, deed in self._deeds(team):
                self._insist(name, deed)
            if nth == 0:
                self._once("checkpoint", lambda: str(store.checkpoint()))
        self._once("close", lambda: str(store.close()))
        return self._note(END, "")

    def _deeds(self, team: people.People) -> list[tuple[str, Callable[[], str]]]:
        """Each with the name under which it is stored, however often it is sent."""
        sheet, decision = team.new_sheet(), f"decision-{uuid.uuid4().hex}"
        filled = []

        def fill() -> str:
            filled.append(team.fill(sheet))
            return filled[-1]

        def sign() -> str:
            if not filled:  # a sheet without answers is refused on a sound disk as well
                raise ReviewError("Not signed: nothing of the sheet was stored.")
            return team.sign(sheet)

        return [
            (f"{sheet.rater}.{len(people.LABELS) - 1}", fill),
            ("", sign),
            ("", team.meeting),
            (decision, lambda: team.decision(decision)),
            ("", team.like),
            ("", team.event),
        ]

    def _insist(self, name: str, deed: Callable[[], str]) -> None:
        """Send it again as it was while it is refused; then give up."""
        before = self._chance.getstate()
        for _ in range(TRIES):
            self._chance.setstate(before)
            if self._once(name, deed):
                return

    def _once(self, name: str, deed: Callable[[], str]) -> bool:
        try:
            self._note(SAVED, deed())
        except Conflict as told:  # somebody decided the same case: not what is looked for here
            self._note(CLOSED, str(told))
        except ReviewError as told:
            self._note(REFUSED, f"{name}\t{told}")
            return False
        except Exception as error:  # noqa: BLE001  (whatever it is, the test must show it)
            self._note(BROKE, f"{name}\t{type(error).__name__}: {error}")
            return False
        return True

    def _note(self, what: str, more: str) -> None:
        os.write(self._handle, f"{what}\t{more}".replace("\n", " ").encode() + b"\n")


def work_when_told(_: str, path: Path, notes: Path) -> None:
    start = notes.with_suffix(".go")
    for _ in itertools.count():
        if start.exists():
            break
        time.sleep(0.002)
    Clumsy(path, notes).work()


if __name__ == "__main__":
    writer.main(work_when_told)
