"""Stick orders: what a transmitter carries out, as one immutable value."""

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from telemetry.vehicle.sticks import Sticks

Source = Literal["either", "screen", "keyboard", "gamepad"]
"""What moves the sticks; `either` is on-screen sticks and keys, which push these."""
Throttle = Literal["stick", "spring", "middle", "cut"]
_FORCED: Final = {"middle": 0.5, "cut": 0.0}


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
    source: Source = "either"
    fixed: Sticks | None = None

    @property
    def is_by_hand(self) -> bool:
        """Whether sticks set attitude or rates."""
        return self.fixed is None and self.throttle in ("stick", "spring")

    @property
    def stops_motors(self) -> bool:
        """Whether it is motors off, or a step on the way to arming that leaves them off."""
        return self.throttle == "cut" and not self.arm

    def sticks(self, manual: Sticks) -> Sticks:
        """The sticks that say it, where those of the pilot are `manual`."""
        if self.fixed is not None:
            return self.fixed
        return replace(
            manual,
            throttle=_FORCED.get(self.throttle, manual.throttle),
            arm=self.arm,
            flight_mode_position=self.flight_mode_position,
        )


@dataclass(frozen=True, slots=True)
class MotorsOff:
    """What stops the motors of one aircraft: a position of its flight mode switch, None for the one
    that is selected, and the sticks of the gesture that disarms it, where that is one."""

    flight_mode_position: int | None = None
    fixed: Sticks | None = None

    def asked_by(self, request: PilotRequest) -> PilotRequest:
        """Motors off, now, by who has asked for something else."""
        selected, position = request.flight_mode_position, self.flight_mode_position
        return replace(
            request,
            arm=False,
            flight_mode_position=selected if position is None else position,
            throttle="cut",
            fixed=self.fixed,
        )


@dataclass(frozen=True, slots=True)
class PlacedThrottle:
    """Where on-screen sticks and keys go on from, so that taking over by hand does not jump. Each
    one is placed once, however often it is handed over."""

    throttle: float


@dataclass(frozen=True, slots=True)
class StickOrder:
    """All that is asked of a transmitter.

    `dragged` and `pressed` are where the on-screen sticks are and which flying keys are down;
    `hears_devices` whether input devices are for this aircraft, which they are for one of several,
    and `motors_off` what the stop button of one asks for, whoever looks. `alive_s` is the last sign
    of life from the window. `let_go` says why nothing goes out; what has ended, for whatever
    reason, goes on once `asked` counts on. `stops_seen` is how many presses of a stop button were
    known to who gave the order.
    """

    request: PilotRequest = field(default_factory=PilotRequest)
    dragged: Sticks = field(default_factory=Sticks)
    pressed: frozenset[str] = frozenset()
    placed: PlacedThrottle | None = None
    hears_devices: bool = True
    motors_off: MotorsOff = field(default_factory=MotorsOff)
    alive_s: float = 0.0
    let_go: str = ""
    asked: int = 0
    stops_seen: int = 0

    def taken_up(self) -> "StickOrder":
        """The same, asked for anew: what had ended goes on, without a device that is gone."""
        return replace(self, asked=self.asked + 1, let_go="")

    def released(self, why: str) -> "StickOrder":
        """Nothing more until it is taken up: the pilot lets go, or cannot fly any more. Motors off
        goes on."""
        flies = self.request.transmitting and not self.request.stops_motors
        return replace(self, let_go=why) if flies else self

    def stopped(self, stops: int) -> "StickOrder":
        """Motors off, by a button of a device that was pressed `stops` times by now."""
        request = replace(self.motors_off.asked_by(self.request), transmitting=True)
        return replace(self, request=request, stops_seen=stops)

    def with_throttle(self, throttle: float) -> "StickOrder":
        """On-screen sticks and keys go on from this throttle."""
        dragged = replace(self.dragged, throttle=throttle)
        return replace(self, dragged=dragged, placed=PlacedThrottle(throttle))
