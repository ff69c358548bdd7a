"""Shared plan of all views: the draft, what is said of it, and what is done with it."""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Literal

from plugins.api import PanelContext
from plugins.plan.assessment import PlanAssessment, PlanQuestion, assess
from plugins.plan.board_statement import BoardKnowledge, board_knowledge_of
from plugins.plan.simulated_flight import PlanFlying, PredictedFlight
from plugins.plan.transfer import PlanTransferJob
from telemetry.base.clock import monotonic_s
from telemetry.base.statement import Statement
from telemetry.flying.mission_start import MissionStart
from telemetry.missions.aircraft_limits import MissionAircraft, mission_aircraft, settings_in
from telemetry.missions.board.comparison import WaypointDifference
from telemetry.missions.board.plan import board_home
from telemetry.missions.board.plan_reading import PlanReading
from telemetry.missions.checks.situation import MissionLimits
from telemetry.missions.draft import MissionDraft, mission_draft_of
from telemetry.missions.estimate import BatteryUse, battery_use
from telemetry.missions.geofences import Fence
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission
from telemetry.missions.progress import MissionProgress, mission_progress
from telemetry.missions.terrain.chosen import chosen_ground_of
from telemetry.missions.terrain.elevation import FLAT_GROUND, GroundHeights
from telemetry.missions.terrain.opening import open_terrain
from telemetry.vehicle.vehicle import Fleet, Vehicle
from widgets.change_detector import ChangeDetector

StepName = Literal["take_off", "ending"]
"""A step of the plan that is no waypoint, by its member of Mission."""
_ALWAYS = float("inf")
_AIRCRAFT_S = 1.0
_SAME_PLACE_M = 1.0
_MEND_FIRST = "Mend the errors first."
_CHANGED = "Not sent: the plan was changed, or another aircraft chosen, before it was checked."


class SharedPlan:
    """One per station, kept by its fleet. Whoever shows it polls it, as often as it likes."""

    def __init__(self, fleet: Fleet, jobs: Executor) -> None:
        self._fleet = fleet
        self._jobs = jobs
        self._working: Future[PlanAssessment] | None = None
        self._asked = ChangeDetector()
        self._read = ChangeDetector()
        self._read_of: Vehicle | None = None
        self._read_s = -_ALWAYS
        self._views = 0
        self.draft: MissionDraft = mission_draft_of(fleet)
        self.limits = MissionLimits()
        self.ground = FLAT_GROUND
        self.home: MissionHome | None = None
        self.aircraft = MissionAircraft()
        self.battery: BatteryUse | None = None
        self.assessment = PlanAssessment(PlanQuestion(self.draft.mission))
        self.carrying = PlanTransferJob()
        self.flying = PlanFlying()
        self.progress: MissionProgress | None = None
        """Where the active aircraft is on the plan that it has; None while it flies none."""
        self.is_flown_leg = False
        """Whether it is on its way to where the plan here has that waypoint, too."""
        self._compared: tuple[Mission, PlanReading] | None = None
        self.terrain: tuple[Path, ...] = ()
        self.terrain_problem = ""
        self.fence: int | None = None
        """The fence that is shown in full."""
        self.step: StepName | None = None
        """The step that is chosen while no waypoint is."""
        self.looks = 0
        """Goes up when somebody wants to see the chosen waypoint on the map."""
        self._opening: Future[GroundHeights] | None = None
        self._waits_for: tuple[Vehicle, Mission] | None = None
        """What is sent once it has been checked."""
        self._refused: tuple[Mission, str] | None = None
        self.problem = ""

    @property
    def vehicle(self) -> Vehicle | None:
        """The aircraft that the plan is for."""
        return self._fleet.active

    @property
    def chosen_fence(self) -> Fence | None:
        """The fence that is shown in full, as it is now."""
        fences = self.draft.mission.fences
        return fences[self.fence] if self.fence is not None and self.fence < len(fences) else None

    @property
    def is_assessed(self) -> bool:
        """Whether what is said is about the plan as it is now."""
        return self.assessment.question == self._question() and self._working is None

    def poll(self) -> None:
        """Take over what has been worked out, and have it worked out anew after a change."""
        working = self._working
        if working is not None and working.done():
            self._working = None
            error = working.exception()
            if error is None:
                self.assessment = working.result()
            self.problem = f"The plan cannot be judged: {error}." if error else ""
        self._take_terrain()
        self.flying.poll()
        self._read_aircraft()
        question = self._question()
        if self._working is None and self._asked.has_changed(question):
            self._working = self._jobs.submit(assess, question)
        self._send_what_waits()

    def look(self, t: float) -> None:
        """See how far the active aircraft is at `t` of its flight."""
        vehicle, assessment = self.vehicle, self.assessment
        self.progress = None
        if vehicle is not None:
            mission = assessment.flown if self.differences == () else None
            found = mission_progress(vehicle.recording, t, mission, assessment.legs)
            self.progress = found if found is not None and found.is_flying else None
        self.is_flown_leg = self.progress is not None and self._is_flown_to(self.progress, t)

    def _is_flown_to(self, progress: MissionProgress, t: float) -> bool:
        """Whether the place that the aircraft says it flies to is that of the plan here."""
        vehicle, legs = self.vehicle, self.assessment.legs
        leg = next((leg for leg in legs if leg.index == progress.waypoint), None)
        path = vehicle.recording.latest("PathDesired", t) if vehicle is not None else None
        if leg is None or path is None:
            return False
        north, east, down = path["End"]
        return math.dist((north, east, -down), leg.end) < _SAME_PLACE_M

    def look_at_selection(self) -> None:
        """Have the map show the chosen waypoint."""
        self.looks += 1

    def choose_terrain(self, paths: Sequence[Path]) -> None:
        """Take the height of the ground from these files; they are opened by a job."""
        self.terrain = tuple(paths)
        self._opening = self._jobs.submit(_open_terrain, self.terrain)

    @property
    def known(self) -> BoardKnowledge | None:
        """What is known of the plan on board of the aircraft that the plan is for."""
        return board_knowledge_of(self.vehicle) if self.vehicle is not None else None

    @property
    def differences(self) -> tuple[WaypointDifference, ...] | None:
        """What differs from the plan on board; None while that is not known."""
        known = self.known
        return known.differences(self.draft.mission, self.ground) if known is not None else None

    @property
    def compared(self) -> tuple[WaypointDifference, ...] | None:
        """The same where it was asked for, of this plan and what was read then; else None."""
        known = self.known
        reading = known.reading if known is not None else None
        if self._compared is None or reading is None or self._compared[1] is not reading:
            return None
        return self.differences if self._compared[0] is self.draft.mission else None

    def compare(self) -> None:
        """Have the plan on board read, and list what differs."""
        vehicle = self.vehicle
        if vehicle is None:
            return

        def take(_on_board: Mission) -> None:
            reading = board_knowledge_of(vehicle).reading
            self._compared = (self.draft.mission, reading) if reading is not None else None

        self.carrying.download(vehicle, self.draft.mission, take)

    def opened(self) -> Callable[[], None]:
        """A view is there; returns what to call when it is closed."""
        self._views += 1
        return self._closed

    def why_not_upload(self) -> str:
        """Why the plan cannot be sent now, as far as is known; empty if it can. While it is being
        checked again that is what was found last: `upload_when_checked` waits for the rest."""
        if not self.draft.mission.waypoints:
            return "Add waypoints to send them."
        refusal = self.carrying.why_not_upload(self.vehicle)
        if refusal:
            return refusal
        return _MEND_FIRST if self.assessment.is_refused else ""

    def upload_when_checked(self) -> None:
        """Send the plan as it is now, once it has been checked; `refused_upload` says why not. An
        edit meanwhile, or another aircraft, takes that back."""
        if self.vehicle is None:
            return
        self._refused = None
        self._waits_for = self.vehicle, self.draft.mission
        self.poll()

    @property
    def is_waiting_to_upload(self) -> bool:
        """Whether an upload was asked for that waits for the check."""
        return self._waits_for is not None

    @property
    def refused_upload(self) -> str:
        """Why the upload that was asked for last was not begun, while that is about this plan; what
        `why_not_upload` says itself is not repeated."""
        refused = self._refused
        return refused[1] if refused is not None and refused[0] is self.draft.mission else ""

    def _send_what_waits(self) -> None:
        if self._waits_for is None or self._working is not None:
            return
        (vehicle, mission), self._waits_for = self._waits_for, None
        if vehicle is not self.vehicle or mission is not self.draft.mission:
            self._refused = self.draft.mission, _CHANGED
        elif self.problem:
            self._refused = self.draft.mission, self.problem
        elif not self.why_not_upload():
            self.carrying.upload(vehicle, mission, self.ground)

    @property
    def mission_start(self) -> MissionStart:
        """The beginning of this plan by the aircraft that it is for."""
        return MissionStart(self.vehicle, self.draft.mission, self.differences)

    def why_not_fly(self) -> str:
        """Why the plan cannot be flown in simulation now; empty if it can."""
        if self.flying.is_busy:
            return "It is flying."
        if not self.draft.mission.waypoints:
            return "There is nothing to fly: add waypoints first."
        return "Mend the errors first." if self.assessment.is_refused else ""

    def fly(self) -> None:
        """Have the plan flown in simulation, from the home of the aircraft or its own."""
        if not self.why_not_fly():
            self.flying.start(self._placed, self.terrain, self.vehicle)

    @property
    def flown(self) -> Statement | None:
        """How the plan went in simulation, and whether that is about the plan as it is now."""
        return self.flying.statement(self._placed, self.terrain)

    @property
    def predicted(self) -> PredictedFlight | None:
        """How the plan as it is now went in simulation; None while that is not known."""
        is_past = self.flying.changed_since(self._placed, self.terrain)
        return None if is_past else self.flying.result

    @property
    def _placed(self) -> Mission:
        """The plan, counted from the home of the aircraft or its own."""
        mission = self.draft.mission
        return replace(mission, home=self.home or mission.home)

    def _closed(self) -> None:
        self._views -= 1
        if not self._views:
            self.carrying.close()
            self.flying.stop()

    def _question(self) -> PlanQuestion:
        mission = self.draft.mission
        home = self.home or mission.home
        return PlanQuestion(mission, self.aircraft, self.limits, self.ground, home, self.battery)

    def _take_terrain(self) -> None:
        opening = self._opening
        if opening is None or not opening.done():
            return
        self._opening = None
        error = opening.exception()
        if error is None:
            self.ground = opening.result()
        else:
            self.terrain, self.ground = (), FLAT_GROUND  # which is what views say without files
        chosen_ground_of(self._fleet).heights = self.ground
        self.terrain_problem = str(error) if error else ""

    def _read_aircraft(self) -> None:
        """Its settings and home, once a second while they may change."""
        vehicle, now_s = self.vehicle, monotonic_s()
        if vehicle is self._read_of and now_s - self._read_s < _AIRCRAFT_S:
            return
        self._read_of, self._read_s = vehicle, now_s
        if vehicle is None:
            self.aircraft, self.home, self.battery = MissionAircraft(), None, None
        elif self._read.has_changed(vehicle, vehicle.recording.version):
            recording = vehicle.recording
            aircraft = mission_aircraft(settings_in(recording, _ALWAYS), vehicle.name)
            self.aircraft = aircraft
            self.home = board_home(recording)
            self.battery = battery_use(recording, _ALWAYS, aircraft)


def _open_terrain(paths: Sequence[Path]) -> GroundHeights:
    return GroundHeights(tuple(open_terrain(path) for path in paths))


def shared_plan_of(context: PanelContext) -> SharedPlan:
    """The desk of a panel's station."""
    fleet, jobs = context.fleet, context.jobs
    return fleet.attachment("plan.desk", lambda: SharedPlan(fleet, jobs))
