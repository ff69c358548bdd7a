"""Statements: withdrawn with what they speak of, and said since they were first."""

from dataclasses import replace

import pytest

from telemetry.base.finding import Level
from telemetry.base.statement import Statement

SAID = Statement("4 waypoints.", "quad", ("plan", 1), 12.0, "the plan changes")


@pytest.mark.parametrize(
    ("about", "version", "stays"),
    [("quad", ("plan", 1), True), ("kite", ("plan", 1), False), ("quad", ("plan", 2), False)],
)
def test_it_is_withdrawn_with_its_aircraft_and_with_what_it_speaks_of(
    about: str, version: tuple[str, int], stays: bool
) -> None:
    assert SAID.if_of(about, version) == (SAID if stays else None)


def test_what_goes_on_being_said_is_said_since_it_was_first() -> None:
    assert replace(SAID, since_s=99.0).after(SAID).since_s == 12.0
    assert SAID.after(None) is SAID


@pytest.mark.parametrize(
    "change", [{"text": "5."}, {"about": "kite"}, {"version": 2}, {"level": Level.ERROR}]
)
def test_what_says_something_else_is_said_since_now(change: dict[str, object]) -> None:
    said = replace(SAID, since_s=99.0, **change)  # type: ignore[arg-type]
    assert said.after(SAID).since_s == 99.0
