"""Temporary switch position: one of the flight mode switch's for another mode, for one flight.

A station has no switch of its own: it selects what FlightModePosition gives a position. A mode that
has none can be lent one that nothing needs now: never the one that is selected, nor one that a
failsafe selects (receiver.c, HandleBatteryFailsafe of manualcontrol.c), nor one that stops, holds,
lands or returns, nor one with GPS assist, which the configuration check does not allow for most
modes (sanitycheck.c).
"""

from dataclasses import dataclass
from typing import Final

from telemetry.configuration.arming.by_sticks import AUTO_TAKEOFF, values_of
from telemetry.configuration.arming.checklist import Read
from telemetry.configuration.flight_modes.setup import keeper_of, read_setup
from telemetry.flying.switches import Switches
from telemetry.recording.mode_words import mode_words
from telemetry.recording.sample import Value

_NEEDED: Final = ("PositionHold", "Land", "ReturnToBase", "AutoTakeoff")
_FAILSAFES: Final = (
    ("ManualControlSettings", "FailsafeFlightModeSwitchPosition"),
    ("FlightModeSettings", "BatteryFailsafeSwitchPositions.Warning"),
    ("FlightModeSettings", "BatteryFailsafeSwitchPositions.Critical"),
)


@dataclass(frozen=True, slots=True)
class TemporarySwitchPosition:
    """Position `index` (from 0), which selects `before` now, can be lent to `mode`."""

    index: int
    before: str
    mode: str
    object: str

    @property
    def path(self) -> str:
        """The element of the setting."""
        return f"FlightModePosition.{self.index}"

    @property
    def owner(self) -> str:
        """Whose it is while it is lent."""
        return owner_of(self.mode)

    @property
    def question(self) -> str:
        """What is to be agreed to."""
        return (
            f"No position of the flight mode switch selects {mode_words(self.mode)}. Position "
            f"{self.index + 1} selects {mode_words(self.before)}, which is not needed now: it "
            f"becomes {mode_words(self.mode)} until the aircraft is disarmed. It is not saved."
        )


def owner_of(mode: str) -> str:
    """Whose a position is while it is lent to `mode`."""
    return f"the switch position for {mode_words(mode)}"


def free_switch_position(
    mode: str, switches: Switches, read: Read
) -> TemporarySwitchPosition | None:
    """The position that can be lent to `mode`; None where every one is needed."""
    values = values_of(read)
    kept = {_position(values(name).get(path)) for name, path in _FAILSAFES}
    kept.add(_position(values("ManualControlCommand").get("FlightModeSwitchPosition")))
    kept |= {switches.stabilized, switches.vario}
    kept |= {place.index for place in read_setup(values).used if place.is_assisted}
    is_armed = values("FlightStatus").get("Armed") == "Armed"
    modes = switches.modes
    free = [index for index in range(len(modes)) if index not in kept]
    again = [index for index in free if modes[index] in modes[:index]]
    # A change to AutoTakeoff is ignored while it is armed (manualcontrol.c).
    useless = [index for index in free if is_armed and modes[index] == AUTO_TAKEOFF]
    other = [index for index in free if modes[index] not in _NEEDED]
    chosen = next(iter((*again, *useless, *other)), None)
    if chosen is None:
        return None
    keeper = keeper_of("FlightModePosition", values)
    return TemporarySwitchPosition(chosen, modes[chosen], mode, keeper)


def _position(value: Value | None) -> int | None:
    return int(value) if isinstance(value, int | float) else None
