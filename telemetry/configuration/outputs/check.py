"""Output check: what does not fit in the settings of outputs, in words and with a remedy."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from telemetry.base.finding import Finding, Level, error
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
    found = [f for output in outputs if output.is_used for rule in _RULES for f in rule(output)]
    found += _config_alarm(config_alarm)
    return tuple(sorted(found, key=lambda finding: -finding.level))


def _found(level: Level, code: str, output: Output, text: str, remedy: str) -> Finding:
    words = f"Output {output.number} ({output.title}): {text}"
    return Finding(level, code, words, remedy, (output.number,))


def _servo_protocol(output: Output) -> Iterator[Finding]:
    if output.is_servo and output.mode in MOTOR_PROTOCOLS:
        yield _found(
            Level.ERROR,
            "servo-on-motor-protocol",
            output,
            f"a servo does not understand {output.mode} and may be destroyed.",
            f"Set bank {output.bank} to PWM, or connect the servo to an output of another bank.",
        )


def _servo_rate(output: Output) -> Iterator[Finding]:
    rate = output.rate_hz
    if not output.is_servo or output.mode not in (PWM, None) or rate is None:
        return
    if rate > _DIGITAL_SERVO_HZ:
        yield _found(
            Level.WARNING,
            "servo-too-fast",
            output,
            f"{rate} Hz is more than any usual servo takes.",
            "Lower the rate of its bank to 50 Hz, or 333 Hz for digital servos.",
        )
    elif rate > ANALOG_SERVO_HZ:
        yield _found(
            Level.INFO,
            "servo-rate",
            output,
            f"{rate} Hz suits digital servos; analog ones overheat.",
            "Lower the rate of its bank to 50 Hz if the servo is analog.",
        )


def _motor_rate(output: Output) -> Iterator[Finding]:
    rate = output.rate_hz
    if output.is_motor and output.mode == PWM and rate is not None and rate <= _SLOW_MOTOR_HZ:
        yield _found(
            Level.INFO,
            "motor-slow",
            output,
            f"{rate} Hz makes the motor answer late.",
            "Raise the rate of its bank to what the speed controller takes, often 490 Hz.",
        )


def _reversible_dshot(output: Output) -> Iterator[Finding]:
    if output.is_reversible and output.mode == DSHOT:
        yield _found(
            Level.WARNING,
            "reversible-dshot",
            output,
            "a reversible motor cannot run backwards by DShot.",
            "Choose another protocol for its bank.",
        )


def _motor_range(output: Output) -> Iterator[Finding]:
    if not output.is_motor:
        return
    if output.is_reversed:
        yield _found(
            Level.ERROR,
            "motor-reversed",
            output,
            "its minimum is above its maximum, so it runs at full power while it should stand.",
            "Swap minimum and maximum; to turn it the other way, swap two of its wires.",
        )
    elif output.is_without_range:
        yield _found(
            Level.WARNING,
            "motor-no-range",
            output,
            "its maximum is not above its neutral, so throttle does nothing.",
            "Set the maximum, for most speed controllers 1900 to 2000 µs.",
        )
    elif output.neutral < output.minimum:
        yield _found(
            Level.WARNING,
            "motor-neutral-low",
            output,
            "its neutral is below its minimum, so at low throttle it stops in flight.",
            "Raise the neutral until the motor just runs smoothly.",
        )
    elif output.neutral > output.minimum + _NEUTRAL_ABOVE_MINIMUM_US:
        yield _found(
            Level.WARNING,
            "motor-neutral-high",
            output,
            f"its neutral is {output.neutral - output.minimum} µs above its minimum: it starts "
            "with a lot of power.",
            "Lower the neutral until the motor just runs smoothly.",
        )


def _reversible_middle(output: Output) -> Iterator[Finding]:
    off = abs(output.neutral - _MIDDLE_US)
    if output.is_reversible and output.mode != DSHOT and off > _NEUTRAL_OFF_MIDDLE_US:
        yield _found(
            Level.WARNING,
            "reversible-neutral",
            output,
            f"its neutral is {off} µs off 1500 µs, where reversible controllers stand still.",
            "Set the neutral to where the motor stands still, about 1500 µs.",
        )


def _servo_middle(output: Output) -> Iterator[Finding]:
    low, high = sorted((output.minimum, output.maximum))
    if not output.is_servo:
        return
    if low == high:
        yield _found(
            Level.WARNING,
            "servo-no-range",
            output,
            "its minimum and maximum are the same, so it does not move.",
            "Set both ends, for most servos 1000 and 2000 µs with 1500 µs between.",
        )
    elif not low < output.neutral < high:
        yield _found(
            Level.WARNING,
            "servo-neutral-outside",
            output,
            "its neutral is not between its ends, so it moves to one side only.",
            "Set the neutral between minimum and maximum.",
        )


def _pulses(output: Output) -> Iterator[Finding]:
    is_digital = output.mode == DSHOT
    low, high = _DSHOT_STEPS if is_digital else _SERVO_US if output.is_servo else _MOTOR_US
    pulses = (output.minimum, output.neutral, output.maximum)
    wrong = next((pulse for pulse in pulses if not low <= pulse <= high), None)
    unit = "" if is_digital else " µs"
    if wrong is not None:
        yield _found(
            Level.WARNING,
            "pulse-outside",
            output,
            f"{wrong}{unit} is outside {low} to {high}{unit}, which is usual for it.",
            "Correct minimum, neutral and maximum.",
        )
    elif output.mode == PWM_SYNC and output.maximum > _PWM_SYNC_MAX_US:
        yield _found(
            Level.WARNING,
            "pwm-sync-long",
            output,
            f"{output.maximum} µs is too long for PWMSync.",
            f"Set the maximum to {_PWM_SYNC_MAX_US} µs or less.",
        )


def _config_alarm(word: str) -> Iterator[Finding]:
    if word == "UnsupportedConfig_OneShot":
        yield error(
            "oneshot-port",
            "The board cannot drive OneShot or DShot with its receiver port as it is set up.",
            "Choose another function for the receiver port (Hardware), or PWM for the banks.",
        )


_RULES: Final[tuple[Callable[[Output], Iterator[Finding]], ...]] = (
    _servo_protocol,
    _servo_rate,
    _motor_rate,
    _reversible_dshot,
    _motor_range,
    _reversible_middle,
    _servo_middle,
    _pulses,
)
