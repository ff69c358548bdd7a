"""Alarm findings: each as long as it was raised; one that comes and goes is one finding."""

from collections.abc import Iterator

import numpy as np

from telemetry.base.finding import Level, level_of_alarm
from telemetry.recording.alarm_texts import alarm_text
from telemetry.review.analysis.findings.flight_finding import (
    FindingKind,
    FlightFinding,
    found,
    seconds,
)
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.findings.stretches import stretches

ALARM = FindingKind("alarm", "Alarm", event="alarm")
_JOIN_S = 15.0


def find_alarms(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """Every alarm of WARNING or worse."""
    track = flight.recording.track("SystemAlarms")
    if track is None or not track.definition.has_field("Alarm"):
        return
    field = track.definition.field_named("Alarm")
    readings = flight.read(("SystemAlarms",), "Alarm")
    values = readings.values.reshape(len(readings.times), field.elements).astype(np.int64)
    known = np.unique(values)
    levels = np.array([level_of_alarm(field.option_text(int(value))) for value in known], np.int64)
    level = levels[np.searchsorted(known, values)] if len(known) else values
    ends = flight.held_until(readings.times)
    for index in np.flatnonzero((level >= Level.WARNING).any(axis=0)):
        words = alarm_text(field.element_label(int(index)))
        raised = level[:, index] >= Level.WARNING
        for stretch in stretches(readings.times, ends, raised, _JOIN_S):
            within = slice(stretch.first, stretch.last + 1)
            worst = field.option_text(int(values[within, index].max()))
            worst_level = Level(int(level[within, index].max()))
            often = f"raised {stretch.spells} times in" if stretch.spells > 1 else "for"
            text = f"{words.title}: {worst}, {often} {seconds(stretch.length_s)}"
            yield found(ALARM, stretch.span, text, worst_level, words.remedy)
