"""Will motors turn once it is armed? Firmware arms without any, which looks like not arming."""

from telemetry.configuration.arming.verdict import Check, State
from telemetry.configuration.flight_modes.setup import ReadValues, Values

_MOTORS = ("Motor", "ReversableMotor")
_TITLE = "Motors"


def check_outputs(values: ReadValues) -> Check:
    """Whether the mixer has motors, and their outputs a travel."""
    mixer, outputs = values("MixerSettings"), values("ActuatorSettings")
    numbers = [n for n in range(1, 13) if mixer.get(f"Mixer{n}Type") in _MOTORS]
    if not mixer:
        return Check("outputs", _TITLE, State.UNKNOWN, "The aircraft has not said.")
    if not numbers:
        return Check(
            "outputs",
            _TITLE,
            State.NOTE,
            "It arms, but the mixer has no motor that could turn.",
            "Choose the airframe and its motors on the Airframe page.",
        )
    still = [n for n in numbers if _is_still(n - 1, outputs)]
    if still:
        names = ", ".join(str(number) for number in still)
        return Check(
            "outputs",
            _TITLE,
            State.NOTE,
            f"It arms, but motors on output {names} stay still: their pulse has no range.",
            "Set ChannelMin and ChannelMax on the Outputs page.",
        )
    count = len(numbers)
    found = "1 motor with travel." if count == 1 else f"{count} motors with travel."
    return Check("outputs", _TITLE, State.OK, found)


def _is_still(channel: int, outputs: Values) -> bool:
    ends = [outputs.get(f"Channel{end}.{channel}") for end in ("Min", "Max")]
    return None not in ends and ends[0] == ends[1]
