"""Home reference: the home that positions and heights of the estimate count from.

Another home makes the estimation begin anew, and in the air none is taken over: LibrePilot's
stateestimation.c (`criticalConfigUpdatedCb`: "Only possible if disarmed") initialises its filters
when HomeLocation is written, and filterlla.c reads it at that moment only. An estimate that went on
would tell heights above a home that is no more, for as long as GPS takes to move it.
"""

import math

import numpy as np

from simulation.autopilot.board import BoardObject, ChangeFlag, SimulatedBoard
from simulation.simulator.simulator import Simulator

_NONE = 0
"""No fusion algorithm runs: whichever is chosen begins."""
_DOWN = 2


class HomeReference:
    """Keeps SETTINGS.home_... what the estimate counts from, once `KernelSettings` has taken the
    first one over."""

    def __init__(self, board: SimulatedBoard, simulator: Simulator) -> None:
        self._home = board["HomeLocation"]
        self._settings = simulator.settings
        self._filter, self._output = simulator.filter, simulator.output
        self._changed = ChangeFlag(self._home, is_raised=False)
        self._taken = self._home.packed()

    def update(self, *, is_disarmed: bool) -> None:
        """Run once per loop. The same home written again changes nothing."""
        if not is_disarmed or not self._changed.take_down():
            return
        if self._home.packed() == self._taken:
            return
        self._taken = self._home.packed()
        was_set, before_m = bool(self._settings["home_set"]), self._settings["home_altitude_m"]
        take_home(self._home, self._settings)
        if was_set and self._settings["home_set"]:  # its height goes on: it stands where it stood
            self._output["position"][_DOWN] += self._settings["home_altitude_m"] - before_m
        self._filter["fusion"] = _NONE


def take_home(home: BoardObject, settings: np.void) -> None:
    """Take HomeLocation over into SETTINGS."""
    row = home.row
    settings["home_set"] = row["Set"]
    settings["home_latitude_deg"] = int(row["Latitude"]) / 1e7
    settings["home_longitude_deg"] = int(row["Longitude"]) / 1e7
    settings["home_altitude_m"] = row["Altitude"]
    settings["home_field_mgauss"] = row["Be"]
    north, east, _ = row["Be"].tolist()
    settings["home_declination_deg"] = math.degrees(math.atan2(east, north))
