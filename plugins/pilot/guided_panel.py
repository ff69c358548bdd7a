"""Guided panel: what the aircraft shown can be asked to do by itself."""

import math
from collections.abc import Callable, Collection
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QWidget

from plugins.api import PLACE_ACTIONS, Json, PanelContext, PlaceAction
from plugins.pilot.behaviour_menu import BehaviourMenu
from plugins.pilot.guided_outcome import guided_outcome_of
from plugins.pilot.guided_view import EVERY_ACTION, GuidedView
from telemetry.base.earth.tangent_plane import plane_at
from telemetry.base.statement import Statement
from telemetry.flying.behaviours.follow import read_offset
from telemetry.flying.controls import FlightControls
from telemetry.flying.guided_flight import GuidedFlight, guided_of
from telemetry.flying.guided_offer import lacks_position, offered_actions, why_not_guided
from telemetry.flying.joined_controls import JoinedControls
from telemetry.flying.manoeuvres.aircraft_view import place_of
from telemetry.flying.situation import Situation
from telemetry.flying.temporary_switch_position import TemporarySwitchPosition, free_switch_position
from telemetry.missions.guided_actions import (
    GuidedAction,
    GuidedPath,
    guided_action,
    why_not_place,
)
from telemetry.recording.flight_state import FlightState
from telemetry.recording.sample import Sample
from telemetry.vehicle.vehicle import Vehicle
from widgets.confirm_card import ConfirmCard
from widgets.parts import make_column

_POLL_MS = 100
_AT_PLACE = "Right click on the map: go there, or orbit it."
_CANNOT = (
    "This aircraft cannot fly by itself: its firmware has no path follower, or its settings have "
    "not arrived yet."
)
_EVERY_POSITION_NEEDED = "No position of the flight mode switch is free for {title}."


class GuidedPanel(QWidget):
    """Asks the vehicle shown. It polls what it has asked for even while it is out of sight."""

    def __init__(self, context: PanelContext, actions: Collection[str] = EVERY_ACTION) -> None:
        """Only some `actions` are offered; `on_asked` is called when something was asked for."""
        super().__init__()
        self.on_asked: Callable[[], object] = lambda: None
        self._context = context
        self._actions = actions
        self._vehicle: Vehicle | None = None
        self._joined = JoinedControls()
        self._guided: GuidedFlight | None = None
        self._free_position: TemporarySwitchPosition | None = None
        self._view = GuidedView(actions)
        self._view.asked.connect(self._ask)
        self._view.agreed.connect(self._take_position)
        self._view.declined.connect(self._decline)
        self._view.freed.connect(self._free_speed)
        self._behaviours = BehaviourMenu(context, self._situation, self)
        self._view.behaviour_pressed.connect(self._open_behaviours)
        self.setLayout(make_column(self._view))
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._poll)
        context.shared[PLACE_ACTIONS] = self.place_actions
        context.on_close(self._close)

    @property
    def controls(self) -> FlightControls | None:
        """The controls of the vehicle shown."""
        return self._joined.of(self._vehicle)

    def refresh(self, _t: float) -> None:
        """Follow the aircraft, and show what can be asked for now."""
        self._take_vehicle()
        for vehicle, controls in self._joined:
            told = controls.follow(*controls.situation_at(_shown_s(vehicle)))
            if told:
                self._context.show_message(told)
        now = self._now()
        if now is None:
            self._view.show_offer(())
            self._view.say(Statement("No aircraft. Connect to one, or to the simulator."))
            return
        flight, _situation = now
        possible = (action.id for action in offered_actions(self._read))
        offered = tuple(action for action in possible if action in self._actions)
        self._view.show_offer(offered)
        self._view.show_mission(is_flown=flight.flight_mode == "PathPlanner", offered=offered)
        refusals = {name: self._why_not(name, may_take_position=True) for name in offered}
        helps = {name: guided_action(name).help for name in offered}
        self._view.show_refusals(refusals, helps)
        self._view.show_limit(is_limited=self._guided is not None and self._guided.limits_speed)
        self._view.show_behaviour(
            self._behaviours.flying, self._behaviours.why_not(), is_offered="heading" in offered
        )
        self._view.say(self._statement(flight, offered))

    def _statement(self, flight: FlightState, offered: tuple[str, ...]) -> Statement:
        vehicle, guided, controls = self._vehicle, self._guided, self.controls
        if vehicle is None or guided is None or controls is None:
            return Statement("")
        told = guided_outcome_of(vehicle).statement(guided.told, flight)
        stopped = controls.stopped(flight)
        sentence = self._behaviours.sentence(stopped.text if stopped is not None else "")
        text = sentence if offered else _CANNOT
        if not text and told is not None:
            return told
        text = text or self._why_not("hold") or _AT_PLACE
        return Statement(text, vehicle.name, vehicle.link_losses, vehicle.end_s)

    def save_state(self) -> Json:
        """From where another aircraft is followed."""
        return {"follow": self._behaviours.offset.state()}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        self._behaviours.offset = read_offset(state.get("follow"))

    # What is asked

    def _ask(self, action_id: str) -> None:
        now = self._now()
        if now is None or self._guided is None:
            return
        situation = now[1]
        action = guided_action(action_id)
        if lacks_position(action, situation):
            self._offer_position(action, situation)
            return
        refusal = self._why_not(action_id)
        if refusal is None and action_id == "height":
            refusal = self._guided.why_not_at(self._view.number("height", "height"))
        if refusal is not None:
            self._context.show_message(refusal)
            return
        self._acts()[action_id](self._guided)
        self.on_asked()

    def _acts(self) -> dict[str, Callable[[GuidedFlight], object]]:
        number = self._view.number
        return {
            "take_off": lambda guided: guided.take_off(number("take_off", "height")),
            "land": GuidedFlight.land,
            "hold": GuidedFlight.hold,
            "return": GuidedFlight.return_home,
            "go_to": self._go,
            "orbit": self._orbit,
            "height": lambda guided: guided.change_height(number("height", "height")),
            "speed": lambda guided: guided.limit_speed(number("speed", "speed")),
            "heading": lambda _guided: self._behaviours.turn(number("heading", "heading")),
            "pause": GuidedFlight.pause,
            "resume": GuidedFlight.resume,
        }

    def _go(self, guided: GuidedFlight) -> None:
        distance_m = self._view.number("go_to", "distance")
        bearing_deg = self._view.number("go_to", "bearing")
        here = self._here()
        if here is not None:
            angle = math.radians(bearing_deg)
            there = GuidedPath(
                here.north_m + distance_m * math.cos(angle),
                here.east_m + distance_m * math.sin(angle),
                here.down_m,
            )
            guided.fly(there, f"Going {distance_m:.0f} m towards {bearing_deg:.0f}°.")

    def _orbit(self, guided: GuidedFlight) -> None:
        here = self._here()
        if here is not None:
            guided.fly(self._circle(here), "Orbiting the place where it was.")

    def _here(self) -> GuidedPath | None:
        now = self._now()
        return None if now is None else place_of(now[0])

    def _circle(self, centre: GuidedPath) -> GuidedPath:
        number = self._view.number
        radius_m, speed_mps = number("orbit", "radius"), number("orbit", "speed")
        return GuidedPath(centre.north_m, centre.east_m, centre.down_m, radius_m, speed_mps)

    def _free_speed(self) -> None:
        if self._guided is not None:
            self._guided.free_speed()

    def _open_behaviours(self) -> None:
        if self._behaviours.flying:
            self._behaviours.end()
            return
        number = self._view.number
        place, radius_m = self._view.below_behaviour, number("orbit", "radius")
        self._behaviours.open_at(place, radius_m, number("orbit", "speed"))

    def _situation(self) -> Situation | None:
        now = self._now()
        return None if now is None else now[1]

    # Places on the map

    def place_actions(self, latitude_deg: float, longitude_deg: float) -> list[PlaceAction]:
        """What a map offers for a place."""
        self._take_vehicle()
        offered = {action.id for action in offered_actions(self._read)}
        place = (latitude_deg, longitude_deg)
        guided = [
            PlaceAction(f"{guided_action(name).title} here …", partial(self._confirm, name, place))
            for name in ("go_to", "orbit")
            if name in offered
        ]
        return [*guided, *self._behaviours.place_actions(place)]

    def _confirm(self, action_id: str, place: tuple[float, float]) -> None:
        vehicle, now = self._vehicle, self._now()
        if vehicle is None or now is None:
            return
        path = self._path_to(action_id, place, now[0])
        name = guided_action(action_id).title.lower()
        card = ConfirmCard(
            self._question(action_id, path, now[0]),
            name,
            lambda: self._why_not_there(action_id, vehicle, path),
            self._context.theme,
            self,
        )
        card.confirmed.connect(lambda: self._fly_there(action_id, path))
        card.open_at(QCursor.pos())

    def _path_to(
        self, action_id: str, place: tuple[float, float], flight: FlightState
    ) -> GuidedPath | None:
        home = flight.home_latitude_deg, flight.home_longitude_deg
        here = self._guided.path() if self._guided is not None else None
        if home[0] is None or home[1] is None or here is None:
            return None
        plane = plane_at(home[0], home[1], flight.home_altitude_m or 0.0)
        north_m, east_m = plane.north_east(*place)
        there = GuidedPath(north_m, east_m, here.down_m)
        return self._circle(there) if action_id == "orbit" else there

    def _question(self, action_id: str, path: GuidedPath | None, flight: FlightState) -> str:
        if path is None or flight.north_m is None or flight.east_m is None:
            return "The aircraft does not say where it or its home is."
        away_m = math.dist((path.north_m, path.east_m), (flight.north_m, flight.east_m))
        mission = " The mission is paused." if flight.flight_mode == "PathPlanner" else ""
        how = f"{away_m:.0f} m from here, {-path.down_m:.0f} m above home."
        if action_id == "orbit":
            return f"Orbit with {path.radius_m:.0f} m, at {path.speed_mps:.0f} m/s, {how}{mission}"
        return f"Go {how}{mission}"

    def _why_not_there(
        self, action_id: str, vehicle: Vehicle, path: GuidedPath | None
    ) -> str | None:
        now = self._now()
        if now is None or self._guided is None or self._context.vehicle is not vehicle:
            return "Another aircraft was chosen."
        flight = now[0]
        if path is None or flight.north_m is None or flight.east_m is None:
            return "The aircraft does not say where it or its home is."
        far = why_not_place((flight.north_m, flight.east_m), (path.north_m, path.east_m))
        return self._why_not(action_id) or far or self._guided.why_not_at(-path.down_m)

    def _fly_there(self, action_id: str, path: GuidedPath | None) -> None:
        now = self._now()
        if now is None or self._guided is None or path is None:
            return
        if now[0].flight_mode == "PathPlanner":
            self._guided.pause()
        title = "Orbiting the place" if action_id == "orbit" else "Going to the place"
        self._guided.fly(path, f"{title} chosen on the map.")

    # A switch position for a mode that has none

    def _offer_position(self, action: GuidedAction, situation: Situation) -> None:
        self._free_position = free_switch_position(action.mode, situation.switches, self._read)
        if self._free_position is None:
            self._context.show_message(_EVERY_POSITION_NEEDED.format(title=action.title))
            return
        self._view.ask_consent(self._free_position.question)

    def _take_position(self) -> None:
        position, self._free_position = self._free_position, None
        self._view.ask_consent("")
        if position is not None and self._guided is not None:
            self._guided.take_position(position)

    def _decline(self) -> None:
        self._free_position = None
        self._view.ask_consent("")

    # Inside

    def _take_vehicle(self) -> None:
        """Join the controls of the vehicle shown; leave those that are gone."""
        self._joined.leave_gone(self._context.fleet.vehicles)
        vehicle = self._context.vehicle
        if vehicle is not self._vehicle:
            self._show_vehicle(vehicle)
        is_in_use = self._joined.are_in_use
        if is_in_use and not self._timer.isActive():
            self._timer.start(_POLL_MS)
        elif not is_in_use:
            self._timer.stop()

    def _show_vehicle(self, vehicle: Vehicle | None) -> None:
        self._decline()
        self._vehicle = vehicle
        self._guided = guided_of(vehicle) if vehicle is not None else None
        self._behaviours.take(vehicle)
        if vehicle is not None:
            self._joined.join(vehicle)

    def _now(self) -> tuple[FlightState, Situation] | None:
        vehicle, controls = self._vehicle, self.controls
        return (
            None
            if vehicle is None or controls is None
            else controls.situation_at(_shown_s(vehicle))
        )

    def _why_not(self, action_id: str, *, may_take_position: bool = False) -> str | None:
        now = self._now()
        if now is None:
            return "No aircraft."
        action = guided_action(action_id)
        if may_take_position and lacks_position(action, now[1]):
            return None
        return why_not_guided(action, now[1], now[0], self._read)

    def _read(self, name: str) -> Sample | None:
        vehicle = self._vehicle
        return None if vehicle is None else vehicle.recording.latest(name, vehicle.end_s)

    def _poll(self) -> None:
        now = self._now()
        if now is None or self._guided is None:
            return
        told = self._behaviours.poll() or self._guided.poll(now[1], now[0])
        if told:
            self._context.show_message(told)

    def _close(self) -> None:
        self._timer.stop()
        self._behaviours.take(None)
        self._vehicle = None
        self._joined.leave_all()
        if self._context.shared.get(PLACE_ACTIONS) == self.place_actions:
            del self._context.shared[PLACE_ACTIONS]


def _shown_s(vehicle: Vehicle) -> float:
    return vehicle.end_s if vehicle.is_live else vehicle.timeline.t
