"""Home by GPS: firmware sets HomeLocation where it is switched on if nobody has."""

from simulation.autopilot.board import BoardObject, SimulatedBoard
from simulation.environment.earth import GRAVITY, WorldOrigin
from simulation.records.interface import GPS_FIX_3D

_STEADY_US = 5_000_000
"""How long the fix has to be good."""
_PER_DEGREE = 1e7


class HomeByGps:
    """Sets HomeLocation at a good fix while it is not set; nothing is saved."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._home = board["HomeLocation"]
        self._fix = board["GPSPositionSensor"]
        self._settings = board["GPSSettings"]
        self._good_since_us: int | None = None

    def update(self, now_us: int) -> None:
        """Run a few times per second."""
        if self._home.fields["Set"] or not self._is_good():
            self._good_since_us = None
        elif self._good_since_us is None:
            self._good_since_us = now_us
        elif now_us - self._good_since_us >= _STEADY_US:
            self._good_since_us = None
            self._set_home()

    def _is_good(self) -> bool:
        fix, limits = self._fix.newest(), self._settings.fields
        return bool(
            fix["Status"] >= GPS_FIX_3D
            and fix["Satellites"] >= limits["MinSatellites"]
            and fix["PDOP"] <= limits["MaxPDOP"]
        )

    def _set_home(self) -> None:
        fix = self._fix.row
        latitude, longitude = int(fix["Latitude"]), int(fix["Longitude"])
        altitude_m = float(fix["Altitude"])
        place = WorldOrigin(latitude / _PER_DEGREE, longitude / _PER_DEGREE, altitude_m)
        set_home(self._home, place)


def set_home(home: BoardObject, place: WorldOrigin) -> None:
    """Have HomeLocation be at a place, with the magnetic field there."""
    home.set(
        Latitude=round(place.latitude_deg * _PER_DEGREE),
        Longitude=round(place.longitude_deg * _PER_DEGREE),
        Altitude=place.altitude_m,
        Be=place.field_mgauss(),
        g_e=GRAVITY,
        Set=home.number("Set", "True"),
    )
