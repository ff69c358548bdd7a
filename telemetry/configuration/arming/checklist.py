"""Arming checklist: why an aircraft will not arm, and what to do, as a table of firmware's rules.

Every check reads what the aircraft says of itself at one instant, live or in a log, and answers in
words. They stand in a fixed order, so that a list of them stays in place while values change.
What is judged by settings alone is judged by the rules that the pages show.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from telemetry.base.finding import Finding, Level, error
from telemetry.configuration.flight_modes.arming_check import (
    check_arming_mode,
    check_method,
    never_arms,
)
from telemetry.configuration.flight_modes.arming_gestures import Gesture, arming_control, gesture_of
from telemetry.configuration.flight_modes.setup import Position, keeper_of, read_setup
from telemetry.configuration.outputs.output import read_outputs
from telemetry.configuration.receiver.check import (
    check_channels,
    check_mode_number,
    check_pulses,
    comes_from_station,
    is_ground_vehicle,
)
from telemetry.configuration.receiver.controls import Control, read_controls
from telemetry.configuration.settings.slots import fields_of_sample, values_of_sample
from telemetry.recording.alarm_texts import alarm_text
from telemetry.recording.alarms import Alarm, read_alarms
from telemetry.recording.mode_words import mode_words
from telemetry.recording.sample import Sample, Value, Values

Read = Callable[[str], Sample | None]
"""Gives what counts of an object now; None where the aircraft has not sent it."""

_TOLERATED = ("GPS", "Telemetry")
"""Alarms that do not keep it from arming, since they do not concern flying by hand."""
_NEAR_MIDDLE = 0.01
"""How near its middle the throttle of a ground vehicle has to be: its motors run both ways."""


@dataclass(frozen=True, slots=True)
class Checklist:
    """All checks, and one sentence over them.

    An ERROR stands in the way of arming; with a WARNING it arms, but not as one may think.
    """

    checks: tuple[Finding, ...]
    summary: str
    is_armed: bool = False

    @property
    def blocking(self) -> tuple[Finding, ...]:
        """What stands in the way."""
        return tuple(check for check in self.checks if check.level is Level.ERROR)

    @property
    def is_ready(self) -> bool:
        """Whether the gesture would arm it now, as far as the aircraft says."""
        return all(check.level in (Level.OK, Level.WARNING) for check in self.checks)


def arming_checklist(read: Read) -> Checklist:
    """Judge what is known now."""
    seen = _Seen(read)
    armed = seen.value("FlightStatus", "Armed")
    if armed == "Armed":
        return Checklist((), "Armed. Motors may turn.", is_armed=True)
    checks = (
        replace(_method(seen), code="method", title="Arming method"),
        replace(_receiver(seen), code="receiver", title="Receiver"),
        replace(_throttle(seen), code="throttle", title="Throttle"),
        replace(_mode(seen), code="mode", title="Flight mode"),
        *_alarms(seen),
        *_switch(seen, str(armed)),  # after the causes that made it stay without effect
        replace(_motors(seen), code="outputs", title="Motors"),
    )
    return Checklist(checks, _summary(checks, str(armed), seen.gesture))


class RememberedChecklist:
    """The checklist of one aircraft, judged anew only when what it was judged by has changed."""

    def __init__(self) -> None:
        self._checklist: Checklist | None = None
        self._judged_by: dict[str, object] = {}

    def judged(self, read: Read) -> Checklist:
        """As `arming_checklist` has it."""
        is_new = any(_told(read(name)) != told for name, told in self._judged_by.items())
        if self._checklist is None or is_new:
            self._judged_by = {}
            self._checklist = arming_checklist(lambda name: self._noted(name, read(name)))
        return self._checklist

    def _noted(self, name: str, sample: Sample | None) -> Sample | None:
        self._judged_by[name] = _told(sample)
        return sample


def _told(sample: Sample | None) -> object:
    return None if sample is None else (sample.definition.object_id, sample.row.tobytes())


class _Seen:
    """What the aircraft says of itself, by object and path."""

    def __init__(self, read: Read) -> None:
        self.read = read

    def values(self, name: str) -> Values:
        """All values of an object; none where it is not known."""
        sample = self.read(name)
        return values_of_sample(sample) if sample else {}

    def value(self, name: str, path: str) -> Value | None:
        """One value, None where it is not known."""
        return self.values(name).get(path)

    def fields(self, name: str) -> Mapping[str, Value]:
        """All values of an object by field; none where it is not known."""
        sample = self.read(name)
        return fields_of_sample(sample) if sample else {}

    @property
    def method(self) -> str:
        """The option of Arming; empty where it is not known."""
        return str(self.value(keeper_of("Arming", self.values), "Arming") or "")

    @property
    def is_connected(self) -> bool:
        """Whether sticks arrive."""
        return self.value("ManualControlCommand", "Connected") == "True"

    @property
    def controls(self) -> tuple[Control, ...]:
        """The controls of its receiver."""
        sample = self.read("ManualControlSettings")
        return (
            read_controls(sample.definition, self.values("ManualControlSettings")) if sample else ()
        )

    @property
    def pulses(self) -> list[int]:
        """The pulses of these controls, in their order."""
        command = self.values("ManualControlCommand")
        return [int(value) for path, value in command.items() if path.startswith("Channel.")]

    def stick(self, name: str) -> float:
        """Where a stick or an accessory is, -1 to 1; 0 where it is not known."""
        for control, pulse in zip(self.controls, self.pulses, strict=False):
            if control.name == name and name.startswith("Accessory"):
                return control.scale(pulse) if control.is_assigned else 0.0
        return float(self.value("ManualControlCommand", name) or 0.0)

    @property
    def gesture(self) -> Gesture | None:
        """What has to be done to arm."""
        return gesture_of(self.method) if self.method else None


def ok(text: str) -> Finding:
    """In order."""
    return Finding(Level.OK, "", text)


def unknown(text: str = "The aircraft has not said.") -> Finding:
    """Nobody knows."""
    return Finding(Level.UNKNOWN, "", text)


def blocks(
    text: str, remedy: str, level: Level = Level.ERROR, settings: tuple[str, ...] = ()
) -> Finding:
    """What stands in the way, or, at a lower level, is worth knowing."""
    return Finding(level, "", text, remedy, settings=settings)


def _method(seen: _Seen) -> Finding:
    gesture = seen.gesture
    if gesture is None:
        return unknown()
    if gesture.kind == "never":
        return never_arms(seen.values)
    found = check_method(seen.values)
    if found is not None and gesture.kind == "always":
        return replace(found, level=Level.WARNING)  # a danger, but it does not keep it from arming
    return found or ok(gesture.arm)


def _switch(seen: _Seen, armed: str) -> Iterator[Finding]:
    """Arming needs an edge: what was on already, while something forbade arming, does nothing."""
    arming = arming_control(seen.gesture) if seen.gesture is not None else None
    if arming is None or armed != "Disarmed" or not seen.is_connected:
        return
    control, side, least = arming
    if side * seen.stick(control) >= least:
        what = "switch" if control.startswith("Accessory") else f"{control.lower()} stick"
        yield error(
            "switch",
            f"The {what} is on the side that arms already; only moving it there arms.",
            "Let it go, and once nothing else stands in the way arm again.",
            title="Arming switch",
        )


def _receiver(seen: _Seen) -> Finding:
    connected = seen.value("ManualControlCommand", "Connected")
    if connected is None:
        return unknown()
    if seen.is_connected:
        return ok("Sticks arrive.")
    positions = len(read_setup(seen.values).positions)
    wrong = (
        (check_mode_number(seen.values, positions) if positions else None)
        or check_channels(seen.values)
        or check_pulses(seen.controls, seen.pulses, is_ground_vehicle(seen.values))
    )
    if wrong is not None:
        return wrong
    if comes_from_station(seen.values):
        return blocks(
            "Its sticks come from a station, and none sends any.",
            "Take the controls in the Fly workspace.",
        )
    return blocks(
        "The board gets no valid signal from the receiver.",
        "Switch the transmitter on; if it is, check binding, the receiver's port and its channels.",
    )


def _throttle(seen: _Seen) -> Finding:
    if not seen.is_connected:
        return unknown("Not known without a receiver.")
    throttle = float(seen.value("ManualControlCommand", "Throttle") or 0.0)
    if is_ground_vehicle(seen.values):
        is_low, wanted = abs(throttle) < _NEAR_MIDDLE, "in its middle"
    else:
        is_low, wanted = throttle < 0.0, "at its lowest"
    if is_low:
        return ok(f"It is {wanted}.")
    return blocks(
        f"It is at {throttle:.0%}, not {wanted}.",
        f"Put the stick {wanted}; if it is there, raise the throttle's neutral a little or "
        "calibrate the receiver again.",
        settings=("ManualControlSettings.ChannelNeutral.Throttle",),
    )


def _mode(seen: _Seen) -> Finding:
    mode = seen.value("FlightStatus", "FlightMode")
    if mode is None:
        return unknown()
    if seen.value("ManualControlCommand", "Connected") == "False":
        return unknown("Not known without a receiver: the failsafe moves the switch.")
    name = str(mode)
    thrust = read_setup(seen.values).thrust_mode(Position(0, name))
    found = check_arming_mode(
        name,
        thrust,
        str(seen.value("FlightStatus", "FlightModeAssist") or ""),
        seen.value("FlightStatus", "AlwaysStabilizeWhenArmed") == "True",
    )
    if found is not None:
        return found
    if name == "PathPlanner":
        return blocks(
            "Not every firmware arms for a mission, and one that does takes off at once.",
            "Arm in a stabilized mode.",
            Level.WARNING,
        )
    return ok(f"{mode_words(name)}.")


def _alarms(seen: _Seen) -> tuple[Finding, ...]:
    sample = seen.read("SystemAlarms")
    if sample is None:
        return (replace(unknown(), code="alarms", title="Alarms"),)
    is_lost = seen.value("ManualControlCommand", "Connected") == "False"
    said = (*_TOLERATED, "Receiver") if is_lost else _TOLERATED  # the receiver has its own line
    forbidding = [a for a in read_alarms(sample) if a.level is Level.ERROR and a.name not in said]
    if not forbidding:
        return (replace(ok("None that forbids arming."), code="alarms", title="Alarms"),)
    return tuple(_alarm(alarm) for alarm in forbidding)


def _alarm(alarm: Alarm) -> Finding:
    text = alarm.detail or alarm.meaning
    found = Finding(alarm.level, f"alarm {alarm.name}", text, alarm.remedy, title=alarm.title)
    return replace(found, settings=alarm_text(alarm.name).settings)


def _motors(seen: _Seen) -> Finding:
    """Whether motors will turn. Firmware arms without any, which looks like not arming."""
    actuators, mixer = seen.fields("ActuatorSettings"), seen.fields("MixerSettings")
    if not (actuators and mixer):
        return unknown()
    motors = [o for o in read_outputs(actuators, mixer) if o.is_motor or o.is_reversible]
    if not motors:
        return blocks(
            "It arms, but the mixer has no motor that could turn.",
            "Choose the airframe and its motors on the Airframe page.",
            Level.WARNING,
        )
    still = [output.number for output in motors if output.is_without_range]
    if still:
        return blocks(
            f"It arms, but motors on output {', '.join(map(str, still))} stay still: their pulse "
            "has no range.",
            "Set their shortest and longest pulse on the Outputs page.",
            Level.WARNING,
            ("ActuatorSettings.ChannelMin", "ActuatorSettings.ChannelMax"),
        )
    count = len(motors)
    return ok("1 motor with travel." if count == 1 else f"{count} motors with travel.")


def _summary(checks: tuple[Finding, ...], armed: str, gesture: Gesture | None) -> str:
    levels = [check.level for check in checks]
    if blocking := levels.count(Level.ERROR):
        what = "one thing stands" if blocking == 1 else f"{blocking} things stand"
        return f"It will not arm: {what} in the way."
    if armed == "Arming":
        return "Arming: keep holding."
    if set(levels) == {Level.UNKNOWN}:
        return "Not known yet whether it would arm."
    if Level.UNKNOWN in levels:
        return "Nothing known stands in the way, but the aircraft has not said everything yet."
    return f"Ready to arm. {gesture.arm}" if gesture is not None else "Ready to arm."
