"""Settings ownership: whose settings these are, and which belong to one board or aircraft only.

Gains and modes may go from one aircraft to another. What was measured on a board, how its ports
and outputs are wired and mixed, which radio it is paired with, where its home is and what it is
called, may not.
"""

from telemetry.configuration.settings.document import SettingsDocument
from telemetry.configuration.settings.identity import Identity

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


def told_of_another(document: SettingsDocument, ours: Identity) -> str:
    """A sentence that settings are of another aircraft than ours, or may be, with whose they are:
    name, airframe, board with serial number, firmware. "" where they are known to be of the same.

    Serial numbers alone tell boards apart: name, firmware and address are alike in many.
    """
    theirs = document.identity
    if not (theirs.has_serial and ours.has_serial):
        board = "they do" if ours.has_serial else "this board does"
        return (
            f"These may be the settings of another aircraft, as {board} not tell a serial number: "
            f"{_owner_of(document)}."
        )
    if theirs.serial.lower() == ours.serial.lower():
        return ""
    return f"These are the settings of another aircraft: {_owner_of(document)}."


def _owner_of(document: SettingsDocument) -> str:
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
