"""Manoeuvres by the flight mode switch and the sticks alone: select a mode, land, disarm, steer."""

import math
from dataclasses import replace
from typing import Final

from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.manoeuvre import Manoeuvre
from telemetry.flying.order import PilotRequest
from telemetry.vehicle.sticks import Sticks

SELECTED_WITHIN_S: Final = 3.0


class SelectMode(Manoeuvre):
    """Selects a flight mode and stays in it; done as soon as the board says that it is selected.
    Once it has disarmed itself after that it is left at rest, so that it is not armed again."""

    def __init__(self, mode: str, title: str = "") -> None:
        super().__init__(title)
        self.has_landed = False
        self._mode = mode
        self._position: int | None = None
        self._since_s: float | None = None

    def update(self, aircraft: AircraftView) -> None:
        """See `Manoeuvre`."""
        if self._position is None:  # looked up once: that reads the whole switch's set-up
            self._position = aircraft.position_of(self._mode)
        if self._position is None:
            self.problem = (
                f"No position of the flight mode switch selects {self._mode}. Give it one in "
                "FlightModeSettings.FlightModePosition."
            )
            return
        state = aircraft.state
        if not state.is_armed and not self.is_done:
            self.problem = "It is not armed. Take off first."
            return
        self._since_s = aircraft.now_s if self._since_s is None else self._since_s
        if state.armed == "Disarmed":
            self.has_landed = True
        elif state.flight_mode == self._mode:
            self.is_done = True
        elif aircraft.now_s - self._since_s > SELECTED_WITHIN_S and not self.is_done:
            self.problem = (
                f"The flight mode is {state.flight_mode}, not {self._mode}. Something else moves "
                "the switch: a failsafe, the battery or another transmitter."
            )

    def request(self, before: PilotRequest) -> PilotRequest:
        """The mode by its position, with the arming switch on: armed by another station, or by this
        one before it crashed, it would disarm in the air with that off."""
        if self._since_s is None or self._position is None:
            return before
        return replace(
            before,
            transmitting=True,
            fixed=None,
            arm=not self.has_landed,
            flight_mode_position=self._position,
            throttle="cut" if self.has_landed else "middle",
        )


class Land(Manoeuvre):
    """Comes down where it is. Done once it has disarmed."""

    def __init__(self) -> None:
        super().__init__("Land")
        self._mode = SelectMode("Land")

    def update(self, aircraft: AircraftView) -> None:
        """See `Manoeuvre`."""
        if not self.is_done:
            self._mode.update(aircraft)
            self.is_done, self.problem = self._mode.has_landed, self._mode.problem

    def request(self, before: PilotRequest) -> PilotRequest:
        """See `SelectMode`."""
        return self._mode.request(before)


class Disarm(Manoeuvre):
    """Motors off, now. Done once it is disarmed."""

    def __init__(self, aircraft: AircraftView) -> None:
        super().__init__("Disarm")
        self._motors_off = aircraft.switches.motors_off

    def update(self, aircraft: AircraftView) -> None:
        """See `Manoeuvre`."""
        self.is_done = aircraft.state.armed == "Disarmed"

    def request(self, before: PilotRequest) -> PilotRequest:
        """Motors off, until then with the gesture that disarms."""
        off = replace(self._motors_off.asked_by(before), transmitting=True)
        return replace(off, fixed=None) if self.is_done else off


class Steer(Manoeuvre):
    """Holds sticks by hand for some seconds, in the flight mode `mode`."""

    def __init__(self, sticks: Sticks, mode: str, seconds: float) -> None:
        super().__init__("Steer")
        self._mode = SelectMode(mode)
        self._sticks = sticks
        self._seconds = seconds
        self._since_s: float | None = None
        axes = (sticks.roll, sticks.pitch, sticks.yaw, sticks.throttle)
        if not all(map(math.isfinite, (*axes, seconds))):
            self.problem = "Sticks and seconds have to be numbers."

    def update(self, aircraft: AircraftView) -> None:
        """See `Manoeuvre`."""
        if self.problem:
            return
        self._mode.update(aircraft)
        self.problem = self._mode.problem
        if self._mode.is_done:
            self._since_s = aircraft.now_s if self._since_s is None else self._since_s
            self.is_done = aircraft.now_s - self._since_s >= self._seconds

    def request(self, before: PilotRequest) -> PilotRequest:
        """As the sticks were given, in the mode."""
        selected = self._mode.request(before)
        if selected is before or not selected.arm:
            return selected
        position = selected.flight_mode_position
        fixed = replace(self._sticks, flight_mode_position=position, arm=True)
        return replace(selected, fixed=fixed)
