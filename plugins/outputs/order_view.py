"""Motor order: finds which output turns which motor: hold, look, click where it turned."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from telemetry.configuration.actuator_test.motor_order import OrderFinder, why_not_find_order
from telemetry.configuration.airframe.mixer import read_mixer
from telemetry.configuration.outputs.current_outputs import fields_of, frame_of
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.slots import values_by_path
from widgets.hold_button import HoldButton
from widgets.motor_map import MotorMap, Spot
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row

_MIXER = "MixerSettings"


class OrderView(QFrame):
    """Out of sight until it is started. What was found is staged, and nothing else touched."""

    begun = Signal(int)
    ended = Signal(str)

    def __init__(self, settings: Configuration) -> None:
        super().__init__()
        self.finder: OrderFinder | None = None
        self._settings = settings
        self.setProperty("card", "plain")
        self.words = make_label(wraps=True)
        self.spin = HoldButton("Hold to spin", hold_s=None)
        self.spin.begun.connect(self._begin)
        self.spin.ended.connect(self.ended)
        self.stage = make_button("Stage this order", self._stage, "primary")
        self.again = make_button("Start over", self.start)
        self.leave = make_button("Close", self.close_view)
        self.map = MotorMap()
        self.map.chosen.connect(self.place)
        side = make_column(self.words, self.spin, self.stage, self.again, self.leave, STRETCH)
        self.setLayout(make_row(self.map, (side, 1), margins=(12, 8, 12, 8)))
        self.hide()

    def start(self) -> None:
        """Ask for one output after the other, or say why that cannot be."""
        definition = self._settings.definition(_MIXER)
        values = self._settings.aircraft.values(_MIXER)
        mixer = read_mixer(fields_of(self._settings, _MIXER, values), definition)
        frame = frame_of(self._settings)
        why = why_not_find_order(mixer, frame)
        self.finder = OrderFinder(mixer, frame) if frame is not None and not why else None
        if frame is not None and self.finder is not None:
            self.map.show_motors(
                [Spot(m.name, *m.place, m.spin, m.layer == "bottom") for m in frame.motors]
            )
        self.map.setVisible(self.finder is not None)
        self._show(why)
        self.show()

    def close_view(self) -> None:
        """Forget what was found and not staged."""
        self.spin.let_go()
        self.finder = None
        self.hide()

    def let_test(self, is_ready: bool) -> None:
        """Whether holding the button does something now."""
        self.spin.setEnabled(is_ready and self.finder is not None and not self.finder.is_complete)

    def place(self, name: str) -> None:
        """The output that was moved turns the motor of that name."""
        if self.finder is not None and not self.finder.is_complete:
            self.spin.let_go()
            self.finder.place(name)
            self._show("")

    def _show(self, why: str) -> None:
        finder = self.finder
        is_complete = finder is not None and finder.is_complete
        self.spin.setVisible(finder is not None and not is_complete)
        self.stage.setVisible(finder is not None and is_complete and not finder.is_in_order)
        self.again.setVisible(finder is not None and bool(finder.found))
        self.words.setText(why or _words(finder))
        if finder is None:
            return
        self.spin.setText(f"Hold to spin output {finder.current}")
        found = {name: (str(output), "ok") for name, output in finder.found.items()}
        self.map.show_labels({name: found.get(name, ("?", "accent")) for name in self.map.buttons})

    def _begin(self) -> None:
        if self.finder is not None:
            self.begun.emit(self.finder.current)

    def _stage(self) -> None:
        definition = self._settings.definition(_MIXER)
        if self.finder is None or definition is None:
            return
        changes = values_by_path(definition, self.finder.changes(definition))
        self._settings.stage_all(_MIXER, changes)
        self.words.setText("The order is staged. End the test and apply it to put it on board.")
        self.stage.hide()


def _words(finder: OrderFinder | None) -> str:
    if finder is None:
        return ""
    if finder.is_in_order:
        return "Every motor is on the output that the mixer has it on. Nothing to change."
    if finder.is_complete:
        order = ", ".join(f"{name} on {output}" for name, output in sorted(finder.found.items()))
        return f"Found: {order}. Staging moves the mixer's weights to these outputs."
    return (
        f"Hold the button: output {finder.current} turns. Then click in the drawing the motor "
        "that turned. The arrow shows which way it should turn; if it turns the other way, swap "
        "two of its three wires."
    )
