"""Behaviour menu: what the guided panel offers, a menu, a place on the map, a heading."""

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QWidget

from plugins.api import PanelContext, PlaceAction
from plugins.pilot.follow_settings import FollowSettings
from telemetry.flying.behaviour_flight import BehaviourFlight
from telemetry.flying.behaviours.follow import Follow, FollowOffset, why_not_follow
from telemetry.flying.behaviours.pose import PilotPose, read_pose
from telemetry.flying.behaviours.routes import Orbit, Route, Waypoints, WorldPoint, hold
from telemetry.flying.controls import controls_of
from telemetry.flying.situation import Situation
from telemetry.missions.guided_actions import FARTHEST_M
from telemetry.vehicle.vehicle import Vehicle
from widgets.confirm_card import ConfirmCard
from widgets.dialogs import ask_for_file
from widgets.popup import open_popup

_LEAST_FOLLOW_MPS: Final = 3.0
_SEEN: Final = "Touch any stick to take over."

ReadSituation = Callable[[], Situation | None]


class BehaviourMenu:
    """Begins behaviours of the vehicle shown, each once it is confirmed."""

    def __init__(
        self, context: PanelContext, read_situation: ReadSituation, parent: QWidget
    ) -> None:
        self._context = context
        self._read_situation = read_situation
        self._parent = parent
        self._vehicle: Vehicle | None = None
        self._flight: BehaviourFlight | None = None
        self.offset = FollowOffset()
        """From where other aircraft are followed."""

    def take(self, vehicle: Vehicle | None) -> None:
        """Show another vehicle."""
        if self._flight is not None:
            self._flight.give_up_start()  # nobody sees it begin
        self._vehicle = vehicle
        self._flight = None if vehicle is None else behaviour_of(vehicle)

    @property
    def flying(self) -> str:
        """What flies now; empty if nothing does."""
        flying = self._flight.flying if self._flight is not None else None
        return flying.name if flying is not None else ""

    def sentence(self, stopped: str) -> str:
        """What flies, and how to take over; `stopped` is why it does not. Empty without one."""
        vehicle, flying = self._vehicle, self.flying
        if not flying or vehicle is None:
            return ""
        if not controls_of(vehicle).is_behaving:
            return f"Behaviour: {flying} has said no sticks yet. It flies once it does."
        return f"Behaviour: {flying}. {stopped or _SEEN}"

    def poll(self) -> str:
        """Go on; returns what the pilot must be told."""
        return self._flight.poll() if self._flight is not None else ""

    def why_not(self) -> str | None:
        """Why none can be begun now, or None."""
        situation = self._read_situation()
        if situation is None or self._flight is None:
            return "No aircraft."
        return self._flight.why_not(situation)

    def turn(self, heading_deg: float) -> None:
        """Turn the nose while it holds."""
        if self._flight is not None:
            self._flight.turn(heading_deg)

    def end(self) -> None:
        """End what flies."""
        if self._flight is not None:
            self._flight.end()

    def open_at(self, place: QPoint, radius_m: float, speed_mps: float) -> None:
        """Show what can be begun, or that what flies can be ended."""
        menu = QMenu(self._parent)
        menu.aboutToHide.connect(menu.deleteLater)
        for title, act in self.entries(radius_m, speed_mps):
            menu.addAction(title, act)
        menu.popup(place)

    def entries(self, radius_m: float, speed_mps: float) -> list[tuple[str, Callable[[], None]]]:
        """Titles with what they do."""
        if self.flying:
            return [(f"End {self.flying}", self.end)]
        found: list[tuple[str, Callable[[], None]]] = [
            ("Stay here …", partial(self._ask_route, "Stay here", hold)),
            (
                f"Orbit here, {radius_m:.0f} m …",
                partial(self._ask_route, "Orbit here", partial(_orbit, radius_m, speed_mps)),
            ),
        ]
        live = [v for v in self._context.fleet.vehicles if v is not self._vehicle and v.is_live]
        for other in live:
            act = partial(self._ask_follow, other, speed_mps)
            found.append((f"Follow {other.name}, {self.offset.words} …", act))
        if live:
            found.append(("Place to follow from …", self._set_offset))
        found.append(("Script …", self._choose_script))
        return found

    def place_actions(self, place: tuple[float, float]) -> list[PlaceAction]:
        """What a map offers for a place."""
        if self._flight is None or self.why_not() is not None:
            return []
        title = "Behaviour: fly here, too …" if self.flying == Waypoints.name else ""
        return [
            PlaceAction(title or "Behaviour: fly here …", partial(self._ask_place, place)),
        ]

    # Asking

    def _ask(
        self,
        question: str,
        begin: Callable[[Situation], object],
        why_not_that: Callable[[], str] = lambda: "",
    ) -> None:
        vehicle = self._vehicle

        def why_not() -> str | None:
            if self._vehicle is not vehicle:
                return "Another aircraft was chosen."
            return self.why_not() or why_not_that() or None

        def confirmed() -> None:
            situation = self._read_situation()
            if situation is not None and why_not() is None:
                begin(situation)

        whole = f"{question} The station moves the sticks by itself. {_SEEN}"
        card = ConfirmCard(whole, "fly", why_not, self._context.theme, self._parent)
        card.confirmed.connect(confirmed)
        card.open_at(QCursor.pos())

    def _ask_route(self, question: str, make: Callable[[PilotPose], Route | None]) -> None:
        self._ask(f"{question}.", partial(self._fly_from_here, make))

    def _fly_from_here(
        self, make: Callable[[PilotPose], Route | None], situation: Situation
    ) -> None:
        pose = self._flight.pose() if self._flight is not None else None
        route = make(pose) if pose is not None else None
        if route is not None and self._flight is not None:
            self._flight.fly(route, situation)

    def _ask_follow(self, other: Vehicle, speed_mps: float) -> None:
        offset = self.offset

        def why_not() -> str:
            own = self._flight.pose() if self._flight is not None else None
            return why_not_follow(offset, own, read_pose(other))

        follow = partial(
            Follow, lambda: read_pose(other), offset, max(speed_mps, _LEAST_FOLLOW_MPS)
        )
        question = f"Follow {other.name}, {offset.words}, by the heights above their homes."
        self._ask(question, partial(self._fly_from_here, lambda _pose: follow()), why_not)

    def _set_offset(self) -> None:
        settings = FollowSettings(self.offset, self._context.theme, self._parent)
        settings.changed.connect(self._take_offset)
        open_popup(settings, QCursor.pos())

    def _take_offset(self, offset: FollowOffset) -> None:
        self.offset = offset

    def _ask_place(self, place: tuple[float, float]) -> None:
        pose = self._flight.pose() if self._flight is not None else None
        there = pose.offset_to(place) if pose is not None else None
        if pose is None or there is None:
            return
        away_m = math.dist(there, (pose.north_m, pose.east_m))
        if away_m > FARTHEST_M:
            told = f"That place is {away_m / 1000.0:.1f} km away. Choose a nearer one."
            self._context.show_message(told)
            return
        point = WorldPoint(*place, pose.height_m)
        question = f"Fly {away_m:.0f} m, {pose.height_m:.0f} m above home."
        self._ask(question, partial(self._fly_to, point))

    def _fly_to(self, point: WorldPoint, situation: Situation) -> None:
        flight = self._flight
        if flight is not None and not flight.add(point):
            flight.fly(Waypoints((point,), 4.0), situation)

    def _choose_script(self) -> None:
        ask_for_file(self._parent, "Choose a Python script", "Python (*.py)", self._ask_script)

    def _ask_script(self, path: Path) -> None:
        self._ask(f"Run {path.name} as a process of its own.", partial(self._run, path))

    def _run(self, path: Path, situation: Situation) -> None:
        problem = self._flight.run(path, situation) if self._flight is not None else ""
        if problem:
            self._context.show_message(problem)


def _orbit(radius_m: float, speed_mps: float, pose: PilotPose) -> Route | None:
    place = pose.place
    if place is None:
        return None
    return Orbit(WorldPoint(*place, pose.height_m), radius_m, speed_mps)


def behaviour_of(vehicle: Vehicle) -> BehaviourFlight:
    """The one that flies an aircraft."""
    return vehicle.attachment(
        "pilot.behaviour", lambda: BehaviourFlight(vehicle, controls_of(vehicle))
    )
