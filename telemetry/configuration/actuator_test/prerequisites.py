"""Motor test prerequisites: every reason against a test, in words and with what to do."""

from typing import Final

from telemetry.base.finding import Level, level_of_alarm
from telemetry.configuration.outputs.output import DSHOT, Output
from telemetry.configuration.settings.configuration import Configuration

PASSWORD: Final = "propellers off"
"""What is typed once per session, by somebody who has looked."""
COMMAND: Final = "ActuatorCommand"
_CONNECTED_V: Final = 2.5
"""No battery that flies is below it."""


def why_not_now(settings: Configuration) -> str:
    """What stands against moving outputs at this moment; empty if nothing."""
    aircraft = settings.aircraft
    if aircraft.is_log:
        return "This is a log: there is no aircraft whose motors could turn."
    refusal = settings.refusal
    if refusal:
        return refusal
    status = aircraft.sample("FlightStatus")
    if status is None:
        return "The aircraft has not said whether it is armed. Wait for its FlightStatus."
    if status["Armed"] != "Disarmed":
        return "The aircraft is armed. Disarm it to test its motors."
    severity = _actuator_alarm(settings)
    if level_of_alarm(severity) is Level.ERROR:
        return (
            f"The Actuator alarm is {severity}: the board cannot drive its outputs. "
            "Correct the banks and protocols first."
        )
    return ""


def why_not_at_all(settings: Configuration, outputs: tuple[Output, ...]) -> str:
    """What stands against testing on this board; empty if nothing."""
    if not outputs:
        return "The board's output settings are not known (ActuatorSettings)."
    if not any(output.is_used for output in outputs):
        return "No output is assigned to a motor or servo. Set up the airframe first."
    if settings.definition(COMMAND) is None:
        return f"This aircraft does not say what its outputs do ({COMMAND})."
    return ""


def why_not_output(output: Output) -> str:
    """What stands against moving this output; empty if nothing."""
    if not output.is_used:
        return f"Output {output.number} is not assigned to anything."
    if output.is_motor and output.is_reversed:
        return f"Output {output.number} has its minimum above its maximum. Swap them first."
    return ""


def why_not_calibrate(settings: Configuration, outputs: tuple[Output, ...]) -> str:
    """What stands against teaching the speed controllers their range; empty if nothing."""
    motors = [output for output in outputs if output.is_motor]
    if not motors:
        return "No output drives a motor."
    if any(output.mode == DSHOT for output in motors):
        return "These speed controllers are digital (DShot): they need no calibration."
    wrong = next((why_not_output(o) for o in motors if why_not_output(o)), "")
    battery = settings.aircraft.sample("FlightBatteryState")
    volts = float(battery["Voltage"]) if battery is not None else 0.0
    if volts > _CONNECTED_V:
        return f"The battery is connected ({volts:.1f} V). Unplug it: it comes later."
    return wrong


def _actuator_alarm(settings: Configuration) -> str:
    alarms = settings.aircraft.sample("SystemAlarms")
    if alarms is None or "Actuator" not in alarms.definition.field_named("Alarm").element_names:
        return "OK"
    return str(alarms["Alarm.Actuator"])
