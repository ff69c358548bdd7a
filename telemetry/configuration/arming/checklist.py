"""Why an aircraft will not arm, and what to do: the firmware's rules as a table of checks.

Every check reads what the aircraft says of itself at one instant, live or in a log, and answers in
words. They stand in a fixed order, so that a list of them stays in place while values change.
"""

from collections.abc import Callable, Mapping

from telemetry.alarms import Alarm, read_alarms
from telemetry.configuration.arming.outputs import check_outputs
from telemetry.configuration.arming.verdict import Check, Checklist, State
from telemetry.configuration.flight_modes.gestures import Gesture, gesture_of
from telemetry.configuration.flight_modes.modes import flight_mode
from telemetry.configuration.flight_modes.setup import Values, keeper_of, read_setup
from telemetry.configuration.settings.slots import read_values
from telemetry.finding import Level
from telemetry.recording.sample import Sample, Value

Read = Callable[[str], Sample | None]
"""Gives what counts of an object now; None where the aircraft has not sent it."""

_TOLERATED = ("GPS", "Telemetry")
"""Alarms that do not keep it from arming, since they do not concern flying by hand."""
_NEAR_MIDDLE = 0.01
"""How near its middle the throttle of a ground vehicle has to be: its motors run both ways."""
_TAKES_OFF_BY_ITSELF = ("AltitudeHold", "AltitudeVario")
_NO_DATA = "The aircraft has not said."


def arming_checklist(read: Read) -> Checklist:
    """Judge what is known now."""
    seen = _Seen(read)
    armed = seen.value("FlightStatus", "Armed")
    if armed == "Armed":
        return Checklist((), "Armed. Motors may turn.", is_armed=True)
    checks = (
        _method(seen),
        _receiver(seen),
        _throttle(seen),
        _mode(seen),
        *_alarms(seen),
        check_outputs(seen.values),
    )
    return Checklist(checks, _summary(checks, str(armed), seen.gesture))


class _Seen:
    """What the aircraft says of itself, by object and path."""

    def __init__(self, read: Read) -> None:
        self.read = read
        self._values: dict[str, Mapping[str, Value]] = {}

    def values(self, name: str) -> Values:
        """All values of an object; none where it is not known."""
        if name not in self._values:
            sample = self.read(name)
            self._values[name] = read_values(sample.definition, sample.row) if sample else {}
        return self._values[name]

    def value(self, name: str, path: str) -> Value | None:
        """One value, None where it is not known."""
        return self.values(name).get(path)

    @property
    def method(self) -> str:
        """The option of Arming; empty where it is not known."""
        return str(self.value(keeper_of("Arming", self.values), "Arming") or "")

    @property
    def gesture(self) -> Gesture | None:
        """What has to be done to arm."""
        return gesture_of(self.method) if self.method else None


def _method(seen: _Seen) -> Check:
    key, title, gesture = "method", "Arming method", seen.gesture
    if gesture is None:
        return Check(key, title, State.UNKNOWN, _NO_DATA)
    if gesture.kind == "never":
        return Check(
            key,
            title,
            State.BLOCKS,
            "It is set never to arm (Always Disarmed).",
            "Choose a stick gesture or a switch under Arming.",
        )
    group = seen.value("ManualControlSettings", f"ChannelGroups.{gesture.accessory}")
    if gesture.accessory and group == "None":
        return Check(
            key,
            title,
            State.BLOCKS,
            f"It arms by {gesture.accessory}, to which no receiver channel is assigned.",
            "Assign the channel on the Receiver page, or choose a stick gesture.",
        )
    if gesture.kind == "always":
        return Check(key, title, State.NOTE, gesture.arm, "Choose a stick gesture or a switch.")
    return Check(key, title, State.OK, seen.method)


def _receiver(seen: _Seen) -> Check:
    key, title = "receiver", "Receiver"
    connected = seen.value("ManualControlCommand", "Connected")
    if connected is None:
        return Check(key, title, State.UNKNOWN, _NO_DATA)
    if connected == "True":
        return Check(key, title, State.OK, "Sticks arrive.")
    groups = [
        value
        for path, value in seen.values("ManualControlSettings").items()
        if path.startswith("ChannelGroups.")
    ]
    if groups and set(groups) == {"None"}:
        return Check(
            key,
            title,
            State.BLOCKS,
            "No receiver channel is assigned to any stick.",
            "Set the receiver up on the Receiver page.",
        )
    if groups and set(groups) <= {"GCS", "None"}:
        return Check(
            key,
            title,
            State.BLOCKS,
            "Its sticks come from a station (GCS), and none sends any.",
            "Take the controls in the Fly workspace.",
        )
    return Check(
        key,
        title,
        State.BLOCKS,
        "The board gets no valid signal from the receiver.",
        "Switch the transmitter on; if it is, check binding, the receiver's port and its channels.",
    )


def _throttle(seen: _Seen) -> Check:
    key, title = "throttle", "Throttle"
    if seen.value("ManualControlCommand", "Connected") != "True":
        return Check(key, title, State.UNKNOWN, "Not known without a receiver.")
    throttle = float(seen.value("ManualControlCommand", "Throttle") or 0.0)
    airframe = str(seen.value("SystemSettings", "AirframeType") or "")
    if airframe.startswith("Ground"):
        is_low, wanted = abs(throttle) < _NEAR_MIDDLE, "in its middle"
    else:
        is_low, wanted = throttle < 0.0, "at its lowest"
    if is_low:
        return Check(key, title, State.OK, f"It is {wanted}.")
    return Check(
        key,
        title,
        State.BLOCKS,
        f"It is at {throttle:.0%}, not {wanted}.",
        f"Put the stick {wanted}; if it is there, raise ChannelNeutral.Throttle or calibrate the "
        "receiver again.",
    )


def _mode(seen: _Seen) -> Check:
    key, title = "mode", "Flight mode"
    mode = seen.value("FlightStatus", "FlightMode")
    if mode is None:
        return Check(key, title, State.UNKNOWN, _NO_DATA)
    name = str(mode)
    if not flight_mode(name).is_armable:
        return Check(
            key,
            title,
            State.BLOCKS,
            f"It cannot be armed in {name}.",
            "Switch to a stabilized mode to arm.",
        )
    thrust = _thrust(seen, name)
    assist = seen.value("FlightStatus", "FlightModeAssist")
    if thrust in _TAKES_OFF_BY_ITSELF or assist == "GPSAssist":
        why = f"thrust {thrust}" if thrust in _TAKES_OFF_BY_ITSELF else "GPSAssist"
        return Check(
            key,
            title,
            State.BLOCKS,
            f"{name} has {why}, which would take off by itself once armed.",
            "Switch to a position with Manual thrust and no assistance to arm.",
        )
    if name == "PathPlanner":
        return Check(
            key,
            title,
            State.NOTE,
            "Not every firmware arms in PathPlanner, and one that does takes off at once.",
            "Arm in a stabilized mode.",
        )
    return Check(key, title, State.OK, name)


def _thrust(seen: _Seen, mode: str) -> str:
    number = mode.removeprefix("Stabilized")
    sets = read_setup(seen.values).sets
    return sets.get(int(number), {}).get("Thrust", "") if number.isdigit() else ""


def _alarms(seen: _Seen) -> tuple[Check, ...]:
    key, title = "alarms", "Alarms"
    sample = seen.read("SystemAlarms")
    if sample is None:
        return (Check(key, title, State.UNKNOWN, _NO_DATA),)
    is_lost = seen.value("ManualControlCommand", "Connected") == "False"
    said = (*_TOLERATED, "Receiver") if is_lost else _TOLERATED  # the receiver has its own line
    forbidding = [a for a in read_alarms(sample) if a.level is Level.ERROR and a.name not in said]
    if not forbidding:
        return (Check(key, title, State.OK, "None that forbids arming."),)
    return tuple(_alarm(alarm) for alarm in forbidding)


def _alarm(alarm: Alarm) -> Check:
    found = f"{alarm.severity}: {alarm.detail or alarm.meaning}"
    return Check(f"alarm {alarm.name}", alarm.title, State.BLOCKS, found, alarm.remedy)


def _summary(checks: tuple[Check, ...], armed: str, gesture: Gesture | None) -> str:
    blocking = sum(check.state is State.BLOCKS for check in checks)
    if blocking:
        what = "one thing stands" if blocking == 1 else f"{blocking} things stand"
        return f"It will not arm: {what} in the way."
    if armed == "Arming":
        return "Arming: keep holding."
    if all(check.state is State.UNKNOWN for check in checks):
        return "Not known yet whether it would arm."
    if any(check.state is State.UNKNOWN for check in checks):
        return "Nothing known stands in the way, but the aircraft has not said everything yet."
    return f"Ready to arm. {gesture.arm}" if gesture is not None else "Ready to arm."
