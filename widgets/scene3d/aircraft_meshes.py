"""Aircraft meshes by airframe: drawings about the size of a model."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from telemetry.configuration.airframe.airframe import (
    FIXED_WING,
    GROUND,
    HELICOPTER,
    Airframe,
    airframe_named,
    find_airframe,
)
from widgets.scene3d.scene import Place, Rgb, SolidMesh, joined_meshes
from widgets.scene3d.solids import box, disc, plate, tapered

_ARM_M, _ROTOR_M, _LAYER_M = 0.35, 0.17, 0.06
_UNKNOWN = "QuadX"


@dataclass(frozen=True, slots=True)
class AircraftColours:
    """Of the body, of what is in front, of rotors and surfaces."""

    body: Rgb
    nose: Rgb
    rotor: Rgb


@lru_cache(maxsize=16)
def aircraft_mesh(airframe_type: str, colours: AircraftColours) -> SolidMesh:
    """The body of an option of SystemSettings.AirframeType, in body axes; a quadrotor for those
    that are not known."""
    frame = find_airframe(airframe_type) or airframe_named(_UNKNOWN)
    if frame.family == FIXED_WING:
        return _wings(colours, is_delta="Elevon" in frame.name)
    if frame.family == HELICOPTER:
        return _helicopter(colours)
    if frame.family == GROUND:
        return _vehicle(colours)
    return _multirotor(frame, colours)


@lru_cache(maxsize=16)
def mesh_span_m(mesh: SolidMesh) -> float:
    """How wide a body is."""
    return float(np.ptp(mesh.vertices[:, 1]))


def _multirotor(frame: Airframe, colours: AircraftColours) -> SolidMesh:
    """A hub, an arm to each motor, and rotors: those in front in the colour of the nose."""
    motors = frame.motors or airframe_named(_UNKNOWN).motors
    reach = max(math.hypot(*motor.place) for motor in motors)
    radius = _ROTOR_M * min(1.0, 4.0 / len({motor.place for motor in motors}))
    parts = [
        tapered(((-0.1, 0.05, 0.03), (0.0, 0.08, 0.04), (0.1, 0.06, 0.03)), colours.body),
        tapered(((0.1, 0.05, 0.025), (0.17, 0.01, 0.01)), colours.nose),
        box((-0.09, -0.07, 0.06), (-0.05, 0.07, 0.09), colours.body),
        box((0.05, -0.07, 0.06), (0.09, 0.07, 0.09), colours.body),
    ]
    for motor in motors:
        x, y = (value / reach * _ARM_M for value in motor.place)
        height = -0.05 + (_LAYER_M if motor.layer == "bottom" else 0.0)
        is_front = x > 1e-6
        parts.append(_arm(x, y, colours.body))
        rotor = colours.nose if is_front else colours.rotor
        parts.append(disc((x, y, height), radius, rotor))
    return joined_meshes(*parts)


def _arm(x: float, y: float, colour: Rgb) -> SolidMesh:
    length = math.hypot(x, y)
    side_x, side_y = -y / length * 0.015, x / length * 0.015
    low: Sequence[Place] = (
        (side_x, side_y, 0.0),
        (x + side_x, y + side_y, -0.02),
        (x - side_x, y - side_y, -0.02),
        (-side_x, -side_y, 0.0),
    )
    return plate(low, colour)


def _wings(colours: AircraftColours, *, is_delta: bool) -> SolidMesh:
    body = tapered(((-0.45, 0.015, 0.02), (-0.1, 0.04, 0.05), (0.3, 0.045, 0.05)), colours.body)
    nose = tapered(((0.3, 0.045, 0.05), (0.45, 0.01, 0.01)), colours.nose)
    fin = plate(((-0.3, 0, 0), (-0.45, 0, 0), (-0.47, 0, -0.17), (-0.4, 0, -0.17)), colours.body)
    parts = [body, nose, fin]
    for side in (-1.0, 1.0):
        tip = 0.6 * side
        lead, trail = (-0.2, -0.38) if is_delta else (0.08, -0.07)
        wing: Sequence[Place] = (
            (0.18, 0.0, -0.02),
            (lead, tip, -0.05),
            (trail, tip, -0.05),
            (-0.38 if is_delta else -0.08, 0.0, -0.02),
        )
        parts.append(plate(wing, colours.rotor))
        if not is_delta:
            tail: Sequence[Place] = (
                (-0.33, 0.0, -0.01),
                (-0.38, 0.22 * side, -0.01),
                (-0.46, 0.22 * side, -0.01),
                (-0.46, 0.0, -0.01),
            )
            parts.append(plate(tail, colours.rotor))
    return joined_meshes(*parts)


def _helicopter(colours: AircraftColours) -> SolidMesh:
    return joined_meshes(
        tapered(((-0.15, 0.03, 0.04), (0.0, 0.08, 0.1), (0.15, 0.07, 0.08)), colours.body),
        tapered(((0.15, 0.07, 0.08), (0.25, 0.01, 0.02)), colours.nose),
        tapered(((-0.55, 0.012, 0.012), (-0.15, 0.03, 0.03)), colours.body),
        plate(((-0.5, 0, 0), (-0.6, 0, 0), (-0.6, 0, -0.14), (-0.55, 0, -0.14)), colours.body),
        box((-0.012, -0.012, -0.2), (0.012, 0.012, -0.1), colours.body),
        box((-0.18, -0.1, 0.13), (0.18, -0.08, 0.15), colours.body),
        box((-0.18, 0.08, 0.13), (0.18, 0.1, 0.15), colours.body),
        disc((0.0, 0.0, -0.2), 0.55, colours.rotor),
    )


def _vehicle(colours: AircraftColours) -> SolidMesh:
    wheels = [
        box((x - 0.07, y - 0.03, 0.02), (x + 0.07, y + 0.03, 0.14), colours.rotor)
        for x in (-0.22, 0.22)
        for y in (-0.2, 0.2)
    ]
    return joined_meshes(
        tapered(((-0.35, 0.15, 0.05), (0.25, 0.15, 0.05)), colours.body),
        tapered(((0.25, 0.15, 0.05), (0.38, 0.1, 0.02)), colours.nose),
        box((-0.2, -0.1, -0.14), (0.08, 0.1, -0.05), colours.body),
        *wheels,
    )
