"""Can the aircraft be armed on purpose, and only on purpose?"""

from collections.abc import Iterator

from telemetry.configuration.flight_modes.gestures import gesture_of
from telemetry.configuration.flight_modes.setup import ReadValues, Values, keeper_of
from telemetry.finding import Finding, Level

_SHORTEST_MS = 200
_STABILIZER = "AlwaysStabilizeWhenArmedSwitch"


def check_arming(values: ReadValues) -> Iterator[Finding]:
    """What does not fit, in the order of the page."""
    kept, receiver = values(keeper_of("Arming", values)), values("ManualControlSettings")
    if "Arming" not in kept:
        return
    method = str(kept["Arming"])
    gesture = gesture_of(method)
    if gesture.kind == "always":
        yield Finding(
            Level.ERROR,
            "always-armed",
            "Always Armed: motors may start as soon as the battery is plugged in.",
            "Choose a stick gesture or a switch.",
        )
    if gesture.accessory and _is_free(gesture.accessory, receiver):
        yield Finding(
            Level.ERROR,
            "arming-channel",
            f"Arming is by {gesture.accessory}, but no receiver channel is assigned to it, so the "
            "aircraft cannot be armed or disarmed.",
            f"Assign {gesture.accessory} on the Receiver page, or choose a stick gesture.",
        )
    yield from _times(gesture.kind == "stick", kept)
    yield from _stabilizer(method, kept, receiver)
    if str(kept.get("DisableSanityChecks")).upper() == "TRUE":
        yield Finding(
            Level.WARNING,
            "checks-off",
            "The board's own checks of the configuration are off, so it arms though they fail.",
            "Set DisableSanityChecks to False.",
        )


def _times(is_stick: bool, kept: Values) -> Iterator[Finding]:
    held_ms = int(kept.get("ArmingSequenceTime", 1000))
    if is_stick and held_ms < _SHORTEST_MS:
        yield Finding(
            Level.WARNING,
            "arming-too-quick",
            f"A touch of the stick of {held_ms} ms arms the aircraft.",
            "Set ArmingSequenceTime to 1 s.",
        )
    if int(kept.get("ArmedTimeout", 1)) == 0:
        yield Finding(
            Level.INFO,
            "no-timeout",
            "A forgotten aircraft stays armed: ArmedTimeout is 0.",
            "Set it to 30 s, unless you glide with the motor off.",
        )


def _stabilizer(method: str, kept: Values, receiver: Values) -> Iterator[Finding]:
    switch = str(kept.get(_STABILIZER, "Disabled"))
    if switch == "Disabled":
        return
    if switch == method:
        yield Finding(
            Level.WARNING,
            "switch-twice",
            f"{switch} both arms and keeps the aircraft stabilized at zero throttle.",
            f"Choose another channel for {_STABILIZER}.",
        )
    if _is_free(switch.replace(" ", ""), receiver):
        yield Finding(
            Level.WARNING,
            "stabilizer-channel",
            f"{_STABILIZER} is {switch}, but no receiver channel is assigned to it.",
            "Assign it on the Receiver page, or choose Disabled.",
        )


def _is_free(channel: str, receiver: Values) -> bool:
    return receiver.get(f"ChannelGroups.{channel}") == "None"
