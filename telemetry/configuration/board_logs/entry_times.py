"""Entry times: a board's wrapping clock unrolled, as far as it can be known.

A logged time is the processor's cycle counter divided by its MHz, so it wraps with the counter's
32 bits: after 25.6 s at 168 MHz. Between two entries a whole wrap more leaves no trace: a pause of
26 s looks like one of 0.4 s. What does not wrap is SystemStats.FlightTime, the time since the board
was started; between two of these that were logged the number of wraps follows, and where it is the
least possible, all times between are known. Everywhere else they are not, and are the shortest
possible.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from telemetry.configuration.board_logs.entries import LoggedItem
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import row_of

_COUNTER: Final = float(1 << 32)
_FAMILY_MHZ: Final = {
    0x03: 72,
    0x04: 72,
    0x05: 168,
    0x09: 168,
    0x0B: 168,
    0x10: 72,
    0x92: 168,
}
"""By board type: F1, F3 and F4 (SYSCLK of flight/targets/boards)."""
_BOARD_MHZ: Final = {0x0905: 96}
"""The Revolution Nano has an F411."""
_SLACK_S: Final = 1.5
"""SystemStats is made every 250 ms, in older releases every second, and logged somewhat later. More
would take times for known that are a wrap off where a board's clock is another than is thought."""


def wrap_s(board: int) -> float | None:
    """After how long the clock of a board (0x0903, ...) wraps; None if nobody knows."""
    mhz = _BOARD_MHZ.get(board) or _FAMILY_MHZ.get(board >> 8)
    return _COUNTER / (mhz * 1e6) if mhz else None


@dataclass(frozen=True, slots=True)
class UnknownTimes:
    """Somewhere between two entries, by their positions, the clock may have wrapped more often than
    their times show: `extra` times in all, None if any number of times."""

    first: int
    last: int
    extra: int | None


@dataclass(frozen=True, slots=True)
class EntryTimes:
    """Seconds of entries from the first one on, float64[entries], ascending. Those that are known
    (bool[entries]) are right to each other to a microsecond, the others are the shortest possible.
    `boot_s` is when in the board's life second 0 is, to about a second; None if nothing tells.
    `wraps` says whether it is known after how long the clock wraps."""

    seconds: npt.NDArray[np.float64]
    is_known: npt.NDArray[np.bool_]
    unknown: tuple[UnknownTimes, ...]
    boot_s: float | None
    wraps: bool


def boot_time_s(item: LoggedItem, catalogue: Catalogue) -> float | None:
    """What an item says of the time since the board was started; None if it is no SystemStats."""
    if not item.object_id or item.is_cut:
        return None
    definition = catalogue.get(item.object_id)
    if definition is None or definition.name != "SystemStats" or len(item.data) != definition.size:
        return None
    if not definition.has_field("FlightTime"):
        return None
    return float(row_of(definition, item.data)["FlightTime"]) / 1000.0


def entry_times(
    clock_us: Sequence[int], anchors: Mapping[int, float], wrapping_s: float | None
) -> EntryTimes:
    """Times of one entry or more in their order, from their clock, which wraps after `wrapping_s`.

    `anchors` are the entries, by position, that say the seconds since the board was started. Where
    it is not known when the clock wraps, or it is seen to go on for longer than that, only times
    between anchors in which it did not wrap are known.
    """
    clock_s = np.asarray(clock_us, np.float64) / 1e6
    if wrapping_s is not None and clock_s.max() > wrapping_s:
        wrapping_s = None
    steps = np.diff(clock_s, prepend=clock_s[:1])
    if wrapping_s is not None:
        steps = np.mod(steps, wrapping_s)
    places = sorted(anchors)
    known_to, unknown = (places[0], []) if places else (0, [])
    is_known = np.zeros(len(steps), np.bool_)
    is_known[known_to] = True
    for first, last in pairwise(places):
        between = steps[first + 1 : last + 1]
        extra = _extra_wraps(between, anchors[last] - anchors[first], wrapping_s)
        if extra is None:
            break
        if not extra or last == first + 1:
            is_known[first : last + 1] = True
        else:
            unknown.append(UnknownTimes(first, last, extra))
        is_known[last], known_to = True, last
        if wrapping_s is not None:
            steps[last] += extra * wrapping_s
    if places and places[0] > 0:
        unknown.insert(0, UnknownTimes(0, places[0], None))
    if known_to < len(steps) - 1:
        unknown.append(UnknownTimes(known_to, len(steps) - 1, None))
    seconds = np.cumsum(np.maximum(steps, 0.0))
    boot_s = anchors[places[0]] - float(seconds[places[0]]) if places else None
    return EntryTimes(seconds, is_known, tuple(unknown), boot_s, wrapping_s is not None)


def _extra_wraps(
    steps_s: npt.NDArray[np.float64], elapsed_s: float, wrapping_s: float | None
) -> int | None:
    """How many wraps more than the times show lie in what really elapsed; None if it does not
    fit: the board was restarted, or another clock was read."""
    rest_s = elapsed_s - float(steps_s.sum())
    if wrapping_s is None:
        is_right = bool((steps_s >= 0.0).all()) and abs(rest_s) < _SLACK_S
        return 0 if is_right else None
    extra = round(rest_s / wrapping_s)
    is_near = abs(rest_s - extra * wrapping_s) < _SLACK_S
    return extra if extra >= 0 and is_near else None
