"""Windows: the parts of a logged flight that are flown again, each from a start of its own."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.identification.logged_flight import (
    Floats,
    IdentificationError,
    LoggedFlight,
    Signal,
)
from simulation.records.interface import STEP_S

Wholes = npt.NDArray[np.int64]

WINDOW_S: Final = 1.0
"""Open loop an aircraft leaves what was logged within seconds; within one it does not."""
LEAST_TURNING_DPS: Final = 10.0
"""Below it an axis is quiet: see `turning_dps`."""
_EDGE_S: Final = 0.5
"""Cut off from what is in the air, and from both ends of what was logged."""
_LOW_M: Final = 1.0
"""Below it the ground is felt."""
_LEAST_DUTY_SHARE: Final = 0.75
"""Of the flight's median: with less, the ground bears what the motors do not."""
_RUNNING: Final = 0.3
"""Of the largest duty: with less, motors idle."""
_MOVES_US: Final = 5.0
_GAP_S: Final = 0.25
_LONGEST_S: Final = 7200.0
_LEAST_WINDOWS: Final = 12
_MOST_WINDOWS: Final = 180
_HELD_OUT: Final = 5
"""One of so many windows is kept for validation."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """First steps and those after the last ones; step 0 is at `zero_s` of the log."""

    zero_s: float
    begin: Wholes
    end: Wholes

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.begin)

    @property
    def middle_s(self) -> Floats:
        """The middle of each in the log's seconds."""
        return self.zero_s + STEP_S * 0.5 * (self.begin + self.end).astype(np.float64)

    def split(self) -> "tuple[Windows, Windows]":
        """Those to fit, and those held out for validation."""
        held = np.arange(self.count) % _HELD_OUT == _HELD_OUT - 1
        return self._only(~held), self._only(held)

    def _only(self, kept: npt.NDArray[np.bool_]) -> "Windows":
        return Windows(self.zero_s, self.begin[kept], self.end[kept])


def find_windows(flight: LoggedFlight, duty: Floats) -> Windows:
    """Windows in the air in which nothing is missing; `duty` (n,) is the mean one of the motors at
    each of the flight's pulses. Of a long flight those in which the motors did most. Raises
    IdentificationError if there are too few."""
    length = round(WINDOW_S / STEP_S)
    _check_span(flight.pulses.times, duty)
    zero_s = float(flight.pulses.times[0])
    first = np.arange(0, int((flight.pulses.times[-1] - zero_s) / STEP_S) - length, length)
    starts = zero_s + STEP_S * first.astype(np.float64)
    duty = duty / np.median(duty[duty > _RUNNING * duty.max()])
    good = np.array([_is_usable(flight, duty, start) for start in starts], np.bool_)
    if good.sum() < _LEAST_WINDOWS:
        raise IdentificationError(
            f"{good.sum() * WINDOW_S:.0f} s of this span were flown freely in the air with all "
            f"signals recorded, and {_LEAST_WINDOWS * WINDOW_S:.0f} s are the least that tell "
            "anything. Choose another span, or fly longer."
        )
    chosen = first[good]
    if len(chosen) > _MOST_WINDOWS:
        chosen = np.sort(chosen[np.argsort(-_activity(flight, starts[good]))[:_MOST_WINDOWS]])
    return Windows(zero_s, chosen, chosen + length)


def _check_span(times: Floats, duty: Floats) -> None:
    long_s = float(times[-1] - times[0])
    if long_s > _LONGEST_S:
        raise IdentificationError(
            f"This span is {long_s / 3600.0:.1f} hours long, and {_LONGEST_S / 3600.0:g} are the "
            "most. Choose one flight of it by its times (--from, --to)."
        )
    if duty.max() <= 0.0:
        raise IdentificationError("No motor ran in this span. Choose another one.")


def mean_duty(flight: LoggedFlight, p: np.void) -> Floats:
    """Of all motors at each pulse."""
    low, high = p["speed_controller_us"]
    channel = p["rotor_channel"][: int(p["rotor_count"])]
    duty = np.clip((flight.pulses.values[:, channel] - low) / (high - low), 0.0, 1.0)
    found: Floats = duty.mean(axis=1)
    return found


def mean_pulse_share(pulses: Signal) -> Floats:
    """Of the channels that moved, as speed controllers usually read pulses: 1000 to 2000 us."""
    moves = np.ptp(pulses.values, axis=0) > _MOVES_US
    if not moves.any():
        raise IdentificationError("No motor was commanded in this span. Choose another one.")
    found: Floats = (pulses.values[:, moves].mean(axis=1) - 1000.0) / 1000.0
    return found


def turning_dps(flight: LoggedFlight, windows: Windows) -> Floats:
    """How unevenly each axis turned in each window (windows, 3): deviation of its rate, deg/s."""
    starts = windows.middle_s - 0.5 * WINDOW_S
    found = [flight.gyro.within(s, s + WINDOW_S).values.std(axis=0) for s in starts]
    return np.array(found)


def _is_usable(flight: LoggedFlight, duty: Floats, start: float) -> bool:
    before, after = start - _EDGE_S, start + WINDOW_S + _EDGE_S
    for signal in (flight.gyro, flight.accel, flight.pulses, flight.attitude):
        if not _is_covered(signal.times, before, after):
            return False
    if not _is_covered(flight.velocity.times, start - 1.0, after + 1.0, 2.0):
        return False
    if flight.height_m is not None:
        height = flight.height_m.within(before, after).values
        if not len(height) or height.min() < _LOW_M:
            return False
    first, last = np.searchsorted(flight.pulses.times, (before, after))
    return bool(duty[first:last].mean() > _LEAST_DUTY_SHARE)


def _is_covered(times: Floats, start: float, end: float, gap_s: float = _GAP_S) -> bool:
    first, last = np.searchsorted(times, (start, end))
    inside = np.concatenate([[start], times[first:last], [end]])
    return bool(np.diff(inside).max() < gap_s)


def _activity(flight: LoggedFlight, starts: Floats) -> Floats:
    """How much the turn rates change in each window."""
    found = [flight.gyro.within(s, s + WINDOW_S).values.std(axis=0).sum() for s in starts]
    return np.array(found)
