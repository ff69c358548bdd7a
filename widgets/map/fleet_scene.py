"""Fleet scene of a map: aircraft, tracks, home and target, at the cursor."""

from collections.abc import Callable
from dataclasses import replace

from telemetry.base.earth.tangent_plane import plane_at
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.vehicle.vehicle import Fleet, Vehicle
from widgets.map.camera_view import camera_ground
from widgets.map.flight_track import FlightTrack
from widgets.map.projection import GeoPoint
from widgets.map.scene import MapScene, Shading, TrackLine, VehicleMark
from widgets.map.wind import wind_of

_STALE_S = 3.0
"""A place older than this is where the aircraft was, not where it is."""
_OTHERS_COLOR = "series_12"
_RELATIVE = "Home not known: place on earth is not real"


class FleetScene:
    """Reads the recordings of a fleet; tracks are kept and only made longer.

    `shading_of` gives what the colour of the active aircraft's track stands for.
    """

    def __init__(
        self, fleet: Fleet, shading_of: Callable[[FlightTrack], Shading | None] = lambda _: None
    ) -> None:
        self._fleet = fleet
        self._shading_of = shading_of
        self._tracks: dict[Vehicle, FlightTrack] = {}
        self.has_camera = False
        """Whether the ground that the active aircraft's camera sees is wanted."""

    def stamp(self) -> tuple[object, ...]:
        """Equal stamps give equal scenes at equal times of an equal aircraft."""
        vehicles = self._fleet.vehicles
        moved = tuple((id(vehicle), vehicle.recording.version) for vehicle in vehicles)
        return moved, tuple(vehicle.timeline.t for vehicle in vehicles)

    def at(self, active: Vehicle | None, t: float) -> MapScene:
        """The scene as it was at `t` of the active aircraft, the others' at their own cursors."""
        vehicles = self._fleet.vehicles
        self._tracks = {key: track for key, track in self._tracks.items() if key in vehicles}
        marks, lines = [], []
        scene, wind, camera = MapScene(), None, None
        for vehicle in vehicles:
            is_active = vehicle is active
            at = t if is_active else vehicle.timeline.t
            track = self._track_of(vehicle)
            state = read_flight_state(vehicle.recording, at)
            place = _place(state, track)
            if place is not None:
                marks.append(_mark(vehicle.name, place, state, is_active=is_active))
            if len(track.times):
                shading = self._shading_of(track) if is_active else None
                lines.append(_line(track, at, shading, is_active=is_active))
            if is_active:
                scene, wind = _own_places(state, track), wind_of(vehicle.recording, at)
                if self.has_camera and place is not None:
                    camera = camera_ground(vehicle, state, place)
        return replace(scene, vehicles=tuple(marks), tracks=tuple(lines), wind=wind, camera=camera)

    def _track_of(self, vehicle: Vehicle) -> FlightTrack:
        track = self._tracks.get(vehicle)
        if track is None or track.recording is not vehicle.recording:
            track = self._tracks[vehicle] = FlightTrack(vehicle.recording)
        track.update()
        return track


def _place(state: FlightState, track: FlightTrack) -> GeoPoint | None:
    if state.latitude_deg is not None and state.longitude_deg is not None:
        return GeoPoint(state.latitude_deg, state.longitude_deg)
    if track.is_relative and state.north_m is not None and state.east_m is not None:
        return GeoPoint(*plane_at(0.0, 0.0).latitude_longitude(state.north_m, state.east_m))
    return None


def _mark(name: str, place: GeoPoint, state: FlightState, *, is_active: bool) -> VehicleMark:
    ages = [age for age in (state.position_age_s, state.gps_age_s) if age is not None]
    age_s = min(ages, default=0.0)
    return VehicleMark(
        name,
        place,
        state.yaw_deg,
        state.course_deg,
        state.groundspeed_mps,
        is_active,
        float(int(age_s)) if age_s > _STALE_S else None,
    )


def _line(track: FlightTrack, t: float, shading: Shading | None, *, is_active: bool) -> TrackLine:
    color = "track" if is_active else _OTHERS_COLOR
    return TrackLine(track.key, track.x, track.y, track.past(t), color, is_active, shading)


def _own_places(state: FlightState, track: FlightTrack) -> MapScene:
    """Home, start and target of the active aircraft."""
    home = None
    if state.home_latitude_deg is not None and state.home_longitude_deg is not None:
        home = GeoPoint(state.home_latitude_deg, state.home_longitude_deg)
    origin = home or (GeoPoint(0.0, 0.0) if track.is_relative else None)
    target = None
    if origin and state.desired_north_m is not None and state.desired_east_m is not None:
        north, east = state.desired_north_m, state.desired_east_m
        altitude_m = state.home_altitude_m or 0.0
        plane = plane_at(origin.latitude_deg, origin.longitude_deg, altitude_m)
        target = GeoPoint(*plane.latitude_longitude(north, east))
    note = _RELATIVE if track.is_relative and len(track.times) else ""
    return MapScene(home=home, start=track.start, target=target, note=note)
