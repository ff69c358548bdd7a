"""Transmitter layout: which controls a set-up asks for, in which order, and on which sticks."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal

from telemetry.configuration.receiver.controls import (
    COLLECTIVE,
    FLIGHT_MODE,
    PITCH,
    ROLL,
    THROTTLE,
    YAW,
    title_of,
)

Side = Literal["left", "right"]


class SteeredKind(Enum):
    """What is steered, which decides the controls and where throttle has its neutral."""

    AIR = "Multirotor or aeroplane"
    HELICOPTER = "Helicopter with collective pitch"
    GROUND = "Car or boat"


STICK_MODES: Final = {
    1: ((YAW, PITCH), (ROLL, THROTTLE)),
    2: ((YAW, THROTTLE), (ROLL, PITCH)),
    3: ((ROLL, PITCH), (YAW, THROTTLE)),
    4: ((ROLL, THROTTLE), (YAW, PITCH)),
}
"""What moves across and up, of the left and of the right stick, by transmitter mode."""
MODES: Final = tuple(STICK_MODES)
_ACCESSORIES: Final = ("Accessory0", "Accessory1", "Accessory2", "Accessory3")
_NEEDED: Final = {
    SteeredKind.AIR: (THROTTLE, ROLL, PITCH, YAW, FLIGHT_MODE),
    SteeredKind.HELICOPTER: (COLLECTIVE, THROTTLE, ROLL, PITCH, YAW, FLIGHT_MODE),
    SteeredKind.GROUND: (THROTTLE, YAW),
}
_OPTIONAL: Final = {
    SteeredKind.AIR: _ACCESSORIES,
    SteeredKind.HELICOPTER: _ACCESSORIES,
    SteeredKind.GROUND: (FLIGHT_MODE, ROLL, PITCH, *_ACCESSORIES),
}
_CENTRED: Final = (ROLL, PITCH, YAW)
_CHECK_WORDS: Final = {
    THROTTLE: "Push the throttle to its top: full power",
    ROLL: "Hold roll to the right",
    PITCH: "Pull pitch back, towards you: nose up",
    YAW: "Hold yaw to the right: nose to the right",
    COLLECTIVE: "Push collective to its top: climb",
}


@dataclass(frozen=True, slots=True)
class TransmitterLayout:
    """What to ask for with this kind of aircraft and transmitter. `known` are the controls that
    the aircraft's firmware has."""

    kind: SteeredKind
    mode: int
    known: tuple[str, ...]

    @property
    def controls(self) -> tuple[str, ...]:
        """The controls to identify, in the order they are asked for."""
        wanted = (*_NEEDED[self.kind], *_OPTIONAL[self.kind])
        return tuple(name for name in wanted if name in self.known)

    @property
    def checked(self) -> tuple[str, ...]:
        """The controls whose direction is checked."""
        return tuple(name for name in _CHECK_WORDS if name in self.controls)

    def is_needed(self, name: str) -> bool:
        """Whether a control cannot be skipped."""
        return name in _NEEDED[self.kind]

    def is_centred(self, name: str) -> bool:
        """Whether its neutral is where it rests in the middle."""
        return name in _CENTRED or (name == THROTTLE and self.kind is SteeredKind.GROUND)

    def sticks(self, side: Side) -> tuple[str, str]:
        """What a stick carries: (left and right, up and down)."""
        x, y = STICK_MODES[self.mode][0 if side == "left" else 1]
        has_collective = self.kind is SteeredKind.HELICOPTER
        return (x, COLLECTIVE if has_collective and y == THROTTLE else y)

    def identify_words(self, name: str) -> str:
        """What to do so that a control is found."""
        title = title_of(name)
        for side in ("left", "right"):
            if name in (carried := self.sticks(side)):
                way = "left and right" if name == carried[0] else "up and down"
                where = f"{side} stick, {way}"
                return f"Move {title.lower()} ({where}) to and fro, and nothing else."
        return f"Move the switch or knob for “{title}” to and fro, and nothing else."

    def check_words(self, name: str, is_at_rest: bool) -> str:
        """What to do so that its direction shows; first of all to let it come to rest."""
        if is_at_rest:
            return f"{_CHECK_WORDS[name]}, and hold it there."
        where = "let go of it" if self.is_centred(name) else "put it to its lowest"
        return f"{title_of(name)}: first {where}."
