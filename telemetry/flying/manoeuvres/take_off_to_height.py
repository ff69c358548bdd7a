"""Take-off to a height, until the aircraft holds there."""

from typing import Final

from telemetry.configuration.arming.procedure import ArmingStage
from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.arming import TakeOff
from telemetry.flying.manoeuvres.manoeuvre import Manoeuvre
from telemetry.flying.manoeuvres.paths import GoTo
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.missions.guided_actions import LOWEST_M, why_not_height

_GIVEN_UP: Final = (
    "It disarmed before it was up: the board gives a take-off up 3 m away from where it began, and "
    "an aircraft that topples is disarmed."
)


class TakeOffToHeight(Manoeuvre):
    """Takes off, climbs to the board's AutoTakeOffHeight, then to `height_m` above home."""

    def __init__(
        self, take_off: TakeOff, height_m: float | None, lowest_m: float = LOWEST_M
    ) -> None:
        super().__init__(take_off.title)
        self._lowest_m = lowest_m
        why_not = why_not_height(height_m, None, lowest_m) if height_m is not None else None
        self.problem = why_not or ""
        self._height_m = height_m
        self._take_off = take_off
        self._to_height: GoTo | None = None
        self.needs_watching = take_off.needs_watching

    @property
    def stage(self) -> ArmingStage | None:
        return None if self._take_off.is_done else self._take_off.stage

    @property
    def progress(self) -> str:
        return "" if self._take_off.is_done else self._take_off.progress

    def update(self, aircraft: AircraftView) -> None:
        if self._to_height is not None:
            self._to_height.update(aircraft)
            self.is_done, self.problem = self._to_height.is_done, self._to_height.problem
        elif not self.problem:
            self._take_off.update(aircraft)
            self.problem = self._take_off.problem
            if self._take_off.is_done:
                self.needs_watching = False
                self._climb(aircraft)

    def request(self, before: PilotRequest) -> PilotRequest:
        flown = self._take_off if self._to_height is None else self._to_height
        return flown.request(before)

    def _climb(self, aircraft: AircraftView) -> None:
        if aircraft.values("StatusVtolAutoTakeoff").get("State") == "Hold":
            here = aircraft.here()
            if self._height_m is None or here is None:
                self.is_done = True
            else:
                self._to_height = GoTo(here.at_height(self._height_m), lowest_m=self._lowest_m)
        elif aircraft.state.armed == "Disarmed":
            self.problem = _GIVEN_UP
