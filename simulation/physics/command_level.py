"""An aircraft known by how it follows commands: its own firmware, which levels it and holds it in
place, is part of the model, and no rotor is told apart.

With u = -1..1 commanded, n the way up of the body, v over the ground, angles and rates of the body:

    phi' = (tilt u_roll - phi) / tilt_tau            theta' alike, u limited to tilt_command_limit
    F    = D_b (tilt_speed n - v)                    north and east
    F    = -m g + D_c (-climb u_climb - v)           down
    M    = D_r (yaw_rate u_yaw - r)                  about body z

so without a command it levels, stops and hovers. These are seed 002's model (Dijkshoorn & Visser:
the force that reaches the speed wanted against a drag D_b linear in velocity, m g besides in the
vertical, a drag D_r of its own about z, no differential thrust; roll and pitch follow because
sensors look along them) and the prediction of tum_ardrone (DroneKalmanFilter.cpp, 3464fb7), which
was fitted to flights: D_b / m = c1, tilt_speed = c2, 1 / tilt_tau = c3, tilt = c4, D_r / I_z = c5,
yaw_rate = c6, D_c / m = c7, climb = c8, twice that down.

D_b is the drag together with the hold over the ground, so wind moves it only as far as `drag_force`
says. There the angles follow at once; here the rates do, within `tilt_rate_tau`, by moments, so
that ground and hands can turn it.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.environment.earth import gravity_at
from simulation.mathematics.rotation import clamp, euler_of, to_body
from simulation.records.flight import ATTITUDE, RATES, VELOCITY

_ROLL, _PITCH, _YAW, _CLIMB = range(4)
_LIMITED_CLIMB = -0.5
"""With an empty battery it comes down, by its own firmware."""


@njit_shared
def take_commands(p: Any, s: Any, o: Any) -> None:
    """Read the commands from the pulses, and whether the motors run."""
    low, high = p["command_pulse_us"]
    for i in range(4):
        share = (o["actuator_command"][p["command_channel"][i]] - low) / (high - low)
        s["motion_command"][i] = clamp(2.0 * share - 1.0, -1.0, 1.0)
    if o["touches_ground"] != 0:
        for i in (_ROLL, _PITCH, _YAW):
            s["motion_command"][i] = 0.0
    if s["power_limited"] != 0:
        s["motion_command"][_CLIMB] = min(s["motion_command"][_CLIMB], _LIMITED_CLIMB)
    is_on = o["actuator_command"][p["command_channel"][_CLIMB]] >= p["command_off_us"]
    s["motors_run"] = 1 if is_on and o["crashed"] == 0 else 0


@njit_shared
def obey_commands(p: Any, s: Any, x: Any, wrench: Any) -> None:
    """Add what its motors do in motion `x` to `wrench`, body force and moment."""
    if s["motors_run"] == 0:
        return
    _push(p, s, x, wrench)
    _turn(p, s, x, wrench)


@njit_part
def _push(p: Any, s: Any, x: Any, wrench: Any) -> None:
    q, command = x[ATTITUDE : ATTITUDE + 4], s["motion_command"]
    speed, drag = p["tilt_speed"], p["linear_drag"]
    lean_north = -2.0 * (q[1] * q[3] + q[0] * q[2])
    lean_east = -2.0 * (q[2] * q[3] - q[0] * q[1])
    north = drag * (speed * lean_north - x[VELOCITY])
    east = drag * (speed * lean_east - x[VELOCITY + 1])
    fastest = p["climb_per_command"][0 if command[_CLIMB] > 0.0 else 1]
    down = p["climb_drag"] * (-fastest * command[_CLIMB] - x[VELOCITY + 2])
    down -= p["mass"] * gravity_at(s)
    force = to_body(q, north, east, down)
    for i in range(3):
        wrench[i] += force[i]


@njit_part
def _turn(p: Any, s: Any, x: Any, wrench: Any) -> None:
    command, most = s["motion_command"], p["tilt_command_limit"]
    roll, pitch, _ = euler_of(x[ATTITUDE : ATTITUDE + 4])
    tilt, per_tau = p["tilt_per_command"], 1.0 / p["tilt_tau"]
    rolling = per_tau * (tilt * clamp(command[_ROLL], -most, most) - roll)
    pitching = per_tau * (tilt * clamp(command[_PITCH], -most, most) - pitch)
    yawing = x[RATES + 2]
    per_lag = 1.0 / p["tilt_rate_tau"]
    wanted = (
        rolling - yawing * math.sin(pitch),
        pitching * math.cos(roll) + yawing * math.sin(roll),
    )
    for i in range(2):
        wrench[3 + i] += p["inertia"][i] * per_lag * (wanted[i] - x[RATES + i])
    heading = p["yaw_rate_per_command"] * command[_YAW]
    wrench[5] += p["yaw_drag"] * (heading * math.cos(roll) * math.cos(pitch) - yawing)
