"""A6: the emergency landing on an empty battery.

A battery with little charge left hovers above the threshold, sags below it in a short climb,
which must not end the flight, and then drains until its voltage under load crosses the threshold
for good: after the debounce time it lands, by itself and softly.

The board looks twice a second, without a hysteresis (battery.c), and lands once all of the debounce
time's looks were below the threshold. A look is off by 0.02 V of three cells, 7 mV of each, and the
hover drains 1 mV/s: then the mean of these 2 s lies 12 mV below to 9 mV above the threshold (3000
draws), to which thrust that wanders adds 3 mV. Hence the band of -20 to 10 mV.
"""

import math
from dataclasses import replace
from typing import Final

import numpy as np

from simulation.aircraft.performance import hover
from simulation.records.flight import ROTORCRAFT
from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of
from simulation.scenarios.figure import Axes, Figure, curves, series
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.flight_measures import heights, touchdown_mps
from simulation.scenarios.measures import Column
from simulation.scenarios.scenario import ScenarioStep

SERIOUS_V: Final = 3.3
"""Where AR100B's preset becomes critical; the battery is emptied to there
whatever the threshold."""
_MEAN_ROWS = 100
"""Rows of the two seconds of the debounce."""


def run(experiment: Experiment) -> RunOutcome:
    """Fly the script; measure the sag, the voltage at which it lands and the touchdown."""
    experiment.insist_on(ROTORCRAFT)
    flight = experiment.fly(_steps(experiment))
    threshold = experiment.values["critical_v"]
    metrics = {
        "sag_v": _sag_v(flight),
        "landing_margin_v": _landing_margin_v(flight, threshold),
        "touchdown_mps": touchdown_mps(flight.track),
    }
    return outcome_of(flight, metrics, _figure(flight, threshold))


def _steps(experiment: Experiment) -> list[ScenarioStep]:
    """The script, with the charge at which this aircraft hovers a little above SERIOUS_V."""
    aircraft = experiment.preset().load_aircraft()
    wanted_v = SERIOUS_V + experiment.values["margin_v"]
    left = {"battery_charge": _charge_for(aircraft.parameters, wanted_v)}
    return [
        replace(step, values=left) if step.label == "emptied" else step
        for step in experiment.scenario.steps
    ]


def _charge_for(p: np.void, cell_v: float) -> float:
    """The charge 0..1 at which a cell has this voltage while hovering: its open-circuit voltage is
    what the resistances take away from it at hover's power."""
    power_w = hover(p).power_w + float(p["avionics_power"])
    current_a = power_w / (cell_v * float(p["cells"]))
    open_v = cell_v + current_a * float(p["cell_resistance"] + p["cell_rc_resistance"])
    ocv = p["cell_ocv"]
    return float(np.interp(open_v, ocv, np.linspace(0.0, 1.0, len(ocv))))


def _cell_v(flight: SimulatedFlight) -> Column:
    voltage: Column = (
        flight.track["true_battery_voltage"] / flight.aircraft.simulator.aircraft.cells
    )
    return voltage


def _sag_v(flight: SimulatedFlight) -> float:
    """How much the voltage of a cell fell in the climb."""
    volts, cruise, spurt = _cell_v(flight), flight.rows("cruise"), flight.rows("spurt")
    if not (cruise.size and spurt.size):
        return math.nan
    return float(volts[cruise[-1]] - volts[spurt].min())


def _landing_margin_v(flight: SimulatedFlight, threshold_v: float) -> float:
    """Where the voltage of a cell was when it decided to land, above the threshold: mean over the
    last seconds before, while the alarm stood."""
    draining = flight.rows("draining")
    if not draining.size:
        return math.nan
    return float(_cell_v(flight)[draining[-_MEAN_ROWS:]].mean()) - threshold_v


def _figure(flight: SimulatedFlight, threshold_v: float) -> Figure:
    t, landing = flight.track.time_s, flight.rows("landing")
    lands = (float(t[landing[0]]),) * 2 if landing.size else ()
    height = heights(flight.track)
    ends = (0.0, float(height.max())) if landing.size else ()
    time, cells = ("time, s", t), {"under load": _cell_v(flight)}
    drawn = (series("height", t, height), series("lands by itself", lands, ends, "dashed"))
    axes = (
        curves("Battery", time, "V per cell", cells, bands=(threshold_v,)),
        Axes("Height", "time, s", "m", drawn),
    )
    return Figure("Emergency landing on an empty battery", axes)
