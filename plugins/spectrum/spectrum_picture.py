"""Spectrum picture: what the chart paints of spectra that were worked out, and words."""

import numpy as np

from plugins.spectrum.spectrum_job import FieldSpectrum, SpectrumMode, SpectrumResult
from telemetry.base.number_text import significant
from telemetry.configuration.board_logs.rate_preset import is_in_preset
from telemetry.review.analysis.series import Inconclusive
from telemetry.review.analysis.spectra.power_spectrum import PowerSpectrum, SpectralPeak
from telemetry.review.analysis.spectra.rotor_lines import RotorLine
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
_NO_LESS = 1e-5
"""Nobody knows smaller chances from some dozens of trials."""
_RANGE_DB = 100.0
_USEFUL_HZ = 25.0
"""Below it lies little but the flight itself: what shakes an aircraft is beyond."""
_COUNTED = "1× is the fastest rotor that explains all of them; it may be a multiple itself."
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
    powers = [one for one in result.spectra if isinstance(one.found, PowerSpectrum)]
    told = [f"Of {result.stretch}.", *_rotor_words(powers, result.drive)]
    bases: dict[str, SpectrumBasis] = {}
    for one in result.spectra:
        if not isinstance(one.found, Inconclusive):
            bases.setdefault(one.found.basis.text, one.found.basis)
    told += [f"{text}." for text in bases]
    for one, label in zip(powers, _labels(powers), strict=True):
        if isinstance(one.found, PowerSpectrum):
            error = f" (± {one.found.basis.error_db:.1f} dB)" if one.found.peaks else ""
            peaks = ", ".join(_peak_words(peak, one) for peak in one.found.peaks)
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


def _peak_words(peak: SpectralPeak, one: FieldSpectrum) -> str:
    frequency, amplitude = significant(peak.frequency_hz, 3), significant(peak.amplitude, 2)
    sine = f"{frequency} Hz at {peak.level_db:.0f} dB, as a sine of ± {amplitude} {one.unit}"
    line = _line_of(peak, one)
    return sine.rstrip() + (f" ({_line_words(line)})" if line is not None else "")


def _line_of(peak: SpectralPeak, one: FieldSpectrum) -> RotorLine | None:
    """The peak as a line of the rotors, None where it does not follow them."""
    lines = one.rotor.lines
    return next((line for line in lines if line.frequency_hz == peak.frequency_hz), None)


def _line_words(line: RotorLine) -> str:
    """Which line of the rotors it is, and whether it is folded down from where it really is."""
    number = f" {line.harmonic}×" if line.harmonic is not None else ""
    if line.is_aliased is None:
        return f"rotor{number}, perhaps aliased"
    if not line.is_aliased:
        return f"rotor{number}"
    true = f" from {significant(line.true_hz, 3)} Hz" if line.true_hz is not None else ""
    return f"rotor{number}, aliased{true}"


def _rotor_words(powers: list[FieldSpectrum], drive: str) -> tuple[str, ...]:
    """How sure it is what follows the rotors, or why nobody knows."""
    lines = [line for one in powers for line in one.rotor.lines]
    if lines:
        chance = significant(100.0 * max(_NO_LESS, *(line.chance for line in lines)), 1)
        counted = f" {_COUNTED}" if any(line.harmonic is not None for line in lines) else ""
        return (f"Rotor: moves as {drive} does, by chance in {chance} % at most.{counted}",)
    reason = next((one.rotor.reason for one in powers if one.rotor.reason), "")
    if reason:
        return (f"Not tied to the rotors: {reason}",)
    has_peaks = any(isinstance(one.found, PowerSpectrum) and one.found.peaks for one in powers)
    return (f"No peak moves as {drive} does.",) if has_peaks else ()


def _labels(spectra: list[FieldSpectrum]) -> list[str]:
    title, labels = short_labels([one.path for one in spectra])
    return [f"{title} {labels[0]}".strip()] if len(labels) == 1 else labels


def _label_of(peak: SpectralPeak, one: FieldSpectrum) -> str:
    line, frequency = _line_of(peak, one), f"{significant(peak.frequency_hz, 3)} Hz"
    return frequency if line is None else f"{frequency}, {_line_words(line)}"


def _lines(powers: list[FieldSpectrum], *, is_log: bool) -> SpectrumPicture:
    lines, usable_hz, lowest, highest = [], np.inf, np.inf, 0.0
    for index, (one, label) in enumerate(zip(powers, _labels(powers), strict=True)):
        found = one.found
        if not isinstance(found, PowerSpectrum):
            continue
        named = found.peaks[:_NAMED_PEAKS]
        peaks = tuple(PeakLabel(p.frequency_hz, p.level_db, _label_of(p, one)) for p in named)
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
