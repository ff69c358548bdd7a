"""Manoeuvres by the flight mode switch and the sticks alone: select a mode, land, disarm, steer."""

import math
from dataclasses import replace
from typing import Final

from telemetry.configuration.arming.by_sticks import no_position_text
from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.manoeuvre import Manoeuvre
from telemetry.flying.transmitter.order import MotorsOff, PilotRequest
from telemetry.recording.mode_words import mode_words
from telemetry.vehicle.sticks import Sticks

SELECTED_WITHIN_S: Final = 3.0


class SelectMode(Manoeuvre):
    """Selects a flight mode and stays in it; done as soon as the board says that it is selected.
    Once it has disarmed itself after that it is left at rest, so that it is not armed again."""

    def __init__(self, mode: str, title: str = "", told: str = "") -> None:
        super().__init__(title, told)
        self.is_selected = self.has_landed = False
        self._mode = mode
        self._position: int | None = None
        self._motors_off = MotorsOff()
        self._since_s = math.nan

    def update(self, aircraft: AircraftView) -> None:
        self._select(aircraft)
        self.is_done = self.is_selected

    def _select(self, aircraft: AircraftView) -> None:
        if self._position is None:  # looked up once: that reads the whole switch's set-up
            switches = aircraft.switches
            self._position, self._motors_off = switches.position_of(self._mode), switches.motors_off
        state, now_s = aircraft.state, aircraft.now_s
        if self._position is None:
            self.problem = no_position_text(mode_words(self._mode))
        elif not state.is_armed and not self.is_selected:
            self.problem = "It is not armed. Take off first."
        elif state.armed == "Disarmed":
            self.has_landed = True
        elif state.flight_mode == self._mode:
            self.is_selected = True
        elif not self.is_selected and now_s - self._since_s > SELECTED_WITHIN_S:
            self.problem = (
                f"The flight mode is {mode_words(state.flight_mode)}, not "
                f"{mode_words(self._mode)}. Something else moves the switch: a failsafe, the "
                "battery or another transmitter."
            )
        if math.isnan(self._since_s) and not self.problem:
            self._since_s = now_s

    def request(self, before: PilotRequest) -> PilotRequest:
        """The mode by its position, with the arming switch on: armed by another station, or by this
        one before it crashed, it would disarm in the air with that off."""
        if math.isnan(self._since_s) or self._position is None:
            return before
        if self.has_landed:
            return replace(self._motors_off.asked_by(before), fixed=None)
        return replace(
            before,
            transmitting=True,
            fixed=None,
            arm=True,
            flight_mode_position=self._position,
            throttle="middle",
        )

    def _by_sticks(self, before: PilotRequest, sticks: Sticks) -> PilotRequest:
        """Flown in the mode by these sticks, until it has landed."""
        selected = SelectMode.request(self, before)
        if selected is before or self.has_landed:
            return selected
        position = selected.flight_mode_position
        return replace(selected, fixed=replace(sticks, flight_mode_position=position, arm=True))


class Land(SelectMode):
    """Comes down where it is. Done once it has disarmed."""

    def __init__(self) -> None:
        super().__init__("Land", "Land")

    def update(self, aircraft: AircraftView) -> None:
        if not self.is_done:
            self._select(aircraft)
            self.is_done = self.has_landed


class Steer(SelectMode):
    """Holds sticks by hand for some seconds, in the flight mode `mode`."""

    def __init__(self, sticks: Sticks, mode: str, seconds: float) -> None:
        super().__init__(mode, "Steer")
        self._sticks = sticks
        self._seconds = seconds
        self._begun_s: float | None = None
        axes = (sticks.roll, sticks.pitch, sticks.yaw, sticks.throttle)
        if not all(map(math.isfinite, (*axes, seconds))):
            self.problem = "Sticks and seconds have to be numbers."

    def update(self, aircraft: AircraftView) -> None:
        if self.problem:
            return
        self._select(aircraft)
        if self.is_selected:
            self._begun_s = aircraft.now_s if self._begun_s is None else self._begun_s
            self.is_done = aircraft.now_s - self._begun_s >= self._seconds

    def request(self, before: PilotRequest) -> PilotRequest:
        """As the sticks were given, in the mode."""
        return self._by_sticks(before, self._sticks)


class Disarm(Manoeuvre):
    """Motors off, now. Done once it is disarmed."""

    stops_motors = True

    def __init__(self, aircraft: AircraftView) -> None:
        super().__init__("Disarm")
        self._motors_off = aircraft.switches.motors_off

    def update(self, aircraft: AircraftView) -> None:
        self.is_done = aircraft.state.armed == "Disarmed"

    def request(self, before: PilotRequest) -> PilotRequest:
        """Motors off, until then with the gesture that disarms."""
        off = replace(self._motors_off.asked_by(before), transmitting=True)
        return replace(off, fixed=None) if self.is_done else off
