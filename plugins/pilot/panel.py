"""Controls panel: it joins the flight controls of the vehicle shown, for the pilot to use."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from plugins.api import Json, PanelContext
from plugins.pilot.device_button_actions import do_command
from plugins.pilot.devices.device_choice import choice_of
from plugins.pilot.held_keys import HeldKeys
from plugins.pilot.screen_sticks import USUAL_MODE
from plugins.pilot.station_offer import StationOffer
from plugins.pilot.stop_key import StopKey
from plugins.pilot.view import ControlsView
from plugins.pilot.window_attention import WindowAttention, is_shown
from telemetry.base.clock import monotonic_s
from telemetry.base.statement import Statement
from telemetry.configuration.arming.by_sticks import AUTO_TAKEOFF, NO_AUTO_TAKEOFF
from telemetry.flying.actions import CRASHED, THROTTLE_DOWN, advice, can_stop, why_deaf
from telemetry.flying.controls import FlightControls
from telemetry.flying.guided_flight import guided_of
from telemetry.flying.inputs.stick_controls import StickControl
from telemetry.flying.joined_controls import JoinedControls
from telemetry.flying.situation import Situation
from telemetry.flying.transmitter.release import LOST_FOCUS, OUT_OF_SIGHT, RELEASED
from telemetry.protocol.links.link import Restartable, restartable
from telemetry.recording.flight_state import FlightState
from telemetry.vehicle.vehicle import Vehicle
from widgets.parts import make_column

_UNSEEN_MS = 100
KEYBOARD_FLIES = "Keyboard flies, Esc releases."
KEYS_HELD = "The keys are sticks, Esc releases."
STOPPING = "Emergency stop: it is sent again and again until the aircraft says that it is disarmed."
STOP_UNHEARD = "Emergency stop: it is tried again and again, but the link is lost."
STOP_UNSENT = "Emergency stop is asked for, and the aircraft has not said that it is disarmed."
NO_AIRCRAFT = "No aircraft. Connect to one, or to the simulator."


class ControlsPanel(QWidget):
    """Arms and flies the vehicle shown. It sends nothing before the pilot presses something.

    It keeps the controls of every aircraft it has shown, so that choosing another one leaves the
    first flying.
    """

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._joined = JoinedControls()
        self._controls: FlightControls | None = None
        self._wants_keys = False
        self._keys = HeldKeys(self._press, self._let_go_keys, self)
        self._t = 0.0
        self._view = ControlsView()
        self._station = StationOffer(self._tell)
        self.setLayout(make_column(self._view, self._station))
        self._connect_view()
        self._stop_key = StopKey(partial(self._ask, FlightControls.disarm), self)
        self._attention = WindowAttention(self._beat, self._follow_focus, self)
        self._unseen = QTimer(self)
        self._unseen.timeout.connect(self._poll_unseen)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        context.on_close(self._leave_all)

    def refresh(self, t: float) -> None:
        """Follow the vehicle: buttons, sticks and the sentence that says what is going on."""
        if self.window().isMinimized():
            return  # as behind another tab: nobody looks
        self._t = t
        self._keep_joined()
        self._station.show_vehicle(self._context.vehicle)
        seen = {v: self._follow(v, controls, t) for v, controls in self._joined}
        for joined, (flight, situation) in seen.items():
            guided_of(joined).poll(situation, flight)
        vehicle = self._context.vehicle
        if self._controls is None or vehicle is None:
            self._view.show_unavailable()
            self._view.say(Statement(NO_AIRCRAFT))
            return
        flight, situation = seen[vehicle]
        if self._wreck() is not None:
            situation = replace(situation, refusal=CRASHED)
        self._view.show_situation(situation)
        springs = self._controls.request.throttle == "spring"
        self._view.show_sticks(self._controls.state.sticks, springs)
        self._view.say(self._statement(self._controls, situation, flight))
        self._view.offer_to_stage(self._offer(situation))
        self._stop_key.watch(can_stop(situation))
        flies = self._controls.is_by_hand and flight.is_armed and not self._controls.state.stopped
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
        view.take_off_held.connect(partial(self._ask, FlightControls.take_off))
        view.arm_held.connect(partial(self._ask, FlightControls.arm))
        view.disarm_pressed.connect(partial(self._ask, FlightControls.disarm))
        view.action_pressed.connect(self._act)
        view.anew_pressed.connect(self._start_anew)
        view.stage_pressed.connect(self._stage_auto_takeoff)
        view.source_chosen.connect(self._take_source)
        view.let_go_pressed.connect(self._release_shown)
        view.thumbs.on_moved = self._drag

    def _keep_joined(self) -> None:
        """Join the controls of the vehicle shown; leave those that are gone."""
        self._joined.leave_gone(self._context.fleet.vehicles)
        vehicle = self._context.vehicle
        if vehicle is not None and vehicle not in self._joined:
            controls = self._joined.join(vehicle)
            if not controls.request.transmitting:
                controls.take_source(self._view.source)
        self._have_devices_heard()
        is_flown = self._joined.are_in_use
        self._attention.fly(is_flown)
        if is_flown and not self._unseen.isActive():
            self._unseen.start(_UNSEEN_MS)
        self._controls = self._joined.of(vehicle)
        if self._controls is not None:
            self._view.choose_source(self._controls.source)

    def _tell(self, text: str) -> None:
        self._context.show_message(text)

    def _leave_all(self) -> None:
        self._stop_key.watch(False)
        self._attention.end()
        self._unseen.stop()
        self._controls = None
        self._release_keys()
        self._joined.leave_all()

    def _follow(
        self, vehicle: Vehicle, controls: FlightControls, t: float
    ) -> tuple[FlightState, Situation]:
        """Go on with what was asked of an aircraft; return what is so after that."""
        flight, situation = controls.situation_at(t)
        choice_of(vehicle).follow(is_flying=situation.armed == "Armed")
        self._do_commands(vehicle, controls, in_sight=True)
        told = controls.follow(flight, situation)
        if told:
            self._context.show_message(told)
        return (flight, situation) if situation.stage is None else controls.situation_at(t)

    def _poll_unseen(self) -> None:
        """With no controls in sight the buttons of a device that flies act all the same, those of
        the active aircraft's, and what they have asked for goes on."""
        if not self._joined.are_in_use:
            self._unseen.stop()
            return
        vehicle = self._context.vehicle
        controls = self._joined.of(vehicle)
        if vehicle is None or controls is None or is_shown(self) or controls.is_watched:
            return
        self._controls = controls
        self._have_devices_heard()
        self._do_commands(vehicle, controls, in_sight=False)
        flight, situation = controls.situation_at(vehicle.end_s)
        told = guided_of(vehicle).poll(situation, flight)
        if told:
            self._context.show_message(told)

    def _have_devices_heard(self) -> None:
        for flown, controls in self._joined:
            controls.hear_devices(hears=flown is self._context.fleet.active)

    def _do_commands(self, vehicle: Vehicle, controls: FlightControls, *, in_sight: bool) -> None:
        """Do what the buttons of its devices ask for."""
        for command in choice_of(vehicle).inputs.take_commands(monotonic_s()):
            if controls is not self._controls:
                continue  # the button is for the aircraft shown
            now = self._situation(controls)
            told = do_command(command, self._context, controls, now, in_sight=in_sight)
            if told:
                self._context.show_message(told)

    def _situation(self, controls: FlightControls) -> Situation:
        """What the aircraft allows at this very instant, for what is pressed."""
        vehicle = self._context.vehicle
        if vehicle is not None and vehicle.is_live:
            return controls.situation_at(vehicle.end_s)[1]
        return controls.situation_at(self._t)[1]

    def _ask(self, what: Callable[[FlightControls, Situation], None]) -> None:
        """Ask the aircraft shown for this, as it is at this very instant."""
        if self._controls is not None:
            what(self._controls, self._situation(self._controls))

    def _act(self, action: str) -> None:
        vehicle = self._context.vehicle
        if self._controls is not None and vehicle is not None and action == "Hold":
            guided_of(vehicle).hold()
        elif self._controls is not None:
            self._controls.act(action, self._situation(self._controls))
        if action == "Fly by hand":
            self._hold_keys()

    def _take_source(self) -> None:
        controls = self._controls
        if controls is None or controls.source == self._view.source:
            return
        situation = self._situation(controls)
        would_fall = situation.is_flying and not situation.is_fixed_wing and controls.is_by_hand
        if self._view.source == "gamepad" and would_fall and controls.is_device_throttle_down:
            self._tell(THROTTLE_DOWN)
            self._view.choose_source(controls.source)
            return
        controls.take_source(self._view.source)
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
        place = self._controls.place_for_auto_takeoff() if self._controls is not None else None
        if place is None or settings is None or settings.is_staged(place.object, place.path):
            return ""
        return f"Stage AutoTakeoff for {place.title.lower()}"

    def _stage_auto_takeoff(self) -> None:
        settings = self._context.configuration
        place = self._controls.place_for_auto_takeoff() if self._controls is not None else None
        if settings is None or place is None:
            return
        with settings.staging_from("Controls"):
            settings.stage(place.object, place.path, AUTO_TAKEOFF)
        self._context.show_message(
            f"Staged: {place.title} selects AutoTakeoff. Apply it in Configure."
        )

    def _drag(self, moved: Mapping[StickControl, float]) -> None:
        if self._controls is not None:
            self._controls.drag(moved)

    def _press(self, keys: frozenset[str]) -> None:
        if self._controls is not None:
            self._controls.press(keys)

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
        for _, controls in self._joined:
            if controls.needs_focus:
                controls.release(why)

    def _release_shown(self) -> None:
        """Whatever flies it: the aircraft is left to its failsafe."""
        self._release_keys()
        if self._controls is not None:
            self._controls.release(RELEASED)

    def _beat(self) -> None:
        for _, controls in self._joined:
            controls.beat()

    def _follow_focus(self, is_away: bool) -> None:
        """What needs the focus ends without it; a device flies on, which is said."""
        for _, controls in self._joined:
            controls.is_unfocused = is_away
        if is_away:
            self._release_keys()
            self._let_go(LOST_FOCUS)

    def _follow_keys(self) -> None:
        """Hold the keys as long as the keyboard flies the aircraft shown, or takes over from a
        behaviour."""
        controls = self._controls
        is_by_keys = controls is not None and controls.is_by_hand and controls.source == "keyboard"
        takes_over = controls is not None and controls.is_behaving
        self._wants_keys = (self._wants_keys or takes_over) and is_by_keys
        self._keys.watch(self._wants_keys)
        is_told = self._wants_keys and not takes_over and controls is not None
        self._view.show_keyboard(self._keys_statement(controls) if is_told else None)

    def _keys_statement(self, controls: FlightControls | None) -> Statement | None:
        """What the keys do that the window has not got: they fly only where sticks go out."""
        vehicle = self._context.vehicle
        if controls is None or vehicle is None:
            return None
        situation = self._situation(controls)
        state, is_deaf = controls.state, why_deaf(situation) is not None
        flies = situation.armed == "Armed" and not (state.stopped or state.held or is_deaf)
        text = KEYBOARD_FLIES if flies else KEYS_HELD
        return Statement(text, vehicle.name, ends="Esc is pressed or nothing goes out")

    def _statement(
        self, controls: FlightControls, situation: Situation, flight: FlightState
    ) -> Statement:
        """What goes on with the aircraft shown, and whether that is known now."""
        vehicle = self._context.vehicle
        if vehicle is None:
            return Statement(NO_AIRCRAFT)
        stopped = controls.stopped(flight)
        if stopped is not None and why_deaf(situation) is None and not controls.is_stopping:
            return stopped
        words = self._sentence(controls, situation, flight)
        if vehicle.status.is_silent:
            words = f"{vehicle.status.word}. Before that: {words}"
        return Statement(words, vehicle.name, vehicle.link_losses, vehicle.end_s)

    def _sentence(self, controls: FlightControls, situation: Situation, flight: FlightState) -> str:
        if situation.armed == "Armed" and controls.is_stopping:
            if situation.is_link_lost:
                return STOP_UNHEARD
            stopped = controls.state.stopped
            return f"{STOP_UNSENT} {stopped}" if stopped else STOPPING
        refusal = why_deaf(situation)
        if refusal:
            return refusal
        if controls.progress:
            return controls.progress
        flies_by_pad = controls.request.source == "gamepad" and controls.state.device
        if situation.is_flying and flies_by_pad:
            return f"{flight.flight_mode}. Input: {controls.state.device}."
        return advice(situation, flight.flight_mode or "")
