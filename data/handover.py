"""Handover: the Arrow tables in which a prepared import reaches the store.

They mirror the store's tables, with ids where the store gives out numbers. A prepared import is a
folder with one Arrow stream per table and a manifest.
"""

import pyarrow as pa

_TEXTS = pa.list_(pa.string())
_PIECE = pa.struct(
    [
        ("text", pa.string()),
        ("span_start", pa.int32()),
        ("span_end", pa.int32()),
        ("value", pa.string()),
        ("score", pa.float64()),
    ]
)
_SPAN = pa.struct([("field", pa.string()), ("span_start", pa.int32()), ("span_end", pa.int32())])

SCHEMAS: dict[str, pa.Schema] = {
    "runs": pa.schema(
        [
            ("run_key", pa.string()),  # names the run inside this import only
            ("name", pa.string()),
            ("protocol", pa.string()),
            ("system", pa.string()),
            ("details", pa.string()),  # JSON
        ]
    ),
    "items": pa.schema([("item_id", pa.string()), ("cutter", pa.string())]),
    "fields": pa.schema(
        [
            ("item_id", pa.string()),
            ("position", pa.int16()),
            ("name", pa.string()),
            ("kind", pa.string()),
            ("text", pa.string()),
        ]
    ),
    "units": pa.schema(
        [
            ("item_id", pa.string()),
            ("unit_id", pa.string()),
            ("position", pa.int32()),
            ("kind", pa.string()),
            ("field", pa.string()),
            ("span_start", pa.int32()),
            ("span_end", pa.int32()),
            ("text", pa.string()),  # null: the slice of the field
        ]
    ),
    "run_items": pa.schema(
        [
            ("run_key", pa.string()),
            ("item_id", pa.string()),
            ("position", pa.int32()),
            ("external_id", pa.string()),
            ("attributes", pa.map_(pa.string(), pa.string())),
        ]
    ),
    "annotations": pa.schema(
        [
            ("row", pa.int64()),  # 0, 1, 2 … within this import; excerpts refer to it
            ("run_key", pa.string()),
            ("item_id", pa.string()),
            ("unit_id", pa.string()),
            ("criterion", pa.string()),
            ("author_kind", pa.string()),
            ("author", pa.string()),
            ("value", pa.string()),
            ("problem", pa.string()),
            ("rationale", pa.string()),
            ("comment", pa.string()),
            ("confidence", pa.float64()),
            ("links", _TEXTS),
            ("checks", _TEXTS),
            ("pieces", pa.list_(_PIECE)),
            ("reply_id", pa.string()),
        ]
    ),
    "excerpts": pa.schema(
        [
            ("row", pa.int64()),
            ("item_id", pa.string()),
            ("position", pa.int16()),
            ("text", pa.string()),
            ("tier", pa.string()),
            ("coverage", pa.float64()),
            ("spans", pa.list_(_SPAN)),
        ]
    ),
    "replies": pa.schema(
        [
            ("reply_id", pa.string()),
            ("run_key", pa.string()),
            ("item_id", pa.string()),
            ("author_kind", pa.string()),
            ("author", pa.string()),
            ("text", pa.string()),
            ("notes", _TEXTS),
            ("model", pa.string()),
            ("finish_reason", pa.string()),
            ("fingerprint", pa.string()),
            ("tokens_in", pa.int64()),
            ("tokens_out", pa.int64()),
            ("seconds", pa.float64()),
        ]
    ),
    "summaries": pa.schema(
        [
            ("run_key", pa.string()),
            ("item_id", pa.string()),
            ("author_kind", pa.string()),
            ("author", pa.string()),
            ("name", pa.string()),
            ("value", pa.float64()),
            ("counted", pa.int32()),
            ("left_out", pa.int32()),
            ("parts", pa.map_(pa.string(), pa.float64())),
            ("given", pa.bool_()),
        ]
    ),
}
