"""Sheet of an aeroplane: level flight at every speed, solved for, and how it swings."""

import math
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from simulation.aircraft.aircraft import AircraftParameters
from simulation.aircraft.trim import Modes, NoTrimError, Trim, modes, nominal_voltage, trim
from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import Preset
from simulation.environment.earth import GRAVITY
from simulation.scenarios.figure import Axes, curves
from simulation.sheet.contents import SheetRow
from telemetry.protocol.objects.catalogue import Catalogue

STEP_AXES = ("roll", "pitch")
_SPEEDS = np.arange(5.0, 60.0, 0.25)


def describe(
    aircraft: AircraftParameters, preset: Preset, catalogue: Catalogue
) -> tuple[tuple[SheetRow, ...], tuple[Axes, ...]]:
    """The rows and the diagrams of level flight; at sea level and nominal voltage."""
    voltage = nominal_voltage(aircraft)
    trims = []
    for speed in _SPEEDS.tolist():
        with suppress(NoTrimError):
            trims.append(trim(aircraft, speed, voltage))
    if not trims:
        raise NoTrimError("It cannot fly level at any speed: look at its wing and its motor.")
    longest = max(trims, key=lambda one: one.endurance)
    farthest = max(trims, key=lambda one: one.endurance * one.speed)
    guided = factory_simulator(preset, catalogue).settings
    rows = (
        *_geometry(aircraft),
        SheetRow("slowest", trims[0].speed, "m/s", "level, above it stalls or lacks elevator"),
        SheetRow("power of level flight", longest.power, "W", f"at {longest.speed:.1f} m/s"),
        SheetRow(
            "longest endurance", longest.endurance / 60.0, "min", f"at {longest.speed:.1f} m/s"
        ),
        SheetRow(
            "farthest",
            farthest.endurance * farthest.speed / 1000.0,
            "km",
            f"at {farthest.speed:.1f} m/s",
        ),
        SheetRow("top speed", trims[-1].speed, "m/s", "level"),
        SheetRow("wind limit", float(guided["wing_speed"][1]), "m/s", "fastest its guidance flies"),
        *_swings(modes(aircraft, longest, voltage)),
    )
    return rows, _diagrams(trims)


def _geometry(aircraft: AircraftParameters) -> tuple[SheetRow, ...]:
    p = aircraft.parameters
    area = float(p["wing_area"])
    return (
        SheetRow("mass", float(p["mass"]), "kg"),
        SheetRow("wing loading", float(p["mass"]) * GRAVITY / area, "N/m²"),
        SheetRow("aspect ratio", float(p["wing_span"]) ** 2 / area),
    )


def _swings(found: Modes) -> tuple[SheetRow, ...]:
    """Pairs of eigenvalues, the fast one before the slow one."""
    pairs = [value for value in found.longitudinal if value.imag > 0.0]
    names = ("short period", "phugoid") if len(pairs) > 1 else ("phugoid",)
    rolls = [value for value in found.lateral if value.imag > 0.0]
    named = [*zip(names, pairs, strict=False), *(("Dutch roll", value) for value in rolls)]
    return tuple(
        SheetRow(
            name,
            2.0 * math.pi / abs(value),
            "s",
            f"damping ratio {-value.real / abs(value):.2f}",
        )
        for name, value in named
    )


def _diagrams(trims: Sequence[Trim]) -> tuple[Axes, ...]:
    speeds = ("airspeed, m/s", [one.speed for one in trims])
    degrees = {
        "angle of attack": [math.degrees(one.alpha) for one in trims],
        "elevator": [math.degrees(one.elevator) for one in trims],
    }
    watts = {
        "motor takes": [one.power for one in trims],
        "shaft gives": [one.shaft_power for one in trims],
    }
    minutes = {"level flight": [one.endurance / 60.0 for one in trims]}
    return (
        curves("Trim", speeds, "degrees", degrees, {"elevator": "dashed"}),
        curves("Power", speeds, "W", watts, {"shaft gives": "dashed"}),
        curves("Endurance", speeds, "min", minutes),
    )
