"""Numbers people read: an undefined one is a dash, never 0."""

import math
from datetime import UTC, datetime

from components.ui.numbers import format_count, format_day, interval, number, signed, size


def test_an_undefined_number_is_a_dash_and_never_zero():
    assert number(None) == number(math.nan) == "—"
    assert number(0.0) == "0.00"


def test_an_interval_with_one_open_end_is_not_shown():
    assert interval(0.5, math.nan) == interval(None, 1.0) == ""
    assert interval(0.514, 0.776) == "[0.51, 0.78]"


def test_a_minus_is_a_true_one_and_zero_has_no_sign():
    assert (number(-0.034), number(-0.004), number(-12.5, 0)) == ("−0.03", "0.00", "−12")
    assert (signed(0.08), signed(-0.08), signed(0.004), signed(-0.004)) == (
        *("+0.08", "−0.08", "0.00", "0.00"),
    )
    assert signed(None) == signed(math.nan) == "—"
    assert interval(-0.251, 0.1) == "[−0.25, 0.10]"


def test_counts_carry_their_noun():
    assert format_count(1, "item") == "1 item"
    assert format_count(1204, "item") == "1,204 items"
    assert format_count(2, "entry", "entries") == "2 entries"


def test_days_and_sizes_read_as_people_write_them():
    assert format_day(datetime(2026, 11, 6, 9, 5, tzinfo=UTC)) == "6 Nov 2026, 09:05\u00a0UTC"
    assert size(1) == "1 byte"
    assert size(2048) == "2 KB"
    assert size(5 * 1024**2) == "5.0 MB"
