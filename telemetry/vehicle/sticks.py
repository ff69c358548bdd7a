"""A pilot's stick positions and the receiver channels that carry them. Pure arithmetic."""

from dataclasses import dataclass

STICKS_FRESH_S = 0.1
"""So long a reading of the sticks is good to fly on."""
MINIMUM_US = 1000
NEUTRAL_US = 1500
MAXIMUM_US = 2000

# Where each control stands in GCSReceiver.Channel. The embedded simulator's ManualControlSettings
# use the same order; a real aircraft's channel assignment must name GCS as the source.
THROTTLE, ROLL, PITCH, YAW, FLIGHT_MODE, SPARE, ARM_SWITCH = range(7)


@dataclass(frozen=True, slots=True)
class Sticks:
    """One reading of the pilot's controls.

    `roll` is positive to the right, `pitch` positive nose up (stick back), `yaw` positive nose
    right, each -1..1; `throttle` is 0..1. `flight_mode_position` counts switch positions from 0.
    `arm` is the arming switch.
    """

    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0
    throttle: float = 0.0
    flight_mode_position: int = 0
    arm: bool = False


def channels_us(sticks: Sticks, mode_positions: int = 3, channel_count: int = 8) -> tuple[int, ...]:
    """The pulse widths of GCSReceiver.Channel, in microseconds, 1000..2000.

    `mode_positions` is how many positions the aircraft's flight mode switch has
    (FlightModeSettings or ManualControlSettings.FlightModeNumber); each position is sent as the
    middle of its share of the range, so that rounding on board cannot reach its neighbour.
    `channel_count` is the length of the Channel field (6 before 2012, then 8).
    """
    pulses = [NEUTRAL_US] * max(channel_count, ARM_SWITCH + 1)
    pulses[THROTTLE] = _from_unit(sticks.throttle)
    pulses[ROLL] = _from_signed(sticks.roll)
    pulses[PITCH] = _from_signed(sticks.pitch)
    pulses[YAW] = _from_signed(sticks.yaw)
    pulses[FLIGHT_MODE] = _from_position(sticks.flight_mode_position, mode_positions)
    pulses[ARM_SWITCH] = MAXIMUM_US if sticks.arm else MINIMUM_US
    return tuple(pulses[:channel_count])


def _from_unit(value: float) -> int:
    limited = min(max(value, 0.0), 1.0)
    return MINIMUM_US + round((MAXIMUM_US - MINIMUM_US) * limited)


def _from_signed(value: float) -> int:
    return _from_unit((value + 1.0) / 2.0)


def _from_position(position: int, positions: int) -> int:
    return _from_unit((min(max(position, 0), positions - 1) + 0.5) / positions)
