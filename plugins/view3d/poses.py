"""Where an aircraft is and how it is turned, truly and as it believes."""

import math

from plugins.view3d.places import SpaceOrigin, position_of
from telemetry.flight_state import read_flight_state
from telemetry.flown_places import FlownPlaces
from telemetry.recording.recording import Recording
from widgets.scene3d.cameras import SeenAircraft

TRUTH = "AttitudeSimulated"
_LONGEST_GAP_S = 0.5


def true_pose(recording: Recording, t: float) -> SeenAircraft | None:
    """As the simulator knows it; its ground is at zero."""
    truth = recording.latest(TRUTH, t)
    if truth is None:
        return None
    north, east, down = (float(value) for value in truth["Position"])
    return SeenAircraft((north, east, down), truth["Roll"], truth["Pitch"], truth["Yaw"])


def true_pose_between(recording: Recording, t: float) -> SeenAircraft | None:
    """Between the two samples around `t`: what a sensor sees is placed by it."""
    track = recording.track(TRUTH)
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
    recording: Recording, t: float, places: FlownPlaces, origin: SpaceOrigin
) -> SeenAircraft | None:
    """As it is estimated; the ground is at home's height, or where the flight began."""
    state = read_flight_state(recording, t)
    if state.roll_deg is None or state.pitch_deg is None or state.yaw_deg is None:
        return None
    north, east, down = position_of(state, origin) or (0.0, 0.0, 0.0)
    place = north, east, down + switched_on_down_m(recording)
    ground = _ground_down_m(recording, places)
    return SeenAircraft(place, state.roll_deg, state.pitch_deg, state.yaw_deg, ground)


def silent_s(recording: Recording, t: float) -> float:
    """For how long the aircraft has told neither place nor attitude."""
    state, truth = read_flight_state(recording, t), recording.latest(TRUTH, t)
    ages = [age for age in (state.attitude_age_s, state.position_age_s) if age is not None]
    ages += [t - truth.t] if truth is not None else []
    return min(ages, default=0.0)


def switched_on_down_m(recording: Recording) -> float:
    """Where the estimate's height is zero: where the aircraft was switched on, perhaps in a hand.
    The truth counts from the ground."""
    track = recording.track(TRUTH)
    return float(track.rows["Position"][0][2]) if track is not None and track.count else 0.0


def _ground_down_m(recording: Recording, places: FlownPlaces) -> float:
    """The truth's zero; without a truth, where the aircraft first was."""
    heights = places.heights_m
    if recording.track(TRUTH) is not None or not len(heights):
        return 0.0
    first = float(heights[0])
    return -first if math.isfinite(first) else 0.0
