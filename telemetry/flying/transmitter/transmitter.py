"""Transmitter of the station: a thread that turns an order into a steady stream of sticks.

It stands between the GUI and the connection's worker so that a slow window neither moves nor
stops the sticks. While it transmits it hands over fresh sticks 50 times a second: the pilot's, or
what the table of lost sticks says while they are lost; when it ends, the worker's stream ends too
and the aircraft is left to its own receiver failsafe.

The GUI thread says what is asked of it as one value, `carry_out(order)`; what is sent is read from
another, `state`. Neither is ever written by the other side.
"""

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from telemetry.base.clock import monotonic_s
from telemetry.base.finding import Level
from telemetry.flying.inputs.device_input import DeviceInput, DeviceInputs
from telemetry.flying.transmitter.board_word import TOLD_LATE_S, BoardWord, GroundWatch
from telemetry.flying.transmitter.keyboard_sticks import PushedSticks, step_keyboard
from telemetry.flying.transmitter.lost_sticks import (
    DISARMED,
    ON_THE_GROUND,
    LostSticksRow,
)
from telemetry.flying.transmitter.order import PilotRequest, StickOrder
from telemetry.flying.transmitter.release import (
    DEVICE,
    FAILED,
    HOLD_AFTER_S,
    PATIENCE_S,
    DevicePresence,
    Release,
    Signs,
    StreamVerdict,
)
from telemetry.recording.events import Kind
from telemetry.vehicle.sticks import Sticks

PERIOD_S = 0.02
STALE_WINDOW_S = 1.0
"""Without a sign of life from the window for so long nobody is looking, and nothing is armed."""
_NOBODY = "Nobody flies from this station any more."


@dataclass(frozen=True, slots=True)
class TransmitterState:
    """What is being sent, for showing. `device` is the input device's name, "" without one;
    `stopped` why nothing goes out; `held` why what the table of lost sticks says goes out instead
    of the pilot's; both since `since_s` on the transmitter's clock. `stops` is how often a device's
    stop button was pressed; `has_failed` whether a fault has ended the thread: `restart` begins
    without input devices."""

    sticks: Sticks = field(default_factory=Sticks)
    device: str = ""
    stopped: str = ""
    held: str = ""
    since_s: float = 0.0
    stops: int = 0
    has_failed: bool = False


@dataclass(frozen=True, slots=True)
class StickOutlet:
    """Where sticks go: `send` for each reading, `stop` with the reason in the place of the next
    one. `why_no_right` is asked before everything that is sent: why the aircraft is somebody
    else's now. `board` is what the board has said; `ask_board` has it say so anew. `note` has it in
    the recording that something happened: its kind, how much it matters, a short statement."""

    send: Callable[[Sticks], None]
    stop: Callable[[str], None]
    why_no_right: Callable[[], str] = lambda: ""
    board: Callable[[], BoardWord] = BoardWord
    ask_board: Callable[[], None] = lambda: None
    note: Callable[[Kind, Level, str], None] = lambda _kind, _level, _text: None


def _no_devices() -> DeviceInputs | None:
    return None


class Transmitter:
    """Streams sticks while the pilot asks for it."""

    def __init__(
        self,
        outlet: StickOutlet,
        clock: Callable[[], float] = monotonic_s,
        find_devices: Callable[[], DeviceInputs | None] = _no_devices,
    ) -> None:
        self._state = TransmitterState()
        self._outlet = outlet
        self._clock = clock
        self._find_devices = find_devices
        self._order = StickOrder(alive_s=clock())
        self._stops = 0
        self._manual = Sticks()
        self._pushed = PushedSticks(Sticks(), Sticks())
        self._placed = self._order.placed
        self._release = Release()
        self._asked, self._asked_s = self._order.asked, self._order.alive_s
        """Which time of asking `_release` is about, and when that was."""
        self._left_over: PilotRequest | None = None
        """What was asked for before somebody else took the aircraft."""
        self._had_device = self._was_told = False
        self._flight = GroundWatch()
        self._throttle = 0.0
        """The one that was sent last."""
        self._sent: Sticks | None = None
        self._stepped_s = self._order.alive_s
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lapwing-transmitter")

    @property
    def order(self) -> StickOrder:
        """What is carried out: what was ordered, or motors off once a device's button has asked for
        that, until somebody who knows of it orders something else."""
        order, stops = self._order, self._stops
        return order if order.stops_seen == stops else order.stopped(stops)

    @property
    def state(self) -> TransmitterState:
        """What is being sent. The thread alone writes it; who has let go is told so at once."""
        state, order = self._state, self.order
        if state.stopped or state.held or not order.let_go or order.request.stops_motors:
            return state
        if order.request.is_by_hand:
            return replace(state, held=order.let_go)
        return replace(state, stopped=order.let_go)

    def carry_out(self, order: StickOrder) -> None:
        """Do this from the next period on."""
        self._order = order

    def beat(self) -> None:
        """A sign of life from the window."""
        self.carry_out(replace(self.order, alive_s=self._clock()))

    @property
    def told_for_s(self) -> float:
        """How long it has been so what `state` says of why the pilot's sticks do not go out."""
        return self._clock() - self._state.since_s

    @property
    def asked_for_s(self) -> float:
        """How long ago what is carried out was asked for."""
        return self._clock() - self._asked_s

    @property
    def has_let_go(self) -> bool:
        """Whether nothing goes out until it is asked for anew."""
        order = self._order
        return bool(order.let_go or (order.asked == self._asked and self._release.ended))

    @property
    def is_forgotten(self) -> bool:
        """Whether the window has given no sign of life for a while: nobody is looking."""
        return self._clock() - self._order.alive_s > STALE_WINDOW_S

    def start(self) -> None:
        """Begin watching input devices; nothing is sent before an order asks for it."""
        self._thread.start()

    def stop(self) -> None:
        """Stop sending and end the thread. Stopping twice is fine."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join()

    def restart(self) -> None:
        """Go on after a fault, without input devices: motors off must go out."""
        self._thread.join()
        self._state = replace(self._state, has_failed=False)
        self._find_devices = _no_devices
        self._thread = threading.Thread(target=self._run, name="lapwing-transmitter")
        self._thread.start()

    # The transmitter's thread

    def step(self, dt_s: float, device: DeviceInput | None) -> None:
        """Work out the sticks and hand them over: one period of the thread."""
        now = self._clock()
        if device is not None:
            if device.stops:  # without waiting for the window
                self._stops += 1
                self._left_over = None
            if not _is_sound(device.sticks):
                device = None  # what says no numbers is no device
        order = self.order
        no_right = self._outlet.why_no_right()
        verdict = self._judge(order, device, now, no_right)
        stall_s, self._stepped_s = now - self._stepped_s, now
        sticks = self._blend(order, device, dt_s, now)
        if verdict.row is not None:
            sticks = verdict.row.sticks(order.request.sticks(Sticks()), self._throttle)
        is_sent = not verdict.why or verdict.row is not None
        name = device.name if device else ""
        before = self._state
        self._tell(replace(before, sticks=sticks, device=name, stops=self._stops), verdict)
        if order.request.transmitting and order.request.arm:
            self._note(before, stall_s)
        self._sent = None
        if not order.request.transmitting:
            return
        if is_sent:
            self._sent, self._throttle = sticks, sticks.throttle
            self._outlet.send(sticks)
        elif not (no_right and self._was_told):
            self._outlet.stop(verdict.why)  # once it is somebody else's stream that it would end
        self._was_told = not is_sent
        if verdict.asks_board:
            self._outlet.ask_board()

    def _tell(self, state: TransmitterState, verdict: StreamVerdict) -> None:
        """Show it, with what stands against the pilot's sticks, and since when that does."""
        is_held = verdict.row is not None
        told = ("", verdict.why) if is_held else (verdict.why, "")
        since_s = state.since_s if told == (state.stopped, state.held) else self._clock()
        self._state = replace(state, stopped=told[0], held=told[1], since_s=since_s)

    def _note(self, before: TransmitterState, stall_s: float) -> None:
        """Have it in the recording what was lost, and that it is back."""
        now, note = self._state, self._outlet.note
        if stall_s > PATIENCE_S:
            note("hang", Level.WARNING, f"The station stood still for {stall_s:.1f} s")
        if now.held and now.held != before.held:
            cause = now.held.partition(". ")[0].rstrip(".")
            kind: Kind = "device" if cause.startswith(DEVICE) else "sticks"
            note(kind, Level.WARNING, f"{cause}; neutral sticks are sent")
        if (before.held or before.stopped) and not (now.held or now.stopped):
            note("sticks", Level.INFO, "The pilot's sticks are sent again")

    def _judge(
        self, order: StickOrder, device: DeviceInput | None, now: float, no_right: str
    ) -> StreamVerdict:
        """What may be sent that flies; motors off goes out whatever else is amiss, but what is left
        of it does not go into the stream of who has the aircraft after it."""
        request = order.request
        board = self._outlet.board()
        self._flight.step(now, board, self._sent)
        if order.asked != self._asked:
            self._asked, self._asked_s, self._release = order.asked, now, Release()
            self._had_device, self._left_over = False, None
        by_device = request.source == "gamepad"
        self._had_device = by_device and (self._had_device or device is not None)
        if not no_right:
            self._left_over = request
        if request.stops_motors:
            return StreamVerdict(no_right if request == self._left_over else "")
        if not request.transmitting:
            return StreamVerdict(order.let_go)
        absent: DevicePresence = "gone" if self._had_device else "none"
        signs = Signs(
            since_step_s=now - self._stepped_s,
            window_s=now - order.alive_s,
            device=absent if device is None else "there",
            device_s=0.0 if device is None else now - device.read_s,
            no_right=no_right,
            let_go=order.let_go,
            board=board,
            mode=board.table.mode_at(request.flight_mode_position),
            row=self._row(request, board),
        )
        return self._release.judge(now, signs, by_hand=request.is_by_hand, by_device=by_device)

    def _row(self, request: PilotRequest, board: BoardWord) -> LostSticksRow:
        """The row of the mode that is asked for, which the board may not have told yet; of the one
        it is in by hand, where it says a second later that it does not follow."""
        table = board.table
        mode = table.mode_at(request.flight_mode_position)
        if not (table.is_ground_vehicle or self._flight.may_fly):
            if board.armed == "Disarmed":
                return DISARMED
            if table.is_throttle_thrust(mode):
                return ON_THE_GROUND
        asked, flown = table.row_at(request.flight_mode_position), table.row(board.mode)
        is_late = self._clock() - board.status_age_s > self._asked_s + TOLD_LATE_S
        is_refused = asked.is_lasting and not flown.is_lasting and is_late
        return flown if is_refused and not request.is_by_hand else asked

    def _blend(
        self, order: StickOrder, device: DeviceInput | None, dt_s: float, now: float
    ) -> Sticks:
        """The chosen source's sticks with the switches."""
        request, manual = order.request, self._manual
        if order.placed is not self._placed:
            self._placed = order.placed
            if order.placed is not None:
                manual = replace(manual, throttle=order.placed.throttle)
                # What is dragged at the same moment counts, too.
                before = replace(order.dragged, throttle=manual.throttle)
                self._pushed = PushedSticks(before, Sticks(throttle=manual.throttle))
        springs = request.throttle == "spring"
        if request.source == "gamepad":
            manual = device.sticks if device else Sticks(throttle=manual.throttle)
        elif request.source == "keyboard":
            manual = step_keyboard(manual, order.pressed, dt_s, springs)
        elif request.source == "either":
            self._pushed = self._pushed.step(order.dragged, order.pressed, dt_s, springs)
            manual = self._pushed.sticks(springs)
        else:
            manual = order.dragged
        silent_s = now - order.alive_s
        if request.source != "gamepad" and silent_s > HOLD_AFTER_S:
            # A guided mode goes on; a stick that was held aside would fly it away.
            manual = Sticks(throttle=manual.throttle)
            self._pushed = PushedSticks(order.dragged, manual)
        self._manual = manual
        if silent_s > STALE_WINDOW_S and request.fixed is not None:
            return _unarmed(request.fixed)
        return request.sticks(manual)

    def _run(self) -> None:
        self._stepped_s = self._clock()
        devices: DeviceInputs | None = None
        try:
            devices = self._find_devices()
            self._run_periods(devices)
        finally:
            is_fault = not self._ending.is_set()
            why = FAILED if is_fault else _NOBODY
            if is_fault:
                self._asked = self._order.asked  # what was asked for before is over, too
                self._release.end(why)
                self._tell(self._state, StreamVerdict(why))
            if self.order.request.transmitting:
                self._outlet.stop(why)
            self._state = replace(self._state, has_failed=is_fault)
            if devices:
                devices.close()

    def _run_periods(self, devices: DeviceInputs | None) -> None:
        last = self._clock()
        while not self._ending.wait(PERIOD_S):
            now = self._clock()
            device = devices.read(now) if devices and self._order.hears_devices else None
            self.step(now - last, device)
            last = now


def _is_sound(sticks: Sticks) -> bool:
    return all(map(math.isfinite, (sticks.roll, sticks.pitch, sticks.yaw, sticks.throttle)))


def _unarmed(fixed: Sticks) -> Sticks:
    """Do not go on arming when nobody looks; a throttle that was raised stays."""
    if fixed.arm and not fixed.throttle:
        return Sticks(flight_mode_position=fixed.flight_mode_position)
    return fixed
