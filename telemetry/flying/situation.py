"""Situation of an aircraft, as far as it decides what a pilot can ask it for."""

from dataclasses import dataclass

from telemetry.base.finding import Finding
from telemetry.configuration.arming.checklist import Read
from telemetry.configuration.arming.procedure import ArmingStage
from telemetry.flying.switches import Switches, read_switches
from telemetry.recording.flight_state import FlightState
from telemetry.recording.recording import Recording

FLYING_THRUST = 0.15
FLYING_MPS, FLYING_M = 3.0, 5.0
"""An aeroplane flies when it moves so fast, or is so high above home: its motor may run before
the throw, and rests in a glide."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What the buttons depend on.

    `refusal` is why nothing can be sent at all; `is_link_lost`: because nothing is heard of the
    aircraft; `is_anothers`: because a set-up or a test has it. While it is disarmed `not_armed_by`
    is why its sticks cannot arm it and `not_taken_off_by` why it cannot take off by itself; None
    where they can. `stage` is how far arming and taking off are, while that goes on.
    `is_throttle_down`: the device that would fly it by hand has its throttle at the bottom;
    `is_device_missing`: it is not there.
    """

    refusal: str | None
    switches: Switches
    armed: str | None
    is_link_lost: bool = False
    is_anothers: bool = False
    is_flying: bool = False
    is_fixed_wing: bool = False
    not_armed_by: Finding | None = None
    not_taken_off_by: Finding | None = None
    stage: ArmingStage | None = None
    is_throttle_down: bool = False
    is_device_missing: bool = False


@dataclass(frozen=True, slots=True)
class PilotSetUp:
    """What the settings on board say about flying from a station."""

    switches: Switches
    is_fixed_wing: bool


def read_set_up(read: Read) -> PilotSetUp:
    """By the newest settings."""
    settings = read("SystemSettings")
    is_fixed_wing = settings is not None and str(settings["AirframeType"]).startswith("FixedWing")
    return PilotSetUp(read_switches(read), is_fixed_wing)


def is_flying(flight: FlightState, recording: Recording, *, is_fixed_wing: bool) -> bool:
    """Whether it flies, as far as is known."""
    if not flight.is_armed:
        return False
    if is_fixed_wing:
        return (flight.groundspeed_mps or 0.0) > FLYING_MPS or (flight.height_m or 0.0) > FLYING_M
    return read_thrust(recording, flight.t) > FLYING_THRUST


def read_thrust(recording: Recording, t: float) -> float:
    """The thrust the autopilot uses, 0 to 1."""
    actuator = recording.latest("ActuatorDesired", t)
    if actuator is None:
        return 0.0
    name = "Thrust" if actuator.definition.has_field("Thrust") else "Throttle"
    return max(0.0, min(1.0, float(actuator.raw(name))))
