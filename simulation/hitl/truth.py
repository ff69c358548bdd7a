"""How the simulated aircraft really moves, as AttitudeSimulated and GroundTruth for the log."""

import math
from typing import Any

import numpy as np

from simulation.rotation import euler_of
from telemetry.objects.catalogue import Catalogue
from telemetry.objects.values import pack_values
from telemetry.wire.dialect import Dialect
from telemetry.wire.frame import FrameType


class TruthFrames:
    """Frames of the truth objects; their definitions are those of Lapwing's own release."""

    def __init__(self, catalogue: Catalogue, dialect: Dialect) -> None:
        self._simulated = catalogue.find("AttitudeSimulated")
        self._truth = catalogue.find("GroundTruth")
        self._dialect = dialect

    def frames(self, output: np.void) -> bytes:
        """Both objects as they are now."""
        o: Any = output
        quaternion = o["true_quaternion"].tolist()
        angles = [math.degrees(angle) for angle in euler_of(quaternion)]
        velocity, position = o["true_velocity"].tolist(), o["true_position"].tolist()
        air = [v - w for v, w in zip(velocity, o["true_wind"].tolist(), strict=True)]
        simulated = {f"q{i + 1}": part for i, part in enumerate(quaternion)}
        simulated |= dict(zip(("Roll", "Pitch", "Yaw"), angles, strict=True))
        simulated |= {"Velocity": velocity, "Position": position}
        truth = {
            "AccelerationXYZ": o["true_specific_force"].tolist(),
            "PositionNED": position,
            "VelocityNED": velocity,
            "RPY": angles,
            "AngularRates": o["true_rates"].tolist(),
            "TrueAirspeed": math.hypot(*air),
        }
        return b"".join(
            self._dialect.encode(
                FrameType.OBJ, definition.object_id, 0, True, pack_values(definition, values)
            )
            for definition, values in ((self._simulated, simulated), (self._truth, truth))
        )
