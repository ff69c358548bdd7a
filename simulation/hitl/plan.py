"""What a flight with hardware in the loop is to be, and what came of it."""

from dataclasses import dataclass
from typing import Any

from simulation.aircraft import AircraftParameters


@dataclass(frozen=True, slots=True)
class HitlPlan:
    """What to fly, and the board at which address does it.

    `sensors` are names of `simulation.sensor_table.SUPPLIED_SENSORS`; `rate_hz` is how often
    sensors go and actuator commands come. `duration_s` counts flying; None flies until it is
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
    those that are not as they were. `still_armed`: the board was when the flight ended.
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
            "problems": list(self.problems),
        }
