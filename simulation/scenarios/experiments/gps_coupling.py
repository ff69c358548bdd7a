"""B5: a GPS receiver's velocity error is what its position error grows by (seed 001, 3.3).

The aircraft stands still, so that whatever position and velocity the receiver tells are errors.
Over windows of some seconds the slope of the position is compared with the mean velocity. The
position error is forgotten slowly, e_p' = -e_p / tau_p + e_v, which takes the correlation from 1
down to sqrt(tau_p / (tau_p + tau_v)). That is 0.87 for the AR100B's receiver, whose 60 s keep it
within a metre; the seed's coupling alone is seen with a longer time, which the scenario sets.
`own_correlation` is that of the receiver as the aircraft has it.
"""

import numpy as np
import numpy.typing as npt

from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Axes, Figure, series
from simulation.scenarios.measures import rms
from simulation.sensor_table import GPS

Array = npt.NDArray[np.float64]

_WINDOW_S = 10.0
_MEMBERS = ("gps_latitude_deg", "gps_longitude_deg", "gps_velocity")
_SHOWN_S = 300.0


def run(experiment: Experiment) -> RunOutcome:
    """Measure; without coupling, position and velocity come from different receivers."""
    tau_s = experiment.values["position_tau_s"]
    place, velocity, dt, digest = _measure(experiment, 0, tau_s)
    if experiment.values["coupled"] == 0.0:
        place = _measure(experiment, 1, tau_s)[0]
    slope, mean = _windows(place, velocity, dt)
    own = _windows(*_measure(experiment, 0, None)[:3])
    metrics = {
        "correlation": float(np.corrcoef(slope.ravel(), mean.ravel())[0, 1]),
        "own_correlation": float(np.corrcoef(own[0].ravel(), own[1].ravel())[0, 1]),
        "position_rms_m": rms(place),
    }
    return RunOutcome(metrics, _draw(place, velocity, (slope, mean), dt), digest)


def _measure(
    experiment: Experiment, number: int, tau_s: float | None
) -> tuple[Array, Array, float, str]:
    """Position and velocity errors north and east, the time between them, a digest. `tau_s` is
    how fast the position error is forgotten, None as the aircraft has it."""

    def prepare(p: np.void) -> None:
        if tau_s is not None:
            p["gps_position_tau"] = tau_s
        p["gps_first_fix"] = 0

    simulator = experiment.simulator(number, change=prepare)
    p = simulator.aircraft.parameters
    period = int(p["sensor_period"][GPS])
    simulator.advance(period + int(p["sensor_delay"][GPS]))
    flight = experiment.bare_flight(simulator, _MEMBERS, sample_steps=period)
    flight.advance(experiment.values["seconds"])
    track = flight.track
    degrees = (
        track["gps_latitude_deg"] - simulator.place.latitude_deg,
        track["gps_longitude_deg"] - simulator.place.longitude_deg,
    )
    place = np.column_stack(degrees) * simulator.world["metres_per_degree"]
    return place, np.asarray(track["gps_velocity"][:, :2]), period * 0.001, track.digest()


def _windows(place: Array, velocity: Array, dt: float) -> tuple[Array, Array]:
    """Slope of the position by least squares and mean velocity of each window, (windows, 2)."""
    size = round(_WINDOW_S / dt)
    count = len(place) // size
    time = (np.arange(size) - 0.5 * (size - 1)) * dt
    weights = time / np.sum(np.square(time))
    windows = place[: count * size].reshape(count, size, 2)
    means = velocity[: count * size].reshape(count, size, 2).mean(axis=1)
    return np.einsum("wsa,s->wa", windows, weights), means


def _draw(place: Array, velocity: Array, pairs: tuple[Array, Array], dt: float) -> Figure:
    slope, mean = pairs
    shown = round(_SHOWN_S / dt)
    time = np.arange(len(place[:shown])) * dt
    line = np.array([mean.min(), mean.max()])
    return Figure(
        "GPS errors of an aircraft that stands still",
        (
            Axes(
                "Where the position goes is where the velocity errs",
                "velocity error, m/s",
                "change of position error, m/s",
                (
                    series("windows of 10 s", mean.ravel(), slope.ravel(), "dots"),
                    series("equal", line, line, "dashed"),
                ),
                equal=True,
            ),
            Axes(
                "North",
                "time, s",
                "m and cm/s",
                (
                    series("position error", time, place[:shown, 0]),
                    series("velocity error, cm/s", time, 100.0 * velocity[:shown, 0]),
                ),
            ),
        ),
    )
