"""B5: a GPS receiver's velocity error is what its position error grows by (seed 001, 3.3).

The aircraft stands still, so that whatever position and velocity the receiver tells are errors.
The position error is forgotten over the aircraft's own time constant, as long as it flies:

    e_p' = a e_v - b e_p / tau_p,  a = b = 1

Over windows of some seconds the slope of the position is regressed on the means of both, by least
squares. `correlation` is the coefficient of multiple correlation: how much of the slope they
explain. The slope of a line fitted to a window is the mean of the rate weighted by a parabola, and
so weighted are the means.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.records.interface import STEP_S
from simulation.records.sensor_table import GPS
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Axes, Figure, curves, series
from simulation.scenarios.measures import rms
from telemetry.base.earth.tangent_plane import plane_at

Array = npt.NDArray[np.float64]

_WINDOW_S = 20.0
_MEMBERS = ("gps_latitude_deg", "gps_longitude_deg", "gps_velocity")
_SHOWN_S = 300.0


@dataclass(frozen=True, slots=True)
class _Fixes:
    """How a receiver delivers: the time between fixes, and over which it forgets an error of its
    position as its file says."""

    period_s: float
    position_tau_s: float


def run(experiment: Experiment) -> RunOutcome:
    """Metrics: the correlation, a and b. Without coupling, position and velocity come from
    different receivers."""
    place, velocity, fixes, digest = _measure(experiment, 0)
    if experiment.values["coupled"] == 0.0:
        place = _measure(experiment, 1)[0]
    slope = _windows(place, fixes.period_s, _slope_weights)
    causes = (
        _windows(velocity, fixes.period_s, _mean_weights),
        _windows(-place / fixes.position_tau_s, fixes.period_s, _mean_weights),
    )
    factors, explained = _regress(slope.ravel(), [cause.ravel() for cause in causes])
    metrics = {
        "correlation": float(np.corrcoef(slope.ravel(), explained)[0, 1]),
        "velocity_factor": float(factors[0]),
        "position_factor": float(factors[1]),
        "position_rms_m": rms(place),
        "position_tau_s": fixes.position_tau_s,
    }
    return RunOutcome(
        metrics, _draw(place, velocity, (slope.ravel(), explained), fixes.period_s), digest
    )


def _measure(experiment: Experiment, number: int) -> tuple[Array, Array, "_Fixes", str]:
    """Position and velocity errors north and east, how they are taken, a digest."""

    def prepare(p: np.void) -> None:
        p["gps_position_tau"] *= experiment.values["tau_factor"]
        p["gps_first_fix"] = 0

    own_tau_s = float(experiment.simulator(number).aircraft.parameters["gps_position_tau"])
    simulator = experiment.simulator(number, change=prepare)
    p = simulator.aircraft.parameters
    period = int(p["sensor_period"][GPS])
    simulator.advance(period + int(p["sensor_delay"][GPS]))
    flight = experiment.bare_flight(simulator, _MEMBERS, sample_steps=period)
    flight.advance(experiment.values["seconds"])
    track = flight.track
    plane = plane_at(simulator.place.latitude_deg, simulator.place.longitude_deg)
    return (
        plane.north_east_many(track["gps_latitude_deg"], track["gps_longitude_deg"]),
        np.asarray(track["gps_velocity"][:, :2]),
        _Fixes(period * STEP_S, own_tau_s),
        track.digest(),
    )


def _windows(values: Array, dt: float, weights_of: Callable[[Array], Array]) -> Array:
    """The weighted sum over each window, (windows, 2)."""
    size = round(_WINDOW_S / dt)
    count = len(values) // size
    time: Array = (np.arange(size, dtype=np.float64) - 0.5 * (size - 1)) * dt
    windows = values[: count * size].reshape(count, size, 2)
    return np.array(np.tensordot(weights_of(time), windows, axes=(0, 1)))


def _slope_weights(time: Array) -> Array:
    """Sums weighted by these are slopes by least squares."""
    weights: Array = time / np.sum(np.square(time))
    return weights


def _mean_weights(time: Array) -> Array:
    """Sums weighted by these are the means of the rate that such a slope contains."""
    parabola: Array = np.square(time[-1]) - np.square(time)
    weights: Array = parabola / parabola.sum()
    return weights


def _regress(effect: Array, causes: Sequence[Array]) -> tuple[Array, Array]:
    """The factors of the causes by least squares, and the effect that they explain."""
    matrix = np.column_stack(causes)
    factors: Array = np.linalg.lstsq(matrix, effect)[0].astype(np.float64)
    return factors, np.array(matrix @ factors)


def _draw(place: Array, velocity: Array, pairs: tuple[Array, Array], dt: float) -> Figure:
    slope, explained = pairs
    shown = round(_SHOWN_S / dt)
    line = np.array([explained.min(), explained.max()])
    cause = Axes(
        "The position goes where the velocity errs, and back home",
        "by velocity error and position error over its time constant, m/s",
        "change of position error, m/s",
        (
            series(f"windows of {_WINDOW_S:g} s", explained, slope, "dots"),
            series("equal", line, line, "dashed"),
        ),
        equal=True,
    )
    time = ("time, s", np.arange(len(place[:shown])) * dt)
    velocity_cmps = 100.0 * velocity[:shown, 0]
    north = {"position error": place[:shown, 0], "velocity error, cm/s": velocity_cmps}
    errors = curves("North", time, "m and cm/s", north)
    return Figure("GPS errors of an aircraft that stands still", (cause, errors))
