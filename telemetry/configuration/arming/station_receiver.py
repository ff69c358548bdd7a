"""Station receiver: settings for flying from a station, taken on consent and given back.

A board hears one receiver per control (ManualControlSettings.ChannelGroups). One that hears a radio
ignores the station's GCSReceiver, so these settings are changed for a flight: in the board's memory
only, so that after a power cycle in the field the pilot's radio is heard, as he expects; saved, the
aircraft would answer to nothing but a computer that may be at home.

The rules are those of receiver.c and pios_gcsrcvr.c: every assigned control has to be valid, or the
failsafe acts, so that one left on a radio that is switched off would forbid everything.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from telemetry.base.finding import Finding, Level
from telemetry.configuration.arming.by_sticks import gesture_on_board, values_of
from telemetry.configuration.flight_modes.failsafe_check import check_failsafe
from telemetry.configuration.flight_modes.setup import read_setup
from telemetry.configuration.receiver.check import is_ground_vehicle, thrust_control
from telemetry.configuration.receiver.controls import (
    COLLECTIVE,
    FLIGHT_MODE,
    NO_GROUP,
    PITCH,
    ROLL,
    SETTINGS,
    THROTTLE,
    YAW,
    receiver_words,
    title_of,
)
from telemetry.configuration.settings.difference import is_same
from telemetry.configuration.settings.temporary_settings import (
    TemporarySettings,
    temporary_settings_of,
)
from telemetry.recording.sample import ReadValues, Value, Values
from telemetry.vehicle import sticks
from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.vehicle import Vehicle

STATION: Final = "GCS"
OWNER: Final = "flying from the station"
_CHANNELS: Final = {
    THROTTLE: sticks.THROTTLE,
    ROLL: sticks.ROLL,
    PITCH: sticks.PITCH,
    YAW: sticks.YAW,
    FLIGHT_MODE: sticks.FLIGHT_MODE,
}
_MIDDLE_US: Final = (sticks.MINIMUM_US + sticks.MAXIMUM_US) // 2
_IDLE_US: Final = 1040
"""The throttle's neutral: below it the throttle is low, which arming asks for (armhandler.c)."""
_REMEDY: Final = "Press Fly from this station to change that."
_NEAR_US: Final = 30


@dataclass(frozen=True, slots=True)
class ReceiverChange:
    """One setting that has to be another to be flown from a station."""

    path: str
    before: Value
    after: Value


def station_changes(values: ReadValues) -> tuple[ReceiverChange, ...]:
    """What has to change so that the station's sticks mean what they say; empty if nothing has."""
    present = values(SETTINGS)
    return tuple(
        ReceiverChange(path, present[path], after)
        for path, after in _wanted(values)
        if path in present and not _is_good(path, present[path], after)
    )


def why_deaf(values: ReadValues) -> str:
    """Why the aircraft would not obey the station's sticks as it is set up; empty if it would."""
    present = values(SETTINGS)
    if not present:
        return "Waiting for the aircraft's settings."
    if f"ChannelGroups.{THROTTLE}" not in present:
        return "This firmware does not let the station be its receiver."
    changes = station_changes(values)
    if not changes:
        return ""
    groups = [c.before for c in changes if c.after == STATION]
    if groups:
        receiver = receiver_words(str(groups[0]))
        return f"This aircraft takes its sticks from {receiver}, not from the station. {_REMEDY}"
    wrong = title_of(changes[0].path.partition(".")[2]).lower()
    return (
        f"This aircraft does not read the station's {wrong} as the station sends it: it has "
        f"another channel or other ends. {_REMEDY}"
    )


def why_never(values: ReadValues) -> str:
    """Why it cannot be flown from a station whatever is changed; empty if it can."""
    if thrust_control(values) == COLLECTIVE:
        return "Its thrust is the collective, which the station does not send."
    return ""


def failsafe_warnings(values: ReadValues) -> tuple[Finding, ...]:
    """What is dangerous about that, as the aircraft will be while the station flies it."""
    after = {change.path: change.after for change in station_changes(values)}

    def then(name: str) -> Values:
        return {**values(name), **after} if name == SETTINGS else values(name)

    found = check_failsafe(read_setup(then), then)
    return tuple(f for f in found if f.level in (Level.WARNING, Level.ERROR))


class StationReceiver:
    """The receiver's settings of one aircraft while the station flies it."""

    def __init__(self, vehicle: Vehicle, temporary: TemporarySettings | None = None) -> None:
        self._vehicle = vehicle
        self._temporary = temporary or temporary_settings_of(vehicle)
        self._right = exclusive_of(vehicle)
        self.values = values_of(lambda name: vehicle.recording.latest(name, vehicle.end_s))
        """What the aircraft holds, by path."""

    @property
    def is_taken(self) -> bool:
        """Whether it has been asked for and all of it is on board."""
        taken = self._temporary.of(OWNER)
        return bool(taken) and all(entry.is_taken for entry in taken)

    @property
    def is_under_way(self) -> bool:
        """Whether it is on its way there or back."""
        entries = (e for e in self._temporary.entries if e.kept.object == SETTINGS)
        return any(entry.ticket is not None for entry in entries)

    def changes(self) -> tuple[ReceiverChange, ...]:
        """What would be changed now."""
        return station_changes(self.values)

    def why_not(self) -> str:
        """Why it cannot be taken now; empty if it can."""
        return (
            self._why_not_while_armed("Disarm it first.")
            or self._vehicle.commands.refusal()
            or why_never(self.values)
            or self._right.why_not(self)
            or ("It is on its way." if self.is_under_way else "")
        )

    def take(self) -> str:
        """Change what `changes` says; the user has agreed to that. Returns why not, or ""."""
        why = self.why_not()
        if why:
            return why
        wanted = {change.path: change.after for change in self.changes()}
        return self._temporary.take_all(OWNER, SETTINGS, wanted)

    def why_not_back(self) -> str:
        """Why it cannot be given back now; empty if it can."""
        return self._why_not_while_armed("Land first.") or self._vehicle.commands.refusal() or ""

    def _why_not_while_armed(self, remedy: str) -> str:
        is_armed = self.values("FlightStatus").get("Armed", "Disarmed") != "Disarmed"
        why = "The aircraft is armed: who is heard is not changed in the air."
        return f"{why} {remedy}" if is_armed else ""

    def give_back(self) -> str:
        """Begin to give all of it back. Returns why not, or ""."""
        why = self.why_not_back()
        if not why:
            self._temporary.give_back(OWNER)
        return why


def station_receiver_of(vehicle: Vehicle) -> StationReceiver:
    """The one of a vehicle."""
    return vehicle.attachment("station_receiver", lambda: StationReceiver(vehicle))


def _wanted(values: ReadValues) -> Iterator[tuple[str, Value]]:
    """Every setting that counts, with what it has to be."""
    present = values(SETTINGS)
    channels = dict(_CHANNELS)
    gesture = gesture_on_board(values)
    if gesture is not None and gesture.accessory:
        channels[gesture.accessory] = sticks.ARM_SWITCH
    is_ground = is_ground_vehicle(values)
    for name, channel in channels.items():
        neutral = _IDLE_US if name == THROTTLE and not is_ground else _MIDDLE_US
        yield f"ChannelGroups.{name}", STATION
        yield f"ChannelNumber.{name}", channel + 1
        yield f"ChannelMin.{name}", sticks.MINIMUM_US
        yield f"ChannelNeutral.{name}", neutral
        yield f"ChannelMax.{name}", sticks.MAXIMUM_US
    for path, group in present.items():
        field, _, name = path.partition(".")
        if field == "ChannelGroups" and name not in channels and group not in (STATION, NO_GROUP):
            yield path, NO_GROUP


def _is_good(path: str, present: Value, wanted: Value) -> bool:
    """Whether it may stay: pulses that differ a little mean the same."""
    if path.startswith(("ChannelMin.", "ChannelNeutral.", "ChannelMax.")):
        near = abs(int(present) - int(wanted)) <= _NEAR_US
        is_idle = path != f"ChannelNeutral.{THROTTLE}" or int(present) > sticks.MINIMUM_US
        return near and is_idle
    return is_same(present, wanted)
