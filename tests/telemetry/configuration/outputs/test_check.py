"""Each rule on an output that breaks it, and on one that does not."""

from dataclasses import replace

import pytest

from telemetry.base.finding import Level
from telemetry.configuration.outputs.check import check_outputs
from telemetry.configuration.outputs.output import Output

MOTOR = Output(1, "Motor", 1000, 1050, 2000, "NW", 1, "PWM", 490)
SERVO = Output(5, "Servo", 1000, 1500, 2000, "", 4, "PWM", 50)
BOTH_WAYS = Output(2, "ReversableMotor", 1000, 1500, 2000, "", 1, "PWM", 490)


@pytest.mark.parametrize("output", [MOTOR, SERVO, BOTH_WAYS, Output(3, "Disabled", 0, 0, 0)])
def test_what_is_usual_is_fine(output: Output) -> None:
    assert check_outputs([output]) == ()


@pytest.mark.parametrize(
    ("output", "code"),
    [
        (replace(SERVO, mode="OneShot125"), "servo-on-motor-protocol"),
        (replace(SERVO, mode="DShot", minimum=0, neutral=1000), "servo-on-motor-protocol"),
        (replace(SERVO, rate_hz=333), "servo-rate"),
        (replace(SERVO, rate_hz=490), "servo-too-fast"),
        (replace(SERVO, neutral=2100), "servo-neutral-outside"),
        (replace(SERVO, minimum=1000, neutral=1000, maximum=1000), "servo-no-range"),
        (replace(MOTOR, rate_hz=50), "motor-slow"),
        (replace(MOTOR, neutral=1301), "motor-neutral-high"),
        (replace(MOTOR, neutral=990), "motor-neutral-low"),
        (replace(MOTOR, maximum=1000, neutral=1000), "motor-no-range"),
        (replace(MOTOR, minimum=2000, maximum=1000), "motor-reversed"),
        (replace(MOTOR, maximum=2100), "pulse-outside"),
        (replace(MOTOR, mode="PWMSync"), "pwm-sync-long"),
        (replace(BOTH_WAYS, neutral=1701), "reversible-neutral"),
        (replace(BOTH_WAYS, mode="DShot"), "reversible-dshot"),
    ],
)
def test_each_rule_finds_its_fault(output: Output, code: str) -> None:
    found = check_outputs([output])
    assert code in [finding.code for finding in found]
    assert all(finding.remedy and finding.outputs == (output.number,) for finding in found)


def test_a_limit_itself_is_no_fault() -> None:
    assert check_outputs([replace(MOTOR, neutral=1300), replace(BOTH_WAYS, neutral=1700)]) == ()
    assert check_outputs([replace(MOTOR, mode="PWMSync", maximum=1900)]) == ()


def test_digital_steps_are_not_judged_as_pulses() -> None:
    digital = replace(MOTOR, mode="DShot", minimum=0, neutral=60, maximum=2000)
    assert check_outputs([digital]) == ()
    assert check_outputs([replace(digital, mode="OneShot125")]) != ()


def test_the_board_may_say_itself_that_a_port_is_in_the_way() -> None:
    (found,) = check_outputs([MOTOR], "UnsupportedConfig_OneShot")
    assert found.code == "oneshot-port"
    assert found.level is Level.ERROR


def test_the_worst_comes_first() -> None:
    found = check_outputs([replace(MOTOR, rate_hz=50), replace(SERVO, mode="DShot")])
    assert [f.level for f in found] == sorted((f.level for f in found), reverse=True)
