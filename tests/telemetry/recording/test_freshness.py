"""When alarms and attitude are too old to be vouched for, in releases that send them differently.

What is sent how says the catalogue: SystemAlarms comes every second in LibrePilot next, and only
when it changes in Tau Labs.
"""

import pytest

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.freshness import Freshness, read_freshness
from telemetry.recording.recording import Recording

NEXT, TAU = "LibrePilot-next-2019-02", "TauLabs-20151123"


class Told:
    """A recording filled by name and release."""

    def __init__(self, catalogue: Catalogue, release: str) -> None:
        self.recording = Recording("test")
        self._catalogue, self._release = catalogue, release

    def say(self, name: str, *times: float) -> None:
        definition = self._catalogue.find(name, self._release)
        for t in times:
            self.recording.append(t, definition, 0, definition.default_row().tobytes())


def test_what_comes_in_a_period_is_old_after_three_seconds(catalogue: Catalogue) -> None:
    told = Told(catalogue, NEXT)
    for t in range(10):
        told.say("SystemAlarms", t)
        told.say("AttitudeState", t + 0.1, t + 0.5)
    assert read_freshness(told.recording, 12.0) == Freshness()
    aged = read_freshness(told.recording, 12.6)
    assert aged.alarms_age_s == pytest.approx(3.6)
    assert aged.attitude_age_s == pytest.approx(3.1)
    assert read_freshness(told.recording, 5.2) == Freshness(), "looking back"


def test_what_a_slow_link_brings_rarely_is_not_called_old(catalogue: Catalogue) -> None:
    told = Told(catalogue, NEXT)
    told.say("AttitudeState", *range(0, 60, 5))
    assert read_freshness(told.recording, 55.0 + 14.0).attitude_age_s is None
    assert read_freshness(told.recording, 55.0 + 16.0).attitude_age_s == pytest.approx(16.0)


def test_what_is_sent_on_change_counts_as_long_as_the_rest_comes(catalogue: Catalogue) -> None:
    told = Told(catalogue, TAU)
    told.say("SystemAlarms", 0.0)
    for t in range(60):
        for name in ("AttitudeActual", "SystemStats", "GPSPosition"):
            told.say(name, t)
    assert read_freshness(told.recording, 60.0) == Freshness()
    for t in range(60, 70):
        told.say("SystemStats", t)  # alone: nobody would hear of another alarm
    assert read_freshness(told.recording, 69.0).alarms_age_s == pytest.approx(10.0)


def test_what_was_never_said_has_no_age(catalogue: Catalogue) -> None:
    assert read_freshness(Told(catalogue, NEXT).recording, 9.0) == Freshness()
