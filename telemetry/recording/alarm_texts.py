"""Alarm texts: what every alarm of every firmware release means to a pilot, and the remedy.

Keys are the element names of SystemAlarms on the wire, over all releases in the catalogue; a test
checks that none is missing. Sources: the families' alarm lists and the modules that raise them.
"""

from dataclasses import dataclass
from typing import Literal

Group = Literal["System", "Radio and control", "Sensors and estimation", "Flight", "Power"]
GROUPS: tuple[Group, ...] = (
    "Flight",
    "Sensors and estimation",
    "Radio and control",
    "Power",
    "System",
)


@dataclass(frozen=True, slots=True)
class AlarmText:
    """One alarm in words: a title, where it belongs, one sentence each on meaning and remedy."""

    title: str
    group: Group
    meaning: str
    remedy: str
    settings: tuple[str, ...] = ()
    """The names of the settings that the remedy is about."""


def alarm_text(name: str) -> AlarmText:
    """Return the words for the alarm `name`; an unknown one is explained as far as possible."""
    return ALARM_TEXTS.get(name) or AlarmText(
        name,
        "System",
        "This firmware raises an alarm that the station has no explanation for.",
        "Look the name up in the documentation of the firmware before flying.",
    )


def _flight(title: str, meaning: str, remedy: str, *settings: str) -> AlarmText:
    return AlarmText(title, "Flight", meaning, remedy, settings)


def _sensor(title: str, meaning: str, remedy: str, *settings: str) -> AlarmText:
    return AlarmText(title, "Sensors and estimation", meaning, remedy, settings)


def _radio(title: str, meaning: str, remedy: str) -> AlarmText:
    return AlarmText(title, "Radio and control", meaning, remedy)


def _power(title: str, meaning: str, remedy: str) -> AlarmText:
    return AlarmText(title, "Power", meaning, remedy)


def _system(title: str, meaning: str, remedy: str, *settings: str) -> AlarmText:
    return AlarmText(title, "System", meaning, remedy, settings)


ALARM_TEXTS: dict[str, AlarmText] = {
    "Actuator": _flight(
        "Motors and servos",
        "The outputs cannot follow: the mixer is not set up, an output failed, or its commands "
        "stopped arriving.",
        "Do not arm; check the mixer and the output rates, and on a test stand each motor.",
    ),
    "Stabilization": _flight(
        "Stabilization",
        "The stabilization loop is late or gets no commands, so the aircraft is not held level.",
        "Land at once; on the ground look for a CPU overload and reboot the board.",
    ),
    "Guidance": _flight(
        "Guidance",
        "The path follower cannot steer: position, velocity or its settings are not usable.",
        "Take over in a stabilized mode; check GPS, home location and path follower settings.",
    ),
    "PathFollower": _flight(
        "Path follower",
        "The path follower cannot steer: position, velocity or its settings are not usable.",
        "Take over in a stabilized mode; check GPS, home location and path follower settings.",
    ),
    "PathPlan": _flight(
        "Flight plan",
        "The flight plan on board is missing, incomplete or damaged.",
        "Send the plan again before you have it flown.",
    ),
    "PathPlanner": _flight(
        "Flight plan",
        "The mission has no valid waypoint to fly to.",
        "Send the plan again before you have it flown.",
    ),
    "AltitudeHold": _flight(
        "Altitude hold",
        "Altitude hold cannot work: height or vertical speed is not usable.",
        "Control the throttle yourself; check barometer and vibration before you use it again.",
    ),
    "Geofence": _flight(
        "Geofence",
        "The aircraft is near the edge of the permitted area, or beyond it.",
        "Turn back towards home; check the radius of its fence if this surprises you.",
        "GeoFenceSettings",
    ),
    "Gimbal": _flight(
        "Gimbal",
        "The camera gimbal does not answer or cannot hold its angle.",
        "The flight is not affected; check the gimbal's supply and wiring after landing.",
    ),
    "Attitude": _sensor(
        "Attitude",
        "The attitude estimate is starting up or cannot be trusted; one that uses GPS starts with "
        "the first fix.",
        "On the ground keep the aircraft still until it clears, under a clear sky if it uses GPS; "
        "in the air land by sight.",
    ),
    "Sensors": _sensor(
        "Sensors",
        "Gyroscope, accelerometer or another sensor delivers nothing or nonsense.",
        "Do not arm; reboot the board, and if it returns repeat the sensor calibration.",
    ),
    "Magnetometer": _sensor(
        "Magnetometer",
        "The magnetic field differs from what is expected at this place: iron or strong currents "
        "are near, or the calibration is off.",
        "Move away from metal and calibrate again; until then expect a wrong heading.",
    ),
    "Airspeed": _sensor(
        "Airspeed",
        "The airspeed sensor delivers nothing or nonsense.",
        "Fly with a generous margin above stall speed; check the pitot tube and its tubing.",
    ),
    "GPS": _sensor(
        "GPS",
        "The receiver has no fix, too few satellites, or does not send.",
        "Wait under a clear sky; do not use a mode that holds or flies to positions.",
    ),
    "Nav": _sensor(
        "Navigation",
        "The navigation filter does not deliver a usable position or velocity; it begins with the "
        "first GPS fix.",
        "Wait for a good GPS fix and check the home location; where there is no GPS, as indoors, "
        "choose an estimation without it and fly by hand in a stabilized mode.",
        "RevoSettings.FusionAlgorithm",
    ),
    "GyroBias": _sensor(
        "Gyro bias",
        "The gyroscope drifts more than expected, usually because the temperature changed.",
        "Keep the aircraft still for a minute, then reboot or level it again.",
    ),
    "TempBaro": _sensor(
        "Barometer temperature",
        "The barometer is outside the temperature range it was calibrated for.",
        "Expect a drifting height; let the board reach its usual temperature before flying.",
    ),
    "AHRSComms": _sensor(
        "Attitude processor",
        "The link to the separate attitude processor is broken, so no attitude arrives.",
        "Do not arm; check the connection between the two boards and reboot both.",
    ),
    "Telemetry": _radio(
        "Telemetry",
        "The telemetry link is not connected, or drops data as the aircraft sees it.",
        "Check range, antennas and baud rate; lower the update rates if the link is slow.",
    ),
    "Receiver": _radio(
        "Receiver",
        "The board gets no valid signal from the remote control receiver.",
        "Switch the transmitter on and check binding, range and the receiver's port; in the air "
        "expect the failsafe.",
    ),
    "ManualControl": _radio(
        "Manual control",
        "Pilot inputs are missing, out of range or not set up, so the failsafe may act.",
        "Do not arm; check the transmitter and repeat the input calibration.",
    ),
    "Battery": _power(
        "Battery",
        "The battery is getting low, or its voltage cannot be measured.",
        "Land now; charge it, and check the battery settings if the voltage shown is wrong.",
    ),
    "FlightTime": _power(
        "Flight time",
        "At the present current the battery lasts only a short time more.",
        "Fly home and land while there is a reserve.",
    ),
    "Power": _power(
        "Power supply",
        "A supply voltage on board is outside its limits.",
        "Do not take off, or land; measure the supply and its wiring.",
    ),
    "SystemConfiguration": _system(
        "Configuration",
        "Settings on board contradict each other or suit neither board nor airframe, or the "
        "estimation chosen is one the board does not have.",
        "The aircraft may not arm until they are corrected: check flight modes, airframe, outputs "
        "and estimation, then save and reboot.",
        "RevoSettings.FusionAlgorithm",
    ),
    "BootFault": _system(
        "Boot fault",
        "The last start failed, so the board runs with default settings, or waits for a reboot.",
        "Do not fly; check the settings, save them again and switch the power off and on.",
    ),
    "OutOfMemory": _system(
        "Memory",
        "The board is running out of memory, so modules may stop.",
        "Do not arm, or land; switch off optional modules and reboot.",
    ),
    "StackOverflow": _system(
        "Stack overflow",
        "A task on board has used up its stack; the firmware may crash at any moment.",
        "Land at once; do not fly this firmware with this configuration again.",
    ),
    "CPUOverload": _system(
        "CPU load",
        "The processor on board has almost no time left, so control may become late.",
        "Land; reduce update rates and switch off optional modules.",
    ),
    "EventSystem": _system(
        "Event queue",
        "Data on board came faster than it was handled, and some was lost.",
        "Reduce telemetry and logging rates; if it comes with a CPU alarm, land.",
    ),
    "SDCard": _system(
        "SD card",
        "The memory card is missing or cannot be written.",
        "Insert a formatted card; without it settings and logs are not kept on board.",
    ),
    "I2C": _system(
        "I2C bus",
        "The bus to external sensors reports errors, so compass, barometer or airspeed may fail.",
        "Do not take off; check the plugs and shorten the cable of external sensors.",
    ),
    "ADC": _system(
        "Analogue inputs",
        "The analogue inputs do not work, so voltage and current readings are missing.",
        "Watch the flight time instead of the battery; check the analogue wiring.",
    ),
}

STATION_TEXTS: dict[str, tuple[str, str]] = {
    "Receiver": (
        "No sticks arrive: they come from the station here, which sends none before somebody flies "
        "from it.",
        "Arm from here, or choose to fly by hand; in the air expect the failsafe.",
    ),
}
"""Meaning and remedy where the sticks come from the station, and no transmitter is there."""

# What the boards say in addition, per option of the field named first in each comment.
# ExtendedAlarmStatus.SystemConfiguration and .BootFault (OpenPilot, LibrePilot).
EXTENDED_TEXTS: dict[str, str] = {
    "RebootRequired": "Settings were changed that only take effect after a reboot.",
    "FlightMode": "A flight mode switch position is set to a mode this aircraft cannot fly",
    "UnsupportedConfig_OneShot": "One-shot pulses are selected on an output that cannot give them.",
    "BadThrottleOrCollectiveInputRange": "The range of throttle or collective is reversed or "
    "has no travel.",
    "AutoTune": "Autotune is on a flight mode switch position but its module is not enabled.",
}
# ConfigError, explaining SystemConfiguration (Tau Labs, dRonin).
CONFIG_ERROR_TEXTS: dict[str, str] = {
    "Stabilization": "A stabilization setting does not suit a flight mode.",
    "Multirotor": "A flight mode is set that a multirotor cannot fly.",
    "AutoTune": "Autotune is on the flight mode switch but its module is not enabled.",
    "AltitudeHold": "Altitude hold is on the flight mode switch but its module is not enabled.",
    "VelocityControl": "Velocity control is on the flight mode switch but cannot run.",
    "PositionHold": "Position hold is on the flight mode switch but cannot run.",
    "PathPlanner": "A mission is on the flight mode switch but its module is not enabled.",
    "DuplicatePortCfg": "Two ports are set to the same function.",
    "NavFilter": "The navigation filter selected cannot run on this board.",
    "UnsafeToArm": "The arming setting would allow arming by accident.",
    "LQG": "LQG control is selected but its system identification is missing.",
    "Undefined": "The firmware does not name the setting.",
}
# ManualControl, explaining the alarm of that name (Tau Labs, dRonin).
MANUAL_CONTROL_TEXTS: dict[str, str] = {
    "Settings": "The input settings are not complete.",
    "NoRx": "No receiver signal arrives.",
    "Accessory": "An accessory channel could not be read.",
    "AltitudeHold": "Altitude hold could not take over the throttle.",
    "PathFollower": "The path follower could not be started.",
    "ChannelConfiguration": "Channels are assigned twice or not at all.",
    "Undefined": "The firmware does not name the cause.",
}
# StateEstimation, explaining Attitude (Tau Labs, dRonin).
STATE_ESTIMATION_TEXTS: dict[str, str] = {
    "Gyro queue not updating": "The gyroscope delivers nothing.",
    "Accelerometer queue not updating": "The accelerometer delivers nothing.",
    "No GPS": "The filter selected needs a GPS receiver and gets nothing from one.",
    "No magnetometer": "The filter selected needs a magnetometer and gets nothing from one.",
    "No barometer": "The filter selected needs a barometer and gets nothing from one.",
    "No home": "The home location is not set.",
    "Too few satellites": "The receiver sees too few satellites.",
    "PDOP too high": "The satellites stand unfavourably, so the position is uncertain.",
    "Undefined": "The firmware does not name the cause.",
}
# RebootCause, explaining BootFault (Tau Labs, dRonin).
REBOOT_CAUSE_TEXTS: dict[str, str] = {
    "Brown out": "The last reboot came from a supply voltage that dropped.",
    "Pin reset": "The last reboot came from the reset pin.",
    "Power on reset": "The last start was an ordinary power-on.",
    "Software reset": "The firmware asked for the last reboot itself.",
    "Independent watchdog": "The last reboot came from the watchdog: the firmware had stopped.",
    "Window watchdog": "The last reboot came from the window watchdog: the firmware was late.",
    "Low power": "The last reboot came from a low-power state.",
    "Undefined": "The firmware does not name the cause of the last reboot.",
}
