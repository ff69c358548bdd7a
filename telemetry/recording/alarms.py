"""Alarms of an aircraft at one instant, in words, the worst first.

The alarm list and the order of its severities differ between releases: up to OpenPilot 14.01 and
in Tau Labs and dRonin the worst is Critical, from OpenPilot 14.06 on it is Error. The number on
the wire always grows with severity, so that number ranks them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from telemetry.base.finding import Level, level_of_alarm
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.recording.alarm_texts import (
    CONFIG_ERROR_TEXTS,
    EXTENDED_TEXTS,
    MANUAL_CONTROL_TEXTS,
    REBOOT_CAUSE_TEXTS,
    STATE_ESTIMATION_TEXTS,
    STATION_TEXTS,
    Group,
    alarm_text,
)
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample

_DETAILS: dict[str, tuple[str, Mapping[str, str]]] = {
    "SystemConfiguration": ("ConfigError", CONFIG_ERROR_TEXTS),
    "ManualControl": ("ManualControl", MANUAL_CONTROL_TEXTS),
    "Attitude": ("StateEstimation", STATE_ESTIMATION_TEXTS),
    "BootFault": ("RebootCause", REBOOT_CAUSE_TEXTS),
}


@dataclass(frozen=True, slots=True)
class Alarm:
    """One alarm: its name and severity on the wire, and what they mean to a pilot.

    `rank` grows with severity within one release (0 unused, 1 OK). `detail` is what the board
    says about the cause, empty where it says nothing.
    """

    name: str
    severity: str
    rank: int
    meaning: str
    remedy: str
    detail: str = ""

    @property
    def title(self) -> str:
        return alarm_text(self.name).title

    @property
    def group(self) -> Group:
        """The part of the aircraft it concerns."""
        return alarm_text(self.name).group

    @property
    def level(self) -> Level:
        """How much it matters, the same scale for all releases."""
        return level_of_alarm(self.severity)

    @property
    def is_active(self) -> bool:
        """Whether it asks for attention now."""
        return self.level >= Level.WARNING


def active_alarms(recording: Recording, t: float) -> tuple[Alarm, ...] | None:
    """Return the alarms that ask for attention at `t`, worst first, else in the board's order.

    None: the aircraft has not reported on its alarms yet, which is not the same as having none.
    """
    alarms = all_alarms(recording, t)
    active = [alarm for alarm in alarms if alarm.is_active]
    return tuple(sorted(active, key=lambda alarm: -alarm.rank)) if alarms else None


def all_alarms(recording: Recording, t: float) -> tuple[Alarm, ...]:
    """Return every alarm the aircraft knows at `t`, in its own order; none before it said so."""
    sample = recording.latest("SystemAlarms", t)
    if sample is None:
        return ()
    alarms = read_alarms(sample)
    return tuple(map(_of_station, alarms)) if _is_flown_by_station(recording, t) else alarms


def _is_flown_by_station(recording: Recording, t: float) -> bool:
    """Whether the aircraft takes its sticks from a station: then there is no transmitter."""
    settings = recording.latest("ManualControlSettings", t)
    if settings is None or not settings.definition.has_field("ChannelGroups"):
        return False
    return "GCS" in (str(group) for group in settings["ChannelGroups"])


@lru_cache(maxsize=256)
def _of_station(alarm: Alarm) -> Alarm:
    """The alarm in the words for an aircraft without a transmitter."""
    words = STATION_TEXTS.get(alarm.name)
    return alarm if words is None else replace(alarm, meaning=words[0], remedy=words[1])


def read_alarms(sample: Sample) -> tuple[Alarm, ...]:
    """Read every alarm from one sample of SystemAlarms of any release."""
    return _read(sample.definition, sample.row.tobytes())


@lru_cache(maxsize=32)
def _read(definition: ObjectDefinition, payload: bytes) -> tuple[Alarm, ...]:
    """Remembered, because several views ask for the same sample many times a second."""
    row = np.frombuffer(payload, definition.dtype)[0]
    field = definition.field_named("Alarm")
    alarms = []
    for index, rank in enumerate(int(value) for value in row["Alarm"]):
        name, severity = field.element_label(index), field.option_text(rank)
        text = alarm_text(name)
        is_quiet = level_of_alarm(severity) <= Level.OK
        detail = "" if is_quiet else _detail(definition, row, name)
        alarms.append(Alarm(name, severity, rank, text.meaning, text.remedy, detail))
    return tuple(alarms)


def _detail(definition: ObjectDefinition, row: np.void, name: str) -> str:
    """What the board adds about the cause of alarm `name`."""
    if definition.has_field("ExtendedAlarmStatus"):
        field = definition.field_named("ExtendedAlarmStatus")
        if name in field.element_names:
            index = field.element_index(name)
            status = field.option_text(int(row["ExtendedAlarmStatus"][index]))
            return _extended(status, int(row["ExtendedAlarmSubStatus"][index]))
    field_name, texts = _DETAILS.get(name, ("", {}))
    if field_name and definition.has_field(field_name):
        return texts.get(definition.field_named(field_name).option_text(int(row[field_name])), "")
    return ""


def _extended(status: str, sub_status: int) -> str:
    text = EXTENDED_TEXTS.get(status, "")
    if status == "FlightMode":  # the sub-status is the position's number, from 0
        return f"{text} (position {sub_status + 1})."
    return text
