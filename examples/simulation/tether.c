/* A tether from the aircraft's belly to a post on the ground where it started: slack up to its
 * length, then a damped spring.
 *
 *     lapwing sim --force examples/simulation/tether.c --scenario takeoff-hold-land
 */
#include "lapwing_force.h"

#include <math.h>

enum { LENGTH, STIFFNESS, DAMPING, BELLY }; /* m, N/m, Ns/m, m below the centre of mass */

int lapwing_force_begin(struct lapwing_force *force, uint32_t size)
{
    if (size != sizeof *force) return 1; /* built with another header */
    force->constants[LENGTH] = 1.5;
    force->constants[STIFFNESS] = 4.0;
    force->constants[DAMPING] = 0.5;
    force->constants[BELLY] = 0.05;
    return 0;
}

void lapwing_force(struct lapwing_force *e)
{
    double distance = 0.0, rate = 0.0;
    for (int i = 0; i < 3; i++) {
        distance += e->position[i] * e->position[i];
        rate += e->position[i] * e->velocity[i];
    }
    distance = sqrt(distance);
    double taut = distance - e->constants[LENGTH];
    if (taut <= 0.0) return;
    double pull = e->constants[STIFFNESS] * taut + e->constants[DAMPING] * rate / distance;
    if (pull <= 0.0) return; /* a rope does not push */
    e->point[2] = e->constants[BELLY];
    for (int i = 0; i < 3; i++) e->force_ned[i] = -pull * e->position[i] / distance;
}
