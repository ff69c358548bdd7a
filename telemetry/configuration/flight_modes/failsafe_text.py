"""Failsafe text: what a board does when sticks or link are lost, and positions that are safer.

The rules are those of receiver.c and manualcontrol.c, and of what flies in each mode: flown on the
firmware, a throttle of -1 drops whatever is flown by hand or takes off by itself, and a failsafe
that goes to ReturnToBase takes off from the ground.
"""

from dataclasses import dataclass
from typing import Final

from telemetry.configuration.flight_modes.modes import flight_mode
from telemetry.configuration.flight_modes.setup import FlightModeSetup, Position, read_setup
from telemetry.configuration.receiver.check import is_ground_vehicle
from telemetry.recording.mode_words import mode_words
from telemetry.recording.sample import ReadValues

RECEIVER: Final = "ManualControlSettings"
POSITION: Final = "FailsafeFlightModeSwitchPosition"
AFTER: Final = "0.5 to 0.75 s"
"""One to two turns of 256 ms without any GCSReceiver, then 11 cycles of 20 ms."""
_RETURNS: Final = ("ReturnToBase", "ReturnToHome")
_SAFE_MODES: Final = (*_RETURNS, "Land")


@dataclass(frozen=True, slots=True)
class FailsafeOffer:
    """A position of the switch that the failsafe could go to."""

    mode: str
    index: int


def failsafe_text(values: ReadValues) -> str:
    """What the aircraft does when the sticks stop coming; empty while it has not told its
    settings."""
    receiver = values(RECEIVER)
    if not receiver:
        return ""
    begins = f"When sticks or link are lost for {AFTER}"
    if is_ground_vehicle(values):
        return f"{begins} its failsafe has it stand still."
    setup = read_setup(values)
    throttle = float(receiver.get("FailsafeChannel.Throttle", -1.0))
    position = _position(setup, int(receiver.get(POSITION, -1)))
    falls = (
        "it falls, since its failsafe cuts the throttle"
        if throttle < 0.0
        else f"nobody flies it, with the throttle at {throttle:.0%}"
    )
    if position is None:
        return (
            f"{begins} it stays in its mode: Position hold, Return to base, Land and a mission go "
            f"on; by hand, where sticks set a speed, or while it takes off, {falls}."
        )
    where = f"{begins} it goes to {position.title}, {mode_words(position.mode)}"
    if flight_mode(position.mode).is_hand_flown or position.mode == "AutoTakeoff":
        return f"{where}: {falls}."
    lifts = " Armed on the ground it takes off, too." if position.mode in _RETURNS else ""
    is_wing = str(values("SystemSettings").get("AirframeType", "")).startswith("FixedWing")
    lands = "Glides straight on, motor off." if is_wing else "Comes down where it is, and disarms."
    does = lands if position.mode == "Land" else flight_mode(position.mode).does
    return f"{where}: {does[0].lower()}{does[1:]}{lifts}"


def failsafe_offers(values: ReadValues) -> tuple[FailsafeOffer, ...]:
    """Positions that come home or land, where the failsafe goes to none of these."""
    receiver, setup = values(RECEIVER), read_setup(values)
    if POSITION not in receiver or is_ground_vehicle(values):
        return ()
    present = _position(setup, int(receiver[POSITION]))
    if present is not None and present.mode in _SAFE_MODES:
        return ()
    found = {p.mode: FailsafeOffer(p.mode, p.index) for p in reversed(setup.used)}
    return tuple(found[mode] for mode in _SAFE_MODES if mode in found)


def _position(setup: FlightModeSetup, index: int) -> Position | None:
    return setup.used[index] if 0 <= index < setup.count else None
