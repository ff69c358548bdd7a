"""Receiver take-over for flying from here: what would change on the aircraft, and the consent."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from telemetry.configuration.arming.by_sticks import values_of
from telemetry.configuration.arming.checklist import Read
from telemetry.configuration.arming.station_receiver import (
    ReceiverChange,
    StationReceiver,
    failsafe_warnings,
    station_changes,
    station_receiver_of,
)
from telemetry.configuration.flight_modes.failsafe_text import failsafe_text
from telemetry.flying.cached_by_samples import CachedBySamples
from telemetry.vehicle.vehicle import Vehicle
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row

TAKE, TAKE_SHORT = "Fly from this station …", "From here …"
GIVE_BACK = "Give the receiver back"
AGREE = "Change these for now"
NOT_NOW = "Not now"
_WIDTH_PX = 600
TAKEN = "Asked for: the aircraft is to listen to this station until you disconnect."
_GIVEN_BACK = "Asked for: the aircraft is to listen to its radio again."
_ABOUT = (
    "To be flown from here the aircraft has to listen to this station in the place of its radio. "
    "These settings are changed in the board's memory only and given back when you disconnect, "
    "or after a crash at the next connection; after a power cycle it listens to its radio again. "
    "The radio cannot take over meanwhile."
)


class StationOffer(QObject):
    """Two buttons: `take` to have the station's sticks heard in the place of the radio's, and
    `give_back`. `offered` is the one that is of use now, None for none."""

    def __init__(self, tell: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.offered: QPushButton | None = None
        self.take = make_button(TAKE, self._ask)
        self.give_back = make_button(GIVE_BACK, self._give_back)
        self._tell = tell
        self._parent = parent
        self._receiver: StationReceiver | None = None
        self._changes = CachedBySamples(_changes)
        self._question: TakeReceiverDialog | None = None

    def show_vehicle(self, vehicle: Vehicle | None) -> None:
        """Offer what is possible now."""
        receiver = None if vehicle is None else station_receiver_of(vehicle)
        if receiver is not self._receiver:
            self._receiver = receiver
            self._close_question()
        self.offered = None
        if vehicle is None or receiver is None or vehicle.commands.refusal() is not None:
            return
        recording, now = vehicle.recording, vehicle.end_s
        differs = bool(self._changes.read(lambda name: recording.latest(name, now)))
        # A board that has started anew listens to its radio again.
        if receiver.is_taken and not differs:
            self._offer(self.give_back, receiver.why_not_back(), _GIVE_BACK_HELP)
        elif differs:
            self._offer(self.take, receiver.why_not(), _ABOUT)

    def _offer(self, button: QPushButton, refusal: str, help_text: str) -> None:
        self.offered = button
        button.setEnabled(not refusal)
        button.setToolTip(refusal or help_text)

    def _give_back(self) -> None:
        if self._receiver is not None:
            self._tell(self._receiver.give_back() or _GIVEN_BACK)

    def _ask(self) -> None:
        if self._receiver is None:
            return
        self._close_question()
        self._question = TakeReceiverDialog(self._receiver, self._parent)
        self._question.accepted.connect(self._take)
        self._question.open()

    def _take(self) -> None:
        receiver = self._receiver
        if receiver is not None:
            self._tell(receiver.take() or TAKEN)

    def _close_question(self) -> None:
        """What was asked of another aircraft is not agreed to."""
        if self._question is not None:
            self._question.reject()
            self._question = None


class TakeReceiverDialog(QDialog):
    """Asks for consent. Whatever closes it but its button means no."""

    def __init__(self, receiver: StationReceiver, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Fly from this station")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        agree, no = make_button(AGREE, self.accept), make_button(NOT_NOW, self.reject)
        agree.setAutoDefault(False)
        no.setDefault(True)
        texts = (_ABOUT, _lines(receiver.changes()), failsafe_text(receiver.values))
        warnings = (
            make_label(f"{found.text} {found.remedy}", tone="danger", wraps=True)
            for found in failsafe_warnings(receiver.values)
        )
        words = (*(make_label(text, wraps=True) for text in texts), *warnings)
        self._layout = make_column(*words, make_row(STRETCH, no, agree, margins=None), margins=None)
        self.setLayout(self._layout)

    def showEvent(self, event: QShowEvent) -> None:
        """As high as the wrapped words need: none of them may be missed."""
        super().showEvent(event)
        self.resize(_WIDTH_PX, self._layout.totalHeightForWidth(_WIDTH_PX))


_GIVE_BACK_HELP = "Writes what was there before; the aircraft listens to its radio again."


def _changes(read: Read) -> tuple[ReceiverChange, ...]:
    return station_changes(values_of(read))


def _lines(changes: Sequence[ReceiverChange]) -> str:
    """By field, so that 25 values are a few lines."""
    fields: dict[str, list[str]] = {}
    for change in changes:
        field, _, name = change.path.partition(".")
        fields.setdefault(field, []).append(f"{name} from {change.before} to {change.after}")
    return "\n".join(f"{field}: {', '.join(parts)}" for field, parts in fields.items())
