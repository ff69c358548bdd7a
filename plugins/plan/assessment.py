"""Mission assessment: all that views say about a plan, worked out in one go off the GUI thread."""

from dataclasses import dataclass, field

from telemetry.base.finding import Level
from telemetry.missions.aircraft_limits import MissionAircraft
from telemetry.missions.checks.check import check_mission, is_refused
from telemetry.missions.checks.situation import MissionFinding, MissionLimits, MissionSituation
from telemetry.missions.estimate import BatteryUse, MissionEstimate, estimate
from telemetry.missions.height_profile import ProfilePoint, height_profile
from telemetry.missions.legs import MissionLeg
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission
from telemetry.missions.terrain.elevation import FLAT_GROUND, GroundHeights

FLAT_WORDS = "No terrain file: the ground is taken for flat at home's height."
_FINEST_STEP_M = 5.0
_PROFILE_POINTS = 1500.0


@dataclass(frozen=True, slots=True)
class PlanQuestion:
    """What is to be judged, and by what. `home` is the aircraft's, else the plan's own."""

    mission: Mission
    aircraft: MissionAircraft = field(default_factory=MissionAircraft)
    limits: MissionLimits = field(default_factory=MissionLimits)
    ground: GroundHeights = FLAT_GROUND
    home: MissionHome | None = None
    battery: BatteryUse | None = None


@dataclass(frozen=True, slots=True)
class PlanAssessment:
    """What was found. `estimate` is None while there is no home, or nothing to fly."""

    question: PlanQuestion
    findings: tuple[MissionFinding, ...] = ()
    legs: tuple[MissionLeg, ...] = ()
    estimate: MissionEstimate | None = None
    profile: tuple[ProfilePoint, ...] = ()
    flown: Mission = field(default_factory=Mission)
    """The plan with its ending as waypoints, which legs and findings count through."""

    @property
    def levels(self) -> dict[int, Level]:
        """The worst that was found of each waypoint of which something was."""
        levels: dict[int, Level] = {}
        for found in self.findings:
            for index in found.waypoints:
                levels[index] = max(levels.get(index, Level.OK), found.finding.level)
        return levels

    @property
    def is_refused(self) -> bool:
        """Whether it must not be sent as it is."""
        return is_refused(self.findings)


def assess(question: PlanQuestion) -> PlanAssessment:
    """Judge a plan. Files of terrain are read here, which may take a while."""
    home = question.home
    situation = MissionSituation(
        question.mission, question.aircraft, question.limits, question.ground, home
    )
    mission = situation.mission
    findings = check_mission(situation)
    legs = situation.legs
    if home is None or not legs:
        return PlanAssessment(question, findings, legs, flown=mission)
    length_m = sum(leg.length_m for leg in legs)
    step_m = max(_FINEST_STEP_M, length_m / _PROFILE_POINTS)
    return PlanAssessment(
        question,
        findings,
        legs,
        estimate(mission, legs, question.aircraft, question.battery),
        height_profile(mission, legs, home, question.ground, step_m),
        mission,
    )
