"""Camera footprint: the ground that an aircraft's camera sees, as its flight describes it."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from telemetry.missions.local_coordinates import moved
from telemetry.recording.flight_state import FlightState
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.footprint import FARTHEST_HEIGHTS, footprint
from telemetry.review.flights.flight import FlightVideo, flight_of
from telemetry.vehicle.vehicle import Vehicle
from widgets.map.projection import GeoPoint, Viewport
from widgets.map.scene import CameraGround
from widgets.theme import Theme

NO_CAMERA = (
    "Nothing is known of a camera: add its video to the flight, or start a live camera, and set "
    "mount and lens there."
)
_FILL_ALPHA = 40
_STALE_S = 3.0


def camera_ground(vehicle: Vehicle, state: FlightState, place: GeoPoint) -> CameraGround | None:
    """What the camera sees from a place, the ground being flat at home's height; None where
    attitude, height or camera are not known, and where it sees only what is far away."""
    video = _mounted_video(vehicle)
    attitude = state.roll_deg, state.pitch_deg, state.yaw_deg
    roll, pitch, yaw = attitude
    if video is None or roll is None or pitch is None or yaw is None or state.height_m is None:
        return None
    if (state.position_age_s or 0.0) > _STALE_S:
        return None
    seen = footprint(video.camera, (roll, pitch, yaw), state.height_m)
    if seen is None:
        return None
    here = place.latitude_deg, place.longitude_deg
    corners = tuple(GeoPoint(*moved(*here, *corner)) for corner in seen.corners.tolist())
    cut = f", to {FARTHEST_HEIGHTS:.0f} × height" if seen.is_cut else ""
    return CameraGround(corners, f"{video.name}{cut}")


def has_camera(vehicle: Vehicle) -> bool:
    """Whether its flight describes one."""
    return _mounted_video(vehicle) is not None


def _mounted_video(vehicle: Vehicle) -> FlightVideo | None:
    """The first video of the flight of whose camera somebody has said something, else the first."""
    videos = flight_of(vehicle).videos
    described = (video for video in videos if video.camera != CameraSettings())
    return next(described, next(iter(videos), None))


def paint_camera_ground(
    painter: QPainter, view: Viewport, theme: Theme, ground: CameraGround
) -> None:
    """Paint it with its name at the corner that is nearest to the middle of what is free."""
    outline = [QPointF(*view.place_px(place)) for place in ground.corners]
    color = theme.color("series_2")
    fill = QColor(color)
    fill.setAlpha(_FILL_ALPHA)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, theme.line_px))
    painter.setBrush(fill)
    painter.drawPolygon(QPolygonF(outline))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(theme.font("small"))
    painter.setPen(theme.color("text"))
    middle = QPointF(*view.area.middle)
    nearest = min(outline, key=lambda point: (point - middle).manhattanLength())
    painter.drawText(nearest + QPointF(6.0, -4.0), ground.title)
