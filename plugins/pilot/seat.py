"""The pilot's seat of one aircraft: what the pilot asked for, and the transmitter that sends it.

There is one seat for each aircraft, however many panels show it, so that two panels never send
different switches. It transmits as long as somebody sits in it.
"""

from collections.abc import Callable
from dataclasses import replace

from plugins.pilot import guide
from plugins.pilot.guide import Situation
from plugins.pilot.switches import read_switches
from plugins.pilot.transmitter import PilotRequest, Source, Transmitter, TransmitterState
from telemetry.configuration.arming.checklist import arming_checklist
from telemetry.flight_state import FlightState, read_flight_state
from telemetry.recording.recording import Recording
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import LinkState, Vehicle

FLYING_THRUST = 0.15
FLYING_MPS, FLYING_M = 3.0, 5.0
"""An aeroplane flies when it moves so fast, or is so high above home: its motor may run before
the throw, and rests in a glide."""
ARMING_PATIENCE_S = 4.0
REFUSED = "Not armed: the aircraft refused. The alarms in the strip above say why."

Send = Callable[[Sticks | None], None]


class Seat:
    """Flies one aircraft for the panels that joined."""

    def __init__(
        self, vehicle: Vehicle, make_transmitter: Callable[[Send], Transmitter] = Transmitter
    ) -> None:
        self._vehicle = vehicle
        self._make_transmitter = make_transmitter
        self._transmitter: Transmitter | None = None
        self._sitting = 0
        self._armed_before: str | None = None
        self._asked_to_arm_s: float | None = None

    def join(self) -> None:
        """Sit down. The first one starts the transmitter."""
        self._sitting += 1
        if self._transmitter is None:
            self._transmitter = self._make_transmitter(self._vehicle.commands.set_sticks)
            self._transmitter.on_stop = self._vehicle.commands.stop_sticks
            self._transmitter.start()

    def leave(self) -> None:
        """Stand up. With the last one the stream ends, and the aircraft's failsafe acts."""
        self._sitting -= 1
        if self._sitting <= 0:
            self.close()

    def close(self) -> None:
        """End the transmitter. Closing twice is fine."""
        if self._transmitter is not None:
            self._transmitter.stop()
        self._transmitter, self._sitting = None, 0
        self._armed_before = self._asked_to_arm_s = None

    @property
    def state(self) -> TransmitterState:
        """What is being sent."""
        return self._transmitter.state if self._transmitter else TransmitterState()

    @property
    def request(self) -> PilotRequest:
        """What the pilot wants."""
        return self._transmitter.request if self._transmitter else PilotRequest()

    @property
    def is_arming(self) -> bool:
        """Whether arming was asked for and has not come about yet."""
        return self._asked_to_arm_s is not None

    @property
    def is_stopping(self) -> bool:
        """Whether motors off is what is being sent."""
        request = self.request
        return request.transmitting and not request.arm and request.throttle == "cut"

    def look(self, t: float) -> tuple[FlightState, Situation]:
        """The aircraft now, or at `t` in a replay, and what that allows."""
        vehicle = self._vehicle
        now = vehicle.end_s if vehicle.is_live else t
        flight = read_flight_state(vehicle.recording, now)
        is_fixed_wing = _is_fixed_wing(vehicle.recording, now)
        situation = Situation(
            refusal=vehicle.commands.refusal(),
            switches=read_switches(vehicle.recording, now),
            armed=flight.armed,
            is_link_lost=vehicle.status.state in (LinkState.LOST, LinkState.RECONNECTING),
            is_flying=flight.is_armed
            and (
                _is_moving(flight)
                if is_fixed_wing
                else _thrust(vehicle.recording, now) > FLYING_THRUST
            ),
            is_fixed_wing=is_fixed_wing,
        )
        return flight, situation

    def follow(self, flight: FlightState, situation: Situation) -> str:
        """Give a sign of life; turn the arming switch off once the aircraft has disarmed itself,
        or did not arm. Returns what the pilot must be told, or "".
        """
        transmitter = self._transmitter
        if transmitter is None:
            return ""
        transmitter.beat()
        if flight.armed is None:
            return ""
        landed = self._armed_before == "Armed" and flight.armed == "Disarmed"
        refused = flight.armed == "Disarmed" and self._waited_s(flight.t) > ARMING_PATIENCE_S
        if flight.armed == "Armed" or refused:
            self._asked_to_arm_s = None
        if landed or refused:
            transmitter.request = guide.disarm(transmitter.request, situation.switches)
        self._armed_before = flight.armed
        return self._why_refused() if refused else ""

    def _why_refused(self) -> str:
        """What the arming checklist finds in the way, the first of it."""
        recording, now = self._vehicle.recording, self._vehicle.end_s
        blocking = arming_checklist(lambda name: recording.latest(name, now)).blocking
        if not blocking:
            return REFUSED
        first = blocking[0]
        return f"Not armed. {first.title}: {first.text} Configure, Flight modes, says what to do."

    def arm(self, situation: Situation) -> None:
        """Ask for arming, if it is possible."""
        if self._transmitter is not None and guide.why_not_arm(situation) is None:
            self._transmitter.request = guide.arm(self.request, situation.switches)
            self._asked_to_arm_s = self._vehicle.end_s

    def disarm(self, situation: Situation) -> None:
        """Ask for motors off, now, whoever armed them."""
        if self._transmitter is not None:
            request = guide.disarm(self.request, situation.switches)
            self._transmitter.request = replace(request, transmitting=True)

    def act(self, action: str, situation: Situation) -> None:
        """Do one of guide.ACTIONS, if it is possible."""
        if self._transmitter is None or guide.why_not(action, situation) is not None:
            return
        if action == "Fly by hand":
            # The middle, or the thrust the autopilot uses now, so that taking over does not jump.
            recording = self._vehicle.recording
            springs = guide.throttle_for(action, situation) == "spring"
            present = _thrust(recording, recording.last_s)
            self._transmitter.set_throttle(0.5 if springs else present)
        self._transmitter.request = guide.choose(self.request, action, situation)

    def take_source(self, source: Source) -> None:
        """Let the sticks come from `source`."""
        if self._transmitter is not None:
            self._transmitter.request = replace(self.request, source=source)

    def press(self, keys: frozenset[str]) -> None:
        """These flying keys are down now."""
        if self._transmitter is not None:
            self._transmitter.pressed = keys

    def drag_left(self, yaw: float, throttle: float) -> None:
        """The left stick was dragged on screen."""
        if self._transmitter is not None:
            dragged = self._transmitter.dragged
            self._transmitter.dragged = replace(dragged, yaw=yaw, throttle=throttle)

    def drag_right(self, roll: float, pitch: float) -> None:
        """The right stick was dragged on screen."""
        if self._transmitter is not None:
            self._transmitter.dragged = replace(self._transmitter.dragged, roll=roll, pitch=pitch)

    def _waited_s(self, now: float) -> float:
        return 0.0 if self._asked_to_arm_s is None else now - self._asked_to_arm_s


def seat_of(vehicle: Vehicle) -> Seat:
    """The one seat of an aircraft."""
    return vehicle.attachment("pilot.seat", lambda: Seat(vehicle))


def _is_fixed_wing(recording: Recording, t: float) -> bool:
    settings = recording.latest("SystemSettings", t)
    return settings is not None and str(settings["AirframeType"]).startswith("FixedWing")


def _is_moving(flight: FlightState) -> bool:
    return (flight.groundspeed_mps or 0.0) > FLYING_MPS or (flight.height_m or 0.0) > FLYING_M


def _thrust(recording: Recording, t: float) -> float:
    """The thrust the autopilot uses, 0 to 1."""
    actuator = recording.latest("ActuatorDesired", t)
    if actuator is None:
        return 0.0
    name = "Thrust" if actuator.definition.has_field("Thrust") else "Throttle"
    return max(0.0, min(1.0, float(actuator.raw(name))))
