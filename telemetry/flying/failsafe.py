"""Failsafe of an aircraft, as a station sees it: whether it acts, and whether it is safe."""

from dataclasses import dataclass, replace

from telemetry.base.finding import Finding
from telemetry.configuration.arming.by_sticks import values_of
from telemetry.configuration.arming.checklist import Read
from telemetry.configuration.arming.station_receiver import failsafe_warnings, why_deaf

DANGEROUS = "Dangerous failsafe"


@dataclass(frozen=True, slots=True)
class ReceiverWord:
    """What the board said last of its receiver, at `said_s` of the recording."""

    is_on_failsafe: bool
    said_s: float


def receiver_word(read: Read) -> ReceiverWord | None:
    """Whether the aircraft says that its receiver has failed (receiver.c): by its alarm, which is
    told once a second, or by the command itself, which comes more rarely; the newer one counts.
    None while it has said neither. Those of OpenPilot up to 14.01, Tau Labs and dRonin have no such
    alarm."""
    alarms, command = read("SystemAlarms"), read("ManualControlCommand")
    said: list[ReceiverWord] = []
    if alarms is not None and "Receiver" in alarms.definition.field_named("Alarm").element_names:
        said.append(ReceiverWord(str(alarms["Alarm.Receiver"]) == "Warning", alarms.t))
    if command is not None:
        said.append(ReceiverWord(str(command["Connected"]).upper() == "FALSE", command.t))
    return max(said, key=lambda word: word.said_s, default=None)


def is_on_failsafe(read: Read) -> bool:
    """Whether the aircraft says that its receiver has failed."""
    word = receiver_word(read)
    return word is not None and word.is_on_failsafe


def danger_of_failsafe(read: Read) -> Finding | None:
    """The worst of what is dangerous about it, for an aircraft that is flown from here."""
    values = values_of(read)
    if not values("ManualControlSettings") or why_deaf(values):
        return None
    found = sorted(failsafe_warnings(values), key=lambda finding: -finding.level)
    return replace(found[0], title=DANGEROUS) if found else None
