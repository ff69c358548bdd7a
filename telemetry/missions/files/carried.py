"""Carried mission: what of a file could be taken, and in sentences what could not."""

from dataclasses import dataclass

from telemetry.missions.mission import Mission


@dataclass(frozen=True, slots=True)
class CarriedMission:
    """`left_out` has a sentence for each thing, which item it is and why."""

    mission: Mission
    left_out: tuple[str, ...] = ()
