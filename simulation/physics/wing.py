"""Lift and drag of a wing at any angle of attack, and of its two halves, which stall one by one.

Beard & McLain, Small Unmanned Aircraft, (4.9) and (4.10), with the angle of attack a:

    C_L = (1 - s) (C_L0 + C_La a) + s C_N cos a
    C_D = (1 - s) (C_L0 + C_La a)^2 / (pi e AR) + s C_N sin a      C_D0 aside
    s   = 1 / (1 + e^-M(|a| - a0))

(their s has another factor, which is 1 but for e^(-M a0), a millionth.)
Their C_N = 2 sin^2 a has 0.22 left of the lift at 20 degrees, where flat plates have 0.6 to 0.7.
Here it is Lindenburg's fit (Investigation into Rotor Blade Aerodynamics, ECN-C--03-025, 2003) of
plates of all aspect ratios and angles, with Hoerner's 1.98 for the drag of an endless plate across
the flow:

    C_N = 1.98 (1 / (0.56 + 0.44 |sin a|) - 0.41 (1 - e^(-17 / AR))) sin a

At 90 degrees it agrees with Viterna's 1.11 + 0.018 AR within one per cent.

The halves. In attached flow a rolling moment C_l comes from lift C_La d more on the left half and
as much less on the right, at angles a + d and a - d:

    d = C_l b / (C_La y),  y = b sqrt(-C_lp / (2 C_La))

y, where half the lift acts, is the distance at which rolling alone changes the angle by what C_lp
says, d = p y / V. Side slip, yawing and ailerons change it through their coefficients likewise. The
moment of the halves' true lift is C_l again until one of them stalls: then it drops, the more it
sinks the less it lifts, and what its drag has gained turns the nose towards it.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import clamp

_PLATE_DRAG = 1.98
_QUARTER_TURN = 0.5 * math.pi


@njit_part
def stalled_share(p: Any, alpha: float) -> float:
    """The sigmoid s of the lift law: 0 in attached flow, 1 stalled."""
    limit, sharpness = p["stall"]
    # A wing that stalls late and at once would overflow.
    return 1.0 / (1.0 + math.exp(min(sharpness * (limit - abs(alpha)), 60.0)))


@njit_part
def plate_force(p: Any, sine: float) -> float:
    """C_N of the separated wing; `sine` is that of the angle of attack."""
    return float(_PLATE_DRAG * (1.0 / (0.56 + 0.44 * abs(sine)) - p["plate_loss"]) * sine)


@njit_part
def lift_and_drag(p: Any, alpha: float, sine: float, cosine: float) -> tuple[float, float, float]:
    """C_L and C_D of the wing at the angle of attack `alpha` in rad, whose sine and cosine they
    are, without C_D0, and what of the drag is there because the flow has separated."""
    stalled = stalled_share(p, alpha)
    attached = p["lift"][0] + p["lift"][1] * alpha
    plate = plate_force(p, sine)
    lift = (1.0 - stalled) * attached + stalled * plate * cosine
    induced = p["drag"][1] * attached * attached
    more = stalled * (plate * sine - induced)
    return lift, induced + more, more


@njit_part
def halves(p: Any, ahead: float, down: float, rolling: float) -> tuple[float, float, float, float]:
    """C_L and C_D of the wing of which both halves fly at angles of their own, without C_D0, its
    rolling moment, and the yawing moment that separated flow adds. `ahead` and `down` are its
    speed through the air, of which the angle of attack comes; `rolling` is the C_l of attached
    flow."""
    per_span = p["half_wing"]
    apart = clamp(rolling / (p["lift"][1] * per_span), -_QUARTER_TURN, _QUARTER_TURN)
    alpha, speed = math.atan2(down, ahead), math.sqrt(ahead * ahead + down * down)
    sine, cosine = 0.0, 1.0
    if speed > 0.0:
        sine, cosine = down / speed, ahead / speed
    s, c = math.sin(apart), math.cos(apart)
    left_lift, left_drag, left_more = lift_and_drag(
        p, alpha + apart, sine * c + cosine * s, cosine * c - sine * s
    )
    right_lift, right_drag, right_more = lift_and_drag(
        p, alpha - apart, sine * c - cosine * s, cosine * c + sine * s
    )
    return (
        0.5 * (left_lift + right_lift),
        0.5 * (left_drag + right_drag),
        0.5 * per_span * (left_lift - right_lift),
        0.5 * per_span * (right_more - left_more),
    )
