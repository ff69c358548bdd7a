"""Output check: what does not fit in the settings of outputs, in words and with a remedy."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from telemetry.base.finding import Finding, error, info, warning
from telemetry.configuration.outputs.output import DSHOT, PWM, Output

MOTOR_PROTOCOLS: Final = ("OneShot125", "OneShot42", "MultiShot", DSHOT)
"""What only speed controllers understand."""
PWM_SYNC: Final = "PWMSync"
ANALOG_SERVO_HZ: Final = 60
_DIGITAL_SERVO_HZ: Final = 333
_SLOW_MOTOR_HZ: Final = 60
_NEUTRAL_ABOVE_MINIMUM_US: Final = 300
_NEUTRAL_OFF_MIDDLE_US: Final = 200
_MIDDLE_US: Final = 1500
_MOTOR_US: Final = (900, 2000)
_SERVO_US: Final = (500, 2500)
_DSHOT_STEPS: Final = (0, 2000)
_PWM_SYNC_MAX_US: Final = 1900


def check_outputs(outputs: Sequence[Output], config_alarm: str = "") -> tuple[Finding, ...]:
    """What does not fit, worst first. `config_alarm` is the board's own word for what is wrong
    with its configuration (SystemAlarms.ExtendedAlarmStatus.SystemConfiguration)."""
    found = []
    for output in outputs:
        where = f"Output {output.number} ({output.title})"
        for fault in _faults(output) if output.is_used else ():
            found.append(replace(fault, text=f"{where}: {fault.text}", outputs=(output.number,)))
    if config_alarm == "UnsupportedConfig_OneShot":
        found.append(_ONESHOT_PORT)
    return tuple(sorted(found, key=lambda finding: -finding.level))


_ONESHOT_PORT: Final = error(
    "oneshot-port",
    "The board cannot drive OneShot or DShot with its receiver port as it is set up.",
    "Choose another function for the receiver port (Hardware), or PWM for the banks.",
)


def _faults(output: Output) -> Iterator[Finding]:
    if output.is_servo:
        yield from _servo(output)
    if output.is_motor:
        yield from _motor(output)
    if output.is_reversible:
        yield from _reversible(output)
    yield from _pulses(output)


def _servo(output: Output) -> Iterator[Finding]:
    if output.mode in MOTOR_PROTOCOLS:
        yield error(
            "servo-on-motor-protocol",
            f"a servo does not understand {output.mode} and may be destroyed.",
            f"Set bank {output.bank} to PWM, or connect the servo to an output of another bank.",
        )
    rate = output.rate_hz if output.mode in (PWM, None) and output.rate_hz is not None else 0
    if rate > _DIGITAL_SERVO_HZ:
        yield warning(
            "servo-too-fast",
            f"{rate} Hz is more than any usual servo takes.",
            "Lower the rate of its bank to 50 Hz, or 333 Hz for digital servos.",
        )
    elif rate > ANALOG_SERVO_HZ:
        yield info(
            "servo-rate",
            f"{rate} Hz suits digital servos; analog ones overheat.",
            "Lower the rate of its bank to 50 Hz if the servo is analog.",
        )
    low, high = sorted((output.minimum, output.maximum))
    if low == high:
        yield warning(
            "servo-no-range",
            "its minimum and maximum are the same, so it does not move.",
            "Set both ends, for most servos 1000 and 2000 µs with 1500 µs between.",
        )
    elif not low < output.neutral < high:
        yield warning(
            "servo-neutral-outside",
            "its neutral is not between its ends, so it moves to one side only.",
            "Set the neutral between minimum and maximum.",
        )


def _motor(output: Output) -> Iterator[Finding]:
    rate = output.rate_hz
    if output.mode == PWM and rate is not None and rate <= _SLOW_MOTOR_HZ:
        yield info(
            "motor-slow",
            f"{rate} Hz makes the motor answer late.",
            "Raise the rate of its bank to what the speed controller takes, often 490 Hz.",
        )
    if output.is_reversed:
        yield error(
            "motor-reversed",
            "its minimum is above its maximum, so it runs at full power while it should stand.",
            "Swap minimum and maximum; to turn it the other way, swap two of its wires.",
        )
    elif output.is_without_range:
        yield warning(
            "motor-no-range",
            "its maximum is not above its neutral, so throttle does nothing.",
            "Set the maximum, for most speed controllers 1900 to 2000 µs.",
        )
    elif output.neutral < output.minimum:
        yield warning(
            "motor-neutral-low",
            "its neutral is below its minimum, so at low throttle it stops in flight.",
            "Raise the neutral until the motor just runs smoothly.",
        )
    elif output.neutral > output.minimum + _NEUTRAL_ABOVE_MINIMUM_US:
        yield warning(
            "motor-neutral-high",
            f"its neutral is {output.neutral - output.minimum} µs above its minimum: it starts "
            "with a lot of power.",
            "Lower the neutral until the motor just runs smoothly.",
        )


def _reversible(output: Output) -> Iterator[Finding]:
    off = abs(output.neutral - _MIDDLE_US)
    if output.mode == DSHOT:
        yield warning(
            "reversible-dshot",
            "a reversible motor cannot run backwards by DShot.",
            "Choose another protocol for its bank.",
        )
    elif off > _NEUTRAL_OFF_MIDDLE_US:
        yield warning(
            "reversible-neutral",
            f"its neutral is {off} µs off 1500 µs, where reversible controllers stand still.",
            "Set the neutral to where the motor stands still, about 1500 µs.",
        )


def _pulses(output: Output) -> Iterator[Finding]:
    is_digital = output.mode == DSHOT
    low, high = _DSHOT_STEPS if is_digital else _SERVO_US if output.is_servo else _MOTOR_US
    pulses = (output.minimum, output.neutral, output.maximum)
    wrong = next((pulse for pulse in pulses if not low <= pulse <= high), None)
    unit = "" if is_digital else " µs"
    if wrong is not None:
        yield warning(
            "pulse-outside",
            f"{wrong}{unit} is outside {low} to {high}{unit}, which is usual for it.",
            "Correct minimum, neutral and maximum.",
        )
    elif output.mode == PWM_SYNC and output.maximum > _PWM_SYNC_MAX_US:
        yield warning(
            "pwm-sync-long",
            f"{output.maximum} µs is too long for PWMSync.",
            f"Set the maximum to {_PWM_SYNC_MAX_US} µs or less.",
        )
