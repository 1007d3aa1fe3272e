"""Write headings, text, quotes and tables as Markdown or HTML without active content.

All text is treated as untrusted and escaped, so Markdown and HTML show it literally. The HTML loads
nothing from outside and forbids scripts.
"""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from faithfulness.model.visible import HIDDEN

_BLANKS = re.compile(r"\s+")
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~&$!^]|(?<!\w):(?=[\w+-])")
_START = re.compile(r"^(?:[-+=]|\d+(?=[.)]))")
# Readers of Markdown turn these into links by themselves; as code they stay the words they are.
_ADDRESS = re.compile(
    r"(?i)(?:[a-z][a-z0-9+.-]*://|www\.|mailto:|xmpp:)\S*|[^\s@]+@[^\s@]+\.[^\s@]+"
)
_TICKS = re.compile(r"`+")
# A cell breaks between words: "anywhere" would make a narrow column as narrow as a letter. Its
# greatest width breaks a word that no page has room for.
_STYLE = """
body { font: 11pt/1.45 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto;
  padding: 0 1rem; color: #1a1a1a; background: #fff; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .3rem; }
p, li, blockquote { overflow-wrap: anywhere; }
td, th { overflow-wrap: break-word; max-width: 18rem; }
blockquote { margin: .4rem 0; padding: .2rem .8rem; border-left: 3px solid #767676;
  white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th, td { border: 1px solid #b0b0b0; padding: .25rem .5rem; text-align: left;
  vertical-align: top; }
@media print { body { margin: 0; max-width: none; } h2, h3 { break-after: avoid; }
  tr, blockquote { break-inside: avoid; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True, kw_only=True, slots=True)
class Heading:
    """A heading; the document's own is level 1."""

    text: str
    level: int = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentText:
    """A paragraph: an optional word in bold, then text."""

    text: str
    lead: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentQuote:
    """Somebody's very words."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Points:
    """A list."""

    texts: Sequence[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """Rows under a header."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


Block = Heading | DocumentText | DocumentQuote | Points | Table


def render_markdown(blocks: Iterable[Block]) -> str:
    """The blocks as a Markdown file."""
    return "\n\n".join(_render_markdown_block(each) for each in blocks) + "\n"


def render_html_page(title: str, blocks: Iterable[Block]) -> str:
    """The blocks as one HTML file that can be opened anywhere and printed."""
    body = "\n".join(_render_html_block(each) for each in blocks)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_escape_html(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def escape_markdown(text: str) -> str:
    """One line of Markdown that shows exactly this text: no format, no link, no image."""
    line = _BLANKS.sub(" ", _spell_hidden(text)).strip()
    parts: list[str] = []
    end = 0
    for found in _ADDRESS.finditer(line):
        parts.extend((_escape_special(line[end : found.start()]), _format_code(found.group())))
        end = found.end()
    parts.append(_escape_special(line[end:]))
    return _START.sub(_escape_line_start, "".join(parts))


def _escape_special(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _format_code(text: str) -> str:
    longest = max((len(each) for each in _TICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{room}{text}{room}{fence}"


def _escape_line_start(found: re.Match[str]) -> str:
    text = found.group()
    # A number keeps its digits: the dot behind it would make it a list.
    return f"{text}\\" if text.isdigit() else f"\\{text}"


def _render_markdown_block(block: Block) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {escape_markdown(block.text)}"
        case DocumentText():
            lead = f"**{escape_markdown(block.lead)}** " if block.lead else ""
            return f"{lead}{escape_markdown(block.text)}"
        case DocumentQuote():
            lines = _spell_hidden(block.text).splitlines() or [""]
            return "\n".join(
                f"> {escape_markdown(each)}  ".rstrip(" ") + "  " for each in lines
            ).rstrip()
        case Points():
            return "\n".join(f"- {escape_markdown(each)}" for each in block.texts)
        case Table():
            rows = [block.header, ["---"] * len(block.header), *block.rows]
            cells = [
                [each if nth == 1 else _format_cell(each) for each in row]
                for nth, row in enumerate(rows)
            ]
            return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _format_cell(text: str) -> str:
    # A bar inside code still ends a cell, so that addresses keep theirs as an entity.
    return re.sub(r"(?<!\\)\|", "\\|", escape_markdown(text))


def _render_html_block(block: Block) -> str:
    match block:
        case Heading():
            return f"<h{block.level}>{_escape_html(block.text)}</h{block.level}>"
        case DocumentText():
            lead = f"<strong>{_escape_html(block.lead)}</strong> " if block.lead else ""
            return f'<p dir="auto">{lead}{_escape_html(block.text)}</p>'
        case DocumentQuote():
            return f'<blockquote dir="auto">{_escape_html(block.text)}</blockquote>'
        case Points():
            return f"<ul>{''.join(f'<li>{_escape_html(each)}</li>' for each in block.texts)}</ul>"
        case Table():
            head = "".join(f'<th scope="col">{_escape_html(each)}</th>' for each in block.header)
            rows = "".join(
                f"<tr>{''.join(f'<td>{_escape_html(each)}</td>' for each in row)}</tr>"
                for row in block.rows
            )
            return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _escape_html(text: str) -> str:
    return html.escape(_spell_hidden(text), quote=True)


def _spell_hidden(text: str) -> str:
    # All by their numbers, as our screens name them.
    return HIDDEN.sub(lambda found: f"⟦U+{ord(found.group()):04X}⟧", text)
