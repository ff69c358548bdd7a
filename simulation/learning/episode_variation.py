"""Variation of episodes: the aircraft, sensors and settings of each drawn by a study's [vary].

What an episode draws depends on the seed of its flight and the name alone. Names that begin with
`scenario.` are refused: an episode has none. A start costs 1 ms more, and 10 ms where the aircraft
or its sensors vary, whose file is then read anew.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.autopilot.preset import Preset
from simulation.learning.episode_start import Numbered, prepare_sensors
from simulation.physics.hull_shape import set_hull
from simulation.studies.distribution import StudyError
from simulation.studies.variation import read_variation, uniform_numbers
from simulation.studies.varied_fleet import VariedPreset
from telemetry.base.text_formats import FormatError, parse_toml, read_limited
from telemetry.protocol.objects.catalogue import Catalogue

Vary = str | Path | Mapping[str, Any]
"""The file of a study, or its table [vary]."""
_KEPT: Final = (
    "fusion_algorithm",
    "own_filter",
    "home_set",
    "home_latitude_deg",
    "home_longitude_deg",
    "home_altitude_m",
    "home_declination_deg",
    "home_field_mgauss",
)
"""Of SETTINGS: what the start of an episode says, not the preset."""


class EpisodeVariation:
    """Makes the aircraft of episodes differ."""

    def __init__(self, vary: Vary, preset: Preset, catalogue: Catalogue) -> None:
        """Raises StudyError."""
        table = vary if isinstance(vary, Mapping) else _table_of(Path(vary))
        self._variation = read_variation(table)
        self._preset = VariedPreset(preset, catalogue, self._variation)

    def vary(self, records: npt.NDArray[Any], which: Numbered, seeds: Numbered) -> None:
        """Change these of an array of FLIGHT, which stand at time 0, by the seeds of their
        flights."""
        drawn = {
            name: how.values(np.array([uniform_numbers(s, name, 0, 1)[0] for s in seeds.tolist()]))
            for name, how in self._variation.distributions.items()
        }
        for row, i in enumerate(which.tolist()):
            aircraft, settings = self._preset.with_values(self._variation.values(drawn, row))
            _change(records[i], aircraft.parameters, settings)


def _change(flight: Any, parameters: Any, settings: Any) -> None:
    kept = {name: flight["settings"][name].copy() for name in _KEPT}
    flight["settings"] = settings
    for name, value in kept.items():
        flight["settings"][name] = value
    flight["parameters"] = parameters
    p, state = flight["parameters"], flight["state"]
    prepare_sensors(p)
    if state["in_world"]:
        set_hull(p)
    state["bus_voltage"] = p["cells"] * p["cell_ocv"][-1]
    flight["world"]["gps_satellites"] = p["gps_satellites"]


def _table_of(path: Path) -> Any:
    try:
        study = parse_toml(read_limited(path))
    except OSError as error:
        raise StudyError(
            f"Cannot read {path}: {error.strerror}; give the file of a study."
        ) from None
    except FormatError as error:
        raise StudyError(f"{path} is no study: {error}.") from None
    if "vary" not in study:
        raise StudyError(f"{path} has no table [vary]; give the file of a study that has one.")
    return study["vary"]
