"""The aircraft in space: the simulator's truth beside the estimate, live and in replay.

A flight without a simulator's truth shows the estimate alone.
"""

import math

import numpy as np
from PySide6.QtWidgets import QWidget

from plugins.api import Json, VehicleContext
from plugins.simulator.link import SimulatorLink
from plugins.simulator.shapes import shape_of
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample
from telemetry.recording.track import Track
from telemetry.vehicle.vehicle import Vehicle
from widgets.parts import make_column
from widgets.scene.camera import Camera, Floats
from widgets.scene.scene import Pose, Scene, View
from widgets.stamp import Stamp

EMPTY = (
    "No position or attitude yet. Connect to an aircraft, or to the simulator, or open a log: "
    "the aircraft then shows here in space."
)
_TRUTH, _ATTITUDE, _POSITION = "AttitudeSimulated", "AttitudeState", "PositionState"
_LASTS_S = 3.0
_TRAIL_S = 60.0
_TRAIL_POINTS = 600


class ScenePanel(QWidget):
    """The panel "simulator.scene"."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self._scene = Scene(context.theme, EMPTY)
        self._seen = Stamp()
        self.setLayout(make_column(self._scene))

    def refresh(self, t: float) -> None:
        """Show the aircraft as it was at `t`."""
        vehicle = self._context.vehicle
        if self._seen.has_changed(vehicle, t, vehicle.recording.version):
            self._scene.show_view(_view(vehicle, t))

    def save_state(self) -> Json:
        """From where one looks."""
        eye = self._scene.camera
        return {
            "azimuth_deg": eye.azimuth_deg,
            "elevation_deg": eye.elevation_deg,
            "distance_m": eye.distance_m,
        }

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        first = Camera()
        numbers = [
            float(state.get(name, getattr(first, name)))
            for name in ("azimuth_deg", "elevation_deg", "distance_m")
        ]
        self._scene.look(*numbers)


def _view(vehicle: Vehicle, t: float) -> View:
    recording = vehicle.recording
    truth = recording.latest(_TRUTH, t)
    place, attitude = recording.latest(_POSITION, t), recording.latest(_ATTITUDE, t)
    shown = Pose(truth["Position"], _quaternion(truth)) if truth is not None else None
    estimate = None
    if place is not None and attitude is not None:
        position = place["North"], place["East"], place["Down"] + _switched_on_down_m(recording)
        estimate = Pose(position, _quaternion(attitude))
    heard_s = max((sample.t for sample in (truth, place) if sample is not None), default=t)
    settings = recording.latest("SystemSettings", t)
    return View(
        shape=shape_of(str(settings["AirframeType"]) if settings is not None else ""),
        truth=shown,
        estimate=estimate,
        trail=_trail(recording, t, has_truth=shown is not None),
        wind=_wind(vehicle),
        ground_down_m=_ground_down_m(recording),
        silent_s=t - heard_s if t - heard_s > _LASTS_S else 0.0,
    )


def _quaternion(sample: Sample) -> tuple[float, float, float, float]:
    return sample["q1"], sample["q2"], sample["q3"], sample["q4"]


def _trail(recording: Recording, t: float, has_truth: bool) -> Floats | None:
    """Where it has been since it was last switched on, at most _TRAIL_POINTS evenly taken."""
    track = recording.track(_TRUTH if has_truth else _POSITION)
    if track is None:
        return None
    first, last = track.range(max(t - _TRAIL_S, _switched_on_s(recording, t)), t)
    every = max(1, (last - first) // _TRAIL_POINTS)
    # Counted from the beginning of the track, so that the same points stay chosen.
    rows = track.rows[first - first % every : last : every]
    if has_truth:
        return np.asarray(rows["Position"], dtype=np.float64)
    return np.column_stack([rows[axis] for axis in ("North", "East", "Down")]).astype(np.float64)


def _switched_on_s(recording: Recording, t: float) -> float:
    """When the aircraft last started again before `t`; from the beginning if it never did."""
    restarts = (event.t for event in recording.events() if event.kind == "reboot")
    return max((at for at in restarts if at <= t), default=-math.inf)


def _switched_on_down_m(recording: Recording) -> float:
    """Where the estimate's height is zero: where the aircraft was switched on, perhaps in a hand.
    The truth counts from the ground."""
    track: Track | None = recording.track(_TRUTH)
    return float(track.rows["Position"][0][2]) if track is not None and track.count else 0.0


def _ground_down_m(recording: Recording) -> float:
    """The truth's zero; without a truth, where the aircraft first was."""
    truth, place = recording.track(_TRUTH), recording.track(_POSITION)
    if truth is not None and truth.count:
        return 0.0
    return float(place.rows["Down"][0]) if place is not None and place.count else 0.0


def _wind(vehicle: Vehicle) -> tuple[float, float, float]:
    """The wind at the aircraft while its simulator tells."""
    if not isinstance(vehicle.link, SimulatorLink) or vehicle.timeline.mode != "live":
        return 0.0, 0.0, 0.0
    report = vehicle.link.remote.look()
    if report is None:
        return 0.0, 0.0, 0.0
    return report.wind_north_mps, report.wind_east_mps, report.wind_down_mps
