"""Mission check: all checks of a mission before it is sent."""

from collections.abc import Callable, Iterator
from typing import Final

from telemetry.base.finding import Level
from telemetry.missions.checks.ability import check_ability
from telemetry.missions.checks.end_conditions import check_endings
from telemetry.missions.checks.geography import check_geography
from telemetry.missions.checks.situation import MissionFinding, MissionSituation, named
from telemetry.missions.checks.structure import check_structure

MISSION_CHECKS: Final[tuple[Callable[[MissionSituation], Iterator[MissionFinding]], ...]] = (
    check_structure,
    check_endings,
    check_geography,
    check_ability,
)


def check_mission(situation: MissionSituation) -> tuple[MissionFinding, ...]:
    """What was found, the worst first. An ERROR is not sent."""
    findings = [
        named(finding, situation.plan) for check in MISSION_CHECKS for finding in check(situation)
    ]
    return tuple(sorted(findings, key=lambda f: (-f.finding.level, f.waypoints)))


def is_refused(findings: tuple[MissionFinding, ...]) -> bool:
    """Whether there is something that the mission must not be sent with."""
    return any(f.finding.level is Level.ERROR for f in findings)
