"""Carried mission: what of a file could be taken, and in sentences what could not."""

from dataclasses import dataclass

from telemetry.missions.mission import Mission


@dataclass(frozen=True, slots=True)
class CarriedMission:
    """`left_out` has a sentence for each thing, which item it is and why. `is_own`: whether the
    file keeps all of it, so that it may be saved there again."""

    mission: Mission
    left_out: tuple[str, ...] = ()
    is_own: bool = False
