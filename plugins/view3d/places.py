"""Geographic places as metres of the scene: north, east and down of its origin."""

import math
from typing import Final

from telemetry.base.earth.tangent_plane import TangentPlane, plane_at
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.recording.flown_places import FlownPlaces
from telemetry.recording.recording import Recording

NOWHERE: Final = plane_at(0.0, 0.0)
"""The origin of a scene of which nobody knows the place."""


def origin_of(recording: Recording, places: FlownPlaces) -> TangentPlane:
    """Home as it was set last, with its altitude, so that estimates keep their metres; else where
    the flight began."""
    state = read_flight_state(recording, math.inf)
    if state.home_latitude_deg is not None and state.home_longitude_deg is not None:
        altitude_m = state.home_altitude_m or 0.0
        return plane_at(state.home_latitude_deg, state.home_longitude_deg, altitude_m)
    if places.is_relative or not places.count:
        return NOWHERE
    return plane_at(float(places.latitudes_deg[0]), float(places.longitudes_deg[0]))


def position_of(state: FlightState, origin: TangentPlane) -> tuple[float, float, float] | None:
    """North, east and down in metres, as the aircraft believes; heights count from its home."""
    down = -state.height_m if state.height_m is not None else 0.0
    if state.latitude_deg is not None and state.longitude_deg is not None:
        return *origin.north_east(state.latitude_deg, state.longitude_deg), down
    if state.north_m is not None and state.east_m is not None:
        return state.north_m, state.east_m, down
    return None
