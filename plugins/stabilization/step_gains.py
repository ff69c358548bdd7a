"""Step test gains: a bank as an airframe file, for the simulator to fly."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from telemetry.configuration.settings.slots import slots_of
from telemetry.configuration.settings.stabilization_banks import BANKS, SHARED
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.sample import Value

DEFAULT_AIRCRAFT = "ar100b"
_SIMULATED_BANK = BANKS[0]
_SHARED_FIELDS = ("GyroTau", "DerivativeCutoff", "DerivativeGamma", "MeasureBasedDTerm")
# Half a stick asks for 15 degrees and a quarter for 30 deg/s, whatever the sticks are set to: the
# test is about gains.
_STICKS: Mapping[str, Any] = {
    "RollMax": 30,
    "PitchMax": 30,
    "StickExpo": [0, 0, 0],
    "ManualRate": [120, 120, 120],
}


@dataclass(frozen=True, slots=True)
class SimulatedAircraft:
    """One that the simulator has, and what a person calls it."""

    name: str
    title: str


def simulated_aircraft() -> tuple[SimulatedAircraft, ...]:
    """The rotorcraft on offer: an aeroplane cannot fly steps from a hover."""
    found = []
    for file in resources.files("resources").joinpath("airframes").iterdir():
        if file.name.endswith(".json"):
            content = json.loads(file.read_text(encoding="utf-8"))
            kind = content.get("objects", {}).get("SystemSettings", {}).get("AirframeType", "")
            if not kind.startswith("FixedWing"):
                found.append(SimulatedAircraft(content["name"], content["title"]))
    return tuple(sorted(found, key=lambda aircraft: aircraft.title))


def aircraft_of(vehicle_name: str, known: tuple[SimulatedAircraft, ...]) -> str:
    """Which simulated aircraft stands in for a vehicle: itself, if it is one."""
    name = vehicle_name.removeprefix("sim:").partition(" ")[0]
    return name if any(aircraft.name == name for aircraft in known) else DEFAULT_AIRCRAFT


def airframe_with(
    aircraft: str, bank: Mapping[str, Value], shared: Mapping[str, Value], catalogue: Catalogue
) -> dict[str, Any]:
    """An airframe file: a simulated aircraft with these gains, by path.

    What the simulator's firmware does not have is left out.
    """
    known = slots_of(catalogue.find(_SIMULATED_BANK))
    gains: dict[str, Any] = {path: value for path, value in bank.items() if path in known}
    for field in _STICKS:
        gains = {p: value for p, value in gains.items() if p.partition(".")[0] != field}
    chosen = {path: shared[path] for path in _SHARED_FIELDS if path in shared}
    common = slots_of(catalogue.find(SHARED))
    return {
        "base": aircraft,
        "objects": {
            _SIMULATED_BANK: {**_STICKS, **gains},
            SHARED: {path: value for path, value in chosen.items() if path in common},
        },
    }
