"""Settings that no aircraft survives, for every door that they could reach a board by."""

from collections.abc import Mapping
from typing import Final

from telemetry.configuration.settings.document import SettingsDocument
from telemetry.configuration.settings.slots import default_values
from telemetry.configuration.settings.snapshot import ObjectValues, Snapshot
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.recording.sample import Value
from tests.telemetry.protocol.session.fakes import MemoryBoard
from tests.telemetry.vehicle.test_release_definitions import board_of

BANK = "StabilizationSettingsBank1"
SHARED, HOLD, PATH = "StabilizationSettings", "AltitudeHoldSettings", "VtolPathFollowerSettings"
MODES, STICKS, MIXER = "FlightModeSettings", "ManualControlSettings", "MixerSettings"
OUTPUTS, EKF, ATTITUDE = "ActuatorSettings", "EKFConfiguration", "AttitudeSettings"

DESTRUCTIVE: Final[tuple[tuple[str, str, Value], ...]] = (
    *((BANK, f"{axis}RatePID.Kp", value) for axis in ("Roll", "Pitch", "Yaw") for value in (1, -1)),
    *((BANK, f"{axis}RatePID.Ki", value) for axis in ("Roll", "Pitch", "Yaw") for value in (5, -1)),
    *((BANK, f"{axis}RatePID.Kd", 51.0) for axis in ("Roll", "Pitch", "Yaw")),
    *((BANK, f"{axis}RatePID.ILimit", 30.0) for axis in ("Roll", "Pitch", "Yaw")),
    *((BANK, f"{axis}PI.Kp", 100.0) for axis in ("Roll", "Pitch", "Yaw")),
    *((BANK, f"{axis}PI.Kp", -2.0) for axis in ("Roll", "Pitch", "Yaw")),
    *((BANK, f"MaximumRate.{axis}", 0.0) for axis in ("Roll", "Pitch", "Yaw")),
    (BANK, "ManualRate.Roll", 10000.0),
    (BANK, "RollMax", 0),
    (BANK, "PitchMax", 255),
    (SHARED, "GyroTau", 1.0),
    (SHARED, "GyroTau", -0.1),
    (SHARED, "DerivativeCutoff", 0),
    (SHARED, "DerivativeGamma", 50.0),
    (SHARED, "CruiseControlMinThrust", 90),
    (SHARED, "CruiseControlMaxPowerFactor", 60.0),
    (HOLD, "VerticalVelPID.Kp", 50.0),
    (HOLD, "VerticalVelPID.Ki", -1.0),
    (HOLD, "VerticalPosP", 80.0),
    (HOLD, "ThrustLimits.Min", 0.9),
    (HOLD, "ThrustLimits.Max", 0.05),
    (PATH, "HorizontalVelPID.Kp", 900.0),
    (PATH, "HorizontalVelPID.Kp", -8.0),
    (PATH, "HorizontalPosP", 70.0),
    (PATH, "MaxRollPitch", 90.0),
    (PATH, "HorizontalVelMax", 500.0),
    (PATH, "VerticalVelMax", 90.0),
    (PATH, "LandVerticalVelPID.Kp", 60.0),
    (MODES, "LandingVelocity", 20.0),
    (MODES, "AutoTakeOffVelocity", 50.0),
    (MODES, "ReturnToBaseAltitudeOffset", -50.0),
    (MODES, "Arming", "Always Armed"),
    (MODES, "ArmingSequenceTime", 0),
    (MODES, "DisableSanityChecks", "True"),
    (STICKS, "FailsafeChannel.Throttle", 1.0),
    (STICKS, "ResponseTime.Roll", 5000),
    (MIXER, "ThrottleCurve1.0", 0.9),
    (OUTPUTS, "ChannelMax.0", 9000),
    (OUTPUTS, "BankUpdateFreq.0", 1),
    (EKF, "R.GPSPosNorth", 0.0),
    (EKF, "Q.GyroX", -1.0),
    (ATTITUDE, "AccelKp", 90.0),
)

Values = Mapping[str, Mapping[str, Value]]


def _rounds() -> tuple[Values, ...]:
    rounds: list[dict[str, dict[str, Value]]] = [{}]
    for name, path, value in DESTRUCTIVE:
        if all(path in found.get(name, {}) for found in rounds):
            rounds.append({})
        free = next(found for found in rounds if path not in found.get(name, {}))
        free.setdefault(name, {})[path] = value
    return tuple(rounds)


ROUNDS: Final = _rounds()
"""All of them by object and path, as many at once as differ in their paths."""

SAMPLE: Final = ({name: dict([*values.items()][:1]) for name, values in ROUNDS[0].items()},)
"""One of each object, for what takes long."""


def names_of(wanted: Values) -> set[str]:
    """What a command line calls them."""
    return {f"{name}.{path}" for name, values in wanted.items() for path in values}


def board_for_all(catalogue: Catalogue) -> MemoryBoard:
    """A board that has all the objects."""
    return board_of(catalogue, DEFAULT_RELEASE, *dict.fromkeys(name for name, _, _ in DESTRUCTIVE))


def document_of(wanted: Values, catalogue: Catalogue) -> SettingsDocument:
    """What a file or a set would bring: these, all else as a board starts with."""
    objects = {}
    for name, values in wanted.items():
        definition = catalogue.find(name, DEFAULT_RELEASE)
        held = {**default_values(definition), **values}
        objects[name, 0] = ObjectValues(name, 0, held, definition)
    return SettingsDocument(Snapshot("destructive", objects))
