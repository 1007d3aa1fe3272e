"""What a batch will take is told as exactly as it is known, and no better."""

import pytest

from components.judging.batch_estimate import about, format_rough_dollars


@pytest.mark.parametrize(
    ("value", "said"), [(8_809, "≈ 8,800"), (82_943, "≈ 83,000"), (7, "≈ 7"), (0, "—")]
)
def test_tokens_are_told_in_two_digits(value, said):
    assert about(value) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "cost unknown"),
        (0.00003, "under $0.0001"),
        (0.01204, "≈ $0.012"),
        (0.0995, "≈ $0.10"),
        (4.976, "≈ $5.00"),
        (1_234.0, "≈ $1,200"),
    ],
)
def test_an_unknown_cost_is_no_zero_and_a_known_one_has_two_digits(value, said):
    assert format_rough_dollars(value) == said
