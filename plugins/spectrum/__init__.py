"""Spectra and step responses: why an aircraft oscillates, and how it answers."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="spectrum",
    title="Spectrum",
    description="Power spectra, spectrograms and spectra over throttle of any field or expression.",
    panels=(
        Panel(
            id="spectrum",
            title="Spectrum",
            widget="plugins.spectrum.panel:SpectrumPanel",
            rate_hz=10,
            help=(
                "Press Field, or drag fields from the object browser; what begins with = is "
                "computed: =norm(AccelState.x, AccelState.y, AccelState.z). It shows the stretch "
                "between the in and out points of the time line, else the time in the air. The "
                "wheel zooms frequencies, drag moves them, a double click shows all. Power has a "
                "line for each field chosen; the maps show the first of them. A click in a "
                "spectrogram moves the cursor. A dashed line marks what the samples can show at "
                "most: a swing beyond it appears slower than it is."
            ),
        ),
    ),
)
