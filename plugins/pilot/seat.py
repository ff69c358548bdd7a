"""The pilot's seat of one aircraft: what the pilot asked for, and the transmitter that sends it.

There is one seat for each aircraft, however many panels show it, so that two panels never send
different switches. It transmits as long as somebody sits in it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from plugins.pilot import guide
from plugins.pilot.devices.behaviour_slot import Behaviour
from plugins.pilot.devices.device_choice import choice_of
from plugins.pilot.devices.profile import Control, moved_sticks
from plugins.pilot.failsafe import danger_of_failsafe, is_on_failsafe
from plugins.pilot.guide import Situation
from plugins.pilot.release import FAILED
from plugins.pilot.remembered import Remembered
from plugins.pilot.switches import Switches, read_switches
from plugins.pilot.transmitter import (
    PilotRequest,
    Source,
    Throttle,
    Transmitter,
    TransmitterState,
)
from telemetry.base.finding import Finding, Level
from telemetry.configuration.arming.by_sticks import (
    PositionSetting,
    check_arming_by_sticks,
    check_take_off,
    position_to_give,
)
from telemetry.configuration.arming.checklist import Read
from telemetry.configuration.arming.procedure import ArmingProcedure
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample
from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.notices import notices_of
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import LinkState, Vehicle

FLYING_THRUST = 0.15
THROTTLE_DOWN = 0.1
FLYING_MPS, FLYING_M = 3.0, 5.0
"""An aeroplane flies when it moves so fast, or is so high above home: its motor may run before
the throw, and rests in a glide."""
ARMING_PATIENCE_S = 10.0
"""So long it is asked to arm: whoever held the button still stands where motors may turn."""
LOOKED_AWAY_S = 2.0
"""Without a panel in sight for so long it is asked no more."""
OUT_OF_SIGHT = "Not armed. The controls were out of sight. Keep them in sight until it is armed."

UNFOCUSED = Finding(
    Level.WARNING,
    "unfocused",
    "Another program has the keyboard and the mouse; the sticks of the input device go on flying.",
    "Unplug the device, or press its stop button, to end that.",
    title="Stick device flies on without focus",
)
FLYING = "Flying from the pilot's seat"
BY_HAND = (
    "{name} is flown by hand, and another aircraft would be flown by the same sticks. "
    "Choose Hold or Land, or let go of the sticks, first."
)

Send = Callable[[Sticks | None], None]


class Seat:
    """Flies one aircraft for the panels that joined."""

    def __init__(
        self,
        vehicle: Vehicle,
        make_transmitter: Callable[[Send], Transmitter] | None = None,
    ) -> None:
        self.devices = choice_of(vehicle)
        """The input devices that fly this aircraft."""
        self._vehicle = vehicle
        self._make_transmitter = make_transmitter or self._transmitter_of_devices
        self._transmitter: Transmitter | None = None
        self._sitting = 0
        self._right = exclusive_of(vehicle)
        self._armed_before: str | None = None
        self._procedure: ArmingProcedure | None = None
        self._asked_s = self._followed_s = 0.0
        self._source_before: Source = "screen"
        self.is_unfocused = False
        """Whether another program has the focus, as the panels say."""
        self._set_up = Remembered(_read_set_up)
        self._danger = Remembered(danger_of_failsafe)
        self._not_armed_by = Remembered(check_arming_by_sticks)
        self._not_taken_off_by = Remembered(check_take_off)

    def join(self) -> None:
        """Sit down. The first one starts the transmitter; a flight from a file has none."""
        self._sitting += 1
        is_replay = self._vehicle.status.state is LinkState.REPLAY
        if self._transmitter is None and not is_replay:
            self._transmitter = self._make_transmitter(self._vehicle.commands.set_sticks)
            self._transmitter.on_stop = self._vehicle.commands.stop_sticks
            self._transmitter.why_no_right = self._why_no_right
            self._vehicle.why_stay = self.why_stay
            self._transmitter.start()

    def _transmitter_of_devices(self, send: Send) -> Transmitter:
        return Transmitter(send, find_devices=self.devices.inputs.open)

    def leave(self) -> None:
        """Stand up. With the last one the stream ends, and the aircraft's failsafe acts."""
        self._sitting -= 1
        if self._sitting <= 0:
            self.close()

    def close(self) -> None:
        """End the transmitter. Closing twice is fine."""
        if self._transmitter is not None:
            self._transmitter.stop()
        self._right.free(self)
        self._vehicle.why_stay = lambda: ""
        self._say("", None)
        self._transmitter, self._sitting = None, 0
        self._armed_before = self._procedure = None

    @property
    def is_taken(self) -> bool:
        """Whether somebody sits here, looking or not."""
        return self._transmitter is not None

    @property
    def is_watched(self) -> bool:
        """Whether somebody sits here and sees the aircraft now."""
        return self._transmitter is not None and not self._transmitter.is_forgotten

    def beat(self) -> None:
        """A sign of life from the window that shows the controls."""
        if self._transmitter is not None:
            self._transmitter.beat()

    @property
    def needs_focus(self) -> bool:
        """Whether it is flown by hand with what works in a window that has the focus only."""
        return self.is_by_hand and self.request.source != "gamepad"

    @property
    def is_by_hand(self) -> bool:
        """Whether sticks set attitude or rates now."""
        request = self.request
        by_hand = request.fixed is None and request.throttle in ("stick", "spring")
        return request.transmitting and by_hand

    def why_stay(self) -> str:
        """Why no other aircraft can be chosen now, "" if one can. A guided mode goes on then, and
        who has let go, or whose stick is gone, has no stick for the other to take over."""
        has_let_go = self._transmitter is None or self._transmitter.has_let_go
        if has_let_go or not (self.is_by_hand or self._procedure is not None):
            return ""
        return BY_HAND.format(name=self._vehicle.name)

    def hear_devices(self, *, hears: bool) -> None:
        """Listen to input devices and keys, which belong to the active aircraft, or to none of
        them any more: their sticks and their stop button are another one's then."""
        transmitter = self._transmitter
        if transmitter is None or transmitter.hears_devices == hears:
            return
        if not hears:
            transmitter.dragged = replace(transmitter.dragged, roll=0.0, pitch=0.0, yaw=0.0)
            self._set_source("screen")
        transmitter.hears_devices = hears

    def release(self, why: str) -> None:
        """Let go: nothing is sent until the pilot asks again, and the aircraft's failsafe acts."""
        self._procedure = None
        if self._transmitter is not None:
            self._transmitter.release(why)

    @property
    def state(self) -> TransmitterState:
        """What is being sent."""
        return self._transmitter.state if self._transmitter else TransmitterState()

    def stopped(self, flight: FlightState) -> str:
        """Why nothing is sent, and what the aircraft says it does; empty while something is."""
        why = self.state.stopped
        if not why or not flight.is_armed:
            return why
        if is_on_failsafe(self._read):
            return f"{why} It does: {flight.flight_mode}."
        return f"{why} The aircraft has not said yet that it does."

    @property
    def request(self) -> PilotRequest:
        """What the pilot wants."""
        return self._transmitter.request if self._transmitter else PilotRequest()

    @property
    def progress(self) -> str:
        """How far arming and taking off are, and what stands in the way; empty if neither is under
        way."""
        procedure = self._procedure
        if procedure is None:
            return ""
        stage = procedure.stage.value
        why = f": {procedure.reason}" if procedure.reason else "."
        return f"{stage[0].upper()}{stage[1:]}{why}"

    @property
    def is_stopping(self) -> bool:
        """Whether motors off is what is being sent."""
        request = self.request
        if self._procedure is not None:
            return False
        return request.transmitting and not request.arm and request.throttle == "cut"

    def look(self, t: float) -> tuple[FlightState, Situation]:
        """The aircraft now, or at `t` in a replay, and what that allows."""
        vehicle = self._vehicle
        looks_back = vehicle.is_live and vehicle.timeline.mode != "live"
        now = vehicle.end_s if looks_back else t
        flight = read_flight_state(vehicle.recording, now)
        set_up = self._set_up.read(lambda name: vehicle.recording.latest(name, now))
        not_armed_by = not_taken_off_by = None
        if not flight.is_armed:
            not_armed_by = self._not_armed_by.read(self._read)
            not_taken_off_by = not_armed_by or self._not_taken_off_by.read(self._read)
        refusal = vehicle.commands.refusal()
        situation = Situation(
            refusal=refusal or self._why_no_right() or None,
            switches=set_up.switches,
            armed=flight.armed,
            is_link_lost=vehicle.status.state in (LinkState.LOST, LinkState.RECONNECTING),
            is_anothers=not refusal and bool(self._why_no_right()),
            is_flying=self._is_flying(flight, set_up.is_fixed_wing),
            is_fixed_wing=set_up.is_fixed_wing,
            not_armed_by=not_armed_by,
            not_taken_off_by=not_taken_off_by,
            stage=self._procedure.stage if self._procedure is not None else None,
            is_throttle_down=self.request.source == "gamepad" and self.is_device_throttle_down,
        )
        if self._transmitter is not None:
            self._transmitter.ask_to_stop = partial(guide.disarm, situation=situation)
        return flight, situation

    def follow(self, flight: FlightState, situation: Situation) -> str:
        """Give a sign of life; go on arming and taking off; turn the arming switch off once the
        aircraft has disarmed itself. Returns what the pilot must be told, or "".
        """
        transmitter = self._transmitter
        if transmitter is None:
            return ""
        transmitter.beat()
        self._follow_right(flight)
        self._say(self.stopped(flight) if flight.is_armed else "", flight)
        if transmitter.has_failed:
            transmitter.restart()
            return FAILED
        if transmitter.was_stopped:
            transmitter.was_stopped = False
            self.disarm(situation)
            return ""
        if self._procedure is not None:
            return self._go_on(transmitter, self._procedure, situation)
        if flight.armed is None:
            return ""
        if flight.armed == "Disarmed":
            self.end_behaviour()  # it flies, and begins nothing
        request = transmitter.request
        if self._armed_before == "Armed" and flight.armed == "Disarmed":
            request = guide.disarm(request, situation)
        if flight.armed == "Disarmed":
            request = replace(request, fixed=None)  # a gesture that disarms is made
        transmitter.request = request
        self._armed_before = flight.armed
        return ""

    def arm(self, situation: Situation) -> None:
        """Ask for arming, to fly by hand, if it is possible."""
        if guide.why_not_arm(situation) is None:
            self._begin(ArmingProcedure())

    def take_off(self, situation: Situation) -> None:
        """Ask for arming and taking off, if it is possible."""
        if guide.why_not_take_off(situation) is None:
            self._begin(ArmingProcedure(takes_off=True, past=self._read_past))

    def disarm(self, situation: Situation) -> None:
        """Ask for motors off, now, whoever armed them."""
        self._right.interrupt(self)
        self._procedure = None
        self.end_behaviour()
        if self._transmitter is not None:
            self._transmitter.take_up()
            request = guide.disarm(self.request, situation)
            self._transmitter.request = replace(request, transmitting=True)

    def act(self, action: str, situation: Situation) -> None:
        """Do one of guide.ACTIONS, if it is possible."""
        if self._transmitter is None or guide.why_not(action, situation) is not None:
            return
        self.end_behaviour()
        if action == "Fly by hand":
            self._place_throttle(self._transmitter, guide.throttle_for(action, situation))
        # Armed by another station, or by this one before it crashed: with its switch off the
        # aircraft would disarm in the air.
        request = replace(self.request, arm=True)
        self._transmitter.request = guide.choose(request, action, situation)
        self._take_right(self._transmitter)

    def place_for_auto_takeoff(self) -> PositionSetting | None:
        """The position of the switch that could select AutoTakeoff."""
        return position_to_give(self._read)

    def fly_position(self, position: int, situation: Situation) -> None:
        """Fly by hand in the mode of a position of the flight mode switch, as by a radio's."""
        if self._transmitter is None or guide.why_not_position(position, situation) is not None:
            return
        self.end_behaviour()
        request = replace(self.request, arm=situation.armed == "Armed" or self.request.arm)
        request = guide.choose_position(request, position, situation)
        self._place_throttle(self._transmitter, request.throttle)
        self._transmitter.request = request
        self._take_right(self._transmitter)

    def _place_throttle(self, transmitter: Transmitter, throttle: Throttle) -> None:
        """Have on-screen sticks and keys begin where taking over does not jump: in the middle, at
        the throttle that flies by hand already, or at the thrust the autopilot uses now."""
        if throttle == "spring":
            present = 0.5
        elif self.is_by_hand:
            present = self.state.sticks.throttle
        else:
            present = _thrust(self._vehicle.recording, self._vehicle.recording.last_s)
        transmitter.set_throttle(present)

    @property
    def is_device_throttle_down(self) -> bool:
        """Whether an input device is there whose throttle is at the bottom, and does not fly."""
        has_let_go = self._transmitter is None or self._transmitter.has_let_go
        flies = self.is_by_hand and self.request.source == "gamepad" and not has_let_go
        sticks = None if flies else self.devices.inputs.present()
        return sticks is not None and sticks.throttle < THROTTLE_DOWN

    @property
    def is_behaving(self) -> bool:
        """Whether a behaviour moves the sticks."""
        return self.devices.inputs.behaviours.flying is not None

    @property
    def source(self) -> Source:
        """What the pilot has: the sticks come from there, or go back there from a behaviour."""
        return self._source_before if self.is_behaving else self.request.source

    def take_source(self, source: Source) -> None:
        """Have the pilot fly by `source`, once no behaviour does."""
        if self.is_behaving:
            self._source_before = source
        else:
            self._set_source(source)

    def _set_source(self, source: Source) -> None:
        if self._transmitter is not None:
            if self.is_by_hand and source != self.request.source:
                self._place_throttle(self._transmitter, self.request.throttle)
            self._transmitter.request = replace(self.request, source=source)

    def press(self, keys: frozenset[str]) -> None:
        """These flying keys are down now."""
        if self._transmitter is not None:
            if keys:
                self._touch()
            self._transmitter.pressed = keys

    def begin_behaviour(self, behaviour: Behaviour) -> None:
        """Let a behaviour move the sticks, until it ends or a stick is touched."""
        slot = self.devices.inputs.behaviours
        if slot.flying is None:
            self._source_before = self.request.source
        slot.begin(behaviour)
        self._set_source("gamepad")

    def end_behaviour(self) -> None:
        """Have the sticks come from where they came from before; without a behaviour, fine."""
        if self.is_behaving:
            self._set_source(self._source_before)
            self.devices.inputs.behaviours.end()

    def _touch(self) -> None:
        """A stick or key of this station is moved: it takes over from a behaviour."""
        slot = self.devices.inputs.behaviours
        if slot.flying is not None:
            self._set_source(self._source_before)  # first, so that no step finds no device
            slot.touch()

    def drag(self, moved: Mapping[Control, float]) -> None:
        """An on-screen stick was dragged: these controls are there now."""
        if self._transmitter is not None:
            self._touch()
            self._transmitter.dragged = moved_sticks(self._transmitter.dragged, moved)

    # The right to the aircraft, which a set-up or a test may have instead

    def _why_no_right(self) -> str:
        return self._right.why_not(self)

    def _take_right(self, transmitter: Transmitter) -> None:
        if not self._why_no_right():
            self._right.take(self, FLYING)
        transmitter.take_up()

    def _follow_right(self, flight: FlightState) -> None:
        """Give it up on the ground; send nothing at all while somebody else has it there."""
        if flight.armed != "Disarmed" or self._procedure is not None:
            return
        self._right.free(self)
        if self._why_no_right() and self._transmitter is not None:
            self._transmitter.request = replace(self.request, transmitting=False)

    def _say(self, stopped: str, flight: FlightState | None) -> None:
        """Have the alarm strip say that an armed aircraft gets no sticks, that a device goes on
        flying while another program has the focus, and what is dangerous about the failsafe."""
        found = Finding(Level.ERROR, "sticks", stopped, title="No sticks") if stopped else None
        notices = notices_of(self._vehicle)
        notices.say("pilot.sticks", found)
        danger = self._danger.read(self._read) if flight is not None else None
        notices.say("pilot.failsafe", danger)
        is_armed = flight is not None and flight.is_armed
        flies = is_armed and self.request.transmitting and self.request.source == "gamepad"
        is_told = self.is_unfocused and flies and not stopped
        notices.say("pilot.focus", UNFOCUSED if is_told else None)

    def _begin(self, procedure: ArmingProcedure) -> None:
        if self._transmitter is not None:
            self.end_behaviour()
            self._procedure = procedure
            self._asked_s = self._followed_s = self._vehicle.end_s
            self._take_right(self._transmitter)
            self._transmitter.request = guide.make(self.request, procedure.sticks)

    def _go_on(
        self, transmitter: Transmitter, procedure: ArmingProcedure, situation: Situation
    ) -> str:
        """Take what it asks for over; say why, if it has come to nothing."""
        now = self._vehicle.end_s
        looked_away = not procedure.has_armed and now - self._followed_s > LOOKED_AWAY_S
        self._followed_s = now
        is_too_late = not procedure.has_armed and now - self._asked_s > ARMING_PATIENCE_S
        if not (looked_away or is_too_late):
            procedure.update(now, self._read)
            transmitter.request = guide.make(transmitter.request, procedure.sticks)
            if procedure.is_under_way:
                return ""
        self._procedure = None
        if procedure.is_armed:
            transmitter.request = guide.let_go(transmitter.request, procedure.sticks)
            self._armed_before = "Armed"
            return ""
        transmitter.request = guide.disarm(transmitter.request, situation)
        return OUT_OF_SIGHT if looked_away else _refusal(procedure)

    def _read(self, name: str) -> Sample | None:
        return self._read_past(name, 0.0)

    def _read_past(self, name: str, seconds: float) -> Sample | None:
        return self._vehicle.recording.latest(name, self._vehicle.end_s - seconds)

    def _is_flying(self, flight: FlightState, is_fixed_wing: bool) -> bool:
        """As far as is known. While it takes off it counts as standing until it surely climbs."""
        if not flight.is_armed or self._procedure is not None:
            return False
        if is_fixed_wing:
            return _is_moving(flight)
        return _thrust(self._vehicle.recording, flight.t) > FLYING_THRUST


def _refusal(procedure: ArmingProcedure) -> str:
    """What stands in the way, in the checklist's words."""
    remedy = procedure.obstacle.remedy if procedure.obstacle is not None else ""
    what = "Not taken off" if procedure.has_armed else "Not armed"
    return f"{what}. {procedure.reason} {remedy}".rstrip()


def seat_of(vehicle: Vehicle) -> Seat:
    """The one seat of an aircraft."""
    return vehicle.attachment("pilot.seat", lambda: Seat(vehicle))


@dataclass(frozen=True, slots=True)
class _SetUp:
    """What the settings on board say about flying from a station."""

    switches: Switches
    is_fixed_wing: bool


def _read_set_up(read: Read) -> _SetUp:
    settings = read("SystemSettings")
    is_fixed_wing = settings is not None and str(settings["AirframeType"]).startswith("FixedWing")
    return _SetUp(read_switches(read), is_fixed_wing)


def _is_moving(flight: FlightState) -> bool:
    return (flight.groundspeed_mps or 0.0) > FLYING_MPS or (flight.height_m or 0.0) > FLYING_M


def _thrust(recording: Recording, t: float) -> float:
    """The thrust the autopilot uses, 0 to 1."""
    actuator = recording.latest("ActuatorDesired", t)
    if actuator is None:
        return 0.0
    name = "Thrust" if actuator.definition.has_field("Thrust") else "Throttle"
    return max(0.0, min(1.0, float(actuator.raw(name))))
