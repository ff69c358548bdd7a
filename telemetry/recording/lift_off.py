"""Lift-off: how a multirotor leans that takes off by itself, judged by its settings.

While it still stands, firmware's position loop answers what its estimate drifts with a tilt, which
the feet hold until the thrust is enough: then it swings two to three times as far (THRUSTUP of
vtolautotakeofffsm.cpp levels nothing). Six flights each of LibrePilot next's laws with the gains of
our AR100B, whose feet stand on grass; the firmware itself, flown beside it, leant as far:

    asked per metre  EKFConfiguration  largest tilt    over
    2 deg            tuned             5 to 11 deg     0
    13 deg           tuned             10 to 25 deg    0
    13 deg           by default        11 to 32 deg    0; with half the rate gains 2
    24 to 39 deg     tuned             14 to 40 deg    1 each
    26 deg           by default        18 to 40 deg    2

Feet that slide more easily tip less, others more: of another aircraft it is a warning, no forecast.
"""

from collections.abc import Callable
from typing import Any, Final

from telemetry.base.finding import Finding, warning

ReadField = Callable[[str, str], Any]
"""The value of a field, by the names of object and field, or None if it is not known."""

STEEP_DEG_PER_M: Final = 24.0
"""Tilt for a metre that the estimate is off, from which on one of six tipped over."""
_STANDS_S: Final = 3.0
"""SLOWSTART and THRUSTUP: for so long an error is summed up while it stands."""
_LOOSE_GYRO: Final = 1e-4
"""(rad/s)2 of EKFConfiguration.Q from which on the filter tilts the attitude after GPS; firmware's
default is 1e-3, and its estimate was 3 to 5 m off."""
_LOOSE_SHARE: Final = 2.0
_TAKEOFF_SHARE: Final = 0.8
_PIDS: Final = "HorizontalVelPID"
_FOLLOWER: Final = "VtolPathFollowerSettings"
_SEEN: Final = (
    "With 24 to 39 degrees one in six flights of a simulated AR100B tipped over, by firmware's "
    "laws."
)
_SEEN_LOOSE: Final = (
    "With such a filter a simulated AR100B leant 11 to 32 degrees in six flights by firmware's "
    "laws at 13 degrees per metre, and tipped over in two of six at 26."
)


def asked_per_metre_deg(read: ReadField) -> float | None:
    """The tilt that is asked for at lift-off when the estimate is off by a metre, deg; None if the
    settings are not known."""
    gains = [
        _number(read(_FOLLOWER, field))
        for field in ("HorizontalPosP", f"{_PIDS}.Kp", f"{_PIDS}.Ki", f"{_PIDS}.Beta")
    ]
    if None in gains:
        return None
    place, kp, ki, beta = (gain or 0.0 for gain in gains)
    return place * (kp * min(max(beta, 0.4), 1.0) + ki * _STANDS_S)


def check_lift_off(read: ReadField) -> Finding | None:
    """What is to be said of a multirotor that shall take off by itself with these settings."""
    return _check_thrust(read) or _check_tilt(read)


def _check_thrust(read: ReadField) -> Finding | None:
    """AutoTakeoff has 0.8 of the most thrust (setup_thrustup of vtolautotakeofffsm.cpp): seen to
    stand there with its motors running where it hovers with more."""
    most, hover = (_number(read(_FOLLOWER, f"ThrustLimits.{end}")) for end in ("Max", "Neutral"))
    if most is None or hover is None or _TAKEOFF_SHARE * most > hover:
        return None
    return warning(
        "lift-off",
        "Taking off by itself it will hardly come up: firmware gives "
        f"{_TAKEOFF_SHARE * most:.0%} of thrust at most, and by its settings it hovers with "
        f"{hover:.0%}.",
        "Raise the largest thrust of the path follower, or take off by hand.",
        settings=tuple(f"{_FOLLOWER}.ThrustLimits.{end}" for end in ("Max", "Neutral")),
    )


def _check_tilt(read: ReadField) -> Finding | None:
    asked = asked_per_metre_deg(read)
    if asked is None:
        return None
    gyro = _number(read("EKFConfiguration", "Q.GyroX"))
    is_loose = gyro is not None and gyro >= _LOOSE_GYRO
    if asked * (_LOOSE_SHARE if is_loose else 1.0) < STEEP_DEG_PER_M:
        return None
    filtered = ", and its filter has the estimate wander" if is_loose else ""
    return warning(
        "lift-off",
        f"Taking off by itself it may tip over: it asks for {asked:.0f} degrees of tilt per metre "
        f"that its estimate is off while it stands{filtered}. {_SEEN_LOOSE if is_loose else _SEEN}",
        "Lower the path follower's horizontal gains, tune the filter of the estimate, or take off "
        "by hand.",
        settings=(f"{_FOLLOWER}.{_PIDS}", f"{_FOLLOWER}.HorizontalPosP", "EKFConfiguration"),
    )


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
