"""Geographic places as metres of the scene: north, east and down of its origin."""

import math
from dataclasses import dataclass

import numpy as np

from telemetry.base.earth.tangent_plane import TangentPlane, plane_at
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.recording.flown_places import FlownPlaces
from telemetry.recording.recording import Recording
from widgets.scene3d.scene import Floats


@dataclass(frozen=True, slots=True)
class SpaceOrigin:
    """Degrees, and metres above the sea. Reckoned as `telemetry.recording.flown_places` does:
    estimates keep their metres."""

    latitude_deg: float = 0.0
    longitude_deg: float = 0.0
    altitude_m: float = 0.0

    def north_east(self, latitudes_deg: Floats, longitudes_deg: Floats) -> Floats:
        """Metres north and east, (n, 2)."""
        return self._plane.north_east_many(latitudes_deg, longitudes_deg)

    def latitude_longitude(self, north_east: Floats) -> tuple[Floats, Floats]:
        """Degrees, of metres (n, 2)."""
        latitudes, longitudes = self._plane.latitude_longitude_many(*north_east.T).T
        return latitudes, longitudes

    @property
    def _plane(self) -> TangentPlane:
        return plane_at(self.latitude_deg, self.longitude_deg, self.altitude_m)


def origin_of(recording: Recording, places: FlownPlaces) -> SpaceOrigin:
    """Home as it was set last; else where the flight began."""
    state = read_flight_state(recording, math.inf)
    if state.home_latitude_deg is not None and state.home_longitude_deg is not None:
        altitude_m = state.home_altitude_m or 0.0
        return SpaceOrigin(state.home_latitude_deg, state.home_longitude_deg, altitude_m)
    if places.is_relative or not places.count:
        return SpaceOrigin()
    return SpaceOrigin(float(places.latitudes_deg[0]), float(places.longitudes_deg[0]))


def position_of(state: FlightState, origin: SpaceOrigin) -> tuple[float, float, float] | None:
    """North, east and down in metres, as the aircraft believes; heights count from its home."""
    down = -state.height_m if state.height_m is not None else 0.0
    if state.latitude_deg is not None and state.longitude_deg is not None:
        ((north, east),) = origin.north_east(
            np.array([state.latitude_deg]), np.array([state.longitude_deg])
        ).tolist()
        return north, east, down
    if state.north_m is not None and state.east_m is not None:
        return state.north_m, state.east_m, down
    return None
