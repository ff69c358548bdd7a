"""The figures of scripted flights, by the name in a scenario's `figure`."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from simulation.scenarios.figure import Axes, Figure, Style, curves, from_above
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.flight_measures import attitudes_deg, heights


def draw(flight: SimulatedFlight) -> Figure | None:
    """The figure the flight's scenario asks for; None if nothing was flown."""
    if flight.scenario is None or not len(flight.track):
        return None
    title = flight.scenario.title
    return Figure(title, FIGURES[flight.scenario.figure](flight))


def position_track(flight: SimulatedFlight) -> Axes:
    """The way over ground, north up: truth and what the aircraft thought."""
    track = flight.track
    estimated = track["position"][track["position_valid"] != 0]
    ways = {"truth": track["true_position"], "estimate": estimated}
    return from_above("Position track", ways, {"estimate": "dashed"})


def height(flight: SimulatedFlight) -> Axes:
    """Height above where it stood, over time."""
    track = flight.track
    return curves("Height", ("time, s", track.time_s), "m", {"truth": heights(track)})


def attitude(flight: SimulatedFlight) -> Axes:
    """True roll and pitch and what was wanted, over time."""
    track = flight.track
    angles, wanted = attitudes_deg(track), track["attitude_desired"]
    values = {"roll": angles[:, 0], "pitch": angles[:, 1]}
    desired = {"roll desired": wanted[:, 0], "pitch desired": wanted[:, 1]}
    styles: dict[str, Style] = dict.fromkeys(desired, "dashed")
    return curves("Attitude", ("time, s", track.time_s), "degrees", values | desired, styles)


FIGURES: Final = MappingProxyType[str, Callable[[SimulatedFlight], tuple[Axes, ...]]](
    {
        "overview": lambda flight: (position_track(flight), height(flight), attitude(flight)),
        "track": lambda flight: (position_track(flight),),
        "attitude": lambda flight: (attitude(flight),),
        "height": lambda flight: (height(flight),),
    }
)
"""All figures of scripted flights by name."""
