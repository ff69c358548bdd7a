"""Fixed-wing status: FixedWingPathFollowerStatus and AirspeedSensor, filled when they are read."""

import math
from typing import Final

from simulation.autopilot.board import SimulatedBoard
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.records.members import Members

_SATURATED: Final = 0.98


class FixedWingStatus:
    """Fills both objects from OUTPUT."""

    def __init__(self, board: SimulatedBoard, output: Members) -> None:
        self._output = output
        self._status = board["FixedWingPathFollowerStatus"]
        self._settings = board["FixedWingPathFollowerSettings"]
        self._system = board["SystemSettings"]
        self._sensor = board["AirspeedSensor"]
        self._status.refresh = self._write_status
        self._sensor.refresh = self._write_sensor

    def _write_status(self) -> None:
        output = self._output
        self._status.write(
            Error=output["wing_error"],
            ErrorInt=output["wing_integral"],
            Command=output["wing_command"],
            Errors=self._errors(),
        )

    def _errors(self) -> list[int]:
        """Each safety check of Safetymargins, 1 where it trips: Wind, Stallspeed, Lowspeed,
        Highspeed, Overspeed, Lowpower, Highpower, Rollcontrol, Pitchcontrol; AirspeedSensor."""
        output, settings, system = self._output, self._settings.row, self._system.row
        margins = settings["Safetymargins"].tolist()
        speed = float(output["airspeed_calibrated"])
        north, east, down = output["velocity"].tolist()
        thrust = float(output["actuator_desired"][3])
        low, _, high = settings["ThrustLimit"].tolist()
        climb_desired = -float(output["velocity_desired"][2])
        roll_limit = float(settings["RollLimit"][2])
        pitch_limit = float(settings["PitchLimit"][2])
        roll, pitch, _ = output["attitude_deg"].tolist()
        wind = math.hypot(north, east) < 1.0 < speed
        checks = (
            wind,
            speed < float(system["AirSpeedMin"]) * margins[1],
            speed < float(settings["HorizontalVelMin"]) * margins[2],
            speed > float(settings["HorizontalVelMax"]) * margins[3],
            speed > float(system["AirSpeedMax"]) * margins[4],
            thrust >= _SATURATED * high and climb_desired > 0.0 > -down,
            thrust <= low and climb_desired < 0.0 < -down,
            abs(roll) > roll_limit * (2.0 - _SATURATED) + 10.0,
            pitch > pitch_limit + 10.0,
        )
        tripped = [
            int(check and margin > 0.0) for check, margin in zip(checks, margins, strict=True)
        ]
        return [*tripped, int(output["airspeed_count"] == 0)]

    def _write_sensor(self) -> None:
        output = self._output
        pressure = float(output["airspeed_pressure_pa"])
        connected = int(output["airspeed_count"]) > 0
        speed = math.sqrt(2.0 * max(pressure, 0.0) / SEA_LEVEL_DENSITY)
        self._sensor.write(
            DifferentialPressure=pressure,
            Temperature=float(output["baro_temperature_c"]) + 273.15,
            CalibratedAirspeed=speed,
            TrueAirspeed=float(output["airspeed_true"]) if connected else -1.0,
            SensorConnected=self._sensor.number("SensorConnected", str(connected)),
        )
