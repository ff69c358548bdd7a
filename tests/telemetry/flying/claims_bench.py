"""A flight whose claims are judged: beside the wire and the board's own words as they arrive.

The oracle decodes what passes at the station's end of the link by itself, and knows the faults that
it injects. A sentence that it has no truth for is refused: nothing is said unjudged.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from telemetry.base.finding import Level
from telemetry.flying.actions import why_not_take_off
from telemetry.flying.controls import FlightControls
from telemetry.flying.inputs.device_input import DeviceInput, DeviceInputs
from telemetry.flying.situation import Situation
from telemetry.flying.switches import GUIDED_MODES
from telemetry.flying.transmitter.order import Source
from telemetry.flying.transmitter.transmitter import PERIOD_S, StickOutlet, Transmitter
from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.frame import DATA_TYPES, FrameType, encode
from telemetry.recording.flight_state import FlightState
from telemetry.recording.mode_words import mode_words
from telemetry.recording.sample import Sample
from telemetry.vehicle.conversation import Conversation
from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.notices import notices_of
from telemetry.vehicle.sticks import ARM_SWITCH, PITCH, ROLL, YAW, Sticks, channels_us
from tests.flown_bench import FlownBench
from tests.telemetry.flying.transmitter.transmitting import SteppedTransmitter

LOOK_S: Final = 0.05
"""The window looks 20 times a second."""
AGREE_S: Final = 0.5
"""So much later than the board's word arrives, or the wire changes, claims may agree with it."""
LATE_S: Final = 0.15
"""So late the worker may tell the window what it has heard."""
_AMBER_S, _RED_S = 1.0, 2.0
_LOOKS: Final = round(AGREE_S / LOOK_S) + 2
_SENT_LAST_S: Final = 0.045
"""Sticks go out every 0.02 s."""
_BATTERY_LASTS_S: Final = 1000.0
_NEUTRAL_US: Final = 1500
_ON_US: Final = 1900
STICK: Final = Sticks(yaw=0.1, throttle=0.5)
"""The pilot holds it aside all the time, so that neutral sticks are never the pilot's."""
_WORDS: Final = ("FlightStatus", "ManualControlCommand", "SystemAlarms")


class TappedQueue:
    """What was written to a link and has not left, once it is blocked; the rest is delivered."""

    delivery_s = 0.25

    def __init__(self) -> None:
        self.is_blocked = False
        self._waiting = 0

    def put(self, count: int) -> bool:
        """Whether so many bytes leave."""
        self._waiting = self._waiting + count if self.is_blocked else 0
        return not self.is_blocked

    def waiting_bytes(self) -> int:
        return self._waiting

    def unsent_bytes(self) -> int:
        return self._waiting

    def discard(self) -> None:
        self._waiting = 0


class TappedLink:
    """A link at the station's end: notes what leaves and what arrives, and may lose either."""

    can_write = True
    progress = ""

    def __init__(
        self,
        inner: FaultyLink,
        clock: Callable[[], float],
        definitions: Mapping[str, ObjectDefinition],
    ) -> None:
        self.name, self.address = inner.name, inner.address
        self.queue = TappedQueue()
        self.loses_sent = self.loses_heard = False
        self.heard_s = self.sent_s = self.neutral_s = -1.0
        self.channels: tuple[int, ...] = ()
        self.word = BoardSays()
        self._inner = inner
        self._clock = clock
        self._receiver = definitions["GCSReceiver"]
        self._definitions = {d.object_id: d for d in definitions.values()}
        self._up, self._down = FrameDecoder(), FrameDecoder()

    @property
    def is_neutral(self) -> bool:
        """Whether what left last keeps it flying with neutral sticks."""
        is_armed = self.channels[ARM_SWITCH] > _ON_US
        return is_armed and {self.channels[i] for i in (ROLL, PITCH, YAW)} == {_NEUTRAL_US}

    def read(self, timeout_s: float) -> bytes:
        data = self._inner.read(timeout_s)
        if self.loses_heard:
            return b""
        for frame in self._down.feed(data):
            self.heard_s = self._clock()
            definition = self._definitions.get(frame.object_id)
            if definition is not None and frame.type in DATA_TYPES:
                self.word.take(_sample(self._clock(), definition, frame.body))
        return data

    def write(self, data: bytes) -> None:
        if not self.queue.put(len(data)):
            return
        for frame in self._up.feed(data):
            if frame.object_id == self._receiver.object_id and frame.type in DATA_TYPES:
                self.sent_s = self._clock()
                self.channels = _sample(self.sent_s, self._receiver, frame.body)["Channel"]
                if self.is_neutral:
                    self.neutral_s = self.sent_s
        if not self.loses_sent:
            self._inner.write(data)

    def close(self) -> None:
        self._inner.close()


def _sample(t: float, definition: ObjectDefinition, body: bytes) -> Sample:
    return Sample(t, definition, 0, row_of(definition, body[-definition.size :]))


@dataclass
class BoardSays:
    """The newest word of each kind, as it arrived."""

    mode: str = ""
    armed: str = ""
    acts: bool = False
    acts_s: float = 0.0
    """When it said whether its failsafe acts."""

    def take(self, said: Sample) -> None:
        if said.definition.name == "FlightStatus":
            self.mode, self.armed = str(said["FlightMode"]), str(said["Armed"])
        elif said.definition.name == "ManualControlCommand":
            self.acts, self.acts_s = str(said["Connected"]).upper() == "FALSE", said.t
        elif said.definition.name == "SystemAlarms":
            self.acts, self.acts_s = str(said["Alarm.Receiver"]) == "Warning", said.t


@dataclass(frozen=True)
class Facts:
    """What is so at one look, by the oracle."""

    sends_nothing: bool
    sent_neutral: bool
    sends_neutral: bool
    is_armed: bool
    heard_before_s: float
    acts: bool
    acts_on: bool
    """It says so though it had time to hear what was asked for last."""
    mode: str
    true_mode: str
    """Of the simulated aircraft itself; "" while no word of it can be expected."""
    flies_from_here: bool
    causes: frozenset[str]


ADVICE: Final = re.compile(
    r"Press Fly by hand to take over again\.|Choose [\w -]+ again to go on\.|End it first\.|"
    r"Plug it in, or choose another, and take over again\.|details are in the log\."
)
CAUSES: Final = {
    r"Motor test is under way\.": "right is lost",
    r"The sticks wait for the link\.": "link takes nothing",
}
"""What is said to be so now, and what it is true by."""
EVENTS: Final = {
    r"The input device, or the behaviour in its place, was lost\.": "device is gone",
    r"The input device, or the behaviour in its place, fell silent\.": "device is silent",
    r"The window did not answer\.": "window is stalled",
    r"Nothing was heard of the aircraft for 1 s\.": "link is silent",
    r"Another window took the keys and the mouse\.": "focus is lost",
    r"Something else took the aircraft\.": "right is lost",
    r"The station stood still or the computer slept\.": "station stood still",
    r"The controls went out of sight\.": "went out of sight",
    r"You have let go\.": "let go",
    r"The transmitter has failed;": "transmitter has failed",
    r"The aircraft heard no sticks for too long\.": "failsafe acts",
}
"""What is said to have been so, and was since the pilot took over."""
ACTS: Final = r"The aircraft says that its failsafe acts: ([\w -]+)\."
ACTS_IN: Final = r"its failsafe acts: ([\w -]+)\."
ACTS_NOT: Final = r"The aircraft does not say that its failsafe acts\."
ENDED: Final = r"(?:^|(?<=\. ))([\w -]+) has ended on board\."
NOTHING: Final = r"Nothing is sent\."
NEUTRAL: Final = r"Neutral sticks are sent\."
SENT: Final = r"Sticks are sent\."
UNSURE: Final = r"It is not known whether the aircraft still flies [\w -]+\."


class JudgedFlight(FlownBench):
    """Flown by hand or guided, and judged at every look. `wrong` is what was said falsely, or not
    said."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.wrong: list[str] = []
        self.is_window_there = False
        self.runs_transmitter = True
        self.device: Callable[[], DeviceInput | None] = lambda: None
        self.happened: set[str] = set()
        self.words: set[tuple[str, str]] = set()
        """Modes and states of arming that the board has said since the pilot took over."""
        self.now_so: set[str] = set()
        self._next_s = self._look_s = self._asked_s = 0.0
        self._text: str | None = None
        self._seen: FlightState | None = None
        self._facts: deque[Facts] = deque(maxlen=_LOOKS)
        super().__init__(catalogue)
        self.controls = FlightControls(self.vehicle, self._make)
        self.controls.join()
        self.is_window_there = True
        self.prepare()
        self.run(lambda: why_not_take_off(self.look()[1]) is None)
        self.controls.take_source("gamepad")
        self.device = self.stick_held
        self.controls.take_off(self.look()[1])
        self.until(lambda flight: self.climbed_m > 2.0)

    def connect(self) -> None:
        super().connect()
        names = (*_WORDS, "GCSReceiver")
        definitions = {name: self.catalogue.find(name, DEFAULT_RELEASE) for name in names}
        self._receiver = definitions["GCSReceiver"]
        self.tap = TappedLink(self.link, self.clock, definitions)
        self._conversation = Conversation(self.tap, self._setup, self._show)
        self._conversation.start()

    def _make(self, outlet: StickOutlet) -> Transmitter:
        self.transmitter = SteppedTransmitter(outlet, self.clock, find_devices=_fail)
        return self.transmitter

    def prepare(self) -> None:
        """What is set up before the flight."""

    # Time

    def step(self) -> None:
        """A round of the worker, of the transmitter, and of the window, which looks and is judged
        if it is there."""
        super().step()
        if not hasattr(self, "transmitter"):
            return
        if self.runs_transmitter and self.clock.now >= self._next_s:
            self._next_s = self.clock.now + PERIOD_S
            self.transmitter.step(PERIOD_S, self.device())
        if self.clock.now >= self._look_s:
            self._look_s = self.clock.now + LOOK_S
            self._facts.append(self._find_facts())
            if self.is_window_there:
                self._seen, situation = self.look()
                self.controls.follow(self._seen, situation)
                self._judge(self._seen)
            else:
                self._text = None

    def look(self) -> tuple[FlightState, Situation]:
        return self.controls.situation_at(self.vehicle.end_s)

    def until(self, reached: Callable[[FlightState], bool], limit_s: float = 40.0) -> None:
        """By what the window sees, which has to be there."""
        self._seen = None
        self.run(lambda: self._seen is not None and reached(self._seen), limit_s)

    def stall(self, seconds: float) -> None:
        """The computer stands still, and the aircraft flies on."""
        for _ in range(round(seconds / PERIOD_S)):
            self.autopilot.run_loop()
        self.clock.now += seconds
        self.happened |= {"station stood still", "window is stalled"}

    # Flying

    def stick_held(self) -> DeviceInput:
        return DeviceInput(STICK, "Pad", self.clock.now)

    def climb(self) -> None:
        """All faults end, and it flies by hand at some height."""
        self.link.faults = Faults()
        self.tap.loses_sent = self.tap.loses_heard = self.tap.queue.is_blocked = False
        self.is_window_there, self.now_so = True, set()
        exclusive_of(self.vehicle).free(self)
        self.pass_time(0.5)
        self.controls.take_source("gamepad")
        stick = Sticks(yaw=0.1, throttle=0.9)
        self.device = lambda: DeviceInput(stick, "Pad", self.clock.now)
        self.ask("Fly by hand")
        self.until(lambda flight: self.climbed_m > 40.0)
        self.device = self.stick_held
        self.until(lambda flight: flight.flight_mode == "Stabilized2")
        self.pass_time(0.5)

    def begin(self, action: str, source: Source) -> None:
        """From some height on, with a stick aside; what was wrong before is another flight's."""
        self.climb()
        self.controls.take_source(source)
        self.controls.press(frozenset({"D"} if source in ("keyboard", "either") else ()))
        if source in ("screen", "either"):
            self.controls.drag({"yaw": STICK.yaw, "throttle": STICK.throttle})
        self.ask(action)
        mode = GUIDED_MODES.get(action, "Stabilized2")
        self.until(lambda flight: flight.flight_mode == mode)
        self.pass_time(0.5)
        self.wrong.clear()
        self.happened.clear()
        self.words.clear()
        self.pass_time(1.0)

    def ask(self, action: str) -> None:
        """The pilot presses."""
        self._asked_s = self.clock.now
        self.controls.act(action, self.look()[1])

    @property
    def can_go_on(self) -> bool:
        """Whether the aircraft still flies, and its battery lasts for one more."""
        has_crashed = self.autopilot.simulator.output["crashed"]
        is_fresh = self.clock.now < _BATTERY_LASTS_S
        return is_fresh and self.look()[0].is_armed and not has_crashed

    def suffer(self, fault: str, seconds: float) -> None:
        """`fault` is so for some time."""
        self.now_so.add(fault)
        self.pass_time(seconds)
        self.now_so.discard(fault)

    def say_to_board(self, sticks: Sticks) -> None:
        """Another transmitter's sticks."""
        values = {"Channel": channels_us(sticks, 6, len(self.tap.channels))}
        payload = pack_values(self._receiver, values)
        self.autopilot.receive(encode(FrameType.OBJ, self._receiver.object_id, payload, 0))

    # Judging

    def _find_facts(self) -> Facts:
        now, word, tap, request = self.clock.now, self.tap.word, self.tap, self.controls.request
        sends = now - tap.sent_s < _SENT_LAST_S
        is_heard = now - tap.heard_s < AGREE_S and self.link.faults == Faults()
        causes = set(self.now_so)
        if now - tap.heard_s > 1.0:
            causes.add("link is silent")
        if word.acts:
            causes.add("failsafe acts")
        self.happened |= causes
        self.words.add((word.mode, word.armed))
        return Facts(
            not sends,
            now - tap.neutral_s < 2 * _SENT_LAST_S,
            sends and tap.is_neutral,
            word.armed == "Armed",
            now - tap.heard_s,
            word.acts,
            word.acts and word.acts_s > self._asked_s + AGREE_S,
            word.mode,
            self.autopilot.board["FlightStatus"].option("FlightMode") if is_heard else "",
            request.transmitting and not request.stops_motors,
            frozenset(causes),
        )

    def _judge(self, flight: FlightState) -> None:
        """At the look after it was said, since the worker is a round behind the transmitter."""
        if self._text is not None:
            for wrong in (*self._false(self._text), *self._missing(self._text)):
                self.wrong.append(
                    f"{self.clock.now:.2f} {wrong} | {self._text} | {self._facts[-1]}"
                )
        shown, age_s = self.vehicle.status.age_level, self._facts[-1].heard_before_s
        if shown not in {_level_at(age_s - LATE_S), _level_at(age_s + LATE_S)}:
            self.wrong.append(f"{self.clock.now:.2f} the link is {shown} at an age of {age_s:.2f}")
        told = self.controls.stopped(flight)
        text = self._text = "" if told is None else told.text
        if told is not None and told.about != self.vehicle.name:
            self.wrong.append(f"it is said of {told.about}")
        noted = [n.text for n in notices_of(self.vehicle).all if n.code == "sticks"]
        if noted != ([text] if text and flight.is_armed else []):
            self.wrong.append(f"{noted} is noted, and not {text!r}")

    def _false(self, text: str) -> Iterator[str]:
        """What of it is not so, and was not half a second ago either."""
        rest = text
        for pattern, is_true in self._truths().items():
            for found in re.finditer(pattern, text):
                if not any(is_true(found, facts) for facts in self._facts):
                    yield f"false: {found.group()}"
            rest = re.sub(pattern, "", rest)
        if rest := ADVICE.sub("", rest).strip():
            yield f"unjudged: {rest}"

    def _truths(self) -> dict[str, Callable[[re.Match[str], Facts], bool]]:
        truths: dict[str, Callable[[re.Match[str], Facts], bool]] = {
            NOTHING: lambda _, facts: facts.sends_nothing,
            UNSURE: lambda _, facts: facts.sends_nothing,
            SENT: lambda _, facts: not facts.sends_nothing,
            NEUTRAL: lambda _, facts: facts.sent_neutral,
            ACTS: lambda said, facts: facts.acts and mode_words(facts.mode) == said[1],
            ACTS_IN: lambda said, facts: mode_words(facts.true_mode) in ("", said[1]),
            ACTS_NOT: lambda _, facts: not facts.acts,
            ENDED: lambda said, _: bool(self._told_words() - {(said[1], "Armed")}),
        }
        for pattern, cause in CAUSES.items():
            truths[pattern] = partial(_is_so, cause)
        for pattern, cause in EVENTS.items():
            truths[pattern] = partial(self._was_so, cause)
        return truths

    def _told_words(self) -> set[tuple[str, str]]:
        return {(mode_words(mode), armed) for mode, armed in self.words}

    def _was_so(self, cause: str, _said: re.Match[str], _facts: Facts) -> bool:
        return cause in self.happened

    def _missing(self, text: str) -> Iterator[str]:
        """What has been so for half a second and is not said."""
        facts = self._facts
        if len(facts) < _LOOKS or not all(f.is_armed and f.flies_from_here for f in facts):
            return
        if all(f.sends_nothing for f in facts) and not re.search(NOTHING, text):
            yield "missing: nothing is sent"
        if all(f.sends_neutral for f in facts) and not re.search(NEUTRAL, text):
            yield "missing: neutral sticks are sent"
        if all(f.acts_on for f in facts) and not re.search(ACTS, text):
            yield "missing: the failsafe acts"


def _level_at(age_s: float) -> Level:
    """What the age of a link means."""
    if age_s > _RED_S:
        return Level.ERROR
    return Level.WARNING if age_s > _AMBER_S else Level.OK


def _is_so(cause: str, _said: re.Match[str], facts: Facts) -> bool:
    return cause in facts.causes


def _fail() -> DeviceInputs | None:
    raise RuntimeError("a fault of a device")
