"""Start of an episode: an aircraft in the air, whose board has been on for long.

Each is a copy of one record at time 0, so that a start costs microseconds. Its sensors begin as the
flight's seed has it; its filter knows attitude, place and motion as they are, and of the gyro's
bias what it would have averaged at rest. The filter is the complementary one whatever the preset
chooses: it can be begun so, and costs half of what INS13 does.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simulation.aircraft.performance import hover
from simulation.environment.earth import GRAVITY
from simulation.learning.actions import ActionMapping
from simulation.learning.columns import Array
from simulation.records.flight import ATTITUDE, FLIGHT, POSITION, RATES, ROTOR, VELOCITY
from simulation.records.interface import (
    FUSION_COMPLEMENTARY_MAG,
    FUSION_COMPLEMENTARY_MAG_GPS,
)
from simulation.records.sensor_table import (
    AIRSPEED,
    BATTERY,
    CURRENT,
    GYRO,
    ROTOR_SPEED,
    SONAR,
)
from simulation.simulator.fleet import SimulatedFleet
from simulation.simulator.simulator import Simulator

Numbered = npt.NDArray[np.int64]
"""Numbers of aircraft, or something of each."""
_UNREAD: Final = (SONAR, AIRSPEED, ROTOR_SPEED, BATTERY, CURRENT)
"""Sensors that neither the filter nor a policy reads: not fitted."""
_HANGING: Final = (0.0, 0.0, -GRAVITY)
"""What an accelerometer feels of a hover, body axes."""


class StartMotion(NamedTuple):
    """Of m aircraft: `position_m` (m, 3) and `velocity_mps` (m, 3), NED, and roll, pitch, yaw in
    rad (m, 3); they do not turn."""

    position_m: Array
    velocity_mps: Array
    attitude_rad: Array


class EpisodeStart:
    """Puts aircraft of a fleet into the air, each at time 0 of another flight."""

    def __init__(self, pattern: Simulator, fleet: SimulatedFleet, actions: ActionMapping) -> None:
        """`pattern` stands as it leaves the factory, in its world; it is not flown."""
        self._fleet = fleet
        self._bytes = fleet.records.view(np.uint8).reshape(len(fleet.records), FLIGHT.itemsize)
        flight = pattern.record
        rotors = int(flight["parameters"]["rotor_count"])
        self._rotor_speeds = slice(ROTOR, ROTOR + rotors)
        self._hover_radps = hover(flight["parameters"]).speed_radps
        _switch_on(flight, indoors=pattern.flown_world is not None)
        actions.prepare(flight)
        self._pattern = np.frombuffer(pattern.snapshot(), np.uint8)
        self._probe = Simulator(pattern.aircraft)
        self._seeds = fleet.records["state"]["seed"]

    def begin(self, which: Numbered, seeds: Numbered) -> None:
        """Bring these to time 0 of the flights of `seeds`, on the ground."""
        self._bytes[which] = self._pattern
        self._seeds[which] = seeds

    def lift(self, which: Numbered, motion: StartMotion, wind: Array) -> None:
        """Put those that stand at time 0 into the air; `wind` (m, 3) is NED in m/s."""
        records = self._fleet.records
        records["world"]["wind"][which] = wind
        bias = self._gyro_offsets(which)
        q = quaternions_of(motion.attitude_rad)
        moving = records["state"]["motion"]
        moving[which, POSITION : POSITION + 3] = motion.position_m
        moving[which, VELOCITY : VELOCITY + 3] = motion.velocity_mps
        moving[which, ATTITUDE : ATTITUDE + 4] = q
        moving[which, RATES : RATES + 3] = 0.0
        moving[which, self._rotor_speeds] = self._hover_radps
        records["state"]["specific_force"][which] = _HANGING
        records["filter"]["accel"][which] = _HANGING
        output = records["output"]
        for prefix in ("true_", ""):
            output[f"{prefix}position"][which] = motion.position_m
            output[f"{prefix}velocity"][which] = motion.velocity_mps
            output[f"{prefix}quaternion"][which] = q
        output["gyro_bias"][which] = bias

    def _gyro_offsets(self, which: Numbered) -> Array:
        """What the gyros show at rest, deg/s: drawn by the seed when a flight begins, which the
        probe does over and over."""
        state = self._probe.record["state"]
        output, offset = self._probe.output, state["offset"][GYRO, :3]
        own = self._fleet.records["parameters"]
        found = np.empty((len(which), 3))
        for row, i in enumerate(which.tolist()):
            self._probe.record["parameters"] = own[i]
            state["seed"], output["step"] = self._seeds[i], 0
            self._probe.advance_to_divergence(1)
            found[row] = offset
        return found


def _switch_on(flight: Any, indoors: bool) -> None:
    """As if its board had been on for long, and is armed."""
    fusion = FUSION_COMPLEMENTARY_MAG if indoors else FUSION_COMPLEMENTARY_MAG_GPS
    flight["settings"]["fusion_algorithm"] = fusion
    flight["settings"]["own_filter"] = 0
    prepare_sensors(flight["parameters"])
    flight["filter"]["fusion"] = fusion
    output = flight["output"]
    output["fusion"] = fusion
    output["attitude_valid"] = output["position_valid"] = 1
    flight["command"]["armed"] = 1


def prepare_sensors(parameters: Any) -> None:
    """Have GPS find its place at once, and leave out what is not read."""
    parameters["gps_first_fix"] = 0
    parameters["sensor_period"][list(_UNREAD)] = 0


def quaternions_of(angles_rad: Array) -> Array:
    """(m, 4), w x y z, of roll, pitch and yaw (m, 3): yaw first, then pitch, then roll."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(0.5 * angles_rad).T, np.sin(0.5 * angles_rad).T
    return np.column_stack(
        [
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        ]
    )
