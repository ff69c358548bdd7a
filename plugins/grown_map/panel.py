"""Ground map panel: has the map built while it is wanted, shows it, and saves it under a name."""

import os
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Final

from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QWidget

from plugins.api import GROWN_MAP, Json, VehicleContext
from plugins.grown_map.map_jobs import MapFormat, MapProgress, MapSaving, build_on, save_map
from plugins.grown_map.map_view import GrownMapView, map_shades
from telemetry.base.clock import monotonic_s
from telemetry.base.folders import Folders
from telemetry.recording.recording import Recording
from telemetry.review.mapping.builder import MapBuilder
from telemetry.review.mapping.grown_map import GrownMap
from telemetry.review.mapping.picture import MapPicture, ShownMap
from telemetry.review.mapping.recorded_poses import PoseSource, RecordedPoses
from telemetry.review.mapping.space_pose import SpacePose
from widgets.choices import make_choice
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row
from widgets.theme import Theme

CELLS_M: Final = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
_USUAL_M: Final = 0.1
_NAME: Final = "map"
_EVERY_S: Final = 0.5
_REST: Final = 3.0
"""Between two jobs of a map that has caught up: so long, or so many times what the last one took;
of one that has not, as long as that. Sticks and link come first."""
_SOURCES: Final = {
    PoseSource.ESTIMATE: "Believed position",
    PoseSource.TRUTH: "True position",
}
_STOPPED = "Start, and what the aircraft sees of the ground becomes a map."
_NO_SENSORS = (
    "This aircraft has sent nothing that tells of the ground: no sonar, range finder, lidar or "
    "camera that looks down. A simulated one has them in a world, as sim:ardrone@arena."
)
_NO_POSE = "Nothing tells where the aircraft is: there is no attitude or no position of this kind."
_NO_GROUND = "Nothing was seen of the ground yet."


class GrownMapPanel(QWidget):
    """The panel "grown_map.map"."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self._folder = Folders.of_user(os.environ).grown_maps
        self._shades = map_shades(context.theme)
        self._builders: dict[Recording, MapBuilder] = {}
        self._current: MapBuilder | None = None
        self._picture: MapPicture | None = None
        self._job: Future[MapProgress | MapSaving] | None = None
        self._has_sensors = True
        self._wish: tuple[MapFormat, str] | None = None
        self._done: tuple[object, ...] = ()
        self._rest_until_s = 0.0
        self.view = GrownMapView(context.theme)
        self.running = QPushButton("Start")
        self.running.setCheckable(True)
        self.running.toggled.connect(self._tell_running)
        tip = "Forget the map, and go on with what is seen from the cursor on."
        self.clear = make_button("Clear", self.begin_anew, tip=tip)
        self.cells = _choices("Size of cells", (f"{_length(cell)} cells" for cell in CELLS_M))
        self.source = _choices("Whose position counts", _SOURCES.values())
        self.shown = _choices("What is shown", ("Colours", "Heights"))
        self.name = QLineEdit(_NAME)
        self.name.setProperty("keepsLetters", True)
        self.name.setAccessibleName("Name of the file")
        self.name.setToolTip(f"A name in {self._folder}, or a whole path.")
        self.geotiff = make_button("Save GeoTIFF", lambda: self.save(MapFormat.GEOTIFF))
        self.world = make_button("Save world", lambda: self.save(MapFormat.WORLD))
        for button in (self.running, self.clear, self.geotiff, self.world):
            button.setProperty("tight", True)
        self.words = make_label(tone="muted", wraps=True)
        self.words.setMinimumWidth(100)
        self._lay_out()
        self.setFocusProxy(self.view)
        self.cells.setCurrentIndex(CELLS_M.index(_USUAL_M))
        self.cells.currentIndexChanged.connect(lambda _index: self._build_again())
        self.source.currentIndexChanged.connect(lambda _index: self._build_again())
        context.on_close(lambda: context.shared.pop(GROWN_MAP, None))
        if context.settings:
            self.restore_state(context.settings)

    def refresh(self, t: float) -> None:
        """Take over what a job has done, start the next one, and show the aircraft at `t`."""
        builder = self.map
        self._take_finished(builder)
        if self._job is None:
            self._start(builder, t)
        aircraft = _aircraft(builder, t)
        self.view.show_map(self._picture, aircraft, has_colours=self.shown.currentIndex() == 0)
        self.view.show_notice(self._notice(builder))
        self._say(builder)

    def begin_anew(self) -> None:
        """Forget the map; what is seen from the cursor on counts."""
        recording = self._context.recording
        self._builders[recording] = self._made(recording, self._context.timeline.t)

    def save(self, kind: MapFormat) -> None:
        """Write the map under the name that is given, in a job."""
        self._wish = kind, self.name.text().strip() or _NAME
        self._context.wake()

    def apply_theme(self, theme: Theme) -> None:
        """Colours of heights are the theme's."""
        self._shades = map_shades(theme)
        self._done = ()

    def save_state(self) -> Json:
        """How the map is made and shown; the map itself is saved under a name."""
        return {
            "running": self.running.isChecked(),
            "cell_m": CELLS_M[self.cells.currentIndex()],
            "position": list(_SOURCES)[self.source.currentIndex()].value,
            "shown": self.shown.currentText().lower(),
            "name": self.name.text(),
        }

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        cell_m, position, shown = (state.get(key) for key in ("cell_m", "position", "shown"))
        if cell_m in CELLS_M:
            self.cells.setCurrentIndex(CELLS_M.index(cell_m))
        sources = [source.value for source in _SOURCES]
        if position in sources:
            self.source.setCurrentIndex(sources.index(position))
        if shown in ("colours", "heights"):
            self.shown.setCurrentIndex(("colours", "heights").index(shown))
        if isinstance(name := state.get("name"), str):
            self.name.setText(name)
        self.running.setChecked(state.get("running") is True)

    def _lay_out(self) -> None:
        above = make_row(
            *(self.running, self.clear, self.shown, STRETCH), margins=(4, 4, 4, 0), spacing=4
        )
        how = make_row(*(self.cells, self.source, STRETCH), margins=(4, 4, 4, 4), spacing=4)
        named = make_row((self.name, 1), margins=(4, 4, 4, 0))
        saving = make_row((self.geotiff, 1), (self.world, 1), margins=(4, 4, 4, 0), spacing=4)
        below = make_row((self.words, 1), margins=(8, 2, 8, 4))
        self.setLayout(make_column(above, how, (self.view, 1), named, saving, below, spacing=0))

    @property
    def map(self) -> MapBuilder:
        """The map of the flight shown, which grows in a job."""
        recording = self._context.recording
        if recording not in self._builders:
            known = {vehicle.recording for vehicle in self._context.fleet.vehicles}
            self._builders = {key: kept for key, kept in self._builders.items() if key in known}
            self._builders[recording] = self._made(recording, float("-inf"))
        builder = self._builders[recording]
        if builder is not self._current:
            self._current = builder
            self._forget()
        return builder

    def _made(self, recording: Recording, begin_s: float) -> MapBuilder:
        grown = GrownMap(CELLS_M[self.cells.currentIndex()])
        poses = RecordedPoses(recording, list(_SOURCES)[self.source.currentIndex()])
        return MapBuilder(recording, grown, poses, begin_s)

    def _build_again(self) -> None:
        """With other cells or other poses, from where it began."""
        for recording, before in list(self._builders.items()):
            self._builders[recording] = self._made(recording, before.begin_s)

    def _forget(self) -> None:
        self._picture, self._done, self._rest_until_s = None, (), 0.0
        self._context.shared.pop(GROWN_MAP, None)

    def _take_finished(self, builder: MapBuilder) -> None:
        if self._job is None or not self._job.done():
            return
        found, self._job = self._job.result(), None
        if isinstance(found, MapSaving):
            self._context.show_message(found.words)
        elif found.builder is builder:
            self._picture, self._has_sensors = found.picture, found.has_sensors
            self._share(builder)
            rest_s = max(_EVERY_S, _REST * found.took_s)
            if found.has_more:
                self._done, rest_s = (), found.took_s
            self._rest_until_s = monotonic_s() + rest_s

    def _share(self, builder: MapBuilder) -> None:
        """Let other views of the workspace show it, too."""
        if self._picture is None:
            self._context.shared.pop(GROWN_MAP, None)
        else:
            shown = ShownMap(builder.recording, builder.poses.source, self._picture)
            self._context.shared[GROWN_MAP] = shown

    def _start(self, builder: MapBuilder, t: float) -> None:
        """The next job: saving first, then building on if there is anything new."""
        if self._wish is not None:
            (kind, name), self._wish = self._wish, None
            self._job = self._context.jobs.submit(save_map, builder, kind, self._folder, name)
            return
        until_s = t if self.running.isChecked() else float("-inf")
        to_do = (builder, until_s, builder.poses.decided_s, self._shades)
        if to_do != self._done and monotonic_s() >= self._rest_until_s:
            self._done = to_do
            self._job = self._context.jobs.submit(build_on, builder, until_s, self._shades)

    def _notice(self, builder: MapBuilder) -> str:
        if not self.running.isChecked():
            return _STOPPED
        if not self._has_sensors:
            return _NO_SENSORS
        return _NO_GROUND if builder.poses.is_known() else _NO_POSE

    def _say(self, builder: MapBuilder) -> None:
        """How far the map is, and what is not on it."""
        parts = []
        if self._picture is not None:
            rows, columns = self._picture.window.shape
            cell_m = self._picture.cell_m
            parts.append(f"{rows * cell_m:.1f} x {columns * cell_m:.1f} m")
            parts.append(f"{builder.taken} readings up to {builder.built_s:.0f} s")
        if builder.missed:
            parts.append(f"{builder.missed} were lost before they were read")
        if builder.grown.beyond:
            parts.append(f"{builder.grown.beyond} lie where there is no room: take larger cells")
        self.words.setText("; ".join(parts))

    def _tell_running(self, is_running: bool) -> None:
        self.running.setText("Stop" if is_running else "Start")
        self._rest_until_s = 0.0
        self._context.wake()


def _aircraft(builder: MapBuilder, t: float) -> SpacePose | None:
    return builder.poses.at(min(t, builder.poses.decided_s))


def _choices(name: str, titles: Iterable[str]) -> QComboBox:
    return make_choice(name, titles, tip=name)


def _length(metres: float) -> str:
    return f"{metres:g} m" if metres >= 1.0 else f"{100.0 * metres:g} cm"
