"""A store in which every text that a file can bring is one that attacks the screen."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from data.importing.prepare import prepare
from data.importing.save import save_import
from data.items import saved_views
from data.meetings.agendas import agenda_from
from data.meetings.save_meetings import begin_meeting
from data.runs import queries
from data.store.store import Store, open_store
from faithfulness.model.selection import Selection
from tests.hostile_payloads import OWN, all_payloads, as_imported

# Built as they will be stored, so that each is found again by its own words.
PAYLOADS = tuple(as_imported(text) for text in all_payloads())
TEXT = "\n".join(PAYLOADS)
MANY = "a run with an item for each text"
DISPUTED = "a run in which two authors differ about each text"
READER = "reads nothing"  # a judge all of whose answers are unread
PROTOCOLS = {
    "sentence_grounding": "contradictory",
    "claim_overlap": "false",
    "comparative_summary": "1",
    "response_consistency": "no_contrary_evidence",
    "expert_rubric": "1",
}
MEETING = hashlib.sha256(b"meeting\x00meet").hexdigest()[:16]
SOURCES = ("context", "detail_page", "reviews", "external")


class Place(NamedTuple):
    """Where an item stands: its run, itself, and the name that both have."""

    run: str
    item: str
    name: str


def names() -> dict[str, str]:
    """A name for the item of each protocol; together they hold every text."""
    return {key: " ".join(PAYLOADS[at :: len(PROTOCOLS)]) for at, key in enumerate(PROTOCOLS)}


def signed(payload: str, **more: Any) -> dict[str, Any]:
    """An answer all of whose words are the same text; one excerpt is in the source, one is not."""
    return {
        "author": payload,
        "author_kind": "rater",
        "rationale": payload,
        "comment": payload,
        "excerpts": [payload, f"nobody wrote quinces beside {payload}"],
        "links": [payload],
    } | more


def fields_of(protocol: str, text: str, several: Sequence[str]) -> list[dict[str, str]]:
    query = "topic" if protocol == "claim_overlap" else "query"
    found = [(query, query), ("response", "response")]
    if protocol == "claim_overlap":
        found.append(("reference", "reference"))
    else:
        found += [(name, name) for name in SOURCES]
    made = [{"name": name, "kind": kind, "text": text} for name, kind in found]
    if protocol == "comparative_summary":
        made += [{"name": f"product_{n}", "kind": "product", "text": text} for n in (1, 2, 3)]
    if protocol in ("sentence_grounding", "expert_rubric"):
        made += [
            {"name": f"fragment_{number}", "kind": "fragment", "text": each}
            for number, each in enumerate(several, start=1)
        ]
    return made


def answers_of(protocol: str) -> list[dict[str, Any]]:
    value = PROTOCOLS[protocol]
    if protocol == "sentence_grounding":
        unread = {"author": READER, "author_kind": "judge", "value": None}
        return [
            answer
            for each in PAYLOADS
            for answer in (
                signed(each, value=value, text=each),
                {**unread, "text": each, "problem": each},
            )
        ]
    if protocol == "claim_overlap":
        return [
            signed(each, value=value, text=each, field=field, sentence=each)
            for each in PAYLOADS
            for field in ("response", "reference")
        ]
    return [signed(each, value=value) for each in PAYLOADS]


def large_item(protocol: str, name: str) -> dict[str, Any]:
    """One item with every text in every place."""
    return {
        "protocol": protocol,
        "system": name,
        "id": name,
        "fields": fields_of(protocol, TEXT, PAYLOADS),
        "attributes": {each: each for each in PAYLOADS},
        "cut": list(PAYLOADS) if protocol == "sentence_grounding" else None,
        "answers": answers_of(protocol),
        "numbers": [
            {"author": OWN[0], "author_kind": "judge", "name": each, "value": 0.5}
            for each in (PAYLOADS if protocol == "sentence_grounding" else OWN[34:36])
        ],
        "replies": [{"author": "replier", "text": TEXT, "model": TEXT, "finish_reason": TEXT}],
    }


def small_item(payload: str, number: int, system: str) -> dict[str, Any]:
    answer = signed(payload, value="contradictory", text=payload)
    return {
        "protocol": "sentence_grounding",
        "system": system,
        "id": payload,
        "fields": [
            {"name": "query", "kind": "query", "text": payload},
            {"name": "context", "kind": "context", "text": payload},
            # Two items with the same texts are one.
            {"name": "external", "kind": "external", "text": f"{system} {number}"},
            {"name": "response", "kind": "response", "text": payload},
        ],
        # A slice is a key with few values that differ.
        "attributes": {payload: payload, PAYLOADS[number - 1]: "another"},
        "cut": [payload],
        "answers": [answer],
    }


def disputed_item(payload: str, number: int) -> dict[str, Any]:
    """A text that a rater and a judge label differently, both of them named by such texts."""
    item = small_item(payload, number, DISPUTED)
    rater = signed(payload, author=OWN[0], value="supported", text=payload)
    judge = signed(payload, author=OWN[34], author_kind="judge", value="contradictory")
    # One key for all, so that there are parts to compare.
    return item | {
        "answers": [rater, judge | {"text": payload}],
        "attributes": {OWN[34]: OWN[number % 5]},
    }


def lines(items: Iterable[dict[str, Any]]) -> bytes:
    return "\n".join(json.dumps(each) for each in items).encode()


def many_items() -> list[dict[str, Any]]:
    return [small_item(each, number, MANY) for number, each in enumerate(PAYLOADS)]


def bring_in(store: Store, folder: Path, name: str, raw: bytes) -> None:
    (folder / "file.jsonl").write_bytes(raw)
    into = folder / name
    into.mkdir()
    prepare([(f"{name}.jsonl", folder / "file.jsonl")], into=into)
    save_import(store, into, operation_id=name)


def fill_hostile(path: Path) -> None:
    """Make the store that the server will open."""
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = path.parent.parent / "brought"
    folder.mkdir()
    store = open_store(path, create=True)
    large = [large_item(key, name) for key, name in names().items()]
    # The same texts as names of runs, and the first item in one more run: a list to choose from.
    named = [small_item(each, number, each) for number, each in enumerate(PAYLOADS)]
    disputed = [disputed_item(each, number) for number, each in enumerate(PAYLOADS)]
    brought = [*large, *many_items(), *named, *disputed, large[0] | {"system": PAYLOADS[0]}]
    bring_in(store, folder, "all", lines(brought))
    for number, each in enumerate(PAYLOADS):
        name = " ".join(each.split())[:80]
        saved_views.save_view(
            store, name=name, page="contradictions", address="sort=sure", operation_id=f"v{number}"
        )
    meet_about(store)
    known = {name: key for key, name in names().items()} | {MANY: MANY, DISPUTED: DISPUTED}
    places = {}
    for run in queries.runs(store).itertuples():
        if run.name in known:
            listed = queries.run_items(store, str(run.run_id), limit=1)
            item = str(listed["item_id"].iloc[0])
            places[known[str(run.name)]] = Place(str(run.run_id), item, str(run.name))
    store.close()
    (path.parent / "places.json").write_text(json.dumps(places))


def meet_about(store: Store) -> None:
    """A meeting about texts of this kind, called by one and held by people called by others."""
    agenda = agenda_from(store, Selection(systems=(DISPUTED,)), first=5)
    begin_meeting(
        store,
        host=OWN[0],
        present=OWN[1:4],
        agenda=agenda,
        operation_id="meet",
        title=OWN[4],
        hides_authors=False,
    )


def places_in(path: Path) -> dict[str, Place]:
    return {
        key: Place(*place)
        for key, place in json.loads((path.parent / "places.json").read_text()).items()
    }
