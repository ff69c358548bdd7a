"""What is said of peaks that follow the rotors, in the picture and below it."""

import numpy as np
import pytest

from plugins.spectrum.spectrum_job import (
    FieldSpectrum,
    SpectrumMode,
    SpectrumRequest,
    SpectrumResult,
)
from plugins.spectrum.spectrum_picture import picture_of, words_of
from plugins.testing import add
from telemetry.recording.recording import Recording
from telemetry.review.analysis.spectra.motor_drive import motor_drive
from telemetry.review.analysis.spectra.power_spectrum import PowerSpectrum, SpectralPeak
from telemetry.review.analysis.spectra.rotor_lines import RotorLine, RotorSearch
from telemetry.review.analysis.spectra.short_spectra import SpectrumBasis

BASIS = SpectrumBasis(100.0, 50.0, False, 5.0, 20, 0, 0.0)
PEAKS = tuple(SpectralPeak(hz, -10.0, 0.2) for hz in (48.0, 4.0, 10.0))
FOUND = PowerSpectrum(np.linspace(0.0, 50.0, 251), np.ones(251), PEAKS, BASIS)
FIRST = RotorLine(48.0, 33.0, 1.0, 1e-9, 48.0, False, 48.0, 1)
SECOND = RotorLine(4.0, -66.0, 1.0, 2e-4, 4.0, True, 96.0, 2)


def told(search: RotorSearch) -> tuple[str, list[str]]:
    request = SpectrumRequest(("GyroState.x",), SpectrumMode.POWER)
    spectra = (FieldSpectrum("GyroState.x", "°/s", FOUND, search),)
    result = SpectrumResult(request, "the whole 60 s", spectra, "throttle")
    (line,) = picture_of(result, is_log=False).lines
    return words_of(result), [peak.text for peak in line.peaks]


def test_a_line_is_named_with_its_multiple_and_where_it_is_folded_from() -> None:
    words, labels = told(RotorSearch((FIRST, SECOND)))
    assert labels == ["48 Hz, rotor 1×", "4 Hz, rotor 2×, aliased from 96 Hz", "10 Hz"]
    assert "± 0.2 °/s (rotor 1×), 4 Hz" in words
    assert "Rotor: moves as throttle does, by chance in 0.02 % at most. 1× is the fastest" in words


@pytest.mark.parametrize(
    ("line", "label"),
    [
        (RotorLine(48.0, 33.0, 1.0, 1e-9, 48.0, False, 48.0), "48 Hz, rotor"),
        (RotorLine(48.0, -33.0, 1.0, 1e-9, 48.0, True), "48 Hz, rotor, aliased"),
        (RotorLine(48.0, 33.0, 1.0, 1e-9, 48.0), "48 Hz, rotor, perhaps aliased"),
    ],
)
def test_no_more_is_said_than_one_line_tells(line: RotorLine, label: str) -> None:
    words, labels = told(RotorSearch((line,)))
    assert labels[0] == label
    assert "1×" not in words


def test_without_a_line_it_is_said_why() -> None:
    assert "No peak moves as throttle does." in told(RotorSearch())[0]
    assert (
        "Not tied to the rotors: no throttle was recorded."
        in told(RotorSearch((), "no throttle was recorded."))[0]
    )


def test_motors_are_given_the_throttle_times_a_voltage_that_was_measured() -> None:
    recording = Recording()
    for t in (0.0, 1.0, 2.0):
        add(recording, t, "ActuatorDesired", Thrust=0.5)
    add(recording, 0.0, "FlightBatteryState", Voltage=0.0)
    assert motor_drive(recording).words == "throttle", "0 V is no measurement"
    for t, volts in ((1.0, 12.0), (2.0, 10.0)):
        add(recording, t, "FlightBatteryState", Voltage=volts)
    drive = motor_drive(recording)
    assert drive.words == "throttle times battery voltage"
    assert drive.series.values.tolist() == [6.0, 6.0, 5.0]
