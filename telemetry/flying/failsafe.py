"""Failsafe of an aircraft, as a station sees it: whether it acts, and whether it is safe."""

from dataclasses import replace

from telemetry.base.finding import Finding
from telemetry.configuration.arming.by_sticks import values_of
from telemetry.configuration.arming.checklist import Read
from telemetry.configuration.arming.station_receiver import failsafe_warnings, why_deaf

DANGEROUS = "Dangerous failsafe"


def is_on_failsafe(read: Read) -> bool:
    """Whether the aircraft says that its receiver has failed (receiver.c): by its alarm, which is
    told once a second, or by the command itself, which comes more rarely."""
    alarms, command = read("SystemAlarms"), read("ManualControlCommand")
    if alarms is not None and str(alarms["Alarm.Receiver"]) == "Warning":
        return True
    return command is not None and str(command["Connected"]) == "False"


def danger_of_failsafe(read: Read) -> Finding | None:
    """The worst of what is dangerous about it, for an aircraft that is flown from here."""
    values = values_of(read)
    if not values("ManualControlSettings") or why_deaf(values):
        return None
    found = sorted(failsafe_warnings(values), key=lambda finding: -finding.level)
    return replace(found[0], title=DANGEROUS) if found else None
