"""The map panel: reads the fleet's recordings at the cursor and hands a scene to the canvas."""

import os

from PySide6.QtWidgets import QWidget

from plugins.api import PLACE_ACTIONS, Json, PanelContext
from plugins.map.shading import TrackShading
from telemetry.flight_state import FlightState, offset_latlon, read_flight_state
from telemetry.folders import Folders
from telemetry.vehicle.vehicle import Vehicle
from widgets.map.canvas import MapCanvas
from widgets.map.flight_track import FlightTrack
from widgets.map.menu import PlaceEntries
from widgets.map.projection import GeoPoint
from widgets.map.scene import MapScene, Shading, TrackLine, VehicleMark
from widgets.parts import make_column
from widgets.stamp import Stamp

_STALE_S = 3.0
"""A place older than this is where the aircraft was, not where it is."""
_OTHERS_COLOR = "series_12"
_RELATIVE = "Home not known: place on earth is not real"


class MapPanel(QWidget):
    """Shows the context's vehicle strongly and the rest of the fleet faintly."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._vehicle: Vehicle | None = None
        self._tracks: dict[Vehicle, FlightTrack] = {}
        self._shading: TrackShading | None = None
        self._told = ""
        self._stamp = Stamp()
        cache = Folders.of_user(os.environ).map_tiles
        self.canvas = MapCanvas(context.theme, context.jobs, cache)
        self.canvas.message.connect(context.show_message)
        self.canvas.entries_at = self._entries_at
        context.on_close(self.canvas.close_loading)
        self.setLayout(make_column(self.canvas))
        self.setFocusProxy(self.canvas)
        if context.settings:
            self.restore_state(context.settings)

    def refresh(self, t: float) -> None:
        """Show the flight as it was at `t`."""
        self.canvas.poll()
        vehicle = self._context.vehicle
        if vehicle is not self._vehicle:
            self._take_vehicle(vehicle)
        vehicles = self._context.fleet.vehicles
        moved = tuple((id(other), other.recording.version) for other in vehicles)
        cursors = tuple(other.timeline.t for other in vehicles)
        if self._stamp.has_changed(t, id(vehicle), moved, cursors, self.canvas.track_color):
            self.canvas.show_scene(self._scene(vehicle, t))

    def save_state(self) -> Json:
        """Where the map looks, whether it follows, and where its tiles come from."""
        return self.canvas.save_state()

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        self.canvas.restore_state(state)

    def _entries_at(self, place: GeoPoint) -> PlaceEntries:
        """What another panel of the workspace can do at a place."""
        offer = self._context.shared.get(PLACE_ACTIONS)
        actions = offer(place.latitude_deg, place.longitude_deg) if offer is not None else ()
        return [(action.title, action.run) for action in actions]

    def _take_vehicle(self, vehicle: Vehicle | None) -> None:
        """Look for another aircraft; a replay shows its whole track, a live flight follows."""
        if self._vehicle is not None:
            self.canvas.find_place_again()
        if vehicle is not None and (self._vehicle is not None or not self._context.settings):
            self.canvas.set_following(vehicle.is_live)
        self._vehicle = vehicle
        fleet = self._context.fleet.vehicles
        self._tracks = {key: track for key, track in self._tracks.items() if key in fleet}

    def _scene(self, active: Vehicle | None, t: float) -> MapScene:
        marks, lines = [], []
        scene = MapScene()
        for vehicle in self._context.fleet.vehicles:
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
                scene = _own_places(state, track)
        return MapScene(
            tuple(marks), tuple(lines), scene.home, scene.start, scene.target, scene.note
        )

    def _shading_of(self, track: FlightTrack) -> Shading | None:
        if self._shading is None or self._shading.track is not track:
            self._shading = TrackShading(track)
        shading = self._shading.of(self.canvas.track_color)
        if self._shading.problem and self._shading.problem != self._told:
            self._context.show_message(self._shading.problem)
        self._told = self._shading.problem
        return shading

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
        return GeoPoint(*offset_latlon(0.0, 0.0, state.north_m, state.east_m))
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
        target = GeoPoint(*offset_latlon(origin.latitude_deg, origin.longitude_deg, north, east))
    note = _RELATIVE if track.is_relative and len(track.times) else ""
    return MapScene(home=home, start=track.start, target=target, note=note)
