"""Output: what it drives and between which pulses, from the settings of any release.

Settings are given as whole fields ("ChannelMin": a tuple); what a release lacks is left unknown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from telemetry.configuration.airframe.airframe import MOTOR, REVERSABLE_MOTOR, SERVO, Airframe
from telemetry.configuration.airframe.banks import bank_of
from telemetry.configuration.airframe.mixer import DISABLED, read_mixer
from telemetry.configuration.airframe.motor_pairing import matching_outputs

PWM: Final = "PWM"
DSHOT: Final = "DShot"
RATES: Final = ("BankUpdateFreq", "TimerUpdateFreq", "ChannelUpdateFreq")
"""What releases call the rates of the banks."""
_SERVO_TYPES: Final = (SERVO, "CameraRollOrServo1", "CameraPitchOrServo2", "CameraRoll")
_GIMBAL_TYPES: Final = ("CameraPitch", "CameraYaw", "CameraTrigger")

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Output:
    """One output, numbered from 1, and what it drives.

    `place` is the frame's name of the motor or servo ("NW"), empty if not known. `bank` counts
    from 1; it, `mode` and `rate_hz` are None while it is not known which bank an output is in.
    Pulses are in microseconds (steps of 0 to 2000 where the protocol is digital).
    """

    number: int
    type: str
    minimum: int
    neutral: int
    maximum: int
    place: str = ""
    bank: int | None = None
    mode: str | None = None
    rate_hz: int | None = None

    @property
    def is_used(self) -> bool:
        """Whether anything is connected, as far as the mixer knows."""
        return self.type != DISABLED

    @property
    def is_motor(self) -> bool:
        """Whether it turns a motor one way."""
        return self.type == MOTOR

    @property
    def is_reversible(self) -> bool:
        """Whether it turns a motor both ways."""
        return self.type == REVERSABLE_MOTOR

    @property
    def is_servo(self) -> bool:
        """Whether a servo moves, on the aircraft or in its gimbal."""
        return self.type in (*_SERVO_TYPES, *_GIMBAL_TYPES) or self.type.startswith("Accessory")

    @property
    def is_reversed(self) -> bool:
        """Whether more makes a shorter pulse."""
        return self.minimum > self.maximum

    @property
    def is_without_range(self) -> bool:
        """Whether a motor stands still whatever is asked of it."""
        if self.is_motor and not self.is_reversed:
            return self.maximum <= max(self.minimum, self.neutral)
        return self.is_reversible and self.minimum == self.maximum

    @property
    def rest(self) -> int:
        """The pulse at which nothing moves: a motor stands still, a servo is in its middle."""
        return self.neutral if self.is_servo or self.is_reversible else self.minimum

    @property
    def title(self) -> str:
        """What it drives, in words."""
        if not self.is_used:
            return "Not assigned"
        kind = {REVERSABLE_MOTOR: "Reversible motor"}.get(self.type, self.type)
        return f"{kind} {self.place}".rstrip()


def read_outputs(
    actuators: Fields,
    mixer: Fields,
    frame: Airframe | None = None,
    board: int = 0,
) -> tuple[Output, ...]:
    """All outputs in their order, from ActuatorSettings and MixerSettings; none without pulses."""
    columns = [_column(actuators, f"Channel{end}") for end in ("Min", "Neutral", "Max")]
    places = _places(mixer, frame)
    modes = _column(actuators, "BankMode")
    rates = next((_column(actuators, name) for name in RATES if name in actuators), ())
    found = []
    for number, pulses in enumerate(zip(*columns, strict=True), 1):
        bank = bank_of(number, board)
        low, neutral, high = (int(pulse) for pulse in pulses)
        found.append(
            Output(
                number,
                str(mixer.get(f"Mixer{number}Type", DISABLED)),
                low,
                neutral,
                high,
                places.get(number, ""),
                bank,
                _at(modes, bank),
                _at(rates, bank),
            )
        )
    return tuple(found)


def _column(fields: Fields, name: str) -> tuple[Any, ...]:
    value = fields.get(name, ())
    return value if isinstance(value, tuple) else (value,)


def _at(column: tuple[Any, ...], bank: int | None) -> Any:
    return column[bank - 1] if bank is not None and bank <= len(column) else None


def _places(mixer: Fields, frame: Airframe | None) -> dict[int, str]:
    """The frame's names by output, where the mixer's weights tell its motors apart."""
    if frame is None or not any(name.startswith("Mixer1") for name in mixer):
        return {}
    match = matching_outputs(read_mixer(mixer), frame)
    return {output: name for name, output in match.outputs.items()} if match else {}
