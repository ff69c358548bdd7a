"""Map panel: reads the fleet's recordings at the cursor and hands a scene to the canvas."""

import os

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from plugins.api import Json, PanelContext, PlaceOffers
from telemetry.base.folders import Folders
from telemetry.missions.terrain.chosen import chosen_ground_of
from telemetry.vehicle.vehicle import Vehicle
from widgets.change_detector import ChangeDetector
from widgets.map.camera_view import NO_CAMERA, has_camera
from widgets.map.canvas import MapCanvas
from widgets.map.fleet_scene import FleetScene
from widgets.map.flight_track import FlightTrack
from widgets.map.menu import PlaceEntries
from widgets.map.projection import GeoPoint
from widgets.map.scene import Shading
from widgets.map.tile_workers import TileWorkers
from widgets.parts import make_column
from widgets.track_shading import TrackShading


class MapPanel(QWidget):
    """Shows the context's vehicle strongly and the rest of the fleet faintly."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._vehicle: Vehicle | None = None
        self._scene = FleetScene(context.fleet, self._shading_of)
        self._shading: TrackShading | None = None
        self._told = ""
        self._stamp = ChangeDetector()
        cache = Folders.of_user(os.environ).map_tiles
        self.canvas = MapCanvas(context.theme, TileWorkers(), cache)
        self.canvas.message.connect(context.show_message)
        self._offers = PlaceOffers(context, self)
        self.canvas.entries_at = self._entries_at
        context.on_close(self.canvas.close_loading)
        self.setLayout(make_column(self.canvas))
        self.setFocusProxy(self.canvas)
        if context.settings:
            self.restore_state(context.settings)

    def refresh(self, t: float) -> None:
        """Show the flight as it was at `t`."""
        self.canvas.poll()
        heights = chosen_ground_of(self._context.fleet).heights
        self.canvas.show_heights(heights.known_of_many_m if heights.maps else None)
        vehicle = self._context.vehicle
        if vehicle is not self._vehicle:
            self._take_vehicle(vehicle)
        self._want_camera(vehicle)
        seen = self._scene.stamp(), self._scene.has_camera
        if self._stamp.has_changed(t, id(vehicle), seen, self.canvas.track_color):
            self.canvas.show_scene(self._scene.at(vehicle, t))

    def show_free_area(self, area: QRect) -> None:
        """Keep aircraft, buttons and readouts in that part."""
        self.canvas.show_free_area(area)

    def save_state(self) -> Json:
        """Where the map looks, whether it follows, and where its tiles come from."""
        return self.canvas.save_state()

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        self.canvas.restore_state(state)

    def _entries_at(self, place: GeoPoint) -> PlaceEntries:
        """What others can do at a place."""
        actions = self._offers.at(place.latitude_deg, place.longitude_deg)
        return [(action.title, action.run) for action in actions]

    def _want_camera(self, vehicle: Vehicle | None) -> None:
        """Have what the camera sees shown, and say once where nothing is known of one."""
        is_wanted = self.canvas.options.camera_view
        if is_wanted and not self._scene.has_camera and vehicle and not has_camera(vehicle):
            self._context.show_message(NO_CAMERA)
        self._scene.has_camera = is_wanted

    def _take_vehicle(self, vehicle: Vehicle | None) -> None:
        """Look for another aircraft; a replay shows its whole track, a live flight follows."""
        if self._vehicle is not None:
            self.canvas.find_place_again()
        if vehicle is not None and (self._vehicle is not None or not self._context.settings):
            self.canvas.set_following(vehicle.is_live)
        self._vehicle = vehicle

    def _shading_of(self, track: FlightTrack) -> Shading | None:
        if self._shading is None or self._shading.track is not track:
            self._shading = TrackShading(track)
        shading = self._shading.of(self.canvas.track_color)
        if self._shading.problem and self._shading.problem != self._told:
            self._context.show_message(self._shading.problem)
        self._told = self._shading.problem
        return shading
