"""Spectra and step responses: why an aircraft oscillates, and how it answers."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin(
    id="spectrum",
    title="Spectrum",
    description="Spectra of any field over frequency, time and throttle; step responses.",
    panels=(
        Panel(
            id="spectrum",
            title="Spectrum",
            widget="plugins.spectrum.panel:SpectrumPanel",
            least_size=(470, 190),
            wants_half=True,
            rate_hz=10,
            help=(
                "Press Field, or drag fields from the object browser; what begins with = is "
                "computed: =norm(AccelState.x, AccelState.y, AccelState.z). It shows the stretch "
                "between the in and out points of the time line, else the time in the air. The "
                "wheel zooms frequencies, drag moves them, a double click shows all. Power has a "
                "line for each field chosen; the maps show the first of them. A click in a "
                "spectrogram moves the cursor. A dashed line marks what the samples can show at "
                "most: a swing beyond it appears slower than it is. Rotor 2× shakes twice a "
                "turn: it moves as throttle times battery voltage does; aliased appears slower."
            ),
        ),
        Panel(
            id="step_response",
            title="Step response",
            widget="plugins.spectrum.step_panel:StepResponsePanel",
            least_size=(340, 160),
            rate_hz=4,
            least_hz=2,
            help=(
                "How each axis would answer a sudden step, from how it answered the sticks of the "
                "whole flight, or of the stretch between the in and out points. It counts only "
                "where the stick asked the loop directly: sticks in rate mode for the rate loop, "
                "in attitude mode for the attitude loop. The band is the standard error; a dashed "
                "line is not to be relied on. Compare with another log of the flight to see what "
                "other gains changed. Where readings were too seldom it offers to stage the rates "
                "for tuning, of telemetry and of the board's own log."
            ),
        ),
    ),
)
