"""Arming view: a drawn tile per method, and how long the control is held."""

from PySide6.QtWidgets import QComboBox, QVBoxLayout

from plugins.flight_modes.grid import caption, hide_absent, percent_editor, seconds_editor
from telemetry.configuration.flight_modes.arming_gestures import Gesture, gesture_of
from telemetry.configuration.receiver.transmitter_layout import STICK_MODES
from telemetry.configuration.settings.configuration import Configuration
from widgets.change_detector import ChangeDetector
from widgets.collapsible import FOLD_MARGINS
from widgets.gesture_tile import GestureTile
from widgets.labels import set_text
from widgets.parts import STRETCH, clear_layout, make_grid, make_label, make_row
from widgets.settings.form import ObjectForm
from widgets.theme import Theme, ThemedWidget

_FIELD = "Arming"
_TIMES = {
    "ArmingSequenceTime": "Hold to arm",
    "DisarmingSequenceTime": "Hold to disarm",
    "ArmedTimeout": "Disarm by itself after (0: never)",
}
_MORE = ("AlwaysStabilizeWhenArmedSwitch", "DisableSanityChecks")
_THRESHOLD = "AlwaysStabilizeWhenArmedThrottleThreshold"
_TILES_A_ROW = 6
_USUAL_STICK_MODE = 1  # of the list: mode 2


class ArmingView(ThemedWidget):
    """Stages Arming by a press on a tile. `keeper` is the object that has it."""

    def __init__(self, settings: Configuration, keeper: str, theme: Theme) -> None:
        super().__init__()
        self.tiles: dict[str, GestureTile] = {}
        self._settings, self._keeper = settings, keeper
        self._theme: Theme = theme
        self._options = ChangeDetector()
        self.stick_mode = QComboBox()
        for mode, ((across, up), (right_across, right_up)) in STICK_MODES.items():
            sides = f"left {up.lower()}/{across.lower()}"
            sides += f", right {right_up.lower()}/{right_across.lower()}"
            self.stick_mode.addItem(f"Mode {mode}: {sides}", mode)
        self.stick_mode.setCurrentIndex(_USUAL_STICK_MODE)
        self.stick_mode.currentIndexChanged.connect(self._draw_for_mode)
        self.words = make_label(wraps=True)
        self.times = {f: seconds_editor(settings, keeper, f) for f in _TIMES}
        self.more = ObjectForm(settings, keeper, _MORE)
        self.threshold = percent_editor(settings, keeper, _THRESHOLD)
        self._threshold_caption = caption("Always stabilize from a throttle of")
        self._captions = {field: caption(text) for field, text in _TIMES.items()}
        self._grid = make_grid(spacing=4)
        self._lay_out()

    def refresh(self) -> None:
        """Show what is staged and on board."""
        definition = self._settings.definition(self._keeper)
        if definition is not None and definition.has_field(_FIELD):
            self._offer(definition.field_named(_FIELD).options)
        chosen = str(self._settings.value(self._keeper, _FIELD) or "")
        for option, tile in self.tiles.items():
            tile.setChecked(option == chosen)
            tile.setEnabled(not self._settings.aircraft.is_log)
        words = self._say(gesture_of(chosen)) if chosen else "Not received yet."
        set_text(self.words, words)
        for field, editor in self.times.items():
            editor.refresh()
            hide_absent(editor, self._captions[field])
        self.more.refresh()
        self.threshold.refresh()
        hide_absent(self.threshold, self._threshold_caption)

    def _lay_out(self) -> None:
        times = make_grid(spacing=(8, 4), shares={2: 1})
        rows = [(self._captions[field], editor) for field, editor in self.times.items()]
        rows.append((self._threshold_caption, self.threshold))
        for number, (label, editor) in enumerate(rows):
            editor.setFixedWidth(112)
            times.addWidget(label, number, 0)
            times.addWidget(editor, number, 1)
        mode = make_row(caption("Draw the sticks of a transmitter in"), self.stick_mode, STRETCH)
        tiles = make_row(self._grid, STRETCH)
        column = QVBoxLayout(self)
        column.setContentsMargins(*FOLD_MARGINS)
        for part in (mode, tiles):
            column.addLayout(part)
        column.addWidget(self.words)
        column.addLayout(times)
        column.addWidget(self.more)

    def _offer(self, options: tuple[str, ...]) -> None:
        if not self._options.has_changed(options):
            return
        clear_layout(self._grid)
        self.tiles.clear()
        for number, option in enumerate(options):
            tile = self.tiles[option] = GestureTile(option, gesture_of(option))
            tile.apply_theme(self._theme)
            tile.clicked.connect(lambda _checked=False, option=option: self._choose(option))
            self._grid.addWidget(tile, number // _TILES_A_ROW, number % _TILES_A_ROW)
        self._draw_for_mode()

    def _choose(self, option: str) -> None:
        self._settings.stage(self._keeper, _FIELD, option)
        self.refresh()

    def _draw_for_mode(self) -> None:
        for tile in self.tiles.values():
            tile.set_stick_mode(self.stick_mode.currentData())

    def _say(self, gesture: Gesture) -> str:
        if gesture.kind == "never":
            return gesture.arm
        held = self._held_s("ArmingSequenceTime") if gesture.kind != "always" else ""
        released = self._held_s("DisarmingSequenceTime")
        words = f"To arm: {_for(gesture.arm, held)}"
        return f"{words} To disarm: {_for(gesture.disarm, released)}" if gesture.disarm else words

    def _held_s(self, field: str) -> str:
        value = self._settings.value(self._keeper, field)
        return f"{float(value) / 1000:g} s" if value is not None else ""


def _for(words: str, span: str) -> str:
    """A sentence with how long it is held."""
    is_held = span and (
        "hold" in words or "switch" in words or words.startswith(("Hold", "Switch"))
    )
    return f"{words.rstrip('.')}, for {span}." if is_held else words
