"""The state objects: what the compiled loop estimated, measured and commanded.

Attitude, position and velocity are written every loop, because modules read them. All others
are written only when somebody reads them (see `BoardObject.refresh`), so an object costs its
telemetry rate and no more.
"""

from collections.abc import Callable

import numpy as np

from simulation.autopilot.board import Board, BoardObject
from simulation.autopilot.truth import attitude_simulated, ground_truth
from simulation.environment.earth import GRAVITY
from simulation.rotation import to_ned

_MOTORS = 12


def _clip_us(value: float) -> int:
    return int(min(max(0.0, value), 65535.0))  # what is no number gives 0


class States:
    """Fills attitude, position, velocity, sensor and actuator objects from OUTPUT."""

    def __init__(self, board: Board, output: np.void, settings: np.void) -> None:
        self._output = output
        self._settings = settings
        self._attitude = board["AttitudeState"]
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        self._board = board
        refreshers: dict[str, Callable[[BoardObject], None]] = {
            "AccelSensor": lambda e: self._xyz(e, "accel"),
            "AccelState": lambda e: self._xyz(e, "specific_force"),
            "GyroSensor": self._gyro_sensor,
            "GyroState": self._gyro_state,
            "MagSensor": lambda e: self._xyz(e, "mag"),
            "MagState": self._mag_state,
            "BaroSensor": self._baro,
            "SonarAltitude": self._sonar,
            "AirspeedState": self._airspeed,
            "NedAccel": self._ned_accel,
            "VelocityDesired": lambda e: self._ned(e, "velocity_desired"),
            "RateDesired": self._rate_desired,
            "ActuatorDesired": self._actuator_desired,
            "ActuatorCommand": self._actuator_command,
            "MixerStatus": self._mixer_status,
            "AltitudeHoldStatus": self._altitude_hold,
            "AttitudeSimulated": lambda e: e.write(**attitude_simulated(output)),
            "GroundTruth": lambda e: e.write(**ground_truth(output)),
            "EKFStateVariance": self._variance,
        }
        for name, refresher in refreshers.items():
            entry = board[name]
            entry.refresh = _bound(refresher, entry)

    def update(self) -> None:
        """Run once per loop, after the compiled loop has advanced."""
        output = self._output
        if not self._attitude.is_supplied:
            roll, pitch, yaw = output["attitude_deg"].tolist()
            self._attitude.fill(*output["quaternion"].tolist(), roll, pitch, yaw, yaw)
        if not self._position.is_supplied:
            self._position.fill(*output["position"].tolist())
        if not self._velocity.is_supplied:
            self._velocity.fill(*output["velocity"].tolist())

    def _xyz(self, entry: BoardObject, member: str) -> None:
        row = entry.row
        row["x"], row["y"], row["z"] = self._output[member].tolist()
        if entry.definition.has_field("temperature"):
            row["temperature"] = self._output["baro_temperature_c"]

    def _ned(self, entry: BoardObject, member: str) -> None:
        entry.fill(*self._output[member].tolist())

    def _gyro_sensor(self, entry: BoardObject) -> None:
        self._xyz(entry, "gyro")
        entry.row["SensorReadTimestamp"] = int(self._output["time_us"]) & 0xFFFFFFFF

    def _gyro_state(self, entry: BoardObject) -> None:
        self._xyz(entry, "rates")
        entry.row["SensorReadTimestamp"] = int(self._output["time_us"]) & 0xFFFFFFFF

    def _mag_state(self, entry: BoardObject) -> None:
        self._xyz(entry, "mag")
        entry.row["Source"] = 1  # OnBoard

    def _baro(self, entry: BoardObject) -> None:
        entry.row["Altitude"] = self._output["baro_altitude_m"]
        entry.row["Temperature"] = self._output["baro_temperature_c"]
        entry.row["Pressure"] = self._output["baro_pressure_kpa"]

    def _sonar(self, entry: BoardObject) -> None:
        entry.row["Altitude"] = self._output["sonar_range_m"]

    def _airspeed(self, entry: BoardObject) -> None:
        entry.row["CalibratedAirspeed"] = self._output["airspeed_calibrated"]
        entry.row["TrueAirspeed"] = self._output["airspeed_true"]

    def _ned_accel(self, entry: BoardObject) -> None:
        force = to_ned(
            self._output["quaternion"].tolist(), *self._output["specific_force"].tolist()
        )
        row = entry.row
        row["North"], row["East"], row["Down"] = force[0], force[1], force[2] + GRAVITY

    def _rate_desired(self, entry: BoardObject) -> None:
        row = entry.row
        row["Roll"], row["Pitch"], row["Yaw"] = self._output["rate_desired"].tolist()
        row["Thrust"] = self._output["actuator_desired"][3]

    def _actuator_desired(self, entry: BoardObject) -> None:
        row = entry.row
        desired = self._output["actuator_desired"].tolist()
        row["Roll"], row["Pitch"], row["Yaw"], row["Thrust"] = desired

    def _actuator_command(self, entry: BoardObject) -> None:
        entry.row["Channel"] = [_clip_us(c) for c in self._output["actuator_command"].tolist()]

    def _mixer_status(self, entry: BoardObject) -> None:
        """Each output as a share of its range, 0 at neutral."""
        commands = self._output["actuator_command"].tolist()
        neutral = self._settings["channel_neutral"].tolist()
        highest = self._settings["channel_max"].tolist()
        for i in range(_MOTORS):
            span = highest[i] - neutral[i]
            entry.row[f"Mixer{i + 1}"] = (commands[i] - neutral[i]) / span if span else 0.0

    def _altitude_hold(self, entry: BoardObject) -> None:
        modes = self._board["StabilizationStatus"]
        thrust = modes.option("OuterLoop", 3)
        states = {"Altitude": "AltitudeHold", "AltitudeVario": "AltitudeVario"}
        entry.row["State"] = entry.number("State", states.get(thrust, "Direct"))
        entry.row["VelocityDesired"] = self._output["velocity_desired"][2]
        entry.row["ThrustDemand"] = self._output["actuator_desired"][3]

    def _variance(self, entry: BoardObject) -> None:
        """EKFStateVariance: an error phi about NED changes the quaternion by (0, phi) q / 2; what
        the axes have in common is left out."""
        place, speed, turn, drift = self._output["estimate_variance"].tolist()
        w, x, y, z = (0.25 * q * q for q in self._output["quaternion"].tolist())
        quaternion = [
            sum(weight * variance for weight, variance in zip(weights, turn, strict=True))
            for weights in ((x, y, z), (w, z, y), (z, w, x), (y, x, w))
        ]
        entry.row["P"] = [*place, *speed, *quaternion, *drift]


def _bound(refresher: Callable[[BoardObject], None], entry: BoardObject) -> Callable[[], None]:
    return lambda: refresher(entry)
