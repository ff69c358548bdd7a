"""A2: the aircraft drifts with a crosswind, position hold stops it and leans it into the wind.

Seed 000, figure 5 (top), in five pictures: at rest; deflected by the wind heading north; slowed
down after hold was switched on; leaning into the wind; at rest again. It faces east, so that the
wind comes from its right and it leans by roll.
"""

from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.figures import position_track
from simulation.scenarios.flight import Rows, SimulatedFlight
from simulation.scenarios.flight_measures import attitudes_deg, tilts_deg, touchdown_mps
from simulation.scenarios.measures import distances, rms

_SLOWING_S = 12.0
"""How long hold may take to come to rest before its position error counts."""
_CALMING_S = 8.0
_WIND = "wind heading north"


def run(experiment: Experiment) -> RunOutcome:
    """Fly the script and measure each of its pictures."""
    flight = experiment.fly()
    return outcome_of(
        flight,
        _metrics(flight),
        _figure(flight),
        f"GPS error meanwhile {_gps_error_m(flight):.2f} m rms; it is part of the flight.",
    )


def _metrics(flight: SimulatedFlight) -> dict[str, float]:
    """`hold_rms_m` is the distance from the mean place held; `return_m` how far apart the places
    held in wind and in calm are, which GPS drift is part of."""
    track = flight.track
    place = track["true_position"][:, :2]
    angles = attitudes_deg(track)
    idle, deflected, held = flight.rows("idle"), flight.rows("deflected"), _held(flight)
    calm = flight.rows("calm", _CALMING_S)
    if not all(rows.size for rows in (idle, deflected, held, calm)):
        return {}
    middle = place[held].mean(axis=0)
    return {
        "deflection_m": float(distances(place[deflected[-1:]], place[idle[-1]])[0]),
        "hold_rms_m": rms(distances(place[held], middle)),
        "lean_into_wind_deg": float(angles[held, 0].mean()),
        "return_m": float(distances(place[calm].mean(axis=0)[None], middle)[0]),
        "idle_tilt_deg": float(tilts_deg(track)[calm].mean()),
        "touchdown_mps": touchdown_mps(track),
    }


def _held(flight: SimulatedFlight) -> Rows:
    return flight.rows("held", _SLOWING_S)


def _gps_error_m(flight: SimulatedFlight) -> float:
    held = _held(flight)
    error = flight.track["position"][held, :2] - flight.track["true_position"][held, :2]
    return rms(distances(error, (0.0, 0.0)))


def _figure(flight: SimulatedFlight) -> Figure:
    track = flight.track
    time, place = ("time, s", track.time_s), track["true_position"]
    drift = {"north": place[:, 0], "east": place[:, 1], _WIND: track["true_wind"][:, 0]}
    roll = {"roll": attitudes_deg(track)[:, 0]}
    axes = (
        curves("Deflected, held, and calm again", time, "m, m/s", drift, {_WIND: "dashed"}),
        curves("Leaning into the wind", time, "degrees", roll),
        position_track(flight),
    )
    return Figure("Position hold in a crosswind heading north", axes)
