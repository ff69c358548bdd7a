"""A mission flown in simulation, as fast as the machine can: the aircraft with its autopilot takes
off, is given the plan by the objects that a station would write, and flies it by PathPlanner.

The ground of the physics is flat; terrain is what it flies into. Home is that of the aircraft's
preset: what counts are metres from home.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from simulation.autopilot.autopilot import LOOP_US, AutopilotConfig, FlownFirmware
from simulation.autopilot.preset import load_preset
from simulation.autopilot.snapshot import settings_frames
from simulation.records.flight import FIXED_WING
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.scenario import Scenario, ScenarioStep, Until, Upload, overlaid
from simulation.scenarios.state_recorder import Record
from telemetry.missions.board.encoding import encode, values_of
from telemetry.missions.board.plan_definitions import PlanDefinitions
from telemetry.missions.flown_plan import flown_plan
from telemetry.missions.guided_actions import GuidedPath
from telemetry.missions.legs import CIRCLES, MissionLeg, NorthEastUp, legs_of, next_of
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission
from telemetry.missions.steps import TakeOffStep
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.wire.dialect import Dialect

_MODES: Final = ["Stabilized1", "Stabilized2", "PositionHold", "PathPlanner", "Land", "AutoTakeoff"]
_SETTINGS: Final = {"FlightModeSettings": {"FlightModePosition": _MODES}}
_SAMPLE_LOOPS: Final = 10
_STAYS_S: Final = 3.0
_STAYS_M: Final = 3.0
_WAITS_S: Final = 60.0
"""The longest that is waited for something to happen at a waypoint that nothing ends."""
_INTO_TERRAIN_M: Final = 1.0
"""Maps of the ground are no better; at home it stands on it."""
_SETTLES_S: Final = 15.0
_SELECTED_S: Final = 0.5
_CLIMBS_S: Final = 600.0
_NEAR_M: Final = 0.8
_WITH_PATH: Final = ("FollowVector", *CIRCLES)


@dataclass(slots=True)
class FlownLeg:
    """The flight to one waypoint. `largest_cross_track_m` beside the line or circle, in truth; None
    where there is no path to be beside."""

    waypoint: int
    start_s: float
    end_s: float
    largest_cross_track_m: float | None = None


@dataclass(frozen=True, slots=True)
class FlownPoint:
    """Where it was, in truth: seconds since the plan began, or since it was armed where the mission
    has a take-off, metres from home, and what is left of
    the battery's charge."""

    time_s: float
    north_m: float
    east_m: float
    up_m: float
    charge_percent: float


@dataclass(slots=True)
class MissionFlight:
    """What came out. `ending` is "landed", "stays", "repeats", "crashed", "diverged", "refused" or
    "time is up"; `reason` says it in words where it did not end well."""

    ending: str = ""
    reason: str = ""
    legs: list[FlownLeg] = field(default_factory=list)
    track: list[FlownPoint] = field(default_factory=list)
    take_off_s: float | None = None
    """From arming until the plan began, where the mission has a take-off."""

    @property
    def is_good(self) -> bool:
        """Whether it flew to the end of the plan."""
        return self.ending in ("landed", "stays", "repeats")

    @property
    def largest_cross_track_m(self) -> float | None:
        """Of all legs that have a path."""
        known = [leg.largest_cross_track_m for leg in self.legs]
        return max((value for value in known if value is not None), default=None)


@dataclass(frozen=True, slots=True)
class MissionTask:
    """What is to be flown. `wind_mps`: how the air moves to the north and east. `limit_s` of
    simulated time. `settings` stand in for the preset's, by object and field. `ground_m` tells the
    height of the ground above home for metres north and east; None where nobody knows. A `firmware`
    flies in the place of the embedded board."""

    mission: Mission
    home: MissionHome
    aircraft: str
    wind_mps: tuple[float, float] = (0.0, 0.0)
    seed: int = 1
    limit_s: float = 3600.0
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    ground_m: Callable[[float, float], float | None] = lambda _north, _east: None
    firmware: FlownFirmware | None = None

    def config(self) -> AutopilotConfig:
        """The aircraft that flies it. Raises PresetError."""
        preset = load_preset(self.aircraft)
        objects = overlaid(overlaid(preset.objects, self.settings), _SETTINGS)
        return AutopilotConfig(replace(preset, objects=objects), self.seed, firmware=self.firmware)


def fly_mission(
    task: MissionTask, catalogue: Catalogue, record: Record | None = None
) -> MissionFlight:
    """Fly it to its end. Raises MissionBoardError for what a board cannot hold, PresetError."""
    config = task.config()
    north, east = task.wind_mps
    plan = ScenarioStep("fly", mode="PathPlanner", throttle=0.5, seconds=task.limit_s)
    upload = ScenarioStep("upload", objects=plan_objects(task.mission, task.home, catalogue))
    task = replace(task, mission=flown_plan(task.mission, task.home))
    scenario = Scenario(
        "mission",
        "A mission",
        world={"wind_north_mps": north, "wind_east_mps": east},
        steps=(*_begin(config, task.mission.take_off), upload, plan),
    )
    return _Flying(SimulatedFlight(config, catalogue, scenario), task).to_the_end(record)


def plan_objects(mission: Mission, home: MissionHome, catalogue: Catalogue) -> tuple[Upload, ...]:
    """What a station writes. Raises MissionBoardError."""
    waypoint, action, plan = (
        catalogue.find(name, DEFAULT_RELEASE) for name in ("Waypoint", "PathAction", "PathPlan")
    )
    image = encode(mission, PlanDefinitions(waypoint, action, plan, DEFAULT_RELEASE), home)
    counts = {
        "WaypointCount": len(image.waypoints),
        "PathActionCount": len(image.actions),
        "Crc": image.crc,
    }
    return (
        *(Upload("Waypoint", values_of(waypoint, r), i) for i, r in enumerate(image.waypoints)),
        *(Upload("PathAction", values_of(action, r), i) for i, r in enumerate(image.actions)),
        Upload("PathPlan", counts),
    )


def _begin(config: AutopilotConfig, take_off: TakeOffStep | None) -> tuple[ScenarioStep, ...]:
    """Into the air: an aeroplane is thrown at full throttle. A multirotor waits until its GPS
    receiver wanders no more, and climbs as the station's take-off has it climb
    (`telemetry/flying/manoeuvres/take_off_to_height.py`)."""
    if config.preset.load_aircraft().parameters["kind"] == FIXED_WING:
        return (
            ScenarioStep("wait", seconds=6.0),
            ScenarioStep("arm", mode="AutoTakeoff"),
            ScenarioStep("fly", mode="AutoTakeoff", throttle=1.0, seconds=15.0),
        )
    settled = ScenarioStep("wait", seconds=_SETTLES_S), ScenarioStep("arm")
    if take_off is None:
        return *settled, ScenarioStep("takeoff")
    there = GuidedPath(0.0, 0.0, -take_off.height_m)
    is_up = Until("PositionState", "Down", _NEAR_M - take_off.height_m, is_most=True)
    return (
        *settled,
        ScenarioStep("takeoff", until=Until("StatusVtolAutoTakeoff", "State", "Hold")),
        ScenarioStep("hold", seconds=_SELECTED_S),
        ScenarioStep("upload", objects=(Upload("PathDesired", there.values()),)),
        ScenarioStep("hold", until=is_up, timeout_s=_CLIMBS_S),
    )


class _Flying:
    """Watches a flight, loop by loop."""

    def __init__(self, flight: SimulatedFlight, task: MissionTask) -> None:
        self._flight = flight
        self._task = task
        self._legs: Sequence[MissionLeg] = legs_of(task.mission, task.home)
        self._active = flight.aircraft.board["WaypointActive"]
        self._landing = flight.aircraft.board["StatusVtolLand"]
        self._output = flight.aircraft.simulator.output
        self._plan_step = len(flight.steps) - 1
        self._takes_off = task.mission.take_off is not None
        self._status = flight.aircraft.board["FlightStatus"]
        self._position = flight.aircraft.board["PositionState"]
        self._began_s: float | None = None
        self._still_since_s = 0.0
        self._result = MissionFlight()

    def to_the_end(self, record: Record | None) -> MissionFlight:
        flight, loops = self._flight, 0
        if record is not None:
            record(0.0, settings_frames(flight.aircraft.board, Dialect()))
        limit_us = self._task.limit_s * 1e6
        while not self._result.ending:
            data = flight.run_loop()
            if record is not None and data:
                record(flight.aircraft.now_s, data)
            loops += 1
            if loops % _SAMPLE_LOOPS == 0 or flight.is_done:
                self._look()
            if flight.aircraft.time_us + LOOP_US > limit_us:
                self._end("time is up", f"It flew {self._task.limit_s:.0f} s without an end.")
        return self._result

    def _look(self) -> None:
        flight, pilot = self._flight, self._flight.pilot
        assert pilot is not None
        if flight.diverged:
            self._end("diverged", flight.diverged)
        elif flight.has_crashed:
            self._end("crashed", f"It hit the ground on {self._where()}.")
        elif pilot.failure:
            self._end("refused", pilot.failure)
        elif self._takes_off or pilot.step_index == self._plan_step:
            self._fly()

    def _where(self) -> str:
        legs = self._result.legs
        return f"the way to waypoint {legs[-1].waypoint + 1}" if legs else "taking off"

    def _fly(self) -> None:
        now_s = self._flight.aircraft.now_s
        is_plan = self._status.option("FlightMode") == "PathPlanner"
        if self._began_s is None:
            if not (is_plan or (self._takes_off and self._status.option("Armed") == "Armed")):
                return
            self._began_s = now_s
        here = self._here()
        time_s = now_s - self._began_s
        charge = 100.0 * float(self._output["true_charge"])
        self._result.track.append(FlownPoint(time_s, *here, charge))
        if not (is_plan or self._result.legs):
            return
        if self._takes_off and self._result.take_off_s is None:
            self._result.take_off_s = time_s
        self._follow(int(self._active.row["Index"]), time_s, here)
        if not self._result.ending:
            self._meet_terrain(here)

    def _meet_terrain(self, here: NorthEastUp) -> None:
        """Who comes down to land ends on it; who flies into it has crashed."""
        ground_m = self._task.ground_m(here[0], here[1])
        if ground_m is None or here[2] > ground_m - _INTO_TERRAIN_M:
            return
        index = self._result.legs[-1].waypoint
        lands = index < len(self._legs) and self._legs[index].mode == "Land"
        if lands:
            self._end("landed", "")
        else:
            self._end("crashed", f"It flew into the terrain on {self._where()}.")

    def _here(self) -> NorthEastUp:
        north, east, down = self._output["true_position"].tolist()
        return north, east, -down

    def _follow(self, index: int, time_s: float, here: NorthEastUp) -> None:
        legs = self._result.legs
        if not legs or legs[-1].waypoint != index:
            if any(leg.waypoint == index for leg in legs) and self._comes_round(index):
                self._end("repeats", "")
                return
            legs.append(FlownLeg(index, time_s, time_s))
            self._still_since_s = time_s
        flown = legs[-1]
        flown.end_s = time_s
        if not 0 <= index < len(self._legs):
            return
        leg = self._legs[index]
        if leg.mode in _WITH_PATH and index > 0:
            beside = abs(cross_track_m(leg, here))
            flown.largest_cross_track_m = max(flown.largest_cross_track_m or 0.0, beside)
        if self._status.option("Armed") == "Disarmed" or (
            leg.mode == "Land" and self._has_landed(time_s)
        ):
            self._end("landed", "")
        elif leg.mode != "Land" and next_of(self._task.mission, index) is None:
            self._wait_there(leg, time_s)

    def _has_landed(self, time_s: float) -> bool:
        """Whether the motors are off, or an aeroplane lies still: a plan disarms neither."""
        if not self._output["touches_ground"]:
            self._still_since_s = time_s
        is_still = time_s - self._still_since_s > _STAYS_S
        return is_still or self._landing.option("State") == "Disarmed"

    def _comes_round(self, index: int) -> bool:
        """Whether a waypoint again means the plan again: it wraps, or jumps back."""
        return index <= self._result.legs[-1].waypoint

    def _wait_there(self, leg: MissionLeg, time_s: float) -> None:
        """Nothing ends this waypoint: enough if it is there for a while, or has circled once. Where
        it is it says itself: its GPS may be off by more than that is near."""
        since = self._result.legs[-1].start_s
        if leg.mode in CIRCLES:
            once = leg.length_m / max(leg.waypoint.velocity_mps, 0.1)
            if time_s - since > max(once, _STAYS_S):
                self._end("stays", "")
            return
        north, east, down = self._position.vector()
        if math.dist((north, east, -down), leg.end) > _STAYS_M:
            self._still_since_s = time_s
        if time_s - self._still_since_s > _STAYS_S or time_s - since > self._patience_s(leg):
            self._end("stays", "")

    def _patience_s(self, leg: MissionLeg) -> float:
        return _WAITS_S + leg.length_m / max(leg.waypoint.velocity_mps, 1.0)

    def _end(self, ending: str, reason: str) -> None:
        self._result.ending, self._result.reason = ending, reason


def cross_track_m(leg: MissionLeg, here: NorthEastUp) -> float:
    """Metres right of a line over ground, or outside of a circle."""
    start, end = leg.start, leg.end
    length = math.dist(start[:2], end[:2])
    if leg.mode in CIRCLES:
        return math.dist(here[:2], end[:2]) - length
    if length < 1e-3:
        return math.dist(here[:2], end[:2])
    north, east = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    return (here[1] - start[1]) * north - (here[0] - start[0]) * east
