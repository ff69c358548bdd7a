"""Manoeuvre: one thing that is flown, as a state machine that says what to ask of a transmitter.

Buttons, fences and groups fly it by `FlightControls`, scripts by `RobotPilot`. No I/O of its own
and no clock: what the aircraft has told goes in, a request comes out.
"""

from collections.abc import Mapping
from typing import Final

from telemetry.configuration.arming.procedure import ArmingStage
from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.vehicle.commands import Write

FLOWN_RATES_MS: Final[Mapping[str, int]] = {
    "PositionState": 100,
    "VelocityState": 100,
    "AttitudeState": 50,
}
"""What the station steers by arrives so often while it does."""


class Manoeuvre:
    """`update` is called again and again; `is_done` and `problem`, a sentence, say how it ended.
    What was asked for last is held afterwards. `told` is what to say once it is done."""

    needs_watching = False
    """Whether it goes on only while the controls are in sight."""
    stops_motors = False
    """Whether it is motors off, whoever has the aircraft."""
    rates_ms: Mapping[str, int] = {}
    """How often which objects have to arrive for it, in milliseconds."""

    def __init__(self, title: str, told: str = "") -> None:
        self.title = title
        self.is_done = False
        self.problem = ""
        self.told = told

    @property
    def stage(self) -> ArmingStage | None:
        """How far arming and taking off are, where that is what is flown."""
        return None

    @property
    def beside(self) -> Write | None:
        """What goes out beside its sticks, again and again and unacknowledged."""
        return None

    @property
    def progress(self) -> str:
        """How far it is, and what stands in the way, as a sentence; empty without one."""
        return ""

    def update(self, aircraft: AircraftView) -> None:
        """Go on, by what the aircraft has told up to now."""
        raise NotImplementedError

    def request(self, before: PilotRequest) -> PilotRequest:
        """What to ask for now, in the place of what was asked for before."""
        raise NotImplementedError
