"""Video panel: one video of the flight at the cursor, and how the two run together."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from plugins.api import Json, VehicleContext
from plugins.video.bar import VideoBar
from plugins.video.camera_strip import CameraStrip
from plugins.video.lens_search import LensSearch
from plugins.video.live_sources import LiveSource, live_sources
from plugins.video.moment import VideoMoment, frame_badge, taken_at, video_moment
from plugins.video.notice import VideoNotice
from plugins.video.overlay_scene import OverlayOptions, make_overlay
from plugins.video.overlay_strip import OverlayStrip
from plugins.video.player import VideoPlayer
from plugins.video.sync_edits import SyncEdits, sync_edits_of
from plugins.video.sync_search import SyncSearch
from plugins.video.sync_strip import SearchState, SyncMoment, SyncStrip
from plugins.video.turn_menu import open_turn_menu
from plugins.video.vehicle_camera import VehicleCamera, camera_of_vehicle, poll_cameras
from plugins.video.video_import import VideoImport, videos_among
from telemetry.base.clock import monotonic_s
from telemetry.review.cameras.camera_recorder import LiveFrame
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.picture_turn import PictureTurn, turn_shown
from telemetry.review.flights.file_kind import VIDEO_PATTERNS
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.synchronisation.camera_estimate import taken_over
from telemetry.review.flights.synchronisation.suggestion import SyncSuggestion
from telemetry.review.playback.prefetch import PrefetchedFrame
from widgets.change_detector import ChangeDetector
from widgets.dialogs import ask_for_files
from widgets.drop_filter import DropFilter, dropped_files
from widgets.parts import make_column, make_scrolled
from widgets.video.picture import Pixels, VideoPicture

_EMPTY = (
    "This flight has no video yet.\nDrop a video file here, or choose one. It is laid over the "
    "log, and runs with it."
)
_LOST, _READING = "No picture: this part of the file is damaged.", "Reading…"
_LOG_COMES = "The log is being read. Then the video can be synchronised with it."
_LATE_S = 0.3
"""A frame that is waited for longer than that is told to be another one's."""
_STRIP_SHARE = 0.55
_GROWN_FRAMES = 45
"""So many frames later the file of a live camera is opened again, for it has become longer."""


class VideoPanel(QWidget):
    """The panel "video.view"."""

    picture_came = Signal()
    """Sent by the thread that decodes: what was asked for shows at once, not with a later tick."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self._name = ""
        self._player: VideoPlayer | None = None
        self._adding = VideoImport(context.jobs, context.show_message)
        self._search = SyncSearch(context.jobs)
        self._lens_search = LensSearch(context.jobs)
        self._options = OverlayOptions()
        self._is_muted = False
        self._is_choosing_camera = False
        self._source: LiveSource | None = None
        self._frames_at_open = -1
        self._is_alone = False
        self._alone_s = 0.0
        self._exact_s = 0.0
        self._painted = ChangeDetector()
        self._stored: Pixels | None = None
        self._free = QRect()
        self.picture = VideoPicture()
        self.notice = VideoNotice()
        self.bar = VideoBar(context.theme)
        self.sync_strip = SyncStrip()
        self.overlay_strip = OverlayStrip(self._lens_search)
        self.camera_strip = CameraStrip(lambda: self._camera)
        self._lay_out()
        self._connect()
        context.on_close(self._close_player)
        context.on_close(self._search.cancel)
        context.on_close(self._lens_search.cancel)
        context.on_close(lambda: poll_cameras(context.fleet))
        self.restore_state(context.settings)

    def refresh(self, t: float) -> None:
        """Show what the camera saw at `t`, or why there is nothing to see."""
        self._show_instant(t)
        self._place()

    def show_free_area(self, area: QRect) -> None:
        """Keep words, bar and strips in the part that no card covers."""
        self._free = area
        self._place()

    def _show_instant(self, t: float) -> None:
        self._adding.poll()
        self._search.poll()
        self._camera.poll()
        sources = live_sources(self._context.vehicle)
        for one in sources:
            one.poll()
        names = [one.name for one in self._context.flight.videos]
        names += [one.name for one in sources if one.name not in names]
        name = self._name if self._name in names else next(iter(names), "")
        self._source = next((one for one in sources if one.name == name), None)
        video, source = self._context.flight.video(name), self._source
        self.bar.show_videos(names, name)
        if self.bar.isHidden() == bool(names):
            self.bar.setVisible(bool(names))
            self._show_strips()
        self.bar.show_synchronised(video is None or video.sync is not None or source is not None)
        if self.camera_strip.isVisible():
            self.camera_strip.show_camera()
        held = None if source is None or self._is_live else source.held_at(t)
        if source is not None and (self._is_live or video is None or held is not None):
            self._show_source(source, video, held)
            return
        player = self._player_of(video)
        if video is None or player is None or player.problem:
            self.sync_strip.show_nothing("There is no picture that could be synchronised.")
        if video is None:
            stopped = self._context.recording.stopped_sensors.values()
            self._show_notice("\n".join((*stopped, _EMPTY)), "Choose a video…", offers_camera=True)
        elif player is None:
            self._show_notice(video.problem, "Find the file…")
        elif player.problem:
            self._show_notice(player.problem, "Find the file…")
        else:
            self._show_video(video, player, t)
            if self._context.flight.is_being_read:
                self.sync_strip.show_nothing(_LOG_COMES)

    def save_state(self) -> Json:
        """Which video, its sound, and what lies over it."""
        return {
            "video": self._name,
            "muted": self._is_muted,
            "overlay": self._options.is_shown,
            "horizon": self._options.has_horizon,
            "values": self._options.has_values,
            "opacity": round(self._options.opacity, 2),
            "cameras": self.camera_strip.addresses,
        }

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        name, opacity = state.get("video"), state.get("opacity")
        self._name = name if isinstance(name, str) else self._name
        self._is_muted = state.get("muted") is True
        self._options = OverlayOptions(
            state.get("overlay") is True,
            state.get("horizon") is not False,
            state.get("values") is not False,
            min(max(float(opacity), 0.1), 1.0) if isinstance(opacity, int | float) else 0.8,
        )
        self.camera_strip.take_addresses(state.get("cameras"))
        self.bar.show_sound(self._is_muted)
        self.bar.show_overlay(self._options.is_shown)
        self.overlay_strip.show_options(self._options)
        self._show_strips()

    # What is shown

    def _chosen(self) -> FlightVideo | None:
        """The video this panel shows: the chosen one, or the first while that is not there."""
        flight = self._context.flight
        return flight.video(self._name) or next(iter(flight.videos), None)

    def _player_of(self, video: FlightVideo | None) -> VideoPlayer | None:
        """What plays its files; another one as soon as they are others."""
        files = () if video is None or video.problem else video.files
        if (self._player.files if self._player else ()) != files:
            self._close_player()
            self._player = VideoPlayer(files, self.picture_came.emit) if files else None
            self._frames_at_open = self._source.frames if self._source is not None else -1
            self._is_alone, self._alone_s = False, 0.0
        return self._player

    def _show_either(self, shown: QWidget) -> None:
        """The picture, or what stands in its place."""
        for part in (self.picture, self.notice):
            part.setVisible(part is shown)

    def _show_notice(self, text: str, button: str, *, offers_camera: bool = False) -> None:
        self.notice.show_notice(text, button, offers_camera=offers_camera)
        self._show_either(self.notice)

    def _show_video(self, video: FlightVideo, player: VideoPlayer, t: float) -> None:
        self._show_either(self.picture)
        if not player.is_open:
            self.picture.show_words(f"Opening {video.name}…")
            self.sync_strip.show_nothing(f"Opening {video.name}…", can_search=True)
            return
        if video.duration_s != player.duration_s:  # the time line shows what it covers
            known = replace(video, duration_s=player.duration_s)
            self._context.flight.replace_video(video.name, known)
        moment = self._moment(video, player, t)
        if moment.medium_s is None and self._has_grown():
            self._close_player()
            return
        if moment.medium_s is None:
            self.picture.show_words(moment.words)
        else:
            self._show_frame(video, player.frame(moment.medium_s, self._rate(video)), t)
        player.hear(moment.medium_s if self._is_heard(video) else None)
        self._show_strip_contents(video, player, moment, t)

    def _show_source(
        self, source: LiveSource, known: FlightVideo | None, held: LiveFrame | None
    ) -> None:
        """What a camera sends now; looking back, what is still in memory, or why nothing shows."""
        self._close_player()
        self._show_either(self.picture)
        self.sync_strip.show_nothing(
            "A live camera runs by the clock of this computer, as the log."
        )
        frame = source.newest if self._is_live else held
        settings = known.camera if known else source.settings
        turn = turn_shown(known.turn if known else None, settings)
        if frame is not None:
            told = ["Live", source.unrecorded, source.missing] if self._is_live else []
            self._paint(
                frame.pixels, " · ".join(filter(None, told)), frame.arrived_s, settings, turn
            )
        elif self._is_live:
            self.picture.show_words(source.waiting)
        else:
            self.picture.show_words(f"Nothing to look back at. {source.unrecorded}".strip())
        self._show_settings(settings)

    def _show_settings(self, camera: CameraSettings) -> None:
        if self.overlay_strip.isVisible():
            source = self._source
            live = (lambda: source.newest) if source is not None else None
            stored = None if self.picture.pixels is None else self._stored
            self.overlay_strip.show_camera(camera, stored, live)

    def _has_grown(self) -> bool:
        """Whether the camera has recorded more of the video shown than was opened."""
        if self._source is None:
            return self._frames_at_open >= 0
        return self._source.frames - self._frames_at_open > _GROWN_FRAMES

    def _look_again(self) -> None:
        if self.isVisible() and self._context.fleet.vehicles:
            self.refresh(self._context.timeline.t)

    def _moment(self, video: FlightVideo, player: VideoPlayer, t: float) -> VideoMoment:
        """Where the video stands: with the cursor, or where it was scrubbed to alone."""
        if video.sync is None or self._is_free(video):
            return VideoMoment(min(self._alone_s, max(0.0, player.duration_s - 1e-3)))
        return video_moment(video.sync, t, player.duration_s)

    def _is_free(self, video: FlightVideo) -> bool:
        """Whether it does not go with the cursor, which has nothing to go by before the log is
        there."""
        return self._is_alone or video.sync is None or self._context.flight.is_being_read

    def _rate(self, video: FlightVideo) -> float:
        """How the video moves on, in its seconds per second."""
        timeline = self._context.timeline
        if video.sync is None or self._is_free(video) or timeline.mode != "playing":
            return 0.0
        return timeline.rate * video.sync.rate

    def _is_heard(self, video: FlightVideo) -> bool:
        """Sound is heard as it was recorded: forwards, at its own speed."""
        timeline = self._context.timeline
        is_playing = timeline.mode == "playing" and timeline.rate == 1.0
        return not self._is_free(video) and is_playing and not self._is_muted

    def _show_frame(self, video: FlightVideo, found: PrefetchedFrame, t: float) -> None:
        frame, now_s = found.frame, monotonic_s()
        if found.is_exact:
            self._exact_s = now_s
        if frame is None:
            self.picture.show_words(_LOST if found.is_exact else _READING)
            return
        is_alone = self._is_alone
        is_late = found.is_nearby or now_s - self._exact_s > _LATE_S
        is_found = self._search_state(video) == "found"
        is_reading = self._context.flight.is_being_read
        badge = frame_badge(
            video.sync,
            frame,
            is_alone=is_alone,
            is_late=is_late,
            is_found=is_found,
            is_reading=is_reading,
        )
        at = taken_at(video.sync, frame, t, is_alone=is_alone)
        self._paint(frame.pixels, badge, at, video.camera, video.turn_shown)

    def _paint(
        self,
        pixels: Pixels,
        badge: str,
        at: float | None,
        camera: CameraSettings,
        turn: PictureTurn,
    ) -> None:
        """Show a stored picture that was taken `at`, turned, with what the log says of that instant
        over it."""
        recording = self._context.recording
        look = (badge, self._options, camera, turn, self._options.is_shown and (at, recording))
        is_there = self._stored is pixels and self.picture.pixels is not None
        if self._painted.has_changed(*look) or not is_there:
            height, width = pixels.shape[:2]
            size, options = (width, height), self._options
            overlay = (
                None if at is None else make_overlay(recording, at, camera, size, options, turn)
            )
            self._stored = pixels
            self.picture.show_picture(turn.picture(pixels), badge, overlay)

    def _show_strip_contents(
        self, video: FlightVideo, player: VideoPlayer, moment: VideoMoment, t: float
    ) -> None:
        self._show_settings(video.camera)
        if self.sync_strip.isVisible():
            is_alone = self._is_free(video)
            shown_s, lasts_s = moment.medium_s, player.duration_s
            search = self._search_state(video)
            now = SyncMoment(video, t, shown_s, lasts_s, player.frame_s, is_alone, search)
            self.sync_strip.show_moment(now, self._edits)
            self.sync_strip.search.show_search(self._search, video)

    def _search_state(self, video: FlightVideo) -> SearchState:
        if not self._search.is_of(video):
            return ""
        found = self._search.suggestion
        if found is None:
            return "running" if self._search.job.is_running else ""
        return "found" if found.is_found else "nothing"

    # What the user does

    @property
    def _camera(self) -> VehicleCamera:
        return camera_of_vehicle(self._context.vehicle)

    @property
    def _is_live(self) -> bool:
        return self._context.timeline.mode == "live"

    def _choose_camera(self) -> None:
        """Open the place where its address is, or close it again."""
        self._is_choosing_camera = not self._is_choosing_camera
        self.camera_strip.offer()
        self._show_strips()
        self._context.wake()

    @property
    def _edits(self) -> SyncEdits:
        return sync_edits_of(self._context.vehicle)

    def _choose(self, name: str) -> None:
        self._name, self._is_alone = name, False
        self._context.wake()

    def _leave_cursor(self, is_alone: bool) -> None:
        """Scrub alone from the frame that shows; or go with the cursor again."""
        video = self._chosen()
        medium_s = video.sync.medium_s(self._context.timeline.t) if video and video.sync else None
        if is_alone and medium_s is not None:
            self._alone_s = max(0.0, medium_s)
        self._is_alone = is_alone
        self._context.wake()

    def _scrub(self, medium_s: float) -> None:
        self._alone_s = medium_s
        self._context.wake()

    def _find_sync(self) -> None:
        video = self._chosen()
        if video is not None:
            self._search.start(video, self._context.recording)
            self._context.wake()

    def _accept(self, suggestion: SyncSuggestion) -> None:
        """Take over what was found, if its video is still there; it can be undone."""
        looked_at = self._search.video
        video = self._context.flight.video(looked_at.name) if looked_at else None
        if video is not None and suggestion.sync is not None:
            found = suggestion.camera
            camera = taken_over(found, video.camera)[0] if found else video.camera
            self._edits.accept(video.name, suggestion.sync, camera)
            self._is_alone = False
        self._forget_search()

    def _forget_search(self) -> None:
        self._search.cancel()
        self._context.wake()

    def _step(self, frames: int) -> None:
        """Go on by frames: the video alone while it is free, else the cursor."""
        video, player, timeline = self._chosen(), self._player, self._context.timeline
        if video is None or player is None:
            return
        here_s = self._moment(video, player, timeline.t).medium_s
        there_s = None if here_s is None else player.stepped_s(here_s, frames)
        if there_s is None:
            return
        if video.sync is None or self._is_free(video):
            self._alone_s = there_s
        elif (flight_s := video.sync.flight_s(there_s)) is not None:
            timeline.pause()
            timeline.seek(flight_s)
        self._context.wake()

    def _open_menu(self, place: QPoint) -> None:
        video = self._chosen()
        if video is not None:
            open_turn_menu(self, place, video, partial(self._turn, video.name))

    def _turn(self, name: str, turn: PictureTurn | None) -> None:
        self._edits.turn(name, turn)
        self._context.wake()

    def _mute(self, is_muted: bool) -> None:
        self._is_muted = is_muted

    def _show_overlay(self, is_shown: bool) -> None:
        self._options = replace(self._options, is_shown=is_shown)
        self.overlay_strip.show_options(self._options)
        self._show_strips()

    def _take_options(self, options: OverlayOptions) -> None:
        self._options = options

    def _take_camera(self, camera: CameraSettings) -> None:
        video = self._chosen()
        if self._source is not None:
            self._source.settings = camera
            video = self._context.flight.video(self._source.name)
        if video is not None:
            self._context.flight.replace_video(video.name, replace(video, camera=camera))

    def _go(self, t: float) -> None:
        self._context.timeline.seek(t)
        self._context.wake()

    def _ask_for_files(self) -> None:
        """The video that is missing, or the first one."""
        video = self._chosen()
        self._ask(f"Find {video.name}" if video else "Choose a video", is_found=video is not None)

    def _ask(self, title: str, *, is_found: bool = False) -> None:
        """Let the user choose files, in a window that holds nothing up."""
        filters = f"Videos ({VIDEO_PATTERNS});;All files (*)"
        ask_for_files(self, title, filters, partial(self.take_files, is_found=is_found))

    def take_files(self, files: list[Path], *, is_found: bool = False) -> None:
        """Take files in as a video of the flight, or (`is_found`) as those of the video shown."""
        if not files:
            return
        flight = self._context.flight
        if is_found:
            self._adding.replace_files(flight, self._shown_name, files)
        else:
            self._adding.add(flight, files, self._choose)

    def event(self, event: QEvent) -> bool:
        """Ctrl+Z in this panel takes a synchronisation back, where there is one to take back."""
        is_key = isinstance(event, QKeyEvent)
        is_asked = is_key and event.type() is QEvent.Type.ShortcutOverride
        if is_asked and isinstance(event, QKeyEvent) and self._is_undo(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_undo(event):
            self._edits.undo(self._shown_name)
        else:
            super().keyPressEvent(event)

    @property
    def _shown_name(self) -> str:
        video = self._chosen()
        return video.name if video else ""

    def _is_undo(self, event: QKeyEvent) -> bool:
        is_key = event.key() == Qt.Key.Key_Z
        is_key &= event.modifiers() == Qt.KeyboardModifier.ControlModifier
        return is_key and self._edits.can_undo(self._shown_name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    # Inside

    def _lay_out(self) -> None:
        self._inside = QWidget()
        self._inside.setLayout(make_column(self.camera_strip, self.overlay_strip, self.sync_strip))
        self._strips = make_scrolled(self._inside, keeps_width=True)
        for part in (self.picture, self.notice, self.bar, self._strips):
            part.setParent(self)
        self.bar.setAutoFillBackground(True)  # they may stand on the picture
        self._strips.setProperty("isFilled", True)
        self.setFocusProxy(self.picture)
        DropFilter(self, _dropped, self.take_files)

    def _connect(self) -> None:
        self.picture_came.connect(self._look_again)
        self.notice.pressed.connect(self._ask_for_files)
        self.notice.camera_wanted.connect(self._choose_camera)
        self.bar.camera_wanted.connect(self._choose_camera)
        self.camera_strip.started.connect(self._choose)
        self.picture.step_wanted.connect(self._step)
        self.picture.nudge_wanted.connect(self.sync_strip.nudge)
        self.picture.menu_wanted.connect(self._open_menu)
        self.bar.video_chosen.connect(self._choose)
        self.bar.add_wanted.connect(lambda: self._ask("Add a video"))
        self.bar.step_wanted.connect(self._step)
        self.bar.mute_toggled.connect(self._mute)
        self.bar.overlay_toggled.connect(self._show_overlay)
        self.bar.sync_toggled.connect(lambda _is_shown: self._show_strips())
        self.sync_strip.left_cursor.connect(self._leave_cursor)
        self.sync_strip.scrubbed.connect(self._scrub)
        self.sync_strip.go_wanted.connect(self._go)
        self.sync_strip.search.start_wanted.connect(self._find_sync)
        self.sync_strip.search.cancel_wanted.connect(self._forget_search)
        self.sync_strip.search.accepted.connect(self._accept)
        self.overlay_strip.options_changed.connect(self._take_options)
        self.overlay_strip.camera_changed.connect(self._take_camera)

    def _show_strips(self) -> None:
        has_videos = not self.bar.isHidden()
        is_synchronising = has_videos and self.bar.sync.isChecked()
        is_laid_over = has_videos and self._options.is_shown
        self.overlay_strip.setVisible(is_laid_over)
        self.sync_strip.setVisible(is_synchronising)
        self.camera_strip.setVisible(self._is_choosing_camera)
        is_any = is_synchronising or is_laid_over or self._is_choosing_camera
        self._strips.setVisible(is_any)
        self._place()

    def _place(self) -> None:
        """Strips as high as what stands in them, but never so high that the picture is lost; they
        and all words stand in what no card covers, and the picture takes all where one does."""
        is_covered = not self._free.isEmpty() and self._free != self.rect()
        area = self._free if is_covered else self.rect()
        most_px = round(_STRIP_SHARE * area.height())
        is_searching = not self.sync_strip.isHidden()  # what is found needs room, and moves nothing
        strips_px = most_px if is_searching else min(self._inside.sizeHint().height(), most_px)
        seen = QRect(area)
        parts = (self._strips, strips_px), (self.bar, self.bar.sizeHint().height())
        for part, height in parts:
            if not part.isHidden():
                seen.setHeight(max(0, seen.height() - height))
                part.setGeometry(seen.x(), seen.bottom() + 1, seen.width(), height)
        self.notice.setGeometry(seen)
        self.picture.setGeometry(self.rect() if is_covered else seen)
        covered_px = 0 if self._strips.isHidden() else self.picture.height() - seen.bottom() - 1
        self.picture.show_free_area(seen.translated(-self.picture.pos()), max(0, covered_px))

    def _close_player(self) -> None:
        if self._player is not None:
            self._player.close()
        self._player = None


def _dropped(event: QDropEvent) -> list[Path]:
    """The videos among what is dropped."""
    return videos_among(dropped_files(event))
