"""[parts]: what the parts of an aircraft weigh, as they were weighed. Their sum is checked."""

from collections.abc import Mapping
from typing import Final

from simulation.files.parameter_file import NumberKey, ParameterFile

PARTS: Final = "parts"
_UNIT: Final = "_kg"
_WITHIN: Final = 0.02
"""By what share `mass_kg` may differ: sources round, and leave out screws and glue."""


def read_parts(file: ParameterFile) -> Mapping[str, float]:
    """Masses in kg by the names of the parts; {} where the file lists none. Raises ParameterError,
    also where they do not make the mass of [body], which is without payload."""
    if PARTS not in file.content:
        return {}
    table = file.table(PARTS)
    for key in table:
        if not key.endswith(_UNIT):
            raise file.error(PARTS, key, f"'{key}' has no unit.", f"Write {key}{_UNIT}, in kg.")
    masses = file.values(PARTS, {key: NumberKey(0.0, 100.0) for key in table})
    total, mass = sum(map(float, masses.values())), float(file.table("body")["mass_kg"])
    if abs(total - mass) > _WITHIN * mass:
        what = f"The parts weigh {total:.4g} kg together, and 'mass_kg' of [body] is {mass:.4g}."
        raise file.error(
            PARTS, "", what, "Correct one of them; beside a base, give the parts that differ."
        )
    return {key.removesuffix(_UNIT): float(masses[key]) for key in masses}
