"""Local coordinates: places on Earth as metres north and east of home, there and back.

As the aircraft itself reckons, see `telemetry.base.earth.tangent_plane`.
"""

from dataclasses import dataclass

from telemetry.base.earth.tangent_plane import plane_at


@dataclass(frozen=True, slots=True)
class MissionHome:
    """Where heights and metres are counted from; `altitude_m` above sea level."""

    latitude_deg: float
    longitude_deg: float
    altitude_m: float = 0.0


def to_north_east(
    home: MissionHome, latitude_deg: float, longitude_deg: float
) -> tuple[float, float]:
    """Metres north and east of home."""
    plane = plane_at(home.latitude_deg, home.longitude_deg, home.altitude_m)
    return plane.north_east(latitude_deg, longitude_deg)


def to_latitude_longitude(home: MissionHome, north_m: float, east_m: float) -> tuple[float, float]:
    """The place that `to_north_east` takes there; degrees. At most 100 km away."""
    plane = plane_at(home.latitude_deg, home.longitude_deg, home.altitude_m)
    return plane.latitude_longitude(north_m, east_m)


def moved(
    latitude_deg: float, longitude_deg: float, north_m: float, east_m: float
) -> tuple[float, float]:
    """The place some metres north and east of another."""
    return plane_at(latitude_deg, longitude_deg).latitude_longitude(north_m, east_m)
