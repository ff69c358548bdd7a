"""Output assignment: which output each motor and servo of the frame is on."""

from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from plugins.airframe.channel_names import channel_title
from telemetry.configuration.airframe.mixer import MixerChannel
from telemetry.configuration.settings.airframe_draft import AirframeDraft
from widgets.change_detector import ChangeDetector
from widgets.choices import make_choice
from widgets.labels import set_text
from widgets.parts import STRETCH, clear_layout, make_column, make_grid, make_label
from widgets.wheel_filter import wheel_needs_focus

_COMBO_PX, _FLAG_PX = 68, 16


class Assignment(QWidget):
    """A combo box for each channel of the frame; an output used twice is said at once."""

    def __init__(self, draft: AirframeDraft) -> None:
        super().__init__()
        self._draft = draft
        self._shape = ChangeDetector()
        self.combos: dict[str, QComboBox] = {}
        self._flags: dict[str, QLabel] = {}
        self._empty = make_label(
            "This frame has no channels of its own: its mixer is the table below.",
            tone="muted",
            wraps=True,
        )
        self._grid = make_grid(spacing=4)
        self.setLayout(make_column(self._empty, self._grid, STRETCH))

    def refresh(self) -> None:
        """Show the assignment as it is now."""
        draft = self._draft
        channels = draft.setup.channels if draft.definition is not None else ()
        if self._shape.has_changed(tuple(channel.name for channel in channels), draft.mixer.size):
            self._build(channels)
        outputs = draft.setup.outputs
        used = list(outputs.values())
        for name, combo in self.combos.items():
            output = outputs.get(name, 0)
            with QSignalBlocker(combo):
                combo.setCurrentIndex(output if output < combo.count() else 0)
            combo.setEnabled(not draft.is_read_only)
            self._flag(name, output, is_twice=output > 0 and used.count(output) > 1)

    def focus_first(self) -> QWidget | None:
        """The first combo box, if there is any."""
        return next(iter(self.combos.values()), None)

    def _build(self, channels: tuple[MixerChannel, ...]) -> None:
        clear_layout(self._grid)
        self.combos.clear()
        self._flags.clear()
        self._empty.setVisible(not channels)
        across = 2 if len(channels) > 3 else 1
        rows = -(-len(channels) // across)
        for number, channel in enumerate(channels):
            column, row = divmod(number, rows)
            self._add(channel, row, 3 * column)
        for column in range(across):
            self._grid.setColumnStretch(3 * column + 2, 1)

    def _add(self, channel: MixerChannel, row: int, column: int) -> None:
        name = channel.name
        outputs = ["–", *map(str, range(1, self._draft.mixer.size + 1))]
        combo = make_choice(f"Output of {name}", outputs)
        combo.setMinimumWidth(_COMBO_PX)
        wheel_needs_focus(combo)
        combo.activated.connect(partial(self._draft.assign, name))
        flag = QLabel()
        flag.setMinimumWidth(_FLAG_PX)
        self.combos[name], self._flags[name] = combo, flag
        self._grid.addWidget(QLabel(channel_title(name)), row, column)
        self._grid.addWidget(combo, row, column + 1)
        self._grid.addWidget(flag, row, column + 2)

    def _flag(self, name: str, output: int, *, is_twice: bool) -> None:
        text = "✖" if is_twice else "" if output else "▲"
        label = self._flags[name]
        if label.text() != text:
            set_text(label, text, "danger" if is_twice else "caution")
            label.setToolTip("This output is used twice." if is_twice else "It has no output.")
