"""Forces and moments of the Sea Vixen written down a second time, with numpy and its file's
numbers: what `simulation.physics.fixed_wing` and `wing` are compared with."""

import math

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
RHO, S, B, C = 1.225, 0.1738, 0.835, 0.21
DISC = math.pi * 0.1524**2 / 4


def slipstream(ahead: float, thrust: float) -> float:
    """How fast the air is far behind the propeller: T = rho A (V + v) 2 v, V_far = V + 2 v."""
    induced = -ahead / 2 + math.sqrt(ahead**2 / 4 + thrust / (2 * RHO * DISC))
    return ahead + 2 * induced


def section(alpha: float) -> tuple[float, float, float]:
    """C_L, C_D and what stalling adds to it, of a half wing of the Sea Vixen."""
    limit, m = math.radians(14.0), 54.0
    sigma = 1 / (1 + math.exp(-m * (abs(alpha) - limit)))
    linear, aspect = 0.15 + 3.4 * alpha, B * B / S
    sine = math.sin(alpha)
    plate = 1.98 * (1 / (0.56 + 0.44 * abs(sine)) - 0.41 * (1 - math.exp(-17 / aspect))) * sine
    induced = linear**2 / (math.pi * 0.75 * aspect)
    more = sigma * (plate * sine - induced)
    return (1 - sigma) * linear + sigma * plate * math.cos(alpha), induced + more, more


def airframe(
    air: Array, rates: Array, elevator: float, aileron: float, thrust: float = 0.0
) -> Array:
    """Force and moment at sea level, body axes: Beard & McLain (4.9) to (4.21), divided by 2V as
    printed; lift and drag of the wing in the plane across its span, of the rest against the motion.
    """
    u, v, w = air
    p, q, r = rates
    speed, across = float(np.linalg.norm(air)), math.hypot(u, w)
    alpha, slip = math.atan2(w, u), v / speed
    ph, rh = p * B / (2 * speed), r * B / (2 * speed)
    side = -0.4 * slip + 0.1 * rh
    roll = -0.08 * slip - 0.35 * ph + 0.12 * rh + 0.12 * aileron
    yaw = 0.10 * slip - 0.02 * ph - 0.15 * rh - 0.01 * aileron
    pitch = 0.02 - 0.5 * w / speed - 5.0 * C / (2 * speed) * q - 0.6 * elevator
    y = math.sqrt(0.35 / (2 * 3.4))
    apart = min(max(roll / (3.4 * y), -math.pi / 2), math.pi / 2)
    left, right = section(alpha + apart), section(alpha - apart)

    def tail_at(ahead: float) -> float:
        """C_m V^2 of the tail alone, with w and q as they are and `ahead` in the place of u."""
        return -0.6 * elevator * ahead**2 - 0.5 * C * 5.0 * q * ahead - 0.75 * w * ahead

    c_lift, c_drag = (left[0] + right[0]) / 2, (left[1] + right[1]) / 2
    roll = y / 2 * (left[0] - right[0])
    yaw += y / 2 * (right[2] - left[2])
    pressure = 0.5 * RHO * S
    turn = np.array([[math.cos(alpha), -math.sin(alpha)], [math.sin(alpha), math.cos(alpha)]])
    x, z = pressure * across**2 * turn @ np.array([-c_drag, -c_lift])
    tail = pressure * speed * across * (3.0 * C / (2 * speed) * q + 0.3 * elevator)
    rest = -pressure * (0.045 + 0.25 * slip**2) * speed * air
    force = np.array([x, side * pressure * speed**2, z]) + rest
    force += tail * np.array([math.sin(alpha), 0.0, -math.cos(alpha)])
    moment = pressure * speed**2 * np.array([B * roll, C * pitch, B * yaw])
    washed = 0.3 * pressure * (tail_at(slipstream(u, thrust)) - tail_at(u)) if thrust > 0.0 else 0.0
    moment[1] += C * washed
    force[2] -= washed * 0.3 / -0.6
    return np.concatenate((force, moment))
