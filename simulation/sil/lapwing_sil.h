/* Software in the loop: the interface between an aircraft and the algorithms that fly it.
 *
 * A file that implements the three functions at the end can replace all that Lapwing's simulated
 * autopilot does between its sensors and its actuators:
 *
 *     lapwing sim --sil hover.c --scenario examples/sil/hover.json
 *
 * The same file is what goes on the board: this header and such a file need no simulator, no
 * memory from the heap and nothing of the C library but <math.h> and <stdint.h>. On the board,
 * fill the structs from the sensor drivers and call lapwing_sil_step from a timer.
 *
 * Frames: body is x forward, y right, z down; NED is north, east, down from the home location.
 * Quaternions turn body into NED, scalar first. Arrays over axes are roll, pitch, yaw. Every
 * member is eight bytes wide, so that no compiler has anything to pad.
 *
 * A sensor's count moves with each new value, its time says when that was. A sensor that an
 * aircraft does not have never counts. What is handed over is what the sensors deliver, with
 * their errors and delays; the truth is not in here.
 */
#ifndef LAPWING_SIL_H
#define LAPWING_SIL_H

#include <stdint.h>

#define LAPWING_SIL_ABI 1u
#define LAPWING_SIL_CHANNELS 12

/* Meaning of lapwing_settings.mixer_type. */
enum { LAPWING_MIXER_DISABLED = 0, LAPWING_MIXER_MOTOR = 1, LAPWING_MIXER_REVERSABLE_MOTOR = 2,
       LAPWING_MIXER_SERVO = 3 };

/* Meaning of lapwing_command.axis_mode, per axis. */
enum { LAPWING_AXIS_MANUAL = 0, LAPWING_AXIS_RATE = 1, LAPWING_AXIS_ATTITUDE = 2,
       LAPWING_AXIS_LOCK = 3, LAPWING_AXIS_WEAK_LEVELING = 4 };

/* Meaning of lapwing_command.vertical_mode. */
enum { LAPWING_VERTICAL_MANUAL = 0, /* thrust as it is */
       LAPWING_VERTICAL_VARIO = 1,  /* hold velocity_down */
       LAPWING_VERTICAL_HOLD = 2,   /* hold down_m */
       LAPWING_VERTICAL_PATH = 3,   /* hold down_m */
       LAPWING_VERTICAL_TAKEOFF = 4, /* climb with velocity_down to down_m, then hold it */
       LAPWING_VERTICAL_LAND = 5 }; /* sink with velocity_down until on the ground */

/* Meaning of lapwing_command.horizontal_mode. */
enum { LAPWING_HORIZONTAL_NONE = 0, /* roll and pitch from axis_setpoint */
       LAPWING_HORIZONTAL_POSITION = 1, /* hold north_m, east_m */
       LAPWING_HORIZONTAL_VELOCITY = 2 }; /* hold velocity_north, velocity_east */

/* How the aircraft is configured: the values of its settings objects, given once at the start. */
struct lapwing_settings {
    int64_t step_us; /* time between two steps */
    /* [axis][Kp, Ki, Kd, ILimit]: actuator (-1..1) per deg/s, per deg, per deg/s2 */
    double rate_pid[3][4];
    /* [axis][Kp, Ki, ILimit]: (deg/s)/deg, (deg/s)/(deg s), deg/s */
    double attitude_pi[3][3];
    double maximum_rate[3];           /* deg/s */
    double altitude_hold_position_p;  /* (m/s)/m */
    /* [Kp, Ki, Kd, Beta]: thrust (0..1) per m/s, per m, per m/s2; Beta weighs the setpoint */
    double altitude_hold_velocity_pid[4];
    double altitude_hold_rate;      /* m/s, limit of climbing and sinking */
    double altitude_hold_thrust[3]; /* least, neutral (hovering), most */
    int64_t mixer_type[LAPWING_SIL_CHANNELS];
    /* [channel][curve 1, curve 2, roll, pitch, yaw], 127 is full */
    double mixer_vector[LAPWING_SIL_CHANNELS][5];
    double channel_min[LAPWING_SIL_CHANNELS];     /* us: a motor stands */
    double channel_neutral[LAPWING_SIL_CHANNELS]; /* us: a motor idles, a servo is centred */
    double channel_max[LAPWING_SIL_CHANNELS];     /* us */
    int64_t home_set; /* 0: the next four mean nothing */
    double home_latitude_deg;
    double home_longitude_deg;
    double home_altitude_m;      /* above the geoid; down is zero there */
    double home_declination_deg; /* magnetic, east positive */
};

/* What was measured, up to now. Times are in us since the start. */
struct lapwing_sensors {
    int64_t time_us; /* now */
    int64_t imu_count;
    int64_t imu_time_us;
    double gyro[3];  /* deg/s, body */
    double accel[3]; /* m/s2, body, specific force: level and at rest z is -9.81 */
    int64_t mag_count;
    int64_t mag_time_us;
    double mag[3]; /* mGauss, body */
    int64_t baro_count;
    int64_t baro_time_us;
    double baro_pressure_kpa;
    double baro_temperature_c;
    double baro_altitude_m; /* standard atmosphere at that pressure */
    int64_t gps_count;
    int64_t gps_time_us; /* of arrival; what it tells is older */
    int64_t gps_status;  /* 0 no receiver, 1 no fix, 2 two, 3 three dimensions */
    int64_t gps_satellites;
    double gps_latitude_deg;
    double gps_longitude_deg;
    double gps_altitude_m;  /* above the geoid */
    double gps_velocity[3]; /* m/s, NED */
    double gps_pdop;
    double gps_hdop;
    double gps_vdop;
    int64_t sonar_count;
    int64_t sonar_time_us;
    double sonar_range_m;
    int64_t airspeed_count;
    int64_t airspeed_time_us;
    double airspeed_pressure_pa; /* dynamic: total less static */
    int64_t battery_count;
    int64_t battery_time_us;
    double battery_voltage; /* V */
    double battery_current; /* A */
    double battery_consumed_mah;
};

/* What the aircraft shall do now, from its pilot's sticks or a plan. */
struct lapwing_command {
    int64_t armed;           /* 0: the motors must stand */
    int64_t axis_mode[3];    /* LAPWING_AXIS_...; roll and pitch count without horizontal_mode */
    double axis_setpoint[3]; /* deg, deg/s or -1..1, by mode */
    int64_t vertical_mode;   /* LAPWING_VERTICAL_... */
    double thrust;           /* 0..1, below 0 the motors stand */
    double down_m;           /* NED: 10 m up is -10 */
    double velocity_down;    /* m/s: -1 climbs */
    int64_t horizontal_mode; /* LAPWING_HORIZONTAL_... */
    double north_m;
    double east_m;
    double velocity_north; /* m/s */
    double velocity_east;
    double end_speed; /* m/s at north_m, east_m; 0: stop there */
    int64_t sticks_valid; /* 0: no pilot is heard, the next five mean nothing */
    double stick_roll;    /* -1..1, right */
    double stick_pitch;   /* -1..1, back (nose up) */
    double stick_yaw;     /* -1..1, right */
    double stick_throttle; /* -1..1 */
    int64_t switch_position; /* of the flight mode switch, from 0 */
};

/* What the controller decides. All is zero before each step; only channel_us must be filled. */
struct lapwing_actuators {
    /* us, between the channel's least and greatest of channel_min, _neutral and _max; channels
     * whose mixer_type is disabled are ignored */
    double channel_us[LAPWING_SIL_CHANNELS];
    /* The estimate, for telemetry and for the modules that plan the flight. Without
     * attitude_valid the aircraft cannot be armed by its pilot. */
    int64_t attitude_valid;
    int64_t position_valid; /* 0: of position and velocity only down is good */
    double quaternion[4];
    double rates[3];     /* deg/s, body, without bias */
    double gyro_bias[3]; /* deg/s */
    double position[3];  /* m, NED */
    double velocity[3];  /* m/s, NED */
    /* What control aimed at, for telemetry. */
    double velocity_desired[3]; /* m/s, NED */
    double attitude_desired[3]; /* deg */
    double rate_desired[3];     /* deg/s */
    double actuator_desired[4]; /* roll, pitch, yaw -1..1, thrust 0..1 (-1: off) */
    int64_t landed;             /* on the ground after LAPWING_VERTICAL_LAND, thrust cut */
    int64_t disarm_request;     /* landed and at rest: please disarm */
};

#if defined(_WIN32)
#define LAPWING_SIL_EXPORT __declspec(dllexport)
#else
#define LAPWING_SIL_EXPORT
#endif

/* Must return LAPWING_SIL_ABI. */
LAPWING_SIL_EXPORT uint32_t lapwing_sil_abi(void);

/* Begins, or begins anew. `bytes` is the caller's sizeof(struct lapwing_settings). Returns 0, or a
 * number of its own choice to refuse these settings. */
LAPWING_SIL_EXPORT int lapwing_sil_init(const struct lapwing_settings *settings, uint32_t bytes);

/* One step; called every settings.step_us. */
LAPWING_SIL_EXPORT void lapwing_sil_step(const struct lapwing_sensors *sensors,
                                         const struct lapwing_command *command,
                                         struct lapwing_actuators *actuators);

#endif
