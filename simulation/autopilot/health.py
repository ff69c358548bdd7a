"""Health of sensors, estimation and outputs: the alarms that follow from facts at hand.

The thresholds of the estimate are its own standard deviations; what it says of the magnetometer is
`simulation.estimation.field_alarm`. A Kalman filter with GPS begins with its first position, as
filterekf.c of LibrePilot does (FILTERRESULT_CRITICAL until then, stateestimation.c for Nav): nobody
arms with it before.
"""

import math
from collections.abc import Sequence

from simulation.autopilot.board import SimulatedBoard
from simulation.records.interface import (
    FUSION_COMPLEMENTARY,
    FUSION_COMPLEMENTARY_MAG,
    FUSION_COMPLEMENTARY_MAG_GPS,
    FUSION_INS13,
    FUSION_INS13_CF,
    FUSION_INS13_INDOOR,
    MIXER_DISABLED,
)
from simulation.records.members import Members

SUPPORTED_FUSION = (
    FUSION_COMPLEMENTARY,
    FUSION_COMPLEMENTARY_MAG,
    FUSION_COMPLEMENTARY_MAG_GPS,
    FUSION_INS13_INDOOR,
    FUSION_INS13,
)
"""Options of RevoSettings.FusionAlgorithm that run as they are called; others fall back."""
SILENCE_UPDATES = 10
"""Updates, ten per second, without a sample after which a sensor counts as dead."""
_BY_GPS = (FUSION_INS13, FUSION_INS13_CF)
_POSITION_WARNING_M = 3.0
_TILT_WARNING_DEG, _TILT_CRITICAL_DEG = 5.0, 15.0
_MAG_ALARMS = ("Uninitialised", "OK", "Warning", "Critical")  # by OUTPUT.mag_alarm
_LEAST_OUTPUTS = 2
"""Firmware holds that nothing flies with less."""
_COUNTERS = ("imu_count", "mag_count", "baro_count", "airspeed_count")


class _Pulse:
    """Whether something still changes."""

    def __init__(self) -> None:
        self._last: object = None
        self._still = 0

    def has_stopped(self, value: object) -> bool:
        """Called once per update with what ought to change."""
        self._still = self._still + 1 if value == self._last else 0
        self._last = value
        return self._still >= SILENCE_UPDATES


class Health:
    """Judges what the compiled loop shows; `severities` are those of SystemAlarms."""

    def __init__(self, board: SimulatedBoard, output: Members, settings: Members) -> None:
        self._output = output
        self._settings = settings
        self._hardware = board["HwSettings"]
        self._hardware.subscribe(self._take_hardware)
        self._take_hardware()
        self._inertial = (
            (output["gyro"], _Pulse(), board["GyroSensor"]),
            (output["accel"], _Pulse(), board["AccelSensor"]),
        )
        self._counters = [(output[name], _Pulse()) for name in _COUNTERS]
        variance = output["estimate_variance"]
        self._tilt_variance, self._place_variance = variance[2, :2], variance[0, :2]
        self._placed_fusion = 0
        self.severities: dict[str, str] = {}

    @property
    def is_fusion_supported(self) -> bool:
        """Whether the fusion algorithm chosen is one this board has."""
        return int(self._settings["fusion_algorithm"]) in SUPPORTED_FUSION

    @property
    def is_fusion_pending(self) -> bool:
        """Whether another fusion algorithm was chosen in flight and waits for disarming."""
        chosen = int(self._settings["fusion_algorithm"])
        return chosen in SUPPORTED_FUSION and chosen != int(self._output["fusion"]) != 0

    def update(self) -> None:
        """Judge; run ten times per second."""
        self._note_position()
        imu, mag, baro, airspeed = (
            pulse.has_stopped(count.item()) for count, pulse in self._counters
        )
        frozen = [
            pulse.has_stopped(values.tolist()) and not entry.is_supplied
            for values, pulse, entry in self._inertial
        ]
        self.severities = {
            "Sensors": self._sensors(imu or any(frozen), baro),
            "Magnetometer": self._magnetometer(mag),
            "Actuator": self._actuator(),
            "Attitude": self._attitude(),
            "Nav": self._nav(),
            "Airspeed": self._airspeed(airspeed),
        }

    def _take_hardware(self) -> None:
        modules = self._hardware.definition.field_named("OptionalModules")
        index = modules.element_index("Airspeed")
        self._is_airspeed_on = self._hardware.option("OptionalModules", index) == "Enabled"

    def _sensors(self, is_inertial_dead: bool, is_baro_dead: bool) -> str:
        if is_inertial_dead:
            return "Critical"
        return "Warning" if is_baro_dead else "OK"

    def _airspeed(self, is_dead: bool) -> str:
        """Watched where the airspeed module is switched on."""
        if not self._is_airspeed_on:
            return "Uninitialised"
        return "Warning" if is_dead else "OK"

    def _magnetometer(self, is_dead: bool) -> str:
        """By `simulation.estimation.field_alarm`; a silent one firmware would not notice."""
        return "Critical" if is_dead else _MAG_ALARMS[int(self._output["mag_alarm"])]

    def _actuator(self) -> str:
        """Critical for as long as fewer outputs are set up than can fly, and no longer: firmware
        clears the alarm with the next ActuatorDesired (flight/modules/Actuator/actuator.c,
        `setFailsafe` and `AlarmsClear` of actuatorTask). A motor at its limit carries out what it
        can, and of a wreck no board knows: neither is an alarm.
        """
        kinds = self._settings["mixer_type"].tolist()
        has_too_few = len(kinds) - kinds.count(MIXER_DISABLED) < _LEAST_OUTPUTS
        return "Critical" if has_too_few else "OK"

    def _note_position(self) -> None:
        """Note the estimation that has had a position: what it loses later is no new beginning."""
        fusion = int(self._output["fusion"])
        if self._output["position_valid"]:
            self._placed_fusion = fusion
        elif fusion != self._placed_fusion:
            self._placed_fusion = 0

    @property
    def _waits_for_position(self) -> bool:
        return int(self._output["fusion"]) in _BY_GPS and not self._placed_fusion

    def _attitude(self) -> str:
        if not self._output["attitude_valid"]:
            return "Critical"
        if self._waits_for_position and int(self._output["fusion"]) == FUSION_INS13:
            return "Critical"  # with the complementary filter beside it, that one levels
        if self._output["estimate_warning"]:
            return "Warning"
        tilt_deg = math.degrees(_deviation(self._tilt_variance.tolist()))
        if tilt_deg > _TILT_CRITICAL_DEG:
            return "Critical"
        return "Warning" if tilt_deg > _TILT_WARNING_DEG or not self.is_fusion_supported else "OK"

    def _nav(self) -> str:
        """Only of what navigates by GPS inside of its filter, as in firmware."""
        if int(self._output["fusion"]) not in _BY_GPS:
            return "Uninitialised"
        if self._waits_for_position:
            return "Critical"
        if not self._output["position_valid"]:
            return "Warning"
        place_m = _deviation(self._place_variance.tolist())
        return "Warning" if place_m > _POSITION_WARNING_M else "OK"


def _deviation(variances: Sequence[float]) -> float:
    return math.sqrt(sum(variances))
