"""Home set at a place of the map: agreed to by holding a button, written, and read back."""

from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext, PlaceAction, PlaceOffer
from telemetry.base.clock import wall_now
from telemetry.base.earth.tangent_plane import FARTHEST_M
from telemetry.configuration.calibration.procedures.home import (
    HOME,
    PlacedHome,
    home_at_place,
    why_no_home,
)
from telemetry.configuration.settings.configuration import Configuration, configuration_of
from telemetry.configuration.settings.transfer import Transfer
from telemetry.missions.board.plan import board_home
from telemetry.vehicle.vehicle import Vehicle
from widgets.confirm_card import ConfirmCard
from widgets.map.projection import GeoPoint, distance_m

_LOOK_MS = 100
_NO_ALTITUDE = "No altitude is known: wait for a fix of the GPS."
_LASTS = "It counts until the board restarts."


def place_offer(context: PanelContext, widget: QWidget) -> PlaceOffer:
    """Offers to set home where an aircraft that is connected keeps one."""

    def offer(latitude_deg: float, longitude_deg: float) -> list[PlaceAction]:
        vehicle = context.vehicle
        if vehicle is None or not vehicle.is_live or not configuration_of(vehicle).has(HOME):
            return []
        ask = partial(_ask, context, widget, vehicle, (latitude_deg, longitude_deg))
        return [PlaceAction("Set home here …", ask)]

    return offer


def _ask(
    context: PanelContext, widget: QWidget, vehicle: Vehicle, place: tuple[float, float]
) -> None:
    card = ConfirmCard(
        _question(vehicle, place),
        "set home",
        lambda: _why_not(context, vehicle, place),
        context.theme,
        widget,
    )
    card.confirmed.connect(lambda: _set_home(context, widget, vehicle, place))
    card.open_at(QCursor.pos())


def _made(vehicle: Vehicle, place: tuple[float, float]) -> PlacedHome | None:
    return home_at_place(vehicle.recording, place, vehicle.end_s, wall_now())


def _question(vehicle: Vehicle, place: tuple[float, float]) -> str:
    made = _made(vehicle, place)
    if made is None:
        return _NO_ALTITUDE
    before = board_home(vehicle.recording)
    where = "here"
    if before is not None:
        there = GeoPoint(before.latitude_deg, before.longitude_deg)
        where = f"{distance_m(there, GeoPoint(*place)):.0f} m from where it is"
    return f"Home {where}, {made.basis}. Positions and heights count from there. {_LASTS}"


def _why_not(context: PanelContext, vehicle: Vehicle, place: tuple[float, float]) -> str | None:
    if context.vehicle is not vehicle:
        return "Another aircraft was chosen."
    refusal = why_no_home(configuration_of(vehicle), vehicle.recording, vehicle.end_s)
    if refusal:
        return refusal
    if _made(vehicle, place) is None:
        return _NO_ALTITUDE
    before = board_home(vehicle.recording)
    if before is not None:
        there = GeoPoint(before.latitude_deg, before.longitude_deg)
        if distance_m(there, GeoPoint(*place)) > FARTHEST_M:
            return f"It is more than {FARTHEST_M / 1000:.0f} km from where home is."
    return None


def _set_home(
    context: PanelContext, widget: QWidget, vehicle: Vehicle, place: tuple[float, float]
) -> None:
    made, settings = _made(vehicle, place), configuration_of(vehicle)
    if made is None:
        return
    settings.stage_all(HOME, made.values)
    keys = [(HOME, 0, path) for path in made.values]
    transfer = settings.apply("Set home on the map", only=keys)
    timer = QTimer(widget)

    def look() -> None:
        if transfer.is_finished:
            timer.stop()
            timer.deleteLater()
            context.show_message(_outcome(settings, transfer))

    timer.timeout.connect(look)
    timer.start(_LOOK_MS)


def _outcome(settings: Configuration, transfer: Transfer) -> str:
    """What became of it; what was not taken is not left staged."""
    if transfer.is_verified and transfer.items:
        return "Home is set, and read back from the board."
    settings.unstage(HOME)
    why = next((item.reason or item.outcome.value for item in transfer.items), "not sent")
    return f"Home was not set: {why}."
