"""Ground detector: standing, flying or toppled, from thrust and estimated motion alone."""

from simulation.autopilot.board import SimulatedBoard
from simulation.records.members import Members

_AIRBORNE_M = 0.3
_AIRBORNE_MPS = 0.5
_STILL_MPS = 0.25
_IDLE_SHARE = 0.6
_STILL_US = 800_000
_TOPPLED_DEG = 75.0
_TOPPLED_US = 1_000_000


class GroundDetector:
    """Standing, flying or toppled; there is no contact switch on this aircraft."""

    def __init__(self, board: SimulatedBoard, output: Members) -> None:
        self._actuators = output["actuator_desired"]
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"].floats()
        self._tilts = board["AttitudeState"].floats()[4:6]
        """Roll and pitch in degrees."""
        self._altitude_hold = board["AltitudeHoldSettings"]
        self.is_standing = True
        self.is_toppled = False
        self._ground_down_m = 0.0
        self._still_since_us: int | None = None
        self._toppled_since_us: int | None = None
        self._altitude_hold.subscribe(self._take_settings)
        self._take_settings()

    def update(self, now_us: int, armed: bool) -> None:
        """Run once per loop of the autopilot."""
        north, east, down = self._velocity.tolist()
        still = max(abs(north), abs(east), abs(down)) < _STILL_MPS
        if not (still and self._is_tilted()):
            self._toppled_since_us = None
        elif self._toppled_since_us is None:
            self._toppled_since_us = now_us
        since = self._toppled_since_us
        self.is_toppled = since is not None and now_us - since >= _TOPPLED_US
        if not armed:
            self.is_standing = True
            self._ground_down_m = float(self._position.fields["Down"])
            self._still_since_us = None
            return
        self._update_armed(now_us, still, down)

    def _is_tilted(self) -> bool:
        roll, pitch = self._tilts.tolist()
        return bool(max(abs(roll), abs(pitch)) > _TOPPLED_DEG)

    def _update_armed(self, now_us: int, still: bool, velocity_down: float) -> None:
        idle = float(self._actuators[3]) < self._idle_thrust
        if self.is_standing:
            climbed = self._ground_down_m - float(self._position.fields["Down"])
            moving = abs(velocity_down) > _AIRBORNE_MPS
            self.is_standing = idle or not (climbed > _AIRBORNE_M or moving)
            return
        if not (idle and still):
            self._still_since_us = None
        elif self._still_since_us is None:
            self._still_since_us = now_us
        since = self._still_since_us
        self.is_standing = since is not None and now_us - since >= _STILL_US

    def _take_settings(self) -> None:
        self._idle_thrust = float(self._altitude_hold.fields["ThrustLimits"][1]) * _IDLE_SHARE
