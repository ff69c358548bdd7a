"""Sheet of a rotorcraft: what a hover takes, and what wind and full sticks do to it."""

import math
from collections.abc import Sequence

import numpy as np

from simulation.aircraft.aircraft import AircraftParameters
from simulation.aircraft.performance import disc_loading, figure_of_merit, hover
from simulation.aircraft.trim import nominal_voltage
from simulation.autopilot.preset import Preset
from simulation.scenarios.figure import Axes, series
from simulation.sheet.contents import SheetRow
from simulation.sheet.steady_flight import (
    SteadyFlight,
    fastest_climb_mps,
    hover_in_wind,
    level_flights,
)
from telemetry.protocol.objects.catalogue import Catalogue

STEP_AXES = ("roll", "pitch", "yaw")
_WIND_STEP_MPS = 1.0


def describe(
    aircraft: AircraftParameters, preset: Preset, catalogue: Catalogue
) -> tuple[tuple[SheetRow, ...], tuple[Axes, ...]]:
    """The rows and the diagrams of steady flight."""
    hovers = list(hover_in_wind(preset, catalogue, _WIND_STEP_MPS))
    held = [flown for flown in hovers if flown.is_held]
    ahead = list(level_flights(preset, catalogue))
    rows = (
        *_still(aircraft),
        *_flown(aircraft, held, ahead),
        SheetRow("fastest climb", fastest_climb_mps(preset, catalogue), "m/s", "full throttle"),
    )
    return rows, _diagrams(aircraft, held, ahead)


def _still(aircraft: AircraftParameters) -> tuple[SheetRow, ...]:
    """By the equations of its rotors at sea level."""
    p = aircraft.parameters
    point = hover(p)
    return (
        SheetRow("mass", float(p["mass"]), "kg"),
        SheetRow("disc loading", disc_loading(p), "N/m²"),
        SheetRow("figure of merit", figure_of_merit(p), "", "of a hover"),
        SheetRow("hover throttle", 100.0 * point.duty, "%", "of full voltage, full battery"),
        SheetRow("thrust to weight", point.thrust_to_weight, "", "full battery"),
    )


def _flown(
    aircraft: AircraftParameters, held: Sequence[SteadyFlight], ahead: Sequence[SteadyFlight]
) -> tuple[SheetRow, ...]:
    """By its own autopilot; figures that could not be flown are nan."""
    nowhere = SteadyFlight(math.nan, math.nan, math.nan, math.inf)
    still, cheapest = held[0] if held else nowhere, min(held, key=_power, default=nowhere)
    fastest = max(ahead, key=lambda flown: flown.speed_mps, default=nowhere)
    windiest = held[-1] if held else nowhere
    return (
        SheetRow("hover power", still.power_w, "W", "of the battery"),
        SheetRow("hover endurance", _minutes(aircraft, still), "min", "to an empty battery"),
        SheetRow(
            "longest endurance",
            _minutes(aircraft, cheapest),
            "min",
            f"at {cheapest.speed_mps:.0f} m/s",
        ),
        SheetRow("wind limit", windiest.speed_mps, "m/s", f"tilted {windiest.tilt_deg:.0f}°"),
        SheetRow("top speed", fastest.speed_mps, "m/s", f"tilted {fastest.tilt_deg:.0f}°"),
    )


def _power(flown: SteadyFlight) -> float:
    return flown.power_w


def _minutes(aircraft: AircraftParameters, flown: SteadyFlight) -> float:
    """How long the battery gives this power at its nominal voltage."""
    charge_as = float(aircraft.parameters["capacity_as"])
    return charge_as * nominal_voltage(aircraft) / flown.power_w / 60.0


def _diagrams(
    aircraft: AircraftParameters, held: Sequence[SteadyFlight], ahead: Sequence[SteadyFlight]
) -> tuple[Axes, ...]:
    still = np.array([flown.speed_mps for flown in held])
    moving = np.array([flown.speed_mps for flown in ahead])

    def curve(title: str, unit: str, of: Sequence[Sequence[float]]) -> Axes:
        both = (
            series("hover in wind", still, of[0]),
            series("level flight", moving, of[1], "dashed"),
        )
        return Axes(title, "airspeed, m/s", unit, both)

    flights = (held, ahead)
    return (
        curve("Tilt", "degrees", [[one.tilt_deg for one in some] for some in flights]),
        curve("Power", "W", [[one.power_w for one in some] for some in flights]),
        curve("Endurance", "min", [[_minutes(aircraft, one) for one in some] for some in flights]),
    )
