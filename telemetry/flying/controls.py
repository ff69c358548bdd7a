"""Flight controls of one aircraft: what was asked of it from this station, and its transmitter.

Each aircraft has them once, however many panels show it, so that two panels never send different
switches. They transmit as long as somebody has joined them.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.configuration.arming.by_sticks import (
    PositionSetting,
    check_arming_by_sticks,
    check_take_off,
    position_to_give,
)
from telemetry.flying import actions
from telemetry.flying.cached_by_samples import CachedBySamples
from telemetry.flying.control_right import FLYING, ControlRight
from telemetry.flying.failsafe import is_on_failsafe, receiver_word
from telemetry.flying.flight_notices import FlightNotices
from telemetry.flying.inputs.behaviour_slot import Behaviour
from telemetry.flying.inputs.input_source import InputSource
from telemetry.flying.inputs.stick_controls import StickControl, moved_sticks
from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.arming import FOR_A_PILOT, Arm, TakeOff
from telemetry.flying.manoeuvres.manoeuvre import Manoeuvre
from telemetry.flying.manoeuvres.modes import Land, SelectMode
from telemetry.flying.situation import Situation, is_flying, read_set_up, read_thrust
from telemetry.flying.switches import GUIDED_MODES
from telemetry.flying.transmitter.board_word import BoardListener
from telemetry.flying.transmitter.order import PilotRequest, Source, StickOrder, Throttle
from telemetry.flying.transmitter.release import FAILED, HOLD_AFTER_S, PATIENCE_S
from telemetry.flying.transmitter.transmitter import StickOutlet, Transmitter, TransmitterState
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.recording.mode_words import mode_words
from telemetry.vehicle.vehicle import LinkState, Vehicle

THROTTLE_DOWN = 0.1
WAITING = "The sticks wait for the link."
_LINK_LOST = (LinkState.LOST, LinkState.RECONNECTING, LinkState.RESTARTING)
BY_HAND = (
    "{name} is flown by hand, and another aircraft would be flown by the same sticks. "
    "Choose Hold or Land, or let go of the sticks, first."
)


class FlightControls:
    """Flies one aircraft for those who joined."""

    def __init__(
        self,
        vehicle: Vehicle,
        make_transmitter: Callable[[StickOutlet], Transmitter] | None = None,
    ) -> None:
        self.inputs = InputSource()
        """The input devices that fly this aircraft, once somebody has connected them."""
        self.is_unfocused = False
        """Whether another program has the focus, as the panels say."""
        self._vehicle = vehicle
        self._aircraft = AircraftView(vehicle)
        self._make_transmitter = make_transmitter or self._transmitter_of_devices
        self._transmitter: Transmitter | None = None
        self._joined = 0
        self.right = ControlRight(vehicle, FLYING)
        """The right to the aircraft, which a set-up or a test may have instead."""
        self._notices = FlightNotices(vehicle)
        self._manoeuvre: Manoeuvre | None = None
        self._armed_before: str | None = None
        self._stops_seen = 0
        """How many presses of a device's stop button were seen to."""
        self._source_before: Source = "either"
        self._set_up = CachedBySamples(read_set_up)
        self._not_armed_by = CachedBySamples(check_arming_by_sticks)
        self._not_taken_off_by = CachedBySamples(check_take_off)

    def join(self) -> None:
        """Use them. The first one starts the transmitter; a flight from a file has none."""
        self._joined += 1
        is_replay = self._vehicle.status.state is LinkState.REPLAY
        if self._transmitter is None and not is_replay:
            self._transmitter = self._make_transmitter(self._make_outlet())
            self._stops_seen = self._transmitter.order.stops_seen
            self._vehicle.why_stay = self.why_stay
            self._transmitter.start()

    def _make_outlet(self) -> StickOutlet:
        commands, board = self._vehicle.commands, BoardListener(self._vehicle)
        return StickOutlet(
            commands.set_sticks,
            commands.stop_sticks,
            self.right.why_not,
            board.word,
            board.ask,
            self._vehicle.note,
        )

    def _transmitter_of_devices(self, outlet: StickOutlet) -> Transmitter:
        return Transmitter(outlet, find_devices=self.inputs.open)

    def leave(self) -> None:
        """Use them no more. With the last one the stream ends, and the aircraft's failsafe acts."""
        self._joined -= 1
        if self._joined <= 0:
            self.close()

    def close(self) -> None:
        """End the transmitter. Closing twice is fine."""
        if self._transmitter is not None:
            self._transmitter.stop()
        self.right.free()
        self._vehicle.why_stay = lambda: ""
        self._notices.clear()
        self._transmitter, self._joined = None, 0
        self._armed_before = self._manoeuvre = None

    # What is so. Asking changes nothing.

    @property
    def is_in_use(self) -> bool:
        """Whether somebody has joined them, looking or not."""
        return self._transmitter is not None

    @property
    def is_watched(self) -> bool:
        """Whether somebody has joined them and sees the aircraft now."""
        return self._transmitter is not None and not self._transmitter.is_forgotten

    @property
    def needs_focus(self) -> bool:
        """Whether it is flown by hand with what works in a window that has the focus only."""
        return self.is_by_hand and self.request.source != "gamepad"

    @property
    def is_by_hand(self) -> bool:
        """Whether sticks set attitude or rates now."""
        request = self.request
        return request.transmitting and request.is_by_hand

    @property
    def has_let_go(self) -> bool:
        """Whether nothing goes out until somebody asks for something."""
        return self._transmitter is None or self._transmitter.has_let_go

    @property
    def is_arming(self) -> bool:
        """Whether it is being armed, or taken off until it surely climbs."""
        return self._manoeuvre is not None and self._manoeuvre.stage is not None

    @property
    def is_stopping(self) -> bool:
        """Whether motors off is what is being sent."""
        request = self.request
        return not self.is_arming and request.transmitting and request.stops_motors

    @property
    def is_under_way(self) -> bool:
        """Whether something that it flies by itself has not come to its end yet."""
        return self._manoeuvre is not None

    @property
    def progress(self) -> str:
        """How far arming and taking off are, and what stands in the way; empty if neither is under
        way."""
        return self._manoeuvre.progress if self._manoeuvre is not None else ""

    @property
    def state(self) -> TransmitterState:
        """What is being sent."""
        return self._transmitter.state if self._transmitter else TransmitterState()

    @property
    def order(self) -> StickOrder:
        """What is asked of the transmitter."""
        return self._transmitter.order if self._transmitter else StickOrder()

    @property
    def request(self) -> PilotRequest:
        """What the pilot wants."""
        return self.order.request

    def why_stay(self) -> str:
        """Why no other aircraft can be chosen now, "" if one can. A guided mode goes on then, and
        who has let go, or whose stick is gone, has no stick for the other to take over."""
        if self.has_let_go or not (self.is_by_hand or self.is_arming):
            return ""
        return BY_HAND.format(name=self._vehicle.name)

    def stopped(self, flight: FlightState) -> Statement | None:
        """Why the pilot's sticks do not go out, what does, and what the aircraft says it does about
        that; or that they do, and it says that its failsafe acts. None while they fly."""
        state, transmitter = self.state, self._transmitter
        waits = not state.stopped and self._vehicle.commands.sticks_wait_s > HOLD_AFTER_S
        why = " ".join(filter(None, (WAITING if waits else "", state.stopped or state.held)))
        if transmitter is None or not (why or self._is_unheard(flight, transmitter)):
            return None
        sent = "Neutral sticks are sent." if state.held else "Sticks are sent."
        if is_nothing := waits or bool(state.stopped):
            sent = "Nothing is sent."
        acts = is_on_failsafe(self._aircraft.read)
        said = ""
        if flight.is_armed and acts:
            mode = mode_words(flight.flight_mode)
            said = f"The aircraft says that its failsafe acts: {mode}."
        elif flight.is_armed and is_nothing:
            said = "The aircraft does not say that its failsafe acts."
        return Statement(
            " ".join(filter(None, (sent, why, said))),
            self._vehicle.name,
            (why, acts, flight.flight_mode),
            self._vehicle.end_s - transmitter.told_for_s,
            "sticks are sent again" if is_nothing else "the pilot's sticks are sent again",
            Level.WARNING if state.held and not waits else Level.ERROR,
        )

    def _is_unheard(self, flight: FlightState, transmitter: Transmitter) -> bool:
        """Whether the aircraft says that its failsafe acts, after it had time to hear the sticks
        that are asked for."""
        request, word = self.request, receiver_word(self._aircraft.read)
        if not (flight.is_armed and request.transmitting) or request.stops_motors or word is None:
            return False
        heard_s = self._vehicle.end_s - transmitter.asked_for_s + PATIENCE_S
        return word.is_on_failsafe and word.said_s > heard_s

    def situation_at(self, t: float) -> tuple[FlightState, Situation]:
        """The aircraft now, or at `t` in a replay, and what that allows."""
        vehicle, recording = self._vehicle, self._vehicle.recording
        looks_back = vehicle.is_live and vehicle.timeline.mode != "live"
        now = vehicle.end_s if looks_back else t
        flight = read_flight_state(recording, now)
        set_up = self._set_up.read(lambda name: recording.latest(name, now))
        not_armed_by = not_taken_off_by = None
        if not flight.is_armed:
            read = self._aircraft.read
            not_armed_by = self._not_armed_by.read(read)
            not_taken_off_by = not_armed_by or self._not_taken_off_by.read(read)
        refusal, no_right = vehicle.commands.refusal(), self.right.why_not()
        # While it takes off it counts as standing until it surely climbs.
        flies = not self.is_arming and is_flying(
            flight, recording, is_fixed_wing=set_up.is_fixed_wing
        )
        situation = Situation(
            refusal=refusal or no_right or None,
            switches=set_up.switches,
            armed=flight.armed,
            is_link_lost=vehicle.status.state in _LINK_LOST,
            is_anothers=not refusal and bool(no_right),
            is_flying=flies,
            is_fixed_wing=set_up.is_fixed_wing,
            not_armed_by=not_armed_by,
            not_taken_off_by=not_taken_off_by,
            stage=self._manoeuvre.stage if self._manoeuvre is not None else None,
            is_throttle_down=self.request.source == "gamepad" and self.is_device_throttle_down,
            is_device_missing=self.source == "gamepad" and self.inputs.is_device_missing,
        )
        return flight, situation

    def place_for_auto_takeoff(self) -> PositionSetting | None:
        """The position of the switch that could select AutoTakeoff."""
        return position_to_give(self._aircraft.read)

    @property
    def is_device_throttle_down(self) -> bool:
        """Whether an input device is there whose throttle is at the bottom, and does not fly."""
        flies = self.is_by_hand and self.request.source == "gamepad" and not self.has_let_go
        sticks = None if flies else self.inputs.present()
        return sticks is not None and sticks.throttle < THROTTLE_DOWN

    # Going on with what was asked

    def beat(self) -> None:
        """A sign of life from the window that shows them."""
        if self._transmitter is not None:
            self._transmitter.beat()

    def follow(self, flight: FlightState, situation: Situation) -> str:
        """Go on, for who sees it: give a sign of life; go on arming and taking off; turn the arming
        switch off once the aircraft has disarmed itself. Returns what the pilot must be told, or
        "".
        """
        transmitter = self._transmitter
        if transmitter is None:
            return ""
        transmitter.beat()
        self._note_motors_off(situation)
        self._follow_right(flight)
        self._say(flight)
        if transmitter.state.has_failed:
            transmitter.restart()
            return FAILED
        if self.order.stops_seen != self._stops_seen:
            self.disarm(situation)
            return ""
        if self._manoeuvre is not None and self._manoeuvre.needs_watching:
            return self._go_on(self._manoeuvre, situation)
        if flight.armed is not None:
            self._follow_arming(flight.armed, situation)
        return ""

    def _follow_arming(self, armed: str, situation: Situation) -> None:
        order = self.order
        request = order.request
        if armed == "Disarmed":
            self.end_behaviour()  # it flies, and begins nothing
            order = self.order
            request = order.request
            if self._armed_before == "Armed":
                self._manoeuvre = None
                request = situation.switches.motors_off.asked_by(request)
            request = replace(request, fixed=None)  # a gesture that disarms is made
        if request != order.request:
            self._carry_out(replace(order, request=request))
        self._armed_before = armed

    def poll(self, situation: Situation) -> str:
        """Go on with what nobody has to see. Returns what the pilot must be told, or ""."""
        self._note_motors_off(situation)
        manoeuvre = self._manoeuvre
        if manoeuvre is None or manoeuvre.needs_watching:
            return ""
        return self._go_on(manoeuvre, situation)

    def _go_on(self, manoeuvre: Manoeuvre, situation: Situation) -> str:
        """Take what it asks for over; say what has come of it. Before motors off by a button of a
        device was seen to nothing goes on."""
        order = self.order
        if order.stops_seen != self._stops_seen:
            return ""
        manoeuvre.update(self._aircraft)
        if manoeuvre.problem or manoeuvre.is_done:
            self._manoeuvre = None
        if manoeuvre.problem and not manoeuvre.needs_watching:
            return f"Not done: {manoeuvre.problem}" if manoeuvre.told else ""
        if manoeuvre.problem:
            request = situation.switches.motors_off.asked_by(order.request)
        else:
            request = manoeuvre.request(order.request)
        if request != order.request:
            self._carry_out(replace(order, request=request))
        if manoeuvre.problem:
            return manoeuvre.problem
        if manoeuvre.is_done and manoeuvre.needs_watching:
            self._armed_before = "Armed"
        return manoeuvre.told if manoeuvre.is_done else ""

    def _note_motors_off(self, situation: Situation) -> None:
        """Have the transmitter know what the stop button of a device asks for on this aircraft."""
        motors_off, order = situation.switches.motors_off, self.order
        if motors_off != order.motors_off:
            self._carry_out(replace(order, motors_off=motors_off))

    def _follow_right(self, flight: FlightState) -> None:
        """Give it up on the ground; send nothing at all while somebody else has it there."""
        if flight.armed != "Disarmed" or self.is_arming:
            return
        self.right.free()
        order = self.order
        if order.request.transmitting and self.right.why_not():
            request = replace(order.request, transmitting=False)
            self._carry_out(replace(order, request=request))

    def _say(self, flight: FlightState) -> None:
        request = self.request
        by_device = request.transmitting and request.source == "gamepad"
        is_armed = flight.is_armed
        self._notices.say(
            self._aircraft.read,
            self.stopped(flight) if is_armed else None,
            flies_unfocused=is_armed and by_device and self.is_unfocused,
        )

    # What is asked

    def arm(self, situation: Situation) -> None:
        """Ask for arming, to fly by hand, if it is possible."""
        if actions.why_not_arm(situation) is None:
            self._begin(Arm(self._aircraft, FOR_A_PILOT), situation)

    def take_off(self, situation: Situation) -> None:
        """Ask for arming and taking off, if it is possible."""
        if actions.why_not_take_off(situation) is None:
            self._begin(TakeOff(self._aircraft, FOR_A_PILOT), situation)

    def disarm(self, situation: Situation) -> None:
        """Ask for motors off, now, whoever armed them."""
        self.right.interrupt()
        self._manoeuvre = None
        self.end_behaviour()
        motors_off, order = situation.switches.motors_off, self.order.taken_up()
        self._stops_seen = order.stops_seen
        request = replace(motors_off.asked_by(order.request), transmitting=True)
        self._carry_out(replace(order, request=request, motors_off=motors_off))

    def act(self, action: str, situation: Situation, manoeuvre: Manoeuvre | None = None) -> None:
        """Do one of actions.ACTIONS, if it is possible; by `manoeuvre` where there is more to say
        than its flight mode."""
        if self._transmitter is None or actions.why_not(action, situation) is not None:
            return
        self.end_behaviour()
        if action == actions.BY_HAND:
            request = replace(self.request, arm=True)
            self._fly_by_hand(actions.by_hand(request, situation), situation)
        elif manoeuvre is None and action == "Land":
            self._begin(Land(), situation)
        else:
            self._begin(manoeuvre or SelectMode(GUIDED_MODES[action], action), situation)

    def fly(self, manoeuvre: Manoeuvre, situation: Situation) -> None:
        """Fly what the caller has asked why not."""
        self._begin(manoeuvre, situation)

    def fly_position(self, position: int, situation: Situation) -> None:
        """Fly by hand in the mode of a position of the flight mode switch, as by a radio's."""
        if self._transmitter is None or actions.why_not_position(position, situation) is not None:
            return
        self.end_behaviour()
        request = replace(self.request, arm=situation.armed == "Armed" or self.request.arm)
        self._fly_by_hand(actions.by_hand(request, situation, position), situation)

    def release(self, why: str) -> None:
        """Let go: nothing is sent until the pilot asks again, and the aircraft's failsafe acts."""
        self._manoeuvre = None
        order = self.order
        released = order.released(why)
        if released is not order:
            self._carry_out(released)

    def _begin(self, manoeuvre: Manoeuvre, situation: Situation) -> None:
        """Fly it. What needs somebody who sees it begins when he does."""
        if self._transmitter is None:
            return
        if not manoeuvre.needs_watching:
            manoeuvre.update(self._aircraft)
            if manoeuvre.problem:
                return
        self.end_behaviour()
        self._manoeuvre = manoeuvre
        order = self.order
        self._take(order, manoeuvre.request(order.request), situation)

    def _fly_by_hand(self, request: PilotRequest, situation: Situation) -> None:
        self._manoeuvre = None
        self._take(self._with_throttle(self.order, request.throttle), request, situation)

    def _take(self, order: StickOrder, request: PilotRequest, situation: Situation) -> None:
        """Have the right to it, and what was asked for carried out."""
        self.right.take()
        motors_off = situation.switches.motors_off
        self._carry_out(replace(order.taken_up(), request=request, motors_off=motors_off))

    def _with_throttle(self, order: StickOrder, throttle: Throttle) -> StickOrder:
        """Have on-screen sticks and keys begin where taking over does not jump: in the middle, at
        the throttle that flies by hand already, or at the thrust the autopilot uses now."""
        if throttle == "spring":
            present = 0.5
        elif order.request.transmitting and order.request.is_by_hand:
            present = self.state.sticks.throttle
        else:
            present = read_thrust(self._vehicle.recording, self._vehicle.recording.last_s)
        return order.with_throttle(present)

    def _carry_out(self, order: StickOrder) -> None:
        if self._transmitter is not None:
            self._transmitter.carry_out(order)

    # Where the sticks come from

    @property
    def is_behaving(self) -> bool:
        """Whether a behaviour moves the sticks."""
        return self.inputs.behaviours.flying is not None

    @property
    def source(self) -> Source:
        """What the pilot has: the sticks come from there, or go back there from a behaviour."""
        return self._source_before if self.is_behaving else self.request.source

    def take_source(self, source: Source) -> None:
        """Have the pilot fly by `source`, once no behaviour does."""
        if self.is_behaving:
            self._source_before = source
        else:
            self._carry_out(self._with_source(self.order, source))

    def _with_source(self, order: StickOrder, source: Source) -> StickOrder:
        request = order.request
        if request.transmitting and request.is_by_hand and source != request.source:
            order = self._with_throttle(order, request.throttle)
        return replace(order, request=replace(request, source=source))

    def hear_devices(self, *, hears: bool) -> None:
        """Listen to input devices and keys, which belong to the active aircraft, or to none of
        them any more: their sticks and their stop button are another one's then."""
        order = self.order
        if self._transmitter is None or order.hears_devices == hears:
            return
        if not hears:
            dragged = replace(order.dragged, roll=0.0, pitch=0.0, yaw=0.0)
            order = replace(order, dragged=dragged, pressed=frozenset())
            if order.request.source != "either":
                order = self._with_source(order, "screen")
        self._carry_out(replace(order, hears_devices=hears))

    def press(self, keys: frozenset[str]) -> None:
        """These flying keys are down now."""
        if keys:
            self._touch()
        self._carry_out(replace(self.order, pressed=keys))

    def drag(self, moved: Mapping[StickControl, float]) -> None:
        """An on-screen stick was dragged: these axes are there now."""
        if self._transmitter is not None:
            self._touch()
            order = self.order
            self._carry_out(replace(order, dragged=moved_sticks(order.dragged, moved)))

    def begin_behaviour(self, behaviour: Behaviour) -> None:
        """Let a behaviour move the sticks, until it ends or a stick is touched."""
        slot = self.inputs.behaviours
        if slot.flying is None:
            self._source_before = self.request.source
        slot.begin(behaviour)
        self._carry_out(self._with_source(self.order, "gamepad"))

    def end_behaviour(self) -> None:
        """Have the sticks come from where they came from before; without a behaviour, fine."""
        if self.is_behaving:
            self._carry_out(self._with_source(self.order, self._source_before))
            self.inputs.behaviours.end()

    def _touch(self) -> None:
        """A stick or key of this station is moved: it takes over from a behaviour."""
        slot = self.inputs.behaviours
        if slot.flying is not None:
            # First, so that no step finds no device.
            self._carry_out(self._with_source(self.order, self._source_before))
            slot.touch()


def controls_of(vehicle: Vehicle) -> FlightControls:
    """The controls of an aircraft, the same for everybody."""
    return vehicle.attachment("flying.controls", lambda: FlightControls(vehicle))
