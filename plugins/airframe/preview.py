"""Mixer preview by virtual sticks. Nothing here reaches an aircraft."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from plugins.airframe.channel_names import channel_title
from plugins.airframe.output_bars import OutputBar, OutputBars
from telemetry.configuration.airframe.airframe import HELICOPTER, MOTOR, REVERSABLE_MOTOR
from telemetry.configuration.airframe.mixer_preview import StickInputs, outputs, pulses
from telemetry.configuration.settings.airframe_draft import AirframeDraft
from widgets.change_detector import ChangeDetector
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row
from widgets.stick_view import StickView
from widgets.value_slider import ValueSlider

_FIRST_THROTTLE = 0.5
"""Where the throttle stands at first, so that the motors turn and show which way."""


class Preview(QWidget):
    """Two stick pads, a slider for collective, and a bar for each output.

    `values` are what the outputs would be given, by number, -1 to 1.
    """

    def __init__(self, draft: AirframeDraft) -> None:
        super().__init__()
        self._draft = draft
        self._seen = ChangeDetector()
        self.values: dict[int, float] = {}
        self.left = StickView("yaw", "throttle", keeps_y=True, takes_keys=True)
        self.right = StickView("roll", "pitch", takes_keys=True)
        self.collective = ValueSlider("Collective", "%", (-100.0, 100.0), 1.0, 0.0)
        self.bars = OutputBars()
        self.centre = make_button("Centre sticks", self._rest)
        for pad in (self.left, self.right):
            pad.setMinimumSize(110, 130)
            pad.setToolTip("Drag, or use the arrow keys; Home lets go. Nothing is sent.")
        self._note = make_label(
            "Try it out: what sticks would do. Nothing is sent.", tone="muted", wraps=True
        )
        self._lay_out()
        self._rest()

    @property
    def sticks(self) -> StickInputs:
        """Where the sticks stand. Without reversible motors throttle has no negative side."""
        (yaw, height), (roll, pitch) = self.left.position, self.right.position
        throttle = height if self._is_reversable else (height + 1.0) / 2.0
        # A stick pulled back lifts the nose, and pitch is positive nose up.
        return StickInputs(throttle, self.collective.value / 100.0, roll, -pitch, yaw)

    def refresh(self) -> None:
        """Work out what the outputs would be given, if sticks or mixer have changed."""
        draft = self._draft
        self.collective.setVisible(self._has_collective)
        if not self._seen.has_changed(
            self.sticks, draft.mixer, draft.curves, draft.ends, draft.setup, draft.frame_name
        ):
            return
        mixer = draft.mixer
        found = outputs(mixer, draft.curves, self.sticks, draft.frame.family)
        ends = draft.ends
        pulse_us = pulses(mixer, found, ends, self.sticks.throttle != 0.0) if ends else None
        self.values = {c.output: float(found[c.output - 1]) for c in mixer.channels}
        self.bars.show_bars(
            [
                OutputBar(
                    channel.output,
                    channel_title(draft.channel_on(channel.output)) or channel.type,
                    float(found[channel.output - 1]),
                    channel.type != MOTOR,
                    None if pulse_us is None else float(pulse_us[channel.output - 1]),
                )
                for channel in mixer.channels
            ]
        )

    @property
    def _is_reversable(self) -> bool:
        return any(channel.type == REVERSABLE_MOTOR for channel in self._draft.mixer.channels)

    @property
    def _has_collective(self) -> bool:
        draft = self._draft
        return draft.frame.family == HELICOPTER or draft.curves.curve2_source == "Collective"

    def _lay_out(self) -> None:
        side = make_column(STRETCH, self.collective)
        side.addWidget(self.centre, 0, Qt.AlignmentFlag.AlignLeft)
        side.addStretch(1)
        pads = make_row(self.left, self.right, (side, 1))
        self.setLayout(make_column(self._note, (pads, 1), self.bars, spacing=4))

    def _rest(self) -> None:
        self.left.show_position(0.0, 2.0 * _FIRST_THROTTLE - 1.0)
        self.right.show_position(0.0, 0.0)
        self.collective.show_value(0.0)
