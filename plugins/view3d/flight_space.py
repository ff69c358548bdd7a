"""A flight at one instant as a scene: the aircraft, where it was, and the ground."""

import math
from dataclasses import dataclass

import numpy as np

from plugins.view3d.flown_line import GrowingLine
from plugins.view3d.look import SpaceLook
from plugins.view3d.places import SpaceOrigin, origin_of, position_of
from telemetry.flight_state import read_flight_state
from telemetry.flown_places import FlownPlaces
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample
from telemetry.recording.track import Track
from telemetry.vehicle.vehicle import Vehicle
from widgets.map.wind import wind_of, wind_text
from widgets.scene3d.aircraft_meshes import aircraft_mesh
from widgets.scene3d.cameras import SeenAircraft
from widgets.scene3d.flat_ground import ground_grid, level_ground
from widgets.scene3d.space import (
    Floats,
    LinePoints,
    PlacedMesh,
    Rgb,
    SpaceLine,
    SpaceScene,
)

TRUTH = "AttitudeSimulated"
_LASTS_S = 3.0
_THIN = "\u2009"
_GHOST = 0.45
_LEAST_PX = 26.0
_RESTART_TOLD_S = 3.0
"""Within so long a restart is heard of."""


@dataclass(frozen=True, slots=True, eq=False)
class SpaceMoment:
    """What the view shows at one instant."""

    scene: SpaceScene
    aircraft: SeenAircraft
    words: tuple[str, ...]


class FlightSpace:
    """Reads the recording of one vehicle; its track is kept and only made longer."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.vehicle = vehicle
        self._places = FlownPlaces(vehicle.recording)
        self._believed = GrowingLine(2.5)
        self._true = GrowingLine(1.5)

    def at(self, t: float, look: SpaceLook, eye_m: float) -> SpaceMoment | None:
        """The flight as it was at `t`; `eye_m` is how far away one looks from. None where neither
        place nor attitude is known."""
        recording = self.vehicle.recording
        self._places.update()
        origin = origin_of(recording, self._places)
        truth = _true_pose(recording, t)
        believed = self._believed_pose(t, origin)
        shown = truth or believed
        if shown is None:
            return None
        below = (*shown.position[:2], shown.ground_down_m)
        eye_m = max(eye_m, shown.ground_down_m - shown.position[2])
        self._update_lines(origin, look)
        bodies = [_body(recording, t, shown, look)]
        if truth is not None and believed is not None:
            bodies.append(_body(recording, t, believed, look, opacity=_GHOST))
        lines = (
            ground_grid(below, eye_m, look.grid, look.ground),
            _drop_line(shown, look.outline),
            *self._true.lines(_past(recording, t)),
            *self._believed.lines(self._places.past(t)),
        )
        scene = SpaceScene((level_ground(below, look.ground), *bodies), lines, light=look.light)
        return SpaceMoment(scene, shown, self._words(t, look, truth, believed))

    def _believed_pose(self, t: float, origin: SpaceOrigin) -> SeenAircraft | None:
        recording = self.vehicle.recording
        state = read_flight_state(recording, t)
        place = position_of(state, origin)
        if state.roll_deg is None or state.pitch_deg is None or state.yaw_deg is None:
            return None
        north, east, down = place or (0.0, 0.0, 0.0)
        lift = _switched_on_down_m(recording)
        return SeenAircraft(
            (north, east, down + lift),
            state.roll_deg,
            state.pitch_deg,
            state.yaw_deg,
            self._ground_down_m(),
        )

    def _ground_down_m(self) -> float:
        """The truth's zero; without a truth, where the aircraft first was."""
        heights = self._places.heights_m
        if self.vehicle.recording.track(TRUTH) is not None or not len(heights):
            return 0.0
        first = float(heights[0])
        return -first if math.isfinite(first) else 0.0

    def _update_lines(self, origin: SpaceOrigin, look: SpaceLook) -> None:
        places = self._places
        lift = _switched_on_down_m(self.vehicle.recording)

        def flown(start: int, stop: int) -> tuple[Floats, Rgb]:
            part = slice(start, stop)
            ground = origin.north_east(places.latitudes_deg[part], places.longitudes_deg[part])
            down = lift - np.nan_to_num(places.heights_m[part])
            points = np.column_stack((ground, down))
            points[places.is_start[part]] = np.nan
            return points, look.track

        self._believed.update((origin, places.restarts, lift, look), places.count, flown)
        track = self.vehicle.recording.track(TRUTH)
        if track is not None:
            broken = _restarts(self.vehicle.recording, track)

            def true(start: int, stop: int) -> tuple[Floats, Rgb]:
                points = np.array(track.rows["Position"][start:stop], np.float64)
                here = [row - start for row in broken if start <= row < stop]
                points[here] = np.nan
                return points, look.truth

            self._true.update((track, broken, look), track.count, true)

    def _words(
        self,
        t: float,
        look: SpaceLook,
        truth: SeenAircraft | None,
        believed: SeenAircraft | None,
    ) -> tuple[str, ...]:
        """Height, wind, and how far the estimate is off."""
        recording, units = self.vehicle.recording, look.units
        shown = truth or believed
        assert shown is not None
        height = shown.ground_down_m - shown.position[2]
        words = [f"{units.value(height, 'm'):.1f}{_THIN}{units.height} high"]
        wind = wind_of(recording, t)
        if wind is not None:
            words.append(wind_text(wind, units))
        if truth is not None and believed is not None:
            off = math.dist(truth.position, believed.position)
            words.append(f"Estimate {units.value(off, 'm'):.1f}{_THIN}{units.height} off")
        silent_s = _silent_s(recording, t)
        if silent_s > _LASTS_S:
            words.append(f"As it was {silent_s:.0f}{_THIN}s ago")
        return tuple(words)


def _body(
    recording: Recording,
    t: float,
    pose: SeenAircraft,
    look: SpaceLook,
    opacity: float = 1.0,
) -> PlacedMesh:
    """The aircraft, never too small to be seen."""
    settings = recording.latest("SystemSettings", t)
    airframe = str(settings["AirframeType"]) if settings is not None else ""
    mesh = aircraft_mesh(airframe, look.aircraft)
    return PlacedMesh(mesh, pose.position, pose.rotation, opacity, _LEAST_PX, is_carrier=True)


def _restarts(recording: Recording, track: Track) -> tuple[int, ...]:
    """The rows of a track that do not join those before: the widest step before a restart is heard
    of is the leap."""
    rows = []
    for restart_s in (event.t for event in recording.events() if event.kind == "reboot"):
        first, stop = track.range(restart_s - _RESTART_TOLD_S, restart_s)
        steps = np.diff(track.rows["Position"][first:stop], axis=0)
        if len(steps):
            rows.append(first + 1 + int(np.argmax(np.linalg.norm(steps, axis=1))))
    return tuple(rows)


def _drop_line(pose: SeenAircraft, colour: Rgb) -> SpaceLine:
    north, east, down = pose.position
    ends = np.array([(north, east, down), (north, east, pose.ground_down_m)], np.float32)
    return SpaceLine(LinePoints(ends, colour), 1.0, opacity=0.5)


def _true_pose(recording: Recording, t: float) -> SeenAircraft | None:
    truth = recording.latest(TRUTH, t)
    if truth is None:
        return None
    north, east, down = (float(value) for value in truth["Position"])
    return SeenAircraft((north, east, down), truth["Roll"], truth["Pitch"], truth["Yaw"])


def _past(recording: Recording, t: float) -> int:
    track = recording.track(TRUTH)
    return 0 if track is None else int(track.times.searchsorted(t, "right"))


def _silent_s(recording: Recording, t: float) -> float:
    samples: list[Sample | None] = [recording.latest(TRUTH, t)]
    state = read_flight_state(recording, t)
    ages = [t - sample.t for sample in samples if sample is not None]
    ages += [age for age in (state.attitude_age_s, state.position_age_s) if age is not None]
    return min(ages, default=0.0)


def _switched_on_down_m(recording: Recording) -> float:
    """Where the estimate's height is zero: where the aircraft was switched on, perhaps in a hand.
    The truth counts from the ground."""
    track = recording.track(TRUTH)
    return float(track.rows["Position"][0][2]) if track is not None and track.count else 0.0
