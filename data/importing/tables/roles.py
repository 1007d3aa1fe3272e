"""Suggest the role of each table column from its name and values."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from data.importing.tables.cells import OFFSET_NAMES, parse_author_kind, parse_offset, read_value
from data.importing.tables.contained import Inside, add_text_roles
from data.importing.tables.reasons import assign_reasons, split_name
from faithfulness.model.errors import ImportRefused
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.vocabulary import FIELD_KINDS, AuthorKind, UnitKind
from faithfulness.protocols import protocol

# The roles people choose from. `field:`, `product:` and `value:` name their target; a value, its
# rationale, comment or reply may carry an author after @, `judge:` in front for a judge. A scale
# after a value's criterion (`value:faithfulness:1-5`) says that the scores are on that scale.
AUTHOR_ROLES = ("author", "rater", "judge")
WHO_ROLES = (*AUTHOR_ROLES, "author_kind")
OFFSET_ROLES = ("start", "end")
PLAIN_ROLES = ("id", "system", *WHO_ROLES, "sentence", *OFFSET_ROLES, "claim", "side", "fragments")
SAID_ROLES = ("rationale", "comment", "excerpt", "links", "confidence", "reply")
_NAMING_ROLES = ("field", "product", "value", "number")
_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "item_id", "example_id", "instance_id", "uid", "external_id"),
    "system": ("system", "system_name", "generator"),
    "author": ("author", "signed_by"),
    "rater": ("rater", "annotator", "rater_id", "annotator_id", "worker_id", "expert", "reviewer"),
    "judge": ("judge", "judge_model", "model", "evaluator"),
    "fragments": ("fragments", "passages", "contexts"),
    "rationale": ("rationale", "explanation", "reason", "reasoning", "justification"),
    "comment": ("comment", "comments", "note", "notes", "remark"),
    "excerpt": ("excerpt", "excerpts", "evidence", "quote"),
    "links": ("evidence_links", "links", "evidence_link", "urls"),
    "confidence": ("confidence",),
    "reply": ("reply", "raw", "raw_reply", "judge_reply"),
}
# Behind the word for an answer these name what stands beside it, and nobody who gave it.
_BESIDE_ANSWERS = frozenset(
    each for role in ("id", "rationale", "comment", "confidence") for each in _NAMES[role]
)
# Such a column is the item's id where no other is: beside an `id` it names something else.
LATER_IDS = ("answer_id", "response_id")
# Such a column says who is a person and who a model, where its values are words for these.
_KIND_NAMES = ("kind", "author_kind", "rater_type", "annotator_type", "source_type")
# Such a column holds the answers where no other does and its values are all on the scale.
_VERDICT_NAMES = ("verdict", "judgment", "judgement", "annotation", "rating_label")
_VALUE_NAMES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "sentence_grounding": {"label": ("label",)},
    "claim_overlap": {"supported": ("judgment", "judgement", "supported", "label")},
    "comparative_summary": {"faithfulness": ("score", "faithfulness", "rating")},
    "response_consistency": {
        "consistency": ("answer", "consistency"),
        "query_type": ("query_type",),
    },
    "expert_rubric": {
        "accuracy": ("accuracy", "accuracy_score"),
        "ethics": ("ethics", "ethics_score"),
    },
}
_PRODUCT = re.compile(
    r"(?:product_?)?(\d)_(title|base_price|final_price|opinion_summary)"
    r"|(title|base_price|final_price|opinion_summary)_(\d)"
)
_NUMBERED = re.compile(r"(?:fragment|product)_\d{1,3}")
_NUMBERED_WHO = re.compile(r"(?:rater|annotator|expert|judge)_?\d+")
_WHO = re.compile(r"(rater|annotator|expert|judge)_?(\w+)")
_JUDGE_WORDS = ("judge", "model", "llm")


class ColumnRole(NamedTuple):
    """One column's role taken apart: kind, what it names, and whose it is in a wide table."""

    kind: str
    of: str = ""
    author: str = ""
    author_kind: AuthorKind | None = None
    scale: str = ""  # of a value: the scale that a person says its scores are on

    @property
    def signature(self) -> str:
        """The author as roles spell it: `@ana`, `@judge:large`, empty without one."""
        kind = "judge:" if self.author_kind is AuthorKind.JUDGE else ""
        return f"@{kind}{self.author}" if self.author else ""


def read_role(column: str, text: str) -> ColumnRole:
    """A role as mappings spell it: `id`, `field:context`, `value:accuracy:1-5@judge:large`."""
    head, _, who = text.partition("@")
    kind, _, of = head.partition(":")
    known = (*PLAIN_ROLES, *SAID_ROLES, *_NAMING_ROLES, "attribute", "ignore")
    if kind not in known:
        raise ImportRefused(
            f"The column {column!r} has the role {text!r}, which does not exist; "
            f"choose one of {', '.join(known)}."
        )
    scale = ""
    if kind == "value":
        of, _, scale = of.partition(":")
    if who.startswith("judge:"):
        return ColumnRole(kind, of, who.removeprefix("judge:"), AuthorKind.JUDGE, scale)
    return ColumnRole(kind, of, who, scale=scale)


def drop_scales(mapping: Mapping[str, str]) -> dict[str, str]:
    """The mapping without the scales that a person confirmed: they hold for one file."""
    found = {}
    for column, text in mapping.items():
        role = read_role(column, text)
        found[column] = f"value:{role.of}{role.signature}" if role.scale else text
    return found


def suggest_mapping(header: Iterable[str], protocol_key: str) -> dict[str, str]:
    """A role for every column, from its name; what is not understood becomes an attribute."""
    mine = protocol(protocol_key)
    named = {column: _find_role(_fold_name(column), mine) for column in header}
    twice = _find_repeated_authors(named)
    found: dict[str, str] = {}
    for column, role in named.items():
        if role.partition("@")[2] in twice:
            role = _restore_spelling(column, role)
        if role in found.values() and role not in ("attribute", "ignore"):
            role = "attribute"
        found[column] = role
    if any("@" in role for role in found.values()):
        # Where the authors stand in column names, a column `model` says whose output this is.
        found |= {each: "system" for each in found if _fold_name(each) == "model"}
    later = [column for column in found if _fold_name(column) in LATER_IDS]
    return found | {later[0]: "id"} if later and "id" not in found.values() else found


def find_later_id(mapping: Mapping[str, str]) -> str:
    """The column that is the item's id only for want of another; empty where there is none."""
    taken = (column for column, role in mapping.items() if role == "id")
    return next((column for column in taken if _fold_name(column) in LATER_IDS), "")


def suggest_for_values(
    first: Mapping[str, str],
    protocol_key: str,
    labelled: Sequence[str] = (),
    kinds: Iterable[str] = (),
    inside: Sequence[Inside] = (),
) -> dict[str, str]:
    """A role for every column, from its name and, where names do not suffice, its values.

    Args:
        first: the columns with their first values.
        protocol_key: whose scale the values may be on.
        labelled: columns most of whose values are labels of that scale.
        kinds: columns all of whose values say whether a person or a model answered.
        inside: columns whose texts stand in those of another.
    """
    named, mine = suggest_mapping(first, protocol_key), protocol(protocol_key)
    if mine.unit is UnitKind.SENTENCE:  # elsewhere a part of a text may be anything
        named = add_text_roles(named, [each for each in inside if {*each[:2]}.isdisjoint(labelled)])
    asked = mine.criteria[0]
    found = assign_verdict(named, asked, lambda each: read_value(asked, first[each])[0] is not None)
    found = assign_kind(found, lambda column: parse_author_kind(first[column]) is not None)
    found = assign_offsets(
        found, lambda pair: all(parse_offset(first[each]) is not None for each in pair)
    )
    found = _assign_labels(_assign_inspected_kind(found, kinds, labelled), asked, labelled)
    return assign_reasons(_assign_response(found, mine))


def can_hold_verdicts(header: Iterable[str]) -> bool:
    """Whether values may say what the names of the columns do not."""
    names = map(_fold_name, header)
    return any(name in _VERDICT_NAMES or _WHO.fullmatch(name) for name in names)


def assign_verdict(
    mapping: Mapping[str, str], asked: Criterion, is_on_scale: Callable[[str], bool]
) -> dict[str, str]:
    """The mapping with the column that holds the answers: its name says little, its values all."""
    if any(role == "reply" or role.startswith("value:") for role in mapping.values()):
        return dict(mapping)
    for column, role in mapping.items():
        if role == "attribute" and _fold_name(column) in _VERDICT_NAMES and is_on_scale(column):
            return {**mapping, column: f"value:{asked.key}"}
    return dict(mapping)


def assign_kind(mapping: Mapping[str, str], says_so: Callable[[str], bool]) -> dict[str, str]:
    """The mapping with the column that says who is a person and who a model: its values decide."""
    if not {*AUTHOR_ROLES} & {*mapping.values()}:
        return dict(mapping)  # beside nobody's name, `kind` is the item's
    for column, role in mapping.items():
        if role == "attribute" and is_kind_name(column) and says_so(column):
            return {**mapping, column: "author_kind"}
    return dict(mapping)


def assign_offsets(
    mapping: Mapping[str, str], are_offsets: Callable[[Sequence[str]], bool]
) -> dict[str, str]:
    """The mapping with the columns that say where a sentence stands: their values decide."""
    if "sentence" not in mapping.values() or {*OFFSET_ROLES} & {*mapping.values()}:
        return dict(mapping)
    columns = {_fold_name(each): each for each, role in mapping.items() if role == "attribute"}
    for names in OFFSET_NAMES:
        pair = [columns[name] for name in names if name in columns]
        if len(pair) == len(OFFSET_ROLES) and are_offsets(pair):
            return {**mapping, **dict(zip(pair, OFFSET_ROLES, strict=True))}
    return dict(mapping)


def is_kind_name(column: str) -> bool:
    """Whether such a column says who is a person and who a model, where its values do."""
    return _fold_name(column) in _KIND_NAMES


def _assign_inspected_kind(
    mapping: Mapping[str, str], kinds: Iterable[str], labelled: Sequence[str]
) -> dict[str, str]:
    """As `assign_kind`, before a column of names is known; never where columns are authors."""
    roles = {*mapping.values()}
    is_wide = len(labelled) > 1 or any("@" in role for role in roles)
    is_signed = not roles.isdisjoint(AUTHOR_ROLES)  # other names may tell who wrote the text
    free = [a for a in kinds if mapping[a] == "attribute" and (is_kind_name(a) or not is_signed)]
    if not free or is_wide or "author_kind" in roles:
        return dict(mapping)
    return {**mapping, min(free, key=lambda column: not is_kind_name(column)): "author_kind"}


def _assign_labels(
    mapping: Mapping[str, str], asked: Criterion, labelled: Iterable[str]
) -> dict[str, str]:
    """The mapping with columns of labels as answers, each its author's where no column says who."""
    free = [column for column in labelled if mapping[column] == "attribute" and column.strip()]
    answers = [role for role in mapping.values() if role.startswith("value:")]
    if not free or not all("@" in role for role in answers):
        return dict(mapping)
    if not {*WHO_ROLES} & {*mapping.values()}:
        named = {column: f"value:{asked.key}@{_format_author(column.strip())}" for column in free}
        return {**mapping, **named}
    return {**mapping, free[0]: f"value:{asked.key}"} if len(free) == 1 else dict(mapping)


def _assign_response(mapping: Mapping[str, str], mine: Protocol) -> dict[str, str]:
    """The mapping with a column `reply` as the text that answers are about, where no other is."""
    roles = [*mapping.values()]
    is_answered = any(role.startswith("value:") for role in roles)
    if "response" not in mine.checked_against or "field:response" in roles or not is_answered:
        return dict(mapping)
    return {
        column: "field:response" if role == "reply" and _fold_name(column) == "reply" else role
        for column, role in mapping.items()
    }


def rater_roles(column: str, first: str, protocol_key: str) -> tuple[str, ...]:
    """The roles that make a column one rater's or one judge's answers.

    Args:
        column: its name, which becomes the author's.
        first: its first value as the screen shows it; an empty one rules nothing out.
        protocol_key: whose scales the value must be on.
    """
    name = column.strip()
    if not name:
        return ()
    return tuple(
        f"value:{each.key}@{kind}{name}"
        for each in protocol(protocol_key).criteria
        if first in ("", "null") or read_value(each, first)[0] is not None
        for kind in ("", "judge:")
    )


def find_answer_word(column: str, protocol_key: str) -> str:
    """The word for an answer that stands before an author in a column's name.

    It is `score` in `score_ana`, and one word for all of `rater_1`, `judge_2` …. It is empty where
    the name may be that of anything: `bleu_score`, `label_confidence`.
    """
    name = _fold_name(column)
    values = _VALUE_NAMES.get(protocol_key, {}).values()
    words = sorted((each for names in values for each in names), key=len, reverse=True)
    word = next((each for each in words if name.startswith(f"{each}_")), "")
    if not word:
        return "rater" if _NUMBERED_WHO.fullmatch(name) else ""
    return "" if name.removeprefix(f"{word}_") in _BESIDE_ANSWERS else word


def name_rater_column(name: str, protocol_key: str) -> str:
    """How a column of one rater's answers is named so that it is understood: `score_ana`."""
    word = next(iter(_VALUE_NAMES.get(protocol_key, {"": ("label",)}).values()))[0]
    return f"{word}_{name}"


def _fold_name(column: str) -> str:
    return re.sub(r"[\s\-]+", "_", column.strip().lower())


def _find_repeated_authors(mapping: Mapping[str, str]) -> set[str]:
    """Authors, as roles spell them, who answer the same in two columns: score_Ana, score_ana."""
    answers = Counter(
        role for role in mapping.values() if role.startswith("value:") and "@" in role
    )
    return {role.partition("@")[2] for role, many in answers.items() if many > 1}


def _restore_spelling(column: str, role: str) -> str:
    """The role with its author's name as the column spells it."""
    head, _, who = role.partition("@")
    kind, name = who[: who.find(":") + 1], who.removeprefix("judge:")
    folded, own = _fold_name(column), column.strip()
    if len(own) != len(folded):
        return role
    at = 0 if folded == name or folded.startswith(f"{name}_") else len(folded) - len(name)
    return f"{head}@{kind}{own[at : at + len(name)]}"


def _find_role(name: str, mine: Protocol) -> str:
    values = _VALUE_NAMES.get(mine.key, {})  # a new protocol may be read from its own files only
    for criterion, names in values.items():
        if name in names:
            return f"value:{criterion}"
    if field := _find_field(name, mine):
        return field
    if mine.unit.value == name or (mine.unit is UnitKind.CLAIM and name in ("sentence", "side")):
        return name
    for role, names in _NAMES.items():
        if name in names:
            return role
    if name in (*_KIND_NAMES, *_VERDICT_NAMES, *LATER_IDS):
        return "attribute"  # `rater_type` is no rater of that name
    return _find_wide_role(name, values) or "attribute"


def _find_field(name: str, mine: Protocol) -> str:
    for field, names in mine.aliases.items():
        if name in names and name not in _NAMES["fragments"]:
            return f"field:{field}"
    if name in FIELD_KINDS and name not in ("fragment", "product"):
        return f"field:{name}"
    if name == "context_document":
        return "field:context"
    if name == "user_request":
        return "field:query"
    if _NUMBERED.fullmatch(name):
        return f"field:{name}"
    if product := _PRODUCT.fullmatch(name):
        number, part, part_first, number_last = product.groups()
        return f"product:{number or number_last}:{part or part_first}"
    return ""


def _find_wide_role(name: str, values: Mapping[str, tuple[str, ...]]) -> str:
    """`score_ana`, `ana_score`, `rationale_ana`, and `rater_1` where there is one criterion."""
    said = {each: f"value:{key}" for key, names in values.items() for each in names}
    said |= {each: role for role in ("rationale", "comment") for each in _NAMES[role]}
    for word in sorted(said, key=len, reverse=True):
        if name.startswith(f"{word}_"):
            return f"{said[word]}@{_format_author(name.removeprefix(f'{word}_'))}"
        if name.endswith(f"_{word}"):
            return f"{said[word]}@{_format_author(name.removesuffix(f'_{word}'))}"
    if len(values) == 1 and _WHO.fullmatch(name):
        return f"value:{next(iter(values))}@{_format_author(name)}"
    return ""


def _format_author(name: str) -> str:
    """An author's name as roles spell it: a judge's begins with, or has, a word for a model."""
    is_judge = name.startswith(_JUDGE_WORDS) or not split_name(name).isdisjoint(_JUDGE_WORDS)
    return f"judge:{name}" if is_judge else name
