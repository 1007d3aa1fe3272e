"""Table cells shared by the lists of meetings, notes and decisions."""

from components.ui.address import link
from components.ui.label_colors import look
from components.ui.table.table import Cell
from faithfulness.model.selection import Selection
from faithfulness.model.wording import format_unit
from faithfulness.protocols import PROTOCOLS

CUT_AT = 240  # characters of a unit that a list shows


def build_unit_cell(text: str, note: str, place: Selection) -> Cell:
    """A unit's words; a click opens the reader there."""
    shown = text if len(text) <= CUT_AT else f"{text[:CUT_AT].rstrip()}…"
    words = shown or "(the whole response)"
    return Cell(text=words, note=note, action="open", href=link("item", place))


def format_unit_cell(unit_id: str) -> str:
    """What people call a unit where its words stand beside: a claim then needs no name."""
    said = format_unit(unit_id)
    return "claim" if said == unit_id else said


def build_label_cell(protocol: str, criterion: str, value: str, note: str = "") -> Cell:
    """A label as it looks everywhere; a value that has left its scale is shown as it is."""
    known = PROTOCOLS.get(protocol)
    scale = known.criterion(criterion).scale if known else None
    if scale is None or value not in scale:
        return Cell(text=value, note=note)
    shown = look(scale.label(value), scale)
    glyph = "" if shown.glyph == shown.title else shown.glyph
    return Cell(text=shown.title, glyph=glyph, color=shown.color, note=note)


def format_label(protocol: str, criterion: str, value: str) -> str:
    cell = build_label_cell(protocol, criterion, value)
    return f"{cell.glyph} {cell.text}".strip()


def parse_place(row: str) -> Selection:
    """Where the reader finds a row named run, item and unit."""
    run_id, item_id, unit_id, *_ = row.split("\x1f")
    return Selection(runs=(run_id,) if run_id else (), item=item_id, unit=unit_id)


def get_protocol_title(key: str) -> str:
    return PROTOCOLS[key].title if key in PROTOCOLS else key
