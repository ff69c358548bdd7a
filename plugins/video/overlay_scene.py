"""Video overlay scene: lines and values of the log at one instant, over the camera's picture."""

from dataclasses import dataclass, replace

from telemetry.base.rotations import Floats
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.recording.interpolated_state import attitude_at
from telemetry.recording.recording import Recording
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.picture_turn import PictureTurn
from telemetry.review.cameras.projection import down_in_body, horizon_line
from widgets.video.overlay import OverlayLine, VideoOverlay

_STALE_POSITION_S = 3.0
_RUNGS_DEG = (-20, -10, 10, 20)
_RUNG_BESIDE_DEG = 9.0
_NONE = "–"


@dataclass(frozen=True, slots=True)
class OverlayOptions:
    """What is to be seen over the picture; `opacity` goes from 0 to 1."""

    is_shown: bool = False
    has_horizon: bool = True
    has_values: bool = True
    opacity: float = 0.8


def make_overlay(
    recording: Recording,
    t: float,
    camera: CameraSettings,
    size: tuple[int, int],
    options: OverlayOptions,
    turn: PictureTurn,
) -> VideoOverlay | None:
    """The overlay of a stored picture of `size` whose middle row was taken at `t`, where things
    stand when it is shown turned; None where none is wanted."""
    if not options.is_shown:
        return None
    down = gravity_at(recording, t) if options.has_horizon else None
    lines = () if down is None else _horizon(down, camera, size)
    values = _values(read_flight_state(recording, t)) if options.has_values else ()
    if options.has_horizon and down is None:
        values = (("Attitude", "none"), *values)
    turned = (replace(line, points=turn.points(line.points, size)) for line in lines)
    return VideoOverlay(tuple(turned), values, options.opacity)


def gravity_at(recording: Recording, t: float) -> Floats | None:
    """The direction of gravity in the body's frame, (3,), between two samples of the attitude on
    the way from one to the other; None where the attitude is not known."""
    angles = attitude_at(recording, t)
    return None if angles is None else down_in_body(*angles[:2])


def _horizon(
    down: Floats, camera: CameraSettings, size: tuple[int, int]
) -> tuple[OverlayLine, ...]:
    rungs = (
        OverlayLine(
            horizon_line(down, camera, size, elevation, _RUNG_BESIDE_DEG),
            f"{elevation}°".replace("-", "−"),
        )
        for elevation in _RUNGS_DEG
    )
    return (OverlayLine(horizon_line(down, camera, size), "", True), *rungs)


def _values(state: FlightState) -> tuple[tuple[str, str], ...]:
    is_old = (state.position_age_s or 0.0) > _STALE_POSITION_S
    height_m = state.height_m if state.height_m is not None else state.altitude_m
    speed, height, climb = (
        _NONE if is_old else text
        for text in (
            _number(state.groundspeed_mps, "m/s", 1),
            _number(height_m, "m", 1),
            _number(state.climb_mps, "m/s", 1),
        )
    )
    heading_deg = None if state.yaw_deg is None else state.yaw_deg % 360.0
    rows = (
        ("Speed", speed),
        ("Height", height),
        ("Climb", climb),
        ("Heading", _number(heading_deg, "°", 0)),
        ("Battery", _number(state.battery_v, "V", 1)),
        ("Mode", state.flight_mode or ""),
    )
    return tuple((name, text) for name, text in rows if text)


def _number(value: float | None, unit: str, digits: int) -> str:
    """A number with a true minus sign; "" for one that the log does not have."""
    if value is None:
        return ""
    space = "" if unit == "°" else "\N{THIN SPACE}"
    return f"{value:.{digits}f}{space}{unit}".replace("-", "−")
