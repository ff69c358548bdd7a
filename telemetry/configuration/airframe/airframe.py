"""Airframes: every AirframeType as data, read from resources/frames.

A channel's mix says how much (%) of each element of the vector it gets. A frame's levels (%)
scale the mix of those axes it names as scaled.
"""

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from telemetry.base.installation import RESOURCES

ELEMENTS: Final = ("ThrottleCurve1", "ThrottleCurve2", "Roll", "Pitch", "Yaw")
"""The elements of a mixer vector, in the order of the wire."""
AXES: Final = ELEMENTS[2:]
MULTIROTOR: Final = "multirotor"
FIXED_WING: Final = "fixed wing"
HELICOPTER: Final = "helicopter"
GROUND: Final = "ground"
CUSTOM: Final = "custom"
MOTOR: Final = "Motor"
REVERSABLE_MOTOR: Final = "ReversableMotor"
SERVO: Final = "Servo"

_ALSO_MULTIROTOR: Final = "QuadH"
"""An option of OpenPilot 14.10 alone; what its mixer is, is not known here."""
FRAMES_FOLDER: Final = RESOURCES / "frames"
NOT_SIMULATED: Final = "Not simulated yet"
_FAMILIES: Final = (MULTIROTOR, FIXED_WING, HELICOPTER, GROUND, CUSTOM)


class AirframeError(ValueError):
    """What cannot be done with an airframe, and what to do instead: one sentence for the user."""


class Levels(NamedTuple):
    """How much of roll, pitch and yaw goes into the mixer, in whole percent from 0 to 100."""

    roll: int
    pitch: int
    yaw: int


@dataclass(frozen=True, slots=True)
class AirframeChannel:
    """One motor or servo of a frame.

    `place` is (forward, right) of the centre for a drawing, in arm lengths. `mix` is the share
    of each of ELEMENTS at full level, in percent. `layer` tells two motors of one place apart.
    """

    name: str
    type: str
    place: tuple[float, float]
    mix: tuple[int, int, int, int, int]
    layer: str = ""

    @property
    def is_motor(self) -> bool:
        """Whether it turns instead of deflecting."""
        return self.type in (MOTOR, REVERSABLE_MOTOR)

    @property
    def spin(self) -> str:
        """Which way a propeller turns, seen from above: "cw", "ccw" or "" if it does not matter.

        A propeller turns the aircraft against its own sense, and yaw is positive to the right.
        """
        yaw = self.mix[4] if self.type == MOTOR else 0
        return "" if yaw == 0 else "ccw" if yaw > 0 else "cw"


@dataclass(frozen=True, slots=True)
class Airframe:
    """An airframe: its name on the wire, its channels in order, what its peers ship it with.

    `scaled` names the axes that the levels act on. `levels_tau_labs` are the levels which Tau Labs
    and dRonin ship, where they differ. The curves have five points at 0, 25 .. 100 %. `flown_as` is
    the simulated aircraft that a test sets up as this frame and flies; "" where none does.
    """

    name: str
    title: str
    family: str
    levels: Levels
    scaled: tuple[str, ...]
    curve1: tuple[float, ...]
    curve2: tuple[float, ...]
    channels: tuple[AirframeChannel, ...]
    levels_tau_labs: Levels | None = None
    flown_as: str = ""

    @property
    def simulated(self) -> str:
        """The name of the aircraft in `flown_as`; "" where there is none."""
        return self.flown_as.partition(",")[0]

    @property
    def proof(self) -> str:
        """What has flown with its mixer, as a sentence."""
        if not self.flown_as:
            return f"{NOT_SIMULATED}: no flight has shown that its mixer steers it."
        return f"Flown by hand in the simulator with its usual mixer: sim:{self.flown_as}."

    @property
    def can_lack_channels(self) -> bool:
        """Whether it flies or drives without some of its channels: a wing without a rudder."""
        return self.family in (FIXED_WING, GROUND)

    @property
    def motors(self) -> tuple[AirframeChannel, ...]:
        """The channels that turn."""
        return tuple(channel for channel in self.channels if channel.is_motor)


@cache
def all_airframes() -> tuple[Airframe, ...]:
    """Every frame, by family."""
    return tuple(_frame(f, entry) for f in _FAMILIES for entry in load_family(f)["frames"])


def airframe_names() -> tuple[str, ...]:
    """The AirframeType names that have a frame."""
    return tuple(frame.name for frame in all_airframes())


def find_airframe(name: str) -> Airframe | None:
    """The frame of an AirframeType; None for one that nobody here knows."""
    return next((frame for frame in all_airframes() if frame.name == name), None)


def airframe_named(name: str) -> Airframe:
    """The frame of an AirframeType; raise AirframeError naming those that exist."""
    if (frame := find_airframe(name)) is not None:
        return frame
    names = airframe_names()
    folded = {known.casefold(): known for known in names}
    near = difflib.get_close_matches(name.casefold(), folded, 1)
    hint = f" (did you mean {folded[near[0]]}?)" if near else ""
    raise AirframeError(f"There is no airframe '{name}'{hint}; there are: {', '.join(names)}.")


def is_multirotor(airframe_type: object) -> bool:
    """Whether a value of SystemSettings.AirframeType is a multirotor's."""
    frame = find_airframe(str(airframe_type))
    return airframe_type == _ALSO_MULTIROTOR or (frame is not None and frame.family == MULTIROTOR)


def load_family(family: str) -> dict[str, Any]:
    """What the file of a family says."""
    path = FRAMES_FOLDER / f"{family.replace(' ', '-')}.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _frame(family: str, entry: Mapping[str, Any]) -> Airframe:
    other = entry.get("levels_tau_labs")
    return Airframe(
        name=entry["name"],
        title=entry["title"],
        family=family,
        levels=Levels(*entry["levels"]),
        scaled=tuple(entry["scaled"]),
        curve1=tuple(map(float, entry["curve1"])),
        curve2=tuple(map(float, entry["curve2"])),
        channels=tuple(_channel(channel) for channel in entry["channels"]),
        levels_tau_labs=Levels(*other) if other else None,
        flown_as=entry.get("flown_as", ""),
    )


def _channel(entry: Mapping[str, Any]) -> AirframeChannel:
    forward, right = entry["place"]
    curve1, curve2, roll, pitch, yaw = entry["mix"]
    return AirframeChannel(
        name=entry["name"],
        type=entry["type"],
        place=(float(forward), float(right)),
        mix=(curve1, curve2, roll, pitch, yaw),
        layer=entry.get("layer", ""),
    )
