"""The `agree` command: arguments, printed output, and a check against minimum agreement values."""

import argparse
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from data.agreement.question import AgreementQuestion
from data.agreement.report import find_overall_row
from data.api.client import Desk
from data.api.commands import BELOW, DONE, BadUse, check_new_file, make_file
from data.exporting import FORMATS, write_numbers
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, Side, describe_ties
from faithfulness.model.visible import escape_brief
from faithfulness.model.wording import format_count
from faithfulness.policies.policies import POLICIES
from faithfulness.protocols import PROTOCOLS
from faithfulness.statistics.alt_test import EPSILON

Row = Mapping[str, Any]
Limit = tuple[str, float]
LONGEST_SLICE = 80  # every row of a table is as wide as its longest name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say to the parser what `agree` can be asked."""
    who = "raters (their majority), adjudicated, verdict, rater:NAME or judge:NAME"
    raters = MAJORITY.as_text
    reference = f"right: {who}; default: {raters}"
    parser.add_argument("--reference", default=raters, metavar="SIDE", help=reference)
    alone = "who is looked at, alike; default: nobody, only the raters among themselves"
    parser.add_argument("--judge", default="", metavar="SIDE", help=alone)
    parser.add_argument("--protocol", default="", choices=["", *PROTOCOLS], metavar="PROTOCOL")
    parser.add_argument("--criterion", default="", help="default: the protocol's first")
    parser.add_argument("--run", action="append", default=[], help="only items of this run")
    parser.add_argument("--by", default="", metavar="FIELD", help="also by system, run, any field")
    parser.add_argument("--direction", default="", metavar="FIELD", help="claims of this text only")
    about = "compare across protocols, by this reading of the rules"
    parser.add_argument(
        "--policy", default="", choices=["", *POLICIES], metavar="POLICY", help=about
    )
    about = "under which the judge answered, with --policy; default: --protocol"
    parser.add_argument("--judge-protocol", default="", metavar="PROTOCOL", help=about)
    about = "under which both are compared, with --policy"
    parser.add_argument("--bridge-to", default="", metavar="PROTOCOL", help=about)
    parser.add_argument("--raters-are", default="skilled", choices=sorted(EPSILON))
    parser.add_argument(
        "--fail-under",
        action="append",
        default=[],
        type=limit,
        metavar="STATISTIC=VALUE",
        help=f"exit with {BELOW} when the number is lower or undefined: kappa=0.6 of the judge, "
        "raters_alpha=0.7 of the raters; may be repeated",
    )
    parser.add_argument("--to", metavar="FILE", help="write the numbers to a file")
    parser.add_argument("--pairs-to", metavar="FILE", help="write every pair of labels to a file")
    parser.add_argument("--format", choices=sorted(FORMATS), help="default: by the file's ending")


def agree(at: Desk, asked: argparse.Namespace) -> dict[str, Any]:
    """Compare, write the files that were asked for, and hold the numbers to their limits."""
    if (asked.judge_protocol or asked.bridge_to) and not asked.policy:
        raise BadUse(f"comparing across protocols needs --policy: {', '.join(POLICIES)}")
    if asked.policy and (asked.by or asked.direction or asked.criterion):
        raise BadUse("--policy compares whole responses: leave out --by, --direction, --criterion")
    question = build_question(asked)
    numbers = check_new_file(asked.to, asked.format) if asked.to else None
    pairs = check_new_file(asked.pairs_to, asked.format) if asked.pairs_to else None
    told = at.agree(question)
    files = {}
    if numbers is not None:
        rows, kind = told["numbers"], numbers[1]
        files["numbers"] = numbers[0]
        make_file(numbers[0], lambda made: write_numbers(rows, kind, made))
    if pairs is not None:
        form = pairs[1]
        files["pairs"] = pairs[0]
        make_file(pairs[0], lambda made: at.pairs(question, form, made))
    below = find_too_low(told, asked.fail_under)
    return told | {
        "below": below,
        "files": {what: str(path) for what, path in files.items()},
        "lines": format_comparison(told, below, files),
        "exit_code": BELOW if below else DONE,
    }


def limit(text: str) -> Limit:
    """Read `kappa=0.6`; a ValueError is what argparse turns into bad use."""
    name, equals, value = text.rpartition("=")
    number = float(value)
    if not equals or not name or not math.isfinite(number):
        raise ValueError(text)
    return name.strip(), number


def build_question(asked: argparse.Namespace) -> AgreementQuestion:
    """The comparison that the arguments name.

    Raises:
        ReviewError: a side cannot be read.
    """
    return AgreementQuestion(
        selection=Selection(protocol=asked.protocol, runs=tuple(asked.run)),
        criterion=asked.criterion,
        reference=Side.from_text(asked.reference),
        judge=Side.from_text(asked.judge or asked.reference),
        by=asked.by,
        field=asked.direction,
        raters_are=asked.raters_are,
        policy=asked.policy,
        judge_protocol=asked.judge_protocol,
        to=asked.bridge_to,
    )


def find_too_low(told: Mapping[str, Any], limits: Iterable[Limit]) -> list[dict[str, Any]]:
    """Numbers that stay below what was asked for; one that is undefined has not reached it."""
    found = []
    for name, least in limits:
        row = find_overall_row(told, name) or {
            "value": None,
            "reason": f"there is no number “{name}” here",
        }
        if row["value"] is None or row["value"] < least:
            found.append(
                {"statistic": name, "least": least, "value": row["value"], "reason": row["reason"]}
            )
    return found


def format_comparison(
    told: Mapping[str, Any], below: Sequence[Row], files: Mapping[str, Path]
) -> list[str]:
    """A comparison as people read it in a terminal."""
    numbers = told["numbers"]
    lines = [*told.get("verdict", ()), told["sentence"]]
    if told["judge"] != told["reference"]:
        lines.append(_format_coverage(told))
    lines += [*_format_left_out(told), *told.get("notes", ())]
    if told["judge"] != told["reference"]:
        lines += [
            "",
            *_format_table([row for row in numbers if not row["by"] and row["reference"]]),
        ]
    for side in dict.fromkeys(row["judge"] for row in numbers if not row["reference"]):
        lines += ["", f"By {escape_brief(side)} alone:"]
        lines += _format_table(
            [row for row in numbers if not row["reference"] and row["judge"] == side]
        )
    for name in dict.fromkeys(row["statistic"] for row in numbers if row["by"]):
        lines += ["", f"{name} by {told['by']}, lowest first; * differs from the whole:"]
        lines += _format_table(
            [r for r in numbers if r["by"] and r["statistic"] == name], first="slice"
        )
    lines += [
        f"Too low: {row['statistic']} is {_format_number(row['value'])}, asked for {row['least']:g}"
        f"{f' ({why})' if (why := row['reason']) and row['value'] is None else ''}"
        for row in below
    ]
    return [*lines, *(f"{path}: {what}" for what, path in files.items())]


def _format_coverage(told: Mapping[str, Any]) -> str:
    count, unit = told["coverage"], told["unit"]
    parts = [
        f"Both: {format_count(count['both'], unit)} on {format_count(count['items_both'], 'item')}",
        f"reference only: {count['reference_only']:,}",
        f"judge only: {count['judge_only']:,}",
    ]
    rest = {
        "unread_reference": "unread of the reference",
        "unread_judge": "unread of the judge",
        "ties": describe_ties(Side.from_text(told["reference"]), Side.from_text(told["judge"])),
        "joined": "joined from several",
        "one_rating": "with a single rating",
    }
    parts += [f"{words}: {count[name]:,}" for name, words in rest.items() if count.get(name)]
    return "; ".join(parts)


def _format_left_out(told: Mapping[str, Any]) -> list[str]:
    if not told["coverage"]["sample_runs_left_out"]:
        return []
    return [
        "The sample's runs are left out because other runs are stored; name one of them with --run "
        "to look at it."
    ]


def _format_table(rows: Sequence[Row], first: str = "statistic") -> list[str]:
    names = [
        escape_brief(row[first] or "not said", LONGEST_SLICE) + " *" * bool(row["differs"])
        for row in rows
    ]
    width = max([len(first), *map(len, names)])
    lines = [f"{first:{width}}  {'value':>7}  {'95 % interval':17}  {'items':>7}  {'units':>9}"]
    for name, row in zip(names, rows, strict=True):
        counts = f"{row['items']:>7,}  {row['units']:>9,}"
        said = (
            f"{name:{width}}  {_format_number(row['value']):>7}  {_format_interval(row):17}  "
            f"{counts}"
        )
        lines.append(f"{said}  {row['reason']}".rstrip())
    return lines


def _format_interval(row: Row) -> str:
    if row["low"] is None or row["high"] is None:
        return "—"
    return f"[{_format_number(row['low'])}, {_format_number(row['high'])}]"


def _format_number(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}"
