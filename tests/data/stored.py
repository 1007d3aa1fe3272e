"""Small imports for tests of the store, prepared by the parts that every import goes through."""

import hashlib
import json
from collections import defaultdict
from pathlib import Path

from data.importing import import_tables
from data.importing.save import save_import
from data.importing.sheets import Sheets
from data.store.store import Store
from faithfulness.intake.intake import take_in
from faithfulness.model.drafts import Draft, DraftAnswer, RawReply
from faithfulness.model.vocabulary import Author, AuthorKind, Field, Finding, Item, Span, UnitKind

ADA = Author(kind=AuthorKind.RATER, name="ada")
BEN = Author(kind=AuthorKind.RATER, name="ben")
EVE = Author(kind=AuthorKind.ADJUDICATOR, name="eve")
NORTH = Author(kind=AuthorKind.JUDGE, name="north")

RESPONSE = "The kettle holds 1.7 litres. It costs $49.90. Thank you for asking."
CONTEXT = "This kettle holds 1.7 litres and switches itself off. Its price is $45.00."

_FINDINGS = """
select
    f.annotation_no, f.check_name, f.kind, u.unit_id, f.unit_start, f.unit_end,
    f.source_field, f.source_start, f.source_end, f.says
from findings f
join items i on i.item_no = f.item_no
join units u on u.unit_no = f.unit_no and u.item_no = f.item_no
where i.item_id = $item_id
order by f.annotation_no, f.unit_start nulls last, f.source_start nulls last
"""


def sentence_draft(
    number: int = 1,
    values: dict[Author, tuple[str | None, ...]] | None = None,
    *,
    system: str = "alpha",
    reply: str = "",
    **more: object,
) -> Draft:
    """An item of three sentences with one label each by every author."""
    sentences = RESPONSE.split(". ")
    texts = [f"{sentences[0]}.", f"{sentences[1]}.", sentences[2]]
    said = [
        DraftAnswer(
            author=author,
            criterion="label",
            value=value,
            unit=UnitKind.SENTENCE,
            text=text,
            rationale=f"{author.name} on sentence {nth}",
            excerpts=("holds 1.7 litres",) if value == "supported" else (),
            problem="" if value else "the cell is empty",
        )
        for author, labels in (values or {}).items()
        for nth, (text, value) in enumerate(zip(texts, labels, strict=True), start=1)
    ]
    return Draft(
        protocol="sentence_grounding",
        system=system,
        external_id=f"q{number}",
        fields=(
            Field(name="query", kind="query", text=f"Question {number}: how much does it hold?"),
            Field(name="context", kind="context", text=CONTEXT),
            Field(name="response", kind="response", text=RESPONSE),
        ),
        said=said,
        replies=[RawReply(author=NORTH, text=reply, model="north-1")] if reply else [],
        attributes={"market": "de"},
        **more,  # type: ignore[arg-type]
    )


def prepare_drafts(
    folder: Path,
    drafts: list[Draft],
    content: str,
    known: dict[str, Item] | None = None,
) -> Path:
    """A prepared import of these drafts; `content` stands for the file's bytes."""
    folder.mkdir(parents=True)
    sheets = Sheets()
    runs: dict[tuple[str, str], int] = {}
    written: set[str] = set()
    for draft in drafts:
        position = runs.get((draft.protocol, draft.system), 0)
        runs[draft.protocol, draft.system] = position + 1
        found = take_in(draft)
        if known and found.item.id in known:
            found = take_in(draft, known[found.item.id])
        if found.item.id not in written:
            sheets.add_item(found.item)
            written.add(found.item.id)
        key = f"{draft.protocol}/{draft.system}"
        sheets.add_run_item(key, found.item, position, draft.external_id, draft.attributes)
        sheets.add_taken(key, draft, found)
    for protocol, system in runs:
        row = (f"{protocol}/{system}", f"{system} run", protocol, system, "{}")
        sheets._add("runs", *row)
    for name, table in sheets.tables().items():
        import_tables.write_table(folder, name, table)
    digest = hashlib.sha256(content.encode()).hexdigest()
    files = [{"name": f"{content}.jsonl", "sha256": digest, "bytes": len(content)}]
    manifest = {"importer": "plumbline", "files": files}
    (folder / import_tables.MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def save_drafts(
    store: Store, drafts: list[Draft], content: str = "first", *, is_sample: bool = False
) -> tuple[str, ...]:
    """Store drafts as one import and return its runs."""
    folder = prepare_drafts(store.path.parent / f"prepared-{content}", drafts, content)
    operation_id = f"import-{content}"
    return save_import(store, folder, operation_id=operation_id, is_sample=is_sample)


def stored_findings(store: Store, item_id: str) -> dict[int, tuple[Finding, ...]]:
    """What was found on the annotations of one item, by the annotation's number."""
    with store.read() as cursor:
        rows = cursor.execute(_FINDINGS, {"item_id": item_id}).fetchall()
    found: defaultdict[int, tuple[Finding, ...]] = defaultdict(tuple)
    for number, check, kind, unit_id, unit_start, unit_end, field, start, end, says in rows:
        each = Finding(
            check=check,
            kind=kind,
            unit_id=unit_id,
            within=None if unit_start is None else (unit_start, unit_end),
            source=None if field is None else Span(field=field, start=start, end=end),
            says=says,
        )
        found[number] += (each,)
    return dict(found)
