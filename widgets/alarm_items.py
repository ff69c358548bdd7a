"""What the alarm strip speaks of: the aircraft's alarms and the station's own, worst first."""

from collections.abc import Sequence
from dataclasses import dataclass

from telemetry.alarms import Alarm
from telemetry.finding import Level
from telemetry.vehicle.vehicle import LinkState, LinkStatus


@dataclass(frozen=True, slots=True)
class AlarmItem:
    """One thing that asks for attention: a title, its severity in a word, and the explanation."""

    title: str
    severity: str
    level: Level
    meaning: str
    remedy: str

    @property
    def headline(self) -> str:
        """Title and severity, as the strip shows them."""
        return f"{self.title}: {self.severity.lower()}" if self.severity else self.title


def alarm_items(status: LinkStatus, alarms: Sequence[Alarm]) -> tuple[AlarmItem, ...]:
    """Return the station's troubles, then the aircraft's `alarms` in the order given."""
    return (*_station_items(status), *(_item(alarm) for alarm in alarms))


def _item(alarm: Alarm) -> AlarmItem:
    meaning = f"{alarm.meaning} {alarm.detail}".rstrip()
    return AlarmItem(alarm.title, alarm.severity, alarm.level, meaning, alarm.remedy)


def _station_items(status: LinkStatus) -> tuple[AlarmItem, ...]:
    items = []
    if status.state in (LinkState.LOST, LinkState.RECONNECTING):
        items.append(
            AlarmItem(
                "Link lost",
                "",
                Level.ERROR,
                f"Nothing is heard of the aircraft; what is shown is old. {status.reason}".strip(),
                "Watch the aircraft, turn the antenna to it and fly it by its remote control; "
                "the station connects again by itself.",
            )
        )
    if status.recording_error:
        items.append(
            AlarmItem(
                "Not recorded",
                "",
                Level.ERROR,
                f"This flight is no longer written to a file: {status.recording_error}",
                "The flight itself is not affected; free some space and connect again to record.",
            )
        )
    return tuple(items)
