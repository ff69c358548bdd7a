"""[body] and [payload]: mass, inertia, drag, and what hangs below."""

from typing import Final

import numpy as np

from simulation.files.parameter_file import NumberKey, ParameterFile, ParameterSection, Values
from simulation.records.flight import COMMANDED, FIXED_WING

_FROM_CENTRE = ("centre_of_pressure", "rotor_position", "point", "imu_position", "sonar_position")
"""Members that are places relative to the centre of mass: a payload moves them all."""
_LEAST_GYRATION = 0.05
_SLANT = 0.05


def _finish_body(file: ParameterFile, _: Values, p: np.void) -> None:
    x, y, z = sorted(p["inertia"])
    if z > x + y:
        raise file.error(
            "body",
            "inertia_kgm2",
            "No body can have this 'inertia_kgm2': one is larger than the sum of the others.",
            "Check the three numbers.",
        )


def _hang_payload(file: ParameterFile, values: Values, p: np.void) -> None:
    """Add the payload as a point mass: total mass, centre of mass, inertia about it.

    Everything in the file is measured from the centre of mass without payload.
    """
    place = np.array(values["position_m"])
    body, load = float(p["mass"]), float(values["mass_kg"])
    shared = body * load / (body + load)
    slant = max(abs(place[0] * place[1]), abs(place[1] * place[2]), abs(place[2] * place[0]))
    if shared * slant > _SLANT * min(p["inertia"]):
        raise file.error(
            "payload",
            "position_m",
            "This payload would turn the axes of inertia.",
            "Hang it under the centre of mass, or in front of it, but not aslant.",
        )
    p["mass"] = body + load
    p["inertia"] += shared * (place @ place - place * place)
    for member in _FROM_CENTRE:
        p[member] -= place * load / (body + load)


def payload_shift(file: ParameterFile) -> tuple[float, float, float]:
    """What a payload adds to all places that are measured from the centre of mass."""
    if not file.has(PAYLOAD.name):
        return 0.0, 0.0, 0.0
    values = file.values(PAYLOAD.name, PAYLOAD.keys)
    body, load = float(file.table("body")["mass_kg"]), float(values["mass_kg"])
    x, y, z = (-np.array(values["position_m"]) * load / (body + load)).tolist()
    return x, y, z


def measure_span(_: ParameterFile, p: np.void) -> None:
    """The width over which gusts differ: of the wing, of all rotor discs together, or of the
    hull."""
    if p["kind"] == FIXED_WING:
        p["gust_span"] = p["wing_span"]
        return
    parts = p["point"] if p["kind"] == COMMANDED else p["rotor_position"]
    p["gust_span"] = 2.0 * (float(np.abs(parts[:, 1]).max()) + float(p["rotor_radius"]))


def check_inertia(file: ParameterFile, p: np.void) -> None:
    """Complain about a radius of gyration that the aircraft's size makes impossible, as it comes
    from a wrong unit."""
    places = np.vstack((p["rotor_position"], p["point"]))
    size = float(np.sqrt((places * places).sum(axis=1).max()))
    for inertia in p["inertia"]:
        gyration = float(np.sqrt(inertia / p["mass"]))
        if not _LEAST_GYRATION * size < gyration < size:
            what = f"'inertia_kgm2' puts the mass {gyration:.3g} m from the centre of an aircraft"
            raise file.error(
                "body",
                "inertia_kgm2",
                f"{what} that reaches {size:.3g} m.",
                "Give kg m2: 1 g cm2 is 1e-7 kg m2, 1 kg cm2 is 1e-4 kg m2.",
            )


SECTIONS: Final = (
    ParameterSection(
        "body",
        {
            "mass_kg": NumberKey(0.005, 100.0, member="mass"),
            "inertia_kgm2": NumberKey(1e-7, 1e7, (3,), member="inertia"),
            "inertia_xz_kgm2": NumberKey(-100.0, 100.0, member="inertia_xz", default=0.0),
            "drag_force_ns2pm2": NumberKey(0.0, 100.0, (3,), member="drag_force"),
            "centre_of_pressure_m": NumberKey(
                -10.0, 10.0, (3,), member="centre_of_pressure", default=(0.0, 0.0, 0.0)
            ),
            "drag_moment_nms2": NumberKey(0.0, 100.0, (3,), member="drag_moment"),
        },
        _finish_body,
    ),
)
PAYLOAD: Final = ParameterSection(
    "payload",
    {"mass_kg": NumberKey(0.0, 100.0), "position_m": NumberKey(-10.0, 10.0, (3,))},
    _hang_payload,
    is_optional=True,
)
