"""The pilot's panel: guided actions above, sticks below."""

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from plugins.api import Json, PanelContext
from plugins.pilot import guide
from plugins.pilot.guide import ACTIONS, Situation
from plugins.pilot.stop_key import StopKey
from plugins.pilot.switches import Switches, read_switches
from plugins.pilot.transmitter import PilotRequest, Source, Transmitter
from telemetry.flight_state import FlightState, read_flight_state
from telemetry.recording.recording import Recording
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Vehicle
from widgets.hold_button import HoldButton
from widgets.stick_view import StickView
from widgets.theme import Theme

FLYING_THRUST = 0.15
ARM_WORDS = ("Hold to arm", "Arm")
STOP_WORDS = ("Emergency stop (hold)", "Stop (hold)")
_SHORT_ACTIONS = {"Fly by hand": "By hand"}
_MARGINS_PX = 40
_BUTTON_PADDING_PX = 10
_STICKS_FROM_LINES = 11
"""A panel that is less than so many lines of text high shows no sticks."""
ARMING_PATIENCE_S = 4.0
SOURCES: tuple[tuple[Source, str], ...] = (
    ("screen", "On-screen sticks"),
    ("keyboard", "Keyboard"),
    ("gamepad", "Game controller"),
)
_KEY_NAMES = {
    Qt.Key.Key_Left: "Left",
    Qt.Key.Key_Right: "Right",
    Qt.Key.Key_Up: "Up",
    Qt.Key.Key_Down: "Down",
    Qt.Key.Key_A: "A",
    Qt.Key.Key_D: "D",
    Qt.Key.Key_W: "W",
    Qt.Key.Key_S: "S",
}


class ControlsPanel(QWidget):
    """Arms and flies the vehicle shown. It sends nothing before the pilot presses something."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._vehicle: Vehicle | None = None
        self._transmitter: Transmitter | None = None
        self._armed_before: str | None = None
        self._asked_to_arm_at: float | None = None
        self._build()
        self._stop_key = StopKey(self._on_disarm, self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        context.on_close(self._release)
        self.apply_theme(context.theme)

    def refresh(self, t: float) -> None:
        """Follow the vehicle: buttons, sticks and the sentence that says what is going on."""
        self._follow_vehicle()
        vehicle = self._vehicle
        if vehicle is None or self._transmitter is None:
            self._show_unavailable("No aircraft. Connect to one, or to the simulator.")
            return
        self._transmitter.beat()
        now = _present(vehicle, t)
        flight = read_flight_state(vehicle.recording, now)
        situation = _situation(vehicle, flight, now)
        self._let_go_after_landing(flight, situation.switches)
        self._show_buttons(situation)
        self._show_sticks()
        self._note.setText(self._sentence(situation, flight))

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        for child in (self._arm, self._stop, self._left, self._right):
            child.apply_theme(theme)
        self._fit()

    def save_state(self) -> Json:
        """The chosen input."""
        return {"source": self._source()}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        index = self._sources.findData(state.get("source"))
        if index >= 0:
            self._sources.setCurrentIndex(index)

    def event(self, event: QEvent) -> bool:
        """Claim the flying keys before the window's shortcuts see them."""
        asked = event.type() == QEvent.Type.ShortcutOverride
        if asked and isinstance(event, QKeyEvent) and self._flying_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._take_key(event, is_down=True):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not self._take_key(event, is_down=False):
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._transmitter:
            self._transmitter.pressed = frozenset()

    def _build(self) -> None:
        self._arm = HoldButton(ARM_WORDS[0], "caution")
        self._arm.held.connect(self._on_arm)
        self._disarm = QPushButton("Disarm")
        self._disarm.setMinimumHeight(40)
        self._disarm.clicked.connect(self._on_disarm)
        self._stop = HoldButton(STOP_WORDS[0], "danger")
        self._stop.held.connect(self._on_disarm)
        self._stop.setToolTip("Motors off at once. Also Ctrl+Shift+Backspace, held for 0.7 s.")
        self._actions = {name: self._action_button(name) for name in ACTIONS}
        self._sources = QComboBox()
        self._sources.setAccessibleName("Input for flying by hand")
        for source, title in SOURCES:
            self._sources.addItem(title, source)
        self._sources.currentIndexChanged.connect(self._on_source)
        self._note = QLabel()
        self._note.setWordWrap(True)
        self._note.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._note.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self._left = StickView("Yaw", "Throttle", keeps_y=True)
        self._right = StickView("Roll", "Pitch")
        self._left.moved.connect(self._on_left)
        self._right.moved.connect(self._on_right)
        self._lay_out()

    def _lay_out(self) -> None:
        buttons = QGridLayout()
        buttons.setSpacing(6)
        for column, button in enumerate((self._arm, *self._actions.values())):
            buttons.addWidget(button, 0, column)
            buttons.setColumnStretch(column, 1)
        buttons.addWidget(self._disarm, 0, 0)
        self._disarm.hide()
        for button in (self._arm, self._disarm, *self._actions.values()):
            button.setProperty("dense", True)
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        middle = QVBoxLayout()
        middle.setSpacing(6)
        middle.addWidget(self._sources)
        middle.addWidget(self._note, 1)
        middle.addWidget(self._stop)
        sticks = QHBoxLayout()
        sticks.setSpacing(8)
        sticks.addWidget(self._left)
        sticks.addLayout(middle, 1)
        sticks.addWidget(self._right)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(8, 8, 8, 8)
        whole.addLayout(buttons)
        whole.addLayout(sticks, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Say less where there is little width, and leave the sticks out of a low panel."""
        row: dict[QPushButton, tuple[str, str]] = {self._arm: ARM_WORDS}
        row |= {self._actions[name]: (name, _SHORT_ACTIONS.get(name, name)) for name in ACTIONS}
        room_px = (self.width() - _MARGINS_PX) / len(row) - _BUTTON_PADDING_PX
        text_px = self.fontMetrics().horizontalAdvance
        is_wide = all(text_px(long) <= room_px for long, _ in row.values())
        for button, (long, short) in {**row, self._stop: STOP_WORDS}.items():
            button.setText(long if is_wide else short)
        is_low = self.height() < _STICKS_FROM_LINES * self.fontMetrics().height()
        for view in (self._left, self._right):
            view.setVisible(not is_low)

    def _action_button(self, name: str) -> QPushButton:
        button = QPushButton(name)
        button.setMinimumHeight(40)
        button.clicked.connect(lambda: self._on_action(name))
        return button

    def _follow_vehicle(self) -> None:
        vehicle = self._context.vehicle
        if vehicle is self._vehicle:
            return
        self._release()
        self._vehicle = vehicle
        if vehicle is not None:
            self._transmitter = Transmitter(vehicle.commands.set_sticks)
            self._transmitter.request = PilotRequest(source=self._source())
            self._transmitter.start()

    def _release(self) -> None:
        """Give the vehicle back; the stream ends with the transmitter."""
        if self._transmitter:
            self._transmitter.stop()
        self._stop_key.watch(False)
        self._transmitter, self._vehicle = None, None
        self._armed_before = self._asked_to_arm_at = None

    def _situation_now(self) -> Situation | None:
        if self._vehicle is None:
            return None
        now = _present(self._vehicle, self._vehicle.timeline.t)
        flight = read_flight_state(self._vehicle.recording, now)
        return _situation(self._vehicle, flight, now)

    def _on_arm(self) -> None:
        situation = self._situation_now()
        if situation is None or self._transmitter is None or self._vehicle is None:
            return
        if guide.why_not_arm(situation) is None:
            request = guide.arm(self._transmitter.request, situation.switches)
            self._transmitter.request = request
            self._asked_to_arm_at = self._vehicle.end_s

    def _on_disarm(self) -> None:
        situation = self._situation_now()
        if situation and self._transmitter:
            request = guide.disarm(self._transmitter.request, situation.switches)
            self._transmitter.request = request

    def _on_action(self, name: str) -> None:
        situation = self._situation_now()
        if situation is None or self._transmitter is None or self._vehicle is None:
            return
        if guide.why_not(name, situation) is not None:
            return
        if name == "Fly by hand":
            # The thrust the autopilot uses now, so that taking over does not jump.
            recording = self._vehicle.recording
            self._transmitter.set_throttle(_thrust(recording, recording.last_s))
            self.setFocus()
        request = guide.choose(self._transmitter.request, name, situation.switches)
        self._transmitter.request = request

    def _on_source(self) -> None:
        if self._transmitter:
            request = replace(self._transmitter.request, source=self._source())
            self._transmitter.request = request
        self.setFocus()

    def _on_left(self, x: float, y: float) -> None:
        if self._transmitter:
            dragged = self._transmitter.dragged
            self._transmitter.dragged = replace(dragged, yaw=x, throttle=(y + 1.0) / 2.0)

    def _on_right(self, x: float, y: float) -> None:
        if self._transmitter:
            self._transmitter.dragged = replace(self._transmitter.dragged, roll=x, pitch=-y)

    def _source(self) -> Source:
        source: Source = self._sources.currentData()
        return source

    def _flying_key(self, event: QKeyEvent) -> str:
        """The name of a key that moves the sticks now, else an empty text."""
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if self._source() != "keyboard" or plain:
            return ""
        return _KEY_NAMES.get(Qt.Key(event.key()), "")

    def _take_key(self, event: QKeyEvent, is_down: bool) -> bool:
        name = self._flying_key(event)
        if not name or self._transmitter is None:
            return False
        if not event.isAutoRepeat():
            pressed = self._transmitter.pressed
            self._transmitter.pressed = pressed | {name} if is_down else pressed - {name}
        return True

    def _let_go_after_landing(self, flight: FlightState, switches: Switches) -> None:
        """Turn the arming switch off once the aircraft has disarmed itself or did not arm."""
        transmitter = self._transmitter
        if transmitter is None or flight.armed is None:
            return
        landed = self._armed_before == "Armed" and flight.armed == "Disarmed"
        refused = (
            self._asked_to_arm_at is not None
            and flight.armed == "Disarmed"
            and flight.t - self._asked_to_arm_at > ARMING_PATIENCE_S
        )
        if flight.armed == "Armed" or refused:
            self._asked_to_arm_at = None
        if landed or (refused and transmitter.request.arm):
            transmitter.request = guide.disarm(transmitter.request, switches)
            if refused:
                self._context.show_message(
                    "Not armed: the aircraft refused. The alarms in the strip above say why."
                )
        self._armed_before = flight.armed

    def _show_unavailable(self, why: str) -> None:
        for button in (self._arm, self._stop, *self._actions.values()):
            button.setEnabled(False)
        self._note.setText(why)

    def _show_buttons(self, situation: Situation) -> None:
        is_armed = situation.armed == "Armed"
        self._arm.setVisible(not is_armed)
        self._disarm.setVisible(is_armed)
        refusal = guide.why_not_arm(situation)
        self._arm.setEnabled(refusal is None)
        self._arm.setToolTip(refusal or "Hold for 0.7 s. The motors may turn after that.")
        self._disarm.setEnabled(not situation.is_flying)
        self._disarm.setToolTip(
            "Land first, or hold Emergency stop." if situation.is_flying else "Motors off."
        )
        self._stop.setEnabled(is_armed)
        self._stop_key.watch(is_armed and situation.refusal is None)
        for name, button in self._actions.items():
            refusal = guide.why_not(name, situation)
            button.setEnabled(refusal is None)
            button.setToolTip(refusal or "")

    def _show_sticks(self) -> None:
        if self._transmitter is None:
            return
        sticks: Sticks = self._transmitter.state.sticks
        self._left.show_position(sticks.yaw, 2.0 * sticks.throttle - 1.0)
        self._right.show_position(sticks.roll, -sticks.pitch)
        for view in (self._left, self._right):
            view.setEnabled(self._source() == "screen")

    def _sentence(self, situation: Situation, flight: FlightState) -> str:
        state = self._transmitter.state if self._transmitter else None
        refusal = situation.refusal or situation.switches.refusal
        if refusal:
            return refusal
        if state and state.stopped:
            return state.stopped
        if situation.armed != "Armed":
            asked = self._asked_to_arm_at is not None
            return "Arming." if asked else "Hold the arm button to let the motors turn."
        if not situation.is_flying:
            return "Armed. Take off, or fly by hand."
        if self._source() == "gamepad" and state and state.gamepad:
            return f"{flight.flight_mode}. Input: {state.gamepad}."
        return f"{flight.flight_mode}. Land when done."


def _present(vehicle: Vehicle, t: float) -> float:
    """The instant the buttons go by: what the aircraft does now, wherever the cursor stands."""
    return vehicle.end_s if vehicle.is_live else t


def _situation(vehicle: Vehicle, flight: FlightState, t: float) -> Situation:
    return Situation(
        refusal=vehicle.commands.refusal(),
        switches=read_switches(vehicle.recording, t),
        armed=flight.armed,
        is_flying=flight.is_armed and _thrust(vehicle.recording, t) > FLYING_THRUST,
    )


def _thrust(recording: Recording, t: float) -> float:
    """The thrust the autopilot uses, 0 to 1."""
    actuator = recording.latest("ActuatorDesired", t)
    if actuator is None:
        return 0.0
    name = "Thrust" if actuator.definition.has_field("Thrust") else "Throttle"
    return max(0.0, min(1.0, float(actuator.raw(name))))
