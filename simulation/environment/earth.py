"""Earth at the field: how the flat world lies on WGS84, gravity, and the magnetic field there.

The world is flat: north and east of its origin are the distance and the azimuth of geodesics on the
ellipsoid (the azimuthal equidistant projection), height is above the ground, everywhere. So ranges
and bearings from the origin are exact, and the ground does not sink away as it does from a tangent
plane, by 785 m in 100 km. Away from the origin the Earth's north is not the world's: the meridians
converge, by 1.03 deg 100 km to the east at 49 deg north. What is told in the Earth's terms (GPS)
and what comes from there (the magnetic field) is turned by that; attitude, velocity and wind are
the world's. Across the line to the origin lengths are (s / R)^2 / 6 too long, 0.004 % in 100 km.
"""

import math
from dataclasses import dataclass
from typing import Any, Final

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import wrap_pi
from simulation.records.flight import POSITION
from telemetry.base.earth.magnetic_model import Vector, field_nt, gradient_nt_per_km
from telemetry.base.earth.wgs84 import ECCENTRICITY2, EQUATOR_M, FLATTENING, curvature_radii_m

GRAVITY: Final = 9.81
"""m/s2, of data sheets, of firmware everywhere on Earth (insgps13state.c), and of what runs on
board here. What pulls in the simulated world is `gravity_at`."""
DAY_OF_FLIGHT: Final = 2026.47
"""The decimal year flights take place in, 21 June 2026, unless a Place says otherwise."""
_MGAUSS_PER_NT = 0.01
_AT_EQUATOR, _SOMIGLIANA = 9.7803253359, 0.00193185265241  # m/s2; WGS84
_SPIN = 0.00344978650684  # centrifugal acceleration at the equator over gravity
_EARTH_RATE = 7.292115e-5  # rad/s, 15.04 deg/h; WGS84
_SPAN_M = 10_000.0


@njit_part
def gravity_at(s: Any) -> float:
    """Gravity where the aircraft is, m/s2."""
    return float(GRAVITY + s["gravity_excess"])


@njit_part
def update_gravity(w: Any, s: Any) -> None:
    """Set what gravity is more than GRAVITY where the aircraft is."""
    x, slope = s["motion"], w["gravity_slope"]
    change = slope[0] * x[POSITION] + slope[1] * x[POSITION + 2]
    s["gravity_excess"] = w["gravity_excess"] + change


@njit_part
def earth_rate_at(w: Any, s: Any) -> tuple[float, float, float]:
    """How the Earth turns there, in axes of the world, rad/s: W cos L to its north and -W sin L
    down. There is no transport rate, for the world is flat: a real gyro feels v / R besides, 0.65
    deg/h at 20 m/s."""
    x = s["motion"]
    latitude, longitude = place_on_earth(w, x[POSITION], x[POSITION + 1])
    turned, latitude = convergence(w, latitude, longitude), math.radians(latitude)
    level = _EARTH_RATE * math.cos(latitude)
    return level * math.cos(turned), -level * math.sin(turned), -_EARTH_RATE * math.sin(latitude)


def normal_gravity(latitude_deg: float, height_m: float) -> float:
    """Gravity on the ellipsoid (Somigliana) and above it, m/s2: NIMA TR8350.2, 4-1 and 4-3."""
    square = math.sin(math.radians(latitude_deg)) ** 2
    on_it = _AT_EQUATOR * (1.0 + _SOMIGLIANA * square) / math.sqrt(1.0 - ECCENTRICITY2 * square)
    share = height_m / EQUATOR_M
    fall = 1.0 + FLATTENING + _SPIN - 2.0 * FLATTENING * square
    return on_it * (1.0 - 2.0 * fall * share + 3.0 * share * share)


@njit_part
def place_on_earth(w: Any, north: float, east: float) -> tuple[float, float]:
    """Latitude and longitude, degrees, of metres in the world.

    The end of an arc of this length, of the curvature of the ellipsoid in its direction, seen from
    the centre of the Earth: `telemetry.base.earth.tangent_plane.ground_places` in closed form.
    """
    sine, cosine = w["sine_cosine"][0], w["sine_cosine"][1]
    meridian, across = w["radii"][0], w["radii"][1]
    square = (north * north + east * east) / (meridian * across)
    down = 0.5 * (north * north / meridian + east * east / across)
    down *= 1.0 - square / 12.0 * (1.0 - square / 30.0)
    shrunk = 1.0 - square / 6.0 * (1.0 - square / 20.0)
    north, east = north * shrunk, east * shrunk
    outward = across * cosine - sine * north - cosine * down
    up = (1.0 - ECCENTRICITY2) * across * sine + cosine * north - sine * down
    level = math.sqrt(outward * outward + east * east)
    latitude = math.degrees(math.atan2(up, (1.0 - ECCENTRICITY2) * level))
    longitude = w["longitude_deg"] + math.degrees(math.atan2(east, outward))
    if longitude > 180.0:
        longitude -= 360.0
    elif longitude < -180.0:
        longitude += 360.0
    return latitude, longitude


@njit_part
def convergence(w: Any, latitude_deg: float, longitude_deg: float) -> float:
    """By how much, rad, azimuths at a place are larger than in the world: its difference in
    longitude times the sine of the latitude between, to 1e-4 deg in 100 km."""
    middle = math.radians(0.5 * (latitude_deg + w["latitude_deg"]))
    return float(wrap_pi(math.radians(longitude_deg - w["longitude_deg"])) * math.sin(middle))


@dataclass(frozen=True, slots=True)
class WorldOrigin:
    """A point on the ground, the origin of the world, and the date (decimal year).

    Altitude is above the geoid. The magnetic model wants the height above the ellipsoid; taking
    one for the other, at most 110 m, changes the field by less than 5 nT.
    """

    latitude_deg: float
    longitude_deg: float
    altitude_m: float
    year: float = DAY_OF_FLIGHT

    def lay(self, world: Any) -> None:
        """Write into a WORLD where it lies, and what follows from that."""
        latitude = math.radians(self.latitude_deg)
        world["latitude_deg"], world["longitude_deg"] = self.latitude_deg, self.longitude_deg
        world["altitude"] = self.altitude_m
        world["sine_cosine"] = math.sin(latitude), math.cos(latitude)
        world["radii"] = curvature_radii_m(self.latitude_deg)
        gravity, *slope = self.gravity()
        world["gravity_excess"], world["gravity_slope"] = gravity - GRAVITY, slope
        world["field_mgauss"] = self.field_mgauss()
        world["field_gradient"] = self.field_gradient()

    def gravity(self) -> tuple[float, float, float]:
        """Gravity, m/s2, and its change per metre to the north and downwards."""
        here = normal_gravity(self.latitude_deg, self.altitude_m)
        meridian, _ = curvature_radii_m(self.latitude_deg)
        ahead_deg = self.latitude_deg + math.degrees(_SPAN_M / meridian)
        ahead = normal_gravity(ahead_deg, self.altitude_m)
        above = normal_gravity(self.latitude_deg, self.altitude_m + _SPAN_M)
        return here, (ahead - here) / _SPAN_M, (here - above) / _SPAN_M

    def field_mgauss(self) -> Vector:
        """The magnetic field in NED, in the milligauss of MagSensor and HomeLocation.Be."""
        north, east, down = field_nt(
            self.latitude_deg, self.longitude_deg, self.altitude_m, self.year
        )
        return north * _MGAUSS_PER_NT, east * _MGAUSS_PER_NT, down * _MGAUSS_PER_NT

    def field_gradient(self) -> tuple[Vector, Vector, Vector]:
        """The change of that field in milligauss per metre to the north, east and down, in axes of
        the world: those of the Earth turn with the convergence of meridians."""
        per_km = gradient_nt_per_km(
            self.latitude_deg, self.longitude_deg, self.altitude_m, self.year
        )
        north, east, down = (
            (x * _MGAUSS_PER_NT * 1e-3, y * _MGAUSS_PER_NT * 1e-3, z * _MGAUSS_PER_NT * 1e-3)
            for x, y, z in per_km
        )
        _, across = curvature_radii_m(self.latitude_deg)
        turn = math.tan(math.radians(self.latitude_deg)) / across
        to_north, to_east, _ = self.field_mgauss()
        east = east[0] + turn * to_east, east[1] - turn * to_north, east[2]
        return north, east, down

    @property
    def declination_deg(self) -> float:
        """How far the compass points east of true north."""
        north, east, _ = self.field_mgauss()
        return math.degrees(math.atan2(east, north))


FIELD_NEAR_BACKNANG: Final = WorldOrigin(48.9460, 9.4300, 270.0)
"""The meadow every flight starts from unless a scenario says otherwise."""
