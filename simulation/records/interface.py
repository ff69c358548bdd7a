"""Interface records between the compiled simulation and the autopilot's modules.

`SETTINGS` and `COMMAND` are written from outside between blocks of steps, `OUTPUT` is read.
Nothing here knows UAVObjects; whoever maps them converts at this border. Members keep the units
of LibrePilot's objects (deg, deg/s, mGauss, us) where they are settings or sensor values, and
metres and seconds otherwise. Frames: NED from the home location (estimate) or from the world's
origin (truth); body is x forward, y right, z down. Quaternions turn body into NED, scalar first.
Arrays over axes are roll, pitch, yaw. Flags are 0 or 1.
"""

from typing import Final

import numpy as np

from simulation.records.sensor_table import SENSOR_COUNT, VALUES, output_members

STEP_US: Final = 1000
"""One physics step. Sensors and control run on integer multiples of it."""
STEP_S: Final = STEP_US / 1e6
"""The same in seconds."""
IMU_PERIOD: Final = 2
"""Steps between two runs of the program on board, which reads the newest IMU sample."""
IMU_S: Final = IMU_PERIOD * STEP_S
"""The same in seconds."""
CHANNELS: Final = 12
"""Outputs of the mixer, as in MixerSettings and ActuatorSettings."""
ROTORS: Final = 16
"""Most rotors an aircraft may have."""
FORCE_STATES: Final = 16
"""States that a force from outside may have of its own."""
FORCE_CONSTANTS: Final = 32
"""Numbers that it may be given."""

# COMMAND.axis_mode, per axis: what `axis_setpoint` means.
AXIS_MANUAL: Final = 0  # actuator -1..1, no control
AXIS_RATE: Final = 1  # deg/s
AXIS_ATTITUDE: Final = 2  # deg
AXIS_LOCK: Final = 3  # deg/s; while about zero, the angle reached is held
AXIS_WEAK_LEVELING: Final = 4  # deg: the stick as a rate, drawn weakly to the stick's angle
AXIS_RATTITUDE: Final = 5  # deg; near the ends of the stick it turns into a rate
AXIS_ACRO: Final = 6  # deg/s; the farther the stick, the more it is the actuator
AXIS_VIRTUAL_BAR: Final = 7  # stick -1..1 of a virtual flybar
AXIS_RATE_TRAINER: Final = 8  # deg/s, not beyond the largest angle (roll, pitch)

# COMMAND.vertical_mode: where thrust comes from.
VERTICAL_MANUAL: Final = 0  # `thrust` as it is
VERTICAL_VARIO: Final = 1  # holds `velocity_down`; gains altitude_hold_*
VERTICAL_HOLD: Final = 2  # holds `down_m`; gains altitude_hold_*
# holds `down_m`, which moves with `velocity_down`; gains vertical_*, at most vertical_velocity_max
VERTICAL_PATH: Final = 3
VERTICAL_TAKEOFF: Final = 4  # climbs with `velocity_down` to `down_m`, then holds it; takeoff_*
VERTICAL_LAND: Final = 5  # sinks with `velocity_down`, detects touchdown, cuts thrust; land_*

# COMMAND.horizontal_mode: where roll and pitch come from. In every mode but the first,
# axis_mode and axis_setpoint of roll and pitch are ignored; those of yaw always count.
HORIZONTAL_NONE: Final = 0  # from axis_mode and axis_setpoint
# holds `north_m`, `east_m`, with VERTICAL_PATH also `down_m` and then by where it will be after
# course_feedforward_s; gains horizontal_*
HORIZONTAL_POSITION: Final = 1
HORIZONTAL_VELOCITY: Final = 2  # holds `velocity_north`, `velocity_east`; gains roam_*
HORIZONTAL_PATH: Final = 3  # holds the same along a path; gains horizontal_*
HORIZONTAL_BRAKE: Final = 5  # holds the same while it comes to rest; gains brake_*
# An aeroplane's guidance, see simulation.control.fixed_wing_guidance: flies the course and speed of
# `velocity_north`, `velocity_east`, and the height by VERTICAL_PATH, VERTICAL_TAKEOFF (full thrust
# at the take-off pitch) or VERTICAL_LAND (motor off; `down_m` is the ground). Gains wing_*
HORIZONTAL_WING: Final = 4

# OUTPUT.mag_alarm: what the estimation says of the magnetometer, the alarm of that name.
MAG_UNJUDGED, MAG_OK, MAG_WARNING, MAG_CRITICAL = range(4)

# SETTINGS.fusion_algorithm: the option numbers of RevoSettings.FusionAlgorithm.
FUSION_NONE: Final = 0
FUSION_COMPLEMENTARY: Final = 1
FUSION_COMPLEMENTARY_MAG: Final = 2
FUSION_COMPLEMENTARY_MAG_GPS: Final = 3
FUSION_INS13_INDOOR: Final = 4
FUSION_INS13: Final = 5
FUSION_INS13_CF: Final = 6
FUSION_TESTING: Final = 7
FUSION_ACRO: Final = 8

# SETTINGS.mixer_type: the option numbers of MixerSettings.MixerNType; others mean disabled.
MIXER_DISABLED: Final = 0
MIXER_MOTOR: Final = 1
MIXER_REVERSABLE_MOTOR: Final = 2
MIXER_SERVO: Final = 3

# Columns of SETTINGS.mixer_vector.
MIX_CURVE1, MIX_CURVE2, MIX_ROLL, MIX_PITCH, MIX_YAW = range(5)

# OUTPUT.gps_status: the option numbers of GPSPositionSensor.Status.
GPS_NO_GPS: Final = 0
GPS_NO_FIX: Final = 1
GPS_FIX_2D: Final = 2
GPS_FIX_3D: Final = 3

# Rows of OVERRIDE: a sensor's is its number; behind them are states that a station can supply.
OVERRIDE_ATTITUDE, OVERRIDE_RATES, OVERRIDE_POSITION, OVERRIDE_VELOCITY = range(
    SENSOR_COUNT, SENSOR_COUNT + 4
)
OVERRIDES: Final = SENSOR_COUNT + 4

OVERRIDE: Final = np.dtype(
    [
        ("any", np.int64),  # some row is replaced
        ("replaced", np.int64, OVERRIDES),
        ("count", np.int64, OVERRIDES),  # what the sensor's counter in OUTPUT shall be
        # In the order of ObjectMapping.fields and in the units of OUTPUT.
        ("value", np.float64, (OVERRIDES, VALUES)),
    ],
    align=True,
)
"""Values a station supplies in place of sensors and states of the board."""

PROPULSION: Final = np.dtype(
    [
        ("known", np.int64),  # 1: the propulsion is inverted, 0: the static mixer is used
        ("rotor_count", np.int64),
        ("rotor_channel", np.int64, ROTORS),  # from 0
        ("allocation", np.float64, (ROTORS, 4)),  # share of full thrust per actuator desired
        ("full_thrust", np.float64),  # N, of one rotor
        ("hover_share", np.float64),  # of full thrust, carries the weight
        ("speed_controller_us", np.float64, 2),
        # As in PARAMETERS, see simulation.physics.propulsion.
        ("alpha", np.float64),
        ("beta", np.float64),
        ("k_t", np.float64),
        ("gamma", np.float64),
        ("motor_model", np.int64),
        ("psi", np.float64),
        ("resistance", np.float64),
        ("alpha_m", np.float64),
        ("beta_m", np.float64),
        ("full_speed", np.float64),
        ("full_voltage", np.float64),
    ],
    align=True,
)
"""What the autopilot believes of its propulsion, see simulation.control.inverted_propulsion."""

SENSOR_KNOWLEDGE: Final = np.dtype(
    [
        ("gps_delay", np.int64),  # steps from the fix to its message
        ("mag_period_s", np.float64),
        ("baro_period_s", np.float64),
        # Noise of single samples, all three axes together.
        ("gyro_variance", np.float64),  # (deg/s)2
        ("accel_variance", np.float64),  # (m/s2)2
        ("gyro_crooked", np.float64),  # share of another axis in each, deviation
        ("accel_crooked", np.float64),
        ("accel_bias_sigma", np.float64),  # m/s2
        ("accel_bias_walk", np.float64),  # (m/s2)/root s
        ("mag_bias_sigma", np.float64),  # mGauss
        ("mag_bias_walk", np.float64),  # mGauss/root s
        ("baro_walk", np.float64),  # m/root s, weather
        # Slow errors of GPS, horizontal and with GPS_HDOP; they grow in proportion to it.
        ("gps_speed_sigma", np.float64),  # m/s
        ("gps_speed_tau", np.float64),  # s
        ("gps_place_sigma", np.float64),  # m
        ("gps_place_tau", np.float64),  # s
        ("gps_speed_place", np.float64),  # m2/s, covariance of the two
    ],
    align=True,
)
"""What the estimators on board know of the sensors' class, as from their data sheets."""

CALIBRATION: Final = np.dtype(
    [
        ("applied", np.int64),  # 0: gyro, accelerometer and magnetometer are taken as they come
        # --- AccelGyroSettings: (y - bias) * scale - temperature bias ---
        ("accel_bias", np.float64, 3),  # m/s2.  accel_bias
        ("accel_scale", np.float64, 3),  # accel_scale
        ("accel_temperature", np.float64, 3),  # m/s2 per K.  accel_temp_coeff
        # --- AccelGyroSettings: y * scale - bias - temperature bias ---
        ("gyro_bias", np.float64, 3),  # deg/s.  gyro_bias
        ("gyro_scale", np.float64, 3),  # gyro_scale
        ("gyro_temperature", np.float64, (3, 2)),  # deg/s per K and per K2.  gyro_temp_coeff
        ("temperatures", np.float64, 2),  # deg C, least and most.  temp_calibrated_extent
        # --- AttitudeSettings: BoardRotation, then BoardLevelTrim ---
        ("board_to_body", np.float64, (3, 3)),
        # --- RevoCalibration: transform (y - bias) ---
        ("mag_bias", np.float64, 3),  # mGauss.  mag_bias
        ("mag_to_body", np.float64, (3, 3)),  # board_to_body after mag_transform
    ],
    align=True,
)
"""How raw samples of the board's own sensors become those of the aircraft's body axes."""

SETTINGS: Final = np.dtype(
    [
        # --- the active StabilizationSettingsBank ---
        # [axis][Kp, Ki, Kd, ILimit]: actuator (-1..1) per deg/s, per deg, per deg/s2; ILimit in
        # actuator units.  RollRatePID, PitchRatePID, YawRatePID
        ("rate_pid", np.float64, (3, 4)),
        # [axis][Kp, Ki, ILimit]: (deg/s)/deg, (deg/s)/(deg s), deg/s.  RollPI, PitchPI, YawPI
        ("attitude_pi", np.float64, (3, 3)),
        ("maximum_rate", np.float64, 3),  # deg/s, limits what any mode asks for.  MaximumRate
        ("manual_rate", np.float64, 3),  # deg/s at full stick.  ManualRate
        ("maximum_angle", np.float64, 3),  # deg at full stick.  RollMax, PitchMax, YawMax
        ("attitude_feedforward", np.float64, 3),  # s, times the gyro.  AttitudeFeedForward
        ("gyro_ahead_keep", np.float64, 3),  # per sample, low-pass of that gyro.  the same
        ("acro_factor", np.float64, 3),  # share of the actuator at full stick.  AcroInsanityFactor
        ("piro_compensation", np.int64),  # EnablePiroComp
        # Change of the gains over thrust, shares; [axis][P, I, D] tells what is changed, 0 or 1.
        ("thrust_scale_curve", np.float64, 5),  # ThrustPIDScaleCurve
        ("thrust_scale_source", np.int64),  # ThrustPIDScaleSource
        # EnableThrustPIDScaling, ThrustPIDScaleAxes, ThrustPIDScaleTarget
        ("thrust_scale", np.float64, (3, 3)),
        # --- StabilizationSettings ---
        ("gyro_keep", np.float64),  # per sample, low-pass on the gyro before control.  GyroTau
        ("derivative_share", np.float64),  # per sample, low-pass of Kd.  DerivativeCutoff
        ("derivative_gamma", np.float64),  # weight of the setpoint in Kd.  DerivativeGamma
        ("low_throttle_zero_integral", np.int64),  # LowThrottleZeroIntegral
        ("axis_lock_kp", np.float64),  # (deg/s)/deg.  AxisLockKp
        ("max_axis_lock", np.float64),  # deg.  MaxAxisLock
        ("max_axis_lock_rate", np.float64),  # deg/s, below it the axis locks.  MaxAxisLockRate
        ("weak_leveling_kp", np.float64),  # (deg/s)/deg.  WeakLevelingKp
        ("max_weak_leveling_rate", np.float64),  # deg/s.  MaxWeakLevelingRate
        ("rattitude_transition", np.float64),  # share of the stick.  RattitudeModeTransition
        ("vbar_sensitivity", np.float64, 3),  # VbarSensitivity
        ("vbar_pi", np.float64, (3, 2)),  # [axis][Kp, Ki]: per deg/s, per deg.  VbarRollPI..
        ("vbar_tau", np.float64),  # s.  VbarTau
        ("vbar_max_angle", np.float64),  # deg.  VbarMaxAngle
        ("vbar_gyro_suppress", np.float64),  # share at full stick.  VbarGyroSuppress
        ("vbar_piro_compensation", np.int64),  # VbarPiroComp
        ("cruise_thrust", np.float64, 2),  # CruiseControlMinThrust, CruiseControlMaxThrust
        ("cruise_max_angle_deg", np.float64),  # CruiseControlMaxAngle
        ("cruise_max_power_factor", np.float64),  # CruiseControlMaxPowerFactor
        ("cruise_power_trim", np.float64),  # share.  CruiseControlPowerTrim
        ("cruise_power_delay", np.float64),  # s.  CruiseControlPowerDelayComp
        ("cruise_inverted_output", np.int64),  # CruiseControlInvertedPowerOutput
        ("error_by_angles", np.int64),  # ForceRollPitchDuringYawTransition
        ("is_multirotor", np.int64),  # SystemSettings.AirframeType
        # --- AltitudeHoldSettings ---
        ("altitude_hold_position_p", np.float64),  # (m/s)/m.  VerticalPosP
        # [Kp, Ki, Kd, Beta]: thrust (0..1) per m/s, per m, per m/s2; Beta weighs the setpoint in
        # Kp.  VerticalVelPID
        ("altitude_hold_velocity_pid", np.float64, 4),
        ("altitude_hold_rate", np.float64),  # m/s, limits hold and vario.  ThrustRate
        ("altitude_hold_thrust", np.float64, 3),  # [Min, Neutral, Max].  ThrustLimits
        # --- VtolPathFollowerSettings ---
        ("vertical_position_p", np.float64),  # (m/s)/m.  VerticalPosP
        ("vertical_velocity_pid", np.float64, 4),  # as above.  VerticalVelPID
        ("vertical_velocity_max", np.float64),  # m/s.  VerticalVelMax
        ("vertical_thrust", np.float64, 3),  # [Min, Neutral, Max].  ThrustLimits
        ("land_velocity_pid", np.float64, 4),  # LandVerticalVelPID
        ("takeoff_velocity_pid", np.float64, 4),  # AutoTakeoffVerticalVelPID
        ("horizontal_position_p", np.float64),  # (m/s)/m.  HorizontalPosP
        # [Kp, Ki, Kd, Beta]: deg per m/s, per m, per m/s2.  HorizontalVelPID
        ("horizontal_velocity_pid", np.float64, 4),
        ("horizontal_velocity_max", np.float64),  # m/s.  HorizontalVelMax
        ("course_feedforward_s", np.float64),  # CourseFeedForward
        ("velocity_feedforward", np.float64),  # deg/(m/s) of desired velocity
        ("max_roll_pitch", np.float64),  # deg.  MaxRollPitch
        ("roam_velocity_pid", np.float64, 4),  # VelocityRoamHorizontalVelPID
        ("roam_max_roll_pitch", np.float64),  # deg.  VelocityRoamMaxRollPitch
        ("brake_velocity_pid", np.float64, 4),  # BrakeHorizontalVelPID
        ("brake_velocity_feedforward", np.float64),  # deg/(m/s).  BrakeVelocityFeedforward
        ("brake_max_roll_pitch", np.float64),  # deg.  BrakeMaxPitch
        # --- FixedWingPathFollowerSettings; PI are [Kp, Ki, ILimit], limits [Min, Neutral, Max] ---
        ("wing_speed", np.float64, 2),  # m/s.  HorizontalVelMin, HorizontalVelMax
        ("wing_vertical_max", np.float64),  # m/s.  VerticalVelMax
        ("wing_vertical_p", np.float64),  # (m/s)/m.  VerticalPosP
        ("wing_course_pi", np.float64, 3),  # deg of roll per deg of course.  CoursePI
        ("wing_speed_pi", np.float64, 3),  # deg of pitch per m/s.  SpeedPI
        ("wing_power_pi", np.float64, 3),  # thrust (0..1) per m/s of climb.  PowerPI
        ("wing_pitch_cross", np.float64, 2),  # deg per m/s of climb, most.  VerticalToPitch...
        ("wing_power_cross", np.float64, 2),  # thrust, most.  AirspeedToPowerCrossFeed
        ("wing_roll_limit", np.float64, 3),  # deg.  RollLimit
        ("wing_pitch_limit", np.float64, 3),  # deg.  PitchLimit
        ("wing_thrust_limit", np.float64, 3),  # ThrustLimit
        ("wing_overlap", np.float64),  # deg.  ReverseCourseOverlap
        ("wing_takeoff_pitch", np.float64),  # deg.  TakeOffPitch
        ("wing_use_airspeed", np.int64),  # UseAirspeedSensor
        # --- MixerSettings ---
        ("mixer_type", np.int64, CHANNELS),  # MIXER_...  MixerNType
        # [channel][curve 1, curve 2, roll, pitch, yaw], -128..127.  MixerNVector
        ("mixer_vector", np.float64, (CHANNELS, 5)),
        ("throttle_curve1", np.float64, 5),  # 0..1 at 0, 25, 50, 75, 100 %.  ThrottleCurve1
        ("throttle_curve2", np.float64, 5),  # ThrottleCurve2
        # --- ActuatorSettings ---
        ("channel_min", np.float64, CHANNELS),  # us
        ("channel_neutral", np.float64, CHANNELS),  # us
        ("channel_max", np.float64, CHANNELS),  # us
        ("motors_spin_while_armed", np.int64),  # at neutral while armed and thrust is zero
        # --- no object: the preset's motor_control ---
        ("propulsion", PROPULSION),
        ("calibration", CALIBRATION),
        # --- RevoSettings, EKFConfiguration: variances as those objects have them ---
        ("fusion_algorithm", np.int64),  # FUSION_...; taken over while disarmed
        ("ekf_p", np.float64, 13),
        ("ekf_q", np.float64, 9),
        ("ekf_r", np.float64, 10),
        ("ekf_fake_r", np.float64, 3),
        ("map_magnetometer", np.int64),  # MapMagnetometerToHorizontalPlane
        ("mag_deviation", np.float64, 2),  # shares.  MagnetometerMaxDeviation
        ("baro_gps_keep", np.float64),  # per fix.  BaroGPSOffsetCorrectionAlpha
        ("velocity_keep", np.float64),  # per IMU sample.  VelocityPostProcessingLowPassAlpha
        # --- GPSSettings: what a fix has to be for INS13 ---
        ("gps_max_pdop", np.float64),  # MaxPDOP
        ("gps_min_satellites", np.int64),  # MinSatellites
        # --- AttitudeSettings: what the complementary filters take over per IMU sample ---
        ("plumb_kp", np.float64),  # deg, times the sine of the tilt error.  AccelKp
        ("plumb_ki", np.float64),  # deg/s of the gyro's bias, the same.  AccelKi
        ("plumb_keep", np.float64),  # low-pass on the accelerometer for that.  AccelTau
        # --- no object: see AutopilotConfig and Preset ---
        ("own_filter", np.int64),  # 1: Lapwing's own EKF stands behind the INS13 options
        ("baro_samples", np.int64),  # averaged before INS13 starts; firmware takes 500
        ("sensors", SENSOR_KNOWLEDGE),  # see simulation.aircraft.sensor_knowledge
        # --- HomeLocation ---
        ("home_set", np.int64),  # 0: the estimator has no position
        ("home_latitude_deg", np.float64),
        ("home_longitude_deg", np.float64),
        ("home_altitude_m", np.float64),  # above the geoid, where Down is 0
        ("home_declination_deg", np.float64),  # magnetic, atan2(Be[1], Be[0])
        ("home_field_mgauss", np.float64, 3),  # NED.  Be
    ],
    align=True,
)
"""What the pilot configures, taken over at once: gains, limits, mixer, actuators, home."""

COMMAND: Final = np.dtype(
    [
        ("armed", np.int64),  # 0: motors stop, integrals are cleared
        ("axis_mode", np.int64, 3),  # AXIS_...
        ("axis_setpoint", np.float64, 3),  # unit by mode
        ("vertical_mode", np.int64),  # VERTICAL_...
        ("thrust", np.float64),  # 0..1 (below 0: motors off); VERTICAL_MANUAL only
        # -1..1; below 0 integrals rest (LowThrottleZeroIntegral), and gains may be scaled by it
        ("throttle_stick", np.float64),
        ("cruise", np.int64),  # VERTICAL_MANUAL: raise thrust in banked flight
        ("down_m", np.float64),  # target, NED from home: 10 m up is -10
        # m/s, down positive: takeoff -0.6 climbs, land 0.6 sinks; path: feedforward
        ("velocity_down", np.float64),
        # 1: VERTICAL_TAKEOFF climbs as fast up to the last metre, and holds nothing
        ("keeps_velocity", np.int64),
        ("horizontal_mode", np.int64),  # HORIZONTAL_...
        ("north_m", np.float64),  # target, NED from home
        ("east_m", np.float64),
        ("velocity_north", np.float64),  # m/s
        ("velocity_east", np.float64),
        # m/s, for HORIZONTAL_POSITION: what is flown towards the target, down to the last metre,
        # besides what the distance makes; 0 stops there
        ("end_speed", np.float64),
        # A controller of thrust, or of north and east, begins when its count moves; where nobody
        # counts (0) when its mode does
        ("vertical_starts", np.int64),
        ("horizontal_starts", np.int64),
        ("start_thrust", np.float64),  # StabilizationDesired.Thrust when thrust begins
        ("thrust_bounded", np.int64),  # 1: `thrust_bounds` count, not vertical_thrust
        ("thrust_bounds", np.float64, 2),
        ("levels", np.int64),  # 1: roll and pitch are 0, whatever horizontal control says
        # 1: the program on board rests; the actuators do what is written into
        # OUTPUT.actuator_command from outside between blocks, in us
        ("external", np.int64),
        ("override", OVERRIDE),
        # 1: the actuators do what `outputs` says, in us, whatever the mixer made
        ("outputs_supplied", np.int64),
        ("outputs", np.float64, CHANNELS),
    ],
    align=True,
)
"""What the aircraft shall do now, set by the autopilot's modules from sticks or a plan, between
blocks of steps. What is no number is refused, whatever it commands: the flight stops as diverged
before the next step, at the last good state."""

OUTPUT: Final = np.dtype(
    [
        ("step", np.int64),  # physics steps since reset
        ("time_us", np.int64),  # step * STEP_US
        # --- truth: for displays of the simulator, tests and logs; control never sees it ---
        ("true_position", np.float64, 3),  # m, NED from the world's origin, centre of mass
        ("true_velocity", np.float64, 3),  # m/s, NED
        ("true_quaternion", np.float64, 4),  # w, x, y, z
        # m/s2, body: what a perfect accelerometer reads; one step older than the other truth
        ("true_specific_force", np.float64, 3),
        ("true_rates", np.float64, 3),  # deg/s, body
        ("true_wind", np.float64, 3),  # m/s, NED, the velocity of the air (blowing to)
        ("true_latitude_deg", np.float64),
        ("true_longitude_deg", np.float64),
        ("true_altitude_m", np.float64),  # above the geoid
        ("rotor_speed", np.float64, ROTORS),  # rad/s
        ("true_battery_voltage", np.float64),
        ("true_battery_current", np.float64),
        ("true_charge", np.float64),  # share left, 0..1
        ("vortex_ring", np.int64),  # sinks into its own wake, see simulation.physics.propulsion
        ("true_air_density_ratio", np.float64),  # to that at sea level
        ("touches_ground", np.int64),  # a foot is on the ground
        ("crashed", np.int64),  # hit the ground too hard or lies tilted; until reset
        # --- newest sensor values; each counter moves when its sensor delivers ---
        *output_members(),  # see simulation.records.sensor_table
        # --- estimate, from the sensors only ---
        ("attitude_valid", np.int64),
        ("position_valid", np.int64),  # GPS and home are used; otherwise only Down is good
        ("quaternion", np.float64, 4),  # w, x, y, z
        ("attitude_deg", np.float64, 3),  # roll, pitch, yaw (-180..180)
        ("rates", np.float64, 3),  # deg/s, bias removed, as used by control (GyroState)
        ("gyro_bias", np.float64, 3),  # deg/s, estimated
        ("specific_force", np.float64, 3),  # m/s2, body, filtered (AccelState)
        ("position", np.float64, 3),  # m, NED from home
        ("velocity", np.float64, 3),  # m/s, NED
        ("wind", np.float64, 2),  # m/s, north and east, the velocity of the air
        ("airspeed_true", np.float64),  # m/s
        ("airspeed_calibrated", np.float64),  # m/s, what it would be at sea level's density
        ("fusion", np.int64),  # FUSION_... that runs; 0 before the first IMU sample
        ("accel_bias", np.float64, 3),  # m/s2, estimated
        # Variances, 0 where the algorithm knows none: position m2, velocity (m/s)2, attitude
        # rad2 about NED, gyro bias (rad/s)2
        ("estimate_variance", np.float64, (4, 3)),
        # INS13's own: position m2, velocity (m/s)2, quaternion, gyro bias (rad/s)2
        ("ekf_variance", np.float64, 13),
        # INS13 has lost its covariance once; Lapwing's own filter is not sure of its heading
        ("estimate_warning", np.int64),
        ("mag_alarm", np.int64),  # MAG_...
        ("estimate_resets", np.int64),  # how often the filter had to begin anew
        # --- control ---
        ("velocity_desired", np.float64, 3),  # m/s, NED; zero where not controlled
        ("attitude_desired", np.float64, 3),  # deg; in rate and manual axes the setpoint
        ("rate_desired", np.float64, 3),  # deg/s; in manual axes the stick
        ("thrust_desired", np.float64),  # StabilizationDesired.Thrust
        # An aeroplane: errors of course (deg), airspeed, climb (m/s); roll, pitch (deg), thrust
        ("wing_error", np.float64, 3),
        ("wing_integral", np.float64, 3),
        ("wing_command", np.float64, 3),
        ("actuator_desired", np.float64, 4),  # roll, pitch, yaw -1..1; thrust 0..1 (-1: off)
        ("actuator_command", np.float64, CHANNELS),  # us
        ("saturated", np.int64),  # a motor output was at its limit in the newest control step
        ("landed", np.int64),  # VERTICAL_LAND has detected touchdown and cut the thrust
        ("disarm_request", np.int64),  # a controller of `simulation.sil` asks to be disarmed
    ],
    align=True,
)
"""What the aircraft does: truth, newest measurements with counters, estimate, control."""

EXTERNAL_FORCE: Final = np.dtype(
    [
        # --- given: the aircraft at the time it is asked about; SI units ---
        ("time_s", np.float64),  # since reset
        ("stage", np.int64),  # of RK4, 0 to 3: at the beginning, twice half-way, at the end
        ("position", np.float64, 3),  # NED from the world's origin, centre of mass
        ("velocity", np.float64, 3),  # NED
        ("quaternion", np.float64, 4),
        ("rates", np.float64, 3),  # rad/s, body
        ("wind", np.float64, 3),  # NED, the velocity of the air
        ("air_velocity", np.float64, 3),  # body, how the centre of mass moves through the air
        ("air_density", np.float64),  # kg/m3
        ("mass", np.float64),  # kg
        ("gravity", np.float64),  # m/s2, where it is
        ("rotor_speed", np.float64, ROTORS),  # rad/s
        ("surface", np.float64, 3),  # rad: elevator, left and right aileron, trailing edge down
        ("constants", np.float64, FORCE_CONSTANTS),
        ("state", np.float64, FORCE_STATES),  # its own, at that time
        # --- to be said; all but the last are 0 before ---
        ("force", np.float64, 3),  # N, body, and
        ("force_ned", np.float64, 3),  # N, NED, which add up and act at
        ("point", np.float64, 3),  # m, body, from the centre of mass
        ("moment", np.float64, 3),  # Nm, body, in addition
        ("state_rate", np.float64, FORCE_STATES),  # the states' derivatives
        # --- kept by the simulation ---
        ("acts", np.int64),
        ("step_s", np.float64),
        ("wrench", np.float64, 6),
        ("state_start", np.float64, FORCE_STATES),
        ("state_slope", np.float64, (4, FORCE_STATES)),
    ],
    align=True,
)
"""What a function that says what acts from outside is given and says, see
`simulation.simulator.external_force`."""
