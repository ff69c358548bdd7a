"""Fixed-wing safety margins: whether wind, airspeed and attitude allow the path that is asked for.

The rules are those of updateFixedDesiredAttitude and correctCourse in LibrePilot's
fixedwingflycontroller.cpp, with FixedWingPathFollowerSettings.Safetymargins. What fails makes the
alarm Guidance a warning and PathStatus critical, so that a plan goes on at the waypoint's
ErrorDestination. Not among them: what is asked of the motor (Lowpower, Highpower), and that
firmware cuts the thrust when it is far too fast, far too slow or lies on its side.
"""

import math
from typing import Final

from simulation.autopilot.board import SimulatedBoard

_WIND, _STALL, _LOW, _HIGH, _OVER = range(5)
_ROLL, _PITCH = 7, 8
"""Elements of Safetymargins."""
_ON: Final = 0.5
_LITTLE: Final = 1e-3


class WingSafety:
    """Judges the flight as it is; `is_unsafe` is asked once per loop that it flies a path."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._attitude = board["AttitudeState"]
        self._velocity = board["VelocityState"]
        self._airspeed = board["AirspeedState"]
        self._settings = board["FixedWingPathFollowerSettings"]
        self._system = board["SystemSettings"]

    def is_unsafe(self, north: float, east: float) -> bool:
        """Whether something forbids to fly with this velocity over ground, m/s."""
        margins = self._settings.fields["Safetymargins"].tolist()
        if self._is_tilted(margins):
            return True
        if not int(self._settings.fields["UseAirspeedSensor"]):
            return False
        airspeed = float(self._airspeed.newest()["CalibratedAirspeed"])
        is_drifting = margins[_WIND] > _ON and not self._can_go(north, east, airspeed)
        return is_drifting or self._is_wrong_speed(airspeed, margins)

    def _is_wrong_speed(self, airspeed: float, margins: list[float]) -> bool:
        settings, system = self._settings.fields, self._system.fields
        slowest = max(
            float(settings["HorizontalVelMin"]) * margins[_LOW],
            float(system["AirSpeedMin"]) * margins[_STALL],
        )
        fastest = min(
            float(settings["HorizontalVelMax"]) * margins[_HIGH],
            float(system["AirSpeedMax"]) * margins[_OVER],
        )
        return not slowest <= airspeed <= fastest

    def _is_tilted(self, margins: list[float]) -> bool:
        """Beyond RollLimit or PitchLimit by more than SafetyCutoffLimits."""
        settings, attitude = self._settings.fields, self._attitude.fields
        beyond = settings["SafetyCutoffLimits"].tolist()
        for axis, element, margin in (("Roll", 0, _ROLL), ("Pitch", 1, _PITCH)):
            low, _, high = settings[f"{axis}Limit"].tolist()
            least, most = low - beyond[element], high + beyond[element]
            if margins[margin] > _ON and not least <= float(attitude[axis]) <= most:
                return True
        return False

    def _can_go(self, north: float, east: float, airspeed: float) -> bool:
        """Whether the wind leaves a course over ground along that velocity."""
        flown_north, flown_east, _ = self._velocity.vector()
        yaw = math.radians(float(self._attitude.fields["Yaw"]))
        wind_north = flown_north - airspeed * math.cos(yaw)
        wind_east = flown_east - airspeed * math.sin(yaw)
        fields = self._settings.fields
        through = math.hypot(north - wind_north, east - wind_east)
        fly = max(through, float(fields["HorizontalVelMin"]))
        fly = min(fly, float(fields["HorizontalVelMax"]))
        speed = math.hypot(north, east)
        if speed < _LITTLE:
            return abs(math.hypot(wind_north, wind_east) - fly) < _LITTLE
        along = (wind_north * north + wind_east * east) / speed
        across = math.hypot(wind_north, wind_east) ** 2 - along**2
        room = fly * fly - across
        return room > -_LITTLE and along + math.sqrt(max(room, 0.0)) >= 0.0
