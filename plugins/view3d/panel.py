"""3-D panel: hands the flight at the cursor to the view, and keeps the camera."""

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from plugins.api import GROWN_MAP, Json, VehicleContext
from plugins.view3d.flight_space import FlightSpace
from plugins.view3d.grown_map_in_space import GrownMapInSpace
from plugins.view3d.options import SpaceOptions
from plugins.view3d.plan_in_space import PlanInSpace
from plugins.view3d.sample_reading import SampleReading
from plugins.view3d.scene_theme import SceneTheme, scene_theme_of
from plugins.view3d.sensors_in_space import SensorsInSpace
from plugins.view3d.show_menu import SpaceChoices, add_second_views, fill_menu
from plugins.view3d.space_ground import SpaceGround
from plugins.view3d.strip import SpaceStrip
from plugins.view3d.wind_in_space import WindInSpace
from telemetry.missions.draft import mission_draft_of
from telemetry.recording.recording import Recording
from widgets.change_detector import ChangeDetector
from widgets.parts import make_column
from widgets.scene3d.camera_modes import CameraMode
from widgets.scene3d.drawing_thread import open_drawing, open_painter
from widgets.scene3d.view import SpaceView
from widgets.theme import Theme

EMPTY = (
    "No position or attitude yet. Connect to an aircraft, or to the simulator, or open a log: "
    "the aircraft then shows here in space."
)
_EDGE_PX = 8


class SpacePanel(QWidget):
    """The panel "view3d.view"."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self._space: FlightSpace | None = None
        self._look: SceneTheme = scene_theme_of(context.theme)
        self._options = SpaceOptions().restored(context.settings)
        self._ground = SpaceGround(context.jobs, context.show_message)
        self._samples = SampleReading(context.jobs)
        self._draft = mission_draft_of(context.fleet)
        self._seen = ChangeDetector()
        self._told = ""
        drawing = open_drawing if self._options.has_opengl else open_painter
        self.view = SpaceView(context.theme, drawing)
        self.strip = SpaceStrip(self)
        self.strip.size_wanted.connect(self._place_card)
        self.strip.camera_chosen.connect(self._look_through)
        self.strip.menu.aboutToShow.connect(self._fill_menu)
        context.on_close(self._ground.close)
        context.on_close(self.view.close_drawing)
        self._free = QRect()
        self.setLayout(make_column(self.view))
        self.strip.raise_()
        self.setFocusProxy(self.view)
        self.restore_state(context.settings)

    @property
    def options(self) -> SpaceOptions:
        """What is shown besides the aircraft."""
        return self._options

    def refresh(self, t: float) -> None:
        """Show the flight as it was at `t`."""
        if self.view.is_behind:
            return
        vehicle = self._context.vehicle
        eye_m, detail = self.view.rig.distance_m, self._context.detail()
        recording = vehicle.recording
        grown = self._context.shared.get(GROWN_MAP)
        version = recording.version, self._draft.version, _samples_of(recording), grown
        is_changed = self._seen.has_changed(vehicle, t, version, eye_m, detail)
        if not (is_changed or self._ground.is_busy or self._samples.is_busy):
            return
        if self._space is None or self._space.vehicle is not vehicle:
            sensors = SensorsInSpace(self._samples)
            grown = GrownMapInSpace(self._context.shared)
            layers = PlanInSpace(self._context.fleet), WindInSpace(), sensors, grown
            self._space = FlightSpace(vehicle, self._ground, layers)
        moment = self._space.at(t, self._look, self._options, eye_m)
        self._tell(self._space.track.problem)
        if moment is None:
            self.view.show_empty(EMPTY)
        else:
            self.view.rig.stand_at(moment.stand)
            scene, aircraft, words = moment.scene, moment.aircraft, moment.words
            obstacles, surface_m = moment.obstacles, moment.surface_m
            self.view.show_space(scene, aircraft, words, detail, obstacles, surface_m)

    def show_free_area(self, area: QRect) -> None:
        """Have the aircraft in that part, and the choice of the camera in its corner."""
        self._free = area
        self._place_card()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the choice of the camera in its corner."""
        super().resizeEvent(event)
        self._place_card()

    def _place_card(self) -> None:
        """At the lower left of what is free, as large as what stands in it."""
        is_covered = not self._free.isEmpty() and self._free != self.rect()
        area = self._free if is_covered else self.rect()
        self.strip.fit(area.width() - 2 * _EDGE_PX)
        size = self.strip.sizeHint()
        corner = area.bottomLeft() + QPoint(_EDGE_PX, 1 - _EDGE_PX - size.height())
        self.strip.setGeometry(QRect(corner, size))
        above = area.adjusted(0, 0, 0, -size.height() - _EDGE_PX)
        self.view.show_free_area(above if is_covered else QRect())

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and units."""
        self._look = scene_theme_of(theme)
        self._seen.forget()

    def choose(self, options: SpaceOptions) -> None:
        """Show other things."""
        if options.has_opengl != self._options.has_opengl:
            self.view.draw_by(open_drawing if options.has_opengl else open_painter)
        self._options = options
        self._seen.forget()
        self._context.wake()

    def save_state(self) -> Json:
        """From where one looks, and at what."""
        rig, inset = self.view.rig, self.view.inset
        return {
            "camera": rig.mode.name.lower(),
            "inset": inset.name.lower() if inset else "",
            "azimuth_deg": rig.azimuth_deg,
            "elevation_deg": rig.down_deg,
            "distance_m": rig.distance_m,
            **self._options.to_json(),
        }

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        rig = self.view.rig
        # Version 0.1.0 had nothing but an orbit, and did not name it.
        otherwise = CameraMode.ORBIT if "azimuth_deg" in state else rig.mode
        camera = _camera_named(state.get("camera")) or otherwise
        self.view.look_through(camera)
        self.view.show_inset(_camera_named(state.get("inset")))
        rig.azimuth_deg = _number(state.get("azimuth_deg"), rig.azimuth_deg) % 360.0
        rig.down_deg = min(max(_number(state.get("elevation_deg"), rig.down_deg), -85.0), 89.0)
        rig.look_from(_number(state.get("distance_m"), rig.distance_m))
        self.strip.show_choice(rig.mode)
        self.choose(self._options.restored(state))

    def _look_through(self, camera: CameraMode) -> None:
        self.view.look_through(camera)
        self.view.setFocus()
        self.strip.show_choice(camera)

    def _fill_menu(self) -> None:
        menu = self.strip.menu
        fill_menu(self, menu, SpaceChoices(self._options, self.choose))
        add_second_views(menu.addMenu("Second view"), self.view.inset, self.view.show_inset)

    def _tell(self, problem: str) -> None:
        """Say once what cannot be shown."""
        if problem and problem != self._told:
            self._context.show_message(problem)
        self._told = problem


def _samples_of(recording: Recording) -> int:
    """How many pictures, scans and values there are."""
    return sum(track.count for track in recording.media_tracks())


def _camera_named(name: object) -> CameraMode | None:
    return next((mode for mode in CameraMode if mode.name.lower() == name), None)


def _number(value: object, otherwise: float) -> float:
    return float(value) if isinstance(value, int | float) else otherwise
