"""The figures of scripted flights, by the name in a scenario's `figure`."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from simulation.scenarios.figure import Axes, Figure, series
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
    true, estimated = track["true_position"], track["position"]
    valid = track["position_valid"] != 0
    return Axes(
        "Position track",
        "east, m",
        "north, m",
        (
            series("truth", true[:, 1], true[:, 0]),
            series("estimate", estimated[valid, 1], estimated[valid, 0], "dashed"),
        ),
        equal=True,
    )


def height(flight: SimulatedFlight) -> Axes:
    """Height above where it stood, over time."""
    track = flight.track
    return Axes("Height", "time, s", "m", (series("truth", track.time_s, heights(track)),))


def attitude(flight: SimulatedFlight) -> Axes:
    """True roll and pitch and what was wanted, over time."""
    track = flight.track
    angles = attitudes_deg(track)
    wanted = track["attitude_desired"]
    t = track.time_s
    return Axes(
        "Attitude",
        "time, s",
        "degrees",
        (
            series("roll", t, angles[:, 0]),
            series("pitch", t, angles[:, 1]),
            series("roll desired", t, wanted[:, 0], "dashed"),
            series("pitch desired", t, wanted[:, 1], "dashed"),
        ),
    )


FIGURES: Final = MappingProxyType[str, Callable[[SimulatedFlight], tuple[Axes, ...]]](
    {
        "overview": lambda flight: (position_track(flight), height(flight), attitude(flight)),
        "track": lambda flight: (position_track(flight),),
        "attitude": lambda flight: (attitude(flight),),
        "height": lambda flight: (height(flight),),
    }
)
"""All figures of scripted flights by name."""
