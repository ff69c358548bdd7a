"""Observer on the ground: behind where the flight began, as a pilot stands."""

import math

from plugins.view3d.poses import true_pose, truth_track
from plugins.view3d.space_ground import SpaceGround
from telemetry.recording.recording import Recording
from widgets.change_detector import ChangeDetector
from widgets.scene3d.camera_modes import SeenAircraft
from widgets.scene3d.scene import Place

_AWAY_M = 6.0
_EYES_M = 1.7
_BEFORE_M = 0.4
"""From what stands behind."""


class ObserverStand:
    """Looked for again when more is known."""

    def __init__(self, recording: Recording, ground: SpaceGround) -> None:
        self._recording = recording
        self._ground = ground
        self._known = ChangeDetector()
        self._place: Place = (0.0, 0.0, 0.0)

    def place(self, level_down_m: float) -> Place:
        """On the ground, which lies at `level_down_m` where nothing is known of it."""
        ground, has_truth = self._ground, truth_track(self._recording) is not None
        if self._known.has_changed(has_truth, level_down_m, ground.obstacles, ground.is_busy):
            self._place = _place_behind(self._began(level_down_m), ground, level_down_m)
        return self._place

    def _began(self, level_down_m: float) -> SeenAircraft:
        """Without a truth at home, nose to the north."""
        track = truth_track(self._recording)
        first = true_pose(self._recording, float(track.times[0])) if track is not None else None
        return first or SeenAircraft((0.0, 0.0, level_down_m))


def _place_behind(began: SeenAircraft, ground: SpaceGround, level_down_m: float) -> Place:
    """Nearer where a wall is behind."""
    north, east, down = began.position
    yaw, eyes_m, away_m = math.radians(began.yaw_deg), down - _EYES_M, _AWAY_M
    if ground.obstacles is not None:
        wall = north - away_m * math.cos(yaw), east - away_m * math.sin(yaw), eyes_m
        share = ground.obstacles.free_share((north, east, eyes_m), wall)
        away_m = away_m if share >= 1.0 else max(0.0, share * away_m - _BEFORE_M)
    behind = north - away_m * math.cos(yaw), east - away_m * math.sin(yaw)
    below_m = ground.below_m((*behind, eyes_m))
    return *behind, level_down_m if below_m is None else below_m
