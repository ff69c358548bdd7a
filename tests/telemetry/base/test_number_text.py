"""Numbers as people read them: never "1e+02 %"."""

import re

import pytest

from telemetry.base.installation import ROOT
from telemetry.base.number_text import significant
from telemetry.configuration.calibration.fits.result import Quality


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (100.0, 2, "100"),
        (99.7, 2, "100"),
        (-1234.5, 3, "-1234"),
        (0.0123, 2, "0.012"),
        (12.0, 4, "12"),
        (5e-05, 3, "5e-05"),
        (3e20, 3, "3e+20"),
        (float("inf"), 3, "inf"),
        (float("nan"), 3, "nan"),
    ],
)
def test_all_digits_before_the_point_are_there(value: float, digits: int, text: str) -> None:
    assert significant(value, digits) == text


def test_a_calibration_says_100_percent() -> None:
    assert "1e+02" not in Quality("what", 100.0, 99.7, "%").text
    assert "100 %" in Quality("what", 100.0, 99.7, "%").text


def test_nothing_shows_few_digits_in_any_other_way() -> None:
    """Four digits or less, which a number before its point often has more of."""
    few = re.compile(r"\{[^{}]*:[+,]?\.[1-4]g\}")
    own = ROOT / "telemetry" / "base" / "number_text.py"
    for room in ("app", "widgets", "plugins", "telemetry"):
        for path in (ROOT / room).rglob("*.py"):
            assert path == own or not few.search(path.read_text(encoding="utf-8")), path
