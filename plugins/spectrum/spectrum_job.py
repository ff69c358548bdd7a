"""Spectrum job: fields of a recording read and their spectra worked out off the GUI thread."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np

from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.stretches import Span
from telemetry.review.analysis.series import Inconclusive, Series
from telemetry.review.analysis.spectra.analysed_stretch import analysed_stretch
from telemetry.review.analysis.spectra.motor_drive import MotorDrive, motor_drive, read_throttle
from telemetry.review.analysis.spectra.power_spectrum import PowerSpectrum, power_spectrum
from telemetry.review.analysis.spectra.resampling import EvenRuns, even_runs
from telemetry.review.analysis.spectra.rotor_lines import RotorSearch, find_rotor_lines
from telemetry.review.analysis.spectra.spectrum_map import (
    SpectrumMap,
    spectrogram,
    throttle_spectrum,
)
from widgets.plot.readers import make_reader

_TURN = 360.0


class SpectrumMode(Enum):
    """What is shown, as the word a person chooses it by."""

    POWER = "Power"
    SPECTROGRAM = "Over time"
    THROTTLE = "Over throttle"


@dataclass(frozen=True, slots=True)
class SpectrumRequest:
    """What is to be worked out. `window_s` is None for the length that suits the data, `selection`
    None for the time in the air."""

    paths: tuple[str, ...]
    mode: SpectrumMode
    window_s: float | None = None
    selection: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FieldSpectrum:
    """The spectrum of one field or expression, in its unit, or why there is none; of one over
    frequency, which of its peaks follow the motors."""

    path: str
    unit: str
    found: PowerSpectrum | SpectrumMap | Inconclusive
    rotor: RotorSearch = field(default_factory=RotorSearch)


@dataclass(frozen=True, slots=True, eq=False)
class SpectrumResult:
    """What was worked out for a request, of which stretch, in words, and in words what the motors
    were given, as far as anybody knows."""

    request: SpectrumRequest
    stretch: str
    spectra: tuple[FieldSpectrum, ...]
    drive: str = ""


def work_out(recording: Recording, request: SpectrumRequest) -> SpectrumResult:
    """The spectra of all fields asked for; of the first alone where it is a map."""
    stretch = analysed_stretch(recording, request.selection)
    paths = request.paths if request.mode is SpectrumMode.POWER else request.paths[:1]
    sampled = [_sampled(recording, path, stretch.spans) for path in paths]
    spectra = tuple(_spectrum(recording, one, request) for one in sampled)
    if request.mode is not SpectrumMode.POWER:
        return SpectrumResult(request, stretch.words, spectra)
    drive = motor_drive(recording)
    return SpectrumResult(request, stretch.words, _tied(spectra, sampled, drive), drive.words)


def _tied(
    spectra: tuple[FieldSpectrum, ...], sampled: Sequence["_Sampled"], drive: MotorDrive
) -> tuple[FieldSpectrum, ...]:
    """The spectra with those of their peaks that follow the motors."""
    places = [i for i, one in enumerate(spectra) if isinstance(one.found, PowerSpectrum)]
    signals = [
        (one.runs, spectrum.found.peaks)
        for one, spectrum in zip(sampled, spectra, strict=True)
        if isinstance(one.runs, EvenRuns) and isinstance(spectrum.found, PowerSpectrum)
    ]
    searches = dict(zip(places, find_rotor_lines(signals, drive.series), strict=True))
    return tuple(replace(one, rotor=searches.get(i, one.rotor)) for i, one in enumerate(spectra))


@dataclass(frozen=True, slots=True, eq=False)
class _Sampled:
    """A field or expression, evenly sampled, or why there is nothing to look at."""

    path: str
    unit: str
    runs: EvenRuns | Inconclusive


def _sampled(recording: Recording, path: str, spans: tuple[Span, ...]) -> _Sampled:
    reader = make_reader(recording, path)
    reader.update()
    while not reader.is_complete:
        reader.update()
    base = reader.base
    if base is None:
        problem = reader.problem or f"{path} was not recorded."
        return _Sampled(path, "", Inconclusive(problem, "Choose another field."))
    if reader.is_enum:
        problem = f"{path} has options, no numbers."
        return _Sampled(path, "", Inconclusive(problem, "Choose a number."))
    count = reader.count
    series = Series(base.track.times[:count], reader.column(0, count).astype(np.float64))
    runs = even_runs(series, spans, _TURN if reader.unit == "°" else None)
    return _Sampled(path, reader.unit, runs)


def _spectrum(recording: Recording, one: _Sampled, request: SpectrumRequest) -> FieldSpectrum:
    runs = one.runs
    if isinstance(runs, Inconclusive):
        return FieldSpectrum(one.path, one.unit, runs)
    if request.mode is SpectrumMode.POWER:
        return FieldSpectrum(one.path, one.unit, power_spectrum(runs, request.window_s))
    if request.mode is SpectrumMode.SPECTROGRAM:
        return FieldSpectrum(one.path, one.unit, spectrogram(runs, request.window_s))
    found = throttle_spectrum(runs, read_throttle(recording), request.window_s)
    return FieldSpectrum(one.path, one.unit, found)
