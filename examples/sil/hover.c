/* Hover: attitude and height of a multirotor, estimated and controlled in one file.
 *
 * A complementary filter takes roll, pitch and heading from gyro, accelerometer and magnetometer,
 * and height from barometer and accelerometer. Cascaded controllers with the gains of the
 * airframe's settings hold attitude and height. There is no position control: asked to hold a
 * position, it stays level and drifts with the wind.
 *
 * Needs <math.h> and nothing else; all memory is static. hover.py is the same in Python.
 */
#include "lapwing_sil.h"

#include <math.h>

#define GRAVITY 9.81
#define DEG 57.29577951308232 /* degrees per radian */
#define PI 3.14159265358979323846

static const double START_S = 1.0;       /* at rest, for gyro bias and attitude */
static const double LEVEL_GAIN = 0.3;    /* 1/s, trust in the accelerometer as a plumb line */
static const double LEVEL_TRUST = 1.5;   /* m/s2 off gravity at which it is not trusted */
static const double HEADING_GAIN = 0.4;  /* 1/s */
static const double HEIGHT_GAIN = 1.5;   /* 1/s, barometer to height */
static const double CLIMB_GAIN = 0.8;    /* 1/s2, barometer to vertical speed */
static const double ACCEL_GAIN = 0.1;    /* 1/s3, barometer to accelerometer bias */
static const double SLOPE_CUTOFF_HZ = 20.0; /* low-pass of the rate controllers' D part */
static const double STILL_MPS = 0.2;     /* touchdown: no motion ... */
static const double LITTLE_THRUST = 0.7; /* ... at less than this share of hover thrust ... */
static const double TOUCHDOWN_S = 0.4;   /* ... for this long */
static const double REST_S = 1.0;        /* and so long again until disarming is asked for */

enum { ROLL, PITCH, YAW };

static struct lapwing_settings settings;
static double dt;

static struct estimate {
    int64_t samples, imu_seen, baro_seen, baro_time_us;
    int is_running;
    double gyro_sum[3], accel_sum[3];
    double bias[3];  /* rad/s */
    double angle[3]; /* rad */
    double rate[3];  /* rad/s, body */
    double down, speed_down, accel_bias, baro_zero;
} estimate;

static struct control {
    double heading; /* rad, held */
    double rate_integral[3], rate_slope[3], rate_last[3];
    double thrust, thrust_integral, still_s;
    double rate_wish[3], actuator[3];
    double speed_wish;
} control;

static const struct estimate no_estimate;
static const struct control no_control;

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static double wrap(double angle)
{
    while (angle > PI) angle -= 2.0 * PI;
    while (angle <= -PI) angle += 2.0 * PI;
    return angle;
}

/* --- Estimation --- */

static double heading_of(const struct lapwing_sensors *in)
{
    double sr = sin(estimate.angle[ROLL]), cr = cos(estimate.angle[ROLL]);
    double sp = sin(estimate.angle[PITCH]), cp = cos(estimate.angle[PITCH]);
    double level_y = cr * in->mag[1] - sr * in->mag[2];
    double level_x = cp * in->mag[0] + sp * (sr * in->mag[1] + cr * in->mag[2]);
    return wrap(atan2(-level_y, level_x) + settings.home_declination_deg / DEG);
}

/* Averages while the aircraft stands still; then knows the gyro's bias and where down is. */
static void begin_estimate(const struct lapwing_sensors *in)
{
    int i;
    double n, *a = estimate.accel_sum;
    for (i = 0; i < 3; i++) {
        estimate.gyro_sum[i] += in->gyro[i];
        estimate.accel_sum[i] += in->accel[i];
    }
    estimate.samples += 1;
    n = (double)estimate.samples;
    if (n * dt < START_S || in->mag_count == 0 || in->baro_count == 0) return;
    for (i = 0; i < 3; i++) estimate.bias[i] = estimate.gyro_sum[i] / n / DEG;
    estimate.angle[ROLL] = atan2(-a[1], -a[2]);
    estimate.angle[PITCH] = atan2(a[0], sqrt(a[1] * a[1] + a[2] * a[2]));
    estimate.angle[YAW] = heading_of(in);
    estimate.baro_zero = in->baro_altitude_m;
    estimate.baro_seen = in->baro_count;
    estimate.baro_time_us = in->baro_time_us;
    estimate.is_running = 1;
    control.heading = estimate.angle[YAW];
}

static void estimate_attitude(const struct lapwing_sensors *in)
{
    double *angle = estimate.angle, *rate = estimate.rate;
    const double *a = in->accel;
    double sr = sin(angle[ROLL]), cr = cos(angle[ROLL]), turn, size;
    int i;
    for (i = 0; i < 3; i++) rate[i] = in->gyro[i] / DEG - estimate.bias[i];
    turn = rate[1] * sr + rate[2] * cr;
    angle[ROLL] += (rate[0] + tan(angle[PITCH]) * turn) * dt;
    angle[YAW] += turn / cos(angle[PITCH]) * dt;
    angle[PITCH] += (rate[1] * cr - rate[2] * sr) * dt;
    size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    if (fabs(size - GRAVITY) < LEVEL_TRUST) {
        double roll = atan2(-a[1], -a[2]), pitch = atan2(a[0], sqrt(a[1] * a[1] + a[2] * a[2]));
        angle[ROLL] += LEVEL_GAIN * wrap(roll - angle[ROLL]) * dt;
        angle[PITCH] += LEVEL_GAIN * (pitch - angle[PITCH]) * dt;
    }
    angle[YAW] += HEADING_GAIN * wrap(heading_of(in) - angle[YAW]) * dt;
    angle[ROLL] = wrap(angle[ROLL]);
    angle[YAW] = wrap(angle[YAW]);
}

static void estimate_height(const struct lapwing_sensors *in)
{
    double sr = sin(estimate.angle[ROLL]), cr = cos(estimate.angle[ROLL]);
    double sp = sin(estimate.angle[PITCH]), cp = cos(estimate.angle[PITCH]);
    double down = -sp * in->accel[0] + cp * (sr * in->accel[1] + cr * in->accel[2]);
    double accel = down + GRAVITY - estimate.accel_bias;
    estimate.down += (estimate.speed_down + 0.5 * accel * dt) * dt;
    estimate.speed_down += accel * dt;
    if (in->baro_count != estimate.baro_seen) {
        double gap_s = clamp((double)(in->baro_time_us - estimate.baro_time_us) / 1e6, 0.0, 0.1);
        double error = estimate.baro_zero - in->baro_altitude_m - estimate.down;
        estimate.down += HEIGHT_GAIN * error * gap_s;
        estimate.speed_down += CLIMB_GAIN * error * gap_s;
        estimate.accel_bias -= ACCEL_GAIN * error * gap_s;
        estimate.baro_seen = in->baro_count;
        estimate.baro_time_us = in->baro_time_us;
    }
}

/* --- Control --- */

static void clear_control(void)
{
    int axis;
    for (axis = 0; axis < 3; axis++) {
        control.rate_integral[axis] = control.rate_slope[axis] = control.actuator[axis] = 0.0;
        control.rate_last[axis] = estimate.rate[axis] * DEG;
    }
    control.heading = estimate.angle[YAW];
    control.thrust = -1.0;
    control.thrust_integral = control.still_s = control.speed_wish = 0.0;
}

/* The vertical speed that is wished for, m/s down. */
static double wished_speed(const struct lapwing_command *command)
{
    double most = settings.altitude_hold_rate;
    if (command->vertical_mode == LAPWING_VERTICAL_VARIO ||
        command->vertical_mode == LAPWING_VERTICAL_LAND)
        return command->velocity_down;
    if (command->vertical_mode == LAPWING_VERTICAL_TAKEOFF) most = fabs(command->velocity_down);
    return clamp(settings.altitude_hold_position_p * (command->down_m - estimate.down), -most,
                 most);
}

static void control_height(const struct lapwing_command *command)
{
    const double *gain = settings.altitude_hold_velocity_pid;
    double low = settings.altitude_hold_thrust[0], neutral = settings.altitude_hold_thrust[1];
    double high = settings.altitude_hold_thrust[2], error;
    if (command->vertical_mode == LAPWING_VERTICAL_MANUAL) {
        control.thrust = command->thrust;
        return;
    }
    control.speed_wish = wished_speed(command);
    error = estimate.speed_down - control.speed_wish;
    control.thrust_integral =
        clamp(control.thrust_integral + gain[1] * error * dt, low - neutral, high - neutral);
    control.thrust = clamp(neutral + gain[0] * error + control.thrust_integral, low, high);
    if (command->vertical_mode != LAPWING_VERTICAL_LAND) {
        control.still_s = 0.0;
        return;
    }
    if (control.still_s >= TOUCHDOWN_S ||
        (fabs(estimate.speed_down) < STILL_MPS && control.thrust < LITTLE_THRUST * neutral))
        control.still_s += dt;
    else
        control.still_s = 0.0;
    if (control.still_s >= TOUCHDOWN_S) control.thrust = -1.0;
}

/* The turn rate about one axis that is wished for, deg/s. */
static double wished_rate(const struct lapwing_command *command, int axis)
{
    double wish = command->axis_setpoint[axis], error;
    int64_t mode = command->axis_mode[axis];
    if (axis != YAW && command->horizontal_mode != LAPWING_HORIZONTAL_NONE) {
        mode = LAPWING_AXIS_ATTITUDE; /* it cannot hold a position: level */
        wish = 0.0;
    }
    if (axis == YAW) {
        if (mode == LAPWING_AXIS_ATTITUDE)
            control.heading = wish / DEG;
        else
            control.heading = wrap(control.heading + wish / DEG * dt);
        error = wrap(control.heading - estimate.angle[YAW]) * DEG;
    } else if (mode == LAPWING_AXIS_ATTITUDE) {
        error = wish - estimate.angle[axis] * DEG;
    } else {
        return wish;
    }
    return clamp(settings.attitude_pi[axis][0] * error, -settings.maximum_rate[axis],
                 settings.maximum_rate[axis]);
}

static void control_rate(int axis)
{
    const double *gain = settings.rate_pid[axis];
    double rate = estimate.rate[axis] * DEG, error = control.rate_wish[axis] - rate;
    double slope = (control.rate_last[axis] - rate) / dt;
    double tau = 1.0 / (2.0 * PI * SLOPE_CUTOFF_HZ);
    control.rate_last[axis] = rate;
    control.rate_slope[axis] += dt / (dt + tau) * (slope - control.rate_slope[axis]);
    control.rate_integral[axis] =
        clamp(control.rate_integral[axis] + gain[1] * error * dt, -gain[3], gain[3]);
    control.actuator[axis] = clamp(gain[0] * error + control.rate_integral[axis] +
                                       gain[2] * control.rate_slope[axis], -1.0, 1.0);
}

/* Shares of the motors, and from them the pulses. Turning goes before climbing. */
static void mix(int armed, double *channel_us)
{
    double share[LAPWING_SIL_CHANNELS], highest = -1.0, lowest = 1.0, shift;
    int i;
    for (i = 0; i < LAPWING_SIL_CHANNELS; i++) {
        const double *part = settings.mixer_vector[i];
        share[i] = (part[0] * control.thrust + part[2] * control.actuator[ROLL] +
                    part[3] * control.actuator[PITCH] + part[4] * control.actuator[YAW]) / 128.0;
        if (settings.mixer_type[i] == LAPWING_MIXER_MOTOR) {
            highest = fmax(highest, share[i]);
            lowest = fmin(lowest, share[i]);
        }
    }
    shift = fmin(1.0 - highest, 0.0) + fmax(-lowest, 0.0);
    for (i = 0; i < LAPWING_SIL_CHANNELS; i++) {
        double neutral = settings.channel_neutral[i], reach = settings.channel_max[i] - neutral;
        channel_us[i] = neutral;
        if (settings.mixer_type[i] != LAPWING_MIXER_MOTOR) continue;
        if (!armed)
            channel_us[i] = settings.channel_min[i];
        else if (control.thrust > 0.0)
            channel_us[i] = neutral + clamp(share[i] + shift, 0.0, 1.0) * reach;
    }
}

/* --- The interface --- */

static void report(struct lapwing_actuators *out)
{
    double hr = 0.5 * estimate.angle[ROLL], hp = 0.5 * estimate.angle[PITCH];
    double hy = 0.5 * estimate.angle[YAW];
    int axis;
    out->attitude_valid = 1;
    out->quaternion[0] = cos(hr) * cos(hp) * cos(hy) + sin(hr) * sin(hp) * sin(hy);
    out->quaternion[1] = sin(hr) * cos(hp) * cos(hy) - cos(hr) * sin(hp) * sin(hy);
    out->quaternion[2] = cos(hr) * sin(hp) * cos(hy) + sin(hr) * cos(hp) * sin(hy);
    out->quaternion[3] = cos(hr) * cos(hp) * sin(hy) - sin(hr) * sin(hp) * cos(hy);
    for (axis = 0; axis < 3; axis++) {
        out->rates[axis] = estimate.rate[axis] * DEG;
        out->gyro_bias[axis] = estimate.bias[axis] * DEG;
        out->rate_desired[axis] = control.rate_wish[axis];
        out->actuator_desired[axis] = control.actuator[axis];
    }
    out->attitude_desired[YAW] = control.heading * DEG;
    out->position[2] = estimate.down;
    out->velocity[2] = estimate.speed_down;
    out->velocity_desired[2] = control.speed_wish;
    out->actuator_desired[3] = control.thrust;
    out->landed = control.still_s >= TOUCHDOWN_S;
    out->disarm_request = control.still_s >= TOUCHDOWN_S + REST_S;
}

uint32_t lapwing_sil_abi(void)
{
    return LAPWING_SIL_ABI;
}

int lapwing_sil_init(const struct lapwing_settings *given, uint32_t bytes)
{
    if (bytes != sizeof settings || given->step_us <= 0) return 1;
    settings = *given;
    dt = (double)settings.step_us / 1e6;
    estimate = no_estimate;
    control = no_control;
    return 0;
}

void lapwing_sil_step(const struct lapwing_sensors *in, const struct lapwing_command *command,
                      struct lapwing_actuators *out)
{
    int axis, armed = command->armed != 0 && estimate.is_running;
    if (!estimate.is_running) {
        begin_estimate(in);
    } else {
        estimate_attitude(in);
        estimate_height(in);
    }
    if (!armed) {
        clear_control();
    } else {
        control_height(command);
        for (axis = 0; axis < 3; axis++) {
            control.rate_wish[axis] = wished_rate(command, axis);
            control_rate(axis);
            if (control.thrust <= 0.0) control.rate_integral[axis] = 0.0;
        }
    }
    mix(armed, out->channel_us);
    if (estimate.is_running) report(out);
}
