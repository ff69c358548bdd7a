"""A mission flown by the station: taking off, the plan on board, and motors off once it is down.

PathPlanner begins in the air (vtolautotakeofffsm.cpp gives no thrust in a plan) and does not disarm
where it lands (setup_disarmed of vtollandfsm.cpp). In between the board flies by itself.
"""

import math
from collections.abc import Iterator
from typing import Final

from telemetry.base.finding import Level
from telemetry.configuration.arming.procedure import ArmingStage
from telemetry.configuration.settings.temporary_settings import TakenSetting, TemporarySettings
from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.arming import Arm, ArmingRules, TakeOff
from telemetry.flying.manoeuvres.manoeuvre import Manoeuvre
from telemetry.flying.manoeuvres.modes import Disarm, Land
from telemetry.flying.manoeuvres.paths import FlyObject, waypoint_object
from telemetry.flying.manoeuvres.take_off_to_height import TakeOffToHeight
from telemetry.flying.temporary_switch_position import free_switch_position, owner_of
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.missions.aircraft_limits import mission_aircraft, settings_in
from telemetry.missions.board.encoding import plan_on_board
from telemetry.missions.board.plan import board_home
from telemetry.missions.board.plan_definitions import PlanDefinitions
from telemetry.missions.board.transfer import MissionUpload
from telemetry.missions.checks.check import check_mission
from telemetry.missions.checks.situation import MissionLimits, MissionSituation
from telemetry.missions.flown_plan import flown_plan
from telemetry.missions.legs import next_of
from telemetry.missions.mission import Mission, place_of
from telemetry.vehicle.commands import Ticket

PLAN_MODE: Final = "PathPlanner"
_ARRIVED_M: Final = 3.0
_NOT_FLYING: Final = "It does not fly. Take off first, or give the plan a take-off."
_NO_POSITION: Final = (
    "No position of the flight mode switch is free for flying a plan, so it holds where it is. "
    "Give it one under Flight modes."
)


class FlyMission(Manoeuvre):
    """One part after the other; done where the plan lands or stays. Without a take-off the aircraft
    has to fly already. `uploads`: whether the plan is checked and sent first; else it is on board.
    `armed_by` has armed it for taking off."""

    def __init__(
        self,
        aircraft: AircraftView,
        mission: Mission,
        rules: ArmingRules,
        temporary: TemporarySettings,
        *,
        uploads: bool = False,
        armed_by: Arm | None = None,
    ) -> None:
        super().__init__("Fly the mission", "The mission is flown.")
        self._mission = mission
        self._rules = rules
        self._temporary = temporary
        is_armed = aircraft.state.is_armed
        self._takes_off = mission.take_off is not None and (not is_armed or armed_by is not None)
        self._armed_by = armed_by
        if not (self._takes_off or is_armed):
            self.problem = _NOT_FLYING
        self._parts = self._in_turn(aircraft, uploads=uploads)
        self._part = next(self._parts)
        self.needs_watching = self._part.needs_watching

    @property
    def stage(self) -> ArmingStage | None:
        return self._part.stage

    @property
    def progress(self) -> str:
        return self._part.progress

    def update(self, aircraft: AircraftView) -> None:
        if self.is_done or self.problem:
            return
        part = self._part
        part.update(aircraft)
        self.problem = part.problem
        self.needs_watching = part.needs_watching
        if part.is_done and not part.problem:
            self._take_next()
        if self.is_done or self.problem:
            self._temporary.give_back(owner_of(PLAN_MODE))

    def request(self, before: PilotRequest) -> PilotRequest:
        """That of the part that is flown."""
        return self._part.request(before)

    def _take_next(self) -> None:
        """The last part stays: what it asks for is held."""
        part = next(self._parts, None)
        self.is_done = part is None
        self._part = part or self._part
        self.needs_watching = self._part.needs_watching

    def _in_turn(self, aircraft: AircraftView, *, uploads: bool) -> Iterator[Manoeuvre]:
        mission = self._mission
        if uploads:
            yield _Upload(aircraft, mission)
        if self._takes_off and mission.take_off is not None:
            take_off = TakeOff(aircraft, self._rules, self._armed_by)
            yield TakeOffToHeight(take_off, mission.take_off.height_m)
        if aircraft.switches.position_of(PLAN_MODE) is None:
            yield _LendPosition(self._temporary)
        flown = _FlyPlan(_plan_on_board(aircraft, mission))
        yield flown
        if flown.lands:
            yield Disarm(aircraft)
        elif mission.ending is not None:
            yield Land()


class _Upload(Manoeuvre):
    """Checks the plan, writes it and reads it back. Nothing is asked of the sticks."""

    def __init__(self, aircraft: AircraftView, mission: Mission) -> None:
        super().__init__("Upload")
        self.problem = _why_refused(aircraft, mission)
        self._upload = MissionUpload(aircraft.vehicle, mission)

    def update(self, aircraft: AircraftView) -> None:
        if not self.problem and self._upload.poll():
            self.problem = self._upload.problem
            self.is_done = True

    def request(self, before: PilotRequest) -> PilotRequest:
        return before


def _why_refused(aircraft: AircraftView, mission: Mission) -> str:
    """The first error in the plan; empty without one."""
    recording = aircraft.vehicle.recording
    known = mission_aircraft(settings_in(recording, math.inf))
    situation = MissionSituation(mission, known, MissionLimits(), home=board_home(recording))
    first = next(iter(check_mission(situation)), None)
    if first is None or first.finding.level is not Level.ERROR:
        return ""
    return f"{first.finding.text} {first.finding.remedy}"


def plan_definitions(aircraft: AircraftView) -> PlanDefinitions | None:
    """How the board says plans; None while it has told none."""
    waypoint, action = aircraft.read("Waypoint"), aircraft.read("PathAction")
    if waypoint is None or (action is None and not waypoint.definition.has_field("Mode")):
        return None
    definition = action.definition if action is not None else None
    return PlanDefinitions(waypoint.definition, definition, definition)


def _plan_on_board(aircraft: AircraftView, mission: Mission) -> Mission:
    definitions, home = plan_definitions(aircraft), board_home(aircraft.vehicle.recording)
    if definitions is None or home is None:
        return flown_plan(mission, home)
    return plan_on_board(mission, definitions, home)


class _LendPosition(Manoeuvre):
    """Has a position of the switch select the plan until it is given back; stays meanwhile."""

    def __init__(self, temporary: TemporarySettings) -> None:
        super().__init__("Lend a switch position")
        self._temporary = temporary
        self._taken: TakenSetting | None = None
        self._asked: Ticket | None = None

    def update(self, aircraft: AircraftView) -> None:
        """The position that is selected is never lent, and the board seldom says it by itself."""
        self._asked = self._asked or aircraft.vehicle.commands.request("ManualControlCommand")
        if self._taken is None and self._asked.is_finished:
            lent = free_switch_position(PLAN_MODE, aircraft.switches, aircraft.read)
            if lent is None:
                self.problem = _NO_POSITION
                return
            self._taken = self._temporary.take(lent.owner, lent.object, lent.path, lent.mode)
        if self._taken is not None:
            self.problem, self.is_done = self._taken.problem, self._taken.is_taken

    def request(self, before: PilotRequest) -> PilotRequest:
        return before


class _FlyPlan(FlyObject):
    """Has the board fly its plan from the first waypoint to where it lands or stays."""

    def __init__(self, plan: Mission) -> None:
        super().__init__(waypoint_object(0), "Fly the plan")
        self.lands = False
        """Whether it is down; else it stays where the plan ends."""
        self._plan = plan
        self._begun_s = math.nan

    def update(self, aircraft: AircraftView) -> None:
        if not self.is_written:
            self._write_in_mode(aircraft)
            self._begun_s = aircraft.now_s
            return
        self._select(aircraft)  # so that who disarms it in the air is seen
        active = aircraft.read("WaypointActive")
        index = int(active.raw("Index")) if active is not None else -1
        if not 0 <= index < len(self._plan.waypoints):
            return
        if self._plan.waypoints[index].action.mode == "Land":
            self.lands = self.is_done = self.has_landed or self._is_down(aircraft)
        else:
            self.is_done = self.has_landed or self._stays(index, aircraft)

    def _is_down(self, aircraft: AircraftView) -> bool:
        """Told on a change only: what was told before this flight is of the one before."""
        landing = aircraft.read("StatusVtolLand")
        is_new = landing is not None and landing.t > self._begun_s
        return is_new and landing is not None and landing["State"] == "Disarmed"

    def _stays(self, index: int, aircraft: AircraftView) -> bool:
        """Whether it is where nothing leads on from."""
        home, state = self._plan.home, aircraft.state
        if home is None or next_of(self._plan, index) is not None:
            return False
        if state.north_m is None or state.east_m is None:
            return False
        there = place_of(self._plan.waypoints[index], home)
        return math.dist(there, (state.north_m, state.east_m)) < _ARRIVED_M
