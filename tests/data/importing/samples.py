"""A small file for every importer, with the line of it that a broken copy spoils."""

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

RESPONSE = "The Arbor lamp is dimmable. It draws 40 watts. Have a bright evening!"
CONTEXT = "The Arbor lamp can be dimmed with its own remote. It draws 14 watts at full light."
SENTENCES = [
    {
        "sentence": "The Arbor lamp is dimmable.",
        "label": "supported",
        "rationale": "Said in so many words.",
        "excerpt": "can be dimmed",
    },
    {
        "sentence": "It draws 40 watts.",
        "label": "contradictory",
        "rationale": "14, not 40.",
        "excerpt": "draws 14 watts",
    },
    {
        "sentence": "Have a bright evening!",
        "label": "no_rad",
        "rationale": "A wish.",
        "excerpt": None,
    },
]


def json_lines(*records: Any) -> bytes:
    lines = (json.dumps(each, ensure_ascii=False) for each in records)
    return ("\n".join(lines) + "\n").encode("utf-8")


def parquet(rows: list[dict[str, Any]]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


def item(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"lamp-{number}",
        "user_request": f"Is lamp {number} dimmable?",
        "context_document": CONTEXT,
        "response": RESPONSE,
        **more,
    }


NATIVE = [
    {
        "protocol": "sentence_grounding",
        "system": "alpha",
        "id": f"n{number}",
        "fields": [
            {"name": "query", "kind": "query", "text": f"Lamp {number}?"},
            {"name": "context", "kind": "context", "text": CONTEXT},
            {"name": "response", "kind": "response", "text": RESPONSE},
        ],
        "attributes": {"language": "en"},
        "answers": [
            {
                "author": "ana",
                "author_kind": "rater",
                "criterion": "label",
                "value": each["label"],
                "unit": "sentence",
                "text": each["sentence"],
                "rationale": each["rationale"],
                "excerpts": [each["excerpt"]] if each["excerpt"] else [],
            }
            for each in SENTENCES
        ],
        "numbers": [{"author": "north", "name": "Grounded", "value": 0.5}],
    }
    for number in (1, 2)
]
ITEMS = [item(1, sentences=SENTENCES), item(2, sentences=SENTENCES)]
ROWS = [
    {"item_id": f"lamp-{number}", "response": RESPONSE, "judge": "north", **each}
    for number in (1, 2)
    for each in SENTENCES
]
REPLIES = [
    item(number, judge="north", reply="\n".join(json.dumps(each) for each in SENTENCES))
    for number in (1, 2)
]
PRODUCTS = {
    f"{part}_{number}": f"{part.replace('_', ' ')} of lamp {number}"
    for number in (1, 2, 3)
    for part in ("title", "base_price", "final_price", "opinion_summary")
}
COMPARATIVE = [
    {"id": f"c{number}", "query": f"A desk lamp, {number}", **PRODUCTS, "summary": RESPONSE}
    | {"rater": rater, "score": score, "rationale": f"{rater} thinks so"}
    for number in (1, 2)
    for rater, score in (("ana", 4), ("ben", 2))
]
EXPERT = [
    {
        "id": f"e{number}",
        "question": f"How bright is lamp {number}?",
        "fragments": [CONTEXT, "Customers call it bright enough to read by."],
        "answer": RESPONSE,
        "accuracy_ana": 5,
        "ethics_ana": 4,
        "accuracy_judge_north": 3,
        "ethics_judge_north": 5,
    }
    for number in (1, 2)
]
CONSISTENCY = [
    {
        "id": f"r{number}",
        "query": f"Is lamp {number} dimmable?",
        "response": RESPONSE,
        "detail_page": CONTEXT,
        "reviews": "Dims nicely.",
        "rater": "ana",
        "answer": "No-Contrary Evidence",
        "query_type": "factoid",
        "evidence_links": "https://lamps.example/1 https://lamps.example/2",
        "comment": "The watts are wrong.",
    }
    for number in (1, 2)
]
TABLE = [
    {"key": f"t{number}", "text": RESPONSE, "page": CONTEXT, "grade": "4", "who": "ana"}
    for number in (1, 2)
]
TABLE_MAPPING = {
    "key": "id",
    "text": "field:response",
    "page": "field:context",
    "grade": "value:faithfulness",
    "who": "rater",
}


def csv_of(rows: list[dict[str, Any]]) -> bytes:
    import csv

    sink = io.StringIO()
    writer = csv.DictWriter(sink, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        cells = {
            name: json.dumps(value) if isinstance(value, list) else value
            for name, value in row.items()
        }
        writer.writerow(cells)
    return sink.getvalue().encode("utf-8")


def yaml_of(rows: list[dict[str, Any]]) -> bytes:
    import yaml

    text: str = yaml.safe_dump(rows, allow_unicode=True, sort_keys=False)
    return text.replace("&id", "id").encode("utf-8")


# Importer, file name, content. Every importer of ours has at least one; tables have four formats.
SAMPLES: list[tuple[str, str, bytes]] = [
    ("plumbline", "native.jsonl", json_lines(*NATIVE)),
    ("sentence_labels", "items.jsonl", json_lines(*ITEMS)),
    ("sentence_labels", "items.parquet", parquet(ITEMS)),
    ("sentence_labels", "rows.jsonl", json_lines(*ROWS)),
    ("sentence_labels", "replies.jsonl", json_lines(*REPLIES)),
    ("comparative_scores", "scores.csv", csv_of(COMPARATIVE)),
    ("comparative_scores", "scores.jsonl", json_lines(*COMPARATIVE)),
    ("comparative_scores", "scores.parquet", parquet(COMPARATIVE)),
    ("comparative_scores", "scores.yaml", yaml_of(COMPARATIVE)),
    ("expert_scores", "expert.csv", csv_of(EXPERT)),
    ("expert_scores", "expert.jsonl", json_lines(*EXPERT)),
    ("expert_scores", "expert.parquet", parquet(EXPERT)),
    ("consistency_answers", "answers.csv", csv_of(CONSISTENCY)),
    ("consistency_answers", "answers.jsonl", json_lines(*CONSISTENCY)),
    ("consistency_answers", "answers.yaml", yaml_of(CONSISTENCY)),
    ("table", "grades.csv", csv_of(TABLE)),
    ("table", "grades.parquet", parquet(TABLE)),
]

# Importers of public sets are tried on the sets themselves.
PUBLIC = {
    "claims": ("mirage/metric_preference", "*.json"),
    "summeval_op": ("summeval_op", "summeval-op-detailed.jsonl"),
    "factcheck_gpt": ("factcheck_gpt", "*.jsonl"),
    "dialfact": ("dialfact", "*.jsonl"),
    "expertqa": ("expertqa", "*.jsonl"),
    "xsum": ("xsum_hallucination", "*.csv"),
}


def put(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path
