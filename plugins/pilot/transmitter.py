"""The station's transmitter: a thread that turns input devices into a steady stream of sticks.

It stands between the GUI and the connection's worker so that a slow window neither moves nor
stops the sticks. While it transmits it hands over fresh sticks 50 times a second; when it ends,
the worker's stream ends too and the aircraft's own receiver failsafe acts.

Written by the GUI thread as whole values (`request`, `pressed`, `dragged`, `beat`), read by the
transmitter's; `state` the other way round.
"""

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from plugins.pilot.devices.source import DeviceInput, DeviceInputs
from plugins.pilot.keyboard import step_keyboard
from plugins.pilot.release import FAILED, SIGN_S, DevicePresence, Release, Signs
from telemetry.base.clock import monotonic_s
from telemetry.vehicle.sticks import Sticks

PERIOD_S = 0.02
STALE_WINDOW_S = 1.0
"""Without a sign of life from the window for so long nobody is looking, and nothing is armed."""

Source = Literal["screen", "keyboard", "gamepad"]
Throttle = Literal["stick", "spring", "middle", "cut"]


@dataclass(frozen=True, slots=True)
class PilotRequest:
    """What the pilot wants now: switches, and where the sticks come from.

    `throttle` follows the stick, which stays where it is left or springs back to the middle where
    that holds the height; or whatever the stick says it stays in the middle, as guided modes want
    it, or is cut, as stopping wants it. `fixed` sticks are sent as they are: a gesture, or a step
    of taking off; those that arm only while the window gives signs of life.
    """

    transmitting: bool = False
    arm: bool = False
    flight_mode_position: int = 0
    throttle: Throttle = "cut"
    source: Source = "screen"
    fixed: Sticks | None = None


@dataclass(frozen=True, slots=True)
class TransmitterState:
    """What is being sent, for showing. `device` is the input device's name, "" without one."""

    sticks: Sticks = field(default_factory=Sticks)
    device: str = ""
    stopped: str = ""


def _no_devices() -> DeviceInputs | None:
    return None


def _throttle_down(request: PilotRequest) -> PilotRequest:
    return replace(request, arm=False, throttle="cut", fixed=None)


def _is_sound(sticks: Sticks) -> bool:
    return all(map(math.isfinite, (sticks.roll, sticks.pitch, sticks.yaw, sticks.throttle)))


class Transmitter:
    """Streams sticks to `send` while the pilot asks for it."""

    def __init__(
        self,
        send: Callable[[Sticks | None], None],
        clock: Callable[[], float] = monotonic_s,
        find_devices: Callable[[], DeviceInputs | None] = _no_devices,
    ) -> None:
        self.request = PilotRequest()
        self.pressed: frozenset[str] = frozenset()
        self.dragged = Sticks()
        self.state = TransmitterState()
        self.on_stop: Callable[[str], None] = lambda _why: send(None)
        """Called with the reason in the place of `send(None)`."""
        self.was_stopped = False
        """Whether a device's button has stopped the motors; who has seen to it takes it back."""
        self.why_no_right: Callable[[], str] = lambda: ""
        """Asked before everything that is sent: why the aircraft is somebody else's now."""
        self.ask_to_stop: Callable[[PilotRequest], PilotRequest] = _throttle_down
        """What a device's stop button asks for on this aircraft, whoever looks."""
        self.hears_devices = True
        """Whether input devices are for this aircraft; they are for one of several."""
        self.has_failed = False
        """Whether a fault has ended the thread; `restart` begins without input devices."""
        self._send = send
        self._clock = clock
        self._find_devices = find_devices
        self._beat_s = clock()
        self._manual = Sticks()
        self._throttle_set: float | None = None
        self._release = Release()
        self._left_over: PilotRequest | None = None
        """What was asked for before somebody else took the aircraft."""
        self._had_device = self._was_told = False
        self._stepped_s = self._beat_s
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lapwing-transmitter")

    def start(self) -> None:
        """Begin watching input devices; nothing is sent before `request` asks for it."""
        self._thread.start()

    def stop(self) -> None:
        """Stop sending and end the thread. Stopping twice is fine."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join()

    def restart(self) -> None:
        """Go on after a fault, without input devices: motors off must go out."""
        self._thread.join()
        self.has_failed = False
        self._find_devices = lambda: None
        self._thread = threading.Thread(target=self._run, name="lapwing-transmitter")
        self._thread.start()

    def release(self, why: str) -> None:
        """Send nothing more until `take_up`: the pilot lets go, or cannot fly any more."""
        if self.request.transmitting and not self._stops_motors(self.request):
            self._release.end(why)
            self.state = replace(self.state, stopped=why)
            self.on_stop(why)

    def take_up(self) -> None:
        """The pilot asks for something: what had ended goes on, without a device that is gone."""
        self._had_device = False
        self._left_over = None
        self._release.take_up()

    @property
    def has_let_go(self) -> bool:
        """Whether nothing goes out until `take_up`."""
        return bool(self._release.ended)

    def beat(self) -> None:
        """A sign of life from the window."""
        self._beat_s = self._clock()

    def set_throttle(self, throttle: float) -> None:
        """Put the throttle somewhere, so that taking over by hand does not jump."""
        self._throttle_set = throttle
        self.dragged = replace(self.dragged, throttle=throttle)

    def step(self, dt_s: float, device: DeviceInput | None) -> None:
        """Work out the sticks and hand them over: one period of the thread."""
        now = self._clock()
        stops = device is not None and device.stops
        if device is not None and not _is_sound(device.sticks):
            device = None  # what says no numbers is no device
        signs = self._signs(now, device)
        self._stepped_s = now
        if stops:
            self._stop_motors()
        request = self.request
        stopped = self._why_stopped(request, signs)
        sticks = self._blend(request, device, dt_s)
        self.state = TransmitterState(sticks, device.name if device else "", stopped)
        if not request.transmitting:
            return
        if not stopped:
            self._send(sticks)
        elif not (signs.no_right and self._was_told):
            self.on_stop(stopped)  # but once it is somebody else's stream that it would end
        self._was_told = bool(stopped)

    def _stop_motors(self) -> None:
        """Motors off, without waiting for the window."""
        self.was_stopped = True
        self._left_over = None
        self.request = replace(self.ask_to_stop(self.request), transmitting=True)

    def _signs(self, now: float, device: DeviceInput | None) -> Signs:
        by_device = self.request.source == "gamepad"
        self._had_device = by_device and (self._had_device or device is not None)
        absent: DevicePresence = "gone" if self._had_device else "none"
        return Signs(
            since_step_s=now - self._stepped_s,
            window_s=now - self._beat_s,
            device=absent if device is None else "there",
            device_s=0.0 if device is None else now - device.read_s,
            no_right=self.why_no_right(),
        )

    def _run(self) -> None:
        self._stepped_s = self._clock()
        devices: DeviceInputs | None = None
        try:
            devices = self._find_devices()
            self._go_round(devices)
        finally:
            is_fault = not self._ending.is_set()
            why = FAILED if is_fault else "Nobody flies from this station any more."
            if is_fault:
                self._release.end(why)
                self.state = replace(self.state, stopped=why)
            if self.request.transmitting:
                self.on_stop(why)
            self.has_failed = is_fault
            if devices:
                devices.close()

    def _go_round(self, devices: DeviceInputs | None) -> None:
        last = self._clock()
        while not self._ending.wait(PERIOD_S):
            now = self._clock()
            device = devices.read(now) if devices and self.hears_devices else None
            self.step(now - last, device)
            last = now

    def _blend(self, request: PilotRequest, device: DeviceInput | None, dt_s: float) -> Sticks:
        """The chosen source's sticks with the switches."""
        if self._throttle_set is not None:
            self._manual = replace(self._manual, throttle=self._throttle_set)
            self._throttle_set = None
        if request.source == "gamepad":
            self._manual = device.sticks if device else Sticks(throttle=self._manual.throttle)
        elif request.source == "keyboard":
            springs = request.throttle == "spring"
            self._manual = step_keyboard(self._manual, self.pressed, dt_s, springs)
        else:
            self._manual = self.dragged
        if request.source != "gamepad" and self._clock() - self._beat_s > SIGN_S:
            # A guided mode goes on; a stick that was held aside would fly it away.
            self._manual = Sticks(throttle=self._manual.throttle)
        if request.fixed is not None:
            return self._released(request.fixed) if self.is_forgotten else request.fixed
        forced = {"middle": 0.5, "cut": 0.0}
        return replace(
            self._manual,
            throttle=forced.get(request.throttle, self._manual.throttle),
            arm=request.arm,
            flight_mode_position=request.flight_mode_position,
        )

    @property
    def is_forgotten(self) -> bool:
        """Whether the window has given no sign of life for a while: nobody is looking."""
        return self._clock() - self._beat_s > STALE_WINDOW_S

    def _released(self, fixed: Sticks) -> Sticks:
        """Do not go on arming when nobody looks; a throttle that was raised stays."""
        if fixed.arm and not fixed.throttle:
            return Sticks(flight_mode_position=fixed.flight_mode_position)
        return fixed

    def _why_stopped(self, request: PilotRequest, signs: Signs) -> str:
        """Why nothing may be sent that flies; motors off goes out whatever else is amiss, but what
        is left of it does not go into the stream of who has the aircraft after it."""
        if not signs.no_right:
            self._left_over = request
        if self._stops_motors(request):
            return signs.no_right if request == self._left_over else ""
        by_hand = request.fixed is None and request.throttle in ("stick", "spring")
        by_device = request.source == "gamepad"
        return self._release.why_not(signs, by_hand=by_hand, by_device=by_device)

    @staticmethod
    def _stops_motors(request: PilotRequest) -> bool:
        return request.throttle == "cut" and not request.arm
