"""Panel flight: the aircraft that a panel of controls has shown, followed and asked through it.

Every such panel has one, and all of them the same controls of an aircraft, so that what is pressed
on one goes on on the others. It keeps the controls of every aircraft it has shown, so that choosing
another one leaves the first flying.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from plugins.pilot.device_button_actions import do_command
from plugins.pilot.devices.device_choice import choice_of
from plugins.pilot.flight_buttons import FlightButtons
from plugins.pilot.hand_input import ON_SCREEN, HandInput, hand_input_of
from plugins.pilot.input_box import InputBox
from plugins.pilot.screen_sticks import ScreenSticks
from plugins.pilot.stop_key import StopKey
from plugins.pilot.take_off_set_up import stage_take_off, take_off_set_up_help
from plugins.pilot.window_attention import WindowAttention, is_shown
from telemetry.base.clock import monotonic_s
from telemetry.base.statement import Statement
from telemetry.flying.actions import BY_HAND, CRASHED, THROTTLE_DOWN, can_stop, why_deaf
from telemetry.flying.controls import FlightControls
from telemetry.flying.guided_flight import guided_of
from telemetry.flying.inputs.stick_controls import StickControl
from telemetry.flying.joined_controls import JoinedControls
from telemetry.flying.situation import Situation
from telemetry.flying.transmitter.order import Source
from telemetry.flying.transmitter.release import LOST_FOCUS, OUT_OF_SIGHT, RELEASED
from telemetry.protocol.links.link import Restartable, restartable
from telemetry.recording.flight_state import FlightState
from telemetry.vehicle.vehicle import Vehicle

_UNSEEN_MS: Final = 100
KEYBOARD_FLIES: Final = "Keyboard flies, Esc releases."
EITHER_FLIES: Final = "Keys and sticks fly, Esc ends."
KEYS_HELD: Final = "The keys are sticks, Esc releases."


class PanelFlight:
    """It sends nothing before the pilot presses something. `controls` are those of the vehicle
    shown; `on_keys` is told what the keys do that the window has not got, None while it has them.
    A panel where the input is chosen tells the one it begins with."""

    def __init__(
        self, context: PanelContext, panel: QWidget, first_source: Callable[[], Source] | None
    ) -> None:
        self.controls: FlightControls | None = None
        self.on_keys: Callable[[Statement | None], None] = lambda _statement: None
        self._context = context
        self._panel = panel
        self._first_source = first_source
        self._joined = JoinedControls()
        self._t = 0.0
        self._shown: Vehicle | None = None
        self._stop_key = StopKey(partial(self.ask, FlightControls.disarm), panel)
        self._attention = WindowAttention(self._beat, self._follow_focus, panel)
        self._unseen = QTimer(panel)
        self._unseen.timeout.connect(self._poll_unseen)
        context.on_close(self._leave_all)

    # Following

    def refresh(self, t: float) -> tuple[FlightState, Situation] | None:
        """Go on with all aircraft; return how the one shown is now, None without one."""
        self._t = t
        self._keep_joined()
        seen = {v: self._follow(v, controls, t) for v, controls in self._joined}
        for joined, (flight, situation) in seen.items():
            guided_of(joined).poll(situation, flight)
        vehicle = self._context.vehicle
        if self.controls is None or vehicle is None:
            return None
        flight, situation = seen[vehicle]
        if self._wreck() is not None:
            situation = replace(situation, refusal=CRASHED)
        self._stop_key.watch(can_stop(situation))
        return flight, situation

    def _keep_joined(self) -> None:
        """Join the controls of the vehicle shown; leave those that are gone."""
        self._joined.leave_gone(self._context.fleet.vehicles)
        vehicle = self._context.vehicle
        if vehicle is not None and vehicle not in self._joined:
            controls = self._joined.join(vehicle)
            if self._first_source is not None and not controls.request.transmitting:
                controls.take_source(self._first_source())
        self._have_devices_heard()
        is_flown = self._joined.are_in_use
        self._attention.fly(is_flown)
        if is_flown and not self._unseen.isActive():
            self._unseen.start(_UNSEEN_MS)
        self.controls = self._joined.of(vehicle)
        self._show(vehicle)

    def _leave_all(self) -> None:
        self._stop_key.watch(False)
        self._attention.end()
        self._unseen.stop()
        self.controls = None
        self._joined.leave_all()
        self._show(None)

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
        if vehicle is None or controls is None or is_shown(self._panel) or controls.is_watched:
            return
        self.controls = controls
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
            if controls is not self.controls:
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

    def _beat(self) -> None:
        for _, controls in self._joined:
            controls.beat()

    # Asking

    def connect_buttons(self, buttons: FlightButtons) -> None:
        """Do what they ask for."""
        buttons.take_off_held.connect(partial(self.ask, FlightControls.take_off))
        buttons.arm_held.connect(partial(self.ask, FlightControls.arm))
        buttons.disarm_pressed.connect(partial(self.ask, FlightControls.disarm))
        buttons.action_pressed.connect(self.act)
        buttons.anew_pressed.connect(self.start_anew)
        buttons.set_up_pressed.connect(self._set_up_take_off)

    def set_up_help(self, situation: Situation) -> str:
        """What would be staged so that it can take off by itself; empty if nothing."""
        controls = self.controls
        return "" if controls is None else take_off_set_up_help(self._context, controls, situation)

    def _set_up_take_off(self) -> None:
        if self.controls is not None:
            stage_take_off(self._context, self.controls)

    def ask(self, what: Callable[[FlightControls, Situation], None]) -> None:
        """Ask the aircraft shown for this, as it is at this very instant."""
        if self.controls is not None:
            what(self.controls, self._situation(self.controls))

    def act(self, action: str) -> None:
        """Ask the aircraft shown for what a button is called."""
        vehicle = self._context.vehicle
        if self.controls is not None and vehicle is not None and action == "Hold":
            guided_of(vehicle).hold()
        elif self.controls is not None:
            self.controls.act(action, self._situation(self.controls))
        if action == BY_HAND:
            self._hold_keys()

    def connect_input(self, chosen: InputBox, thumbs: ScreenSticks) -> None:
        """Have it flown by the sticks on the screen, and by what is chosen in the box."""

        def take() -> None:
            if chosen.source in ON_SCREEN:
                thumbs.set_mode(chosen.mode)
            chosen.choose(self.choose(chosen.source))

        chosen.chosen.connect(take)
        thumbs.on_moved = self.drag

    def choose(self, source: Source) -> Source:
        """Have it flown by another input. Returns the one that is chosen now."""
        controls = self.controls
        if controls is None or controls.source == source:
            return source
        situation = self._situation(controls)
        would_fall = situation.is_flying and not situation.is_fixed_wing and controls.is_by_hand
        if source == "gamepad" and would_fall and controls.is_device_throttle_down:
            self._context.show_message(THROTTLE_DOWN)
            return controls.source
        controls.take_source(source)
        self._hold_keys()
        return source

    def drag(self, moved: Mapping[StickControl, float]) -> None:
        """An on-screen stick was dragged."""
        if self.controls is not None:
            self.controls.drag(moved)

    def can_let_go(self, flight: FlightState) -> bool:
        """Whether sticks go out by which the aircraft shown flies."""
        controls = self.controls
        if controls is None or not flight.is_armed:
            return False
        return controls.is_by_hand and not controls.state.stopped

    def release_shown(self) -> None:
        """Let go, whatever flies it: the aircraft is left to its failsafe."""
        self._release_keys()
        if self.controls is not None:
            self.controls.release(RELEASED)

    def leave_sight(self, *, with_sticks: bool) -> None:
        """The panel is seen no more: what needs the window ends, unless sticks are still seen."""
        hand = self._hand
        if with_sticks or hand is None or not hand.are_sticks_in_sight:
            self._release_keys()
            self._let_go(OUT_OF_SIGHT)

    def start_anew(self) -> None:
        """Have a crashed simulation begin anew."""
        wreck = self._wreck()
        if wreck is not None:
            wreck.start_anew()

    def _wreck(self) -> Restartable | None:
        """The link to the simulated aircraft shown, if that has crashed."""
        vehicle = self._context.vehicle
        link = restartable(vehicle.link) if vehicle is not None else None
        return link if link is not None and link.has_crashed() else None

    # Flying by what needs the window

    @property
    def _hand(self) -> HandInput | None:
        vehicle = self._context.vehicle
        return None if vehicle is None else hand_input_of(vehicle)

    def _let_go(self, why: str) -> None:
        """End flying by what needs this window; a device's sticks go on."""
        for _, controls in self._joined:
            if controls.needs_focus:
                controls.release(why)

    def _follow_focus(self, is_away: bool) -> None:
        """What needs the focus ends without it; a device flies on, which is said."""
        for _, controls in self._joined:
            controls.is_unfocused = is_away
        if is_away:
            self._release_keys()
            self._let_go(LOST_FOCUS)

    def _release_keys(self) -> None:
        if self._hand is not None:
            self._hand.release_keys()

    def _hold_keys(self) -> None:
        if self._hand is not None:
            self._hand.hold_keys()

    def _show(self, vehicle: Vehicle | None) -> None:
        """The keys of an aircraft that is no longer shown are the window's again."""
        before, self._shown = self._shown, vehicle
        if before is not vehicle and before is not None:
            hand_input_of(before).watchers.discard(self._tell_keys)
            hand_input_of(before).release_keys()
        if vehicle is not None:
            hand_input_of(vehicle).watchers.add(self._tell_keys)
            hand_input_of(vehicle).follow_keys()

    def _tell_keys(self) -> None:
        self.on_keys(self._keys_statement())

    def _keys_statement(self) -> Statement | None:
        """They fly only where sticks go out."""
        controls, vehicle, hand = self.controls, self._context.vehicle, self._hand
        if controls is None or vehicle is None or hand is None:
            return None
        if not hand.wants_keys or controls.is_behaving:
            return None
        situation = self._situation(controls)
        state, is_deaf = controls.state, why_deaf(situation) is not None
        flies = situation.armed == "Armed" and not (state.stopped or state.held or is_deaf)
        text = EITHER_FLIES if controls.source == "either" else KEYBOARD_FLIES
        words = text if flies else KEYS_HELD
        return Statement(words, vehicle.name, ends="Esc is pressed or nothing goes out")
