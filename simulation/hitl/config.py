"""HITL flight configuration, and the result of the flight."""

from dataclasses import dataclass, field
from typing import Any

from simulation.aircraft.aircraft import AircraftParameters
from simulation.hitl.lateness import Lateness
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
    and `checklist` are what it said of itself then. `faults` are sentences
    too, of what went wrong in the air: like `crashed` they say nothing of the board unless the
    flight `is_judged`.
    """

    board: str = ""
    supplied: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    unrestored: tuple[str, ...] = ()
    flown_s: float = 0.0
    commands: int = 0
    lateness: Lateness = field(default_factory=Lateness)
    crashed: bool = False
    faults: tuple[str, ...] = ()
    interrupted: bool = False
    still_armed: bool = False
    alarms: tuple[Alarm, ...] = ()
    checklist: Checklist | None = None
    problems: tuple[str, ...] = ()

    @property
    def is_judged(self) -> bool:
        """Whether it was in time, so that it says something of the board."""
        return not self.lateness.reasons

    def note(self, problem: str) -> None:
        """Add a problem, once."""
        if problem not in self.problems:
            self.problems = (*self.problems, problem)

    def blame(self, fault: str) -> None:
        """Add a fault of the flight, once."""
        if fault not in self.faults:
            self.faults = (*self.faults, fault)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        is_judged = self.is_judged
        return {
            "board": self.board,
            "supplied": list(self.supplied),
            "missing": list(self.missing),
            "restored": list(self.restored),
            "owed": list(self.unrestored),
            "flown_s": round(self.flown_s, 3),
            "actuator_commands": self.commands,
            "rate_hz": round(1.0 / self.lateness.period_s) if self.lateness.period_s else None,
            "lateness": self.lateness.as_dict(),
            "crashed": self.crashed if is_judged else None,
            "interrupted": self.interrupted,
            "still_armed": self.still_armed,
            "alarms": [_alarm(alarm) for alarm in self.alarms],
            "checklist": None if self.checklist is None else _checklist(self.checklist),
            "problems": [*self.problems, *(self.faults if is_judged else ())],
            "not_judged": [] if is_judged else list(self.faults),
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
