"""Steps of a prompt trial: items, baseline, cost estimate, results and label changes."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.charts.paired import signed
from components.judging.batch_estimate import about, format_rough_dollars
from components.judging.judge_form import JudgeChoice
from components.judging.rerun_steps import format_cost, format_tokens
from components.judging.trials import HeldTrial, TrialBaseline
from components.ui.address import link
from components.ui.label_colors import look
from components.ui.number_meanings import meaning
from components.ui.numbers import format_count, number
from components.ui.plain import plain, told_apart
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.judging.judge import question
from faithfulness.judging.prices import cost, estimate_question
from faithfulness.judging.prompt_trial import (
    AFTER,
    LabelChange,
    Labels,
    Outcome,
    Trial,
    TrialItem,
    compare_outcomes,
)
from faithfulness.model.prompt import Prompt
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection import Selection
from faithfulness.statistics.intervals import FEWEST_ITEMS
from faithfulness.statistics.paired import describe_difference, format_p

_NOW = "now"
_NAMED = 5  # items without an answer that are named; the rest is counted


def show_trial_items(cases: Sequence[TrialItem], protocol: Protocol) -> bool:
    """Say which items are asked about; answers whether there are any."""
    if not cases:
        st.info(
            f"Under {protocol.title} no item is disputed on which the raters have a majority, so "
            "there is nothing to measure a prompt against. Rate some items a judge has answered.",
            icon=":material/balance:",
        )
        return False
    st.markdown(
        f"The judge is asked about the **{format_count(len(cases), 'item')}** that raters "
        "and judges "
        "differ about most, decided or not. Nothing is stored until you keep it."
    )
    if len(cases) < FEWEST_ITEMS:
        st.caption(
            f"Fewer than {FEWEST_ITEMS} items: the result will be counts without an interval."
        )
    return True


def choose_against(
    protocol: Protocol,
    choice: JudgeChoice,
    stored: Sequence[Prompt],
    judged: Mapping[str, Labels],
) -> TrialBaseline:
    """What to compare with: the judge's own stored answers, another's, or an older prompt now."""
    prompts = {each.fingerprint: each for each in (protocol.prompt, *stored)}
    older = prompts.get(choice.based_on, protocol.prompt)
    own = choice.settings.get("model", "")
    names = sorted(judged, key=lambda each: (each != own, each))
    titles = {
        f"judge {name}": f"Stored answers of {name} "
        f"({format_count(len({item for item, _ in judged[name]}), 'item')})"
        for name in names
    }
    if not choice.is_offline and older != choice.prompt:
        now = {_NOW: f"The same judge, asked now with {older.version} as well"}
        titles = titles | now if own in judged else now | titles
    if not titles:
        return TrialBaseline("", {})
    titles = told_apart(titles)
    picked = st.selectbox(
        "Compare with",
        list(titles),
        format_func=titles.__getitem__,
        key=f"trial_against_{protocol.key}_{own}_{older.version if _NOW in titles else ''}",
        width=520,
    )
    if picked == _NOW:
        return TrialBaseline(f"{older.version} (asked at the same time)", {}, older)
    name = picked.removeprefix("judge ")
    other = "It is another judge: the difference is that of judge and prompt together. "
    st.caption(
        other
        * (name != own)
        + "These items were chosen because answers differ, so any new answers tend to lie closer "
        "to the raters. To see what the prompt alone does, ask with both prompts now."
    )
    return TrialBaseline(f"stored answers of {name}", judged[name])


def show_trial_estimate(
    protocol: Protocol, cases: Sequence[TrialItem], choice: JudgeChoice, against: TrialBaseline
) -> None:
    if choice.is_offline:
        return
    prompts = [choice.prompt, *([against.prompt] if against.prompt else [])]
    asked = [question(protocol, each.item, prompt) for each in cases for prompt in prompts]
    sizes = [estimate_question(each) for each in asked]
    read, written = (choice.samples * sum(each[at] for each in sizes) for at in (0, 1))
    price = cost(choice.settings["model"], read, written)
    st.caption(
        f"Will take {format_count(len(asked) * choice.samples, 'call')}, {about(read)} "
        "tokens to read "
        f"and {about(written)} to write: {format_rough_dollars(price)}. The texts go to the "
        "address above."
    )


def show_trial(held: HeldTrial, reference: Labels, ended: str) -> None:
    """Agreement with the raters before and after, and every label that changed."""
    trial, key = held.trial, held.criterion.key
    tried, prompt = trial.tried(AFTER), held.choice.prompt
    replies = [
        one for arm in trial.prompts for each in trial.tried(arm).values() for one in each.samples
    ]
    with st.container(horizontal=True, gap="small"):
        for fact in (
            held.author.name,
            "" if held.choice.is_offline else f"prompt {prompt.version} ({prompt.fingerprint})",
            f"{len(tried)} of {format_count(len(trial.cases), 'item')} answered",
            format_tokens(replies),
            format_cost(replies) if replies else "",
        ):
            if fact:
                st.badge(plain(fact), color="gray")
    _show_failures(trial, ended)
    after = trial.labels(AFTER, key)
    found = compare_outcomes(held.criterion, reference, held.labels_before(), after)
    if found.units:
        _show_outcome(found, held)
    else:
        rated = [place for place in after if place in reference]
        same = sum(after[place] == reference[place] for place in rated)
        st.markdown(
            f"Same label as most raters on **{same} of {len(rated)}** units. There is nothing to "
            "compare with: no earlier answers on the units that were answered now."
        )


def _show_failures(trial: Trial, ended: str) -> None:
    """Why it ended early, and which items have no answer for which reason."""
    if ended:
        st.warning(plain(ended), icon=":material/warning:")
    for why, items in trial.failures().items():
        if why == ended:
            continue
        named = [_format_case_name(trial.cases[each]) for each in items[:_NAMED]]
        more = f" and {len(items) - _NAMED:,} more" if len(items) > _NAMED else ""
        said = f"No answer on {', '.join(named)}{more}. {why}"
        st.warning(plain(said), icon=":material/warning:")


def show_kept_notice(held: HeldTrial) -> bool:
    """Say that everything is stored; answers whether to try another one."""
    st.success(
        f"Kept on {format_count(held.kept, 'item')}. {plain(held.author.name)} now has these "
        "answers; "
        "earlier ones of the same judge are superseded and stay in the store.",
        icon=":material/check:",
    )
    return st.button("Try another", icon=":material/replay:", key="try_more")


def _show_outcome(found: Outcome, held: HeldTrial) -> None:
    st.markdown(
        f"Same label as most raters: **{found.agreed_before} of {found.units}** before, "
        f"**{found.agreed_after} of {found.units}** after, on {format_count(found.items, 'item')}."
    )
    first = found.measures[0]
    if found.items >= FEWEST_ITEMS:
        after = "the baseline" if held.choice.is_offline else "the prompt tried"
        names = (held.against.title, after)
        st.markdown(
            plain(describe_difference(first, "agreement with the raters (same label)", names))
        )
        _show_measures(found)
    else:
        st.caption(
            f"Counts only: from fewer than {FEWEST_ITEMS} items an interval would claim more than "
            "it knows."
        )
    left = [
        f"{format_count(many, 'unit')} {what}"
        for many, what in (
            (found.lost, "had a label before and none now"),
            (found.found, "had none before"),
        )
        if many
    ]
    st.caption(
        plain(f"Before: {held.against.title}.") + (f" Left out: {'; '.join(left)}." if left else "")
    )
    _show_steps(found.steps, held)


def _show_measures(found: Outcome) -> None:
    rows = [
        TableRow(
            id=each.name,
            cells=[
                Cell(text=meaning(each.name).title),
                Cell(text=number(each.first)),
                Cell(text=number(each.second)),
                Cell(text=signed(each.difference), note=each.difference.reason),
                Cell(text=format_p(each.difference.p)),
            ],
        )
        for each in found.measures
    ]
    columns = [
        Column(title="With the raters' majority", wide=True),
        Column(title="Before", end=True),
        Column(title="After", end=True),
        Column(title="Difference, 95 % interval", end=True),
        Column(title="By chance", end=True, drop=True),
    ]
    show_table(columns, [Group(rows=rows)], key="trial_numbers", label="Before and after")


def _show_steps(steps: Sequence[LabelChange], held: HeldTrial) -> None:
    if not steps:
        st.caption("No label changed.")
        return
    titles = {-1: "No longer as the raters", 1: "Now as the raters", 0: "Changed, still different"}
    groups = [
        Group(
            title=f"{title} ({sum(each.gain == gain for each in steps)})",
            rows=[_build_step_row(each, held) for each in steps if each.gain == gain],
        )
        for gain, title in titles.items()
    ]
    columns = [
        Column(title="Item"),
        Column(title="Words"),
        Column(title="Most raters", firm=True),
        Column(title="Before", firm=True),
        Column(title="After", firm=True),
    ]
    shown = [each for each in groups if each.rows]
    show_table(columns, shown, key="trial_steps", label="Labels that changed")


def _build_step_row(step: LabelChange, held: HeldTrial) -> TableRow:
    case = held.trial.cases[step.item_id]
    unit = next(each for each in case.item.units if each.id == step.unit_id)
    here = Selection(runs=(case.run_id,), item=step.item_id, unit=step.unit_id)
    return TableRow(
        id=f"{step.item_id} {step.unit_id}",
        cells=[
            Cell(text=_format_case_name(case), action="open", href=link("item", here)),
            Cell(text=unit.text[:300]),
            *(
                _build_label_cell(each, held.criterion)
                for each in (step.reference, step.before, step.after)
            ),
        ],
    )


def _format_case_name(case: TrialItem) -> str:
    return case.external_id or case.item.id[:8]


def _build_label_cell(value: str, criterion: Criterion) -> Cell:
    shown = look(criterion.scale.label(value), criterion.scale)
    glyph = "" if shown.glyph == shown.title else shown.glyph
    return Cell(text=shown.title, glyph=glyph, color=shown.color)
