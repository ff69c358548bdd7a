"""Path follower of rotorcraft: PathDesired becomes the compiled loop's COMMAND.

The rules are those of LibrePilot's flight/modules/PathFollower/pathfollower.cpp: PathDesired.Mode
says which controller flies. End points, lines and circles (vtolflycontroller.cpp) are flown with
the velocity of the path and, besides, what HorizontalPosP and VerticalPosP make of the way to it,
both from where the aircraft will be after CourseFeedForward. Velocity (vtolvelocitycontroller.cpp)
takes north and east of ModeParameters; its height is that of the throttle stick, by AltitudeVario,
whatever ModeParameters say of down. `landing`, `auto_takeoff` and `braking` are controllers with
states. What no controller flies leaves the command as it is.
"""

import math
from typing import Final

import numpy as np

from simulation.autopilot.altitude_loop import AltitudeLoop
from simulation.autopilot.auto_takeoff import AutoTakeoff
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.braking import Braking
from simulation.autopilot.landing import Landing
from simulation.autopilot.path_geometry import Path, PathLegProgress, progress_on
from simulation.autopilot.path_progress import PathProgress
from simulation.autopilot.path_reader import PathReader
from simulation.mathematics.vectors import moved
from simulation.records import interface as kernel
from simulation.records.members import written_members_of

_ALONG: Final = frozenset({"FollowVector", "CircleRight", "CircleLeft"})
_PATHS: Final = _ALONG | {"GoToEndpoint"}
_BY_STICK: Final = frozenset({"PositionHold", "VelocityRoam"})
"""Assisted flight modes whose height stays the throttle stick's while they brake."""


class VtolGuidance:
    """Writes COMMAND once per loop of the automatic modes: `update`, then, armed, `follow`."""

    can_land_at_base = True

    def __init__(
        self, board: SimulatedBoard, command: np.void, altitude: AltitudeLoop | None = None
    ) -> None:
        """`altitude` is the loop that holds the height by hand, too."""
        self._command = written_members_of(command)
        self._status = board["PathStatus"]
        self._desired = board["StabilizationDesired"]
        self._sticks = board["ManualControlCommand"]
        self._bank = board["StabilizationBank"]
        self._settings = board["VtolPathFollowerSettings"]
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        self._takeoff = board["TakeOffLocation"]
        self._poi = board["PoiLocation"]
        self._flight = board["FlightStatus"]
        self._reader = PathReader(board)
        self._progress = PathProgress(board, lambda: self.progress)
        self._altitude = altitude or AltitudeLoop(board, command)
        self._landing, self._start, self._brake = Landing(board), AutoTakeoff(board), Braking(board)
        self._machines: dict[str, Landing | AutoTakeoff | Braking] = {
            "Land": self._landing,
            "AutoTakeoff": self._start,
            "Brake": self._brake,
        }
        self._mode = ""
        self._followed: tuple[object, ...] | None = None
        for entry in (self._bank, self._settings):
            entry.subscribe(self._take_settings)
        self._take_settings()

    @property
    def alarm(self) -> str:
        """What the alarm Guidance says."""
        if self._mode == "SetAccessory":
            return "Error"
        machine = self._machines.get(self._mode)
        asks_to_disarm = machine is not None and machine.asks_to_disarm
        return "Critical" if asks_to_disarm or self._mode == "DisarmAlarm" else "OK"

    def leave(self) -> None:
        """Somebody else writes COMMAND."""
        self._followed = None
        self._change_mode(0, "")

    def update(self, now_us: int) -> None:
        """Once per loop, armed or not."""
        is_new = self._reader.is_new()
        mode = self._reader.path.mode
        if mode != self._mode:
            self._change_mode(now_us, mode)
        elif is_new and mode in self._machines:
            self._machines[mode].take_objective()
        machine = self._machines.get(mode)
        if machine is not None:
            machine.update(now_us)
        self._progress.update(mode == "SetAccessory", self._brake.time_s if mode == "Brake" else 0)

    def follow(self, position_valid: bool) -> None:
        """Fly what PathDesired says; without a position, level and by height alone."""
        mode = self._mode
        if mode in ("SetAccessory", "DisarmAlarm"):
            return  # nobody flies that
        command, yaw = self._command, self._yaw()
        situation = (self._reader.version, yaw, position_valid)
        stands = mode == "GoToEndpoint" and self._is_thrust_automatic and command["armed"]
        if stands and situation == self._followed:
            return  # the command stands as it is
        self._followed = situation
        command["armed"][...] = 1
        command["axis_mode"][:] = (kernel.AXIS_ATTITUDE, kernel.AXIS_ATTITUDE, yaw[0])
        command["axis_setpoint"][:] = (0.0, 0.0, yaw[1])
        command["velocity_down"][...] = command["end_speed"][...] = 0.0
        command["levels"][...] = command["thrust_bounded"][...] = command["keeps_velocity"][...] = 0
        if mode in _PATHS:
            self._fly()
        elif mode == "Velocity":
            self._fly_velocity()
        elif mode == "Brake":
            self._fly_brake()
        elif mode == "Land":
            self._fly_landing()
        elif mode == "AutoTakeoff":
            self._fly_takeoff()
        else:
            self._hold_attitude()
        if not position_valid:
            command["horizontal_mode"][...] = kernel.HORIZONTAL_NONE

    def _change_mode(self, now_us: int, mode: str) -> None:
        before, after = self._machines.get(self._mode), self._machines.get(mode)
        if before is not None:
            before.leave()
        self._mode = mode
        self._start_controllers()
        if after is not None:
            after.activate(now_us)

    def _start_controllers(self) -> None:
        """Activate of every controller: level, and with the thrust that was asked for last."""
        command = self._command
        command["start_thrust"][...] = self._desired.newest()["Thrust"]
        command["vertical_starts"][...] += 1
        command["horizontal_starts"][...] += 1

    def _take_settings(self) -> None:
        self._followed = None
        settings = self._settings
        self._fastest_yaw = float(self._bank.fields["MaximumRate"][2])
        self._fastest = float(settings.fields["HorizontalVelMax"])
        self._gain = float(settings.fields["HorizontalPosP"])
        self._ahead_s = float(settings.fields["CourseFeedForward"])
        self._yaw_control = settings.option("YawControl")
        self._is_thrust_automatic = settings.option("ThrustControl") == "Auto"

    # The modes --------------------------------------------------------------------------

    def _fly(self) -> None:
        command, path = self._command, self._reader.path
        self._altitude.leave()
        command["vertical_mode"][...] = kernel.VERTICAL_PATH
        if path.mode in _ALONG:
            self._fly_along(path)
        else:
            command["horizontal_mode"][...] = kernel.HORIZONTAL_POSITION
            command["north_m"][...], command["east_m"][...], command["down_m"][...] = path.end
            command["end_speed"][...] = path.end_mps
        if not self._is_thrust_automatic:
            self._set_thrust(self._stick_thrust())

    def _fly_along(self, path: Path) -> None:
        """ControlPositionWithPath of pidcontrolne.cpp and pidcontroldown.cpp."""
        command, progress = self._command, progress_on(path, self._ahead())
        (north, east, down), correction = progress.velocity, progress.correction
        command["horizontal_mode"][...] = kernel.HORIZONTAL_PATH
        self._set_velocity(north + correction[0] * self._gain, east + correction[1] * self._gain)
        command["velocity_down"][...] = down
        command["down_m"][...] = self._position.vector()[2] + correction[2]

    def _fly_velocity(self) -> None:
        north, east, _, _ = self._reader.parameters
        self._command["horizontal_mode"][...] = kernel.HORIZONTAL_VELOCITY
        self._set_velocity(north, east)
        self._altitude.fly("AltitudeVario", self._stick_thrust())

    def _fly_brake(self) -> None:
        command, brake = self._command, self._brake
        command["horizontal_mode"][...] = kernel.HORIZONTAL_BRAKE
        command["velocity_north"][...], command["velocity_east"][...], down = brake.velocity
        flight = self._flight
        is_assisted = flight.option("FlightModeAssist") == "GPSAssist_PrimaryThrust"
        if is_assisted and flight.option("FlightMode") in _BY_STICK:
            self._altitude.fly("AltitudeVario", self._stick_thrust())
            return
        self._altitude.leave()
        command["vertical_mode"][...] = kernel.VERTICAL_PATH
        command["velocity_down"][...], command["down_m"][...] = down, brake.down_m

    def _fly_landing(self) -> None:
        command, landing = self._command, self._landing
        command["vertical_mode"][...] = kernel.VERTICAL_LAND
        command["velocity_down"][...] = landing.sink_mps
        self._bound(landing.thrust_bounds, landing.is_level)
        if landing.holds_place:
            self._go_to(landing.place[0], landing.place[1])
        else:
            command["horizontal_mode"][...] = kernel.HORIZONTAL_PATH
            self._set_velocity(*landing.drift)

    def _fly_takeoff(self) -> None:
        command, start = self._command, self._start
        command["vertical_mode"][...] = kernel.VERTICAL_TAKEOFF
        command["down_m"][...] = start.place[2]
        fastest = float(self._settings.fields["VerticalVelMax"])
        command["velocity_down"][...] = -(fastest if start.is_holding else start.climb_mps)
        command["keeps_velocity"][...] = not start.is_holding
        self._bound(start.thrust_bounds, start.is_level)
        self._go_to(start.place[0], start.place[1])

    def _hold_attitude(self) -> None:
        """ModeParameters: roll and pitch in degrees, yaw in degrees per second, thrust 0..1
        (updateFixedAttitude of pathfollower.cpp)."""
        roll, pitch, yaw, thrust = self._reader.parameters
        self._altitude.leave()
        self._set_thrust(thrust, cruises=False)
        self._command["axis_mode"][2] = kernel.AXIS_LOCK
        self._command["axis_setpoint"][:] = (roll, pitch, yaw)

    def _bound(self, thrust: tuple[float, float], levels: bool) -> None:
        """BoundThrust and ConstrainStabiDesired: what the states make of the controllers."""
        command = self._command
        self._altitude.leave()
        command["thrust_bounded"][...], command["thrust_bounds"][...] = 1, thrust
        command["levels"][...] = levels
        if levels:
            command["axis_mode"][2], command["axis_setpoint"][2] = kernel.AXIS_LOCK, 0.0

    # Writing the command ----------------------------------------------------------------

    def _go_to(self, north: float, east: float) -> None:
        command = self._command
        command["horizontal_mode"][...] = kernel.HORIZONTAL_POSITION
        command["north_m"][...], command["east_m"][...] = north, east

    def _set_velocity(self, north: float, east: float) -> None:
        """UpdateVelocitySetpoint of pidcontrolne.cpp: at most HorizontalVelMax."""
        scale = min(1.0, self._fastest / max(math.hypot(north, east), 1e-6))
        command = self._command
        command["velocity_north"][...], command["velocity_east"][...] = north * scale, east * scale

    def _set_thrust(self, thrust: float, cruises: bool = True) -> None:
        """Level, unless a path is flown, with this thrust."""
        command = self._command
        command["vertical_mode"][...] = kernel.VERTICAL_MANUAL
        command["thrust"][...], command["cruise"][...] = thrust, cruises
        if self._mode not in _PATHS:
            command["horizontal_mode"][...] = kernel.HORIZONTAL_NONE

    def _stick_thrust(self) -> float:
        return float(self._sticks.fields["Thrust"])

    def _ahead(self) -> tuple[float, float, float]:
        return moved(self._position.vector(), self._ahead_s, self._velocity.vector())

    @property
    def progress(self) -> PathLegProgress:
        """How far it has come along its path."""
        machine = self._machines.get(self._mode)
        if machine is not None:
            return machine.progress()
        if self._mode != "Velocity":
            return progress_on(self._reader.path, self._ahead())
        north, east, _, _ = self._reader.parameters
        flown = self._velocity.vector()
        return PathLegProgress(
            0.0, 0.0, (north, east, 0.0), (north - flown[0], east - flown[1], 0.0)
        )

    # The nose ---------------------------------------------------------------------------

    def _yaw(self) -> tuple[int, float]:
        """Axis mode and setpoint. By VtolPathFollowerSettings.YawControl the nose looks somewhere,
        deg, but only on a path with a velocity at both of its ends; else the pilot's stick turns
        it, deg/s, up to MaximumRate (UpdateStabilizationDesired of vtolflycontroller.cpp)."""
        path = self._reader.path
        looks = self._yaw_control != "Manual" and self._mode in _PATHS
        if looks and path.start_mps != 0.0 and path.end_mps != 0.0:
            return kernel.AXIS_ATTITUDE, self._heading_deg()
        return kernel.AXIS_LOCK, float(self._sticks.fields["Yaw"]) * self._fastest_yaw

    def _heading_deg(self) -> float:
        here = self._position.vector()
        if self._yaw_control == "MovementDirection":
            north, east, _ = self._velocity.vector()
        elif self._yaw_control == "Tailin":
            home = self._takeoff.row
            north, east = here[0] - float(home["North"]), here[1] - float(home["East"])
        elif self._yaw_control == "PathDirection":
            north, east, _ = progress_on(self._reader.path, here).velocity
        else:
            poi = self._poi.row
            north, east = float(poi["North"]) - here[0], float(poi["East"]) - here[1]
        return math.degrees(math.atan2(east, north))
