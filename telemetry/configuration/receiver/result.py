"""From what was measured to the settings of a control."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from telemetry.configuration.receiver.controls import THROTTLE
from telemetry.recording.sample import Value

THROTTLE_START: Final = 0.04
"""Throttle begins this share of its way above its lowest, so that noise does not start motors."""


@dataclass(frozen=True, slots=True)
class MeasuredControl:
    """One control: the least and greatest pulse seen, where it rested, and its direction."""

    low: int
    high: int
    centre: int
    is_centred: bool
    is_reversed: bool


def result_values(measured: Mapping[str, MeasuredControl]) -> dict[str, Value]:
    """The values of ManualControlSettings for the pulses of these controls, by path."""
    values: dict[str, Value] = {}
    for name, control in measured.items():
        first, last = control.low, control.high
        if control.is_reversed:
            first, last = last, first
        values |= {
            f"ChannelMin.{name}": first,
            f"ChannelNeutral.{name}": _neutral(name, control, first, last),
            f"ChannelMax.{name}": last,
        }
    return values


def _neutral(name: str, control: MeasuredControl, first: int, last: int) -> int:
    if control.is_centred:
        return min(max(control.centre, control.low), control.high)
    if name == THROTTLE:
        return round(first + THROTTLE_START * (last - first))
    return round((first + last) / 2)
