"""Records: save and load runs, items and annotations."""

from data.records.adjudicating import adjudicate
from data.records.annotator_kinds import load_annotator_kinds
from data.records.assigning import Purpose, assign
from data.records.cases import load_cases
from data.records.deciding_many import Settled, adopt_unanimous, decide_like
from data.records.decision_facts import Circumstances
from data.records.drafts import Filled, Sheet, Step, load_sheet, save_steps
from data.records.finding import refind
from data.records.judging import keep_rerun
from data.records.keeping import keep_import
from data.records.known_files import known_files
from data.records.loading import known_items, load_annotations, load_item
from data.records.marking import mark
from data.records.meetings import begin_meeting, note_event
from data.records.met_again import count_met, items_prepared, met_again
from data.records.reasons import load_reasons
from data.records.rechecking import confirm_decision
from data.records.removing import remove_runs, remove_sample
from data.records.saving import CutDiffers, save_import
from data.records.sheets import operation_of, sign_sheet
from data.records.signing import sign
from data.records.taking_back import take_back
from data.records.ticking import load_ticks, tick

__all__ = [
    "Circumstances",
    "CutDiffers",
    "Filled",
    "Purpose",
    "Settled",
    "Sheet",
    "Step",
    "adjudicate",
    "adopt_unanimous",
    "assign",
    "begin_meeting",
    "confirm_decision",
    "count_met",
    "decide_like",
    "items_prepared",
    "keep_import",
    "keep_rerun",
    "known_files",
    "known_items",
    "load_annotations",
    "load_annotator_kinds",
    "load_cases",
    "load_item",
    "load_reasons",
    "load_sheet",
    "load_ticks",
    "mark",
    "met_again",
    "note_event",
    "operation_of",
    "refind",
    "remove_runs",
    "remove_sample",
    "save_import",
    "save_steps",
    "sign",
    "sign_sheet",
    "take_back",
    "tick",
]
