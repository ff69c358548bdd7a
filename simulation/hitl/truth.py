"""How the simulated aircraft really moves, as AttitudeSimulated and GroundTruth for the log."""

import numpy as np

from simulation.autopilot.truth import attitude_simulated, ground_truth
from simulation.members import members_of
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
        members = members_of(output)
        return b"".join(
            self._dialect.encode(
                FrameType.OBJ, definition.object_id, 0, True, pack_values(definition, values)
            )
            for definition, values in (
                (self._simulated, attitude_simulated(members)),
                (self._truth, ground_truth(members)),
            )
        )
