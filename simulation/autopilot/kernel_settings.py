"""Kernel settings: settings objects taken over into the compiled loop's SETTINGS when they change.

Field by field the mapping that `simulation.records.interface.SETTINGS` names; also keeps
StabilizationBank, the bank in force for the present switch position.
"""

import math
from typing import Any

import numpy as np

from simulation.autopilot.board import BoardObject, ChangeFlag, SimulatedBoard
from simulation.autopilot.frame_class import FrameClass, frame_class
from simulation.autopilot.home_reference import take_home
from simulation.autopilot.sensor_calibration import OBJECTS, take_calibration
from simulation.records.interface import IMU_S

_BANKS = ("StabilizationSettingsBank1", "StabilizationSettingsBank2", "StabilizationSettingsBank3")
_AXES = ("Roll", "Pitch", "Yaw")
_STABILIZATION = {
    "derivative_gamma": "DerivativeGamma",
    "low_throttle_zero_integral": "LowThrottleZeroIntegral",
    "axis_lock_kp": "AxisLockKp",
    "max_axis_lock": "MaxAxisLock",
    "max_axis_lock_rate": "MaxAxisLockRate",
    "weak_leveling_kp": "WeakLevelingKp",
    "max_weak_leveling_rate": "MaxWeakLevelingRate",
    "vbar_sensitivity": "VbarSensitivity",
    "vbar_tau": "VbarTau",
    "vbar_max_angle": "VbarMaxAngle",
    "vbar_piro_compensation": "VbarPiroComp",
    "cruise_max_power_factor": "CruiseControlMaxPowerFactor",
    "cruise_power_delay": "CruiseControlPowerDelayComp",
    "cruise_inverted_output": "CruiseControlInvertedPowerOutput",
    "cruise_max_angle_deg": "CruiseControlMaxAngle",
    "error_by_angles": "ForceRollPitchDuringYawTransition",
}
_PERCENT = {
    "rattitude_transition": "RattitudeModeTransition",
    "vbar_gyro_suppress": "VbarGyroSuppress",
    "cruise_power_trim": "CruiseControlPowerTrim",
}
_BANK = {
    "maximum_rate": "MaximumRate",
    "manual_rate": "ManualRate",
    "attitude_feedforward": "AttitudeFeedForward",
    "piro_compensation": "EnablePiroComp",
    "thrust_scale_source": "ThrustPIDScaleSource",
}
_ALTITUDE_HOLD = {
    "altitude_hold_position_p": "VerticalPosP",
    "altitude_hold_velocity_pid": "VerticalVelPID",
    "altitude_hold_rate": "ThrustRate",
    "altitude_hold_thrust": "ThrustLimits",
}
_PATH_FOLLOWER = {
    "vertical_position_p": "VerticalPosP",
    "vertical_velocity_pid": "VerticalVelPID",
    "vertical_velocity_max": "VerticalVelMax",
    "vertical_thrust": "ThrustLimits",
    "land_velocity_pid": "LandVerticalVelPID",
    "takeoff_velocity_pid": "AutoTakeoffVerticalVelPID",
    "horizontal_position_p": "HorizontalPosP",
    "horizontal_velocity_pid": "HorizontalVelPID",
    "horizontal_velocity_max": "HorizontalVelMax",
    "course_feedforward_s": "CourseFeedForward",
    "velocity_feedforward": "VelocityFeedforward",
    "max_roll_pitch": "MaxRollPitch",
    "roam_velocity_pid": "VelocityRoamHorizontalVelPID",
    "roam_max_roll_pitch": "VelocityRoamMaxRollPitch",
    "brake_velocity_pid": "BrakeHorizontalVelPID",
    "brake_velocity_feedforward": "BrakeVelocityFeedforward",
    "brake_max_roll_pitch": "BrakeMaxPitch",
}
_WING = {
    "wing_vertical_max": "VerticalVelMax",
    "wing_vertical_p": "VerticalPosP",
    "wing_course_pi": "CoursePI",
    "wing_speed_pi": "SpeedPI",
    "wing_power_pi": "PowerPI",
    "wing_pitch_cross": "VerticalToPitchCrossFeed",
    "wing_power_cross": "AirspeedToPowerCrossFeed",
    "wing_roll_limit": "RollLimit",
    "wing_pitch_limit": "PitchLimit",
    "wing_thrust_limit": "ThrustLimit",
    "wing_overlap": "ReverseCourseOverlap",
    "wing_takeoff_pitch": "TakeOffPitch",
    "wing_use_airspeed": "UseAirspeedSensor",
}
_ESTIMATION = {
    "ekf_p": "P",
    "ekf_q": "Q",
    "ekf_r": "R",
    "ekf_fake_r": "FakeR",
    "map_magnetometer": "MapMagnetometerToHorizontalPlane",
}
_REVO = {
    "fusion_algorithm": "FusionAlgorithm",
    "mag_deviation": "MagnetometerMaxDeviation",
    "baro_gps_keep": "BaroGPSOffsetCorrectionAlpha",
    "velocity_keep": "VelocityPostProcessingLowPassAlpha",
}
_PLUMB = {"plumb_kp": "AccelKp", "plumb_ki": "AccelKi"}
_GPS = {"gps_max_pdop": "MaxPDOP", "gps_min_satellites": "MinSatellites"}
_ACTUATORS = {
    "channel_min": "ChannelMin",
    "channel_neutral": "ChannelNeutral",
    "channel_max": "ChannelMax",
    "motors_spin_while_armed": "MotorsSpinWhileArmed",
}


_SAMPLE_S = 0.0025
_AHEAD_SHARE = 0.1
"""AttitudeFeedForward is smoothed over a tenth of itself."""


class KernelSettings:
    """Keeps the compiled loop configured by the same objects as real firmware; of home it takes the
    one there is at the start (see `HomeReference`). `has_own_filter`: see `Preset`."""

    def __init__(
        self, board: SimulatedBoard, settings: np.void, has_own_filter: bool = False
    ) -> None:
        self._record = settings
        settings["own_filter"] = has_own_filter
        self._banks = tuple(board[name] for name in _BANKS)
        self._bank = board["StabilizationBank"]
        self._mixer = board["MixerSettings"]
        self._system = board["SystemSettings"]
        self._wing = board["FixedWingPathFollowerSettings"]
        self._command = board["ManualControlCommand"]
        self._stabilization = board["StabilizationSettings"]
        self._plain = (
            (board["StabilizationSettings"], _STABILIZATION),
            (board["AltitudeHoldSettings"], _ALTITUDE_HOLD),
            (board["VtolPathFollowerSettings"], _PATH_FOLLOWER),
            (board["FixedWingPathFollowerSettings"], _WING),
            (board["ActuatorSettings"], _ACTUATORS),
            (board["RevoSettings"], _REVO),
            (board["GPSSettings"], _GPS),
            (board["EKFConfiguration"], _ESTIMATION),
            (board["AttitudeSettings"], _PLUMB),
        )
        take_home(board["HomeLocation"], settings)
        self._board = board
        self._position = -1
        self._moved = ChangeFlag(self._command)
        watched = (*self._banks, self._mixer, self._system, *(entry for entry, _ in self._plain))
        self._changed = ChangeFlag(*watched)
        self._recalibrated = ChangeFlag(*(board[name] for name in OBJECTS))

    def update(self) -> None:
        """Run once per loop; does nothing unless a setting or the switch position changed."""
        before = self._position
        if self._moved.take_down():
            self._position = int(self._command.fields["FlightModeSwitchPosition"])
        if self._recalibrated.take_down():
            take_calibration(self._board, self._record["calibration"])
        if not self._changed.take_down() and self._position == before:
            return
        self._take_bank()
        self._take_shares()
        self._take_low_passes()
        for entry, mapping in self._plain:
            for member, field in mapping.items():
                self._record[member] = entry.row[field]
        self._take_mixer()
        is_multirotor = frame_class(self._board) is FrameClass.MULTIROTOR
        self._record["is_multirotor"] = int(is_multirotor)
        wing = self._wing.row
        self._record["wing_speed"] = (wing["HorizontalVelMin"], wing["HorizontalVelMax"])

    def _take_bank(self) -> None:
        banks = self._stabilization.row["FlightModeMap"]
        number = int(banks[min(self._position, len(banks) - 1)])
        chosen = self._banks[min(number, len(_BANKS) - 1)]
        copy_row(chosen, self._bank)
        row = self._bank.row
        for i, axis in enumerate(_AXES):
            self._record["rate_pid"][i] = row[f"{axis}RatePID"]
            self._record["attitude_pi"][i] = row[f"{axis}PI"]
            self._record["maximum_angle"][i] = row[f"{axis}Max"]
            self._record["acro_factor"][i] = row["AcroInsanityFactor"][i] / 100.0
        for member, field in _BANK.items():
            self._record[member] = row[field]
        self._take_thrust_scale()

    def _take_thrust_scale(self) -> None:
        """Which gains of which axes follow the thrust; the options are lists of both."""
        bank = self._bank
        self._record["thrust_scale_curve"] = bank.row["ThrustPIDScaleCurve"] / 100.0
        is_on = bank.option("EnableThrustPIDScaling") == "True"
        axes = bank.option("ThrustPIDScaleAxes").split()
        terms = bank.option("ThrustPIDScaleTarget")
        self._record["thrust_scale"] = [
            [float(is_on and axis in axes and term in terms) for term in "PID"] for axis in _AXES
        ]

    def _take_shares(self) -> None:
        """What the objects count in percent."""
        row = self._stabilization.row
        for member, field in _PERCENT.items():
            self._record[member] = row[field] / 100.0
        least, most = row["CruiseControlMinThrust"], row["CruiseControlMaxThrust"]
        self._record["cruise_thrust"] = (least / 100.0, most / 100.0)
        for i, axis in enumerate(_AXES):
            self._record["vbar_pi"][i] = row[f"Vbar{axis}PI"]

    def _take_low_passes(self) -> None:
        """How much of gyro and plumb line is kept, and of the derivative taken over, at each IMU
        sample."""
        row = self._stabilization.row
        self._record["gyro_keep"] = _kept(float(row["GyroTau"]))
        ahead = self._bank.row["AttitudeFeedForward"].tolist()
        self._record["gyro_ahead_keep"] = [_kept(_AHEAD_SHARE * value) for value in ahead]
        tau = 1.0 / (2.0 * math.pi * max(float(row["DerivativeCutoff"]), 1.0))
        self._record["derivative_share"] = IMU_S / (IMU_S + tau)
        self._record["plumb_keep"] = _kept(float(self._board["AttitudeSettings"].row["AccelTau"]))

    def _take_mixer(self) -> None:
        row = self._mixer.row
        for i in range(len(self._record["mixer_type"])):
            self._record["mixer_type"][i] = row[f"Mixer{i + 1}Type"]
            self._record["mixer_vector"][i] = row[f"Mixer{i + 1}Vector"]
        self._record["throttle_curve1"] = row["ThrottleCurve1"]
        self._record["throttle_curve2"] = row["ThrottleCurve2"]


def _kept(tau_s: float) -> float:
    """How much a low-pass keeps: stabilization.c and filtercf.c reckon with 2.5 ms a sample."""
    return math.exp(-_SAMPLE_S / tau_s) if tau_s >= 1e-4 else 0.0


def copy_row(source: BoardObject, target: BoardObject) -> None:
    """Give `target` the values of `source`; both have fields of the same names."""
    fields: dict[str, Any] = {
        name: source.row[name] for name in source.definition.dtype.names or ()
    }
    target.set(**fields)
