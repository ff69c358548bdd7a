"""Findings rows: findings, events and markers on one time, and which of them are wanted."""

from collections.abc import Iterable
from dataclasses import dataclass

from telemetry.base.finding import Level
from telemetry.recording.events import Event
from telemetry.review.analysis.findings.flight_finding import FlightFinding
from telemetry.review.analysis.findings.search import finding_kinds
from telemetry.review.flights.marker import Marker, titled

MARKER = "Marker"
_EVENT_TITLES = {
    "arming": "Arming",
    "mode": "Flight mode",
    "alarm": "Alarm",
    "reboot": "Restart",
    "link": "Link",
    "device": "Device",
    "gap": "Link gap",
    "setting": "Setting",
    "failsafe": "Failsafe",
    "sticks": "Sticks",
    "sensor": "Sensor",
    "hang": "Window",
    "recording": "Recording",
    "warning": "Warning",
    "marker": MARKER,
}


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One line. `end_s` is `t` for an instant; `marker` is what is edited, for a marker."""

    t: float
    end_s: float
    level: Level
    kind: str
    text: str
    remedy: str = ""
    marker: Marker | None = None

    @property
    def identity(self) -> tuple[float, str, bool]:
        """What stays the same while a finding in progress grows."""
        return self.t, self.kind, self.marker is not None


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Which rows are wanted: of this level or more, of one kind ("" for all), with these words.

    Events that a finding tells in fewer words come only if `has_every_event`.
    """

    level: Level = Level.UNKNOWN
    kind: str = ""
    words: str = ""
    has_every_event: bool = False

    def wants(self, row: FindingRow) -> bool:
        """Whether a row passes."""
        if self.kind and row.kind != self.kind:
            return False
        if row.marker is None and row.level < self.level:
            return False
        text = f"{row.kind} {row.text}".casefold()
        return all(word in text for word in self.words.casefold().split())


def make_rows(
    findings: Iterable[FlightFinding],
    events: Iterable[Event],
    markers: tuple[Marker, ...],
    has_every_event: bool,
) -> list[FindingRow]:
    """All of them in order of time."""
    told = {kind.event for kind in finding_kinds()}
    rows = [
        FindingRow(
            one.t, one.end_s, one.finding.level, one.title, one.finding.text, one.finding.remedy
        )
        for one in findings
    ]
    rows += [
        FindingRow(event.t, event.t, event.level, _EVENT_TITLES[event.kind], event.text)
        for event in events
        if has_every_event or event.kind not in told
    ]
    rows += [
        FindingRow(marker.t, marker.t, Level.INFO, MARKER, words, marker=marker)
        for marker, words in titled(markers)
    ]
    return sorted(rows, key=lambda row: (row.t, row.kind))
