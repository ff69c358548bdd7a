"""Aircraft view: what manoeuvres know of the aircraft they fly, by telemetry alone."""

import math
from dataclasses import dataclass

from telemetry.configuration.arming.by_sticks import values_of
from telemetry.flying.switches import Switches, read_switches
from telemetry.missions.guided_actions import GuidedPath
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.recording.sample import Sample, Values
from telemetry.vehicle.vehicle import Vehicle


@dataclass(frozen=True, slots=True)
class AircraftView:
    """One vehicle as it is now."""

    vehicle: Vehicle

    @property
    def now_s(self) -> float:
        """The recording's present second."""
        return self.vehicle.end_s

    def read(self, name: str) -> Sample | None:
        """The newest sample of an object."""
        return self.read_past(name, 0.0)

    def read_past(self, name: str, seconds: float) -> Sample | None:
        """The newest sample of an object `seconds` ago."""
        return self.vehicle.recording.latest(name, self.now_s - seconds)

    def values(self, name: str) -> Values:
        """The newest values of an object by path; none if it has not been sent."""
        return values_of(self.read)(name)

    def number(self, name: str, path: str, default: float) -> float:
        """One number of an object."""
        return float(self.values(name).get(path, default))

    @property
    def state(self) -> FlightState:
        """What it is doing."""
        return read_flight_state(self.vehicle.recording, self.now_s)

    @property
    def switches(self) -> Switches:
        """What its switches mean."""
        return read_switches(self.read)

    def here(self) -> GuidedPath | None:
        """To stay where it is; None while that is not known."""
        return place_of(self.state)

    def distance_m(self, path: GuidedPath) -> float:
        """How far away that place is; infinity while it is not known where it is."""
        here = self.here()
        if here is None:
            return math.inf
        return math.dist(
            (here.north_m, here.east_m, here.down_m), (path.north_m, path.east_m, path.down_m)
        )


def place_of(flight: FlightState) -> GuidedPath | None:
    """To stay where it is; None while that is not known."""
    if flight.north_m is None or flight.east_m is None or flight.height_m is None:
        return None
    return GuidedPath(flight.north_m, flight.east_m, -flight.height_m)
