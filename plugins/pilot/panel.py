"""Pilot panel of the vehicle shown: lets the pilot take its controls and use them."""

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from plugins.api import Json, PanelContext
from plugins.pilot.attention import Attention, is_in_sight
from plugins.pilot.devices.profile import Control
from plugins.pilot.guide import CRASHED, THROTTLE_DOWN, Situation, advice, can_stop, why_deaf
from plugins.pilot.guided_flight import guided_of
from plugins.pilot.held_keys import HeldKeys
from plugins.pilot.presses import press
from plugins.pilot.release import LOST_FOCUS, OUT_OF_SIGHT, RELEASED
from plugins.pilot.screen_sticks import USUAL_MODE
from plugins.pilot.seat import Seat, seat_of
from plugins.pilot.station_offer import StationOffer
from plugins.pilot.stop_key import StopKey
from plugins.pilot.view import ControlsView
from telemetry.base.clock import monotonic_s
from telemetry.configuration.arming.by_sticks import AUTO_TAKEOFF, NO_AUTO_TAKEOFF
from telemetry.protocol.links.link import Restartable, restartable
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.vehicle.vehicle import Vehicle

_UNSEEN_MS = 100
KEYBOARD_FLIES = "Keyboard flies, Esc releases."
STOPPING = "Emergency stop: it is sent again and again until the aircraft says that it is disarmed."


class ControlsPanel(QWidget):
    """Arms and flies the vehicle shown. It sends nothing before the pilot presses something.

    It keeps the seat of every aircraft it has shown, so that choosing another one leaves the
    first flying.
    """

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._seats: dict[Vehicle, Seat] = {}
        self._seat: Seat | None = None
        self._wants_keys = False
        self._keys = HeldKeys(self._press, self._let_go_keys, self)
        self._t = 0.0
        self._view = ControlsView()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._view)
        self._station = StationOffer(self._tell)
        layout.addWidget(self._station)
        self._connect_view()
        self._stop_key = StopKey(self._disarm, self)
        self._attention = Attention(self._beat, self._follow_focus, self)
        self._unseen = QTimer(self)
        self._unseen.timeout.connect(self._poll_unseen)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        context.on_close(self._leave_all)

    def refresh(self, t: float) -> None:
        """Follow the vehicle: buttons, sticks and the sentence that says what is going on."""
        if self.window().isMinimized():
            return  # as behind another tab: nobody looks
        self._t = t
        self._keep_seats()
        self._station.show_vehicle(self._context.vehicle)
        looks = {seat: self._follow(seat, t) for seat in self._seats.values()}
        for vehicle, seat in self._seats.items():
            guided_of(vehicle).poll(looks[seat][1], looks[seat][0])
        if self._seat is None:
            self._view.show_unavailable()
            self._view.say("No aircraft. Connect to one, or to the simulator.")
            return
        flight, situation = looks[self._seat]
        if self._wreck() is not None:
            situation = replace(situation, refusal=CRASHED)
        self._view.show_situation(situation)
        springs = self._seat.request.throttle == "spring"
        self._view.show_sticks(self._seat.state.sticks, springs)
        self._view.say(self._sentence(self._seat, situation, flight))
        self._view.offer_to_stage(self._offer(situation))
        self._stop_key.watch(can_stop(situation))
        flies = self._seat.is_by_hand and flight.is_armed and not self._seat.state.stopped
        self._view.show_let_go(is_offered=flies)
        self._follow_keys()

    def save_state(self) -> Json:
        """The chosen input."""
        mode = self._view.thumbs.mode
        return {"source": self._view.source} | ({} if mode == USUAL_MODE else {"mode": mode})

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        self._view.choose_source(state.get("source"))
        if self._view.source == "screen":
            self._view.choose_mode(state.get("mode"))

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody sees any more that the keyboard flies."""
        super().hideEvent(event)
        self._release_keys()
        self._let_go(OUT_OF_SIGHT)

    def _connect_view(self) -> None:
        view = self._view
        view.take_off_held.connect(self._take_off)
        view.arm_held.connect(self._arm)
        view.disarm_pressed.connect(self._disarm)
        view.action_pressed.connect(self._act)
        view.anew_pressed.connect(self._start_anew)
        view.stage_pressed.connect(self._stage_auto_takeoff)
        view.source_chosen.connect(self._take_source)
        view.let_go_pressed.connect(self._release_shown)
        view.thumbs.on_moved = self._drag

    def _keep_seats(self) -> None:
        """Join the seat of the vehicle shown; stand up from those that are gone."""
        for gone in [v for v in self._seats if v not in self._context.fleet.vehicles]:
            self._seats.pop(gone).leave()
        vehicle = self._context.vehicle
        if vehicle is not None and vehicle not in self._seats:
            seat = self._seats[vehicle] = seat_of(vehicle)
            seat.join()
            if not seat.request.transmitting:
                seat.take_source(self._view.source)
        for flown, seat in self._seats.items():
            seat.hear_devices(hears=flown is self._context.fleet.active)
        is_flown = any(seat.is_taken for seat in self._seats.values())
        self._attention.fly(is_flown)
        if is_flown and not self._unseen.isActive():
            self._unseen.start(_UNSEEN_MS)
        self._seat = self._seats.get(vehicle) if vehicle is not None else None
        if self._seat is not None:
            self._view.choose_source(self._seat.source)

    def _tell(self, text: str) -> None:
        self._context.show_message(text)

    def _leave_all(self) -> None:
        self._stop_key.watch(False)
        self._attention.end()
        self._unseen.stop()
        self._seat = None
        self._release_keys()
        while self._seats:
            self._seats.popitem()[1].leave()

    def _follow(self, seat: Seat, t: float) -> tuple[FlightState, Situation]:
        """Go on with what the seat does; return what is so after that."""
        look = seat.look(t)
        seat.devices.follow(is_flying=look[1].armed == "Armed")
        self._take_presses(seat, in_sight=True)
        told = seat.follow(*look)
        if told:
            self._context.show_message(told)
        is_under_way = look[1].stage is not None
        return seat.look(t) if is_under_way else look

    def _poll_unseen(self) -> None:
        """With no controls in sight the buttons of a device that flies act all the same, those of
        the active aircraft's, and what they have asked for goes on."""
        if not any(seat.is_taken for seat in self._seats.values()):
            self._unseen.stop()
            return
        vehicle = self._context.vehicle
        seat = self._seats.get(vehicle) if vehicle is not None else None
        if vehicle is None or seat is None or is_in_sight(self) or seat.is_watched:
            return
        self._seat = seat
        self._have_devices_heard()
        self._take_presses(seat, in_sight=False)
        flight, situation = seat.look(vehicle.end_s)
        told = guided_of(vehicle).poll(situation, flight)
        if told:
            self._context.show_message(told)

    def _have_devices_heard(self) -> None:
        for flown, seat in self._seats.items():
            seat.hear_devices(hears=flown is self._context.fleet.active)

    def _take_presses(self, seat: Seat, *, in_sight: bool) -> None:
        """Do what the buttons of its devices ask for."""
        for command in seat.devices.inputs.presses(monotonic_s()):
            if seat is not self._seat:
                continue  # the button is for the aircraft shown
            now = self._situation(seat)
            told = press(command, self._context, seat, now, in_sight=in_sight)
            if told:
                self._context.show_message(told)

    def _situation(self, seat: Seat) -> Situation:
        """What the aircraft allows at this very instant, for what is pressed."""
        vehicle = self._context.vehicle
        if vehicle is not None and vehicle.is_live:
            return seat.look(vehicle.end_s)[1]
        return seat.look(self._t)[1]

    def _take_off(self) -> None:
        if self._seat is not None:
            self._seat.take_off(self._situation(self._seat))

    def _arm(self) -> None:
        if self._seat is not None:
            self._seat.arm(self._situation(self._seat))

    def _disarm(self) -> None:
        if self._seat is not None:
            self._seat.disarm(self._situation(self._seat))

    def _act(self, action: str) -> None:
        vehicle = self._context.vehicle
        if self._seat is not None and vehicle is not None and action == "Hold":
            situation = self._situation(self._seat)
            guided_of(vehicle).hold(situation, read_flight_state(vehicle.recording, vehicle.end_s))
        elif self._seat is not None:
            self._seat.act(action, self._situation(self._seat))
        if action == "Fly by hand":
            self._hold_keys()

    def _take_source(self) -> None:
        seat = self._seat
        if seat is None or seat.source == self._view.source:
            return
        situation = self._situation(seat)
        would_fall = situation.is_flying and not situation.is_fixed_wing and seat.is_by_hand
        if self._view.source == "gamepad" and would_fall and seat.is_device_throttle_down:
            self._tell(THROTTLE_DOWN)
            self._view.choose_source(seat.source)
            return
        seat.take_source(self._view.source)
        self._hold_keys()

    def _wreck(self) -> Restartable | None:
        """The link to the simulated aircraft shown, if that has crashed."""
        vehicle = self._context.vehicle
        link = restartable(vehicle.link) if vehicle is not None else None
        return link if link is not None and link.has_crashed() else None

    def _start_anew(self) -> None:
        wreck = self._wreck()
        if wreck is not None:
            wreck.start_anew()

    def _offer(self, situation: Situation) -> str:
        """What can be staged so that it can take off by itself; empty if nothing."""
        found, settings = situation.not_taken_off_by, self._context.configuration
        if found is None or found.code != NO_AUTO_TAKEOFF or why_deaf(situation):
            return ""
        place = self._seat.place_for_auto_takeoff() if self._seat is not None else None
        if place is None or settings is None or settings.is_staged(place.object, place.path):
            return ""
        return f"Stage AutoTakeoff for {place.title.lower()}"

    def _stage_auto_takeoff(self) -> None:
        settings = self._context.configuration
        place = self._seat.place_for_auto_takeoff() if self._seat is not None else None
        if settings is None or place is None:
            return
        with settings.staging_from("Controls"):
            settings.stage(place.object, place.path, AUTO_TAKEOFF)
        self._context.show_message(
            f"Staged: {place.title} selects AutoTakeoff. Apply it in Configure."
        )

    def _drag(self, moved: Mapping[Control, float]) -> None:
        if self._seat is not None:
            self._seat.drag(moved)

    def _press(self, keys: frozenset[str]) -> None:
        if self._seat is not None:
            self._seat.press(keys)

    def _hold_keys(self) -> None:
        """Begin to fly by keyboard, if that is the input chosen."""
        self._wants_keys = self._view.source == "keyboard"
        self._follow_keys()

    def _release_keys(self) -> None:
        """Give the keys back to the window; the sticks spring to the middle."""
        self._wants_keys = False
        self._follow_keys()

    def _let_go_keys(self) -> None:
        """Esc: nobody flies any more."""
        self._release_keys()
        self._let_go(RELEASED)

    def _let_go(self, why: str) -> None:
        """End flying by what needs this window; a device's sticks go on."""
        for seat in self._seats.values():
            if seat.needs_focus:
                seat.release(why)

    def _release_shown(self) -> None:
        """Whatever flies it: the aircraft is left to its failsafe."""
        self._release_keys()
        if self._seat is not None:
            self._seat.release(RELEASED)

    def _beat(self) -> None:
        for seat in self._seats.values():
            seat.beat()

    def _follow_focus(self, is_away: bool) -> None:
        """What needs the focus ends without it; a device flies on, which is said."""
        for seat in self._seats.values():
            seat.is_unfocused = is_away
        if is_away:
            self._release_keys()
            self._let_go(LOST_FOCUS)

    def _follow_keys(self) -> None:
        """Hold the keys as long as the keyboard flies the aircraft shown, or takes over from a
        behaviour."""
        seat = self._seat
        is_by_keys = seat is not None and seat.is_by_hand and seat.source == "keyboard"
        takes_over = seat is not None and seat.is_behaving
        self._wants_keys = (self._wants_keys or takes_over) and is_by_keys
        self._keys.watch(self._wants_keys)
        self._view.show_keyboard(KEYBOARD_FLIES if self._wants_keys and not takes_over else "")

    def _sentence(self, seat: Seat, situation: Situation, flight: FlightState) -> str:
        if situation.armed == "Armed" and seat.is_stopping:
            return STOPPING
        refusal = why_deaf(situation)
        if refusal:
            return refusal
        if seat.state.stopped:
            return seat.stopped(flight)
        if seat.progress:
            return seat.progress
        flies_by_pad = seat.request.source == "gamepad" and seat.state.device
        if situation.is_flying and flies_by_pad:
            return f"{flight.flight_mode}. Input: {seat.state.device}."
        return advice(situation, flight.flight_mode or "")
