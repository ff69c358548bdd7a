"""Guided flight: what a pilot asks an aircraft to do by itself, and settings changed for that.

Nothing here waits: `poll` is called from the panel's tick, and the station's own moves settings.
What is asked next, or any other choice of the pilot's, ends what is under way.
"""

from dataclasses import replace
from typing import Final

from telemetry.configuration.settings.temporary_settings import (
    TakenSetting,
    TemporarySettings,
    temporary_settings_of,
)
from telemetry.flying.controls import FlightControls, controls_of
from telemetry.flying.manoeuvres.aircraft_view import AircraftView, place_of
from telemetry.flying.manoeuvres.arming import FOR_A_PILOT
from telemetry.flying.manoeuvres.fly_mission import PLAN_MODE, FlyMission
from telemetry.flying.manoeuvres.manoeuvre import Manoeuvre
from telemetry.flying.manoeuvres.paths import FlyObject, path_object, waypoint_object
from telemetry.flying.situation import Situation
from telemetry.flying.temporary_switch_position import TemporarySwitchPosition, owner_of
from telemetry.missions.guided_actions import (
    WING_ORBIT_M,
    GuidedPath,
    read_path,
    take_off_ground_m,
    why_not_height,
)
from telemetry.missions.mission import Mission
from telemetry.recording.flight_state import FlightState
from telemetry.recording.sample import Sample
from telemetry.vehicle.vehicle import Vehicle

TAKE_OFF, SPEED = "the take-off height", "the speed limit"
_HELD = "PositionHold"
_CRUISE_SHARE: Final = 0.25
"""Where an aeroplane's circling speed stands between its slowest and its fastest."""


class GuidedFlight:
    """The guided flight of one aircraft. `told` is what has come of what was asked last."""

    def __init__(
        self, vehicle: Vehicle, controls: FlightControls, temporary: TemporarySettings
    ) -> None:
        self.told = ""
        self.paused_at: int | None = None
        """The waypoint at which the mission was paused, if it was."""
        self._vehicle = vehicle
        self._controls = controls
        self._temporary = temporary
        self._height: TakenSetting | None = None
        self._lends_height = self._was_armed = False
        self._lent: list[str] = []

    @property
    def is_under_way(self) -> bool:
        """Whether something that was asked is not settled yet."""
        return self._controls.is_under_way or self._height is not None

    @property
    def limits_speed(self) -> bool:
        """Whether its speed is limited from here."""
        return any(entry.owner == SPEED for entry in self._temporary.entries)

    def hold(self) -> None:
        """Stay here. In PositionHold already, the place is written: to select a mode that is
        selected changes nothing (manualcontrol.c)."""
        flight, _ = self._now()
        here = place_of(flight)
        if flight.flight_mode == _HELD and here is not None:
            self.fly(here, "Holding here.")
        else:
            self._select("Hold")

    def land(self) -> None:
        """Come down here."""
        self._select("Land")

    def return_home(self) -> None:
        """Go back to where it was armed."""
        self._select("Return")

    def fly(self, path: GuidedPath, told: str) -> None:
        """Stay at a place or circle it; an aeroplane circles. `told` once the board holds it."""
        is_fixed_wing = self._now()[1].is_fixed_wing
        path = self._circled(path) if is_fixed_wing and not path.is_circle else path
        self._select("Hold", FlyObject(path_object(path), told=told))

    def change_height(self, height_m: float) -> None:
        """Climb or sink, where it is or on the circle it flies."""
        path = self.path()
        if path is not None:
            self.fly(path.at_height(height_m), f"To {height_m:.0f} m above home.")

    def why_not_at(self, height_m: float) -> str | None:
        """Why it may not be sent to a height above home, or None."""
        return why_not_height(height_m, take_off_ground_m(self._read("TakeOffLocation")))

    def path(self) -> GuidedPath | None:
        """What it flies in PositionHold, else where it is; None while that is unknown."""
        flight, _ = self._now()
        flown = read_path(self._read("PathDesired")) if flight.flight_mode == _HELD else None
        return flown or place_of(flight)

    def take_off(self, height_m: float) -> None:
        """Set the height, then arm and take off; the setting is given back in the air."""
        self._begin()
        self._height = self._temporary.take(
            TAKE_OFF, "FlightModeSettings", "AutoTakeOffHeight", height_m
        )

    def take_position(self, lent: TemporarySwitchPosition) -> TakenSetting:
        """Give a mode a switch position, until the aircraft has disarmed."""
        self._lent.append(lent.owner)
        return self._temporary.take(lent.owner, lent.object, lent.path, lent.mode)

    def limit_speed(self, speed_mps: float) -> TakenSetting:
        """Fly no faster on its way, until `free_speed`."""
        name = "VtolPathFollowerSettings"
        return self._temporary.take(SPEED, name, "HorizontalVelMax", speed_mps)

    def free_speed(self) -> None:
        """Give the limit back."""
        self._temporary.give_back(SPEED)

    def pause(self) -> None:
        """Hold where it is, and remember the waypoint."""
        active = self._read("WaypointActive")
        self._select("Hold")
        self.paused_at = int(active.raw("Index")) if active is not None else None

    def resume(self) -> None:
        """Fly the plan on board, on from where it was paused."""
        waypoint, self.paused_at = self.paused_at or 0, None
        told = f"On the way to waypoint {waypoint}."
        self._select("Resume", FlyObject(waypoint_object(waypoint), told=told))

    def fly_mission(self, mission: Mission) -> None:
        """Take off if it stands, and fly the plan on board, which is that of `mission`. The caller
        has asked why not (`mission_start.py`)."""
        self._begin()
        self.paused_at = None
        self._lent.append(owner_of(PLAN_MODE))
        aircraft = AircraftView(self._vehicle)
        flown = FlyMission(aircraft, mission, FOR_A_PILOT, self._temporary)
        self._controls.fly(flown, self._now()[1])

    def poll(self, situation: Situation, flight: FlightState) -> str:
        """Go on. Returns what the pilot must be told, or ""."""
        self._give_positions_back(flight)
        told = self._poll_height(situation, flight)
        told = self._controls.poll(situation) or told
        self.told = told or self.told
        return told

    # Inside

    def _begin(self) -> None:
        self._height = None
        self.told = ""

    def _select(self, action: str, manoeuvre: Manoeuvre | None = None) -> None:
        self._begin()
        self._controls.act(action, self._now()[1], manoeuvre)

    def _now(self) -> tuple[FlightState, Situation]:
        return self._controls.situation_at(self._vehicle.end_s)

    def _poll_height(self, situation: Situation, flight: FlightState) -> str:
        """Take off once the height is on board; give it back once it flies, or does not."""
        height = self._height
        if height is not None and (height.problem or height.is_taken):
            self._height, self._lends_height = None, True
            if height.problem:
                return f"Not taken off. {height.problem}"
            self._controls.take_off(situation)
            return ""
        is_needed = situation.stage is not None or flight.flight_mode == "AutoTakeoff"
        if self._lends_height and height is None and not is_needed:
            self._lends_height = False
            self._temporary.give_back(TAKE_OFF)
        return ""

    def _give_positions_back(self, flight: FlightState) -> None:
        if self._was_armed and not flight.is_armed:
            while self._lent:
                self._temporary.give_back(self._lent.pop())
        self._was_armed = flight.is_armed

    def _circled(self, path: GuidedPath) -> GuidedPath:
        wing = self._read("FixedWingPathFollowerSettings")
        if wing is None:
            return path
        slowest, fastest = float(wing["HorizontalVelMin"]), float(wing["HorizontalVelMax"])
        speed_mps = slowest + _CRUISE_SHARE * (fastest - slowest)
        return replace(path, radius_m=WING_ORBIT_M, speed_mps=speed_mps)

    def _read(self, name: str) -> Sample | None:
        return self._vehicle.recording.latest(name, self._vehicle.end_s)


def guided_of(vehicle: Vehicle) -> GuidedFlight:
    """The one guided flight of an aircraft."""
    temporary = temporary_settings_of(vehicle)
    return vehicle.attachment(
        "flying.guided", lambda: GuidedFlight(vehicle, controls_of(vehicle), temporary)
    )
