"""Spectrum picture: what the chart paints of spectra that were worked out, and words."""

import numpy as np

from plugins.spectrum.spectrum_job import FieldSpectrum, SpectrumMode, SpectrumResult
from telemetry.base.number_text import significant
from telemetry.configuration.board_logs.rate_preset import is_in_preset
from telemetry.review.analysis.series import Inconclusive
from telemetry.review.analysis.spectra.power_spectrum import PowerSpectrum, SpectralPeak
from telemetry.review.analysis.spectra.short_spectra import SpectrumBasis, decibels
from telemetry.review.analysis.spectra.spectrum_map import SpectrumMap
from widgets.plot.fields import short_labels
from widgets.plot.window import Span, fit_values
from widgets.spectrum.frequency_scale import FrequencyScale
from widgets.spectrum.picture import (
    TIME,
    PeakLabel,
    SpectrumImage,
    SpectrumLine,
    SpectrumPicture,
)

_NAMED_PEAKS = 3
_RANGE_DB = 100.0
_USEFUL_HZ = 25.0
"""Below it lies little but the flight itself: what shakes an aircraft is beyond."""
WORKING = SpectrumPicture(FrequencyScale(0.0, 1.0), notice="Working it out…")
_NO_FIELD = "Press Field, or drag a field from the object browser."


def picture_of(result: SpectrumResult | None, *, is_log: bool) -> SpectrumPicture:
    """What is painted; with a notice where there is nothing."""
    if result is None or not result.spectra:
        return SpectrumPicture(FrequencyScale(0.0, 1.0), notice=_NO_FIELD)
    powers = [one for one in result.spectra if isinstance(one.found, PowerSpectrum)]
    if powers:
        return _lines(powers, is_log=is_log)
    first = result.spectra[0]
    if isinstance(first.found, SpectrumMap):
        return _image(first, first.found, result.request.mode, is_log=is_log)
    notice = "\n".join(_refusals(result))
    return SpectrumPicture(FrequencyScale(0.0, 1.0), notice=notice)


def words_of(result: SpectrumResult) -> str:
    """The stretch, what the spectra were made of, and the peaks."""
    told = [f"Of {result.stretch}."]
    bases: dict[str, SpectrumBasis] = {}
    for one in result.spectra:
        if not isinstance(one.found, Inconclusive):
            bases.setdefault(one.found.basis.text, one.found.basis)
    told += [f"{text}." for text in bases]
    powers = [one for one in result.spectra if isinstance(one.found, PowerSpectrum)]
    for one, label in zip(powers, _labels(powers), strict=True):
        if isinstance(one.found, PowerSpectrum):
            error = f" (± {one.found.basis.error_db:.1f} dB)" if one.found.peaks else ""
            peaks = ", ".join(_peak_words(peak, one.unit) for peak in one.found.peaks)
            told.append(f"{label}: {peaks or 'no peaks'}{error}.")
    return " ".join([*told, *_refusals(result)] if powers else told)


def lacks_rate(result: SpectrumResult) -> bool:
    """Whether a field that can be had more often was recorded too seldom to tell what shakes it."""
    return any(_is_slow(one.found) for one in result.spectra if is_in_preset(one.path))


def _is_slow(found: PowerSpectrum | SpectrumMap | Inconclusive) -> bool:
    if isinstance(found, Inconclusive):
        return found.lacks_rate
    return found.basis.usable_hz < _USEFUL_HZ


def _refusals(result: SpectrumResult) -> list[str]:
    refused = [(one.path, one.found) for one in result.spectra]
    return [f"{path}: {found.text}" for path, found in refused if isinstance(found, Inconclusive)]


def _peak_words(peak: SpectralPeak, unit: str) -> str:
    frequency, amplitude = significant(peak.frequency_hz, 3), significant(peak.amplitude, 2)
    return f"{frequency} Hz at {peak.level_db:.0f} dB, as a sine of ± {amplitude} {unit}".rstrip()


def _labels(spectra: list[FieldSpectrum]) -> list[str]:
    title, labels = short_labels([one.path for one in spectra])
    return [f"{title} {labels[0]}".strip()] if len(labels) == 1 else labels


def _lines(powers: list[FieldSpectrum], *, is_log: bool) -> SpectrumPicture:
    lines, usable_hz, lowest, highest = [], np.inf, np.inf, 0.0
    for index, (one, label) in enumerate(zip(powers, _labels(powers), strict=True)):
        found = one.found
        if not isinstance(found, PowerSpectrum):
            continue
        named = found.peaks[:_NAMED_PEAKS]
        peaks = tuple(
            PeakLabel(p.frequency_hz, p.level_db, f"{significant(p.frequency_hz, 3)} Hz")
            for p in named
        )
        frequencies = found.frequencies[1:]  # a window's mean was taken away
        lines.append(SpectrumLine(label, index, frequencies, decibels(found.density[1:]), peaks))
        usable_hz = min(usable_hz, found.basis.usable_hz)
        lowest = min(lowest, float(frequencies[0]))
        highest = max(highest, float(frequencies[-1]))
    top = max(float(line.level_db.max()) for line in lines)
    bottom = max(min(float(line.level_db.min()) for line in lines), top - _RANGE_DB)
    scale = FrequencyScale(lowest if is_log else 0.0, highest, is_log)
    units = {one.unit for one in powers}
    return SpectrumPicture(
        scale,
        tuple(lines),
        unit=units.pop() if len(units) == 1 else "",
        usable_hz=usable_hz,
        levels=fit_values(None, bottom, top + 3.0),
    )


def _image(
    one: FieldSpectrum, found: SpectrumMap, mode: SpectrumMode, *, is_log: bool
) -> SpectrumPicture:
    frequencies = found.frequencies[1:]
    image = SpectrumImage(found.edges, frequencies, decibels(found.density[:, 1:]))
    lowest = float(frequencies[0]) if is_log else 0.0
    return SpectrumPicture(
        FrequencyScale(lowest, float(frequencies[-1]), is_log),
        image=image,
        across=TIME if mode is SpectrumMode.SPECTROGRAM else "Throttle in %",
        unit=one.unit,
        usable_hz=found.basis.usable_hz,
        levels=Span(0.0, 1.0),
    )
