"""The state objects: what the compiled loop estimated, measured and commanded.

Attitude, position and velocity are written every loop, because modules read them. All others
are written only when somebody reads them (see `BoardObject.refresh`), so an object costs its
telemetry rate and no more.
"""

from collections.abc import Callable, Mapping
from functools import partial
from operator import mul
from typing import Final

from simulation.autopilot.board import BoardObject, SimulatedBoard
from simulation.autopilot.truth import attitude_simulated, ground_truth
from simulation.records.interface import FUSION_INS13, FUSION_INS13_CF, FUSION_INS13_INDOOR
from simulation.records.members import Members
from simulation.records.sensor_table import SENSORS, ObjectMapping

_SAMPLED: Final[Mapping[str, tuple[str, ...]]] = {
    "baro_count": ("BaroSensor",),
    "mag_count": ("MagSensor", "MagState"),
    "airspeed_count": ("AirspeedSensor", "AirspeedState"),
}
"""What is updated with which sample: an object whose sensor is not fitted never is."""
_FUSION_WITH_VARIANCE: Final = (FUSION_INS13, FUSION_INS13_CF, FUSION_INS13_INDOOR)
_TRUTH: Final[Mapping[str, Callable[[Members], list[float]]]] = {
    "AttitudeSimulated": attitude_simulated,
    "GroundTruth": ground_truth,
}
_YAW, _NAV_YAW = 6, 7  # their places in AttitudeState
_WRITTEN_ELSEWHERE = ("GPSPositionSensor", "AirspeedSensor")


def _clip_us(value: float) -> int:
    return int(min(max(0.0, value), 65535.0))  # what is no number gives 0


class States:
    """Fills attitude, position, velocity, sensor and actuator objects from OUTPUT."""

    def __init__(self, board: SimulatedBoard, output: Members) -> None:
        self._output = output
        self._attitude = board["AttitudeState"]
        self._board = board
        self._turned = self._attitude.floats()
        self._turn = (
            (self._turned[:4], output["quaternion"]),
            (self._turned[4:7], output["attitude_deg"]),
        )
        self._moves = tuple(
            (board[name], board[name].floats(), output[member])
            for name, member in (("PositionState", "position"), ("VelocityState", "velocity"))
        )
        self._sampled = [
            (output[member], tuple(board[name] for name in names))
            for member, names in _SAMPLED.items()
        ]
        self._counts = [0] * len(_SAMPLED)
        self._certainty = board["EKFStateVariance"]
        refreshers: dict[str, Callable[[BoardObject], None]] = {
            **{mapping.names[0]: self._publisher(mapping) for mapping in _published()},
            "AccelSensor": lambda e: self._inertial(e, "accel"),
            "AccelState": lambda e: self._vector(e, "accel"),
            "GyroSensor": self._gyro_sensor,
            "GyroState": self._gyro_state,
            "MagSensor": lambda e: self._inertial(e, "mag"),
            "MagState": self._mag_state,
            "AirspeedState": lambda e: e.fill(
                output["airspeed_calibrated"], output["airspeed_true"]
            ),
            "VelocityDesired": lambda e: self._vector(e, "velocity_desired"),
            "RateDesired": self._rate_desired,
            "ActuatorDesired": self._actuator_desired,
            "ActuatorCommand": self._actuator_command,
            "AltitudeHoldStatus": self._altitude_hold,
            "EKFStateVariance": self._variance,
        }
        for name, refresher in refreshers.items():
            entry = board[name]
            entry.refresh = partial(refresher, entry)
        for name, tell in _TRUTH.items():
            if name in board:
                board[name].refresh = self._truth(board[name], tell)

    def update(self) -> None:
        """Run once per loop, after the compiled loop has advanced."""
        if not self._attitude.is_supplied:
            for numbers, member in self._turn:
                numbers[...] = member
            self._turned[_NAV_YAW] = self._turned[_YAW]
        for entry, numbers, member in self._moves:
            if not entry.is_supplied:
                numbers[...] = member
                entry.tell_telemetry()
        self._tell_updates()

    def _tell_updates(self) -> None:
        """What firmware has written meanwhile (flight/modules/StateEstimation and Sensors), for
        objects that are sent when they are updated."""
        for i, (member, entries) in enumerate(self._sampled):
            count = int(member)
            if count != self._counts[i]:
                self._counts[i] = count
                for entry in entries:
                    entry.tell_telemetry()
        if int(self._output["fusion"]) in _FUSION_WITH_VARIANCE:
            self._certainty.tell_telemetry()

    def _vector(self, entry: BoardObject, member: str) -> None:
        entry.fill(*self._output[member].tolist())

    def _publisher(self, mapping: ObjectMapping) -> Callable[[BoardObject], None]:
        """For an object that a sensor's values fill completely."""
        members = [self._output[name] for name in mapping.fields]
        fields = (name for names in mapping.fields.values() for name in names)
        scales = [mapping.per_unit.get(name, 1.0) for name in fields]
        return lambda entry: entry.fill(
            *map(mul, (value for member in members for value in member.flat), scales)
        )

    def _truth(
        self, entry: BoardObject, tell: Callable[[Members], list[float]]
    ) -> Callable[[], None]:
        numbers, output = entry.floats(), self._output

        def write() -> None:
            numbers[:] = tell(output)

        return write

    def _inertial(self, entry: BoardObject, member: str) -> None:
        entry.fill(*self._output[member].tolist(), self._output["board_temperature_c"])

    def _gyro_sensor(self, entry: BoardObject) -> None:
        output = self._output
        entry.fill(*output["gyro"].tolist(), output["board_temperature_c"], self._stamp())

    def _gyro_state(self, entry: BoardObject) -> None:
        """The sample less its bias (stateestimation.c); control smooths it for itself."""
        rates = self._output["gyro"] - self._output["gyro_bias"]
        entry.fill(*rates.tolist(), self._stamp())

    def _stamp(self) -> int:
        return int(self._output["time_us"]) & 0xFFFFFFFF

    def _mag_state(self, entry: BoardObject) -> None:
        entry.fill(*self._output["mag"].tolist(), 1)  # OnBoard

    def _rate_desired(self, entry: BoardObject) -> None:
        output = self._output
        entry.fill(*output["rate_desired"].tolist(), output["actuator_desired"][3])

    def _actuator_desired(self, entry: BoardObject) -> None:
        row = entry.row
        desired = self._output["actuator_desired"].tolist()
        row["Roll"], row["Pitch"], row["Yaw"], row["Thrust"] = desired

    def _actuator_command(self, entry: BoardObject) -> None:
        entry.row["Channel"] = [_clip_us(c) for c in self._output["actuator_command"].tolist()]

    def _altitude_hold(self, entry: BoardObject) -> None:
        modes = self._board["StabilizationStatus"]
        thrust = modes.option("OuterLoop", 3)
        states = {"Altitude": "AltitudeHold", "AltitudeVario": "AltitudeVario"}
        entry.fill(
            self._output["velocity_desired"][2],
            self._output["actuator_desired"][3],
            entry.number("State", states.get(thrust, "Direct")),
        )

    def _variance(self, entry: BoardObject) -> None:
        """EKFStateVariance: INS13's own. Of Lapwing's filter an error phi about NED changes the
        quaternion by (0, phi) q / 2; what the axes have in common is left out."""
        if self._output["ekf_variance"].any():
            entry.row["P"] = self._output["ekf_variance"]
            return
        place, speed, turn, drift = self._output["estimate_variance"].tolist()
        w, x, y, z = (0.25 * q * q for q in self._output["quaternion"].tolist())
        quaternion = [
            sum(weight * variance for weight, variance in zip(weights, turn, strict=True))
            for weights in ((x, y, z), (w, z, y), (z, w, x), (y, x, w))
        ]
        entry.row["P"] = (*place, *speed, *quaternion, *drift)


def _published() -> list[ObjectMapping]:
    """Objects of sensors, but for those into which modules of their own write more."""
    mappings = (sensor.object for sensor in SENSORS)
    return [m for m in mappings if m is not None and m.names[0] not in _WRITTEN_ELSEWHERE]
