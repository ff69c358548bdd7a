"""Records inside the compiled loop: aircraft parameters, world, physical state, memories.

One `FLIGHT` record holds everything a flight depends on, so its bytes are a snapshot. Each part
of the loop is handed only the records it may know: the estimator never gets `STATE`.
SI units unless a comment says otherwise.
"""

from typing import Final

import numpy as np

from simulation.records.filters import FILTER
from simulation.records.interface import CHANNELS, COMMAND, EXTERNAL_FORCE, OUTPUT, ROTORS, SETTINGS
from simulation.records.sensor_table import HARMONICS, SENSOR_COUNT, VALUES, parameter_members

POINTS: Final = 16
"""Most points of an aircraft that can touch the ground."""
HULL_PLANES: Final = 2 * POINTS - 4
"""Most planes and, below, edges of the hull around them: by Euler's formula."""
HULL_EDGES: Final = 3 * POINTS - 6
HULL_CONTACTS: Final = 3
"""Most edges of a world that press on the hull at a time."""
CONTACTS: Final = POINTS + HULL_CONTACTS
OCV_POINTS: Final = 11
"""Open-circuit voltage is given at 0, 10 ... 100 % charge."""
QUEUE: Final = 8
"""Most samples of a sensor on their way."""
DEAD_STEPS: Final = 64
"""One more than the longest dead time of speed controllers, in steps."""
ROTOR_PARTS: Final = 7
"""Most sums over rotors at a time."""
FLICKERS: Final = 4
"""Processes that make up the 1/f floor of gyro and accelerometer."""
WIND_ROWS: Final = 512
"""Most rows of a wind that changes over time."""

# Rows of STATE.motion.
POSITION: Final = 0  # 3: NED from the world's origin
VELOCITY: Final = 3  # 3: NED
ATTITUDE: Final = 6  # 4: quaternion body to NED
RATES: Final = 10  # 3: body, rad/s
ROTOR: Final = 13  # ROTORS: rad/s
MOTION: Final = ROTOR + ROTORS

# PARAMETERS.motor_model, see simulation.physics.propulsion.
MOTOR_DC: Final = 0  # electric circuit
MOTOR_LAG: Final = 1  # follows a speed proportional to voltage
MOTOR_LAG_ROOT: Final = 2  # follows a speed proportional to its square root
MOTOR_LAG_SPEED: Final = 3  # follows a speed proportional to duty, as long as voltage suffices

# PARAMETERS.law of a propeller's torque, see simulation.physics.propulsion.
LAW_SEED: Final = 0  # k_t T + gamma W whatever the inflow
LAW_MOMENTUM: Final = 1  # momentum theory and profile power

# PARAMETERS.kind: which forces move it.
ROTORCRAFT: Final = 0
FIXED_WING: Final = 1
COAXIAL: Final = 2
COMMANDED: Final = 3  # its own firmware is part of the model, see simulation.physics.command_level

# Rotors of a coaxial helicopter, and the servos of its swash plate.
UPPER, LOWER = range(2)
SWASH_PITCH, SWASH_ROLL = range(2)

# Control surfaces of a fixed wing, as its aerodynamics know them; servos move them, see SERVOS.
ELEVATOR, LEFT_AILERON, RIGHT_AILERON = range(3)
SURFACES: Final = 3
SERVOS: Final = 5
"""Most servos of a fixed wing."""

# STATE.launch_phase.
IN_HAND: Final = 1
THROWN: Final = 2

# Columns of an error model, see simulation.sensors.error_model.
WHITE, DRIFT, DRIFT_TAU, TURN_ON, RANGE, RESOLUTION = range(6)

PARAMETERS: Final = np.dtype(
    [
        ("kind", np.int64),  # ROTORCRAFT, FIXED_WING, COAXIAL or COMMANDED
        ("mass", np.float64),
        ("inertia", np.float64, 3),  # moments about the body axes
        ("inertia_xz", np.float64),  # product of inertia; the others are zero by symmetry
        # --- rotors ---
        ("rotor_count", np.int64),
        ("rotor_position", np.float64, (ROTORS, 3)),  # from the centre of mass
        ("rotor_axis", np.float64, (ROTORS, 3)),  # unit vectors of thrust, body
        ("tilted", np.int64),  # 1: some axis is not straight up
        ("rotor_spin", np.float64, ROTORS),  # +1 clockwise seen from above, -1 the other way
        ("rotor_channel", np.int64, ROTORS),  # output it hangs on, from 0
        ("speed_controller_us", np.float64, 2),  # pulse at 0 and at full duty
        ("dead_steps", np.int64),  # from a pulse to the duty it asks for, below DEAD_STEPS
        # --- propeller, names as in simulation.physics.propulsion ---
        ("law", np.int64),  # LAW_...
        ("alpha", np.float64),
        ("beta", np.float64),
        ("c_t1", np.float64),
        ("c_t2", np.float64),
        ("k_t", np.float64),
        ("gamma", np.float64),
        ("k_d", np.float64),
        ("flapping", np.float64),  # rad per V / (W R), see simulation.physics.rotors
        ("flap_stiffness", np.float64),  # Nm/rad, at the hub
        ("ground_effect", np.float64),
        ("rotor_radius", np.float64),
        ("rotor_above", np.int64, ROTORS),  # in whose wake it works, from 1; 0: in none
        ("rotor_inertia", np.float64),
        ("hover_inflow", np.float64),  # v_h per root of thrust at sea level's density
        ("windmilling", np.float64),  # share of the power of air from below that turns a rotor
        # --- motor ---
        ("motor_model", np.int64),  # MOTOR_...
        ("psi", np.float64),  # MOTOR_DC: psi to beta_m
        ("resistance", np.float64),
        ("alpha_m", np.float64),
        ("no_load_current", np.float64),
        ("current_limit", np.float64),  # A, kept by the speed controller
        ("beta_m", np.float64),
        ("motor_tau", np.float64, 2),  # MOTOR_LAG and MOTOR_LAG_ROOT: up, down
        ("full_speed", np.float64),  # at `full_voltage`
        ("full_voltage", np.float64),
        ("efficiency", np.float64),  # shaft power to electric power
        # --- fixed wing: see simulation.physics.fixed_wing ---
        ("wing_area", np.float64),
        ("wing_span", np.float64),
        ("wing_chord", np.float64),
        ("lift", np.float64, 4),  # C_L0, C_La, C_Lq, C_Lde
        ("stall", np.float64, 2),  # angle of attack in rad, sharpness of the transition
        ("plate_loss", np.float64),  # what the aspect ratio takes off the normal force
        ("half_wing", np.float64),  # where the lift of a half acts, in spans from the middle
        ("drag", np.float64, 3),  # C_D0, 1 / (pi e AR), C_Dside
        ("pitching", np.float64, 4),  # C_m0, C_ma, C_mq, C_mde
        ("lateral", np.float64, (3, 5)),  # C_Y, C_l, C_n by beta, p, r, aileron, rudder
        ("tail_in_wash", np.float64),  # share of the tail in the propeller's slipstream
        ("tail_alpha", np.float64),  # its part of C_ma
        ("propeller_diameter", np.float64),
        ("propeller_c_t", np.float64, 3),  # C_T(J), quadratic
        ("propeller_c_q", np.float64, 3),  # C_Q(J), quadratic
        # --- servos of a fixed wing, and that of a tail rotor: see simulation.physics.servos ---
        ("servo_count", np.int64),
        ("servo_channel", np.int64, SERVOS),  # output it hangs on, from 0
        ("servo_pulse_us", np.float64, (SERVOS, 2)),
        ("servo_deflection", np.float64, (SERVOS, 2)),  # rad at these pulses
        ("servo_share", np.float64, (SERVOS, SURFACES + 1)),  # of it in each surface, and rudder
        ("servo_tau", np.float64),
        ("servo_rate", np.float64),  # rad/s
        ("turned_rotor", np.int64),  # that the first servo turns about x, from 1; 0: none
        # --- coaxial helicopter: see simulation.physics.coaxial ---
        ("swash_channel", np.int64, 2),  # output it hangs on, from 0
        ("swash_pulse_us", np.float64, 2),
        ("swash_deflection", np.float64),  # rad of the thrust at the longer of these pulses
        ("swash_share", np.float64),  # of the way that a servo goes within a step
        ("swash_arm", np.float64),  # m above the centre of mass, where the lower rotor pulls
        ("flybar_restoring", np.float64),  # Nm per rad of tilt
        ("flybar_damping", np.float64, 3),  # Nm per rad/s
        # --- hand launch; height 0: it starts from the ground ---
        ("launch_height", np.float64),
        ("launch_pitch", np.float64),  # rad
        ("launch_acceleration", np.float64),
        ("launch_steps", np.int64),  # how long it is pushed
        ("launch_delay", np.int64),  # steps at `launch_duty` before it is thrown
        ("launch_duty", np.float64),
        ("gust_span", np.float64),  # over which gusts differ, m
        # --- COMMANDED: see simulation.physics.command_level ---
        ("command_channel", np.int64, 4),  # outputs with roll, pitch, yaw, climb, from 0
        ("command_pulse_us", np.float64, 2),  # of commands -1 and 1
        ("command_off_us", np.float64),  # while that of climb is shorter, the motors stand still
        ("tilt_per_command", np.float64),  # rad
        ("tilt_command_limit", np.float64),  # what is beyond it is not obeyed
        ("tilt_tau", np.float64),
        ("tilt_rate_tau", np.float64),
        ("tilt_speed", np.float64),  # per sine of the tilt
        ("linear_drag", np.float64),  # N/(m/s), over the ground
        ("yaw_rate_per_command", np.float64),  # rad/s
        ("yaw_drag", np.float64),  # Nm/(rad/s)
        ("climb_per_command", np.float64, 2),  # up, down
        ("climb_drag", np.float64),  # N/(m/s)
        ("motors_power", np.float64),  # W, of all while they run
        # --- drag: N/(m/s)2, which acts at a place, and Nm/(rad/s)2 per body axis ---
        ("centre_of_pressure", np.float64, 3),  # from the centre of mass
        ("drag_force", np.float64, 3),
        ("drag_moment", np.float64, 3),
        # --- ground contact: the first `foot_count` points are feet, the others hull ---
        ("foot_count", np.int64),
        ("point_count", np.int64),
        ("point", np.float64, (POINTS, 3)),
        # --- hull around them, in worlds only: see simulation.physics.hull_shape ---
        ("hull_plane_count", np.int64),
        ("hull_edge_count", np.int64),
        ("hull_plane", np.float64, (HULL_PLANES, 4)),  # outwards, and how far out it is
        ("hull_edge", np.int64, (HULL_EDGES, 2)),  # numbers of points
        ("hull_stands", np.int64, HULL_PLANES + HULL_EDGES),  # 1: only feet are at its ends
        ("contact_reach", np.float64),  # of the farthest point from the centre of mass
        ("contact_depth", np.float64),  # static deflection of the feet
        (
            "contact_stroke",
            np.float64,
        ),  # of the springs, see simulation.physics.hard_stop
        ("contact_damping", np.float64),  # ratio
        ("friction", np.float64),
        ("crash_speed", np.float64),  # touching faster than this breaks it
        # --- battery ---
        ("cells", np.float64),
        ("capacity_as", np.float64),
        ("cell_ocv", np.float64, OCV_POINTS),
        ("cell_resistance", np.float64),
        ("cell_rc_resistance", np.float64),
        ("cell_rc_tau", np.float64),
        ("cell_cutoff", np.float64),  # V per cell: below it only half the duty is left
        ("avionics_power", np.float64),  # W
        # --- sensors, see simulation.sensors ---
        # [sensor][WHITE, DRIFT, DRIFT_TAU, TURN_ON, RANGE, RESOLUTION]: deg/s, m/s2, mGauss, m, Pa,
        # rad/s, V, m/s, A; WHITE of GYRO and ACCEL per root Hz
        ("sensor_error", np.float64, (SENSOR_COUNT, 6)),
        ("error_axes", np.int64, SENSOR_COUNT),
        ("sensor_period", np.int64, SENSOR_COUNT),  # steps; 0: not fitted
        ("sensor_delay", np.int64, SENSOR_COUNT),  # steps
        ("sensor_dropout", np.float64, SENSOR_COUNT),  # probability that a sample is lost
        *parameter_members(),  # see simulation.records.sensor_table
    ],
    align=True,
)

WORLD: Final = np.dtype(
    [
        ("latitude_deg", np.float64),
        ("longitude_deg", np.float64),
        ("altitude", np.float64),
        ("sine_cosine", np.float64, 2),  # of the latitude, see simulation.environment.earth
        ("radii", np.float64, 2),  # m, of curvature there: of the meridian, and across it
        ("gravity_excess", np.float64),  # m/s2, above GRAVITY, at the origin
        ("gravity_slope", np.float64, 2),  # 1/s2, to the north and downwards
        ("earth_rate", np.int64),  # 1: gyros feel the Earth turn
        ("field_mgauss", np.float64, 3),  # NED, at the origin
        ("field_gradient", np.float64, (3, 3)),  # mGauss/m to north, east, down
        # --- air, see simulation.environment.air; velocities are where it blows to, NED ---
        ("weather_warmer", np.float64),  # K above the standard atmosphere
        ("weather_pressure", np.float64),  # Pa above standard at sea level
        ("wind", np.float64, 3),  # 6.1 m above the ground
        ("roughness", np.float64),  # m, of the ground; 0: the same wind at all heights
        ("wind_rows", np.int64),
        ("wind_table", np.float64, (WIND_ROWS, 4)),  # s, and the velocity to add
        ("turbulence_w20", np.float64),  # m/s, the wind at 6.1 m that stirs up turbulence
        ("gust", np.float64, 3),  # amplitude of a single 1 - cos gust
        ("gust_length", np.float64),  # m
        ("gust_start", np.float64),  # s
        ("wake", np.float64, 3),  # velocity to add, that others of the fleet leave behind
        ("gps_lost", np.int64),  # fault: no fix while 1
        ("rotor_lost", np.int64, ROTORS),  # fault: motor without current while 1
        ("gps_jump", np.float64, 2),  # m north and east added to the receiver's position
        ("gps_satellites", np.float64),  # in view
        ("sensor_lost", np.float64, SENSOR_COUNT),  # probability that a sample is lost, in addition
        ("sensor_frozen", np.int64, SENSOR_COUNT),  # fault: the same value again and again while 1
        ("sensor_noise", np.float64, SENSOR_COUNT),  # factor on noise and drift
        # --- gyro, accelerometer, magnetometer, see simulation.sensors.axis_errors ---
        ("sensor_bias", np.float64, (3, 3)),  # deg/s, m/s2, mGauss by board axis
        ("sensor_scale", np.float64, (3, 3)),  # share by which an axis shows too much
        ("sensor_warming", np.float64, 2),  # gyro, accelerometer: bias per K above 25 deg C
        ("board_warmer", np.float64),  # K above the air
        ("board_turn", np.float64, 3),  # deg, roll, pitch, yaw of the board in the airframe
        ("body_to_board", np.float64, (3, 3)),  # the same, as a matrix
        # --- held by somebody's hands, see simulation.physics.bench ---
        ("bench_held", np.int64),
        ("bench_attitude", np.float64, 3),  # deg, roll, pitch, yaw
        ("bench_tumble", np.float64),  # deg/s; if not 0, turned this way and that instead
    ],
    align=True,
)

STATE: Final = np.dtype(
    [
        ("code", np.int64),  # digest of the program that simulates
        ("diverged", np.int64),  # what ended the simulation, see simulation.physics.divergence
        ("seed", np.int64),
        ("motion", np.float64, MOTION),
        ("specific_force", np.float64, 3),  # body, what an ideal accelerometer felt a step ago
        ("gravity_excess", np.float64),  # m/s2, above GRAVITY, where it is
        ("angular_acceleration", np.float64, 3),  # body, rad/s2
        ("air_temperature", np.float64),  # K
        ("air_pressure", np.float64),  # Pa
        ("air_density_ratio", np.float64),  # to sea level on a standard day
        ("wind", np.float64, 3),  # velocity of the air at the aircraft
        ("wind_row", np.int64),  # of the table, in force
        ("turbulence", np.float64, (3, 2)),  # states of the filters u, v, w
        ("turbulence_turning", np.float64, 3),  # states of the filters p, q, r
        ("air_rates", np.float64, 3),  # how the air turns about the aircraft: body, rad/s
        ("gust_travelled", np.float64),  # m into the gust
        ("asked_duty", np.float64, ROTORS),  # 0..1
        ("late_duty", np.float64, (DEAD_STEPS, ROTORS)),  # what was asked for, by step
        ("duty", np.float64, ROTORS),  # 0..1
        ("voltage", np.float64, ROTORS),  # at the motors
        ("motor_torque", np.float64, ROTORS),  # of the motor on its rotor
        ("thrust", np.float64, ROTORS),  # N
        ("rotor_parts", np.float64, (ROTOR_PARTS, ROTORS)),  # room for summands by rotor
        # --- wake of the rotors, see simulation.physics.rotor_wake ---
        ("torque_arm", np.float64, ROTORS),  # m, torque per thrust that moves the air
        ("profile_torque", np.float64, ROTORS),  # Nm, that turns the blades through it
        ("flapping", np.float64, ROTORS),  # rad per m/s across the disc
        ("ring_inflow", np.float64, ROTORS),  # m/s, what ring and rotor above add to v1
        ("induced", np.float64, ROTORS),  # m/s, v_i
        ("wandering", np.float64, ROTORS),  # of deviation 1
        ("buffet", np.float64, ROTORS),  # share of the thrust
        ("thrust_gain", np.float64, ROTORS),  # share that wandering and the ground add to it
        ("motion_command", np.float64, 4),  # of COMMANDED: roll, pitch, yaw, climb, -1..1
        ("motors_run", np.int64),  # of COMMANDED
        ("servo", np.float64, SERVOS),  # rad
        ("servo_speed", np.float64, SERVOS),  # rad/s
        ("surface", np.float64, SURFACES),  # deflections, rad, trailing edge down positive
        ("rudder", np.float64),  # rad, trailing edge left positive
        ("swash", np.float64, 2),  # tilt of the lower rotor's thrust, rad, see COAXIAL
        ("launch_phase", np.int64),  # IN_HAND, THROWN; 0: flies freely
        ("launch_count", np.int64),  # steps of waiting, then of throwing
        ("contact_force", np.float64, 3),  # NED
        ("contact_moment", np.float64, 3),  # body
        ("contact_energy", np.float64),  # J, in the springs of the contact
        ("stop_arm", np.float64, (CONTACTS, 3)),  # body, see simulation.physics.hard_stop
        ("stop_plane", np.float64, (CONTACTS, 4)),  # NED, and how far its place is above it
        ("stop_change", np.float64, 3),  # NED, m/s by which hard stops changed the velocity
        ("force", EXTERNAL_FORCE),  # from outside
        ("point_sticks", np.int64, CONTACTS),
        ("point_anchor", np.float64, (CONTACTS, 3)),
        # --- in a world, see simulation.physics.surface_contact and simulation.worlds.world_effects
        ("in_world", np.int64),
        ("world_code", np.int64),  # digest of the program that says what a world does
        ("ground", np.float64),  # m down from the origin: what is below; 0 without a world
        ("point_outside", np.float64, (POINTS, 3)),  # NED
        ("point_normal", np.float64, (CONTACTS, 3)),  # of the surface it sticks to
        ("hull_part", np.int64, HULL_CONTACTS),  # a plane, or HULL_PLANES + an edge; -1: none
        ("hull_arm", np.float64, (HULL_CONTACTS, 3)),  # body: what sticks
        ("hull_pressed", np.float64, (HULL_CONTACTS, 2, 3)),  # NED: ends of the edge that does
        ("hull_out", np.float64, (HULL_CONTACTS, 3)),  # body: the way by which that comes out
        ("hull_spring", np.float64, HULL_CONTACTS),  # m, by which its spring is pressed
        ("hull_moved", np.float64),  # m since it was looked what presses on it
        ("touches_surface", np.int64),  # 2: deeper than springs should give way
        ("contact_place", np.float64, 3),  # where the aircraft was when that was looked for
        ("clear_from", np.float64, 3),  # NED, and
        ("clear_m", np.float64),  # how far from there it can touch nothing
        ("shelter", np.float64),  # share of the wind that is taken away
        ("shelter_found", np.float64),  # what that goes to
        ("sky_covered", np.float64),  # share of the satellites that are hidden
        ("echo", np.float64),  # m, the nearest one of the sonar
        ("charge_used", np.float64),  # As
        ("rc_voltage", np.float64),
        ("bus_voltage", np.float64),
        ("battery_current", np.float64),
        ("power_limited", np.int64),
        ("sample_step", np.int64, SENSOR_COUNT),  # of the next sample; -1: never
        ("delivery_step", np.int64, SENSOR_COUNT),
        ("sampled", np.int64, SENSOR_COUNT),
        ("delivered", np.int64, SENSOR_COUNT),
        ("sensor_queue", np.float64, (SENSOR_COUNT, QUEUE, VALUES)),
        ("white", np.float64, SENSOR_COUNT),  # deviation per sample
        ("drift_every", np.int64, SENSOR_COUNT),  # samples
        ("drift_decay", np.float64, SENSOR_COUNT),
        ("drift_kick", np.float64, SENSOR_COUNT),
        ("offset", np.float64, (SENSOR_COUNT, VALUES)),  # of this run
        ("drift", np.float64, (SENSOR_COUNT, VALUES)),
        ("error", np.float64, (SENSOR_COUNT, VALUES)),  # of the newest sample, all of it
        # --- gyro and accelerometer, see simulation.sensors.imu_errors and .vibration ---
        ("imu_mix", np.float64, (2, 3, 3)),  # share of the other axes in each
        ("imu_g", np.float64, (3, 3)),  # deg/s per m/s2
        ("flicker", np.float64, (2, FLICKERS, 3)),
        ("flicker_every", np.int64, 2),  # samples
        ("flicker_decay", np.float64, 2),
        ("flicker_kick", np.float64, 2),
        ("imu_wander", np.float64, (2, 3)),  # sum of these
        ("has_lines", np.int64),
        ("lines_step", np.int64),  # that the rotors were turned to
        ("rotor_turns", np.float64, ROTORS),  # 0..1
        ("line", np.float64, (HARMONICS, 2)),  # cosine and sine, of all rotors together
        ("line_gain_step", np.int64),  # of the next look at their speeds
        ("line_gain", np.float64, (2, HARMONICS)),
        ("gps_keep", np.float64),  # share of the position error left after one period
        ("gps_position_error", np.float64, 3),
    ],
    align=True,
)

CONTROL: Final = np.dtype(
    [
        ("code", np.int64),  # digest of the program on board
        ("was_vertical", np.int64),
        ("was_horizontal", np.int64),
        ("rate_integral", np.float64, 3),
        ("rate_last", np.float64, 3),
        ("rate_derivative", np.float64, 3),
        ("attitude_integral", np.float64, 3),
        ("was_inner", np.int64, 3),  # axis mode at the last sample; -1: begin anew
        ("was_outer", np.int64, 3),
        ("lock_angle", np.float64, 3),
        ("vbar_angle", np.float64, 3),  # deg, how far the virtual flybar lags behind
        ("gyro_smooth", np.float64, 3),  # deg/s, what control goes by
        ("gyro_ahead", np.float64, 3),  # deg/s, of AttitudeFeedForward
        ("target", np.float64, 4),  # attitude that stabilization turns towards
        ("tilt_command", np.float64, 2),  # deg, roll and pitch from horizontal control
        # Rows north, east, down: integral, derivative, last measurement
        ("velocity_pid", np.float64, (3, 3)),
        ("altitude_pid", np.float64, 3),  # the same of the altitude loop
        # COMMAND.vertical_starts and horizontal_starts that were obeyed
        ("vertical_starts", np.int64),
        ("horizontal_starts", np.int64),
        ("altitude_starts", np.int64),
        ("altitude_sink", np.float64),  # m/s, what the altitude loop was asked for last
        ("was_height_held", np.int64),
        ("thrust_wanted", np.float64),  # RateDesired.Thrust
        ("cruise_angle", np.float64),  # deg from upright
        ("cruise_factor", np.float64),
        ("thrust", np.float64),
        ("still_steps", np.int64),  # how long it has sat still while landing
        ("wing_integral", np.float64, 3),  # course, speed, power; in a flare the last is pitch
        ("wing_flare", np.int64),
    ],
    align=True,
)

SCRATCH: Final = np.dtype(
    [
        ("slope", np.float64, (4, MOTION)),  # RK4's derivatives
        ("between", np.float64, MOTION),  # motion at a stage of RK4
        ("before", np.float64, MOTION),  # motion before the step
        ("wrench", np.float64, 6),  # body force and moment
        ("attitude", np.float64, 4),
        ("mixed", np.float64, CHANNELS),
    ],
    align=True,
)
"""Room for intermediate results, so that a step allocates nothing."""

FLIGHT: Final = np.dtype(
    [
        ("parameters", PARAMETERS),
        ("world", WORLD),
        ("settings", SETTINGS),
        ("command", COMMAND),
        ("state", STATE),
        ("filter", FILTER),
        ("control", CONTROL),
        ("output", OUTPUT),
        ("scratch", SCRATCH),
    ],
    align=True,
)
"""Everything a flight depends on."""
