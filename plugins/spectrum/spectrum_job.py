"""Spectrum job: fields of a recording read and their spectra worked out off the GUI thread."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.airborne import THRUST
from telemetry.review.analysis.findings.readings import read
from telemetry.review.analysis.findings.stretches import Span
from telemetry.review.analysis.series import Inconclusive, Series
from telemetry.review.analysis.spectra.analysed_stretch import analysed_stretch
from telemetry.review.analysis.spectra.power_spectrum import PowerSpectrum, power_spectrum
from telemetry.review.analysis.spectra.resampling import even_runs
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
    """The spectrum of one field or expression, in its unit, or why there is none."""

    path: str
    unit: str
    found: PowerSpectrum | SpectrumMap | Inconclusive


@dataclass(frozen=True, slots=True, eq=False)
class SpectrumResult:
    """What was worked out for a request, and of which stretch, in words."""

    request: SpectrumRequest
    stretch: str
    spectra: tuple[FieldSpectrum, ...]


def work_out(recording: Recording, request: SpectrumRequest) -> SpectrumResult:
    """The spectra of all fields asked for; of the first alone where it is a map."""
    stretch = analysed_stretch(recording, request.selection)
    paths = request.paths if request.mode is SpectrumMode.POWER else request.paths[:1]
    spectra = tuple(_spectrum(recording, path, request, stretch.spans) for path in paths)
    return SpectrumResult(request, stretch.words, spectra)


def _spectrum(
    recording: Recording, path: str, request: SpectrumRequest, spans: tuple[Span, ...]
) -> FieldSpectrum:
    reader = make_reader(recording, path)
    reader.update()
    while not reader.is_complete:
        reader.update()
    base = reader.base
    if base is None:
        problem = reader.problem or f"{path} was not recorded."
        return FieldSpectrum(path, "", Inconclusive(problem, "Choose another field."))
    if reader.is_enum:
        problem = f"{path} has options, no numbers."
        return FieldSpectrum(path, "", Inconclusive(problem, "Choose a number."))
    count = reader.count
    series = Series(base.track.times[:count], reader.column(0, count).astype(np.float64))
    runs = even_runs(series, spans, _TURN if reader.unit == "°" else None)
    if isinstance(runs, Inconclusive):
        return FieldSpectrum(path, reader.unit, runs)
    if request.mode is SpectrumMode.POWER:
        return FieldSpectrum(path, reader.unit, power_spectrum(runs, request.window_s))
    if request.mode is SpectrumMode.SPECTROGRAM:
        return FieldSpectrum(path, reader.unit, spectrogram(runs, request.window_s))
    throttle = read(recording, THRUST, "Thrust")
    if not len(throttle.times):
        throttle = read(recording, THRUST, "Throttle")
    found = throttle_spectrum(runs, throttle, request.window_s)
    return FieldSpectrum(path, reader.unit, found)
