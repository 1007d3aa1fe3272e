"""Find run removals in the journal that a backup does not contain.

After a restore, these removals are applied again from the journal unless the restore excludes them.
In that case its own journal line records the exclusion, so that neither the next start nor a later
recovery applies them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from data.store import engine
from data.store.journal import SIGNED, JournalEntry, select_unsettled_entries
from data.store.transactions import find_known_operations
from faithfulness.model.visible import escape_brief
from faithfulness.model.wording import format_count

KIND = "removal"

_RUNS = """
select r.run_id, r.name, x.run_no is not null as is_removed
from runs r
left join run_removals x on x.run_no = r.run_no
where r.run_id in (select unnest($run_ids::varchar[]))
order by r.run_no
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Removal:
    """A signed removal that a copy lacks, and those of its runs that the copy holds."""

    operation_id: str
    runs: tuple[str, ...]  # in words
    by: str
    at: str

    def in_words(self) -> str:
        return f"{', '.join(self.runs)}, removed by {escape_brief(self.by)} on {self.at} UTC"


def find_removals(copy: Path, entries: Sequence[JournalEntry]) -> list[Removal]:
    """The removals in a journal that take runs out of a copy, in the order of their signing."""
    signed = [
        each
        for each in select_unsettled_entries(entries)
        if each.state == SIGNED and each.kind == KIND
    ]
    connection = engine.connect(copy, read_only=True)
    try:
        known = find_known_operations(connection, [each.operation_id for each in signed])
        asked = {"run_ids": [name for each in signed for name in each.payload["run_ids"]]}
        held = {name: told for name, *told in connection.execute(_RUNS, asked).fetchall()}
    finally:
        connection.close()
    found = []
    for each in signed:
        names = [str(name) for name in each.payload["run_ids"]]
        there = [name for name in names if name in held and not held[name][1]]
        if there and each.operation_id not in known:
            removal = Removal(
                operation_id=each.operation_id,
                runs=tuple(f"“{escape_brief(held[name][0])}” ({name})" for name in there),
                by=str(each.payload["removed_by"]),
                at=str(each.payload["removed_at"])[:16].replace("T", " "),
            )
            found.append(removal)
    return found


def describe_repeated_removals(found: Sequence[Removal], backup: Path) -> list[str]:
    """What whoever restores is told of removals that are applied again."""
    if not found:
        return []
    return [
        *(f"Removed since that backup, so removed again: {each.in_words()}." for each in found),
        f"To have removed runs back: cli.py restore {backup} --without-removals",
    ]


def describe_left_out_removals(found: Sequence[Removal]) -> list[str]:
    """What whoever restores is told of removals that are left out for good."""
    if not found:
        return [
            "No run of that backup was removed since it was made. What was removed before it "
            "stays removed; an earlier backup may still have it."
        ]
    return [f"Back, and the removal left out for good: {each.in_words()}." for each in found]


def describe_held_removals(held: Sequence[str]) -> list[str]:
    """What a recovery says of a copy in which removals count that a restore had left out."""
    if not held:
        return []
    return [
        f"That copy holds {format_count(len(held), 'removal')} that a restore had left out. "
        "To have "
        "the runs back, restore a backup made before they were removed."
    ]
