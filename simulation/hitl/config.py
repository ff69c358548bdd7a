"""HITL flight configuration, and the result of the flight."""

from dataclasses import dataclass
from typing import Any

from simulation.aircraft.aircraft import AircraftParameters
from telemetry.configuration.arming.checklist import Checklist
from telemetry.recording.alarms import Alarm


@dataclass(frozen=True, slots=True)
class HitlConfig:
    """What to fly, and the board at which address does it.

    `sensors` are names of `simulation.records.sensor_table.SUPPLIED_SENSORS`; `rate_hz` is how
    often sensors go and actuator commands come. `duration_s` counts flying; None flies until it is
    stopped. `restore_only` restores what a flight before has changed, and ends.
    """

    aircraft: AircraftParameters
    address: str
    seed: int
    sensors: tuple[str, ...]
    rate_hz: int
    duration_s: float | None = None
    restore_only: bool = False


@dataclass(slots=True)
class HitlResult:
    """What came of it; without `problems` (sentences) it went well.

    `supplied` and `missing` are sensors; `restored` are objects restored and verified, `unrestored`
    those that are not as they were. `still_armed`: the board was when the flight ended. `alarms`
    and `checklist` are what it said of itself then.
    """

    board: str = ""
    supplied: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    unrestored: tuple[str, ...] = ()
    flown_s: float = 0.0
    commands: int = 0
    crashed: bool = False
    interrupted: bool = False
    still_armed: bool = False
    alarms: tuple[Alarm, ...] = ()
    checklist: Checklist | None = None
    problems: tuple[str, ...] = ()

    def note(self, problem: str) -> None:
        """Add a problem, once."""
        if problem not in self.problems:
            self.problems = (*self.problems, problem)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "board": self.board,
            "supplied": list(self.supplied),
            "missing": list(self.missing),
            "restored": list(self.restored),
            "owed": list(self.unrestored),
            "flown_s": round(self.flown_s, 3),
            "actuator_commands": self.commands,
            "crashed": self.crashed,
            "interrupted": self.interrupted,
            "still_armed": self.still_armed,
            "alarms": [_alarm(alarm) for alarm in self.alarms],
            "checklist": None if self.checklist is None else _checklist(self.checklist),
            "problems": list(self.problems),
        }


def _alarm(alarm: Alarm) -> dict[str, str]:
    text = alarm.detail or alarm.meaning
    return {"name": alarm.name, "severity": alarm.severity, "text": text, "remedy": alarm.remedy}


def _checklist(checklist: Checklist) -> dict[str, Any]:
    checks = [
        {"title": c.title, "level": c.level.name.lower(), "text": c.text, "remedy": c.remedy}
        for c in checklist.checks
    ]
    return {"summary": checklist.summary, "checks": checks}
