"""Switch positions of an aircraft: what each means, and whether it listens to the station.

The flight modes a station can choose are those that FlightModeSettings gives a switch position,
exactly as with a radio. Nothing is kept.
"""

from dataclasses import dataclass

from telemetry.configuration.arming.by_sticks import (
    gesture_on_board,
    gesture_sticks,
    values_of,
)
from telemetry.configuration.arming.checklist import Read
from telemetry.configuration.arming.station_receiver import why_deaf
from telemetry.configuration.flight_modes.arming_gestures import Gesture
from telemetry.configuration.flight_modes.setup import read_setup
from telemetry.flying.transmitter.order import MotorsOff
from telemetry.vehicle.sticks import Sticks

GUIDED_MODES = {
    "Hold": "PositionHold",
    "Land": "Land",
    "Return": "ReturnToBase",
    "Resume": "PathPlanner",
}
"""The flight mode that an action selects."""


@dataclass(frozen=True, slots=True)
class Switches:
    """The flight mode switch: `modes[i]` is the flight mode of position i.

    `vario` is the first position in which the middle of the throttle holds the height, if any;
    `gesture` how it is armed and disarmed. `refusal` is a sentence if the aircraft would not
    listen to the station's sticks.
    """

    modes: tuple[str, ...] = ()
    vario: int | None = None
    gesture: Gesture | None = None
    refusal: str | None = "Waiting for the aircraft's settings."

    def position_of(self, mode: str) -> int | None:
        """The position that selects `mode`, or None where no position does."""
        return self.modes.index(mode) if mode in self.modes else None

    @property
    def stabilized(self) -> int | None:
        """The first position that leaves the throttle and the attitude to the pilot."""
        for position, mode in enumerate(self.modes):
            if mode.startswith("Stabilized") or mode == "Leveling":
                return position
        return None

    @property
    def by_hand(self) -> int | None:
        """The position to fly by hand in: one that holds the height, where there is one.

        Keys, on-screen sticks and game controllers spring to the middle; a plain throttle in the
        middle would climb or sink.
        """
        return self.stabilized if self.vario is None else self.vario

    @property
    def motors_off(self) -> MotorsOff:
        """What stops the motors, by the switch or by the sticks of a gesture.

        Firmware takes about a second to disarm; until then a stabilized mode with the throttle down
        stops the motors at once, which a guided mode would not.
        """
        position, gesture = self.stabilized or 0, self.gesture
        if gesture is None or not gesture.moves:
            return MotorsOff(position)
        resting = Sticks(flight_mode_position=position)
        return MotorsOff(position, gesture_sticks(gesture, resting, arms=False))


def read_switches(read: Read) -> Switches:
    """Read the switch positions and channel sources."""
    values = values_of(read)
    setup = read_setup(values)
    if read("ManualControlSettings") is None or not setup.positions:
        return Switches()
    vario = (p.index for p in setup.used if setup.thrust_mode(p) == "AltitudeVario")
    return Switches(
        tuple(position.mode for position in setup.used),
        next(vario, None),
        gesture_on_board(values),
        why_deaf(values) or None,
    )
