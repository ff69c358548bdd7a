/* A force and a moment from outside: the interface between an aircraft and what acts on it.
 *
 *     lapwing sim --force tether.c --scenario takeoff-hold-land
 *
 * A file that implements the two functions at the end says what acts on a simulated aircraft in
 * addition to air, ground and motors. It runs inside the simulator, which ends if it crashes.
 *
 * lapwing_force is asked four times a step of 1 ms, at the stages of RK4: at the beginning, twice
 * half-way, at the end. So it may depend on nothing but the struct, and remember nothing outside
 * of it. What has a motion of its own, such as a load on a rope, has its states in `state`, and
 * says their derivatives: the simulator integrates them together with the aircraft's motion.
 *
 * Frames: body is x forward, y right, z down; NED is north, east, down from the world's origin.
 * Quaternions turn body into NED, scalar first. SI units. Every member is eight bytes wide.
 */
#ifndef LAPWING_FORCE_H
#define LAPWING_FORCE_H

#include <stdint.h>

struct lapwing_force {
    /* Given: the aircraft at the time that is asked about. */
    double time_s;           /* since the start */
    int64_t stage;           /* of RK4, 0 to 3 */
    double position[3];      /* m, NED, centre of mass */
    double velocity[3];      /* m/s, NED */
    double quaternion[4];
    double rates[3];         /* rad/s, body */
    double wind[3];          /* m/s, NED, the velocity of the air */
    double air_velocity[3];  /* m/s, body, how the centre of mass moves through the air */
    double air_density;      /* kg/m3 */
    double mass;             /* kg, of the aircraft */
    double gravity;          /* m/s2, where it is */
    double rotor_speed[16];  /* rad/s */
    double surface[3];       /* rad: elevator, left and right aileron, trailing edge down positive */
    double constants[32];    /* as lapwing_force_begin has set them */
    double state[16];        /* its own states at that time */

    /* To be said. All but state_rate are 0 before. */
    double force[3];         /* N, body; adds to the next, */
    double force_ned[3];     /* N, NED, and both act at */
    double point[3];         /* m, body, from the centre of mass */
    double moment[3];        /* Nm, body, in addition */
    double state_rate[16];   /* d state / dt */

    /* Kept by the simulator. */
    int64_t acts;
    double step_s;
    double wrench[6];
    double state_start[16];
    double state_slope[4][16];
};

#ifdef __cplusplus
extern "C" {
#endif

/* Set constants and state as they are at time 0. Return 0, or something else if `size` is not
 * sizeof(struct lapwing_force): then the file was built with another header. */
int lapwing_force_begin(struct lapwing_force *force, uint32_t size);

/* Say what acts now. */
void lapwing_force(struct lapwing_force *force);

#ifdef __cplusplus
}
#endif
#endif
