"""Mission start: whether the plan can be flown from this station now, and its beginning."""

import math
from dataclasses import dataclass
from typing import Final

from telemetry.flying import actions
from telemetry.flying.controls import controls_of
from telemetry.flying.guided_flight import guided_of
from telemetry.flying.guided_offer import MANUAL_THRUST, is_thrust_by_stick
from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.fly_mission import PLAN_MODE, plan_definitions
from telemetry.flying.situation import Situation
from telemetry.missions.board.comparison import WaypointDifference
from telemetry.missions.guided_actions import guided_action
from telemetry.missions.mission import Mission
from telemetry.missions.steps import LANDS_BY_STATION, ReturnStep
from telemetry.recording.flight_state import FlightState
from telemetry.recording.sample import Sample
from telemetry.vehicle.vehicle import Vehicle

UPLOAD_FIRST: Final = "Upload the plan first."
_NO_TAKE_OFF: Final = "The plan has no take-off. Add one, or take off first."
_LENDS: Final = (
    "No position of the flight mode switch flies a plan: one is lent to it until the aircraft has "
    "disarmed. It is not saved."
)
_AT_HOME_M: Final = 20.0
_WING: Final = "An aeroplane begins a plan in the air. Take off first."


@dataclass(frozen=True, slots=True)
class MissionStart:
    """A plan and the aircraft that is to fly it. `differences`: those from the plan on board; None
    while they are not known. Whoever shows it has joined the aircraft's controls and follows them:
    it arms only while somebody looks."""

    vehicle: Vehicle | None
    mission: Mission
    differences: tuple[WaypointDifference, ...] | None

    def why_not(self) -> str:
        """Why it cannot be started now, as a sentence with what to do; empty if it can."""
        if self.vehicle is None:
            return "No aircraft is connected."
        if not self.mission.waypoints:
            return "There is nothing to fly: add waypoints first."
        if self.differences is None or self.differences:
            return UPLOAD_FIRST
        flight, situation = controls_of(self.vehicle).situation_at(self.vehicle.end_s)
        if is_thrust_by_stick(guided_action("resume"), self._read):
            return MANUAL_THRUST
        return self._why_not_now(flight, situation) or ""

    @property
    def note(self) -> str:
        """What to read before it is started: where it returns to, what of the aircraft is
        changed for the flight, and what the board cannot do."""
        if self.vehicle is None:
            return ""
        flight, situation = controls_of(self.vehicle).situation_at(self.vehicle.end_s)
        modes = situation.switches.modes
        lends = _LENDS if modes and PLAN_MODE not in modes else ""
        definitions = plan_definitions(AircraftView(self.vehicle))
        is_landed = self.mission.ending is None or definitions is None or definitions.lands
        lands = "" if is_landed else LANDS_BY_STATION
        return " ".join(filter(None, (self._returns_elsewhere(flight), lends, lands)))

    def start(self) -> None:
        """Take off if it stands, and fly the plan to its end; nothing while `why_not` says why."""
        if self.vehicle is not None and not self.why_not():
            guided_of(self.vehicle).fly_mission(self.mission)

    def _returns_elsewhere(self, flight: FlightState) -> str:
        if not isinstance(self.mission.ending, ReturnStep) or flight.north_m is None:
            return ""
        away_m = math.hypot(flight.north_m, flight.east_m or 0.0)
        if away_m <= _AT_HOME_M:
            return ""
        return f"Home, where it returns to, is {away_m:.0f} m from here."

    def _why_not_now(self, flight: FlightState, situation: Situation) -> str | None:
        if flight.is_armed and situation.is_flying:
            is_flown = flight.flight_mode == PLAN_MODE
            return actions.why_deaf(situation) or ("The plan is being flown." if is_flown else None)
        if self.mission.take_off is None:
            return actions.why_deaf(situation) or _NO_TAKE_OFF
        return actions.why_not_take_off(situation) or (_WING if situation.is_fixed_wing else None)

    def _read(self, name: str) -> Sample | None:
        assert self.vehicle is not None
        return self.vehicle.recording.latest(name, self.vehicle.end_s)
