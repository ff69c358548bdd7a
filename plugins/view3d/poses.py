"""Aircraft poses: where it is and how it is turned, truly and as it believes."""

import math

from plugins.view3d.places import position_of
from telemetry.base.earth.tangent_plane import TangentPlane
from telemetry.recording.flight_state import read_flight_state
from telemetry.recording.flown_places import FlownPlaces
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track
from widgets.scene3d.camera_modes import SeenAircraft

_TRUTH, _QUATERNION = "AttitudeSimulated", ("q1", "q2", "q3", "q4")
_LONGEST_GAP_S = 0.5


def truth_track(recording: Recording) -> Track | None:
    """What a simulator tells of the truth. Boards that fly send the object, too, with nothing in
    it: no rotation has a quaternion of zeros."""
    track = recording.track(_TRUTH)
    if track is None or not track.count:
        return None
    newest = track.rows[track.count - 1]
    return track if any(newest[name] for name in _QUATERNION) else None


def true_pose(recording: Recording, t: float) -> SeenAircraft | None:
    """As the simulator knows it; its ground is at zero."""
    truth = recording.latest(_TRUTH, t) if truth_track(recording) is not None else None
    if truth is None:
        return None
    north, east, down = (float(value) for value in truth["Position"])
    return SeenAircraft((north, east, down), truth["Roll"], truth["Pitch"], truth["Yaw"])


def true_pose_between(recording: Recording, t: float) -> SeenAircraft | None:
    """Between the two samples around `t`: what a sensor sees is placed by it."""
    track = truth_track(recording)
    index = -1 if track is None else int(track.times.searchsorted(t, "right")) - 1
    if track is None or index < 0:
        return None
    before = true_pose(recording, float(track.times[index]))
    if before is None or index + 1 >= track.count:
        return before
    begin_s, end_s = (float(time) for time in track.times[index : index + 2])
    after = true_pose(recording, end_s)
    if after is None or not 0.0 < end_s - begin_s < _LONGEST_GAP_S:
        return before
    share = (t - begin_s) / (end_s - begin_s)
    north, east, down = (
        a + share * (b - a) for a, b in zip(before.position, after.position, strict=True)
    )
    roll, pitch, yaw = (
        a + share * ((b - a + 180.0) % 360.0 - 180.0)
        for a, b in zip(before.angles_deg, after.angles_deg, strict=True)
    )
    return SeenAircraft((north, east, down), roll, pitch, yaw)


def believed_pose(
    recording: Recording, t: float, places: FlownPlaces, origin: TangentPlane
) -> SeenAircraft | None:
    """As it is estimated; the ground is at home's height, or where the flight began."""
    state = read_flight_state(recording, t)
    if state.roll_deg is None or state.pitch_deg is None or state.yaw_deg is None:
        return None
    angles = state.roll_deg, state.pitch_deg, state.yaw_deg
    found = position_of(state, origin)
    if found is None:
        return SeenAircraft((0.0, 0.0, 0.0), *angles, has_place=False)
    north, east, down = found
    place = north, east, down + switched_on_down_m(recording)
    return SeenAircraft(place, *angles, _ground_down_m(recording, places))


def silent_s(recording: Recording, t: float) -> float:
    """For how long the aircraft has told neither place nor attitude."""
    state, track = read_flight_state(recording, t), truth_track(recording)
    ages = [age for age in (state.attitude_age_s, state.position_age_s) if age is not None]
    if track is not None and (index := int(track.times.searchsorted(t, "right"))):
        ages.append(t - float(track.times[index - 1]))
    return min(ages, default=0.0)


def switched_on_down_m(recording: Recording) -> float:
    """Where the estimate's height is zero: where the aircraft was switched on, perhaps in a hand.
    The truth counts from the ground."""
    track = truth_track(recording)
    return float(track.rows["Position"][0][2]) if track is not None else 0.0


def _ground_down_m(recording: Recording, places: FlownPlaces) -> float:
    """The truth's zero; without a truth, where the aircraft first was."""
    heights = places.heights_m
    if truth_track(recording) is not None or not len(heights):
        return 0.0
    first = float(heights[0])
    return -first if math.isfinite(first) else 0.0
