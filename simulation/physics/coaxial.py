"""A coaxial helicopter: two rotors on one axis, the lower one with a swash plate, the upper with a
flybar.

Seed 003 (Cherney), chapter 4.3. The upper rotor turns counterclockwise, seen from above, and pulls
along the body's axis; the swash plate tilts the thrust F_T of the lower one by alpha about y and by
beta about x (its eq. 12 to 17; positive alpha pulls back, positive beta to the right):

    F = F_T (-sin a cos b, cos a sin b, -cos a cos b) / sqrt(1 - sin^2 a sin^2 b)

It acts `swash_arm` above the centre of mass. The seed prints 0.04 m, but flew with 0: Webots merges
solids without a joint into one body and lets the force act at its centre of mass. With the arm the
restoring moment below is too weak by far.

The rotors' torques about z are M_u - M_l (eq. 19 has the sign reversed, its program is right): an
upper rotor that turns faster turns the nose to the right. The flybar is a moment towards upright,
C_R sin(tilt) (eq. 21 and 22 are that for small angles), and damping, for which the seed names the
damping of Webots. Fuselage drag is that of every aircraft, -C |v| v: eq. 20 squares component by
component, 29 % too little at 45 degrees.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.mathematics.rotation import clamp
from simulation.physics.rotors import add_disc, hub_velocity, turn_rotor
from simulation.records.flight import ATTITUDE, LOWER, RATES, ROTOR, SWASH_PITCH, SWASH_ROLL, UPPER


@njit_part
def thrust_axis(pitch: float, roll: float) -> tuple[float, float, float]:
    """Unit vector, body axes, of a thrust that a swash plate tilts by these angles in rad (alpha
    about y, beta about x; eq. 14 to 16)."""
    sin_a, cos_a = math.sin(pitch), math.cos(pitch)
    sin_b, cos_b = math.sin(roll), math.cos(roll)
    scale = 1.0 / math.sqrt(1.0 - sin_a * sin_a * sin_b * sin_b)
    return -sin_a * cos_b * scale, cos_a * sin_b * scale, -cos_a * cos_b * scale


@njit_shared
def add_coaxial(p: Any, s: Any, x: Any, air: Any, wrench: Any, dx: Any) -> None:
    """Add the force and moment of rotors and flybar to `wrench`, and set the rotors' accelerations
    in `dx`, the derivative of motion; `air` is the motion through the air in body axes."""
    n = thrust_axis(s["swash"][SWASH_PITCH], s["swash"][SWASH_ROLL])
    u = hub_velocity(air, p["rotor_position"][LOWER])
    along = u[0] * n[0] + u[1] * n[1] + u[2] * n[2]
    above = turn_rotor(p, s, x, dx, UPPER, -air[2])
    below = turn_rotor(p, s, x, dx, LOWER, along)
    wrench[0] += below * n[0]
    wrench[1] += below * n[1]
    wrench[2] += below * n[2] - above
    wrench[3] += p["swash_arm"] * below * n[1]
    wrench[4] -= p["swash_arm"] * below * n[0]
    if p["k_d"] != 0.0 or p["flapping"] != 0.0:
        add_disc(p, s, x, air, (UPPER, above), wrench)
        add_disc(p, s, x, air, (LOWER, below), wrench)
    momentum = 0.0
    for i in range(2):
        momentum += p["rotor_spin"][i] * p["rotor_inertia"] * x[ROTOR + i]
        wrench[5] -= p["rotor_spin"][i] * s["motor_torque"][i]
        dx[ROTOR + i] /= p["rotor_inertia"]
    wrench[3] -= x[RATES + 1] * momentum
    wrench[4] += x[RATES] * momentum
    _add_flybar(p, x, wrench)


@njit_part
def _add_flybar(p: Any, x: Any, wrench: Any) -> None:
    q = x[ATTITUDE : ATTITUDE + 4]
    down_x = 2.0 * (q[1] * q[3] - q[0] * q[2])  # the vertical in body axes
    down_y = 2.0 * (q[2] * q[3] + q[0] * q[1])
    wrench[3] -= p["flybar_restoring"] * down_y
    wrench[4] += p["flybar_restoring"] * down_x
    for i in range(3):
        wrench[3 + i] -= p["flybar_damping"][i] * x[RATES + i]


@njit_part
def move_swash_plate(p: Any, s: Any, o: Any) -> None:
    """The servos tilt the swash plate towards what their pulses ask for, for one step."""
    low, high = p["swash_pulse_us"]
    for i in range(2):
        pulse = o["actuator_command"][p["swash_channel"][i]]
        if pulse <= 0.0:
            continue  # without a pulse a servo stays where it is
        share = clamp((pulse - low) / (high - low), 0.0, 1.0)
        missing = (2.0 * share - 1.0) * p["swash_deflection"] - s["swash"][i]
        s["swash"][i] += p["swash_share"] * missing
