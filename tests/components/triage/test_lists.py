"""The choices of the disagreements page say what their counts hold."""

import pytest

from components.triage.lists import AUDIT, build_chip_groups
from faithfulness.review.disagreement import DisagreementKind

STATES = {"open": 5, "decided": 1, "all": 6}
COUNTS = {DisagreementKind.RATERS.value: 4, DisagreementKind.JUDGE_RATERS.value: 3, AUDIT: 2}


@pytest.mark.parametrize(
    ("state", "chosen", "audits", "several", "words"),
    [
        (
            "open",
            (),
            2,
            (2, 5),
            "“Cannot all be right” is not in “Open” · 2 of 5 are of several kinds",
        ),
        (
            "all",
            ("raters",),
            2,
            (1, 1_006),
            "“Cannot all be right” is not in “All” · 1 of 1,006 is of several kinds",
        ),
        ("open", (AUDIT,), 2, (0, 5), ""),  # chosen, they are in it
        ("open", (AUDIT, "raters"), 2, (2, 5), "2 of 5 are of several kinds"),
        ("decided", (), 0, (1, 1), "1 of 1 is of several kinds"),
        ("open", (), 0, (0, 5), ""),
    ],
)
def test_why_the_kinds_do_not_add_up_stands_beside_the_states(
    state, chosen, audits, several, words
):
    states, _ = build_chip_groups(state, chosen, (STATES, COUNTS | {AUDIT: audits}), several)
    assert states.note == words
