"""Settings ownership: whose settings these are, and which belong to one board or aircraft only.

Gains and modes may go from one aircraft to another. What was measured on a board, how its ports
and outputs are wired and mixed, which radio it is paired with, where its home is and what it is
called, may not.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from telemetry.configuration.settings.document import SettingsDocument
from telemetry.configuration.settings.identity import Identity
from telemetry.configuration.settings.snapshot import Snapshot

_CALIBRATION, _MOUNTING = "the calibration of its sensors", "how the board is mounted"
_PORTS, _RADIO = "how its ports are used", "which radio it is paired with"
_OUTPUTS, _MIXER = "its outputs", "its mixer"
_NAME, _HOME = "its name", "its home"

_BOUND: dict[str, str | dict[str, str]] = {
    "AHRSCalibration": _CALIBRATION,
    "AHRSSettings": dict.fromkeys(("YawBias", "PitchBias", "RollBias"), _MOUNTING),
    "AccelGyroSettings": _CALIBRATION,
    "RevoCalibration": _CALIBRATION,
    "SensorSettings": _CALIBRATION,
    "AuxMagSettings": dict.fromkeys(("mag_bias", "mag_transform", "BoardRotation"), _CALIBRATION),
    "RevoSettings": dict.fromkeys(
        ("BaroTempCorrectionPolynomial", "BaroTempCorrectionExtent"), _CALIBRATION
    ),
    "AirspeedSettings": dict.fromkeys(("Scale", "ZeroPoint"), _CALIBRATION),
    "FlightBatterySettings": dict.fromkeys(
        ("SensorCalibrations", "SensorCalibrationFactor", "SensorCalibrationOffset"), _CALIBRATION
    ),
    "AttitudeSettings": {
        **dict.fromkeys(("AccelBias", "GyroBias"), _CALIBRATION),
        **dict.fromkeys(("BoardRotation", "BoardLevelTrim"), _MOUNTING),
    },
    "OpticalFlowSettings": dict.fromkeys(("SensorRotation",), _MOUNTING),
    "ActuatorSettings": _OUTPUTS,
    "MixerSettings": _MIXER,
    "ADCRouting": _PORTS,
    "OPLinkSettings": _RADIO,
    "PipXSettings": _RADIO,
    "OpenLRS": _RADIO,
    "HomeLocation": _HOME,
    "SystemSettings": {"VehicleName": _NAME},
}
"""By object, or by field of it, in all releases. Objects of hardware ("HwSettings", "HwSparky")
are all ports."""


def bound_to_board(name: str, path: str) -> str:
    """What a value is that belongs to one board or aircraft ("its name"); empty if it may go to
    another."""
    bound = _PORTS if name.startswith("Hw") else _BOUND.get(name, "")
    return bound if isinstance(bound, str) else bound.get(path.partition(".")[0], "")


def without_bound(
    wanted: Snapshot, is_meant: Callable[[str, str], bool]
) -> tuple[Snapshot, Mapping[str, str]]:
    """What of a set may go to another aircraft, and what was left out by object. What `is_meant`
    (object, path) goes too."""
    kinds: dict[str, str] = {}
    objects = {}
    for address, held in wanted.objects.items():
        bound = {
            path: words
            for path in held.values
            if (words := bound_to_board(held.name, path)) and not is_meant(held.name, path)
        }
        kinds |= (
            dict.fromkeys((held.name,), ", ".join(dict.fromkeys(bound.values()))) if bound else {}
        )
        if len(bound) < len(held.values):
            free = {path: value for path, value in held.values.items() if path not in bound}
            objects[address] = replace(held, values=free)
    return replace(wanted, objects=objects), kinds


def is_of_another(theirs: Identity, ours: Identity) -> bool:
    """Whether settings are of another board, or of nobody knows which. Boards that tell no serial
    number, as simulated ones, cannot be told apart and count as one."""
    return _serial(theirs) != _serial(ours)


def owner_of(document: SettingsDocument) -> str:
    """Whose settings these are, for people: name, airframe, board with serial number, firmware."""
    who = document.identity
    parts = [document.aircraft, airframe_of(document)]
    if who.is_known:
        parts.append(who.board_name)
    if who.has_serial:
        parts.append(f"serial number {who.serial}")
    parts.append(who.firmware)
    return ", ".join(part for part in parts if part) or "an aircraft that it does not name"


def airframe_of(document: SettingsDocument) -> str:
    """The AirframeType in the settings, or told beside them; empty where nobody says."""
    system = document.snapshot.objects.get(("SystemSettings", 0))
    own = str(system.values.get("AirframeType", "")) if system is not None else ""
    return own or document.airframe


def _serial(identity: Identity) -> str:
    return identity.serial.lower() if identity.has_serial else ""
