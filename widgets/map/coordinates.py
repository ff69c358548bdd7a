"""Coordinates of a place as people write them."""

import math
from typing import Final

from widgets.map.graticule import place_text
from widgets.map.projection import GeoPoint, bearing_deg, distance_m

COORDINATES: Final = {
    "degrees": "Degrees",
    "dms": "Degrees, minutes, seconds",
    "utm": "UTM",
    "ned": "North and east of home",
}
"""The ways to write a place, and what they are called."""


def coordinates_text(place: GeoPoint, way: str, home: GeoPoint | None) -> str:
    """A place written in one of COORDINATES; in degrees where that is not possible there: UTM ends
    at 84 degrees north and 80 south, and north of home needs a home."""
    if way == "dms":
        return f"{_dms(place.latitude_deg, 'N', 'S')}  {_dms(place.longitude_deg, 'E', 'W')}"
    if way == "utm" and -80.0 <= place.latitude_deg <= 84.0:
        return _utm(place)
    if way == "ned" and home is not None:
        return _from_home(place, home)
    return place_text(place.latitude_deg, place.longitude_deg)


def _dms(angle_deg: float, positive: str, negative: str) -> str:
    """To a tenth of a second of arc, three metres."""
    tenths = round(abs(angle_deg) * 36_000)
    degrees, rest = divmod(tenths, 36_000)
    minutes, tenths = divmod(rest, 600)
    hemisphere = positive if angle_deg >= 0 else negative
    return f"{degrees}° {minutes:02d}′ {tenths / 10:04.1f}″ {hemisphere}"


def _utm(place: GeoPoint) -> str:
    import utm  # not needed for a start

    longitude = (place.longitude_deg + 180.0) % 360.0 - 180.0
    easting, northing, zone, band = utm.from_latlon(place.latitude_deg, longitude)
    return f"{zone}{band} {easting:.0f} {northing:.0f}"


def _from_home(place: GeoPoint, home: GeoPoint) -> str:
    away_m, course = distance_m(home, place), math.radians(bearing_deg(home, place))
    north_m, east_m = away_m * math.cos(course), away_m * math.sin(course)
    return f"N {_signed(north_m)}\u2009m  E {_signed(east_m)}\u2009m"


def _signed(metres: float) -> str:
    return f"{metres:+.1f}".replace("-", "−")
