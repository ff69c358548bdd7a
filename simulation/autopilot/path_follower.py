"""PathFollower: the modes that fly by themselves. Writes PathDesired, which guidance follows.

PositionHold and VelocityRoam stop the aircraft and hold it; in the second, sticks outside the
deadband fly it with a velocity meanwhile. Land sinks where it is; AutoTakeoff goes by
`auto_takeoff`; ReturnToBase climbs, flies to where it was armed, then holds or lands.
PathPlanner flies the flight plan, and holds position if there is none that can be flown.

In PositionHold a station may write PathDesired: that is flown then, until another mode is chosen
(pathfollower.cpp, pathFollowerObjectiveUpdatedCb; plans.c writes it once, on entering the mode).
"""

import math
from dataclasses import dataclass

import numpy as np

from simulation.autopilot.auto_takeoff import AutoTakeoff
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.landing import Landing
from simulation.autopilot.path_planner import PathPlanner
from simulation.autopilot.path_progress import PathProgress

_STOPPED_MPS = 0.4
_BRAKING_LIMIT_US = 4_000_000
_ARRIVED_M = 1.5
_THRUST_OFF = -1.0
_HIGH_M = 4.0
_FASTER_PER_M = 0.2
_HELD = "PositionHold"
_ROAMING = frozenset({"VelocityRoam", "CourseLock", "HomeLeash", "AbsolutePosition", "AutoCruise"})
"""The modes whose sticks move the aircraft (plan_run of pathfollowerhandler.c)."""


@dataclass(slots=True)
class _Target:
    """Where to be, in metres north, east and down of home."""

    north: float = 0.0
    east: float = 0.0
    down: float = 0.0


@dataclass(frozen=True, slots=True)
class PathAlarms:
    """Severities of the alarms that tell what automatic flight cannot do."""

    path_plan: str = "OK"
    guidance: str = "OK"


_FINE = PathAlarms()
_NOT_GUIDED = PathAlarms(guidance="Critical")
_NOT_FLOWN = PathAlarms(guidance="Error")
_NO_PLAN = PathAlarms(path_plan="Critical")


class PathFollower:
    """Plans the paths of the automatic modes, one loop at a time."""

    unknown_modes = frozenset({"SetAccessory"})
    """Of a plan's modes those that nobody flies (pathFollowerSetActiveController)."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._command = board["ManualControlCommand"]
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        self._attitude = board["AttitudeState"]
        self._path = board["PathDesired"]
        self._takeoff = board["TakeOffLocation"]
        self._settings = board["FlightModeSettings"]
        self._limits = board["VtolPathFollowerSettings"]
        self._manual = board["ManualControlSettings"]
        self._progress = PathProgress(board)
        self._start = AutoTakeoff(board)
        self._landing = Landing(board)
        self._now_us = 0
        self._planner = PathPlanner(board)
        self.alarms = _FINE
        self._target = _Target()
        self._mode = ""
        self._phase = ""
        self._braking_until_us: int | None = None
        self._sent: tuple[object, ...] = ()
        self._is_own_write = self._is_path_asked = False
        self._path.subscribe(self._path_written)

    def remember_takeoff(self) -> None:
        """Note where the aircraft was armed, unless TakeOffLocation is preset."""
        takeoff = self._takeoff
        valid = takeoff.number("Status", "Valid")
        mode = takeoff.option("Mode")
        known = int(takeoff.row["Status"]) == valid
        if mode == "Preset" or (mode == "FirstArmingLocation" and known):
            return
        north, east, down = self._here()
        takeoff.set(North=north, East=east, Down=down, Status=valid)

    @property
    def is_landing(self) -> bool:
        """Whether Land, or a return that ends with it, has begun: its end disarms, nothing else."""
        return self._landing.state != "Inactive"

    def leave(self) -> None:
        """The pilot flies by hand; the next automatic mode starts afresh."""
        if not self._mode:
            return
        self._mode = ""
        self.alarms = _FINE
        self._show_nothing()

    def update(self, now_us: int, mode: str, armed: bool, is_standing: bool) -> None:
        """Run once per loop while an automatic mode is chosen."""
        self._now_us = now_us
        if mode != self._mode:
            self._mode = mode
            self._enter(now_us, mode)
        if mode == "Land":
            self._land(armed, is_standing)
        elif mode == "AutoTakeoff":
            self._auto_takeoff(now_us, armed, is_standing)
        elif mode == "ReturnToBase":
            self.return_to_base(armed, is_standing)
        elif mode == "PathPlanner":
            self._fly_plan(now_us, armed)
        elif not self._is_path_asked:
            self._hover(now_us)
        self._progress.measure(now_us)

    # Entering a mode --------------------------------------------------------------------

    def _enter(self, now_us: int, mode: str) -> None:
        self._progress.restart(now_us)
        self._show_nothing()
        self._phase = "start"
        self._sent = ()
        self._is_path_asked = False
        self.alarms = _FINE
        self._aim_here()
        if mode == "AutoTakeoff":
            self._start.enter(now_us)
        if mode in ("AutoTakeoff", "ReturnToBase"):
            return
        self._start_braking(now_us)

    def _show_nothing(self) -> None:
        """No mode tells of its progress. That of taking off stays as it was, as in firmware."""
        self._landing.leave()
        self._progress.show_land("Inactive")

    def _start_braking(self, now_us: int) -> None:
        self._aim_here()
        speed = float(self._velocity.fields["Down"])
        self._target.down += speed * abs(speed) / 4.0  # where it can stop without a jerk
        self._braking_until_us = now_us + _BRAKING_LIMIT_US

    def _aim_here(self) -> None:
        self._target = _Target(*self._here())

    # The modes --------------------------------------------------------------------------

    def _hover(self, now_us: int) -> None:
        north, east = self._stick_velocity() if self._mode in _ROAMING else (0.0, 0.0)
        if north or east:
            self._braking_until_us = now_us + _BRAKING_LIMIT_US
            self.send("Velocity", velocity=(north, east, 0.0))
        elif self._brake(now_us):
            self.send("Brake")
        else:
            self.send("GoToEndpoint")

    def _brake(self, now_us: int) -> bool:
        """Whether the aircraft is still stopping; when it has stopped the target is there."""
        if self._braking_until_us is None:
            return False
        row = self._velocity.fields
        speed = math.hypot(float(row["North"]), float(row["East"]))
        north, east, _ = self._here()
        self._target.north, self._target.east = north, east
        if speed >= _STOPPED_MPS and now_us < self._braking_until_us:
            return True
        self._braking_until_us = None
        return False

    def _land(self, armed: bool, is_standing: bool) -> None:
        self._target.down = float(self._takeoff.fields["Down"])
        height_m = self._target.down - self._here()[2]
        gentle = float(self._settings.fields["LandingVelocity"])
        fastest = float(self._limits.fields["VerticalVelMax"]) / 2.0
        sink = gentle + max(0.0, height_m - _HIGH_M) * _FASTER_PER_M
        sink = min(sink, max(fastest, gentle))
        landing = self._landing
        if armed:
            landing.update(self._now_us, sink)
        else:
            landing.leave()
            self._progress.show_land("Disarmed")
        self.alarms = _NOT_GUIDED if landing.state == "Disarmed" else _FINE
        if landing.is_motor_off:
            self.send("FixedAttitude")
        elif landing.is_level:
            self.send("FixedAttitude", thrust=landing.thrust)
        else:
            self.send("Land", velocity=(0.0, 0.0, 0.0 if landing.holds_height else sink))

    def _auto_takeoff(self, now_us: int, armed: bool, is_standing: bool) -> None:
        start = self._start
        start.update(now_us)
        self.alarms = _NOT_GUIDED if start.state == "Disarmed" else _FINE
        north, east, down = start.place
        self._target = _Target(north, east, down - start.height_m)
        if start.is_motor_off:
            self.send("FixedAttitude")
        elif start.is_level:
            self.send("FixedAttitude", thrust=start.thrust)
        else:
            climb = -float(self._settings.fields["AutoTakeOffVelocity"])
            self.send("AutoTakeoff", velocity=(0.0, 0.0, climb))

    def return_to_base(self, armed: bool, is_standing: bool) -> None:
        """Climb, fly home and land, a step of it."""
        takeoff = self._takeoff.row
        north, east, down = self._here()
        if self._phase == "start":
            offset = float(self._settings.fields["ReturnToBaseAltitudeOffset"])
            self._target.down = min(down, float(takeoff["Down"])) - offset
            self._phase = "climb"
        if self._phase == "climb" and abs(down - self._target.down) < _ARRIVED_M:
            self._target.north = float(takeoff["North"])
            self._target.east = float(takeoff["East"])
            self._phase = "cruise"
        distance = math.hypot(north - self._target.north, east - self._target.east)
        if self._phase == "cruise" and distance < _ARRIVED_M:
            self._phase = "arrived"
        lands = self._settings.option("ReturnToBaseNextCommand") == "Land"
        if self._phase == "arrived" and lands:
            self._land(armed, is_standing)
        else:
            self.send("GoToEndpoint", speed=float(self._settings.fields["ReturnToBaseVelocity"]))

    def _fly_plan(self, now_us: int, armed: bool) -> None:
        """The plan begins as soon as the aircraft is armed, on the ground, too, and whatever the
        throttle says. One that cannot be flown is Critical before that, which forbids arming
        (pathPlannerTask in pathplanner.c)."""
        if not armed:
            self.alarms = _NO_PLAN if self._planner.problem else _FINE
            self.send("FixedAttitude")
            return
        if self._phase == "start":
            self._planner.enter()
        self._phase = "fly"
        if not self._planner.update(now_us):
            if self.alarms.path_plan != "Critical":
                self._start_braking(now_us)
            self.alarms = _NO_PLAN
            self._hover(now_us)
            return
        self._sent = ()  # the planner wrote PathDesired
        mode = self._path.option("Mode")
        self._progress.show_plan(mode in self.unknown_modes)
        if mode in self.unknown_modes:
            self.alarms = _NOT_FLOWN
        else:
            self.alarms = _NOT_GUIDED if mode == "DisarmAlarm" else _FINE

    # Reading and writing objects --------------------------------------------------------

    def _here(self) -> tuple[float, float, float]:
        return self._position.vector()

    def _stick_velocity(self) -> tuple[float, float]:
        """The velocity asked for by roll and pitch sticks, m/s north and east."""
        command = self._command.fields
        right, back = float(command["Roll"]), float(command["Pitch"])
        deadband = int(self._manual.fields["DeadbandAssistedControl"]) / 100.0
        if math.hypot(right, back) <= deadband or not command["Connected"]:
            return 0.0, 0.0
        speed = float(self._limits.fields["HorizontalVelMax"]) / 2.0
        yaw = math.radians(float(self._attitude.fields["Yaw"]))
        forward = -back * speed
        sideways = right * speed
        north = forward * math.cos(yaw) - sideways * math.sin(yaw)
        east = forward * math.sin(yaw) + sideways * math.cos(yaw)
        return north, east

    def send(
        self,
        mode: str,
        velocity: tuple[float, float, float] = (0.0, 0.0, 0.0),
        speed: float = 0.0,
        thrust: float = _THRUST_OFF,
    ) -> None:
        """Say in PathDesired where to go now, and how; NED velocity and speed in m/s, `thrust`
        that of FixedAttitude."""
        target = self._target
        path = (mode, target.north, target.east, target.down, velocity, speed, thrust)
        if path == self._sent:
            return
        self._sent = path
        row = self._path.row
        row["Mode"] = self._path.number("Mode", mode)
        row["End"] = (target.north, target.east, target.down)
        row["ModeParameters"] = (*velocity, thrust if mode == "FixedAttitude" else 0.0)
        row["StartingVelocity"] = row["EndingVelocity"] = np.float32(speed)
        self.tell_path()

    def tell_path(self) -> None:
        """Announce PathDesired, which was written on board."""
        self._is_own_write = True
        self._path.announce()
        self._is_own_write = False

    def _path_written(self) -> None:
        if not self._is_own_write and self._mode == _HELD:
            self._is_path_asked = True
