"""Stick positions of a pilot, and the receiver channels that carry them."""

from dataclasses import dataclass

STICKS_FRESH_S = 0.1
"""So long a reading of the sticks is good to fly on."""
MINIMUM_US = 1000
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

    @property
    def stops_motors(self) -> bool:
        """Whether they ask for motors off and nothing else."""
        return not self.arm and self.throttle == 0.0


def channels_us(sticks: Sticks, mode_positions: int = 3, channel_count: int = 8) -> tuple[int, ...]:
    """The pulse widths of GCSReceiver.Channel, in microseconds, 1000..2000.

    `mode_positions` is how many positions the aircraft's flight mode switch has
    (FlightModeSettings or ManualControlSettings.FlightModeNumber); each position is sent as the
    middle of its share of the range, so that rounding on board cannot reach its neighbour.
    `channel_count` is the length of the Channel field (6 before 2012, then 8).
    """
    position = min(max(sticks.flight_mode_position, 0), mode_positions - 1)
    shares = [0.5] * max(channel_count, ARM_SWITCH + 1)
    shares[THROTTLE] = sticks.throttle
    shares[ROLL] = (sticks.roll + 1.0) / 2.0
    shares[PITCH] = (sticks.pitch + 1.0) / 2.0
    shares[YAW] = (sticks.yaw + 1.0) / 2.0
    shares[FLIGHT_MODE] = (position + 0.5) / mode_positions
    shares[ARM_SWITCH] = 1.0 if sticks.arm else 0.0
    pulses = []
    for share in shares[:channel_count]:
        pulses += [MINIMUM_US + round((MAXIMUM_US - MINIMUM_US) * min(max(share, 0.0), 1.0))]
    return tuple(pulses)
